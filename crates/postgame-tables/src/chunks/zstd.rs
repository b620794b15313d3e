//! Zstandard, with one compressor a thread: making one takes longer than most pages.

use std::cell::RefCell;
use std::io;

use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, ParamSwitch, compress_bound};

/// What is compressed.
#[derive(Clone, Copy)]
pub(super) enum Content {
    /// Measurements, byte by byte: hardly anything is there twice, but bytes at one place are alike.
    Measured,
    /// Everything else.
    Other,
}

impl Content {
    fn compressor(self) -> io::Result<Compressor<'static>> {
        // On columns of Rocket League a fifth faster than level 1, with files larger by a twentieth.
        const LEVEL: i32 = -1;
        // What is there twice is not looked for closely, and what is left is packed by how frequent it is, which these
        // levels leave out of themselves. On the floats of `frames_cars` and `updates` a seventh faster than the level
        // above, with less than it left.
        const MEASURED_LEVEL: i32 = -30;
        // Most pieces that are packed together are then of bytes at one place.
        const MEASURED_BYTES: u32 = 32 << 10;
        Ok(match self {
            Self::Other => Compressor::new(LEVEL)?,
            Self::Measured => {
                let mut compressor = Compressor::new(MEASURED_LEVEL)?;
                compressor.set_parameter(CParameter::MaxBlockSize(MEASURED_BYTES))?;
                compressor
                    .set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
                compressor
            }
        })
    }
}

/// What a thread keeps for the pages of all its files: new memory for each page takes as long as encoding it.
#[derive(Default)]
struct Kept {
    /// By content.
    compressors: [Option<Compressor<'static>>; 2],
    plain: Vec<u8>,
    packed: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Memory that is kept may be as large as the largest pages of measurements; what is larger is given back.
const MOST_KEPT_BYTES: usize = 4 << 20;

/// How large what is filled in is, and what becomes of it.
pub(super) fn compressed(
    content: Content,
    fill: impl FnOnce(&mut Vec<u8>),
) -> io::Result<(usize, Vec<u8>)> {
    KEPT.with_borrow_mut(|kept| {
        let Kept {
            compressors,
            plain,
            packed,
        } = kept;
        let compressor = &mut compressors[content as usize];
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => compressor.insert(content.compressor()?),
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
