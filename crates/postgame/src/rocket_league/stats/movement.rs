//! How far and fast cars went, and how high.

use super::super::tables::{
    BOOST_SPEED_UU_S, CAR_TOP_UU_S, GROUND_UU, HIGH_AIR_UU, SUPERSONIC_UU_S,
};
use super::data::Player;
use super::percent;
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

pub(super) fn player(player: &Player<'_>) -> Group {
    let body = &player.body;
    let (mut distance_uu, mut speeds_uu_s, mut samples) = (0.0, 0.0, 0usize);
    let (mut speed_s, mut height_s) = ([0.0; 3], [0.0; 3]);
    for life in &player.life_samples {
        let mut before: Option<(f64, [f32; 3])> = None;
        for (time_s, position, speed) in body.samples(life.clone()) {
            samples += 1;
            speeds_uu_s += f64::from(speed);
            if let Some((before_s, [x, y, z])) = before {
                let [dx, dy, dz] =
                    [position[0] - x, position[1] - y, position[2] - z].map(f64::from);
                distance_uu += (dx * dx + dy * dy + dz * dz).sqrt();
                // A car that sleeps is not played.
                if speed > 0.0 {
                    let band = usize::from(speed > BOOST_SPEED_UU_S)
                        + usize::from(speed > SUPERSONIC_UU_S);
                    speed_s[band] += time_s - before_s;
                    let band = usize::from(position[2] >= GROUND_UU)
                        + usize::from(position[2] > HIGH_AIR_UU);
                    height_s[band] += time_s - before_s;
                }
            }
            before = Some((time_s, position));
        }
    }
    let (slides, slide_s) = slides(player);
    let all_s: f64 = speed_s.iter().sum();
    let speed = if samples > 0 {
        speeds_uu_s / samples as f64
    } else {
        f64::NAN
    };
    Group::new("movement")
        .amount("avg_speed_uu_s", speed)
        .amount("total_distance_uu", distance_uu)
        .amount("time_supersonic_speed_s", speed_s[2])
        .amount("time_boost_speed_s", speed_s[1])
        .amount("time_slow_speed_s", speed_s[0])
        .amount("time_ground_s", height_s[0])
        .amount("time_low_air_s", height_s[1])
        .amount("time_high_air_s", height_s[2])
        .amount("time_powerslide_s", slide_s)
        .count("count_powerslide", slides)
        .amount(
            "avg_powerslide_duration_s",
            if slides > 0 {
                slide_s / slides as f64
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

/// How often and how long the handbrake is on while the car is on the ground.
fn slides(player: &Player<'_>) -> (usize, f64) {
    let body = &player.body;
    let (brake_s, brakes) = player.handbrake;
    let (mut count, mut total_s) = (0, 0.0);
    let mut brake = 0;
    for (number, life) in player.life_samples.iter().enumerate() {
        let end_s = player
            .lives_s
            .get(number + 1)
            .copied()
            .unwrap_or(f64::INFINITY);
        let (mut is_on, mut is_low) = (false, false);
        let mut since_s: Option<f64> = None;
        let mut sample = life.start;
        loop {
            let sample_s = body
                .times_s
                .get(sample)
                .copied()
                .filter(|_| sample < life.end);
            let switch_s = brake_s
                .get(brake)
                .copied()
                .filter(|switch_s| *switch_s < end_s);
            let Some(time_s) = sample_s.into_iter().chain(switch_s).min_by(f64::total_cmp) else {
                break;
            };
            let (was_on, was_low) = (is_on, is_low);
            if switch_s == Some(time_s) {
                is_on = brakes.get(brake).copied().unwrap_or(false);
                brake += 1;
            }
            if sample_s == Some(time_s) {
                is_low = body
                    .positions_uu
                    .get(sample)
                    .is_some_and(|position| position[2] < GROUND_UU);
                sample += 1;
            }
            match (since_s, is_on && is_low) {
                (None, true) => {
                    count += 1;
                    since_s = Some(time_s);
                }
                // In one frame the car takes off and the brake goes on, or the other way round: a slide of no length.
                (None, false) => count += usize::from((is_on && was_low) || (was_on && is_low)),
                (Some(from_s), false) => {
                    total_s += time_s - from_s;
                    since_s = None;
                }
                (Some(_), true) => {}
            }
        }
    }
    (count, total_s)
}
