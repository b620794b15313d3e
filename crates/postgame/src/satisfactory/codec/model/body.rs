//! The inflated body of a save: its levels, and the data before and after them.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::basic::{Pairs, Ref};
use super::decode::Decoder;
use super::entry::{Entry, Store};
use super::follow::{Follower, Found};
use super::index::{Blobs, index_levels};
use super::level::{Level, Span, Stated};
use super::object::VERSION_DATA_SINCE;
use super::scope::{Scope, Versions};
use super::shape::{Shape, Sizes};
use super::skim::skim;
use super::skipped::Skipped;
use super::strings::Str;
use super::version::VersionData;
use crate::error::{Context as _, Error, Result, Space};
use crate::limits::Budget;
use crate::report::Report;
use crate::satisfactory::codec::buffer::Buffer;
use crate::satisfactory::codec::chunks::Chunks;
use crate::satisfactory::codec::sparse::Sparse;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire as _, record};

record! {
    /// A grid of the world map, used to detect that the map was changed.
    pub struct Grid: LittleBytes(scope: Scope) {
        /// The size of a cell.
        pub cell_size: i32,
        /// A hash of the grid.
        pub hash: u32,
        /// A hash of each cell.
        pub cells: Pairs<Str, u32>,
    }
}

/// The grids of the world map, by name.
pub type Grids = Pairs<Str, Grid>;

/// The grids, decoded or as a range of the body: they are a large part of a small save.
#[derive(Clone, Debug)]
pub enum LazyGrids {
    /// Not decoded.
    Packed(Span),
    /// Decoded.
    Loaded(Box<Grids>),
}

impl LazyGrids {
    pub(super) fn skip(reader: &mut ByteReader<'_>) -> Result<Self> {
        let start = reader.place().offset;
        let grids = reader.count("a number of grids", 16)?;
        for grid in 0..grids {
            Str::skip(reader).index(grid)?;
            reader.array::<8>().index(grid)?;
            let cells = reader.count("a number of cells", 8).index(grid)?;
            for _ in 0..cells {
                Str::skip(reader).index(grid)?;
                reader.u32().index(grid)?;
            }
        }
        let length = reader.place().offset - start;
        let length = u32::try_from(length)
            .map_err(|_| Error::too_large("the grids", length, u32::MAX.into()))?;
        Ok(Self::Packed(Span {
            offset: start,
            length,
        }))
    }

    fn decode(&self, store: Store<'_>) -> Result<Grids> {
        match self {
            Self::Loaded(grids) => Ok((**grids).clone()),
            Self::Packed(span) => {
                let mut reader = span.reader(store.bytes);
                Grids::read(&mut reader, Decoder::new(store).scope())
            }
        }
    }

    fn load(&mut self, store: Store<'_>) -> Result<()> {
        if let Self::Packed(_) = self {
            *self = Self::Loaded(Box::new(self.decode(store)?));
        }
        Ok(())
    }
}

/// A save's body. Objects are decoded on demand, or all at once by [`Body::decode_all`].
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The inflated bytes, kept as long as any part of the body is not decoded.
    pub(super) bytes: Arc<Buffer>,
    /// The data that is not inflated, if only the index was read: its range in the bytes must not be read.
    pub(super) skipped: Option<Arc<Skipped>>,
    /// The approximate length as bytes, if known.
    pub(super) likely_length: usize,
    /// The file's save version, which decides the layout.
    pub(super) save_version: i32,
    /// Unreal's version, for a blueprint: it has just one list of objects, and its header states the version.
    pub(super) blueprint: Option<BlueprintScope>,
    /// The engine versions, from save version 53 on.
    pub versions: Option<Arc<VersionData>>,
    /// The grids of the world map, from save version 41 on.
    pub grids: Option<LazyGrids>,
    /// The streaming levels, in file order; none before save version 29.
    pub levels: Vec<Level>,
    /// The persistent level. Before save version 29 it has all objects.
    pub persistent: Option<Level>,
    /// Destroyed objects whose level is unknown; some files end before this list.
    pub unresolved: Option<Vec<Ref>>,
    /// Unusual properties of the body.
    pub oddities: BodyOddities,
    /// The budget that decoding charges.
    pub(super) budget: Arc<Budget>,
}

/// Levels beyond this number are allocated one by one; real saves have some two thousand.
const LEVELS_AT_ONCE: usize = 4096;

/// Memory of a level without its objects, in bytes: the level, the work of indexing it, and its findings.
const LEVEL_BYTES: u64 = (2 * size_of::<Level>() + size_of::<Blobs<'_>>() + 256) as u64;

/// The ranges of the levels' data, if it is not inflated.
pub(in crate::satisfactory) struct SkippedData(Vec<Option<Range<usize>>>);

/// The values that a blueprint's body takes from its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlueprintScope {
    pub unreal: Option<i32>,
}

/// Parts that an intact body does not have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyOddities {
    /// The file ends before the body's size.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lacks_size: bool,
    /// The stated size of the body, if it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_size: Option<i64>,
    /// The number of levels.
    #[serde(skip_serializing_if = "Stated::is_right")]
    pub level_count: Stated,
    /// The bytes that follow, or could not be read.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub trailing: Bytes,
}

impl Body {
    /// Below this save version there is one list of objects instead of levels.
    pub const LEVELS_SINCE: i32 = 29;

    fn has_levels(&self) -> bool {
        self.save_version >= Self::LEVELS_SINCE && self.blueprint.is_none()
    }

    fn has_long_sizes(&self) -> bool {
        self.save_version >= 41 && self.blueprint.is_none()
    }

    /// An empty body of a version.
    pub fn new(save_version: i32) -> Self {
        let has_levels = save_version >= Self::LEVELS_SINCE;
        Self {
            save_version,
            grids: (save_version >= 41).then(|| LazyGrids::Loaded(Box::default())),
            persistent: Some(Level::default()),
            unresolved: has_levels.then(Vec::new),
            ..Self::default()
        }
    }

    /// The save version, which decides the layout.
    pub fn save_version(&self) -> i32 {
        self.save_version
    }

    /// True for the body of a blueprint.
    pub fn is_blueprint(&self) -> bool {
        self.blueprint.is_some()
    }

    /// Adds the lists that are missing in a cut file, empty.
    pub(crate) fn complete(&mut self) {
        let (save_version, is_blueprint) = (self.save_version, self.is_blueprint());
        for level in self.all_levels_mut().filter(|_| !is_blueprint) {
            level.complete(save_version);
        }
        if self.has_levels() {
            self.unresolved.get_or_insert_default();
        }
        if self.has_long_sizes() {
            self.grids
                .get_or_insert_with(|| LazyGrids::Loaded(Box::default()));
        }
    }

    /// The inflated bytes; empty for a body that was decoded completely or created, or if only the index was read.
    pub fn bytes(&self) -> &[u8] {
        if self.skipped.is_some() {
            return &[];
        }
        &self.bytes
    }

    pub(super) fn store(&self) -> Store<'_> {
        Store {
            bytes: &self.bytes,
            skipped: self.skipped.as_deref(),
            budget: &self.budget,
        }
    }

    /// Inflates the data that was skipped when only the index was read, and returns the errors in it. Calling this is
    /// optional: asking for an object inflates its data.
    pub fn inflate_skipped(&self) -> Vec<Error> {
        let skipped = self.skipped.as_ref();
        skipped.map_or(Vec::new(), |skipped| skipped.inflate_all())
    }

    pub(super) fn shape(&self, is_streaming: bool) -> Shape {
        if let Some(BlueprintScope { unreal }) = self.blueprint {
            let file_version = self.save_version;
            return Shape {
                file_version,
                sizes: Sizes::Four,
                is_streaming: false,
                is_blueprint: true,
                unreal,
            };
        }
        let sizes = match (self.has_levels(), self.has_long_sizes()) {
            (false, _) => Sizes::None,
            (true, false) => Sizes::Four,
            (true, true) => Sizes::Eight,
        };
        let unreal = self
            .versions
            .as_ref()
            .filter(|_| !is_streaming)
            .map(|versions| versions.unreal5);
        Shape {
            file_version: self.save_version,
            sizes,
            is_streaming,
            is_blueprint: false,
            unreal,
        }
    }

    /// Indexes a body: levels, tables of contents, the offset of every object. No object is decoded. `follower` knows
    /// some of the offsets already.
    pub(in crate::satisfactory) fn read(
        bytes: Buffer,
        save_version: i32,
        follower: Follower,
        report: &mut Report,
    ) -> Self {
        Self {
            save_version,
            budget: Arc::clone(follower.budget()),
            ..Self::default()
        }
        .read_bytes(bytes, follower.into_found(), report)
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
        .read_bytes(bytes, Vec::new(), report)
    }

    /// An empty body of a blueprint.
    pub fn new_blueprint(save_version: i32, unreal: Option<i32>) -> Self {
        let blueprint = Some(BlueprintScope { unreal });
        Self {
            save_version,
            blueprint,
            persistent: Some(Level::default()),
            ..Self::default()
        }
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

    fn scope(&self) -> Scope {
        let scope = Scope::new(Versions {
            save: self.save_version,
            unreal: Versions::UNREAL_UNSAID,
        });
        scope.within(&self.budget);
        scope
    }

    fn read_bytes(self, bytes: Buffer, found: Vec<Found>, report: &mut Report) -> Self {
        let mut body = self;
        let bytes = Arc::new(bytes);
        let scope = body.scope();
        scope.read_from(&bytes);
        let mut reader = ByteReader::with_base(&bytes, 0, Space::Inflated);
        let (mut whole, mut blobs) = (0, Vec::new());
        if let Err(error) = body.read_parts(&mut reader, &scope, &mut whole, &mut blobs, report) {
            report.lost("cut", &error);
        }
        for (blobs, found) in blobs.iter_mut().zip(found) {
            blobs.take(found);
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

    /// The body as bytes.
    ///
    /// # Errors
    /// When the format cannot represent an object.
    pub fn write(&self) -> Result<Vec<u8>> {
        // All at once, on all cores; damage is reported when the objects are written.
        self.inflate_skipped();
        let store = self.store();
        let Self {
            bytes,
            skipped: _,
            likely_length,
            save_version: _,
            blueprint: _,
            versions,
            grids,
            levels,
            persistent,
            unresolved,
            budget: _,
            oddities,
        } = self;
        let scope = self.scope();
        let mut writer = ByteWriter::with_capacity(*likely_length);
        if !oddities.lacks_size {
            if self.has_long_sizes() {
                writer.i64(0)
            } else {
                writer.i32(0)
            }
        }
        let start = writer.position();
        if let Some(versions) = versions {
            versions.write(&mut writer, &scope).field("versions")?;
        }
        match grids {
            Some(LazyGrids::Packed(span)) => writer.bytes(span.of(bytes)),
            Some(LazyGrids::Loaded(grids)) => grids.write(&mut writer, &scope).field("grids")?,
            None => {}
        }
        if self.has_levels() {
            oddities
                .level_count
                .write(&mut writer, "a number of levels", levels.len())?;
        }
        let shape = self.shape(true);
        for (index, level) in levels.iter().enumerate() {
            level
                .name
                .clone()
                .unwrap_or_default()
                .write(&mut writer, &scope)?;
            level
                .write(&mut writer, &scope, &shape, store)
                .index(index)
                .field("levels")?;
        }
        if let Some(level) = persistent {
            level
                .write(&mut writer, &scope, &self.shape(false), store)
                .field("persistent")?;
        }
        if let Some(unresolved) = unresolved {
            unresolved.write(&mut writer, &scope).field("unresolved")?;
        }
        writer.bytes(&oddities.trailing.0);
        if !oddities.lacks_size {
            let size = oddities
                .stated_size
                .unwrap_or((writer.position() - start) as i64);
            if self.has_long_sizes() {
                writer.patch(0, &size.to_le_bytes());
            } else {
                let size = i32::try_from(size)
                    .map_err(|_| Error::unwritable("the body is too large for its size field"))?;
                writer.patch(0, &size.to_le_bytes());
            }
        }
        Ok(writer.into_bytes())
    }

    /// All levels: the streaming levels, then the persistent one.
    pub fn all_levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().chain(&self.persistent)
    }

    pub(crate) fn all_levels_mut(&mut self) -> impl Iterator<Item = &mut Level> {
        self.levels.iter_mut().chain(&mut self.persistent)
    }

    /// The grids, decoded.
    ///
    /// # Errors
    /// Never for a body that was read; the signature is the same as for all decoding.
    pub fn decode_grids(&self) -> Result<Option<Grids>> {
        let grids = self.grids.as_ref();
        grids.map(|grids| grids.decode(self.store())).transpose()
    }

    /// Decodes every object. Afterwards the inflated bytes are only needed for the strings in them.
    ///
    /// # Errors
    /// Never for a body that was read completely. If only the index was read: when skipped data is damaged; then
    /// nothing is decoded.
    pub fn decode_all(&mut self) -> Result<()> {
        if let Some(error) = self.inflate_skipped().into_iter().next() {
            return Err(error);
        }
        let (bytes, skipped) = (Arc::clone(&self.bytes), self.skipped.clone());
        let budget = Arc::clone(&self.budget);
        let (streaming, persistent) = (self.shape(true), self.shape(false));
        let levels = self.levels.iter_mut().map(|level| (level, streaming));
        let levels = levels.chain(self.persistent.iter_mut().map(|level| (level, persistent)));
        let store = Store {
            bytes: &bytes,
            skipped: skipped.as_deref(),
            budget: &budget,
        };
        let (grids, mut loaded) = (&mut self.grids, Ok(()));
        let load_grids = || loaded = grids.iter_mut().try_for_each(|grids| grids.load(store));
        super::decode::decode_levels(store, levels, load_grids)?;
        loaded?;
        self.bytes = Arc::default();
        self.skipped = None;
        Ok(())
    }
}
