//! Details of a factory beyond boxes: belts, pipes, rails and wires as lines, and the contents of a building.

use std::collections::{BTreeMap, HashMap};

use postgame::Recording;
use postgame::satisfactory::Body;
use postgame::satisfactory::analysis::classes;
use postgame::satisfactory::coords;
use postgame::satisfactory::model::{Object, Properties, Struct, Tail, Value};
use serde_json::json;

use crate::pack::Pack;

/// Points on each piece of a curve: belts bend gently.
const STEPS: usize = 6;
/// Maximum number of components of a building whose contents are returned.
const MAX_COMPONENTS: usize = 40;
/// Maximum number of values returned of a list.
const MAX_ITEMS: usize = 60;

/// The kinds of line, by words in their classes' names.
const KINDS: &[(&str, &str)] = &[
    ("ConveyorBelt", "belts"),
    ("ConveyorLift", "belts"),
    ("PipeHyper", "hypertubes"),
    ("Pipeline", "pipes"),
    ("RailroadTrack", "rails"),
];

fn body(recording: &Recording) -> Option<&Body> {
    match recording {
        Recording::Satisfactory(save) => save.body.as_ref(),
        Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_ref(),
        _ => None,
    }
}

/// All lines, in metres, as pairs of points.
pub fn lines(recording: &Recording) -> Vec<u8> {
    let mut kinds: BTreeMap<&str, Vec<[f32; 3]>> = BTreeMap::new();
    if let Some(body) = body(recording) {
        let decoder = body.decoder();
        let mut places: HashMap<String, [f32; 3]> = HashMap::new();
        let mut wires: Vec<(String, String)> = Vec::new();
        for level in body.all_levels() {
            let form = body.form(level);
            for entry in &level.objects {
                let Ok(header) = decoder.header(form, entry) else {
                    continue;
                };
                let Some(placement) = header.placement() else {
                    continue;
                };
                let position = placement.position_cm.map(f64::from);
                let path = header.reference.path.to_str().into_owned();
                let class = header.class.to_str();
                let kind = KINDS.iter().find(|(part, _)| class.contains(part));
                let is_wire = class.contains("PowerLine") || class.contains("XmassLights");
                if kind.is_some() || is_wire {
                    let Ok((object, _)) = decoder.object(form, entry) else {
                        continue;
                    };
                    if let Some((_, kind)) = kind {
                        let turn = placement.rotation.map(f64::from);
                        spline(&object, position, turn, kinds.entry(kind).or_default());
                    } else if let Some(Tail::Wire(wire)) = tail(&object) {
                        let owner =
                            |path: &str| path.rsplit_once('.').map(|(owner, _)| owner.to_owned());
                        let ends = (
                            owner(&wire.first.path.to_str()),
                            owner(&wire.second.path.to_str()),
                        );
                        if let (Some(first), Some(second)) = ends {
                            wires.push((first, second));
                        }
                    }
                }
                places.insert(path, coords::position(position));
            }
        }
        let between = wires
            .iter()
            .filter_map(|(first, second)| Some([*places.get(first)?, *places.get(second)?]));
        kinds.entry("wires").or_default().extend(between.flatten());
    }
    let mut pack = Pack::default();
    let lines: Vec<_> = kinds
        .into_iter()
        .filter(|(_, points)| !points.is_empty())
        .map(|(kind, points)| json!({ "kind": kind, "points": pack.f32s(points.into_iter().flatten()) }))
        .collect();
    pack.finish(&json!({ "lines": lines }))
}

/// The map of explored areas: a square image with one byte per point, 255 if fully explored; empty if the save has
/// none.
///
/// The save keeps four bytes for each point, and the third one is relevant (`docs/formats/satisfactory.md`).
pub fn fog(recording: &Recording) -> Vec<u8> {
    let raw = body(recording).and_then(|body| {
        let place = body.find_where(|header| header.class.to_str().ends_with(".FGMapManager"))?;
        let object = body.object(place).ok()?;
        match &properties(&object)?.find("mFogOfWarRawData")?.value {
            Value::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    });
    let raw = raw.unwrap_or_default();
    let side = (raw.len() / 4).isqrt();
    let mut pack = Pack::default();
    let seen = raw.iter().skip(2).step_by(4).take(side * side);
    let seen = pack.bytes(seen.copied());
    pack.finish(&json!({ "side": side, "seen": seen }))
}

fn tail(object: &Object) -> Option<&Tail> {
    object.data.as_ref()?.fields()?.tail.as_ref()
}

fn properties(object: &Object) -> Option<&Properties> {
    object.data.as_ref()?.properties()
}

/// The curve of a belt, pipe or rail, as pairs of points in world space.
fn spline(object: &Object, position: [f64; 3], rotation: [f64; 4], points: &mut Vec<[f32; 3]>) {
    let Some(Value::List(list)) = properties(object)
        .and_then(|properties| properties.find("mSplineData"))
        .map(|property| &property.value)
    else {
        return;
    };
    let vector = |properties: &Properties, name: &str| match &properties.find(name)?.value {
        Value::Struct(Struct::Real3(reals)) => Some(reals.to_f64()),
        _ => None,
    };
    let knots = list.items.iter().filter_map(|item| {
        let Value::Struct(Struct::Properties(knot)) = item else {
            return None;
        };
        let location = vector(knot, "Location").unwrap_or_default();
        Some((
            location,
            vector(knot, "ArriveTangent").unwrap_or_default(),
            vector(knot, "LeaveTangent").unwrap_or_default(),
        ))
    });
    let knots: Vec<_> = knots.collect();
    let mut before: Option<[f32; 3]> = None;
    for pair in knots.windows(2) {
        let [(from, _, leave), (to, arrive, _)] = pair else {
            continue;
        };
        for step in 0..=STEPS {
            let t = step as f64 / STEPS as f64;
            let (t2, t3) = (t * t, t * t * t);
            let local: [f64; 3] = std::array::from_fn(|axis| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * from[axis]
                    + (t3 - 2.0 * t2 + t) * leave[axis]
                    + (3.0 * t2 - 2.0 * t3) * to[axis]
                    + (t3 - t2) * arrive[axis]
            });
            let turned = turn(rotation, local);
            let point = coords::position(std::array::from_fn(|axis| position[axis] + turned[axis]));
            if let Some(before) = before.filter(|_| step > 0) {
                points.extend([before, point]);
            }
            before = Some(point);
        }
    }
}

/// A vector rotated by a quaternion.
fn turn([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let once = cross([x, y, z], v);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|axis| v[axis] + 2.0 * (w * once[axis] + twice[axis]))
}

/// The properties of a save's object and of its components, by the object's name, as names and texts.
///
/// `None` if there is no such object.
pub fn details(recording: &Recording, name: &str) -> Option<serde_json::Value> {
    let body = body(recording)?;
    let place = body.find_where(|header| {
        let path = header.reference.path.to_str();
        path.rsplit('.').next() == Some(name)
    })?;
    let object = body.object(place).ok()?;
    let mut rows = Vec::new();
    describe(&object, "", &mut rows);
    let components = object
        .data
        .as_ref()
        .and_then(|data| data.fields())
        .and_then(|fields| fields.components.as_ref());
    for reference in components.into_iter().flatten().take(MAX_COMPONENTS) {
        let path = reference.path.to_str();
        let part = body.find(&path).and_then(|place| body.object(place).ok());
        if let Some(part) = part {
            describe(
                &part,
                path.rsplit('.').next().unwrap_or_default(),
                &mut rows,
            );
        }
    }
    Some(json!({ "class": object.header.class.to_str(), "rows": rows }))
}

fn describe(object: &Object, part: &str, rows: &mut Vec<(String, String)>) {
    for property in properties(object).map_or(&[][..], |properties| &properties.0) {
        let name = property.name().to_str();
        let name = if part.is_empty() {
            name.into_owned()
        } else {
            format!("{part}: {name}")
        };
        let text = text(&property.value);
        if !text.is_empty() {
            rows.push((name, text));
        }
    }
}

/// A value as one line; empty if it is not useful to a person.
fn text(value: &Value) -> String {
    match value {
        Value::Bool(value) => if *value == 0 { "no" } else { "yes" }.to_owned(),
        Value::Byte(value) => value.to_string(),
        Value::Int8(value) => value.to_string(),
        Value::Int16(value) => value.to_string(),
        Value::UInt16(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt32(value) => value.to_string(),
        Value::Int64(value) => value.to_string(),
        Value::UInt64(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Double(value) => value.to_string(),
        Value::Str(value) => value.to_str().into_owned(),
        Value::Object(reference) => last(&reference.path.to_str()),
        Value::Struct(value) => structure(value),
        Value::List(list) => {
            let items = list.items.iter().take(MAX_ITEMS).map(text);
            items
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(", ")
        }
        _ => String::new(),
    }
}

fn structure(value: &Struct) -> String {
    match value {
        Struct::Properties(properties) if properties.0.iter().any(is_empty_slot) => String::new(),
        Struct::Properties(properties) => {
            let parts = properties.0.iter().map(|property| text(&property.value));
            parts
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(" × ")
        }
        Struct::Real3(reals) => reals.to_f64().map(|part| format!("{part:.0}")).join(" "),
        // An item in an inventory slot; an empty slot has no class.
        Struct::Item(item) => last(&item.class.path.to_str()),
        _ => String::new(),
    }
}

fn is_empty_slot(property: &postgame::satisfactory::model::Property) -> bool {
    matches!(&property.value, Value::Struct(Struct::Item(item)) if item.class.is_none())
}

/// What people call what a path leads to.
fn last(path: &str) -> String {
    classes::full_name(path)
}
