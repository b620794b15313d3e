//! What a list of recordings shows.

use serde::Serialize;

/// The facts about a recording that all games share, and a few of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The version of the game or of the recorder.
    pub version: String,
    /// When it was recorded, as ISO 8601 as far as the file tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Where it takes place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// How long it is, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<f64>,
    /// How many frames it says it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// Who is in it.
    pub players: Vec<Player>,
    /// The result, such as `3-1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Facts of this game only, as names and values, in a fixed order.
    #[serde(serialize_with = "as_map")]
    pub details: Vec<(&'static str, String)>,
}

/// A player in a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Player {
    /// The name shown in the game.
    pub name: String,
    /// Which team, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<u32>,
    /// Facts of this game only, as names and values, in a fixed order.
    #[serde(serialize_with = "as_map")]
    pub details: Vec<(&'static str, String)>,
}

fn as_map<S: serde::Serializer>(
    details: &[(&'static str, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(details.iter().map(|(name, value)| (name, value)))
}
