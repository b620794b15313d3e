//! From bits to frames.
//!
//! The hot loop looks at 57 bits at a time: "one more", the attribute's number and a small value in one load. Whether
//! the data has ended is asked once a frame, for past its end there are zeros, and zeros mean "no more".

use super::classes::{Class, Schema, SpawnRule};
use super::model::attributes::Seat;
use super::model::kinds::{Attribute, Kind};
use super::model::network::{Block, Body, Gap, Network, RawBits, Record, Spawn, Update};
use super::model::text::Text;
use super::model::values::{Reference, Rotation, Vector};
use super::model::versions::Era;
use super::model::{KeyFrame, Part};
use crate::error::{Error, Result, Space};
use crate::report::{Report, Severity};
use crate::wire::bits::{BitCursor, BitReader};
use crate::wire::json::Bytes;
use crate::wire::record::{Bits, Wire};

/// A block ends at a keyframe, or after this many frames.
const MOST_FRAMES: usize = 1024;

/// What is known about a stream before its frames are read.
pub(crate) struct Stream<'a> {
    /// The bits.
    pub bytes: &'a [u8],
    /// Where they are in the file.
    pub offset: u64,
    /// How values are stored.
    pub schema: &'a Schema,
    /// The names of objects, for messages.
    pub objects: &'a [Text],
    /// Where one can begin.
    pub keyframes: &'a [KeyFrame],
    /// How many frames there are; `None` when nobody knows.
    pub frames: Option<u32>,
}

/// A keyframe that can be trusted as far as the list of them tells.
#[derive(Clone, Copy)]
struct Mark {
    frame: usize,
    bit: u64,
}

impl<'a> Stream<'a> {
    fn reader(&self) -> BitReader<'a> {
        BitReader::with_base(self.bytes, self.offset, Space::File)
    }

    /// A reader from a bit on, which ends with the byte that holds the beginning of the next keyframe: what is broken
    /// must not run on to the end of the stream, for that many times over would be without end.
    fn reader_between(&self, start: u64, next: Option<&Mark>) -> BitReader<'a> {
        let end = next.map_or(self.bytes.len(), |next| next.bit.div_ceil(8) as usize);
        let bytes = self.bytes.get(..end).unwrap_or(self.bytes);
        let mut reader = BitReader::with_base(bytes, self.offset, Space::File);
        reader.seek(start);
        reader
    }

    /// The keyframes; none where their list cannot be right.
    fn marks(&self) -> Vec<Mark> {
        let marks: Vec<Mark> = self
            .keyframes
            .iter()
            .map(|keyframe| Mark {
                frame: keyframe.frame as usize,
                bit: keyframe.position_bits.into(),
            })
            .collect();
        let ascending = marks
            .windows(2)
            .all(|pair| matches!(pair, [a, b] if a.frame < b.frame && a.bit < b.bit));
        let inside = marks
            .last()
            .is_none_or(|last| last.bit < self.bytes.len() as u64 * 8);
        if ascending && inside {
            marks
        } else {
            Vec::new()
        }
    }

    /// Reads all frames, on one thread.
    pub fn decode(&self, report: &mut Report) -> Network {
        let mut walk = Walk::new(self);
        walk.run(report);
        self.finish(walk.blocks, walk.reader.position(), report)
    }

    /// Reads all frames, on several threads where the caller has them. The result is the same.
    #[cfg(feature = "parallel")]
    pub fn decode_parallel(&self, report: &mut Report) -> Network {
        let is_worth_it = rayon::current_num_threads() > 1;
        match is_worth_it.then(|| self.segments()).flatten() {
            Some((blocks, end)) => self.finish(blocks, end, report),
            None => self.decode(report),
        }
    }

    /// Reads from each keyframe to the next; `None` unless each segment is exactly as the list of keyframes says.
    #[cfg(feature = "parallel")]
    fn segments(&self) -> Option<(Vec<Block>, u64)> {
        use rayon::prelude::*;
        let marks = self.marks();
        let frames = self.frames? as usize;
        if marks.len() < 2 || !matches!(marks.first(), Some(Mark { frame: 0, bit: 0 })) {
            return None;
        }
        let segment = |decoder: &mut Decoder<'_>, index: usize| {
            let start = marks.get(index)?;
            let next = marks.get(index + 1);
            let mut reader = self.reader_between(start.bit, next);
            decoder.forget();
            decoder.block = Block::default();
            let mut blocks = Vec::new();
            let count = next
                .map_or(frames, |next| next.frame)
                .checked_sub(start.frame)?;
            for _ in 0..count {
                if decoder.block.len() >= MOST_FRAMES {
                    blocks.push(decoder.block.take_exact());
                }
                if !decoder.frame(&mut reader).ok()? {
                    return None;
                }
            }
            if !decoder.block.is_empty() {
                blocks.push(decoder.block.take_exact());
            }
            let end = reader.position();
            next.is_none_or(|next| next.bit == end)
                .then_some((blocks, end))
        };
        let segments: Vec<(Vec<Block>, u64)> = (0..marks.len())
            .into_par_iter()
            .map_init(|| Decoder::new(self), segment)
            .collect::<Option<_>>()?;
        let end = segments.last()?.1;
        Some((
            segments
                .into_iter()
                .flat_map(|(blocks, _)| blocks)
                .collect(),
            end,
        ))
    }

    /// Reads some frames from a keyframe on.
    pub fn decode_from(&self, keyframe: usize, frames: usize) -> Result<Network> {
        let marks = self.marks();
        let Some(mark) = marks.get(keyframe) else {
            return Err(Error::invalid(format!(
                "there is no keyframe {keyframe}; there are {}",
                marks.len()
            )));
        };
        let mut reader = self.reader();
        reader.seek(mark.bit);
        let mut decoder = Decoder::new(self);
        let left = self.frames.map_or(usize::MAX, |all| {
            all as usize - mark.frame.min(all as usize)
        });
        for index in 0..frames.min(left) {
            match decoder.frame(&mut reader) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    return Err(error.in_index(mark.frame + index).in_field("frames"));
                }
            }
        }
        Ok(Network {
            blocks: vec![decoder.block.take_exact()],
            ..Network::default()
        })
    }

    fn finish(&self, blocks: Vec<Block>, end: u64, report: &mut Report) -> Network {
        let network = Network {
            blocks,
            ..tail(self.bytes, end)
        };
        let found = network.frame_count_with_gaps();
        let expected = self.frames.unwrap_or(0) as usize;
        if found < expected && report.is_clean() {
            let mut reader = self.reader();
            reader.seek(end);
            let message = format!("the header says {expected} frames, but there are {found}");
            let place = Some(reader.place());
            report.add(
                Severity::Lost,
                "frame-count",
                "network.frames",
                place,
                message,
            );
        }
        network
    }
}

/// The size in bytes the game gives to a stream.
pub(crate) fn usual_size(used_bits: u64) -> u64 {
    used_bits.div_ceil(8 * 512) * 512
}

/// A way through the whole stream, around what cannot be read.
struct Walk<'a, 'b> {
    stream: &'b Stream<'a>,
    reader: BitReader<'a>,
    decoder: Decoder<'b>,
    marks: Vec<Mark>,
    blocks: Vec<Block>,
    /// The number of the next frame.
    number: usize,
    /// The next mark to pass.
    next: usize,
    /// Since the last mark that was where it should be: the next mark's index, the bit, the first frame, the first
    /// block, and where each frame ends.
    sync: Sync,
    failures: Vec<Error>,
    failure_count: usize,
}

struct Sync {
    next: usize,
    bit: u64,
    frame: usize,
    block: usize,
    ends: Vec<u64>,
}

impl<'a, 'b> Walk<'a, 'b> {
    fn new(stream: &'b Stream<'a>) -> Self {
        let sync = Sync {
            next: 0,
            bit: 0,
            frame: 0,
            block: 0,
            ends: Vec::new(),
        };
        Self {
            stream,
            reader: stream.reader(),
            decoder: Decoder::new(stream),
            marks: stream.marks(),
            blocks: Vec::new(),
            number: 0,
            next: 0,
            sync,
            failures: Vec::new(),
            failure_count: 0,
        }
    }

    fn run(&mut self, report: &mut Report) {
        let frames = self
            .stream
            .frames
            .map_or(usize::MAX, |frames| frames as usize);
        while self.number < frames {
            let mark = self.marks.get(self.next).copied();
            if let Some(mark) = mark.filter(|mark| mark.frame == self.number) {
                self.cut();
                self.next += 1;
                if mark.bit == self.reader.position() {
                    self.sync_here(self.next);
                    if self.failure_count > 0 {
                        self.bound();
                    }
                } else if self.failure_count > 0 {
                    // From the first damage on keyframes are to be trusted more than frames.
                    let error = self
                        .reader
                        .invalid("the next keyframe begins somewhere else");
                    self.fail(error);
                    if !self.resume() {
                        break;
                    }
                    continue;
                }
            } else if self.decoder.block.len() >= MOST_FRAMES {
                self.cut();
            }
            let start = self.reader.position();
            match self.decoder.frame(&mut self.reader) {
                Ok(true) => {
                    self.number += 1;
                    self.sync.ends.push(self.reader.position());
                }
                Ok(false) if self.marks.get(self.sync.next).is_none() => {
                    self.reader.seek(start);
                    break;
                }
                Ok(false) => {
                    self.reader.seek(start);
                    let error = self.reader.invalid("zeros, though a keyframe follows");
                    self.fail(error);
                    if !self.resume() {
                        break;
                    }
                }
                Err(error) => {
                    self.reader.seek(start);
                    self.fail(error);
                    if !self.resume() {
                        self.give_up();
                        break;
                    }
                }
            }
        }
        self.cut();
        let mut series = report.series(Severity::Lost, "frame");
        for error in &self.failures {
            series.add(
                || error.path(),
                error.place(),
                || error.problem().to_string(),
            );
        }
        for _ in self.failures.len()..self.failure_count {
            series.add(String::new, None, String::new);
        }
    }

    /// Notes why a frame could not be read.
    fn fail(&mut self, error: Error) {
        self.failure_count += 1;
        if self.failures.len() < Report::MOST_OF_ONE_CODE {
            let error = error.in_index(self.number).in_field("frames");
            self.failures.push(error.in_field("network"));
        }
    }

    /// Reads no further than the next keyframe.
    fn bound(&mut self) {
        let next = self.marks.get(self.next);
        self.reader = self.stream.reader_between(self.reader.position(), next);
    }

    /// Ends a block.
    fn cut(&mut self) {
        if !self.decoder.block.is_empty() {
            self.blocks.push(self.decoder.block.take_exact());
        }
    }

    fn sync_here(&mut self, next: usize) {
        self.sync = Sync {
            next,
            bit: self.reader.position(),
            frame: self.number,
            block: self.blocks.len(),
            ends: std::mem::take(&mut self.sync.ends),
        };
        self.sync.ends.clear();
    }

    /// Where no keyframe follows, the rest of the stream holds the frames that are missing.
    fn give_up(&mut self) {
        // Where nobody knows how many there are, it is just the rest.
        let Some(frames) = self.stream.frames.filter(|&frames| frames < u32::MAX) else {
            return;
        };
        let missing = (frames as usize).saturating_sub(self.number);
        let (start, end) = (self.reader.position(), self.stream.bytes.len() as u64 * 8);
        let (Ok(missing_frames), Some(raw)) = (
            u32::try_from(missing),
            raw(self.stream.bytes, start, end - start),
        ) else {
            return;
        };
        if self.blocks.last().is_none_or(|block| block.gap.is_some()) {
            self.blocks.push(Block::default());
        }
        if let Some(block) = self.blocks.last_mut() {
            block.gap = Some(Gap {
                missing_frames,
                raw,
            });
            self.reader = self.stream.reader_between(end, None);
        }
    }

    /// Goes to the first keyframe after the last place that was certain; frames that end beyond it were no frames.
    fn resume(&mut self) -> bool {
        self.cut();
        let index = self.sync.next;
        let Some(&mark) = self.marks.get(index) else {
            return false;
        };
        let most = mark.frame.saturating_sub(self.sync.frame);
        let ends = &self.sync.ends;
        let keep = ends.partition_point(|&end| end <= mark.bit).min(most);
        // With no frame left since then, the gap begins where that place was.
        let last = keep.checked_sub(1).and_then(|last| ends.get(last));
        let end = last.copied().unwrap_or(self.sync.bit);
        let mut left = keep;
        let mut blocks = self
            .blocks
            .split_off(self.sync.block.min(self.blocks.len()));
        for mut block in blocks.drain(..) {
            if left == 0 {
                break;
            }
            block.truncate(left);
            left -= block.len().min(left);
            self.blocks.push(block);
        }
        if self.blocks.len() <= self.sync.block {
            self.blocks.push(Block::default());
        }
        let gap = raw(self.stream.bytes, end, mark.bit.saturating_sub(end)).map(|raw| Gap {
            missing_frames: (mark.frame - self.sync.frame - keep) as u32,
            raw,
        });
        if let Some(block) = self.blocks.last_mut() {
            block.gap = gap;
        }
        self.number = mark.frame;
        self.next = index + 1;
        let next = self.marks.get(self.next);
        self.reader = self.stream.reader_between(mark.bit, next);
        self.decoder.forget();
        self.sync_here(index + 1);
        true
    }
}

/// No class.
const NONE: u16 = u16::MAX;

/// Reads frames one after the other.
struct Decoder<'a> {
    schema: &'a Schema,
    objects: &'a [Text],
    /// The class and the object of each actor.
    actors: Vec<(u16, i32)>,
    /// Those that have appeared, so that they can be forgotten.
    spawned: Vec<u32>,
    actor_bits: u32,
    block: Block,
}

impl<'a> Decoder<'a> {
    fn new(stream: &Stream<'a>) -> Self {
        let channels = stream.schema.era.channels;
        Self {
            schema: stream.schema,
            objects: stream.objects,
            actors: vec![(NONE, -1); channels as usize],
            spawned: Vec::new(),
            actor_bits: channels.checked_ilog2().unwrap_or(0),
            block: Block::default(),
        }
    }

    fn forget(&mut self) {
        for actor in self.spawned.drain(..) {
            if let Some(slot) = self.actors.get_mut(actor as usize) {
                *slot = (NONE, -1);
            }
        }
    }

    /// Reads one frame; false when the zeros after the last one begin. A frame that breaks leaves nothing behind.
    fn frame(&mut self, reader: &mut BitReader<'_>) -> Result<bool> {
        let before = self.block.len();
        let result = self.frame_inside(reader);
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
        // No recording lasts a year; what does is no frame.
        if !((0.0..1e7).contains(&time_s) && (0.0..1e7).contains(&delta_s)) {
            return Err(
                reader.invalid(format!("a frame at {time_s} s, {delta_s} s after the last"))
            );
        }
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
            // Whether it is still there, and whether it is new.
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
            // At most 18 bits are used by now, so that 33 more are in the window.
            let value = window >> used;
            let mut flag = false;
            let payload = match kind {
                Kind::RigidBody => {
                    cursor.skip(used + 1);
                    let body = rigid_body(&mut cursor, value & 1 != 0, &schema.era);
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

    /// A value that is not one of the commonest.
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
                self.block.longs.push(reader.bits(64)? as i64);
                Ok(self.block.longs.len() as u32 - 1)
            }
            Kind::Unknown | Kind::Function => Err(self.unknown_attribute(&start, actor, class, id)),
            _ => {
                let attribute = Attribute::read(kind, reader, era)
                    .map_err(|error| self.broken_attribute(error, actor, class, id))?;
                self.block.attributes.push(attribute);
                Ok(self.block.attributes.len() as u32 - 1)
            }
        }
    }

    fn name(&self, object: i64) -> &str {
        usize::try_from(object)
            .ok()
            .and_then(|index| self.objects.get(index))
            .map_or("?", Text::as_str)
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
        &self,
        reader: &BitReader<'_>,
        actor: u32,
        class: &Class,
        id: u32,
    ) -> Error {
        if let Err(error) = reader.check() {
            return error;
        }
        let candidates = self.schema.candidates(id, self.objects).join(", ");
        reader.invalid(format!(
            "{}: how this attribute is stored is not known; attributes with this id: {candidates}",
            self.describe(actor, class, id)
        ))
    }

    #[cold]
    fn broken_attribute(&self, error: Error, actor: u32, class: &Class, id: u32) -> Error {
        error.in_named(self.describe(actor, class, id))
    }
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

/// A stream without frames; with a finding where the file breaks before the tables that are needed to read them.
pub(crate) fn undecoded(
    bytes: &[u8],
    offset: u64,
    broken: Option<Part>,
    report: &mut Report,
) -> Network {
    let reader = BitReader::with_base(bytes, offset, Space::File);
    if let Some(part) = broken.filter(|_| !bytes.is_empty()) {
        let message = format!("the frames cannot be read: the file breaks before its {part:?} end");
        let place = Some(reader.place());
        report.add(Severity::Lost, "network", "network", place, message);
    }
    tail(bytes, 0)
}

/// What is left of a stream after its last frame.
fn tail(bytes: &[u8], end: u64) -> Network {
    let mut network = Network::default();
    let rest = bytes.get((end / 8) as usize..).unwrap_or_default();
    let is_zero = match rest.split_first() {
        Some((first, rest)) => first >> (end % 8) == 0 && rest.iter().all(|&byte| byte == 0),
        None => true,
    };
    let mut used = end;
    if !is_zero {
        used = bytes.len() as u64 * 8;
        network.rest = raw(bytes, end, used - end);
    }
    if usual_size(used) != bytes.len() as u64 {
        // Lengths are held against the file before they come here: they fit.
        network.stated_size = Some(bytes.len() as u32);
    }
    network
}

fn raw(bytes: &[u8], start: u64, count: u64) -> Option<RawBits> {
    let mut reader = BitReader::new(bytes);
    reader.seek(start);
    let bits = reader.many_bits(count).ok()?;
    Some(RawBits {
        count,
        bits: Bytes(bits),
    })
}
