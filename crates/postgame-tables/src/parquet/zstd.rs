//! Zstandard, with one compressor per thread: creating one takes longer than compressing most pages.

use std::cell::RefCell;
use std::io;

use zstd::bulk::Compressor;
use zstd::zstd_safe::compress_bound;

/// On columns of Rocket League, a fifth faster than level 1 with files a twentieth larger; the faster levels gain
/// little more.
const LEVEL: i32 = -1;

/// Buffers that a thread reuses for the pages of all its files: new memory for each page takes as long as encoding it.
#[derive(Default)]
struct Kept {
    compressor: Option<Compressor<'static>>,
    plain: Vec<u8>,
    packed: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Maximum size of a reused buffer: that of the largest pages of measurements. A larger buffer is freed.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// Compresses the bytes that `fill` writes; returns their size and the result.
pub(super) fn compressed(fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<(usize, Vec<u8>)> {
    KEPT.with_borrow_mut(|kept| {
        let Kept {
            compressor,
            plain,
            packed,
        } = kept;
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => compressor.insert(Compressor::new(LEVEL)?),
        };
        plain.clear();
        fill(plain);
        packed.clear();
        packed.reserve(compress_bound(plain.len()));
        compressor.compress_to_buffer(plain, packed)?;
        let done = (plain.len(), packed.to_vec());
        if plain.capacity() + packed.capacity() > MAX_KEPT_BYTES {
            (*plain, *packed) = (Vec::new(), Vec::new());
        }
        Ok(done)
    })
}
