//! What cars did: dodges and what they were part of, walls and ceilings, bumps.
//!
//! - `dodges`: each dodge with its direction; wavedashes
//! - `flips`: speed flips and half flips
//! - `resets`: flip resets from the ball
//! - `walls`: wall aerials and ceiling shots
//! - `bump`: one car knocks another

pub(super) mod bump;
pub(super) mod dodges;
pub(super) mod flips;
pub(super) mod resets;
pub(super) mod walls;
