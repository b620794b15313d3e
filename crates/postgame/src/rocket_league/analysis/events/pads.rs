//! Boost pads: where each is, how large, and what happens to it.
//!
//! A file does not say where a pad is. The fields that most matches are played on have the same pads
//! (`data/rocket_league/pads.tsv`); which of them a pad is follows from where the cars are that take it. On other
//! fields a pad is where it is taken, and its size follows from when it is there again.

use std::borrow::Cow;

use super::super::timeline::build::held;
use super::super::timeline::state::{CarLife, Pad};
use super::{Scene, event};
use crate::rocket_league::coords;
use crate::rocket_league::tables::{self, PadSize};
use crate::timeline::{Detail, Entity, Event, Presence, Values};

/// A pad of the usual fields is taken from no farther away than this, on average: cars move on until they are told.
const REACH_UU: f32 = 400.0;

/// So near to a pad of the usual fields on average, a pad is that one: pads are more than 1,000 uu apart.
const CLEAR_UU: f32 = 250.0;

/// Where a pad is and how large.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub position_uu: Option<[f32; 3]>,
    pub size: Option<PadSize>,
}

/// Where each pad is.
pub(crate) fn locate(scene: &Scene<'_>) -> Vec<Place> {
    let pads = scene.found.pads.iter();
    pads.map(|pad| place(pad, scene)).collect()
}

fn place(pad: &Pad, scene: &Scene<'_>) -> Place {
    let takers: Vec<[f32; 3]> = pad
        .uses
        .iter()
        .filter_map(|taken| scene.motions.car(taken.car?)?.position_uu(taken.time_s))
        .collect();
    if takers.is_empty() {
        return Place::default();
    }
    let count = takers.len() as f32;
    // The mean distance from a pad of the usual fields, where it is within reach: most are soon found not to be.
    let mean_distance = |pad: [f32; 3]| {
        let mut sum = 0.0;
        for taker in &takers {
            let [x, y] = [taker[0] - pad[0], taker[1] - pad[1]];
            sum += (x * x + y * y).sqrt().min(1000.0);
            if sum > REACH_UU * count {
                return None;
            }
        }
        Some(sum / count)
    };
    let back_s = respawn_s(pad);
    let limit_s = f64::from(tables::SMALL_PAD_BACK_S + tables::BIG_PAD_BACK_S) / 2.0;
    let by_time = back_s.map(|back_s| {
        if back_s > limit_s {
            PadSize::Big
        } else {
            PadSize::Small
        }
    });
    let usual = tables::PADS
        .iter()
        .filter_map(|&(position, size)| Some((mean_distance(position)?, position, size)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        // A clear place decides: in matches of 2016 small pads are away for longer than today.
        .filter(|(apart, _, size)| {
            *apart <= CLEAR_UU || by_time.is_none_or(|by_time| by_time == *size)
        });
    match usual {
        Some((_, position, size)) => Place {
            position_uu: Some(position),
            size: Some(size),
        },
        None => Place {
            position_uu: Some(std::array::from_fn(|axis| {
                takers
                    .iter()
                    .filter_map(|taker| taker.get(axis))
                    .sum::<f32>()
                    / count
            })),
            size: by_time,
        },
    }
}

/// How long the pad usually is away; a goal brings all pads back early.
fn respawn_s(pad: &Pad) -> Option<f64> {
    let pairs = pad.uses.iter().zip(pad.uses.iter().skip(1));
    let mut times: Vec<f64> = pairs
        .filter(|(taken, back)| taken.is_taken && !back.is_taken)
        .map(|(taken, back)| back.time_s - taken.time_s)
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// The pad on the timeline.
pub(crate) fn entity(pad: &Pad, place: &Place, start_s: f64) -> Entity {
    let mut times_s = vec![start_s];
    let mut available = vec![true];
    for pad_use in &pad.uses {
        times_s.push(pad_use.time_s);
        available.push(!pad_use.is_taken);
    }
    let mut tracks = vec![held("available", times_s, Values::Flag(available))];
    if let Some(position) = place.position_uu {
        let position = coords::position(position);
        tracks.push(held(
            "position",
            vec![start_s],
            Values::Position(vec![position]),
        ));
    }
    if let Some(size) = place.size {
        let is_big = Values::Flag(vec![size == PadSize::Big]);
        tracks.push(held("is_big", vec![start_s], is_big));
    }
    Entity {
        name: pad.name.clone(),
        kind: "boost-pad",
        parent: None,
        presence: Presence::from(start_s),
        tracks,
    }
}

/// Which side of the field a pad is on, for the team that takes it.
#[derive(Clone, Copy)]
enum Side {
    Stolen,
    Own,
    Middle,
    Unknown,
}

impl Side {
    fn new(place: &Place, team: Option<u8>) -> Self {
        match (place.position_uu, team) {
            (Some([_, y, _]), Some(team)) => {
                let forward = if team == 0 { y } else { -y };
                match forward {
                    forward if forward > 100.0 => Self::Stolen,
                    forward if forward < -100.0 => Self::Own,
                    _ => Self::Middle,
                }
            }
            _ => Self::Unknown,
        }
    }
}

/// The details of a pad of a size: when it is back, and when it is taken, by [`Side`].
struct Details {
    back: [Detail; 1],
    taken: [[Detail; 2]; 4],
}

impl Details {
    const fn new(size: &'static str) -> Self {
        const fn taken(size: &'static str, side: &'static str) -> [Detail; 2] {
            [("size", Cow::Borrowed(size)), ("side", Cow::Borrowed(side))]
        }
        Self {
            back: [("size", Cow::Borrowed(size))],
            taken: [
                taken(size, "stolen"),
                taken(size, "own"),
                taken(size, "middle"),
                taken(size, "unknown"),
            ],
        }
    }
}

static BIG: Details = Details::new("big");
static SMALL: Details = Details::new("small");
static UNKNOWN: Details = Details::new("unknown");

/// The file tells the new amount this long after a pad is taken at most, in seconds.
const TOLD_S: f64 = 0.3;

/// A car's boost before and after a moment, from 0 to 255: before, what the file said last, less what boosting used since.
fn amounts(car: &CarLife, time_s: f64) -> Option<[u8; 2]> {
    let after = car.boost.times_s.partition_point(|&told_s| told_s < time_s);
    let is_soon = car
        .boost
        .times_s
        .get(after)
        .is_some_and(|told_s| told_s - time_s <= TOLD_S);
    let last = after.checked_sub(1)?;
    let told_s = *car.boost.times_s.get(last)?;
    let before = f64::from(car.boost.values.get(last)?.amount);
    let after = car.boost.values.get(after).filter(|_| is_soon)?;
    let used = boosted_s(car, told_s, time_s) * f64::from(tables::BOOST_PER_S) * RAW_OF_PERCENT;
    Some([(before - used).max(0.0).round() as u8, after.amount])
}

/// Boost as the file has it, of one percent.
const RAW_OF_PERCENT: f64 = 2.55;

/// How long a car boosted between two times.
fn boosted_s(car: &CarLife, from_s: f64, to_s: f64) -> f64 {
    let (times_s, values) = (&car.boosting.times_s, &car.boosting.values);
    let ends_s = times_s.iter().copied().skip(1).chain([f64::INFINITY]);
    let spans = times_s.iter().zip(ends_s).zip(values);
    spans
        .filter(|(_, on)| **on)
        .map(|((&on_s, off_s), _)| (off_s.min(to_s) - on_s.max(from_s)).max(0.0))
        .sum()
}

/// The events of all pads.
pub(super) fn add(scene: &Scene<'_>, places: &[Place], events: &mut Vec<Event>) {
    let Scene {
        found, entities, ..
    } = *scene;
    for (index, (pad, place)) in found.pads.iter().zip(places).enumerate() {
        let details = match place.size {
            Some(PadSize::Big) => &BIG,
            Some(PadSize::Small) => &SMALL,
            None => &UNKNOWN,
        };
        let position = place.position_uu.map(coords::position);
        for pad_use in &pad.uses {
            let car = pad_use.car.and_then(|car| found.cars.get(car));
            let team = car.and_then(|car| super::team_of_car(found, car, pad_use.time_s));
            let details: &[Detail] = match pad_use.is_taken {
                true => &details.taken[Side::new(place, team) as usize],
                false => &details.back,
            };
            events.push(Event {
                who: pad_use.car.and_then(|car| entities.owner(car)),
                whom: Some(entities.pad(index)),
                position,
                details: match car
                    .filter(|_| pad_use.is_taken)
                    .and_then(|car| amounts(car, pad_use.time_s))
                {
                    Some([before, after]) => {
                        let mut all = details.to_vec();
                        all.push(("before_raw", before.to_string().into()));
                        all.push(("after_raw", after.to_string().into()));
                        all.into()
                    }
                    None => details.into(),
                },
                ..event(
                    pad_use.time_s,
                    pad_use.frame,
                    if pad_use.is_taken {
                        "boost-pickup"
                    } else {
                        "boost-back"
                    },
                )
            });
        }
    }
}
