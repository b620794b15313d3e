//! The same frames as boxcars reads, value for value, but for a few corrections, which are counted.

use std::collections::BTreeMap;

use boxcars::attributes::{ActiveActor, ProductValue as TheirProduct, RemoteId};
use boxcars::{Attribute as Theirs, Quaternion, Vector3f};
use postgame::rocket_league::model::attributes::ServerId;
use postgame::rocket_league::model::ids::UniqueId;
use postgame::rocket_league::model::kinds::{Attribute, Value};
use postgame::rocket_league::model::loadouts::{Loadout, LoadoutOnline, ProductValue};
use postgame::rocket_league::model::network::What;
use postgame::rocket_league::model::values::{
    BodyRotation, Reference, RigidBody, Rotation, Vector,
};
use postgame::{ReadOptions, Recording};

use super::{for_each, name, replays};

pub type Corrections = BTreeMap<&'static str, u64>;

#[test]
fn every_value_is_the_peers_but_for_listed_corrections() {
    let Some(files) = replays() else { return };
    let mut all = Corrections::new();
    let mut values = 0;
    for (corrections, count) in for_each(&files, |path| {
        compare(name(path), &std::fs::read(path).unwrap())
    }) {
        values += count;
        for (what, count) in corrections {
            *all.entry(what).or_default() += count;
        }
    }
    println!("{values} values are the same; corrections:");
    for (what, count) in &all {
        println!("  {count:7} {what}");
    }
    let listed: Vec<&str> = all.keys().copied().collect();
    assert_eq!(listed, LISTED);
    assert!(values > 3_000_000, "{values}");
}

/// Each is described in `docs/formats/rocket-league.md`.
const LISTED: &[&str] = &[
    "ClubColors: two bytes, then two bits",
    "a frame the peer ends early",
    "a pad that is there again refers to nothing, in 32 bits",
    "a reserved seat of nobody has a name",
    "phantom Role and RemoteRole after such a pad",
    "rank: the byte comes before the bit",
    "titles: references, cut in other places",
];

pub fn compare(place: &str, bytes: &[u8]) -> (Corrections, u64) {
    let (recording, _) = postgame::read(bytes, &ReadOptions::default()).unwrap();
    let Recording::RocketLeague(replay) = recording else {
        panic!("{place}");
    };
    let theirs = boxcars::ParserBuilder::new(bytes)
        .always_check_crc()
        .must_parse_network_data()
        .parse()
        .unwrap_or_else(|error| panic!("{place}: boxcars: {error}"));
    let mut corrections = Corrections::new();
    let mut same = 0;
    let their_frames = theirs
        .network_frames
        .as_ref()
        .map_or(&[][..], |frames| &frames.frames);
    let network = &replay.body.as_ref().unwrap().network;
    assert_eq!(network.frame_count(), their_frames.len(), "{place}");
    for (ours, theirs) in network.frames().zip(their_frames) {
        let here = || format!("{place}: frame {}", ours.number);
        assert_eq!(
            (ours.time_s, ours.delta_s),
            (theirs.time, theirs.delta),
            "{}",
            here()
        );
        let mut spawned = theirs.new_actors.iter();
        let mut deleted = theirs.deleted_actors.iter();
        let mut updated = theirs.updated_actors.iter().peekable();
        // The last frame of the file with a VoteActor: the peer does not know its class.
        let ends_early = ours.actions().any(|action| match action.what {
            What::Spawned(spawn) => replay.body.as_ref().unwrap().objects
                [spawn.object.object().unwrap()]
            .as_str()
            .ends_with("VoteActor_TA"),
            _ => false,
        });
        if ends_early {
            *corrections
                .entry("a frame the peer ends early")
                .or_default() += 1;
            continue;
        }
        for action in ours.actions() {
            match action.what {
                What::Deleted => {
                    assert_eq!(deleted.next().unwrap().0, action.actor as i32, "{}", here())
                }
                What::Spawned(spawn) => {
                    let their = spawned.next().unwrap();
                    assert_eq!(their.actor_id.0, action.actor as i32, "{}", here());
                    assert_eq!(their.name_id, spawn.name, "{}", here());
                    assert_eq!(their.object_id.0, spawn.object.id, "{}", here());
                    let location = their.initial_trajectory.location.map(|v| [v.x, v.y, v.z]);
                    assert_eq!(location, spawn.location.map(Vector::to_array), "{}", here());
                    let rotation = their.initial_trajectory.rotation.map(angles);
                    assert_eq!(rotation, spawn.rotation, "{}", here());
                }
                What::Updated(updates) => {
                    for (id, value) in updates {
                        while updated
                            .next_if(|their| matches!(their.attribute, Theirs::Enum(_)))
                            .is_some()
                        {
                            *corrections
                                .entry("phantom Role and RemoteRole after such a pad")
                                .or_default() += 1;
                        }
                        let their = updated.next().unwrap();
                        assert_eq!(their.actor_id.0, action.actor as i32, "{}", here());
                        assert_eq!(their.stream_id.0, i32::from(id), "{}", here());
                        let correction = equal(&value, &their.attribute).unwrap_or_else(|| {
                            panic!("{}: {value:?} is not {:?}", here(), their.attribute)
                        });
                        match correction {
                            "" => same += 1,
                            what => *corrections.entry(what).or_default() += 1,
                        }
                    }
                }
            }
        }
        while updated
            .next_if(|their| matches!(their.attribute, Theirs::Enum(_)))
            .is_some()
        {
            *corrections
                .entry("phantom Role and RemoteRole after such a pad")
                .or_default() += 1;
        }
        assert!(
            spawned.next().is_none() && deleted.next().is_none() && updated.next().is_none(),
            "{}",
            here()
        );
    }
    (corrections, same)
}

/// The peer's names of the three angles are not the game's; their order is.
fn angles(rotation: boxcars::Rotation) -> Rotation {
    let angle = |angle: Option<i8>| angle.map(|angle| angle as u8);
    Rotation(
        angle(rotation.yaw),
        angle(rotation.pitch),
        angle(rotation.roll),
    )
}

fn vector(ours: &Vector, theirs: &Vector3f) -> bool {
    ours.to_array().map(|number| number as f32 / 100.0) == [theirs.x, theirs.y, theirs.z]
}

fn reference(ours: &Reference, flag: bool, id: i32) -> bool {
    (ours.is_actor, ours.id) == (flag, id)
}

fn active(ours: &Reference, theirs: &ActiveActor) -> bool {
    reference(ours, theirs.active, theirs.actor.0)
}

fn body(ours: &RigidBody, theirs: &boxcars::RigidBody) -> bool {
    let velocity = |ours: &Option<Vector>, theirs: &Option<Vector3f>| match (ours, theirs) {
        (Some(ours), Some(theirs)) => vector(ours, theirs),
        (None, None) => true,
        _ => false,
    };
    ours.sleeping == theirs.sleeping
        && vector(&ours.location, &theirs.location)
        && rotation(ours.rotation, &theirs.rotation)
        && velocity(&ours.linear_velocity, &theirs.linear_velocity)
        && velocity(&ours.angular_velocity, &theirs.angular_velocity)
}

/// The stored numbers, from the peer's floats: rounding takes each back to where it came from.
fn rotation(ours: BodyRotation, theirs: &Quaternion) -> bool {
    let Quaternion { x, y, z, w } = *theirs;
    match ours {
        BodyRotation::Angles(angles) => {
            let stored = |angle: f32| (angle * 32767.0).round() + 32768.0;
            angles.map(f32::from) == [x, y, z].map(stored) && w == 0.0
        }
        BodyRotation::Quaternion { left_out, parts } => {
            let stored = |part: f32| {
                ((f64::from(part) / std::f64::consts::SQRT_2 + 0.5) * 262_143.0).round() as u32
            };
            let all = [x, y, z, w];
            let kept: Vec<u32> = (0..4)
                .filter(|&index| index != usize::from(left_out))
                .map(|index| stored(all[index]))
                .collect();
            kept == parts
        }
    }
}

fn loadout(ours: &Loadout, theirs: &boxcars::attributes::Loadout) -> bool {
    ours.version == theirs.version
        && [
            ours.body,
            ours.skin,
            ours.wheels,
            ours.boost,
            ours.antenna,
            ours.hat,
            ours.paint_finish,
        ] == [
            theirs.body,
            theirs.decal,
            theirs.wheels,
            theirs.rocket_trail,
            theirs.antenna,
            theirs.topper,
            theirs.unknown1,
        ]
        && [
            ours.custom_finish,
            ours.engine_audio,
            ours.trail,
            ours.goal_explosion,
            ours.banner,
            ours.music,
        ] == [
            theirs.unknown2,
            theirs.engine_audio,
            theirs.trail,
            theirs.goal_explosion,
            theirs.banner,
            theirs.product_id,
        ]
}

fn products(ours: &LoadoutOnline, theirs: &[Vec<boxcars::attributes::Product>]) -> bool {
    let product = |ours: &ProductValue, theirs: &TheirProduct| match (ours, theirs) {
        (ProductValue::Color(a), TheirProduct::NewColor(b))
        | (ProductValue::OldColor(Some(a)), TheirProduct::OldColor(b))
        | (ProductValue::Paint(a), TheirProduct::NewPaint(b))
        | (ProductValue::SpecialEdition(a), TheirProduct::SpecialEdition(b))
        | (ProductValue::TeamEdition(a), TheirProduct::NewTeamEdition(b)) => a == b,
        (ProductValue::OldPaint(a), TheirProduct::OldPaint(b))
        | (ProductValue::OldTeamEdition(a), TheirProduct::OldTeamEdition(b)) => u32::from(*a) == *b,
        (ProductValue::OldColor(None), TheirProduct::NoColor) => true,
        (ProductValue::Title(a), TheirProduct::Title(b)) => a.as_str() == b,
        (
            ProductValue::Certified { stat, value },
            TheirProduct::Certified { stat: b, value: c },
        ) => (stat, value) == (b, c),
        _ => false,
    };
    ours.0.len() == theirs.len()
        && ours.0.iter().zip(theirs).all(|(ours, theirs)| {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| {
                    reference(&ours.class, theirs.unknown, theirs.object_ind.0)
                        && product(&ours.value, &theirs.value)
                })
        })
}

fn unique_id(ours: &UniqueId, theirs: &boxcars::UniqueId) -> bool {
    let platform = ours.platform() == theirs.system_id;
    platform
        && match (ours, &theirs.remote_id) {
            (UniqueId::Steam { id, splitscreen }, RemoteId::Steam(their))
            | (UniqueId::Xbox { id, splitscreen }, RemoteId::Xbox(their))
            | (UniqueId::Qq { id, splitscreen }, RemoteId::QQ(their)) => {
                (id, *splitscreen) == (their, theirs.local_id)
            }
            (UniqueId::Epic { id, splitscreen }, RemoteId::Epic(their)) => {
                id.as_str() == their && *splitscreen == theirs.local_id
            }
            (
                UniqueId::PlayStation {
                    name,
                    region,
                    reserved,
                    id,
                    splitscreen,
                },
                RemoteId::PlayStation(their),
            ) => {
                // Before network version 1 the peer takes the reserved number for the account.
                let mut rest = region.0.to_vec();
                let account = match id {
                    Some(id) => {
                        rest.extend(reserved.to_le_bytes());
                        *id
                    }
                    None => *reserved,
                };
                name.to_text() == their.name
                    && rest == their.unknown1
                    && account == their.online_id
                    && *splitscreen == theirs.local_id
            }
            (
                UniqueId::OldSwitch {
                    id,
                    rest,
                    splitscreen,
                },
                RemoteId::Switch(their),
            ) => {
                (*id, &rest.0[..], *splitscreen)
                    == (their.online_id, &their.unknown1[..], theirs.local_id)
            }
            (
                UniqueId::Switch {
                    id,
                    rest,
                    splitscreen,
                },
                RemoteId::PsyNet(their),
            ) => {
                let rest = rest.map_or(Vec::new(), |rest| rest.0.to_vec());
                (*id, rest, *splitscreen)
                    == (their.online_id, their.unknown1.clone(), theirs.local_id)
            }
            _ => false,
        }
}

/// `Some("")` when two values are the same, the name of the correction when they differ as listed, else `None`.
fn equal(ours: &Value<&Attribute>, theirs: &Theirs) -> Option<&'static str> {
    let same = |is_same: bool| is_same.then_some("");
    let corrected = |is_same: bool, what| is_same.then_some(what);
    match (ours, theirs) {
        (Value::Boolean(a), Theirs::Boolean(b)) => same(a == b),
        (Value::Byte(a), Theirs::Byte(b)) => same(a == b),
        (Value::Int(a) | Value::NameIndex(a), Theirs::Int(b)) => same(a == b),
        // The peer reads the skill of bots as a whole number.
        (Value::Float(a), Theirs::Int(b)) => same(a.to_bits() == *b as u32),
        (Value::Float(a), Theirs::Float(b)) => same(a.to_bits() == b.to_bits()),
        (Value::Int64(a), Theirs::Int64(b)) => same(a == b),
        (Value::GameMode(a), Theirs::GameMode(_, b)) => same(a == b),
        (Value::Reference(a), Theirs::ActiveActor(b)) => same(active(a, b)),
        (Value::Reference(a), Theirs::StatEvent(b)) => same(reference(a, b.unknown1, b.object_id)),
        (Value::RigidBody(a), Theirs::RigidBody(b)) => same(body(a, b)),
        (Value::Attribute(ours), theirs) => attribute(ours, theirs, &same, &corrected),
        _ => None,
    }
}

fn attribute(
    ours: &Attribute,
    theirs: &Theirs,
    same: &dyn Fn(bool) -> Option<&'static str>,
    corrected: &dyn Fn(bool, &'static str) -> Option<&'static str>,
) -> Option<&'static str> {
    match (ours, theirs) {
        (Attribute::String(a), Theirs::String(b)) => same(a.as_str() == b),
        (Attribute::GameServerId(ServerId::Text(a)), Theirs::String(b)) => same(a.as_str() == b),
        (Attribute::GameServerId(ServerId::Number(a)), Theirs::QWord(b)) => same(a == b),
        (Attribute::Vector(a), Theirs::Location(b)) => same(vector(a, b)),
        (Attribute::Rotation(a), Theirs::Rotation(b)) => same(*a == angles(*b)),
        (Attribute::AppliedDamage(a), Theirs::AppliedDamage(b)) => same(
            (a.id, a.damage_index, a.total_damage) == (b.id, b.damage_index, b.total_damage)
                && vector(&a.position, &b.position),
        ),
        (Attribute::DamageState(a), Theirs::DamageState(b)) => same(
            (a.state, a.direct, a.immediate) == (b.tile_state, b.direct_hit, b.unknown1)
                && reference(&a.causer, b.damaged, b.offender.0)
                && vector(&a.position, &b.ball_position),
        ),
        (Attribute::CameraSettings(a), Theirs::CamSettings(b)) => same(
            [a.fov, a.height, a.pitch, a.distance, a.stiffness, a.swivel]
                == [b.fov, b.height, b.angle, b.distance, b.stiffness, b.swivel]
                && a.transition == b.transition
                && a.acceleration == b.camera_accel_rate
                && a.smoothed == b.free_look_smoothing,
        ),
        (Attribute::ClubColors(a), Theirs::ClubColors(b)) => {
            // The same eighteen bits, cut in other places.
            let ours = u32::from(a.team_color)
                | u32::from(a.custom_color) << 8
                | u32::from(a.has_team_color) << 16
                | u32::from(a.has_custom_color) << 17;
            let theirs = u32::from(b.blue_flag)
                | u32::from(b.blue_color) << 1
                | u32::from(b.orange_flag) << 9
                | u32::from(b.orange_color) << 10;
            corrected(ours == theirs, "ClubColors: two bytes, then two bits")
        }
        (Attribute::SkillTier(a), Theirs::FlaggedByte(flag, byte)) => {
            let ours = u32::from(a.tier) | u32::from(a.is_replicated) << 8;
            corrected(
                ours == u32::from(*flag) | u32::from(*byte) << 1,
                "rank: the byte comes before the bit",
            )
        }
        (Attribute::Demolish(a), Theirs::Demolish(b)) => same(
            reference(&a.attacker, b.attacker_flag, b.attacker.0)
                && reference(&a.victim, b.victim_flag, b.victim.0)
                && vector(&a.attacker_velocity, &b.attack_velocity)
                && vector(&a.victim_velocity, &b.victim_velocity),
        ),
        (Attribute::DemolishFx(a), Theirs::DemolishFx(b)) => same(
            reference(&a.effect, b.custom_demo_flag, b.custom_demo_id)
                && reference(&a.attacker, b.attacker_flag, b.attacker.0)
                && reference(&a.victim, b.victim_flag, b.victim.0)
                && vector(&a.attacker_velocity, &b.attack_velocity)
                && vector(&a.victim_velocity, &b.victim_velocity),
        ),
        (Attribute::DemolishExtended(a), Theirs::DemolishExtended(b)) => same(
            active(&a.attacker_player, &b.attacker_pri)
                && active(&a.self_effect, &b.self_demo)
                && a.is_self == b.self_demolish
                && active(&a.explosion_owner, &b.goal_explosion_owner)
                && active(&a.attacker, &b.attacker)
                && active(&a.victim, &b.victim)
                && vector(&a.attacker_velocity, &b.attacker_velocity)
                && vector(&a.victim_velocity, &b.victim_velocity),
        ),
        (Attribute::Explosion(a), Theirs::Explosion(b)) => {
            same(reference(&a.goal, b.flag, b.actor.0) && vector(&a.location, &b.location))
        }
        (Attribute::ExplosionExtended(a), Theirs::ExtendedExplosion(b)) => same(
            reference(&a.goal, b.explosion.flag, b.explosion.actor.0)
                && vector(&a.location, &b.explosion.location)
                && reference(&a.scorer, b.unknown1, b.secondary_actor.0),
        ),
        (Attribute::HistoryKey(a), Theirs::PlayerHistoryKey(b)) => {
            same(u16::from(a.index.0) | u16::from(a.value) << 6 == *b)
        }
        (Attribute::Impulse(a), Theirs::Impulse(b)) => {
            same((a.rotation, a.speed) == (b.compressed_rotation, b.speed))
        }
        (Attribute::Loadout(a), Theirs::Loadout(b)) => same(loadout(a, b)),
        (Attribute::TeamLoadout(a), Theirs::TeamLoadout(b)) => {
            same(loadout(&a.blue, &b.blue) && loadout(&a.orange, &b.orange))
        }
        (Attribute::LoadoutOnline(a), Theirs::LoadoutOnline(b)) => same(products(a, b)),
        (Attribute::LoadoutsOnline(a), Theirs::LoadoutsOnline(b)) => same(
            products(&a.blue, &b.blue)
                && products(&a.orange, &b.orange)
                && (a.is_set, a.is_deprecated) == (b.unknown1, b.unknown2),
        ),
        (Attribute::LogoData(a), Theirs::LogoData(b)) => {
            same((a.logo as u32, a.swap_colors) == (b.logo_id, b.swap_colors))
        }
        (Attribute::MusicStinger(a), Theirs::MusicStinger(b)) => {
            same(reference(&a.cue, b.flag, b.cue as i32) && a.trigger == b.trigger)
        }
        (Attribute::Pickup(a), Theirs::Pickup(b)) => match b.instigator {
            Some(actor) => {
                same(reference(&a.instigator, true, actor.0) && a.is_taken == b.picked_up)
            }
            None => corrected(
                a.instigator == Reference::NONE && b.picked_up,
                "a pad that is there again refers to nothing, in 32 bits",
            ),
        },
        (Attribute::PickupNew(a), Theirs::PickupNew(b)) => match b.instigator {
            Some(actor) => same(reference(&a.instigator, true, actor.0) && a.count == b.picked_up),
            None => corrected(
                a.instigator == Reference::NONE && b.picked_up == 255,
                "a pad that is there again refers to nothing, in 32 bits",
            ),
        },
        (Attribute::PickupInfo(a), Theirs::PickupInfo(b)) => same(
            [a.first, a.second, a.third]
                .iter()
                .zip(&b.available_pickups)
                .all(|(ours, theirs)| active(ours, theirs))
                && a.are_previews == b.items_are_preview,
        ),
        (Attribute::PrivateMatchSettings(a), Theirs::PrivateMatch(b)) => same(
            [
                a.mutators.as_str(),
                a.game_name.as_str(),
                a.password.as_str(),
            ] == [
                b.mutators.as_str(),
                b.game_name.as_str(),
                b.password.as_str(),
            ] && (a.map as u32, a.max_players as u32, a.is_public)
                == (b.joinable_by, b.max_players, b.flag),
        ),
        (Attribute::ReplicatedBoost(a), Theirs::ReplicatedBoost(b)) => same(
            [a.grant_count, a.amount, a.unused_1, a.unused_2]
                == [b.grant_count, b.boost_amount, b.unused1, b.unused2],
        ),
        (Attribute::Reservation(a), Theirs::Reservation(b)) => {
            let status =
                u8::from(b.unknown1) | u8::from(b.unknown2) << 1 | b.unknown3.unwrap_or(0) << 2;
            let is_same = (u32::from(a.index.0), a.status.0) == (b.number, status)
                && a.name.as_str() == b.name.as_deref().unwrap_or("");
            match &b.unique_id.remote_id {
                // What the peer takes for 24 bits of an id and 8 of another is the length of the name.
                RemoteId::SplitScreen(low) if a.player == (UniqueId::None {}) => {
                    let length = *low as usize | usize::from(b.unique_id.local_id) << 24;
                    let expected =
                        a.name.as_str().len() + usize::from(!a.name.is_empty() || a.name.is_odd());
                    corrected(
                        is_same && length == expected,
                        "a reserved seat of nobody has a name",
                    )
                }
                _ => same(is_same && unique_id(&a.player, &b.unique_id)),
            }
        }
        (Attribute::StatTitle(a), Theirs::RepStatTitle(b)) => same(
            (a.index.0 != 0, a.name.as_str(), a.value) == (b.unknown, b.name.as_str(), b.value)
                && reference(&a.stat, b.unknown2, b.index as i32),
        ),
        (Attribute::TeamPaint(a), Theirs::TeamPaint(b)) => same(
            (
                a.team,
                a.team_color,
                a.custom_color,
                a.team_finish,
                a.custom_finish,
            ) == (
                b.team,
                b.primary_color,
                b.accent_color,
                b.primary_finish,
                b.accent_finish,
            ),
        ),
        (Attribute::TitleStat(a), Theirs::Title(b0, b1, c, d, e, f, g, h)) => {
            // The same 163 bits, cut in other places.
            let mut ours = Vec::new();
            let mut theirs = Vec::new();
            let push = |bits: &mut Vec<bool>, value: u32, width: u32| {
                bits.extend((0..width).map(|bit| value >> bit & 1 != 0));
            };
            for (reference, numbers) in [
                (a.category, &[][..]),
                (a.title, &[a.points, a.count][..]),
                (a.member, &[][..]),
            ] {
                push(&mut ours, reference.is_actor.into(), 1);
                push(&mut ours, reference.id as u32, 32);
                for number in numbers {
                    push(&mut ours, *number as u32, 32);
                }
            }
            push(&mut theirs, (*b0).into(), 1);
            push(&mut theirs, (*b1).into(), 1);
            for number in [c, d, e, f, g] {
                push(&mut theirs, *number, 32);
            }
            push(&mut theirs, (*h).into(), 1);
            corrected(ours == theirs, "titles: references, cut in other places")
        }
        (Attribute::UniqueId(a), Theirs::UniqueId(b)) => same(unique_id(a, b)),
        (Attribute::UniqueId(a), Theirs::PartyLeader(b)) => same(match b {
            Some(b) => unique_id(a, b),
            None => **a == UniqueId::None {},
        }),
        (Attribute::Welded(a), Theirs::Welded(b)) => same(
            reference(&a.to, b.active, b.actor.0)
                && vector(&a.offset, &b.offset)
                && a.mass == b.mass
                && a.rotation == angles(b.rotation),
        ),
        _ => None,
    }
}
