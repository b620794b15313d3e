//! Inflates and compresses single chunks.

use crate::error::{Error, Result};

/// Inflates a chunk into its range. The error is the number of bytes that could be inflated of a damaged chunk.
pub(in crate::satisfactory) fn inflate(
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
    // The fast inflater does not report how far it got.
    out.fill(0);
    let mut stream = flate2::Decompress::new(true);
    // In either case it is damaged: it breaks, or it is complete and has too few or too many bytes.
    match stream.decompress(data, out, flate2::FlushDecompress::Finish) {
        Ok(_) | Err(_) => {}
    }
    let written = usize::try_from(stream.total_out()).map_or(0, |count| count.min(out.len()));
    if let Some(rest) = out.get_mut(written..) {
        rest.fill(0);
    }
    Err(written)
}

/// Compresses chunks, on all cores with the `parallel` feature. `take` receives them in order, while others are still
/// being compressed.
pub(in crate::satisfactory) fn deflate_in_order(
    chunks: &[&[u8]],
    mut take: impl FnMut(Vec<u8>) + Send,
) -> Result<()> {
    #[cfg(feature = "parallel")]
    if crate::threads::has_threads() {
        return deflate_on_all_cores(chunks, take);
    }
    let mut deflater = Deflater::new();
    for chunk in chunks {
        take(deflater.deflate(chunk)?);
    }
    Ok(())
}

/// The receiver of compressed chunks, in order.
#[cfg(feature = "parallel")]
struct Taker<T> {
    next: usize,
    take: T,
    failed: Option<Error>,
}

#[cfg(feature = "parallel")]
fn deflate_on_all_cores<T: FnMut(Vec<u8>) + Send>(chunks: &[&[u8]], take: T) -> Result<()> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    let made: Vec<Mutex<Option<Result<Vec<u8>>>>> =
        chunks.iter().map(|_| Mutex::default()).collect();
    let take_next = |index: usize| {
        let made = made.get(index)?;
        made.lock().unwrap_or_else(PoisonError::into_inner).take()
    };
    let taker = Mutex::new(Taker {
        next: 0,
        take,
        failed: None,
    });
    let take_ready = |taker: &mut Taker<T>| {
        while let Some(ready) = take_next(taker.next) {
            taker.next += 1;
            match ready {
                Ok(chunk) => (taker.take)(chunk),
                Err(error) => {
                    taker.failed.get_or_insert(error);
                }
            }
        }
    };
    let next = AtomicUsize::new(0);
    let work = |share: &crate::threads::Share<'_>| {
        let mut deflater = Deflater::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(chunk), Some(made)) = (chunks.get(index), made.get(index)) else {
                return;
            };
            let deflated = deflater.deflate(chunk);
            *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(deflated);
            // No thread waits here: the current receiver, the next one or the last one takes this chunk too.
            if let Ok(mut taker) = taker.try_lock() {
                take_ready(&mut taker);
            }
            share.between_pieces();
        }
    };
    crate::threads::on_all(work);
    let mut taker = taker.into_inner().unwrap_or_else(PoisonError::into_inner);
    take_ready(&mut taker);
    taker.failed.map_or(Ok(()), Err)
}

/// Compresses as the game does: stock zlib, level 6.
struct Deflater {
    compress: flate2::Compress,
    /// Space for a chunk that cannot be compressed. The usual result is a tenth of that, and is copied out of it.
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
        // zlib's own bound for its default settings, and a little more.
        out.reserve(chunk.len() + chunk.len() / 1000 + 64);
        let status = compress.compress_vec(chunk, out, flate2::FlushCompress::Finish);
        match status {
            Ok(flate2::Status::StreamEnd) => Ok(out.as_slice().into()),
            _ => Err(Error::unwritable("cannot compress a chunk")),
        }
    }
}
