//! The records of an archive: local headers, directory entries, the end of the directory.

use super::{CENTRAL, DirectoryEntry, END, End, Facts, LOCAL, LocalHeader};
use crate::error::{Context as _, Error, Result};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::record::Wire as _;
use crate::wire::strings::Text;

impl LocalHeader {
    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self> {
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

    pub(super) fn write(&self, writer: &mut ByteWriter) -> Result<()> {
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
    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<(Self, u32)> {
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

    pub(super) fn write(&self, writer: &mut ByteWriter, offset: usize) -> Result<()> {
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

impl End {
    pub(super) fn write(
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

pub(super) fn length16(bytes: &[u8]) -> Result<u16> {
    let too_long =
        |_| Error::unwritable("a name, comment or extra field is too long for an archive");
    u16::try_from(bytes.len()).map_err(too_long)
}

pub(super) fn length32(length: usize) -> Result<u32> {
    u32::try_from(length).map_err(|_| Error::unwritable("an archive of more than 4 GiB"))
}
