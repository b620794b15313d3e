//! Where bodies were: the samples of their lives, in one column of each kind per ball and per player's car.
//!
//! The pass over the frames notes only whose each body is. Here the bodies of each motion are picked, and its columns made
//! one after the other, as long as they must be: growing them sample by sample would copy everything several times, and
//! a sample for five columns at once asks five times whether there is room.

use std::ops::Range;

use super::build::Entities;
use super::state::Match;
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::network::Body;
use crate::rocket_league::coords::{self, Scales};
use crate::timeline::PackedRotations;

/// Whose a body is and in which of the frames that were read, in one number: there are hundreds of thousands of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Mark {
    /// Neither a ball's nor a car's.
    pub const NOBODY: Self = Self(0);

    /// A ball's, in no frame yet.
    pub fn ball(life: usize) -> Self {
        Self((2 * life as u64 + 1) << 32)
    }

    pub fn car(life: usize) -> Self {
        Self((2 * life as u64 + 2) << 32)
    }

    /// The same in a frame.
    pub fn in_frame(self, frame: u32) -> Self {
        Self(self.0 | u64::from(frame))
    }

    fn frame(self) -> usize {
        self.0 as u32 as usize
    }

    /// Which life: balls' are odd, cars' are even; 0 is nobody's.
    fn owner(self) -> usize {
        (self.0 >> 32) as usize
    }
}

/// Where a body was and how it moved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motion {
    pub times_s: Vec<f64>,
    pub positions: Vec<[f32; 3]>,
    /// Packed, see [`coords::packed_rotation`].
    rotations: Vec<u64>,
    pub velocities_m_s: Vec<[f32; 3]>,
    pub turns_rad_s: Vec<[f32; 3]>,
}

/// A body of a motion, where it is stored, and when it was there.
#[derive(Clone, Copy)]
struct Moment<'a> {
    time_s: f64,
    body: &'a Body,
}

/// So many bodies are together in the nearest cache.
const CHUNK: usize = 256;

impl Motion {
    fn new(moments: &[Moment<'_>], scales: &Scales) -> Self {
        let scaled = |[x, y, z]: [i32; 3], scale: f32| {
            [x as f32 * scale, y as f32 * scale, z as f32 * scale]
        };
        let Scales {
            location_uu,
            linear_uu_s,
            angular_rad_s,
        } = *scales;
        let count = moments.len();
        let mut motion = Self {
            times_s: moments.iter().map(|moment| moment.time_s).collect(),
            positions: Vec::with_capacity(count),
            rotations: Vec::with_capacity(count),
            velocities_m_s: Vec::with_capacity(count),
            turns_rad_s: Vec::with_capacity(count),
        };
        for moments in moments.chunks(CHUNK) {
            let bodies = moments.iter().map(|moment| moment.body);
            motion.positions.extend(
                (bodies.clone()).map(|body| coords::position(scaled(body.location, location_uu))),
            );
            let rotations = bodies.clone().map(coords::packed_rotation);
            motion.rotations.extend(rotations);
            // A body that sleeps has no velocities; they are 0 then.
            motion.velocities_m_s.extend(
                (bodies.clone()).map(|body| coords::position(scaled(body.linear, linear_uu_s))),
            );
            motion
                .turns_rad_s
                .extend(bodies.map(|body| coords::turn(scaled(body.angular, angular_rad_s))));
        }
        motion
    }

    /// The rotation of a sample, packed.
    pub fn packed_rotation(&self, sample: usize) -> Option<u64> {
        self.rotations.get(sample).copied()
    }

    /// How the body was turned.
    pub fn rotations(&mut self) -> PackedRotations {
        PackedRotations::new(
            std::mem::take(&mut self.rotations),
            coords::unpacked_rotation,
        )
    }
}

/// A part of a motion: one life.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'a> {
    pub times_s: &'a [f64],
    pub positions: &'a [[f32; 3]],
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

    /// Where the body is at a time, by its last sample and its velocity then, in the game's units.
    pub fn position_uu(&self, time_s: f64) -> Option<[f32; 3]> {
        let position = self.position_after(self.index_at(time_s)?, time_s)?;
        Some(coords::position_uu(position))
    }

    /// The same in the timeline's, given the last sample.
    pub fn position_after(&self, index: usize, time_s: f64) -> Option<[f32; 3]> {
        let position = self.positions.get(index)?;
        let velocity = self.velocities_m_s.get(index)?;
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
    range: Range<usize>,
}

impl Life {
    /// Part of no motion.
    const NOBODY: Self = Self {
        motion: usize::MAX,
        from_s: 0.0,
        until_s: f64::INFINITY,
        range: 0..0,
    };
}

/// More motions than any match has: what a damaged file tells of does not get room before it is told.
const MANY: usize = 64;

/// The motions of all balls and cars, and which part of which of them each life is.
#[derive(Debug, Default)]
pub(crate) struct Motions {
    /// By ball.
    pub balls: Vec<Motion>,
    /// By person; then those of cars that are nobody's, each life on its own.
    pub cars: Vec<Motion>,
    /// By [`Mark::owner`].
    lives: Vec<Life>,
}

impl Motions {
    pub fn new(found: &Match, entities: &Entities, replay: &Replay) -> Self {
        // Balls and cars in one list: which of them a body is changes from one to the next, and nobody could guess it.
        let owner_count = 1 + 2 * found.balls.len().max(found.cars.len());
        let mut lives = vec![Life::NOBODY; owner_count];
        let mut begin = |mark: Mark, motion: usize, from_s: f64| {
            if let Some(life) = lives.get_mut(mark.owner()) {
                (life.motion, life.from_s) = (motion, from_s);
            }
        };
        for (life, (ball, &motion)) in found.balls.iter().zip(&entities.balls).enumerate() {
            begin(Mark::ball(life), motion, ball.from_s);
        }
        let mut motion_count = entities.ball_count + entities.person_count;
        for (life, (car, &owner)) in found.cars.iter().zip(&entities.owners).enumerate() {
            let motion = match owner {
                Some(person) => entities.ball_count + person,
                None => {
                    motion_count += 1;
                    motion_count - 1
                }
            };
            begin(Mark::car(life), motion, car.from_s);
        }
        end_lives(&mut lives, motion_count);
        // A body is told of once a frame.
        let most = match motion_count {
            ..MANY => found.frame_times_s.len(),
            _ => 0,
        };
        let mut moments: Vec<Vec<Moment<'_>>> = Vec::new();
        moments.resize_with(motion_count, || Vec::with_capacity(most));
        let blocks = replay.body.iter().flat_map(|body| &body.network.blocks);
        let bodies = blocks.flat_map(|block| &block.bodies);
        for (body, mark) in bodies.zip(&found.marks) {
            let Some(&time_s) = found.frame_times_s.get(mark.frame()) else {
                continue;
            };
            let life = lives.get(mark.owner());
            let Some(life) = life.filter(|life| time_s < life.until_s) else {
                continue;
            };
            if let Some(moments) = moments.get_mut(life.motion) {
                moments.push(Moment { time_s, body });
            }
        }
        for life in &mut lives {
            if let Some(moments) = moments.get(life.motion) {
                let before = |time_s: f64| moments.partition_point(|moment| moment.time_s < time_s);
                life.range = before(life.from_s)..before(life.until_s);
            }
        }
        let scales = Scales::of(&replay.header.versions);
        let mut balls: Vec<Motion> = moments
            .iter()
            .map(|moments| Motion::new(moments, &scales))
            .collect();
        let cars = balls.split_off(entities.ball_count.min(balls.len()));
        Self { balls, cars, lives }
    }

    /// Which samples of its motion the life of a ball has.
    pub fn ball_range(&self, life: usize) -> Option<Range<usize>> {
        let life = self.lives.get(Mark::ball(life).owner())?;
        Some(life.range.clone()).filter(|range| !range.is_empty())
    }

    /// Which samples of its motion the life of a car has.
    pub fn car_range(&self, life: usize) -> Option<Range<usize>> {
        let life = self.lives.get(Mark::car(life).owner())?;
        Some(life.range.clone()).filter(|range| !range.is_empty())
    }

    /// The path of a ball's life.
    pub fn ball(&self, life: usize) -> Option<Path<'_>> {
        let life = self.lives.get(Mark::ball(life).owner())?;
        path(self.balls.get(life.motion)?, &life.range)
    }

    /// The path of a car's life.
    pub fn car(&self, life: usize) -> Option<Path<'_>> {
        let life = self.lives.get(Mark::car(life).owner())?;
        let motion = life.motion.checked_sub(self.balls.len())?;
        path(self.cars.get(motion)?, &life.range)
    }
}

fn path<'a>(motion: &'a Motion, range: &Range<usize>) -> Option<Path<'a>> {
    Some(Path {
        times_s: motion.times_s.get(range.clone())?,
        positions: motion.positions.get(range.clone())?,
        velocities_m_s: motion.velocities_m_s.get(range.clone())?,
    })
}

/// Each life ends where the next one of its motion begins.
fn end_lives(lives: &mut [Life], motion_count: usize) {
    let mut next_s = vec![f64::INFINITY; motion_count];
    for life in lives.iter_mut().rev() {
        if let Some(next_s) = next_s.get_mut(life.motion) {
            life.until_s = *next_s;
            *next_s = next_s.min(life.from_s);
        }
    }
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
