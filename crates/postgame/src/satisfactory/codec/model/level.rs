//! Levels: a table of contents, the data of its objects, and lists of destroyed objects.

use serde::{Deserialize, Serialize};

use super::basic::{Pairs, Ref};
pub use super::entry::{Entry, Span};
use super::entry::{Store, write_entries};
use super::object::{OptionalVersions, VERSION_DATA_SINCE};
use super::strings::Str;
use crate::error::{Context as _, Error, Result};
use crate::report::Report;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::index::walk::Blobs;
use crate::satisfactory::codec::layout::{Shape, Sizes};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::Wire as _;

/// A count in the file, which is nearly always right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stated {
    /// Equal to the number of elements that follow.
    #[default]
    Right,
    /// A different number.
    Other(i32),
    /// The file ends before it.
    Absent,
}

impl Stated {
    pub(crate) fn is_right(&self) -> bool {
        *self == Self::Right
    }

    pub(in crate::satisfactory::codec) fn of(stated: i32, count: usize) -> Self {
        if usize::try_from(stated) == Ok(count) {
            Self::Right
        } else {
            Self::Other(stated)
        }
    }

    pub(in crate::satisfactory::codec) fn write(
        self,
        writer: &mut ByteWriter,
        what: &'static str,
        count: usize,
    ) -> Result<()> {
        match self {
            Self::Right => writer.count(what, count),
            Self::Other(stated) => {
                writer.i32(stated);
                Ok(())
            }
            Self::Absent => Ok(()),
        }
    }
}

/// Destroyed objects, by reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destroyed {
    /// In this level.
    List(Vec<Ref>),
    /// In several levels, by level name.
    ByLevel(#[serde(with = "crate::wire::json")] Pairs<Str, Vec<Ref>>),
}

impl Destroyed {
    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        by_level: bool,
    ) -> Result<Self> {
        if by_level {
            Pairs::read(reader, scope).map(Self::ByLevel)
        } else {
            Vec::read(reader, scope).map(Self::List)
        }
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        match self {
            Self::List(list) => list.write(writer, scope),
            Self::ByLevel(levels) => levels.write(writer, scope),
        }
    }

    /// All references.
    pub fn refs(&self) -> Vec<&Ref> {
        match self {
            Self::List(list) => list.iter().collect(),
            Self::ByLevel(levels) => levels.0.iter().flat_map(|(_, list)| list).collect(),
        }
    }
}

/// A level, or the object list of a blueprint.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// Its name; `None` for the persistent level.
    pub name: Option<Str>,
    /// Its objects, in file order.
    pub objects: Vec<Entry>,
    /// The first list of destroyed objects, at the end of the table of contents; some levels have none.
    pub destroyed_in_contents: Option<Destroyed>,
    /// The save version it was last written with, from save version 51 on.
    pub save_version: Option<i32>,
    /// The second list of destroyed objects; it can differ from the first.
    pub destroyed: Option<Destroyed>,
    /// The engine versions it was last written with, from save version 53 on.
    pub versions: Option<OptionalVersions>,
    /// Unusual properties of the level.
    pub oddities: Oddities,
}

/// Parts that an intact level does not have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Oddities {
    /// The stated size of the table of contents, if the file ends before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_contents_size: Option<i64>,
    /// The number of headers.
    #[serde(skip_serializing_if = "Stated::is_right")]
    pub header_count: Stated,
    /// The part of the table of contents that could not be read.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub contents_rest: Bytes,
    /// The stated size of the data, if the file ends before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_data_size: Option<i64>,
    /// The file ends before the data's size.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lacks_data: bool,
    /// The number of objects in the data.
    #[serde(skip_serializing_if = "Stated::is_right")]
    pub data_count: Stated,
    /// The part of the data that could not be read.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub data_rest: Bytes,
}

impl Level {
    /// Adds the parts that a level of this save version must have and a cut level lacks, empty.
    pub(crate) fn complete(&mut self, file_version: i32) {
        let is_streaming = self.name.is_some();
        let by_level = !is_streaming && file_version >= 41;
        self.destroyed.get_or_insert_with(|| {
            if by_level {
                Destroyed::ByLevel(Pairs::default())
            } else {
                Destroyed::List(Vec::new())
            }
        });
        if is_streaming && file_version >= 51 {
            self.save_version.get_or_insert(file_version);
        }
        if is_streaming && file_version >= VERSION_DATA_SINCE {
            self.versions.get_or_insert_default();
        }
    }

    /// Reads the fields around a level's blobs; the contents of the blobs still have to be indexed. Damage inside the
    /// blobs is reported and kept; an error is one outside of them.
    pub(in crate::satisfactory::codec) fn read<'a>(
        reader: &mut ByteReader<'a>,
        scope: &Scope,
        shape: &Shape,
        name: Option<Str>,
        report: &mut Report,
    ) -> Result<(Self, Blobs<'a>)> {
        let mut level = Self {
            name,
            ..Self::default()
        };
        let mut contents = shape
            .blob(reader, &mut level.oddities.stated_contents_size)
            .field("contents")?;
        if shape.sizes == Sizes::None {
            // Only the headers themselves show where the data begins.
            level.read_headers(&mut contents, shape, scope.budget(), report);
            *reader = contents.clone();
            if level.oddities.contents_rest.is_empty() && level.oddities.header_count.is_right() {
                let mut data = reader.clone();
                level.read_data(&mut data, shape, scope.budget(), report);
                *reader = data;
                if level.oddities.data_rest.is_empty() {
                    level.destroyed =
                        Some(Destroyed::read(reader, scope, false).field("destroyed")?);
                }
            } else {
                level.oddities.data_count = Stated::Absent;
            }
            return Ok((level, Blobs::default()));
        }
        let cut = level.oddities.stated_contents_size.is_some();
        if cut || reader.is_empty() {
            level.oddities.lacks_data = true;
            level.oddities.data_count = Stated::Absent;
            report.lost(
                "cut",
                &level.named(
                    Error::invalid("the data ends in the table of contents").at(reader.place()),
                ),
            );
            return Ok((level, Blobs::new(contents, None)));
        }
        let data = shape
            .blob(reader, &mut level.oddities.stated_data_size)
            .field("data")?;
        if level.oddities.stated_data_size.is_some() {
            report.lost(
                "cut",
                &level.named(
                    Error::invalid("the file ends in the data of the objects").at(reader.place()),
                ),
            );
        } else if !shape.is_blueprint {
            if shape.is_streaming && shape.file_version >= 51 {
                level.save_version = Some(reader.i32().field("save_version")?);
            }
            level.destroyed =
                Some(Destroyed::read(reader, scope, shape.by_level()).field("destroyed")?);
            if shape.is_streaming && shape.file_version >= VERSION_DATA_SINCE {
                level.versions = Some(OptionalVersions::read(reader, scope).field("versions")?);
            }
        }
        Ok((level, Blobs::new(contents, Some(data))))
    }

    /// Writes the level; `store` holds the objects that are not decoded.
    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
        shape: &Shape,
        store: Store<'_>,
    ) -> Result<()> {
        let Self {
            name: _,
            objects,
            destroyed_in_contents,
            save_version,
            destroyed,
            versions,
            oddities,
        } = self;
        let (frame, has_flags) = shape.frame(self);
        shape
            .write_blob(writer, oddities.stated_contents_size, |writer| {
                oddities
                    .header_count
                    .write(writer, "a number of objects", objects.len())?;
                write_entries(objects, writer, |entry, writer, scope| match entry {
                    Entry::Packed { header, .. } | Entry::Listed { header, .. } => {
                        writer.bytes(header.of(store.bytes));
                        Ok(())
                    }
                    Entry::Loaded(object) if object.header.flags.is_some() != has_flags => Err(
                        Error::unwritable("an object's flags do not fit the level's version"),
                    ),
                    Entry::Loaded(object) => object.header.write(writer, scope),
                })?;
                if let Some(destroyed) = destroyed_in_contents {
                    destroyed.write(writer, scope)?;
                }
                writer.bytes(&oddities.contents_rest.0);
                Ok(())
            })
            .field("headers")?;
        if oddities.lacks_data {
            return Ok(());
        }
        shape
            .write_blob(writer, oddities.stated_data_size, |writer| {
                let count = objects.iter().filter(|entry| entry.has_data()).count();
                oddities
                    .data_count
                    .write(writer, "a number of objects", count)?;
                write_entries(objects, writer, |entry, writer, scope| {
                    match entry {
                        Entry::Packed { data, .. } => writer.bytes(data.of(store.bytes)),
                        Entry::Listed { blob, number, .. } => {
                            writer.bytes(store.listed(*blob, *number)?.0.rest());
                        }
                        Entry::Loaded(object) => {
                            if let Some(data) = &object.data {
                                frame.write(data, writer, scope)?;
                            }
                        }
                    }
                    Ok(())
                })?;
                writer.bytes(&oddities.data_rest.0);
                Ok(())
            })
            .field("data")?;
        if let Some(version) = save_version {
            writer.i32(*version);
        }
        if let Some(destroyed) = destroyed {
            destroyed.write(writer, scope).field("destroyed")?;
        }
        if let Some(versions) = versions {
            versions.write(writer, scope).field("versions")?;
        }
        Ok(())
    }
}
