//! What lies in Satisfactory's world: nodes and wells, and everything to be found.

use arrow::error::ArrowError;
use postgame::satisfactory::classes::full_name;
use postgame::satisfactory::collectibles;
use postgame::satisfactory::production;
use postgame::{Depth, Format, Recording};

use super::satisfactory::play_time_s;
use crate::source::Source;
use crate::table::{TableOptions, table};

const SAVES: &[Format] = &[Format::Satisfactory];

table! {
    /// One row for every resource node, well and geyser of the world, and for every deposit in the file.
    pub Nodes = "nodes" of SAVES, at Depth::Full, by fill_nodes in nodes {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved.
        time_s: F64,
        /// The object's name in its level.
        node: Name,
        /// What it is: `node`, `well core`, `well satellite`, `geyser`, `deposit`.
        kind: Name,
        /// The class of the item it gives.
        resource: Name,
        /// The item's name in the game.
        resource_name: Name,
        /// How much it gives: `impure`, `normal`, `pure`; null for the middle of a well.
        purity: Name,
        /// Whether the save gives it another resource or purity than the usual world has.
        is_changed: Flag,
        /// For a hole of a well, the name of its middle.
        core: Name,
        /// How much is left, for what runs out.
        amount_left: I64,
        /// Whether a machine stands on it.
        is_taken: Flag,
        /// The path of the machine that stands on it.
        taken_by: Text,
        /// The machine's name in the game.
        taken_by_name: Name,
        /// Where it is.
        x_cm: F64,
        /// Where it is.
        y_cm: F64,
        /// Where it is, up.
        z_cm: F64,
    }
}

table! {
    /// One row for everything to be found in the world since game 1.0: slugs, artifacts, crash sites, tapes, loose parts.
    pub Collectibles = "collectibles" of SAVES, at Depth::Full, by fill_collectibles in found {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved.
        time_s: F64,
        /// The object's name in its level.
        object: Name,
        /// What it is: `blue slug`, `somersloop`, `mercer sphere`, `mercer shrine`, `crash site`, `tape`, `helmet`, `loot`.
        kind: Name,
        /// Whether it was found.
        is_found: Flag,
        /// What a crash site needs to open: an item with its amount, a power, or `nothing`.
        needs: Name,
        /// For loose parts, the class of the item.
        item: Name,
        /// For loose parts, how many.
        amount: U32,
        /// Where it is.
        x_cm: F64,
        /// Where it is.
        y_cm: F64,
        /// Where it is, up.
        z_cm: F64,
    }
}

fn fill_nodes(
    source: &Source,
    _: &TableOptions,
    rows: &mut nodes::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::Satisfactory(save) = &source.recording else {
        return Ok(());
    };
    let factory = production::factory(save);
    let time_s = play_time_s(source);
    for site in factory.nodes().sites() {
        let machine = site.taken_by.and_then(|index| factory.machines.get(index));
        let [x_cm, y_cm, z_cm] = site.position_cm.map_or([None; 3], |at| at.map(Some));
        rows.push(nodes::Row {
            recording_id: Some(&source.id),
            time_s,
            node: Some(site.name),
            kind: Some(site.kind.name()),
            resource: site.resource,
            resource_name: site.resource.map(full_name).as_deref(),
            purity: site.purity.map(|purity| purity.name()),
            is_changed: Some(site.is_changed),
            core: site.core,
            amount_left: site.left,
            is_taken: Some(machine.is_some()),
            taken_by: machine.map(|machine| machine.path.as_str()),
            taken_by_name: machine.map(|machine| full_name(&machine.class)).as_deref(),
            x_cm,
            y_cm,
            z_cm,
        })?;
    }
    Ok(())
}

fn fill_collectibles(
    source: &Source,
    _: &TableOptions,
    rows: &mut found::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::Satisfactory(save) = &source.recording else {
        return Ok(());
    };
    let time_s = play_time_s(source);
    let Some(all) = collectibles::collectibles(save) else {
        return Ok(());
    };
    for found in &all.finds {
        let [x_cm, y_cm, z_cm] = found.find.position_cm.map(Some);
        rows.push(found::Row {
            recording_id: Some(&source.id),
            time_s,
            object: Some(found.find.name),
            kind: Some(found.find.kind.name()),
            is_found: Some(found.is_found),
            needs: Some(found.find.needs).filter(|needs| !needs.is_empty()),
            item: None,
            amount: None,
            x_cm,
            y_cm,
            z_cm,
        })?;
    }
    for found in &all.loot {
        let [x_cm, y_cm, z_cm] = found.loot.position_cm.map(Some);
        rows.push(found::Row {
            recording_id: Some(&source.id),
            time_s,
            object: Some(found.loot.name),
            kind: Some("loot"),
            is_found: Some(found.is_found),
            needs: None,
            item: Some(found.loot.item),
            amount: Some(found.loot.amount),
            x_cm,
            y_cm,
            z_cm,
        })?;
    }
    Ok(())
}
