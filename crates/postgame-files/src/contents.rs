//! A file that may be a recording, wherever it is.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use postgame::limits::Limits;
use postgame::{Depth, ReadOptions, Recording, Report};

use crate::bucket::Object;
use crate::spool::{Piece, Spool};
use crate::{Failure, input};

/// A file that may be a recording. Nothing is read until it is asked for, except for members of archives.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name: the path or the address; for a member of an archive its name in there, after the archive's and a `/`.
    pub name: String,
    contents: Contents,
}

#[derive(Clone, Debug)]
enum Contents {
    File(PathBuf),
    Object(Object),
    Bytes(Vec<u8>),
    Spooled(Piece),
}

/// A header, and the size of its file.
#[derive(Debug)]
pub struct Header {
    /// The recording, read to [`Depth::Header`].
    pub recording: Recording,
    /// The findings of reading.
    pub report: Report,
    /// The size of the whole file.
    pub bytes: u64,
}

/// Distinguishes one state of a file from the next.
pub type Stamp = (u64, Option<SystemTime>);

trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

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

    /// Bytes in memory.
    pub fn bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            name: name.into(),
            contents: Contents::Bytes(bytes),
        }
    }

    /// The last part of its name, without folders.
    pub fn file_name(&self) -> Cow<'_, str> {
        if let Contents::File(path) = &self.contents
            && let Some(name) = path.file_name()
        {
            return name.to_string_lossy();
        }
        let name = self.name.trim_end_matches('/');
        Cow::Borrowed(name.rsplit('/').next().unwrap_or(name))
    }

    /// The path, if it is a file of its own on disk.
    pub fn path(&self) -> Option<&Path> {
        match &self.contents {
            Contents::File(path) => Some(path),
            _ => None,
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When the file system or the object store fails.
    pub fn read_bytes(&self) -> Result<Cow<'_, [u8]>, Failure> {
        let read = match &self.contents {
            Contents::File(path) => input::read(path),
            Contents::Object(object) => object.read(),
            Contents::Bytes(bytes) => return Ok(Cow::Borrowed(bytes)),
            Contents::Spooled(piece) => {
                let mut bytes = Vec::new();
                let read = piece.clone().read_to_end(&mut bytes);
                read.map(|_| bytes)
            }
        };
        read.map(Cow::Owned)
            .map_err(|error| Failure::new(&self.name, error))
    }

    /// Its bytes, without copying those in memory.
    ///
    /// # Errors
    /// As [`Input::read_bytes`].
    pub fn into_bytes(self) -> Result<Vec<u8>, Failure> {
        match self.contents {
            Contents::Bytes(bytes) => Ok(bytes),
            _ => self.read_bytes().map(Cow::into_owned),
        }
    }

    /// The recording, with the findings of reading. A header is read with as few reads as its format allows.
    ///
    /// # Errors
    /// When it cannot be read, or is not a recording.
    pub fn recording(&self, options: &ReadOptions) -> Result<(Recording, Report), Failure> {
        if options.depth == Depth::Header {
            let header = self.header(&options.limits)?;
            return Ok((header.recording, header.report));
        }
        let read = postgame::read(&self.read_bytes()?, options);
        read.map_err(|error| Failure::new(&self.name, error))
    }

    /// The header, with as few reads as the format allows.
    ///
    /// # Errors
    /// When it cannot be read, or is not a recording.
    pub fn header(&self, limits: &Limits) -> Result<Header, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::new(&self.name, error);
        let (read, bytes) = match self.reader().map_err(|error| failed(&error))? {
            Some((reader, bytes)) => (postgame::read_header(reader, limits), bytes),
            None => {
                let options = ReadOptions {
                    limits: *limits,
                    ..ReadOptions::header()
                };
                let bytes = self.read_bytes()?;
                (postgame::read(&bytes, &options), bytes.len() as u64)
            }
        };
        let (recording, report) = read.map_err(|error| match error.into_io() {
            Ok(error) => failed(&error),
            Err(error) => failed(&error),
        })?;
        Ok(Header {
            recording,
            report,
            bytes,
        })
    }

    /// A reader at any offset, and the size; `None` if all of it must be read, or is in memory.
    fn reader(&self) -> io::Result<Option<(Box<dyn ReadSeek>, u64)>> {
        Ok(match &self.contents {
            // A FIFO cannot be read from its end.
            Contents::File(path) if path.is_file() => {
                let file = File::open(path)?;
                let bytes = file.metadata()?.len();
                Some((Box::new(file), bytes))
            }
            Contents::Object(object) => Some((Box::new(object.reader()), object.bytes)),
            Contents::Spooled(piece) => Some((Box::new(piece.clone()), piece.bytes)),
            Contents::File(_) | Contents::Bytes(_) => None,
        })
    }

    /// Moves bytes in memory to a spool, so that many inputs can be kept and read in any order.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn spooled(self, spool: &mut Spool) -> Result<Self, Failure> {
        let contents = match self.contents {
            Contents::Bytes(bytes) => {
                let piece = spool.add(&bytes);
                Contents::Spooled(piece.map_err(|error| Failure::new(&self.name, error))?)
            }
            // Prefetching is for inputs that are read one after the other.
            Contents::Object(object) => Contents::Object(Object {
                among: None,
                ..object
            }),
            other => other,
        };
        Ok(Self { contents, ..self })
    }

    /// A value that changes when the contents of a file on disk do; constant for all others.
    ///
    /// # Errors
    /// When the file is gone.
    pub fn stamp(&self) -> io::Result<Stamp> {
        Ok(match &self.contents {
            Contents::File(path) => {
                let metadata = fs::metadata(path)?;
                (metadata.len(), metadata.modified().ok())
            }
            Contents::Object(object) => (object.bytes, None),
            Contents::Bytes(bytes) => (bytes.len() as u64, None),
            Contents::Spooled(piece) => (piece.bytes, None),
        })
    }

    /// Its size, as far as it is known without reading it.
    pub fn size(&self) -> u64 {
        self.stamp().map_or(0, |(bytes, _)| bytes)
    }
}
