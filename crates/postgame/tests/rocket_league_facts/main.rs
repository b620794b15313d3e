//! Facts that other people wrote about real replays, against what Postgame says.
//!
//! Prints kind, facts, right, wrong and not offered, and asserts the counts, so that no change loses a fact silently.

// A test fails by panicking, and prints its table.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod ball;
mod evidence;
mod load;
mod meta;
mod modes;
mod play;
mod site;

use std::collections::BTreeMap;

use load::{Case, Fact};

/// How a fact compares with ours.
pub enum Verdict {
    /// They agree.
    Right,
    /// They differ: what ours is.
    Wrong(String),
    /// We have nothing to compare.
    NotOffered,
}

impl Verdict {
    /// Compares a value of ours.
    fn of(fact: &Fact, ours: impl Into<serde_json::Value>) -> Self {
        let ours = ours.into();
        match load::holds(fact, &ours) {
            true => Self::Right,
            false => Self::Wrong(ours.to_string()),
        }
    }

    /// The same if we have one.
    fn of_some(fact: &Fact, ours: Option<impl Into<serde_json::Value>>) -> Self {
        match ours {
            Some(ours) => Self::of(fact, ours),
            None => Self::Wrong("null".to_owned()),
        }
    }

    /// Whether something is so.
    fn is(so: bool, ours: impl std::fmt::Display) -> Self {
        match so {
            true => Self::Right,
            false => Self::Wrong(ours.to_string()),
        }
    }
}

fn verdict(case: &Case, fact: &Fact) -> Verdict {
    let group = fact.kind.split('.').next().unwrap_or_default();
    match group {
        "bc" | "camera" => site::verdict(case, fact),
        "meta" | "player" | "party" | "car" | "sanity" | "input_device" | "ball_camera" => {
            meta::verdict(case, fact)
        }
        "rumble" | "dropshot" => modes::verdict(case, fact),
        "touch" | "shot" | "pass" | "aerial" | "clear" | "pressure" | "save" | "dribble"
        | "fifty_fifty" | "double_tap" => ball::verdict(case, fact),
        _ => play::verdict(case, fact),
    }
}

/// At least as many facts are right: of all, and of those that people recorded or reviewed.
const MIN_RIGHT: usize = 1767;
const MIN_HUMAN: usize = 134;

#[derive(Default)]
struct Count {
    right: usize,
    wrong: usize,
    not_offered: usize,
}

#[test]
fn facts_of_others_hold() {
    let Some(facts) = load::facts() else { return };
    let mut files: BTreeMap<String, Vec<Fact>> = BTreeMap::new();
    for fact in facts {
        files.entry(fact.path.clone()).or_default().push(fact);
    }
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let (mut human, mut human_right) = (0, 0);
    for (path, facts) in &files {
        let case = Case::read(path);
        for fact in facts {
            let count = counts.entry(fact.kind.clone()).or_default();
            let verdict = verdict(&case, fact);
            let is_human = fact.trust == "human";
            human += usize::from(is_human);
            match verdict {
                Verdict::Right => {
                    count.right += 1;
                    human_right += usize::from(is_human);
                }
                Verdict::Wrong(ours) => {
                    count.wrong += 1;
                    println!("WRONG {} ours {ours}", fact.line());
                }
                Verdict::NotOffered => {
                    count.not_offered += 1;
                    println!("NOT OFFERED {}", fact.line());
                }
            }
        }
    }
    println!(
        "{:24} {:>6} {:>6} {:>6} {:>12}",
        "kind", "facts", "right", "wrong", "not offered"
    );
    let mut all = Count::default();
    for (kind, count) in &counts {
        let Count {
            right,
            wrong,
            not_offered,
        } = *count;
        println!(
            "{kind:24} {:6} {right:6} {wrong:6} {not_offered:12}",
            right + wrong + not_offered
        );
        all.right += right;
        all.wrong += wrong;
        all.not_offered += not_offered;
    }
    let Count {
        right,
        wrong,
        not_offered,
    } = all;
    println!(
        "{:24} {:6} {right:6} {wrong:6} {not_offered:12}",
        "all",
        right + wrong + not_offered
    );
    println!("human: {human_right} of {human}");
    assert!(
        right >= MIN_RIGHT,
        "{right} facts are right, {MIN_RIGHT} were"
    );
    assert!(
        human_right >= MIN_HUMAN,
        "{human_right} human facts are right, {MIN_HUMAN} were"
    );
}
