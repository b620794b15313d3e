//! Characters, leaders and followers, and their players' inputs.

use std::iter::Copied;
use std::ops::Range;
use std::slice::Iter;

use super::{Cast, Clock};
use crate::slippi::Replay;
use crate::slippi::analysis::players::player_name;
use crate::slippi::codec::model::frames::{Character, Rows};
use crate::slippi::codec::model::updates::Post;
use crate::slippi::coords;
use crate::slippi::names;
use crate::timeline::{Column, Entity, Hold, Presence, Timeline, Track, Values};

/// Buttons as the controller sends them: the bit and the column's name.
const BUTTONS: [(u16, &str); 12] = [
    (0x0001, "button_dpad_left"),
    (0x0002, "button_dpad_right"),
    (0x0004, "button_dpad_down"),
    (0x0008, "button_dpad_up"),
    (0x0010, "button_z"),
    (0x0020, "button_r"),
    (0x0040, "button_l"),
    (0x0100, "button_a"),
    (0x0200, "button_b"),
    (0x0400, "button_x"),
    (0x0800, "button_y"),
    (0x1000, "button_start"),
];

/// Adds all characters.
pub(super) fn add(timeline: &mut Timeline, replay: &Replay, clock: &Clock<'_>) -> Cast {
    let mut cast = Cast::default();
    for character in &clock.frames.characters {
        let name = player_name(replay, character.port);
        let is_leader = character.follower == 0;
        let entity = Entity {
            name: if is_leader {
                name
            } else {
                format!("{name} follower")
            },
            kind: if is_leader { "player" } else { "follower" },
            parent: if is_leader {
                None
            } else {
                cast.leader(character.port)
            },
            presence: Presence::default(),
            tracks: Vec::new(),
        };
        let id = timeline.add(follow(entity, character, clock));
        if is_leader {
            cast.leaders.push((character.port, id));
        }
    }
    cast
}

/// The events of one character in the frames that count, by column.
struct Source<'a> {
    runs: Vec<Run>,
    clock: &'a Clock<'a>,
}

/// Frames that follow each other, with events that do, too.
struct Run {
    first_frame: usize,
    events: Range<usize>,
}

impl<'a> Source<'a> {
    fn new(events: &Rows, clock: &'a Clock<'a>) -> Self {
        if clock.is_every_row {
            // The runs of the file are those of the frames.
            let runs = events.runs().map(|(first_frame, events)| Run {
                first_frame,
                events,
            });
            let runs = runs.collect();
            return Self { runs, clock };
        }
        let mut runs: Vec<Run> = Vec::new();
        for (frame, &row) in clock.rows.iter().enumerate() {
            let Some(index) = events.index(row) else {
                continue;
            };
            match runs.last_mut() {
                Some(run)
                    if run.events.end == index && run.first_frame + run.events.len() == frame =>
                {
                    run.events.end += 1;
                }
                _ => runs.push(Run {
                    first_frame: frame,
                    events: index..index + 1,
                }),
            }
        }
        Self { runs, clock }
    }

    /// Goes through values that may be missing, `values` giving those of a run, with the time of each.
    fn each<T, I: Iterator<Item = T>>(
        &self,
        values: impl Fn(Range<usize>) -> Option<I>,
        mut see: impl FnMut(f64, T),
    ) {
        for run in &self.runs {
            let times_s = self.clock.times_s.get(run.first_frame..);
            if let (Some(values), Some(times_s)) = (values(run.events.clone()), times_s) {
                for (value, time_s) in values.zip(times_s) {
                    see(*time_s, value);
                }
            }
        }
    }

    /// The changes of a value: when, and what `convert` makes of it.
    fn changes<T: PartialEq + Copy, I: Iterator<Item = T>, U>(
        &self,
        values: impl Fn(Range<usize>) -> Option<I>,
        mut convert: impl FnMut(T) -> U,
    ) -> (Vec<f64>, Vec<U>) {
        // Room for all, and what is too much given back: growing would copy everything several times.
        let most = self.runs.iter().map(|run| run.events.len()).sum();
        let (mut times_s, mut converted) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut last = None;
        self.each(values, |time_s, value| {
            if last != Some(value) {
                times_s.push(time_s);
                converted.push(convert(value));
                last = Some(value);
            }
        });
        times_s.shrink_to_fit();
        converted.shrink_to_fit();
        (times_s, converted)
    }

    /// A track of a number that is on record when it changes; none where the version has no such column.
    fn scalar<T: PartialEq + Copy + Into<f64>>(
        &self,
        name: &'static str,
        column: &[T],
    ) -> Option<Track> {
        let (times_s, values) = self.changes(
            |events| copied(column, events),
            |value| Into::<f64>::into(value) as f32,
        );
        track(times_s, vec![scalars(name, values)])
    }

    /// Two numbers that change together.
    fn pair(&self, names: [&'static str; 2], x: &[f32], y: &[f32]) -> Option<Track> {
        let (times_s, values) = self.changes(
            |events| Some(copied(x, events.clone())?.zip(copied(y, events)?)),
            |pair| pair,
        );
        let (x, y) = values.into_iter().unzip();
        track(times_s, vec![scalars(names[0], x), scalars(names[1], y)])
    }

    /// A track of names.
    fn names<T: PartialEq + Copy, I: Iterator<Item = T>>(
        &self,
        column: &'static str,
        values: impl Fn(Range<usize>) -> Option<I>,
        name: impl Fn(T) -> String,
    ) -> Option<Track> {
        let mut known: Vec<T> = Vec::new();
        let (times_s, indices) = self.changes(values, |value| {
            let index = known.iter().position(|one| *one == value);
            index.unwrap_or_else(|| {
                known.push(value);
                known.len() - 1
            }) as u32
        });
        let values = Values::Name {
            names: known.into_iter().map(name).collect(),
            indices,
        };
        let name = column;
        track(times_s, vec![Column { name, values }])
    }
}

/// A column's values of some events.
fn copied<T: Copy>(column: &[T], events: Range<usize>) -> Option<Copied<Iter<'_, T>>> {
    Some(column.get(events)?.iter().copied())
}

fn scalars(name: &'static str, values: Vec<f32>) -> Column {
    Column {
        name,
        values: Values::Scalar(values),
    }
}

/// A held track; none without samples.
fn track(times_s: Vec<f64>, columns: Vec<Column>) -> Option<Track> {
    (!times_s.is_empty()).then_some(Track {
        times_s,
        hold: Hold::Held,
        columns,
    })
}

fn follow(mut entity: Entity, character: &Character, clock: &Clock<'_>) -> Entity {
    let post = &character.post.columns;
    let source = Source::new(&character.post.rows, clock);
    presence(&mut entity.presence, &source);
    let mut times_s = Vec::with_capacity(clock.times_s.len());
    let mut positions = Vec::with_capacity(clock.times_s.len());
    for run in &source.runs {
        let x_and_y = copied(&post.x, run.events.clone()).zip(copied(&post.y, run.events.clone()));
        let frames = run.first_frame..run.first_frame + run.events.len();
        if let (Some((x, y)), Some(run_s)) = (x_and_y, clock.times_s.get(frames)) {
            times_s.extend_from_slice(run_s);
            positions.extend(x.zip(y).map(|(x, y)| coords::position(x, y)));
        }
    }
    let position = Track {
        times_s,
        hold: Hold::Linear,
        columns: vec![Column {
            name: "position",
            values: Values::Position(positions),
        }],
    };
    let (turned_s, rotations) =
        source.changes(|events| copied(&post.facing, events), coords::rotation);
    let rotation = Column {
        name: "rotation",
        values: Values::Rotation(rotations),
    };
    let flag = |name: &'static str, column: &[u8]| {
        let (times_s, values) = source.changes(
            |events| Some(copied(column, events)?.map(|value| value != 0)),
            |value| value,
        );
        let values = Values::Flag(values);
        track(times_s, vec![Column { name, values }])
    };
    let hurtbox = |value: u8| match value {
        0 => "vulnerable".to_owned(),
        1 => "invulnerable".to_owned(),
        2 => "intangible".to_owned(),
        other => format!("hurtbox {other}"),
    };
    entity.tracks.push(position);
    entity.tracks.extend(
        [
            track(turned_s, vec![rotation]),
            source.names(
                "character",
                |events| copied(&post.character, events),
                |character| match names::internal_character(character) {
                    Some(name) => name.to_owned(),
                    None => format!("Character {character}"),
                },
            ),
            source.names(
                "action_state",
                |events| {
                    let characters = copied(&post.character, events.clone())?;
                    Some(characters.zip(copied(&post.action_state, events)?))
                },
                |(character, state)| match names::action_state(character, state) {
                    Some(name) => name.to_owned(),
                    None => format!("State {state}"),
                },
            ),
            source.scalar("percent", &post.percent),
            source.scalar("stocks", &post.stocks),
            source.scalar("shield", &post.shield),
            source.scalar("jumps", &post.jumps),
            source.scalar("facing", &post.facing),
            source.scalar("state_age_frames", &post.state_age),
            source.scalar("hitlag_frames", &post.hitlag),
            hitstun(&source, post),
            flag("airborne", &post.airborne),
            source.names("hurtbox", |events| copied(&post.hurtbox, events), hurtbox),
        ]
        .into_iter()
        .flatten(),
    );
    inputs(&mut entity, character, clock);
    entity
}

/// Bit of the fourth flags: the character is in hitstun.
const IN_HITSTUN: u8 = 0x02;

/// Frames of hitstun left; 0 while there is none. The number means other things then.
fn hitstun(source: &Source<'_>, post: &Post) -> Option<Track> {
    let (times_s, values) = source.changes(
        |events| {
            let flags = copied(&post.flags_4, events.clone())?;
            Some(flags.zip(copied(&post.misc, events)?).map(|(flags, left)| {
                if flags & IN_HITSTUN == 0 { 0.0 } else { left }
            }))
        },
        |left| left,
    );
    track(times_s, vec![scalars("hitstun_frames", values)])
}

/// What the player presses.
fn inputs(entity: &mut Entity, character: &Character, clock: &Clock<'_>) {
    let pre = &character.pre.columns;
    let source = Source::new(&character.pre.rows, clock);
    let (times_s, pressed) = source.changes(
        |events| copied(&pre.physical_buttons, events),
        |buttons| buttons,
    );
    let buttons = BUTTONS.map(|(bit, name)| Column {
        name,
        values: Values::Flag(pressed.iter().map(|buttons| buttons & bit != 0).collect()),
    });
    entity.tracks.extend(
        [
            source.pair(
                ["joystick_x", "joystick_y"],
                &pre.joystick_x,
                &pre.joystick_y,
            ),
            source.pair(["cstick_x", "cstick_y"], &pre.cstick_x, &pre.cstick_y),
            source.scalar("trigger", &pre.trigger),
            track(times_s, buttons.into()),
        ]
        .into_iter()
        .flatten(),
    );
}

/// There from the first of a run of frames to the one after its last.
fn presence(presence: &mut Presence, source: &Source<'_>) {
    let mut frames: Vec<Range<usize>> = Vec::new();
    for run in &source.runs {
        let next = run.first_frame + run.events.len();
        match frames.last_mut() {
            Some(last) if last.end == run.first_frame => last.end = next,
            _ => frames.push(run.first_frame..next),
        }
    }
    let times_s = &source.clock.times_s;
    for there in frames {
        if let Some(time_s) = times_s.get(there.start) {
            presence.appear(*time_s);
        }
        // Who is there in the last frame does not vanish.
        if there.end < times_s.len() {
            presence.vanish(source.clock.next_s(there.end - 1));
        }
    }
}
