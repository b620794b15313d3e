//! Boost: how much was collected, from where, had, used and wasted.

use super::super::timeline::motion::point_from;
use super::data::{Data, Player, numbers};
use super::lives::Fast;
use super::percent;
use crate::rocket_league::tables::SMALL_PAD;
use crate::stats::Group;
use crate::timeline::Event;

/// What teams have.
pub(super) const TEAM: &[&str] = &[
    "bpm",
    "bcpm",
    "avg_amount",
    "amount_collected",
    "amount_stolen",
    "amount_collected_big",
    "amount_stolen_big",
    "amount_collected_small",
    "amount_stolen_small",
    "count_collected_big",
    "count_stolen_big",
    "count_collected_small",
    "count_stolen_small",
    "amount_overfill",
    "amount_overfill_stolen",
    "amount_used",
    "amount_used_while_supersonic",
    "amount_used_in_play",
    "time_zero_boost_s",
    "time_full_boost_s",
    "time_boost_0_25_s",
    "time_boost_25_50_s",
    "time_boost_50_75_s",
    "time_boost_75_100_s",
    "pads_taken_big",
    "pads_taken_small",
    "pads_stolen_big",
    "pads_stolen_small",
];

/// A pad is taken this long before the file tells the new amount, at most; or this long after.
const BEFORE_S: f64 = 1.0;
const AFTER_S: f64 = 0.12;

/// Less than this is nothing, more than that is full: a byte's step is 0.39.
const EMPTY: f32 = 0.2;
const FULL: f32 = 99.8;

#[derive(Default)]
struct Sum {
    count: usize,
    amount: f64,
}

impl Sum {
    fn add(&mut self, amount: f64) {
        self.count += 1;
        self.amount += amount;
    }
}

#[derive(Default)]
struct Sums {
    /// Small and big, then those of the other side.
    collected: [Sum; 2],
    stolen: [Sum; 2],
    overfill: f64,
    overfill_stolen: f64,
    used: f64,
    zero_s: f64,
    full_s: f64,
    bands_s: [f64; 4],
    reports: Sum,
}

fn is_stolen(pad: &Event) -> bool {
    pad.detail("side") == Some("stolen")
}

/// How often a player took pads, exact, by the pads' own counters: big and small, then those of the other side.
fn pads(player: &Player<'_>) -> [[usize; 2]; 2] {
    let mut counts = [[0; 2]; 2];
    for pad in &player.pads {
        let size = match pad.detail("size") {
            Some("big") => 0,
            Some("small") => 1,
            _ => continue,
        };
        counts[0][size] += 1;
        counts[1][size] += usize::from(is_stolen(pad));
    }
    counts
}

/// What a car used while it boosted, by the modelled amount: outside of rounds, and while supersonic.
#[derive(Default)]
struct Modelled {
    out_of_play: f64,
    supersonic: f64,
}

fn modelled(data: &Data<'_>, player: &Player<'_>, fast: &Fast) -> Modelled {
    let mut sums = Modelled::default();
    let Some(car) = player.car else { return sums };
    let (times_s, amounts) = numbers(car, "boost_percent");
    let (lives_s, _) = numbers(car, "life");
    // The samples at both ends, looked for from those found before.
    let mut at = [0; 2];
    let points = times_s.iter().zip(amounts);
    for ((&from_s, &before), (&to_s, &after)) in points.clone().zip(points.skip(1)) {
        let begun = |time_s: f64| lives_s.partition_point(|&life_s| life_s <= time_s);
        // A new car did not use what the last one had left.
        if to_s <= from_s || after >= before || begun(from_s) != begun(to_s) {
            continue;
        }
        let used = f64::from(before - after);
        sums.supersonic += used * fast_share(player, fast, &mut at, [from_s, to_s]);
        let played = data
            .rounds
            .iter()
            .map(|&(round_s, end_s)| (to_s.min(end_s) - from_s.max(round_s)).max(0.0));
        let played_s: f64 = played.sum();
        sums.out_of_play += used * (1.0 - (played_s / (to_s - from_s)).min(1.0));
    }
    sums
}

fn sums(player: &Player<'_>) -> Sums {
    let mut sums = Sums::default();
    for &(times_s, amounts) in &player.reports {
        let mut life = times_s.iter().zip(amounts);
        let Some((&first_s, &first)) = life.next() else {
            continue;
        };
        sums.reports.add(first.into());
        let (mut before_s, mut before) = (first_s, first);
        for (&time_s, &amount) in life {
            let (passed_s, change) = (time_s - before_s, f64::from(amount - before));
            sums.reports.add(amount.into());
            if before < EMPTY {
                sums.zero_s += passed_s;
            }
            // Who is full and is given more was not full all the time, and the file does not say how long.
            if before > FULL && change != 0.0 {
                sums.full_s += passed_s;
            }
            // The time since the last word counts for the new one.
            if let Some(band_s) = sums.bands_s.get_mut(((amount / 25.0) as usize).min(3)) {
                *band_s += passed_s;
            }
            if change > 0.0 {
                sums.collect(player, time_s, change, (before, amount));
            } else {
                sums.used -= change;
            }
            (before_s, before) = (time_s, amount);
        }
    }
    sums
}

/// The share of a time that a car was supersonic, by its samples.
fn fast_share(player: &Player<'_>, fast: &Fast, at: &mut [usize; 2], ends_s: [f64; 2]) -> f64 {
    let [from, to] = at;
    let after = |found: &mut usize, time_s: f64| {
        point_from(player.body.times_s, found, |&sample_s| sample_s <= time_s)
    };
    let (first, end) = (
        after(from, ends_s[0]).saturating_sub(1),
        after(to, ends_s[1]),
    );
    if first < end {
        fast.count(first..end) as f64 / (end - first) as f64
    } else {
        0.0
    }
}

impl Sums {
    /// More boost than before: the pad that was taken last.
    fn collect(
        &mut self,
        player: &Player<'_>,
        time_s: f64,
        gain: f64,
        (before, after): (f32, f32),
    ) {
        let later = player
            .pads
            .partition_point(|event| event.time_s <= time_s + AFTER_S);
        let pad = later
            .checked_sub(1)
            .and_then(|index| player.pads.get(index));
        let pad = pad.filter(|event| event.time_s >= time_s - BEFORE_S);
        let is_big = match pad.and_then(|pad| pad.detail("size")) {
            Some("big") => true,
            Some("small") => false,
            // No pad told: a small one gives no more than it has.
            _ => gain > f64::from(SMALL_PAD) + 1.0,
        };
        let is_stolen = pad.is_some_and(|pad| is_stolen(pad));
        // What was too much shows only when the car is full now.
        let overfill = match (after > FULL, is_big) {
            (false, _) => 0.0,
            (true, true) => f64::from(before),
            (true, false) => (f64::from(SMALL_PAD) - gain).max(0.0),
        };
        self.overfill += overfill;
        self.collected[usize::from(is_big)].add(gain);
        if is_stolen {
            self.overfill_stolen += overfill;
            self.stolen[usize::from(is_big)].add(gain);
        }
    }
}

pub(super) fn player(data: &Data<'_>, player: &Player<'_>, fast: &Fast) -> Group {
    let modelled = modelled(data, player, fast);
    let sums = sums(player);
    let Sums {
        collected,
        stolen,
        bands_s,
        ..
    } = &sums;
    let played_s = data.played_s();
    let known_s: f64 = bands_s.iter().sum();
    let total = collected[0].amount + collected[1].amount;
    let per_minute = |amount: f64, seconds: f64| {
        if seconds > 0.0 {
            amount * 60.0 / seconds
        } else {
            0.0
        }
    };
    let mut group = Group::new("boost")
        .amount("bpm", per_minute(sums.used, known_s))
        .amount("bcpm", per_minute(total, played_s))
        .amount(
            "avg_amount",
            sums.reports.amount / sums.reports.count as f64,
        )
        .amount("amount_collected", total)
        .amount("amount_stolen", stolen[0].amount + stolen[1].amount)
        .amount("amount_collected_big", collected[1].amount)
        .amount("amount_stolen_big", stolen[1].amount)
        .amount("amount_collected_small", collected[0].amount)
        .amount("amount_stolen_small", stolen[0].amount)
        .count("count_collected_big", collected[1].count)
        .count("count_stolen_big", stolen[1].count)
        .count("count_collected_small", collected[0].count)
        .count("count_stolen_small", stolen[0].count)
        .amount("amount_overfill", sums.overfill)
        .amount("amount_overfill_stolen", sums.overfill_stolen)
        .amount("amount_used", sums.used)
        .amount("amount_used_while_supersonic", modelled.supersonic)
        .amount(
            "amount_used_in_play",
            (sums.used - modelled.out_of_play).max(0.0),
        )
        .amount("time_zero_boost_s", sums.zero_s)
        .amount("percent_zero_boost", percent(sums.zero_s, played_s))
        .amount("time_full_boost_s", sums.full_s)
        .amount("percent_full_boost", percent(sums.full_s, played_s));
    const BANDS: [[&str; 2]; 4] = [
        ["time_boost_0_25_s", "percent_boost_0_25"],
        ["time_boost_25_50_s", "percent_boost_25_50"],
        ["time_boost_50_75_s", "percent_boost_50_75"],
        ["time_boost_75_100_s", "percent_boost_75_100"],
    ];
    for ([name, _], seconds) in BANDS.into_iter().zip(bands_s) {
        group = group.amount(name, *seconds);
    }
    for ([_, name], seconds) in BANDS.into_iter().zip(bands_s) {
        group = group.amount(name, percent(*seconds, known_s));
    }
    let [taken, stolen] = pads(player);
    group
        .count("pads_taken_big", taken[0])
        .count("pads_taken_small", taken[1])
        .count("pads_stolen_big", stolen[0])
        .count("pads_stolen_small", stolen[1])
}
