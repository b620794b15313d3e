//! Counts which facts our answers agree with.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::fact::{Fact, Facts, Trust};

/// Answers that are wrong, printed in full unless `POSTGAME_FACTS=all` asks for every one of them.
const MAX_WRONG_SHOWN: usize = 40;

/// Right, wrong and missing answers by kind of fact.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    kinds: BTreeMap<String, Count>,
    trusts: BTreeMap<Trust, Count>,
    wrong: Vec<String>,
    missing: BTreeMap<(String, String), usize>,
}

/// Answers of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Answers that agree with the fact.
    pub right: usize,
    /// Answers that do not.
    pub wrong: usize,
    /// Facts that were not answered.
    pub not_offered: usize,
}

impl Count {
    /// All facts.
    pub fn facts(self) -> usize {
        self.right + self.wrong + self.not_offered
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.not_offered += other.not_offered;
    }
}

impl Tally {
    /// Counts an answer to a fact. `None` means that we do not offer the quantity; a quantity that the recording does not
    /// have is `Value::Null`. Returns whether the answer is right.
    pub fn judge(&mut self, fact: &Fact, answer: Option<&Value>) -> bool {
        let is_right = answer.is_some_and(|answer| fact.holds(answer));
        let mut count = Count::default();
        match answer {
            Some(_) if is_right => count.right = 1,
            Some(answer) => {
                count.wrong = 1;
                self.wrong.push(describe(fact, answer));
            }
            None => {
                count.not_offered = 1;
                let key = (fact.kind.clone(), fact.fact.clone());
                *self.missing.entry(key).or_default() += 1;
            }
        }
        self.kinds.entry(fact.kind.clone()).or_default().add(count);
        self.trusts.entry(fact.trust).or_default().add(count);
        is_right
    }

    /// Adds the counts of another tally, for tests that run on several threads.
    pub fn merge(&mut self, other: Self) {
        for (kind, count) in other.kinds {
            self.kinds.entry(kind).or_default().add(count);
        }
        for (trust, count) in other.trusts {
            self.trusts.entry(trust).or_default().add(count);
        }
        for (key, count) in other.missing {
            *self.missing.entry(key).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }

    /// The counts of one kind.
    pub fn kind(&self, kind: &str) -> Count {
        self.kinds.get(kind).copied().unwrap_or_default()
    }

    /// The counts of all kinds together.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.kinds.values().for_each(|&count| total.add(count));
        total
    }

    /// Every wrong answer: recording, fact, what it says, what we say, and its source.
    pub fn wrong(&self) -> &[String] {
        &self.wrong
    }

    /// Fails unless at least this many facts of each kind are right. A kind with facts about recordings that are not at
    /// hand is left out.
    ///
    /// # Panics
    /// Panics with the table if a kind falls short.
    pub fn assert_right(&self, facts: &Facts, minimums: &[(&str, usize)]) {
        for (kind, minimum) in minimums {
            let is_complete = !facts
                .without_recording
                .iter()
                .any(|fact| fact.kind == *kind);
            let right = self.kind(kind).right;
            assert!(
                !is_complete || right >= *minimum,
                "{right} facts of kind {kind} are right, {minimum} must be\n{self}"
            );
        }
    }
}

fn describe(fact: &Fact, answer: &Value) -> String {
    let file = fact.path.rsplit('/').next().unwrap_or(&fact.path);
    let mut about = String::new();
    for name in [&fact.player, &fact.team].into_iter().flatten() {
        about.push_str(&format!(" {name}"));
    }
    if let Some(port) = fact.port {
        about.push_str(&format!(" port {port}"));
    }
    if let Some(window) = fact.raw_window() {
        about.push_str(&format!(" {window}"));
    }
    for (name, value) in &fact.other {
        about.push_str(&format!(" {name} {value}"));
    }
    format!(
        "{file}: {}{about}: {:?} {}, not {answer} [{}, {}]",
        fact.fact,
        fact.op,
        fact.expected(),
        fact.trust.name(),
        fact.source
    )
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.kinds.keys().map(String::len).max().unwrap_or(0).max(8);
        let line = |out: &mut fmt::Formatter<'_>, name: &str, count: Count| {
            let Count {
                right,
                wrong,
                not_offered,
            } = count;
            let facts = count.facts();
            writeln!(
                out,
                "{name:width$} | {facts:5} | {right:5} | {wrong:5} | {not_offered:11}"
            )
        };
        writeln!(
            out,
            "{:width$} | facts | right | wrong | not offered",
            "kind"
        )?;
        for (kind, count) in &self.kinds {
            line(out, kind, *count)?;
        }
        line(out, "total", self.total())?;
        for (trust, count) in &self.trusts {
            line(out, trust.name(), *count)?;
        }
        let is_all = std::env::var("POSTGAME_FACTS").is_ok_and(|value| value == "all");
        let shown = if is_all {
            self.wrong.len()
        } else {
            MAX_WRONG_SHOWN
        };
        for wrong in self.wrong.iter().take(shown) {
            writeln!(out, "wrong: {wrong}")?;
        }
        if self.wrong.len() > shown {
            let more = self.wrong.len() - shown;
            writeln!(
                out,
                "… and {more} more wrong (all of them: POSTGAME_FACTS=all)"
            )?;
        }
        for ((kind, fact), count) in &self.missing {
            writeln!(out, "not offered: {kind} {fact} ({count})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Count, Tally};
    use crate::facts::{Fact, Facts};

    #[test]
    fn answers_are_counted_by_kind_and_trust() {
        let line = r#"{"path": "slippi/a.slp", "kind": "stocks", "fact": "stocks.lost", "value": 4, "trust": "game"}"#;
        let fact: Fact = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}"));
        let mut tally = Tally::default();
        assert!(tally.judge(&fact, Some(&json!(4))));
        assert!(!tally.judge(&fact, Some(&json!(3))));
        assert!(!tally.judge(&fact, None));
        let mut twice = tally.clone();
        twice.merge(tally.clone());
        let count = Count {
            right: 2,
            wrong: 2,
            not_offered: 2,
        };
        assert_eq!((twice.kind("stocks"), twice.total()), (count, count));
        let table = tally.to_string();
        assert!(
            table.contains("stocks   |     3 |     1 |     1 |           1"),
            "{table}"
        );
        assert!(
            table.contains("wrong: a.slp: stocks.lost: Eq 4, not 3 [game, ]"),
            "{table}"
        );
        assert!(
            table.contains("not offered: stocks stocks.lost (1)"),
            "{table}"
        );
        tally.assert_right(&Facts::default(), &[("stocks", 1)]);
        let falls_short = || tally.assert_right(&Facts::default(), &[("stocks", 2)]);
        assert!(std::panic::catch_unwind(falls_short).is_err());
        // Without the recording there is nothing to fall short of.
        let facts = Facts {
            facts: Vec::new(),
            without_recording: vec![fact],
        };
        tally.assert_right(&facts, &[("stocks", 2)]);
    }
}
