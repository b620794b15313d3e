//! Pressure: the ball is kept in the other team's half; rushes and counter-attacks.

use super::super::feat::Feat;
use super::super::known::{Known, attack};
use super::super::touches::Touch;

/// Pressure begins: the ball is this far in their half for this long, or in their third; in uu and s (subtr-actor).
const HALF_UU: f32 = 200.0;
const HALF_S: f64 = 2.0;
const THIRD_UU: f32 = 2300.0;
const THIRD_S: f64 = 0.75;

/// It is relieved this long after the ball left, in seconds (subtr-actor).
const RELIEVED_S: f64 = 3.0;

/// A rush (subtr-actor): where the ball is won, who takes part, in uu; how long it lasts, in seconds.
const RUSH_UU: f32 = -128.0;
const WITH_UU: f32 = 900.0;
const AHEAD_UU: f32 = 150.0;
const RUSH_S: f64 = 0.75;
const MAX_ATTACKERS: usize = 3;

/// A counter-attack: from the own half past this in so long, in uu and s.
const COUNTER_UU: f32 = 2300.0;
const COUNTER_S: f64 = 4.0;

pub(in super::super) fn find(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    for team in [0, 1] {
        pressure(known, team, &mut feats);
    }
    rushes(known, touches, &mut feats);
    feats
}

fn pressure(known: &Known<'_>, team: u8, feats: &mut Vec<Feat>) {
    for round in &known.rounds {
        let (mut half_since, mut third_since): (Option<usize>, Option<usize>) = (None, None);
        // Since when, the last frame in their half, and the time in their third.
        let mut open: Option<(usize, usize, f64)> = None;
        let close = |open: &mut Option<(usize, usize, f64)>,
                     reason: &'static str,
                     feats: &mut Vec<Feat>| {
            if let Some((from, to, third_s)) = open.take() {
                let feat = Feat::of_team("pressure", team, from).until(to);
                feats.push(feat.decimal("third_s", third_s).with("ended_by", reason));
            }
        };
        for frame in round.first..round.end {
            let Some(ball) = known.ball.position(frame) else {
                continue;
            };
            let ahead = attack(team) * ball[1];
            let time_s = known.time_s(frame);
            half_since = if ahead >= HALF_UU {
                half_since.or(Some(frame))
            } else {
                None
            };
            third_since = if ahead >= THIRD_UU {
                third_since.or(Some(frame))
            } else {
                None
            };
            match &mut open {
                Some((_, to, third_s)) => {
                    if ahead >= HALF_UU {
                        *to = frame;
                    }
                    if ahead >= THIRD_UU {
                        *third_s += time_s - known.time_s(frame.saturating_sub(1));
                    }
                    if time_s - known.time_s(*to) >= RELIEVED_S {
                        close(&mut open, "relieved", feats);
                    }
                }
                None => {
                    let lasts = |since: Option<usize>, least_s: f64| {
                        since.filter(|&since| time_s - known.time_s(since) >= least_s)
                    };
                    let from = lasts(half_since, HALF_S).or(lasts(third_since, THIRD_S));
                    open = from.map(|from| (from, frame, 0.0));
                }
            }
        }
        let reason = if round.goal == Some(team) {
            "goal"
        } else {
            "end"
        };
        close(&mut open, reason, feats);
    }
}

/// Counter-attacks with numbers.
fn rushes(known: &Known<'_>, touches: &[Touch], feats: &mut Vec<Feat>) {
    let pairs = touches.iter().zip(touches.iter().skip(1));
    for (before, touch) in pairs {
        let Some(team) = touch.team.filter(|_| before.team != touch.team) else {
            continue;
        };
        let sense = attack(team);
        let ball = sense * touch.ball.position[1];
        if ball > RUSH_UU {
            continue;
        }
        let ahead =
            |person: usize| Some(sense * known.person(person)?.car.position(touch.frame)?[1]);
        let attackers = known
            .members(team)
            .filter_map(ahead)
            .filter(|&y| y >= ball - WITH_UU)
            .count()
            .min(MAX_ATTACKERS);
        let defenders = known
            .members(1 - team.min(1))
            .filter_map(ahead)
            .filter(|&y| y >= ball + AHEAD_UU)
            .count();
        let theirs = touches
            .iter()
            .find(|other| other.time_s > touch.time_s && other.team != Some(team));
        let end_s = theirs.map_or(f64::INFINITY, |theirs| theirs.time_s);
        let end = known.frame(end_s.min(touch.time_s + COUNTER_S));
        let crossed = (touch.frame..=end)
            .take_while(|&frame| known.is_live(frame))
            .find(|&frame| {
                known
                    .ball
                    .position(frame)
                    .is_some_and(|ball| sense * ball[1] >= COUNTER_UU)
            });
        if let Some(crossed) = crossed {
            feats
                .push(Feat::new(known, "counter-attack", touch.person, touch.frame).until(crossed));
        }
        if attackers >= 2
            && defenders >= 1
            && defenders < attackers
            && end_s - touch.time_s >= RUSH_S
        {
            let out = (touch.frame..=end)
                .take_while(|&frame| known.is_live(frame))
                .last()
                .unwrap_or(touch.frame);
            let rush = Feat::of_team("rush", team, touch.frame).until(out);
            feats.push(
                rush.with("attackers", attackers.to_string())
                    .with("defenders", defenders.to_string()),
            );
        }
    }
}
