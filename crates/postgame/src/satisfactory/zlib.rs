//! Inflating and compressing single chunks.

use std::io::Read as _;

use crate::error::{Error, Result};

/// Inflates a chunk into its place. The error is how much could be inflated of one that is damaged.
pub(super) fn inflate(
    inflater: &mut libdeflater::Decompressor,
    data: &[u8],
    out: &mut [u8],
) -> Result<(), usize> {
    if inflater
        .zlib_decompress(data, out)
        .is_ok_and(|written| written == out.len())
    {
        return Ok(());
    }
    // The fast inflater says nothing of how far it got.
    out.fill(0);
    let mut stream = flate2::bufread::ZlibDecoder::new(data);
    let mut written = 0;
    while let Some(rest) = out.get_mut(written..).filter(|rest| !rest.is_empty()) {
        match stream.read(rest) {
            Ok(count) if count > 0 => written += count,
            _ => break,
        }
    }
    Err(written)
}

/// Compresses chunks, on all cores with the `parallel` feature.
pub(super) fn deflate_all(chunks: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        chunks
            .par_iter()
            .map_init(Deflater::new, |deflater, chunk| deflater.deflate(chunk))
            .collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut deflater = Deflater::new();
        chunks.iter().map(|chunk| deflater.deflate(chunk)).collect()
    }
}

/// Compresses as the game does: stock zlib, level 6.
struct Deflater {
    compress: flate2::Compress,
    /// Room for a chunk that cannot be compressed. What comes out is a tenth of that, and is copied out of it.
    out: Vec<u8>,
}

impl Deflater {
    fn new() -> Self {
        Self {
            compress: flate2::Compress::new(flate2::Compression::new(6), true),
            out: Vec::new(),
        }
    }

    fn deflate(&mut self, chunk: &[u8]) -> Result<Vec<u8>> {
        let Self { compress, out } = self;
        compress.reset();
        out.clear();
        // What zlib's own bound says for its default settings, and a little more.
        out.reserve(chunk.len() + chunk.len() / 1000 + 64);
        let status = compress.compress_vec(chunk, out, flate2::FlushCompress::Finish);
        match status {
            Ok(flate2::Status::StreamEnd) => Ok(out.as_slice().into()),
            _ => Err(Error::unwritable("cannot compress a chunk")),
        }
    }
}
