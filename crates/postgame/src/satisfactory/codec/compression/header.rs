//! The header of a chunk, in both of its forms.

use super::chunks::{CHUNK_BYTES, TAG};
use crate::wire::bytes::{ByteReader, ByteWriter, Little};

/// The second word of headers that name their compressor.
const SECOND_FORM: u32 = 0x2222_2222;

/// Maximum uncompressed size of a chunk; larger claims are rejected.
const MAX_CHUNK_BYTES: u64 = 16 << 20;

/// zlib's number among Unreal's compressors.
const ZLIB: u8 = 3;

/// The fields of a chunk's header.
pub(super) struct ChunkHeader {
    pub length: usize,
    pub compressed: u64,
    pub inflated: u64,
}

impl ChunkHeader {
    /// The header at the start of `bytes`; `None` if it makes no sense. One damaged field is reconstructed if the
    /// others agree with the bytes after the chunk.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = ByteReader::<Little>::new(bytes);
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
                let is_possible = inflated <= MAX_CHUNK_BYTES
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

    pub fn write(
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
