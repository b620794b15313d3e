//! The summary of a recording, as shown in a list.

use serde::Serialize;

/// The properties that recordings of all games share, and a few of the game's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The version of the game or of the recorder.
    pub version: String,
    /// The date of the recording, in ISO 8601 as far as the file states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The map, stage or scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// Duration in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<f64>,
    /// The stated number of frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// The players.
    pub players: Vec<Player>,
    /// The result, such as `3-1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Properties of this game only, as names and values, in a fixed order.
    #[serde(serialize_with = "as_map")]
    pub details: Vec<(&'static str, String)>,
}

/// A player in a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Player {
    /// The display name.
    pub name: String,
    /// The team, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<u32>,
    /// Properties of this game only, as names and values, in a fixed order.
    #[serde(serialize_with = "as_map")]
    pub details: Vec<(&'static str, String)>,
}

fn as_map<S: serde::Serializer>(
    details: &[(&'static str, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(details.iter().map(|(name, value)| (name, value)))
}
