//! Rocket League's tables of moving things: the ball, the cars, the boost pads.
//!
//! In the game's own space: X to the side, Y from goal to goal, Z up, in Unreal units (centimetres).

use std::ops::Range;

use arrow::error::ArrowError;
use postgame::rocket_league::coords;
use postgame::timeline::{Entity, EntityId, Sample};
use postgame::{Depth, Format, Recording};

use super::samples::{Held, Motion, add_scalars, flag, number, stretches};
use crate::kinds::{self, Numbers as _, Steady as _};
use crate::source::Source;
use crate::table::{TableOptions, table};

const GAME: &[Format] = &[Format::RocketLeague];

table! {
    /// One row for every ball in every frame in which it is there.
    pub FramesBall = "frames_ball" of GAME, at Depth::Full, by fill_ball in frames_ball {
        /// The recording.
        recording_id: Name,
        /// The frame's number in the file; counts rows when resampled.
        frame: U32,
        /// When.
        time_s: F64,
        /// Which ball, from 0; most modes have one.
        ball: U8,
        /// Where.
        x_uu: F32,
        /// Where.
        y_uu: F32,
        /// Where, up.
        z_uu: F32,
        /// How it moves.
        vx_uu_s: F32,
        /// How it moves.
        vy_uu_s: F32,
        /// How it moves, up.
        vz_uu_s: F32,
        /// How it turns.
        wx_rad_s: F32,
        /// How it turns.
        wy_rad_s: F32,
        /// How it turns.
        wz_rad_s: F32,
        /// The team that touched it last: 0 blue, 1 orange.
        hit_team: U8,
        /// The game's clock.
        clock_s: F32,
        /// Whether it is overtime.
        overtime: Flag,
    }
}

table! {
    /// One row for every car in every frame in which it is there.
    pub FramesCars = "frames_cars" of GAME, at Depth::Full, by fill_cars in frames_cars {
        /// The recording.
        recording_id: Name,
        /// The frame's number in the file; counts rows when resampled.
        frame: U32,
        /// When.
        time_s: F64,
        /// The player's number in the recording, in order of appearance, from 0.
        player: U32,
        /// The player's name.
        name: Name,
        /// The player's team: 0 blue, 1 orange.
        team: U8,
        /// Where.
        x_uu: F32,
        /// Where.
        y_uu: F32,
        /// Where, up.
        z_uu: F32,
        /// How it is turned: a quaternion in the game's space.
        qx: F32,
        /// How it is turned.
        qy: F32,
        /// How it is turned.
        qz: F32,
        /// How it is turned.
        qw: F32,
        /// How it moves.
        vx_uu_s: F32,
        /// How it moves.
        vy_uu_s: F32,
        /// How it moves, up.
        vz_uu_s: F32,
        /// How it turns.
        wx_rad_s: F32,
        /// How it turns.
        wy_rad_s: F32,
        /// How it turns.
        wz_rad_s: F32,
        /// How much boost it has, from 0 to 100.
        boost_percent: F32,
        /// The throttle, from -1 to 1.
        throttle: F32,
        /// The wheel, from -1 to 1.
        steer: F32,
        /// Whether the hand brake is pulled.
        handbrake: Flag,
        /// Whether it is boosting.
        boosting: Flag,
    }
}

table! {
    /// One row for every time a boost pad is taken, or is back.
    pub Pads = "pads" of GAME, at Depth::Full, by fill_pads in pads {
        /// The recording.
        recording_id: Name,
        /// In which frame.
        frame: I64,
        /// When.
        time_s: F64,
        /// The pad's name in the level.
        pad: Name,
        /// `taken` or `back`.
        action: Name,
        /// Whether it is one of the large ones.
        is_big: Flag,
        /// Where it is.
        x_uu: F32,
        /// Where it is.
        y_uu: F32,
        /// Where it is, up.
        z_uu: F32,
        /// Who took it.
        player: Name,
        /// Whose half it is in, for who took it: `own`, `stolen`, `middle`; `unknown` where it cannot be told.
        side: Name,
    }
}

/// The columns of a row's recording and time.
type When<'a> = (
    &'a mut Option<<kinds::Name as kinds::Kind>::Builder>,
    &'a mut Option<<kinds::U32 as kinds::Kind>::Builder>,
    &'a mut Option<<kinds::F64 as kinds::Kind>::Builder>,
);

/// Adds the frames of a stretch to the columns that say when.
fn add_frames(source: &Source, numbers: &[u32], times_s: &[f64], columns: When<'_>) {
    let (recording_id, frame, time) = columns;
    if let Some(builder) = recording_id {
        builder.append_many(&source.id, times_s.len());
    }
    if let Some(builder) = frame {
        kinds::U32::append_slice(builder, numbers);
    }
    if let Some(builder) = time {
        kinds::F64::append_slice(builder, times_s);
    }
}

/// The numbers and times of the frames that rows are made for.
fn frames(source: &Source, options: &TableOptions) -> Result<(Vec<u32>, Vec<f64>), ArrowError> {
    let network = match &source.recording {
        Recording::RocketLeague(replay) => replay.body.as_ref().map(|body| &body.network),
        _ => None,
    };
    let mut numbers = Vec::new();
    let times_s = source.times_s(options.fps, || {
        let frames = network.into_iter().flat_map(|network| network.frames());
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        // What is at no time is nowhere.
        let (all, times_s) = frames
            .filter(|frame| !frame.time_s.is_nan())
            .map(|frame| (number(frame.number), f64::from(frame.time_s)))
            .unzip();
        numbers = all;
        times_s
    })?;
    if numbers.is_empty() {
        numbers = (0..u32::try_from(times_s.len()).unwrap_or(u32::MAX)).collect();
    }
    // A damaged file's times may go back; a column's do not, and the timeline is sampled forwards.
    if !times_s.is_sorted() {
        let mut order: Vec<(f64, u32)> = times_s.into_iter().zip(numbers).collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        let sorted = order.into_iter().map(|(time_s, number)| (number, time_s));
        return Ok(sorted.unzip());
    }
    Ok((numbers, times_s))
}

/// A vector of the timeline in the game's units and order of axes.
pub(crate) fn game_uu([x, y, z]: [Option<f32>; 3]) -> [Option<f32>; 3] {
    let metres = |value: f32| value / coords::METRES;
    [x.map(metres), z.map(metres), y.map(metres)]
}

/// A turn of the timeline in the game's order of axes, whose sense is the other one.
pub(crate) fn game_turn([x, y, z]: [Option<f32>; 3]) -> [Option<f32>; 3] {
    let other = |value: f32| -value;
    [x.map(other), z.map(other), y.map(other)]
}

fn of_kind<'a>(
    source: &'a Source,
    kind: &'static str,
) -> impl Iterator<Item = (EntityId, &'a Entity)> {
    let entities = source.timeline().entities.iter().enumerate();
    entities
        .filter(move |(_, entity)| entity.kind == kind)
        .map(|(index, entity)| (EntityId(index), entity))
}

/// The number of rows of some entities.
fn count<'a>(entities: impl Iterator<Item = &'a Entity>, times_s: &[f64]) -> usize {
    let stretches = entities.flat_map(|entity| stretches(entity, times_s));
    stretches.map(|stretch| stretch.len()).sum()
}

/// Adds the position, velocity and spin of a body to the nine columns that tables of bodies have for them.
macro_rules! add_motion {
    ($table:ident, $columns:expr, $body:expr) => {{
        let $table::Columns {
            x_uu,
            y_uu,
            z_uu,
            vx_uu_s,
            vy_uu_s,
            vz_uu_s,
            wx_rad_s,
            wy_rad_s,
            wz_rad_s,
            ..
        } = $columns;
        $body.add_vectors("position", [x_uu, y_uu, z_uu], coords::position_uu);
        let velocity = [vx_uu_s, vy_uu_s, vz_uu_s];
        $body.add_vectors("velocity_m_s", velocity, coords::position_uu);
        let spin = [wx_rad_s, wy_rad_s, wz_rad_s];
        $body.add_vectors("angular_velocity_rad_s", spin, coords::turn);
    }};
}

/// Passes on stretches of rows in pieces that fit into a batch; `left` rows of the table are still to come.
macro_rules! pieces {
    ($rows:ident, $left:ident, $stretches:expr, $add:expr) => {
        for mut stretch in $stretches {
            while !stretch.is_empty() {
                $rows.expect($left);
                let end = stretch.end.min(stretch.start + $rows.room());
                let piece = stretch.start..end;
                $add(&mut $rows.columns, &piece);
                $rows.added(piece.len())?;
                $left -= piece.len();
                stretch.start = end;
            }
        }
    };
}

fn fill_ball(
    source: &Source,
    options: &TableOptions,
    rows: &mut frames_ball::Rows<'_>,
) -> Result<(), ArrowError> {
    let (numbers, times_s) = frames(source, options)?;
    let game = of_kind(source, "game").next().map(|(_, game)| game);
    let clock_s = Held::new(game, "seconds_remaining", &times_s, number);
    let overtime = Held::new(game, "overtime", &times_s, flag);
    let mut left = count(of_kind(source, "ball").map(|(_, ball)| ball), &times_s);
    for (ball, (_, entity)) in of_kind(source, "ball").enumerate() {
        let hit_team = Held::new(Some(entity), "hit_team", &times_s, team);
        let add = |columns: &mut frames_ball::Columns, piece: &Range<usize>| {
            let (numbers, times_s) = (&numbers[piece.clone()], &times_s[piece.clone()]);
            let place = (
                &mut columns.recording_id,
                &mut columns.frame,
                &mut columns.time_s,
            );
            add_frames(source, numbers, times_s, place);
            if let Some(builder) = &mut columns.ball {
                kinds::U8::append_many(builder, u8::try_from(ball).ok(), piece.len());
            }
            let body = Motion::new(entity, times_s);
            add_motion!(frames_ball, columns, body);
            hit_team.add::<kinds::U8>(&mut columns.hit_team, piece);
            clock_s.add::<kinds::F32>(&mut columns.clock_s, piece);
            overtime.add::<kinds::Flag>(&mut columns.overtime, piece);
        };
        pieces!(rows, left, stretches(entity, &times_s), add);
    }
    Ok(())
}

/// A number of a team that stays.
fn team(sample: Sample<'_>) -> Option<u8> {
    number(sample).map(|team| team as u8)
}

fn fill_cars(
    source: &Source,
    options: &TableOptions,
    rows: &mut frames_cars::Rows<'_>,
) -> Result<(), ArrowError> {
    let (numbers, times_s) = frames(source, options)?;
    let entities = || source.timeline().entities.iter();
    let players = of_kind(source, "player").enumerate();
    let cars = players.filter_map(|(player, (id, owner))| {
        let is_own = |entity: &&Entity| entity.kind == "car" && entity.parent == Some(id);
        Some((player, owner, entities().find(is_own)?))
    });
    let cars: Vec<(usize, &Entity, &Entity)> = cars.collect();
    let mut left = count(cars.iter().map(|(_, _, car)| *car), &times_s);
    for (player, owner, car) in cars {
        let its_team = Held::new(Some(owner), "team", &times_s, team);
        let throttle = Held::new(Some(car), "throttle", &times_s, number);
        let steer = Held::new(Some(car), "steer", &times_s, number);
        let handbrake = Held::new(Some(car), "handbrake", &times_s, flag);
        let boosting = Held::new(Some(car), "boosting", &times_s, flag);
        let add = |columns: &mut frames_cars::Columns, piece: &Range<usize>| {
            let (numbers, times_s) = (&numbers[piece.clone()], &times_s[piece.clone()]);
            let place = (
                &mut columns.recording_id,
                &mut columns.frame,
                &mut columns.time_s,
            );
            add_frames(source, numbers, times_s, place);
            if let Some(builder) = &mut columns.player {
                kinds::U32::append_many(builder, u32::try_from(player).ok(), piece.len());
            }
            if let Some(builder) = &mut columns.name {
                builder.append_many(&owner.name, piece.len());
            }
            let body = Motion::new(car, times_s);
            add_motion!(frames_cars, columns, body);
            let frames_cars::Columns { qx, qy, qz, qw, .. } = columns;
            // The same exchange of axes back: it is its own inverse.
            body.add_rotations([qx, qy, qz, qw], coords::unit_rotation);
            add_scalars(&mut columns.boost_percent, car, "boost_percent", times_s);
            its_team.add::<kinds::U8>(&mut columns.team, piece);
            throttle.add::<kinds::F32>(&mut columns.throttle, piece);
            steer.add::<kinds::F32>(&mut columns.steer, piece);
            handbrake.add::<kinds::Flag>(&mut columns.handbrake, piece);
            boosting.add::<kinds::Flag>(&mut columns.boosting, piece);
        };
        pieces!(rows, left, stretches(car, &times_s), add);
    }
    Ok(())
}

fn fill_pads(
    source: &Source,
    _: &TableOptions,
    rows: &mut pads::Rows<'_>,
) -> Result<(), ArrowError> {
    let timeline = source.timeline();
    let name = |id: Option<EntityId>| Some(timeline.entity(id?)?.name.as_str());
    for event in &timeline.events {
        let action = match &*event.kind {
            "boost-pickup" => "taken",
            "boost-back" => "back",
            _ => continue,
        };
        let detail = |name: &str| {
            let found = event.details.iter().find(|(detail, _)| *detail == name);
            found.map(|(_, value)| &**value)
        };
        let [x_uu, y_uu, z_uu] = event
            .position
            .map_or([None; 3], |place| coords::position_uu(place).map(Some));
        rows.push(pads::Row {
            recording_id: Some(&source.id),
            frame: i64::try_from(event.frame).ok(),
            time_s: Some(event.time_s),
            pad: name(event.whom),
            action: Some(action),
            is_big: match detail("size") {
                Some("big") => Some(true),
                Some("small") => Some(false),
                _ => None,
            },
            x_uu,
            y_uu,
            z_uu,
            player: name(event.who),
            side: detail("side"),
        })?;
    }
    Ok(())
}
