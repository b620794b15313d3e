//! What the attributes say outright: jumps, dodges, demolitions, items, tiles, cameras, saves and shots.

use super::geometry::length;
use super::known::Known;
use super::mechanics::dodges::direction;
use super::{Scene, event, team_name, team_of_car};
use crate::rocket_league::analysis::timeline::motion::Motions;
use crate::rocket_league::analysis::timeline::state::{Deed, Happening};
use crate::rocket_league::coords;
use crate::timeline::Event;

/// Adds the events.
pub(super) fn add(known: &Known<'_>, events: &mut Vec<Event>) {
    let scene = &known.scene;
    let mut places = Places::new(scene);
    let mut dodges = known.dodges.iter();
    for happening in &scene.found.happenings {
        let made = deed(scene, &mut places, happening);
        if let Deed::Dodge(car) = happening.what {
            let is_owned = scene.entities.owners.get(car).copied().flatten().is_some();
            let dodge = if is_owned { dodges.next() } else { None };
            events.extend(made.map(|made| match dodge.and_then(direction) {
                Some(direction) => Event {
                    details: vec![("direction", direction.into())].into(),
                    ..made
                },
                None => made,
            }));
        } else {
            events.extend(made);
        }
    }
}

/// Where cars are at times that ascend.
struct Places<'a> {
    motions: &'a Motions,
    /// By life: the sample found last.
    found: Vec<usize>,
}

impl<'a> Places<'a> {
    fn new(scene: &Scene<'a>) -> Self {
        Self {
            motions: scene.motions,
            found: vec![0; scene.found.cars.len()],
        }
    }

    fn position(&mut self, car: usize, time_s: f64) -> Option<[f32; 3]> {
        let path = self.motions.car(car)?;
        let index = path.index_from(self.found.get_mut(car)?, time_s)?;
        path.position_after(index, time_s)
    }
}

/// The event of something seen in the attributes.
fn deed(scene: &Scene<'_>, places: &mut Places<'_>, happening: &Happening) -> Option<Event> {
    let entities = scene.entities;
    let Happening {
        time_s,
        frame,
        what,
    } = *happening;
    let mut of_car = |car: usize, kind: &'static str| Event {
        who: entities.owner(car),
        position: places.position(car, time_s),
        ..event(time_s, frame, kind)
    };
    let of_player = |player: usize, kind: &'static str| Event {
        who: entities.person(player),
        ..event(time_s, frame, kind)
    };
    Some(match what {
        Deed::Demolition {
            attacker,
            victim,
            attacker_player,
            attacker_uu_s,
            victim_uu_s,
        } => {
            let speed = |velocity| (length(velocity) as i64).to_string().into();
            let whom = victim.and_then(|car| entities.owner(car));
            if attacker.or(attacker_player).is_none() && whom.is_none() {
                // By nobody, of nobody's car: a keyframe sends it again when both are gone.
                return None;
            }
            Event {
                who: attacker
                    .and_then(|car| entities.owner(car))
                    .or_else(|| attacker_player.and_then(|player| entities.person(player))),
                whom,
                position: victim.and_then(|car| places.position(car, time_s)),
                details: vec![
                    ("attacker_uu_s", speed(attacker_uu_s)),
                    ("victim_uu_s", speed(victim_uu_s)),
                ]
                .into(),
                // A goal's explosion destroys cars too, and nobody did it.
                ..event(
                    time_s,
                    frame,
                    if attacker.or(attacker_player).is_some() {
                        "demolition"
                    } else {
                        "car-destroyed"
                    },
                )
            }
        }
        Deed::Jump(car) => of_car(car, "jump"),
        Deed::DoubleJump(car) => of_car(car, "double-jump"),
        Deed::Dodge(car) => of_car(car, "dodge"),
        Deed::FlipCar(car) => of_car(car, "flip-over"),
        Deed::Refresh(car) => of_car(car, "dodge-refresh"),
        Deed::Handbrake(car, true) => of_car(car, "power-slide"),
        Deed::Handbrake(car, false) => of_car(car, "power-slide-end"),
        Deed::ItemTaken(car, item) => with_item(scene, of_car(car, "item-taken"), car, item),
        Deed::ItemUsed(car, item) => with_item(scene, of_car(car, "item-used"), car, item),
        Deed::Tile {
            tile,
            player,
            is_open,
            position_uu,
        } => Event {
            who: player.and_then(|player| entities.person(player)),
            position: Some(coords::position(position_uu)),
            details: vec![("tile", scene.object_name(tile).to_owned().into())].into(),
            ..event(
                time_s,
                frame,
                if is_open {
                    "tile-opened"
                } else {
                    "tile-damaged"
                },
            )
        },
        Deed::BallCamera(player, true) => of_player(player, "ball-camera"),
        Deed::BallCamera(player, false) => of_player(player, "car-camera"),
        Deed::RearCamera(player, true) => of_player(player, "rear-camera"),
        Deed::RearCamera(player, false) => of_player(player, "rear-camera-end"),
        Deed::Save(player) => of_player(player, "save"),
        Deed::Shot(player) => of_player(player, "shot"),
        Deed::Assist(player) => of_player(player, "assist"),
        Deed::Overtime => event(time_s, frame, "overtime"),
        Deed::Forfeit => event(time_s, frame, "forfeit"),
        Deed::Goal(_) | Deed::TeamScore(..) | Deed::HitTeam(_) | Deed::Explosion => return None,
    })
}

/// An event with the name of an item in Rumble: `SpecialPickup_BallSpring` is a `BallSpring`.
fn with_item(scene: &Scene<'_>, event: Event, car: usize, item: i32) -> Event {
    let name = scene.object_name(item);
    let name = name.strip_prefix("SpecialPickup_").unwrap_or(name);
    let team = scene.found.cars.get(car);
    let team = team.and_then(|car| team_of_car(scene.found, car, event.time_s));
    let mut details = vec![("item", name.to_owned().into())];
    details.extend(team.map(|team| ("team", team_name(team))));
    Event {
        details: details.into(),
        ..event
    }
}
