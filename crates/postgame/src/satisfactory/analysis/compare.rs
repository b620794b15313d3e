//! What changed from one save of a session to another.
//!
//! A thing is the same in both if it has the same name and class; a building that has no object of its own, if it is of
//! the same class in the very same place. What was upgraded was removed and built: the game makes a new object.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::AddAssign;

use serde::Serialize;

use super::census::{Census, Place, census};
use super::classes::{each_object, full_name, item_name, readable, schematic_kind};
pub use super::figures::Moment;
use super::figures::figures_of;
use super::production::factory;
use crate::satisfactory::codec::model::{Body, Save, Tail};

/// Nearer than this, in centimetres, is the same place.
const SAME_PLACE_CM: f64 = 1.0;

/// A number before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Change<T> {
    /// In the first save.
    pub before: T,
    /// In the second one.
    pub after: T,
}

/// Numbers that changed, by name.
pub type Changes<T> = BTreeMap<String, Change<T>>;

/// What changed from one save to another. Names are for people; what did not change is left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The session's name, that of the first save.
    pub session: Option<String>,
    /// Whether both are of one session.
    pub is_same_session: bool,
    /// The first save.
    pub before: Moment,
    /// The second one.
    pub after: Moment,
    /// How long was played between them.
    pub play_time_between_s: f64,
    /// How much time passed between them.
    pub time_between_s: Option<f64>,
    /// Buildings that the second save has and the first one has not, by class.
    pub built: BTreeMap<String, usize>,
    /// Buildings that the first save has and the second one has not, by class.
    pub removed: BTreeMap<String, usize>,
    /// What stands elsewhere now, by class; vehicles, players and creatures too.
    pub moved: BTreeMap<String, usize>,
    /// Vehicles, items on the ground and other things that are no buildings and came, by class.
    pub appeared: BTreeMap<String, usize>,
    /// And those that went.
    pub vanished: BTreeMap<String, usize>,
    /// How many buildings there are of each class.
    pub buildings: Changes<usize>,
    /// How long belts, pipes, rails and lines are, in metres.
    pub lengths_m: Changes<f64>,
    /// How many of each item there are.
    pub items: Changes<i64>,
    /// The same by place.
    pub items_by_place: BTreeMap<&'static str, Changes<i64>>,
    /// How many things hold something else than before.
    pub inventories_changed: usize,
    /// Schematics bought since, with what kind they are.
    pub schematics: Vec<(String, &'static str)>,
    /// Recipes that can be used since.
    pub recipes: Vec<String>,
    /// The phase of the space elevator.
    pub phase: Option<Change<Option<String>>>,
    /// What was found.
    pub collectibles_found: Changes<usize>,
    /// What machines do, by state.
    pub machine_states: Changes<usize>,
    /// Power, in megawatts.
    pub power_mw: Changes<f64>,
    /// What machines that run make a minute: pieces or cubic metres.
    pub made_per_min: Changes<f64>,
    /// What machines that run use a minute: pieces or cubic metres.
    pub used_per_min: Changes<f64>,
    /// Unlocks by kind, usable recipes, and alternate recipes among them.
    pub progress: Changes<usize>,
}

/// Compares two saves.
pub fn compare(before: &Save, after: &Save) -> Comparison {
    let censuses = [census(before), census(after)];
    let [one, other] = &censuses;
    let (first, second) = (&one.session, &other.session);
    let figures = [
        figures_of(one, &factory(before)),
        figures_of(other, &factory(after)),
    ];
    let [were, are] = figures;
    let mut comparison = Comparison {
        session: first.name.clone(),
        is_same_session: first.is_same(second),
        before: were.moment.clone(),
        after: are.moment.clone(),
        play_time_between_s: second.play_time_s - first.play_time_s,
        time_between_s: first
            .saved_at_s
            .zip(second.saved_at_s)
            .map(|(first, second)| second - first),
        built: BTreeMap::new(),
        removed: BTreeMap::new(),
        moved: BTreeMap::new(),
        appeared: BTreeMap::new(),
        vanished: BTreeMap::new(),
        buildings: changes(
            named(one.buildings.by_class(), full_name),
            named(other.buildings.by_class(), full_name),
        ),
        lengths_m: changes(lengths(one), lengths(other)),
        items: changes(
            named(one.items.in_all(), item_name),
            named(other.items.in_all(), item_name),
        ),
        items_by_place: BTreeMap::new(),
        inventories_changed: inventories_changed(one, other),
        schematics: new_in(&first.schematics, &second.schematics)
            .map(|path| (full_name(path), schematic_kind(path)))
            .collect(),
        recipes: new_in(&first.recipes, &second.recipes)
            .map(full_name)
            .collect(),
        phase: (first.phase != second.phase).then(|| Change {
            before: first.phase.as_deref().map(readable),
            after: second.phase.as_deref().map(readable),
        }),
        collectibles_found: changes(were.collectibles_found, are.collectibles_found),
        machine_states: changes(were.machine_states, are.machine_states),
        power_mw: changes(were.power_mw, are.power_mw),
        made_per_min: changes(were.made_per_min, are.made_per_min),
        used_per_min: changes(were.used_per_min, are.used_per_min),
        progress: changes(were.progress, are.progress),
    };
    for place in Place::ALL {
        let [one, other] =
            [one, other].map(|census| named(census.items.in_place(place), item_name));
        let changes = changes(one, other);
        if !changes.is_empty() {
            comparison.items_by_place.insert(place.name(), changes);
        }
    }
    if let (Some(before), Some(after)) = (&before.body, &after.body) {
        comparison.add_things(before, after);
    }
    comparison
}

/// Counts by name instead of by path.
fn named<T: AddAssign + Default>(
    by_class: BTreeMap<&str, T>,
    name: fn(&str) -> String,
) -> BTreeMap<String, T> {
    let mut by_name: BTreeMap<String, T> = BTreeMap::new();
    for (class, count) in by_class {
        *by_name.entry(name(class)).or_default() += count;
    }
    by_name
}

/// What differs between two tables; what one of them lacks is nothing there.
fn changes<T: Copy + Default + PartialEq>(
    before: BTreeMap<String, T>,
    after: BTreeMap<String, T>,
) -> Changes<T> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let get = |table: &BTreeMap<String, T>, name| table.get(name).copied().unwrap_or_default();
    names
        .into_iter()
        .map(|name| {
            let change = Change {
                before: get(&before, name),
                after: get(&after, name),
            };
            (name.clone(), change)
        })
        .filter(|(_, change)| change.before != change.after)
        .collect()
}

fn new_in<'a>(before: &'a [String], after: &'a [String]) -> impl Iterator<Item = &'a str> {
    let known: BTreeSet<&String> = before.iter().collect();
    let new = after.iter().filter(move |path| !known.contains(path));
    new.map(String::as_str)
}

fn lengths(census: &Census) -> BTreeMap<String, f64> {
    let lengths = &census.lengths;
    let pairs = [
        ("belts", lengths.belts_m),
        ("lifts", lengths.lifts_m),
        ("pipes", lengths.pipes_m),
        ("hypertubes", lengths.hypertubes_m),
        ("rails", lengths.rails_m),
        ("power lines", lengths.power_lines_m),
        ("other", lengths.other_m),
    ];
    pairs
        .map(|(name, length_m)| (name.to_owned(), length_m))
        .into()
}

fn inventories_changed(before: &Census, after: &Census) -> usize {
    let (before, after) = (before.items.by_owner(), after.items.by_owner());
    let owners: BTreeSet<&&str> = before.keys().chain(after.keys()).collect();
    let changed = owners
        .iter()
        .filter(|owner| before.get(**owner) != after.get(**owner));
    changed.count()
}

/// A thing in one save.
struct Thing {
    class: String,
    is_building: bool,
    position_cm: [f64; 3],
}

/// What stands in a save and was not there when the world was new.
#[derive(Default)]
struct Things {
    by_name: BTreeMap<String, Thing>,
    /// Buildings without names: how many of a class are in the very same place.
    nameless: HashMap<(String, [u64; 3], [u64; 4]), usize>,
}

impl Things {
    fn new(body: &Body) -> Self {
        let mut things = Self::default();
        each_object(body, |class, header, object| {
            if class.short() == "FGLightweightBuildableSubsystem"
                && let Some(object) = object()
                && let Some(Tail::Lightweight(lightweight)) = object.tail()
            {
                for (class, instance) in lightweight.instances() {
                    let key = (
                        class.path.to_string(),
                        instance.position_cm.map(f64::to_bits),
                        instance.rotation.map(f64::to_bits),
                    );
                    *things.nameless.entry(key).or_default() += 1;
                }
            }
            let placement = header.placement().filter(|placement| {
                placement.needs_transform.is_set() && !placement.was_placed_in_level.is_set()
            });
            if let Some(placement) = placement {
                let thing = Thing {
                    class: class.path.clone(),
                    is_building: class.is_building(),
                    position_cm: placement.position_cm.map(f64::from),
                };
                things
                    .by_name
                    .insert(header.reference.path.to_string(), thing);
            }
        });
        things
    }
}

impl Comparison {
    fn add_things(&mut self, before: &Body, after: &Body) {
        let (before, after) = (Things::new(before), Things::new(after));
        for (name, thing) in &after.by_name {
            match before.by_name.get(name) {
                Some(old) if old.class == thing.class => {
                    let apart = old.position_cm.iter().zip(thing.position_cm);
                    let squares = apart.map(|(old, new)| (old - new) * (old - new));
                    if squares.sum::<f64>().sqrt() > SAME_PLACE_CM {
                        *self.moved.entry(full_name(&thing.class)).or_default() += 1;
                    }
                }
                _ => self.count_new(thing),
            }
        }
        for (name, thing) in &before.by_name {
            let is_there = after
                .by_name
                .get(name)
                .is_some_and(|new| new.class == thing.class);
            if !is_there {
                let gone = if thing.is_building {
                    &mut self.removed
                } else {
                    &mut self.vanished
                };
                *gone.entry(full_name(&thing.class)).or_default() += 1;
            }
        }
        // One way and the other: what one has more of than the other.
        let tables = [&before.nameless, &after.nameless];
        for ([less, more], counts) in [
            (tables, &mut self.built),
            ([tables[1], tables[0]], &mut self.removed),
        ] {
            for (key, count) in more {
                let known = less.get(key).copied().unwrap_or(0);
                if *count > known {
                    *counts.entry(full_name(&key.0)).or_default() += count - known;
                }
            }
        }
    }

    fn count_new(&mut self, thing: &Thing) {
        let new = if thing.is_building {
            &mut self.built
        } else {
            &mut self.appeared
        };
        *new.entry(full_name(&thing.class)).or_default() += 1;
    }
}
