//! A stream, and everything known about it before its frames are read.

use super::super::model::network::{Block, Network, RawBits};
use super::super::model::text::Text;
use super::super::model::{KeyFrame, Part};
use super::super::schema::Schema;
use super::frames::Decoder;
use super::infer;
#[cfg(feature = "parallel")]
use super::segments;
use super::stream_reader::StreamReader;
use crate::error::{Error, Result, Space};
use crate::limits::Budget;
use crate::report::{Report, Severity};
use crate::wire::bits::BitReader;
use crate::wire::json::Bytes;

/// Everything known about a stream before its frames are read.
#[derive(Clone, Copy)]
pub(crate) struct Stream<'a> {
    /// The bits.
    pub bytes: &'a [u8],
    /// Their offset in the file.
    pub offset: u64,
    /// The layout of values.
    pub schema: &'a Schema,
    /// The names of objects, for messages.
    pub objects: &'a [Text],
    /// The marks at which reading can begin.
    pub keyframes: &'a [KeyFrame],
    /// Number of frames; `None` if unknown.
    pub frames: Option<u32>,
    /// The budget that frames are charged to.
    pub budget: &'a Budget,
}

/// A keyframe that is plausible by the list of keyframes.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub frame: usize,
    pub bit: u64,
}

impl<'a> Stream<'a> {
    pub(super) fn reader(&self) -> BitReader<'a> {
        BitReader::with_base(self.bytes, self.offset, Space::File)
    }

    /// A reader that starts at a bit and ends with the byte in which the next keyframe starts. Broken data must not be
    /// read to the end of the stream again and again, which would take quadratic time.
    pub(super) fn reader_between(&self, start: u64, next: Option<&Mark>) -> BitReader<'a> {
        let end = next.map_or(self.bytes.len(), |next| next.bit.div_ceil(8) as usize);
        let bytes = self.bytes.get(..end).unwrap_or(self.bytes);
        let mut reader = BitReader::with_base(bytes, self.offset, Space::File);
        reader.seek(start);
        reader
    }

    /// The keyframes; none if their list cannot be right.
    pub(super) fn marks(&self) -> Vec<Mark> {
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

    /// Reads all frames, on several threads if the caller has them. The result does not depend on the number of
    /// threads.
    pub fn decode(&self, report: &mut Report) -> Network {
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            let used = self.budget.used();
            if let Some((blocks, end)) = segments::all(self) {
                return self.finish(blocks, end, report);
            }
            self.budget.rewind(used);
        }
        self.decode_in_order(report)
    }

    fn decode_in_order(&self, report: &mut Report) -> Network {
        let mut walk = StreamReader::new(self);
        walk.run();
        if !walk.unknown.is_empty()
            && walk.out_of_memory.is_none()
            && let Some(inferred) = infer::infer(self, &walk)
        {
            let again = Stream {
                schema: &inferred.schema,
                ..*self
            };
            let mut second = StreamReader::new(&again);
            second.run();
            if second.frame_count() > walk.frame_count() {
                inferred.report(self.objects, &walk, report);
                second.report(report);
                return again.finish(second.blocks, second.reader.position(), report);
            }
        }
        walk.report(report);
        self.finish(walk.blocks, walk.reader.position(), report)
    }

    /// Reads some frames, starting at a keyframe.
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

/// The size in bytes that the game gives to a stream.
pub(crate) fn usual_size(used_bits: u64) -> u64 {
    used_bits.div_ceil(8 * 512) * 512
}

/// A stream without frames; with a finding if the file breaks before the tables that are needed to read them.
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

/// The rest of a stream after its last frame.
pub(super) fn tail(bytes: &[u8], end: u64) -> Network {
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
        // Lengths were checked against the file before, so they fit.
        network.stated_size = Some(bytes.len() as u32);
    }
    network
}

/// Copies bits unchanged.
pub(super) fn raw(bytes: &[u8], start: u64, count: u64) -> Option<RawBits> {
    let mut reader = BitReader::new(bytes);
    reader.seek(start);
    let bits = reader.many_bits(count).ok()?;
    Some(RawBits {
        count,
        bits: Bytes(bits),
    })
}
