//! How much a player does with the controller.

use super::game::{Fighter, Input};
use crate::slippi::model::frames::{FIRST_FRAME, FIRST_PLAYABLE_FRAME};

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
            Some(inputs) => Self::count(inputs.map(|input| (Some(input), true))),
            None => Self::count(
                (first - 1..frames).map(|frame| (fighter.input(frame), fighter.is_there(frame))),
            ),
        }
    }

    /// Counts the inputs of frames, each with whether the character was there.
    #[inline]
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
    #[inline]
    fn step(&mut self, before: Held, now: Held) {
        let is_new = |before: u8, now: u8| u32::from(now != 0 && now != before);
        let pressed = !before.buttons & now.buttons & BUTTONS;
        if pressed != 0 {
            self.buttons += pressed.count_ones();
        }
        self.stick += is_new(before.stick, now.stick);
        self.cstick += is_new(before.cstick, now.cstick);
        let pressed = before.triggers_free & now.triggers_pressed;
        if pressed != 0 {
            self.triggers += pressed.count_ones();
        }
    }
}

/// What is held of a controller, as far as it counts.
#[derive(Clone, Copy)]
struct Held {
    buttons: u16,
    stick: u8,
    cstick: u8,
    triggers_pressed: u8,
    triggers_free: u8,
}

impl Held {
    #[inline]
    fn of(input: &Input) -> Self {
        let bits = |is: [bool; 2]| u8::from(is[0]) | u8::from(is[1]) << 1;
        let [left, right] = input.triggers;
        Self {
            buttons: input.buttons,
            stick: direction(input.stick),
            cstick: direction(input.cstick),
            triggers_pressed: bits([left >= TRIGGER, right >= TRIGGER]),
            triggers_free: bits([left < TRIGGER, right < TRIGGER]),
        }
    }
}

/// One of eight directions by its bits, or 0 in the middle.
#[inline]
fn direction([x, y]: [f32; 2]) -> u8 {
    u8::from(x >= STICK)
        | u8::from(x <= -STICK) << 1
        | u8::from(y >= STICK) << 2
        | u8::from(y <= -STICK) << 3
}
