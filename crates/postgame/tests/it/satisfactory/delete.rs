//! Deleting buildings changes exactly that: what stays is what it was, without a trace of what is gone.

use std::collections::{BTreeMap, BTreeSet};

use postgame::satisfactory::edit::Target;
use postgame::satisfactory::edit::invariants::breaches;
use postgame::satisfactory::model::{Object, Tail};
use postgame::satisfactory::select::{Query, select, targets};
use postgame::satisfactory::{self, Body, Save, compare};
use postgame::{ReadOptions, Report};

use super::invariants::saves;

/// All objects by level and path.
fn objects(body: &Body) -> BTreeMap<(String, String), Object> {
    let mut objects = BTreeMap::new();
    body.visit(|_, object, _| {
        let reference = &object.header.reference;
        let key = (reference.level.to_string(), reference.path.to_string());
        objects.insert(key, object.into_owned());
        Ok(())
    })
    .unwrap();
    objects
}

fn owner(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(owner, _)| owner)
}

/// Deletes, writes, reads again, and checks everything that must hold.
fn delete(name: &str, save: &Save, wanted: &BTreeSet<Target>) -> (Save, usize) {
    let mut after = save.clone();
    let deleted = after.body.as_mut().unwrap().delete(wanted).unwrap();
    let bytes = satisfactory::write(&after).unwrap();
    let mut report = Report::default();
    let after = satisfactory::read(&bytes, &ReadOptions::default(), &mut report).unwrap();
    assert!(report.is_clean(), "{name}: {report:#?}");
    let (old, new) = (save.body.as_ref().unwrap(), after.body.as_ref().unwrap());

    // No rule is broken that was not before.
    let known = breaches(old);
    let breach = breaches(new)
        .into_iter()
        .find(|breach| !known.contains(breach));
    assert!(breach.is_none(), "{name}: {}", breach.unwrap());

    // What is gone is what was asked for and what belongs to it, and nothing is new.
    let (old, new) = (objects(old), objects(new));
    assert!(new.keys().all(|key| old.contains_key(key)), "{name}");
    let gone: BTreeSet<&str> = old
        .keys()
        .filter(|key| !new.contains_key(*key))
        .map(|(_, path)| path.as_str())
        .collect();
    assert_eq!(gone.len(), deleted.objects, "{name}");
    let refused: BTreeSet<&str> = deleted
        .refused
        .iter()
        .map(|one| one.object.as_str())
        .collect();
    for target in wanted {
        if let Target::Actor(path) = target {
            assert_ne!(
                gone.contains(path.as_str()),
                refused.contains(path.as_str()),
                "{name}: {path}"
            );
        }
    }
    for ((_, path), object) in &old {
        if !gone.contains(path.as_str()) || wanted.contains(&Target::Actor(path.clone())) {
            continue;
        }
        let class = object.header.class.to_string();
        let belongs = match object.tail() {
            Some(Tail::Wire(wire)) => [&wire.first, &wire.second]
                .iter()
                .any(|end| gone.contains(owner(&end.path.to_str()))),
            Some(Tail::Chain(chain)) => chain
                .segments
                .iter()
                .any(|segment| gone.contains(&*segment.belt.path.to_str())),
            _ => {
                !object.header.is_actor() && gone.contains(owner(path))
                    || class.contains("FlowIndicator")
                    || class.ends_with("FGPowerCircuit")
                    || class.ends_with("FGPipeNetwork")
            }
        };
        assert!(belongs, "{name}: {path} of {class} is gone");
    }

    // Nothing that stays names anything that is gone, and what never did is what it was.
    for (key, object) in &new {
        let mut copy = object.clone();
        postgame::satisfactory::model::refs::visit_refs(&mut copy, |reference| {
            assert!(
                !gone.contains(&*reference.path.to_str()),
                "{name}: {key:?} names {reference:?}"
            );
            postgame::satisfactory::model::refs::Keep::Yes
        });
        let mut before = old[key].clone();
        let mut has_named = matches!(before.tail(), Some(Tail::Lightweight(_)));
        postgame::satisfactory::model::refs::visit_refs(&mut before, |reference| {
            has_named |= gone.contains(&*reference.path.to_str());
            postgame::satisfactory::model::refs::Keep::Yes
        });
        // Numbers that are no numbers are equal to nothing, so the words are compared then.
        let is_same = || *object == old[key] || format!("{object:?}") == format!("{:?}", old[key]);
        assert!(has_named || is_same(), "{name}: {key:?} changed");
    }

    // The comparison shows it removed, and nothing else.
    let comparison = compare(save, &after);
    assert!(
        comparison.built.is_empty() && comparison.moved.is_empty(),
        "{name}"
    );
    let removed: usize = comparison.removed.values().sum();
    let indicators = old.iter().filter(|((_, path), object)| {
        let class = object.header.class.to_string();
        gone.contains(path.as_str()) && class.contains("Build_PipelineFlowIndicator")
    });
    let indicators = indicators.count();
    assert_eq!(
        removed,
        deleted.buildings + deleted.wires + deleted.lightweight + indicators,
        "{name}: {:?}",
        comparison.removed
    );
    (after, deleted.buildings + deleted.lightweight)
}

/// Every `step`-th of the selected buildings, so that chains, circuits and pipe networks lose some of their members.
fn some(save: &Save, step: usize, query: &str) -> BTreeSet<Target> {
    let found = select(save, &Query::read(query).unwrap());
    targets(&found.into_iter().step_by(step).collect::<Vec<_>>())
}

#[test]
fn deleting_some_buildings_keeps_the_others() {
    let mut versions: BTreeSet<i32> = BTreeSet::new();
    for (name, save) in saves() {
        let wanted = some(&save, 7, "layer:actors or layer:lightweight");
        if wanted.is_empty() {
            continue;
        }
        let (_, count) = delete(&name, &save, &wanted);
        println!("{name}: {count} of {} deleted", wanted.len());
        assert!(count > 0, "{name}");
        versions.insert(save.header.save_version);
    }
    assert!(
        !crate::satisfactory_factory::has_known_saves() || versions.len() >= 5,
        "{versions:?}"
    );
}

/// Items on the belts that stay are still there.
#[test]
fn other_belts_of_a_chain_keep_their_items() {
    for (name, save) in saves() {
        let wanted = some(
            &save,
            5,
            "category:conveyors (class:ConveyorBelt or class:ConveyorLift)",
        );
        if wanted.is_empty() {
            continue;
        }
        // By the places along the chain: what lies on a belt that goes is lost, all else stays.
        let mut expected = 0;
        let body = save.body.as_ref().unwrap();
        let goes = |path: &str| wanted.contains(&Target::Actor(path.to_owned()));
        body.visit(|_, object, _| {
            match object.tail() {
                Some(Tail::Chain(chain)) => {
                    let keeps = !chain
                        .segments
                        .iter()
                        .any(|one| goes(&one.belt.path.to_str()));
                    let items = chain.items.iter().filter(|item| !item.item.class.is_none());
                    expected += items
                        .filter(|item| {
                            keeps
                                || chain.segments.iter().any(|one| {
                                    (one.starts_at_cm..one.ends_at_cm).contains(&item.offset_cm)
                                        && !goes(&one.belt.path.to_str())
                                })
                        })
                        .count();
                }
                Some(Tail::Belt(items)) if !goes(&object.header.reference.path.to_str()) => {
                    expected += items.len();
                }
                _ => {}
            }
            Ok(())
        })
        .unwrap();
        let (after, _) = delete(&name, &save, &wanted);
        let mut left = 0;
        after
            .body
            .as_ref()
            .unwrap()
            .visit(|_, object, _| {
                left += match object.tail() {
                    Some(Tail::Chain(chain)) => chain
                        .items
                        .iter()
                        .filter(|item| !item.item.class.is_none())
                        .count(),
                    Some(Tail::Belt(items)) => items.len(),
                    _ => 0,
                };
                Ok(())
            })
            .unwrap();
        println!("{name}: {left} items on belts");
        assert_eq!(left, expected, "{name}");
    }
}

/// A machine, its wires and its belts: nothing is left that could only be theirs.
#[test]
fn deleting_everything_built_leaves_the_world() {
    for (name, save) in saves() {
        let wanted = some(&save, 1, "layer:actors or layer:lightweight");
        if wanted.is_empty() {
            continue;
        }
        let (after, _) = delete(&name, &save, &wanted);
        // What is left was refused.
        let left = select(
            &after,
            &Query::read("layer:actors or layer:lightweight").unwrap(),
        );
        let mut copy = after.clone();
        let again = copy.body.as_mut().unwrap().delete(&targets(&left)).unwrap();
        assert_eq!((again.buildings, again.lightweight), (0, 0), "{name}");
        println!("{name}: {} of {} left", left.len(), wanted.len());
    }
}

#[test]
fn what_others_depend_on_is_refused() {
    for (name, save) in saves() {
        let body = save.body.as_ref().unwrap();
        let mut others: BTreeSet<Target> = BTreeSet::new();
        body.visit(|_, object, _| {
            let class = object.header.class.to_string();
            let is_refused = [
                "Char_Player",
                "BP_",
                "FGConveyorChainActor",
                "Build_SpaceElevator",
            ]
            .iter()
            .any(|start| class.rsplit('.').next().unwrap().starts_with(start));
            if object.header.is_actor() && is_refused {
                others.insert(Target::Actor(object.header.reference.path.to_string()));
            }
            Ok(())
        })
        .unwrap();
        let mut copy = save.clone();
        let deleted = copy.body.as_mut().unwrap().delete(&others).unwrap();
        assert_eq!((deleted.buildings, deleted.objects), (0, 0), "{name}");
        let refused: BTreeSet<Target> = deleted
            .refused
            .iter()
            .map(|refused| Target::Actor(refused.object.clone()))
            .collect();
        assert_eq!(refused, others, "{name}");
        assert_eq!(copy, save, "{name}");
    }
}
