//! What is in a Satisfactory factory: inventories, belts with what is on them, electric circuits.

use std::collections::HashMap;

use arrow::error::ArrowError;
use postgame::Depth;
use postgame::satisfactory::classes::{full_name, readable};
use postgame::satisfactory::model::items::BeltItem;
use postgame::satisfactory::model::{Properties, Struct, Tail, Value};

use super::satisfactory::{GAME, body, play_time_s, short, visit};
use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every slot of an inventory that holds something.
    pub Inventories = "inventories" of GAME, at Depth::Full, by fill_inventories in inventories {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The inventory's number among the objects.
        object: U32,
        /// The inventory's name within its owner, such as `StorageInventory`.
        inventory: Name,
        /// The path of what it belongs to.
        owner: Text,
        /// The class of what it belongs to.
        owner_class: Name,
        /// The slot, from 0.
        slot: U32,
        /// What is in it: the item's class, such as `Desc_IronPlate_C`.
        item: Name,
        /// The item's name in the game.
        item_name: Name,
        /// How many.
        amount: I64,
    }
}

table! {
    /// One row for every belt and lift.
    pub Belts = "belts" of GAME, at Depth::Full, by fill_belts in belts {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The belt's number among the objects; null where only its chain tells of it.
        object: U32,
        /// The belt's path.
        belt: Text,
        /// The chain it is a part of, from game version 1.0 on.
        chain: Text,
        /// Its place in the chain, from 0.
        place: I32,
        /// How long it is.
        length_cm: F32,
        /// How many items are on it; of a belt in a chain, null: the chain has them.
        items: U32,
    }
}

table! {
    /// One row for every item on a belt or on a chain of belts.
    pub BeltItems = "belt_items" of GAME, at Depth::Full, by fill_belt_items in belt_items {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The belt's or chain's number among the objects.
        object: U32,
        /// Whether it is a chain of belts.
        is_chain: Flag,
        /// What it is: the item's class.
        item: Name,
        /// The item's name in the game.
        item_name: Name,
        /// How far along it is.
        offset_cm: F32,
    }
}

table! {
    /// One row for everything that is connected to an electric circuit.
    pub Circuits = "circuits" of GAME, at Depth::Full, by fill_circuits in circuits {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The circuit's number in the game.
        circuit: I32,
        /// The circuit's number among the objects.
        object: U32,
        /// The path of the connection.
        connection: Text,
        /// The path of what is connected.
        building: Text,
        /// The class of what is connected.
        building_class: Name,
        /// Its name in the game.
        building_name: Name,
    }
}

/// What a component belongs to, and its own name: `…:PersistentLevel.Build_Storage_C_1` and `StorageInventory`.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// The class of every actor, by its path.
fn classes(source: &Source) -> HashMap<String, String> {
    let mut classes = HashMap::new();
    let Some(body) = body(source) else {
        return classes;
    };
    let decoder = body.decoder();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            if let Ok(header) = decoder.header(form, entry)
                && header.is_actor()
            {
                let class = header.class.to_str();
                classes.insert(
                    header.reference.path.to_str().into_owned(),
                    short(&class).to_owned(),
                );
            }
        }
    }
    classes
}

/// A property's whole number.
fn whole(properties: &Properties, name: &str) -> Option<i64> {
    match properties.value(name)? {
        Value::Int(value) => Some((*value).into()),
        Value::Int64(value) => Some(*value),
        _ => None,
    }
}

fn fill_inventories(
    source: &Source,
    _: &TableOptions,
    rows: &mut inventories::Rows<'_>,
) -> Result<(), ArrowError> {
    let time_s = play_time_s(source);
    let classes = match rows.columns.owner_class {
        Some(_) => classes(source),
        None => HashMap::new(),
    };
    let has_name = rows.columns.item_name.is_some();
    let is_inventory = |class: &str| class.contains("Inventory");
    visit(source, is_inventory, |found| {
        let path = found.object.header.reference.path.to_str();
        let (owner, inventory) = split(&path);
        let Some(Value::List(stacks)) = found
            .properties()
            .and_then(|properties| properties.value("mInventoryStacks"))
        else {
            return Ok(());
        };
        for (slot, stack) in stacks.items.iter().enumerate() {
            let Some((item, amount)) = self::stack(stack) else {
                continue;
            };
            rows.push(inventories::Row {
                recording_id: Some(&source.id),
                time_s,
                object: Some(found.number),
                inventory: Some(inventory),
                owner: Some(owner),
                owner_class: classes.get(owner).map(String::as_str),
                slot: u32::try_from(slot).ok(),
                item: Some(short(&item)),
                item_name: has_name.then(|| full_name(&item)).as_deref(),
                amount: Some(amount),
            })?;
        }
        Ok(())
    })
}

/// What is in a slot, and how many; `None` for an empty one.
fn stack(stack: &Value) -> Option<(String, i64)> {
    let Value::Struct(Struct::Properties(stack)) = stack else {
        return None;
    };
    let Value::Struct(Struct::Item(item)) = stack.value("Item")? else {
        return None;
    };
    let amount = whole(stack, "NumItems")?;
    (!item.class.is_none() && amount > 0).then(|| (item.class.path.to_str().into_owned(), amount))
}

fn fill_belts(
    source: &Source,
    _: &TableOptions,
    rows: &mut belts::Rows<'_>,
) -> Result<(), ArrowError> {
    let time_s = play_time_s(source);
    visit(source, is_conveyor, |found| {
        let path = found.object.header.reference.path.to_str();
        match found.tail() {
            Some(Tail::Chain(chain)) => {
                for segment in &chain.segments {
                    rows.push(belts::Row {
                        recording_id: Some(&source.id),
                        time_s,
                        object: None,
                        belt: Some(&segment.belt.path.to_str()),
                        chain: Some(&path),
                        place: Some(segment.index),
                        length_cm: Some(segment.ends_at_cm - segment.starts_at_cm),
                        items: None,
                    })?;
                }
                Ok(())
            }
            // In a save with chains the belts themselves hold nothing, and the chain tells of them.
            Some(Tail::Belt(items)) if !has_chain(&found) => rows.push(belts::Row {
                recording_id: Some(&source.id),
                time_s,
                object: Some(found.number),
                belt: Some(&path),
                chain: None,
                place: None,
                length_cm: None,
                items: u32::try_from(items.len()).ok(),
            }),
            _ => Ok(()),
        }
    })
}

fn is_conveyor(class: &str) -> bool {
    class.contains("Conveyor")
}

fn has_chain(found: &super::satisfactory::Found<'_>) -> bool {
    let chain = found
        .properties()
        .and_then(|properties| properties.value("mConveyorChainActor"));
    matches!(chain, Some(Value::Object(chain)) if !chain.is_none())
}

fn fill_belt_items(
    source: &Source,
    _: &TableOptions,
    rows: &mut belt_items::Rows<'_>,
) -> Result<(), ArrowError> {
    let time_s = play_time_s(source);
    let has_name = rows.columns.item_name.is_some();
    visit(source, is_conveyor, |found| {
        let (is_chain, items): (bool, &[BeltItem]) = match found.tail() {
            Some(Tail::Chain(chain)) => (true, &chain.items),
            Some(Tail::Belt(items)) => (false, items),
            _ => return Ok(()),
        };
        for item in items.iter().filter(|item| !item.item.class.is_none()) {
            rows.push(belt_items::Row {
                recording_id: Some(&source.id),
                time_s,
                object: Some(found.number),
                is_chain: Some(is_chain),
                item: Some(short(&item.item.class.path.to_str())),
                item_name: has_name
                    .then(|| full_name(&item.item.class.path.to_str()))
                    .as_deref(),
                offset_cm: Some(item.offset_cm),
            })?;
        }
        Ok(())
    })
}

fn fill_circuits(
    source: &Source,
    _: &TableOptions,
    rows: &mut circuits::Rows<'_>,
) -> Result<(), ArrowError> {
    let time_s = play_time_s(source);
    let needs_classes =
        rows.columns.building_class.is_some() || rows.columns.building_name.is_some();
    let classes = if needs_classes {
        classes(source)
    } else {
        HashMap::new()
    };
    let is_circuit = |class: &str| class.contains("Circuit") && !class.contains("Subsystem");
    visit(source, is_circuit, |found| {
        let Some(properties) = found.properties() else {
            return Ok(());
        };
        let Some(Value::List(connections)) = properties.value("mComponents") else {
            return Ok(());
        };
        let circuit = whole(properties, "mCircuitID").and_then(|id| i32::try_from(id).ok());
        for connection in &connections.items {
            let Value::Object(connection) = connection else {
                continue;
            };
            let path = connection.path.to_str();
            let (building, _) = split(&path);
            rows.push(circuits::Row {
                recording_id: Some(&source.id),
                time_s,
                circuit,
                object: Some(found.number),
                connection: Some(&path),
                building: Some(building),
                building_class: classes.get(building).map(String::as_str),
                building_name: classes
                    .get(building)
                    .map(|class| readable(class))
                    .as_deref(),
            })?;
        }
        Ok(())
    })
}
