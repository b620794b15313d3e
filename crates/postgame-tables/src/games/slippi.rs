//! Slippi's tables beside the frames: items, and what players make of their openings.

use arrow::error::ArrowError;
use postgame::slippi::model::frames::Copies;
use postgame::slippi::{Replay, coords, names, states};
use postgame::{Depth, Format, Recording};

use crate::source::Source;
use crate::table::{TableOptions, table};

const GAME: &[Format] = &[Format::Slippi];

table! {
    /// One row for every item or projectile in every frame that counted.
    pub Items = "items" of GAME, at Depth::Full, by fill_items in items {
        /// The recording.
        recording_id: Name,
        /// The frame's number.
        frame: I32,
        /// When, from the first frame on.
        time_s: F64,
        /// Counts items as they appear.
        spawn_id: U32,
        /// What it is, as the game counts them.
        item_type: U16,
        /// What it is.
        item: Name,
        /// Its state, which means something else for every type.
        state: U8,
        /// -1 left, 1 right, or 0.
        facing: F32,
        /// Position in the game's units.
        x_uu: F32,
        /// Position in the game's units, upwards.
        y_uu: F32,
        /// Speed.
        vx_uu_frame: F32,
        /// Speed, upwards.
        vy_uu_frame: F32,
        /// Damage taken.
        damage: U16,
        /// What is left until it vanishes.
        timer_frames: F32,
        /// The port of its owner; null if it has none.
        owner: U8,
    }
}

table! {
    /// One row for every conversion: what a player makes of an opening until the other can act again.
    pub Conversions = "conversions" of GAME, at Depth::Full, by fill_conversions in conversions {
        /// The recording.
        recording_id: Name,
        /// The conversion's number in the recording, from 0.
        number: U32,
        /// When it begins.
        time_s: F64,
        /// When it ends; null when the recording ends before.
        end_s: F64,
        /// The frame it begins in.
        start_frame: I32,
        /// The frame it ends in.
        end_frame: I32,
        /// The port of who opened it.
        port: U8,
        /// Whose character.
        character: Name,
        /// The victim's port.
        victim_port: U8,
        /// The victim's character.
        victim_character: Name,
        /// How it came about: `neutral-win`, `counter-attack`, `trade`.
        opening: Name,
        /// How many attacks hit.
        moves: U32,
        /// The victim's percent before it.
        start_percent: F64,
        /// The victim's percent at its end.
        end_percent: F64,
        /// What it did to the victim's percent.
        damage_percent: F64,
        /// Whether the victim lost a stock.
        did_kill: Flag,
    }
}

table! {
    /// One row for every combo: hits in a row, until the victim could move.
    pub Combos = "combos" of GAME, at Depth::Full, by fill_combos in combos {
        /// The recording.
        recording_id: Name,
        /// The combo's number in the recording, from 0.
        number: U32,
        /// When it begins.
        time_s: F64,
        /// When it ends; null when the recording ends before.
        end_s: F64,
        /// The frame it begins in.
        start_frame: I32,
        /// The frame it ends in.
        end_frame: I32,
        /// The port of who began it.
        port: U8,
        /// Whose character.
        character: Name,
        /// The victim's port.
        victim_port: U8,
        /// The victim's character.
        victim_character: Name,
        /// How many attacks hit.
        moves: U32,
        /// The victim's percent before it.
        start_percent: F64,
        /// The victim's percent at its end.
        end_percent: F64,
        /// What it did to the victim's percent.
        damage_percent: F64,
        /// Whether the victim lost a stock.
        did_kill: Flag,
    }
}

table! {
    /// One row for every attack that hit in a conversion.
    pub Moves = "moves" of GAME, at Depth::Full, by fill_moves in moves {
        /// The recording.
        recording_id: Name,
        /// The conversion's number in the recording, from 0.
        conversion: U32,
        /// When it hit first.
        time_s: F64,
        /// The frame it hit first in.
        frame: I32,
        /// The attacker's port.
        port: U8,
        /// The attacker's character.
        character: Name,
        /// The victim's port.
        victim_port: U8,
        /// Which attack, as the game counts them.
        attack: U8,
        /// Which attack.
        attack_name: Name,
        /// How often it hit.
        hits: U32,
        /// What it did to the victim's percent, in all.
        damage_percent: F64,
    }
}

fn replay(source: &Source) -> Option<&Replay> {
    match &source.recording {
        Recording::Slippi(replay) => Some(replay),
        _ => None,
    }
}

fn character(replay: &Replay, port: u8) -> Option<&'static str> {
    let number = replay.starting_character(port)?;
    names::character(number).map(|character| character.name)
}

fn fill_items(
    source: &Source,
    _: &TableOptions,
    rows: &mut items::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(frames) = replay(source).and_then(|replay| replay.frames.as_ref()) else {
        return Ok(());
    };
    let columns = &frames.items.columns;
    for row in frames.rows(Copies::Final) {
        let frame = frames.ids.get(row).copied();
        for index in frames.items.of_row(row) {
            let item_type = columns.item_type.get(index).copied();
            rows.push(items::Row {
                recording_id: Some(&source.id),
                frame,
                time_s: frame.map(coords::time_s),
                spawn_id: columns.spawn_id.get(index).copied(),
                item_type,
                item: item_type.and_then(names::item),
                state: columns.state.get(index).copied(),
                facing: columns.facing.get(index).copied(),
                x_uu: columns.x.get(index).copied(),
                y_uu: columns.y.get(index).copied(),
                vx_uu_frame: columns.velocity_x.get(index).copied(),
                vy_uu_frame: columns.velocity_y.get(index).copied(),
                damage: columns.damage.get(index).copied(),
                timer_frames: columns.timer.get(index).copied(),
                owner: columns
                    .owner
                    .get(index)
                    .and_then(|&owner| u8::try_from(owner).ok()),
            })?;
        }
    }
    Ok(())
}

/// The row of a conversion or a combo, which have most columns in common.
macro_rules! punish_row {
    ($table:ident, $source:expr, $replay:expr, $number:expr, $punish:expr, { $($more:tt)* }) => {{
        let end_percent = $punish.end_percent.unwrap_or($punish.current_percent);
        $table::Row {
            recording_id: Some(&$source.id),
            number: u32::try_from($number).ok(),
            time_s: Some(coords::time_s($punish.start_frame)),
            end_s: $punish.end_frame.map(coords::time_s),
            start_frame: Some($punish.start_frame),
            end_frame: $punish.end_frame,
            port: Some($punish.opener),
            character: character($replay, $punish.opener),
            victim_port: Some($punish.victim),
            victim_character: character($replay, $punish.victim),
            moves: u32::try_from($punish.moves.len()).ok(),
            start_percent: Some($punish.start_percent),
            end_percent: Some(end_percent),
            damage_percent: Some(end_percent - $punish.start_percent),
            did_kill: Some($punish.did_kill),
            $($more)*
        }
    }};
}

fn fill_conversions(
    source: &Source,
    _: &TableOptions,
    rows: &mut conversions::Rows<'_>,
) -> Result<(), ArrowError> {
    let (Some(replay), Some(analysis)) = (replay(source), source.analysis()) else {
        return Ok(());
    };
    for (number, punish) in analysis.conversions.iter().enumerate() {
        rows.push(punish_row!(conversions, source, replay, number, punish, {
            opening: Some(punish.opening.name()),
        }))?;
    }
    Ok(())
}

fn fill_combos(
    source: &Source,
    _: &TableOptions,
    rows: &mut combos::Rows<'_>,
) -> Result<(), ArrowError> {
    let (Some(replay), Some(analysis)) = (replay(source), source.analysis()) else {
        return Ok(());
    };
    for (number, punish) in analysis.combos.iter().enumerate() {
        rows.push(punish_row!(combos, source, replay, number, punish, {}))?;
    }
    Ok(())
}

fn fill_moves(
    source: &Source,
    _: &TableOptions,
    rows: &mut moves::Rows<'_>,
) -> Result<(), ArrowError> {
    let (Some(replay), Some(analysis)) = (replay(source), source.analysis()) else {
        return Ok(());
    };
    for (number, punish) in analysis.conversions.iter().enumerate() {
        for one in &punish.moves {
            rows.push(moves::Row {
                recording_id: Some(&source.id),
                conversion: u32::try_from(number).ok(),
                time_s: Some(coords::time_s(one.frame)),
                frame: Some(one.frame),
                port: Some(one.port),
                character: character(replay, one.port),
                victim_port: Some(punish.victim),
                attack: Some(one.attack),
                attack_name: Some(&states::attack_name(one.attack)),
                hits: Some(one.hits),
                damage_percent: Some(one.damage),
            })?;
        }
    }
    Ok(())
}
