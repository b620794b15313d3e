//! What teams and players do without the ball.
//!
//! - `pressure`: the ball is kept in the other half; rushes and counter-attacks
//! - `rotation`: first men and their changes
//! - `shadow`: falling back between the attack and the own goal

pub(super) mod pressure;
pub(super) mod rotation;
pub(super) mod shadow;
