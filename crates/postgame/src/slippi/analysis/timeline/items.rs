//! Items and projectiles, each from when it appears to when it is gone.

use super::{Cast, Clock};
use crate::slippi::codec::model::frames::Many;
use crate::slippi::codec::model::updates::Items;
use crate::slippi::coords;
use crate::slippi::names;
use crate::timeline::{Column, Entity, Hold, Presence, Timeline, Track, Values};

/// An item that is there.
struct Live {
    spawn_id: u32,
    item_type: u16,
    /// Its place in the timeline.
    entity: usize,
    /// The last frame it was in.
    seen: usize,
}

/// Adds all items.
pub(super) fn add(timeline: &mut Timeline, clock: &Clock<'_>, cast: &Cast) {
    let items = &clock.frames.items;
    if items.is_empty() {
        return;
    }
    let offsets = items.offsets(clock.frames.len());
    let mut live: Vec<Live> = Vec::new();
    for (frame, (&row, &time_s)) in clock.rows.iter().zip(&clock.times_s).enumerate() {
        let (Some(&start), Some(&end)) = (offsets.get(row), offsets.get(row + 1)) else {
            continue;
        };
        for index in start as usize..end as usize {
            see(timeline, items, index, frame, time_s, cast, &mut live);
        }
        live.retain(|one| {
            if one.seen == frame {
                return true;
            }
            if let Some(entity) = timeline.entities.get_mut(one.entity) {
                entity.presence.vanish(clock.next_s(one.seen));
            }
            false
        });
    }
}

/// What tells items apart; a development build of 2.2 has it in what is left of the event.
fn spawn_id(items: &Many<Items>, index: usize) -> Option<u32> {
    if let Some(id) = items.columns.spawn_id.get(index) {
        return Some(*id);
    }
    let tail = &items.columns.tail.0;
    let width = tail.len() / items.len().max(1);
    let bytes = tail.get(index * width..)?.first_chunk::<2>()?;
    (width == 2).then(|| u16::from_be_bytes(*bytes).into())
}

fn see(
    timeline: &mut Timeline,
    items: &Many<Items>,
    index: usize,
    frame: usize,
    time_s: f64,
    cast: &Cast,
    live: &mut Vec<Live>,
) -> Option<()> {
    let columns = &items.columns;
    let (item_type, id) = (*columns.item_type.get(index)?, spawn_id(items, index)?);
    let facing = *columns.facing.get(index)?;
    let position = coords::position(*columns.x.get(index)?, *columns.y.get(index)?);
    let state = f32::from(*columns.state.get(index)?);
    let known = live
        .iter_mut()
        .find(|one| (one.spawn_id, one.item_type) == (id, item_type) && one.seen != frame);
    let entity = match known {
        Some(known) => {
            known.seen = frame;
            known.entity
        }
        None => {
            let owner = columns.owner.get(index).copied();
            let parent = owner
                .and_then(|owner| u8::try_from(owner).ok())
                .and_then(|port| cast.leader(port));
            let name = match names::item(item_type) {
                Some(name) => format!("{name} {id}"),
                None => format!("Item {item_type} {id}"),
            };
            let entity = timeline.add(Entity {
                name,
                kind: "item",
                parent,
                presence: Presence::from(time_s),
                tracks: tracks(),
            });
            live.push(Live {
                spawn_id: id,
                item_type,
                entity: entity.0,
                seen: frame,
            });
            entity.0
        }
    };
    let tracks = &mut timeline.entities.get_mut(entity)?.tracks;
    if let [moved, turned, changed] = tracks.as_mut_slice() {
        if let Some(Values::Position(values)) = values(moved) {
            values.push(position);
            moved.times_s.push(time_s);
        }
        let rotation = coords::rotation(facing);
        if let Some(Values::Rotation(values)) = values(turned)
            && values.last() != Some(&rotation)
        {
            values.push(rotation);
            turned.times_s.push(time_s);
        }
        if let Some(Values::Scalar(values)) = values(changed)
            && values.last() != Some(&state)
        {
            values.push(state);
            changed.times_s.push(time_s);
        }
    }
    None
}

fn values(track: &mut Track) -> Option<&mut Values> {
    track.columns.first_mut().map(|column| &mut column.values)
}

fn tracks() -> Vec<Track> {
    vec![
        Track::new(Hold::Linear, vec![Column::positions("position")]),
        Track::new(Hold::Held, vec![Column::rotations("rotation")]),
        Track::new(Hold::Held, vec![Column::scalars("state")]),
    ]
}
