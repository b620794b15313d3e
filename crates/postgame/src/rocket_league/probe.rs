//! Whether a replay can be true: motion against physics, values against their bounds.
//!
//! A wrong scale, sign or order of rotation reads every bit and is wrong all the same; each of these measurements fails
//! on one of them (`tests/it/rocket_league_stats/probe.rs` tries). The limits are those of the format's notes.

use super::coords::{METRES, turned};
use super::model::Replay;
use super::model::network::Body;
use super::model::values::BodyRotation;
use crate::probe::{Aspect, Probe};
use crate::timeline::{Entity, Timeline, Track, Values};

/// Fewer samples say nothing.
const ENOUGH: usize = 100;
/// Fewer demolitions say nothing.
const ENOUGH_DEMOLITIONS: usize = 5;
/// Samples further apart than this are not compared.
const MOST_APART_S: f64 = 0.2;
/// Nothing is farther from the middle of the field along an axis, nor faster.
const MOST_UU: f64 = 10_000.0;
/// Nothing turns faster: cars do 5.5 rad/s, balls 6, those of some modes 20.
const MOST_RAD_S: f64 = 25.0;
/// Thrown cars leave the field for a moment, in Knockout often: this share of samples must be within the bounds.
const WITHIN: f64 = 0.95;

/// All measurements of a replay.
pub fn probe(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let mut probes = metadata(replay, timeline);
    for kind in ["ball", "car"] {
        probes.extend(motion(timeline, kind));
    }
    probes.extend(alignment(timeline));
    probes.extend(spin(timeline));
    probes.extend(norms(replay, timeline));
    probes.push(upright(replay, timeline));
    probes.extend(demolitions(timeline));
    probes.extend(ranges(timeline));
    probes
}

fn metadata(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let frames = replay
        .body
        .as_ref()
        .map_or(0, |body| body.network.frame_count_with_gaps());
    let stated = replay.stated_frames();
    let difference = stated.map_or(0.0, |stated| (frames as f64 - f64::from(stated)).abs());
    let properties = &replay.header.properties;
    let score = |name: &str| {
        properties
            .int(name)
            .and_then(|score| usize::try_from(score).ok())
            .unwrap_or(0)
    };
    let score = score("Team0Score") + score("Team1Score");
    let listed = properties.array("Goals").len();
    let goals = timeline
        .events
        .iter()
        .filter(|event| event.kind == "goal")
        .count();
    vec![
        Probe::at_most(
            Aspect::Metadata,
            "frames against the header's",
            usize::from(stated.is_some()),
            1,
            difference,
            0.0,
        ),
        Probe::at_most(
            Aspect::Metadata,
            // A goal in the last frame is in the header alone.
            "goals against the header's",
            if frames > 0 { listed } else { 0 },
            1,
            // Training forgets goals when it starts anew.
            listed.abs_diff(goals).min(score.abs_diff(goals)) as f64,
            1.0,
        ),
    ]
}

/// A body's samples.
struct Samples<'a> {
    times_s: &'a [f64],
    positions: &'a [[f32; 3]],
    rotations: &'a [[f32; 4]],
    velocities: &'a [[f32; 3]],
    turns: &'a [[f32; 3]],
}

fn vectors<'a>(track: &'a Track, name: &str) -> &'a [[f32; 3]] {
    match track
        .columns
        .iter()
        .find(|column| column.name == name)
        .map(|column| &column.values)
    {
        Some(Values::Position(values)) => values,
        _ => &[],
    }
}

fn samples(entity: &Entity) -> Option<Samples<'_>> {
    let track = entity.tracks.first()?;
    let rotations = track
        .columns
        .iter()
        .find_map(|column| match &column.values {
            Values::Rotation(values) => Some(values.as_slice()),
            _ => None,
        });
    Some(Samples {
        times_s: &track.times_s,
        positions: vectors(track, "position"),
        rotations: rotations?,
        velocities: vectors(track, "velocity_m_s"),
        turns: vectors(track, "angular_velocity_rad_s"),
    })
}

fn bodies<'a>(timeline: &'a Timeline, kind: &'static str) -> impl Iterator<Item = Samples<'a>> {
    timeline
        .entities
        .iter()
        .filter(move |entity| entity.kind == kind)
        .filter_map(samples)
}

fn length([x, y, z]: [f32; 3]) -> f64 {
    let [x, y, z] = [x, y, z].map(f64::from);
    (x * x + y * y + z * z).sqrt()
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| f64::from(*a) * f64::from(b))
        .sum()
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The middle one of some numbers.
fn median(mut numbers: Vec<f64>) -> f64 {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return 0.0;
    }
    let (_, median, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    *median
}

fn share(numbers: &[f64], holds: impl Fn(f64) -> bool) -> f64 {
    let count = numbers.iter().filter(|number| holds(**number)).count();
    if numbers.is_empty() {
        0.0
    } else {
        count as f64 / numbers.len() as f64
    }
}

/// Velocity against displacement, in size and direction.
fn motion(timeline: &Timeline, kind: &'static str) -> Vec<Probe> {
    let least = f64::from(100.0 * METRES);
    let (mut ratios, mut directions) = (Vec::new(), Vec::new());
    for body in bodies(timeline, kind) {
        let pairs = body
            .times_s
            .iter()
            .zip(body.times_s.iter().skip(1))
            .enumerate();
        for (index, (from_s, to_s)) in pairs {
            let passed_s = to_s - from_s;
            let (Some(&from), Some(&to), Some(&velocity)) = (
                body.positions.get(index),
                body.positions.get(index + 1),
                body.velocities.get(index),
            ) else {
                continue;
            };
            let way = minus(to, from);
            let speed = length(way) / passed_s;
            if passed_s > 0.0
                && passed_s <= MOST_APART_S
                && speed >= least
                && length(velocity) >= least
            {
                ratios.push(length(velocity) / speed);
                directions.push(dot(way, velocity) / (length(way) * length(velocity)));
            }
        }
    }
    let count = ratios.len();
    let plausible = share(&ratios, |ratio| (0.5..=2.0).contains(&ratio));
    let (name, aspect) = (
        if kind == "ball" { "ball" } else { "cars" },
        Aspect::Plausibility,
    );
    let off = median(ratios.iter().map(|ratio| ratio.log2().abs()).collect());
    vec![
        Probe::at_most(
            aspect,
            format!("{name}: velocity against displacement, median factor as a power of 2"),
            count,
            ENOUGH,
            off,
            1.0,
        ),
        Probe::at_least(
            aspect,
            format!("{name}: velocity within half and double of the displacement, share"),
            count,
            ENOUGH,
            plausible,
            0.6,
        ),
        Probe::at_least(
            aspect,
            format!("{name}: velocity along the displacement, median cosine"),
            count,
            ENOUGH,
            median(directions),
            0.9,
        ),
    ]
}

/// The samples of cars that drive on the ground: forward and up of the car, velocity.
fn grounded(timeline: &Timeline) -> Vec<([f32; 3], [f32; 3], [f32; 3])> {
    let mut found = Vec::new();
    for body in bodies(timeline, "car") {
        for ((position, rotation), velocity) in body
            .positions
            .iter()
            .zip(body.rotations)
            .zip(body.velocities)
        {
            let planar = f64::from(velocity[0]).hypot(f64::from(velocity[2]));
            if position[1].abs() <= 60.0 * METRES
                && velocity[1].abs() <= 200.0 * METRES
                && planar >= f64::from(500.0 * METRES)
            {
                let forward = turned(*rotation, [1.0, 0.0, 0.0]);
                let up = turned(*rotation, [0.0, 1.0, 0.0]);
                found.push((forward, up, *velocity));
            }
        }
    }
    found
}

/// Cars on the ground drive where they look.
fn alignment(timeline: &Timeline) -> Vec<Probe> {
    let cosines: Vec<f64> = grounded(timeline)
        .into_iter()
        .map(|(forward, _, velocity)| {
            let flat = |[x, _, z]: [f32; 3]| [x, 0.0, z];
            let (forward, velocity) = (flat(forward), flat(velocity));
            dot(forward, velocity) / (length(forward) * length(velocity)).max(1e-9)
        })
        .collect();
    let (count, forward) = (cosines.len(), share(&cosines, |cosine| cosine > 0.0));
    vec![
        Probe::at_least(
            Aspect::Plausibility,
            "cars on the ground: forward along velocity, median cosine",
            count,
            ENOUGH,
            median(cosines),
            0.95,
        ),
        Probe::at_least(
            Aspect::Plausibility,
            "cars on the ground: driving forward, share",
            count,
            ENOUGH,
            forward,
            0.8,
        ),
    ]
}

/// Angular velocity against the change of orientation.
fn spin(timeline: &Timeline) -> Vec<Probe> {
    let (mut cosines, mut ratios) = (Vec::new(), Vec::new());
    for body in bodies(timeline, "car") {
        let pairs = body
            .times_s
            .iter()
            .zip(body.times_s.iter().skip(1))
            .enumerate();
        for (index, (from_s, to_s)) in pairs {
            let passed_s = to_s - from_s;
            let (Some(&from), Some(&to), Some(&told)) = (
                body.rotations.get(index),
                body.rotations.get(index + 1),
                body.turns.get(index),
            ) else {
                continue;
            };
            // At 5.5 rad/s two samples 0.2 s apart are 63 degrees from each other.
            if !(passed_s > 0.0 && passed_s <= MOST_APART_S) || length(told) < 0.3 {
                continue;
            }
            let seen = turn_between(from, to, passed_s);
            if length(seen) >= 0.5 {
                cosines.push(dot(seen, told) / (length(seen) * length(told)));
                ratios.push((length(told) / length(seen)).log2().abs());
            }
        }
    }
    let (count, positive) = (cosines.len(), share(&cosines, |cosine| cosine > 0.0));
    vec![
        Probe::at_least(
            Aspect::Plausibility,
            "cars: angular velocity along the change of orientation, median cosine",
            count,
            ENOUGH,
            median(cosines),
            0.99,
        ),
        Probe::at_least(
            Aspect::Plausibility,
            "cars: turning the way the angular velocity says, share",
            count,
            ENOUGH,
            positive,
            0.95,
        ),
        Probe::at_most(
            Aspect::Plausibility,
            "cars: angular velocity against the change of orientation, median factor as a power of 2",
            count,
            ENOUGH,
            median(ratios),
            1.0,
        ),
    ]
}

/// The angular velocity that turns one orientation into another.
fn turn_between([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4], passed_s: f64) -> [f32; 3] {
    // b times the inverse of a.
    let x = -bw * ax + bx * aw - by * az + bz * ay;
    let y = -bw * ay + by * aw - bz * ax + bx * az;
    let z = -bw * az + bz * aw - bx * ay + by * ax;
    let w = bw * aw + bx * ax + by * ay + bz * az;
    let (axis, w) = if w < 0.0 {
        ([-x, -y, -z], -w)
    } else {
        ([x, y, z], w)
    };
    let sine = length(axis);
    let angle = 2.0 * sine.atan2(f64::from(w));
    let scale = if sine > 1e-9 {
        angle / sine / passed_s
    } else {
        0.0
    };
    axis.map(|part| part * scale as f32)
}

fn norm([x, y, z, w]: [f32; 4]) -> f64 {
    [x, y, z, w]
        .iter()
        .map(|part| f64::from(*part).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// Rotations have length 1: as the file has them, and on the timeline.
fn norms(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let blocks = replay.body.iter().flat_map(|body| &body.network.blocks);
    let (mut count, mut most) = (0, 0.0f64);
    for body in blocks.flat_map(|block| &block.bodies) {
        let rotation =
            BodyRotation::from_bits(body.rotation_bits(), body.form & Body::QUATERNION != 0);
        count += 1;
        most = most.max((norm(rotation.to_quaternion()) - 1.0).abs());
    }
    let (mut on_timeline, mut most_there) = (0, 0.0f64);
    for body in bodies(timeline, "ball").chain(bodies(timeline, "car")) {
        for rotation in body.rotations {
            on_timeline += 1;
            most_there = most_there.max((norm(*rotation) - 1.0).abs());
        }
    }
    vec![
        Probe::at_most(
            Aspect::Plausibility,
            "rotations of the file: distance from length 1",
            count,
            1,
            most,
            0.01,
        ),
        Probe::at_most(
            Aspect::Plausibility,
            "rotations: distance from length 1",
            on_timeline,
            1,
            most_there,
            1e-5,
        ),
    ]
}

/// Cars on the ground stand upright: wrong pitch or roll shows here. Before network version 7 only.
fn upright(replay: &Replay, timeline: &Timeline) -> Probe {
    let is_legacy = replay.header.versions.net() < 7;
    let ups: Vec<f64> = match is_legacy {
        true => grounded(timeline)
            .into_iter()
            .map(|(_, up, _)| f64::from(up[1]))
            .collect(),
        false => Vec::new(),
    };
    let name = "cars on the ground: upright, median cosine";
    Probe::at_least(
        Aspect::LegacyRotation,
        name,
        ups.len(),
        ENOUGH,
        median(ups),
        0.95,
    )
}

/// The velocities in demolitions against those of the bodies.
fn demolitions(timeline: &Timeline) -> Vec<Probe> {
    let mut ratios = [Vec::new(), Vec::new()];
    for event in timeline
        .events
        .iter()
        .filter(|event| event.kind == "demolition")
    {
        for ((who, name), ratios) in [(event.who, "attacker_uu_s"), (event.whom, "victim_uu_s")]
            .into_iter()
            .zip(&mut ratios)
        {
            let told = event
                .details
                .iter()
                .find(|detail| detail.0 == name)
                .and_then(|detail| detail.1.parse::<f64>().ok());
            let is_car = |entity: &&Entity| entity.kind == "car" && entity.parent == who;
            let car = timeline.entities.iter().find(is_car).and_then(samples);
            let (Some(told), Some(car)) = (told, car) else {
                continue;
            };
            let after = car
                .times_s
                .partition_point(|&time_s| time_s <= event.time_s);
            let Some(velocity) = after
                .checked_sub(1)
                .and_then(|index| car.velocities.get(index))
            else {
                continue;
            };
            let seen = length(*velocity) / f64::from(METRES);
            if told >= 100.0 && seen >= 100.0 {
                ratios.push((told / seen).log2().abs());
            }
        }
    }
    let [attackers, victims] = ratios;
    [("attackers", attackers), ("victims", victims)]
        .into_iter()
        .map(|(name, ratios)| {
            let name = format!(
                "demolitions: {name}' velocity against the body's, median factor as a power of 2"
            );
            Probe::at_most(
                Aspect::Demolition,
                name,
                ratios.len(),
                ENOUGH_DEMOLITIONS,
                median(ratios),
                1.0,
            )
        })
        .collect()
}

/// The largest of each vector, field by field.
fn ranges(timeline: &Timeline) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (kind, name) in [("ball", "ball"), ("car", "cars")] {
        let (mut count, mut speed, mut turn) = (0, 0.0f64, 0.0f64);
        let mut places: Vec<f32> = Vec::new();
        for body in bodies(timeline, kind) {
            count += body.positions.len();
            let axes = body
                .positions
                .iter()
                .map(|[x, y, z]| x.abs().max(y.abs()).max(z.abs()) / METRES);
            places.extend(axes);
            let speeds = body.velocities.iter();
            speed = speeds
                .map(|velocity| length(*velocity) / f64::from(METRES))
                .fold(speed, f64::max);
            turn = body
                .turns
                .iter()
                .map(|turn| length(*turn))
                .fold(turn, f64::max);
        }
        let last = ((places.len() as f64 * WITHIN) as usize).min(places.len().saturating_sub(1));
        let place = match places.is_empty() {
            true => 0.0,
            false => f64::from(*places.select_nth_unstable_by(last, f32::total_cmp).1),
        };
        for (what, measured, limit) in [
            (
                "location of 95 % of the samples, uu along an axis",
                place,
                MOST_UU,
            ),
            ("velocity, uu/s", speed, MOST_UU),
            ("angular velocity, rad/s", turn, MOST_RAD_S),
        ] {
            let name = format!("{name}: largest {what}");
            probes.push(Probe::at_most(
                Aspect::VectorRanges,
                name,
                count,
                1,
                measured,
                limit,
            ));
        }
    }
    probes
}
