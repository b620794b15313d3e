//! The compressed chunks after a header: found, inflated within limits, and written back byte for byte while their
//! contents are unchanged.

use std::ops::Range;
use std::sync::Arc;

use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};

use super::buffer::Buffer;
use super::inflate::inflate_all;
use super::model::basic::Id16;
use super::zlib::{deflate_in_order, inflate};
use crate::error::{Place, Result, Space};
use crate::limits::Budget;
use crate::report::{Report, Severity};
use crate::wire::bytes::{ByteReader, ByteWriter};

/// The first bytes of every chunk.
pub const TAG: u32 = 0x9E2A_83C1;

/// The second word of headers that name their compressor.
const SECOND_FORM: u32 = 0x2222_2222;

/// Uncompressed size of a full chunk.
pub const CHUNK_BYTES: usize = 131_072;

/// Maximum uncompressed size of a chunk; larger claims are rejected.
const MOST_CHUNK_BYTES: u64 = 16 << 20;

/// zlib's number among Unreal's compressors.
const ZLIB: u8 = 3;

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
    fn bytes<'a>(&self, stream: &'a [u8]) -> &'a [u8] {
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

/// The fields of a chunk's header.
pub(super) struct ChunkHeader {
    length: usize,
    compressed: u64,
    inflated: u64,
}

impl ChunkHeader {
    /// The header at the start of `bytes`; `None` if it makes no sense. One damaged field is reconstructed if the
    /// others agree with the bytes after the chunk.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = ByteReader::<crate::wire::bytes::Little>::new(bytes);
        let has_tag = reader.u32().ok()? == TAG;
        let forms: &[usize] = match reader.u32().ok()? {
            0 if has_tag => &[48],
            SECOND_FORM if has_tag => &[49],
            _ => &[49, 48],
        };
        let mut found = None;
        for &length in forms {
            reader.seek(length - 32);
            let (Ok(a), Ok(b), Ok(c), Ok(d)) =
                (reader.u64(), reader.u64(), reader.u64(), reader.u64())
            else {
                continue;
            };
            let pairs_agree = (a, b) == (c, d);
            let mut candidates = [(c, d), (a, b), (c, b), (a, d)];
            // If the two differ, the size of all chunks but the last is more likely.
            candidates.sort_by_key(|&(_, inflated)| inflated != CHUNK_BYTES as u64);
            for (compressed, inflated) in candidates {
                let is_possible = inflated <= MOST_CHUNK_BYTES
                    && inflated <= compressed.saturating_mul(crate::limits::DEFLATE_RATIO);
                let header = Self {
                    length,
                    compressed,
                    inflated,
                };
                let end = usize::try_from(compressed)
                    .ok()
                    .and_then(|size| size.checked_add(length));
                let rest = end.and_then(|end| bytes.get(end..));
                let is_followed = rest
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(&TAG.to_le_bytes()));
                if is_possible && is_followed {
                    return Some(header);
                }
                // The last chunk of a file that was cut off, or one before a damaged header.
                if is_possible && has_tag && pairs_agree && forms.len() == 1 {
                    found.get_or_insert(header);
                }
            }
        }
        found
    }

    pub(super) fn write(
        writer: &mut ByteWriter,
        names_compressor: bool,
        compressed: usize,
        inflated: usize,
    ) {
        writer.u32(TAG);
        writer.u32(if names_compressor { SECOND_FORM } else { 0 });
        writer.u64(CHUNK_BYTES as u64);
        if names_compressor {
            writer.u8(ZLIB);
        }
        for _ in 0..2 {
            writer.u64(compressed as u64);
            writer.u64(inflated as u64);
        }
    }
}

/// A part of a stream to write: an unchanged piece, or a chunk to compress.
enum Step<'a> {
    Keep(&'a [u8]),
    Make(&'a [u8]),
}

/// Adds everything written from an offset on to a digest, if one is wanted.
fn update(digest: &mut Option<Md5>, writer: &ByteWriter, from: usize) {
    if let Some(digest) = digest {
        digest.update(writer.as_bytes().get(from..).unwrap_or_default());
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
        Ok(chunks.inflate(stream, base, |_| (), report))
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

    /// Inflates all chunks of a stream that starts at `base` in the file, and keeps the stream. In between, `follow` is
    /// called with everything inflated so far.
    pub(in crate::satisfactory) fn inflate(
        mut self,
        stream: &[u8],
        base: u64,
        follow: impl FnMut(&[u8]) + Send,
        report: &mut Report,
    ) -> (Self, Buffer) {
        let mut body = Buffer::unwritten(self.inflated_bytes());
        let mut kept = Buffer::default();
        let keep = || kept = stream.into();
        let broken = inflate_all(&self.pieces, stream, &mut body, keep, follow);
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

    /// The stream for a body: chunks with unchanged contents are reused, the others are compressed again.
    pub(in crate::satisfactory) fn write(&self, body: &[u8]) -> Result<Vec<u8>> {
        let mut writer = ByteWriter::new();
        self.write_to(body, false, &mut writer)?;
        Ok(writer.into_bytes())
    }

    /// Appends the stream for a body. Returns its digest if that is wanted and the stream has changed.
    pub(in crate::satisfactory) fn write_to(
        &self,
        body: &[u8],
        wants_digest: bool,
        writer: &mut ByteWriter,
    ) -> Result<Option<Id16>> {
        let steps = self.steps(body);
        let (mut make, mut kept_bytes) = (Vec::new(), 0);
        for step in &steps {
            match step {
                Step::Make(chunk) => make.push(*chunk),
                Step::Keep(bytes) => kept_bytes += bytes.len(),
            }
        }
        let is_as_it_was = make.is_empty() && kept_bytes == self.stream.len();
        let start = writer.position();
        let mut digest = (wants_digest && !is_as_it_was).then(Md5::default);
        let mut steps = steps.into_iter().peekable();
        let mut add_kept = |writer: &mut ByteWriter, digest: &mut Option<Md5>| {
            let from = writer.position();
            while let Some(Step::Keep(bytes)) = steps.next_if(|step| matches!(step, Step::Keep(_)))
            {
                writer.bytes(bytes);
            }
            update(digest, writer, from);
            steps.next()
        };
        // Finished chunks are appended and hashed while the rest is still being compressed.
        deflate_in_order(&make, |compressed| {
            if let Some(Step::Make(chunk)) = add_kept(writer, &mut digest) {
                let from = writer.position();
                let form = self.names_compressor;
                ChunkHeader::write(writer, form, compressed.len(), chunk.len());
                writer.bytes(&compressed);
                update(&mut digest, writer, from);
            }
        })?;
        add_kept(writer, &mut digest);
        let is_another = writer.as_bytes().get(start..) != Some(self.stream());
        Ok(digest
            .filter(|_| is_another)
            .map(|digest| Id16(digest.finalize().into())))
    }

    /// The parts of the stream for a body.
    fn steps<'a>(&'a self, body: &'a [u8]) -> Vec<Step<'a>> {
        let kept = self.unchanged(body);
        let mut steps = Vec::new();
        let mut pieces = self.pieces.iter().zip(kept).peekable();
        let mut at = 0;
        loop {
            // A piece that starts before this offset can no longer be used.
            while pieces
                .next_if(|(piece, _)| piece.offset < at as u64)
                .is_some()
            {}
            if let Some((piece, true)) = pieces.next_if(|(piece, _)| piece.offset == at as u64) {
                steps.push(Step::Keep(piece.bytes(&self.stream)));
                at += (piece.inflated as usize).min(body.len() - at);
                continue;
            }
            let rest = body.get(at..).unwrap_or_default();
            if rest.is_empty() {
                return steps;
            }
            let chunk = rest.get(..CHUNK_BYTES).unwrap_or(rest);
            steps.push(Step::Make(chunk));
            at += chunk.len();
        }
    }

    /// For each piece, whether the body has the same contents at its offset.
    fn unchanged(&self, body: &[u8]) -> Vec<bool> {
        let holds =
            |inflater: &mut libdeflater::Decompressor, buffer: &mut Vec<u8>, piece: &Piece| {
                let start = usize::try_from(piece.offset).unwrap_or(usize::MAX);
                let there = body.get(start..).unwrap_or_default();
                buffer.clear();
                buffer.resize(piece.inflated as usize, 0);
                let mut length = buffer.len();
                if piece.header > 0 {
                    let is_last = piece.start + u64::from(piece.length) == self.stream.len() as u64;
                    if let Err(written) = inflate(inflater, piece.compressed(&self.stream), buffer)
                        && is_last
                        && there.len() == written
                    {
                        length = written;
                    }
                }
                there.get(..length) == buffer.get(..length)
            };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            self.pieces
                .par_iter()
                .map_init(
                    || (libdeflater::Decompressor::new(), Vec::new()),
                    |(inflater, buffer), piece| holds(inflater, buffer, piece),
                )
                .collect()
        }
        #[cfg(not(feature = "parallel"))]
        {
            let (mut inflater, mut buffer) = (libdeflater::Decompressor::new(), Vec::new());
            self.pieces
                .iter()
                .map(|piece| holds(&mut inflater, &mut buffer, piece))
                .collect()
        }
    }

    /// Only the pieces that compressing `body` again would not reproduce.
    pub(in crate::satisfactory) fn for_json(&self, body: &[u8]) -> Result<Self> {
        let mut odd = Self {
            names_compressor: self.names_compressor,
            ..Self::default()
        };
        let mut stream = Vec::new();
        let contents: Vec<&[u8]> = self
            .pieces
            .iter()
            .map(|piece| {
                let rest = body.get(piece.offset as usize..).unwrap_or_default();
                rest.get(..(piece.inflated as usize).min(rest.len()))
                    .unwrap_or_default()
            })
            .collect();
        let mut made = Vec::with_capacity(contents.len());
        deflate_in_order(&contents, |compressed| made.push(compressed))?;
        for ((piece, contents), compressed) in self.pieces.iter().zip(contents).zip(made) {
            let mut writer = ByteWriter::new();
            ChunkHeader::write(
                &mut writer,
                self.names_compressor,
                compressed.len(),
                contents.len(),
            );
            writer.bytes(&compressed);
            let is_last = piece.offset as usize + contents.len() == body.len();
            let is_usual = (contents.len() == CHUNK_BYTES || is_last)
                && piece.offset.is_multiple_of(CHUNK_BYTES as u64)
                && writer.as_bytes() == piece.bytes(&self.stream);
            if !is_usual {
                let start = stream.len() as u64;
                stream.extend_from_slice(piece.bytes(&self.stream));
                odd.pieces.push(Piece {
                    start,
                    ..piece.clone()
                });
            }
        }
        odd.stream = Arc::new(stream.into());
        Ok(odd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
