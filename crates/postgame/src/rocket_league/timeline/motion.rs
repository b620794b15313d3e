//! Where bodies were: the samples of their lives, in one column of each kind per ball and per player's car.
//!
//! The pass over the frames notes only whose each body is. Here the columns are made in one go, as long as they must be;
//! growing them sample by sample would copy everything several times.

use std::ops::Range;

use super::super::coords::{self, HalfAngles, Scales};
use super::super::model::Replay;
use super::super::model::network::Body;
use super::super::model::values::BodyRotation;
use super::super::model::versions::Versions;
use super::build::Entities;
use super::state::Match;

/// Whose a body is and in which of the frames that were read, in one number: there are hundreds of thousands of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Mark {
    /// Neither a ball's nor a car's.
    pub const NOBODY: Self = Self(0);

    pub fn ball(life: usize, frame: u32) -> Self {
        Self((2 * life as u64 + 1) << 32 | u64::from(frame))
    }

    pub fn car(life: usize, frame: u32) -> Self {
        Self((2 * life as u64 + 2) << 32 | u64::from(frame))
    }

    fn frame(self) -> usize {
        self.0 as u32 as usize
    }

    /// Balls' lives are odd, cars' are even; 0 is nobody's.
    fn owner(self) -> usize {
        (self.0 >> 32) as usize
    }
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
        let (quaternion, is_unit) = match (rotation, &self.angles) {
            (BodyRotation::Angles(angles), Some(table)) => (table.quaternion(angles), false),
            _ => rotation.to_quaternion_told(),
        };
        // Measuring the length would wait for a root, in every one of hundreds of thousands.
        match is_unit {
            true => coords::unit_rotation(quaternion),
            false => coords::rotation(quaternion),
        }
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

    fn push(&mut self, time_s: f64, body: &Body, units: &Units) {
        let scaled = |numbers: [i32; 3], scale: f32| numbers.map(|number| number as f32 * scale);
        let Scales {
            location_uu,
            linear_uu_s,
            angular_rad_s,
        } = units.scales;
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

    /// The last sample at a time, looked for from the one found before: most who ask go with the time.
    pub fn index_from(&self, found: &mut usize, time_s: f64) -> Option<usize> {
        point_from(self.times_s, found, |&time| time <= time_s).checked_sub(1)
    }

    /// Where the body is at a time, by its last sample and its velocity then.
    pub fn position_uu(&self, time_s: f64) -> Option<[f32; 3]> {
        self.position_after(self.index_at(time_s)?, time_s)
    }

    /// The same, given the last sample.
    pub fn position_after(&self, index: usize, time_s: f64) -> Option<[f32; 3]> {
        let position = coords::position_uu(*self.positions.get(index)?);
        let velocity = coords::position_uu(*self.velocities_m_s.get(index)?);
        let since_s = ((time_s - self.times_s.get(index)?) as f32).min(0.2);
        Some(std::array::from_fn(|axis| {
            position[axis] + velocity[axis] * since_s
        }))
    }
}

/// What [`partition_point`](slice::partition_point) finds, looked for from the point found before, and better the nearer
/// it is.
pub(crate) fn point_from<T>(
    list: &[T],
    found: &mut usize,
    is_before: impl Fn(&T) -> bool,
) -> usize {
    let is_there = |index: usize| list.get(index).is_some_and(&is_before);
    let mut start = *found;
    if start > 0 && !is_there(start - 1) {
        start = 0;
    }
    let mut step = 1;
    while is_there(start + step - 1) {
        start += step;
        step *= 2;
    }
    let end = (start + step - 1).min(list.len());
    let rest = list.get(start..end).unwrap_or_default();
    *found = start + rest.partition_point(is_before);
    *found
}

/// A life: which motion it is part of, and from where to where.
#[derive(Clone, Debug)]
struct Life {
    motion: usize,
    from_s: f64,
    /// Another life of the same motion begins: times ascend, whatever is told of the old one.
    until_s: f64,
    count: usize,
    range: Range<usize>,
}

/// The motions of all balls and cars, and which part of which of them each life is.
#[derive(Debug, Default)]
pub(crate) struct Motions {
    /// By ball.
    pub balls: Vec<Motion>,
    /// By person; then those of cars that are nobody's, each life on its own.
    pub cars: Vec<Motion>,
    ball_lives: Vec<Life>,
    car_lives: Vec<Life>,
}

impl Motions {
    pub fn new(found: &Match, entities: &Entities, replay: &Replay) -> Self {
        let life = |motion: usize, from_s: f64| Life {
            motion,
            from_s,
            until_s: f64::INFINITY,
            count: 0,
            range: 0..0,
        };
        let balls = found.balls.iter().zip(&entities.balls);
        let mut car_motions = entities.person_count;
        let mut motion_of = |owner: Option<usize>| {
            owner.unwrap_or_else(|| {
                car_motions += 1;
                car_motions - 1
            })
        };
        let cars = found.cars.iter().zip(&entities.owners);
        let mut motions = Self {
            ball_lives: balls
                .map(|(ball, &number)| life(number, ball.from_s))
                .collect(),
            car_lives: cars
                .map(|(car, &owner)| life(motion_of(owner), car.from_s))
                .collect(),
            ..Self::default()
        };
        for mark in &found.marks {
            if let Some(life) = motions.life(*mark) {
                life.count += 1;
            }
        }
        motions.balls = rooms(entities.ball_count, &mut motions.ball_lives);
        motions.cars = rooms(car_motions, &mut motions.car_lives);
        let units = Units::new(&replay.header.versions);
        let blocks = replay.body.iter().flat_map(|body| &body.network.blocks);
        let bodies = blocks.flat_map(|block| &block.bodies);
        for (body, mark) in bodies.zip(&found.marks) {
            motions.note(body, *mark, &found.frame_times_s, &units);
        }
        motions
    }

    fn life(&mut self, mark: Mark) -> Option<&mut Life> {
        let owner = mark.owner().checked_sub(1)?;
        match owner % 2 {
            0 => self.ball_lives.get_mut(owner / 2),
            _ => self.car_lives.get_mut(owner / 2),
        }
    }

    fn note(&mut self, body: &Body, mark: Mark, frame_times_s: &[f64], units: &Units) {
        let Some(owner) = mark.owner().checked_sub(1) else {
            return;
        };
        let (motions, lives) = match owner % 2 {
            0 => (&mut self.balls, &mut self.ball_lives),
            _ => (&mut self.cars, &mut self.car_lives),
        };
        let (Some(life), Some(&time_s)) =
            (lives.get_mut(owner / 2), frame_times_s.get(mark.frame()))
        else {
            return;
        };
        let Some(motion) = motions
            .get_mut(life.motion)
            .filter(|_| time_s < life.until_s)
        else {
            return;
        };
        if life.range.is_empty() {
            life.range.start = motion.times_s.len();
        }
        motion.push(time_s, body, units);
        life.range.end = motion.times_s.len();
    }

    /// The path of a ball's life.
    pub fn ball(&self, life: usize) -> Option<Path<'_>> {
        let life = self.ball_lives.get(life)?;
        path(self.balls.get(life.motion)?, &life.range)
    }

    /// The path of a car's life.
    pub fn car(&self, life: usize) -> Option<Path<'_>> {
        let life = self.car_lives.get(life)?;
        path(self.cars.get(life.motion)?, &life.range)
    }
}

fn path<'a>(motion: &'a Motion, range: &Range<usize>) -> Option<Path<'a>> {
    Some(Path {
        times_s: motion.times_s.get(range.clone())?,
        positions: motion.positions.get(range.clone())?,
        rotations: motion.rotations.get(range.clone())?,
        velocities_m_s: motion.velocities_m_s.get(range.clone())?,
    })
}

/// Motions with room for all samples of their lives; each life ends where the next one of its motion begins.
fn rooms(count: usize, lives: &mut [Life]) -> Vec<Motion> {
    let mut sizes = vec![0; count];
    let mut next_s = vec![f64::INFINITY; count];
    for life in lives.iter_mut().rev() {
        if let (Some(size), Some(next_s)) =
            (sizes.get_mut(life.motion), next_s.get_mut(life.motion))
        {
            *size += life.count;
            life.until_s = *next_s;
            *next_s = next_s.min(life.from_s);
        }
    }
    sizes.into_iter().map(Motion::with_capacity).collect()
}

#[cfg(test)]
mod tests {
    use super::point_from;

    #[test]
    fn a_point_is_found_from_anywhere() {
        let list: Vec<usize> = (0..40).collect();
        for from in 0..=40 {
            for limit in 0..=41 {
                let mut found = from;
                let point = point_from(&list, &mut found, |&number| number < limit);
                assert_eq!((point, found), (limit.min(40), limit.min(40)));
            }
        }
        assert_eq!(point_from(&[0; 0], &mut 7, |_| true), 0);
    }
}
