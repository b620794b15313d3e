//! When a match began and how long it took.

use super::super::timeline::state::Match;
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::properties::Value;
use crate::rocket_league::tables;

/// Time zones are this apart: most whole hours, some half, a few quarters.
const ZONE_STEPS_S: [i64; 3] = [3600, 1800, 900];

/// No time zone is farther from UTC.
const MAX_ZONE_S: i64 = 14 * 3600;

/// A recording's date is this long after the match's start at most, and clocks differ by that.
const MAX_LATE_S: i64 = 12 * 60;
const MAX_EARLY_S: i64 = 60;

/// A number of the header with a fraction.
pub(super) fn float(replay: &Replay, name: &str) -> Option<f64> {
    match replay.header.properties.get(name) {
        Some(Value::Float(number)) => Some(f64::from(*number)),
        _ => None,
    }
}

/// The start of the match in the header of newer files.
pub(super) fn header_epoch_s(replay: &Replay) -> Option<i64> {
    match replay.header.properties.get("MatchStartEpoch") {
        Some(Value::QWord(epoch_s)) => i64::try_from(*epoch_s).ok(),
        Some(Value::Int(epoch_s)) => Some((*epoch_s).into()),
        Some(Value::Str(text) | Value::Name(text)) => text.as_str().parse().ok(),
        _ => None,
    }
    .filter(|epoch_s| *epoch_s > 0)
}

/// From the first frame to the last.
pub(super) fn duration_s(found: &Match) -> Option<f64> {
    let times_s = &found.frame_times_s;
    Some(times_s.last()? - times_s.first()?)
}

/// For each frame read, how long had been recorded: the steps of all frames. The clock leaps over what is not recorded, such as
/// goal replays that were skipped.
pub(super) fn recorded_s(replay: &Replay) -> Vec<f64> {
    let frames = replay.body.iter().flat_map(|body| body.network.frames());
    let mut sum = 0.0;
    let steps = frames.enumerate().map(|(index, frame)| {
        let step = f64::from(frame.delta_s);
        if index > 0 && step.is_finite() {
            sum += step;
        }
        sum
    });
    steps.collect()
}

/// How long the overtime was played: from its first kick-off's end of the countdown to the goal or the end.
pub(super) fn overtime_s(found: &Match) -> Option<f64> {
    let overtime = found.overtime.times_s.iter().zip(&found.overtime.values);
    let from_s = overtime
        .filter(|(_, on)| **on)
        .map(|(&time_s, _)| time_s)
        .next()?;
    let states = found.state.times_s.iter().zip(&found.state.values);
    let mut played_s = 0.0;
    let mut active_s = None;
    for (&time_s, state) in states.filter(|(time_s, _)| **time_s >= from_s) {
        match state.as_str() {
            "Active" => active_s = active_s.or(Some(time_s)),
            _ => played_s += active_s.take().map_or(0.0, |active_s| time_s - active_s),
        }
    }
    let end_s = found.frame_times_s.last().copied().unwrap_or(from_s);
    if found.state.values.is_empty() {
        return Some(end_s - f64::from(tables::AFTER_MATCH_S) - from_s)
            .filter(|time_s| *time_s > 0.0);
    }
    Some(played_s + active_s.map_or(0.0, |active_s| end_s - active_s))
}

/// The days since 1970 of a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March: the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day of a moment, as ISO 8601.
pub(super) fn day(epoch_s: i64) -> String {
    let days = epoch_s.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The numbers of `2026-03-20 22-31-32` or `2016-07-21:19-39`.
fn parts(date: &str) -> Option<[i64; 6]> {
    let mut parts = [0_i64; 6];
    let mut count = 0;
    for (part, text) in parts.iter_mut().zip(date.split(['-', ':', ' ', 'T'])) {
        *part = text.parse().ok()?;
        count += 1;
    }
    let [year, month, day, ..] = parts;
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && year.abs() < 10_000;
    (count >= 5 && is_date).then_some(parts)
}

/// A date of the header as ISO 8601. It is local time; its zone follows from the moment the match began.
pub(super) fn zoned(date: &str, epoch_s: Option<i64>) -> String {
    let Some([year, month, day, hour, minute, second]) = parts(date) else {
        return date.to_owned();
    };
    let local = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    let local_s = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    let zone = epoch_s.and_then(|epoch_s| {
        let ahead_s = local_s.checked_sub(epoch_s)?;
        ZONE_STEPS_S.into_iter().find_map(|step_s| {
            let zone_s = (ahead_s + MAX_EARLY_S).div_euclid(step_s) * step_s;
            let late_s = ahead_s - zone_s;
            let is_one = zone_s.abs() <= MAX_ZONE_S && late_s <= MAX_LATE_S;
            is_one.then_some(zone_s)
        })
    });
    match zone {
        Some(0) => format!("{local}Z"),
        Some(zone_s) => {
            let sign = if zone_s < 0 { '-' } else { '+' };
            let minutes = zone_s.abs() / 60;
            format!("{local}{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
        None => local,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments() {
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(days(2026, 3, 20) * 86_400, 1_773_964_800);
        assert_eq!(day(1_773_964_800), "2026-03-20");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(-1), "1969-12-31");
    }

    #[test]
    fn zones_follow_from_the_start() {
        let epoch_s = 1_773_964_800 + 86_400 + 2 * 3600 + 31 * 60 + 32;
        assert_eq!(
            zoned("2026-03-20 22-31-32", Some(epoch_s)),
            "2026-03-20T22:31:32-04:00"
        );
        assert_eq!(zoned("2016-07-21:19-39", None), "2016-07-21T19:39:00");
        assert_eq!(
            zoned("2026-03-20 22-31-32", Some(epoch_s + 399_000)),
            "2026-03-20T22:31:32"
        );
        assert_eq!(zoned("some day", None), "some day");
    }
}
