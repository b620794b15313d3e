//! The kind of match, the mode, the season, the result.

use serde::Serialize;

use super::super::timeline::state::{About, Match};
use super::clock;
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::tables::{MAPS, Map, PLAYLISTS, Playlist, SEASONS};

/// A competitive season. No file states one: it follows from the date.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeasonInfo {
    /// Its number in its era.
    pub number: u8,
    /// `legacy` or `free2play`.
    pub era: &'static str,
    /// The day it started, in UTC.
    pub from: &'static str,
}

/// The playlist with a number.
pub(super) fn playlist(id: i32) -> Option<&'static Playlist> {
    let index = PLAYLISTS
        .binary_search_by_key(&id, |playlist| playlist.id)
        .ok()?;
    PLAYLISTS.get(index)
}

/// The map with a code, in any case.
pub(super) fn map(code: &str) -> Option<&'static Map> {
    let code = code.to_lowercase();
    let index = MAPS
        .binary_search_by(|map| map.code.cmp(code.as_str()))
        .ok()?;
    MAPS.get(index)
}

/// What kinds of matches are by a part of their class's name; the first that fits counts.
const TYPES: &[(&str, &str)] = &[
    ("publicranked", "ranked"),
    ("private", "private"),
    ("offline", "offline"),
    ("lan", "lan"),
    ("tournament", "tournament"),
    ("training", "training"),
    ("season", "offline"),
    ("public", "casual"),
];

/// The kind of match: by its class, else by the header, else by the playlist. `Online` in a header can be any.
pub(super) fn game_type(about: &About, match_type: Option<&str>) -> Option<&'static str> {
    let by_name = |name: &str| {
        let name = name.to_lowercase();
        let found = TYPES.iter().find(|(part, _)| name.contains(part));
        found.map(|found| found.1)
    };
    // `TAGame.MatchType_Private_TA`: the kind is between the underscores.
    let class = about
        .type_class
        .as_deref()
        .and_then(|class| class.rsplit("MatchType_").next());
    class
        .and_then(by_name)
        .or_else(|| match_type.and_then(by_name))
        .or_else(|| {
            about
                .playlist
                .and_then(playlist)
                .map(|playlist| playlist.kind)
        })
}

/// Modes by a part of the name of what the game is made from.
const MODES: &[(&str, &str)] = &[
    ("basketball", "hoops"),
    ("hops", "hoops"),
    ("breakout", "dropshot"),
    ("dropshot", "dropshot"),
    ("hockey", "snow-day"),
    ("snowday", "snow-day"),
    ("items", "rumble"),
    ("godball", "heatseeker"),
    ("heatseeker", "heatseeker"),
    ("knockout", "knockout"),
    ("bladeball", "knockout"),
    ("football", "gridiron"),
    ("spikerush", "spike-rush"),
    ("tutorial", "training"),
    ("training", "training"),
    ("soccar", "soccar"),
    ("season", "soccar"),
];

/// Modes by the beginning of the map: those that need a field of their own.
const MODES_OF_MAPS: &[(&str, &str)] = &[
    ("hoops", "hoops"),
    ("shattershot", "dropshot"),
    ("ko_", "knockout"),
];

pub(super) fn mode(
    about: &About,
    playlist: Option<&Playlist>,
    map: Option<&str>,
) -> Option<&'static str> {
    let by_playlist = playlist.and_then(|playlist| playlist.mode);
    let by_map = map.and_then(|map| {
        let map = map.to_lowercase();
        let found = MODES_OF_MAPS
            .iter()
            .find(|(start, _)| map.starts_with(start));
        found.map(|found| found.1)
    });
    let by_game = about.archetype.as_deref().and_then(|name| {
        let name = name.to_lowercase();
        let found = MODES.iter().find(|(part, _)| name.contains(part));
        found.map(|found| found.1)
    });
    by_playlist.or(by_map).or(by_game)
}

/// The season of a date: by the moment the match began, else by the day of the recording.
pub(super) fn season(date: Option<&str>, epoch_s: Option<i64>) -> Option<SeasonInfo> {
    let day = match epoch_s {
        Some(epoch_s) => clock::day(epoch_s),
        None => date?.get(..10)?.to_owned(),
    };
    // Days in this form are in order as texts are.
    let is_day = day.len() == 10
        && day
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
    let season = SEASONS
        .iter()
        .rev()
        .find(|season| is_day && season.from <= day.as_str())?;
    Some(SeasonInfo {
        number: season.number,
        era: season.era,
        from: season.from,
    })
}

/// The region that begins a server's name: `USC1-0541-Torch3` is in USC.
pub(super) fn region(server: &str) -> Option<String> {
    let letters = server.bytes().take_while(u8::is_ascii_uppercase).count();
    let is_followed = server
        .as_bytes()
        .get(letters)
        .is_some_and(u8::is_ascii_digit);
    (letters > 0 && is_followed).then(|| server.get(..letters).unwrap_or_default().to_owned())
}

/// The goals of blue and orange: by the scoreboard, else by the header, in which a number that is 0 is not stored.
pub(super) fn score(found: &Match, replay: &Replay) -> Option<[i32; 2]> {
    let [blue, orange] = &found.scores;
    if let (Some(blue), Some(orange)) = (blue.last(), orange.last()) {
        return Some([*blue, *orange]);
    }
    let properties = &replay.header.properties;
    let is_match = properties.get("PlayerStats").is_some() || properties.get("Goals").is_some();
    is_match.then(|| ["Team0Score", "Team1Score"].map(|name| properties.int(name).unwrap_or(0)))
}

/// The winner: as the game says, else who has more goals.
pub(super) fn winner(found: &Match, score: Option<[i32; 2]>) -> Option<&'static str> {
    let by_score = || {
        let [blue, orange] = score?;
        (blue != orange).then_some(u8::from(orange > blue))
    };
    let team = found.about.winner.or_else(by_score)?;
    Some(if team == 0 { "blue" } else { "orange" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seasons_follow_from_days() {
        let of = |date: &str| season(Some(date), None).map(|season| (season.number, season.era));
        assert_eq!(of("2016-07-21:19-39"), Some((2, "legacy")));
        assert_eq!(of("2026-03-10 18-55-49"), Some((21, "free2play")));
        assert_eq!(of("2015-08-01:10-00"), None);
        assert_eq!(of("yesterday, at noon"), None);
    }

    #[test]
    fn kinds_of_matches() {
        let about = |class: Option<&str>, playlist| About {
            type_class: class.map(str::to_owned),
            playlist,
            ..About::default()
        };
        let lan = about(Some("TAGame.MatchType_Lan_TA"), Some(6));
        assert_eq!(game_type(&lan, Some("Online")), Some("lan"));
        assert_eq!(
            game_type(&about(None, Some(11)), Some("Online")),
            Some("ranked")
        );
        assert_eq!(game_type(&about(None, None), Some("Online")), None);
    }

    #[test]
    fn regions_of_servers() {
        assert_eq!(region("USC1-0541-Torch3").as_deref(), Some("USC"));
        assert_eq!(region("Arena"), None);
    }
}
