//! Things that happen at one moment.

use super::entity::EntityId;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, in seconds.
    pub time_s: f64,
    /// In which frame of the recording.
    pub frame: usize,
    /// What, in the game's terms: `goal`, `impact-heavy`.
    pub kind: String,
    /// Who did it.
    pub who: Option<EntityId>,
    /// To whom or to what it was done.
    pub whom: Option<EntityId>,
    /// Where, in metres.
    pub position: Option<[f32; 3]>,
    /// More, as names and values in a fixed order.
    pub details: Vec<(&'static str, String)>,
}
