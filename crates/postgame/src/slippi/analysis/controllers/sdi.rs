//! Inputs that shift a character during hitlag, faster than a stick can make them.

use super::sticks::{Sticks, is_same};
use super::{Check, Violation, of_violations};

/// Where an axis leaves the dead zone.
const DEAD_ZONE: f64 = 0.2875;

/// How far out a position counts for a shift.
const FAR: f64 = 0.7;

/// Windows of the rules, in frames. Source: libenforcer.
const RULE_1_FRAMES: usize = 9;
const RULE_2_FRAMES: usize = 4;
const RULE_3_FRAMES: usize = 4;

/// Two shifts closer than this, in frames, are too close.
const RULE_1_CLOSE_FRAMES: usize = 4;

/// A way out of the dead zone that takes longer, in frames, is a slow one.
const MAX_TILT_FRAMES: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    DeadZone,
    Tilt,
    /// North, east, south, west.
    Cardinal(u8),
    /// North-east, south-east, south-west, north-west.
    Diagonal(u8),
}

impl Region {
    fn of([x, y]: [f64; 2]) -> Self {
        if x.abs() <= DEAD_ZONE && y.abs() <= DEAD_ZONE {
            Self::DeadZone
        } else if x.abs() >= DEAD_ZONE && y.abs() >= DEAD_ZONE && x.hypot(y) >= FAR {
            Self::Diagonal(match (x > 0.0, y > 0.0) {
                (true, true) => 0,
                (true, false) => 1,
                (false, false) => 2,
                (false, true) => 3,
            })
        } else if y >= FAR {
            Self::Cardinal(0)
        } else if x >= FAR {
            Self::Cardinal(1)
        } else if y <= -FAR {
            Self::Cardinal(2)
        } else if x <= -FAR {
            Self::Cardinal(3)
        } else {
            Self::Tilt
        }
    }

    /// Whether two regions share a border of the rim.
    fn is_beside(self, other: Self) -> bool {
        match (self, other) {
            // North is between north-west (3) and north-east (0).
            (Self::Cardinal(cardinal), Self::Diagonal(diagonal)) => {
                diagonal == cardinal || diagonal == (cardinal + 3) % 4
            }
            (Self::Diagonal(one), Self::Diagonal(other)) => {
                (one + 1) % 4 == other || (other + 1) % 4 == one
            }
            _ => false,
        }
    }
}

pub(super) fn check(sticks: &Sticks) -> Check {
    let regions: Vec<Region> = sticks.points.iter().map(|&one| Region::of(one)).collect();
    let mut found = Vec::new();
    let starts = || regions.iter().copied().enumerate();
    for (index, region) in starts() {
        if region == Region::DeadZone {
            same_direction_twice(sticks, &regions, index, &mut found);
        }
    }
    for (index, region) in starts() {
        if matches!(region, Region::Cardinal(_)) && is_diagonal_twice(&regions, index) {
            found.push(sticks.violation(index, 2, RULE_2_FRAMES + 1));
        }
    }
    for (index, region) in starts() {
        if let Region::Diagonal(_) = region {
            let back = back_to_diagonal(&regions, index);
            let violation = || sticks.violation(index, 3, RULE_3_FRAMES + 1);
            found.extend((0..back).map(|_| violation()));
        }
    }
    of_violations("sdi", found)
}

/// The frames after one, up to a number of them, with their regions and the regions before.
fn after(
    regions: &[Region],
    start: usize,
    count: usize,
) -> impl Iterator<Item = (usize, Region, Region)> {
    let pairs = regions.get(start..).unwrap_or_default().windows(2);
    let pairs = pairs.take(count).enumerate();
    pairs.filter_map(move |(offset, pair)| match pair {
        [before, now] => Some((start + 1 + offset, *before, *now)),
        _ => None,
    })
}

/// Rule 1: out of the dead zone into the same direction twice.
fn same_direction_twice(
    sticks: &Sticks,
    regions: &[Region],
    start: usize,
    found: &mut Vec<Violation>,
) {
    let is_far = |region: &Region| !matches!(region, Region::DeadZone | Region::Tilt);
    let mut window = after(regions, start, RULE_1_FRAMES).map(|(_, _, region)| region);
    let Some(first) = window.find(is_far) else {
        return;
    };
    let (mut has_touched, mut tilts, mut last) = (true, 0, None);
    for (index, before, region) in after(regions, start, RULE_1_FRAMES) {
        has_touched |= region == Region::DeadZone;
        if has_touched && !is_far(&before) && region == first && tilts <= MAX_TILT_FRAMES {
            let is_close = last.is_some_and(|last| index - last <= RULE_1_CLOSE_FRAMES);
            if is_close && has_two_positions(sticks, start, index) {
                found.push(sticks.violation(start, 1, RULE_1_FRAMES + 1));
            }
            last = Some(index);
            has_touched = false;
        }
        tilts = match region {
            Region::Tilt => tilts + 1,
            _ => 0,
        };
    }
}

/// Whether the stick has at most two positions in some frames.
fn has_two_positions(sticks: &Sticks, start: usize, end: usize) -> bool {
    let mut distinct: Vec<[f64; 2]> = Vec::new();
    for point in sticks.points.get(start..end).unwrap_or_default() {
        if !distinct.iter().any(|one| is_same(*one, *point)) {
            distinct.push(*point);
        }
    }
    distinct.len() <= 2
}

/// Rule 2: from a cardinal into the same adjacent diagonal twice.
fn is_diagonal_twice(regions: &[Region], start: usize) -> bool {
    let Some(&cardinal) = regions.get(start) else {
        return false;
    };
    let entered = after(regions, start, RULE_2_FRAMES)
        .filter(|(_, before, region)| before != region && cardinal.is_beside(*region))
        .map(|(_, _, region)| region);
    let (mut diagonal, mut count) = (None, 0);
    for region in entered {
        count += u32::from(*diagonal.get_or_insert(region) == region);
    }
    count >= 2
}

/// Rule 3: how many frames are back in a diagonal after an adjacent one.
fn back_to_diagonal(regions: &[Region], start: usize) -> usize {
    let Some(&diagonal) = regions.get(start) else {
        return 0;
    };
    let (mut has_left, mut count) = (false, 0);
    for (_, _, region) in after(regions, start, RULE_3_FRAMES) {
        has_left |= diagonal.is_beside(region);
        count += usize::from(has_left && region == diagonal);
    }
    count
}
