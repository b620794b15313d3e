//! What happened in a replay: goals, touches, pads, demolitions, jumps, who came and went.
//!
//! - [`pads`]: where boost pads are, when they are taken and back
//! - `touches`: who touched the ball
//! - `speed`: when cars become supersonic
//! - `goals`: who scored, how fast, and how it came about

mod goals;
pub(in crate::rocket_league) mod pads;
mod speed;
mod touches;

use std::borrow::Cow;

use super::timeline::build::Entities;
use super::timeline::motion::{Motions, Path};
use super::timeline::state::{CarLife, Deed, Happening, Match, PlayerLife, Steps};
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::text::Text;
use crate::rocket_league::coords;
use crate::timeline::Event;
use touches::Touch;

/// What events are found in.
#[derive(Clone, Copy)]
pub(in crate::rocket_league) struct Scene<'a> {
    /// The names of what actors are made from.
    pub objects: &'a [Text],
    pub found: &'a Match,
    pub entities: &'a Entities,
    pub motions: &'a Motions,
}

impl<'a> Scene<'a> {
    /// The last part of an object's name: `SpecialPickup_BallSpring`.
    fn object_name(&self, object: i32) -> &'a str {
        let object = usize::try_from(object).ok();
        let name = object.and_then(|object| self.objects.get(object));
        let name = name.map_or("", |name| name.as_str());
        name.rsplit(['.', ':']).next().unwrap_or(name)
    }

    /// The path of the ball that is there at a time.
    fn ball_at(&self, time_s: f64) -> Option<Path<'a>> {
        let is_there = |from_s: f64, to_s: f64| from_s <= time_s && time_s <= to_s;
        let mut balls = self.found.balls.iter();
        let life = balls.position(|ball| is_there(ball.from_s, ball.to_s))?;
        self.motions.ball(life)
    }
}

/// All events, in order of time.
pub(in crate::rocket_league) fn find(
    scene: &Scene<'_>,
    places: &[pads::Place],
    replay: &Replay,
) -> Vec<Event> {
    let pad_uses: usize = scene.found.pads.iter().map(|pad| pad.uses.len()).sum();
    let mut events = Vec::with_capacity(2 * (pad_uses + scene.found.happenings.len()));
    pads::add(scene, places, &mut events);
    speed::add(scene, &mut events);
    let touches = touches::touches(scene);
    for touch in &touches {
        events.push(touch_event(scene, touch));
    }
    goals::add(scene, &touches, replay, &mut events);
    kickoffs(scene, &touches, &mut events);
    people(scene, &mut events);
    let mut places = Places::new(scene);
    for happening in &scene.found.happenings {
        events.extend(deed(scene, &mut places, happening));
    }
    // By keys: an event is large, and sorting moves what it sorts several times.
    events.sort_by_cached_key(|event| order(event.time_s));
    events
}

/// A whole number that orders times as [`f64::total_cmp`] does.
fn order(time_s: f64) -> i64 {
    let bits = time_s.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// An event with nothing but a time and a kind.
fn event(time_s: f64, frame: usize, kind: &'static str) -> Event {
    Event {
        time_s,
        frame,
        kind: kind.into(),
        who: None,
        whom: None,
        position: None,
        details: Default::default(),
    }
}

/// The number of the frame at a time.
fn frame_at(found: &Match, time_s: f64) -> usize {
    let index = found.frame_times_s.partition_point(|&time| time < time_s);
    found.frame_numbers.get(index).copied().unwrap_or(0)
}

/// The last value that was told at a time.
fn last_at<T: Copy>(steps: &Steps<T>, time_s: f64) -> Option<T> {
    let after = steps.times_s.partition_point(|&time| time <= time_s);
    steps.values.get(after.checked_sub(1)?).copied()
}

/// The same, where what is told a moment later was so before.
fn value_at<T: Copy>(steps: &Steps<T>, time_s: f64) -> Option<T> {
    last_at(steps, time_s).or_else(|| steps.values.first().copied())
}

/// The team of a car's player, else the one its paint says.
fn team_of_car(found: &Match, car: &CarLife, time_s: f64) -> Option<u8> {
    let player = car.player.and_then(|player| found.players.get(player));
    player
        .and_then(|player| value_at(&player.team, time_s))
        .or(car.team)
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

fn team_name(team: u8) -> Cow<'static, str> {
    Cow::Borrowed(if team == 0 { "blue" } else { "orange" })
}

fn touch_event(scene: &Scene<'_>, touch: &Touch) -> Event {
    let mut details = Vec::with_capacity(3);
    details.extend(touch.team.map(|team| ("team", team_name(team))));
    details.push(("push_uu_s", (touch.push_uu_s as i64).to_string().into()));
    details.push(("ball_uu_s", (touch.speed_uu_s as i64).to_string().into()));
    Event {
        who: scene.entities.owner(touch.car),
        position: Some(coords::position(touch.position_uu)),
        details: details.into(),
        ..event(touch.time_s, frame_at(scene.found, touch.time_s), "touch")
    }
}

/// The moments at which the ball is free to be played: the countdown is over.
fn kickoff_times(found: &Match) -> Vec<f64> {
    let states = &found.state;
    if states.values.is_empty() {
        // Older files: the ball is there, and has not been hit.
        let unhit = found.ball_hit.times_s.iter().zip(&found.ball_hit.values);
        let times: Vec<f64> = unhit
            .filter(|(_, is_hit)| !**is_hit)
            .map(|(time_s, _)| *time_s)
            .collect();
        return times;
    }
    let pairs = states.values.iter().zip(states.values.iter().skip(1));
    let times = pairs.zip(states.times_s.iter().skip(1));
    times
        .filter(|((before, now), _)| *before == "Countdown" && *now == "Active")
        .map(|(_, time_s)| *time_s)
        .collect()
}

/// A kick-off and who touched the ball first; who has the ball in the other half two seconds later has won it.
fn kickoffs(scene: &Scene<'_>, touches: &[Touch], events: &mut Vec<Event>) {
    let Scene {
        found, entities, ..
    } = *scene;
    let times = kickoff_times(found);
    for (index, &time_s) in times.iter().enumerate() {
        let until_s = times.get(index + 1).copied().unwrap_or(f64::INFINITY);
        let first = touches
            .iter()
            .find(|touch| touch.time_s >= time_s && touch.time_s < until_s);
        let mut details = Vec::new();
        if let Some(first) = first {
            details.push((
                "first_touch_s",
                format!("{:.2}", first.time_s - time_s).into(),
            ));
            details.extend(first.team.map(|team| ("first_team", team_name(team))));
            let ball = scene
                .ball_at(first.time_s)
                .and_then(|ball| ball.position_uu(first.time_s + 2.0));
            let outcome = match ball {
                Some([_, y, _]) if y > 500.0 => "blue",
                Some([_, y, _]) if y < -500.0 => "orange",
                _ => "neutral",
            };
            details.push(("won_by", outcome.into()));
        }
        events.push(Event {
            who: first.and_then(|first| entities.owner(first.car)),
            details: details.into(),
            ..event(time_s, frame_at(found, time_s), "kick-off")
        });
    }
}

fn people(scene: &Scene<'_>, events: &mut Vec<Event>) {
    let Scene {
        found, entities, ..
    } = *scene;
    let end_s = found.frame_times_s.last().copied().unwrap_or(0.0);
    for (index, player) in found.players.iter().enumerate() {
        let PlayerLife {
            from_s, to_s, team, ..
        } = player;
        let team = |time_s| value_at(team, time_s).map(|team| ("team", team_name(team)));
        events.push(Event {
            who: entities.person(index),
            details: team(*from_s).into_iter().collect(),
            ..event(*from_s, frame_at(found, *from_s), "join")
        });
        if *to_s < end_s {
            events.push(Event {
                who: entities.person(index),
                details: team(*to_s).into_iter().collect(),
                ..event(*to_s, frame_at(found, *to_s), "leave")
            });
        }
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
            let speed = |velocity| (touches::length(velocity) as i64).to_string().into();
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
        Deed::Refresh(car) => of_car(car, "flip-reset"),
        Deed::Handbrake(car, true) => of_car(car, "power-slide"),
        Deed::Handbrake(car, false) => of_car(car, "power-slide-end"),
        Deed::ItemTaken(car, item) => with_item(scene, of_car(car, "item-taken"), item),
        Deed::ItemUsed(car, item) => with_item(scene, of_car(car, "item-used"), item),
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
fn with_item(scene: &Scene<'_>, event: Event, item: i32) -> Event {
    let name = scene.object_name(item);
    let name = name.strip_prefix("SpecialPickup_").unwrap_or(name);
    Event {
        details: vec![("item", name.to_owned().into())].into(),
        ..event
    }
}
