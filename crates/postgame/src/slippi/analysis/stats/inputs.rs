//! How much a player does with the controller.

use std::borrow::Cow;

use super::game::{Fighter, Input, Inputs};
use crate::slippi::codec::model::frames::{FIRST_FRAME, FIRST_PLAYABLE_FRAME};

/// A stick is pushed from here on.
const STICK: f32 = at_least(0.2875);

/// A trigger is pressed from here on.
const TRIGGER: f32 = at_least(0.3);

/// The least single that is not below a double: comparing with it is comparing with the double.
const fn at_least(value: f64) -> f32 {
    let single = value as f32;
    if (single as f64) < value {
        single.next_up()
    } else {
        single
    }
}

/// All buttons but Start.
const BUTTONS: u16 = 0xfff;

/// How often a player pressed what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCounts {
    /// Buttons, the directional pad included.
    pub buttons: u32,
    /// The analogue triggers.
    pub triggers: u32,
    /// The C-stick, by direction.
    pub cstick: u32,
    /// The stick, by direction.
    pub stick: u32,
}

impl InputCounts {
    /// All together.
    pub fn total(&self) -> u32 {
        self.buttons + self.triggers + self.cstick + self.stick
    }

    /// Counts the inputs of a player from when they can act on.
    pub(crate) fn of(fighter: &Fighter<'_>, frames: usize) -> Self {
        let first = (FIRST_PLAYABLE_FRAME - FIRST_FRAME) as usize;
        // The frame before the first is what the first is compared with.
        match fighter.inputs(first - 1..frames) {
            Some(inputs) => Self::count_columns(&inputs),
            None => Self::count(
                (first - 1..frames).map(|frame| (fighter.input(frame), fighter.is_there(frame))),
            ),
        }
    }

    /// Counts the inputs of frames in a row, each kind for all frames at once.
    fn count_columns(inputs: &Inputs<'_>) -> Self {
        let trigger =
            |column: &[f32]| count_changes(column, |before, now| u32::from(is_pulled(before, now)));
        let [left, right] = &inputs.triggers;
        Self {
            buttons: count_changes(&inputs.buttons, |before, now| {
                (!before & now & BUTTONS).count_ones()
            }),
            triggers: trigger(left) + trigger(right),
            cstick: count_changes(&directions(&inputs.cstick), is_new),
            stick: count_changes(&directions(&inputs.stick), is_new),
        }
    }

    /// Counts the inputs of frames, each with whether the character was there.
    fn count(inputs: impl Iterator<Item = (Option<Input>, bool)>) -> Self {
        let mut counts = Self::default();
        let mut previous = None;
        for (input, is_there) in inputs {
            let now = input.map(|input| Held::of(&input));
            if let (Some(before), Some(now), true) = (previous, now, is_there) {
                counts.step(before, now);
            }
            previous = now;
        }
        counts
    }

    /// Adds what is new in a frame.
    fn step(&mut self, before: Held, now: Held) {
        self.buttons += (!before.buttons & now.buttons & BUTTONS).count_ones();
        self.stick += is_new(before.stick, now.stick);
        self.cstick += is_new(before.cstick, now.cstick);
        for (before, now) in before.triggers.into_iter().zip(now.triggers) {
            self.triggers += u32::from(is_pulled(before, now));
        }
    }
}

/// What is held of a controller, as far as it counts.
#[derive(Clone, Copy)]
struct Held {
    buttons: u16,
    stick: u8,
    cstick: u8,
    triggers: [f32; 2],
}

impl Held {
    fn of(input: &Input) -> Self {
        Self {
            buttons: input.buttons,
            stick: direction(input.stick),
            cstick: direction(input.cstick),
            triggers: input.triggers,
        }
    }
}

/// The direction of a stick in every frame. One question at a time for all frames, which processors do in one go for
/// many.
fn directions([x, y]: &[Cow<'_, [f32]>; 2]) -> Vec<u8> {
    fn mark(directions: &mut [u8], column: &[f32], bit: u8, is_pushed: impl Fn(f32) -> bool) {
        for (direction, value) in directions.iter_mut().zip(column) {
            *direction |= u8::from(is_pushed(*value)) << bit;
        }
    }
    let mut directions = vec![0; x.len().min(y.len())];
    mark(&mut directions, x, 0, |x| x >= STICK);
    mark(&mut directions, x, 1, |x| x <= -STICK);
    mark(&mut directions, y, 2, |y| y >= STICK);
    mark(&mut directions, y, 3, |y| y <= -STICK);
    directions
}

/// The sum of what each step from a value to the next counts for.
#[inline]
fn count_changes<T: Copy>(column: &[T], count: impl Fn(T, T) -> u32) -> u32 {
    let after = column.get(1..).unwrap_or_default();
    let steps = column.iter().zip(after);
    steps.map(|(before, now)| count(*before, *now)).sum()
}

/// 1 when a stick goes to a direction it was not in.
#[inline]
fn is_new(before: u8, now: u8) -> u32 {
    u32::from((now != 0) & (now != before))
}

/// True when a trigger comes to be pressed.
#[inline]
fn is_pulled(before: f32, now: f32) -> bool {
    (before < TRIGGER) & (now >= TRIGGER)
}

/// One of eight directions by its bits, or 0 in the middle.
#[inline]
fn direction([x, y]: [f32; 2]) -> u8 {
    u8::from(x >= STICK)
        | u8::from(x <= -STICK) << 1
        | u8::from(y >= STICK) << 2
        | u8::from(y <= -STICK) << 3
}
