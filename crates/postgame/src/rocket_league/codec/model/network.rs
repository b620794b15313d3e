//! The network stream: frames of actors that appear, change and vanish.
//!
//! A ten-minute replay has half a million updates, so they are stored flat, in eight bytes each: small values inside,
//! larger ones in separate lists. A [`Block`] is a run of frames, usually from one keyframe to the next.

use serde::{Deserialize, Serialize};

use super::kinds::{Attribute, Kind, Value};
use super::values::{BodyRotation, Reference, RigidBody, Rotation, Vector};
use crate::wire::json::Bytes;

/// The network stream.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// The frames, in blocks.
    pub blocks: Vec<Block>,
    /// The bits after the last frame, unless they are all zero.
    #[serde(default)]
    pub rest: Option<RawBits>,
    /// The stream's size in bytes, if it is not the next multiple of 512.
    #[serde(default)]
    pub stated_size: Option<u32>,
}

/// Bits that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawBits {
    /// Number of bits.
    pub count: u64,
    /// The bits, least significant first.
    pub bits: Bytes,
}

/// A gap: a part of the stream that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Number of missing frames.
    pub missing_frames: u32,
    /// The bits of the gap.
    pub raw: RawBits,
}

/// A run of frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub(crate) frames: Vec<Frame>,
    pub(crate) records: Vec<Record>,
    pub(crate) updates: Vec<Update>,
    pub(crate) spawns: Vec<Spawn>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) longs: Vec<i64>,
    pub(crate) attributes: Vec<Attribute>,
    /// The gap after the frames, if there is one.
    pub gap: Option<Gap>,
}

/// A frame: its times, and the ends of its entries in the block's lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub time_s: f32,
    pub delta_s: f32,
    pub records_end: u32,
    pub updates_end: u32,
    pub spawns_end: u32,
}

/// A frame's record about one actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub actor: u32,
    /// Number of updates that follow, or one of the two constants below.
    pub count: u32,
}

impl Record {
    pub const DELETED: u32 = u32::MAX;
    pub const SPAWNED: u32 = u32::MAX - 1;
}

/// An update in eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Update {
    /// The value's bits, or its index in one of the lists.
    pub payload: u32,
    pub stream_id: u16,
    pub kind: Kind,
    /// Whether a reference refers to an actor.
    pub flag: bool,
}

/// A body in 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub location: [i32; 3],
    pub linear: [i32; 3],
    pub angular: [i32; 3],
    pub rotation: [u32; 2],
    pub spare_bits: [i8; 3],
    pub form: u8,
}

impl Body {
    /// Bits of `form`.
    pub const SLEEPING: u8 = 1;
    pub const QUATERNION: u8 = 2;

    pub fn rotation_bits(&self) -> u64 {
        u64::from(self.rotation[0]) | u64::from(self.rotation[1]) << 32
    }

    pub fn from_public(body: &RigidBody) -> Self {
        let RigidBody {
            sleeping,
            location,
            rotation,
            linear_velocity,
            angular_velocity,
        } = *body;
        let bits = rotation.to_bits();
        let linear = linear_velocity.unwrap_or_default();
        let angular = angular_velocity.unwrap_or_default();
        let is_quaternion = matches!(rotation, BodyRotation::Quaternion { .. });
        Self {
            location: location.to_array(),
            linear: linear.to_array(),
            angular: angular.to_array(),
            rotation: [bits as u32, (bits >> 32) as u32],
            spare_bits: [location.spare_bits, linear.spare_bits, angular.spare_bits],
            form: u8::from(sleeping) * Self::SLEEPING + u8::from(is_quaternion) * Self::QUATERNION,
        }
    }

    #[inline]
    pub fn to_public(self) -> RigidBody {
        let vector = |[x, y, z]: [i32; 3], spare_bits| Vector {
            x,
            y,
            z,
            spare_bits,
        };
        let sleeping = self.form & Self::SLEEPING != 0;
        let [a, b, c] = self.spare_bits;
        RigidBody {
            sleeping,
            location: vector(self.location, a),
            rotation: BodyRotation::from_bits(
                self.rotation_bits(),
                self.form & Self::QUATERNION != 0,
            ),
            linear_velocity: (!sleeping).then(|| vector(self.linear, b)),
            angular_velocity: (!sleeping).then(|| vector(self.angular, c)),
        }
    }
}

/// An actor that appears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spawn {
    /// The actor's name, an index into the names; since 868.14.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<i32>,
    /// The archetype, an object in every file seen.
    pub object: Reference,
    /// The initial position, for classes that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Vector>,
    /// The initial rotation, for bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
}

/// A frame of the recording.
#[derive(Clone, Copy, Debug)]
pub struct FrameView<'a> {
    /// The frame's number in the file; frames that could not be read are counted.
    pub number: usize,
    /// Time, in seconds.
    pub time_s: f32,
    /// Seconds since the previous frame.
    pub delta_s: f32,
    block: &'a Block,
    records: [usize; 2],
    first_update: usize,
    first_spawn: usize,
}

/// A frame's record about one actor.
#[derive(Clone, Debug)]
pub struct Action<'a> {
    /// The actor.
    pub actor: u32,
    /// The change.
    pub what: What<'a>,
}

/// A change to an actor.
#[derive(Clone, Debug)]
pub enum What<'a> {
    /// The actor vanishes.
    Deleted,
    /// The actor appears; on a keyframe also if it exists already.
    Spawned(&'a Spawn),
    /// Some of its attributes change.
    Updated(Updates<'a>),
}

/// The changed attributes of an actor: stream ids and values.
#[derive(Clone, Debug)]
pub struct Updates<'a> {
    block: &'a Block,
    updates: std::slice::Iter<'a, Update>,
}

impl<'a> Iterator for Updates<'a> {
    type Item = (u16, Value<&'a Attribute>);

    // Without inlining, every value is built in memory and copied before its kind is checked.
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let update = self.updates.next()?;
        Some((update.stream_id, self.block.value(update)?))
    }
}

impl<'a> Updates<'a> {
    /// The block and the stored updates, for callers that need only a few of them.
    pub(crate) fn stored(&self) -> (&'a Block, &'a [Update]) {
        (self.block, self.updates.as_slice())
    }
}

/// The records of a frame, in the order of the file.
#[derive(Clone, Debug)]
pub struct Actions<'a> {
    block: &'a Block,
    records: std::slice::Iter<'a, Record>,
    first_update: usize,
    first_spawn: usize,
}

impl<'a> Actions<'a> {
    #[inline]
    fn what(&mut self, record: Record) -> Option<What<'a>> {
        Some(match record.count {
            Record::DELETED => What::Deleted,
            Record::SPAWNED => {
                self.first_spawn += 1;
                What::Spawned(self.block.spawns.get(self.first_spawn - 1)?)
            }
            count => {
                let start = self.first_update;
                self.first_update += count as usize;
                let updates = self.block.updates.get(start..self.first_update)?;
                What::Updated(Updates {
                    block: self.block,
                    updates: updates.iter(),
                })
            }
        })
    }
}

impl<'a> Iterator for Actions<'a> {
    type Item = Action<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let record = *self.records.next()?;
            if let Some(what) = self.what(record) {
                let actor = record.actor;
                return Some(Action { actor, what });
            }
        }
    }
}

impl<'a> FrameView<'a> {
    /// The records of the frame, in the order of the file.
    #[inline]
    pub fn actions(&self) -> Actions<'a> {
        let [start, end] = self.records;
        let records = self.block.records.get(start..end).unwrap_or_default();
        Actions {
            block: self.block,
            records: records.iter(),
            first_update: self.first_update,
            first_spawn: self.first_spawn,
        }
    }
}

/// The frames of a block, with their numbers.
#[derive(Clone, Debug)]
pub struct BlockFrames<'a> {
    block: &'a Block,
    frames: std::iter::Enumerate<std::slice::Iter<'a, Frame>>,
    first: usize,
    before: Frame,
}

impl<'a> Iterator for BlockFrames<'a> {
    type Item = FrameView<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (index, &frame) = self.frames.next()?;
        let before = std::mem::replace(&mut self.before, frame);
        Some(FrameView {
            number: self.first + index,
            time_s: frame.time_s,
            delta_s: frame.delta_s,
            block: self.block,
            records: [before.records_end as usize, frame.records_end as usize],
            first_update: before.updates_end as usize,
            first_spawn: before.spawns_end as usize,
        })
    }
}

impl Network {
    /// Number of frames that were read.
    pub fn frame_count(&self) -> usize {
        self.blocks.iter().map(|block| block.frames.len()).sum()
    }

    /// Total number of frames, including those in gaps.
    pub fn frame_count_with_gaps(&self) -> usize {
        self.frame_count()
            + self
                .gaps()
                .map(|gap| gap.missing_frames as usize)
                .sum::<usize>()
    }

    /// The gaps.
    pub fn gaps(&self) -> impl Iterator<Item = &Gap> {
        self.blocks.iter().filter_map(|block| block.gap.as_ref())
    }

    /// The frames that were read.
    pub fn frames(&self) -> impl Iterator<Item = FrameView<'_>> {
        let mut number = 0;
        self.blocks.iter().flat_map(move |block| {
            let first = number;
            number += block.len_with_gap();
            block.frames(first)
        })
    }
}

impl Block {
    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Number of frames, including those missing in the gap after them.
    pub fn len_with_gap(&self) -> usize {
        let gap = self.gap.as_ref();
        self.len() + gap.map_or(0, |gap| gap.missing_frames as usize)
    }

    /// The frames, numbered from `first`.
    pub fn frames(&self, first: usize) -> BlockFrames<'_> {
        BlockFrames {
            block: self,
            frames: self.frames.iter().enumerate(),
            first,
            before: Frame {
                time_s: 0.0,
                delta_s: 0.0,
                records_end: 0,
                updates_end: 0,
                spawns_end: 0,
            },
        }
    }

    #[inline]
    pub(crate) fn value(&self, update: &Update) -> Option<Value<&Attribute>> {
        let Update { payload, flag, .. } = *update;
        let index = payload as usize;
        Some(match update.kind {
            Kind::Boolean => Value::Boolean(payload != 0),
            Kind::Byte => Value::Byte(payload as u8),
            Kind::Int => Value::Int(payload as i32),
            Kind::Float => Value::Float(f32::from_bits(payload)),
            Kind::NameIndex => Value::NameIndex(payload as i32),
            Kind::GameMode => Value::GameMode(payload as u8),
            Kind::Reference => Value::Reference(Reference {
                is_actor: flag,
                id: payload as i32,
            }),
            Kind::Int64 => Value::Int64(*self.longs.get(index)?),
            Kind::RigidBody => Value::RigidBody(self.bodies.get(index)?.to_public()),
            _ => Value::Attribute(self.attributes.get(index)?),
        })
    }

    /// Starts a frame; its records follow, then [`Self::end_frame`].
    #[inline]
    pub fn begin_frame(&mut self, time_s: f32, delta_s: f32) {
        self.frames.push(Frame {
            time_s,
            delta_s,
            records_end: self.records.len() as u32,
            updates_end: self.updates.len() as u32,
            spawns_end: self.spawns.len() as u32,
        });
    }

    /// Ends a frame.
    #[inline]
    pub fn end_frame(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.records_end = self.records.len() as u32;
            frame.updates_end = self.updates.len() as u32;
            frame.spawns_end = self.spawns.len() as u32;
        }
    }

    /// Records that an actor vanishes.
    #[inline]
    pub fn delete(&mut self, actor: u32) {
        self.records.push(Record {
            actor,
            count: Record::DELETED,
        });
    }

    /// Records that an actor appears.
    pub fn spawn(&mut self, actor: u32, spawn: Spawn) {
        self.records.push(Record {
            actor,
            count: Record::SPAWNED,
        });
        self.spawns.push(spawn);
    }

    /// Records that some attributes of an actor change.
    pub fn update(&mut self, actor: u32, values: impl IntoIterator<Item = (u16, Value)>) {
        let before = self.updates.len();
        for (stream_id, value) in values {
            self.push_value(stream_id, value);
        }
        self.records.push(Record {
            actor,
            count: (self.updates.len() - before) as u32,
        });
    }

    fn push_value(&mut self, stream_id: u16, value: Value) {
        let (kind, payload, flag) = match value {
            Value::Boolean(value) => (Kind::Boolean, value.into(), false),
            Value::Byte(value) => (Kind::Byte, value.into(), false),
            Value::Int(value) => (Kind::Int, value as u32, false),
            Value::Float(value) => (Kind::Float, value.to_bits(), false),
            Value::NameIndex(value) => (Kind::NameIndex, value as u32, false),
            Value::GameMode(value) => (Kind::GameMode, value.into(), false),
            Value::Reference(value) => (Kind::Reference, value.id as u32, value.is_actor),
            Value::Int64(value) => {
                self.longs.push(value);
                (Kind::Int64, self.longs.len() as u32 - 1, false)
            }
            Value::RigidBody(value) => {
                self.bodies.push(Body::from_public(&value));
                (Kind::RigidBody, self.bodies.len() as u32 - 1, false)
            }
            Value::Attribute(value) => {
                let kind = value.kind();
                self.attributes.push(value);
                (kind, self.attributes.len() as u32 - 1, false)
            }
        };
        self.updates.push(Update {
            payload,
            stream_id,
            kind,
            flag,
        });
    }

    /// Drops the frame that was started last, with its entries, and every frame from `count` on.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.frames.truncate(count);
        let (records, updates, spawns) = self.frames.last().map_or((0, 0, 0), |frame| {
            (frame.records_end, frame.updates_end, frame.spawns_end)
        });
        self.records.truncate(records as usize);
        self.spawns.truncate(spawns as usize);
        let dropped = self.updates.split_off(updates as usize);
        // The first dropped entry of each kind gives the number of entries of that kind that stay.
        let first = |is_kind: &dyn Fn(Kind) -> bool| {
            let update = dropped.iter().find(|update| is_kind(update.kind));
            update.map(|update| update.payload as usize)
        };
        let is_small = |kind| kind < Kind::String;
        if let Some(count) = first(&|kind| kind == Kind::RigidBody) {
            self.bodies.truncate(count);
        }
        if let Some(count) = first(&|kind| kind == Kind::Int64) {
            self.longs.truncate(count);
        }
        if let Some(count) = first(&|kind| !is_small(kind)) {
            self.attributes.truncate(count);
        }
    }

    /// Memory held by the lists, in bytes, without the heap memory of values.
    pub(crate) fn memory_bytes(&self) -> usize {
        fn bytes<T>(list: &[T]) -> usize {
            size_of_val(list)
        }
        bytes(&self.frames)
            + bytes(&self.records)
            + bytes(&self.updates)
            + bytes(&self.spawns)
            + bytes(&self.bodies)
            + bytes(&self.longs)
            + bytes(&self.attributes)
    }

    /// Returns a copy without spare capacity, and empties this block, which keeps its capacity for the next frames.
    pub(crate) fn take_exact(&mut self) -> Self {
        let Self {
            frames,
            records,
            updates,
            spawns,
            bodies,
            longs,
            attributes,
            gap,
        } = self;
        let exact = Self {
            frames: frames.as_slice().into(),
            records: records.as_slice().into(),
            updates: updates.as_slice().into(),
            spawns: {
                let mut all = Vec::with_capacity(spawns.len());
                all.append(spawns);
                all
            },
            bodies: bodies.as_slice().into(),
            longs: longs.as_slice().into(),
            attributes: {
                let mut all = Vec::with_capacity(attributes.len());
                all.append(attributes);
                all
            },
            gap: gap.take(),
        };
        frames.clear();
        records.clear();
        updates.clear();
        bodies.clear();
        longs.clear();
        exact
    }
}

impl RawBits {
    /// True when all bits are zero.
    pub fn are_zero(&self) -> bool {
        self.bits.0.iter().all(|&byte| byte == 0)
    }
}
