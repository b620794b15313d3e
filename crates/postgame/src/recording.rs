//! A recording of any game: reading, writing, checking, JSON.

use std::io::{self, Read as _};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Problem, Result};
use crate::format::{Format, describe};
use crate::limits::Limits;
use crate::probe::Probe;
use crate::report::Report;
use crate::stats::Stats;
use crate::summary::Summary;
use crate::timeline::Timeline;
use crate::{rocket_league, rumble, satisfactory, slippi};

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

/// Reads a recording of any game, and what there is to say about it.
///
/// # Errors
/// Only when there is nothing to return: the bytes are no recording, or break before its header is whole. A body that
/// breaks midway gives what was read, and a finding with [`Severity::Lost`](crate::report::Severity::Lost).
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Recording, Report)> {
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
/// # Errors
/// The outer ones are the input's, the inner ones those of [`read`].
pub fn read_header<R: io::Read + io::Seek>(
    mut input: R,
) -> io::Result<Result<(Recording, Report)>> {
    let mut beginning = Vec::new();
    input.by_ref().take(64).read_to_end(&mut beginning)?;
    if slippi::sniff(&beginning) {
        let mut report = Report::default();
        let replay = slippi::read_header(input, &mut report)?;
        return Ok(replay
            .map(|replay| (Recording::Slippi(Box::new(replay)), report))
            .map_err(|error| error.in_format(Format::Slippi)));
    }
    let mut bytes = beginning;
    input.read_to_end(&mut bytes)?;
    Ok(read(&bytes, &ReadOptions::header()))
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

    /// Changes the recording so that it contradicts itself no longer, without inventing data. Says what it did.
    pub fn repair(&mut self) -> Vec<String> {
        match self {
            Self::RocketLeague(replay) => rocket_league::repair(replay),
            Self::Rumble(replay) => rumble::repair(replay),
            Self::Satisfactory(save) => satisfactory::repair(save),
            Self::SatisfactoryBlueprint(blueprint) => satisfactory::repair_blueprint(blueprint),
            Self::SatisfactoryConfig(config) => satisfactory::repair_config(config),
            Self::Slippi(replay) => slippi::repair(replay),
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
        match self {
            Self::RocketLeague(replay) => rocket_league::timeline(replay),
            Self::Rumble(replay) => rumble::timeline(replay),
            Self::Satisfactory(save) => satisfactory::timeline(save),
            Self::SatisfactoryBlueprint(blueprint) => {
                satisfactory::timeline_of_blueprint(blueprint)
            }
            Self::SatisfactoryConfig(_) => Timeline::default(),
            Self::Slippi(replay) => slippi::timeline(replay),
        }
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

    /// The same without a timeline at hand: one is made only for games whose numbers follow from it.
    pub fn stats_alone(&self) -> Option<Stats> {
        match self {
            Self::RocketLeague(_) | Self::Rumble(_) => self.stats(&self.timeline()),
            Self::Satisfactory(_)
            | Self::SatisfactoryBlueprint(_)
            | Self::SatisfactoryConfig(_)
            | Self::Slippi(_) => self.stats(&Timeline::default()),
        }
    }

    /// Both at once, for less than one after the other where they have work in common.
    pub fn timeline_and_stats(&self) -> (Timeline, Option<Stats>) {
        if let Self::Slippi(replay) = self {
            let (timeline, stats) = slippi::timeline_and_stats(replay);
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
