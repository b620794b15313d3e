//! Slugs, artifacts and wrecks: found and left.
//!
//! What was taken is in the lists of destroyed objects, by name. Most names tell the class; those that tell another one,
//! or none, are in a table as far as they are known. What is left follows from how many the world has, which is known
//! since game version 1.0. Older saves with levels only have what is near to where players were, so nothing is said
//! there; the oldest have the whole world.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::satisfactory::codec::model::{Body, Level};
use crate::satisfactory::codec::summary::short_class;
use crate::satisfactory::world::{COLLECTIBLE_NAMES, COLLECTIBLES};

/// The first save version of game version 1.0, whose world the totals are of.
const TOTALS_SINCE: i32 = 43;

/// The world's usual map.
const MAP: &str = "Persistent_Level";

/// The classes that names tell by how they begin; the first that fits counts.
const PREFIXES: &[(&str, Option<&str>)] = &[
    ("BP_Crystal_mk3", Some("BP_Crystal_mk3_C")),
    ("BP_Crystal_mk2", Some("BP_Crystal_mk2_C")),
    ("BP_Crystal_mk", None),
    ("BP_Crystal", Some("BP_Crystal_C")),
    ("BP_WAT1_C", Some("BP_WAT1_C")),
    ("BP_WAT2_C", Some("BP_WAT2_C")),
    ("BP_MercerShrine", Some("BP_MercerShrine_C")),
    ("BP_DropPod", Some("BP_DropPod_C")),
];

/// One kind of thing to find.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collectible {
    /// Which.
    pub name: &'static str,
    /// How many were found.
    pub found: usize,
    /// How many are left, where that is known.
    pub left: Option<usize>,
}

/// What the file says of things to find.
#[derive(Debug, Default)]
pub(in crate::satisfactory) struct Finds {
    destroyed: HashSet<String>,
    present: BTreeMap<&'static str, usize>,
    opened_pods: usize,
}

/// The class that a name tells.
fn class_of(name: &str) -> Option<&'static str> {
    if let Ok(index) = COLLECTIBLE_NAMES.binary_search_by(|(known, _)| (*known).cmp(name)) {
        return COLLECTIBLE_NAMES.get(index).map(|(_, class)| *class);
    }
    let told = PREFIXES.iter().find(|(start, _)| name.starts_with(start));
    told.and_then(|(_, class)| *class)
}

impl Finds {
    /// Collects the names of what was destroyed.
    pub fn new(body: &Body) -> Self {
        let lists = |level: &Level| {
            let both = [&level.destroyed, &level.destroyed_in_contents];
            let refs = both.into_iter().flatten().flat_map(|list| list.refs());
            refs.map(|reference| reference.path.to_string())
                .collect::<Vec<_>>()
        };
        let unresolved = body.unresolved.iter().flatten();
        let destroyed = body
            .all_levels()
            .flat_map(lists)
            .chain(unresolved.map(|reference| reference.path.to_string()));
        Self {
            destroyed: destroyed
                .filter(|path| short_class(path).starts_with("BP_"))
                .collect(),
            ..Self::default()
        }
    }

    /// Something to find that is in the file; one that is also in a list of destroyed objects is gone.
    pub fn add(&mut self, class: &str, path: &str) {
        let known = COLLECTIBLES.iter().find(|(_, known, _)| *known == class);
        if let Some((_, class, _)) = known
            && !self.destroyed.contains(path)
        {
            *self.present.entry(class).or_default() += 1;
        }
    }

    /// A wreck that somebody opened.
    pub fn add_opened_pod(&mut self, path: &str) {
        self.opened_pods += usize::from(!self.destroyed.contains(path));
    }

    pub fn finish(self, save_version: i32, map: &str) -> Vec<Collectible> {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut slugs, mut artifacts) = (0, 0);
        for path in &self.destroyed {
            let name = short_class(path);
            slugs += usize::from(name.starts_with("BP_Crystal"));
            artifacts += usize::from(name.starts_with("BP_WAT"));
            if let Some(class) = class_of(name) {
                *found.entry(class).or_default() += 1;
            }
        }
        let get = |class: &str| found.get(class).copied().unwrap_or(0);
        let has_totals = save_version >= TOTALS_SINCE && map == MAP;
        // A sphere's shrine goes with it, and its name is plain; so what is no sphere is a somersloop.
        let shrines = get("BP_MercerShrine_C");
        let mut all: Vec<Collectible> = Vec::new();
        for (name, class, total) in COLLECTIBLES {
            let count = match *class {
                "BP_MercerShrine_C" => continue,
                "BP_WAT2_C" if has_totals => shrines,
                "BP_WAT1_C" if has_totals => artifacts.saturating_sub(shrines),
                "BP_DropPod_C" => get(class) + self.opened_pods,
                class => get(class),
            };
            let here = self.present.get(class).copied().unwrap_or(0);
            let opened = if *class == "BP_DropPod_C" {
                self.opened_pods
            } else {
                0
            };
            let left = match save_version {
                _ if has_totals => Some(total.saturating_sub(count)),
                ..Body::LEVELS_SINCE => Some(here.saturating_sub(opened)),
                _ => None,
            };
            all.push(Collectible {
                name,
                found: count,
                left,
            });
        }
        let told = ["BP_Crystal_C", "BP_Crystal_mk2_C", "BP_Crystal_mk3_C"].map(get);
        let untold = [
            (
                "power slugs of untold colour",
                slugs,
                told.iter().sum::<usize>(),
            ),
            (
                "artifacts of untold kind",
                if has_totals { 0 } else { artifacts },
                get("BP_WAT1_C") + get("BP_WAT2_C"),
            ),
        ];
        for (name, count, told) in untold {
            if count > told {
                all.push(Collectible {
                    name,
                    found: count - told,
                    left: None,
                });
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_classes_or_the_table_does() {
        assert!(COLLECTIBLE_NAMES.is_sorted());
        assert_eq!(class_of("BP_Crystal35"), Some("BP_Crystal_C"));
        assert_eq!(class_of("BP_Crystal_mk3_C_9"), Some("BP_Crystal_mk3_C"));
        // Named like the first kind of slug, but of the second, in several saves of the corpus.
        assert_eq!(class_of("BP_Crystal138"), Some("BP_Crystal_mk2_C"));
        assert_eq!(class_of("BP_Crystal_mk999"), None);
        assert_eq!(class_of("BP_Shroom_01"), None);
    }
}
