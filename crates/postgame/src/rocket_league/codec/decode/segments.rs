//! Segments: the frames from one keyframe to the next.

use super::super::model::network::Block;
use super::frames::{Decoder, MAX_FRAMES};
use super::stream::{Mark, Stream, tail};

/// A run of frames with known start and end.
#[derive(Clone, Copy)]
pub(super) struct Segment<'a> {
    start: Mark,
    next: Option<&'a Mark>,
    /// Number of frames.
    frames: usize,
}

impl<'a> Segment<'a> {
    /// The segment that starts at a mark; `None` if its number of frames is unknown.
    pub fn new(stream: &Stream<'_>, marks: &'a [Mark], index: usize) -> Option<Self> {
        let start = *marks.get(index)?;
        let next = marks.get(index + 1);
        let end = match next {
            Some(next) => next.frame,
            None => stream.frames? as usize,
        };
        let frames = end.checked_sub(start.frame)?;
        Some(Self {
            start,
            next,
            frames,
        })
    }

    /// Reads the segment, block by block. Returns true if it ends exactly at the start of the next one, and the bit at
    /// which reading ended.
    pub fn read(
        &self,
        stream: &Stream<'_>,
        decoder: &mut Decoder<'_>,
        mut keep: impl FnMut(&mut Block),
    ) -> (bool, u64) {
        let mut reader = stream.reader_between(self.start.bit, self.next);
        decoder.forget();
        decoder.block.truncate(0);
        decoder.unknown = None;
        for _ in 0..self.frames {
            if decoder.block.len() >= MAX_FRAMES {
                keep(&mut decoder.block);
            }
            if !matches!(decoder.frame(&mut reader), Ok(true)) {
                return (false, reader.position());
            }
        }
        if !decoder.block.is_empty() {
            keep(&mut decoder.block);
        }
        let end = reader.position();
        (self.next.is_none_or(|next| next.bit == end), end)
    }

    /// Reads the segment without keeping anything. Returns true if it ends exactly at the start of the next one, or if
    /// only zeros follow; also the number of bits read.
    pub fn try_with(&self, stream: &Stream<'_>, decoder: &mut Decoder<'_>) -> (bool, u64) {
        let (is_exact, end) = self.read(stream, decoder, |block| block.truncate(0));
        let is_end = || tail(stream.bytes, end).rest.is_none();
        (
            is_exact && (self.next.is_some() || is_end()),
            end.saturating_sub(self.start.bit),
        )
    }
}

/// Reads all segments on all threads; `None` unless each is exactly as stated in the list of keyframes.
#[cfg(feature = "parallel")]
pub(super) fn all(stream: &Stream<'_>) -> Option<(Vec<Block>, u64)> {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use rayon::prelude::*;

    let marks = stream.marks();
    if marks.len() < 2 || !matches!(marks.first(), Some(Mark { frame: 0, bit: 0 })) {
        return None;
    }
    // Each thread takes the next segment when it has finished one, so that none waits while there is work, and has one
    // decoder for all of its segments, so that its lists grow only once.
    let (next, is_broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut done = Vec::new();
        let mut decoder = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= marks.len() || is_broken.load(Ordering::Relaxed) {
                return done;
            }
            let decoder = decoder.get_or_insert_with(|| Decoder::new(stream));
            let mut blocks = Vec::new();
            let read = Segment::new(stream, &marks, index).and_then(|segment| {
                let keep = |block: &mut Block| blocks.push(block.take_exact());
                let (is_exact, end) = segment.read(stream, decoder, keep);
                is_exact.then_some(end)
            });
            match read {
                Some(end) => done.push((index, blocks, end)),
                None => is_broken.store(true, Ordering::Relaxed),
            }
        }
    };
    let threads = rayon::current_num_threads().min(marks.len());
    let mut done: Vec<(usize, Vec<Block>, u64)> = (0..threads)
        .into_par_iter()
        .with_max_len(1)
        .flat_map_iter(|_| work())
        .collect();
    if is_broken.into_inner() {
        return None;
    }
    done.sort_unstable_by_key(|(index, ..)| *index);
    let end = done.last()?.2;
    let blocks = done.into_iter().flat_map(|(_, blocks, _)| blocks);
    Some((blocks.collect(), end))
}
