//! Entries of a level's list of objects: decoded objects, or ranges of the body.

use std::sync::Arc;

use super::object::Object;
use crate::error::{Context as _, Error, Result, Space};
use crate::limits::Budget;
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::index::skipped::Skipped;
use crate::wire::bytes::{ByteReader, ByteWriter};

/// An object in a level: its range in the inflated body or, once it was decoded or created, the object itself.
#[derive(Clone, Debug)]
pub enum Entry {
    /// Not decoded: the ranges of its header and its data in the body.
    Packed {
        /// The header in the table of contents.
        header: Span,
        /// The data with the fields around it; empty if there is none.
        data: Span,
    },
    /// Not inflated: only its header is in the body.
    Listed {
        /// The header in the table of contents.
        header: Span,
        /// The index of its level among the skipped data.
        blob: u32,
        /// Its index in that data.
        number: u32,
    },
    /// Decoded.
    Loaded(Box<Object>),
}

/// A range of the inflated body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The offset.
    pub offset: u64,
    /// The length.
    pub length: u32,
}

impl Span {
    pub(in crate::satisfactory::codec) fn between(start: u64, end: u64) -> Result<Self> {
        let length = end.saturating_sub(start);
        let length = u32::try_from(length)
            .map_err(|_| Error::too_large("an object", length, u32::MAX.into()))?;
        Ok(Self {
            offset: start,
            length,
        })
    }

    /// The bytes of the range.
    pub fn of(self, body: &[u8]) -> &[u8] {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        body.get(start..)
            .and_then(|rest| rest.get(..self.length as usize))
            .unwrap_or_default()
    }

    pub(in crate::satisfactory::codec) fn reader(self, body: &[u8]) -> ByteReader<'_> {
        ByteReader::with_base(self.of(body), self.offset, Space::Inflated)
    }
}

/// The source of a body's entries.
#[derive(Clone, Copy, Debug)]
pub(in crate::satisfactory::codec) struct Store<'a> {
    /// The inflated body.
    pub bytes: &'a Arc<Buffer>,
    /// The data that was not inflated.
    pub skipped: Option<&'a Skipped>,
    /// The budget that decoding charges.
    pub budget: &'a Arc<Budget>,
}

impl<'a> Store<'a> {
    /// The data of an entry that was skipped, and the bytes that contain it.
    pub fn listed(self, blob: u32, number: u32) -> Result<(ByteReader<'a>, &'a Arc<Buffer>)> {
        match self.skipped {
            Some(skipped) => skipped.object(blob, number),
            None => Err(Error::invalid("the object is of another body")),
        }
    }
}

impl Entry {
    /// An object whose header is the only part found so far.
    pub(in crate::satisfactory::codec) fn undecoded(header: Span) -> Self {
        Self::Packed {
            header,
            data: Span::default(),
        }
    }

    /// Sets the range of an undecoded object's data.
    pub(in crate::satisfactory::codec) fn set_data(&mut self, span: Span) {
        if let Self::Packed { data, .. } = self {
            *data = span;
        }
    }

    /// False only in damaged files. Data that was not inflated is assumed to be present.
    pub fn has_data(&self) -> bool {
        match self {
            Self::Packed { data, .. } => data.length > 0,
            Self::Listed { .. } => true,
            Self::Loaded(object) => object.data.is_some(),
        }
    }
}

/// Writes a part of each entry, on all cores with the `parallel` feature.
pub(in crate::satisfactory::codec) fn write_entries(
    entries: &[Entry],
    writer: &mut ByteWriter,
    write: impl Fn(&Entry, &mut ByteWriter, &Scope) -> Result<()> + Sync,
) -> Result<()> {
    /// Number of objects that one thread writes at a time.
    const PIECE: usize = 128;
    #[cfg(feature = "parallel")]
    const PIECES_AT_ONCE: usize = 32;
    let write_piece = |(piece, entries): (usize, &[Entry]), writer: &mut ByteWriter| {
        let scope = Scope::default();
        for (index, entry) in entries.iter().enumerate() {
            write(entry, writer, &scope).index(piece * PIECE + index)?;
        }
        Ok(())
    };
    #[cfg(feature = "parallel")]
    if entries.len() > PIECE {
        use rayon::prelude::*;
        // In batches, because written objects are held twice; this way the same memory is reused.
        let pieces: Vec<(usize, &[Entry])> = entries.chunks(PIECE).enumerate().collect();
        let mut rooms = vec![Vec::new(); PIECES_AT_ONCE.min(pieces.len())];
        for some in pieces.chunks(PIECES_AT_ONCE) {
            let written = some.par_iter().zip(&mut rooms).map(|(piece, room)| {
                room.clear();
                let mut writer = ByteWriter::from(std::mem::take(room));
                let result = write_piece(*piece, &mut writer);
                *room = writer.into_bytes();
                result
            });
            let written: Vec<Result<()>> = written.collect();
            written.into_iter().collect::<Result<()>>()?;
            rooms
                .iter()
                .take(some.len())
                .for_each(|room| writer.bytes(room));
        }
        return Ok(());
    }
    entries
        .chunks(PIECE)
        .enumerate()
        .try_for_each(|piece| write_piece(piece, writer))
}
