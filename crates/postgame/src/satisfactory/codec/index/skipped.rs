//! Data of levels that is inflated on demand.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, Place, Problem, Result, Space};
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::satisfactory::codec::compression::chunks::{Chunks, Piece, in_file};
use crate::satisfactory::codec::compression::inflate::{
    Broken, inflate_pieces, inflate_pieces_here,
};
use crate::satisfactory::codec::index::walk::walk_whole_data;
use crate::satisfactory::codec::model::entry::Span;
use crate::satisfactory::codec::model::level::Level;
use crate::satisfactory::codec::model::object::Frame;
use crate::wire::bytes::ByteReader;

/// The data of levels that was not inflated together with the rest of the body.
#[derive(Debug)]
pub(in crate::satisfactory) struct Skipped {
    chunks: Chunks,
    /// The offset of the first chunk in the file.
    base: u64,
    blobs: Vec<Blob>,
}

/// The data of a level.
#[derive(Debug)]
struct Blob {
    /// Its range in the body.
    place: Range<usize>,
    /// The name of its level in errors.
    level: String,
    /// The layout of its objects, and their expected number.
    frame: Frame,
    objects: usize,
    data: OnceLock<Result<Data, Damage>>,
}

#[derive(Debug)]
struct Data {
    /// The chunks that contain it.
    bytes: Arc<Buffer>,
    /// The offset of the first of them in the body.
    offset: u64,
    objects: Vec<Span>,
}

/// An error that can be returned more than once.
#[derive(Debug)]
struct Damage {
    path: String,
    place: Option<Place>,
    problem: Problem,
}

impl From<Error> for Damage {
    fn from(error: Error) -> Self {
        Self {
            path: error.path(),
            place: error.place(),
            problem: error.problem().clone(),
        }
    }
}

impl Damage {
    fn error(&self) -> Error {
        let error = Error::new(self.problem.clone()).in_named(self.path.as_str());
        match self.place {
            Some(place) => error.at(place),
            None => error,
        }
    }
}

/// Inflates chunks into their ranges.
type Inflate = fn(&[Piece], &[u8], &mut [u8]) -> Broken;

impl Skipped {
    pub fn new(chunks: Chunks, base: u64) -> Self {
        let blobs = Vec::new();
        Self {
            chunks,
            base,
            blobs,
        }
    }

    /// Adds the data of a level; returns its index.
    pub fn add(&mut self, place: Range<usize>, level: &Level, frame: Frame) -> u32 {
        let name = level.name.as_ref();
        self.blobs.push(Blob {
            place,
            level: name.map_or("persistent".to_owned(), |name| format!("levels[{name}]")),
            frame,
            objects: level.objects.len(),
            data: OnceLock::new(),
        });
        self.blobs.len() as u32 - 1
    }

    /// The data of an object with its offset in the body, and the bytes that contain it.
    ///
    /// # Errors
    /// When the level's data is damaged.
    pub fn object(&self, blob: u32, number: u32) -> Result<(ByteReader<'_>, &Arc<Buffer>)> {
        let nowhere = || Error::invalid("there is no such object");
        let blob = self.blobs.get(blob as usize).ok_or_else(nowhere)?;
        // On this thread alone: a thread that waits for others could be given work that waits for this data.
        let data = blob
            .data
            .get_or_init(|| self.inflate(blob, inflate_pieces_here));
        let Data {
            bytes,
            offset,
            objects,
        } = data.as_ref().map_err(Damage::error)?;
        let span = objects.get(number as usize).ok_or_else(nowhere)?;
        let place = Span {
            offset: span.offset.saturating_sub(*offset),
            ..*span
        };
        let reader = ByteReader::with_base(place.of(bytes), span.offset, Space::Inflated);
        Ok((reader, bytes))
    }

    /// Inflates all data that was not requested yet, on all cores with the `parallel` feature; returns the errors.
    pub fn inflate_all(&self) -> Vec<Error> {
        for blob in &self.blobs {
            if blob.data.get().is_none() {
                // If another thread was faster, its result is the same.
                drop(blob.data.set(self.inflate(blob, inflate_pieces)));
            }
        }
        let damage = |blob: &Blob| blob.data.get()?.as_ref().err().map(Damage::error);
        self.blobs.iter().filter_map(damage).collect()
    }

    fn inflate(&self, blob: &Blob, inflate: Inflate) -> Result<Data, Damage> {
        self.read(blob, inflate).map_err(|error| {
            let error = error.in_field("data").in_named(blob.level.as_str());
            Damage::from(error)
        })
    }

    fn read(&self, blob: &Blob, inflate: Inflate) -> Result<Data> {
        let covering = self.chunks.covering(&blob.place);
        let first = covering.start;
        let pieces = self.chunks.pieces.get(covering).unwrap_or_default();
        let (Some(start), Some(end)) = (pieces.first(), pieces.last()) else {
            return Err(Error::invalid("there are no such chunks"));
        };
        let start = start.start_in_body();
        let mut bytes = Buffer::unwritten(end.end().saturating_sub(start));
        let broken = inflate(pieces, self.chunks.stream(), &mut bytes);
        if let Some(&(index, written)) = broken.first()
            && let Some(piece) = pieces.get(index)
        {
            let error = Error::invalid(piece.damage(written)).at(in_file(self.base + piece.start));
            return Err(error.in_index(first + index).in_field("chunks"));
        }
        let place = blob.place.start - start..blob.place.end - start;
        let inside = bytes.get(place).unwrap_or_default();
        let mut reader = ByteReader::with_base(inside, blob.place.start as u64, Space::Inflated);
        let objects = walk_whole_data(&mut reader, blob.objects, blob.frame)?;
        Ok(Data {
            offset: start as u64,
            objects,
            bytes: Arc::new(bytes),
        })
    }
}
