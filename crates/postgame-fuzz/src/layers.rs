//! Compression and checksums: stripped from a file and added again, so that a mutation reaches the contents.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use postgame::Report;
use postgame::rocket_league::crc::crc;
use postgame::rumble::archive::Archive;
use postgame::rumble::container::{MANIFEST, STREAM};
use postgame::rumble::model::Codec;

use crate::files::options;

/// Maximum size of a layer's contents; larger layers are left alone.
const MAX_BYTES: u64 = 1 << 20;
/// The first bytes of every chunk of a Satisfactory file.
const CHUNK_TAG: [u8; 4] = [0xc1, 0x83, 0x2a, 0x9e];

/// The layer around the contents of a file.
pub enum Layer {
    /// A section of a Rocket League replay: the bytes before and after it.
    Section(Vec<u8>, Vec<u8>),
    /// The chunks of a Satisfactory file: the bytes before them, and whether their headers name a compressor.
    Chunks(Vec<u8>, bool),
    /// The GZIP member of a RUMBLE replay.
    Rgzp,
    /// An entry of a RUMBLE archive.
    Entry(Box<Archive>, &'static str),
}

impl Layer {
    /// Opens a file; `None` if it has no layer. If it has several parts, `choice` selects one.
    pub fn open(bytes: &[u8], choice: u32) -> Option<(Self, Vec<u8>)> {
        if bytes.starts_with(b"RGZP") {
            let inside = inflate(MultiGzDecoder::new(bytes.get(12..)?))?;
            return Some((Self::Rgzp, inside));
        }
        if bytes.starts_with(b"PK") {
            return open_archive(bytes, choice);
        }
        open_chunks(bytes).or_else(|| open_section(bytes, choice))
    }

    /// The file with other contents, and with correct sizes and checksums.
    pub fn close(self, inside: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Section(before, after) => Some([&before, &*section(inside), &after].concat()),
            Self::Chunks(before, names_compressor) => {
                Some([before, chunk(inside, names_compressor)].concat())
            }
            Self::Rgzp => Some(rgzp(inside)),
            Self::Entry(mut archive, name) => {
                let contents = match name {
                    STREAM => stored_brotli(inside),
                    _ => inside.to_vec(),
                };
                archive.find_mut(name)?.replace(&contents).ok()?;
                archive.write().ok()
            }
        }
    }
}

fn inflate(reader: impl std::io::Read) -> Option<Vec<u8>> {
    let mut inside = Vec::new();
    reader.take(MAX_BYTES).read_to_end(&mut inside).ok()?;
    Some(inside)
}

fn open_archive(bytes: &[u8], choice: u32) -> Option<(Layer, Vec<u8>)> {
    let archive = Archive::read(bytes, &mut Report::default()).ok()?;
    let name = if choice.is_multiple_of(4) {
        MANIFEST
    } else {
        STREAM
    };
    let budget = options(postgame::Depth::Full).limits.budget(bytes.len());
    let mut inside = archive.find(name)?.inflate(&budget).ok()?.bytes;
    if name == STREAM {
        inside = Codec::Brotli.inflate(&inside, None, &budget).ok()?.bytes;
    }
    Some((Layer::Entry(Box::new(archive), name), inside))
}

fn open_chunks(bytes: &[u8]) -> Option<(Layer, Vec<u8>)> {
    let start = bytes.windows(4).position(|word| word == CHUNK_TAG)?;
    let names_compressor = *bytes.get(start + 4)? != 0;
    let header = if names_compressor { 49 } else { 48 };
    let mut inside = Vec::new();
    let mut rest = bytes.get(start..)?;
    while let Some(size) = rest.get(header - 16..header - 8) {
        let size = usize::try_from(u64::from_le_bytes(size.try_into().ok()?)).ok()?;
        let end = header.checked_add(size)?;
        inside.extend(inflate(ZlibDecoder::new(rest.get(header..end)?))?);
        rest = rest.get(end..)?;
    }
    let before = bytes.get(..start)?.to_vec();
    Some((Layer::Chunks(before, names_compressor), inside))
}

fn open_section(bytes: &[u8], choice: u32) -> Option<(Layer, Vec<u8>)> {
    let end_of = |start: usize| {
        let size = u32::from_le_bytes(bytes.get(start..start + 4)?.try_into().ok()?);
        let end = start.checked_add(8)?.checked_add(size as usize)?;
        (end <= bytes.len()).then_some(end)
    };
    let first = end_of(0)?;
    let (start, end) = match end_of(first) {
        Some(second) if !choice.is_multiple_of(4) => (first, second),
        _ => (0, first),
    };
    let inside = bytes.get(start + 8..end)?.to_vec();
    let (before, after) = (bytes.get(..start)?.to_vec(), bytes.get(end..)?.to_vec());
    Some((Layer::Section(before, after), inside))
}

/// A section of a Rocket League replay: size, checksum, contents.
pub fn section(contents: &[u8]) -> Vec<u8> {
    let size = (contents.len() as u32).to_le_bytes();
    [&size, &crc(contents).to_le_bytes(), contents].concat()
}

/// A chunk of a Satisfactory file, without compression, which is fast.
pub fn chunk(inside: &[u8], names_compressor: bool) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::none());
    packed.write_all(inside).expect("memory takes everything");
    let packed = packed.finish().expect("memory takes everything");
    let mut chunk = CHUNK_TAG.to_vec();
    chunk.extend(if names_compressor { [0x22; 4] } else { [0; 4] });
    chunk.extend(131_072_u64.to_le_bytes());
    if names_compressor {
        chunk.push(3);
    }
    for size in [packed.len(), inside.len(), packed.len(), inside.len()] {
        chunk.extend((size as u64).to_le_bytes());
    }
    chunk.extend(packed);
    chunk
}

/// A GZIP member without compression.
pub fn gzip(inside: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::none());
    packed.write_all(inside).expect("memory takes everything");
    packed.finish().expect("memory takes everything")
}

/// A RUMBLE replay of the first generation around its payload.
pub fn rgzp(inside: &[u8]) -> Vec<u8> {
    let packed = gzip(inside);
    let sizes = [inside.len(), packed.len()].map(|size| (size as u32).to_le_bytes());
    [b"RGZP", sizes.as_flattened(), &packed].concat()
}

/// A Brotli stream of uncompressed meta-blocks (RFC 7932, 9.2), which needs no encoder.
pub fn stored_brotli(inside: &[u8]) -> Vec<u8> {
    // The window size, 16 bits: a single 0.
    let (mut bits, mut count) = (0_u32, 1);
    let mut stream = Vec::with_capacity(inside.len() + 8);
    for part in inside.chunks(1 << 16) {
        // Not the last; four digits of length; the length minus one; uncompressed; then whole bytes.
        let header = ((part.len() as u32 - 1) << 3) | (1 << 19);
        bits |= header << count;
        stream.extend_from_slice(&bits.to_le_bytes()[..3]);
        stream.extend_from_slice(part);
        (bits, count) = (0, 0);
    }
    // The last one, which is empty.
    stream.push((bits | (0b11 << count)) as u8);
    stream
}

#[cfg(test)]
mod tests {
    use postgame::limits::Budget;

    use super::*;

    #[test]
    fn stored_brotli_is_brotli() {
        for length in [0, 1, 5, 1000, 65_536, 65_537, 200_000] {
            let inside: Vec<u8> = (0..length).map(|index| index as u8).collect();
            let stream = stored_brotli(&inside);
            let back = Codec::Brotli
                .inflate(&stream, None, &Budget::default())
                .expect("Brotli");
            assert!(back.broken.is_none() && back.bytes == inside, "{length}");
        }
    }

    #[test]
    fn what_is_opened_and_closed_holds_the_same() {
        for seed in crate::seeds::files() {
            for choice in 0..2 {
                let Some((layer, inside)) = Layer::open(&seed, choice) else {
                    continue;
                };
                let closed = layer.close(&inside).expect("it closes");
                let (_, again) = Layer::open(&closed, choice).expect("it opens again");
                assert!(again == inside);
                crate::files::file(&closed);
            }
        }
    }
}
