//! The tag before a value: the property's name, its type, and further fields.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::satisfactory::codec::decode::habits::{Known, Pattern, Spot};
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::model::basic::Id16;
use crate::satisfactory::codec::model::property::{Extra, Label, flag};
use crate::satisfactory::codec::model::strings::Str;
use crate::satisfactory::codec::model::types::{Kind, Type};
use crate::satisfactory::codec::model::value::Value;
use crate::wire::bytes::{ByteReader, ByteWriter};

/// A decoded tag.
pub(in crate::satisfactory::codec) struct Tag {
    pub label: Arc<Label>,
    /// Length of the value.
    pub size: i32,
    pub index: i32,
    /// The flags of the new tag layout; 0 in the old layout.
    pub flags: u8,
    /// The value of a boolean, which is in its tag.
    pub bool_value: u8,
    pub extra: Option<Box<Extra>>,
    /// The spot of the next tag.
    pub after: Spot,
    /// The spot of the first tag in the value, if the value consists of properties.
    pub inside: Spot,
}

/// Size and index are in the middle of an old tag.
const SIZE_AND_INDEX: usize = 8;

/// Size and flags are at the end of a new tag.
const SIZE_AND_FLAGS: usize = 5;

#[cold]
fn named(error: Error, name: &Str) -> Error {
    error.in_named(name.to_str())
}

/// The bytes that `reader` has read since this rest was taken.
fn read_since<'a>(start: &'a [u8], reader: &ByteReader<'_>) -> &'a [u8] {
    start
        .get(..start.len().saturating_sub(reader.left()))
        .unwrap_or_default()
}

impl Tag {
    /// Reads a tag in the layout of the current versions.
    ///
    /// Inlined, with everything on the common path: the caller usually takes the tag apart at once, and assembling it
    /// in memory takes longer than reading it.
    #[inline(always)]
    pub fn read(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<Self> {
        if scope.versions().has_type_trees() {
            Self::read_new(reader, scope, spot)
        } else {
            Self::read_old(reader, scope, spot)
        }
    }

    #[inline(always)]
    fn read_new(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<Self> {
        let guess = scope.habits.borrow_mut().guess(reader.rest(), spot);
        let (known, size, flags) = match guess {
            Some((known, numbers, after)) => {
                let [a, b, c, d, flags]: [u8; SIZE_AND_FLAGS] = numbers;
                reader.leave(after.len());
                (known, i32::from_le_bytes([a, b, c, d]), flags)
            }
            None => Self::learn_new(reader, scope, spot)?,
        };
        let (mut index, mut extra) = (0, None);
        if flags & (flag::INDEX | flag::ID | flag::EXTENSIONS) != 0 {
            (index, extra) =
                read_announced(reader, flags).map_err(|error| named(error, &known.label.name))?;
        }
        Ok(Self {
            label: known.label,
            size,
            index,
            flags,
            bool_value: u8::from(flags & flag::TRUE != 0),
            extra,
            after: known.after,
            inside: known.inside,
        })
    }

    /// Reads a tag that has not occurred at this spot before, with its size and flags.
    #[cold]
    fn learn_new(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        spot: Spot,
    ) -> Result<(Known, i32, u8)> {
        let start = reader.rest();
        let name = scope.intern(Str::skip(reader)?);
        let ty = Type::read(reader, scope).map_err(|error| named(error, &name))?;
        let pattern = Pattern {
            head: read_since(start, reader),
            gap: SIZE_AND_FLAGS,
            types: &[],
        };
        let (size, flags) = match (reader.i32(), reader.u8()) {
            (Ok(size), Ok(flags)) => (size, flags),
            (Err(error), _) | (_, Err(error)) => return Err(named(error, &name)),
        };
        let known = scope.habits.borrow_mut().learn(spot, name, ty, pattern);
        Ok((known, size, flags))
    }

    #[inline(always)]
    fn read_old(reader: &mut ByteReader<'_>, scope: &Scope, spot: Spot) -> Result<Self> {
        let guess = scope.habits.borrow_mut().guess(reader.rest(), spot);
        let (known, [size, index]) = match guess {
            Some((known, numbers, after)) => {
                let numbers: [u8; SIZE_AND_INDEX] = numbers;
                let numbers = u64::from_le_bytes(numbers);
                reader.leave(after.len());
                (known, [numbers as i32, (numbers >> 32) as i32])
            }
            None => Self::learn_old(reader, scope, spot)?,
        };
        let kind = known.label.ty.kind();
        let (bool_value, extra) = match usual_old_rest(reader.rest(), kind) {
            Some((bool_value, after)) => {
                reader.leave(after.len());
                (bool_value, None)
            }
            None => read_old_rest(reader, kind).map_err(|error| named(error, &known.label.name))?,
        };
        Ok(Self {
            label: known.label,
            size,
            index,
            flags: 0,
            bool_value,
            extra,
            after: known.after,
            inside: known.inside,
        })
    }

    /// Reads a tag that has not occurred at this spot before, up to the names of its types; also returns its size and
    /// index.
    #[cold]
    fn learn_old(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        spot: Spot,
    ) -> Result<(Known, [i32; 2])> {
        let start = reader.rest();
        let name = scope.intern(Str::skip(reader)?);
        let mut types = || -> Result<_> {
            let type_name = scope.intern(Str::skip(reader)?);
            let head = read_since(start, reader);
            let numbers = [reader.i32()?, reader.i32()?];
            let start = reader.rest();
            let ty = read_type_names(reader, scope, &type_name)?;
            let pattern = Pattern {
                head,
                gap: SIZE_AND_INDEX,
                types: read_since(start, reader),
            };
            Ok((ty, numbers, pattern))
        };
        let (ty, numbers, pattern) = types().map_err(|error| named(error, &name))?;
        let known = scope.habits.borrow_mut().learn(spot, name, ty, pattern);
        Ok((known, numbers))
    }
}

/// The fields announced by the flags of a new tag: an index, and rare fields.
#[cold]
fn read_announced(reader: &mut ByteReader<'_>, flags: u8) -> Result<(i32, Option<Box<Extra>>)> {
    let (mut index, mut extra) = (0, Extra::default());
    if flags & flag::INDEX != 0 {
        index = reader.i32()?;
    }
    if flags & flag::ID != 0 {
        extra.id = Some(Id16(reader.array()?));
    }
    if flags & flag::EXTENSIONS != 0 {
        // One of the extensions has contents: an operation and a boolean.
        let extensions = reader.rest().first();
        let has_contents = extensions.is_some_and(|extensions| extensions & 2 != 0);
        extra.extensions = Some(reader.bytes(if has_contents { 6 } else { 1 })?.into());
    }
    let has_extra = flags & (flag::ID | flag::EXTENSIONS) != 0;
    Ok((index, has_extra.then(|| Box::new(extra))))
}

/// The fields after the names of an old tag's types if there are no rare fields: a boolean's value, and the end of the
/// tag.
#[inline(always)]
fn usual_old_rest(rest: &[u8], kind: Kind) -> Option<(u8, &[u8])> {
    /// No structure id and no property id.
    const NO_IDS: [u8; 17] = [0; 17];
    match (kind, rest) {
        (Kind::Struct, _) => {
            let (ids, after) = rest.split_first_chunk()?;
            (*ids == NO_IDS).then_some((0, after))
        }
        (Kind::Bool, &[value, 0, ref after @ ..]) => Some((value, after)),
        (Kind::Bool, _) => None,
        (_, [0, after @ ..]) => Some((0, after)),
        _ => None,
    }
}

/// The fields after the names of an old tag's types: a boolean's value, and rare fields.
#[cold]
fn read_old_rest(reader: &mut ByteReader<'_>, kind: Kind) -> Result<(u8, Option<Box<Extra>>)> {
    let (mut bool_value, mut extra) = (0, None);
    match kind {
        Kind::Struct => {
            let id: [u8; 16] = reader.array()?;
            if id != [0; 16] {
                let struct_id = Some(Id16(id));
                extra = Some(Box::new(Extra {
                    struct_id,
                    ..Extra::default()
                }));
            }
        }
        Kind::Bool => bool_value = reader.u8()?,
        _ => {}
    }
    match reader.u8()? {
        0 => {}
        1 => extra.get_or_insert_default().id = Some(Id16(reader.array()?)),
        other => {
            return Err(reader.invalid(format!("a property's id is announced by {other}")));
        }
    }
    Ok((bool_value, extra))
}

/// The names of a type's inner types, as stored in the old tag layout.
fn read_type_names(reader: &mut ByteReader<'_>, scope: &Scope, name: &Str) -> Result<Type> {
    let plain = scope.plain_type(name, None, None);
    let intern =
        |reader: &mut ByteReader<'_>| -> Result<Str> { Ok(scope.intern(Str::skip(reader)?)) };
    Ok(match plain.kind() {
        Kind::Struct | Kind::Byte | Kind::Array | Kind::Set => {
            let inner = intern(reader)?;
            scope.plain_type(name, Some(&inner), None)
        }
        Kind::Str if name.is("EnumProperty") => {
            let inner = intern(reader)?;
            scope.plain_type(name, Some(&inner), None)
        }
        Kind::Map => {
            let (key, value) = (intern(reader)?, intern(reader)?);
            scope.plain_type(name, Some(&key), Some(&value))
        }
        _ => plain,
    })
}

/// The part of an old tag after size and index.
pub(in crate::satisfactory::codec) fn write_old_type(
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

pub(in crate::satisfactory::codec) fn write_old_id(writer: &mut ByteWriter, id: Option<Id16>) {
    writer.u8(u8::from(id.is_some()));
    if let Some(Id16(id)) = id {
        writer.bytes(&id);
    }
}
