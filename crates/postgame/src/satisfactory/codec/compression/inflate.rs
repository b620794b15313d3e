//! Inflates chunks into their ranges of a body.

#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};

use libdeflater::Decompressor;

use super::chunks::Piece;
use super::zlib::inflate;
#[cfg(feature = "parallel")]
use crate::threads::has_threads;

/// A chunk to inflate: its index, its bytes, and its destination.
type Work<'a> = (usize, &'a [u8], &'a mut [u8]);

/// The broken chunks, by index, and how much of each could be inflated.
pub(in crate::satisfactory) type Broken = Vec<(usize, usize)>;

/// Inflates neighbouring chunks into their ranges, on all cores with the `parallel` feature.
pub(in crate::satisfactory) fn inflate_pieces(
    pieces: &[Piece],
    stream: &[u8],
    body: &mut [u8],
) -> Broken {
    inflate_besides(work_on(pieces, stream, body), || ())
}

/// The same on this thread alone, for callers that others may be waiting for.
pub(in crate::satisfactory) fn inflate_pieces_here(
    pieces: &[Piece],
    stream: &[u8],
    body: &mut [u8],
) -> Broken {
    inflate_in_turn(work_on(pieces, stream, body))
}

/// Inflates all chunks of a body. `besides` runs at the same time.
pub(in crate::satisfactory) fn inflate_all(
    pieces: &[Piece],
    stream: &[u8],
    body: &mut [u8],
    besides: impl FnOnce() + Send,
) -> Broken {
    inflate_besides(work_on(pieces, stream, body), besides)
}

/// Inflates chunks while other work is done.
fn inflate_besides(work: Vec<Work<'_>>, besides: impl FnOnce() + Send) -> Broken {
    #[cfg(feature = "parallel")]
    if work.len() > 1 && has_threads() {
        return inflate_on_all_cores(work, besides);
    }
    besides();
    inflate_in_turn(work)
}

#[cfg(feature = "parallel")]
fn inflate_on_all_cores(work: Vec<Work<'_>>, besides: impl FnOnce() + Send) -> Broken {
    fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }
    let (besides, work) = (Mutex::new(Some(besides)), Mutex::new(work.into_iter()));
    let broken = Mutex::new(Vec::new());
    crate::threads::on_all(|share| {
        let besides = lock(&besides).take();
        if let Some(besides) = besides {
            besides();
        }
        let mut inflater = Decompressor::new();
        loop {
            let next = lock(&work).next();
            let Some(next) = next else { return };
            if let Some(found) = inflate_one(&mut inflater, next) {
                lock(&broken).push(found);
            }
            share.between_pieces();
        }
    });
    let mut broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
    broken.sort_unstable();
    broken
}

fn inflate_in_turn(work: Vec<Work<'_>>) -> Broken {
    let mut inflater = Decompressor::new();
    let work = work.into_iter();
    work.filter_map(|work| inflate_one(&mut inflater, work))
        .collect()
}

fn inflate_one(
    inflater: &mut Decompressor,
    (index, data, out): Work<'_>,
) -> Option<(usize, usize)> {
    let written = inflate(inflater, data, out).err()?;
    Some((index, written))
}

/// Bytes that are not a chunk become zeros.
fn work_on<'a>(pieces: &[Piece], stream: &'a [u8], body: &'a mut [u8]) -> Vec<Work<'a>> {
    let mut rest = body;
    let mut work = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        let length = (piece.inflated as usize).min(rest.len());
        let (out, after) = std::mem::take(&mut rest).split_at_mut(length);
        rest = after;
        if piece.header > 0 {
            work.push((index, piece.compressed(stream), out));
        } else {
            out.fill(0);
        }
    }
    work
}
