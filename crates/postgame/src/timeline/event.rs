//! Events: what happens at one point in time.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::Timeline;
use super::entity::EntityId;

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time in seconds.
    pub time_s: f64,
    /// Frame of the recording.
    pub frame: usize,
    /// The kind, in the game's terms: `goal`, `impact-heavy`. A recording has thousands of events of a few kinds.
    pub kind: Cow<'static, str>,
    /// The entity that caused it.
    pub who: Option<EntityId>,
    /// The entity it happened to.
    pub whom: Option<EntityId>,
    /// Position in metres.
    pub position: Option<[f32; 3]>,
    /// Details as names and values, in a fixed order.
    pub details: Cow<'static, [Detail]>,
}

/// A name and a value. Thousands of events share the same few, so they are not allocated for each.
pub type Detail = (&'static str, Cow<'static, str>);

/// An event with names instead of ids: one line of output.
#[derive(Clone, Debug, Serialize)]
pub struct NamedEvent<'a> {
    /// Time in seconds.
    pub time_s: f64,
    /// Frame of the recording.
    pub frame: usize,
    /// The kind, in the game's terms.
    pub kind: &'a str,
    /// The entity that caused it.
    pub who: Option<&'a str>,
    /// The entity it happened to.
    pub whom: Option<&'a str>,
    /// Position in metres.
    pub position_m: Option<[f32; 3]>,
    /// Details as names and values, in a fixed order.
    #[serde(serialize_with = "as_map")]
    pub details: &'a [Detail],
}

impl Event {
    /// The value of a detail.
    pub fn detail(&self, name: &str) -> Option<&str> {
        let found = self.details.iter().find(|detail| detail.0 == name);
        found.map(|detail| &*detail.1)
    }
}

impl Timeline {
    /// An event of this timeline, with names.
    pub fn named<'a>(&'a self, event: &'a Event) -> NamedEvent<'a> {
        let name = |id: Option<EntityId>| Some(self.entity(id?)?.name.as_str());
        NamedEvent {
            time_s: event.time_s,
            frame: event.frame,
            kind: &event.kind,
            who: name(event.who),
            whom: name(event.whom),
            position_m: event.position,
            details: &event.details,
        }
    }
}

fn as_map<S: Serializer>(details: &&[Detail], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(details.iter().map(|(name, value)| (name, value)))
}
