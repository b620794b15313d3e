//! The data of a recording for the page: an outline first, then pieces of columns around the playhead, and an overview
//! for charts.

use std::collections::BTreeMap;

use postgame::satisfactory::analysis::classes;
use postgame::timeline::{Entity, Sample, Timeline, Track, Values};
use serde_json::{Value, json};

use crate::library::Opened;
use crate::pack::Pack;

/// Maximum length of a piece, in seconds.
pub const LONGEST_PIECE_S: f64 = 60.0;
/// Maximum number of sample times in an overview.
const OVERVIEW_MOMENTS: usize = 1200;
/// Maximum number of values in an overview, over all entities.
const OVERVIEW_VALUES: usize = 4_000_000;
/// The column with the class of a thing in a factory, by the game's own name.
const CLASS: &str = "class";

/// Everything except changing values: summary, statistics, events, entities, and complete entities that never change.
pub fn outline(opened: &Opened) -> Vec<u8> {
    let Opened {
        format,
        summary,
        timeline,
        stats,
        findings,
        revision,
        recording: _,
    } = opened;
    let mut pack = Pack::default();
    let entities = entities(&mut pack, &timeline.entities);
    let events: Vec<Value> = timeline.events.iter().map(event).collect();
    let statics = statics(&mut pack, &timeline.entities);
    let index = json!({
        "format": format.id(),
        "game": format.game(),
        "revision": revision,
        "summary": summary,
        "stats": stats,
        "findings": findings,
        "start_s": timeline.start_s,
        "end_s": timeline.end_s,
        "entities": entities,
        "statics": statics,
        "events": events,
    });
    pack.finish(&index)
}

fn event(event: &postgame::timeline::Event) -> Value {
    let details: serde_json::Map<String, Value> = event
        .details
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    json!({
        "time_s": event.time_s,
        "frame": event.frame,
        "kind": event.kind,
        "who": event.who.map(|id| id.0),
        "whom": event.whom.map(|id| id.0),
        "position": event.position,
        "details": details,
    })
}

/// Names, kinds, parents and presence, as columns: a save has tens of thousands of entities.
fn entities(pack: &mut Pack, entities: &[Entity]) -> Value {
    let mut kinds: Vec<&str> = Vec::new();
    let kind_indices: Vec<u32> = entities
        .iter()
        .map(|entity| {
            let index = kinds.iter().position(|kind| *kind == entity.kind);
            index.unwrap_or_else(|| {
                kinds.push(entity.kind);
                kinds.len() - 1
            }) as u32
        })
        .collect();
    let parent = |entity: &Entity| entity.parent.map_or(u32::MAX, |parent| parent.0 as u32);
    let intervals = |entity: &Entity| entity.presence.intervals().len() as u32;
    json!({
        "count": entities.len(),
        "names": pack.texts(entities.iter().map(|entity| entity.name.as_str())),
        "kinds": kinds,
        "kind": pack.u32s(kind_indices),
        "parent": pack.u32s(entities.iter().map(parent)),
        "intervals": pack.u32s(entities.iter().map(intervals)),
        "presence_s": pack.f64s(
            entities.iter().flat_map(|entity| entity.presence.intervals()).flat_map(|&(start, end)| [start, end])
        ),
    })
}

/// True if all of its values are known from the start and never change: then it is sent once, in columns with others of
/// its kind.
///
/// A single value that comes later is a change, because there is none before it.
pub fn is_static(entity: &Entity) -> bool {
    let from_s = entity
        .presence
        .intervals()
        .first()
        .map(|&(start_s, _)| start_s);
    entity
        .tracks
        .iter()
        .all(|track| match track.times_s.as_slice() {
            [] => true,
            [time_s] => from_s.is_some_and(|from_s| *time_s <= from_s),
            _ => false,
        })
}

/// Entities that never change, as one set of columns for all with the same kind and column names.
fn statics(pack: &mut Pack, entities: &[Entity]) -> Vec<Value> {
    let mut groups: BTreeMap<(&str, Vec<&str>), Vec<usize>> = BTreeMap::new();
    for (id, entity) in entities.iter().enumerate() {
        if is_static(entity) {
            let full = entity
                .tracks
                .iter()
                .filter(|track| !track.times_s.is_empty());
            let names = full.flat_map(|track| track.columns.iter().map(|column| column.name));
            groups
                .entry((entity.kind, names.collect()))
                .or_default()
                .push(id);
        }
    }
    let mut all = Vec::new();
    for ((kind, names), ids) in groups {
        let mut columns = Vec::new();
        for name in names {
            if let Some(values) = gather(ids.iter().filter_map(|&id| entities.get(id)), name) {
                let mut column = pack.values(name, &values);
                if name == CLASS {
                    label(&mut column, &values);
                }
                columns.push(column);
            }
        }
        all.push(json!({
            "kind": kind,
            "entities": pack.u32s(ids.iter().map(|&id| id as u32)),
            "columns": columns,
        }));
    }
    all
}

/// Adds what people call the classes of a column.
fn label(column: &mut Value, values: &Values) {
    if let (Value::Object(column), Values::Name { names, .. }) = (column, values) {
        let labels = names.iter().map(|name| classes::readable(name));
        column.insert("labels".to_owned(), labels.collect());
    }
}

/// The first values of one column of many entities, as one column; `None` if they are of different kinds.
fn gather<'a>(entities: impl Iterator<Item = &'a Entity>, name: &str) -> Option<Values> {
    let mut gathered: Option<Values> = None;
    // `Values::push` looks a name up in a list, which is too slow for tens of thousands of different names.
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    for entity in entities {
        let mut columns = entity.tracks.iter().flat_map(|track| &track.columns);
        let sample = columns.find(|column| column.name == name)?.values.get(0)?;
        let values = gathered.get_or_insert_with(|| match sample {
            Sample::Position(_) => Values::Position(Vec::new()),
            Sample::Rotation(_) => Values::Rotation(Vec::new()),
            Sample::Scalar(_) => Values::Scalar(Vec::new()),
            Sample::Flag(_) => Values::Flag(Vec::new()),
            Sample::Name(_) => Values::Name {
                names: Vec::new(),
                indices: Vec::new(),
            },
        });
        match (values, sample) {
            (Values::Position(values), Sample::Position(value)) => values.push(value),
            (Values::Rotation(values), Sample::Rotation(value)) => values.push(value),
            (Values::Scalar(values), Sample::Scalar(value)) => values.push(value),
            (Values::Flag(values), Sample::Flag(value)) => values.push(value),
            (Values::Name { names, indices }, Sample::Name(value)) => {
                let index = *known.entry(value.to_owned()).or_insert_with(|| {
                    names.push(value.to_owned());
                    (names.len() - 1) as u32
                });
                indices.push(index);
            }
            _ => return None,
        }
    }
    gathered
}

/// The samples of everything that changes between two times, with the last sample before and the first one after.
pub fn piece(timeline: &Timeline, from_s: f64, to_s: f64) -> Vec<u8> {
    let mut pack = Pack::default();
    let mut tracks = Vec::new();
    for (id, entity) in timeline.entities.iter().enumerate() {
        if is_static(entity) {
            continue;
        }
        for track in &entity.tracks {
            let Track {
                times_s,
                hold,
                columns,
            } = track.slice(from_s, to_s);
            let columns: Vec<Value> = columns
                .iter()
                .map(|column| pack.values(column.name, &column.values))
                .collect();
            tracks.push(json!({
                "entity": id,
                "linear": hold.is_moving(),
                "rest_s": hold.rest_s(),
                "times_s": pack.f64s(times_s),
                "columns": columns,
            }));
        }
    }
    pack.finish(&json!({ "from_s": from_s, "to_s": to_s, "tracks": tracks }))
}

/// Positions and numbers of everything that changes, at equal steps over the whole recording, for charts and heat maps.
///
/// A missing value is NaN, which a chart skips.
pub fn overview(timeline: &Timeline) -> Vec<u8> {
    let moving: Vec<(usize, &Entity)> = timeline
        .entities
        .iter()
        .enumerate()
        .filter(|(_, entity)| !is_static(entity))
        .collect();
    let width: usize = moving
        .iter()
        .flat_map(|(_, entity)| &entity.tracks)
        .flat_map(|track| &track.columns)
        .map(|column| if is_position(&column.values) { 3 } else { 1 })
        .sum();
    let moments = (OVERVIEW_VALUES / width.max(1)).clamp(2, OVERVIEW_MOMENTS);
    let duration_s = timeline.duration_s().max(0.0);
    let times_s: Vec<f64> = (0..moments)
        .map(|index| timeline.start_s + duration_s * index as f64 / (moments - 1) as f64)
        .collect();
    let mut pack = Pack::default();
    let mut columns = Vec::new();
    for (id, entity) in moving {
        for column in entity.tracks.iter().flat_map(|track| &track.columns) {
            let (kind, size) = match &column.values {
                Values::Position(_) => ("position", 3),
                Values::Scalar(_) => ("scalar", 1),
                _ => continue,
            };
            let samples = entity.resample(column.name, &times_s);
            let values = samples.into_iter().flat_map(|sample| match sample {
                Some(Sample::Position(position)) => position,
                Some(Sample::Scalar(value)) => [value; 3],
                _ => [f32::NAN; 3],
            });
            let step = 3 / size;
            let place = pack.f32s(values.step_by(step));
            columns.push(json!({ "entity": id, "name": column.name, "kind": kind, "at": place }));
        }
    }
    let times_s = pack.f64s(times_s);
    pack.finish(&json!({ "times_s": times_s, "columns": columns }))
}

fn is_position(values: &Values) -> bool {
    matches!(values, Values::Position(_))
}

/// Every value of every entity present at a time, sampled by the library.
pub fn moment(timeline: &Timeline, time_s: f64) -> Value {
    let present = timeline.present_at(time_s).map(|(id, entity)| {
        let columns = entity.tracks.iter().flat_map(|track| &track.columns);
        let values = columns.filter_map(|column| {
            let value = match entity.sample(column.name, time_s)? {
                Sample::Position(value) => json!(value),
                Sample::Rotation(value) => json!(value),
                Sample::Scalar(value) => json!(value),
                Sample::Flag(value) => json!(value),
                Sample::Name(value) => json!(value),
            };
            Some((column.name.to_owned(), value))
        });
        let values: serde_json::Map<String, Value> = values.collect();
        json!({ "id": id.0, "name": entity.name, "kind": entity.kind, "values": values })
    });
    json!({ "time_s": time_s, "entities": present.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use postgame::timeline::{Column, Hold, Presence};

    use super::*;

    #[test]
    fn a_single_value_that_comes_late_is_a_change() {
        let team = |time_s| Entity {
            name: "Blue".to_owned(),
            kind: "team",
            parent: None,
            presence: Presence::from(0.0),
            tracks: vec![Track {
                times_s: vec![time_s],
                hold: Hold::Held,
                columns: vec![Column {
                    name: "score",
                    values: Values::Scalar(vec![1.0]),
                }],
            }],
        };
        assert!(is_static(&team(0.0)));
        assert!(!is_static(&team(31.0)));
    }
}
