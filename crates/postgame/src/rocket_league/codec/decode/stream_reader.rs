//! Reads the whole stream, skipping what cannot be read.

use super::super::model::network::{Block, Gap};
use super::frames::{Decoder, MAX_FRAMES};
use super::stream::{Mark, Stream, raw};
use crate::error::Error;
use crate::report::{Report, Severity};
use crate::wire::bits::BitReader;

/// The state of a walk through the whole stream.
pub(super) struct StreamReader<'a, 'b> {
    stream: &'b Stream<'a>,
    pub reader: BitReader<'a>,
    decoder: Decoder<'b>,
    marks: Vec<Mark>,
    pub blocks: Vec<Block>,
    /// The number of the next frame.
    number: usize,
    /// The next mark to pass.
    next: usize,
    /// State since the last mark that was at its stated place: the next mark's index, the bit, the first frame, the
    /// first block, and the end of each frame.
    sync: Sync,
    failures: Vec<Error>,
    failure_count: usize,
    /// The first segments that broke at a named attribute of unknown layout: the number of the keyframe after each, and
    /// the index of the failure.
    pub unknown: Vec<(usize, usize)>,
    /// The error that ended the walk early, if memory ran out.
    pub out_of_memory: Option<Error>,
}

struct Sync {
    next: usize,
    bit: u64,
    frame: usize,
    block: usize,
    ends: Vec<u64>,
}

impl<'a, 'b> StreamReader<'a, 'b> {
    pub fn new(stream: &'b Stream<'a>) -> Self {
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
            unknown: Vec::new(),
            out_of_memory: None,
        }
    }

    /// Reads all frames.
    pub fn run(&mut self) {
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
                    // After the first damage, keyframes are more reliable than frames.
                    let error = self
                        .reader
                        .invalid("the next keyframe begins somewhere else");
                    self.fail(error);
                    if !self.resume() {
                        break;
                    }
                    continue;
                }
            } else if self.decoder.block.len() >= MAX_FRAMES {
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
                Err(error) if error.is_out_of_memory() => {
                    let error = error.in_index(self.number).in_field("frames");
                    self.out_of_memory = Some(error.in_field("network"));
                    break;
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
    }

    /// The first failure at an unknown attribute.
    pub fn first_unknown(&self) -> Option<&Error> {
        self.failures.get(self.unknown.first()?.1)
    }

    /// Reports the parts that could not be read.
    pub fn report(&self, report: &mut Report) {
        if let Some(error) = &self.out_of_memory {
            report.lost("frame", error);
        }
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

    /// Number of frames read.
    pub fn frame_count(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Records why a frame could not be read.
    fn fail(&mut self, error: Error) {
        self.failure_count += 1;
        let is_unknown = self.decoder.unknown.take().is_some();
        if self.failures.len() >= Report::MAX_OF_ONE_CODE {
            return;
        }
        let error = error.in_index(self.number).in_field("frames");
        let error = error.in_field("network");
        if is_unknown {
            self.unknown.push((self.sync.next, self.failures.len()));
        }
        self.failures.push(error);
    }

    /// Stops reading at the next keyframe.
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

    /// If no keyframe follows, the rest of the stream holds the missing frames.
    fn give_up(&mut self) {
        // If the number of frames is unknown, it is just the rest.
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

    /// Skips to the first keyframe after the last reliable place, and drops spurious frames that end beyond it.
    fn resume(&mut self) -> bool {
        self.cut();
        let index = self.sync.next;
        let Some(&mark) = self.marks.get(index) else {
            return false;
        };
        let most = mark.frame.saturating_sub(self.sync.frame);
        let ends = &self.sync.ends;
        let keep = ends.partition_point(|&end| end <= mark.bit).min(most);
        // If no frame is left since then, the gap begins at that place.
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
