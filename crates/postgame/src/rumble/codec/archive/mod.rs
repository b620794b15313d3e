//! The ZIP archive of the second generation, kept byte for byte.
//!
//! No ZIP library writes an archive back unchanged: each chooses its own flags, times and order. So the few records are
//! defined here; the contents of entries are the concern of [`Packed`](crate::rumble::model::Packed) and the model.
//!
//! - `records`: the headers, the directory and its end
//! - `entry`: an entry's contents
//! - `read`: reading an archive, also a damaged one
//! - `check`: findings

mod check;
mod entry;
mod read;
mod records;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::report::Report;
use crate::wire::bytes::ByteWriter;
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, record};
use crate::wire::strings::Text;

const LOCAL: &[u8; 4] = b"PK\x03\x04";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";

/// Compression methods.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Flag bit: sizes and checksum come after the data, not in the local header.
const SIZES_AFTER: u16 = 1 << 3;

/// Flag bit: the data is encrypted.
const ENCRYPTED: u16 = 1;

record! {
    /// The properties of an entry that are stored both before its data and in the directory.
    #[derive(Eq)]
    pub struct Facts: LittleBytes {
        /// The ZIP version needed to read it.
        pub version_needed: u16,
        /// See the ZIP specification.
        pub flags: u16,
        /// 0 stored, 8 deflated.
        pub method: u16,
        /// MS-DOS time.
        pub time: u16,
        /// MS-DOS date.
        pub date: u16,
        /// CRC-32 of the contents.
        pub crc32: u32,
        /// Size of the data in the archive.
        pub compressed_size: u32,
        /// Size of the contents.
        pub size: u32,
    }
}

/// The local header, before an entry's data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalHeader {
    /// The shared properties.
    pub facts: Facts,
    /// The entry's name.
    pub name: Text,
    /// Extra fields of the writer.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub extra: Bytes,
}

/// An entry's record in the directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectoryEntry {
    /// The ZIP version and system that wrote it.
    pub version_made_by: u16,
    /// The shared properties.
    pub facts: Facts,
    /// The entry's name.
    pub name: Text,
    /// Extra fields of the writer.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub extra: Bytes,
    /// A comment.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub comment: Text,
    /// The disk the entry is on.
    pub disk: u16,
    /// Text or binary.
    pub internal_attributes: u16,
    /// The file's attributes.
    pub external_attributes: u32,
}

/// A file in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The local header.
    pub header: LocalHeader,
    /// Its data as stored in the archive.
    pub data: Bytes,
    /// The bytes between its data and the next record: sizes and checksum, if they were not known in advance.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub after: Bytes,
    /// The entry's record in the directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<DirectoryEntry>,
    /// Its position in the directory, if that differs from its position in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory_position: Option<usize>,
    /// The offset of its data in the file, for messages.
    #[serde(skip)]
    pub data_offset: u64,
}

/// The end-of-directory record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The bytes between the directory and its end record.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub before: Bytes,
    /// This disk, and the disk on which the directory begins.
    pub disks: [u16; 2],
    /// The number of entries on this disk, if it is not the number of all entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_entries_on_disk: Option<u16>,
    /// The stated size of the directory, if its entries take another size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_size: Option<u32>,
    /// A comment.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub comment: Text,
    /// The bytes after the archive.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub after: Bytes,
}

/// A ZIP archive, as the file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// The bytes before the first entry.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub before: Bytes,
    /// The entries, in the order of their data.
    pub entries: Vec<Entry>,
    /// The end-of-directory record; `None` if the file is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// True when the bytes start like a ZIP archive.
pub fn looks_like_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL)
}

/// True when the archive has an entry of this name; also works on a cut archive.
pub fn mentions(bytes: &[u8], name: &str) -> bool {
    let mut ignored = Report::default();
    Archive::read(bytes, &mut ignored).is_ok_and(|archive| archive.find(name).is_some())
}

impl Default for Archive {
    fn default() -> Self {
        Self::new()
    }
}

impl Archive {
    /// An archive without entries.
    pub fn new() -> Self {
        Self {
            before: Bytes::default(),
            entries: Vec::new(),
            end: Some(End::default()),
        }
    }

    /// Adds an empty entry, to be filled with [`Entry::replace`]: deflated or stored.
    pub fn add(&mut self, name: &str, deflated: bool) -> &mut Entry {
        let facts = Facts {
            version_needed: 20,
            flags: 0,
            method: if deflated { DEFLATED } else { STORED },
            time: 0,
            // 1 January 1980, the earliest date of the format: 0 would not be a date.
            date: 0x21,
            crc32: 0,
            compressed_size: 0,
            size: 0,
        };
        let header = LocalHeader {
            facts: facts.clone(),
            name: name.into(),
            extra: Bytes::default(),
        };
        let mut entry = Entry {
            header,
            data: Bytes::default(),
            after: Bytes::default(),
            directory: None,
            directory_position: None,
            data_offset: 0,
        };
        entry.list();
        self.entries.push(entry);
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// Writes the archive.
    ///
    /// # Errors
    /// When a part of it is too large for the format.
    pub fn write(&self) -> Result<Vec<u8>> {
        let Self {
            before,
            entries,
            end,
        } = self;
        let mut writer = ByteWriter::new();
        writer.bytes(&before.0);
        let mut directory = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let offset = writer.position();
            entry.header.write(&mut writer)?;
            writer.bytes(&entry.data.0);
            writer.bytes(&entry.after.0);
            if let Some(listed) = &entry.directory {
                directory.push((entry.directory_position.unwrap_or(index), listed, offset));
            }
        }
        if let Some(end) = end {
            directory.sort_by_key(|(position, ..)| *position);
            let start = writer.position();
            for (_, listed, offset) in &directory {
                listed.write(&mut writer, *offset)?;
            }
            let size = writer.position() - start;
            end.write(&mut writer, directory.len(), size, start)?;
        }
        Ok(writer.into_bytes())
    }

    /// The entry with a name, in its own header or else in the directory.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.get(self.position(name)?)
    }

    /// The entry with a name, mutable.
    pub fn find_mut(&mut self, name: &str) -> Option<&mut Entry> {
        let position = self.position(name)?;
        self.entries.get_mut(position)
    }

    fn position(&self, name: &str) -> Option<usize> {
        let is_it = |text: &Text| text.as_bytes() == name.as_bytes();
        let mut entries = self.entries.iter();
        let by_header = entries.position(|entry| is_it(&entry.header.name));
        by_header.or_else(|| {
            let listed = |entry: &Entry| entry.directory.as_ref().map(|one| is_it(&one.name));
            self.entries
                .iter()
                .position(|entry| listed(entry) == Some(true))
        })
    }
}
