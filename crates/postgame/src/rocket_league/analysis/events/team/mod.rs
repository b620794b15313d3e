//! What teams and players do without the ball.
//!
//! - `pressure`: the ball is kept in the other half; rushes and counter-attacks
//! - `rotation`: first, second and third men, and changes of the first
//! - `shadow`: falling back between the attack and the own goal

pub(super) mod pressure;
pub(super) mod rotation;
pub(super) mod shadow;
