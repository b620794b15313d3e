//! How often players and teams did each kind of thing, and how often in five minutes of play.

use super::data::Data;
use crate::stats::Group;

/// Statistics of players: name, kind of event.
const PLAYER: &[[&str; 2]] = &[
    ["fifty_fifties", "fifty-fifty"],
    ["bumps", "bump"],
    ["whiffs", "whiff"],
    ["beaten_to_ball", "beaten-to-ball"],
    ["carries", "carry"],
    ["air_dribbles", "air-dribble"],
    ["flicks", "flick"],
    ["double_taps", "double-tap"],
    ["one_timers", "one-timer"],
    ["half_volleys", "half-volley"],
    ["ceiling_shots", "ceiling-shot"],
    ["wall_aerials", "wall-aerial"],
    ["backboards", "backboard"],
    ["speed_flips", "speed-flip"],
    ["half_flips", "half-flip"],
    ["wavedashes", "wavedash"],
    ["flip_resets_on_ball", "flip-reset"],
    ["clears", "clear"],
    ["centres", "centre"],
    ["booms", "boom"],
    ["counter_attacks", "counter-attack"],
    ["shadow_defences", "shadow-defence"],
    ["first_man_spans", "first-man"],
    ["possessions", "player-possession"],
];

/// Statistics of teams that no player has.
const TEAM: &[[&str; 2]] = &[
    ["possessions", "possession"],
    ["pressures", "pressure"],
    ["rushes", "rush"],
];

/// A rate is of so many seconds.
const RATE_S: f64 = 300.0;

/// What a player did.
pub(super) fn player(data: &Data<'_>, index: usize) -> Group {
    let Some(id) = data.players.get(index).map(|player| player.id) else {
        return Group::new("mechanics");
    };
    let played_s = data.played_s();
    let counts = PLAYER.iter().map(|[name, kind]| {
        // Who is second to the ball or in a fifty-fifty is there as the other.
        let is_of_other = matches!(*kind, "beaten-to-ball");
        let is_of_both = matches!(*kind, "fifty-fifty");
        let own = data
            .events(kind)
            .iter()
            .filter(|event| match (is_of_other, is_of_both) {
                (true, _) => event.whom == Some(id),
                (_, true) => event.who == Some(id) || event.whom == Some(id),
                _ => event.who == Some(id),
            });
        (*name, own.count())
    });
    let counts: Vec<(&str, usize)> = counts.collect();
    with_rates(counts, played_s)
}

/// What a team did.
pub(super) fn team(data: &Data<'_>, team: u8) -> Group {
    let colour = if team == 0 { "blue" } else { "orange" };
    let of_team = |kind: &str| {
        let events = data.events(kind).iter();
        events
            .filter(|event| event.detail("team") == Some(colour))
            .count()
    };
    let won = data
        .events("fifty-fifty")
        .iter()
        .filter(|event| event.detail("won_by") == Some(colour));
    let mut counts: Vec<(&str, usize)> = TEAM
        .iter()
        .map(|[name, kind]| (*name, of_team(kind)))
        .collect();
    counts.push(("fifty_fifties_won", won.count()));
    let of_players = PLAYER.iter().filter(|[_, kind]| {
        !matches!(
            *kind,
            "fifty-fifty" | "beaten-to-ball" | "player-possession"
        )
    });
    counts.extend(of_players.map(|[name, kind]| (*name, of_team(kind))));
    let pressure_s = data
        .events("pressure")
        .iter()
        .filter(|event| event.detail("team") == Some(colour));
    let pressure_s = pressure_s
        .filter_map(|event| event.detail("duration_s")?.parse::<f64>().ok())
        .sum();
    with_rates(counts, data.played_s()).amount("pressure_time_s", pressure_s)
}

/// The counts, then how many they are in five minutes.
fn with_rates(counts: Vec<(&'static str, usize)>, played_s: f64) -> Group {
    let group = Group::new("mechanics");
    let group = counts
        .iter()
        .fold(group, |group, (name, count)| group.count(*name, *count));
    counts.iter().fold(group, |group, (name, count)| {
        group.amount(
            format!("{name}_per_5_min"),
            *count as f64 * RATE_S / played_s,
        )
    })
}
