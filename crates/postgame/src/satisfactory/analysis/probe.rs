//! Whether a save can be true: a world of a known size, things that stand upright, belts as long as the game says.

use std::collections::{HashMap, HashSet};

use super::census::curve::{Knot, chain_lengths, knots, length};
use super::census::session::play_time_s;
use super::classes::each_object;
use crate::probe::{Aspect, Probe};
use crate::satisfactory::codec::model::object::Placement;
use crate::satisfactory::codec::model::{Blueprint, Body, Header, Object, Save, Str, Tail};
use crate::satisfactory::world::{
    LONGEST_BELT_CM, LONGEST_RAIL_CM, MAP_EAST_CM, MAP_HIGHEST_CM, MAP_LOWEST_CM, MAP_NORTH_CM,
    MAP_SOUTH_CM, MAP_WEST_CM,
};

/// Too few things say nothing.
const ENOUGH: usize = 50;
/// Curves are fewer.
const ENOUGH_CURVES: usize = 20;
/// Builders and mods may go beyond the edges; the space elevator's load hangs in space.
const MOST_OUTSIDE: f64 = 0.01;
/// The game's resource nodes are all over the map; this part of its width and depth they span at least.
const LEAST_SPAN: f64 = 0.7;
/// A rotation's length is 1, within single precision.
const NORM: f64 = 1e-3;
/// Turned about another axis than the vertical one are supports on slopes, beams and decoration.
const LEAST_UPRIGHT: f64 = 0.6;
/// How far a rotation's horizontal part may be from none.
const UPRIGHT: f32 = 0.01;
/// A belt through a wall is two metres longer in its chain.
const THROUGH_WALL_CM: f64 = 200.0;
/// A belt is as long as its chain says within this part of it, or a few millimetres.
const SAME_LENGTH: f64 = 1e-3;
const LEAST_SAME: f64 = 0.95;
/// Mods build longer pieces.
const MOST_LONG: f64 = 0.05;
/// What rounding adds to the longest piece.
const ROUNDING: f64 = 1.001;
/// Parts that are not in the file.
const LEAST_PARTS: f64 = 0.95;
/// A blueprint's box, in centimetres a cell.
const CELL_CM: f64 = 800.0;

/// All measurements of a save.
pub fn probe(save: &Save) -> Vec<Probe> {
    let Some(body) = &save.body else {
        return Vec::new();
    };
    let measures = Measures::new(body);
    let mut probes = measures.metadata(&save.header);
    if save.header.map_name.is("Persistent_Level") {
        probes.extend(measures.world());
    }
    probes.extend(measures.things());
    probes
}

/// All measurements of a blueprint.
pub fn probe_of_blueprint(blueprint: &Blueprint) -> Vec<Probe> {
    let Some(body) = &blueprint.body else {
        return Vec::new();
    };
    let measures = Measures::new(body);
    let [x, y, z] = blueprint
        .header
        .dimensions
        .map(|cells| f64::from(cells) * CELL_CM);
    let mut outside = Share::default();
    for [east, south, up] in &measures.actors_cm {
        let is_inside = east.abs() <= x / 2.0 + CELL_CM
            && south.abs() <= y / 2.0 + CELL_CM
            && (-CELL_CM..=z + CELL_CM).contains(up);
        outside.add(!is_inside);
    }
    let mut probes =
        vec![outside.at_most("things outside of the blueprint's box, share", 1, MOST_LONG)];
    probes.extend(measures.things());
    probes
}

/// How often something holds.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    part: usize,
    whole: usize,
}

impl Share {
    fn add(&mut self, holds: bool) {
        self.part += usize::from(holds);
        self.whole += 1;
    }

    fn share(self) -> f64 {
        self.part as f64 / self.whole.max(1) as f64
    }

    fn at_most(self, name: &str, needed: usize, limit: f64) -> Probe {
        let share = self.share();
        Probe::at_most(Aspect::Plausibility, name, self.whole, needed, share, limit)
    }

    fn at_least(self, name: &str, needed: usize, limit: f64) -> Probe {
        let share = self.share();
        Probe::at_least(Aspect::Plausibility, name, self.whole, needed, share, limit)
    }
}

/// The largest of some numbers; one that is none counts as without end.
#[derive(Clone, Copy, Debug, Default)]
struct Largest {
    value: f64,
    samples: usize,
}

impl Largest {
    fn add(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            let size = if value.is_nan() {
                f64::INFINITY
            } else {
                value.abs()
            };
            self.value = self.value.max(size);
            self.samples += 1;
        }
    }

    fn at_most(self, aspect: Aspect, name: &str, limit: f64) -> Probe {
        Probe::at_most(aspect, name, self.samples, 1, self.value, limit)
    }
}

/// What is measured on the way through a body.
#[derive(Debug, Default)]
struct Measures {
    actors_cm: Vec<[f64; 3]>,
    nodes_cm: Vec<[f64; 3]>,
    instances: Largest,
    norms: Largest,
    upright: Share,
    long_pieces: Share,
    knots: Largest,
    parts: Share,
    belts_cm: HashMap<String, f64>,
    chains_cm: Vec<(String, f64)>,
    play_time_s: Option<i64>,
    session_name: Option<String>,
}

impl Measures {
    fn new(body: &Body) -> Self {
        let mut measures = Self::default();
        let mut paths: HashSet<Str> = HashSet::new();
        let mut parts: Vec<Str> = Vec::new();
        each_object(body, |class, header, object| {
            paths.insert(header.reference.path.clone());
            if let Some(placement) = header.placement() {
                measures.add_actor(placement, class.is_building());
                if class.short().starts_with("BP_ResourceNode") {
                    measures.nodes_cm.push(placement.position_cm.map(f64::from));
                }
            }
            let Some(object) = object() else { return };
            let fields = object.data.as_ref().and_then(|data| data.fields());
            let components = fields.and_then(|fields| fields.components.as_ref());
            let components = components.into_iter().flatten();
            parts.extend(components.map(|part| part.path.clone()));
            measures.add_object(class.short(), &object);
        });
        for part in parts {
            measures.parts.add(paths.contains(&part));
        }
        measures
    }

    fn add_actor(&mut self, placement: &Placement, is_building: bool) {
        self.actors_cm.push(placement.position_cm.map(f64::from));
        self.add_norm(placement.rotation.map(f64::from));
        if is_building {
            let [x, y, ..] = placement.rotation;
            self.upright.add(x.abs() < UPRIGHT && y.abs() < UPRIGHT);
        }
    }

    fn add_norm(&mut self, rotation: [f64; 4]) {
        let square: f64 = rotation.iter().map(|part| part * part).sum();
        self.norms.add([square.sqrt() - 1.0]);
    }

    fn add_object(&mut self, class: &str, object: &Object) {
        let properties = object.properties();
        match object.tail() {
            Some(Tail::Lightweight(lightweight)) => {
                for (_, instance) in lightweight.instances() {
                    self.instances.add(instance.position_cm);
                    self.add_norm(instance.rotation);
                }
            }
            Some(tail @ Tail::Chain(_)) => self.chains_cm.extend(chain_lengths(tail)),
            _ => {}
        }
        let Some(properties) = properties else { return };
        match class {
            "BP_GameState_C" => self.play_time_s = properties.int("mPlayDurationWhenLoaded"),
            "BP_GameMode_C" => {
                let name = properties.words("mSaveSessionName");
                self.session_name = name.map(|name| name.into_owned());
            }
            _ => {}
        }
        let knots = knots(properties);
        if !knots.is_empty() {
            self.add_curve(class, object, &knots);
        }
    }

    fn add_curve(&mut self, class: &str, object: &Object, knots: &[Knot]) {
        self.knots.add(knots.iter().flatten().flatten().copied());
        let length_cm = length(knots);
        let longest_cm = match class {
            _ if class.starts_with("Build_ConveyorBelt") => LONGEST_BELT_CM,
            _ if class.starts_with("Build_PipeHyper") => LONGEST_RAIL_CM,
            _ if class.starts_with("Build_Pipeline") => LONGEST_BELT_CM,
            _ if class.starts_with("Build_RailroadTrack") => LONGEST_RAIL_CM,
            _ => return,
        };
        // Not `>`: what is no number is no length either.
        let fits = length_cm <= longest_cm * ROUNDING;
        self.long_pieces.add(!fits);
        let path = object.header.reference.path.to_string();
        self.belts_cm.insert(path, length_cm);
    }

    fn metadata(&self, header: &Header) -> Vec<Probe> {
        let time = self.play_time_s.map(|seconds| seconds as f64);
        let difference_s = time.map_or(0.0, |time_s| (time_s - play_time_s(header)).abs());
        let name = header.session_name.as_ref().zip(self.session_name.as_ref());
        let differs = name.is_some_and(|(header, own)| header.to_str() != own.as_str());
        let metadata = |name, samples: bool, measured| {
            Probe::at_most(Aspect::Metadata, name, samples.into(), 1, measured, 0.0)
        };
        vec![
            metadata(
                "play time against the game state's, difference in seconds",
                time.is_some(),
                difference_s,
            ),
            metadata(
                "session names that differ",
                name.is_some(),
                f64::from(u8::from(differs)),
            ),
        ]
    }

    /// The world of the game's own map.
    fn world(&self) -> Vec<Probe> {
        let mut outside = Share::default();
        for [x, y, z] in &self.actors_cm {
            let is_inside = (MAP_WEST_CM..=MAP_EAST_CM).contains(x)
                && (MAP_NORTH_CM..=MAP_SOUTH_CM).contains(y)
                && (MAP_LOWEST_CM..=MAP_HIGHEST_CM).contains(z);
            outside.add(!is_inside);
        }
        let span = |axis: usize| {
            let values = self.nodes_cm.iter().map(|node| node[axis]);
            let least = values.clone().fold(f64::INFINITY, f64::min);
            values.fold(f64::NEG_INFINITY, f64::max) - least
        };
        let spans = [
            span(0) / (MAP_EAST_CM - MAP_WEST_CM),
            span(1) / (MAP_SOUTH_CM - MAP_NORTH_CM),
        ];
        let span = spans.into_iter().fold(f64::INFINITY, f64::min);
        vec![
            outside.at_most("actors outside of the world, share", ENOUGH, MOST_OUTSIDE),
            Probe::at_least(
                Aspect::Plausibility,
                "part of the map that resource nodes span",
                self.nodes_cm.len(),
                ENOUGH,
                if span.is_finite() { span } else { 0.0 },
                LEAST_SPAN,
            ),
        ]
    }

    fn things(&self) -> Vec<Probe> {
        let mut same = Share::default();
        for (belt, chain_cm) in &self.chains_cm {
            if let Some(belt_cm) = self.belts_cm.get(belt) {
                let apart = |extra_cm: f64| (chain_cm - belt_cm - extra_cm).abs();
                let near_cm = (chain_cm * SAME_LENGTH).max(1.0);
                same.add(apart(0.0).min(apart(THROUGH_WALL_CM)) <= near_cm);
            }
        }
        let ranges = Aspect::VectorRanges;
        let mut actors = Largest::default();
        actors.add(self.actors_cm.iter().flatten().copied());
        vec![
            self.norms.at_most(
                Aspect::Plausibility,
                "lengths of rotations, largest difference from 1",
                NORM,
            ),
            self.upright
                .at_least("buildings that stand upright, share", ENOUGH, LEAST_UPRIGHT),
            same.at_least(
                "belts as long as their chain says, share",
                ENOUGH_CURVES,
                LEAST_SAME,
            ),
            self.long_pieces.at_most(
                "belts, pipes and rails longer than can be built, share",
                ENOUGH_CURVES,
                MOST_LONG,
            ),
            self.parts.at_least(
                "parts of things that are in the file, share",
                ENOUGH,
                LEAST_PARTS,
            ),
            actors.at_most(ranges, "largest coordinate of an actor, cm", 1e7),
            self.instances.at_most(
                ranges,
                "largest coordinate of a lightweight building, cm",
                1e7,
            ),
            self.knots
                .at_most(ranges, "largest coordinate or tangent of a curve, cm", 1e6),
        ]
    }
}
