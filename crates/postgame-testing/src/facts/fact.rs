//! One fact, and a file of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::op::{Op, Tolerance};
use crate::corpus;

/// Something asserted about a recording by its recorder, by the game, or by another program.
#[derive(Debug, Clone, Deserialize)]
pub struct Fact {
    /// The project that asserts it.
    #[serde(default)]
    pub repo: String,
    /// Name of the recording in that project.
    #[serde(default)]
    pub file: String,
    /// The recording, below the folder that holds corpus and facts.
    pub path: String,
    /// The group the fact is counted in.
    pub kind: String,
    /// The quantity.
    pub fact: String,
    /// The value asserted. [`Fact::expected`] is the value to compare with.
    pub value: Value,
    /// How the answer must relate to the value.
    #[serde(default)]
    pub op: Op,
    /// How far a number may be off.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// The part of the recording it is about: see [`Fact::window`].
    #[serde(default)]
    window: Option<Value>,
    /// A player's name.
    #[serde(default)]
    pub player: Option<String>,
    /// A team: `blue` or `orange`.
    #[serde(default)]
    pub team: Option<String>,
    /// A Slippi port, from 1.
    #[serde(default)]
    pub port: Option<u8>,
    /// What the quantity takes, for example a frame or a filter.
    #[serde(default)]
    pub params: Option<Value>,
    /// The value for the finished game, if `value` was asserted of a game still being recorded.
    #[serde(default)]
    pub whole_game: Option<Value>,
    /// Where it is asserted.
    #[serde(default)]
    pub source: String,
    /// Who says it.
    #[serde(default)]
    pub trust: Trust,
    /// A remark.
    #[serde(default)]
    pub note: String,
    /// Set if the fact was shown to be wrong. Such facts are not loaded.
    #[serde(default)]
    disputed: Option<Value>,
    /// All other fields of the line, for example `item`, `goal`, `phase`, `index`.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Who asserts a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// A person who recorded, counted or reviewed it.
    Human,
    /// The game's own record.
    Game,
    /// A site, such as ballchasing.com.
    Site,
    /// Another program: agreement shows parity, not truth.
    Program,
    /// Not stated.
    #[default]
    #[serde(other)]
    Unknown,
}

impl Trust {
    /// The word in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Game => "game",
            Self::Site => "site",
            Self::Program => "program",
            Self::Unknown => "unknown",
        }
    }
}

/// The part of a recording a fact is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Window {
    /// One frame, in the recording's own count.
    Frame(i64),
    /// From one frame to another, both included.
    Frames(i64, i64),
    /// From one time to another, in seconds of the recording's own clock.
    Seconds(f64, f64),
    /// A part with a name, for example `in play`.
    Named(String),
}

impl Fact {
    /// The value to compare with: for the finished game, if both are given.
    pub fn expected(&self) -> &Value {
        self.whole_game.as_ref().unwrap_or(&self.value)
    }

    /// Whether an answer agrees with the fact.
    pub fn holds(&self, answer: &Value) -> bool {
        self.op.holds(answer, self.expected(), self.tolerance)
    }

    /// The part of the recording the fact is about; `None` for all of it, or for a form not known here.
    pub fn window(&self) -> Option<Window> {
        let window = self.window.as_ref()?;
        let pair = |name: &str| {
            let pair = window.get(name)?.as_array()?;
            Some((pair.first()?, pair.get(1)?))
        };
        if let Some(name) = window.as_str() {
            return Some(Window::Named(name.to_owned()));
        }
        if let Some(frame) = window.get("frame") {
            return frame.as_i64().map(Window::Frame);
        }
        if let Some((from, to)) = pair("frames") {
            return Some(Window::Frames(from.as_i64()?, to.as_i64()?));
        }
        let (from, to) = pair("s")?;
        Some(Window::Seconds(from.as_f64()?, to.as_f64()?))
    }

    /// The window as the file has it, for facts that state both a frame and a time.
    pub fn raw_window(&self) -> Option<&Value> {
        self.window.as_ref()
    }

    /// A field that only some facts have, for example `item`.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.other.get(name)
    }

    /// Where the recording is; `None` if it is not at hand.
    pub fn recording(&self) -> Option<PathBuf> {
        corpus::shared(&self.path)
    }

    fn is_disputed(&self) -> bool {
        self.disputed
            .as_ref()
            .is_some_and(|value| !value.is_null() && value != &Value::Bool(false))
    }
}

/// The facts about the recordings of one game.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Facts about recordings that are at hand, in the order of the file.
    pub facts: Vec<Fact>,
    /// Facts about recordings that are not.
    pub without_recording: Vec<Fact>,
}

impl Facts {
    /// The facts of each recording, by its path.
    pub fn by_recording(&self) -> BTreeMap<PathBuf, Vec<&Fact>> {
        let mut recordings = BTreeMap::<PathBuf, Vec<&Fact>>::new();
        for fact in &self.facts {
            if let Some(path) = fact.recording() {
                recordings.entry(path).or_default().push(fact);
            }
        }
        recordings
    }

    /// Whether there is anything to compare with.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }
}

/// Reads `facts/<game>/facts.jsonl`. Disputed facts are left out. Empty if there is no such file.
///
/// # Panics
/// Panics if a line is not a fact.
pub fn load(game: &str) -> Facts {
    let path = corpus::facts_folder().map(|folder| folder.join(game).join("facts.jsonl"));
    let Some(text) = path.and_then(|path| std::fs::read_to_string(path).ok()) else {
        return Facts::default();
    };
    let mut facts = Facts::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let fact: Fact = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{game}/facts.jsonl:{}: {error}", number + 1));
        match fact.recording() {
            _ if fact.is_disputed() => {}
            Some(_) => facts.facts.push(fact),
            None => facts.without_recording.push(fact),
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::{Fact, Trust, Window};
    use crate::facts::Op;

    fn fact(rest: &str) -> Fact {
        let line = format!(r#"{{"path": "a", "kind": "k", "fact": "f", "value": 1{rest}}}"#);
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn a_line_has_few_fields_or_many() {
        let short = fact("");
        assert_eq!((short.op, short.trust), (Op::Eq, Trust::Unknown));
        assert_eq!(short.window(), None);
        let long = fact(
            r#", "op": ">=", "trust": "human", "port": 4, "item": "Spring", "whole_game": 3, "tolerance": "2% or 2""#,
        );
        assert_eq!((long.op, long.port), (Op::Ge, Some(4)));
        assert_eq!(
            long.field("item").and_then(|item| item.as_str()),
            Some("Spring")
        );
        assert!(!long.holds(&0.into()) && long.holds(&1.into()) && long.holds(&4.into()));
        assert!(fact(r#", "disputed": "the video shows two""#).is_disputed());
        assert!(!fact(r#", "disputed": null"#).is_disputed());
    }

    #[test]
    fn windows_are_frames_seconds_or_names() {
        let window = |text: &str| fact(&format!(r#", "window": {text}"#)).window();
        assert_eq!(window(r#"{"frame": 7}"#), Some(Window::Frame(7)));
        assert_eq!(window(r#"{"frames": [7, 9]}"#), Some(Window::Frames(7, 9)));
        assert_eq!(
            window(r#"{"s": [1, 2.5]}"#),
            Some(Window::Seconds(1.0, 2.5))
        );
        assert_eq!(
            window(r#""in play""#),
            Some(Window::Named("in play".into()))
        );
        assert_eq!(window(r#"{"lap": 3}"#), None);
    }
}
