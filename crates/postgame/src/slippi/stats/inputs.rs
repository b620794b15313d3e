//! How much a player does with the controller.

use super::game::Input;

/// A stick is pushed from here on.
const STICK: f64 = 0.2875;

/// A trigger is pressed from here on.
const TRIGGER: f64 = 0.3;

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

    /// Adds what is new in a frame.
    #[inline]
    pub(crate) fn step(&mut self, before: &Input, now: &Input) {
        self.buttons += (!before.buttons & now.buttons & BUTTONS).count_ones();
        self.stick += u32::from(is_new_direction(before.stick, now.stick));
        self.cstick += u32::from(is_new_direction(before.cstick, now.cstick));
        for (before, now) in before.triggers.into_iter().zip(now.triggers) {
            self.triggers += u32::from(f64::from(before) < TRIGGER && f64::from(now) >= TRIGGER);
        }
    }
}

#[inline]
fn is_new_direction(before: [f32; 2], now: [f32; 2]) -> bool {
    // Bits need no looking at: what is the same is no new direction.
    if before == now {
        return false;
    }
    let now = direction(now);
    now != [0, 0] && now != direction(before)
}

/// -1, 0 or 1 by axis: eight directions and the middle.
#[inline]
fn direction(stick: [f32; 2]) -> [i8; 2] {
    stick.map(|value| {
        let value = f64::from(value);
        i8::from(value >= STICK) - i8::from(value <= -STICK)
    })
}
