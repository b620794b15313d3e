//! Which items there are, and where.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::satisfactory::analysis::classes::Class;
use crate::satisfactory::codec::model::items::Item;
use crate::satisfactory::codec::model::{Properties, Seed, Str, Struct, Value};

/// Where an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In a container or tank.
    Storage,
    /// In a machine or generator: what goes in, comes out, burns, or makes it faster.
    Machines,
    /// On a belt, or in a splitter or merger.
    Belts,
    /// In another building.
    Buildings,
    /// In the dimensional depot.
    Depot,
    /// With a player.
    Players,
    /// In a vehicle, train or drone.
    Vehicles,
    /// Lying about, or in a crate.
    Ground,
    /// On plants and in the wrecks of the world.
    Nature,
}

impl Place {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::Storage,
        Self::Machines,
        Self::Belts,
        Self::Buildings,
        Self::Depot,
        Self::Players,
        Self::Vehicles,
        Self::Ground,
        Self::Nature,
    ];

    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Storage => "storage",
            Self::Machines => "machines",
            Self::Belts => "belts",
            Self::Buildings => "buildings",
            Self::Depot => "depot",
            Self::Players => "players",
            Self::Vehicles => "vehicles",
            Self::Ground => "ground",
            Self::Nature => "nature",
        }
    }

    /// Where something is that belongs to an object of this class.
    pub fn of(class: Option<&Class>) -> Self {
        let Some(class) = class else {
            return Self::Buildings;
        };
        match (class.kind, class.category) {
            ("player", _) => Self::Players,
            ("vehicle" | "train" | "drone", _) => Self::Vehicles,
            ("pickup" | "crate", _) => Self::Ground,
            ("plant" | "collectable" | "creature", _) => Self::Nature,
            (_, "storage") => Self::Storage,
            (_, "production" | "extraction" | "generators") => Self::Machines,
            (_, "conveyors") => Self::Belts,
            _ => Self::Buildings,
        }
    }
}

/// What one thing holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// The path of what holds it.
    pub owner: String,
    /// Where that is.
    pub place: Place,
    /// How many of which item, by the number of its class, in order of the numbers.
    pub counts: Vec<(usize, i64)>,
}

/// All items of a save.
#[derive(Clone, Debug, Default)]
pub struct Items {
    numbers: HashMap<Str, usize, Seed>,
    classes: Vec<String>,
    totals: BTreeMap<(Place, usize), i64>,
    /// Every inventory that is not empty, in the file's order.
    pub inventories: Vec<Inventory>,
    /// Items whose class the file does not say, since it is that of what they grow on.
    pub untold: BTreeMap<Place, i64>,
}

impl Items {
    fn number(&mut self, class: &Str) -> usize {
        if let Some(number) = self.numbers.get(class) {
            return *number;
        }
        self.classes.push(class.to_string());
        self.numbers.insert(class.clone(), self.classes.len() - 1);
        self.classes.len() - 1
    }

    /// Adds some of an item; an empty slot adds nothing.
    pub(super) fn add(&mut self, place: Place, class: &Str, amount: i64) -> Option<usize> {
        if class.is_empty() || amount == 0 {
            return None;
        }
        let number = self.number(class);
        let total = self.totals.entry((place, number)).or_default();
        *total = total.saturating_add(amount);
        Some(number)
    }

    /// Adds an item on a belt.
    pub(super) fn add_on_belt(&mut self, item: &Item) {
        self.add(Place::Belts, &item.class.path, 1);
    }

    /// Adds what is in an inventory.
    pub(super) fn add_inventory(&mut self, owner: &Str, place: Place, stacks: &[Value]) {
        let mut counts: Vec<(usize, i64)> = Vec::new();
        for stack in stacks.iter().filter_map(Value::properties) {
            if let Some((number, amount)) = self.add_stack(place, stack) {
                match counts.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, count)) => *count = count.saturating_add(amount),
                    None => counts.push((number, amount)),
                }
            }
        }
        if !counts.is_empty() {
            counts.sort_unstable();
            self.inventories.push(Inventory {
                owner: owner.to_string(),
                place,
                counts,
            });
        }
    }

    /// Adds a stack of items: what, and how many.
    pub(super) fn add_stack(&mut self, place: Place, stack: &Properties) -> Option<(usize, i64)> {
        let amount = stack.int("NumItems")?;
        let item = match stack.value("Item") {
            Some(Value::Struct(Struct::Item(item))) => Some(item),
            _ => None,
        };
        match item {
            Some(item) => Some((self.add(place, &item.class.path, amount)?, amount)),
            None => {
                if amount != 0 {
                    let untold = self.untold.entry(place).or_default();
                    *untold = untold.saturating_add(amount);
                }
                None
            }
        }
    }

    /// The path of an item's class.
    pub fn class(&self, number: usize) -> &str {
        self.classes.get(number).map_or("", String::as_str)
    }

    /// How many of each item there are in a place, by the path of its class.
    pub fn in_place(&self, place: Place) -> BTreeMap<&str, i64> {
        let from = self.totals.range((place, 0)..=(place, usize::MAX));
        from.map(|((_, number), amount)| (self.class(*number), *amount))
            .collect()
    }

    /// How many of each item there are in all, by the path of its class.
    pub fn in_all(&self) -> BTreeMap<&str, i64> {
        let mut all = BTreeMap::new();
        for ((_, number), amount) in &self.totals {
            let total: &mut i64 = all.entry(self.class(*number)).or_default();
            *total = total.saturating_add(*amount);
        }
        all
    }

    /// What everything holds, by the path of what holds it and the path of the item's class.
    pub fn by_owner(&self) -> BTreeMap<&str, BTreeMap<&str, i64>> {
        let mut owners: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
        for inventory in &self.inventories {
            let counts = owners.entry(&inventory.owner).or_default();
            for (number, amount) in &inventory.counts {
                let total = counts.entry(self.class(*number)).or_default();
                *total = total.saturating_add(*amount);
            }
        }
        owners
    }
}
