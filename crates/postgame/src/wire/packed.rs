//! Compressed data: inflated within limits, and written back as it was while its contents are unchanged.
//!
//! libdeflater inflates whole streams (the fastest of those measured, `cargo bench`); it gives nothing for a damaged
//! one, so what can be saved of those comes through zlib. Compression is stock zlib's: at level 6 it reproduces what
//! the games wrote, so most compressed data need not be kept at all.

use std::io::{Read, Write};

use flate2::Compression;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::json::Bytes;
use crate::error::{Error, Result};
use crate::limits::Limits;

/// A way to compress.
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

/// What came out of compressed data, whole or in part.
#[derive(Debug)]
pub struct Inflated {
    /// The bytes, as far as the stream could be read.
    pub bytes: Vec<u8>,
    /// Why the stream could not be read to its end.
    pub broken: Option<Error>,
}

impl Codec {
    /// Decompresses `data`. `size` is the expected size if the file says it; a wrong one costs time, not data.
    ///
    /// # Errors
    /// When the result would be larger than the limit. A stream that breaks midway is not an error: see
    /// [`Inflated::broken`].
    pub fn inflate(self, data: &[u8], size: Option<usize>, limits: &Limits) -> Result<Inflated> {
        match self {
            Self::Gzip | Self::Deflate => {
                if let Some(inflated) = self.inflate_whole(data, size, limits) {
                    return Ok(inflated);
                }
                match self {
                    Self::Gzip => inflate_stream(flate2::bufread::GzDecoder::new(data), limits),
                    _ => inflate_stream(flate2::bufread::DeflateDecoder::new(data), limits),
                }
            }
            // Brotli can expand without a bound in practice; only the option's limit holds.
            Self::Brotli => inflate_stream(brotli::Decompressor::new(data, 1 << 16), limits),
        }
    }

    /// Decompresses the first `most` bytes, or all if it is fewer.
    ///
    /// # Errors
    /// Never; the signature is that of [`Self::inflate`].
    pub fn inflate_beginning(self, data: &[u8], most: u64) -> Result<Inflated> {
        let limits = Limits {
            inflated_bytes: most,
        };
        match self {
            Self::Gzip => inflate_stream(flate2::bufread::GzDecoder::new(data).take(most), &limits),
            Self::Deflate => inflate_stream(
                flate2::bufread::DeflateDecoder::new(data).take(most),
                &limits,
            ),
            Self::Brotli => {
                inflate_stream(brotli::Decompressor::new(data, 1 << 16).take(most), &limits)
            }
        }
    }

    /// The fast path: the whole stream at once into a buffer of the right size.
    fn inflate_whole(self, data: &[u8], size: Option<usize>, limits: &Limits) -> Option<Inflated> {
        let size = size?;
        limits.inflated_size(size as u64, data.len()).ok()?;
        let mut bytes = vec![0; size];
        let mut inflater = libdeflater::Decompressor::new();
        let written = match self {
            Self::Gzip => inflater.gzip_decompress(data, &mut bytes),
            _ => inflater.deflate_decompress(data, &mut bytes),
        };
        // A stream shorter than the size is left to the slow path, which finds its true size.
        (written.ok()? == size).then_some(Inflated {
            bytes,
            broken: None,
        })
    }

    /// Compresses `data` the way the games do, as far as that is known.
    ///
    /// # Errors
    /// Never for data in memory; the libraries' signatures say so.
    pub fn deflate(self, data: &[u8]) -> Result<Vec<u8>> {
        let failed = |error: std::io::Error| Error::unwritable(format!("cannot compress: {error}"));
        match self {
            Self::Gzip => {
                // .NET leaves name and time out, and writes "unknown" (0) as the extra flags and Unix (3) as the system.
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

fn inflate_stream(mut stream: impl Read, limits: &Limits) -> Result<Inflated> {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => {
                return Ok(Inflated {
                    bytes,
                    broken: None,
                });
            }
            Ok(count) => {
                if bytes.len() as u64 + count as u64 > limits.inflated_bytes {
                    let least = bytes.len() as u64 + count as u64;
                    return Err(Error::too_large(
                        "an inflated size",
                        least,
                        limits.inflated_bytes,
                    ));
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

/// A compressed stream as the file had it, kept beside the decoded contents so that unchanged contents are written
/// back as the same bytes.
///
/// In JSON the compressed bytes stand with the SHA-256 of what they hold; they are used while the contents still have
/// that digest. Where compressing the contents gives the same bytes, JSON leaves them out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packed {
    /// How it is compressed.
    pub codec: Codec,
    /// The compressed bytes.
    pub bytes: Bytes,
    /// The SHA-256 of the contents, in hexadecimal. A model that was read from a file has none: there the bytes are
    /// inflated again and compared, so that reading need not pay for a digest.
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

    /// The compressed form of `contents`: the kept bytes if they hold just that, else made anew.
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
                // Enough for what a broken stream gave, too: it is cut off at the same point again.
                let limits = Limits {
                    inflated_bytes: contents.len() as u64,
                };
                self.codec
                    .inflate(&self.bytes.0, Some(contents.len()), &limits)
                    .is_ok_and(|inflated| inflated.bytes == contents)
            }
        }
    }

    /// The form for JSON: `None` where compressing `contents` gives the kept bytes anyway.
    ///
    /// # Errors
    /// When compressing fails.
    pub fn for_json(&self, contents: &[u8]) -> Result<Option<Self>> {
        if self.codec.deflate(contents)? == self.bytes.0 {
            return Ok(None);
        }
        Ok(Some(self.with_digest(contents)))
    }

    /// The form for JSON that is kept in any case.
    pub fn with_digest(&self, contents: &[u8]) -> Self {
        Self {
            holds_sha256: Some(sha256(contents)),
            ..self.clone()
        }
    }
}

/// The SHA-256 of `bytes` in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        inflated_bytes: 1 << 20,
    };
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
                let inflated = codec.inflate(&packed, size, &LIMITS).unwrap();
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
                .inflate(&packed[..packed.len() / 2], Some(contents().len()), &LIMITS)
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
    fn a_bomb_stops_at_the_limit() {
        for codec in CODECS {
            let bomb = codec.deflate(&vec![0; 2 << 20]).unwrap();
            assert!(bomb.len() < 4096, "{codec:?}");
            for size in [None, Some(10), Some(2 << 20)] {
                let error = codec.inflate(&bomb, size, &LIMITS).unwrap_err();
                assert!(
                    error.to_string().contains("inflated size"),
                    "{codec:?}: {error}"
                );
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
                Codec::Deflate.inflate(&anew, None, &LIMITS).unwrap().bytes,
                changed
            );
        }
        let reproduced = Packed::new(Codec::Gzip, &Codec::Gzip.deflate(&contents()).unwrap());
        assert_eq!(reproduced.for_json(&contents()).unwrap(), None);
    }
}
