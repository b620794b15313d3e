//! Zstandard, with one compressor a thread: making one takes longer than most pages.

use std::cell::RefCell;
use std::io;

use zstd::bulk::Compressor;
use zstd::zstd_safe::compress_bound;

/// On columns of Rocket League a fifth faster than level 1, with files larger by a twentieth; what is still faster is
/// not much so.
const LEVEL: i32 = -1;

/// What a thread keeps for the pages of all its files: new memory for each page takes as long as encoding it.
#[derive(Default)]
struct Kept {
    compressor: Option<Compressor<'static>>,
    plain: Vec<u8>,
    packed: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Memory that is kept may be as large as the largest pages of measurements; what is larger is given back.
const MOST_KEPT_BYTES: usize = 4 << 20;

/// How large what is filled in is, and what becomes of it.
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
        if plain.capacity() + packed.capacity() > MOST_KEPT_BYTES {
            (*plain, *packed) = (Vec::new(), Vec::new());
        }
        Ok(done)
    })
}
