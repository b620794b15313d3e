//! Items and projectiles, each in a slot for as long as it is there.

use super::Values;
use crate::slippi::codec::model::frames::Frames;

/// How many slots there are. More items at once are left out.
const SLOTS: usize = 15;

/// An item in a frame.
#[derive(Clone, Copy, Default)]
struct Item {
    is_there: bool,
    item_type: u16,
    state: u8,
    x: f32,
    y: f32,
}

/// Adds five columns for each slot.
pub(super) fn add(frames: &Frames, rows: &[usize], add: &mut impl FnMut(String, Values)) {
    let table = fill(frames, rows);
    for slot in 0..SLOTS {
        let name = |name: &str| format!("items.item_{slot}.{name}");
        let of = || table.iter().map(move |row| row[slot]);
        let there = of().map(|item| item.is_there).collect();
        add(name("exists"), Values::Flag(there));
        let types = of().map(|item| item.item_type).collect();
        add(name("type"), Values::U16(types));
        let states = of().map(|item| item.state).collect();
        add(name("state"), Values::U8(states));
        add(name("x"), Values::F32(of().map(|item| item.x).collect()));
        add(name("y"), Values::F32(of().map(|item| item.y).collect()));
    }
}

fn fill(frames: &Frames, rows: &[usize]) -> Vec<[Item; SLOTS]> {
    let columns = &frames.items.columns;
    let mut table = vec![[Item::default(); SLOTS]; rows.len()];
    // The slot freed last is given away first; at the start the lowest one.
    let mut free: Vec<usize> = (0..SLOTS).rev().collect();
    let mut taken: Vec<(u32, usize)> = Vec::new();
    for (row, items) in rows.iter().zip(&mut table) {
        let of_row = frames.items.of_row(*row);
        let ids = columns.spawn_id.get(of_row.clone()).unwrap_or_default();
        taken.retain(|&(id, slot)| {
            let is_there = ids.contains(&id);
            if !is_there {
                free.push(slot);
            }
            is_there
        });
        for (index, &id) in of_row.zip(ids) {
            let found = taken.iter().find(|(one, _)| *one == id);
            let slot = match found {
                Some(&(_, slot)) => slot,
                None => match free.pop() {
                    Some(slot) => {
                        taken.push((id, slot));
                        slot
                    }
                    None => continue,
                },
            };
            let Some(item) = items.get_mut(slot) else {
                continue;
            };
            *item = Item {
                is_there: true,
                item_type: columns.item_type.get(index).copied().unwrap_or_default(),
                state: columns.state.get(index).copied().unwrap_or_default(),
                x: columns.x.get(index).copied().unwrap_or_default(),
                y: columns.y.get(index).copied().unwrap_or_default(),
            };
        }
    }
    table
}
