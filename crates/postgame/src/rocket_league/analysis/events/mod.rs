//! What happened in a replay.
//!
//! - [`known`]: what all detectors start from: players, ball and cars by frame, dodges; `rounds`: when the ball is played
//! - `touches`: who touched the ball; `ball`: what was done with it
//! - `mechanics`: dodges, flips, walls, bumps; `team`: pressure, rotation, defence
//! - `kickoff`: how kick-offs are taken; `goals`: who scored, and how it came about; `shots`: where shots went
//! - [`pads`]: where boost pads are, when they are taken and back; `respawn`: boost of new cars
//! - `speed`: when cars become supersonic
//! - `deeds`: what the attributes say outright: jumps, demolitions, items, cameras
//! - `tiles`: hits of the floor in Dropshot
//! - `feat`: what a detector finds, and the event made of it; `geometry`: vectors

mod ball;
mod deeds;
mod feat;
mod geometry;
mod goals;
mod kickoff;
mod known;
mod mechanics;
pub(in crate::rocket_league) mod pads;
mod respawn;
mod rounds;
mod shots;
mod speed;
mod team;
mod tiles;
mod touches;

use std::borrow::Cow;

use super::timeline::build::Entities;
use super::timeline::motion::{Motions, Path};
use super::timeline::state::{CarLife, Match, PlayerLife, Steps};
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::text::Text;
use crate::rocket_league::coords;
use crate::timeline::Event;
use ball::intent::{self, Intent};
use feat::Feat;
use geometry::length;
use known::Known;
use touches::Touch;

/// What events are found in.
#[derive(Clone, Copy, Debug)]
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
    respawn::add(scene, &mut events);
    speed::add(scene, &mut events);
    let known = Known::new(*scene, replay.header.properties.text("MapName"));
    let touches = touches::touches(&known);
    let intents = intent::intents(&known, &touches);
    for (touch, intent) in touches.iter().zip(&intents) {
        events.push(touch_event(&known, touch, intent));
    }
    let feats = feats(&known, &touches, &intents);
    goals::add(&known, (&touches, &intents), &feats, replay, &mut events);
    events.extend(feats.into_iter().map(|feat| feat.event(&known)));
    people(scene, &mut events);
    deeds::add(&known, &mut events);
    forfeit(&known, replay, &mut events);
    tiles::add(&known, &mut events);
    shots::describe(&known, &touches, &intents, &mut events);
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

fn team_name(team: u8) -> Cow<'static, str> {
    Cow::Borrowed(if team == 0 { "blue" } else { "orange" })
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

/// A forfeit that only the header states is one at the end.
fn forfeit(known: &Known<'_>, replay: &Replay, events: &mut Vec<Event>) {
    let is_stated = replay.header.properties.flag("bForfeit") == Some(true);
    let is_known = events.iter().any(|event| event.kind == "forfeit");
    if let Some(last) = known
        .times_s
        .len()
        .checked_sub(1)
        .filter(|_| is_stated && !is_known)
    {
        events.push(known.event(last, "forfeit"));
    }
}

/// All that players and teams did, detector by detector.
fn feats(known: &Known<'_>, touches: &[Touch], intents: &[Intent]) -> Vec<Feat> {
    let mut feats = mechanics::flips::find(known);
    feats.extend(kickoff::find(known, touches, &feats));
    feats.extend(mechanics::dodges::wavedashes(known));
    feats.extend(mechanics::resets::find(known, touches));
    feats.extend(mechanics::walls::wall_aerials(known, touches));
    feats.extend(mechanics::walls::ceiling_shots(known, touches));
    feats.extend(mechanics::bump::find(known));
    feats.extend(ball::fifty_fifty::find(known, touches, intents));
    feats.extend(ball::carry::find(known, touches));
    feats.extend(ball::air_dribble::find(known, touches));
    feats.extend(ball::flick::find(known, touches));
    feats.extend(ball::bounces::find(known, touches));
    feats.extend(ball::passes::find(known, touches, intents));
    feats.extend(ball::missed::whiffs(known, touches));
    feats.extend(ball::missed::beaten(known, touches));
    feats.extend(ball::possession::teams(known, touches));
    feats.extend(ball::possession::players(known, touches));
    feats.extend(team::pressure::find(known, touches));
    feats.extend(team::rotation::find(known));
    feats.extend(team::shadow::find(known, touches));
    feats
}

/// A car this high is not on the ground, in uu (subtr-actor); higher is high in the air.
const LOW_AIR_UU: f32 = 100.0;
const HIGH_AIR_UU: f32 = 735.5;

/// Pushes of control and of hard hits, in uu/s (subtr-actor).
const CONTROL_UU_S: f32 = 320.0;
const HARD_UU_S: f32 = 900.0;

fn touch_event(known: &Known<'_>, touch: &Touch, intent: &Intent) -> Event {
    let push = touch.push_uu_s();
    let whole = |number: f32| -> Cow<'static, str> { (number as i64).to_string().into() };
    let height = match touch.car.position[2] {
        height if height < LOW_AIR_UU => "ground",
        height if height < HIGH_AIR_UU => "low-air",
        _ => "high-air",
    };
    let kind = match push {
        push if push <= CONTROL_UU_S => "control",
        push if push < HARD_UU_S => "medium",
        _ => "hard",
    };
    let mut details = Vec::with_capacity(10);
    details.extend(touch.team.map(|team| ("team", team_name(team))));
    details.push(("push_uu_s", whole(push)));
    details.push(("ball_uu_s", whole(length(touch.ball.velocity))));
    details.push(("ball_z_uu", whole(touch.ball.position[2])));
    details.push(("gap_uu", whole(touch.gap_uu)));
    details.push(("action", intent.action.name().into()));
    details.push(("height", height.into()));
    details.push(("hit", kind.into()));
    for (name, is_so) in [
        ("dodging", touch.is_dodging),
        ("contested", touch.is_contested),
        ("item", touch.is_item),
    ] {
        if is_so {
            details.push((name, "true".into()));
        }
    }
    if intent.is_on_goal {
        details.push(("projected", "goal".into()));
    }
    Event {
        who: known.person(touch.person).map(|person| person.entity),
        position: Some(coords::position(touch.ball.position)),
        details: details.into(),
        ..known.event(touch.frame, "touch")
    }
}
