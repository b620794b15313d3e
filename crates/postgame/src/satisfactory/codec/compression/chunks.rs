//! The compressed chunks after a header: found, and inflated within limits. `rewrite` writes them back.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::buffer::Buffer;
use super::header::ChunkHeader;
use super::inflate::inflate_all;
use crate::error::{Place, Result, Space};
use crate::limits::Budget;
use crate::report::{Report, Severity};

/// The first bytes of every chunk.
pub const TAG: u32 = 0x9E2A_83C1;

/// Uncompressed size of a full chunk.
pub const CHUNK_BYTES: usize = 131_072;

/// The compressed data of a file, kept so that unchanged parts are written back as they were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunks {
    /// True for headers that name their compressor (49 bytes), from Update 8 on.
    pub names_compressor: bool,
    /// Everything after the file's header.
    pub(in crate::satisfactory) stream: Arc<Buffer>,
    pub(in crate::satisfactory) pieces: Vec<Piece>,
}

/// A stored chunk, or bytes between chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::satisfactory) struct Piece {
    /// The offset of its contents in the inflated body.
    pub offset: u64,
    /// Size of its contents.
    pub inflated: u32,
    /// Its offset in the stream.
    pub start: u64,
    /// Length of its header; 0 for bytes that are not a chunk.
    pub header: u8,
    /// Its length in the stream, including its header.
    pub length: u32,
}

impl Piece {
    pub(super) fn bytes<'a>(&self, stream: &'a [u8]) -> &'a [u8] {
        let start = usize::try_from(self.start).unwrap_or(usize::MAX);
        stream
            .get(start..)
            .and_then(|rest| rest.get(..self.length as usize))
            .unwrap_or_default()
    }

    /// The offset of its contents in the inflated body.
    pub(in crate::satisfactory) fn start_in_body(&self) -> usize {
        usize::try_from(self.offset).unwrap_or(usize::MAX)
    }

    /// The end of its contents in the inflated body.
    pub(in crate::satisfactory) fn end(&self) -> usize {
        self.start_in_body().saturating_add(self.inflated as usize)
    }

    /// A message about a chunk that could only be inflated in part.
    pub(in crate::satisfactory) fn damage(&self, written: usize) -> String {
        format!(
            "the chunk is damaged: {written} of {} bytes could be inflated",
            self.inflated
        )
    }

    pub(in crate::satisfactory) fn compressed<'a>(&self, stream: &'a [u8]) -> &'a [u8] {
        self.bytes(stream)
            .get(usize::from(self.header)..)
            .unwrap_or_default()
    }
}

/// A place in the file itself.
pub(in crate::satisfactory) fn in_file(offset: u64) -> Place {
    Place {
        offset,
        bit: None,
        space: Space::File,
    }
}

fn find_tag(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(4)
        .position(|window| window == TAG.to_le_bytes())
}

impl Chunks {
    /// An empty list, for a new file.
    pub fn new(names_compressor: bool) -> Self {
        Self {
            names_compressor,
            ..Self::default()
        }
    }

    /// Everything after the file's header as stored; empty for a new file.
    pub fn stream(&self) -> &[u8] {
        &self.stream
    }

    /// Finds the chunks in `stream`, which starts at `base` in the file, and inflates them.
    ///
    /// A damaged chunk is filled with zeros from where it breaks, so that everything after it keeps its offset.
    ///
    /// # Errors
    /// When the contents of the chunks exceed the remaining budget.
    pub(in crate::satisfactory) fn read(
        stream: &[u8],
        base: u64,
        budget: &Budget,
        report: &mut Report,
    ) -> Result<(Self, Buffer)> {
        let chunks = Self::find(stream, base, budget, report)?;
        Ok(chunks.inflate(stream, base, report))
    }

    /// Finds the chunks in `stream`, which starts at `base` in the file, without keeping the stream.
    ///
    /// # Errors
    /// When the stated contents of the chunks exceed the remaining budget.
    pub(in crate::satisfactory) fn find(
        stream: &[u8],
        base: u64,
        budget: &Budget,
        report: &mut Report,
    ) -> Result<Self> {
        let mut chunks = Self {
            names_compressor: stream.get(4) == Some(&0x22),
            ..Self::default()
        };
        let (mut at, mut total) = (0usize, 0u64);
        // The point where the budget is exceeded; the rest is only added up, so that the error can state the total.
        let mut too_large_at = None;
        while let Some(rest) = stream.get(at..).filter(|rest| !rest.is_empty()) {
            let piece = match ChunkHeader::read(rest) {
                Some(header) => {
                    let length = header.length as u64 + header.compressed;
                    Piece {
                        offset: total,
                        inflated: header.inflated as u32,
                        start: at as u64,
                        header: header.length as u8,
                        length: length.min(rest.len() as u64) as u32,
                    }
                }
                None => {
                    let next = rest.get(1..).and_then(find_tag).map(|next| next + 1);
                    let length = next.unwrap_or(rest.len());
                    let message = format!("{length} bytes are no chunk");
                    let place = in_file(base + at as u64);
                    report.add(Severity::Lost, "chunk", "chunks", Some(place), message);
                    Piece {
                        offset: total,
                        // Whatever it was, the chunks after it are intact, so it held as much as all chunks but the
                        // last.
                        inflated: if next.is_some() {
                            CHUNK_BYTES as u32
                        } else {
                            0
                        },
                        start: at as u64,
                        header: 0,
                        length: length.min(u32::MAX as usize) as u32,
                    }
                }
            };
            total += u64::from(piece.inflated);
            if total > budget.left() {
                too_large_at.get_or_insert(at);
            }
            at += piece.length as usize;
            if too_large_at.is_none() {
                chunks.pieces.push(piece);
            }
        }
        // The stream is kept beside its contents.
        let needed = total.saturating_add(stream.len() as u64);
        let place = || in_file(base + too_large_at.unwrap_or(0) as u64);
        budget.charge(needed).map_err(|error| error.at(place()))?;
        Ok(chunks)
    }

    /// These chunks with their stream.
    pub(in crate::satisfactory) fn keeping(&self, stream: Buffer) -> Self {
        Self {
            stream: Arc::new(stream),
            ..self.clone()
        }
    }

    /// Stated size of all chunks' contents.
    pub(in crate::satisfactory) fn inflated_bytes(&self) -> usize {
        self.pieces.last().map_or(0, Piece::end)
    }

    /// The chunks that contain a range of the inflated body.
    pub(in crate::satisfactory) fn covering(&self, wanted: &Range<usize>) -> Range<usize> {
        let first = self
            .pieces
            .partition_point(|piece| piece.end() <= wanted.start);
        let after = self
            .pieces
            .partition_point(|piece| piece.start_in_body() < wanted.end);
        first..after.max(first)
    }

    /// True when there are only chunks with contents.
    pub(in crate::satisfactory) fn are_all_chunks(&self) -> bool {
        self.pieces
            .iter()
            .all(|piece| piece.header > 0 && piece.inflated > 0)
    }

    /// Inflates all chunks of a stream that starts at `base` in the file, and keeps the stream.
    pub(in crate::satisfactory) fn inflate(
        mut self,
        stream: &[u8],
        base: u64,
        report: &mut Report,
    ) -> (Self, Buffer) {
        let mut body = Buffer::unwritten(self.inflated_bytes());
        let mut kept = Buffer::default();
        let keep = || kept = stream.into();
        let broken = inflate_all(&self.pieces, stream, &mut body, keep);
        for (index, written) in broken {
            let Some(piece) = self.pieces.get(index) else {
                continue;
            };
            report.add(
                Severity::Lost,
                "chunk",
                format!("chunks[{index}]"),
                Some(in_file(base + piece.start)),
                piece.damage(written),
            );
            if index + 1 == self.pieces.len() {
                // Nothing comes after it, so its lost data is absent.
                body.truncate(piece.offset as usize + written);
            }
        }
        self.stream = Arc::new(kept);
        (self, body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::bytes::ByteWriter;

    /// Three chunks and a bit, of data that compresses like a save.
    fn body() -> Vec<u8> {
        (0..400_000u32)
            .map(|number| (number / 100 * 7 % 251) as u8)
            .collect()
    }

    fn read(stream: &[u8]) -> (Chunks, Vec<u8>, Report) {
        let mut report = Report::default();
        let (chunks, body) = Chunks::read(stream, 0, &Budget::default(), &mut report).unwrap();
        (chunks, body.to_vec(), report)
    }

    #[test]
    fn both_forms_of_header_are_written_and_read() {
        for names_compressor in [false, true] {
            let stream = Chunks::new(names_compressor).write(&body()).unwrap();
            let (chunks, inflated, report) = read(&stream);
            assert!(report.is_clean() && inflated == body());
            assert_eq!(
                (chunks.names_compressor, chunks.pieces.len()),
                (names_compressor, 4)
            );
            assert_eq!(chunks.write(&inflated).unwrap(), stream);
            // No piece needs to be included in JSON.
            assert!(chunks.for_json(&inflated).unwrap().pieces.is_empty());
        }
    }

    #[test]
    fn chunks_of_another_compressor_are_kept_where_nothing_changed() {
        let mut stream = Vec::new();
        for chunk in body().chunks(100_000) {
            let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::best());
            let mut packed = vec![0; compressor.zlib_compress_bound(chunk.len())];
            let length = compressor.zlib_compress(chunk, &mut packed).unwrap();
            let mut writer = ByteWriter::new();
            ChunkHeader::write(&mut writer, true, length, chunk.len());
            stream.extend(writer.into_bytes());
            stream.extend_from_slice(&packed[..length]);
        }
        let (chunks, mut inflated, report) = read(&stream);
        assert!(report.is_clean() && inflated == body());
        assert_eq!(chunks.write(&inflated).unwrap(), stream);
        let odd = chunks.for_json(&inflated).unwrap();
        assert_eq!(odd.pieces.len(), 4, "each must be carried");
        assert_eq!(odd.write(&inflated).unwrap(), stream);
        // A change in the second chunk leaves the first as it is.
        inflated[150_000] ^= 1;
        let written = chunks.write(&inflated).unwrap();
        let first = chunks.pieces[0].length as usize;
        assert_eq!(written[..first], stream[..first]);
        assert_eq!(read(&written).1, inflated);
    }

    #[test]
    fn a_damaged_chunk_leaves_the_others_in_their_places() {
        let stream = Chunks::new(true).write(&body()).unwrap();
        let second = find_tag(&stream[1..]).unwrap() + 1;
        for at in [
            second,
            second + 4,
            second + 20,
            second + 30,
            second + 36,
            second + 60,
        ] {
            let mut damaged = stream.clone();
            damaged[at] ^= 0x40;
            let (chunks, inflated, _) = read(&damaged);
            assert_eq!(inflated.len(), body().len(), "byte {at}");
            assert_eq!(
                inflated[2 * CHUNK_BYTES..],
                body()[2 * CHUNK_BYTES..],
                "byte {at}"
            );
            assert_eq!(chunks.write(&inflated).unwrap(), damaged, "byte {at}");
        }
    }
}
