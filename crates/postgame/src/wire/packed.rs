//! Compressed data: inflated within limits, and written back byte for byte while its contents are unchanged.
//!
//! libdeflater inflates complete streams (the fastest library in `cargo bench`). It returns nothing for a damaged
//! stream, so zlib recovers the readable part of those. Stock zlib at level 6 reproduces the games' own compression, so
//! most compressed data need not be kept.

use std::io::{Read, Write};

use flate2::Compression;
use serde::{Deserialize, Serialize};

use super::json::Bytes;
use crate::digest::sha256;
use crate::error::{Error, Result};
use crate::limits::{Budget, DEFLATE_RATIO, Limits};

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Codec {
    /// A GZIP member around a deflate stream.
    Gzip,
    /// A bare deflate stream.
    Deflate,
    /// A Brotli stream.
    Brotli,
}

/// The result of decompression, complete or partial.
#[derive(Debug)]
pub struct Inflated {
    /// The bytes, up to the point where the stream could no longer be read.
    pub bytes: Vec<u8>,
    /// The error that ended the stream early.
    pub broken: Option<Error>,
}

impl Codec {
    /// Decompresses `data`. `size` is the expected size if the file states it; a wrong size costs time, not data.
    ///
    /// # Errors
    /// When the result would exceed the remaining budget. A stream that breaks midway is not an error: see
    /// [`Inflated::broken`].
    pub fn inflate(self, data: &[u8], size: Option<usize>, budget: &Budget) -> Result<Inflated> {
        match self {
            Self::Gzip | Self::Deflate => {
                if let Some(inflated) = self.inflate_whole(data, size, budget) {
                    return Ok(inflated);
                }
            }
            Self::Brotli => {}
        }
        let before = budget.used();
        let inflated = self.inflate_steps(data, Steps::Large, budget)?;
        if inflated.broken.is_none() {
            return Ok(inflated);
        }
        // The decoders discard their pending output when they fail, so the rest is decoded again in small steps.
        drop(inflated);
        budget.rewind(before);
        self.inflate_steps(data, Steps::Small, budget)
    }

    fn inflate_steps(self, data: &[u8], steps: Steps, budget: &Budget) -> Result<Inflated> {
        // A failing inflate step loses its output; a failing Brotli step loses the output of all input passed to it.
        let (input, output) = match steps {
            Steps::Large => (LARGE_STEP_BYTES, LARGE_STEP_BYTES),
            Steps::Small => (1, 1),
        };
        match self {
            Self::Gzip => inflate_stream(flate2::bufread::GzDecoder::new(data), output, budget),
            Self::Deflate => {
                inflate_stream(flate2::bufread::DeflateDecoder::new(data), output, budget)
            }
            // Brotli's expansion is practically unbounded; only the budget limits it.
            Self::Brotli => {
                let stream = brotli::Decompressor::new(data, input);
                inflate_stream(stream, LARGE_STEP_BYTES, budget)
            }
        }
    }

    /// Decompresses the first `most` bytes, or all of them if there are fewer.
    ///
    /// # Errors
    /// Never; the signature is that of [`Self::inflate`].
    pub fn inflate_beginning(self, data: &[u8], most: u64) -> Result<Inflated> {
        let budget = Budget::default();
        match self {
            Self::Gzip => {
                let stream = flate2::bufread::GzDecoder::new(data).take(most);
                inflate_stream(stream, LARGE_STEP_BYTES, &budget)
            }
            Self::Deflate => {
                let stream = flate2::bufread::DeflateDecoder::new(data).take(most);
                inflate_stream(stream, LARGE_STEP_BYTES, &budget)
            }
            Self::Brotli => {
                let stream = brotli::Decompressor::new(data, LARGE_STEP_BYTES).take(most);
                inflate_stream(stream, LARGE_STEP_BYTES, &budget)
            }
        }
    }

    /// Fast path: the whole stream at once, into a buffer of the expected size.
    fn inflate_whole(self, data: &[u8], size: Option<usize>, budget: &Budget) -> Option<Inflated> {
        let size = size?;
        let is_possible = size as u64 <= (data.len() as u64).saturating_mul(DEFLATE_RATIO);
        // A false claim must not cause a refusal: the slow path finds the true size.
        if !is_possible || size as u64 > budget.left() {
            return None;
        }
        let before = budget.used();
        budget.charge(size as u64).ok()?;
        let mut bytes = vec![0; size];
        let mut inflater = libdeflater::Decompressor::new();
        let written = match self {
            Self::Gzip => inflater.gzip_decompress(data, &mut bytes),
            _ => inflater.deflate_decompress(data, &mut bytes),
        };
        if written != Ok(size) {
            // If the stream is shorter than the expected size, the slow path finds its true size.
            budget.rewind(before);
            return None;
        }
        Some(Inflated {
            bytes,
            broken: None,
        })
    }

    /// Compresses `data` as the games do, as far as their settings are known.
    ///
    /// # Errors
    /// Never for data in memory; the libraries' signatures require a `Result`.
    pub fn deflate(self, data: &[u8]) -> Result<Vec<u8>> {
        let failed = |error: std::io::Error| Error::unwritable(format!("cannot compress: {error}"));
        match self {
            Self::Gzip => {
                // .NET leaves out name and time, and writes 0 ("unknown") as the extra flags and 3 (Unix) as the
                // system.
                let mut encoder = flate2::GzBuilder::new()
                    .operating_system(3)
                    .write(Vec::new(), Compression::new(6));
                encoder.write_all(data).map_err(failed)?;
                encoder.finish().map_err(failed)
            }
            Self::Deflate => {
                let mut encoder =
                    flate2::write::DeflateEncoder::new(Vec::new(), Compression::new(6));
                encoder.write_all(data).map_err(failed)?;
                encoder.finish().map_err(failed)
            }
            Self::Brotli => {
                let mut packed = Vec::new();
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: 9,
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*data, &mut packed, &parameters).map_err(failed)?;
                Ok(packed)
            }
        }
    }
}

/// Bytes inflated per step, unless the stream is damaged.
const LARGE_STEP_BYTES: usize = 1 << 16;

/// Step sizes of decompression.
#[derive(Clone, Copy)]
enum Steps {
    Large,
    Small,
}

/// Inflates piece by piece, and charges each piece before allocating it.
fn inflate_stream(mut stream: impl Read, step: usize, budget: &Budget) -> Result<Inflated> {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; step];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => {
                return Ok(Inflated {
                    bytes,
                    broken: None,
                });
            }
            Ok(count) => {
                budget.charge(count as u64)?;
                if bytes.capacity() - bytes.len() < count {
                    // Doubles the buffer, within the budget.
                    let most = usize::try_from(budget.left()).unwrap_or(usize::MAX);
                    bytes.reserve_exact(bytes.len().min(most).max(count));
                }
                bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => {
                let broken = Some(Error::invalid(format!(
                    "the compressed data is damaged ({error})"
                )));
                return Ok(Inflated { bytes, broken });
            }
        }
    }
}

/// A compressed stream as stored in the file, kept beside the decoded contents so that unchanged contents are written
/// back as the same bytes.
///
/// In JSON the compressed bytes come with the SHA-256 of their contents, and are used while the contents still have
/// that digest. JSON omits them if compressing the contents reproduces them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packed {
    /// The compression format.
    pub codec: Codec,
    /// The compressed bytes.
    pub bytes: Bytes,
    /// The SHA-256 of the contents, in hexadecimal. A model that was read from a file has none: its bytes are inflated
    /// again and compared, so that reading need not compute a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds_sha256: Option<String>,
}

impl Packed {
    /// Keeps a compressed stream.
    pub fn new(codec: Codec, bytes: &[u8]) -> Self {
        Self {
            codec,
            bytes: bytes.into(),
            holds_sha256: None,
        }
    }

    /// The compressed form of `contents`: the kept bytes if they hold exactly these contents, else newly compressed.
    ///
    /// # Errors
    /// When compressing fails.
    pub fn pack(kept: Option<&Self>, codec: Codec, contents: &[u8]) -> Result<Vec<u8>> {
        match kept {
            Some(packed) if packed.codec == codec && packed.holds(contents) => {
                Ok(packed.bytes.0.clone())
            }
            _ => codec.deflate(contents),
        }
    }

    /// True when the compressed bytes hold exactly `contents`.
    pub fn holds(&self, contents: &[u8]) -> bool {
        match &self.holds_sha256 {
            Some(digest) => *digest == sha256(contents),
            None => {
                // Enough for the output of a broken stream, too: it is cut off at the same point again.
                let budget = Budget::new(contents.len() as u64);
                self.codec
                    .inflate(&self.bytes.0, Some(contents.len()), &budget)
                    .is_ok_and(|inflated| inflated.bytes == contents)
            }
        }
    }

    /// True when the compressed bytes can be inflated completely and match their own checksum.
    pub fn is_whole(&self) -> bool {
        let budget = Limits::default().budget(self.bytes.0.len());
        let inflated = self.codec.inflate(&self.bytes.0, None, &budget);
        inflated.is_ok_and(|inflated| inflated.broken.is_none())
    }

    /// The form for JSON: `None` if compressing `contents` reproduces the kept bytes.
    ///
    /// # Errors
    /// When compressing fails.
    pub fn for_json(&self, contents: &[u8]) -> Result<Option<Self>> {
        if self.codec.deflate(contents)? == self.bytes.0 {
            return Ok(None);
        }
        Ok(Some(self.with_digest(contents)))
    }

    /// The form for JSON, even if compressing the contents would reproduce the bytes.
    pub fn with_digest(&self, contents: &[u8]) -> Self {
        Self {
            holds_sha256: Some(sha256(contents)),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget() -> Budget {
        Budget::new(1 << 20)
    }

    const CODECS: [Codec; 3] = [Codec::Gzip, Codec::Deflate, Codec::Brotli];

    fn contents() -> Vec<u8> {
        (0..50_000u32)
            .flat_map(|n| (n * n / 7).to_le_bytes())
            .collect()
    }

    #[test]
    fn each_codec_inflates_what_it_deflates_with_right_wrong_and_no_size() {
        for codec in CODECS {
            let packed = codec.deflate(&contents()).unwrap();
            for size in [
                Some(contents().len()),
                Some(7),
                Some(contents().len() + 9),
                None,
            ] {
                let inflated = codec.inflate(&packed, size, &budget()).unwrap();
                assert!(inflated.broken.is_none(), "{codec:?} {size:?}");
                assert_eq!(inflated.bytes, contents(), "{codec:?} {size:?}");
            }
        }
    }

    #[test]
    fn a_cut_stream_gives_its_beginning() {
        for codec in CODECS {
            let packed = codec.deflate(&contents()).unwrap();
            let inflated = codec
                .inflate(
                    &packed[..packed.len() / 2],
                    Some(contents().len()),
                    &budget(),
                )
                .unwrap();
            assert!(inflated.broken.is_some(), "{codec:?}");
            assert!(
                inflated.bytes.len() > 1000,
                "{codec:?}: {}",
                inflated.bytes.len()
            );
            assert!(contents().starts_with(&inflated.bytes), "{codec:?}");
        }
    }

    #[test]
    fn a_broken_stream_gives_everything_before_the_break() {
        for codec in CODECS {
            let mut packed = codec.deflate(&contents()).unwrap();
            let middle = packed.len() / 2;
            packed[middle..middle + 64].fill(0xff);
            let inflated = codec.inflate(&packed, None, &budget()).unwrap();
            assert!(inflated.broken.is_some(), "{codec:?}");
            let expected = contents();
            let pairs = expected.iter().zip(&inflated.bytes);
            let right = pairs.take_while(|(a, b)| a == b).count();
            // The contents compress evenly, so about half of them are in the first half.
            assert!(right > expected.len() * 2 / 5, "{codec:?}: {right}");
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        for codec in CODECS {
            let bomb = codec.deflate(&vec![0; 2 << 20]).unwrap();
            assert!(bomb.len() < 4096, "{codec:?}");
            for size in [None, Some(10), Some(2 << 20)] {
                let error = codec.inflate(&bomb, size, &budget()).unwrap_err();
                assert!(error.is_out_of_memory(), "{codec:?}: {error}");
            }
        }
    }

    #[test]
    fn kept_bytes_are_used_only_while_the_contents_are_the_same() {
        // Level 1 output is not what `deflate` makes, so the kept bytes matter.
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::new(1));
        encoder.write_all(&contents()).unwrap();
        let original = encoder.finish().unwrap();
        let packed = Packed::new(Codec::Deflate, &original);
        let json = packed.for_json(&contents()).unwrap().unwrap();
        assert!(json.holds_sha256.is_some());
        let mut changed = contents();
        changed[100] ^= 1;
        for kept in [&packed, &json] {
            assert_eq!(
                Packed::pack(Some(kept), Codec::Deflate, &contents()).unwrap(),
                original
            );
            let anew = Packed::pack(Some(kept), Codec::Deflate, &changed).unwrap();
            assert_eq!(
                Codec::Deflate
                    .inflate(&anew, None, &budget())
                    .unwrap()
                    .bytes,
                changed
            );
        }
        let reproduced = Packed::new(Codec::Gzip, &Codec::Gzip.deflate(&contents()).unwrap());
        assert_eq!(reproduced.for_json(&contents()).unwrap(), None);
    }
}
