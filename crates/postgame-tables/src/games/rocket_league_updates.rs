//! Every attribute of a Rocket League replay, as the file has it.

use std::collections::HashMap;

use arrow::error::ArrowError;
use postgame::rocket_league::classes::Schema;
use postgame::rocket_league::coords::Scales;
use postgame::rocket_league::model::kinds::{Attribute, Value};
use postgame::rocket_league::model::network::What;
use postgame::rocket_league::model::text::Text;
use postgame::wire::json::Json as _;
use postgame::{Depth, Format, Recording};

use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every actor that appears or vanishes, and for every attribute that changes, in the file's order.
    pub Updates = "updates" of &[Format::RocketLeague], at Depth::Full, by fill_updates in updates {
        /// The recording.
        recording_id: Name,
        /// The frame's number in the file.
        frame: U32,
        /// When.
        time_s: F64,
        /// The actor's number, which another one may have later.
        actor: U32,
        /// What the actor is made from.
        object: Name,
        /// `appears`, `changes` or `vanishes`.
        action: Name,
        /// The attribute that changes.
        attribute: Name,
        /// How the attribute is stored.
        kind: Name,
        /// The value of an attribute that is a number; 0 or 1 of one that is yes or no.
        number: F64,
        /// The actor that the attribute refers to.
        to_actor: I32,
        /// The object that the attribute refers to.
        to_object: Name,
        /// Where a body is, or where an actor appears.
        x_uu: F32,
        /// Where a body is, or where an actor appears.
        y_uu: F32,
        /// Where a body is, or where an actor appears; up.
        z_uu: F32,
        /// How a body is turned: a quaternion in the game's space.
        qx: F32,
        /// How a body is turned.
        qy: F32,
        /// How a body is turned.
        qz: F32,
        /// How a body is turned.
        qw: F32,
        /// How a body moves; null when it sleeps.
        vx_uu_s: F32,
        /// How a body moves.
        vy_uu_s: F32,
        /// How a body moves, up.
        vz_uu_s: F32,
        /// How a body turns; null when it sleeps.
        wx_rad_s: F32,
        /// How a body turns.
        wy_rad_s: F32,
        /// How a body turns.
        wz_rad_s: F32,
        /// The value of any other attribute: text as it is, the rest as JSON.
        text: Text,
    }
}

/// A row without a value.
const NOTHING: updates::Row<'static> = updates::Row {
    recording_id: None,
    frame: None,
    time_s: None,
    actor: None,
    object: None,
    action: None,
    attribute: None,
    kind: None,
    number: None,
    to_actor: None,
    to_object: None,
    x_uu: None,
    y_uu: None,
    z_uu: None,
    qx: None,
    qy: None,
    qz: None,
    qw: None,
    vx_uu_s: None,
    vy_uu_s: None,
    vz_uu_s: None,
    wx_rad_s: None,
    wy_rad_s: None,
    wz_rad_s: None,
    text: None,
};

fn fill_updates(
    source: &Source,
    _: &TableOptions,
    rows: &mut updates::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::RocketLeague(replay) = &source.recording else {
        return Ok(());
    };
    let Some(body) = &replay.body else {
        return Ok(());
    };
    let schema = Schema::new(&replay.header, body);
    let scales = Scales::of(&replay.header.versions);
    let object = |object: i32| {
        let object = body.objects.get(usize::try_from(object).ok()?);
        object.map(Text::as_str)
    };
    let mut made_from: HashMap<u32, i32> = HashMap::new();
    let mut text = String::new();
    let wants_text = rows.columns.text.is_some();
    for frame in body.network.frames() {
        for action in frame.actions() {
            if let What::Spawned(spawn) = &action.what {
                made_from.insert(action.actor, spawn.object.id);
            }
            let maker = made_from.get(&action.actor).copied();
            let of = updates::Row {
                recording_id: Some(&source.id),
                frame: u32::try_from(frame.number).ok(),
                time_s: Some(frame.time_s.into()),
                actor: Some(action.actor),
                object: maker.and_then(object),
                ..NOTHING
            };
            match action.what {
                What::Deleted => {
                    made_from.remove(&action.actor);
                    rows.push(updates::Row {
                        action: Some("vanishes"),
                        ..of
                    })?;
                }
                What::Spawned(spawn) => {
                    // Where an actor appears is in whole units in every version.
                    let place = spawn.location.map(|place| place.to_array());
                    let [x_uu, y_uu, z_uu] =
                        place.map_or([None; 3], |place| place.map(|part| Some(part as f32)));
                    rows.push(updates::Row {
                        action: Some("appears"),
                        x_uu,
                        y_uu,
                        z_uu,
                        ..of
                    })?;
                }
                What::Updated(changes) => {
                    let class = maker.and_then(|maker| schema.class_of_object(maker));
                    for (stream_id, value) in changes {
                        let attribute = class.and_then(|class| class.object_of(stream_id));
                        let mut row = updates::Row {
                            action: Some("changes"),
                            attribute: attribute
                                .and_then(|attribute| object(i32::try_from(attribute).ok()?)),
                            kind: Some(value.kind().name()),
                            ..of
                        };
                        match &value {
                            Value::Boolean(value) => row.number = Some(u8::from(*value).into()),
                            Value::Reference(reference) => {
                                row.to_actor = reference.actor().and_then(|id| id.try_into().ok());
                                row.to_object = reference
                                    .object()
                                    .and_then(|index| body.objects.get(index))
                                    .map(Text::as_str);
                            }
                            Value::RigidBody(body) => {
                                let place = scales.location_uu(body).map(Some);
                                [row.x_uu, row.y_uu, row.z_uu] = place;
                                let turned = body.rotation.to_quaternion().map(Some);
                                [row.qx, row.qy, row.qz, row.qw] = turned;
                                let nullable = |vector: Option<[f32; 3]>| {
                                    vector.map_or([None; 3], |vector| vector.map(Some))
                                };
                                [row.vx_uu_s, row.vy_uu_s, row.vz_uu_s] =
                                    nullable(scales.velocity_uu_s(body));
                                [row.wx_rad_s, row.wy_rad_s, row.wz_rad_s] =
                                    nullable(scales.turn_rad_s(body));
                            }
                            Value::Attribute(Attribute::String(value)) => {
                                row.text = Some(value.as_str());
                            }
                            Value::Attribute(_) if wants_text => {
                                text.clear();
                                // Into memory, and a value of the model always has a JSON form.
                                let mut bytes = std::mem::take(&mut text).into_bytes();
                                let mut json = serde_json::Serializer::new(&mut bytes);
                                value
                                    .to_json(&mut json)
                                    .map_err(|error| ArrowError::JsonError(error.to_string()))?;
                                text = String::from_utf8(bytes).unwrap_or_default();
                                rows.push(updates::Row {
                                    text: Some(&text),
                                    ..row
                                })?;
                                continue;
                            }
                            other => row.number = other.number(),
                        }
                        rows.push(row)?;
                    }
                }
            }
        }
    }
    Ok(())
}
