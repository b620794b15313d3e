//! How far and fast cars went, and how high.

use super::lives::Step;
use super::percent;
use crate::rocket_league::tables::{
    BOOST_SPEED_UU_S, CAR_TOP_UU_S, GROUND_UU, HIGH_AIR_UU, SUPERSONIC_UU_S,
};
use crate::stats::Group;

/// What teams have.
pub(super) const TEAM: &[&str] = &[
    "total_distance_uu",
    "time_supersonic_speed_s",
    "time_boost_speed_s",
    "time_slow_speed_s",
    "time_ground_s",
    "time_low_air_s",
    "time_high_air_s",
    "time_powerslide_s",
    "count_powerslide",
];

/// What the samples of all lives add up to.
#[derive(Default)]
pub(super) struct Sums {
    distance_uu: f64,
    speeds_uu_s: f64,
    samples: usize,
    /// By speed, then by height.
    bands_s: [[f64; 3]; 3],
    /// How many power slides, and how long.
    pub slides: (usize, f64),
}

impl Sums {
    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, step: &Step) {
        let speed = step.speed_uu_s;
        self.samples += 1;
        self.speeds_uu_s += f64::from(speed);
        self.distance_uu += f64::from(step.moved_uu);
        let fast = usize::from(speed > BOOST_SPEED_UU_S) + usize::from(speed > SUPERSONIC_UU_S);
        let height = step.position_uu[2];
        let high = usize::from(height >= GROUND_UU) + usize::from(height > HIGH_AIR_UU);
        self.bands_s[fast][high] += step.passed_s;
    }
}

pub(super) fn player(sums: &Sums) -> Group {
    let Sums {
        distance_uu,
        speeds_uu_s,
        samples,
        bands_s,
        slides: (slides, slide_s),
    } = sums;
    let speed_s = bands_s.map(|heights_s| heights_s.iter().sum::<f64>());
    let height_s: [f64; 3] =
        std::array::from_fn(|high| bands_s.iter().filter_map(|band_s| band_s.get(high)).sum());
    let all_s: f64 = speed_s.iter().sum();
    let speed = if *samples > 0 {
        speeds_uu_s / *samples as f64
    } else {
        f64::NAN
    };
    Group::new("movement")
        .amount("avg_speed_uu_s", speed)
        .amount("total_distance_uu", *distance_uu)
        .amount("time_supersonic_speed_s", speed_s[2])
        .amount("time_boost_speed_s", speed_s[1])
        .amount("time_slow_speed_s", speed_s[0])
        .amount("time_ground_s", height_s[0])
        .amount("time_low_air_s", height_s[1])
        .amount("time_high_air_s", height_s[2])
        .amount("time_powerslide_s", *slide_s)
        .count("count_powerslide", *slides)
        .amount(
            "avg_powerslide_duration_s",
            if *slides > 0 {
                slide_s / *slides as f64
            } else {
                0.0
            },
        )
        .amount("avg_speed_percentage", percent(speed, CAR_TOP_UU_S.into()))
        .amount("percent_slow_speed", percent(speed_s[0], all_s))
        .amount("percent_boost_speed", percent(speed_s[1], all_s))
        .amount("percent_supersonic_speed", percent(speed_s[2], all_s))
        .amount("percent_ground", percent(height_s[0], all_s))
        .amount("percent_low_air", percent(height_s[1], all_s))
        .amount("percent_high_air", percent(height_s[2], all_s))
}

/// How often and how long the handbrake is on while the car is on the ground: samples of the car and switches of the
/// brake in order of time.
pub(super) struct Slides<'a> {
    switches_s: &'a [f64],
    switches: &'a [bool],
    /// Which switch is next.
    next: usize,
    /// When; never if it belongs to another life.
    next_s: f64,
    /// When this life ends.
    end_s: f64,
    is_on: bool,
    is_low: bool,
    since_s: Option<f64>,
    pub sum: (usize, f64),
}

impl<'a> Slides<'a> {
    pub fn new((switches_s, switches): (&'a [f64], &'a [bool])) -> Self {
        Self {
            switches_s,
            switches,
            next: 0,
            next_s: f64::INFINITY,
            end_s: f64::INFINITY,
            is_on: false,
            is_low: false,
            since_s: None,
            sum: (0, 0.0),
        }
    }

    /// A new life, until a time.
    pub fn start(&mut self, end_s: f64) {
        (self.is_on, self.is_low, self.since_s) = (false, false, None);
        self.end_s = end_s;
        self.look();
    }

    fn look(&mut self) {
        let next_s = self.switches_s.get(self.next).copied();
        self.next_s = next_s
            .filter(|next_s| *next_s < self.end_s)
            .unwrap_or(f64::INFINITY);
    }

    fn switch(&mut self) -> bool {
        let is_on = self.switches.get(self.next).copied().unwrap_or(false);
        self.next += 1;
        self.look();
        is_on
    }

    #[inline]
    pub fn add(&mut self, step: &Step) {
        self.switch_until(step.time_s);
        let is_on = if self.next_s == step.time_s {
            self.switch()
        } else {
            self.is_on
        };
        self.step(step.time_s, is_on, step.position_uu[2] < GROUND_UU);
    }

    /// The life is over.
    pub fn end(&mut self) {
        self.switch_until(f64::INFINITY);
    }

    fn switch_until(&mut self, time_s: f64) {
        while self.next_s < time_s {
            let at_s = self.next_s;
            let is_on = self.switch();
            self.step(at_s, is_on, self.is_low);
        }
    }

    fn step(&mut self, time_s: f64, is_on: bool, is_low: bool) {
        let was_on = std::mem::replace(&mut self.is_on, is_on);
        let was_low = std::mem::replace(&mut self.is_low, is_low);
        let (count, total_s) = &mut self.sum;
        match (self.since_s, is_on && is_low) {
            (None, true) => {
                *count += 1;
                self.since_s = Some(time_s);
            }
            // In one frame the car takes off and the brake goes on, or the other way round: a slide of no length.
            (None, false) => *count += usize::from((is_on && was_low) || (was_on && is_low)),
            (Some(from_s), false) => {
                *total_s += time_s - from_s;
                self.since_s = None;
            }
            (Some(_), true) => {}
        }
    }
}
