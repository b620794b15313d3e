//! All of every frame of a Slippi replay: what each player does, and what becomes of it.

use std::ops::Range;

use arrow::error::ArrowError;
use postgame::slippi::coords;
use postgame::slippi::model::frames::{Character, Copies, Frames as Rows, Sparse};
use postgame::{Depth, Format, Recording};

use crate::kinds::{self, Kind as _, Numbers};
use crate::source::{Source, moments};
use crate::table::{TableOptions, table};

table! {
    /// One row for every character in every frame that counted: where a rollback computed a frame again, the last time.
    /// Sorted by port and frame.
    pub Frames = "frames" of &[Format::Slippi], at Depth::Full, by fill_frames in frames {
        /// The recording.
        recording_id: Name,
        /// The frame's number; players can act from -39 on, and the clock starts at 0.
        frame: I32,
        /// When, from the first frame on.
        time_s: F64,
        /// The port, from 0.
        port: U8,
        /// Whether it is the second of two climbers.
        is_follower: Flag,
        /// Before the frame: the random number generator's state.
        pre_random_seed: U32,
        /// Before the frame: the action state.
        pre_action_state: U16,
        /// Before the frame: position in the game's units.
        pre_x_uu: F32,
        /// Before the frame: position in the game's units, upwards.
        pre_y_uu: F32,
        /// Before the frame: -1 left, 1 right, rarely 0.
        pre_facing: F32,
        /// Before the frame: the stick as the game sees it, from -1 to 1.
        pre_joystick_x: F32,
        /// Before the frame: the stick as the game sees it, from -1 to 1.
        pre_joystick_y: F32,
        /// Before the frame: the C-stick as the game sees it, from -1 to 1.
        pre_cstick_x: F32,
        /// Before the frame: the C-stick as the game sees it, from -1 to 1.
        pre_cstick_y: F32,
        /// Before the frame: the stronger of both triggers, from 0 to 1.
        pre_trigger: F32,
        /// Before the frame: buttons and stick directions as the game sees them, a bit each.
        pre_buttons: U32,
        /// Before the frame: buttons as the controller sends them, a bit each.
        pre_physical_buttons: U16,
        /// Before the frame: the left trigger as the controller sends it, from 0 to 1; garbage up to version 1.0.
        pre_physical_l: F32,
        /// Before the frame: the right trigger as the controller sends it, from 0 to 1; garbage up to version 1.0.
        pre_physical_r: F32,
        /// Before the frame: the stick as the controller sends it. Since 1.2.
        pre_raw_joystick_x: I8,
        /// Before the frame: damage in percent. Since 1.4.
        pre_percent: F32,
        /// Before the frame: the stick as the controller sends it. Since 3.15.
        pre_raw_joystick_y: I8,
        /// Before the frame: the C-stick as the controller sends it. Since 3.17.
        pre_raw_cstick_x: I8,
        /// Before the frame: the C-stick as the controller sends it. Since 3.17.
        pre_raw_cstick_y: I8,
        /// After the frame: the character as the game's engine counts them.
        post_character: U8,
        /// After the frame: the action state.
        post_action_state: U16,
        /// After the frame: position in the game's units.
        post_x_uu: F32,
        /// After the frame: position in the game's units, upwards.
        post_y_uu: F32,
        /// After the frame: -1 left, 1 right, rarely 0.
        post_facing: F32,
        /// After the frame: damage in percent.
        post_percent: F32,
        /// After the frame: what is left of the shield, from 60 down to 0.
        post_shield: F32,
        /// After the frame: the last attack of this character that hit.
        post_last_attack_landed: U8,
        /// After the frame: hits in a row, as the game counts.
        post_combo_count: U8,
        /// After the frame: the port that hit this character last; 6 if there is none.
        post_last_hit_by: U8,
        /// After the frame: lives left.
        post_stocks: U8,
        /// After the frame: how long the action state lasts; may be -1 or a fraction. Since 0.2.
        post_state_age_frames: F32,
        /// After the frame: reflection, absorption. Since 2.0.
        post_flags_1: U8,
        /// After the frame: intangibility, fast fall, hitlag. Since 2.0.
        post_flags_2: U8,
        /// After the frame: grabbing, shield. Since 2.0.
        post_flags_3: U8,
        /// After the frame: hitstun, power shield. Since 2.0.
        post_flags_4: U8,
        /// After the frame: cloaked, follower, dead, off screen. Since 2.0.
        post_flags_5: U8,
        /// After the frame: frames of hitstun left, while in hitstun; something else otherwise. Since 2.0.
        post_misc: F32,
        /// After the frame: 1 in the air, 0 on the ground. Since 2.0.
        post_airborne: U8,
        /// After the frame: the ground stood on last; 65535 for none. Since 2.0.
        post_last_ground: U16,
        /// After the frame: jumps left. Since 2.0.
        post_jumps: U8,
        /// After the frame: 0 none, 1 succeeded, 2 failed. Since 2.0.
        post_l_cancel: U8,
        /// After the frame: 0 vulnerable, 1 invulnerable, 2 intangible. Since 2.1.
        post_hurtbox: U8,
        /// After the frame: the character's own speed in the air. Since 3.5.
        post_speed_air_x_uu_frame: F32,
        /// After the frame: the character's own speed upwards. Since 3.5.
        post_speed_y_uu_frame: F32,
        /// After the frame: speed from being hit. Since 3.5.
        post_speed_attack_x_uu_frame: F32,
        /// After the frame: speed from being hit, upwards. Since 3.5.
        post_speed_attack_y_uu_frame: F32,
        /// After the frame: the character's own speed on the ground. Since 3.5.
        post_speed_ground_x_uu_frame: F32,
        /// After the frame: what is left of the hitlag. Since 3.8.
        post_hitlag_frames: F32,
        /// After the frame: the animation shown. Since 3.11.
        post_animation: U32,
        /// After the frame: the instance of what hit this character last. Since 3.16.
        post_instance_hit_by: U16,
        /// After the frame: counts action states over all characters. Since 3.16.
        post_instance: U16,
    }
}

/// A stretch of rows: events that follow each other, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Run {
    Events(Range<usize>),
    Nothing(usize),
}

impl Run {
    fn len(&self) -> usize {
        match self {
            Self::Events(range) => range.len(),
            Self::Nothing(count) => *count,
        }
    }
}

/// Where the events of some rows are, in stretches: columns are copied a stretch at a time.
fn runs<T>(events: &Sparse<T>, rows: &[usize]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &row in rows {
        match (events.at(row), runs.last_mut()) {
            (Some(index), Some(Run::Events(range))) if range.end == index => range.end += 1,
            (None, Some(Run::Nothing(count))) => *count += 1,
            (Some(index), _) => runs.push(Run::Events(index..index + 1)),
            (None, _) => runs.push(Run::Nothing(1)),
        }
    }
    runs
}

/// Adds the values of a column; a column that the file's version does not have is empty.
fn copy<K: Numbers>(builder: &mut Option<K::Builder>, values: &[K::Native], runs: &[Run]) {
    let Some(builder) = builder else { return };
    for run in runs {
        match run {
            Run::Events(range) => match values.get(range.clone()) {
                Some(values) => K::append_slice(builder, values),
                None => K::append_nulls(builder, range.len()),
            },
            Run::Nothing(count) => K::append_nulls(builder, *count),
        }
    }
}

fn fill_frames(
    source: &Source,
    options: &TableOptions,
    rows: &mut frames::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::Slippi(replay) = &source.recording else {
        return Ok(());
    };
    let Some(all) = &replay.frames else {
        return Ok(());
    };
    let wanted = rows_at(all, options.fps)?;
    for character in &all.characters {
        // Rows before a character appears or after it is out are not there.
        let there: Vec<usize> = wanted
            .iter()
            .copied()
            .filter(|&row| character.pre.at(row).is_some() || character.post.at(row).is_some())
            .collect();
        let mut rest = there.as_slice();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(rows.room()));
            rest = after;
            add(&mut rows.columns, source, all, character, piece);
            rows.added(piece.len())?;
        }
    }
    Ok(())
}

/// The rows that count, or of these the last one at or before each moment of a fixed rate.
fn rows_at(all: &Rows, fps: Option<f64>) -> Result<Vec<usize>, ArrowError> {
    let rows = all.rows(Copies::Final);
    let time_s = |row: usize| coords::time_s(all.ids.get(row).copied().unwrap_or_default());
    let (Some(fps), Some(&first), Some(&last)) = (fps, rows.first(), rows.last()) else {
        return Ok(rows);
    };
    let (start_s, end_s) = (time_s(first), time_s(last));
    let moments = moments(end_s - start_s, fps)?;
    let mut at = 0;
    let row_at = |moment: usize| {
        // Frames are 1/60 s apart; a moment that is a frame's own must not miss it by a rounding error.
        let moment_s = start_s + moment as f64 / fps + 1e-9;
        while rows.get(at + 1).is_some_and(|&row| time_s(row) <= moment_s) {
            at += 1;
        }
        rows.get(at).copied()
    };
    Ok((0..=moments).filter_map(row_at).collect())
}

/// Adds some rows of a character.
fn add(
    columns: &mut frames::Columns,
    source: &Source,
    all: &Rows,
    character: &Character,
    rows: &[usize],
) {
    let pre_runs = runs(&character.pre, rows);
    let post_runs = runs(&character.post, rows);
    debug_assert_eq!(pre_runs.iter().map(Run::len).sum::<usize>(), rows.len());
    let ids = || rows.iter().filter_map(|&row| all.ids.get(row).copied());
    if let Some(builder) = &mut columns.recording_id {
        builder.append_many(&source.id, rows.len());
    }
    if let Some(builder) = &mut columns.frame {
        kinds::I32::append_slice(builder, &ids().collect::<Vec<_>>());
    }
    if let Some(builder) = &mut columns.time_s {
        kinds::F64::append_slice(builder, &ids().map(coords::time_s).collect::<Vec<_>>());
    }
    if let Some(builder) = &mut columns.port {
        kinds::U8::append_slice(builder, &vec![character.port; rows.len()]);
    }
    if let Some(builder) = &mut columns.is_follower {
        for _ in rows {
            kinds::Flag::append(builder, Some(character.follower != 0));
        }
    }
    let (pre, post) = (&character.pre.columns, &character.post.columns);
    macro_rules! copies {
        ($($column:ident: $Kind:ident = $event:ident.$field:ident;)*) => {
            $(copy::<kinds::$Kind>(&mut columns.$column, &$event.$field, copies!(runs $event));)*
        };
        (runs pre) => { &pre_runs };
        (runs post) => { &post_runs };
    }
    copies! {
        pre_random_seed: U32 = pre.random_seed;
        pre_action_state: U16 = pre.action_state;
        pre_x_uu: F32 = pre.x;
        pre_y_uu: F32 = pre.y;
        pre_facing: F32 = pre.facing;
        pre_joystick_x: F32 = pre.joystick_x;
        pre_joystick_y: F32 = pre.joystick_y;
        pre_cstick_x: F32 = pre.cstick_x;
        pre_cstick_y: F32 = pre.cstick_y;
        pre_trigger: F32 = pre.trigger;
        pre_buttons: U32 = pre.buttons;
        pre_physical_buttons: U16 = pre.physical_buttons;
        pre_physical_l: F32 = pre.physical_l;
        pre_physical_r: F32 = pre.physical_r;
        pre_raw_joystick_x: I8 = pre.raw_joystick_x;
        pre_percent: F32 = pre.percent;
        pre_raw_joystick_y: I8 = pre.raw_joystick_y;
        pre_raw_cstick_x: I8 = pre.raw_cstick_x;
        pre_raw_cstick_y: I8 = pre.raw_cstick_y;
        post_character: U8 = post.character;
        post_action_state: U16 = post.action_state;
        post_x_uu: F32 = post.x;
        post_y_uu: F32 = post.y;
        post_facing: F32 = post.facing;
        post_percent: F32 = post.percent;
        post_shield: F32 = post.shield;
        post_last_attack_landed: U8 = post.last_attack_landed;
        post_combo_count: U8 = post.combo_count;
        post_last_hit_by: U8 = post.last_hit_by;
        post_stocks: U8 = post.stocks;
        post_state_age_frames: F32 = post.state_age;
        post_flags_1: U8 = post.flags_1;
        post_flags_2: U8 = post.flags_2;
        post_flags_3: U8 = post.flags_3;
        post_flags_4: U8 = post.flags_4;
        post_flags_5: U8 = post.flags_5;
        post_misc: F32 = post.misc;
        post_airborne: U8 = post.airborne;
        post_last_ground: U16 = post.last_ground;
        post_jumps: U8 = post.jumps;
        post_l_cancel: U8 = post.l_cancel;
        post_hurtbox: U8 = post.hurtbox;
        post_speed_air_x_uu_frame: F32 = post.speed_air_x;
        post_speed_y_uu_frame: F32 = post.speed_y;
        post_speed_attack_x_uu_frame: F32 = post.speed_attack_x;
        post_speed_attack_y_uu_frame: F32 = post.speed_attack_y;
        post_speed_ground_x_uu_frame: F32 = post.speed_ground_x;
        post_hitlag_frames: F32 = post.hitlag;
        post_animation: U32 = post.animation;
        post_instance_hit_by: U16 = post.instance_hit_by;
        post_instance: U16 = post.instance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_gaps_are_copied_in_stretches() {
        let events = Sparse {
            rows: [0, 1, 2, 5, 6].into_iter().collect(),
            columns: (),
        };
        // Row 4 has no event, and row 2 was computed again as row 5.
        assert_eq!(
            runs(&events, &[0, 1, 5, 4, 6]),
            [
                Run::Events(0..2),
                Run::Events(3..4),
                Run::Nothing(1),
                Run::Events(4..5)
            ]
        );
    }
}
