//! The second generation's `manifest.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::strings::Text;

/// The facts about a replay, as JSON in any order and with any keys: they vary with the version, and mods add theirs.
///
/// The text is kept beside the values: as long as it still says the same, it is written back letter for letter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// All values, in the file's order; `null` when the text is not JSON.
    pub values: Value,
    /// The text as it stands in the archive.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub text: Text,
}

/// A player as the manifest introduces them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerInfo {
    /// The account.
    pub master_id: String,
    /// The name shown.
    pub name: String,
    /// The rank in points.
    pub battle_points: Option<i64>,
    /// The height as measured, in metres.
    pub length_m: Option<f64>,
    /// The arm span as measured, in metres.
    pub arm_span_m: Option<f64>,
    /// Whether the player hosted the match.
    pub was_host: Option<bool>,
}

impl Manifest {
    /// Takes the entry's contents.
    pub fn read(bytes: Vec<u8>) -> Self {
        let text = Text::from(bytes);
        Self {
            values: values_of(&text).unwrap_or_default(),
            text,
        }
    }

    /// The entry's contents: the text if it still says what the values say, else the values, indented as the game does.
    pub fn to_bytes(&self) -> Vec<u8> {
        if values_of(&self.text).unwrap_or_default() == self.values {
            return self.text.as_bytes().to_vec();
        }
        serde_json::to_vec_pretty(&self.values).unwrap_or_default()
    }

    /// True when the text is JSON.
    pub fn is_valid(&self) -> bool {
        self.values.is_object()
    }

    /// A text value.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.as_str()
    }

    /// A number.
    pub fn number_of(&self, key: &str) -> Option<f64> {
        self.values.get(key)?.as_f64()
    }

    /// A count.
    pub fn count_of(&self, key: &str) -> Option<usize> {
        usize::try_from(self.values.get(key)?.as_u64()?).ok()
    }

    /// A list; empty where there is none.
    pub fn list_of(&self, key: &str) -> &[Value] {
        self.values
            .get(key)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// The players.
    pub fn players(&self) -> Vec<PlayerInfo> {
        let text = |player: &Value, key: &str| {
            player
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let measured = |player: &Value, key: &str| player.get("Measurement")?.get(key)?.as_f64();
        self.list_of("Players")
            .iter()
            .map(|player| PlayerInfo {
                master_id: text(player, "MasterId"),
                name: text(player, "Name"),
                battle_points: player.get("BattlePoints").and_then(Value::as_i64),
                length_m: measured(player, "Length"),
                arm_span_m: measured(player, "ArmSpan"),
                was_host: player.get("WasHost").and_then(Value::as_bool),
            })
            .collect()
    }

    /// The structures' types: by number or by name, as the file has them.
    pub fn structure_types(&self) -> Vec<StructureType> {
        let types = self
            .list_of("Structures")
            .iter()
            .map(|structure| structure.get("Type"));
        types
            .map(|value| match value {
                Some(Value::Number(number)) => StructureType::Number(
                    number.as_u64().and_then(|number| u8::try_from(number).ok()),
                ),
                Some(Value::String(name)) => StructureType::Name(name.clone()),
                _ => StructureType::Number(None),
            })
            .collect()
    }
}

/// What kind of structure, as the manifest puts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StructureType {
    /// A number, see `tables::STRUCTURES`; `None` where it is none that can be.
    Number(Option<u8>),
    /// A name.
    Name(String),
}

fn values_of(text: &Text) -> Option<Value> {
    let bytes = text.as_bytes();
    // .NET may write a byte order mark, which is no JSON.
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_kept_while_it_says_the_same() {
        let text = b"\xef\xbb\xbf{ \"Duration\":8.0,\n\t\"X\" : [1e2] }".to_vec();
        let mut manifest = Manifest::read(text.clone());
        assert_eq!(manifest.to_bytes(), text);
        assert_eq!(manifest.number_of("Duration"), Some(8.0));
        manifest.values["Duration"] = 9.5.into();
        let changed = String::from_utf8(manifest.to_bytes()).unwrap();
        assert_eq!(
            changed,
            "{\n  \"Duration\": 9.5,\n  \"X\": [\n    100.0\n  ]\n}"
        );
    }

    #[test]
    fn what_is_no_json_is_kept_too() {
        let manifest = Manifest::read(b"{broken".to_vec());
        assert!(!manifest.is_valid());
        assert_eq!(manifest.to_bytes(), b"{broken");
    }
}
