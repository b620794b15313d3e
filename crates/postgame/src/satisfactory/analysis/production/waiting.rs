//! Why a machine stands: what it holds tells whether it waits for input or for room.

use std::collections::HashMap;

use super::machine::{Activity, Machine, MachineKind};
use crate::satisfactory::catalogue;
use crate::satisfactory::codec::model::{Properties, Struct, Value};
use crate::satisfactory::codec::summary::short_class;

/// Litres in a cubic metre: stacks of fluids are in litres, recipes in cubic metres.
const LITRES_PER_M3: f64 = 1000.0;

/// What a machine's inventories hold, by the item's class: pieces or litres.
#[derive(Clone, Debug, Default)]
pub(super) struct Holdings {
    input: HashMap<String, f64>,
    output: HashMap<String, f64>,
    fuel: f64,
    has_output: bool,
}

impl Holdings {
    /// True for the inventories that tell something; `name` is that of the component.
    pub fn is_wanted(name: &str) -> bool {
        matches!(name, "InputInventory" | "OutputInventory" | "FuelInventory")
    }

    /// Adds an inventory by the name of its component.
    pub fn add(&mut self, name: &str, inventory: &Properties) {
        for stack in inventory.list("mInventoryStacks").iter() {
            let Some(stack) = stack.properties() else {
                continue;
            };
            let (Some(Value::Struct(Struct::Item(item))), Some(amount)) =
                (stack.value("Item"), stack.int("NumItems"))
            else {
                continue;
            };
            let amount = amount as f64;
            match name {
                "FuelInventory" => self.fuel += amount,
                "OutputInventory" => *self.of(true, &item.class.path.to_str()) += amount,
                _ => *self.of(false, &item.class.path.to_str()) += amount,
            }
        }
        self.has_output |= name == "OutputInventory";
    }

    fn of(&mut self, is_output: bool, path: &str) -> &mut f64 {
        let table = if is_output {
            &mut self.output
        } else {
            &mut self.input
        };
        table.entry(short_class(path).to_owned()).or_default()
    }

    /// What a machine that stands for no other reason waits for.
    pub fn reason(&self, machine: &Machine) -> Option<Activity> {
        match machine.kind {
            MachineKind::Manufacturer => self.of_recipe(machine),
            MachineKind::Extractor => self.is_full().then_some(Activity::Blocked),
            MachineKind::Generator => {
                let burns = machine
                    .building()
                    .is_some_and(|known| !known.fuels.is_empty());
                (burns && self.fuel == 0.0).then_some(Activity::Starved)
            }
            MachineKind::Pressurizer | MachineKind::Consumer => None,
        }
    }

    fn of_recipe(&self, machine: &Machine) -> Option<Activity> {
        let recipe = machine.known_recipe()?;
        let stored = |class: &str, amount: f64| match catalogue::item(class) {
            Some(item) if item.is_fluid() => (amount * LITRES_PER_M3, item.stack_size),
            Some(item) => (amount, item.stack_size),
            None => (amount, None),
        };
        let has_no_room = recipe.products.iter().any(|(class, amount)| {
            let (amount, room) = stored(class, amount * machine.boost);
            let there = self.output.get(*class).copied().unwrap_or(0.0);
            room.is_some_and(|room| there + amount > room)
        });
        if has_no_room {
            return Some(Activity::Blocked);
        }
        let lacks = recipe.ingredients.iter().any(|(class, amount)| {
            self.input.get(*class).copied().unwrap_or(0.0) < stored(class, *amount).0
        });
        lacks.then_some(Activity::Starved)
    }

    /// Whether one more piece or cubic metre would not fit into the output.
    fn is_full(&self) -> bool {
        self.has_output
            && self.output.iter().any(|(class, amount)| {
                let item = catalogue::item(class);
                let room = item.and_then(|item| item.stack_size);
                room.is_some_and(|room| {
                    let step = match item {
                        Some(item) if item.is_fluid() => LITRES_PER_M3,
                        _ => 1.0,
                    };
                    amount + step > room
                })
            })
    }
}
