//! The layout of a level: its sizes, and the versions of its objects.

use crate::error::{Error, Result};
use crate::satisfactory::codec::decode::scope::Versions;
use crate::satisfactory::codec::model::level::Level;
use crate::satisfactory::codec::model::object::{
    FLAGS_SINCE, Frame, OptionalVersions, VERSION_DATA_SINCE,
};
use crate::wire::bytes::{ByteReader, ByteWriter};

/// The layout of blob sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::satisfactory::codec) enum Sizes {
    /// No sizes: there are no blobs.
    None,
    Four,
    Eight,
}

/// The layout of a level, by the file's version and the level's kind.
#[derive(Clone, Copy, Debug)]
pub(in crate::satisfactory::codec) struct Shape {
    pub file_version: i32,
    pub sizes: Sizes,
    pub is_streaming: bool,
    pub is_blueprint: bool,
    /// Unreal's version for objects without their own.
    pub unreal: Option<i32>,
}

impl Shape {
    pub(in crate::satisfactory::codec) fn by_level(&self) -> bool {
        !self.is_streaming && self.file_version >= 41
    }

    /// The layout of the level's objects.
    pub(in crate::satisfactory::codec) fn frame(&self, level: &Level) -> (Frame, bool) {
        let save = level.save_version.unwrap_or(self.file_version);
        let own = level.versions.as_ref().and_then(OptionalVersions::unreal);
        let unreal = own.or(self.unreal).unwrap_or(Versions::UNREAL_UNSAID);
        let frame = Frame {
            has_version: !self.is_blueprint && self.file_version >= 41,
            has_versions: !self.is_blueprint && self.file_version >= VERSION_DATA_SINCE,
            versions: Versions { save, unreal },
        };
        (frame, save >= FLAGS_SINCE)
    }

    /// The size of the bytes that follow. Without blobs there is still the size of the body, of four bytes.
    pub(in crate::satisfactory::codec) fn read_size(
        &self,
        reader: &mut ByteReader<'_>,
    ) -> Result<i64> {
        match self.sizes {
            Sizes::None | Sizes::Four => reader.i32().map(i64::from),
            Sizes::Eight => reader.i64(),
        }
    }

    pub(in crate::satisfactory::codec) fn blob<'a>(
        &self,
        reader: &mut ByteReader<'a>,
        stated: &mut Option<i64>,
    ) -> Result<ByteReader<'a>> {
        if self.sizes == Sizes::None {
            return Ok(reader.clone());
        }
        let size = self.read_size(reader)?;
        match usize::try_from(size) {
            Ok(size) if size <= reader.left() => reader.sub(size),
            Ok(_) => {
                *stated = Some(size);
                reader.sub(reader.left())
            }
            Err(_) => Err(reader.invalid(format!("a size of {size} is not possible"))),
        }
    }

    pub(in crate::satisfactory::codec) fn write_blob(
        &self,
        writer: &mut ByteWriter,
        stated: Option<i64>,
        write: impl FnOnce(&mut ByteWriter) -> Result<()>,
    ) -> Result<()> {
        let at = writer.position();
        match self.sizes {
            Sizes::None => return write(writer),
            Sizes::Four => writer.i32(0),
            Sizes::Eight => writer.i64(0),
        }
        let start = writer.position();
        write(writer)?;
        let size = stated.unwrap_or((writer.position() - start) as i64);
        match self.sizes {
            Sizes::Eight => writer.patch(at, &size.to_le_bytes()),
            _ => {
                let size = i32::try_from(size);
                let size =
                    size.map_err(|_| Error::unwritable("a level is too large for its size field"))?;
                writer.patch(at, &size.to_le_bytes());
            }
        }
        Ok(())
    }
}
