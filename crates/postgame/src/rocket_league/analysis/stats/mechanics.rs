//! How often players and teams did each kind of thing, and how often in five minutes of play.

use super::data::Data;
use crate::stats::Group;
use crate::timeline::Event;

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
    ["second_man_spans", "second-man"],
    ["third_man_spans", "third-man"],
    ["first_man_changes", "first-man-change"],
    ["respawns", "respawn-boost"],
    ["flip_overs", "flip-over"],
    ["power_slides", "power-slide"],
    ["supersonic_spans", "supersonic"],
    ["dodge_refreshes", "dodge-refresh"],
    ["kickoff_roles", "kick-off-role"],
    ["possessions", "player-possession"],
];

/// What other groups count already: only the rate is missing.
const RATES: &[[&str; 2]] = &[
    ["touches", "touch"],
    ["passes", "pass"],
    ["jumps", "jump"],
    ["double_jumps", "double-jump"],
    ["dodges", "dodge"],
    ["pads_taken", "boost-pickup"],
    ["goals", "goal"],
    ["shots", "shot"],
    ["saves", "save"],
    ["assists", "assist"],
    ["demolitions", "demolition"],
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
    let own = |kind: &str| {
        let events = data.events(kind).iter();
        events.filter(|event| event.who == Some(id)).count()
    };
    let rates = RATES.iter().map(|[name, kind]| (*name, own(kind)));
    add_rates(with_rates(counts, played_s), rates, played_s)
}

/// What a team did.
pub(super) fn team(data: &Data<'_>, team: u8) -> Group {
    let colour = if team == 0 { "blue" } else { "orange" };
    let of_team = |kind: &str| {
        let events = data.events(kind).iter();
        // Of what the file says outright, only the player is known.
        let is_own = |event: &&&Event| match event.detail("team") {
            Some(of) => of == colour,
            None => data
                .players
                .iter()
                .any(|player| Some(player.id) == event.who && player.team == Some(team)),
        };
        events.filter(is_own).count()
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
    let rates = RATES.iter().map(|[name, kind]| (*name, of_team(kind)));
    let played_s = data.played_s();
    add_rates(with_rates(counts, played_s), rates, played_s).amount("pressure_time_s", pressure_s)
}

/// The counts, then how many they are in five minutes.
fn with_rates(counts: Vec<(&'static str, usize)>, played_s: f64) -> Group {
    let group = Group::new("mechanics");
    let group = counts
        .iter()
        .fold(group, |group, (name, count)| group.count(*name, *count));
    add_rates(group, counts.into_iter(), played_s)
}

/// How many they are in five minutes; no number without play.
fn add_rates(
    group: Group,
    counts: impl Iterator<Item = (&'static str, usize)>,
    played_s: f64,
) -> Group {
    counts.fold(group, |group, (name, count)| {
        let rate = match played_s > 0.0 {
            true => count as f64 * RATE_S / played_s,
            false => f64::NAN,
        };
        group.amount(format!("{name}_per_5_min"), rate)
    })
}
