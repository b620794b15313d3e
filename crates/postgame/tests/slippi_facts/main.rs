//! Facts that other people wrote about real replays, held against what is computed here.
//!
//! The facts lie beside the corpus (`../shared/facts`); `POSTGAME_SLIPPI_FACTS` names another list.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod answer;
mod combos;
mod compressed;
mod controllers;
mod falls;
mod fit;
mod frames;
mod game;
mod launches;
mod learning;
mod load;
mod settings;

use std::collections::BTreeMap;

use load::{Fact, Recordings};

/// How many facts of each kind are right at least. All others of the public list are `.zlp` files, but for a stick that the
/// rules take for a box and its folder calls analog.
const RIGHT: &[(&str, usize)] = &[
    ("buttons", 4),
    ("clock", 1),
    ("combo-filter", 98),
    ("container", 2),
    ("controller", 58),
    ("frames", 27),
    ("gecko", 2),
    ("grabs", 2),
    ("handwarmer", 3),
    ("items", 6),
    ("l-cancels", 3),
    ("metadata", 19),
    ("ml", 151),
    ("moves", 1),
    ("robustness", 6),
    ("rollback", 2),
    ("roundtrip", 22),
    ("settings", 64),
    ("stadium", 2),
    ("stage-events", 3),
    ("stats", 75),
    ("stocks", 3),
    ("techs", 2),
    ("throws", 1),
    ("wavedash", 2),
    ("winner", 12),
];

/// What became of the facts of a kind.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    not_offered: usize,
}

#[test]
fn facts_are_right() {
    let Some((facts, mut recordings)) = load::load() else {
        return;
    };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for fact in facts.iter().filter(|fact| fact.trust != "disputed") {
        let tally = tallies.entry(fact.kind.clone()).or_default();
        let answer = answer_of(fact, &mut recordings);
        let (one, sum) = match &answer {
            Some(answer) if fit::fits(fact, answer) => (&mut tally.right, &mut all.right),
            Some(answer) => {
                println!(
                    "WRONG {} {} {} of {}: {} {}, not {answer}",
                    fact.kind, fact.trust, fact.fact, fact.path, fact.op, fact.value
                );
                (&mut tally.wrong, &mut all.wrong)
            }
            None => {
                println!("NOT OFFERED {} {} of {}", fact.kind, fact.fact, fact.path);
                (&mut tally.not_offered, &mut all.not_offered)
            }
        };
        *one += 1;
        *sum += 1;
    }
    println!("kind | facts | right | wrong | not offered");
    tallies.insert("all".to_owned(), all);
    for (kind, tally) in &tallies {
        let Tally {
            right,
            wrong,
            not_offered,
        } = tally;
        let count = right + wrong + not_offered;
        println!("{kind} | {count} | {right} | {wrong} | {not_offered}");
    }
    if std::env::var_os(load::OTHER_FACTS).is_some() {
        return;
    }
    for (kind, least) in RIGHT {
        let right = tallies.get(*kind).map_or(0, |tally| tally.right);
        assert!(right >= *least, "{kind}: {right} right, not {least}");
    }
}

fn answer_of(fact: &Fact, recordings: &mut Recordings) -> Option<serde_json::Value> {
    let recording = recordings.read(&fact.path)?;
    answer::answer(fact, recording)
}
