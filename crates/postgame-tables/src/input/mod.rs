//! Finding recordings: files, folders, patterns, and what is inside of archives.
//!
//! - `archive`: `.zip`, `.tar`, `.tar.gz`, `.gz`, `.zst`
//! - `objects`: what is in object stores

mod archive;
pub(crate) mod objects;

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use postgame::limits::Limits;
use postgame::{Depth, Format};
use postgame_files::input::{self as files, Kind, Skipped, walk_folder};

use crate::bucket::{self, Object};
use crate::source::Source;

/// The name that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// What makes a path a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// Why something could not be read, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file, or the member of an archive.
    pub name: String,
    /// Why.
    pub message: String,
    /// Not 0 if this is not a failure, but a folder of which this many entries were not opened, because they are not
    /// regular files.
    pub skipped: usize,
}

impl Failure {
    /// A failure with a file.
    pub fn new(name: impl fmt::Display, error: impl fmt::Display) -> Self {
        // "(os error 2)" says nothing to a person.
        let message = error.to_string();
        let message = message.split(" (os error").next().unwrap_or(&message);
        Self {
            name: name.to_string(),
            message: message.to_owned(),
            skipped: 0,
        }
    }

    /// Entries of a folder that were not opened.
    fn skipped(folder: &Path, skipped: Skipped) -> Self {
        Self {
            skipped: skipped.count(),
            ..Self::new(folder.display(), skipped)
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for Failure {}

/// A file that may be a recording.
#[derive(Debug)]
pub struct Input {
    /// Its name: the path, and for a member of an archive the name in it, after a `/`.
    pub name: String,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    File(PathBuf),
    Object(Object),
    Bytes(Vec<u8>),
}

impl Input {
    /// A file.
    pub fn file(path: &Path) -> Self {
        Self {
            name: path.display().to_string(),
            contents: Contents::File(path.to_owned()),
        }
    }

    /// A file of an object store.
    pub fn object(name: impl Into<String>, object: Object) -> Self {
        Self {
            name: name.into(),
            contents: Contents::Object(object),
        }
    }

    /// Bytes that are in memory already.
    pub fn bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            name: name.into(),
            contents: Contents::Bytes(bytes),
        }
    }

    /// The bytes.
    ///
    /// # Errors
    /// What the file system or the object store says.
    pub fn into_bytes(self) -> Result<Vec<u8>, Failure> {
        match self.contents {
            Contents::File(path) => {
                let read = files::read(&path);
                read.map_err(|error| Failure::new(&self.name, error))
            }
            Contents::Object(object) => {
                let read = object.read();
                read.map_err(|error| Failure::new(&self.name, error))
            }
            Contents::Bytes(bytes) => Ok(bytes),
        }
    }

    /// The header, if it can be read without all the rest; without an id.
    fn header(&self, limits: &Limits) -> Option<io::Result<postgame::Result<Source>>> {
        match &self.contents {
            Contents::File(path) if path.is_file() => {
                Some(Source::read_header(&self.name, path, limits))
            }
            Contents::Object(object) => {
                let reader = object.reader();
                let header = Source::read_header_of(&self.name, object.bytes, reader, limits);
                Some(header)
            }
            Contents::File(_) | Contents::Bytes(_) => None,
        }
    }

    /// The recording, if it is a wanted one; `None` if not.
    ///
    /// Without its id, a header is read with as few reads as the format allows.
    ///
    /// # Errors
    /// When it cannot be read, or is no recording.
    pub fn into_source(
        self,
        depth: Depth,
        wants_id: bool,
        only: &Only,
    ) -> Result<Option<Source>, Failure> {
        let name = self.name.clone();
        if depth == Depth::Header
            && !wants_id
            && only.ids.is_none()
            && let Some(source) = self.header(&only.limits)
        {
            let source = source
                .map_err(|error| Failure::new(&name, error))?
                .map_err(|error| Failure::new(&name, error))?;
            if !is_told_by_frames(source.recording.format())
                || !only.has_format(Format::RocketLeague)
            {
                return Ok(only.has_format(source.recording.format()).then_some(source));
            }
        }
        let bytes = self.into_bytes()?;
        if only.formats.is_some()
            && Format::sniff(&bytes).is_some_and(|format| !only.has_format(format))
        {
            return Ok(None);
        }
        if let Some(ids) = &only.ids
            && !ids.contains(&Source::id_of(&bytes))
        {
            return Ok(None);
        }
        let depth = match Format::sniff(&bytes) {
            Some(format) if depth == Depth::Header && is_told_by_frames(format) => Depth::Full,
            _ => depth,
        };
        let source = Source::read_within(&name, &bytes, depth, &only.limits);
        source.map(Some).map_err(|error| Failure::new(&name, error))
    }
}

/// Whether a recording's header lacks what lists show: a Rocket League replay's has neither duration nor playlist.
pub(crate) fn is_told_by_frames(format: Format) -> bool {
    format == Format::RocketLeague
}

/// Which inputs are wanted, and how large they may get; the others are not decoded.
#[derive(Clone, Default)]
pub struct Only {
    /// By name: the others are not even read.
    pub names: Option<NameFilter>,
    /// By format.
    pub formats: Option<Vec<Format>>,
    /// By the recording's id.
    pub ids: Option<Vec<String>>,
    /// How much memory each may take.
    pub limits: Limits,
}

/// Decides by its name whether an input is looked at.
pub type NameFilter = Arc<dyn Fn(&str) -> bool + Send + Sync>;

impl Only {
    /// True when a name is wanted.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names(name))
    }

    /// True when a format is wanted.
    pub fn has_format(&self, format: Format) -> bool {
        self.formats
            .as_ref()
            .is_none_or(|formats| formats.contains(&format))
    }
}

/// What is done with each input; a break ends the walk.
pub type Visit<'a> = &'a mut dyn FnMut(Result<Input, Failure>) -> ControlFlow<()>;

/// Goes through the recordings that some paths mean, in order of their names.
///
/// A file is taken whatever it is called; it can be a FIFO, but not a device. In folders and archives, files with a
/// recording's or an archive's extension are taken if they are regular files; the others are counted and reported once per
/// folder. A path that does not exist may be a pattern with `*`, `**` and `?`. `-` is standard input, `s3://BUCKET/PREFIX` a
/// file, a folder or a pattern in an object store. Members of archives are unpacked within the limits.
pub fn walk(paths: &[PathBuf], limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    for path in paths {
        if path.as_os_str() == STANDARD_INPUT {
            standard_input(visit)?;
        } else if let Some(address) = bucket::address(path) {
            objects::walk(address, limits, visit)?;
        } else if path.is_dir() {
            folder(path, limits, visit)?;
        } else if !path.exists() && is_pattern(path) {
            pattern(path, limits, visit)?;
        } else {
            one(path, limits, visit)?;
        }
    }
    ControlFlow::Continue(())
}

fn standard_input(visit: Visit<'_>) -> ControlFlow<()> {
    visit(match files::read_stream(io::stdin().lock()) {
        Ok(bytes) => Ok(Input::bytes(STANDARD_INPUT, bytes)),
        Err(error) => Err(Failure::new(STANDARD_INPUT, error)),
    })
}

fn one(path: &Path, limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    match archive::Kind::of(path) {
        Some(kind) => {
            let name = path.display().to_string();
            let file = match Kind::of(path) {
                // Archives are not read from the beginning to the end.
                Ok(Kind::Fifo) => Err(io::Error::other("a FIFO cannot be read as an archive")),
                _ => files::open(path),
            };
            match file {
                Ok(file) => {
                    let file = io::BufReader::with_capacity(1 << 16, file);
                    archive::walk(&name, kind, file, limits, visit)
                }
                Err(error) => visit(Err(Failure::new(name, error))),
            }
        }
        None => visit(Ok(Input::file(path))),
    }
}

/// True for the names of files that are taken from folders.
pub(crate) fn is_wanted(name: &str) -> bool {
    Format::is_plausible_name(name) || archive::Kind::of_name(name).is_some()
}

fn folder(path: &Path, limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    let mut count = 0;
    let mut skipped = Skipped::default();
    walk_folder(path, &is_wanted, &mut skipped, &mut |found| {
        count += 1;
        match found {
            Ok(path) => one(&path, limits, visit),
            Err((path, error)) => visit(Err(Failure::new(path.display(), error))),
        }
    })?;
    if skipped.count() > 0 {
        visit(Err(Failure::skipped(path, skipped)))?;
    }
    if count == 0 {
        let message = "there are no recordings in this folder";
        visit(Err(Failure::new(path.display(), message)))?;
    }
    ControlFlow::Continue(())
}

fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(WILDCARDS))
}

fn pattern(path: &Path, limits: &Limits, visit: Visit<'_>) -> ControlFlow<()> {
    let name = path.display().to_string();
    let found = match glob::glob(&name) {
        Ok(found) => found,
        Err(error) => return visit(Err(Failure::new(name, error.msg))),
    };
    let mut count = 0;
    for path in found {
        count += 1;
        match path {
            Ok(path) if path.is_dir() => folder(&path, limits, visit)?,
            Ok(path) => one(&path, limits, visit)?,
            Err(error) => visit(Err(Failure::new(error.path().display(), error.error())))?,
        }
    }
    if count == 0 {
        visit(Err(Failure::new(name, "nothing matches this pattern")))?;
    }
    ControlFlow::Continue(())
}
