//! A floor under the persons, and a camera that sees all of them.

use serde_json::{Value, json};

use super::figure::Figure;
use super::vectors::{UP, Vector, add, cross, dot, from_axes, length, scale, subtract, unit};
use crate::timeline::Timeline;

/// Minimum size of the floor, in metres. As in `data/rumble/figure.tsv`: no document states it.
const RADIUS_M: f32 = 12.0;

/// The camera's vertical angle of view, in radians, and the aspect ratio of its image.
const VIEW_RAD: f32 = 0.62;
const ASPECT: f32 = 16.0 / 9.0;

/// Number of sample times used to place the camera.
const MAX_MOMENTS: usize = 200;

/// Room around a head that the camera shows: arms reach this far, and above a head is this much air. In metres.
const REACH_M: f32 = 0.8;
const AIR_M: f32 = 0.4;

/// The area the persons occupy.
pub(super) struct Stage {
    centre: Vector,
    /// The largest distance of a head from the centre.
    spread_m: f32,
    ground_m: f32,
    /// Every place of a head.
    heads: Vec<Vector>,
    /// The direction from the first person to the second.
    line: Vector,
}

impl Stage {
    /// Measures the persons; `None` if none of them is ever present.
    pub(super) fn new(timeline: &Timeline, figures: &[Figure<'_>]) -> Option<Self> {
        let mut heads: Vec<Vector> = Vec::new();
        let mut grounds: Vec<f32> = Vec::new();
        let mut line = [0.0; 3];
        let step_s = timeline.duration_s() / MAX_MOMENTS as f64;
        for moment in 0..=MAX_MOMENTS {
            let time_s = timeline.start_s + step_s * moment as f64;
            let now = figures.iter().map(|figure| figure.head(time_s));
            let now: Vec<Option<Vector>> = now.collect();
            if let [Some(one), Some(other), ..] = now.as_slice() {
                line = add(line, subtract(*other, *one));
            }
            heads.extend(now.into_iter().flatten());
            grounds.extend(figures.iter().filter_map(|figure| figure.ground(time_s)));
        }
        heads.retain(|head| head.iter().all(|part| part.is_finite()));
        grounds.retain(|ground| ground.is_finite());
        let sum = heads.iter().fold([0.0; 3], |sum, head| add(sum, *head));
        let centre = scale(sum, 1.0 / heads.len() as f32);
        let far = |head: &Vector| length(subtract(*head, centre));
        let ground_m = grounds.into_iter().reduce(f32::min);
        let ground_m = ground_m.unwrap_or(centre[1] - 1.6);
        (!heads.is_empty()).then(|| Self {
            spread_m: heads.iter().map(far).fold(1.0, f32::max),
            centre,
            ground_m,
            line: unit([line[0], 0.0, line[2]]).unwrap_or([1.0, 0.0, 0.0]),
            heads,
        })
    }

    /// Width, height and depth of the floor, in metres.
    pub(super) fn floor_size_m(&self) -> [f32; 3] {
        let across_m = 2.0 * RADIUS_M.max(self.spread_m + 2.0);
        [across_m, 0.02, across_m]
    }

    /// The position of the floor: its top is the ground.
    pub(super) fn floor_at(&self) -> Vector {
        [self.centre[0], self.ground_m - 0.011, self.centre[2]]
    }

    /// The camera itself.
    pub(super) fn camera() -> Value {
        json!({
            "name": "camera",
            "type": "perspective",
            "perspective": { "yfov": VIEW_RAD, "aspectRatio": ASPECT, "znear": 0.05, "zfar": 500.0 },
        })
    }

    /// Position and rotation of the camera: it looks down across the line between the first two persons.
    pub(super) fn camera_at(&self) -> (Vector, [f32; 4]) {
        let target = [
            self.centre[0],
            (self.centre[1] + self.ground_m) / 2.0 + 0.15,
            self.centre[2],
        ];
        let aside = cross(self.line, UP);
        let back = unit(add(aside, scale(UP, 0.3))).unwrap_or([0.0, 0.0, 1.0]);
        // A camera looks along its −Z.
        let right = unit(cross(UP, back)).unwrap_or([1.0, 0.0, 0.0]);
        let axes = [right, cross(back, right), back];
        let position = add(target, scale(back, self.distance_m(target, axes)));
        (position, from_axes(axes[0], axes[1], axes[2]))
    }

    /// The smallest distance from which every head and the ground below it are in the picture.
    fn distance_m(&self, target: Vector, [right, up, back]: [Vector; 3]) -> f32 {
        let half_height = (VIEW_RAD / 2.0).tan();
        let away = |point: Vector| {
            let seen = subtract(point, target);
            let aside = (dot(seen, right).abs() + REACH_M) / (half_height * ASPECT);
            let above = dot(seen, up).abs() / half_height;
            dot(seen, back) + aside.max(above)
        };
        let of_head = |head: &Vector| {
            let top = add(*head, scale(UP, AIR_M));
            let feet = [head[0], self.ground_m - AIR_M / 2.0, head[2]];
            away(top).max(away(feet))
        };
        self.heads
            .iter()
            .map(of_head)
            .fold(1.6 / half_height, f32::max)
    }
}
