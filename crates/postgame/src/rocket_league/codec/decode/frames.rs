//! Frames one after the other.
//!
//! The hot loop works on 57 bits at a time: the bit "one more follows", the attribute's id and a small value in one
//! load. The end of the data is checked once per frame, because past the end there are zeros, which mean "no more
//! follow".

use super::super::model::attributes::Seat;
use super::super::model::kinds::{Attribute, Kind};
use super::super::model::network::{Block, Body, Record, Spawn, Update};
use super::super::model::text::Text;
use super::super::model::values::{Reference, Rotation, Vector};
use super::super::model::versions::Era;
use super::super::schema::{Class, Schema, SpawnRule};
use super::stream::Stream;
use crate::error::{Error, Result};
use crate::limits::Budget;
use crate::wire::bits::{BitCursor, BitReader};
use crate::wire::record::{Bits, Wire};

/// A block ends at a keyframe, or after this many frames.
pub(super) const MAX_FRAMES: usize = 1024;

/// Maximum heap memory for one bit of a rare attribute, in bytes: the smallest list of a loadout is eight bits, and a
/// `Vec` is 24 bytes.
const ATTRIBUTE_BYTES_PER_BIT: u64 = 4;

/// Maximum number of candidates named in an error; real classes have fewer attributes with one id.
const MAX_CANDIDATES: usize = 50;

/// Names longer than this many characters are truncated in errors; real ones stay below 100.
const MAX_NAME_CHARACTERS: usize = 200;

/// No class.
const NONE: u16 = u16::MAX;

/// Reads frames one after the other.
pub(super) struct Decoder<'a> {
    schema: &'a Schema,
    objects: &'a [Text],
    budget: &'a Budget,
    /// The class and the object of each actor.
    actors: Vec<(u16, i32)>,
    /// The actors that have appeared, so that they can be reset.
    spawned: Vec<u32>,
    actor_bits: u32,
    /// The frames of the current block.
    pub block: Block,
    /// The named attribute of unknown layout at which the last frame broke.
    pub unknown: Option<Unknown>,
}

/// A named attribute with unknown layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// An attribute, an index into the objects.
    Attribute(u32),
    /// One of the product attributes.
    Product,
}

impl<'a> Decoder<'a> {
    pub fn new(stream: &Stream<'a>) -> Self {
        let channels = stream.schema.era.channels;
        Self {
            schema: stream.schema,
            objects: stream.objects,
            budget: stream.budget,
            actors: vec![(NONE, -1); channels as usize],
            spawned: Vec::new(),
            actor_bits: channels.checked_ilog2().unwrap_or(0),
            block: Block::default(),
            unknown: None,
        }
    }

    /// Forgets all actors, as before a keyframe.
    pub fn forget(&mut self) {
        for actor in self.spawned.drain(..) {
            if let Some(slot) = self.actors.get_mut(actor as usize) {
                *slot = (NONE, -1);
            }
        }
    }

    /// Reads one frame; returns false at the zeros after the last one. A frame that breaks leaves no trace.
    pub fn frame(&mut self, reader: &mut BitReader<'_>) -> Result<bool> {
        let (before, bytes_before) = (self.block.len(), self.block.memory_bytes());
        let mut result = self.frame_inside(reader);
        if let Ok(true) = result {
            // The block that is kept is a copy of this one: its size is charged here, that of this one as it grows.
            let bytes = self.block.memory_bytes().saturating_sub(bytes_before);
            let charged = self.budget.charge(bytes as u64);
            result = charged
                .map(|()| true)
                .map_err(|error| error.at(reader.place()));
        }
        if !matches!(result, Ok(true)) {
            self.block.truncate(before);
        }
        result
    }

    fn frame_inside(&mut self, reader: &mut BitReader<'_>) -> Result<bool> {
        let mut cursor = reader.cursor();
        let time_s = f32::from_bits(cursor.peek() as u32);
        cursor.skip(32);
        let delta_s = f32::from_bits(cursor.peek() as u32);
        cursor.skip(32);
        if time_s == 0.0 && delta_s == 0.0 {
            return Ok(false);
        }
        // No recording lasts a year, so a larger time is not a frame.
        if !((0.0..1e7).contains(&time_s) && (0.0..1e7).contains(&delta_s)) {
            return Err(
                reader.invalid(format!("a frame at {time_s} s, {delta_s} s after the last"))
            );
        }
        room(&mut self.block.frames, self.budget, reader)?;
        self.block.begin_frame(time_s, delta_s);
        let channels = self.schema.era.channels;
        let actor_bits = self.actor_bits;
        let low_mask = (1u64 << actor_bits) - 1;
        loop {
            let window = cursor.peek();
            if window & 1 == 0 {
                cursor.skip(1);
                break;
            }
            let low = (window >> 1 & low_mask) as u32;
            let has_high = u32::from(low + (1 << actor_bits) < channels);
            let high = (window >> (1 + actor_bits)) as u32 & has_high;
            let actor = low | high << actor_bits;
            let used = 1 + actor_bits + has_high;
            room(&mut self.block.records, self.budget, reader)?;
            // Whether the actor still exists, and whether it is new.
            match window >> used & 3 {
                1 => {
                    cursor.skip(used + 2);
                    self.updates(reader, &mut cursor, actor)?;
                }
                3 => {
                    cursor.skip(used + 2);
                    reader.go_to(cursor);
                    self.spawn(reader, actor)?;
                    cursor = reader.cursor();
                }
                _ => {
                    cursor.skip(used + 1);
                    self.block.delete(actor);
                }
            }
        }
        reader.go_to(cursor);
        reader.check()?;
        self.block.end_frame();
        Ok(true)
    }

    fn spawn(&mut self, reader: &mut BitReader<'_>, actor: u32) -> Result<()> {
        let era = &self.schema.era;
        let name = match era.spawns_have_names {
            true => Some(reader.bits(32)? as u32 as i32),
            false => None,
        };
        let object = <Reference as Wire<Bits>>::read(reader, &())?;
        let Some((class, rule)) = self
            .schema
            .of_object(object.id)
            .filter(|_| !object.is_actor)
        else {
            return Err(self.unknown_object(reader, actor, object));
        };
        let location = match rule {
            SpawnRule::None => None,
            _ => Some(<Vector as Wire<Bits, _>>::read(reader, era)?),
        };
        let rotation = match rule {
            SpawnRule::LocationAndRotation => Some(<Rotation as Wire<Bits>>::read(reader, &())?),
            _ => None,
        };
        if let Some(slot) = self.actors.get_mut(actor as usize) {
            if slot.0 == NONE {
                self.spawned.push(actor);
            }
            *slot = (class, object.id);
        }
        let spawn = Spawn {
            name,
            object,
            location,
            rotation,
        };
        room(&mut self.block.spawns, self.budget, reader)?;
        self.block.spawn(actor, spawn);
        Ok(())
    }

    #[inline(always)]
    fn updates<'r>(
        &mut self,
        reader: &mut BitReader<'r>,
        outer: &mut BitCursor<'r>,
        actor: u32,
    ) -> Result<()> {
        let schema = self.schema;
        let class = self
            .actors
            .get(actor as usize)
            .and_then(|slot| schema.classes.get(usize::from(slot.0)));
        let Some(class) = class else {
            reader.go_to(*outer);
            return Err(not_there(reader, actor));
        };
        let mut cursor = *outer;
        let (id_bits, limit) = (class.id_bits, class.limit);
        let low_mask = (1u64 << id_bits) - 1;
        let kinds = class.kinds.as_slice();
        let before = self.block.updates.len();
        loop {
            let window = cursor.peek();
            if window & 1 == 0 {
                cursor.skip(1);
                break;
            }
            let low = (window >> 1 & low_mask) as u32;
            let has_high = u32::from(low + (1 << id_bits) < limit);
            let high = (window >> (1 + id_bits)) as u32 & has_high;
            let id = low | high << id_bits;
            let used = 1 + id_bits + has_high;
            let kind = kinds.get(id as usize).copied().unwrap_or(Kind::Unknown);
            // At most 18 bits are used so far, so the window has 33 more.
            let value = window >> used;
            let mut flag = false;
            let payload = match kind {
                Kind::RigidBody => {
                    cursor.skip(used + 1);
                    let body = rigid_body(&mut cursor, value & 1 != 0, &schema.era);
                    room(&mut self.block.bodies, self.budget, reader)?;
                    self.block.bodies.push(body);
                    self.block.bodies.len() as u32 - 1
                }
                Kind::Byte => {
                    cursor.skip(used + 8);
                    value as u32 & 0xff
                }
                Kind::Float | Kind::Int | Kind::NameIndex => {
                    cursor.skip(used + 32);
                    value as u32
                }
                Kind::Boolean => {
                    cursor.skip(used + 1);
                    value as u32 & 1
                }
                Kind::Reference => {
                    cursor.skip(used + 33);
                    flag = value & 1 != 0;
                    (value >> 1) as u32
                }
                _ => {
                    reader.go_to(cursor);
                    let payload = self.rare_value(reader, actor, class, id, kind, used)?;
                    cursor = reader.cursor();
                    payload
                }
            };
            room(&mut self.block.updates, self.budget, reader)?;
            self.block.updates.push(Update {
                payload,
                stream_id: id as u16,
                kind,
                flag,
            });
        }
        self.block.records.push(Record {
            actor,
            count: (self.block.updates.len() - before) as u32,
        });
        *outer = cursor;
        Ok(())
    }

    /// Reads a value that is not one of the most common kinds.
    #[inline(never)]
    fn rare_value(
        &mut self,
        reader: &mut BitReader<'_>,
        actor: u32,
        class: &Class,
        id: u32,
        kind: Kind,
        used: u32,
    ) -> Result<u32> {
        let start = reader.clone();
        reader.bits(used)?;
        let era = &self.schema.era;
        match kind {
            Kind::GameMode => Ok(reader.bits(Seat::width(era))? as u32),
            Kind::Int64 => {
                room(&mut self.block.longs, self.budget, reader)?;
                self.block.longs.push(reader.bits(64)? as i64);
                Ok(self.block.longs.len() as u32 - 1)
            }
            Kind::Unknown | Kind::Function => Err(self.unknown_attribute(&start, actor, class, id)),
            _ => {
                let attribute = Attribute::read(kind, reader, era)
                    .map_err(|error| self.broken_attribute(error, actor, class, id))?;
                // Lists in the value take at most this many bytes for each of its bits.
                let bits = reader.position() - start.position();
                let charged = self.budget.charge(bits * ATTRIBUTE_BYTES_PER_BIT);
                charged.map_err(|error| error.at(reader.place()))?;
                room(&mut self.block.attributes, self.budget, reader)?;
                self.block.attributes.push(attribute);
                Ok(self.block.attributes.len() as u32 - 1)
            }
        }
    }

    fn name(&self, object: i64) -> &str {
        usize::try_from(object)
            .ok()
            .and_then(|index| self.objects.get(index))
            .map_or("?", |name| shortened(name.as_str()))
    }

    #[cold]
    fn unknown_object(&self, reader: &BitReader<'_>, actor: u32, object: Reference) -> Error {
        reader.invalid(format!(
            "actor {actor} appears as object {} ({}), which has no class that is known",
            object.id,
            self.name(object.id.into())
        ))
    }

    fn describe(&self, actor: u32, class: &Class, id: u32) -> String {
        let object = self.actors.get(actor as usize).map_or(-1, |slot| slot.1);
        let attribute = class.objects.get(id as usize).copied();
        let attribute = attribute.map_or("?", |object| self.name(object.into()));
        format!(
            "actor {actor}, object {object} ({}), stream id {id} ({attribute})",
            self.name(object.into())
        )
    }

    #[cold]
    fn unknown_attribute(
        &mut self,
        reader: &BitReader<'_>,
        actor: u32,
        class: &Class,
        id: u32,
    ) -> Error {
        if let Err(error) = reader.check() {
            return error;
        }
        self.unknown = class.object_of(id as u16).map(Unknown::Attribute);
        let candidates = self.schema.candidates(id, self.objects).into_iter();
        let candidates: Vec<&str> = candidates.take(MAX_CANDIDATES).map(shortened).collect();
        let candidates = candidates.join(", ");
        reader.invalid(format!(
            "{}: how this attribute is stored is not known; attributes with this id: {candidates}",
            self.describe(actor, class, id)
        ))
    }

    #[cold]
    fn broken_attribute(&mut self, error: Error, actor: u32, class: &Class, id: u32) -> Error {
        let kind = class.kinds.get(id as usize);
        if matches!(kind, Some(Kind::LoadoutOnline | Kind::LoadoutsOnline)) {
            self.unknown = Some(Unknown::Product);
        }
        error.in_named(self.describe(actor, class, id))
    }
}

/// Reserves one more element, charged to the budget.
#[inline(always)]
fn room<T>(list: &mut Vec<T>, budget: &Budget, reader: &BitReader<'_>) -> Result<()> {
    if list.len() < list.capacity() {
        return Ok(());
    }
    grow(list, budget, reader)
}

#[cold]
fn grow<T>(list: &mut Vec<T>, budget: &Budget, reader: &BitReader<'_>) -> Result<()> {
    let more = list.capacity().max(64);
    let charged = budget.charge((more * size_of::<T>()) as u64);
    charged.map_err(|error| error.at(reader.place()))?;
    list.reserve_exact(more);
    Ok(())
}

/// The start of a name, for errors.
fn shortened(name: &str) -> &str {
    let end = name.char_indices().nth(MAX_NAME_CHARACTERS);
    end.and_then(|(end, _)| name.get(..end)).unwrap_or(name)
}

#[inline(always)]
fn rigid_body(cursor: &mut BitCursor<'_>, sleeping: bool, era: &Era) -> Body {
    let limit = era.vector_limit;
    let (location, spare_a) = Vector::read_parts(cursor, limit);
    let is_quaternion = era.has_quaternions();
    let width = if is_quaternion { 56 } else { 48 };
    let rotation = cursor.peek() & ((1 << width) - 1);
    cursor.skip(width);
    let (mut linear, mut spare_b, mut angular, mut spare_c) = ([0; 3], 0, [0; 3], 0);
    if !sleeping {
        (linear, spare_b) = Vector::read_parts(cursor, limit);
        (angular, spare_c) = Vector::read_parts(cursor, limit);
    }
    Body {
        location,
        linear,
        angular,
        rotation: [rotation as u32, (rotation >> 32) as u32],
        spare_bits: [spare_a, spare_b, spare_c],
        form: u8::from(sleeping) * Body::SLEEPING + u8::from(is_quaternion) * Body::QUATERNION,
    }
}

#[cold]
fn not_there(reader: &BitReader<'_>, actor: u32) -> Error {
    reader.invalid(format!("actor {actor} is updated, but has not appeared"))
}
