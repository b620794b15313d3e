//! What the statistics are made from, out of the timeline, in the game's units.

use std::ops::Range;

use super::bodies::{Body, Places};
use super::mates::distances;
use super::ranks::{Mean, Ranks, ranks};
use crate::timeline::{Entity, EntityId, Event, Timeline, Track, Values};

/// A player and their car.
pub(super) struct Player<'a> {
    pub id: EntityId,
    pub name: &'a str,
    pub team: Option<u8>,
    pub entity: &'a Entity,
    pub car: Option<&'a Entity>,
    pub body: Body<'a>,
    /// The samples of each of the car's lives, and when the next one starts.
    pub lives: Vec<(Range<usize>, f64)>,
    /// What the file says of the boost, 0 to 100, each life apart.
    pub reports: Vec<(&'a [f64], &'a [f32])>,
    pub handbrake: (&'a [f64], &'a [bool]),
    /// The pads taken: index into the events.
    pub pads: Vec<&'a Event>,
}

impl Player<'_> {
    /// The samples of all of the car's lives, which follow each other.
    pub fn told(&self) -> Range<usize> {
        let ends = self.lives.first().zip(self.lives.last());
        ends.map_or(0..0, |((first, _), (last, _))| first.start..last.end)
    }

    /// Where the car is at a time, by its last sample; `None` where there is none.
    pub fn position_at(&self, time_s: f64) -> Option<[f32; 3]> {
        self.car.filter(|car| car.presence.contains(time_s))?;
        self.body.position_at(time_s)
    }
}

/// All of it.
pub(super) struct Data<'a> {
    pub players: Vec<Player<'a>>,
    pub ball: Body<'a>,
    /// Which team touched the ball, and when.
    pub hits: Vec<(f64, u8)>,
    /// From the countdown of a kick-off to the goal or the end.
    pub rounds: Vec<(f64, f64)>,
    /// The last round ended without a goal.
    pub ends_by_time: bool,
    pub scores: [i64; 2],
    /// Sorted by kind.
    by_kind: Vec<(&'a str, Vec<&'a Event>)>,
    /// Each player among their mates.
    pub ranks: Vec<Ranks>,
    /// How far each player is from their mates.
    pub to_mates: Vec<Mean>,
}

/// How often cars are compared with each other.
pub(super) const STEP_S: f64 = 0.1;

pub(super) fn track<'a>(entity: &'a Entity, column: &str) -> Option<&'a Track> {
    let has = |track: &&Track| {
        track
            .columns
            .first()
            .is_some_and(|first| first.name == column)
    };
    entity.tracks.iter().find(has)
}

fn flags<'a>(entity: &'a Entity, column: &str) -> (&'a [f64], &'a [bool]) {
    match track(entity, column)
        .map(|track| (track, track.columns.first().map(|column| &column.values)))
    {
        Some((track, Some(Values::Flag(values)))) => (&track.times_s, values),
        _ => (&[], &[]),
    }
}

/// The numbers of a held column.
pub(super) fn numbers<'a>(entity: &'a Entity, column: &str) -> (&'a [f64], &'a [f32]) {
    match track(entity, column)
        .map(|track| (track, track.columns.first().map(|column| &column.values)))
    {
        Some((track, Some(Values::Scalar(values)))) => (&track.times_s, values),
        _ => (&[], &[]),
    }
}

/// The last number of a column; 0 where the game never sent one.
pub(super) fn last(entity: &Entity, column: &str) -> i64 {
    numbers(entity, column)
        .1
        .last()
        .map_or(0, |value| *value as i64)
}

impl<'a> Data<'a> {
    pub fn new(timeline: &'a Timeline) -> Self {
        let of_kind = |kind: &'static str| {
            let entities = timeline.entities.iter().enumerate();
            entities
                .filter(move |(_, entity)| entity.kind == kind)
                .map(|(index, entity)| (EntityId(index), entity))
        };
        let by_kind = by_kind(&timeline.events);
        let taken = of(&by_kind, "boost-pickup");
        let cars: Vec<Option<&Entity>> = of_kind("player")
            .map(|(id, _)| {
                of_kind("car")
                    .find(|(_, car)| car.parent == Some(id))
                    .map(|(_, car)| car)
            })
            .collect();
        let players: Vec<Player<'_>> = of_kind("player")
            .zip(&cars)
            .map(|((id, entity), car)| player(taken, id, entity, *car))
            .collect();
        let ball = of_kind("ball").next().map(|(_, ball)| ball);
        let hits = ball
            .map(|ball| numbers(ball, "hit_team"))
            .unwrap_or_default();
        let hits = hits
            .0
            .iter()
            .copied()
            .zip(hits.1.iter().map(|&team| team as u8))
            .filter(|hit| hit.1 < 2);
        let mut scores = [0; 2];
        for (score, (_, team)) in scores.iter_mut().zip(of_kind("team")) {
            *score = last(team, "score");
        }
        let (rounds, ends_by_time) = rounds(timeline);
        let ball_body = ball.map(Body::new).unwrap_or_default();
        let places = players.iter().zip(&cars).map(|(player, car)| {
            let places = Places::new(&player.body, *car);
            (player.team, places)
        });
        let places: Vec<(Option<u8>, Places<'_>)> = places.collect();
        let ranks = ranks(&places, Places::new(&ball_body, ball), &rounds);
        Self {
            ranks,
            to_mates: distances(&players),
            by_kind,
            players,
            ball: ball_body,
            hits: hits.collect(),
            rounds,
            ends_by_time,
            scores,
        }
    }

    /// How long is played: the countdowns too, but not the celebrations.
    pub fn played_s(&self) -> f64 {
        self.rounds.iter().map(|(from_s, to_s)| to_s - from_s).sum()
    }

    /// How often each kind of event happens.
    pub fn event_counts(&self) -> impl Iterator<Item = (&'a str, usize)> {
        let kinds = self.by_kind.iter();
        kinds.map(|(kind, events)| (*kind, events.len()))
    }

    /// The events of a kind, in order of time.
    pub fn events(&self, kind: &str) -> &[&'a Event] {
        of(&self.by_kind, kind)
    }
}

/// The events of each kind. There are a few dozen kinds, most of different lengths: looking through them all is faster
/// than a tree or a table.
fn by_kind(events: &[Event]) -> Vec<(&str, Vec<&Event>)> {
    let mut kinds: Vec<(&str, Vec<&Event>)> = Vec::new();
    for event in events {
        // Most names of a kind are the same piece of memory.
        let same = |kind: &(&str, Vec<&Event>)| std::ptr::eq(kind.0, &*event.kind);
        let equal = |kind: &(&str, Vec<&Event>)| kind.0 == event.kind;
        let known = kinds.iter().position(same);
        let known = known.or_else(|| kinds.iter().position(equal));
        match known.and_then(|known| kinds.get_mut(known)) {
            Some((_, events)) => events.push(event),
            None => kinds.push((&event.kind, vec![event])),
        }
    }
    kinds.sort_unstable_by_key(|kind| kind.0);
    kinds
}

/// The events of one kind.
fn of<'b, 'a>(by_kind: &'b [(&str, Vec<&'a Event>)], kind: &str) -> &'b [&'a Event] {
    let found = by_kind.iter().find(|one| one.0 == kind);
    found.map(|one| one.1.as_slice()).unwrap_or_default()
}

fn player<'a>(
    taken: &[&'a Event],
    id: EntityId,
    entity: &'a Entity,
    car: Option<&'a Entity>,
) -> Player<'a> {
    let body = car.map(Body::new).unwrap_or_default();
    let lives_s = car.map(|car| numbers(car, "life").0).unwrap_or_default();
    let split = |times_s: &[f64]| -> Vec<Range<usize>> {
        let starts = lives_s
            .iter()
            .map(|life_s| times_s.partition_point(|time_s| time_s < life_s));
        let ends = lives_s
            .iter()
            .skip(1)
            .map(|life_s| times_s.partition_point(|time_s| time_s < life_s));
        starts
            .zip(ends.chain([times_s.len()]))
            .map(|(start, end)| start..end.max(start))
            .collect()
    };
    let (report_times_s, reports) = car
        .map(|car| numbers(car, "boost_reported"))
        .unwrap_or_default();
    let reports = split(report_times_s)
        .into_iter()
        .filter_map(|range| Some((report_times_s.get(range.clone())?, reports.get(range)?)))
        .collect();
    let pads = taken.iter().copied().filter(|event| event.who == Some(id));
    Player {
        id,
        name: &entity.name,
        team: numbers(entity, "team")
            .1
            .last()
            .map(|&team| team as u8)
            .filter(|&team| team < 2),
        entity,
        car,
        lives: split(body.times_s)
            .into_iter()
            .zip(lives_s.iter().skip(1).copied().chain([f64::INFINITY]))
            .collect(),
        body,
        reports,
        handbrake: car.map(|car| flags(car, "handbrake")).unwrap_or_default(),
        pads: pads.collect(),
    }
}

/// The rounds: from one countdown to the goal; the last ends with the match, three seconds before the recording.
fn rounds(timeline: &Timeline) -> (Vec<(f64, f64)>, bool) {
    let game = timeline
        .entities
        .iter()
        .find(|entity| entity.kind == "game");
    let states = game.and_then(|game| track(game, "state"));
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    let end_s = timeline.end_s - f64::from(crate::rocket_league::tables::AFTER_MATCH_S);
    let mut open: Option<f64> = None;
    let names =
        states.and_then(
            |states| match states.columns.first().map(|column| &column.values) {
                Some(Values::Name { names, indices }) => Some((states, names, indices)),
                _ => None,
            },
        );
    if let Some((states, names, indices)) = names {
        for (&time_s, &index) in states.times_s.iter().zip(indices) {
            match names.get(index as usize).map(String::as_str) {
                Some("Countdown" | "Active") => {
                    open.get_or_insert(time_s);
                }
                Some("PostGoalScored") => rounds.extend(open.take().map(|from_s| (from_s, time_s))),
                _ => {}
            }
        }
    }
    if states.is_none_or(|states| states.times_s.is_empty()) {
        // Older files say nothing of states: a round starts with a kick-off and ends with a goal.
        open = Some(timeline.start_s);
        for event in &timeline.events {
            match &*event.kind {
                "kick-off" => {
                    open.get_or_insert(event.time_s);
                }
                "goal" => rounds.extend(open.take().map(|from_s| (from_s, event.time_s))),
                _ => {}
            }
        }
    }
    rounds.extend(open.map(|from_s| (from_s, end_s.max(from_s))));
    (rounds, open.is_some())
}
