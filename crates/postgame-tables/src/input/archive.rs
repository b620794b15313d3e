//! Recordings inside of archives, unpacked one at a time into memory.

use std::io::{self, BufRead, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use postgame::Format;
use postgame::limits::Limits;

use super::{Failure, Input, Visit};

/// The largest member that is unpacked, whatever the limits say: larger recordings are not put into archives.
const MAX_MEMBER_BYTES: u64 = 2 << 30;

/// All members of an archive together may be this large when unpacked, in bytes, …
const MAX_TOTAL_BYTES: u64 = 1 << 30;

/// … and this many times the archive besides. Replays shrink to a fifth or a tenth; a bomb of members that share their
/// data would take hours.
const MAX_TOTAL_RATIO: u64 = 200;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Zip,
    Tar,
    TarGzip,
    TarZstandard,
    Gzip,
    Zstandard,
}

impl Kind {
    /// By a file's name: what is inside decides about recordings, but a RUMBLE replay can be a ZIP file itself.
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
            () if ends(".gz") => Self::Gzip,
            () if ends(".zst") => Self::Zstandard,
            () => return None,
        })
    }
}

/// Goes through the recordings in an archive, in its own order.
pub(super) fn walk(
    name: &str,
    kind: Kind,
    mut file: impl BufRead + Seek,
    limits: &Limits,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let failed = |error: io::Error| Failure::new(name, error);
    let bytes = match file.seek(io::SeekFrom::End(0)) {
        Ok(bytes) => bytes,
        Err(error) => return visit(Err(failed(error))),
    };
    if let Err(error) = file.rewind() {
        return visit(Err(failed(error)));
    }
    let mut room = Room::new(*limits, bytes);
    match kind {
        Kind::Zip => zip(file, name, &mut room, visit),
        Kind::Tar => tar(file, name, &mut room, visit),
        Kind::TarGzip => tar(MultiGzDecoder::new(file), name, &mut room, visit),
        Kind::TarZstandard => match zstd::Decoder::with_buffer(file) {
            Ok(decoder) => tar(decoder, name, &mut room, visit),
            Err(error) => visit(Err(failed(error))),
        },
        Kind::Gzip => visit(single(MultiGzDecoder::new(file), name, &mut room)),
        Kind::Zstandard => match zstd::Decoder::with_buffer(file) {
            Ok(decoder) => visit(single(decoder, name, &mut room)),
            Err(error) => visit(Err(failed(error))),
        },
    }
}

/// How much may be unpacked of an archive.
struct Room {
    limits: Limits,
    archive_bytes: u64,
    /// What is left for all members together, in bytes.
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

    /// Unpacks a member that takes this much of the archive.
    fn unpack(&mut self, reader: impl Read, name: &str, packed: u64) -> Result<Vec<u8>, Failure> {
        let allowed = self
            .limits
            .memory_bytes(packed.min(self.archive_bytes))
            .min(MAX_MEMBER_BYTES);
        let mut bytes = Vec::new();
        // One more than allowed tells that there is more.
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
                "it is larger than {} MiB when unpacked, which is the most that is allowed for it (to allow more, up to 2 GiB: --max-memory)",
                allowed >> 20
            );
            return Err(Failure::new(name, message));
        }
        match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(Failure::new(name, error)),
        }
    }

    /// True when nothing more may be unpacked.
    fn is_used_up(&self) -> bool {
        self.left == 0
    }
}

/// The only file in a compressed one; it has the name without the last extension.
fn single(reader: impl Read, name: &str, room: &mut Room) -> Result<Input, Failure> {
    let inner = name.rsplit_once('.').map_or(name, |(inner, _)| inner);
    let bytes = room.unpack(reader, name, room.archive_bytes);
    bytes.map(|bytes| Input::bytes(inner, bytes))
}

fn tar(reader: impl Read, name: &str, room: &mut Room, visit: Visit<'_>) -> ControlFlow<()> {
    let mut archive = tar::Archive::new(reader);
    // Raw: else long names are read into memory whatever their length.
    let entries = match archive.entries() {
        Ok(entries) => entries.raw(true),
        Err(error) => return visit(Err(Failure::new(name, error))),
    };
    let mut long_name = None;
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            // The rest of a damaged archive cannot be found.
            Err(error) => return visit(Err(Failure::new(name, error))),
        };
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            long_name = name_in(entry, kind).or(long_name);
            continue;
        }
        let own_name = || String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let member = long_name.take().unwrap_or_else(own_name);
        if kind.is_file() && Format::is_plausible_name(&member) {
            let member = format!("{name}/{member}");
            let bytes = room.unpack(entry, &member, room.archive_bytes);
            visit(bytes.map(|bytes| Input::bytes(member, bytes)))?;
            if room.is_used_up() {
                break;
            }
        }
    }
    ControlFlow::Continue(())
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

fn zip(reader: impl Read + Seek, name: &str, room: &mut Room, visit: Visit<'_>) -> ControlFlow<()> {
    let mut archive = match zip::ZipArchive::new(reader) {
        Ok(archive) => archive,
        Err(error) => return visit(Err(Failure::new(name, error))),
    };
    for index in 0..archive.len() {
        let member = match archive.name_for_index(index) {
            Some(member) if Format::is_plausible_name(member) => format!("{name}/{member}"),
            _ => continue,
        };
        visit(match archive.by_index(index) {
            Ok(file) => {
                let packed = file.compressed_size();
                let bytes = room.unpack(file, &member, packed);
                bytes.map(|bytes| Input::bytes(member, bytes))
            }
            Err(error) => Err(Failure::new(member, error)),
        })?;
        if room.is_used_up() {
            break;
        }
    }
    ControlFlow::Continue(())
}
