//! What a match was: playlist, kind, season, server, result, and who played it with which settings.
//!
//! - `game`: the kind of match, the mode, the season
//! - `clock`: when it began and how long it took
//! - `players`: accounts, parties, cameras, cars
//! - `summary`: the line of a list, with all of this

mod clock;
mod game;
mod players;
mod summary;

use serde::Serialize;

use super::timeline;
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::tables;
pub use game::SeasonInfo;
pub use players::{Camera, PlayerInfo};
pub use summary::full_summary;

/// What is known about a match. A field is `None` if the file does not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchInfo {
    /// The replay's own id.
    pub replay_id: Option<String>,
    /// The name the person who saved it gave it.
    pub replay_name: Option<String>,
    /// Who saved it.
    pub saved_by: Option<String>,
    /// The id of the match, the same in the replays of all who played it.
    pub match_guid: Option<String>,
    /// The playlist's number.
    pub playlist_id: Option<i32>,
    /// The playlist's name for programs, such as `ranked-doubles`.
    pub playlist: Option<&'static str>,
    /// The playlist's name for people, such as `Ranked Doubles`.
    pub playlist_name: Option<&'static str>,
    /// `ranked`, `casual`, `private`, `offline`, `lan`, `tournament` or `training`.
    pub game_type: Option<&'static str>,
    /// The kind of match as the header names it.
    pub match_type: Option<String>,
    /// The class of the kind of match.
    pub match_type_class: Option<String>,
    /// The game mode, such as `soccar` or `hoops`.
    pub mode: Option<&'static str>,
    /// The map as the file names it.
    pub map: Option<String>,
    /// The map as players know it.
    pub map_name: Option<&'static str>,
    /// The map has the shape of the standard soccar field.
    pub is_standard_map: Option<bool>,
    /// The competitive season, derived from the date.
    pub season: Option<SeasonInfo>,
    /// The server's name.
    pub server_name: Option<String>,
    /// The server's id.
    pub server_id: Option<String>,
    /// The server's region.
    pub server_region: Option<String>,
    /// When the match was recorded, as ISO 8601; with a time zone if it can be derived.
    pub date: Option<String>,
    /// When the match began, in seconds since 1970 UTC.
    pub start_epoch_s: Option<i64>,
    /// How many players a team has.
    pub team_size: Option<i32>,
    /// From the first frame to the last, in seconds.
    pub duration_s: Option<f64>,
    /// The time of all frames together, in seconds: without what was not recorded in between.
    pub recorded_s: Option<f64>,
    /// The seconds the game counts as played.
    pub counted_s: Option<f64>,
    /// Whether there was overtime.
    pub overtime: Option<bool>,
    /// How long the overtime was played, in seconds.
    pub overtime_s: Option<f64>,
    /// Whether a team gave up.
    pub forfeit: Option<bool>,
    /// Whether the match was annulled.
    pub no_contest: Option<bool>,
    /// The goals of blue and orange.
    pub score: Option<[i32; 2]>,
    /// The team that won: `blue` or `orange`.
    pub winner: Option<&'static str>,
    /// The most valuable player.
    pub mvp: Option<String>,
    /// The version of the game that recorded it.
    pub build: Option<String>,
    /// The version of the format: engine, licensee and network.
    pub version: String,
    /// Who played.
    pub players: Vec<PlayerInfo>,
    /// Who only watched.
    pub observers: Vec<PlayerInfo>,
}

/// What is known about a match.
pub fn match_info(replay: &Replay) -> MatchInfo {
    let properties = &replay.header.properties;
    let versions = replay.header.versions;
    let text = |name: &str| {
        let text = properties.text(name).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    let found = timeline::found(replay).unwrap_or_default();
    let about = &found.about;
    let playlist = about.playlist.and_then(game::playlist);
    let match_type = text("MatchType");
    let map = text("MapName");
    let known_map = map.as_deref().and_then(game::map);
    let recorded_s = clock::recorded_s(replay);
    let (players, observers) = players::players(&found, replay, &recorded_s);
    let epoch_s = about
        .start_epoch_s
        .or_else(|| clock::header_epoch_s(replay));
    let date = text("Date");
    let overtime_s = clock::overtime_s(&found);
    let score = game::score(&found, replay);
    let winner = game::winner(&found, score);
    let net = versions
        .net
        .map_or(String::new(), |net| format!(" net {net}"));
    let stated_forfeit = properties.flag("bForfeit");
    MatchInfo {
        replay_id: text("Id"),
        replay_name: text("ReplayName"),
        saved_by: text("PlayerName"),
        match_guid: about
            .guid
            .clone()
            .or_else(|| text("MatchGUID"))
            .or_else(|| about.lan_guid.clone()),
        playlist_id: about.playlist,
        playlist: playlist.map(|playlist| playlist.slug),
        playlist_name: playlist.map(|playlist| playlist.name),
        game_type: game::game_type(about, match_type.as_deref()),
        match_type,
        match_type_class: about.type_class.clone(),
        mode: game::mode(about, playlist, map.as_deref()),
        map,
        map_name: known_map.map(|map| map.name),
        is_standard_map: known_map.map(|map| map.is_standard),
        season: game::season(date.as_deref(), epoch_s),
        server_region: about
            .region
            .clone()
            .or_else(|| game::region(about.server_name.as_deref()?)),
        server_name: about.server_name.clone(),
        server_id: about.server_id.clone(),
        date: date.map(|date| clock::zoned(&date, epoch_s)),
        start_epoch_s: epoch_s,
        team_size: properties.int("TeamSize"),
        duration_s: clock::duration_s(&found),
        recorded_s: recorded_s.last().copied(),
        counted_s: properties
            .int("TotalSecondsPlayed")
            .map(f64::from)
            .or_else(|| clock::float(replay, "TotalSecondsPlayed")),
        overtime: (!found.frame_times_s.is_empty()).then_some(overtime_s.is_some()),
        overtime_s,
        forfeit: match replay.body {
            Some(_) => Some(about.is_forfeit || stated_forfeit == Some(true)),
            None => stated_forfeit,
        },
        no_contest: replay.body.as_ref().map(|_| about.is_no_contest),
        score,
        winner,
        mvp: players::mvp(&players, winner),
        build: text("BuildVersion"),
        version: format!("{}.{}{net}", versions.engine, versions.licensee),
        players,
        observers,
    }
}

/// The body with a product id.
fn car_body(id: u32) -> Option<&'static tables::CarBody> {
    let index = tables::CAR_BODIES
        .binary_search_by_key(&id, |body| body.id)
        .ok()?;
    tables::CAR_BODIES.get(index)
}
