//! Reading an archive: by its directory, or from record to record if that is missing or wrong.

use super::{Archive, CENTRAL, DirectoryEntry, END, End, Entry, LOCAL, LocalHeader};
use crate::error::{Context as _, Error, Problem, Result};
use crate::report::Report;
use crate::wire::bytes::ByteReader;
use crate::wire::json::Bytes;
use crate::wire::strings::Text;

impl Archive {
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
