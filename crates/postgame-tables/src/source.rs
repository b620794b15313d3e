//! A recording as the source of table rows.

use std::sync::OnceLock;

use arrow::error::ArrowError;
use postgame::limits::{Limits, MAX_MOMENTS};
use postgame::sha256;
use postgame::slippi::stats::{Analysis, analyse};
use postgame::stats::Stats;
use postgame::timeline::Timeline;
use postgame::{Depth, ReadOptions, Recording, Report, Summary};
use postgame_files::contents::Header;
use postgame_files::{Failure, Input};

/// Number of SHA-256 digits in a recording's id: enough to be unique, short enough to read.
const ID_DIGITS: usize = 16;

/// A recording, with everything that tables need. Summary and timeline are computed on demand.
#[derive(Debug)]
pub struct Source {
    /// The recording's id in every table: the start of the file's SHA-256. Empty if it was not requested.
    pub id: String,
    /// The file's SHA-256. Empty if it was not requested.
    pub sha256: String,
    /// The file's name as given.
    pub file: String,
    /// The file's size.
    pub bytes: u64,
    /// The recording.
    pub recording: Recording,
    /// The findings of reading.
    pub report: Report,
    summary: OnceLock<Summary>,
    timeline: OnceLock<Timeline>,
    stats: OnceLock<Option<Stats>>,
    analysis: OnceLock<Analysis>,
}

impl Source {
    /// Reads a recording to the depth that the tables need.
    ///
    /// # Errors
    /// When the bytes are not a recording.
    pub fn read(file: &str, bytes: &[u8], depth: Depth) -> postgame::Result<Self> {
        Self::read_within(file, bytes, depth, &Limits::default())
    }

    /// Reads a recording within limits, to the depth that the tables need.
    ///
    /// # Errors
    /// When the bytes are not a recording, or reading them takes more memory than is allowed.
    pub fn read_within(
        file: &str,
        bytes: &[u8],
        depth: Depth,
        limits: &Limits,
    ) -> postgame::Result<Self> {
        Self::read_known(file, bytes, sha256(bytes), depth, limits)
    }

    /// Reads a recording whose SHA-256 is already known.
    pub(crate) fn read_known(
        file: &str,
        bytes: &[u8],
        sha256: String,
        depth: Depth,
        limits: &Limits,
    ) -> postgame::Result<Self> {
        let options = ReadOptions {
            depth,
            limits: *limits,
        };
        let read = postgame::read(bytes, &options)?;
        Ok(Self::new(file, sha256, bytes.len() as u64, read))
    }

    /// Reads the header of an input, with as few reads as its format allows. The source has no id, because that needs the
    /// whole file.
    ///
    /// # Errors
    /// When it cannot be read, or is not a recording.
    pub fn header(input: &Input, limits: &Limits) -> Result<Self, Failure> {
        let Header {
            recording,
            report,
            bytes,
        } = input.header(limits)?;
        Ok(Self::new(
            &input.name,
            String::new(),
            bytes,
            (recording, report),
        ))
    }

    /// A recording that was already read, from a file with this digest and size.
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

    /// The id of a recording with these bytes.
    pub fn id_of(bytes: &[u8]) -> String {
        sha256(bytes)
            .get(..ID_DIGITS)
            .unwrap_or_default()
            .to_owned()
    }

    /// Its summary: by the frames too if they were read and say more than the header.
    pub fn summary(&self) -> &Summary {
        self.summary.get_or_init(|| match &self.recording {
            Recording::RocketLeague(replay) => postgame::rocket_league::full_summary(replay),
            recording => recording.summary(),
        })
    }

    /// Its timeline.
    pub fn timeline(&self) -> &Timeline {
        self.timeline.get_or_init(|| self.recording.timeline())
    }

    /// Its statistics. Ask for them before the timeline if you need both: they share work.
    pub fn stats(&self) -> Option<&Stats> {
        let stats = self.stats.get_or_init(|| match self.timeline.get() {
            Some(timeline) => self.recording.stats(timeline),
            None => {
                let (timeline, stats) = self.recording.analysis().into_parts();
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

    /// The month of the recording, such as `2020-07`; `None` if it has no date.
    pub fn month(&self) -> Option<&str> {
        let month = self.summary().date.as_deref()?.get(..7)?;
        let is_month = month.bytes().enumerate().all(|(index, byte)| match index {
            4 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        is_month.then_some(month)
    }

    /// The row times of a table of frames: at a fixed rate, or the recording's own times as given.
    ///
    /// # Errors
    /// When the rate gives more rows than any recording has.
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

/// Number of sample times after the first one, at a rate over a duration.
///
/// # Errors
/// When there are implausibly many: a damaged recording may claim to last a hundred years.
pub(crate) fn moments(duration_s: f64, fps: f64) -> Result<usize, ArrowError> {
    let count = (duration_s * fps).floor();
    if count > MAX_MOMENTS {
        return Err(ArrowError::ComputeError(format!(
            "{fps} rows a second for {duration_s:.0} s are too many"
        )));
    }
    // A negative or NaN duration has only the first sample time.
    Ok(count.max(0.0) as usize)
}
