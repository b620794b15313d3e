//! Games of two as columns for machine learning, in the schema of slippi-ai.
//!
//! - `player`: a player's character, controller and partner
//! - `stage`: what moves by itself
//! - `items`: items and projectiles, each in a slot for as long as it is there

mod items;
mod player;
mod stage;

use crate::slippi::Replay;
use crate::slippi::codec::model::frames::{Copies, Frames};

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The path of its fields, such as `p0.controller.main_stick.x`.
    pub name: String,
    /// Its values, one a frame.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the names are the types
pub enum Values {
    Flag(Vec<bool>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    F32(Vec<f32>),
}

impl Values {
    /// The type's name as in NumPy.
    pub fn dtype(&self) -> &'static str {
        match self {
            Self::Flag(_) => "bool",
            Self::U8(_) => "uint8",
            Self::U16(_) => "uint16",
            Self::F32(_) => "float32",
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Flag(values) => values.len(),
            Self::U8(values) => values.len(),
            Self::U16(values) => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value as a number; `false` is 0 and `true` is 1.
    pub fn number(&self, index: usize) -> Option<f64> {
        match self {
            Self::Flag(values) => values.get(index).map(|&value| f64::from(u8::from(value))),
            Self::U8(values) => values.get(index).map(|&value| value.into()),
            Self::U16(values) => values.get(index).map(|&value| value.into()),
            Self::F32(values) => values.get(index).map(|&value| value.into()),
        }
    }

    /// The bytes of all values, least significant first.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Flag(values) => values.iter().map(|&value| u8::from(value)).collect(),
            Self::U8(values) => values.clone(),
            Self::U16(values) => values.iter().flat_map(|one| one.to_le_bytes()).collect(),
            Self::F32(values) => values.iter().flat_map(|one| one.to_le_bytes()).collect(),
        }
    }
}

/// The columns of a game of two, in the schema's order; `None` for other games. The lower port is `p0`.
///
/// slippi-ai keeps the first computation of a frame ([`Copies::First`]): what the player saw. With [`Copies::Final`] it is
/// what counted.
pub fn columns(replay: &Replay, copies: Copies) -> Option<Vec<Column>> {
    let frames = replay.frames.as_ref()?;
    let ports: Vec<u8> = replay.start.ports().map(|(port, _)| port).collect();
    let &[first, second] = ports.as_slice() else {
        return None;
    };
    let stage = replay.start.info.stage;
    Some(of_rows(
        frames,
        &frames.rows(copies),
        [first, second],
        stage,
    ))
}

/// The schema: all columns without values.
pub fn schema() -> Vec<Column> {
    of_rows(&Frames::default(), &[], [0, 1], 0)
}

fn of_rows(frames: &Frames, rows: &[usize], ports: [u8; 2], stage: u16) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut add = |name: String, values: Values| columns.push(Column { name, values });
    player::add("p0", frames, rows, ports[0], &mut add);
    player::add("p1", frames, rows, ports[1], &mut add);
    stage::add(stage, frames, rows, &mut add);
    items::add(frames, rows, &mut add);
    columns
}

/// What a player took: all rises of the percent, summed up over the rows.
pub fn damage_taken(replay: &Replay, port: u8, copies: Copies) -> Option<f64> {
    let frames = replay.frames.as_ref()?;
    let rows = frames.rows(copies);
    let lane = super::lane::Lane::new(frames, &rows, port, false)?;
    let percents = (0..lane.len()).filter_map(|index| lane.post(index, |post| &post.percent));
    let percents: Vec<f32> = percents.collect();
    let rise = |pair: &[f32]| match pair {
        [before, now] => f64::from((now - before).max(0.0)),
        _ => 0.0,
    };
    Some(percents.windows(2).map(rise).sum())
}
