//! Items, and structures that name their own type.

use serde::{Deserialize, Serialize};

use super::basic::{Bool32, Ref};
use super::property::Properties;
use crate::error::{Context as _, Error, Result};
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{LittleBytes, Wire, record};

/// An optional structure that names its own type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DynamicStruct {
    /// Whether it is present.
    pub is_valid: Bool32,
    /// Its type and contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<Box<(Ref, Payload)>>,
}

/// The contents of a dynamic structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Properties.
    Properties(Properties),
    /// Bytes in an unknown layout.
    Raw(Bytes),
}

impl Wire<LittleBytes, Scope> for DynamicStruct {
    #[inline]
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let is_valid = Bool32::read(reader, scope).field("is_valid")?;
        if !is_valid.is_set() {
            return Ok(Self {
                is_valid,
                contents: None,
            });
        }
        let script = Ref::read(reader, scope).field("script")?;
        let size = reader.count("a structure's size", 1)?;
        let data = reader.sub(size)?;
        let mut inner = data.clone();
        let (name, class) = scope.class(script.path.encoded());
        let read = scope.deeper(|| Properties::read(&mut inner, scope, &name, class.first));
        let payload = match read {
            Ok(properties) if inner.is_empty() => Payload::Properties(properties),
            _ => Payload::Raw(data.rest().into()),
        };
        Ok(Self {
            is_valid,
            contents: Some(Box::new((script, payload))),
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        self.is_valid.write(writer, scope)?;
        let (true, Some(contents)) = (self.is_valid.is_set(), &self.contents) else {
            if self.is_valid.is_set() != self.contents.is_some() {
                return Err(Error::unwritable(
                    "a structure's contents do not match its flag",
                ));
            }
            return Ok(());
        };
        let (script, payload) = &**contents;
        script.write(writer, scope)?;
        sized(writer, |writer| match payload {
            Payload::Properties(properties) => properties.write(writer, scope),
            Payload::Raw(bytes) => {
                writer.bytes(&bytes.0);
                Ok(())
            }
        })
    }
}

json_by_serde!(DynamicStruct);

/// Writes a value preceded by its size in bytes.
pub(in crate::satisfactory::codec) fn sized(
    writer: &mut ByteWriter,
    write: impl FnOnce(&mut ByteWriter) -> Result<()>,
) -> Result<()> {
    let start = writer.position();
    writer.i32(0);
    write(writer)?;
    let size = writer.position() - start - 4;
    let size = i32::try_from(size)
        .map_err(|_| Error::unwritable(format!("a size of {size} does not fit into 32 bits")))?;
    writer.patch(start, &size.to_le_bytes());
    Ok(())
}

record! {
    /// An item with its state.
    pub struct Item: LittleBytes(scope: Scope) {
        /// The item's class; none for an empty slot.
        pub class: Ref,
        /// Its state, such as a weapon's ammunition.
        pub state: Option<DynamicStruct> where scope.versions().save >= 43,
        /// The actor that held the state before save version 43.
        pub state_actor: Option<Box<Ref>> where state.is_none(),
    }
}

record! {
    /// An item on a belt.
    pub struct BeltItem: LittleBytes(scope: Scope) {
        /// The item.
        pub item: Item,
        /// Distance along the belt, in centimetres.
        pub offset_cm: f32,
    }
}
