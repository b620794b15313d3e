//! The ZIP archive of the second generation, kept byte for byte.
//!
//! No ZIP library writes an archive back unchanged: each chooses its own flags, times and order. So the few records are
//! defined here; the contents of entries are the concern of [`Packed`] and the model.

use serde::{Deserialize, Serialize};

use crate::error::{Context as _, Error, Place, Problem, Result, Space};
use crate::limits::{Budget, Limits};
use crate::report::{Report, Severity};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::packed::{Codec, Inflated, Packed};
use crate::wire::record::{LittleBytes, Wire, record};
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

impl LocalHeader {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self> {
        let place = reader.place();
        if reader.array::<4>()? != *LOCAL {
            return Err(Error::invalid("there is no entry here").at(place));
        }
        let facts = Facts::read(reader, &())?;
        let (name, extra) = (reader.u16()?, reader.u16()?);
        let name = Text::from(reader.bytes(name.into()).field("name")?.to_vec());
        let extra = reader.bytes(extra.into()).field("extra")?.into();
        Ok(Self { facts, name, extra })
    }

    fn write(&self, writer: &mut ByteWriter) -> Result<()> {
        let Self { facts, name, extra } = self;
        writer.bytes(LOCAL);
        facts.write(writer, &())?;
        writer.u16(length16(name.as_bytes())?);
        writer.u16(length16(&extra.0)?);
        writer.bytes(name.as_bytes());
        writer.bytes(&extra.0);
        Ok(())
    }
}

impl DirectoryEntry {
    /// Reads the directory record and the stated offset of the entry's header.
    fn read(reader: &mut ByteReader<'_>) -> Result<(Self, u32)> {
        let place = reader.place();
        if reader.array::<4>()? != *CENTRAL {
            return Err(Error::invalid("there is no directory entry here").at(place));
        }
        let version_made_by = reader.u16()?;
        let facts = Facts::read(reader, &())?;
        let (name, extra, comment) = (reader.u16()?, reader.u16()?, reader.u16()?);
        let (disk, internal_attributes) = (reader.u16()?, reader.u16()?);
        let (external_attributes, offset) = (reader.u32()?, reader.u32()?);
        let name = Text::from(reader.bytes(name.into()).field("name")?.to_vec());
        let extra = reader.bytes(extra.into()).field("extra")?.into();
        let comment = Text::from(reader.bytes(comment.into()).field("comment")?.to_vec());
        let entry = Self {
            version_made_by,
            facts,
            name,
            extra,
            comment,
            disk,
            internal_attributes,
            external_attributes,
        };
        Ok((entry, offset))
    }

    fn write(&self, writer: &mut ByteWriter, offset: usize) -> Result<()> {
        let Self {
            version_made_by,
            facts,
            name,
            extra,
            comment,
            disk,
            ..
        } = self;
        writer.bytes(CENTRAL);
        writer.u16(*version_made_by);
        facts.write(writer, &())?;
        writer.u16(length16(name.as_bytes())?);
        writer.u16(length16(&extra.0)?);
        writer.u16(length16(comment.as_bytes())?);
        writer.u16(*disk);
        writer.u16(self.internal_attributes);
        writer.u32(self.external_attributes);
        writer.u32(length32(offset)?);
        writer.bytes(name.as_bytes());
        writer.bytes(&extra.0);
        writer.bytes(comment.as_bytes());
        Ok(())
    }
}

impl Entry {
    /// The offset of its data in the file.
    pub fn place(&self) -> Place {
        Place {
            offset: self.data_offset,
            bit: None,
            space: Space::File,
        }
    }

    /// The directory's properties if there are any: they are valid even if the sizes come after the data.
    fn facts(&self) -> &Facts {
        self.directory
            .as_ref()
            .map_or(&self.header.facts, |directory| &directory.facts)
    }

    /// The contents, decompressed.
    ///
    /// # Errors
    /// When the entry is encrypted, compressed in an unknown way, or larger than the remaining budget.
    pub fn inflate(&self, budget: &Budget) -> Result<Inflated> {
        let facts = self.facts();
        if facts.flags & ENCRYPTED != 0 {
            return Err(Error::unsupported("an encrypted archive entry"));
        }
        match facts.method {
            STORED => {
                budget.charge(self.data.0.len() as u64)?;
                Ok(Inflated {
                    bytes: self.data.0.clone(),
                    broken: None,
                })
            }
            DEFLATED => {
                Codec::Deflate.inflate(&self.data.0, usize::try_from(facts.size).ok(), budget)
            }
            method => Err(Error::unsupported(format!(
                "compression method {method} of the archive"
            ))),
        }
    }

    /// The contents, if they are complete and not larger than `most` bytes.
    ///
    /// # Errors
    /// When the entry is encrypted, compressed in an unknown way, damaged or larger.
    pub fn inflate_at_most(&self, most: usize) -> Result<Vec<u8>> {
        let facts = self.facts();
        let inflated = match facts.method {
            _ if facts.flags & ENCRYPTED != 0 => {
                return Err(Error::unsupported("an encrypted archive entry"));
            }
            // One byte more than allowed, to detect larger contents.
            DEFLATED => Codec::Deflate.inflate_beginning(&self.data.0, most as u64 + 1)?,
            _ if self.data.0.len() <= most => self.inflate(&Budget::new(most as u64))?,
            _ => {
                return Err(Error::too_large(
                    "an entry",
                    self.data.0.len() as u64,
                    most as u64,
                ));
            }
        };
        match inflated.broken {
            Some(error) => Err(error),
            None if inflated.bytes.len() > most => Err(Error::too_large(
                "an entry",
                inflated.bytes.len() as u64,
                most as u64,
            )),
            None => Ok(inflated.bytes),
        }
    }

    /// Copies the local header's properties to the directory record.
    pub fn list(&mut self) {
        self.directory = Some(DirectoryEntry {
            version_made_by: self.header.facts.version_needed,
            facts: self.header.facts.clone(),
            name: self.header.name.clone(),
            extra: Bytes::default(),
            comment: Text::default(),
            disk: 0,
            internal_attributes: 0,
            external_attributes: 0,
        });
    }

    /// True when the contents are stored without compression.
    pub fn is_stored(&self) -> bool {
        self.facts().method == STORED
    }

    /// True when replacing the entry's contents with these would keep its stated sizes and checksum. If they are wrong
    /// or stored elsewhere, [`Self::replace`] would correct them.
    pub fn describes(&self, contents: &[u8]) -> bool {
        let size = contents.len() as u64;
        let directory = self.directory.as_ref().map(|directory| &directory.facts);
        self.after.0.is_empty()
            && std::iter::once(&self.header.facts)
                .chain(directory)
                .all(|facts| {
                    facts.flags & SIZES_AFTER == 0
                        && facts.method == STORED
                        && u64::from(facts.compressed_size) == size
                        && u64::from(facts.size) == size
                        && facts.crc32 == libdeflater::crc32(contents)
                })
    }

    /// True when the contents match the checksum in the header or in the directory.
    pub(crate) fn proves(&self, contents: &[u8]) -> bool {
        let crc32 = libdeflater::crc32(contents);
        let size = contents.len() as u64;
        let listed = self.directory.as_ref().map(|directory| &directory.facts);
        let mut facts = std::iter::once(&self.header.facts).chain(listed);
        // An empty entry's checksum is 0, and so is one that was never filled in.
        facts.any(|facts| facts.crc32 == crc32 && (crc32 != 0 || u64::from(facts.size) == size))
    }

    /// Sets sizes and checksum in the header and the directory to those of the contents. Returns `true` if they
    /// changed. A header whose sizes come after the data has none.
    pub(crate) fn restate(&mut self, contents: &[u8]) -> Result<bool> {
        let right = [
            libdeflater::crc32(contents),
            length32(self.data.0.len())?,
            length32(contents.len())?,
        ];
        let listed = self
            .directory
            .as_mut()
            .map(|directory| &mut directory.facts);
        let states_none = self.header.facts.flags & SIZES_AFTER != 0;
        let header = Some(&mut self.header.facts).filter(|_| !states_none);
        let mut is_changed = false;
        for facts in header.into_iter().chain(listed) {
            let stated = [facts.crc32, facts.compressed_size, facts.size];
            is_changed |= stated != right;
            [facts.crc32, facts.compressed_size, facts.size] = right;
        }
        Ok(is_changed)
    }

    /// Replaces the entry's contents, and with them data, sizes and checksum. The same contents change nothing.
    ///
    /// # Errors
    /// When compressing fails or the contents are too large for the format.
    pub fn replace(&mut self, contents: &[u8]) -> Result<()> {
        let stored = self.is_stored();
        if stored && self.data.0 == contents {
            return Ok(());
        }
        if !stored && Packed::new(Codec::Deflate, &self.data.0).holds(contents) {
            return Ok(());
        }
        let data = if stored {
            contents.to_vec()
        } else {
            Codec::Deflate.deflate(contents)?
        };
        let (compressed_size, size) = (length32(data.len())?, length32(contents.len())?);
        let crc32 = libdeflater::crc32(contents);
        let directory = self
            .directory
            .as_mut()
            .map(|directory| &mut directory.facts);
        for facts in std::iter::once(&mut self.header.facts).chain(directory) {
            facts.flags &= !SIZES_AFTER;
            facts.method = if stored { STORED } else { DEFLATED };
            (facts.crc32, facts.compressed_size, facts.size) = (crc32, compressed_size, size);
        }
        self.after = Bytes::default();
        self.data = Bytes(data);
        Ok(())
    }
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

    /// Reads an archive. If it is cut or damaged, reads the entries that can be found.
    ///
    /// # Errors
    /// When there is not even one entry.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let whole = find_end(bytes).map(|end| Self::read_whole(bytes, end));
        match whole {
            Some(Ok(archive)) => Ok(archive),
            // The entries can be found even if the directory is damaged or missing.
            Some(Err(_)) | None => Self::read_cut(bytes, report).field("archive"),
        }
    }

    fn read_whole(bytes: &[u8], end: usize) -> Result<Self> {
        let mut reader = ByteReader::new(bytes);
        reader.seek(end + 4);
        let disks = [reader.u16()?, reader.u16()?];
        let (on_disk, count) = (reader.u16()?, reader.u16()?);
        let (size, start) = (reader.u32()?, reader.u32()? as usize);
        let comment = reader.u16()?;
        let comment = Text::from(reader.bytes(comment.into()).field("comment")?.to_vec());
        let after = reader.rest().into();

        let mut directory = ByteReader::new(bytes.get(..end).unwrap_or_default());
        directory.seek(start);
        let mut listed = Vec::new();
        for index in 0..usize::from(count) {
            let entry = DirectoryEntry::read(&mut directory)
                .index(index)
                .field("directory")?;
            listed.push((index, entry));
        }
        let found_size = directory.position().saturating_sub(start);
        let before_end = End {
            before: directory.rest().into(),
            disks,
            stated_entries_on_disk: (on_disk != count).then_some(on_disk),
            stated_size: (size as usize != found_size).then_some(size),
            comment,
            after,
        };
        if start > end {
            let error = Error::invalid("the directory begins after its end").at(reader.place());
            return Err(error.in_field("directory"));
        }
        listed.sort_by_key(|(_, (_, offset))| *offset);
        let first = listed
            .first()
            .map_or(start, |(_, (_, offset))| *offset as usize);
        let mut archive = Self {
            before: bytes.get(..first).unwrap_or_default().into(),
            entries: Vec::with_capacity(listed.len()),
            end: Some(before_end),
        };
        let mut starts: Vec<usize> = listed
            .iter()
            .map(|(_, (_, offset))| *offset as usize)
            .collect();
        starts.push(start);
        for (index, (position, (directory, offset))) in listed.into_iter().enumerate() {
            reader.seek(offset as usize);
            let header = LocalHeader::read(&mut reader)
                .index(index)
                .field("entries")?;
            let data_offset = reader.position() as u64;
            let size = directory.facts.compressed_size;
            let data = reader
                .bytes(size as usize)
                .field("data")
                .index(index)
                .field("entries")?;
            let next = starts.get(index + 1).copied().unwrap_or(start);
            let Some(after) = bytes.get(reader.position()..next) else {
                return Err(reader
                    .invalid("two entries overlap")
                    .in_index(index)
                    .in_field("entries"));
            };
            archive.entries.push(Entry {
                header,
                data: data.into(),
                after: after.into(),
                directory: Some(directory),
                directory_position: (position != index).then_some(position),
                data_offset,
            });
        }
        Ok(archive)
    }

    /// Scans an archive from the front, if its directory is missing or wrong.
    fn read_cut(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let mut reader = ByteReader::new(bytes);
        let mut archive = Self {
            before: Bytes::default(),
            entries: Vec::new(),
            end: None,
        };
        let mut first_error = None;
        loop {
            let start = reader.position();
            let header = match LocalHeader::read(&mut reader) {
                Ok(header) => header,
                Err(error) => {
                    first_error.get_or_insert(error);
                    let rest = bytes.get(start..).unwrap_or_default();
                    let next = rest.get(1..).and_then(|rest| find(rest, &[LOCAL]));
                    let between = next.map_or(rest.len(), |next| next + 1);
                    archive.skip(rest.get(..between).unwrap_or_default());
                    reader.seek(start + between);
                    if next.is_none() {
                        break;
                    }
                    continue;
                }
            };
            let data_offset = reader.position() as u64;
            let size = data_size(reader.rest(), header.facts.compressed_size as usize);
            let data = reader.bytes(size)?.into();
            archive.entries.push(Entry {
                header,
                data,
                after: Bytes::default(),
                directory: None,
                directory_position: None,
                data_offset,
            });
        }
        let place = reader.place();
        let ends_early = || {
            let (wanted, left, unit) = (22, 0, "bytes");
            Error::new(Problem::EndsEarly { wanted, left, unit }).at(place)
        };
        let error = first_error.unwrap_or_else(ends_early);
        if archive.entries.is_empty() {
            return Err(error.in_index(0).in_field("entries"));
        }
        report.lost("cut", &error.in_field("directory").in_field("archive"));
        Ok(archive)
    }

    /// Keeps bytes that are not an entry.
    fn skip(&mut self, bytes: &[u8]) {
        let kept = match self.entries.last_mut() {
            Some(last) => &mut last.after,
            None => &mut self.before,
        };
        kept.0.extend_from_slice(bytes);
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

    /// Adds findings about the archive itself: checksums, sizes, names.
    pub(crate) fn check(&self, report: &mut Report) {
        // One budget for all entries, although each is freed before the next: it also bounds the running time.
        let data_bytes = self.entries.iter().map(|entry| entry.data.0.len()).sum();
        let budget = Limits::default().budget(data_bytes);
        let odd_counts =
            |end: &End| end.stated_entries_on_disk.is_some() || end.stated_size.is_some();
        if self.end.as_ref().is_some_and(odd_counts) {
            let message = "its end states a wrong size or number of entries";
            report.add(
                Severity::Odd,
                "directory",
                "archive.directory",
                None,
                message,
            );
        }
        for (index, entry) in self.entries.iter().enumerate() {
            let path = || format!("archive.entries[{index}]");
            let Some(directory) = &entry.directory else {
                continue;
            };
            if directory.name != entry.header.name {
                report.add(
                    Severity::Odd,
                    "entry-name",
                    path(),
                    None,
                    "the directory has another name",
                );
            }
            match entry.inflate(&budget) {
                Ok(inflated) if inflated.broken.is_none() => {
                    let (size, crc32) = (inflated.bytes.len(), libdeflater::crc32(&inflated.bytes));
                    if size != directory.facts.size as usize {
                        let message = format!(
                            "{size} bytes, but the directory says {}",
                            directory.facts.size
                        );
                        report.add(Severity::Odd, "entry-size", path(), None, message);
                    }
                    if crc32 != directory.facts.crc32 {
                        report.add(
                            Severity::Odd,
                            "entry-crc",
                            path(),
                            None,
                            "the checksum is wrong",
                        );
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    let severity = if error.is_out_of_memory() {
                        Severity::Odd
                    } else {
                        Severity::Note
                    };
                    report.add(severity, "entry", path(), None, error.to_string());
                }
            }
        }
    }
}

impl End {
    fn write(
        &self,
        writer: &mut ByteWriter,
        count: usize,
        size: usize,
        start: usize,
    ) -> Result<()> {
        let Self {
            before,
            disks,
            stated_entries_on_disk,
            stated_size,
            comment,
            after,
        } = self;
        let too_many = |_| Error::unwritable("too many entries for an archive");
        let count = u16::try_from(count).map_err(too_many)?;
        writer.bytes(&before.0);
        writer.bytes(END);
        disks.iter().for_each(|disk| writer.u16(*disk));
        writer.u16(stated_entries_on_disk.unwrap_or(count));
        writer.u16(count);
        writer.u32(stated_size.map_or_else(|| length32(size), Ok)?);
        writer.u32(length32(start)?);
        writer.u16(length16(comment.as_bytes())?);
        writer.bytes(comment.as_bytes());
        writer.bytes(&after.0);
        Ok(())
    }
}

/// The offset of the last end-of-directory record whose comment fits into the file.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(22)?;
    // The comment is at most 65,535 bytes long.
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last)
        .rev()
        .find(|&at| bytes.get(at..at + 4) == Some(END))
}

/// The offset of the first of several signatures.
fn find(bytes: &[u8], signatures: &[&[u8; 4]]) -> Option<usize> {
    let mut windows = bytes.windows(4);
    windows.position(|window| signatures.iter().any(|signature| window == *signature))
}

/// The length of an entry's data in an archive without a directory: the length in its header if another record or the
/// end follows there, else the distance to the next record.
fn data_size(rest: &[u8], stated: usize) -> usize {
    let is_record = |after: &[u8]| {
        let signature = after.get(..4).unwrap_or(after);
        [LOCAL, CENTRAL, END]
            .iter()
            .any(|one| one.starts_with(signature))
    };
    if rest.get(stated..).is_some_and(is_record) {
        return stated;
    }
    find(rest, &[LOCAL, CENTRAL]).unwrap_or(stated.min(rest.len()))
}

fn length16(bytes: &[u8]) -> Result<u16> {
    let too_long =
        |_| Error::unwritable("a name, comment or extra field is too long for an archive");
    u16::try_from(bytes.len()).map_err(too_long)
}

fn length32(length: usize) -> Result<u32> {
    u32::try_from(length).map_err(|_| Error::unwritable("an archive of more than 4 GiB"))
}
