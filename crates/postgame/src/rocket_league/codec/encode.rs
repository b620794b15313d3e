//! Encodes frames as bits.

use super::decode::usual_size;
use super::model::Replay;
use super::model::attributes::Seat;
use super::model::kinds::Kind;
use super::model::network::{Block, Body, Network, Record, Update};
use super::model::values::Vector;
use super::schema::{Class, Schema};
use crate::error::{Error, Result};
use crate::wire::bits::BitWriter;
use crate::wire::record::{Bits, Wire};

/// Writes a stream.
pub(crate) fn encode(network: &Network, schema: &Schema) -> Result<Vec<u8>> {
    let mut writer = write_frames(network, schema)?;
    if let Some(rest) = &network.rest {
        writer.many_bits(&rest.bits.0, rest.count);
    }
    let size = match network.stated_size {
        Some(size) => u64::from(size),
        None => usual_size(writer.position()),
    };
    let mut bytes = writer.into_bytes();
    let size = usize::try_from(size).unwrap_or(usize::MAX).max(bytes.len());
    bytes.resize(size, 0);
    Ok(bytes)
}

/// Number of bits the frames of a replay take in its stream, without the zeros after them.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn stream_bits(replay: &Replay) -> Result<u64> {
    let Some(body) = &replay.body else {
        return Err(Error::unwritable("only the header was read"));
    };
    let schema = Schema::new(&replay.header, body);
    write_frames(&body.network, &schema).map(|writer| writer.position())
}

/// The start of each frame that was read: its number, its first bit in the stream, its time.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn frame_positions(replay: &Replay) -> Result<Vec<(usize, u64, f32)>> {
    let Some(body) = &replay.body else {
        return Err(Error::unwritable("only the header was read"));
    };
    frame_starts(&body.network, &Schema::new(&replay.header, body))
}

/// The start of each frame that was read: its number, its first bit, its time.
pub(crate) fn frame_starts(network: &Network, schema: &Schema) -> Result<Vec<(usize, u64, f32)>> {
    let mut starts = Vec::with_capacity(network.frame_count());
    write_frames_noting(network, schema, |number, bit, time_s| {
        starts.push((number, bit, time_s));
    })?;
    Ok(starts)
}

fn write_frames(network: &Network, schema: &Schema) -> Result<BitWriter> {
    write_frames_noting(network, schema, |_, _, _| {})
}

fn write_frames_noting(
    network: &Network,
    schema: &Schema,
    mut note: impl FnMut(usize, u64, f32),
) -> Result<BitWriter> {
    let updates: usize = network.blocks.iter().map(|block| block.updates.len()).sum();
    let bodies: usize = network.blocks.iter().map(|block| block.bodies.len()).sum();
    let mut encoder = Encoder {
        schema,
        classes: vec![None; schema.era.channels as usize],
        actor_bits: schema.era.channels.checked_ilog2().unwrap_or(0),
        writer: BitWriter::with_capacity(updates * 4 + bodies * 28 + 4096),
    };
    let mut number = 0;
    for block in &network.blocks {
        encoder.block(block, &mut number, &mut note)?;
        if let Some(gap) = &block.gap {
            encoder.writer.many_bits(&gap.raw.bits.0, gap.raw.count);
            number += gap.missing_frames as usize;
            encoder.classes.fill(None);
        }
    }
    Ok(encoder.writer)
}

struct Encoder<'a> {
    schema: &'a Schema,
    /// The class of each actor.
    classes: Vec<Option<&'a Class>>,
    actor_bits: u32,
    writer: BitWriter,
}

impl<'a> Encoder<'a> {
    fn block(
        &mut self,
        block: &Block,
        number: &mut usize,
        note: &mut impl FnMut(usize, u64, f32),
    ) -> Result<()> {
        let (mut updates, mut spawns) = (block.updates.iter(), block.spawns.iter());
        let mut first_record = 0;
        for frame in &block.frames {
            let here = |error: Error| {
                error
                    .in_index(*number)
                    .in_field("frames")
                    .in_field("network")
            };
            note(*number, self.writer.position(), frame.time_s);
            self.writer.bits(
                u64::from(frame.time_s.to_bits()) | u64::from(frame.delta_s.to_bits()) << 32,
                64,
            );
            let last_record = frame.records_end as usize;
            let records = block
                .records
                .get(first_record..last_record)
                .unwrap_or_default();
            first_record = last_record;
            for record in records {
                self.actor_id(record.actor).map_err(here)?;
                match record.count {
                    Record::DELETED => self.writer.bits(0, 1),
                    Record::SPAWNED => {
                        self.writer.bits(3, 2);
                        if let Some(spawn) = spawns.next() {
                            self.spawn(record.actor, spawn).map_err(here)?;
                        }
                    }
                    count => {
                        self.writer.bits(1, 2);
                        let class = self.classes.get(record.actor as usize).copied().flatten();
                        let Some(class) = class else {
                            return Err(here(Error::unwritable(format!(
                                "actor {} is updated, but has not appeared",
                                record.actor
                            ))));
                        };
                        for update in updates.by_ref().take(count as usize) {
                            self.update(block, class, update).map_err(here)?;
                        }
                        self.writer.bits(0, 1);
                    }
                }
            }
            self.writer.bits(0, 1);
            *number += 1;
        }
        Ok(())
    }

    /// The bit "one more follows" and the actor id.
    #[inline]
    fn actor_id(&mut self, actor: u32) -> Result<()> {
        let channels = self.schema.era.channels;
        if actor >= channels {
            return Err(Error::unwritable(format!(
                "actor {actor} is not below {channels}"
            )));
        }
        let width = bounded_width(actor, self.actor_bits, channels);
        self.writer.bits(u64::from(actor) << 1 | 1, width + 1);
        Ok(())
    }

    fn spawn(&mut self, actor: u32, spawn: &super::model::network::Spawn) -> Result<()> {
        let super::model::network::Spawn {
            name,
            object,
            location,
            rotation,
        } = spawn;
        if let Some(name) = name {
            self.writer.bits(u64::from(*name as u32), 32);
        }
        Wire::<Bits>::write(object, &mut self.writer, &())?;
        if let Some(location) = location {
            Wire::<Bits, _>::write(location, &mut self.writer, &self.schema.era)?;
        }
        if let Some(rotation) = rotation {
            Wire::<Bits>::write(rotation, &mut self.writer, &())?;
        }
        if let Some(slot) = self.classes.get_mut(actor as usize) {
            *slot = self.schema.class_of_object(object.id);
        }
        Ok(())
    }

    #[inline]
    fn update(&mut self, block: &Block, class: &Class, update: &Update) -> Result<()> {
        let id = u32::from(update.stream_id);
        if id >= class.limit {
            return Err(Error::unwritable(format!(
                "{} has no attribute {id}",
                class.name
            )));
        }
        let used = 1 + bounded_width(id, class.id_bits, class.limit);
        let head = u64::from(id) << 1 | 1;
        let payload = u64::from(update.payload);
        let index = update.payload as usize;
        let writer = &mut self.writer;
        match update.kind {
            Kind::RigidBody => {
                writer.bits(head, used);
                let body = block.bodies.get(index);
                return rigid_body(body.ok_or_else(lost)?, writer, self.schema.era.vector_limit);
            }
            Kind::Byte => writer.bits(head | payload << used, used + 8),
            Kind::Float | Kind::Int | Kind::NameIndex => {
                writer.bits(head | payload << used, used + 32);
            }
            Kind::Boolean => writer.bits(head | payload << used, used + 1),
            Kind::Reference => {
                let value = payload << 1 | u64::from(update.flag);
                writer.bits(head | value << used, used + 33);
            }
            Kind::GameMode => {
                let width = Seat::width(&self.schema.era);
                writer.bits(head | payload << used, used + width);
            }
            Kind::Int64 => {
                writer.bits(head, used);
                writer.bits(*block.longs.get(index).ok_or_else(lost)? as u64, 64);
            }
            Kind::Unknown | Kind::Function => return Err(update.kind.unwritable()),
            _ => {
                writer.bits(head, used);
                let attribute = block.attributes.get(index).ok_or_else(lost)?;
                attribute.write(writer, &self.schema.era)?;
            }
        }
        Ok(())
    }
}

/// Number of bits of a number below a limit.
#[inline]
fn bounded_width(value: u32, low_bits: u32, limit: u32) -> u32 {
    let low = value & ((1 << low_bits) - 1);
    low_bits + u32::from(low + (1 << low_bits) < limit)
}

fn rigid_body(body: &Body, writer: &mut BitWriter, limit: u32) -> Result<()> {
    let sleeping = body.form & Body::SLEEPING != 0;
    writer.bit(sleeping);
    let [a, b, c] = body.spare_bits;
    Vector::write_parts(body.location, a, writer, limit)?;
    let width = if body.form & Body::QUATERNION != 0 {
        56
    } else {
        48
    };
    writer.bits(body.rotation_bits(), width);
    if !sleeping {
        Vector::write_parts(body.linear, b, writer, limit)?;
        Vector::write_parts(body.angular, c, writer, limit)?;
    }
    Ok(())
}

#[cold]
fn lost() -> Error {
    Error::unwritable("a block of frames lacks a value")
}
