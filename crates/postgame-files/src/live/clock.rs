//! Times of day in the forms of file names and metadata, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY_S: u64 = 86_400;

/// Year, month, day, hour, minute and second of a time.
fn parts(time: SystemTime) -> [u64; 6] {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / DAY_S, seconds % DAY_S);
    // Years begin in March here, so that the leap day is a year's last; 1970-03-01 is day 719,468 of an era that
    // begins with the year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let is_next = month >= 10;
    [
        era * 400 + year + u64::from(is_next),
        if is_next { month - 9 } else { month + 3 },
        day_of_month,
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
    ]
}

/// As in metadata: `2026-01-02T03:04:05Z`.
pub fn iso(time: SystemTime) -> String {
    let [year, month, day, hour, minute, second] = parts(time);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// As in file names: `20260102T030405`.
pub fn compact(time: SystemTime) -> String {
    let [year, month, day, hour, minute, second] = parts(time);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_have_their_dates() {
        let shown = |seconds| iso(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(shown(0), "1970-01-01T00:00:00Z");
        assert_eq!(shown(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(shown(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(shown(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(shown(1_767_323_045), "2026-01-02T03:04:05Z");
        let time = UNIX_EPOCH + Duration::from_secs(1_767_225_599);
        assert_eq!(compact(time), "20251231T235959");
    }
}
