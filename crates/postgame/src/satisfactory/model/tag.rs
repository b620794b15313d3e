//! The tag before a value: what the property is called, its type, and whatever else it says.

use super::basic::Id16;
use super::habits::{Known, Pattern, Spot};
use super::names::Site;
use super::property::{Extra, flag};
use super::scope::Scope;
use super::strings::Str;
use super::types::{Kind, Type};
use super::value::Value;
use crate::error::{Error, Result};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::record::Wire as _;

/// A tag that was read.
pub(super) struct Tag {
    pub name: Str,
    pub ty: Type,
    /// How long the value is.
    pub size: i32,
    pub index: i32,
    /// What the new form of tag says; 0 in the old form.
    pub flags: u8,
    /// The value of a boolean, which is in its tag.
    pub bool_value: u8,
    pub extra: Option<Box<Extra>>,
    /// Where the next tag stands.
    pub after: Spot,
    /// Where the first tag in the value stands, if it is made of properties.
    pub inside: Spot,
}

/// Size and index are in the middle of an old tag.
const SIZE_AND_INDEX: usize = 8;

#[cold]
fn named(error: Error, name: &Str) -> Error {
    error.in_named(name.to_str())
}

/// What `reader` has read since it had this rest.
fn read_since<'a>(start: &'a [u8], reader: &ByteReader<'_>) -> &'a [u8] {
    start
        .get(..start.len().saturating_sub(reader.left()))
        .unwrap_or_default()
}

impl Tag {
    /// Reads a tag in the form of the versions in force.
    #[inline]
    pub fn read(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<Self> {
        if scope.versions().has_type_trees() {
            Self::read_new(reader, scope, spot)
        } else {
            Self::read_old(reader, scope, spot)
        }
    }

    fn read_new(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<Self> {
        let start = reader.rest();
        let guess = scope.habits.borrow_mut().guess(start, spot, 0);
        let known = match guess {
            Some((known, [length, _])) => {
                reader.bytes(length)?;
                known
            }
            None => {
                let name = scope.intern(Str::skip(reader)?, Site::Other);
                let ty = Type::read(reader, scope).map_err(|error| named(error, &name))?;
                let pattern = Pattern {
                    head: read_since(start, reader),
                    gap: 0,
                    types: &[],
                };
                scope.habits.borrow_mut().learn(spot, name, ty, pattern)
            }
        };
        let mut tag = Self::new(known);
        match tag.read_new_rest(reader) {
            Ok(()) => Ok(tag),
            Err(error) => Err(named(error, &tag.name)),
        }
    }

    /// Size and flags, and what those announce.
    fn read_new_rest(&mut self, reader: &mut ByteReader<'_>) -> Result<()> {
        self.size = reader.i32()?;
        self.flags = reader.u8()?;
        if self.flags & flag::INDEX != 0 {
            self.index = reader.i32()?;
        }
        if self.flags & flag::ID != 0 {
            self.extra().id = Some(Id16(reader.array()?));
        }
        if self.flags & flag::EXTENSIONS != 0 {
            // Of the extensions one has contents: an operation and a boolean.
            let extensions = reader.rest().first();
            let has_contents = extensions.is_some_and(|extensions| extensions & 2 != 0);
            self.extra().extensions = Some(reader.bytes(if has_contents { 6 } else { 1 })?.into());
        }
        self.bool_value = u8::from(self.flags & flag::TRUE != 0);
        Ok(())
    }

    fn read_old(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<Self> {
        let guess = scope
            .habits
            .borrow_mut()
            .guess(reader.rest(), spot, SIZE_AND_INDEX);
        let mut tag = match guess {
            Some((known, [head, types])) => {
                let mut tag = Self::new(known);
                reader.bytes(head)?;
                (tag.size, tag.index) = (reader.i32()?, reader.i32()?);
                reader.bytes(types)?;
                tag
            }
            None => {
                let start = reader.rest();
                let name = scope.intern(Str::skip(reader)?, Site::Other);
                let tag = Self::read_old_types(reader, scope, spot, start, name.clone());
                tag.map_err(|error| named(error, &name))?
            }
        };
        match tag.read_old_rest(reader) {
            Ok(()) => Ok(tag),
            Err(error) => Err(named(error, &tag.name)),
        }
    }

    /// What follows the name, up to the names of the types; the tag began at `start`.
    fn read_old_types(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        spot: Spot,
        start: &[u8],
        name: Str,
    ) -> Result<Self> {
        let type_name = Str::read(reader, scope)?;
        let head = read_since(start, reader);
        let (size, index) = (reader.i32()?, reader.i32()?);
        let start = reader.rest();
        let ty = read_type_names(reader, scope, &type_name)?;
        let pattern = Pattern {
            head,
            gap: SIZE_AND_INDEX,
            types: read_since(start, reader),
        };
        let known = scope.habits.borrow_mut().learn(spot, name, ty, pattern);
        Ok(Self {
            size,
            index,
            ..Self::new(known)
        })
    }

    /// What follows the names of the types.
    #[inline]
    fn read_old_rest(&mut self, reader: &mut ByteReader<'_>) -> Result<()> {
        match self.ty.kind() {
            Kind::Struct => {
                let id: [u8; 16] = reader.array()?;
                if id != [0; 16] {
                    self.extra().struct_id = Some(Id16(id));
                }
            }
            Kind::Bool => self.bool_value = reader.u8()?,
            _ => {}
        }
        match reader.u8()? {
            0 => {}
            1 => self.extra().id = Some(Id16(reader.array()?)),
            other => {
                return Err(reader.invalid(format!("a property's id is announced by {other}")));
            }
        }
        Ok(())
    }

    #[inline]
    fn new(known: Known) -> Self {
        let Known {
            name,
            ty,
            after,
            inside,
        } = known;
        Self {
            name,
            ty,
            size: 0,
            index: 0,
            flags: 0,
            bool_value: 0,
            extra: None,
            after,
            inside,
        }
    }

    fn extra(&mut self) -> &mut Extra {
        self.extra.get_or_insert_default()
    }
}

/// The names of the types that a type of this name is made of, as the old form of tag has them.
fn read_type_names(reader: &mut ByteReader<'_>, scope: &Scope, name: &Str) -> Result<Type> {
    let plain = scope.plain_type(name, None, None);
    Ok(match plain.kind() {
        Kind::Struct | Kind::Byte | Kind::Array | Kind::Set => {
            let inner = Str::read(reader, scope)?;
            scope.plain_type(name, Some(&inner), None)
        }
        Kind::Str if name.is("EnumProperty") => {
            let inner = Str::read(reader, scope)?;
            scope.plain_type(name, Some(&inner), None)
        }
        Kind::Map => {
            let (key, value) = (Str::read(reader, scope)?, Str::read(reader, scope)?);
            scope.plain_type(name, Some(&key), Some(&value))
        }
        _ => plain,
    })
}

/// What the old form of tag says after size and index.
pub(super) fn write_old_type(
    writer: &mut ByteWriter,
    ty: &Type,
    value: &Value,
    id: Option<Id16>,
) -> Result<()> {
    match ty.kind() {
        Kind::Struct => {
            writer.bytes(ty.part_name(0)?.encoded());
            writer.bytes(&id.unwrap_or_default().0);
        }
        Kind::Bool => writer.u8(match value {
            Value::Bool(value) => *value,
            _ => return Err(Error::unwritable("a boolean property has another value")),
        }),
        Kind::Byte | Kind::Array | Kind::Set => writer.bytes(ty.part_name(0)?.encoded()),
        Kind::Str if ty.name().is("EnumProperty") => writer.bytes(ty.part_name(0)?.encoded()),
        Kind::Map => {
            writer.bytes(ty.part_name(0)?.encoded());
            writer.bytes(ty.part_name(1)?.encoded());
        }
        _ => {}
    }
    Ok(())
}

pub(super) fn write_old_id(writer: &mut ByteWriter, id: Option<Id16>) {
    writer.u8(u8::from(id.is_some()));
    if let Some(Id16(id)) = id {
        writer.bytes(&id);
    }
}
