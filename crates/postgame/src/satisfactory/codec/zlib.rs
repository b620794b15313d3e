//! Inflating and compressing single chunks.

use std::io::Read as _;

use crate::error::{Error, Result};

/// Inflates a chunk into its place. The error is how much could be inflated of one that is damaged.
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

/// Compresses chunks, on all cores with the `parallel` feature. `take` gets them in their order, while others are still
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

/// Who takes what was compressed, in its order.
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
            // Nobody waits here: who takes now, or the next one, or the last, takes this too.
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
