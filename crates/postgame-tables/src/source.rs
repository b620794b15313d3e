//! A recording to make rows of.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::OnceLock;

use arrow::error::ArrowError;
use postgame::slippi::stats::{Analysis, analyse};
use postgame::stats::Stats;
use postgame::timeline::Timeline;
use postgame::wire::packed::sha256;
use postgame::{Depth, ReadOptions, Recording, Report, Summary};

/// How many digits of a file's SHA-256 are the recording's id: enough to tell recordings apart, short enough to read.
const ID_DIGITS: usize = 16;

/// A recording, with what every table needs of it. Summary and timeline are made when somebody asks.
#[derive(Debug)]
pub struct Source {
    /// The recording's id in every table: the beginning of the file's SHA-256. Empty where nobody wanted it.
    pub id: String,
    /// The file's SHA-256. Empty where nobody wanted it.
    pub sha256: String,
    /// The file's name as it was given.
    pub file: String,
    /// The file's size.
    pub bytes: u64,
    /// The recording.
    pub recording: Recording,
    /// What was found while reading.
    pub report: Report,
    summary: OnceLock<Summary>,
    timeline: OnceLock<Timeline>,
    stats: OnceLock<Option<Stats>>,
    analysis: OnceLock<Analysis>,
}

impl Source {
    /// Reads a recording, as deep as the tables need.
    ///
    /// # Errors
    /// When the bytes are no recording.
    pub fn read(file: &str, bytes: &[u8], depth: Depth) -> postgame::Result<Self> {
        Self::read_known(file, bytes, sha256(bytes), depth)
    }

    /// Reads a recording whose SHA-256 is known already.
    pub(crate) fn read_known(
        file: &str,
        bytes: &[u8],
        sha256: String,
        depth: Depth,
    ) -> postgame::Result<Self> {
        let options = ReadOptions {
            depth,
            ..ReadOptions::default()
        };
        let read = postgame::read(bytes, &options)?;
        Ok(Self::new(file, sha256, bytes.len() as u64, read))
    }

    /// Reads the header of a file, with as few reads as its format allows. The recording has no id: that takes the
    /// whole file.
    ///
    /// # Errors
    /// The outer ones are the file system's, the inner ones those of [`Source::read`].
    pub fn read_header(file: &str, path: &Path) -> io::Result<postgame::Result<Self>> {
        let input = File::open(path)?;
        let bytes = input.metadata()?.len();
        Self::read_header_of(file, bytes, input)
    }

    /// The same of anything of so many bytes.
    ///
    /// # Errors
    /// The outer ones are the reader's, the inner ones those of [`Source::read`].
    pub fn read_header_of(
        file: &str,
        bytes: u64,
        reader: impl Read + Seek,
    ) -> io::Result<postgame::Result<Self>> {
        let read = postgame::read_header(reader)?;
        Ok(read.map(|read| Self::new(file, String::new(), bytes, read)))
    }

    /// A recording that was read already, of a file with this digest and size.
    pub fn new(
        file: &str,
        sha256: String,
        bytes: u64,
        (recording, report): (Recording, Report),
    ) -> Self {
        Self {
            id: sha256.get(..ID_DIGITS).unwrap_or_default().to_owned(),
            sha256,
            file: file.to_owned(),
            bytes,
            recording,
            report,
            summary: OnceLock::new(),
            timeline: OnceLock::new(),
            stats: OnceLock::new(),
            analysis: OnceLock::new(),
        }
    }

    /// The id that a recording with these bytes has.
    pub fn id_of(bytes: &[u8]) -> String {
        sha256(bytes)
            .get(..ID_DIGITS)
            .unwrap_or_default()
            .to_owned()
    }

    /// What a list shows of it.
    pub fn summary(&self) -> &Summary {
        self.summary.get_or_init(|| self.recording.summary())
    }

    /// What moves and happens in it.
    pub fn timeline(&self) -> &Timeline {
        self.timeline.get_or_init(|| self.recording.timeline())
    }

    /// Numbers about it. Whoever wants the timeline too asks for these first: the two have work in common.
    pub fn stats(&self) -> Option<&Stats> {
        let stats = self.stats.get_or_init(|| match self.timeline.get() {
            Some(timeline) => self.recording.stats(timeline),
            None => {
                let (timeline, stats) = self.recording.timeline_and_stats();
                self.timeline.get_or_init(|| timeline);
                stats
            }
        });
        stats.as_ref()
    }

    /// What is found in a Slippi replay; `None` for other games.
    pub fn analysis(&self) -> Option<&Analysis> {
        match &self.recording {
            Recording::Slippi(replay) => Some(self.analysis.get_or_init(|| analyse(replay))),
            _ => None,
        }
    }

    /// The month it was recorded in, such as `2020-07`; `None` where its date does not tell.
    pub fn month(&self) -> Option<&str> {
        let month = self.summary().date.as_deref()?.get(..7)?;
        let is_month = month.bytes().enumerate().all(|(index, byte)| match index {
            4 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        is_month.then_some(month)
    }

    /// The times at which tables of frames have rows: those of a fixed rate, or the given ones of the recording.
    ///
    /// # Errors
    /// When the rate makes more rows than any recording has.
    pub fn times_s(
        &self,
        fps: Option<f64>,
        frames_s: impl FnOnce() -> Vec<f64>,
    ) -> Result<Vec<f64>, ArrowError> {
        match fps {
            Some(fps) => {
                moments(self.timeline().duration_s(), fps)?;
                Ok(self.timeline().times_at(fps))
            }
            None => Ok(frames_s()),
        }
    }
}

/// How many moments after the first one a rate has in a duration.
///
/// # Errors
/// When there are more than any recording has: a damaged one may say that it takes a hundred years.
pub(crate) fn moments(duration_s: f64, fps: f64) -> Result<usize, ArrowError> {
    /// Two days at a hundred a second.
    const MOST: f64 = 20e6;
    let count = (duration_s * fps).floor();
    if count > MOST {
        return Err(ArrowError::ComputeError(format!(
            "{fps} rows a second for {duration_s:.0} s are too many"
        )));
    }
    // What is negative or no number at all has no moment but the first.
    Ok(count.max(0.0) as usize)
}
