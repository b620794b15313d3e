//! Rocket League's tables of what a match was and who played it.

use arrow::error::ArrowError;
use postgame::rocket_league::{MatchInfo, match_info};
use postgame::{Depth, Format, Recording};

use crate::source::Source;
use crate::table::{TableOptions, table};

const GAME: &[Format] = &[Format::RocketLeague];

table! {
    /// One row for every match: what it was.
    pub Matches = "matches" of GAME, at Depth::Full, by fill_matches in matches {
        /// The recording.
        recording_id: Name,
        /// When it begins: 0.
        time_s: F64,
        /// The replay's own id.
        replay_id: Text,
        /// The name the person who saved it gave it.
        replay_name: Text,
        /// Who saved it.
        saved_by: Name,
        /// The id of the match, the same in the replays of all who played it.
        match_guid: Text,
        /// The playlist's number.
        playlist_id: I64,
        /// The playlist's name for programs, such as `ranked-doubles`.
        playlist: Name,
        /// The playlist's name for people.
        playlist_name: Name,
        /// `ranked`, `casual`, `private`, `offline`, `lan`, `tournament` or `training`.
        game_type: Name,
        /// The game mode, such as `soccar` or `hoops`.
        mode: Name,
        /// The map as the file names it.
        map: Name,
        /// The map as players know it.
        map_name: Name,
        /// The competitive season, derived from the date.
        season: U8,
        /// `legacy` or `free2play`.
        season_era: Name,
        /// The server's name.
        server_name: Name,
        /// The server's id.
        server_id: Text,
        /// The server's region.
        server_region: Name,
        /// When it was recorded, with a time zone if it can be derived.
        date: Text,
        /// When the match began, in seconds since 1970 UTC.
        start_epoch_s: I64,
        /// How many players a team has.
        team_size: I64,
        /// From the first frame to the last.
        duration_s: F64,
        /// What the game counts as played.
        counted_s: F64,
        /// Whether there was overtime.
        overtime: Flag,
        /// How long the overtime was played.
        overtime_s: F64,
        /// Whether a team gave up.
        forfeit: Flag,
        /// Whether the match was annulled.
        no_contest: Flag,
        /// The goals of blue.
        score_blue: I64,
        /// The goals of orange.
        score_orange: I64,
        /// `blue` or `orange`.
        winner: Name,
        /// The most valuable player.
        mvp: Name,
        /// The version of the game that recorded it.
        build: Name,
    }
}

table! {
    /// One row for everybody in a match: account, settings, car.
    pub MatchPlayers = "match_players" of GAME, at Depth::Full, by fill_players in match_players {
        /// The recording.
        recording_id: Name,
        /// From when on: the first frame is 0.
        time_s: F64,
        /// The number in this table, from 0.
        player: U32,
        /// The name shown in the game.
        name: Name,
        /// 0 blue, 1 orange.
        team: U8,
        /// Whether the person only watched.
        observer: Flag,
        /// The platform of the account.
        platform: Name,
        /// The account's id on its platform.
        account_id: Text,
        /// The number of the player's party in this match, from 1.
        party: U32,
        /// Who leads the party: an account id.
        party_leader: Text,
        /// When the player joined.
        joined_s: F64,
        /// When the player left.
        left_s: F64,
        /// Whether it is a bot.
        bot: Flag,
        /// Whether the game says it is the most valuable player.
        mvp: Flag,
        /// Product id of the car's body.
        body_id: U32,
        /// Name of the car's body.
        body: Name,
        /// The family of the car's hitbox.
        hitbox: Name,
        /// The title shown below the name, as the file names it.
        title: Text,
        /// The rank's number, from 0 for unranked.
        rank_tier: U8,
        /// The club's id.
        club_id: I64,
        /// The points at the end.
        score: I64,
        /// Steering sensitivity.
        steering_sensitivity: F64,
        /// Field of view of the camera.
        camera_fov_deg: F64,
        /// Height of the camera.
        camera_height_uu: F64,
        /// Angle of the camera.
        camera_pitch_deg: F64,
        /// Distance of the camera.
        camera_distance_uu: F64,
        /// How firmly the camera follows.
        camera_stiffness: F64,
        /// How fast the camera swivels.
        camera_swivel_speed: F64,
        /// How fast the camera changes between ball and car.
        camera_transition_speed: F64,
    }
}

fn info(source: &Source) -> Option<MatchInfo> {
    match &source.recording {
        Recording::RocketLeague(replay) => Some(match_info(replay)),
        _ => None,
    }
}

fn fill_matches(
    source: &Source,
    _: &TableOptions,
    rows: &mut matches::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(info) = info(source) else {
        return Ok(());
    };
    rows.push(matches::Row {
        recording_id: Some(&source.id),
        time_s: Some(0.0),
        replay_id: info.replay_id.as_deref(),
        replay_name: info.replay_name.as_deref(),
        saved_by: info.saved_by.as_deref(),
        match_guid: info.match_guid.as_deref(),
        playlist_id: info.playlist_id.map(i64::from),
        playlist: info.playlist,
        playlist_name: info.playlist_name,
        game_type: info.game_type,
        mode: info.mode,
        map: info.map.as_deref(),
        map_name: info.map_name,
        season: info.season.map(|season| season.number),
        season_era: info.season.map(|season| season.era),
        server_name: info.server_name.as_deref(),
        server_id: info.server_id.as_deref(),
        server_region: info.server_region.as_deref(),
        date: info.date.as_deref(),
        start_epoch_s: info.start_epoch_s,
        team_size: info.team_size.map(i64::from),
        duration_s: info.duration_s,
        counted_s: info.counted_s,
        overtime: info.overtime,
        overtime_s: info.overtime_s,
        forfeit: info.forfeit,
        no_contest: info.no_contest,
        score_blue: info.score.map(|score| i64::from(score[0])),
        score_orange: info.score.map(|score| i64::from(score[1])),
        winner: info.winner,
        mvp: info.mvp.as_deref(),
        build: info.build.as_deref(),
    })
}

fn fill_players(
    source: &Source,
    _: &TableOptions,
    rows: &mut match_players::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(info) = info(source) else {
        return Ok(());
    };
    let playing = info.players.iter().map(|player| (player, false));
    let all = playing.chain(info.observers.iter().map(|player| (player, true)));
    for (index, (player, observes)) in all.enumerate() {
        rows.push(match_players::Row {
            recording_id: Some(&source.id),
            time_s: Some(player.joined_s),
            player: u32::try_from(index).ok(),
            name: Some(player.name.as_str()),
            team: player.team,
            observer: Some(observes),
            platform: player.platform,
            account_id: player.account_id.as_deref(),
            party: player.party,
            party_leader: player.party_leader.as_deref(),
            joined_s: Some(player.joined_s),
            left_s: Some(player.left_s),
            bot: Some(player.bot),
            mvp: Some(player.mvp),
            body_id: player.body_id,
            body: player.body,
            hitbox: player.hitbox,
            title: player.title.as_deref(),
            rank_tier: player.rank_tier,
            club_id: player.club_id,
            score: player.score.map(i64::from),
            steering_sensitivity: player.steering_sensitivity,
            camera_fov_deg: player.camera.map(|camera| camera.fov),
            camera_height_uu: player.camera.map(|camera| camera.height),
            camera_pitch_deg: player.camera.map(|camera| camera.pitch),
            camera_distance_uu: player.camera.map(|camera| camera.distance),
            camera_stiffness: player.camera.map(|camera| camera.stiffness),
            camera_swivel_speed: player.camera.map(|camera| camera.swivel_speed),
            camera_transition_speed: player.camera.and_then(|camera| camera.transition_speed),
        })?;
    }
    Ok(())
}
