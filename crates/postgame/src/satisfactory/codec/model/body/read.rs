//! Reading a body: finding its levels and their objects, without decoding them.

use std::sync::Arc;

use super::super::entry::Entry;
use super::super::level::{Level, Stated};
use super::super::object::VERSION_DATA_SINCE;
use super::super::strings::Str;
use super::super::version::VersionData;
use super::{BlueprintScope, Body, LazyGrids, SkippedData};
use crate::error::{Context as _, Result, Space};
use crate::limits::Budget;
use crate::report::Report;
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::satisfactory::codec::compression::chunks::Chunks;
use crate::satisfactory::codec::compression::sparse::Sparse;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::index::skim::skim;
use crate::satisfactory::codec::index::skipped::Skipped;
use crate::satisfactory::codec::index::walk::{Blobs, index_levels};
use crate::wire::bytes::ByteReader;
use crate::wire::record::Wire as _;

/// Levels beyond this number are allocated one by one; real saves have some two thousand.
const LEVELS_AT_ONCE: usize = 4096;

/// Memory of a level without its objects, in bytes: the level, the work of indexing it, and its findings.
const LEVEL_BYTES: u64 = (2 * size_of::<Level>() + size_of::<Blobs<'_>>() + 256) as u64;

impl Body {
    /// Indexes a body: levels, tables of contents, the offset of every object. No object is decoded.
    pub(in crate::satisfactory) fn read(
        bytes: Buffer,
        save_version: i32,
        budget: Arc<Budget>,
        report: &mut Report,
    ) -> Self {
        Self {
            save_version,
            budget,
            ..Self::default()
        }
        .read_bytes(bytes, report)
    }

    /// Indexes the body of a blueprint; `unreal` is the Unreal version in its header.
    pub(in crate::satisfactory) fn read_blueprint(
        bytes: Buffer,
        save_version: i32,
        unreal: Option<i32>,
        budget: Arc<Budget>,
        report: &mut Report,
    ) -> Self {
        let blueprint = Some(BlueprintScope { unreal });
        Self {
            save_version,
            blueprint,
            budget,
            ..Self::default()
        }
        .read_bytes(bytes, report)
    }

    /// Indexes the body of a save and inflates as little of its levels' data as possible. `None` if all of it must be
    /// read, because its version has no such data or because something is odd about it.
    pub(in crate::satisfactory) fn read_index(
        mut sparse: Sparse<'_>,
        save_version: i32,
        budget: &Arc<Budget>,
    ) -> Option<(Self, SkippedData)> {
        let mut body = Self {
            save_version,
            budget: Arc::clone(budget),
            ..Self::default()
        };
        let data = skim(&mut sparse, &body)?;
        let is_skipped: Vec<bool> = data.iter().map(|place| !sparse.has(place)).collect();
        let bytes = Arc::new(sparse.into_body());
        let mut reader = ByteReader::with_base(&bytes, 0, Space::Inflated);
        let (mut whole, mut blobs, mut report) = (0, Vec::new(), Report::default());
        let scope = body.scope();
        scope.read_from(&bytes);
        let read = body.read_parts(&mut reader, &scope, &mut whole, &mut blobs, &mut report);
        // Everything outside this data is inflated, so if it is the same data, no skipped bytes were read.
        let places = blobs.iter().map(Blobs::data_place);
        if read.is_err() || !places.eq(data.iter().cloned().map(Some)) {
            return None;
        }
        for (blobs, _) in blobs.iter_mut().zip(&is_skipped).filter(|(_, is)| **is) {
            blobs.skip_data();
        }
        body.index(&bytes, blobs, &mut report);
        if !report.is_clean() {
            return None;
        }
        reader.seek(whole);
        body.oddities.trailing = reader.rest().into();
        body.likely_length = bytes.len();
        body.bytes = bytes;
        let skipped = data.into_iter().zip(is_skipped);
        let skipped = skipped.map(|(place, is_skipped)| is_skipped.then_some(place));
        Some((body, SkippedData(skipped.collect())))
    }

    /// Passes the chunks that contain the skipped data to a body that was read by [`Body::read_index`].
    pub(in crate::satisfactory) fn with_skipped(
        mut self,
        SkippedData(places): SkippedData,
        chunks: &Chunks,
        base: u64,
    ) -> Self {
        if places.iter().all(Option::is_none) {
            return self;
        }
        let mut skipped = Skipped::new(chunks.clone(), base);
        let (streaming, persistent) = (self.shape(true), self.shape(false));
        for (level, place) in self.all_levels_mut().zip(places) {
            let Some(place) = place else { continue };
            let is_streaming = level.name.is_some();
            let shape = if is_streaming { streaming } else { persistent };
            let blob = skipped.add(place, level, shape.frame(level).0);
            for (number, entry) in (0..).zip(&mut level.objects) {
                if let Entry::Packed { header, .. } = *entry {
                    *entry = Entry::Listed {
                        header,
                        blob,
                        number,
                    };
                }
            }
        }
        self.skipped = Some(Arc::new(skipped));
        self
    }

    fn read_bytes(self, bytes: Buffer, report: &mut Report) -> Self {
        let mut body = self;
        let bytes = Arc::new(bytes);
        let scope = body.scope();
        scope.read_from(&bytes);
        let mut reader = ByteReader::with_base(&bytes, 0, Space::Inflated);
        let (mut whole, mut blobs) = (0, Vec::new());
        if let Err(error) = body.read_parts(&mut reader, &scope, &mut whole, &mut blobs, report) {
            report.lost("cut", &error);
        }
        body.index(&bytes, blobs, report);
        reader.seek(whole);
        body.oddities.trailing = reader.rest().into();
        body.likely_length = bytes.len();
        body.bytes = bytes;
        body
    }

    /// Indexes all levels; their blobs are in the order of [`Body::all_levels`].
    fn index(&mut self, bytes: &Arc<Buffer>, blobs: Vec<Blobs<'_>>, report: &mut Report) {
        let (streaming, persistent) = (self.shape(true), self.shape(false));
        let budget = Arc::clone(&self.budget);
        let levels = self.all_levels_mut().zip(blobs);
        let levels = levels.map(|(level, blobs)| {
            let is_streaming = level.name.is_some();
            let shape = if is_streaming { streaming } else { persistent };
            (level, blobs, shape)
        });
        index_levels(bytes, levels.collect(), &budget, report);
    }

    /// `whole` is the end of the last complete part; `blobs` belong to the levels read so far.
    fn read_parts<'a>(
        &mut self,
        reader: &mut ByteReader<'a>,
        scope: &Scope,
        whole: &mut usize,
        blobs: &mut Vec<Blobs<'a>>,
        report: &mut Report,
    ) -> Result<()> {
        self.oddities.lacks_size = true;
        self.oddities.level_count = Stated::Absent;
        let size = if self.has_long_sizes() {
            reader.i64()
        } else {
            reader.i32().map(i64::from)
        };
        let size = size.field("size")?;
        self.oddities.lacks_size = false;
        self.oddities.stated_size = (size != reader.left() as i64).then_some(size);
        *whole = reader.position();
        if !self.has_levels() {
            self.oddities.level_count = Stated::Right;
            let (level, inside) =
                Level::read(reader, scope, &self.shape(false), None, report).field("objects")?;
            self.persistent = Some(level);
            blobs.push(inside);
            *whole = reader.position();
            return Ok(());
        }
        if self.save_version >= VERSION_DATA_SINCE {
            self.versions = Some(VersionData::read(reader, scope).field("versions")?.into());
            *whole = reader.position();
        }
        if self.has_long_sizes() {
            self.grids = Some(LazyGrids::skip(reader).field("grids")?);
            *whole = reader.position();
        }
        let stated = reader.i32().field("levels")?;
        self.oddities.level_count = Stated::Other(stated);
        *whole = reader.position();
        let shape = self.shape(true);
        let count = usize::try_from(stated).unwrap_or(0);
        self.levels
            .reserve_exact(count.min(reader.left() / 32).min(LEVELS_AT_ONCE));
        for index in 0..count {
            let charged = self.budget.charge(LEVEL_BYTES);
            charged
                .map_err(|error| error.at(reader.place()))
                .index(index)
                .field("levels")?;
            let name = Str::read(reader, scope)
                .field("name")
                .index(index)
                .field("levels")?;
            let (mut level, inside) = Level::read(reader, scope, &shape, Some(name), report)
                .index(index)
                .field("levels")?;
            blobs.push(inside);
            // Most levels have the same versions, which are stored once.
            if let (Some(now), Some(before)) = (
                &mut level.versions,
                self.levels.last().and_then(|level| level.versions.as_ref()),
            ) && now == before
            {
                now.data.clone_from(&before.data);
            }
            let is_cut = level.oddities.lacks_data || level.oddities.stated_data_size.is_some();
            self.levels.push(level);
            *whole = reader.position();
            if is_cut {
                return Ok(());
            }
        }
        self.oddities.level_count = Stated::of(stated, self.levels.len());
        let (persistent, inside) =
            Level::read(reader, scope, &self.shape(false), None, report).field("persistent")?;
        blobs.push(inside);
        let is_cut =
            persistent.oddities.lacks_data || persistent.oddities.stated_data_size.is_some();
        self.persistent = Some(persistent);
        *whole = reader.position();
        if !is_cut && !reader.is_empty() {
            self.unresolved = Some(Vec::read(reader, scope).field("unresolved")?);
            *whole = reader.position();
        }
        Ok(())
    }
}
