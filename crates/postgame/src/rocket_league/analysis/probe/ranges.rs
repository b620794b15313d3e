//! The vectors of every field: how large they are.
//!
//! Bodies are measured on the timeline, in the game's units. All other vectors are measured as the file has them: where
//! actors appear, where damage is done and balls explode, velocities in demolitions, offsets of welds, impulses.

use std::collections::BTreeMap;

use super::super::demolitions::demolition;
use super::bodies::{bodies, length};
use crate::probe::{Aspect, Probe};
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::kinds::{Attribute, Value};
use crate::rocket_league::codec::model::network::What;
use crate::rocket_league::codec::model::values::Vector;
use crate::rocket_league::codec::updates::Actors;
use crate::rocket_league::coords::METRES;
use crate::timeline::Timeline;

/// Nothing is farther from the middle of the field along an axis, nor faster.
const MOST_UU: f64 = 10_000.0;
/// Nothing turns faster: cars do 5.5 rad/s, balls 6, those of some modes 20.
const MOST_RAD_S: f64 = 25.0;
/// Thrown cars leave the field for a moment, in Knockout often: this share of samples must be within the bounds.
const WITHIN: f64 = 0.95;
/// In Knockout cars appear 23 000 from the middle.
const MOST_SPAWN_UU: f64 = 30_000.0;
/// The largest of a field of no known unit, such as impulses (80 000 in Knockout): more is not stored in 20 bits.
const MOST_RAW: f64 = 1_048_576.0;

/// Where bodies are and how fast, then every other vector of the file.
pub(super) fn ranges(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (kind, name) in [("ball", "ball"), ("car", "cars")] {
        let (mut places, mut speeds, mut turns) = (Vec::new(), Vec::new(), Vec::new());
        for body in bodies(timeline, kind) {
            let uu = |vector: &[f32; 3]| length(*vector) / f64::from(METRES);
            places.extend(
                body.positions
                    .iter()
                    .map(|place| largest(*place) / f64::from(METRES)),
            );
            speeds.extend(body.velocities.iter().map(uu));
            turns.extend(body.turns.iter().map(|turn| length(*turn)));
        }
        // Where a thrown car may leave the field, the most of them count.
        probes.push(Probe::at_most(
            Aspect::VectorRanges,
            format!("{name}: largest location of 95 % of the samples, uu along an axis"),
            places.len(),
            1,
            quantile(&mut places, WITHIN),
            MOST_UU,
        ));
        probes.extend(field(&format!("{name}: velocity, uu/s"), speeds, MOST_UU));
        probes.extend(field(
            &format!("{name}: angular velocity, rad/s"),
            turns,
            MOST_RAD_S,
        ));
    }
    for (name, Field { lengths, most }) in raw(replay) {
        probes.extend(field(&name, lengths, most));
    }
    probes
}

/// The largest of a field's lengths, where 95 % of them end, and the middle one.
fn field(name: &str, mut lengths: Vec<f64>, most: f64) -> Vec<Probe> {
    let count = lengths.len();
    [("largest", 1.0), ("95 % below", WITHIN), ("median", 0.5)]
        .into_iter()
        .map(|(what, share)| {
            let measured = quantile(&mut lengths, share);
            let name = format!("{name}, {what}");
            Probe::at_most(Aspect::VectorRanges, name, count, 1, measured, most)
        })
        .collect()
}

fn largest([x, y, z]: [f32; 3]) -> f64 {
    f64::from(x.abs().max(y.abs()).max(z.abs()))
}

/// The number below which a share of the numbers is.
fn quantile(numbers: &mut [f64], share: f64) -> f64 {
    let index = ((numbers.len() as f64 * share) as usize).min(numbers.len().saturating_sub(1));
    if numbers.is_empty() {
        return 0.0;
    }
    *numbers.select_nth_unstable_by(index, f64::total_cmp).1
}

/// The lengths of a field's vectors, and what they may be.
struct Field {
    lengths: Vec<f64>,
    most: f64,
}

/// Every vector of the file that is not part of a body, by the name of its field.
fn raw(replay: &Replay) -> BTreeMap<String, Field> {
    let mut fields: BTreeMap<String, Field> = BTreeMap::new();
    let Some(body) = &replay.body else {
        return fields;
    };
    let mut actors = Actors::new(&replay.header, body);
    let mut add = |name: &str, part: &str, vector: Vector, most: f64| {
        let [x, y, z] = vector.to_array().map(f64::from);
        let length = (x * x + y * y + z * z).sqrt();
        let name = match part {
            "" => name.to_owned(),
            part => format!("{name}, {part}"),
        };
        let field = fields.entry(name).or_insert(Field {
            lengths: Vec::new(),
            most,
        });
        field.lengths.push(length);
    };
    for action in body.network.frames().flat_map(|frame| frame.actions()) {
        actors.apply(&action);
        let updates = match action.what {
            What::Deleted => continue,
            What::Spawned(spawn) => {
                // A part of a car is where its car is, whatever it says.
                let object = actors.object_name(action.actor);
                let is_part = object.is_some_and(|name| name.contains("CarComponent"));
                if let Some(location) = spawn.location.filter(|_| !is_part) {
                    // Of all kinds: cars, balls, pads, the match itself.
                    add("where actors appear, uu", "", location, MOST_SPAWN_UU);
                }
                continue;
            }
            What::Updated(updates) => updates,
        };
        for (stream_id, value) in updates {
            let Value::Attribute(attribute) = value else {
                continue;
            };
            let vectors: &[(&str, Vector, f64)] = &match attribute {
                Attribute::Vector(vector) => vec![("", *vector, MOST_RAW)],
                Attribute::AppliedDamage(damage) => {
                    vec![("position, uu", damage.position, 2.0 * MOST_UU)]
                }
                Attribute::DamageState(damage) => {
                    vec![("position, uu", damage.position, 2.0 * MOST_UU)]
                }
                Attribute::Explosion(explosion) => {
                    vec![("location, uu", explosion.location, 2.0 * MOST_UU)]
                }
                Attribute::ExplosionExtended(explosion) => {
                    vec![("location, uu", explosion.location, 2.0 * MOST_UU)]
                }
                Attribute::Welded(welded) => vec![("offset, uu", welded.offset, MOST_UU)],
                attribute => match demolition(attribute) {
                    // Without both cars the velocities are what was in memory.
                    Some(demolition)
                        if demolition
                            .attacker
                            .actor()
                            .and(demolition.victim.actor())
                            .is_some() =>
                    {
                        velocities(demolition.velocities)
                    }
                    _ => continue,
                },
            };
            let name = actors.attribute_name(action.actor, stream_id);
            let name = name.unwrap_or("?");
            for (part, vector, most) in vectors {
                add(name, part, *vector, *most);
            }
        }
    }
    fields
}

fn velocities([attacker, victim]: [Vector; 2]) -> Vec<(&'static str, Vector, f64)> {
    vec![
        ("attacker's velocity, uu/s", attacker, MOST_UU),
        ("victim's velocity, uu/s", victim, MOST_UU),
    ]
}
