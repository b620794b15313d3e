//! Satisfactory's tables of everything: objects and their properties. Of saves and blueprints.

use std::borrow::Cow;

use arrow::error::ArrowError;
use postgame::satisfactory::Body;
use postgame::satisfactory::classes::full_name;
use postgame::satisfactory::model::{Object, Properties, Struct, Tail, Value};
use postgame::{Depth, Format, Recording};

use crate::source::Source;
use crate::table::{TableOptions, table};

pub(super) const GAME: &[Format] = &[Format::Satisfactory, Format::SatisfactoryBlueprint];

table! {
    /// One row for every object, and for every building that has no object of its own.
    pub Objects = "objects" of GAME, at Depth::Full, by fill_objects in objects {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The object's number in the file, from 0; null for a building without an object.
        object: U32,
        /// The level it is in; null for the persistent one.
        level: Name,
        /// Its class, without the path.
        class: Name,
        /// The class's name in the game, or its words; a mod's with the mod before them.
        name: Name,
        /// Its path, unique within its level; null for a building without an object.
        path: Text,
        /// What it is a part of; null for what stands in the world.
        outer: Text,
        /// Whether it stands in the world.
        is_actor: Flag,
        /// Where.
        x_cm: F64,
        /// Where.
        y_cm: F64,
        /// Where, up.
        z_cm: F64,
        /// How it is turned: a quaternion.
        qx: F32,
        /// How it is turned.
        qy: F32,
        /// How it is turned.
        qz: F32,
        /// How it is turned.
        qw: F32,
        /// What it was built with, for a building without an object.
        recipe: Name,
    }
}

table! {
    /// One row for every value in every object's properties; those within structures and lists have a path.
    pub AllProperties = "properties" of GAME, at Depth::Full, by fill_properties in properties {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The object's number in the file, from 0.
        object: U32,
        /// The object's class, without the path.
        class: Name,
        /// The property, and where in it: `mInventoryStacks[2].NumItems`.
        property: Name,
        /// How the value is stored.
        kind: Name,
        /// The value of a number; 0 or 1 of what is yes or no.
        number: F64,
        /// The value of anything else: text as it is, an object's path, numbers separated by commas.
        text: Text,
    }
}

pub(super) fn body(source: &Source) -> Option<&Body> {
    match &source.recording {
        Recording::Satisfactory(save) => save.body.as_ref(),
        Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_ref(),
        _ => None,
    }
}

/// The play time at which a game was saved.
pub(crate) fn play_time_s(source: &Source) -> Option<f64> {
    match &source.recording {
        Recording::Satisfactory(save) => save.header.play_duration_s.map(f64::from),
        _ => None,
    }
}

/// The last part of a path: `Desc_IronPlate_C` of `/Game/…/Desc_IronPlate.Desc_IronPlate_C`.
pub(super) fn short(path: &str) -> &str {
    path.rsplit(['.', '/']).next().unwrap_or(path)
}

/// An object of a body: its number in the file, and itself.
pub(super) struct Found<'a> {
    pub number: u32,
    pub object: Cow<'a, Object>,
}

impl Found<'_> {
    pub fn properties(&self) -> Option<&Properties> {
        self.object.data.as_ref()?.properties()
    }

    pub fn tail(&self) -> Option<&Tail> {
        self.object.data.as_ref()?.fields()?.tail.as_ref()
    }
}

/// Decodes the objects of a recording whose class is wanted, one at a time.
pub(super) fn visit(
    source: &Source,
    wants: impl Fn(&str) -> bool,
    mut visit: impl FnMut(Found<'_>) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    let Some(body) = body(source) else {
        return Ok(());
    };
    let decoder = body.decoder();
    let mut number = 0;
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            number += 1;
            let header = decoder.header(form, entry);
            if !header.is_ok_and(|header| wants(short(&header.class.to_str()))) {
                continue;
            }
            let Ok((object, _)) = decoder.object(form, entry) else {
                continue;
            };
            visit(Found {
                number: number - 1,
                object,
            })?;
        }
    }
    Ok(())
}

fn fill_objects(
    source: &Source,
    _: &TableOptions,
    rows: &mut objects::Rows<'_>,
) -> Result<(), ArrowError> {
    use postgame::satisfactory::model::object::ObjectKind;

    let Some(body) = body(source) else {
        return Ok(());
    };
    let time_s = play_time_s(source);
    let has_name = rows.columns.name.is_some();
    let decoder = body.decoder();
    let mut number = 0;
    for level in body.all_levels() {
        let form = body.form(level);
        let level_name = level.name.as_ref().map(|name| name.to_str());
        for entry in &level.objects {
            number += 1;
            // The table of contents tells all there is to say: the objects themselves stay as they are.
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            let class_path = header.class.to_str();
            let class = short(&class_path);
            let (placement, outer) = match &header.kind {
                ObjectKind::Actor(placement) => (Some(placement), None),
                ObjectKind::Component { outer } => (None, Some(outer.to_str())),
            };
            let placed = placement.filter(|placement| placement.needs_transform.is_set());
            let [x_cm, y_cm, z_cm] = placed.map_or([None; 3], |placement| {
                placement.position_cm.map(|part| Some(part.into()))
            });
            let [qx, qy, qz, qw] =
                placed.map_or([None; 4], |placement| placement.rotation.map(Some));
            rows.push(objects::Row {
                recording_id: Some(&source.id),
                time_s,
                object: Some(number - 1),
                level: level_name.as_deref(),
                class: Some(class),
                name: has_name.then(|| full_name(&class_path)).as_deref(),
                path: Some(&header.reference.path.to_str()),
                outer: outer.as_deref(),
                is_actor: Some(placement.is_some()),
                x_cm,
                y_cm,
                z_cm,
                qx,
                qy,
                qz,
                qw,
                recipe: None,
            })?;
            if class != "FGLightweightBuildableSubsystem" {
                continue;
            }
            let Ok((object, _)) = decoder.object(form, entry) else {
                continue;
            };
            let data = object.data.as_ref().and_then(|data| data.fields());
            let Some(Tail::Lightweight(lightweight)) = data.and_then(|fields| fields.tail.as_ref())
            else {
                continue;
            };
            for (class, instance) in lightweight.instances() {
                let [x_cm, y_cm, z_cm] = instance.position_cm.map(Some);
                let [qx, qy, qz, qw] = instance.rotation.map(|part| Some(part as f32));
                rows.push(objects::Row {
                    recording_id: Some(&source.id),
                    time_s,
                    object: None,
                    level: level_name.as_deref(),
                    class: Some(short(&class.path.to_str())),
                    name: has_name.then(|| full_name(&class.path.to_str())).as_deref(),
                    path: None,
                    outer: None,
                    is_actor: Some(true),
                    x_cm,
                    y_cm,
                    z_cm,
                    qx,
                    qy,
                    qz,
                    qw,
                    recipe: Some(short(&instance.recipe.path.to_str()))
                        .filter(|recipe| !recipe.is_empty()),
                })?;
            }
        }
    }
    Ok(())
}

fn fill_properties(
    source: &Source,
    _: &TableOptions,
    rows: &mut properties::Rows<'_>,
) -> Result<(), ArrowError> {
    let time_s = play_time_s(source);
    visit(
        source,
        |_| true,
        |found| {
            let class = found.object.header.class.to_str();
            let mut row = PropertyRows {
                rows: &mut *rows,
                id: &source.id,
                time_s,
                object: found.number,
                class: short(&class),
                path: String::new(),
            };
            found
                .properties()
                .map_or(Ok(()), |properties| row.list(properties))
        },
    )
}

/// Makes rows of one object's properties.
struct PropertyRows<'a, 'r> {
    rows: &'a mut properties::Rows<'r>,
    id: &'a str,
    time_s: Option<f64>,
    object: u32,
    class: &'a str,
    path: String,
}

impl PropertyRows<'_, '_> {
    /// Does something one step deeper in the path.
    fn within(
        &mut self,
        step: std::fmt::Arguments<'_>,
        value: impl FnOnce(&mut Self) -> Result<(), ArrowError>,
    ) -> Result<(), ArrowError> {
        use std::fmt::Write as _;

        let length = self.path.len();
        let result = match write!(self.path, "{step}") {
            Ok(()) => value(self),
            Err(error) => Err(ArrowError::ComputeError(error.to_string())),
        };
        self.path.truncate(length);
        result
    }

    fn list(&mut self, properties: &Properties) -> Result<(), ArrowError> {
        let dot = if self.path.is_empty() { "" } else { "." };
        for property in &properties.0 {
            let name = property.name().to_str();
            match property.index {
                0 => self.within(format_args!("{dot}{name}"), |row| {
                    row.value(&property.value)
                })?,
                index => self.within(format_args!("{dot}{name}#{index}"), |row| {
                    row.value(&property.value)
                })?,
            }
        }
        Ok(())
    }

    fn number(&mut self, kind: &str, number: f64) -> Result<(), ArrowError> {
        self.push(kind, Some(number), None)
    }

    fn text(&mut self, kind: &str, text: &str) -> Result<(), ArrowError> {
        self.push(kind, None, Some(text))
    }

    fn push(
        &mut self,
        kind: &str,
        number: Option<f64>,
        text: Option<&str>,
    ) -> Result<(), ArrowError> {
        self.rows.push(properties::Row {
            recording_id: Some(self.id),
            time_s: self.time_s,
            object: Some(self.object),
            class: Some(self.class),
            property: Some(&self.path),
            kind: Some(kind),
            number,
            text,
        })
    }

    fn value(&mut self, value: &Value) -> Result<(), ArrowError> {
        match value {
            Value::Bool(value) => self.number("bool", (*value).into()),
            Value::Byte(value) => self.number("byte", (*value).into()),
            Value::Int8(value) => self.number("int8", (*value).into()),
            Value::Int16(value) => self.number("int16", (*value).into()),
            Value::UInt16(value) => self.number("uint16", (*value).into()),
            Value::Int(value) => self.number("int", (*value).into()),
            Value::UInt32(value) => self.number("uint32", (*value).into()),
            Value::Int64(value) => self.number("int64", *value as f64),
            Value::UInt64(value) => self.number("uint64", *value as f64),
            Value::Float(value) => self.number("float", (*value).into()),
            Value::Double(value) => self.number("double", *value),
            Value::Str(value) => self.text("str", &value.to_str()),
            Value::Object(reference) => self.text("object", &reference.path.to_str()),
            Value::SoftObject(path) => self.text("soft_object", &path.asset.to_str()),
            Value::Text(text) => {
                let json = serde_json::to_string(text).unwrap_or_default();
                self.text("text", &json)
            }
            Value::Struct(value) => self.structure(value),
            Value::Bytes(bytes) => self.push("bytes", Some(bytes.len() as f64), None),
            Value::Raw(bytes) => self.push("raw", Some(bytes.0.len() as f64), None),
            Value::List(list) => {
                for (index, item) in list.items.iter().enumerate() {
                    self.within(format_args!("[{index}]"), |row| row.value(item))?;
                }
                Ok(())
            }
            Value::Map(map) => {
                for (index, (key, value)) in map.pairs.iter().enumerate() {
                    self.within(format_args!("[{index}].key"), |row| row.value(key))?;
                    self.within(format_args!("[{index}].value"), |row| row.value(value))?;
                }
                Ok(())
            }
        }
    }

    fn structure(&mut self, value: &Struct) -> Result<(), ArrowError> {
        fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
            let values = values.into_iter().map(|value| value.to_string());
            values.collect::<Vec<_>>().join(",")
        }
        match value {
            Struct::Properties(properties) => self.list(properties),
            Struct::Real2(reals) => self.text("reals", &joined(reals.to_f64())),
            Struct::Real3(reals) => self.text("reals", &joined(reals.to_f64())),
            Struct::Real4(reals) => self.text("reals", &joined(reals.to_f64())),
            Struct::Floats(values) => self.text("floats", &joined(values)),
            Struct::Ints(values) => self.text("ints", &joined(values)),
            Struct::Longs(values) => self.text("longs", &joined(values)),
            Struct::Item(item) => self.text("item", &item.class.path.to_str()),
            other => {
                let json = serde_json::to_string(other).unwrap_or_default();
                self.text("struct", &json)
            }
        }
    }
}
