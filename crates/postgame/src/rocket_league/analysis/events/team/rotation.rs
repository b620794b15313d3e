//! Rotation: who of a team is first man, as spans, and each change.

use super::super::feat::Feat;
use super::super::geometry::{flat, length, sub};
use super::super::known::Known;

/// The second must be farther than this to leave no doubt, in uu, and a change lasts this long, in seconds (subtr-actor).
const CLEAR_UU: f32 = 250.0;
const HELD_S: f64 = 0.35;

/// Looked at ten times a second: often enough for a change that must last 0.35 s.
const STEP_S: f64 = 0.1;

pub(in super::super) fn find(known: &Known<'_>) -> Vec<Feat> {
    let mut feats = Vec::new();
    for team in [0, 1] {
        let members: Vec<usize> = known.members(team).collect();
        if !(2..=3).contains(&members.len()) {
            continue;
        }
        for round in &known.rounds {
            spans(known, &members, round.first, round.end, &mut feats);
        }
    }
    feats
}

fn spans(known: &Known<'_>, members: &[usize], first: usize, end: usize, feats: &mut Vec<Feat>) {
    // The first man, since when; and who may be the next one, since when.
    let mut open: Option<(usize, usize)> = None;
    let mut next: Option<(usize, usize)> = None;
    let mut last_s = f64::NEG_INFINITY;
    for frame in first..end {
        let time_s = known.time_s(frame);
        if time_s - last_s < STEP_S {
            continue;
        }
        last_s = time_s;
        let Some(nearest) = nearest(known, members, frame) else {
            next = None;
            continue;
        };
        if open.is_some_and(|(person, _)| person == nearest) {
            next = None;
            continue;
        }
        let since = next
            .filter(|(person, _)| *person == nearest)
            .map_or(frame, |(_, since)| since);
        next = Some((nearest, since));
        if open.is_none() || time_s - known.time_s(since) >= HELD_S {
            if let Some((person, from)) = open {
                let mut feat = Feat::new(known, "first-man", person, from).until(since);
                feat.other = Some(nearest);
                feats.push(feat);
            }
            open = Some((nearest, since));
            next = None;
        }
    }
    if let Some((person, from)) = open {
        feats.push(Feat::new(known, "first-man", person, from).until(end.saturating_sub(1)));
    }
}

/// Who is nearest to the ball, without doubt.
fn nearest(known: &Known<'_>, members: &[usize], frame: usize) -> Option<usize> {
    let ball = known.ball.position(frame)?;
    let mut best: Option<(f32, usize)> = None;
    let mut second = f32::INFINITY;
    for &person in members {
        let apart = length(flat(sub(known.person(person)?.car.position(frame)?, ball)));
        match best {
            Some((least, _)) if apart >= least => second = second.min(apart),
            _ => {
                second = best.map_or(second, |(least, _)| least);
                best = Some((apart, person));
            }
        }
    }
    best.filter(|(least, _)| second - least >= CLEAR_UU)
        .map(|(_, person)| person)
}
