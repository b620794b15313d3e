//! Numbers about a recording, per player, per team and for the whole.

use std::borrow::Cow;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// All statistics of a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// About the recording as a whole.
    #[serde(serialize_with = "groups_as_map")]
    pub recording: Vec<Group>,
    /// About each team.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Subject>,
    /// About each player.
    pub players: Vec<Subject>,
}

/// A player or a team.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The name shown.
    pub name: String,
    /// Which team, from 0.
    pub team: Option<u32>,
    /// Its numbers.
    pub groups: Vec<Group>,
}

/// Numbers that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they are about: `movement`, `boost`.
    pub name: &'static str,
    /// The numbers, in a fixed order; names carry units. Most names are the same in every recording.
    pub values: Vec<(Cow<'static, str>, Number)>,
}

/// One statistic's value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// How often.
    Count(i64),
    /// How much, in the unit the name says; `None` where it has no value, such as a rate of nothing.
    Amount(Option<f64>),
    /// Which.
    Text(String),
    /// A list of numbers, such as moments in seconds.
    List(Vec<f64>),
}

impl Group {
    /// An empty group.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            values: Vec::new(),
        }
    }

    /// Adds a count.
    #[must_use]
    pub fn count(mut self, name: impl Into<Cow<'static, str>>, count: usize) -> Self {
        self.values.push((name.into(), Number::Count(count as i64)));
        self
    }

    /// Adds an amount; what is not a number has no value.
    #[must_use]
    pub fn amount(mut self, name: impl Into<Cow<'static, str>>, amount: f64) -> Self {
        // The sum of nothing is −0, which is 0 to a person.
        let amount = Some(amount + 0.0).filter(|amount| amount.is_finite());
        self.values.push((name.into(), Number::Amount(amount)));
        self
    }

    /// Adds a list.
    #[must_use]
    pub fn list(mut self, name: impl Into<Cow<'static, str>>, list: Vec<f64>) -> Self {
        self.values.push((name.into(), Number::List(list)));
        self
    }

    /// The value with a name.
    pub fn get(&self, name: &str) -> Option<&Number> {
        self.values
            .iter()
            .find(|(candidate, _)| candidate == name)
            .map(|(_, value)| value)
    }
}

impl Subject {
    /// The value with a name in a group.
    pub fn get(&self, group: &str, name: &str) -> Option<&Number> {
        self.groups
            .iter()
            .find(|candidate| candidate.name == group)?
            .get(name)
    }
}

struct Values<'a>(&'a [(Cow<'static, str>, Number)]);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

fn groups_as_map<S: Serializer>(groups: &[Group], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        groups
            .iter()
            .map(|group| (group.name, Values(&group.values))),
    )
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        if let Some(team) = self.team {
            map.serialize_entry("team", &team)?;
        }
        for group in &self.groups {
            map.serialize_entry(group.name, &Values(&group.values))?;
        }
        map.end()
    }
}
