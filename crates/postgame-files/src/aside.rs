//! Output files that are complete or absent.
//!
//! A file is written to a temporary file in the same folder, which is renamed once it is complete and on disk. A replaced
//! file keeps its mode and, if permissions allow, its owner. A symbolic link stays, and its target is replaced. Devices,
//! FIFOs and `/dev/stdout` are written to directly.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Number of bytes per write.
const BUFFER_BYTES: usize = 1 << 16;

/// Maximum number of links on the way to a file; Linux has the same limit.
const MAX_LINKS: usize = 40;

/// Links into this folder name files that are open already, such as `/dev/stdout`.
const OPEN_FILES: &str = "/proc";

/// A file that is being written. Without [`AsideFile::finish`] an existing file is unchanged.
#[derive(Debug)]
pub struct AsideFile(Output);

#[derive(Debug)]
enum Output {
    Aside {
        file: BufWriter<NamedTempFile>,
        target: PathBuf,
        /// The existing file.
        old: Option<Box<Metadata>>,
    },
    Direct(BufWriter<File>),
}

impl AsideFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When the file system fails, and for a folder.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let target = follow(path)?;
        let old = match fs::metadata(&target) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let is_special = old.as_ref().is_some_and(|old| !old.is_file());
        if is_special || target.starts_with(OPEN_FILES) {
            // Appending: what standard output has got so far stays.
            let file = OpenOptions::new().append(true).open(&target)?;
            let file = BufWriter::with_capacity(BUFFER_BYTES, file);
            return Ok(Self(Output::Direct(file)));
        }
        let mut prefix = OsString::from(".");
        prefix.push(target.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As for any new file: the umask takes away from it.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder_of(&target))?;
        Ok(Self(Output::Aside {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            target,
            old: old.map(Box::new),
        }))
    }

    /// Renames the file. When this returns, it is complete and survives a power cut.
    ///
    /// # Errors
    /// When the file system fails. An existing file is unchanged, unless only the last step failed.
    pub fn finish(self) -> io::Result<()> {
        let (file, target, old) = match self.0 {
            Output::Direct(mut file) => return file.flush(),
            Output::Aside { file, target, old } => (file, target, old),
        };
        let file = file.into_inner().map_err(|error| error.into_error())?;
        if let Some(old) = old {
            keep_owner(file.as_file(), &old);
            file.as_file().set_permissions(old.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(&target).map_err(|error| error.error)?;
        sync_folder(folder_of(&target))
    }
}

impl Write for AsideFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Output::Aside { file, .. } => file.write(bytes),
            Output::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Output::Aside { file, .. } => file.flush(),
            Output::Direct(file) => file.flush(),
        }
    }
}

/// Writes a file; if that fails, an existing file is unchanged.
///
/// # Errors
/// The error of `write`, or `failed` applied to an error of the file system.
pub fn write_aside<E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let mut file = AsideFile::begin(path).map_err(&failed)?;
    write(&mut file)?;
    file.finish().map_err(&failed)
}

/// Waits until the names in a folder are on disk.
///
/// # Errors
/// When the file system fails. It is not an error if it cannot sync folders, or if the folder cannot be opened.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let file = match File::open(folder) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(error) => return Err(error),
    };
    match file.sync_all() {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// The path behind all links, even if no file exists there yet. Links to open files are not followed.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if path.starts_with(OPEN_FILES) {
            return Ok(path);
        }
        match fs::read_link(&path) {
            // A relative link begins where it is.
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Gives a new file the owner of the file it replaces. Failure is not an error: only root can do this for other owners.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let is_same = file
        .metadata()
        .is_ok_and(|new| (new.uid(), new.gid()) == (old.uid(), old.gid()));
    if !is_same {
        drop(fchown(file, Some(old.uid()), Some(old.gid())));
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &Metadata) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> io::Result<()> {
        write_aside(
            path,
            |error| error,
            |output| output.write_all(text.as_bytes()),
        )
    }

    #[test]
    fn a_failure_leaves_what_was_there() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        write(&path, "old")?;
        let failed = write_aside(
            &path,
            |error| error,
            |output| {
                output.write_all(b"new")?;
                Err(io::Error::other("no"))
            },
        );
        assert!(failed.is_err());
        assert_eq!(fs::read(&path)?, b"old");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        assert!(write(folder.path(), "new").is_err());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_stays_and_a_new_file_has_the_usual_one() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir()?;
        let mode = |path: &Path| Ok::<_, io::Error>(fs::metadata(path)?.permissions().mode());
        let usual = folder.path().join("usual");
        fs::write(&usual, "")?;
        for bits in [0o600, 0o640, 0o444, 0o755] {
            let path = folder.path().join(format!("{bits:o}"));
            write(&path, "old")?;
            assert_eq!(mode(&path)?, mode(&usual)?);
            fs::set_permissions(&path, fs::Permissions::from_mode(bits))?;
            write(&path, "new")?;
            assert_eq!(mode(&path)? & 0o7777, bits);
            assert_eq!(fs::read(&path)?, b"new");
        }
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_their_targets_are_written() -> io::Result<()> {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner"))?;
        symlink("inner/target", at("near"))?;
        symlink(at("near"), at("far"))?;
        // The target is not there, then it is.
        for text in ["first", "second"] {
            write(&at("far"), text)?;
            assert_eq!(fs::read(at("inner/target"))?, text.as_bytes());
            assert!(at("far").is_symlink() && at("near").is_symlink());
        }
        symlink("round", at("round"))?;
        assert!(write(&at("round"), "x").is_err());
        write(Path::new("/dev/null"), "x")?;
        assert!(!fs::metadata("/dev/null")?.is_file());
        Ok(())
    }
}
