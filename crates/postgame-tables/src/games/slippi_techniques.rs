//! Techniques in Slippi replays.

use arrow::error::ArrowError;
use postgame::slippi::coords;
use postgame::{Depth, Format};

use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every use of a technique.
    pub Techniques = "techniques" of &[Format::Slippi], at Depth::Full, by fill_techniques in techniques {
        /// The recording.
        recording_id: Name,
        /// When.
        time_s: F64,
        /// The frame.
        frame: I32,
        /// The player's port.
        port: U8,
        /// What it is: `wavedash`, `l-cancel`, `ledge-dash` and so on.
        technique: Name,
        /// Its timing in frames; what it counts depends on the technique (`docs/statistics.md`).
        frames: I32,
        /// Of wavedashes and wavelands: how far below the horizon the stick points.
        angle_deg: F32,
        /// Whether it succeeded; null for what cannot fail.
        is_success: Flag,
        /// Where the player is, in the game's units.
        x_uu: F32,
        /// Where the player is, upwards.
        y_uu: F32,
    }
}

fn fill_techniques(
    source: &Source,
    _: &TableOptions,
    rows: &mut techniques::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(analysis) = source.analysis() else {
        return Ok(());
    };
    for one in &analysis.techniques {
        rows.push(techniques::Row {
            recording_id: Some(&source.id),
            time_s: Some(coords::time_s(one.frame)),
            frame: Some(one.frame),
            port: Some(one.port),
            technique: Some(one.kind.name()),
            frames: one.frames,
            angle_deg: one.angle_deg,
            is_success: one.is_success,
            x_uu: Some(one.position_uu[0]),
            y_uu: Some(one.position_uu[1]),
        })?;
    }
    Ok(())
}
