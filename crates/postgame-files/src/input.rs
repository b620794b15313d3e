//! Which files are opened, and how much of a stream is read.
//!
//! A regular file is read as it is. A FIFO that is named is read as a stream, up to [`MAX_STREAM_BYTES`]. Sockets and
//! devices are refused: `/dev/zero` never ends. In folders only regular files are opened, links followed.

use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Maximum size of a stream of unknown length; the largest member of an archive may be as large.
pub const MAX_STREAM_BYTES: u64 = 2 << 30;

/// The kind of a file, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file with contents of its own.
    Regular,
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A terminal, a disk, `/dev/zero` and the like.
    Device,
}

impl Kind {
    /// The kind of the file at a path.
    ///
    /// # Errors
    /// When there is no file, or links form a cycle.
    pub fn of(path: &Path) -> io::Result<Self> {
        Ok(Self::of_type(fs::metadata(path)?.file_type()))
    }

    fn of_type(kind: FileType) -> Self {
        if kind.is_file() {
            return Self::Regular;
        }
        if kind.is_dir() {
            return Self::Folder;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt as _;
            if kind.is_fifo() {
                return Self::Fifo;
            }
            if kind.is_socket() {
                return Self::Socket;
            }
        }
        Self::Device
    }
}

/// Opens a file to read: a regular one or a FIFO.
///
/// # Errors
/// The file system's; folders, sockets and devices are refused.
pub fn open(path: &Path) -> io::Result<File> {
    let refused = |kind, what: &str| {
        let message = format!("this is {what}, not a recording");
        Err(io::Error::new(kind, message))
    };
    match Kind::of(path)? {
        Kind::Regular | Kind::Fifo => File::open(path),
        Kind::Folder => refused(io::ErrorKind::IsADirectory, "a folder"),
        Kind::Socket => refused(io::ErrorKind::InvalidInput, "a socket"),
        Kind::Device => refused(io::ErrorKind::InvalidInput, "a device"),
    }
}

/// Reads a regular file, or a FIFO up to [`MAX_STREAM_BYTES`].
///
/// # Errors
/// Those of [`open`] and [`read_stream`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    if !file.metadata()?.is_file() {
        return read_stream(file);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a stream to its end.
///
/// # Errors
/// The stream's; one of more than [`MAX_STREAM_BYTES`] is refused.
pub fn read_stream(stream: impl Read) -> io::Result<Vec<u8>> {
    read_at_most(stream, MAX_STREAM_BYTES)
}

fn read_at_most(stream: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells that there are more.
    stream.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        let message = format!(
            "the stream has more than {} MiB: save it to a file first",
            max_bytes >> 20
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Entries of a folder that are skipped: those that are not regular files, and archives without recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Named pipes.
    pub fifos: usize,
    /// Sockets.
    pub sockets: usize,
    /// Devices.
    pub devices: usize,
    /// Archives without recordings.
    pub archives: usize,
}

impl Skipped {
    /// Their number.
    pub fn count(&self) -> usize {
        self.fifos + self.sockets + self.devices + self.archives
    }

    fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Fifo => self.fifos += 1,
            Kind::Socket => self.sockets += 1,
            Kind::Device => self.devices += 1,
            Kind::Regular | Kind::Folder => {}
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.fifos, ["FIFO", "FIFOs"]),
            (self.sockets, ["socket", "sockets"]),
            (self.devices, ["device", "devices"]),
            (
                self.archives,
                ["archive without recordings", "archives without recordings"],
            ),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds: Vec<String> = kinds
            .map(|(count, [one, many])| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect();
        write!(f, "skipped {}", kinds.join(", "))
    }
}

/// A path in a folder, or the path that could not be examined and the reason.
pub type Found = Result<PathBuf, (PathBuf, io::Error)>;

/// Visits the regular files below a folder whose names are wanted, in order of their names.
///
/// Links to files are followed; links to folders are not, so links cannot form cycles. `is_wanted` gets a name that is
/// not Unicode with replacement characters. The visitor can end the walk.
pub fn walk_folder(
    folder: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
    skipped: &mut Skipped,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let at = error.path().unwrap_or(folder).to_owned();
                visit(Err((at, io::Error::from(error))))?;
                continue;
            }
        };
        let is_wanted = is_wanted(&entry.file_name().to_string_lossy());
        let kind = match entry.path_is_symlink() {
            true => Kind::of(entry.path()),
            false => Ok(Kind::of_type(entry.file_type())),
        };
        match kind {
            Ok(Kind::Regular) if is_wanted => visit(Ok(entry.into_path()))?,
            Ok(kind) => skipped.add(kind),
            Err(error) if is_wanted => visit(Err((entry.into_path(), error)))?,
            Err(_) => {}
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_bounded() {
        assert_eq!(read_at_most(&b"abcd"[..], 4).unwrap(), b"abcd");
        let error = read_at_most(io::repeat(0), 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_refused_also_behind_links() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("zero.replay");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for path in [Path::new("/dev/zero"), &link] {
            let error = read(path).unwrap_err();
            assert_eq!(error.to_string(), "this is a device, not a recording");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_gives_its_regular_files() {
        use std::os::unix::{ffi::OsStrExt as _, fs::symlink, net::UnixListener};

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.slp"));
        fs::create_dir(at("inner")).unwrap();
        for path in [&at("a.slp"), &at("inner/b.slp"), &at("note.txt"), &odd] {
            fs::write(path, b"").unwrap();
        }
        symlink(at("a.slp"), at("link.slp")).unwrap();
        symlink(folder.path(), at("inner/round.slp")).unwrap();
        symlink("self.slp", at("self.slp")).unwrap();
        symlink("/dev/zero", at("zero.slp")).unwrap();
        let _listener = UnixListener::bind(at("socket.slp")).unwrap();
        let mut found = Vec::new();
        let mut failed = Vec::new();
        let mut skipped = Skipped::default();
        let is_wanted = |name: &str| name.ends_with(".slp");
        let _whole = walk_folder(folder.path(), &is_wanted, &mut skipped, &mut |one| {
            match one {
                Ok(path) => found.push(path),
                Err((path, _)) => failed.push(path),
            }
            ControlFlow::Continue(())
        });
        assert_eq!(found, [at("a.slp"), at("inner/b.slp"), at("link.slp"), odd]);
        assert_eq!(failed, [at("self.slp")]);
        assert_eq!(skipped.to_string(), "skipped 1 socket, 1 device");
    }
}
