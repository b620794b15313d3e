//! Touches: the ball changes its velocity while a car is at it.
//!
//! Between two samples the ball falls and slows down; what is left of the change of its velocity is a push. A push is a
//! touch when the box around a car reaches the ball; else it was a wall. The game says which team touched the ball last:
//! among cars that reach it those of that team come first.

use super::super::timeline::motion::Path;
use super::super::timeline::state::{CarLife, Deed};
use super::Scene;
use crate::rocket_league::coords;
use crate::rocket_league::tables;

/// The least push, in uu/s, that is a touch: less is drag and the rounding of the file.
const PUSH_UU_S: f32 = 60.0;

/// How far the ball may be from a car's box: cars are sampled ten times a second, and other bodies are a bit larger.
const REACH_UU: f32 = 60.0;

/// Touches of one player within this time are one.
const SAME_S: f64 = 0.15;

/// The game's own word for which team touched the ball comes within this time.
const MARK_S: f64 = 0.12;

/// A car at the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub time_s: f64,
    pub car: usize,
    pub team: Option<u8>,
    pub push_uu_s: f32,
    pub position_uu: [f32; 3],
    pub speed_uu_s: f32,
}

/// All touches, in order of time.
pub(super) fn touches(scene: &Scene<'_>) -> Vec<Touch> {
    let happenings = &scene.found.happenings;
    let marks: Vec<(f64, u8)> = happenings
        .iter()
        .filter_map(|happening| match happening.what {
            Deed::HitTeam(team) => Some((happening.time_s, team)),
            _ => None,
        })
        .collect();
    let least_push = least_square(PUSH_UU_S);
    let mut cars = Cars::new(scene);
    let mut touches: Vec<Touch> = Vec::new();
    for ball in 0..scene.found.balls.len() {
        let Some(path) = scene.motions.ball(ball) else {
            continue;
        };
        cars.restart();
        let moves = path.positions.iter().zip(path.velocities_m_s);
        let samples = path.times_s.iter().zip(moves);
        let mut before: Option<(f64, [f32; 3])> = None;
        for (&time_s, (&position, &velocity)) in samples {
            let velocity = coords::position_uu(velocity);
            let last = before.replace((time_s, velocity));
            let Some((last_s, last)) = last else { continue };
            let passed_s = (time_s - last_s) as f32;
            let push = match last {
                // A ball at rest is told again only when it moves.
                [0.0, 0.0, 0.0] => velocity,
                _ if passed_s > 0.5 => continue,
                last => push(last, velocity, passed_s),
            };
            if square(push) < least_push {
                continue;
            }
            let push = length(push);
            let position_uu = coords::position_uu(position);
            let mark = mark_near(&marks, time_s);
            let Some((car, team)) = cars.toucher(position_uu, time_s, mark) else {
                continue;
            };
            let touch = Touch {
                time_s,
                car,
                team,
                push_uu_s: push,
                position_uu,
                speed_uu_s: length(velocity),
            };
            let is_same = |other: &&mut Touch| other.car == car && time_s - other.time_s < SAME_S;
            match touches.iter_mut().rev().take(4).find(is_same) {
                Some(other) => other.push_uu_s = other.push_uu_s.max(push),
                None => touches.push(touch),
            }
        }
    }
    touches.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    touches
}

/// The square of a length.
#[inline]
pub(super) fn square([x, y, z]: [f32; 3]) -> f32 {
    x * x + y * y + z * z
}

pub(super) fn length(vector: [f32; 3]) -> f32 {
    square(vector).sqrt()
}

/// The least square of a length that is not below a limit, which is positive: who compares squares with it finds what who
/// compares lengths finds, to the last bit, and draws no roots.
pub(super) fn least_square(limit: f32) -> f32 {
    let mut least = limit * limit;
    while least.sqrt() >= limit {
        least = least.next_down();
    }
    while least.sqrt() < limit {
        least = least.next_up();
    }
    least
}

/// The change of a ball's velocity that falling and drag do not explain.
fn push(before: [f32; 3], after: [f32; 3], passed_s: f32) -> [f32; 3] {
    // A ball loses 3 % of its speed a second to the air.
    let kept = 1.0 - 0.03 * passed_s;
    let [x, y, z] = before.map(|part| part * kept);
    [
        after[0] - x,
        after[1] - y,
        after[2] - (z - tables::GRAVITY_UU_S2 * passed_s),
    ]
}

fn mark_near(marks: &[(f64, u8)], time_s: f64) -> Option<u8> {
    let index = marks.partition_point(|mark| mark.0 < time_s - MARK_S);
    let mark = marks.get(index)?;
    (mark.0 <= time_s + MARK_S).then_some(mark.1)
}

/// The lives of cars that can touch a ball, and where each was looked at last.
struct Cars<'a> {
    scene: &'a Scene<'a>,
    /// In the order they begin in.
    lives: Vec<Life<'a>>,
    /// How many have begun, and those of them that have not ended.
    begun: usize,
    there: Vec<usize>,
}

struct Life<'a> {
    from_s: f64,
    to_s: f64,
    car: usize,
    path: Path<'a>,
    found: usize,
}

impl<'a> Cars<'a> {
    fn new(scene: &'a Scene<'a>) -> Self {
        let cars = scene.found.cars.iter().enumerate();
        let life = |(index, car): (usize, &CarLife)| {
            Some(Life {
                from_s: car.from_s,
                to_s: car.to_s,
                car: index,
                path: scene.motions.car(index)?,
                found: 0,
            })
        };
        Self {
            scene,
            lives: cars.filter_map(life).collect(),
            begun: 0,
            there: Vec::new(),
        }
    }

    /// Goes back to the beginning.
    fn restart(&mut self) {
        self.begun = 0;
        self.there.clear();
    }

    /// Goes on to a time. A match has some cars at a time and hundreds of lives of cars.
    fn go_on(&mut self, time_s: f64) {
        let Self {
            lives,
            begun,
            there,
            ..
        } = self;
        while lives.get(*begun).is_some_and(|life| life.from_s <= time_s) {
            there.push(*begun);
            *begun += 1;
        }
        there.retain(|&life| lives.get(life).is_some_and(|life| time_s <= life.to_s));
    }

    /// The car at the ball.
    fn toucher(
        &mut self,
        ball: [f32; 3],
        time_s: f64,
        mark: Option<u8>,
    ) -> Option<(usize, Option<u8>)> {
        self.go_on(time_s);
        let found = self.scene.found;
        let near = self.there.iter().filter_map(|&life| {
            let life = self.lives.get_mut(life)?;
            let gap = gap_uu(life, ball, time_s)?;
            let car = found.cars.get(life.car)?;
            (gap <= REACH_UU).then(|| {
                let team = super::team_of_car(found, car, time_s);
                (mark.is_some() && team != mark, gap, life.car, team)
            })
        });
        let best = near.min_by(|a, b| {
            (a.0, a.1)
                .partial_cmp(&(b.0, b.1))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        best.map(|(_, _, index, team)| (index, team))
    }
}

/// The gap between the ball and the box around a car.
fn gap_uu(life: &mut Life<'_>, ball: [f32; 3], time_s: f64) -> Option<f32> {
    let path = &life.path;
    let index = path.index_from(&mut life.found, time_s)?;
    let centre = coords::position_uu(path.position_after(index, time_s)?);
    let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| ball[axis] - centre[axis]);
    if x.abs().max(y.abs()).max(z.abs()) > 500.0 {
        return None;
    }
    let [qx, qy, qz, qw] = coords::unpacked_rotation(*path.rotations.get(index)?);
    // In the timeline's space, turned back into the car's own: forward, up, right.
    let local = coords::turned([-qx, -qy, -qz, qw], [x, z, y]);
    let half = [
        tables::CAR_LENGTH_UU,
        tables::CAR_HEIGHT_UU,
        tables::CAR_WIDTH_UU,
    ]
    .map(|size| size / 2.0);
    let middle = [tables::CAR_FORWARD_UU, tables::CAR_UP_UU, 0.0];
    let outside =
        std::array::from_fn(|axis| ((local[axis] - middle[axis]).abs() - half[axis]).max(0.0));
    Some((length(outside) - tables::BALL_RADIUS_UU).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_lengths_find_the_same() {
        for limit in [60.0, 22.0, 21.0, 0.3, 1234.567] {
            let least = least_square(limit);
            assert!(least.sqrt() >= limit && least.next_down().sqrt() < limit);
        }
    }
}
