//! Voice recordings: files in the archive, and the list that assigns them to players.

use serde_json::Value;

use super::SecondReplay;
use crate::error::{Context as _, Result};
use crate::limits::Limits;

/// The name of the archive entry with the list of voices.
pub const VOICES: &str = "voices.json";

/// Maximum size of the list of voices, in bytes. A real list has a few hundred bytes for each person who spoke.
const MAX_LIST_BYTES: usize = 4 << 20;

/// One voice recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Voice {
    /// The account of the player who speaks.
    pub master_id: String,
    /// The player's number in the match.
    pub actor_id: Option<i64>,
    /// The voice's own number.
    pub voice_id: Option<i64>,
    /// The file name in the list; see [`SecondReplay::voice_file`].
    pub file_name: String,
    /// Its start, in seconds since the recording began.
    pub start_s: Option<f64>,
}

impl SecondReplay {
    /// The voices in the list, in its order; empty if the list is missing or not JSON.
    pub fn voices(&self) -> Vec<Voice> {
        let Some(entry) = self.archive.find(VOICES) else {
            return Vec::new();
        };
        let Ok(contents) = entry.inflate_at_most(MAX_LIST_BYTES) else {
            return Vec::new();
        };
        let list: Value = serde_json::from_slice(&contents).unwrap_or_default();
        let tracks = list.get("Tracks").and_then(Value::as_array);
        let text = |track: &Value, key: &str| {
            let text = track.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let voice = |track: &Value| Voice {
            master_id: text(track, "MasterId"),
            actor_id: track.get("ActorId").and_then(Value::as_i64),
            voice_id: track.get("VoiceId").and_then(Value::as_i64),
            file_name: text(track, "FileName"),
            start_s: track.get("StartTime").and_then(Value::as_f64),
        };
        tracks.into_iter().flatten().map(voice).collect()
    }

    /// The contents of a voice's file; `None` if the archive does not hold it.
    ///
    /// The list names files with or without their folder.
    ///
    /// # Errors
    /// When the entry is encrypted, compressed in an unknown way, damaged, or larger than the limit.
    pub fn voice_file(&self, voice: &Voice, limits: &Limits) -> Result<Option<Vec<u8>>> {
        let name = voice.file_name.as_str();
        let entry = self
            .archive
            .find(name)
            .or_else(|| self.archive.find(&format!("voices/{name}")));
        entry
            .map(|entry| {
                let inflated = entry
                    .inflate(&limits.budget(entry.data.0.len()))
                    .map_err(|error| error.at(entry.place()))
                    .field("voices")?;
                match inflated.broken {
                    Some(error) => Err(error.at(entry.place()).in_field("voices")),
                    None => Ok(inflated.bytes),
                }
            })
            .transpose()
    }

    /// The names of the archive entries in the folder `voices`.
    pub fn voice_entries(&self) -> Vec<String> {
        let names = self.archive.entries.iter().map(|entry| &entry.header.name);
        names
            .filter(|name| name.as_bytes().starts_with(b"voices/"))
            .filter(|name| !name.as_bytes().ends_with(b"/"))
            .map(|name| name.to_str().into_owned())
            .collect()
    }
}

/// The last component of a path, with every character other than ASCII letters, digits, dot, hyphen and underscore
/// replaced, so that it is safe as a file name anywhere. An empty result becomes `voice`.
pub fn safe_file_name(path: &str) -> String {
    /// Maximum length; longer names do not fit every file system.
    const MAX_CHARACTERS: usize = 120;
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    let plain: String = last
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '_' })
        .collect();
    // Prevents hidden files and the names `.` and `..`.
    let plain = plain.trim_start_matches('.');
    // The end is kept, because it has the extension.
    let start = plain.len().saturating_sub(MAX_CHARACTERS);
    match plain.get(start..).unwrap_or_default() {
        "" => "voice".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_leave_their_folder() {
        for (path, expected) in [
            ("voices/pAda_M1_v0_12.ogg", "pAda_M1_v0_12.ogg"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\boot.ini", "boot.ini"),
            ("/", "voice"),
            ("..", "voice"),
            ("voices/.hidden.ogg", "hidden.ogg"),
            ("a\u{202e}b:c.ogg", "a_b_c.ogg"),
        ] {
            assert_eq!(safe_file_name(path), expected, "{path}");
        }
        let long = format!("{}.ogg", "a".repeat(500));
        assert_eq!(safe_file_name(&long).len(), 120);
        assert!(safe_file_name(&long).ends_with(".ogg"));
    }
}
