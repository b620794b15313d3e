//! A body in which only the requested chunks are inflated.
//!
//! Every chunk's header states the size of its contents, so the offset of each in the body is known in advance.

use std::ops::Range;

use super::buffer::Buffer;
use super::chunks::Chunks;
use super::inflate::inflate_pieces;

/// A body that is inflated on demand. The contents of ranges that were not requested are unspecified.
pub(in crate::satisfactory) struct Sparse<'a> {
    chunks: &'a Chunks,
    stream: &'a [u8],
    body: Buffer,
    is_inflated: Vec<bool>,
}

impl<'a> Sparse<'a> {
    pub fn new(chunks: &'a Chunks, stream: &'a [u8]) -> Self {
        Self {
            chunks,
            stream,
            body: Buffer::unwritten(chunks.inflated_bytes()),
            is_inflated: vec![false; chunks.pieces.len()],
        }
    }

    /// Length of the complete body.
    pub fn len(&self) -> usize {
        self.body.len()
    }

    /// The body. Only requested ranges may be read.
    pub fn into_body(self) -> Buffer {
        self.body
    }

    /// True when every byte of a range of the body is inflated.
    pub fn has(&self, wanted: &Range<usize>) -> bool {
        let chunks = self.chunks.covering(wanted);
        let is_inflated = self.is_inflated.get(chunks);
        wanted.is_empty() || is_inflated.is_some_and(|chunks| chunks.iter().all(|is| *is))
    }

    /// The end of the inflated range that starts here; `at` itself if it is not inflated.
    pub fn inflated_end(&self, at: usize) -> usize {
        let first = self.chunks.covering(&(at..self.len())).start;
        let is_inflated = self.is_inflated.iter().skip(first);
        let count = is_inflated.take_while(|is_inflated| **is_inflated).count();
        match count.checked_sub(1) {
            Some(last) => self
                .chunks
                .pieces
                .get(first + last)
                .map_or(at, |piece| piece.end()),
            None => at,
        }
    }

    /// A range of the body that is known to be inflated.
    pub fn inflated(&self, wanted: Range<usize>) -> &[u8] {
        debug_assert!(self.has(&wanted));
        self.body.get(wanted).unwrap_or_default()
    }

    /// Inflates the chunks that contain a range of the body. `None` if one of them is damaged.
    pub fn inflate(&mut self, wanted: &Range<usize>) -> Option<()> {
        let Self {
            chunks,
            stream,
            body,
            is_inflated,
        } = self;
        let covering = chunks.covering(wanted);
        let is_inflated = is_inflated.get_mut(covering.clone())?;
        // Chunks between the first and the last missing one are usually missing too.
        let first = is_inflated.iter().position(|is_inflated| !is_inflated);
        let last = is_inflated.iter().rposition(|is_inflated| !is_inflated);
        let (Some(first), Some(last)) = (first, last) else {
            return Some(());
        };
        let missing = covering.start + first..covering.start + last + 1;
        let pieces = chunks.pieces.get(missing)?;
        let (from, to) = (pieces.first()?.start_in_body(), pieces.last()?.end());
        let out = body.get_mut(from..to)?;
        if !inflate_pieces(pieces, stream, out).is_empty() {
            return None;
        }
        is_inflated.fill(true);
        Some(())
    }
}
