//! Numbers about a RUMBLE replay: how far and fast, what was thrown, what it did.
//!
//! Every number is defined in `docs/statistics.md`.
//!
//! - `attacks`: moves, hits, combos, and which structures were used against whom
//! - `distance`: how near players stay to each other, and who goes towards whom

mod attacks;
mod distance;

use std::collections::BTreeMap;

use self::attacks::Attacks;
use super::events::{counts, distance, samples, track};
use crate::stats::{Group, Stats, Subject};
use crate::timeline::{Entity, EntityId, Timeline, Values};

/// A player counts as in the air when the rig is this far above the lowest place it stood at.
const AIRBORNE_M: f32 = 0.3;

/// Hand speeds are taken over at least this long, so that the recorder's 5 mm steps do not count as speed.
const SPEED_WINDOW_S: f64 = 0.06;

/// All statistics.
pub fn stats(timeline: &Timeline) -> Stats {
    let players = timeline
        .entities
        .iter()
        .enumerate()
        .filter(|(_, entity)| entity.kind == "player");
    let attacks = Attacks::of(timeline);
    Stats {
        recording: vec![recording(timeline), structures(timeline), events(timeline)],
        teams: Vec::new(),
        players: players
            .map(|(index, entity)| player(timeline, &attacks, EntityId(index), entity))
            .collect(),
    }
}

fn recording(timeline: &Timeline) -> Group {
    let present = timeline
        .entities
        .iter()
        .filter(|entity| !entity.presence.intervals().is_empty());
    let of = |kind: &str| present.clone().filter(|entity| entity.kind == kind).count();
    Group::new("recording")
        .amount("duration_s", timeline.duration_s())
        .count("players", of("player"))
        .count("structures", of("structure"))
}

fn events(timeline: &Timeline) -> Group {
    counts(timeline)
        .into_iter()
        .fold(Group::new("events"), |group, (kind, count)| {
            group.count(kind.to_owned(), count)
        })
}

/// Per kind of structure: how many, how long they lived, how long they flew, how far.
fn structures(timeline: &Timeline) -> Group {
    let mut kinds: BTreeMap<&str, Vec<[f64; 3]>> = BTreeMap::new();
    for structure in timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == "structure")
    {
        if structure.presence.intervals().is_empty() {
            continue;
        }
        let kind = structure
            .name
            .rsplit_once(' ')
            .map_or(structure.name.as_str(), |(kind, _)| kind);
        let active_s = time_with(timeline, structure, |time_s| {
            structure.flag("active", time_s) == Some(true)
        });
        let flying_s = time_with(timeline, structure, |time_s| {
            structure.flag("active", time_s) == Some(true)
                && structure.flag("grounded", time_s) == Some(false)
        });
        kinds
            .entry(kind)
            .or_default()
            .push([active_s, flying_s, Way::of(structure).length_m()]);
    }
    kinds
        .into_iter()
        .fold(Group::new("structures"), |group, (kind, lives)| {
            let mean = |column: usize| {
                lives.iter().map(|life| life[column]).sum::<f64>() / lives.len() as f64
            };
            group
                .count(format!("{kind}_count"), lives.len())
                .amount(format!("{kind}_mean_lifetime_s"), mean(0))
                .amount(format!("{kind}_mean_time_in_the_air_s"), mean(1))
                .amount(format!("{kind}_mean_distance_m"), mean(2))
        })
}

/// How long something holds for an entity that only these two flags decide, by the moments at which they change.
fn time_with(timeline: &Timeline, entity: &Entity, holds: impl Fn(f64) -> bool) -> f64 {
    let mut moments: Vec<f64> = ["active", "grounded"]
        .iter()
        .flat_map(|column| samples(entity, column).map(|(time_s, _)| time_s))
        .collect();
    moments.sort_by(f64::total_cmp);
    moments.dedup();
    moments.push(timeline.end_s);
    moments
        .windows(2)
        .filter(|pair| holds(pair[0]))
        .map(|pair| pair[1] - pair[0])
        .sum()
}

/// The places on record of an entity, with the time of each.
#[derive(Clone, Copy, Default)]
struct Way<'a> {
    times_s: &'a [f64],
    positions: &'a [[f32; 3]],
}

impl<'a> Way<'a> {
    fn of(entity: &'a Entity) -> Self {
        let track = track(entity, "position");
        let column = track.and_then(|track| Some((track, track.columns.first()?)));
        match column.map(|(track, column)| (track, &column.values)) {
            Some((track, Values::Position(positions))) => Self {
                times_s: &track.times_s,
                positions,
            },
            _ => Self::default(),
        }
    }

    /// How far it is from each place to the next, in metres.
    fn steps_m(self) -> impl Iterator<Item = f64> + use<'a> {
        self.positions
            .windows(2)
            .map(|pair| f64::from(distance(pair[0], pair[1])))
    }

    /// How long it is, in metres.
    fn length_m(self) -> f64 {
        self.steps_m().sum()
    }
}

fn player(timeline: &Timeline, attacks: &Attacks, id: EntityId, player: &Entity) -> Subject {
    let part = |kind: &str| {
        timeline
            .entities
            .iter()
            .find(|entity| entity.parent == Some(id) && entity.kind == kind)
    };
    let mut movement = Group::new("movement");
    if let Some(head) = part("head") {
        movement = movement.amount("head_distance_m", Way::of(head).length_m());
    }
    if let Some(rig) = part("rig") {
        let way = Way::of(rig);
        movement = movement
            .amount("rig_distance_m", way.length_m())
            .amount("time_in_the_air_s", air_s(timeline, way));
    }
    for name in ["left_hand", "right_hand"] {
        if let Some(hand) = part(name) {
            let steps_m: Vec<f64> = Way::of(hand).steps_m().collect();
            let length_m: f64 = steps_m.iter().sum();
            let top = top_speed_m_s(Way::of(hand).times_s, &steps_m);
            movement = movement
                .amount(format!("{name}_distance_m"), length_m)
                .amount(
                    format!("{name}_mean_speed_m_s"),
                    length_m / timeline.duration_s(),
                )
                .amount(format!("{name}_top_speed_m_s"), top);
        }
    }
    Subject {
        name: player.name.clone(),
        team: None,
        groups: vec![
            movement,
            fight(timeline, id, player),
            attacks.attack(id),
            attacks.moves(id),
            attacks.combos(id),
            attacks.against(timeline, id),
            distance::group(timeline, id),
        ],
    }
}

/// The highest speed over a short window, in metres a second.
fn top_speed_m_s(times_s: &[f64], steps_m: &[f64]) -> f64 {
    let mut top: f64 = 0.0;
    let mut start = 0;
    let mut metres = 0.0;
    for (step_m, end) in steps_m.iter().zip(1..times_s.len()) {
        metres += step_m;
        // The window is the shortest one that is long enough.
        while start + 1 < end && times_s[end] - times_s[start + 1] >= SPEED_WINDOW_S {
            metres -= steps_m[start];
            start += 1;
        }
        let seconds = times_s[end] - times_s[start];
        if seconds >= SPEED_WINDOW_S {
            top = top.max(metres / seconds);
        }
    }
    top
}

fn air_s(timeline: &Timeline, way: Way<'_>) -> f64 {
    let heights_m = way.positions.iter().map(|position| position[1]);
    let floor_m = heights_m.clone().fold(f32::INFINITY, f32::min);
    let ends_s = way.times_s.iter().skip(1).chain([&timeline.end_s]);
    let airborne = heights_m
        .zip(way.times_s.iter().zip(ends_s))
        .filter(|(height_m, _)| *height_m > floor_m + AIRBORNE_M);
    airborne.map(|(_, (start_s, end_s))| end_s - start_s).sum()
}

fn fight(timeline: &Timeline, id: EntityId, player: &Entity) -> Group {
    let hits: Vec<_> = timeline
        .events
        .iter()
        .filter(|event| event.kind == "damage" && event.whom == Some(id))
        .collect();
    let amount = |event: &&crate::timeline::Event| {
        let amount = event.detail("amount");
        amount
            .and_then(|amount| amount.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    let held = timeline
        .events
        .iter()
        .filter(|event| event.kind == "structure-held" && event.who == Some(id));
    Group::new("fight")
        .count("hits_taken", hits.len())
        .amount("damage_taken", hits.iter().map(amount).sum())
        .list(
            "damage_at_s",
            hits.iter().map(|event| event.time_s).collect(),
        )
        .amount(
            "last_health",
            player
                .scalar("health", timeline.end_s)
                .map_or(f64::NAN, f64::from),
        )
        .count("structures_held", held.count())
}
