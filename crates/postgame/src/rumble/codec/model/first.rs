//! The first generation: a header, then frames in which each structure and player has either a full state or none.

use serde::{Deserialize, Serialize};

use crate::error::{Context as _, Error, Result};
use crate::limits::Budget;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::json_by_serde;
use crate::wire::record::{Fixed, LittleBytes, Wire, record};
use crate::wire::strings::{Bool8, DotNetString};

/// The magic letters at the start, without a length.
pub const MAGIC: &[u8; 6] = b"REPLAY";

/// The changed flag that is followed by a state. The recorder's own reader treats any other value as unchanged.
pub const CHANGED: u8 = 1;

record! {
    /// A player as introduced by the header.
    pub struct PlayerInfo: LittleBytes {
        /// The player's number in the match.
        pub actor_id: u8,
        /// The account id.
        pub master_id: DotNetString,
        /// The display name.
        pub name: DotNetString,
        /// The rank in battle points.
        pub battle_points: i32,
        /// The player's appearance, in the game's own code.
        pub visual_data: DotNetString,
        /// The shiftstone in the left socket; −1 for none.
        pub shiftstone_0: i16,
        /// The shiftstone in the right socket; −1 for none.
        pub shiftstone_1: i16,
        /// The player's height as measured, in metres.
        pub body_length: f32,
        /// The player's arm span as measured, in metres.
        pub arm_span: f32,
        /// Whether the player hosted the match.
        pub was_host: Bool8,
    }
}

record! {
    /// A structure as introduced by the header.
    pub struct StructureInfo: LittleBytes {
        /// The kind, see `tables::STRUCTURES`.
        pub structure_type: u8,
    }
}

record! {
    /// A structure's state: Unity's metres, left-handed, Y up.
    #[derive(Copy)]
    pub struct StructureState: LittleBytes, fixed {
        /// Position.
        pub position: [f32; 3],
        /// Rotation, x y z w.
        pub rotation: [f32; 4],
        /// Whether it is visible.
        pub active: Bool8,
        /// Whether it stands in the ground.
        pub grounded: Bool8,
    }
}

record! {
    /// A player's state: Unity's metres, left-handed, Y up.
    #[derive(Copy)]
    pub struct PlayerState: LittleBytes, fixed {
        /// Position of the rig: the player's feet.
        pub rig_position: [f32; 3],
        /// Rotation of the rig, x y z w.
        pub rig_rotation: [f32; 4],
        /// Position of the head.
        pub head_position: [f32; 3],
        /// Rotation of the head.
        pub head_rotation: [f32; 4],
        /// Position of the left hand.
        pub left_hand_position: [f32; 3],
        /// Rotation of the left hand.
        pub left_hand_rotation: [f32; 4],
        /// Position of the right hand.
        pub right_hand_position: [f32; 3],
        /// Rotation of the right hand.
        pub right_hand_rotation: [f32; 4],
        /// Hit points left.
        pub health: i16,
        /// Whether the player is visible.
        pub active: Bool8,
    }
}

/// The data before the frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The recorder's version.
    pub version: DotNetString,
    /// The scene in which the replay takes place.
    pub scene: DotNetString,
    /// Date of the recording, in UTC.
    pub date_utc: DotNetString,
    /// The frame rate the recorder aimed at, in frames per second.
    pub fps: i32,
    /// The players.
    pub players: Vec<PlayerInfo>,
    /// The structures.
    pub structures: Vec<StructureInfo>,
    /// The frame count in the file, if it is not the number of frames that were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_frame_count: Option<i32>,
    /// The first of the two structure counts, if it differs from the second. The first sizes the frames, the second the
    /// list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_structure_count: Option<i32>,
}

impl Header {
    /// Reads the header. The stated frame count goes into `stated_frame_count`, regardless of how many frames there
    /// are.
    pub(crate) fn read(reader: &mut ByteReader<'_>, budget: &Budget) -> Result<Self> {
        let place = reader.place();
        if reader.array::<6>().field("magic")? != *MAGIC {
            return Err(Error::invalid("the data does not begin with REPLAY")
                .at(place)
                .in_field("magic"));
        }
        let version = DotNetString::read(reader, &()).field("version")?;
        let scene = DotNetString::read(reader, &()).field("scene")?;
        let date_utc = DotNetString::read(reader, &()).field("date_utc")?;
        let frame_count = reader.i32().field("frame_count")?;
        let structure_count = reader.i32().field("structure_count")?;
        let fps = reader.i32().field("fps")?;
        let players = Wire::<LittleBytes, _>::read(reader, budget).field("players")?;
        let structures: Vec<StructureInfo> =
            Wire::<LittleBytes, _>::read(reader, budget).field("structures")?;
        let differs = usize::try_from(structure_count) != Ok(structures.len());
        Ok(Self {
            version,
            scene,
            date_utc,
            fps,
            players,
            structures,
            stated_frame_count: Some(frame_count),
            stated_structure_count: differs.then_some(structure_count),
        })
    }

    /// Writes the header for this many frames.
    pub(crate) fn write(&self, writer: &mut ByteWriter, frames: usize) -> Result<()> {
        let Self {
            version,
            scene,
            date_utc,
            fps,
            players,
            structures,
            stated_frame_count,
            stated_structure_count,
        } = self;
        writer.bytes(MAGIC);
        version.write(writer, &()).field("version")?;
        scene.write(writer, &()).field("scene")?;
        date_utc.write(writer, &()).field("date_utc")?;
        match stated_frame_count {
            Some(count) => writer.i32(*count),
            None => writer.count("a frame count", frames)?,
        }
        match stated_structure_count {
            Some(count) => writer.i32(*count),
            None => writer.count("a structure count", structures.len())?,
        }
        writer.i32(*fps);
        Wire::<LittleBytes>::write(players, writer, &()).field("players")?;
        Wire::<LittleBytes>::write(structures, writer, &()).field("structures")
    }

    /// Number of structures in each frame.
    pub fn structures_per_frame(&self) -> usize {
        match self.stated_structure_count {
            Some(count) => usize::try_from(count).unwrap_or(0),
            None => self.structures.len(),
        }
    }
}

/// All frames, as columns: a flag for every structure and player in every frame, and a state for every flag that is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Time of each frame, in seconds.
    pub times_s: Vec<f32>,
    /// The structures' changes.
    pub structures: Changes<StructureState>,
    /// The players' changes.
    pub players: Changes<PlayerState>,
}

/// The changes of one kind of object.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes<T> {
    /// Number of objects in each frame.
    pub per_frame: usize,
    /// The changed flags as stored, frame by frame.
    pub flags: Vec<u8>,
    /// The states, one for each flag that is [`CHANGED`], in the same order.
    pub states: Vec<T>,
}

impl Frames {
    /// An empty list of frames, for this many structures and players.
    pub fn new(structures: usize, players: usize) -> Self {
        Self {
            times_s: Vec::new(),
            structures: Changes {
                per_frame: structures,
                flags: Vec::new(),
                states: Vec::new(),
            },
            players: Changes {
                per_frame: players,
                flags: Vec::new(),
                states: Vec::new(),
            },
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.times_s.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.times_s.is_empty()
    }

    /// Reserves memory for as many of `count` frames as `bytes` of data can hold. The number of states is only known
    /// after reading; [`Self::shrink`] returns the excess.
    pub(crate) fn reserve(&mut self, count: usize, bytes: usize) {
        let flags = self
            .structures
            .per_frame
            .saturating_add(self.players.per_frame);
        let frame = flags.saturating_add(4);
        let count = count.min(bytes / frame);
        let left = bytes - count * frame;
        self.times_s.reserve_exact(count);
        self.structures.reserve(count, left);
        self.players.reserve(count, left);
    }

    /// Returns excess memory.
    pub(crate) fn shrink(&mut self) {
        self.structures.states.shrink_to_fit();
        self.players.states.shrink_to_fit();
    }

    /// Reads one more frame. If that fails, nothing of it is kept and the reader is back at the start of the frame.
    pub(crate) fn read_frame(&mut self, reader: &mut ByteReader<'_>) -> Result<()> {
        let start = reader.position();
        let (structures, players) = (self.structures.mark(), self.players.mark());
        let time = reader.f32().field("time");
        let read = time.and_then(|time_s| {
            self.structures.read(reader).field("structures")?;
            self.players.read(reader).field("players")?;
            self.times_s.push(time_s);
            Ok(())
        });
        if read.is_err() {
            self.structures.reset(structures);
            self.players.reset(players);
            reader.seek(start);
        }
        read
    }

    /// Writes all frames.
    pub(crate) fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        let Self {
            times_s,
            structures,
            players,
        } = self;
        let (mut structures, mut players) = (structures.frames(), players.frames());
        for (frame, time_s) in times_s.iter().enumerate() {
            writer.f32(*time_s);
            structures.write(writer).field("structures").index(frame)?;
            players.write(writer).field("players").index(frame)?;
        }
        structures.finish().field("structures")?;
        players.finish().field("players")
    }
}

/// A state of a structure or a player.
pub trait State: Wire<LittleBytes> + Fixed {}
impl State for StructureState {}
impl State for PlayerState {}

impl<T: State> Changes<T> {
    fn reserve(&mut self, frames: usize, bytes: usize) {
        let most = frames * self.per_frame;
        self.flags.reserve_exact(most);
        self.states.reserve_exact(most.min(bytes / T::BYTES));
    }

    fn mark(&self) -> (usize, usize) {
        (self.flags.len(), self.states.len())
    }

    fn reset(&mut self, (flags, states): (usize, usize)) {
        self.flags.truncate(flags);
        self.states.truncate(states);
    }

    fn read(&mut self, reader: &mut ByteReader<'_>) -> Result<()> {
        for index in 0..self.per_frame {
            let flag = reader.u8().index(index)?;
            self.flags.push(flag);
            if flag == CHANGED {
                let state = match T::from_bytes(reader.rest()) {
                    Some(state) => {
                        reader.seek(reader.position() + T::BYTES);
                        state
                    }
                    // Too short: reads field by field, so that the error names the missing field.
                    None => T::read(reader, &()).index(index)?,
                };
                self.states.push(state);
            }
        }
        Ok(())
    }

    /// Iterates over the changes, frame by frame.
    pub fn frames(&self) -> ChangedFrames<'_, T> {
        ChangedFrames {
            per_frame: self.per_frame,
            flags: &self.flags,
            states: &self.states,
        }
    }
}

/// Iterates over [`Changes`] frame by frame.
#[derive(Clone, Debug)]
pub struct ChangedFrames<'a, T> {
    per_frame: usize,
    flags: &'a [u8],
    states: &'a [T],
}

impl<'a, T: State> ChangedFrames<'a, T> {
    /// The next frame's flags, each with its state if it is [`CHANGED`]; `None` at the end or if states are missing.
    pub fn next_frame(&mut self) -> Option<impl Iterator<Item = (u8, Option<&'a T>)> + use<'a, T>> {
        let (flags, rest) = self.flags.split_at_checked(self.per_frame)?;
        let changed = flags.iter().filter(|&&flag| flag == CHANGED).count();
        let (states, later) = self.states.split_at_checked(changed)?;
        (self.flags, self.states) = (rest, later);
        let mut states = states.iter();
        Some(
            flags
                .iter()
                .map(move |&flag| (flag, if flag == CHANGED { states.next() } else { None })),
        )
    }

    fn write(&mut self, writer: &mut ByteWriter) -> Result<()> {
        let Some(frame) = self.next_frame() else {
            return Err(Error::unwritable(
                "there are fewer flags or states than the frames need",
            ));
        };
        for (flag, state) in frame {
            writer.u8(flag);
            if let Some(state) = state {
                state.write(writer, &())?;
            }
        }
        Ok(())
    }

    fn finish(&self) -> Result<()> {
        if self.flags.is_empty() && self.states.is_empty() {
            return Ok(());
        }
        Err(Error::unwritable(
            "there are more flags or states than the frames have",
        ))
    }
}

/// A frame as shown in JSON: only its own contents.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameJson<S, P> {
    #[serde(with = "crate::wire::json")]
    time_s: f32,
    structures: Vec<ChangeJson<S>>,
    players: Vec<ChangeJson<P>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeJson<T> {
    index: usize,
    #[serde(default = "no_state", skip_serializing_if = "Option::is_none")]
    state: Option<T>,
    /// A flag that is neither 0 nor 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    flag: Option<u8>,
}

fn no_state<T>() -> Option<T> {
    None
}

impl Serialize for Frames {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let (mut structures, mut players) = (self.structures.frames(), self.players.frames());
        serializer.collect_seq(self.times_s.iter().map(|&time_s| FrameJson {
            time_s,
            structures: changes_json(&mut structures),
            players: changes_json(&mut players),
        }))
    }
}

fn changes_json<'a, T: State>(frames: &mut ChangedFrames<'a, T>) -> Vec<ChangeJson<&'a T>> {
    let changes = frames.next_frame().into_iter().flatten().enumerate();
    changes
        .filter(|(_, (flag, _))| *flag != 0)
        .map(|(index, (flag, state))| ChangeJson {
            index,
            state,
            flag: (flag != CHANGED).then_some(flag),
        })
        .collect()
}

/// Reads frames from JSON one by one; the header before them states the number of structures and players.
pub(crate) struct FramesSeed {
    pub(crate) structures: usize,
    pub(crate) players: usize,
}

impl<'de> serde::de::DeserializeSeed<'de> for FramesSeed {
    type Value = Frames;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Frames, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> serde::de::Visitor<'de> for FramesSeed {
    type Value = Frames;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of frames")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Frames, A::Error> {
        let mut frames = Frames::new(self.structures, self.players);
        while let Some(frame) = list.next_element::<FrameJson<StructureState, PlayerState>>()? {
            frames.times_s.push(frame.time_s);
            frames.structures.push_json(frame.structures)?;
            frames.players.push_json(frame.players)?;
        }
        Ok(frames)
    }
}

impl<T> Changes<T> {
    fn push_json<E: serde::de::Error>(&mut self, changes: Vec<ChangeJson<T>>) -> Result<(), E> {
        let start = self.flags.len();
        self.flags.resize(start + self.per_frame, 0);
        let mut next = 0;
        for change in changes {
            let Some(slot) = self
                .flags
                .get_mut(start + change.index)
                .filter(|_| change.index >= next)
            else {
                let index = change.index;
                return Err(E::custom(format!(
                    "change of index {index} is out of order or range"
                )));
            };
            next = change.index + 1;
            *slot = change.flag.unwrap_or(CHANGED);
            match (change.state, *slot == CHANGED) {
                (Some(state), true) => self.states.push(state),
                (None, false) => {}
                _ => {
                    return Err(E::custom(
                        "a change has a state if and only if its flag is 1",
                    ));
                }
            }
        }
        Ok(())
    }
}

json_by_serde!(Header);
