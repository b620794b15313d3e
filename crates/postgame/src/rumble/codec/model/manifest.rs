//! The second generation's `manifest.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::strings::Text;

/// The properties of a replay, as JSON in any order and with any keys: they vary with the version, and mods add theirs.
///
/// The text is kept beside the values and written back unchanged as long as the values are unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// All values, in the file's order; `null` when the text is not JSON.
    pub values: Value,
    /// The text as stored in the archive.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub text: Text,
}

/// Maximum number of players; further ones are ignored. Statistics compare each player with each other, and real
/// matches have up to eight.
const MAX_PLAYERS: usize = 1000;

/// A player as introduced by the manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerInfo {
    /// The account id.
    pub master_id: String,
    /// The display name.
    pub name: String,
    /// The rank in battle points.
    pub battle_points: Option<i64>,
    /// The height as measured, in metres.
    pub length_m: Option<f64>,
    /// The arm span as measured, in metres.
    pub arm_span_m: Option<f64>,
    /// Whether the player hosted the match.
    pub was_host: Option<bool>,
    /// Whether the player made the recording; only newer files state it.
    pub is_local: Option<bool>,
    /// The number in the match.
    pub actor_id: Option<i64>,
    /// The shiftstones in the left and right socket as the file numbers them, see `tables::SHIFTSTONES`; −1 for none.
    pub shiftstones: Vec<i64>,
}

/// A marker set by the recorder, a player or an extension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marker {
    /// What is marked: `core.manual`, `core.largeDamage`, or an extension's own name.
    pub name: String,
    /// Time, in seconds since the first frame.
    pub time_s: f64,
    /// Red, green and blue, each from 0 to 1.
    pub colour: Option<[f64; 3]>,
    /// Position, in Unity's metres.
    pub position: Option<[f32; 3]>,
    /// The player it belongs to: an index into the players.
    pub player_index: Option<usize>,
}

impl Manifest {
    /// Creates a manifest from the entry's contents.
    pub fn read(bytes: Vec<u8>) -> Self {
        let text = Text::from(bytes);
        Self {
            values: values_of(&text).unwrap_or_default(),
            text,
        }
    }

    /// Upper bound of the memory that the values of a text take, in bytes, for any contents.
    pub(crate) fn memory_bytes(text: &[u8]) -> u64 {
        /// Memory of an object with a single member: its index, its first entries, and itself.
        const OBJECT_BYTES: u64 = 512;
        /// Memory of a member or an element: key, value and hash, with the spare capacity of growing lists.
        const ITEM_BYTES: u64 = 256;
        let count = |wanted: &[u8]| text.iter().filter(|byte| wanted.contains(byte)).count() as u64;
        count(b"{") * OBJECT_BYTES + count(b"[,:") * ITEM_BYTES
    }

    /// The entry's contents: the text if its values are unchanged, else the values, indented as by the game.
    pub fn to_bytes(&self) -> Vec<u8> {
        if values_of(&self.text).unwrap_or_default() == self.values {
            return self.text.as_bytes().to_vec();
        }
        serde_json::to_vec_pretty(&self.values).unwrap_or_default()
    }

    /// Keeps the members before the point where the text breaks. Returns the number of bytes lost.
    pub(crate) fn keep_beginning(&mut self) -> usize {
        /// Number of attempts. The break is in the last member or soon after it, and each attempt parses everything
        /// before it.
        const MAX_ATTEMPTS: usize = 16;
        let text = self.text.as_bytes();
        let commas = commas_between_members(text);
        let kept = commas.iter().rev().take(MAX_ATTEMPTS).find_map(|&comma| {
            let mut beginning = text.get(..comma)?.to_vec();
            beginning.push(b'}');
            let values = values_of(&Text::from(beginning)).filter(Value::is_object)?;
            Some((values, comma))
        });
        let length = text.len();
        let (values, kept_bytes) =
            kept.unwrap_or_else(|| (Value::Object(serde_json::Map::new()), 0));
        self.values = values;
        self.text = Text::default();
        length - kept_bytes
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

    /// A list; empty if it is missing.
    pub fn list_of(&self, key: &str) -> &[Value] {
        self.values
            .get(key)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// The players; of an implausibly long list, the first thousand.
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
            .take(MAX_PLAYERS)
            .map(|player| PlayerInfo {
                master_id: text(player, "MasterId"),
                name: text(player, "Name"),
                battle_points: player.get("BattlePoints").and_then(Value::as_i64),
                length_m: measured(player, "Length"),
                arm_span_m: measured(player, "ArmSpan"),
                was_host: player.get("WasHost").and_then(Value::as_bool),
                is_local: player.get("IsLocal").and_then(Value::as_bool),
                actor_id: player.get("ActorId").and_then(Value::as_i64),
                shiftstones: player
                    .get("EquippedShiftStones")
                    .and_then(Value::as_array)
                    .map(|stones| stones.iter().filter_map(Value::as_i64).collect())
                    .unwrap_or_default(),
            })
            .collect()
    }

    /// The types of the structures: by number or by name, as in the file.
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

    /// The ids that events use for the structures, in the order of the list; `None` for a structure without one, as in
    /// files from before March 2026.
    pub fn structure_ids(&self) -> Vec<Option<i64>> {
        self.of_structures("structureId")
    }

    /// The damage a target takes to break (its tier), for each structure that is a target.
    pub fn target_damages(&self) -> Vec<Option<i64>> {
        self.of_structures("targetDamage")
    }

    fn of_structures(&self, key: &str) -> Vec<Option<i64>> {
        let structures = self.list_of("Structures").iter();
        structures
            .map(|structure| structure.get(key).and_then(Value::as_i64))
            .collect()
    }

    /// The kinds of the scene props, see `tables::SCENE_PROPS`; `None` for one that is not a number.
    pub fn scene_prop_types(&self) -> Vec<Option<u64>> {
        let props = self.list_of("SceneProps").iter();
        props
            .map(|prop| prop.get("type").and_then(Value::as_u64))
            .collect()
    }

    /// The markers that have a time.
    pub fn markers(&self) -> Vec<Marker> {
        let marker = |marker: &Value| {
            let parts = ["r", "g", "b"].map(|part| marker.get(part).and_then(Value::as_f64));
            let colour = match parts {
                [Some(red), Some(green), Some(blue)] => Some([red, green, blue]),
                _ => None,
            };
            let name = marker.get("name").and_then(Value::as_str);
            let index = marker.get("PlayerIndex").and_then(Value::as_u64);
            Some(Marker {
                name: name.unwrap_or_default().to_owned(),
                time_s: marker.get("time")?.as_f64()?,
                colour,
                position: marker.get("position").and_then(vector_of),
                player_index: index.and_then(|index| usize::try_from(index).ok()),
            })
        };
        self.list_of("Markers").iter().filter_map(marker).collect()
    }
}

/// Three numbers, as a list or by axis names.
fn vector_of(value: &Value) -> Option<[f32; 3]> {
    let parts = match value {
        Value::Array(_) => [value.get(0), value.get(1), value.get(2)],
        _ => [value.get("x"), value.get("y"), value.get("z")],
    };
    let [x, y, z] = parts.map(|part| part.and_then(Value::as_f64));
    Some([x? as f32, y? as f32, z? as f32])
}

/// A structure's type as stored in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StructureType {
    /// A number, see `tables::STRUCTURES`; `None` if it is out of range.
    Number(Option<u8>),
    /// A name.
    Name(String),
}

/// The positions of the commas between the members of the outermost object.
fn commas_between_members(text: &[u8]) -> Vec<usize> {
    let (mut commas, mut depth, mut is_string, mut is_escaped) = (Vec::new(), 0usize, false, false);
    for (at, &letter) in text.iter().enumerate() {
        match letter {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    commas
}

fn values_of(text: &Text) -> Option<Value> {
    let bytes = text.as_bytes();
    // .NET may write a byte order mark, which is not valid JSON.
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
    fn members_before_a_break_are_kept() {
        let mut manifest = Manifest::read(b"{\"A\":[1,2],\"B\":\"x,\\\"y\",\"C\":{\"D\":".to_vec());
        assert_eq!(manifest.keep_beginning(), 10);
        assert_eq!(
            manifest.values,
            serde_json::json!({"A": [1, 2], "B": "x,\"y"})
        );
        assert_eq!(Manifest::read(b"\0\0".to_vec()).keep_beginning(), 2);
    }

    #[test]
    fn what_is_no_json_is_kept_too() {
        let manifest = Manifest::read(b"{broken".to_vec());
        assert!(!manifest.is_valid());
        assert_eq!(manifest.to_bytes(), b"{broken");
    }
}
