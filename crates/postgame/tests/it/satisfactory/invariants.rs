//! The rules between objects hold in every save that the game wrote.

use std::collections::BTreeMap;

use postgame::satisfactory::edit::invariants::{Breach, Rule, breaches};
use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};

use super::files;
use crate::corpus;

/// The saves of the samples, the corpus and the facts.
pub fn saves() -> Vec<(String, Save)> {
    let mut paths = files("sav");
    let facts = corpus::folder().map(|folder| folder.join("../facts/satisfactory"));
    let facts = facts.and_then(|folder| std::fs::read_dir(folder).ok());
    paths.extend(
        facts
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "sav")),
    );
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).unwrap();
        let save = satisfactory::read(&bytes, &ReadOptions::default(), &mut Report::default());
        (name, save.unwrap())
    };
    paths.iter().map(read).collect()
}

#[test]
fn untouched_saves_keep_all_rules() {
    for (name, save) in saves() {
        let found = breaches(save.body.as_ref().unwrap());
        let mut by_rule: BTreeMap<Rule, Vec<&Breach>> = BTreeMap::new();
        for breach in &found {
            by_rule.entry(breach.rule).or_default().push(breach);
        }
        for (rule, list) in by_rule {
            println!("{name}: {rule:?}: {} such as {}", list.len(), list[0]);
        }
        println!("{name}: {} breaches", found.len());
    }
}
