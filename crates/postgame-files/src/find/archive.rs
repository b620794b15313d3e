//! Recordings inside of archives, unpacked one at a time into memory.

use std::io::{self, BufRead, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use postgame::limits::Limits;

use super::{Counted, Visit};
use crate::Failure;
use crate::contents::Input;

/// Maximum size of an unpacked member, whatever the limits are: larger recordings are not put into archives.
const MAX_MEMBER_BYTES: u64 = 2 << 30;

/// Maximum size of all unpacked members of an archive together, in bytes, without [`MAX_TOTAL_RATIO`].
const MAX_TOTAL_BYTES: u64 = 1 << 30;

/// Added to [`MAX_TOTAL_BYTES`], as a multiple of the archive's size. Replays shrink to a fifth or a tenth; a bomb of
/// members that share their data would take hours.
const MAX_TOTAL_RATIO: u64 = 200;

/// Memory for the dictionary of an `.xz` file, in KiB: twice that of `xz -9`, and as much as for Zstandard.
const MAX_XZ_MEMORY_KIB: u32 = 129 << 10;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Zip,
    Tar,
    TarGzip,
    TarZstandard,
    TarXz,
    Gzip,
    Zstandard,
    Xz,
}

impl Kind {
    /// By a file's name, not by its content: a RUMBLE replay can be a ZIP file itself.
    pub fn of(path: &Path) -> Option<Self> {
        Self::of_name(&path.file_name()?.to_string_lossy())
    }

    /// By a name.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let ends = |ending: &str| name.ends_with(ending);
        Some(match () {
            () if ends(".zip") => Self::Zip,
            () if ends(".tar") => Self::Tar,
            () if ends(".tar.gz") || ends(".tgz") => Self::TarGzip,
            () if ends(".tar.zst") => Self::TarZstandard,
            () if ends(".tar.xz") || ends(".txz") => Self::TarXz,
            () if ends(".gz") => Self::Gzip,
            () if ends(".zst") => Self::Zstandard,
            () if ends(".xz") => Self::Xz,
            () => return None,
        })
    }
}

/// Visits the wanted members of an archive, in its own order. A file that is only compressed has one member, which is
/// always wanted.
pub(super) fn walk(
    name: &str,
    kind: Kind,
    file: impl BufRead + Seek,
    limits: &Limits,
    is_wanted: &dyn Fn(&str) -> bool,
    visit: Visit<'_>,
) -> Counted {
    let mut count = 0;
    let visit: Visit<'_> = &mut |found| {
        count += 1;
        visit(found)
    };
    let archive = Archive {
        name,
        is_wanted,
        room: Room::new(*limits, 0),
    };
    archive.walk(kind, file, visit)?;
    ControlFlow::Continue(count)
}

/// An archive that is being read.
struct Archive<'a> {
    name: &'a str,
    is_wanted: &'a dyn Fn(&str) -> bool,
    room: Room,
}

impl Archive<'_> {
    fn walk(
        mut self,
        kind: Kind,
        mut file: impl BufRead + Seek,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let bytes = file.seek(io::SeekFrom::End(0));
        match bytes.and_then(|bytes| file.rewind().map(|()| bytes)) {
            Ok(bytes) => self.room = Room::new(self.room.limits, bytes),
            Err(error) => return self.fail(error, visit),
        }
        let zstandard = |file| zstd::Decoder::with_buffer(file);
        let xz = |file| XzReader::new_mem_limit(file, true, MAX_XZ_MEMORY_KIB);
        match kind {
            Kind::Zip => self.zip(file, visit),
            Kind::Tar => self.tar(file, visit),
            Kind::TarGzip => self.tar(MultiGzDecoder::new(file), visit),
            Kind::TarXz => self.tar(xz(file), visit),
            Kind::Gzip => self.single(MultiGzDecoder::new(file), visit),
            Kind::Xz => self.single(xz(file), visit),
            Kind::TarZstandard => match zstandard(file) {
                Ok(decoder) => self.tar(decoder, visit),
                Err(error) => self.fail(error, visit),
            },
            Kind::Zstandard => match zstandard(file) {
                Ok(decoder) => self.single(decoder, visit),
                Err(error) => self.fail(error, visit),
            },
        }
    }

    fn fail(&self, error: impl std::fmt::Display, visit: Visit<'_>) -> ControlFlow<()> {
        visit(Err(Failure::new(self.name, error)))
    }

    /// The only file in a compressed one; it has the name without the last extension.
    fn single(mut self, reader: impl Read, visit: Visit<'_>) -> ControlFlow<()> {
        let name = self.name;
        let inner = name.rsplit_once('.').map_or(name, |(inner, _)| inner);
        let bytes = self.room.unpack(reader, name, self.room.archive_bytes);
        visit(bytes.map(|bytes| Input::bytes(inner, bytes)))
    }

    fn tar(mut self, reader: impl Read, visit: Visit<'_>) -> ControlFlow<()> {
        let mut archive = tar::Archive::new(reader);
        // Raw: otherwise long names are read into memory, however long they are.
        let entries = match archive.entries() {
            Ok(entries) => entries.raw(true),
            Err(error) => return self.fail(error, visit),
        };
        let mut long_name = None;
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                // The rest of a damaged archive cannot be found.
                Err(error) => return self.fail(error, visit),
            };
            let kind = entry.header().entry_type();
            if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
                long_name = name_in(entry, kind).or(long_name);
                continue;
            }
            let own_name = || String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let member = long_name.take().unwrap_or_else(own_name);
            if kind.is_file() && (self.is_wanted)(&member) {
                let member = format!("{}/{member}", self.name);
                let bytes = self.room.unpack(entry, &member, self.room.archive_bytes);
                visit(bytes.map(|bytes| Input::bytes(member, bytes)))?;
                if self.room.is_used_up() {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn zip(mut self, reader: impl Read + Seek, visit: Visit<'_>) -> ControlFlow<()> {
        let mut archive = match zip::ZipArchive::new(reader) {
            Ok(archive) => archive,
            Err(error) => return self.fail(error, visit),
        };
        for index in 0..archive.len() {
            let member = match archive.name_for_index(index) {
                Some(member) if (self.is_wanted)(member) => format!("{}/{member}", self.name),
                _ => continue,
            };
            visit(match archive.by_index(index) {
                Ok(file) => {
                    let packed = file.compressed_size();
                    let bytes = self.room.unpack(file, &member, packed);
                    bytes.map(|bytes| Input::bytes(member, bytes))
                }
                Err(error) => Err(Failure::new(member, error)),
            })?;
            if self.room.is_used_up() {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The bytes that may still be unpacked of an archive.
struct Room {
    limits: Limits,
    archive_bytes: u64,
    /// For all members together.
    left: u64,
}

impl Room {
    fn new(limits: Limits, archive_bytes: u64) -> Self {
        let by_size = archive_bytes.saturating_mul(MAX_TOTAL_RATIO);
        Self {
            limits,
            archive_bytes,
            left: MAX_TOTAL_BYTES.saturating_add(by_size),
        }
    }

    /// Unpacks a member that takes up `packed` bytes of the archive.
    fn unpack(&mut self, reader: impl Read, name: &str, packed: u64) -> Result<Vec<u8>, Failure> {
        let allowed = self
            .limits
            .memory_bytes(packed.min(self.archive_bytes))
            .min(MAX_MEMBER_BYTES);
        let mut bytes = Vec::new();
        // One byte more than allowed tells that there are more.
        let most = allowed.min(self.left) + 1;
        let read = reader.take(most).read_to_end(&mut bytes);
        let count = bytes.len() as u64;
        if count > self.left {
            self.left = 0;
            let message = "the archive's members are too large together when unpacked";
            return Err(Failure::new(name, message));
        }
        self.left -= count;
        if count > allowed {
            let message = format!(
                "it is larger than {} MiB when unpacked, the limit for it (to allow more, up to 2 GiB: --max-memory)",
                allowed >> 20
            );
            return Err(Failure::new(name, message));
        }
        match read {
            Ok(_) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(Failure::new(
                name,
                format!(
                    "unpacking it needs more than {} MiB for the dictionary",
                    MAX_XZ_MEMORY_KIB >> 10
                ),
            )),
            Err(error) => Err(Failure::new(name, error)),
        }
    }

    /// True when nothing more may be unpacked.
    fn is_used_up(&self) -> bool {
        self.left == 0
    }
}

/// The name that an entry has for the next one.
fn name_in(entry: impl Read, kind: tar::EntryType) -> Option<String> {
    /// Longer names are cut: no file system has them.
    const MAX_NAME_BYTES: u64 = 64 << 10;
    let mut bytes = Vec::new();
    entry.take(MAX_NAME_BYTES).read_to_end(&mut bytes).ok()?;
    let name = match kind.is_gnu_longname() {
        true => bytes.split(|&byte| byte == 0).next()?,
        false => {
            let records = tar::PaxExtensions::new(&bytes).flatten();
            let paths = records.filter(|record| record.key() == Ok("path"));
            paths.last()?.value_bytes()
        }
    };
    Some(String::from_utf8_lossy(name).into_owned())
}
