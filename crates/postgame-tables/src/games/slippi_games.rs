//! Games, their players and controllers, as typed columns: what win rates and sets are made of.

use arrow::error::ArrowError;
use postgame::slippi::controllers::controllers;
use postgame::slippi::sets::{Game, GamePlayer};
use postgame::slippi::{coords, names};
use postgame::{Depth, Format, Recording};

use crate::source::Source;
use crate::table::{TableOptions, table};

const GAME: &[Format] = &[Format::Slippi];

table! {
    /// One row for every player of a game, with the opponent in games of two.
    pub GamePlayers = "game_players" of GAME, at Depth::Full, by fill_players in game_players {
        /// The recording.
        recording_id: Name,
        /// The end of the recording.
        time_s: F64,
        /// When it was played, as ISO 8601 as far as the file tells.
        date: Text,
        /// The stage.
        stage: Name,
        /// The session; null offline.
        session: Name,
        /// Which game of the session, from 1.
        game_number: U32,
        /// Which tiebreak of the game; 0 for the game itself.
        tiebreak: U32,
        /// The port, from 0.
        port: U8,
        /// The character at the start.
        character: Name,
        /// The costume.
        costume: Name,
        /// The display name.
        name: Name,
        /// The connect code.
        code: Name,
        /// The name tag.
        name_tag: Name,
        /// `human`, `computer` or `demo`.
        kind: Name,
        /// The team, in team games: 0 red, 1 blue, 2 green.
        team: U8,
        /// Whether the player won; null if the file does not tell who did.
        won: Flag,
        /// Whether the player is ahead on the last frame, alone or with the team.
        is_ahead: Flag,
        /// Stocks at the end.
        stocks_left: U8,
        /// Percent at the end; null for players who are out.
        end_percent: F32,
        /// The opponent's port.
        opponent_port: U8,
        /// The opponent's character.
        opponent_character: Name,
        /// The opponent's display name.
        opponent_name: Name,
        /// The opponent's connect code.
        opponent_code: Name,
    }
}

table! {
    /// One row for every check of every controller. It measures the recording and says nothing about a person.
    pub Controllers = "controllers" of GAME, at Depth::Full, by fill_controllers in controller_checks {
        /// The recording.
        recording_id: Name,
        /// The beginning of the recording.
        time_s: F64,
        /// The port, from 0.
        port: U8,
        /// `box` or `analog`, by how many positions of the rim the stick takes.
        controller: Name,
        /// Whether the stick's positions are those the controller sent. Since 3.15.
        is_raw: Flag,
        /// Different positions of the stick.
        positions: U32,
        /// Different positions on the rim.
        rim_positions: U32,
        /// The share of the rim, scaled up in short games; boxes stay below a half.
        rim_share: F64,
        /// The check, by libenforcer's name.
        check: Name,
        /// Whether the rules require it for this kind of controller.
        is_required: Flag,
        /// Whether it passes.
        passes: Flag,
        /// Its measure.
        value: F64,
        /// Places where the rule was not kept.
        violations: U32,
        /// The frame of the first of them.
        first_frame: I32,
    }
}

fn known(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn fill_players(
    source: &Source,
    _: &TableOptions,
    rows: &mut game_players::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::Slippi(replay) = &source.recording else {
        return Ok(());
    };
    let game = Game::new(replay);
    let name = |player: &GamePlayer| names::character(player.character).map(|one| one.name);
    for player in &game.players {
        let opponent = match game.players.as_slice() {
            [one, other] if one.port == player.port => Some(other),
            [other, one] if one.port == player.port => Some(other),
            _ => None,
        };
        rows.push(game_players::Row {
            recording_id: Some(&source.id),
            time_s: game.last_frame.map(coords::time_s),
            date: game.date.as_deref(),
            stage: names::stage(game.stage),
            session: game.session.as_deref(),
            game_number: game.number,
            tiebreak: game.tiebreak,
            port: Some(player.port),
            character: name(player),
            costume: names::costume(player.character, player.costume),
            name: known(&player.name),
            code: known(&player.code),
            name_tag: known(&player.tag),
            kind: Some(player.kind),
            team: player.team,
            won: player.won,
            is_ahead: Some(player.is_ahead),
            stocks_left: player.stocks_left,
            end_percent: player.end_percent,
            opponent_port: opponent.map(|one| one.port),
            opponent_character: opponent.and_then(name),
            opponent_name: opponent.and_then(|one| known(&one.name)),
            opponent_code: opponent.and_then(|one| known(&one.code)),
        })?;
    }
    Ok(())
}

fn fill_controllers(
    source: &Source,
    _: &TableOptions,
    rows: &mut controller_checks::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::Slippi(replay) = &source.recording else {
        return Ok(());
    };
    for controller in controllers(replay) {
        for check in &controller.checks {
            rows.push(controller_checks::Row {
                recording_id: Some(&source.id),
                time_s: Some(0.0),
                port: Some(controller.port),
                controller: Some(controller.kind.name()),
                is_raw: Some(controller.is_raw),
                positions: u32::try_from(controller.positions).ok(),
                rim_positions: u32::try_from(controller.rim_positions).ok(),
                rim_share: Some(controller.rim_share),
                check: Some(check.name),
                is_required: Some(check.is_required),
                passes: Some(check.passes),
                value: check.value,
                violations: u32::try_from(check.violations.len()).ok(),
                first_frame: check.violations.first().map(|one| one.frame),
            })?;
        }
    }
    Ok(())
}
