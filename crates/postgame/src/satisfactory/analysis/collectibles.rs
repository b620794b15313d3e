//! Slugs, artifacts, crash sites, tapes and loose parts: each one of them, found or left, since game 1.0.
//!
//! What was taken is in the lists of destroyed objects by name, and in a list of GUIDs of the scanner's. A crash site stays
//! where it is when it is looted, and then says so itself or is in the scanner's list.

use std::collections::HashSet;

use super::classes::each_object;
use crate::satisfactory::catalogue::finds::{FINDS, LOOT};
use crate::satisfactory::catalogue::{Find, FindKind, Loot};
use crate::satisfactory::codec::model::{Body, Level, Properties, Save, Struct, Value};
use crate::satisfactory::codec::summary::short_class;

/// The world's usual map.
const MAP: &str = "Persistent_Level";
/// The first save version of game 1.0, whose world the catalogue has.
pub(super) const WORLD_SINCE: i32 = 43;

/// What was taken out of the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    names: HashSet<String>,
    guids: HashSet<u128>,
    looted: HashSet<String>,
}

impl Taken {
    /// The names in a body's lists of destroyed objects.
    pub fn new(body: &Body) -> Self {
        let lists = |level: &Level| {
            let both = [&level.destroyed, &level.destroyed_in_contents];
            let refs = both.into_iter().flatten().flat_map(|list| list.refs());
            refs.map(|reference| short_class(&reference.path.to_str()).to_owned())
                .collect::<Vec<_>>()
        };
        let unresolved = body.unresolved.iter().flatten();
        let unresolved =
            unresolved.map(|reference| short_class(&reference.path.to_str()).to_owned());
        Self {
            names: body
                .all_levels()
                .flat_map(lists)
                .chain(unresolved)
                .collect(),
            ..Self::default()
        }
    }

    /// Adds what the scanner's list says.
    pub fn add_scanner(&mut self, scanner: &Properties) {
        for list in ["mDestroyedPickups", "mLootedDropPods"] {
            let ids = scanner.list(list).iter().filter_map(|id| match id {
                Value::Struct(Struct::Id(id)) => Some(u128::from_be_bytes(id.0)),
                _ => None,
            });
            self.guids.extend(ids);
        }
    }

    /// Adds a crash site that says it was opened or looted.
    pub fn add_site(&mut self, name: &str, site: &Properties) {
        if site.flag("mHasBeenOpened") || site.flag("mHasBeenLooted") {
            self.looted.insert(name.to_owned());
        }
    }

    fn is_taken(&self, name: &str, guid: Option<u128>) -> bool {
        self.names.contains(name)
            || self.looted.contains(name)
            || guid.is_some_and(|guid| self.guids.contains(&guid))
    }

    /// Whether something was found.
    pub fn has(&self, find: &Find) -> bool {
        self.is_taken(find.name, find.guid)
    }

    /// Whether loose parts were picked up.
    pub fn has_loot(&self, loot: &Loot) -> bool {
        self.is_taken(loot.name, loot.guid)
    }

    /// How many of a kind were found.
    pub fn count(&self, kind: FindKind) -> usize {
        let of_kind = FINDS.iter().filter(|find| find.kind == kind);
        of_kind.filter(|find| self.has(find)).count()
    }
}

/// Something to be found, and whether it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// What it is and where.
    pub find: &'static Find,
    /// Whether it was found.
    pub is_found: bool,
}

/// Loose parts, and whether they were picked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundLoot {
    /// What they are and where.
    pub loot: &'static Loot,
    /// Whether they were picked up.
    pub is_found: bool,
}

/// Everything to be found in a save's world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collectibles {
    /// Slugs, artifacts, crash sites, tapes and the helmet.
    pub finds: Vec<Found>,
    /// Loose parts around crash sites.
    pub loot: Vec<FoundLoot>,
}

/// Everything to be found in a save's world; `None` before game 1.0 and on other maps, whose worlds are not known.
pub fn collectibles(save: &Save) -> Option<Collectibles> {
    let body = save.body.as_ref()?;
    if body.save_version() < WORLD_SINCE || !save.header.map_name.is(MAP) {
        return None;
    }
    let mut taken = Taken::new(body);
    each_object(body, |class, header, object| {
        let is_site = match class.short() {
            "FGScannableSubsystem" => false,
            "BP_DropPod_C" => true,
            _ => return,
        };
        let Some(object) = object() else { return };
        let Some(properties) = object.properties() else {
            return;
        };
        if is_site {
            let name = header.reference.path.to_str();
            taken.add_site(short_class(&name), properties);
        } else {
            taken.add_scanner(properties);
        }
    });
    Some(Collectibles {
        finds: FINDS
            .iter()
            .map(|find| Found {
                find,
                is_found: taken.has(find),
            })
            .collect(),
        loot: LOOT
            .iter()
            .map(|loot| FoundLoot {
                loot,
                is_found: taken.has_loot(loot),
            })
            .collect(),
    })
}

/// The distance between two places, in metres.
pub fn distance_m(one_cm: [f64; 3], other_cm: [f64; 3]) -> f64 {
    const CM_PER_M: f64 = 100.0;
    let apart = one_cm.iter().zip(other_cm).map(|(one, other)| one - other);
    apart.map(|apart| apart * apart).sum::<f64>().sqrt() / CM_PER_M
}

/// The nearest of some things to a place, with their distances in metres; the nearest first.
pub fn nearest<T>(
    things: impl IntoIterator<Item = T>,
    place_cm: [f64; 3],
    position_cm: impl Fn(&T) -> Option<[f64; 3]>,
    count: usize,
) -> Vec<(f64, T)> {
    let mut near: Vec<(f64, T)> = things
        .into_iter()
        .filter_map(|thing| Some((distance_m(position_cm(&thing)?, place_cm), thing)))
        .collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    near.truncate(count);
    near
}
