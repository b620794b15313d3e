//! Statistics, stocks, winners.

use postgame::slippi::states::Action;
use postgame::slippi::stats::Player;
use serde_json::{Value, json};

use crate::load::{Fact, File};

/// Attacks by their names in facts.
const ATTACKS: &[(&str, Action)] = &[
    ("jab_1", Action::Jab1),
    ("jab_2", Action::Jab2),
    ("jab_3", Action::Jab3),
    ("rapid_jab", Action::JabRapid),
    ("dash_attack", Action::DashAttack),
    ("forward_tilt", Action::ForwardTilt),
    ("up_tilt", Action::UpTilt),
    ("down_tilt", Action::DownTilt),
    ("forward_smash", Action::ForwardSmash),
    ("up_smash", Action::UpSmash),
    ("down_smash", Action::DownSmash),
    ("neutral_air", Action::NeutralAir),
    ("forward_air", Action::ForwardAir),
    ("back_air", Action::BackAir),
    ("up_air", Action::UpAir),
    ("down_air", Action::DownAir),
];

pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    let analysis = &file.analysis;
    let conversions = &analysis.conversions;
    let first = conversions.first();
    let end_frame = |index: usize| Some(analysis.stocks.get(index)?.end_frame?.into());
    Some(match (fact.fact.as_str(), fact.port) {
        ("conversions", None) => conversions.len().into(),
        ("conversions[0].first_move", _) => first?.moves.first()?.attack.into(),
        ("conversions[0].last_move", _) => first?.moves.last()?.attack.into(),
        ("conversions[0].moves", _) => first?.moves.len().into(),
        ("combos", None) => analysis.combos.len().into(),
        ("stocks", _) => analysis.stocks.len().into(),
        ("stocks.last.end_frame", _) => return end_frame(analysis.stocks.len().checked_sub(1)?),
        ("stocks[1].end_frame", _) => return end_frame(1),
        ("moves_in_order", _) => {
            let moves = conversions.iter().flat_map(|one| &one.moves);
            json!(moves.map(|one| one.attack).collect::<Vec<_>>())
        }
        ("winner.port", _) => {
            let winners = file.replay.winners();
            // Others call the one who is ahead on the last frame the winner if the file does not tell.
            let ahead = match winners.is_empty() {
                true => file.replay.leaders(),
                false => winners,
            };
            match ahead.as_slice() {
                [port] => (port + 1).into(),
                _ => Value::Null,
            }
        }
        ("winner.ports", _) => {
            let winners = file.replay.winners();
            json!(winners.iter().map(|port| port + 1).collect::<Vec<_>>())
        }
        ("placings", _) => placings(fact, file)?,
        (name, Some(port)) => {
            let mut players = analysis.players.iter();
            let player = players.find(|one| one.port + 1 == port)?;
            return of_player(name, player, file);
        }
        _ => return None,
    })
}

fn placings(fact: &Fact, file: &File) -> Option<Value> {
    let placements = file.replay.end().and_then(|end| end.placements);
    if fact.value.is_array() {
        return Some(json!(match placements {
            Some(placements) => placements.map(Some),
            None => [None; 4],
        }));
    }
    let pairs = (1..).zip(placements?);
    let pairs = pairs.map(|(port, place): (u8, i8)| (port.to_string(), place.into()));
    Some(Value::Object(pairs.collect()))
}

fn of_player(name: &str, player: &Player, file: &File) -> Option<Value> {
    let counts = &player.actions;
    if let Some(attack) = name.strip_prefix("attacks.") {
        let found = ATTACKS.iter().find(|(one, _)| *one == attack);
        return Some(counts.of(found?.1).into());
    }
    Some(match name {
        "air_dodges" => counts.of(Action::AirDodge).into(),
        "spot_dodges" => counts.of(Action::SpotDodge).into(),
        "rolls" => counts.of(Action::Roll).into(),
        "ledge_grabs" => counts.of(Action::LedgeGrab).into(),
        "dash_dances" => counts.dash_dances.into(),
        "wavedashes" => counts.wavedashes.into(),
        "wavelands" => counts.wavelands.into(),
        "grabs" => json!({"success": counts.grabs, "fail": counts.grabs_missed}),
        "l_cancels" => json!({"success": counts.l_cancels, "fail": counts.l_cancels_missed}),
        "techs" => json!({
            "in": counts.techs_in,
            "away": counts.techs_away,
            "neutral": counts.of(Action::TechInPlace),
            "missed": counts.of(Action::TechMissed),
        }),
        "wall_techs" => json!({
            "success": counts.of(Action::WallTech),
            "fail": counts.of(Action::WallTechMissed),
        }),
        "throws" => json!({
            "up": counts.of(Action::ThrowUp),
            "forward": counts.of(Action::ThrowForward),
            "back": counts.of(Action::ThrowBack),
            "down": counts.of(Action::ThrowDown),
        }),
        "conversions" => player.overall.conversions.into(),
        "kills" => player.overall.kills.into(),
        "damage" => player.overall.total_damage.into(),
        "damage_equals_sum_of_conversion_moves" => {
            let moves = file.analysis.conversions.iter().flat_map(|one| &one.moves);
            let own = moves.filter(|one| one.port == player.port);
            let sum: f64 = own.map(|one| one.damage).sum();
            (sum + 0.0 == player.overall.total_damage + 0.0).into()
        }
        "inputs.total" => player.inputs.total().into(),
        _ => return None,
    })
}
