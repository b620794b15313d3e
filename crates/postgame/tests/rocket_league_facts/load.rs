//! The facts and the replays they are about.

use std::path::PathBuf;

use postgame::rocket_league::{MatchInfo, match_info};
use postgame::stats::{Number, Stats, Subject};
use postgame::timeline::{EntityId, Event, Timeline};
use postgame::{ReadOptions, Recording};
use serde::Deserialize;
use serde_json::Value;

/// One fact.
#[derive(Debug, Deserialize)]
pub struct Fact {
    pub file: String,
    pub path: String,
    pub kind: String,
    pub fact: String,
    pub value: Value,
    #[serde(default)]
    pub op: Option<String>,
    #[serde(default)]
    pub tolerance: Value,
    #[serde(default)]
    pub window: Value,
    #[serde(default)]
    pub player: Option<String>,
    #[serde(default)]
    pub team: Option<String>,
    pub trust: String,
    /// What only some facts have: `goal`, `index`, `item`, `phase`.
    #[serde(flatten)]
    pub more: serde_json::Map<String, Value>,
}

impl Fact {
    pub fn line(&self) -> String {
        let value = self.value.to_string();
        let value: String = value.chars().take(60).collect();
        let op = self.op.as_deref().unwrap_or("eq");
        let more = ["goal", "index", "item", "phase"].map(|name| self.more.get(name));
        let more: Vec<String> = more.into_iter().flatten().map(Value::to_string).collect();
        let file: String = self.file.chars().take(30).collect();
        format!(
            "{} {file} {} {} {op} {value} {} {}",
            self.trust,
            self.fact,
            self.player
                .as_deref()
                .or(self.team.as_deref())
                .unwrap_or(""),
            self.window,
            more.join(" ")
        )
    }

    /// How far a number may be off: a number, or a share and a least, such as `2% or 2`.
    pub fn tolerance(&self, exact: f64) -> f64 {
        let Some(text) = self.tolerance.as_str() else {
            return self.tolerance.as_f64().unwrap_or(exact);
        };
        let (share, least) = text.split_once("% or ").unwrap();
        let share: f64 = share.parse().unwrap();
        let least: f64 = least.parse().unwrap();
        least.max(share / 100.0 * self.value.as_f64().unwrap().abs())
    }

    /// The number of something that has one, from 1.
    pub fn number(&self, name: &str) -> Option<usize> {
        usize::try_from(self.more.get(name)?.as_u64()?).ok()
    }
}

/// The folder with the corpus and the facts; `None` without one.
fn folder() -> Option<PathBuf> {
    let corpus = match std::env::var_os("POSTGAME_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    let folder = corpus.parent()?.to_owned();
    if folder.join("facts").is_dir() {
        return Some(folder);
    }
    eprintln!("NO FACTS in {}: this test ran on nothing", folder.display());
    None
}

/// All facts about Rocket League; `None` without them.
pub fn facts() -> Option<Vec<Fact>> {
    let path = folder()?.join("facts/rocket-league/facts.jsonl");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

/// A replay and all we say about it.
pub struct Case {
    pub info: MatchInfo,
    pub timeline: Timeline,
    pub stats: Stats,
}

impl Case {
    pub fn read(path: &str) -> Self {
        let path = folder().unwrap().join(path);
        let bytes =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        let timeline = recording.timeline();
        let stats = recording.stats(&timeline).unwrap();
        let Recording::RocketLeague(replay) = &recording else {
            panic!("{} is not a Rocket League replay", path.display());
        };
        Self {
            info: match_info(replay),
            timeline,
            stats,
        }
    }

    pub fn events<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Event> {
        self.timeline
            .events
            .iter()
            .filter(move |event| event.kind == kind)
    }

    pub fn name(&self, id: Option<EntityId>) -> Option<&str> {
        Some(self.timeline.entity(id?)?.name.as_str())
    }

    /// The events of a kind that are of the fact's player, if it has one.
    pub fn own<'a>(&'a self, fact: &'a Fact, kind: &'a str) -> Vec<&'a Event> {
        let events = self.events(kind).filter(|event| {
            let is_own = |player: &str| self.name(event.who) == Some(player);
            fact.player.as_deref().is_none_or(is_own)
        });
        events.collect()
    }

    /// The fact's player or team among the statistics.
    pub fn subject(&self, fact: &Fact) -> Option<&Subject> {
        let team = fact.team.as_deref().map(|team| u32::from(team == "orange"));
        match &fact.player {
            Some(player) => self.stats.players.iter().find(|subject| {
                subject.name == *player && team.is_none_or(|team| subject.team == Some(team))
            }),
            None => self.stats.teams.iter().find(|subject| subject.team == team),
        }
    }

    /// A statistic of the fact's player or team, by its name without or with a unit.
    pub fn stat(&self, fact: &Fact, group: &str, name: &str) -> Option<f64> {
        let subject = self.subject(fact)?;
        let names = ["", "_s", "_uu", "_uu_s"].map(|unit| format!("{name}{unit}"));
        match names.iter().find_map(|name| subject.get(group, name))? {
            Number::Count(count) => Some(*count as f64),
            Number::Amount(amount) => *amount,
            _ => None,
        }
    }

    pub fn goals(&self) -> Vec<&Event> {
        self.events("goal").collect()
    }
}

/// Whether a value of ours is what a fact says.
pub fn holds(fact: &Fact, ours: &Value) -> bool {
    let theirs = &fact.value;
    // A flag among the statistics is 0 or 1.
    if let (Some(theirs), Some(ours)) = (theirs.as_bool(), ours.as_f64()) {
        return theirs == (ours != 0.0);
    }
    let numbers = || Some((ours.as_f64()?, theirs.as_f64()?));
    let compare =
        |is_so: fn(f64, f64) -> bool| numbers().is_some_and(|(ours, theirs)| is_so(ours, theirs));
    match fact.op.as_deref().unwrap_or("eq") {
        "ge" => compare(|ours, theirs| ours >= theirs),
        "gt" => compare(|ours, theirs| ours > theirs),
        "le" => compare(|ours, theirs| ours <= theirs),
        "lt" => compare(|ours, theirs| ours < theirs),
        "ne" => ours != theirs,
        "contains" => contains(ours, theirs),
        "not_contains" => !contains(ours, theirs),
        _ => match numbers() {
            Some((ours, theirs)) => (ours - theirs).abs() <= fact.tolerance(1e-4),
            None => ours == theirs || (ours.is_null() && theirs == &Value::Bool(false)),
        },
    }
}

fn contains(ours: &Value, theirs: &Value) -> bool {
    match ours {
        Value::Array(list) => list.contains(theirs),
        Value::String(text) => theirs.as_str().is_some_and(|theirs| text.contains(theirs)),
        _ => false,
    }
}
