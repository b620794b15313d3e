//! Structures: lists of properties, and those with their own binary layout.

use serde::{Deserialize, Serialize};

use super::basic::{Id16, Reals, Ref, SoftPath};
use super::ids::{ClientIdentity, NetId, PlayerInfo};
use super::items::Item;
use super::networks::Trace;
use super::property::Properties;
use super::types::Type;
use crate::error::Result;
use crate::limits::Charge as _;
use crate::satisfactory::codec::decode::habits::Spot;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::tables::Layout;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire, record};

/// A structure's contents; its name decides the variant (`data/satisfactory/structs.tsv`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Struct {
    /// A list of properties, as in most structures.
    Properties(Properties),
    /// Two components.
    Real2(Reals<2>),
    /// Three components: a vector, or pitch, yaw and roll.
    Real3(Reals<3>),
    /// Four components: a quaternion or a vector.
    Real4(Box<Reals<4>>),
    /// Single-precision numbers in every version: a colour, a fluid's amount.
    Floats(#[serde(with = "crate::wire::json")] Vec<f32>),
    /// Integers of four bytes.
    Ints(Vec<i32>),
    /// Integers of eight bytes: a time, a range of frames.
    Longs(Vec<i64>),
    /// Single bytes: blue, green, red, alpha.
    Bytes(Vec<u8>),
    /// A GUID.
    Id(Id16),
    /// A box.
    Box(Box<Bounds>),
    /// A box of single precision in every version.
    FloatBox(Box<FloatBounds>),
    /// An item.
    Item(Box<Item>),
    /// A position on a railway.
    Track(Box<TrackPlace>),
    /// A path.
    Path(Box<SoftPath>),
    /// A player's accounts.
    Client(Box<ClientIdentity>),
    /// An id in an online service.
    NetId(Box<NetId>),
    /// The index of a player.
    Player(PlayerInfo),
    /// An object of a mod's network and the way to it.
    Trace(Box<Trace>),
    /// Bytes in an unknown layout.
    Raw(Bytes),
}

record! {
    /// A box in space.
    pub struct Bounds: LittleBytes(scope: Scope) {
        /// The lower corner.
        pub min: Reals<3>,
        /// The upper corner.
        pub max: Reals<3>,
        /// Whether it is valid.
        pub is_valid: u8,
    }
}

record! {
    /// A box in space, in single precision.
    pub struct FloatBounds: LittleBytes(scope: Scope) {
        /// The lower corner.
        pub min: [f32; 3],
        /// The upper corner.
        pub max: [f32; 3],
        /// Whether it is valid.
        pub is_valid: u8,
    }
}

record! {
    /// A position on a railway.
    pub struct TrackPlace: LittleBytes(scope: Scope) {
        /// The track.
        pub track: Ref,
        /// Distance along it.
        pub offset: f32,
        /// The forward direction.
        pub forward: f32,
    }
}

fn numbers<T: Wire<LittleBytes, Scope>>(
    reader: &mut ByteReader<'_>,
    count: u8,
    scope: &Scope,
) -> Result<Vec<T>> {
    (0..count).map(|_| T::read(reader, scope)).collect()
}

impl Struct {
    /// Reads a structure. `is_native` is the layout flag of a new tag; old tags do not have it. If the structure
    /// consists of properties, the first tag is at `inside`.
    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        name: &Type,
        is_native: Option<bool>,
        scope: &Scope,
        inside: Spot,
    ) -> Result<Self> {
        /// Maximum memory of the contents of a boxed variant, in bytes.
        const BOX_BYTES: usize = 96;
        scope.charge(BOX_BYTES)?;
        let layout = match (name.layout(), is_native) {
            (Some(layout), None | Some(true)) => layout,
            (None, Some(true)) => Layout::Raw,
            _ => return Properties::read(reader, scope, name.name(), inside).map(Self::Properties),
        };
        Ok(match layout {
            Layout::Real2 => Self::Real2(Reals::read(reader, scope)?),
            Layout::Real3 => Self::Real3(Reals::read(reader, scope)?),
            Layout::Real4 => Self::Real4(Box::new(Reals::read(reader, scope)?)),
            Layout::Floats(count) => Self::Floats(numbers(reader, count, scope)?),
            Layout::Ints(count) => Self::Ints(numbers(reader, count, scope)?),
            Layout::Longs(count) => Self::Longs(numbers(reader, count, scope)?),
            Layout::Bytes(count) => Self::Bytes(reader.bytes(count.into())?.to_vec()),
            Layout::Id => Self::Id(Id16::read(reader, scope)?),
            Layout::Box => Self::Box(Box::new(Bounds::read(reader, scope)?)),
            Layout::FloatBox => Self::FloatBox(Box::new(FloatBounds::read(reader, scope)?)),
            Layout::Item => Self::Item(Box::new(Item::read(reader, scope)?)),
            Layout::Track => Self::Track(Box::new(TrackPlace::read(reader, scope)?)),
            Layout::Path => Self::Path(Box::new(SoftPath::read(reader, scope)?)),
            Layout::Client => Self::Client(Box::new(ClientIdentity::read(reader, scope)?)),
            Layout::NetId => Self::NetId(Box::new(NetId::read(reader, scope)?)),
            Layout::Player => Self::Player(PlayerInfo::read(reader, scope)?),
            Layout::Trace => Self::Trace(Box::new(Trace::read(reader, scope)?)),
            Layout::Raw => Self::Raw(reader.bytes(reader.left())?.into()),
        })
    }

    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
        fn all<T: Wire<LittleBytes, Scope>>(
            values: &[T],
            writer: &mut ByteWriter,
            scope: &Scope,
        ) -> Result<()> {
            values
                .iter()
                .try_for_each(|value| value.write(writer, scope))
        }
        match self {
            Self::Properties(value) => value.write(writer, scope),
            Self::Real2(value) => value.write(writer, scope),
            Self::Real3(value) => value.write(writer, scope),
            Self::Real4(value) => value.write(writer, scope),
            Self::Floats(values) => all(values, writer, scope),
            Self::Ints(values) => all(values, writer, scope),
            Self::Longs(values) => all(values, writer, scope),
            Self::Bytes(values) => {
                writer.bytes(values);
                Ok(())
            }
            Self::Id(value) => value.write(writer, scope),
            Self::Box(value) => value.write(writer, scope),
            Self::FloatBox(value) => value.write(writer, scope),
            Self::Item(value) => value.write(writer, scope),
            Self::Track(value) => value.write(writer, scope),
            Self::Path(value) => value.write(writer, scope),
            Self::Client(value) => value.write(writer, scope),
            Self::NetId(value) => value.write(writer, scope),
            Self::Player(value) => value.write(writer, scope),
            Self::Trace(value) => value.write(writer, scope),
            Self::Raw(bytes) => {
                writer.bytes(&bytes.0);
                Ok(())
            }
        }
    }

    /// Its properties, if it is a list of properties.
    pub fn properties(&self) -> Option<&Properties> {
        match self {
            Self::Properties(properties) => Some(properties),
            _ => None,
        }
    }

    /// Its properties, to change them.
    pub fn properties_mut(&mut self) -> Option<&mut Properties> {
        match self {
            Self::Properties(properties) => Some(properties),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::property::Property;
    use super::super::value::Value;
    use super::*;

    /// A save has a million of them.
    #[test]
    fn what_there_is_much_of_is_small() {
        assert_eq!(size_of::<Struct>(), 32);
        assert_eq!(size_of::<Value>(), 32);
        assert_eq!(size_of::<Property>(), 56);
    }
}
