//! Ids of players.

use serde::{Deserialize, Serialize};

use super::basic::{ByteList, Pairs};
use super::strings::Str;
use crate::error::{Context as _, Result};
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};
use crate::wire::record::{LittleBytes, Wire, record};

/// An id in an online service, in the form Unreal sends over the network.
///
/// The lowest bit of the flags marks an encoded id, the next one an empty id, and the upper five select the service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetId {
    /// The encoding and the service.
    pub flags: u8,
    /// The service, for services newer than the five bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<u8>,
    /// The name of a service without a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_name: Option<Str>,
    /// The id as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Str>,
    /// The id as bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
}

impl NetId {
    const SECOND_VERSION: u8 = 30;
    const NAMED: u8 = 31;

    fn is_encoded(&self) -> bool {
        self.flags & 1 != 0
    }

    fn is_empty(&self) -> bool {
        self.is_encoded() && self.flags & 2 != 0
    }

    fn is_second_version(&self) -> bool {
        self.is_encoded() && self.flags >> 3 == Self::SECOND_VERSION
    }
}

impl Wire<LittleBytes, Scope> for NetId {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let flags = reader.u8().field("flags")?;
        let mut id = Self {
            flags,
            service: None,
            service_name: None,
            text: None,
            bytes: None,
        };
        if id.is_empty() {
            return Ok(id);
        }
        if id.is_second_version() {
            id.service = Some(reader.u8().field("service")?);
            id.bytes = Some(ByteList::read(reader, scope).field("bytes")?.0);
            return Ok(id);
        }
        if flags >> 3 == Self::NAMED {
            id.service_name = Some(Str::read(reader, scope).field("service_name")?);
        }
        if flags >> 3 != 0 {
            if id.is_encoded() {
                let size = reader.u8().field("bytes")?;
                id.bytes = Some(reader.bytes(size.into()).field("bytes")?.into());
            } else {
                id.text = Some(Str::read(reader, scope).field("text")?);
            }
        }
        Ok(id)
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        let Self {
            flags,
            service,
            service_name,
            text,
            bytes,
        } = self;
        writer.u8(*flags);
        if let Some(service) = service {
            writer.u8(*service);
        }
        if let Some(name) = service_name {
            name.write(writer, scope)?;
        }
        if let Some(text) = text {
            text.write(writer, scope)?;
        }
        if let Some(bytes) = bytes {
            if self.is_second_version() {
                writer.count("an id's size", bytes.0.len())?;
            } else {
                let size = u8::try_from(bytes.0.len());
                writer
                    .u8(size
                        .map_err(|_| crate::Error::unwritable("an id has more than 255 bytes"))?);
            }
            writer.bytes(&bytes.0);
        }
        Ok(())
    }
}

json_by_serde!(NetId);

record! {
    /// A player's accounts.
    pub struct ClientIdentity: LittleBytes(scope: Scope) {
        /// The id without any service.
        pub offline_id: Str,
        /// The account ids, by service.
        pub accounts: Pairs<u8, ByteList>,
    }
}

record! {
    /// A player, by index into the save's list of players.
    pub struct PlayerInfo: LittleBytes(scope: Scope) {
        /// The online service.
        pub service: u8,
        /// The index, before save version 57.
        pub short_index: Option<u8> where scope.versions().save < 57,
        /// The index.
        pub index: Option<i32> where scope.versions().save >= 57,
        /// The service, repeated, in save version 57.
        pub service_again: Option<u8> where scope.versions().save == 57,
        /// The index, repeated, in save version 57.
        pub index_again: Option<i32> where scope.versions().save == 57,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_id_seen_is_read_to_its_end() {
        let forms: [&[u8]; 6] = [
            &[241, 6, 2, 0, 0, 0, 7, 8],
            b"\xf8\x05\0\0\0EPIC\0\x03\0\0\0ab\0",
            &[25, 3, 1, 2, 3],
            &[29, 1, 9],
            b"\x08\x03\0\0\0ab\0",
            &[3],
        ];
        for data in forms {
            let mut reader = ByteReader::new(data);
            let id = NetId::read(&mut reader, &Scope::default()).unwrap();
            assert!(reader.is_empty(), "{id:?}");
            let mut writer = ByteWriter::new();
            id.write(&mut writer, &Scope::default()).unwrap();
            assert_eq!(writer.as_bytes(), data);
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(serde_json::from_str::<NetId>(&json).unwrap(), id);
        }
    }
}
