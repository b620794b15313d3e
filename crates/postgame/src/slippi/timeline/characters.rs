//! Characters, leaders and followers, and their players' inputs.

use super::{Cast, Clock};
use crate::slippi::Replay;
use crate::slippi::coords;
use crate::slippi::model::frames::Character;
use crate::slippi::model::updates::Post;
use crate::slippi::names;
use crate::slippi::players::player_name;
use crate::slippi::stats::game::{ABSENT, indices};
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
    at: Vec<u32>,
    clock: &'a Clock<'a>,
}

impl Source<'_> {
    /// The index of each frame's event with the frame's time.
    fn events(&self) -> impl Iterator<Item = (f64, usize)> {
        let present = self.at.iter().zip(&self.clock.times_s);
        present
            .filter(|(index, _)| **index != ABSENT)
            .map(|(index, time_s)| (*time_s, *index as usize))
    }

    /// The changes of a value that may be missing.
    fn changes<T: PartialEq + Copy>(
        &self,
        value: impl Fn(usize) -> Option<T>,
        mut add: impl FnMut(T),
    ) -> Vec<f64> {
        let mut times_s = Vec::new();
        let mut last = None;
        for (time_s, index) in self.events() {
            let value = value(index);
            if let (true, Some(value)) = (value != last, value) {
                times_s.push(time_s);
                add(value);
                last = Some(value);
            }
        }
        times_s
    }

    /// A track of a number that is on record when it changes; none where the version has no such column.
    fn scalar<T: PartialEq + Copy + Into<f64>>(
        &self,
        name: &'static str,
        column: &[T],
    ) -> Option<Track> {
        let mut values = Vec::new();
        let times_s = self.changes(
            |index| column.get(index).copied(),
            |value| values.push(Into::<f64>::into(value) as f32),
        );
        track(times_s, vec![scalars(name, values)])
    }

    /// Two numbers that change together.
    fn pair(&self, names: [&'static str; 2], x: &[f32], y: &[f32]) -> Option<Track> {
        let mut values = [Vec::new(), Vec::new()];
        let times_s = self.changes(
            |index| Some([*x.get(index)?, *y.get(index)?]),
            |[x, y]| {
                values[0].push(x);
                values[1].push(y);
            },
        );
        let [x, y] = values;
        track(times_s, vec![scalars(names[0], x), scalars(names[1], y)])
    }

    /// A track of names.
    fn names<T: PartialEq + Copy>(
        &self,
        column: &'static str,
        value: impl Fn(usize) -> Option<T>,
        name: impl Fn(T) -> String,
    ) -> Option<Track> {
        let mut known: Vec<T> = Vec::new();
        let mut indices = Vec::new();
        let times_s = self.changes(value, |value| {
            let index = known.iter().position(|one| *one == value);
            indices.push(index.unwrap_or_else(|| {
                known.push(value);
                known.len() - 1
            }) as u32);
        });
        let values = Values::Name {
            names: known.into_iter().map(name).collect(),
            indices,
        };
        let name = column;
        track(times_s, vec![Column { name, values }])
    }
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
    let count = clock.frames.len();
    let post = &character.post.columns;
    let source = Source {
        at: indices(&character.post.rows, &clock.rows, count),
        clock,
    };
    presence(&mut entity.presence, &source.at, clock);
    let mut times_s = Vec::with_capacity(clock.times_s.len());
    let mut positions = Vec::with_capacity(clock.times_s.len());
    for (time_s, index) in source.events() {
        if let (Some(x), Some(y)) = (post.x.get(index), post.y.get(index)) {
            times_s.push(time_s);
            positions.push(coords::position(*x, *y));
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
    let mut rotations = Vec::new();
    let turned_s = source.changes(
        |index| post.facing.get(index).copied(),
        |facing| rotations.push(coords::rotation(facing)),
    );
    let rotation = Column {
        name: "rotation",
        values: Values::Rotation(rotations),
    };
    let flag = |name: &'static str, column: &[u8]| {
        let mut values = Vec::new();
        let times_s = source.changes(
            |index| column.get(index).map(|value| *value != 0),
            |value| values.push(value),
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
                |index| post.character.get(index).copied(),
                |character| match names::internal_character(character) {
                    Some(name) => name.to_owned(),
                    None => format!("Character {character}"),
                },
            ),
            source.names(
                "action_state",
                |index| Some((*post.character.get(index)?, *post.action_state.get(index)?)),
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
            source.names("hurtbox", |index| post.hurtbox.get(index).copied(), hurtbox),
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
    let mut values = Vec::new();
    let times_s = source.changes(
        |index| {
            let is_in = post.flags_4.get(index)? & IN_HITSTUN != 0;
            post.misc
                .get(index)
                .map(|&left| if is_in { left } else { 0.0 })
        },
        |left| values.push(left),
    );
    track(times_s, vec![scalars("hitstun_frames", values)])
}

/// What the player presses.
fn inputs(entity: &mut Entity, character: &Character, clock: &Clock<'_>) {
    let pre = &character.pre.columns;
    let source = Source {
        at: indices(&character.pre.rows, &clock.rows, clock.frames.len()),
        clock,
    };
    let mut pressed = Vec::new();
    let times_s = source.changes(
        |index| pre.physical_buttons.get(index).copied(),
        |buttons| pressed.push(buttons),
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
fn presence(presence: &mut Presence, at: &[u32], clock: &Clock<'_>) {
    let mut was_there = false;
    for (index, (at, time_s)) in at.iter().zip(&clock.times_s).enumerate() {
        let is_there = *at != ABSENT;
        if is_there && !was_there {
            presence.appear(*time_s);
        } else if was_there && !is_there {
            presence.vanish(clock.next_s(index - 1));
        }
        was_there = is_there;
    }
}
