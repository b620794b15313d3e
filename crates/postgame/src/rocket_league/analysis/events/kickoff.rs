//! Kick-offs: who goes for the ball and how, what the others do, who wins.

use super::feat::Feat;
use super::geometry::{Vector, distance, flat, length};
use super::known::{Known, attack};
use super::rounds::Round;
use super::touches::Touch;

/// Takers: the nearest spawn to the ball; two within this are decided by who gets there first, in uu (subtr-actor).
const SAME_SPAWN_UU: f32 = 150.0;

/// The outcome is read this long after the first touch, looking ahead by that, in seconds (subtr-actor).
const RESOLVED_S: f64 = 1.25;
const AHEAD_S: f32 = 0.5;

/// The ball is nobody's within this of the middle line, in uu; how far it is of half the field makes the strength.
const NEUTRAL_UU: f32 = 256.0;
const HALF_UU: f32 = 5120.0;
const CLEAR_WIN: f32 = 0.25;
const STRONG_WIN: f32 = 0.5;

/// A dodge this long before the touch made the approach, in seconds, with such shares (subtr-actor).
const DODGED_S: f64 = 0.5;
const SIDEWAYS: f32 = 0.35;
const FORWARD: f32 = 0.45;

/// Where a player is at the touch (carball), in uu: at the ball, unmoved, at a corner's pad, in the goal or before it.
const AT_BALL_UU: f32 = 700.0;
const UNMOVED_UU: f32 = 50.0;
const CORNER_UU: [f32; 2] = [2200.0, 3600.0];
const MIDDLE_UU: f32 = 500.0;

/// Without a touch the roles are read this long after "go", in seconds.
const LATEST_S: f64 = 5.0;

/// A kick-off's spawn, by where it is (subtr-actor), in uu.
fn spawn([x, y, _]: Vector, team: u8) -> &'static str {
    // +X is to blue's left.
    let is_left = attack(team) * x > 0.0;
    match (x.abs(), y.abs(), is_left) {
        (x, y, _) if x <= 150.0 && y >= 4300.0 => "centre",
        (x, y, true) if x <= 900.0 && y >= 3300.0 => "off-centre-left",
        (x, y, false) if x <= 900.0 && y >= 3300.0 => "off-centre-right",
        (x, y, true) if x >= 1500.0 && y <= 3300.0 => "diagonal-left",
        (x, y, false) if x >= 1500.0 && y <= 3300.0 => "diagonal-right",
        _ => "unknown",
    }
}

/// A kick-off's players at "go".
struct Start {
    person: usize,
    team: u8,
    place: Vector,
}

pub(super) fn find(known: &Known<'_>, touches: &[Touch], speed_flips: &[Feat]) -> Vec<Feat> {
    let rounds = known.rounds.iter().filter(|round| round.has_kickoff);
    rounds
        .flat_map(|round| kickoff(known, round, touches, speed_flips))
        .collect()
}

fn kickoff(known: &Known<'_>, round: &Round, touches: &[Touch], speed_flips: &[Feat]) -> Vec<Feat> {
    let starts: Vec<Start> = known
        .people
        .iter()
        .enumerate()
        .filter_map(|(person, player)| {
            // A car's first word may come a moment after "go".
            let place =
                (round.first..round.first + 4).find_map(|frame| player.car.position(frame))?;
            Some(Start {
                person,
                team: player.team?,
                place,
            })
        })
        .collect();
    let own = touches
        .iter()
        .filter(|touch| touch.time_s >= round.go_s && touch.time_s <= round.end_s);
    let own: Vec<&Touch> = own.collect();
    let first = own.first().copied();
    let at = first.map_or_else(
        || {
            known
                .frame(round.go_s + LATEST_S)
                .min(round.end.saturating_sub(1))
        },
        |first| first.frame,
    );
    let takers = [0, 1].map(|team| taker(known, &starts, team, &own, at));
    let mut feat = Feat::of_team("kick-off", 0, round.first);
    feat.team = None;
    feat.person = first.map(|first| first.person);
    if let Some(first) = first {
        feat = feat.decimal("first_touch_s", first.time_s - round.go_s);
        if let Some(team) = first.team {
            feat = feat.with("first_team", super::team_name(team));
        }
        feat = feat.flag("shared", first.is_contested);
        feat = outcome(known, round, first, feat);
    }
    for (colour, taker) in ["blue_taker", "orange_taker"].into_iter().zip(takers) {
        let name = taker
            .and_then(|person| known.person(person))
            .map(|person| person.name.to_owned());
        if let Some(name) = name {
            feat = feat.with(colour, name);
        }
    }
    let mut feats = vec![feat];
    for start in &starts {
        let is_taker = takers.contains(&Some(start.person));
        let touch = own
            .iter()
            .copied()
            .find(|touch| touch.person == start.person && touch.time_s <= known.time_s(at) + 1.0);
        let role = role(known, start, at, first);
        let mut feat = Feat::new(known, "kick-off-role", start.person, round.first)
            .with("role", role)
            .with("spawn", spawn(start.place, start.team))
            .flag("taker", is_taker);
        if is_taker {
            feat = feat.with(
                "approach",
                approach(known, round, start, touch, at, speed_flips),
            );
        }
        if let Some(touch) = touch {
            feat = feat.decimal("touch_s", touch.time_s - round.go_s);
        }
        feats.push(feat);
    }
    feats
}

/// The taker of a team: the nearest spawn; of two alike who comes nearer to the ball.
fn taker(
    known: &Known<'_>,
    starts: &[Start],
    team: u8,
    own: &[&Touch],
    at: usize,
) -> Option<usize> {
    let team: Vec<&Start> = starts.iter().filter(|start| start.team == team).collect();
    let nearest = team
        .iter()
        .map(|start| length(flat(start.place)))
        .fold(f32::INFINITY, f32::min);
    let alike: Vec<&&Start> = team
        .iter()
        .filter(|start| length(flat(start.place)) <= nearest + SAME_SPAWN_UU)
        .collect();
    let first = own
        .iter()
        .take(2)
        .find(|touch| alike.iter().any(|start| start.person == touch.person));
    if let Some(first) = first {
        return Some(first.person);
    }
    let apart = |start: &&&Start| {
        let place = known
            .person(start.person)
            .and_then(|person| person.car.position(at));
        place.map_or(f32::INFINITY, |place| length(flat(place)))
    };
    let best = alike
        .iter()
        .copied()
        .min_by(|one, other| apart(one).total_cmp(&apart(other)));
    best.map(|start| start.person)
}

/// Who has won, and how strongly, a moment after the first touch.
fn outcome(known: &Known<'_>, round: &Round, first: &Touch, feat: Feat) -> Feat {
    let frame = known
        .frame((first.time_s + RESOLVED_S).min(round.end_s))
        .min(round.end.saturating_sub(1));
    let Some(ball) = known.ball.pose(frame) else {
        return feat;
    };
    let ahead = (ball.position[1] + AHEAD_S * ball.velocity[1]).clamp(-HALF_UU, HALF_UU);
    let share = ahead.abs() / HALF_UU;
    if ahead.abs() <= NEUTRAL_UU {
        return feat.with("won_by", "neutral");
    }
    let strength = match share {
        share if share < CLEAR_WIN => "narrow",
        share if share < STRONG_WIN => "clear",
        _ => "strong",
    };
    feat.with("won_by", super::team_name(u8::from(ahead < 0.0)))
        .with("strength", strength)
}

/// What a player does, by place at the first touch (carball).
fn role(known: &Known<'_>, start: &Start, at: usize, first: Option<&Touch>) -> &'static str {
    let Some(place) = known
        .person(start.person)
        .and_then(|person| person.car.position(at))
    else {
        return "unknown";
    };
    let ball = known.ball.position(at).unwrap_or([0.0; 3]);
    if first.is_some_and(|first| first.person == start.person) || distance(place, ball) < AT_BALL_UU
    {
        return "go_to_ball";
    }
    if distance(flat(place), flat(start.place)) < UNMOVED_UU {
        return "afk";
    }
    let [x, y, _] = place.map(f32::abs);
    match (x, y) {
        (x, y) if x > CORNER_UU[0] && y > CORNER_UU[1] => "boost",
        (x, y) if x < MIDDLE_UU && y > CORNER_UU[1] => "defend",
        (x, _) if x < MIDDLE_UU => "cheat",
        _ => "unknown",
    }
}

/// How the taker goes for the ball.
fn approach(
    known: &Known<'_>,
    round: &Round,
    start: &Start,
    touch: Option<&Touch>,
    at: usize,
    speed_flips: &[Feat],
) -> &'static str {
    let until_s = touch.map_or_else(|| known.time_s(at), |touch| touch.time_s);
    let is_own = |feat: &&Feat| {
        feat.kind == "speed-flip"
            && feat.person == Some(start.person)
            && (round.go_s..=until_s).contains(&known.time_s(feat.frame))
    };
    if speed_flips.iter().any(|feat| is_own(&feat)) {
        return "speed-flip";
    }
    let dodges = known
        .dodges
        .iter()
        .filter(|dodge| dodge.person == start.person);
    let first = dodges
        .clone()
        .find(|dodge| (round.go_s..until_s).contains(&dodge.time_s));
    if let Some(dodge) = first.filter(|dodge| until_s - dodge.time_s >= DODGED_S) {
        let [forward, right] = dodge.direction.unwrap_or([1.0, 0.0]);
        let size = (forward * forward + right * right).sqrt().max(1e-3);
        if right.abs() / size >= SIDEWAYS {
            return "diagonal-flip";
        }
        if forward / size >= FORWARD {
            return "front-flip";
        }
    }
    let person = known.person(start.person);
    let has_boosted = person.is_some_and(|person| {
        person
            .boosting
            .iter()
            .any(|span| span.0 < until_s && span.1 > round.go_s)
    });
    let place = person
        .and_then(|person| person.car.position(at))
        .unwrap_or(start.place);
    let nearer = length(flat(start.place)) - length(flat(place));
    match (touch.is_some(), has_boosted) {
        (false, true) if nearer < 400.0 => "fake-go-for-boost",
        (_, true) => "boost-into-ball",
        (false, false) if nearer < 400.0 => "fake",
        _ => "other",
    }
}
