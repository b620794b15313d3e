//! Rotation: who of a team is first, second and third man, as spans, and each change of the first man.

use super::super::feat::Feat;
use super::super::geometry::{flat, length, sub};
use super::super::known::Known;

/// The second must be farther than this to leave no doubt, in uu, and a change lasts this long, in seconds (subtr-actor).
const CLEAR_UU: f32 = 250.0;
const HELD_S: f64 = 0.35;

/// Looked at ten times a second: often enough for a change that must last 0.35 s.
const STEP_S: f64 = 0.1;

/// The kinds of spans, by role.
const ROLES: [&str; 3] = ["first-man", "second-man", "third-man"];

pub(in super::super) fn find(known: &Known<'_>) -> Vec<Feat> {
    let mut feats = Vec::new();
    for team in [0, 1] {
        let members: Vec<usize> = known.members(team).collect();
        if !(2..=3).contains(&members.len()) {
            continue;
        }
        for round in &known.rounds {
            spans(known, &members, round.first..round.end, &mut feats);
        }
    }
    feats
}

/// A role of a member, and the one that may be next; each with its first frame.
#[derive(Clone, Copy, Default)]
struct Held {
    now: Option<(usize, usize)>,
    next: Option<(usize, usize)>,
}

/// A role that ended.
struct Ended {
    role: usize,
    from: usize,
    to: usize,
}

impl Held {
    /// Takes what is seen in a frame. A change counts from when it was first seen, once it has lasted.
    fn see(&mut self, known: &Known<'_>, role: usize, frame: usize) -> Option<Ended> {
        if self.now.is_some_and(|(now, _)| now == role) {
            self.next = None;
            return None;
        }
        let seen = self.next.filter(|(next, _)| *next == role);
        let since = seen.map_or(frame, |(_, since)| since);
        self.next = Some((role, since));
        let has_lasted = known.time_s(frame) - known.time_s(since) >= HELD_S;
        if self.now.is_some() && !has_lasted {
            return None;
        }
        self.next = None;
        let before = self.now.replace((role, since));
        before.map(|(role, from)| Ended {
            role,
            from,
            to: since,
        })
    }

    /// Ends the role, if there is one.
    fn end(&mut self, to: usize) -> Option<Ended> {
        self.next = None;
        let (role, from) = self.now.take()?;
        Some(Ended { role, from, to })
    }
}

fn spans(
    known: &Known<'_>,
    members: &[usize],
    frames: std::ops::Range<usize>,
    feats: &mut Vec<Feat>,
) {
    let mut held = vec![Held::default(); members.len()];
    // The last first man whose successor is not known yet.
    let mut first: Option<usize> = None;
    let mut last_s = f64::NEG_INFINITY;
    let mut add = |person: usize, ended: Option<Ended>| {
        if let Some(Ended { role, from, to }) = ended
            && let Some(kind) = ROLES.get(role)
            && to > from
        {
            feats.push(Feat::new(known, kind, person, from).until(to));
        }
    };
    let mut changes = Vec::new();
    for frame in frames.clone() {
        let time_s = known.time_s(frame);
        if time_s - last_s < STEP_S {
            continue;
        }
        last_s = time_s;
        match order(known, members, frame) {
            Order::Clear(ranks) => {
                for ((held, &role), &person) in held.iter_mut().zip(&ranks).zip(members) {
                    add(person, held.see(known, role, frame));
                    if let Some((0, since)) = held.now
                        && first != Some(person)
                    {
                        changes.extend(first.map(|before| (before, person, since)));
                        first = Some(person);
                    }
                }
            }
            // In doubt all stay what they were.
            Order::Doubt => held.iter_mut().for_each(|held| held.next = None),
            // Without a member the roles are others.
            Order::Missing => {
                for (held, &person) in held.iter_mut().zip(members) {
                    add(person, held.end(frame));
                }
            }
        }
    }
    for (held, &person) in held.iter_mut().zip(members) {
        add(person, held.end(frames.end.saturating_sub(1)));
    }
    for (before, person, since) in changes {
        let mut feat = Feat::new(known, "first-man-change", person, since);
        feat.other = Some(before);
        feats.push(feat);
    }
}

/// The members by their distance to the ball.
enum Order {
    /// The role of each.
    Clear(Vec<usize>),
    /// Two are about as near.
    Doubt,
    /// The ball or a car is away.
    Missing,
}

fn order(known: &Known<'_>, members: &[usize], frame: usize) -> Order {
    let Some(ball) = known.ball.position(frame) else {
        return Order::Missing;
    };
    let mut apart = Vec::with_capacity(members.len());
    for &person in members {
        let place = known
            .person(person)
            .and_then(|person| person.car.position(frame));
        let Some(place) = place else {
            return Order::Missing;
        };
        apart.push(length(flat(sub(place, ball))));
    }
    let mut sorted: Vec<usize> = (0..apart.len()).collect();
    let distance = |index: usize| apart.get(index).copied().unwrap_or(f32::INFINITY);
    sorted.sort_by(|&one, &other| distance(one).total_cmp(&distance(other)));
    if let [first, second, ..] = sorted.as_slice()
        && distance(*second) - distance(*first) < CLEAR_UU
    {
        return Order::Doubt;
    }
    let mut ranks = vec![0; apart.len()];
    for (rank, index) in sorted.into_iter().enumerate() {
        if let Some(slot) = ranks.get_mut(index) {
            *slot = rank;
        }
    }
    Order::Clear(ranks)
}
