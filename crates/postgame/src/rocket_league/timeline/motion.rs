//! Where bodies were: the samples of their lives, in one column of each kind per ball and per player's car.
//!
//! The pass over the frames notes only which body was seen in which frame. Here the columns are made in one go, as long
//! as they must be; growing them sample by sample would copy everything several times.

use std::ops::Range;

use super::super::coords::{self, HalfAngles, Scales};
use super::super::model::network::Body;
use super::super::model::values::BodyRotation;
use super::super::model::versions::Versions;
use super::build::Entities;
use super::state::Match;

/// A body as the file has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// Which of the frames that were read.
    pub frame: u32,
    pub body: &'a Body,
}

/// Where a body was and how it moved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motion {
    pub times_s: Vec<f64>,
    pub positions: Vec<[f32; 3]>,
    pub rotations: Vec<[f32; 4]>,
    pub velocities_m_s: Vec<[f32; 3]>,
    pub turns_rad_s: Vec<[f32; 3]>,
}

/// From the file's numbers to the timeline's units.
struct Units {
    scales: Scales,
    angles: Option<HalfAngles>,
}

impl Units {
    fn new(versions: &Versions) -> Self {
        Self {
            scales: Scales::of(versions),
            angles: (versions.net() < 7).then(HalfAngles::new),
        }
    }

    fn rotation(&self, body: &Body) -> [f32; 4] {
        let is_quaternion = body.form & Body::QUATERNION != 0;
        let rotation = BodyRotation::from_bits(body.rotation_bits(), is_quaternion);
        let quaternion = match (rotation, &self.angles) {
            (BodyRotation::Angles(angles), Some(table)) => table.quaternion(angles),
            _ => rotation.to_quaternion(),
        };
        coords::rotation(quaternion)
    }
}

impl Motion {
    fn with_capacity(count: usize) -> Self {
        Self {
            times_s: Vec::with_capacity(count),
            positions: Vec::with_capacity(count),
            rotations: Vec::with_capacity(count),
            velocities_m_s: Vec::with_capacity(count),
            turns_rad_s: Vec::with_capacity(count),
        }
    }

    /// Drops the samples from a time on.
    fn cut(&mut self, time_s: f64) {
        let count = self.times_s.partition_point(|&time| time < time_s);
        self.times_s.truncate(count);
        self.positions.truncate(count);
        self.rotations.truncate(count);
        self.velocities_m_s.truncate(count);
        self.turns_rad_s.truncate(count);
    }

    fn append(&mut self, bodies: &[Seen<'_>], frame_times_s: &[f64], units: &Units) {
        let scaled = |numbers: [i32; 3], scale: f32| numbers.map(|number| number as f32 * scale);
        let Scales {
            location_uu,
            linear_uu_s,
            angular_rad_s,
        } = units.scales;
        for &Seen { frame, body } in bodies {
            let Some(&time_s) = frame_times_s.get(frame as usize) else {
                continue;
            };
            self.times_s.push(time_s);
            self.positions
                .push(coords::position(scaled(body.location, location_uu)));
            self.rotations.push(units.rotation(body));
            // A body that sleeps has no velocities; they are 0 then.
            self.velocities_m_s
                .push(coords::position(scaled(body.linear, linear_uu_s)));
            self.turns_rad_s
                .push(coords::turn(scaled(body.angular, angular_rad_s)));
        }
    }
}

/// A part of a motion: one life.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'a> {
    pub times_s: &'a [f64],
    pub positions: &'a [[f32; 3]],
    pub rotations: &'a [[f32; 4]],
    pub velocities_m_s: &'a [[f32; 3]],
}

impl Path<'_> {
    /// The last sample at a time.
    pub fn index_at(&self, time_s: f64) -> Option<usize> {
        self.times_s
            .partition_point(|&time| time <= time_s)
            .checked_sub(1)
    }

    /// Where the body is at a time, by its last sample and its velocity then.
    pub fn position_uu(&self, time_s: f64) -> Option<[f32; 3]> {
        let index = self.index_at(time_s)?;
        let position = coords::position_uu(*self.positions.get(index)?);
        let velocity = coords::position_uu(*self.velocities_m_s.get(index)?);
        let since_s = ((time_s - self.times_s.get(index)?) as f32).min(0.2);
        Some(std::array::from_fn(|axis| {
            position[axis] + velocity[axis] * since_s
        }))
    }
}

/// The motions of all balls and cars, and which part of which of them each life is.
#[derive(Debug, Default)]
pub(crate) struct Motions {
    /// By ball.
    pub balls: Vec<Motion>,
    /// By person; then those of cars that are nobody's, each life on its own.
    pub cars: Vec<Motion>,
    ball_lives: Vec<(usize, Range<usize>)>,
    car_lives: Vec<(usize, Range<usize>)>,
}

impl Motions {
    pub fn new(found: &Match<'_>, entities: &Entities, versions: &Versions) -> Self {
        let units = Units::new(versions);
        let lives = found.balls.iter().zip(&entities.balls);
        let (balls, ball_lives) = joined(
            entities.ball_count,
            &lives
                .map(|(life, &ball)| (ball, life.from_s, life.bodies.as_slice()))
                .collect::<Vec<_>>(),
            found,
            &units,
        );
        let mut motions = entities.person_count;
        let owned = found
            .cars
            .iter()
            .zip(&entities.owners)
            .map(|(life, owner)| {
                let motion = owner.unwrap_or_else(|| {
                    motions += 1;
                    motions - 1
                });
                (motion, life.from_s, life.bodies.as_slice())
            });
        let owned: Vec<_> = owned.collect();
        let (cars, car_lives) = joined(motions, &owned, found, &units);
        Self {
            balls,
            cars,
            ball_lives,
            car_lives,
        }
    }

    /// The path of a ball's life.
    pub fn ball(&self, life: usize) -> Option<Path<'_>> {
        let (motion, range) = self.ball_lives.get(life)?;
        path(self.balls.get(*motion)?, range)
    }

    /// The path of a car's life.
    pub fn car(&self, life: usize) -> Option<Path<'_>> {
        let (motion, range) = self.car_lives.get(life)?;
        path(self.cars.get(*motion)?, range)
    }
}

fn path<'a>(motion: &'a Motion, range: &Range<usize>) -> Option<Path<'a>> {
    // What a later life has cut off is gone.
    let range = range.start..range.end.min(motion.times_s.len());
    Some(Path {
        times_s: motion.times_s.get(range.clone())?,
        positions: motion.positions.get(range.clone())?,
        rotations: motion.rotations.get(range.clone())?,
        velocities_m_s: motion.velocities_m_s.get(range)?,
    })
}

/// Joins lives to motions: for each life its motion, its start and its bodies.
fn joined(
    count: usize,
    lives: &[(usize, f64, &[Seen<'_>])],
    found: &Match<'_>,
    units: &Units,
) -> (Vec<Motion>, Vec<(usize, Range<usize>)>) {
    let mut sizes = vec![0; count];
    for (motion, _, bodies) in lives {
        if let Some(size) = sizes.get_mut(*motion) {
            *size += bodies.len();
        }
    }
    let mut motions: Vec<Motion> = sizes.into_iter().map(Motion::with_capacity).collect();
    let ranges = lives.iter().map(|&(index, from_s, bodies)| {
        let Some(motion) = motions.get_mut(index) else {
            return (index, 0..0);
        };
        // A life that begins before the last one's end: times ascend all the same.
        motion.cut(from_s);
        let start = motion.times_s.len();
        motion.append(bodies, &found.frame_times_s, units);
        (index, start..motion.times_s.len())
    });
    let ranges = ranges.collect();
    (motions, ranges)
}
