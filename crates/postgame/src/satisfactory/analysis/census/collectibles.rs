//! Slugs, artifacts and wrecks: found and left.
//!
//! Since game version 1.0 the catalogue knows each one by name and GUID. Before, what was taken is in the lists of
//! destroyed objects, by name. Most names tell the class; those that tell another one, or none, are in a table as far as
//! they are known. Older saves with levels only have what is near to where players were, so nothing is said of what is
//! left; the oldest have the whole world.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::satisfactory::analysis::collectibles::{Taken, WORLD_SINCE};
use crate::satisfactory::catalogue::{FindKind, finds::FINDS};
use crate::satisfactory::codec::model::{Body, Level, Properties};
use crate::satisfactory::codec::summary::short_class;
use crate::satisfactory::world::{COLLECTIBLE_NAMES, COLLECTIBLES};

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
    /// The same by name and GUID, for worlds the catalogue has.
    taken: Taken,
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
            taken: Taken::new(body),
            ..Self::default()
        }
    }

    /// The scanner's list of what was taken.
    pub fn add_scanner(&mut self, scanner: &Properties) {
        self.taken.add_scanner(scanner);
    }

    /// A wreck, with what it says of itself.
    pub fn add_pod(&mut self, path: &str, pod: &Properties) {
        self.taken.add_site(short_class(path), pod);
        if pod.flag("mHasBeenOpened") || pod.flag("mHasBeenLooted") {
            self.opened_pods += usize::from(!self.destroyed.contains(path));
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

    pub fn finish(self, save_version: i32, map: &str) -> Vec<Collectible> {
        if save_version >= WORLD_SINCE && map == MAP {
            return self.of_catalogue();
        }
        self.by_names(save_version)
    }

    /// Each one is known since game 1.0.
    fn of_catalogue(&self) -> Vec<Collectible> {
        COLLECTIBLES
            .iter()
            .filter_map(|(name, class, _)| {
                let kind = match *class {
                    "BP_Crystal_C" => FindKind::BlueSlug,
                    "BP_Crystal_mk2_C" => FindKind::YellowSlug,
                    "BP_Crystal_mk3_C" => FindKind::PurpleSlug,
                    "BP_WAT1_C" => FindKind::Somersloop,
                    "BP_WAT2_C" => FindKind::MercerSphere,
                    "BP_DropPod_C" => FindKind::CrashSite,
                    _ => return None,
                };
                let all = FINDS.iter().filter(|find| find.kind == kind).count();
                let found = self.taken.count(kind);
                Some(Collectible {
                    name,
                    found,
                    left: Some(all - found),
                })
            })
            .collect()
    }

    fn by_names(self, save_version: i32) -> Vec<Collectible> {
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
        let mut all: Vec<Collectible> = Vec::new();
        for (name, class, _) in COLLECTIBLES {
            let count = match *class {
                "BP_MercerShrine_C" => continue,
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
                artifacts,
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
