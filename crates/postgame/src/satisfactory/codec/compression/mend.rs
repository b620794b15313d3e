//! Finds damaged chunks, and repairs their headers.

use std::ops::Range;
use std::sync::Arc;

use super::chunks::Chunks;
use super::header::ChunkHeader;
use super::zlib::inflate;
use crate::wire::bytes::ByteWriter;

/// The offset of the maximum chunk size in a chunk's header. It is the same in every file, and nothing needs it.
const MAX_SIZE_FIELD: Range<usize> = 8..16;

impl Chunks {
    /// The ranges of the inflated body that could not be inflated, one for each damaged chunk. A range is empty if all
    /// of the chunk could be inflated, but its checksum is wrong.
    pub(in crate::satisfactory) fn damage(&self) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut inflater = libdeflater::Decompressor::new();
        let damage = self.pieces.iter().filter_map(|piece| {
            out.resize(piece.inflated as usize, 0);
            let written = if piece.header > 0 {
                inflate(&mut inflater, piece.compressed(&self.stream), &mut out).err()?
            } else {
                0
            };
            Some(piece.start_in_body() + written..piece.end())
        });
        damage.collect()
    }

    /// True for the header layout of most chunks.
    pub(in crate::satisfactory) fn usual_form(&self) -> bool {
        let count = |length: u8| {
            self.pieces
                .iter()
                .filter(|piece| piece.header == length)
                .count()
        };
        match (count(49), count(48)) {
            (0, 0) => self.names_compressor,
            (second, first) => second > first,
        }
    }

    /// Rewrites the headers of intact chunks that contradict themselves or, with `all_fields`, differ from the usual
    /// header in any field. Returns the number of rewritten headers.
    pub(in crate::satisfactory) fn mend_headers(&mut self, all_fields: bool) -> usize {
        let mut stream: Option<Vec<u8>> = None;
        let mut count = 0;
        for piece in self.pieces.iter().filter(|piece| piece.header > 0) {
            let (start, length) = (piece.start as usize, usize::from(piece.header));
            let compressed = (piece.length as usize).saturating_sub(length);
            let mut writer = ByteWriter::new();
            ChunkHeader::write(
                &mut writer,
                length == 49,
                compressed,
                piece.inflated as usize,
            );
            let mut right = writer.into_bytes();
            let Some(stated) = self.stream.get(start..start + length) else {
                continue;
            };
            if !all_fields
                && let (Some(field), Some(kept)) =
                    (right.get_mut(MAX_SIZE_FIELD), stated.get(MAX_SIZE_FIELD))
            {
                field.copy_from_slice(kept);
            }
            if right == stated {
                continue;
            }
            let stream = stream.get_or_insert_with(|| self.stream.to_vec());
            if let Some(place) = stream.get_mut(start..start + length) {
                place.copy_from_slice(&right);
                count += 1;
            }
        }
        if let Some(stream) = stream {
            self.stream = Arc::new(stream.into());
        }
        count
    }
}
