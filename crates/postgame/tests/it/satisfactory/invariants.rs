//! The rules between objects hold in every save that the game wrote.

use std::collections::{BTreeMap, BTreeSet};

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

/// What the game itself wrote against the rules: the save, the rule, the objects. The notes found the first one too, in 26,931
/// connections.
const EXCEPTIONS: &[(&str, Rule, &str)] = &[(
    "The-Spice-of-Life---Manual-Save.sav",
    Rule::MutualConnections,
    "Persistent_Level:PersistentLevel.Build_PipeHyperStart_C_2137916372.PipeHyperStartConnection",
)];

#[test]
fn untouched_saves_keep_all_rules() {
    let mut checked = 0;
    for (name, save) in saves() {
        // Our own writer's sample has wires that its connections do not list.
        if name == "factory.sav" {
            continue;
        }
        let mut found = breaches(save.body.as_ref().unwrap());
        found.retain(|breach| {
            let exception = (name.as_str(), breach.rule, breach.object.as_str());
            !EXCEPTIONS.contains(&exception)
        });
        let mut by_rule: BTreeMap<Rule, Vec<&Breach>> = BTreeMap::new();
        for breach in &found {
            by_rule.entry(breach.rule).or_default().push(breach);
        }
        for (rule, list) in by_rule {
            println!("{name}: {rule:?}: {} such as {}", list.len(), list[0]);
        }
        assert!(found.is_empty(), "{name}: {} breaches", found.len());
        checked += 1;
    }
    assert!(corpus::folder().is_none() || checked > 0);
}

/// Each rule notices when it is broken: one reference of a sound save is changed at a time.
#[test]
fn broken_rules_are_noticed() {
    let Some((_, save)) = saves()
        .into_iter()
        .find(|(name, _)| name == "Release-032.sav")
    else {
        return;
    };
    let body = save.body.as_ref().unwrap();
    assert!(breaches(body).is_empty());
    let mut noticed: BTreeSet<Rule> = BTreeSet::new();
    for class in [
        "FGFactoryConnectionComponent",
        "FGPipeConnectionComponent",
        "FGPowerConnectionComponent",
        "FGPowerCircuit",
        "FGPipeNetwork",
        "FGConveyorChainActor",
        "Build_PowerLine_C",
        "Build_SmelterMk1_C",
    ] {
        // Without one object of a class, those that name it break a rule.
        let mut copy = save.clone();
        let body = copy.body.as_mut().unwrap();
        let Some(place) = body.find_where(|header| header.class.to_str().ends_with(class)) else {
            continue;
        };
        let path = body
            .object(place)
            .unwrap()
            .header
            .reference
            .path
            .to_string();
        let object = body.object_mut(place).unwrap();
        object.header.reference.path = "Persistent_Level:PersistentLevel.Nothing_1".into();
        let found = breaches(copy.body.as_ref().unwrap());
        println!("{class}: {path}: {found:#?}");
        noticed.extend(found.iter().map(|breach| breach.rule));
    }
    for rule in [
        Rule::ConnectionTargets,
        Rule::Wires,
        Rule::Circuits,
        Rule::CircuitNumbers,
        Rule::Chains,
    ] {
        assert!(noticed.contains(&rule), "{rule:?} of {noticed:?}");
    }
}
