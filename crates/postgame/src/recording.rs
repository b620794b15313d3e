//! A recording of any game: reading, writing, checking, JSON.

use std::io::{self, Read as _};

use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::error::{Error, Problem, Result};
use crate::format::{Format, describe};
use crate::limits::Limits;
use crate::probe::Probe;
use crate::repair::{Repair, Verdict};
use crate::report::{Report, Severity};
use crate::stats::Stats;
use crate::summary::Summary;
use crate::timeline::Timeline;
use crate::{rocket_league, rumble, satisfactory, slippi};

/// How often a repaired recording is read again; each round mends what the one before it uncovered.
const MAX_REPAIR_ROUNDS: usize = 8;

/// The rounds of a repair after which a part that still cannot be read is dropped.
const ROUNDS_BEFORE_DROPPING: usize = 5;

/// How much of a recording to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// What a list of recordings shows: versions, date, map, players. The body is left unread.
    Header,
    /// What tells which objects there are and where they stand, for Satisfactory saves: the data of the objects is inflated
    /// when it is asked for, and damage in it is found only then, or by [`Recording::check`]. Everything, for other formats.
    Index,
    /// Everything.
    #[default]
    Full,
}

/// How to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How much to read.
    pub depth: Depth,
    /// How large things may get.
    pub limits: Limits,
}

impl ReadOptions {
    /// Reads what tells which objects there are: see [`Depth::Index`].
    pub fn index() -> Self {
        Self {
            depth: Depth::Index,
            ..Self::default()
        }
    }

    /// Reads no more than the header.
    pub fn header() -> Self {
        Self {
            depth: Depth::Header,
            ..Self::default()
        }
    }
}

/// A recording of any game, lossless and in the file's own words.
///
/// In JSON it is `{"format": …, "recording": …}`; the format comes first so that the rest can be read as a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "format",
    content = "recording",
    rename_all = "kebab-case",
    deny_unknown_fields
)]
// Few are held at a time, and all of them own far more than they are large: a box would buy nothing.
#[allow(clippy::large_enum_variant)]
pub enum Recording {
    /// A Rocket League replay.
    RocketLeague(rocket_league::Replay),
    /// A RUMBLE replay.
    Rumble(rumble::Replay),
    /// A Satisfactory save.
    Satisfactory(Box<satisfactory::Save>),
    /// A Satisfactory blueprint.
    SatisfactoryBlueprint(Box<satisfactory::Blueprint>),
    /// The file beside a Satisfactory blueprint.
    SatisfactoryConfig(satisfactory::BlueprintConfig),
    /// A Slippi replay.
    Slippi(Box<slippi::Replay>),
}

/// The contents of a file that makes [`read`] panic, as a bug of ours would.
#[cfg(feature = "test-panic")]
#[doc(hidden)]
pub const TEST_PANIC: &[u8] = b"Postgame panics on this file, in tests only.";

/// Reads a recording of any game and reports anything unusual.
///
/// # Errors
/// When there is nothing to return: the bytes are not a recording, or break before its header is whole. A body that
/// breaks midway gives what was read, and a finding with [`Severity::Lost`].
///
/// When reading would take more memory than `options.limits` allow: then nothing is returned, since a part of a recording
/// that is whole must not pass for it. [`Error::is_out_of_memory`] tells these apart.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Recording, Report)> {
    #[cfg(feature = "test-panic")]
    assert!(bytes != TEST_PANIC, "asked for by a test");
    let Some(format) = Format::sniff(bytes) else {
        return Err(Error::new(Problem::Unknown(describe(bytes))));
    };
    let mut report = Report::default();
    let recording = match format {
        Format::RocketLeague => {
            rocket_league::read(bytes, options, &mut report).map(Recording::RocketLeague)
        }
        Format::Rumble => rumble::read(bytes, options, &mut report).map(Recording::Rumble),
        Format::Satisfactory => satisfactory::read(bytes, options, &mut report)
            .map(|save| Recording::Satisfactory(Box::new(save))),
        Format::SatisfactoryBlueprint => satisfactory::read_blueprint(bytes, options, &mut report)
            .map(|blueprint| Recording::SatisfactoryBlueprint(Box::new(blueprint))),
        Format::SatisfactoryConfig => satisfactory::read_config(bytes, options, &mut report)
            .map(Recording::SatisfactoryConfig),
        Format::Slippi => slippi::read(bytes, options, &mut report)
            .map(|replay| Recording::Slippi(Box::new(replay))),
    };
    recording
        .map(|recording| (recording, report))
        .map_err(|error| error.in_format(format))
}

/// Reads the header of a recording from a file, with as few and as small reads as its format allows.
///
/// ```
/// let file = std::fs::File::open("../../samples/duel.slp")?;
/// let (recording, _) = postgame::read_header(file, &Default::default())?;
/// assert_eq!(recording.summary().players[0].name, "Ada");
/// # Ok::<(), postgame::Error>(())
/// ```
///
/// # Errors
/// Those of [`read`], and those of the input, which [`Error::into_io`] tells apart.
pub fn read_header<R: io::Read + io::Seek>(
    mut input: R,
    limits: &Limits,
) -> Result<(Recording, Report)> {
    let mut bytes = Vec::new();
    input.by_ref().take(64).read_to_end(&mut bytes)?;
    if slippi::has_short_header(&bytes) {
        let mut report = Report::default();
        let replay = slippi::read_header(input, limits, &mut report)
            .map_err(|error| error.in_format(Format::Slippi))?;
        return Ok((Recording::Slippi(Box::new(replay)), report));
    }
    input.read_to_end(&mut bytes)?;
    let options = ReadOptions {
        limits: *limits,
        ..ReadOptions::header()
    };
    read(&bytes, &options)
}

impl Recording {
    /// Its format.
    pub fn format(&self) -> Format {
        match self {
            Self::RocketLeague(_) => Format::RocketLeague,
            Self::Rumble(_) => Format::Rumble,
            Self::Satisfactory(_) => Format::Satisfactory,
            Self::SatisfactoryBlueprint(_) => Format::SatisfactoryBlueprint,
            Self::SatisfactoryConfig(_) => Format::SatisfactoryConfig,
            Self::Slippi(_) => Format::Slippi,
        }
    }

    /// The file: the very bytes it was read from if nothing was changed.
    ///
    /// # Errors
    /// When the model holds something the format has no room for, or only the header was read.
    pub fn write(&self) -> Result<Vec<u8>> {
        match self {
            Self::RocketLeague(replay) => rocket_league::write(replay),
            Self::Rumble(replay) => rumble::write(replay),
            Self::Satisfactory(save) => satisfactory::write(save),
            Self::SatisfactoryBlueprint(blueprint) => satisfactory::write_blueprint(blueprint),
            Self::SatisfactoryConfig(config) => satisfactory::write_config(config),
            Self::Slippi(replay) => slippi::write(replay),
        }
        .map_err(|error| error.in_format(self.format()))
    }

    /// Adds to a report whatever in the recording contradicts its format or itself.
    ///
    /// Together with the findings made while reading this is all there is to say about a file.
    pub fn check(&self, report: &mut Report) {
        match self {
            Self::RocketLeague(replay) => rocket_league::check(replay, report),
            Self::Rumble(replay) => rumble::check(replay, report),
            Self::Satisfactory(save) => satisfactory::check(save, report),
            Self::SatisfactoryBlueprint(blueprint) => {
                satisfactory::check_blueprint(blueprint, report)
            }
            Self::SatisfactoryConfig(config) => satisfactory::check_config(config, report),
            Self::Slippi(replay) => slippi::check(replay, report),
        }
    }

    /// Makes a valid recording out of a damaged one without inventing data, and reports each step.
    ///
    /// The result is written, read again with `options` and checked, until reading it loses nothing and repairing it
    /// changes nothing. A gap that cannot be closed is cut out, or the recording ends there.
    ///
    /// # Errors
    /// When nothing of the recording can be kept, or only its header was read.
    pub fn repair(&mut self, options: &ReadOptions) -> Result<Repair> {
        let mut done = Repair::default();
        for round in 0..MAX_REPAIR_ROUNDS {
            let before = done.steps.len();
            self.repair_once(&mut done);
            // A part that stays unreadable however often it is mended has to go.
            if round >= ROUNDS_BEFORE_DROPPING {
                self.drop_unreadable(&mut done);
            }
            let written = match self.write() {
                Ok(written) => written,
                Err(error) if round + 1 == MAX_REPAIR_ROUNDS => return Err(error),
                Err(_) => {
                    self.drop_unreadable(&mut done);
                    continue;
                }
            };
            let (again, mut report) = read(&written, options)?;
            again.check(&mut report);
            let is_whole = report.worst() != Some(Severity::Lost);
            if is_whole && (done.steps.len() == before || round + 1 == MAX_REPAIR_ROUNDS) {
                if done.verdict() == Verdict::Lost && self.is_empty() {
                    break;
                }
                return Ok(done);
            }
            *self = again;
        }
        let message = "nothing of the recording can be kept: too much of it is damaged";
        Err(Error::invalid(message).in_format(self.format()))
    }

    /// True when a recording holds no data of its game.
    fn is_empty(&self) -> bool {
        match self {
            Self::Satisfactory(save) => satisfactory::is_empty(save),
            Self::SatisfactoryBlueprint(blueprint) => satisfactory::is_empty_blueprint(blueprint),
            Self::Rumble(replay) => rumble::is_empty(replay),
            Self::RocketLeague(_) | Self::SatisfactoryConfig(_) | Self::Slippi(_) => false,
        }
    }

    /// Mends everything that is known to be wrong with the model.
    fn repair_once(&mut self, done: &mut Repair) {
        match self {
            Self::RocketLeague(replay) => rocket_league::repair(replay, done),
            Self::Rumble(replay) => rumble::repair(replay, done),
            Self::Satisfactory(save) => satisfactory::repair(save, done),
            Self::SatisfactoryBlueprint(blueprint) => {
                satisfactory::repair_blueprint(blueprint, done);
            }
            Self::SatisfactoryConfig(config) => satisfactory::repair_config(config, done),
            Self::Slippi(replay) => slippi::repair(replay, done),
        }
    }

    /// Drops a part as a whole that could not be mended.
    fn drop_unreadable(&mut self, done: &mut Repair) {
        if let Self::RocketLeague(replay) = self {
            rocket_league::drop_frames(replay, done);
        }
    }

    /// What a list of recordings shows of it.
    pub fn summary(&self) -> Summary {
        match self {
            Self::RocketLeague(replay) => rocket_league::summary(replay),
            Self::Rumble(replay) => rumble::summary(replay),
            Self::Satisfactory(save) => satisfactory::summary(save),
            Self::SatisfactoryBlueprint(blueprint) => satisfactory::summary_of_blueprint(blueprint),
            Self::SatisfactoryConfig(config) => satisfactory::summary_of_config(config),
            Self::Slippi(replay) => slippi::summary(replay),
        }
    }

    /// What moves and happens in it.
    pub fn timeline(&self) -> Timeline {
        let mut timeline = match self {
            Self::RocketLeague(replay) => rocket_league::timeline(replay),
            Self::Rumble(replay) => rumble::timeline(replay),
            Self::Satisfactory(save) => satisfactory::timeline(save),
            Self::SatisfactoryBlueprint(blueprint) => {
                satisfactory::timeline_of_blueprint(blueprint)
            }
            Self::SatisfactoryConfig(_) => Timeline::default(),
            Self::Slippi(replay) => slippi::timeline(replay),
        };
        timeline.shorten_names();
        timeline
    }

    /// Numbers about what happens, from the recording and its timeline; `None` where this game has none yet.
    pub fn stats(&self, timeline: &Timeline) -> Option<Stats> {
        match self {
            Self::RocketLeague(_) => Some(rocket_league::stats(timeline)),
            Self::Rumble(_) => Some(rumble::stats(timeline)),
            Self::Satisfactory(save) => Some(satisfactory::stats(save)),
            Self::SatisfactoryBlueprint(blueprint) => {
                Some(satisfactory::stats_of_blueprint(blueprint))
            }
            Self::SatisfactoryConfig(_) => None,
            Self::Slippi(replay) => Some(slippi::stats(replay, timeline)),
        }
    }

    /// Its timeline, events and statistics, each computed once and only if it is asked for.
    pub fn analysis(&self) -> Analysis<'_> {
        Analysis::new(self)
    }

    /// Whether its statistics follow from its timeline; others are computed from the recording alone.
    pub(crate) fn stats_need_timeline(&self) -> bool {
        matches!(self, Self::RocketLeague(_) | Self::Rumble(_))
    }

    /// Whether timeline and statistics together cost less than one after the other.
    pub(crate) fn timeline_shares_work_with_stats(&self) -> bool {
        matches!(self, Self::Slippi(_))
    }

    /// Both at once.
    pub(crate) fn timeline_and_stats(&self) -> (Timeline, Option<Stats>) {
        if let Self::Slippi(replay) = self {
            let (mut timeline, stats) = slippi::timeline_and_stats(replay);
            timeline.shorten_names();
            return (timeline, Some(stats));
        }
        let timeline = self.timeline();
        let stats = self.stats(&timeline);
        (timeline, stats)
    }

    /// Measurements of whether it can be true, from the recording and its timeline.
    pub fn probe(&self, timeline: &Timeline) -> Vec<Probe> {
        match self {
            Self::RocketLeague(replay) => rocket_league::probe(replay, timeline),
            Self::Rumble(replay) => rumble::probe(replay, timeline),
            Self::Satisfactory(save) => satisfactory::probe(save),
            Self::SatisfactoryBlueprint(blueprint) => satisfactory::probe_of_blueprint(blueprint),
            Self::SatisfactoryConfig(_) => Vec::new(),
            Self::Slippi(replay) => slippi::probe(replay, timeline),
        }
    }

    /// Writes the recording as JSON, which loses nothing, piece by piece.
    ///
    /// # Errors
    /// What the output says; broken pipes too.
    pub fn write_json(&self, output: impl io::Write, pretty: bool) -> io::Result<()> {
        if pretty {
            serde_json::to_writer_pretty(output, self).map_err(io::Error::from)
        } else {
            serde_json::to_writer(output, self).map_err(io::Error::from)
        }
    }

    /// Reads a recording back from JSON, piece by piece.
    ///
    /// # Errors
    /// When the text is not JSON or not that of a recording, with line and column.
    pub fn read_json(input: impl io::Read) -> Result<Self> {
        serde_json::from_reader(input)
            .map_err(|error| Error::invalid(format!("not a recording's JSON: {error}")))
    }
}
