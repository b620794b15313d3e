//! Whether a Slippi replay can be true: motion against speed, positions against the stage, values against their bounds.

use super::stats::game::{ABSENT, indices};
use crate::probe::{Aspect, Probe};
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::{Character, Copies, Frames};
use crate::slippi::names::Bounds;
use crate::slippi::stages::bounds;
use crate::slippi::states::sets;
use crate::slippi::tables::set;
use crate::timeline::{Timeline, Values};

/// Too few frames say nothing.
const ENOUGH: usize = 60;

/// Beyond a blast zone by so much, somebody should have died.
const BEYOND_UU: f32 = 5.0;

/// Displacement and speed agree when they differ by no more, per frame.
const SAME_UU: f32 = 0.02;

/// Who is slower than this, per frame, moves too little to tell.
const MOVING_UU: f32 = 0.1;

/// Nobody moves farther in a frame while in play, but for warps.
const STEP_UU: f32 = 40.0;

/// The largest world: the longest scrolling stages and the Home-Run Contest's field.
const WORLD_UU: f64 = 20_000.0;

/// Speeds are below this, per frame.
const FASTEST_UU: f64 = 200.0;

/// All measurements of a replay.
pub fn probe(replay: &Replay, timeline: &Timeline) -> Vec<Probe> {
    let mut probes = vec![last_frame(replay)];
    let Some(frames) = &replay.frames else {
        return probes;
    };
    let rows = frames.rows(Copies::Final);
    let mut motion = Motion::default();
    let bounds = bounds(replay.start.info.stage);
    for character in &frames.characters {
        motion.add(character, frames, &rows, bounds);
    }
    probes.extend(motion.probes());
    probes.push(items(frames, &rows));
    probes.push(norms(timeline));
    probes.extend(values(frames));
    probes.extend(ranges(frames));
    probes
}

fn last_frame(replay: &Replay) -> Probe {
    let stated = replay
        .metadata()
        .and_then(|metadata| metadata.get("lastFrame")?.as_int());
    let counted = replay.frames.as_ref().and_then(Frames::last_frame);
    let (samples, difference) = match (stated, counted) {
        (Some(stated), Some(counted)) => (1, (stated as f64 - f64::from(counted)).abs()),
        _ => (0, 0.0),
    };
    Probe::at_most(
        Aspect::Metadata,
        "last frame against the stated one, difference",
        samples,
        1,
        difference,
        0.0,
    )
}

/// How often something holds.
#[derive(Default)]
struct Share {
    part: usize,
    whole: usize,
}

impl Share {
    fn add(&mut self, holds: bool) {
        self.part += usize::from(holds);
        self.whole += 1;
    }

    fn share(&self) -> f64 {
        self.part as f64 / self.whole.max(1) as f64
    }
}

/// What characters do from frame to frame.
#[derive(Default)]
struct Motion {
    beyond: Share,
    far_steps: Share,
    agreeing: Share,
}

impl Motion {
    fn add(
        &mut self,
        character: &Character,
        frames: &Frames,
        rows: &[usize],
        bounds: Option<&Bounds>,
    ) {
        let post = &character.post.columns;
        let at = indices(&character.post.rows, rows, frames.len());
        let state = |index: usize| {
            let index = *at.get(index).filter(|index| **index != ABSENT)? as usize;
            let sets = sets(*post.action_state.get(index)?);
            Some((index, sets, *post.x.get(index)?, *post.y.get(index)?))
        };
        for frame in 0..at.len() {
            let Some((index, sets, x, y)) = state(frame) else {
                continue;
            };
            if sets & set::OUT_OF_PLAY != 0 {
                continue;
            }
            if let Some(bounds) = bounds {
                // The upper blast zone is for those who were hit; others may fly higher and come back.
                self.beyond.add(
                    x < bounds.left - BEYOND_UU
                        || x > bounds.right + BEYOND_UU
                        || y < bounds.bottom - BEYOND_UU
                        || (y > bounds.top + BEYOND_UU && sets & set::DAMAGED != 0),
                );
            }
            let Some((_, sets_before, x_before, y_before)) = frame.checked_sub(1).and_then(state)
            else {
                continue;
            };
            if sets_before & set::OUT_OF_PLAY != 0 {
                continue;
            }
            let (dx, dy) = (x - x_before, y - y_before);
            self.far_steps.add(dx.hypot(dy) > STEP_UU);
            let speed = || {
                let own_x = match post.airborne.get(index)? {
                    0 => *post.speed_ground_x.get(index)?,
                    _ => *post.speed_air_x.get(index)?,
                };
                let own_y = *post.speed_y.get(index)?;
                Some([
                    own_x + *post.speed_attack_x.get(index)?,
                    own_y + *post.speed_attack_y.get(index)?,
                ])
            };
            // In the air only: ground slopes, platforms move, and the ledge and grabs hold.
            let held = set::LEDGE | set::GRABBED | set::COMMAND_GRABBED | set::HOLDS_GRAB;
            if let Some([sx, sy]) = speed()
                && post.airborne.get(index) == Some(&1)
                && (sets | sets_before) & held == 0
                && post.hitlag.get(index).is_none_or(|hitlag| *hitlag == 0.0)
                && sx.hypot(sy) > MOVING_UU
            {
                self.agreeing
                    .add((dx - sx).abs() <= SAME_UU && (dy - sy).abs() <= SAME_UU);
            }
        }
    }

    fn probes(&self) -> [Probe; 3] {
        let aspect = Aspect::Plausibility;
        [
            Probe::at_most(
                aspect,
                "characters beyond the blast zones, share",
                self.beyond.whole,
                ENOUGH,
                self.beyond.share(),
                0.001,
            ),
            Probe::at_least(
                aspect,
                "displacement agrees with speed in the air, share",
                self.agreeing.whole,
                ENOUGH,
                self.agreeing.share(),
                0.75,
            ),
            Probe::at_most(
                aspect,
                "steps of more than 40 units a frame, share",
                self.far_steps.whole,
                ENOUGH,
                self.far_steps.share(),
                0.005,
            ),
        ]
    }
}

/// Items fly as fast as they say.
fn items(frames: &Frames, rows: &[usize]) -> Probe {
    let (items, columns) = (&frames.items, &frames.items.columns);
    let offsets = items.offsets(frames.len());
    let of_row = |row: usize| match (offsets.get(row), offsets.get(row + 1)) {
        (Some(start), Some(end)) => *start as usize..*end as usize,
        _ => 0..0,
    };
    let mut share = Share::default();
    for pair in rows.windows(2) {
        let [before, now] = [pair[0], pair[1]];
        for index in of_row(now) {
            let id = columns.spawn_id.get(index);
            let same = of_row(before).find(|&before| {
                id.is_some()
                    && columns.spawn_id.get(before) == id
                    && columns.item_type.get(before) == columns.item_type.get(index)
                    && columns.state.get(before) == columns.state.get(index)
            });
            let motion = || {
                let step = |values: &[f32]| Some(values.get(index)? - values.get(same?)?);
                let speed = [
                    *columns.velocity_x.get(index)?,
                    *columns.velocity_y.get(index)?,
                ];
                Some((speed, [step(&columns.x)?, step(&columns.y)?]))
            };
            if let Some(([sx, sy], [dx, dy])) = motion()
                && sx.hypot(sy) > MOVING_UU
                && dx.hypot(dy) > MOVING_UU
            {
                share.add((dx - sx).abs() <= SAME_UU && (dy - sy).abs() <= SAME_UU);
            }
        }
    }
    Probe::at_least(
        Aspect::Plausibility,
        "displacement of items agrees with their velocity, share",
        share.whole,
        ENOUGH,
        share.share(),
        0.5,
    )
}

/// Every rotation is one.
fn norms(timeline: &Timeline) -> Probe {
    let columns = timeline
        .entities
        .iter()
        .flat_map(|entity| &entity.tracks)
        .flat_map(|track| &track.columns);
    let (mut samples, mut worst) = (0, 0.0_f64);
    for column in columns {
        if let Values::Rotation(values) = &column.values {
            samples += values.len();
            for value in values {
                let norm = value.iter().map(|one| one * one).sum::<f32>().sqrt();
                worst = worst.max((f64::from(norm) - 1.0).abs());
            }
        }
    }
    Probe::at_most(
        Aspect::Plausibility,
        "rotations, largest difference of the norm from 1",
        samples,
        1,
        worst,
        1e-5,
    )
}

/// Values against what they can be.
fn values(frames: &Frames) -> Vec<Probe> {
    let mut outside = [(); 4].map(|()| Share::default());
    for character in &frames.characters {
        let (pre, post) = (&character.pre.columns, &character.post.columns);
        let [sticks, percents, shields, facings] = &mut outside;
        for column in [
            &pre.joystick_x,
            &pre.joystick_y,
            &pre.cstick_x,
            &pre.cstick_y,
            &pre.trigger,
        ] {
            column
                .iter()
                .for_each(|value| sticks.add(!(-1.0..=1.0).contains(value)));
        }
        let percent = &post.percent;
        percent
            .iter()
            .for_each(|value| percents.add(!(0.0..=999.5).contains(value)));
        let shield = &post.shield;
        shield
            .iter()
            .for_each(|value| shields.add(!(-1.0..=60.5).contains(value)));
        let facing = &post.facing;
        facing
            .iter()
            .for_each(|value| facings.add(![-1.0, 0.0, 1.0].contains(value)));
    }
    let names = [
        ("sticks and triggers outside of -1 to 1, share", 0.0),
        ("percents outside of 0 to 999, share", 0.0),
        ("shields outside of 0 to 60, share", 0.0),
        (
            "facing neither left nor right nor at the camera, share",
            0.001,
        ),
    ];
    let probe = |(share, (name, limit)): (&Share, (&str, f64))| {
        Probe::at_most(
            Aspect::Plausibility,
            name,
            share.whole,
            ENOUGH,
            share.share(),
            limit,
        )
    };
    outside.iter().zip(names).map(probe).collect()
}

/// The largest values of vectors, field by field.
fn ranges(frames: &Frames) -> Vec<Probe> {
    let mut fields = [
        ("post position", WORLD_UU),
        ("pre position", WORLD_UU),
        ("item position", WORLD_UU),
        ("own speed", FASTEST_UU),
        ("speed from hits", FASTEST_UU),
        ("item velocity", FASTEST_UU),
    ]
    .map(|(name, limit)| (name, limit, 0, 0.0_f64));
    let mut add = |field: usize, columns: &[&Vec<f32>]| {
        for column in columns {
            if let Some((_, _, samples, largest)) = fields.get_mut(field) {
                *samples += column.len();
                for value in *column {
                    // What is not a number is larger than anything allowed.
                    let value = f64::from(value.abs());
                    *largest = if value.is_nan() {
                        f64::INFINITY
                    } else {
                        largest.max(value)
                    };
                }
            }
        }
    };
    for character in &frames.characters {
        let (pre, post) = (&character.pre.columns, &character.post.columns);
        add(0, &[&post.x, &post.y]);
        add(1, &[&pre.x, &pre.y]);
        add(3, &[&post.speed_air_x, &post.speed_y, &post.speed_ground_x]);
        add(4, &[&post.speed_attack_x, &post.speed_attack_y]);
    }
    let items = &frames.items.columns;
    add(2, &[&items.x, &items.y]);
    add(5, &[&items.velocity_x, &items.velocity_y]);
    let probe = |(name, limit, samples, largest)| {
        Probe::at_most(
            Aspect::VectorRanges,
            format!("{name}, largest value"),
            samples,
            1,
            largest,
            limit,
        )
    };
    fields.into_iter().map(probe).collect()
}
