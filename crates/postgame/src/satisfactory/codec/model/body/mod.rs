//! The inflated body of a save: its levels, and the data before and after them. `read` indexes it.

mod read;

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::basic::{Pairs, Ref};
use super::entry::Store;
use super::level::{Level, Span, Stated};
use super::strings::Str;
use super::version::VersionData;
use crate::error::{Context as _, Error, Result};
use crate::limits::Budget;
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::satisfactory::codec::decode::Decoder;
use crate::satisfactory::codec::decode::scope::{Scope, Versions};
use crate::satisfactory::codec::index::skipped::Skipped;
use crate::satisfactory::codec::layout::{Shape, Sizes};
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
    pub(in crate::satisfactory::codec) fn skip(reader: &mut ByteReader<'_>) -> Result<Self> {
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
    pub(in crate::satisfactory::codec) bytes: Arc<Buffer>,
    /// The data that is not inflated, if only the index was read: its range in the bytes must not be read.
    pub(in crate::satisfactory::codec) skipped: Option<Arc<Skipped>>,
    /// The approximate length as bytes, if known.
    pub(in crate::satisfactory::codec) likely_length: usize,
    /// The file's save version, which decides the layout.
    pub(in crate::satisfactory::codec) save_version: i32,
    /// Unreal's version, for a blueprint: it has just one list of objects, and its header states the version.
    pub(in crate::satisfactory::codec) blueprint: Option<BlueprintScope>,
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
    pub(in crate::satisfactory::codec) budget: Arc<Budget>,
}

/// The ranges of the levels' data, if it is not inflated.
pub(in crate::satisfactory) struct SkippedData(Vec<Option<Range<usize>>>);

/// The values that a blueprint's body takes from its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::satisfactory::codec) struct BlueprintScope {
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

    pub(in crate::satisfactory::codec) fn store(&self) -> Store<'_> {
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

    pub(in crate::satisfactory::codec) fn shape(&self, is_streaming: bool) -> Shape {
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

    fn scope(&self) -> Scope {
        let scope = Scope::new(Versions {
            save: self.save_version,
            unreal: Versions::UNREAL_UNSAID,
        });
        scope.within(&self.budget);
        scope
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
        crate::satisfactory::codec::decode::decode_levels(store, levels, load_grids)?;
        loaded?;
        self.bytes = Arc::default();
        self.skipped = None;
        Ok(())
    }
}
