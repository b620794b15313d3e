//! What features are made from: the values of the timeline by row.

use arrow::error::ArrowError;
use postgame::Recording;
use postgame::timeline::{Entity, EntityId, Event, Sample, Timeline};

use crate::games::rocket_league::{game_turn, game_uu};
use crate::games::samples::{flags, positions, rotations, scalars};
use crate::source::Source;

/// A column: its name, its values, and what a normalised one is divided by.
pub(super) struct Column {
    pub name: String,
    pub values: Vec<f32>,
    pub scale: f32,
}

/// Normalised numbers are divided by these, as in RLGym: a car's speed limit in uu/s, half a turn in radians.
pub(super) const SPEED_UU_S: f32 = 2300.0;
pub(super) const HALF_TURN_RAD: f32 = std::f32::consts::PI;

/// A car and whose it is.
pub(super) struct Car<'a> {
    pub car: &'a Entity,
    pub player: Option<EntityId>,
    /// 0 blue, 1 orange.
    pub team: f32,
}

/// Where a body is and how it moves, in the game's space and units.
pub(super) struct Body {
    pub position: Vec<[f32; 3]>,
    pub rotation: Vec<[f32; 4]>,
    pub velocity: Vec<[f32; 3]>,
    pub spin: Vec<[f32; 3]>,
}

/// The rows.
pub(super) struct Rows<'a> {
    pub recording: &'a Recording,
    pub timeline: &'a Timeline,
    pub times_s: Vec<f64>,
    /// Blue first, then in order of appearance.
    pub cars: Vec<Car<'a>>,
    pub ball: Body,
    /// By car.
    pub bodies: Vec<Body>,
}

fn or_nan<const N: usize>(numbers: [Option<f32>; N]) -> [f32; N] {
    numbers.map(|number| number.unwrap_or(f32::NAN))
}

impl Body {
    fn new(entity: Option<&Entity>, times_s: &[f64]) -> Self {
        let vectors = |column: &str, convert: fn([Option<f32>; 3]) -> [Option<f32>; 3]| {
            let vectors = positions(entity, column, times_s).into_iter();
            vectors.map(|vector| or_nan(convert(vector))).collect()
        };
        let rotation = rotations(entity, times_s).into_iter().map(|[x, y, z, w]| {
            let [x, y, z] = game_turn([x, y, z]);
            or_nan([x, y, z, w])
        });
        Self {
            position: vectors("position", game_uu),
            rotation: rotation.collect(),
            velocity: vectors("velocity_m_s", game_uu),
            spin: vectors("angular_velocity_rad_s", game_turn),
        }
    }
}

impl<'a> Rows<'a> {
    /// One for every frame, or for every moment of a rate.
    pub fn new(source: &'a Source, fps: Option<f64>) -> Result<Self, ArrowError> {
        let times_s = source.times_s(fps, || {
            let replay = match &source.recording {
                Recording::RocketLeague(replay) => replay.body.as_ref(),
                _ => None,
            };
            let frames = replay.into_iter().flat_map(|body| body.network.frames());
            let mut times_s: Vec<f64> = frames.map(|frame| frame.time_s.into()).collect();
            times_s.sort_by(f64::total_cmp);
            times_s
        })?;
        let timeline = source.timeline();
        let cars = cars(timeline);
        let ball = timeline
            .entities
            .iter()
            .find(|entity| entity.kind == "ball");
        let bodies = cars.iter().map(|car| Body::new(Some(car.car), &times_s));
        Ok(Self {
            ball: Body::new(ball, &times_s),
            bodies: bodies.collect(),
            recording: &source.recording,
            timeline,
            cars,
            times_s,
        })
    }

    /// The first entity of a kind.
    pub fn find(&self, kind: &str) -> Option<&'a Entity> {
        self.timeline
            .entities
            .iter()
            .find(|entity| entity.kind == kind)
    }

    /// A number of an entity by row.
    pub fn scalars(&self, entity: Option<&Entity>, column: &str) -> Vec<f32> {
        let values = scalars(entity, column, &self.times_s).into_iter();
        values.map(|value| value.unwrap_or(f32::NAN)).collect()
    }

    /// A yes or no of an entity by row: 1 or 0.
    pub fn flags(&self, entity: Option<&Entity>, column: &str) -> Vec<f32> {
        let values = flags(entity, column, &self.times_s).into_iter();
        let number = |flag: Option<bool>| flag.map_or(f32::NAN, |flag| f32::from(u8::from(flag)));
        values.map(number).collect()
    }

    /// The first row at or after a time: an event is known then.
    pub fn row_after(&self, time_s: f64) -> usize {
        self.times_s.partition_point(|&row_s| row_s < time_s)
    }

    /// The events of a kind.
    pub fn events<'k>(&'k self, kind: &'k str) -> impl Iterator<Item = &'a Event> + 'k {
        self.timeline
            .events
            .iter()
            .filter(move |event| event.kind == kind)
    }

    /// Which car is of a player.
    pub fn number(&self, player: Option<EntityId>) -> Option<usize> {
        self.cars
            .iter()
            .position(|car| car.player.is_some() && car.player == player)
    }
}

/// The cars with their teams: blue first, then in order of appearance.
fn cars(timeline: &Timeline) -> Vec<Car<'_>> {
    let cars = timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == "car");
    let team = |car: &Entity| {
        let owner = timeline.entity(car.parent?)?;
        let track = owner.tracks.iter().find(|track| {
            let mut columns = track.columns.iter();
            columns.any(|column| column.name == "team")
        })?;
        // The first team is the one the player joined.
        match track.sample(0, *track.times_s.first()?)? {
            Sample::Scalar(team) => Some(team),
            _ => None,
        }
    };
    let mut cars: Vec<Car<'_>> = cars
        .map(|car| Car {
            car,
            player: car.parent,
            team: team(car).unwrap_or(0.0),
        })
        .collect();
    cars.sort_by(|one, other| one.team.total_cmp(&other.team));
    cars
}
