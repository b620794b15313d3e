//! Frames, items, buttons, stage events, rollbacks.

use std::collections::BTreeSet;

use postgame::slippi::model::frames::{Copies, Frames};
use serde_json::{Value, json};

use crate::load::{Fact, File};

pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    let frames = file.replay.frames.as_ref()?;
    let port = fact.port.and_then(|port| port.checked_sub(1));
    let row = || usize::try_from(fact.params.get("row")?.as_u64()?).ok();
    Some(match fact.fact.as_str() {
        "frames" => frames.rows(Copies::Final).len().into(),
        "frames.numbers_run_without_gap_from" => {
            let rows = frames.rows(Copies::Final);
            let ids: Vec<i32> = rows.iter().map(|&row| frames.ids[row]).collect();
            let is_whole = ids.windows(2).all(|pair| pair[1] == pair[0] + 1);
            json!(ids.first().filter(|_| is_whole))
        }
        "frames.present" => present(fact, frames, port?)?,
        "frame.pre" | "frame.post" => row_of(fact, frames, port?)?,
        "has_follower" => frames.character(port?, true).is_some().into(),
        "instance_ids.disjoint" => are_instances_disjoint(frames)?.into(),
        "instance_ids.items" => are_item_instances_of_first(frames)?.into(),
        "items.owner_range" => {
            let owners = &frames.items.columns.owner;
            // The fact says which owners there can be.
            let limit = |at: usize| fact.value.get(at).and_then(Value::as_i64);
            let possible = limit(0)?..=limit(1)?;
            let are_possible = owners.iter().all(|&one| possible.contains(&one.into()));
            json!(are_possible.then_some(&fact.value))
        }
        "items.spawn_ids_run_without_gap_from" => {
            let ids: BTreeSet<u32> = frames.items.columns.spawn_id.iter().copied().collect();
            let first = *ids.first()?;
            let is_whole = (first..).zip(&ids).all(|(wanted, &id)| wanted == id);
            json!(is_whole.then_some(first))
        }
        "items_at_row" => items_at(frames, row()?),
        "fountain.platforms_at_row" => {
            let of_row = frames.fod_platforms.of_row(row()?);
            let columns = &frames.fod_platforms.columns;
            let one = |index: usize| {
                let row = columns.row(index).unwrap();
                json!({"platform": row.platform, "height": row.height})
            };
            Value::Array(of_row.map(one).collect())
        }
        "fountain.height_step_below" => {
            let columns = &frames.fod_platforms.columns;
            // Left is platform 1 and starts at 20, right is 0 and starts at 28.
            let mut last = [28.0_f32, 20.0];
            let mut largest = 0.0_f32;
            for (platform, height) in columns.platform.iter().zip(&columns.height) {
                let last = &mut last[usize::from(*platform)];
                largest = largest.max((height - *last).abs());
                *last = *height;
            }
            let limit = fact.value.as_f64()?;
            json!((f64::from(largest) < limit).then_some(limit))
        }
        "rollback.frames" => frames.rolled_back_rows().into(),
        "rollback.mean_length" => {
            let lengths = rollbacks(frames);
            let sum: usize = lengths.iter().sum();
            (sum as f64 / lengths.len() as f64).into()
        }
        "button_sequence" => buttons(frames, port?)?,
        _ => return None,
    })
}

/// How many frames in a row were computed again.
fn rollbacks(frames: &Frames) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let is_new: Vec<bool> = frames.ids.iter().map(|id| seen.insert(*id)).collect();
    let runs = is_new.chunk_by(|one, other| one == other);
    runs.filter(|run| !run[0]).map(<[bool]>::len).collect()
}

fn present(fact: &Fact, frames: &Frames, port: u8) -> Option<Value> {
    let range = fact.params.get("frames")?;
    let last = i64::from(frames.last_frame()?);
    let number = |value: &Value| value.as_i64().unwrap_or(last);
    let range = number(range.get(0)?)..=number(range.get(1)?);
    let character = frames.character(port, false)?;
    let rows = frames.rows(Copies::Final);
    let rows = rows
        .iter()
        .filter(|&&row| range.contains(&frames.ids[row].into()));
    let there: BTreeSet<bool> = rows.map(|&row| character.post.at(row).is_some()).collect();
    let mut there = there.into_iter();
    match (there.next(), there.next()) {
        (Some(is_there), None) => Some(is_there.into()),
        _ => None,
    }
}

fn row_of(fact: &Fact, frames: &Frames, port: u8) -> Option<Value> {
    let row = match fact.params.get("row").and_then(Value::as_u64) {
        // Rows count computations of frames.
        Some(row) => usize::try_from(row).ok()?,
        None => {
            let frame = fact.params.get("frame")?.as_i64()?;
            let mut rows = frames.rows(Copies::Final).into_iter();
            rows.find(|&row| i64::from(frames.ids[row]) == frame)?
        }
    };
    let character = frames.character(port, false)?;
    match fact.fact.as_str() {
        "frame.pre" => serde_json::to_value(character.pre.columns.row(character.pre.at(row)?)?),
        _ => serde_json::to_value(character.post.columns.row(character.post.at(row)?)?),
    }
    .ok()
}

fn items_at(frames: &Frames, row: usize) -> Value {
    let columns = &frames.items.columns;
    let one = |index: usize| {
        let row = columns.row(index).unwrap();
        json!({
            "id": row.spawn_id,
            "damage": row.damage,
            "facing": row.facing,
            "x": row.x,
            "y": row.y,
            "state": row.state,
            "timer": row.timer,
            "type": row.item_type,
            "vx": row.velocity_x,
            "vy": row.velocity_y,
            "misc": [row.misc_1, row.misc_2, row.misc_3, row.misc_4],
            "owner": row.owner,
        })
    };
    Value::Array(frames.items.of_row(row).map(one).collect())
}

fn are_instances_disjoint(frames: &Frames) -> Option<bool> {
    let [one, other] = frames.characters.as_slice() else {
        return None;
    };
    let own = |list: &[u16]| list.iter().copied().filter(|&id| id != 0).collect();
    let first: BTreeSet<u16> = own(&one.post.columns.instance);
    let second: BTreeSet<u16> = own(&other.post.columns.instance);
    let hit: BTreeSet<u16> = own(&other.post.columns.instance_hit_by);
    Some(first.is_disjoint(&second) && hit.is_subset(&first))
}

fn are_item_instances_of_first(frames: &Frames) -> Option<bool> {
    const SHY_GUY: u16 = 210;
    let first = frames.characters.first()?;
    let own: BTreeSet<u16> = first.post.columns.instance.iter().copied().collect();
    let items = &frames.items.columns;
    let mut pairs = items.item_type.iter().zip(&items.instance);
    Some(pairs.all(|(kind, id)| match *kind {
        SHY_GUY => *id == 0,
        _ => own.contains(id),
    }))
}

fn buttons(frames: &Frames, port: u8) -> Option<Value> {
    let pre = &frames.character(port, false)?.pre.columns;
    let pairs = pre.buttons.iter().zip(&pre.physical_buttons);
    let pairs = pairs.map(|(&game, &physical)| (game, physical));
    let mut pairs: Vec<(u32, u16)> = pairs.filter(|pair| *pair != (0, 0)).collect();
    pairs.dedup();
    Some(json!(pairs))
}
