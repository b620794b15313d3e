//! A save as a timeline of one instant: the play time at which it was made.

use super::classes::readable;
use super::coords;
use super::model::{Blueprint, Body, Save, Tail};
use super::summary::short_class;
use super::tables;
use crate::timeline::{Column, Entity, Hold, Presence, Sample, Timeline, Track, Values};

/// Everything that stands in the world, at the play time of the save.
pub fn timeline(save: &Save) -> Timeline {
    let time_s = save.header.play_duration_s.map_or(0.0, f64::from);
    save.body
        .as_ref()
        .map(|body| of_body(body, time_s))
        .unwrap_or_default()
}

/// Everything that stands in a blueprint.
pub fn timeline_of_blueprint(blueprint: &Blueprint) -> Timeline {
    blueprint
        .body
        .as_ref()
        .map(|body| of_body(body, 0.0))
        .unwrap_or_default()
}

fn of_body(body: &Body, time_s: f64) -> Timeline {
    let mut timeline = Timeline {
        start_s: time_s,
        end_s: time_s,
        ..Timeline::default()
    };
    let decoder = body.decoder();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            let class = header.class.to_str();
            let class = short_class(&class);
            if class == "FGLightweightBuildableSubsystem"
                && let Ok((object, _)) = decoder.object(form, entry)
                && let Some(Tail::Lightweight(lightweight)) = object
                    .data
                    .as_ref()
                    .and_then(|data| data.fields())
                    .and_then(|fields| fields.tail.as_ref())
            {
                for (index, (class, instance)) in lightweight.instances().enumerate() {
                    let class = class.path.to_str();
                    let name = format!("{} #{index}", readable(&class));
                    let rotation = instance.rotation.map(|part| part as f32);
                    timeline.add(entity(
                        (name, "building", short_class(&class)),
                        time_s,
                        instance.position_cm,
                        rotation,
                    ));
                }
            }
            let kind = tables::actor_kind(class);
            // What the world's makers placed needs no transform, but has one all the same: resource nodes, slugs, pods.
            // Of the rest of the scenery nobody knows what it is.
            let Some(placement) = header.placement().filter(|placement| {
                placement.needs_transform.is_set()
                    || (placement.was_placed_in_level.is_set() && kind != "other")
            }) else {
                continue;
            };
            let path = header.reference.path.to_str();
            let name = path.rsplit('.').next().unwrap_or(&path).to_owned();
            let position_cm = placement.position_cm.map(f64::from);
            timeline.add(entity(
                (name, kind, class),
                time_s,
                position_cm,
                placement.rotation,
            ));
        }
    }
    timeline
}

/// Something that stands somewhere: its name, kind and class, and where.
fn entity(
    (name, kind, class): (String, &'static str, &str),
    time_s: f64,
    position_cm: [f64; 3],
    rotation: [f32; 4],
) -> Entity {
    let mut track = Track::new(
        Hold::Held,
        vec![
            Column::positions("position"),
            Column::rotations("rotation"),
            Column {
                name: "class",
                values: Values::Name {
                    names: Vec::new(),
                    indices: Vec::new(),
                },
            },
        ],
    );
    track.times_s.push(time_s);
    let samples = [
        Sample::Position(coords::position(position_cm)),
        Sample::Rotation(coords::rotation(rotation)),
        Sample::Name(class),
    ];
    for (column, sample) in track.columns.iter_mut().zip(samples) {
        column.values.push(sample);
    }
    Entity {
        name,
        kind,
        parent: None,
        presence: Presence::from(time_s),
        tracks: vec![track],
    }
}
