//! Which recordings become rows.

use std::sync::Arc;

use postgame::limits::Limits;
use postgame::{Depth, Format};
use postgame_files::{Failure, Input};

use crate::source::Source;

/// Which inputs are wanted, and how much memory each may take. All others are not decoded.
#[derive(Clone, Default)]
pub struct Only {
    /// By name: the others are not even read.
    pub names: Option<NameFilter>,
    /// By format.
    pub formats: Option<Vec<Format>>,
    /// By the recording's id.
    pub ids: Option<Vec<String>>,
    /// Memory limit for each recording.
    pub limits: Limits,
}

/// Decides by its name whether an input is wanted.
pub type NameFilter = Arc<dyn Fn(&str) -> bool + Send + Sync>;

impl Only {
    /// True if a name is wanted.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names(name))
    }

    /// True if a format is wanted.
    pub fn has_format(&self, format: Format) -> bool {
        self.formats
            .as_ref()
            .is_none_or(|formats| formats.contains(&format))
    }

    /// Reads an input; `None` if it is not wanted.
    ///
    /// Without its id, a header is read with as few reads as the format allows.
    ///
    /// # Errors
    /// When it cannot be read, or is not a recording.
    pub fn read(
        &self,
        input: Input,
        depth: Depth,
        wants_id: bool,
    ) -> Result<Option<Source>, Failure> {
        if depth == Depth::Header && !wants_id && self.ids.is_none() {
            let source = Source::header(&input, &self.limits)?;
            let format = source.recording.format();
            if !is_told_by_frames(format) || !self.has_format(format) {
                return Ok(self.has_format(format).then_some(source));
            }
        }
        let name = input.name.clone();
        let bytes = input.into_bytes()?;
        if self.formats.is_some()
            && Format::sniff(&bytes).is_some_and(|format| !self.has_format(format))
        {
            return Ok(None);
        }
        if let Some(ids) = &self.ids
            && !ids.contains(&Source::id_of(&bytes))
        {
            return Ok(None);
        }
        let depth = match Format::sniff(&bytes) {
            Some(format) if depth == Depth::Header && is_told_by_frames(format) => Depth::Full,
            _ => depth,
        };
        let source = Source::read_within(&name, &bytes, depth, &self.limits);
        source.map(Some).map_err(|error| Failure::new(&name, error))
    }
}

/// True if a recording's header lacks what lists show: a Rocket League replay's has neither duration nor playlist.
pub(crate) fn is_told_by_frames(format: Format) -> bool {
    format == Format::RocketLeague
}
