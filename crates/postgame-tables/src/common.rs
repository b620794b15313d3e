//! The tables all games share.

use std::fmt::Display;

use arrow::error::ArrowError;
use postgame::stats::{Group, Number};
use postgame::timeline::EntityId;
use postgame::{Depth, Recording};

use crate::games::satisfactory::play_time_s;
use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every recording.
    pub Recordings = "recordings" of &[], at Depth::Header, by fill_recordings in recordings {
        /// The recording: the first 16 digits of the file's SHA-256.
        recording_id: Name,
        /// When it begins: 0. A save is one moment: the play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The file's name.
        file: Text,
        /// The file's size in bytes.
        file_bytes: I64,
        /// The whole SHA-256 of the file.
        sha256: Text,
        /// The game and kind of file.
        game: Name,
        /// The month of its date, such as `2020-07`.
        month: Name,
        /// The version of the game or of the recorder.
        version: Name,
        /// When it was recorded, as ISO 8601 as far as the file tells.
        date: Text,
        /// Where it takes place.
        map: Name,
        /// How long it is.
        duration_s: F64,
        /// How many frames it says it has.
        frames: I64,
        /// How many players are in it.
        players: U32,
        /// Their names, separated by commas.
        player_names: Text,
        /// The result.
        score: Text,
        /// Facts of this game only: `name=value`, separated by semicolons.
        details: Text,
    }
}

fn fill_recordings(
    source: &Source,
    _: &TableOptions,
    rows: &mut recordings::Rows<'_>,
) -> Result<(), ArrowError> {
    let summary = source.summary();
    let names: Vec<&str> = summary
        .players
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    rows.push(recordings::Row {
        recording_id: known(&source.id),
        time_s: moment_s(source, || 0.0),
        file: Some(&source.file),
        file_bytes: i64::try_from(source.bytes).ok(),
        sha256: known(&source.sha256),
        game: Some(source.recording.format().id()),
        month: source.month(),
        version: Some(&summary.version),
        date: summary.date.as_deref(),
        map: summary.map.as_deref(),
        duration_s: summary.duration_s,
        frames: summary.frames.and_then(|frames| i64::try_from(frames).ok()),
        players: u32::try_from(summary.players.len()).ok(),
        player_names: Some(&names.join(", ")),
        score: summary.score.as_deref(),
        details: Some(&details(&summary.details)),
    })
}

table! {
    /// One row for every player of a recording.
    pub Players = "players" of &[], at Depth::Header, by fill_players in players {
        /// The recording: the first 16 digits of the file's SHA-256.
        recording_id: Name,
        /// From when on: 0, as headers do not tell who came later. In a save the play time at which the game was saved.
        time_s: F64,
        /// The player's number in the recording, from 0.
        player: U32,
        /// The name shown in the game.
        name: Name,
        /// Which team, from 0.
        team: U32,
        /// Facts of this game only: `name=value`, separated by semicolons.
        details: Text,
    }
}

fn fill_players(
    source: &Source,
    _: &TableOptions,
    rows: &mut players::Rows<'_>,
) -> Result<(), ArrowError> {
    for (index, player) in source.summary().players.iter().enumerate() {
        rows.push(players::Row {
            recording_id: known(&source.id),
            time_s: moment_s(source, || 0.0),
            player: u32::try_from(index).ok(),
            name: Some(&player.name),
            team: player.team,
            details: Some(&details(&player.details)),
        })?;
    }
    Ok(())
}

/// The time of a fact that is not stored per frame: a time in the recording, or the time at which a save was made.
fn moment_s(source: &Source, in_recording_s: impl FnOnce() -> f64) -> Option<f64> {
    match source.recording {
        Recording::Satisfactory(_)
        | Recording::SatisfactoryBlueprint(_)
        | Recording::SatisfactoryConfig(_) => play_time_s(source),
        Recording::RocketLeague(_) | Recording::Rumble(_) | Recording::Slippi(_) => {
            Some(in_recording_s())
        }
    }
}

/// A text, or `None` if it is empty because it was not requested.
fn known(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn details(details: &[(impl Display, impl Display)]) -> String {
    details
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join(";")
}

table! {
    /// One row for everything that happened.
    pub Events = "events" of &[], at Depth::Full, by fill_events in events {
        /// The recording: the first 16 digits of the file's SHA-256.
        recording_id: Name,
        /// When.
        time_s: F64,
        /// In which frame.
        frame: I64,
        /// What.
        kind: Name,
        /// Who did it.
        who: Name,
        /// The player or thing it is done to.
        whom: Name,
        /// Where: X on the timeline.
        x_m: F32,
        /// Where: Y on the timeline, up.
        y_m: F32,
        /// Where: Z on the timeline.
        z_m: F32,
        /// More: `name=value`, separated by semicolons.
        details: Text,
    }
}

fn fill_events(
    source: &Source,
    _: &TableOptions,
    rows: &mut events::Rows<'_>,
) -> Result<(), ArrowError> {
    let timeline = source.timeline();
    let name = |id: Option<EntityId>| Some(timeline.entity(id?)?.name.as_str());
    for event in &timeline.events {
        let [x_m, y_m, z_m] = event
            .position
            .map_or([None; 3], |position| position.map(Some));
        rows.push(events::Row {
            recording_id: known(&source.id),
            time_s: Some(event.time_s),
            frame: i64::try_from(event.frame).ok(),
            kind: Some(&event.kind),
            who: name(event.who),
            whom: name(event.whom),
            x_m,
            y_m,
            z_m,
            details: Some(&details(&event.details)),
        })?;
    }
    Ok(())
}

table! {
    /// One row for every statistic of a player, a team or a recording.
    pub Stats = "stats" of &[], at Depth::Full, by fill_stats in stats {
        /// The recording: the first 16 digits of the file's SHA-256.
        recording_id: Name,
        /// Up to when: the recording's end. In a save the play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// Whose: `recording`, `team` or `player`.
        subject: Name,
        /// The player's or team's name.
        name: Name,
        /// Which team, from 0.
        team: U32,
        /// What the statistic belongs to.
        group: Name,
        /// The statistic, with its unit.
        statistic: Name,
        /// Its value.
        value: F64,
        /// Its value if it is not a number.
        text: Text,
    }
}

fn fill_stats(
    source: &Source,
    _: &TableOptions,
    rows: &mut stats::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(stats) = source.stats() else {
        return Ok(());
    };
    let time_s = moment_s(source, || source.timeline().end_s);
    let mut push = |subject: &str, name: Option<&str>, team: Option<u32>, groups: &[Group]| {
        for group in groups {
            for (statistic, number) in &group.values {
                let (value, text) = match number {
                    Number::Count(count) => (Some(*count as f64), None),
                    Number::Amount(amount) => (*amount, None),
                    Number::Text(text) => (None, Some(text.clone())),
                    Number::List(list) => (
                        None,
                        Some(
                            list.iter()
                                .map(f64::to_string)
                                .collect::<Vec<_>>()
                                .join(","),
                        ),
                    ),
                };
                rows.push(stats::Row {
                    recording_id: known(&source.id),
                    time_s,
                    subject: Some(subject),
                    name,
                    team,
                    group: Some(group.name),
                    statistic: Some(statistic),
                    value,
                    text: text.as_deref(),
                })?;
            }
        }
        Ok::<(), ArrowError>(())
    };
    push("recording", None, None, &stats.recording)?;
    for team in &stats.teams {
        push("team", Some(&team.name), team.team, &team.groups)?;
    }
    for player in &stats.players {
        push("player", Some(&player.name), player.team, &player.groups)?;
    }
    Ok(())
}
