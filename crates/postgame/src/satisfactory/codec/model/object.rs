//! Objects: the header in the table of contents, and the data.

use serde::{Deserialize, Serialize};

use super::basic::{Bool32, Id16, Ref};
use super::property::Properties;
use super::strings::Str;
use super::tail::Tail;
use super::version::VersionData;
use crate::error::{Context as _, Error, Result};
use crate::satisfactory::codec::decode::habits::Class;
use crate::satisfactory::codec::decode::scope::{Scope, Versions};
use crate::satisfactory::tables::TailKind;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{Fixed as _, LittleBytes, Wire, record};

/// An object: its header in the table of contents, and its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// The header.
    pub header: ObjectHeader,
    /// Its data; `None` only in a damaged file that has none for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<ObjectData>,
}

/// The header of an object, from the table of contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectHeader {
    /// Its class.
    pub class: Str,
    /// Its level and name.
    pub reference: Ref,
    /// Unreal's object flags, in levels of save version 49 and later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<u32>,
    /// Further fields, which depend on the kind of object.
    pub kind: ObjectKind,
}

/// The kind of object: an actor is placed in the world, any other object is a component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// An object placed in the world.
    Actor(Placement),
    /// A component of another object.
    Component {
        /// The name of its parent.
        outer: Str,
    },
}

record! {
    /// An actor's transform.
    pub struct Placement: LittleBytes, fixed {
        /// Whether the transform is used.
        pub needs_transform: Bool32,
        /// Its rotation, a quaternion.
        pub rotation: [f32; 4],
        /// Its position, in centimetres.
        pub position_cm: [f32; 3],
        /// Its scale, as a factor.
        pub scale: [f32; 3],
        /// Whether it was placed in the level by the map, not made in the game.
        pub was_placed_in_level: Bool32,
    }
}

impl Placement {
    /// Reads the fixed-size fields with one bounds check.
    #[inline]
    fn read_at_once(reader: &mut ByteReader<'_>) -> Result<Self> {
        match Self::from_bytes(reader.rest()) {
            Some(placement) => {
                reader.seek(reader.position() + Self::BYTES);
                Ok(placement)
            }
            // Too short: reads field by field, so that the error names the missing field.
            None => Self::read(reader, &()),
        }
    }
}

/// The level version from which headers have flags.
pub(in crate::satisfactory::codec) const FLAGS_SINCE: i32 = 49;

impl ObjectHeader {
    /// True for an actor.
    pub fn is_actor(&self) -> bool {
        matches!(self.kind, ObjectKind::Actor(_))
    }

    /// The transform, for an actor.
    pub fn placement(&self) -> Option<&Placement> {
        match &self.kind {
            ObjectKind::Actor(placement) => Some(placement),
            ObjectKind::Component { .. } => None,
        }
    }

    /// Reads a header; also returns everything known about the class.
    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        has_flags: bool,
    ) -> Result<(Self, Class)> {
        let is_actor = Self::read_is_actor(reader)?;
        let (class, known) = scope.class(Str::skip(reader).field("class")?);
        let reference = Ref::read(reader, scope).field("reference")?;
        let flags = if has_flags {
            Some(reader.u32().field("flags")?)
        } else {
            None
        };
        let kind = if is_actor {
            ObjectKind::Actor(Placement::read_at_once(reader)?)
        } else {
            ObjectKind::Component {
                outer: Str::read(reader, scope).field("outer")?,
            }
        };
        let header = Self {
            class,
            reference,
            flags,
            kind,
        };
        Ok((header, known))
    }

    fn read_is_actor(reader: &mut ByteReader<'_>) -> Result<bool> {
        let place = reader.place();
        match reader.u32().field("is_actor")? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Error::invalid(format!("{other} is not a boolean"))
                .at(place)
                .in_field("is_actor")),
        }
    }

    /// Skips a header without reading it.
    pub(in crate::satisfactory::codec) fn skip(
        reader: &mut ByteReader<'_>,
        has_flags: bool,
    ) -> Result<()> {
        let is_actor = Self::read_is_actor(reader)?;
        Str::skip(reader).field("class")?;
        Ref::skip(reader).field("reference")?;
        if has_flags {
            reader.u32().field("flags")?;
        }
        if is_actor {
            reader.bytes(Placement::BYTES).field("placement")?;
        } else {
            Str::skip(reader).field("outer")?;
        }
        Ok(())
    }

    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
        let Self {
            class,
            reference,
            flags,
            kind,
        } = self;
        writer.u32(u32::from(self.is_actor()));
        class.write(writer, scope)?;
        reference.write(writer, scope)?;
        if let Some(flags) = flags {
            writer.u32(*flags);
        }
        match kind {
            ObjectKind::Actor(placement) => placement.write(writer, scope),
            ObjectKind::Component { outer } => outer.write(writer, scope),
        }
    }
}

/// An object's data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectData {
    /// The save version it was last written with, in saves of version 41 and later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub save_version: Option<i32>,
    /// Whether references in it must be migrated to the persistent level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub should_migrate: Option<Bool32>,
    /// The contents.
    pub contents: Contents,
    /// The engine versions it was written with, in saves of version 53 and later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<OptionalVersions>,
}

/// Optional versions: a flag, then the versions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionalVersions {
    /// Whether they are present.
    pub is_set: Bool32,
    /// The versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<std::sync::Arc<VersionData>>,
}

impl OptionalVersions {
    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
    ) -> Result<Self> {
        let is_set = Bool32::read(reader, scope)?;
        let data = if is_set.is_set() {
            Some(VersionData::read(reader, scope)?.into())
        } else {
            None
        };
        Ok(Self { is_set, data })
    }

    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
        self.is_set.write(writer, scope)?;
        self.data
            .iter()
            .try_for_each(|data| data.write(writer, scope))
    }

    pub(in crate::satisfactory::codec) fn unreal(&self) -> Option<i32> {
        self.data.as_ref().map(|data| data.unreal5)
    }
}

/// The contents of an object's data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contents {
    /// Decoded contents.
    Known(Fields),
    /// Bytes that could not be decoded.
    Raw(Bytes),
}

/// The decoded data of an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fields {
    /// The actor's owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Ref>,
    /// An actor's components.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<Ref>>,
    /// The layout of the property list, from Unreal version 1011 on; 0 in every file seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_control: Option<u8>,
    /// The properties; `None` if the data ends before them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Properties>,
    /// Whether an id follows; false in every file seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_id: Option<Bool32>,
    /// The id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id16>,
    /// The fields of the class, stored after the properties.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<Tail>,
    /// The remaining bytes.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub rest: Bytes,
}

impl Fields {
    /// Reads the data of an object into empty fields; `reader` holds exactly that data.
    fn fill(
        &mut self,
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        header: &ObjectHeader,
        class: Class,
    ) -> Result<()> {
        let fields = self;
        if header.is_actor() {
            fields.owner = Some(Ref::read(reader, scope).field("owner")?);
            fields.components = Some(Vec::read(reader, scope).field("components")?);
        }
        if reader.is_empty() {
            return Ok(());
        }
        if scope.versions().has_list_control() {
            fields.list_control = Some(reader.u8().field("list_control")?);
        }
        fields.properties =
            Some(Properties::read(reader, scope, &header.class, class.first).field("properties")?);
        if reader.left() < 4 {
            fields.rest = reader.rest().into();
            return Ok(());
        }
        let has_id = Bool32::read(reader, scope).field("has_id")?;
        fields.has_id = Some(has_id);
        if has_id.is_set() {
            fields.id = Some(Id16::read(reader, scope).field("id")?);
        }
        let mut tail = reader.clone();
        // A panel is a component; everything else with such fields is an actor.
        let kind = class
            .tail
            .filter(|kind| header.is_actor() != (*kind == TailKind::Panel));
        match kind {
            Some(kind) => {
                if let Ok(read) = Tail::read(&mut tail, scope, kind) {
                    fields.tail = Some(read);
                    *reader = tail;
                }
            }
            // There are too many component classes to list; no other object ends like this.
            None if !header.is_actor() && reader.left() == 4 => {
                fields.tail = Some(Tail::Component(reader.i32()?))
            }
            // Mods call their belts and lifts what they like, but they are the game's by their connections.
            None if reader.left() >= 4 && fields.has_belt_connections() => {
                if let Ok(items) = Tail::read(&mut tail, scope, TailKind::Belt)
                    && tail.is_empty()
                {
                    fields.tail = Some(items);
                    *reader = tail;
                }
            }
            None => {}
        }
        fields.rest = reader.rest().into();
        Ok(())
    }

    /// True for an actor with the two connections of a belt or lift.
    fn has_belt_connections(&self) -> bool {
        let components = self.components.iter().flatten();
        let ends = components.filter(|component| {
            let path = component.path.to_str();
            path.ends_with(".ConveyorAny0") || path.ends_with(".ConveyorAny1")
        });
        ends.count() == 2
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        let Self {
            owner,
            components,
            list_control,
            properties,
            has_id,
            id,
            tail,
            rest,
        } = self;
        if let Some(owner) = owner {
            owner.write(writer, scope).field("owner")?;
        }
        if let Some(components) = components {
            components.write(writer, scope).field("components")?;
        }
        if let Some(control) = list_control {
            writer.u8(*control);
        }
        if let Some(properties) = properties {
            properties.write(writer, scope).field("properties")?;
        }
        if let Some(has_id) = has_id {
            has_id.write(writer, scope)?;
        }
        if let Some(id) = id {
            id.write(writer, scope)?;
        }
        if let Some(tail) = tail {
            tail.write(writer, scope).field("tail")?;
        }
        writer.bytes(&rest.0);
        Ok(())
    }
}

/// The fields around an object's data.
#[derive(Clone, Copy, Debug)]
pub(in crate::satisfactory::codec) struct Frame {
    /// Whether its own save version and a flag come before it.
    pub has_version: bool,
    /// The object's save version from which engine versions may follow it.
    pub has_versions: bool,
    /// The versions used if the object has none.
    pub versions: Versions,
}

/// The save version from which objects and levels have engine versions.
pub(in crate::satisfactory::codec) const VERSION_DATA_SINCE: i32 = 53;

impl Frame {
    /// Skips an object's data without reading it.
    pub(in crate::satisfactory::codec) fn skip(&self, reader: &mut ByteReader<'_>) -> Result<()> {
        let mut save_version = None;
        if self.has_version {
            save_version = Some(reader.i32().field("save_version")?);
            reader.u32().field("should_migrate")?;
        }
        let size = reader.count("an object's size", 1)?;
        reader.bytes(size).field("contents")?;
        if self.has_versions && save_version.is_some_and(|version| version >= VERSION_DATA_SINCE) {
            match reader.u32().field("versions")? {
                0 => {}
                _ => {
                    VersionData::read(reader, &Scope::default()).field("versions")?;
                }
            }
        }
        Ok(())
    }

    /// Reads an object. The returned error, if any, is the reason why its contents are raw.
    ///
    /// An object is large, so it is read in place.
    pub(in crate::satisfactory::codec) fn read(
        &self,
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        (header, class): (ObjectHeader, Class),
    ) -> Result<(Box<Object>, Option<Error>)> {
        let (mut save_version, mut should_migrate, mut versions) = (None, None, None);
        if self.has_version {
            save_version = Some(reader.i32().field("save_version")?);
            should_migrate = Some(Bool32::read(reader, scope).field("should_migrate")?);
        }
        let size = reader.count("an object's size", 1)?;
        let contents = reader.sub(size)?;
        if self.has_versions && save_version.is_some_and(|version| version >= VERSION_DATA_SINCE) {
            versions = Some(OptionalVersions::read(reader, scope).field("versions")?);
        }
        scope.enter(self.versions_of(save_version, versions.as_ref()));
        let mut object = Box::new(Object {
            header,
            data: Some(ObjectData {
                save_version,
                should_migrate,
                contents: Contents::Known(Fields::default()),
                versions,
            }),
        });
        let Object { header, data } = &mut *object;
        let mut error = None;
        if let Some(data) = data
            && let Contents::Known(fields) = &mut data.contents
            && let Err(why) = fields.fill(&mut contents.clone(), scope, header, class)
        {
            data.contents = Contents::Raw(contents.rest().into());
            error = Some(why);
        }
        Ok((object, error))
    }

    fn versions_of(&self, save: Option<i32>, own: Option<&OptionalVersions>) -> Versions {
        let unreal = own.and_then(OptionalVersions::unreal);
        Versions {
            save: save.unwrap_or(self.versions.save),
            unreal: unreal.unwrap_or(self.versions.unreal),
        }
    }

    pub(in crate::satisfactory::codec) fn write(
        &self,
        data: &ObjectData,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
        let ObjectData {
            save_version,
            should_migrate,
            contents,
            versions,
        } = data;
        if self.has_version != save_version.is_some()
            || save_version.is_some() != should_migrate.is_some()
        {
            return Err(Error::unwritable(
                "an object's own version does not fit the file's version",
            ));
        }
        if let (Some(version), Some(migrate)) = (save_version, should_migrate) {
            writer.i32(*version);
            migrate.write(writer, scope)?;
        }
        scope.enter(self.versions_of(*save_version, versions.as_ref()));
        super::items::sized(writer, |writer| match contents {
            Contents::Known(fields) => fields.write(writer, scope),
            Contents::Raw(bytes) => {
                writer.bytes(&bytes.0);
                Ok(())
            }
        })?;
        if let Some(versions) = versions {
            versions.write(writer, scope)?;
        }
        Ok(())
    }
}

impl ObjectData {
    /// Its decoded contents, unless it could not be read.
    pub fn fields(&self) -> Option<&Fields> {
        match &self.contents {
            Contents::Known(fields) => Some(fields),
            Contents::Raw(_) => None,
        }
    }

    /// Its decoded contents, mutable.
    pub fn fields_mut(&mut self) -> Option<&mut Fields> {
        match &mut self.contents {
            Contents::Known(fields) => Some(fields),
            Contents::Raw(_) => None,
        }
    }

    /// Its properties, unless it could not be read.
    pub fn properties(&self) -> Option<&Properties> {
        self.fields().and_then(|fields| fields.properties.as_ref())
    }
}
