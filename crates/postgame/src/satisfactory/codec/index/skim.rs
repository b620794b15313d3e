//! Finds the levels' data without inflating it.
//!
//! A level states the length of its data before the data. So everything outside the data is read from front to back,
//! and the data itself is skipped. The result only says where to look; [`Body::read`] reads it.
//!
//! [`Body::read`]: crate::satisfactory::codec::model::body::Body::read

use std::ops::Range;

use crate::error::{Context as _, Result, Space};
use crate::satisfactory::codec::compression::chunks::CHUNK_BYTES;
use crate::satisfactory::codec::compression::sparse::Sparse;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::layout::{Shape, Sizes};
use crate::satisfactory::codec::model::body::{Body, LazyGrids};
use crate::satisfactory::codec::model::object::VERSION_DATA_SINCE;
use crate::satisfactory::codec::model::strings::Str;
use crate::satisfactory::codec::model::version::VersionData;
use crate::threads::has_threads;
use crate::wire::bytes::ByteReader;
use crate::wire::record::Wire as _;

/// Walks over a body that is inflated along the way.
struct Skim<'s, 'a> {
    body: &'s mut Sparse<'a>,
    at: usize,
    /// Everything between these two offsets is inflated.
    end: usize,
}

/// Inflates everything outside the levels' data, and returns the range of each level's data, in the order of
/// [`Body::all_levels`]. `None` if the body has no such data, or if something is odd about it; then all of it must be
/// read.
pub(in crate::satisfactory::codec) fn skim(
    sparse: &mut Sparse<'_>,
    body: &Body,
) -> Option<Vec<Range<usize>>> {
    let (streaming, persistent) = (body.shape(true), body.shape(false));
    if persistent.sizes == Sizes::None || persistent.is_blueprint {
        return None;
    }
    let length = sparse.len();
    let mut skim = Skim {
        body: sparse,
        at: 0,
        end: 0,
    };
    let count = skim.part(|reader| skip_start(reader, &persistent))?;
    let mut found = Vec::new();
    for _ in 0..usize::try_from(count).ok()? {
        skim.part(|reader| Str::skip(reader).map(drop))?;
        found.push(skim.level(&streaming)?);
    }
    found.push(skim.level(&persistent)?);
    skim.body.inflate(&(skim.at..length))?;
    // A file that was cut off is detected by its last chunk.
    skim.body.inflate(&(length.saturating_sub(1)..length))?;
    Some(found)
}

impl Skim<'_, '_> {
    /// Skips a part, and inflates as much as is needed to find its end.
    fn part<T>(&mut self, read: impl Fn(&mut ByteReader<'_>) -> Result<T>) -> Option<T> {
        // After a jump, only the target chunk; otherwise a chunk for each of two threads.
        let is_on_the_way = self.at < self.end && has_threads();
        let mut more = if is_on_the_way { CHUNK_BYTES + 1 } else { 1 };
        loop {
            let inflated = self.body.inflated(self.at..self.end);
            let mut reader = ByteReader::with_base(inflated, self.at as u64, Space::Inflated);
            if let Ok(read) = read(&mut reader) {
                self.at += reader.position();
                return Some(read);
            }
            if self.end == self.body.len() {
                return None;
            }
            let wanted = self.end..self.end.saturating_add(more).min(self.body.len());
            self.body.inflate(&wanted)?;
            self.end = self.body.inflated_end(self.at);
            // The attempt failed and may fail again: doubling the amount each time bounds the work.
            more = more.saturating_mul(2).max(CHUNK_BYTES);
        }
    }

    /// Skips a level; returns the range of its data.
    fn level(&mut self, shape: &Shape) -> Option<Range<usize>> {
        let contents = self.blob(shape)?;
        if contents.end >= self.end {
            self.body.inflate(&contents)?;
            self.end = self.body.inflated_end(self.at);
        }
        let data = self.blob(shape)?;
        self.part(|reader| skip_end(reader, shape))?;
        Some(data)
    }

    /// Skips a blob without reading it; returns its range.
    fn blob(&mut self, shape: &Shape) -> Option<Range<usize>> {
        let size = usize::try_from(self.part(|reader| shape.read_size(reader))?).ok()?;
        let end = self.at.checked_add(size)?;
        if end > self.body.len() {
            return None;
        }
        let blob = self.at..end;
        self.at = end;
        if end >= self.end {
            self.end = self.body.inflated_end(end);
        }
        Some(blob)
    }
}

/// Skips the data before the levels; returns the number of streaming levels.
fn skip_start(reader: &mut ByteReader<'_>, shape: &Shape) -> Result<i32> {
    shape.read_size(reader)?;
    if shape.file_version >= VERSION_DATA_SINCE {
        VersionData::read(reader, &Scope::default())?;
    }
    if shape.sizes == Sizes::Eight {
        LazyGrids::skip(reader)?;
    }
    reader.i32()
}

/// Skips the part of a level after its data.
fn skip_end(reader: &mut ByteReader<'_>, shape: &Shape) -> Result<()> {
    if shape.is_streaming && shape.file_version >= 51 {
        reader.i32()?;
    }
    skip_destroyed(reader, shape.by_level())?;
    if shape.is_streaming && shape.file_version >= VERSION_DATA_SINCE {
        skip_versions(reader)?;
    }
    Ok(())
}

fn skip_references(reader: &mut ByteReader<'_>) -> Result<()> {
    let count = reader.count("a number of references", 8)?;
    for index in 0..count {
        Str::skip(reader).index(index)?;
        Str::skip(reader).index(index)?;
    }
    Ok(())
}

fn skip_destroyed(reader: &mut ByteReader<'_>, by_level: bool) -> Result<()> {
    if !by_level {
        return skip_references(reader);
    }
    let count = reader.count("a number of levels", 8)?;
    for index in 0..count {
        Str::skip(reader).index(index)?;
        skip_references(reader).index(index)?;
    }
    Ok(())
}

fn skip_versions(reader: &mut ByteReader<'_>) -> Result<()> {
    if reader.u32()? != 0 {
        VersionData::read(reader, &Scope::default())?;
    }
    Ok(())
}
