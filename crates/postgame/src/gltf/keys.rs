//! Key frames from tracks, reduced within a tolerance.

use crate::timeline::{Entity, Timeline, Track};

/// How far an animation may deviate from the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// For positions, in metres.
    pub position_m: f32,
    /// For rotations, in radians.
    pub rotation_rad: f32,
}

impl Default for Tolerance {
    /// A millimetre and a tenth of a degree: not visible on a car or a hand.
    fn default() -> Self {
        Self {
            position_m: 0.001,
            rotation_rad: 0.1_f32.to_radians(),
        }
    }
}

/// At least one of this many samples becomes a key, which bounds the search for the next key.
const LONGEST_GAP: usize = 120;

/// Key frames of one property: times from the recording's start, strictly ascending, each with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<const N: usize> {
    keys: Vec<(f32, [f32; N])>,
    is_linear: bool,
}

impl<const N: usize> Keys<N> {
    /// Number of key frames.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The first key frame.
    pub fn first(&self) -> Option<(f32, [f32; N])> {
        self.keys.first().copied()
    }

    /// Their times, in seconds.
    pub fn times_s(&self) -> impl Iterator<Item = f32> {
        self.keys.iter().map(|(time_s, _)| *time_s)
    }

    /// Their values.
    pub fn values(&self) -> impl Iterator<Item = [f32; N]> {
        self.keys.iter().map(|(_, value)| *value)
    }

    /// True if values interpolate to the next key, false if they hold.
    pub fn is_linear(&self) -> bool {
        self.is_linear
    }

    /// All samples of a track on the file's clock, except those that are NaN or infinite; `None` if none is left.
    fn all(timeline: &Timeline, track: &Track, values: &[[f32; N]]) -> Option<Self> {
        let mut keys: Vec<(f32, [f32; N])> = Vec::with_capacity(values.len());
        for (time_s, value) in track.times_s.iter().zip(values) {
            // A value from before the start of the recording applies at the start.
            let time_s = (time_s - timeline.start_s).max(0.0) as f32;
            if !time_s.is_finite() || value.iter().any(|part| !part.is_finite()) {
                continue;
            }
            // A body that rested until shortly before this sample still has its previous value here.
            if let Some(&(last_s, last)) = keys.last() {
                let moves_s = track.hold.moves_from_s(last_s.into(), time_s.into()) as f32;
                if moves_s > last_s {
                    keys.push((moves_s, last));
                }
            }
            match keys.last_mut() {
                // Of equal times the last one counts; two different doubles can become the same `f32`.
                Some(last) if last.0 >= time_s => last.1 = *value,
                _ => keys.push((time_s, *value)),
            }
        }
        let is_linear = track.hold.is_moving();
        (!keys.is_empty()).then_some(Self { keys, is_linear })
    }

    /// Drops keys that the others reproduce within a tolerance.
    ///
    /// `far` measures the distance between two values, `mix` interpolates between two.
    fn thin(
        mut self,
        end_s: f64,
        far: impl Fn(&[f32; N], &[f32; N]) -> bool,
        mix: impl Fn(&[f32; N], &[f32; N], f32) -> [f32; N],
    ) -> Self {
        let all = std::mem::take(&mut self.keys);
        let is_told = |from: usize, to: usize| {
            let (Some(a), Some(b)) = (all.get(from), all.get(to)) else {
                return false;
            };
            let between = all.get(from + 1..to).unwrap_or_default();
            between.iter().all(|(time_s, value)| {
                let part = (time_s - a.0) / (b.0 - a.0);
                !far(&mix(&a.1, &b.1, part), value)
            })
        };
        let mut from = 0;
        while let Some(key) = all.get(from) {
            self.keys.push(*key);
            let mut to = from + 1;
            if self.is_linear {
                while to + 1 < all.len() && to - from < LONGEST_GAP && is_told(from, to + 1) {
                    to += 1;
                }
            } else {
                while all.get(to).is_some_and(|next| !far(&key.1, &next.1)) {
                    to += 1;
                }
            }
            from = to;
        }
        // Every action lasts as long as the recording.
        if let Some(&(last_s, value)) = self.keys.last()
            && self.keys.len() > 1
            && (end_s as f32) > last_s
        {
            self.keys.push((end_s as f32, value));
        }
        self
    }
}

impl Keys<3> {
    /// The positions of a track.
    pub fn positions(
        timeline: &Timeline,
        track: &Track,
        values: &[[f32; 3]],
        tolerance: &Tolerance,
    ) -> Option<Self> {
        let most = tolerance.position_m * tolerance.position_m;
        let far = |a: &[f32; 3], b: &[f32; 3]| {
            let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
            square > most
        };
        let mix = |a: &[f32; 3], b: &[f32; 3], part: f32| {
            std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * part)
        };
        Some(Self::all(timeline, track, values)?.thin(timeline.duration_s(), far, mix))
    }

    /// Scale 1 while an entity is present and active, else 0: absent, broken, or not in use yet.
    pub fn presence(timeline: &Timeline, entity: &Entity) -> Self {
        let is_active = |track: &&Track| track.columns.iter().any(|own| own.name == "active");
        let active = entity.tracks.iter().filter(is_active);
        let edges = entity.presence.intervals().iter();
        let mut times_s: Vec<f64> = edges
            .flat_map(|&(from_s, to_s)| [from_s, to_s])
            .chain(active.flat_map(|track| track.times_s.iter().copied()))
            .filter(|time_s| (timeline.start_s..=timeline.end_s).contains(time_s))
            .collect();
        times_s.push(timeline.start_s);
        times_s.sort_by(f64::total_cmp);
        let mut keys: Vec<(f32, [f32; 3])> = Vec::new();
        for time_s in times_s {
            let is_there =
                entity.presence.contains(time_s) && entity.flag("active", time_s) != Some(false);
            let scale = [f32::from(u8::from(is_there)); 3];
            let time_s = (time_s - timeline.start_s) as f32;
            match keys.last_mut() {
                Some(last) if last.0 >= time_s => last.1 = scale,
                Some(last) if last.1 == scale => {}
                _ => keys.push((time_s, scale)),
            }
        }
        Self {
            keys,
            is_linear: false,
        }
    }
}

impl Keys<4> {
    /// The rotations of a track, with signs chosen so that neighbours lie in the same hemisphere and every reader takes
    /// the short way.
    pub fn rotations(
        timeline: &Timeline,
        track: &Track,
        values: &[[f32; 4]],
        tolerance: &Tolerance,
    ) -> Option<Self> {
        let mut all = Self::all(timeline, track, values)?;
        let mut before = [0.0; 4];
        for (_, value) in &mut all.keys {
            if dot(&before, value) < 0.0 {
                *value = value.map(|part| -part);
            }
            before = *value;
        }
        // The sine of half the angle between two rotations, computed from their difference.
        let most = (tolerance.rotation_rad / 2.0).sin();
        let far = |a: &[f32; 4], b: &[f32; 4]| {
            let along = dot(a, b);
            let across: f32 = (0..4).map(|part| (b[part] - along * a[part]).powi(2)).sum();
            across > most * most
        };
        let mix =
            |a: &[f32; 4], b: &[f32; 4], part: f32| crate::timeline::track::turn(*a, *b, part);
        Some(all.thin(timeline.duration_s(), far, mix))
    }
}

fn dot(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{Hold, Presence};

    fn track(hold: Hold, times_s: Vec<f64>) -> Track {
        Track {
            times_s,
            hold,
            columns: Vec::new(),
        }
    }

    fn timeline() -> Timeline {
        Timeline {
            start_s: 2.0,
            end_s: 12.0,
            ..Timeline::default()
        }
    }

    fn positions(hold: Hold, times_s: &[f64], xs: &[f32]) -> Vec<(f32, f32)> {
        let values: Vec<[f32; 3]> = xs.iter().map(|&x| [x, 0.0, 0.0]).collect();
        let track = track(hold, times_s.to_vec());
        let keys = Keys::positions(&timeline(), &track, &values, &Tolerance::default()).unwrap();
        keys.keys
            .iter()
            .map(|(time_s, value)| (*time_s, value[0]))
            .collect()
    }

    #[test]
    fn a_straight_line_is_two_keys_and_a_corner_stays() {
        let times_s = [2.0, 3.0, 4.0, 5.0, 6.0];
        let keys = positions(Hold::Linear, &times_s, &[0.0, 1.0, 2.0, 1.0, 0.0]);
        assert_eq!(keys, [(0.0, 0.0), (2.0, 2.0), (4.0, 0.0), (10.0, 0.0)]);
    }

    #[test]
    fn what_is_held_stays_until_it_changes() {
        let times_s = [1.0, 3.0, 4.0, 12.0];
        let keys = positions(Hold::Held, &times_s, &[5.0, 5.0005, 6.0, 7.0]);
        assert_eq!(keys, [(0.0, 5.0), (2.0, 6.0), (10.0, 7.0)]);
    }

    #[test]
    fn times_ascend_and_values_are_numbers() {
        let times_s = [2.0, 2.0, 3.0, 3.000_000_000_1, 4.0];
        let keys = positions(Hold::Held, &times_s, &[1.0, 2.0, 3.0, 4.0, f32::NAN]);
        assert_eq!(keys, [(0.0, 2.0), (1.0, 4.0), (10.0, 4.0)]);
    }

    #[test]
    fn absence_is_scale_zero() {
        let mut presence = Presence::default();
        presence.appear(3.0);
        presence.vanish(5.0);
        let entity = Entity {
            name: String::new(),
            kind: "ball",
            parent: None,
            presence,
            tracks: Vec::new(),
        };
        let keys = Keys::presence(&timeline(), &entity);
        let keys: Vec<(f32, f32)> = keys.keys.iter().map(|key| (key.0, key.1[0])).collect();
        assert_eq!(keys, [(0.0, 0.0), (1.0, 1.0), (3.0, 0.0)]);
    }
}
