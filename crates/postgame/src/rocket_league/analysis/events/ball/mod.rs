//! What was done with the ball.
//!
//! - `intent`: what each touch was for: save, shot, clear, pass, boom, control
//! - `project`: where a ball crosses a goal line
//! - `fifty_fifty`: two opponents hit the ball together
//! - `carry`: the ball on the roof; `flick`: thrown off it; `air_dribble`: carried through the air
//! - `bounces`: off the backboard, double taps, half volleys
//! - `passes`: passes, one-timers, centres
//! - `missed`: whiffs and who came second
//! - `possession`: who has the ball

pub(super) mod air_dribble;
pub(super) mod bounces;
pub(super) mod carry;
pub(super) mod fifty_fifty;
pub(super) mod flick;
pub(super) mod intent;
pub(super) mod missed;
pub(super) mod passes;
pub(super) mod possession;
pub(super) mod project;
