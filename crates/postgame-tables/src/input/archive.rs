//! Recordings inside of archives, unpacked one at a time into memory.

use std::io::{self, BufRead, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use postgame::Format;

use super::{Failure, Input, Visit};

/// The largest member that is unpacked: larger recordings than this one does not put into archives.
const MOST_BYTES: u64 = 2 << 30;

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
        Self::of_name(path.file_name()?.to_str()?)
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
    file: impl BufRead + Seek,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let failed = |error: io::Error| Failure::new(name, error);
    match kind {
        Kind::Zip => zip(file, name, visit),
        Kind::Tar => tar(file, name, visit),
        Kind::TarGzip => tar(MultiGzDecoder::new(file), name, visit),
        Kind::TarZstandard => match zstd::Decoder::with_buffer(file) {
            Ok(decoder) => tar(decoder, name, visit),
            Err(error) => visit(Err(failed(error))),
        },
        Kind::Gzip => visit(single(MultiGzDecoder::new(file), name)),
        Kind::Zstandard => match zstd::Decoder::with_buffer(file) {
            Ok(decoder) => visit(single(decoder, name)),
            Err(error) => visit(Err(failed(error))),
        },
    }
}

/// The only file in a compressed one; it has the name without the last extension.
fn single(reader: impl Read, name: &str) -> Result<Input, Failure> {
    let inner = name.rsplit_once('.').map_or(name, |(inner, _)| inner);
    unpack(reader, name).map(|bytes| Input::bytes(inner, bytes))
}

fn unpack(reader: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    // One more than allowed tells that there is more.
    match reader.take(MOST_BYTES + 1).read_to_end(&mut bytes) {
        Ok(count) if count as u64 > MOST_BYTES => {
            Err(Failure::new(name, "it is larger than 2 GiB when unpacked"))
        }
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::new(name, error)),
    }
}

fn tar(reader: impl Read, name: &str, visit: Visit<'_>) -> ControlFlow<()> {
    let mut archive = tar::Archive::new(reader);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return visit(Err(Failure::new(name, error))),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            // The rest of a damaged archive cannot be found.
            Err(error) => return visit(Err(Failure::new(name, error))),
        };
        let member = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file() && Format::is_plausible_name(&member) {
            let member = format!("{name}/{member}");
            visit(unpack(entry, &member).map(|bytes| Input::bytes(member, bytes)))?;
        }
    }
    ControlFlow::Continue(())
}

fn zip(reader: impl Read + Seek, name: &str, visit: Visit<'_>) -> ControlFlow<()> {
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
            Ok(file) => unpack(file, &member).map(|bytes| Input::bytes(member, bytes)),
            Err(error) => Err(Failure::new(member, error)),
        })?;
    }
    ControlFlow::Continue(())
}
