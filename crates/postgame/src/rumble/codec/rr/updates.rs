//! Version 2: full states of the structures that moved, and of all players in some frames.

use serde::{Deserialize, Serialize};

use super::FRAMES_PER_SECOND;
use crate::error::{Context as _, Error, Result};
use crate::limits::Budget;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{Fixed, LittleBytes, Wire, record};

/// Update types.
mod kind {
    pub const STRUCTURES: u8 = 0;
    pub const OLD_PLAYERS: u8 = 1;
    pub const PLAYERS: u8 = 2;
}

/// Where the recorder puts a structure that is broken or absent, in Unity's metres.
pub const NOWHERE: [f32; 3] = [0.0, -300.0, 0.0];

record! {
    /// A position and a rotation: Unity's metres, left-handed, Y up.
    #[derive(Copy)]
    pub struct Pose: LittleBytes, fixed {
        /// The position.
        pub position: [f32; 3],
        /// The quaternion in file order: w, y, x, z.
        pub rotation_wyxz: [f32; 4],
    }
}

record! {
    /// A structure's state.
    #[derive(Copy)]
    pub struct StructureState: LittleBytes, fixed {
        /// The kind, see `tables::RR_STRUCTURES`.
        pub kind: u8,
        /// The index within its kind.
        pub index: u8,
        /// Position and rotation.
        pub pose: Pose,
    }
}

record! {
    /// A player's state.
    #[derive(Copy)]
    pub struct PlayerState: LittleBytes, fixed {
        /// The player's index; 0 is the player who made the recording.
        pub index: u8,
        /// The head.
        pub head: Pose,
        /// The spine.
        pub spine: Pose,
        /// The left hand.
        pub left_hand: Pose,
        /// The right hand.
        pub right_hand: Pose,
        /// The left foot.
        pub left_foot: Pose,
        /// The right foot.
        pub right_foot: Pose,
    }
}

impl Pose {
    /// The rotation as x, y, z, w.
    pub fn rotation(&self) -> [f32; 4] {
        let [w, y, x, z] = self.rotation_wyxz;
        [x, y, z, w]
    }

    /// True for the place where the recorder puts absent structures.
    pub fn is_nowhere(&self) -> bool {
        self.position == NOWHERE
    }
}

/// All updates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Updates(pub Vec<Update>);

/// The changes of one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Update {
    /// The frame counter, 50 a second; wraps around after 32,767.
    pub frame: i16,
    /// The changes.
    pub change: Change,
}

/// The contents of an update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Structures that moved.
    Structures(Vec<StructureState>),
    /// All players.
    Players(Vec<PlayerState>),
    /// An update of another type, or whose size does not match its type; kept as bytes.
    Raw {
        /// The type.
        kind: u8,
        /// The contents.
        data: Bytes,
    },
}

impl Updates {
    /// Number of bytes in the complete, well-formed updates at the start.
    pub(super) fn walk(mut reader: ByteReader<'_>) -> usize {
        let start = reader.position();
        let mut end = start;
        while let Ok(update) = Update::read(&mut reader) {
            // The older players' update is recognised by its number alone.
            if matches!(&update.change, Change::Raw { kind, .. } if *kind != kind::OLD_PLAYERS) {
                break;
            }
            end = reader.position();
        }
        end - start
    }

    /// Reads updates up to the first incomplete one, and returns the error that ended the reading.
    pub(super) fn read(reader: &mut ByteReader<'_>, budget: &Budget) -> (Self, Option<Error>) {
        let mut updates = Vec::new();
        while !reader.is_empty() {
            let start = reader.position();
            // The states of an update take about as much memory as in the file.
            let update = Update::read(reader).and_then(|update| {
                let bytes = size_of::<Update>() + (reader.position() - start);
                budget.charge(bytes as u64).map(|()| update)
            });
            match update {
                Ok(update) => updates.push(update),
                Err(error) => {
                    reader.seek(start);
                    return (Self(updates), Some(error));
                }
            }
        }
        (Self(updates), None)
    }

    pub(super) fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        let mut updates = self.0.iter().enumerate();
        updates.try_for_each(|(index, update)| update.write(writer).index(index))
    }

    /// The seconds of each update since the first.
    pub fn times_s(&self) -> Vec<f64> {
        let mut frame = 0i64;
        let mut before = self.0.first().map_or(0, |update| update.frame);
        let time_s = |update: &Update| {
            frame += i64::from(frames_between(before, update.frame));
            before = update.frame;
            frame as f64 / FRAMES_PER_SECOND
        };
        self.0.iter().map(time_s).collect()
    }
}

/// Number of frames from one counter value to the next, which wraps around to the minimum or to 0; 0 if it goes back.
pub(super) fn frames_between(before: i16, after: i16) -> u16 {
    /// A step back by more than half the counter's range is a wrap-around.
    const HALF: i32 = 1 << 14;
    let step = i32::from(after) - i32::from(before);
    let step = if step >= 0 {
        step
    } else if after < 0 && step < -HALF {
        step + (1 << 16)
    } else if step < -HALF {
        step + (1 << 15)
    } else {
        0
    };
    u16::try_from(step).unwrap_or(0)
}

impl Update {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self> {
        let size = usize::from(reader.u16().field("size")?);
        let frame = reader.i16().field("frame")?;
        let kind = reader.u8().field("kind")?;
        let data = reader.bytes(size).field("data")?;
        let change = match kind {
            kind::STRUCTURES if size.is_multiple_of(StructureState::BYTES) => {
                Change::Structures(all(data))
            }
            kind::PLAYERS if size.is_multiple_of(PlayerState::BYTES) => Change::Players(all(data)),
            kind => Change::Raw {
                kind,
                data: data.into(),
            },
        };
        Ok(Self { frame, change })
    }

    fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        let Self { frame, change } = self;
        let start = writer.position();
        writer.u16(0);
        writer.i16(*frame);
        writer.u8(match change {
            Change::Structures(_) => kind::STRUCTURES,
            Change::Players(_) => kind::PLAYERS,
            Change::Raw { kind, .. } => *kind,
        });
        let data_start = writer.position();
        match change {
            Change::Structures(states) => write_all(states, writer)?,
            Change::Players(states) => write_all(states, writer)?,
            Change::Raw { data, .. } => writer.bytes(&data.0),
        }
        let size = writer.position() - data_start;
        let size = u16::try_from(size)
            .map_err(|_| Error::unwritable(format!("an update of {size} bytes")))?;
        writer.patch(start, &size.to_le_bytes());
        Ok(())
    }
}

fn all<T: Fixed>(data: &[u8]) -> Vec<T> {
    data.chunks_exact(T::BYTES)
        .filter_map(T::from_bytes)
        .collect()
}

fn write_all<T: Wire<LittleBytes>>(states: &[T], writer: &mut ByteWriter) -> Result<()> {
    states.iter().try_for_each(|state| state.write(writer, &()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_as_long_as_described() {
        assert_eq!((StructureState::BYTES, PlayerState::BYTES), (30, 169));
    }

    #[test]
    fn the_counter_wraps_around() {
        assert_eq!(frames_between(10, 14), 4);
        assert_eq!(frames_between(i16::MAX, i16::MIN), 1);
        assert_eq!(frames_between(i16::MAX - 1, i16::MIN + 2), 4);
        assert_eq!(frames_between(i16::MAX, 0), 1);
        assert_eq!(frames_between(-3, 2), 5);
        assert_eq!(frames_between(14, 10), 0);
    }
}
