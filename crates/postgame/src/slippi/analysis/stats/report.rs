//! All statistics as named numbers.

use std::borrow::Cow;

use super::actions::{ActionCounts, LedgeOption};
use super::overall::Ratio;
use super::position::RecoveryEnd;
use super::punish::{Opening, Punish};
use super::stocks::{Stock, death_direction};
use super::timing::{influence, timing};
use super::{Analysis, Player, analyse};
use crate::slippi::Replay;
use crate::slippi::analysis::players::player_name;
use crate::slippi::coords::FRAMES_PER_SECOND;
use crate::slippi::names;
use crate::slippi::stages::bounds;
use crate::slippi::states::{Action, Phase, attack_name};
use crate::stats::{Group, Number, Stats, Subject};
use crate::timeline::Timeline;

/// All statistics of a replay.
pub fn stats(replay: &Replay, _timeline: &Timeline) -> Stats {
    stats_of(replay, &analyse(replay))
}

/// The same of what was found already.
pub(crate) fn stats_of(replay: &Replay, analysis: &Analysis) -> Stats {
    let winners = replay.winners();
    let has_bounds = bounds(replay.start.info.stage).is_some();
    let players = analysis.players.iter().map(|player| Subject {
        name: player_name(replay, player.port),
        team: player.team.map(u32::from),
        groups: groups(replay, analysis, player, &winners, has_bounds),
    });
    let players = players.collect();
    Stats {
        recording: vec![recording(replay, analysis, &winners)],
        teams: teams(analysis, &winners),
        players,
    }
}

/// What [`Group`] has no word for.
trait More: Sized {
    fn text(self, name: &'static str, text: impl Into<String>) -> Self;
    fn signed(self, name: &'static str, count: impl Into<i64>) -> Self;
    fn ratio(self, name: &'static str, ratio: &Ratio) -> Self;
    fn rate(self, name: &'static str, part: impl Into<f64>, whole: impl Into<f64>) -> Self;
    fn seconds(self, name: impl Into<Cow<'static, str>>, frames: u32) -> Self;
}

impl More for Group {
    fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.values.push((name.into(), Number::Text(text.into())));
        self
    }

    fn signed(mut self, name: &'static str, count: impl Into<i64>) -> Self {
        self.values.push((name.into(), Number::Count(count.into())));
        self
    }

    fn ratio(mut self, name: &'static str, ratio: &Ratio) -> Self {
        self.values
            .push((name.into(), Number::Amount(ratio.ratio())));
        self
    }

    fn rate(self, name: &'static str, part: impl Into<f64>, whole: impl Into<f64>) -> Self {
        let (part, whole) = (part.into(), whole.into());
        self.amount(name, part / whole)
    }

    fn seconds(self, name: impl Into<Cow<'static, str>>, frames: u32) -> Self {
        self.amount(name, f64::from(frames) / FRAMES_PER_SECOND)
    }
}

fn recording(replay: &Replay, analysis: &Analysis, winners: &[u8]) -> Group {
    let stage = replay.start.info.stage;
    let stage = names::stage(stage).map_or_else(|| format!("Stage {stage}"), str::to_owned);
    let winners: Vec<String> = winners
        .iter()
        .map(|&port| player_name(replay, port))
        .collect();
    let ahead: Vec<String> = replay
        .leaders()
        .iter()
        .map(|&port| player_name(replay, port))
        .collect();
    let frames = replay.frames.as_ref();
    Group::new("game")
        .text("stage", stage)
        .signed("last_frame", analysis.last_frame)
        .signed("playable_frames", analysis.playable_frames)
        .seconds("playable_s", analysis.playable_frames)
        .count("frames_looked_at", analysis.frames)
        .count(
            "rolled_back_frames",
            frames.map_or(0, |frames| frames.rolled_back_rows()),
        )
        .text("is_complete", yes_or_no(analysis.is_complete))
        .text("winner", winners.join(", "))
        .text("ahead_at_end", ahead.join(", "))
        .count("players", analysis.players.len())
        .count("stocks", analysis.stocks.len())
        .count("conversions", analysis.conversions.len())
        .count("combos", analysis.combos.len())
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// Stocks a player lost, and how many of them to nobody.
fn losses(analysis: &Analysis, port: u8) -> (usize, usize) {
    let lost = analysis
        .stocks
        .iter()
        .filter(|stock| stock.port == port && stock.end_frame.is_some())
        .count();
    let taken = analysis
        .conversions
        .iter()
        .filter(|one| one.victim == port && one.did_kill)
        .count();
    (lost, lost.saturating_sub(taken))
}

fn teams(analysis: &Analysis, winners: &[u8]) -> Vec<Subject> {
    let mut teams: Vec<u8> = analysis
        .players
        .iter()
        .filter_map(|player| player.team)
        .collect();
    teams.sort_unstable();
    teams.dedup();
    let subject = |team: u8| {
        let of = || {
            analysis
                .players
                .iter()
                .filter(move |player| player.team == Some(team))
        };
        let sum = |value: &dyn Fn(&Player) -> f64| of().map(value).sum::<f64>();
        let lost: usize = of().map(|player| losses(analysis, player.port).0).sum();
        let damage = sum(&|player| player.overall.total_damage);
        let conversions = sum(&|player| player.overall.conversions.into());
        let kills = sum(&|player| player.overall.kills.into());
        let name = ["Red", "Blue", "Green"].get(usize::from(team));
        let is_winner = of().any(|player| winners.contains(&player.port));
        let group = Group::new("overall")
            .text("won", yes_or_no(is_winner))
            .count("players", of().count())
            .signed("kills", kills as i64)
            .count("stocks_lost", lost)
            .amount("damage_percent", damage)
            .amount(
                "team_damage_taken_percent",
                sum(&|player| player.team_damage_taken),
            )
            .signed("conversions", conversions as i64)
            .rate("openings_per_kill", conversions, kills)
            .rate("damage_per_opening_percent", damage, conversions);
        Subject {
            name: name.map_or_else(|| format!("Team {team}"), |name| (*name).to_owned()),
            team: Some(team.into()),
            groups: vec![group],
        }
    };
    teams.into_iter().map(subject).collect()
}

fn groups(
    replay: &Replay,
    analysis: &Analysis,
    player: &Player,
    winners: &[u8],
    has_bounds: bool,
) -> Vec<Group> {
    let mut groups = vec![
        overall(replay, analysis, player, winners),
        openings(analysis, player),
        attacks(&player.actions),
        techniques(&player.actions),
        timing(analysis, player.port),
        influence(analysis, player.port),
        defence(&player.actions),
        ledge(&player.actions),
    ];
    if has_bounds {
        groups.push(recoveries(player));
    }
    groups.extend([
        inputs(player),
        control(player, has_bounds),
        phases(player),
        kills(analysis, player.port),
        stocks(analysis, player.port),
        punishes("conversions", &analysis.conversions, player.port),
        punishes("combos", &analysis.combos, player.port),
    ]);
    groups
}

fn overall(replay: &Replay, analysis: &Analysis, player: &Player, winners: &[u8]) -> Group {
    let overall = &player.overall;
    let (lost, self_destructs) = losses(analysis, player.port);
    let character = replay
        .starting_character(player.port)
        .and_then(names::character)
        .map(|character| character.name);
    let combos = analysis
        .combos
        .iter()
        .filter(|one| one.opener == player.port);
    Group::new("overall")
        .signed("port", i64::from(player.port) + 1)
        .text("character", character.unwrap_or("Unknown"))
        .text("won", yes_or_no(winners.contains(&player.port)))
        .signed("kills", overall.kills)
        .count("stocks_lost", lost)
        .count("self_destructs", self_destructs)
        .amount("damage_percent", overall.total_damage)
        .amount("team_damage_taken_percent", player.team_damage_taken)
        .signed("conversions", overall.conversions)
        .count("combos", combos.count())
        .signed(
            "successful_conversions",
            overall.successful_conversions.count as i64,
        )
        .ratio(
            "successful_conversion_rate",
            &overall.successful_conversions,
        )
        .ratio("openings_per_kill", &overall.openings_per_kill)
        .ratio("damage_per_opening_percent", &overall.damage_per_opening)
        .ratio("inputs_per_minute", &overall.inputs_per_minute)
        .ratio(
            "digital_inputs_per_minute",
            &overall.digital_inputs_per_minute,
        )
}

fn openings(analysis: &Analysis, player: &Player) -> Group {
    let overall = &player.overall;
    let made = || {
        analysis
            .conversions
            .iter()
            .filter(|one| one.opener == player.port)
    };
    let of = |opening: Opening| made().filter(|one| one.opening == opening).count();
    let firsts = made().filter_map(|one| one.moves.first().map(|first| first.attack));
    Group::new("openings")
        .count("neutral_wins", of(Opening::NeutralWin))
        .count("counter_attacks", of(Opening::CounterAttack))
        .count("trades", of(Opening::Trade))
        .ratio("neutral_win_rate", &overall.neutral_wins)
        .ratio("counter_hit_rate", &overall.counter_hits)
        .ratio("beneficial_trade_rate", &overall.beneficial_trades)
        .text("opening_moves", tally(firsts))
}

/// Attacks with how often they occur, the most frequent first.
fn tally(attacks: impl Iterator<Item = u8>) -> String {
    let mut counts = [0_usize; 256];
    for attack in attacks {
        counts[usize::from(attack)] += 1;
    }
    let mut list: Vec<(usize, u8)> = (0..=u8::MAX)
        .zip(counts)
        .filter(|(_, count)| *count > 0)
        .map(|(attack, count)| (count, attack))
        .collect();
    list.sort_by_key(|&(count, attack)| (std::cmp::Reverse(count), attack));
    let list: Vec<String> = list
        .iter()
        .map(|(count, attack)| format!("{} {count}", attack_name(*attack)))
        .collect();
    list.join(", ")
}

fn attacks(counts: &ActionCounts) -> Group {
    [
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
        ("throw_forward", Action::ThrowForward),
        ("throw_back", Action::ThrowBack),
        ("throw_up", Action::ThrowUp),
        ("throw_down", Action::ThrowDown),
    ]
    .into_iter()
    .fold(Group::new("attacks"), |group, (name, action)| {
        group.signed(name, counts.of(action))
    })
    .signed("grabs", counts.grabs)
    .signed("grabs_missed", counts.grabs_missed)
    .rate(
        "grab_rate",
        counts.grabs,
        counts.grabs + counts.grabs_missed,
    )
}

fn techniques(counts: &ActionCounts) -> Group {
    Group::new("technique")
        .signed("wavedashes", counts.wavedashes)
        .signed("wavelands", counts.wavelands)
        .signed("dash_dances", counts.dash_dances)
        .signed("l_cancels", counts.l_cancels)
        .signed("l_cancels_missed", counts.l_cancels_missed)
        .rate(
            "l_cancel_rate",
            counts.l_cancels,
            counts.l_cancels + counts.l_cancels_missed,
        )
        .signed("edge_cancels", counts.edge_cancels)
        .signed("edge_cancels_slow", counts.edge_cancels_slow)
        .signed("taunts", counts.of(Action::Taunt))
}

fn defence(counts: &ActionCounts) -> Group {
    let techs = counts.techs_in + counts.techs_away + counts.of(Action::TechInPlace);
    let group = Group::new("defence")
        .signed("techs_in_place", counts.of(Action::TechInPlace))
        .signed("techs_in", counts.techs_in)
        .signed("techs_away", counts.techs_away)
        .signed("techs_missed", counts.of(Action::TechMissed))
        .rate("tech_rate", techs, techs + counts.of(Action::TechMissed));
    [
        ("wall_techs", Action::WallTech),
        ("wall_jump_techs", Action::WallJumpTech),
        ("ceiling_techs", Action::CeilingTech),
        ("wall_techs_missed", Action::WallTechMissed),
        ("get_ups", Action::GetUpStand),
        ("get_up_attacks", Action::GetUpAttack),
        ("get_up_rolls_forward", Action::GetUpForward),
        ("get_up_rolls_backward", Action::GetUpBackward),
        ("rolls", Action::Roll),
        ("spot_dodges", Action::SpotDodge),
        ("air_dodges", Action::AirDodge),
        ("power_shields", Action::PowerShield),
        ("shield_breaks", Action::ShieldBreak),
    ]
    .into_iter()
    .fold(group, |group, (name, action)| {
        group.signed(name, counts.of(action))
    })
}

fn ledge(counts: &ActionCounts) -> Group {
    let group = Group::new("ledge").signed("grabs", counts.of(Action::LedgeGrab));
    LedgeOption::ALL
        .iter()
        .zip(counts.ledge_options)
        .fold(group, |group, ((_, name), count)| group.signed(name, count))
}

fn recoveries(player: &Player) -> Group {
    let counts = &player.position;
    let all: u32 = counts.recoveries.iter().sum();
    let died = counts.recoveries[RecoveryEnd::Died as usize];
    let group = Group::new("recoveries").signed("attempts", all);
    RecoveryEnd::ALL
        .iter()
        .zip(counts.recoveries)
        .fold(group, |group, ((_, name), count)| group.signed(name, count))
        .rate("success_rate", all - died, all)
        .signed("hits_taken", counts.hits_while_recovering)
}

fn inputs(player: &Player) -> Group {
    let inputs = &player.inputs;
    Group::new("inputs")
        .signed("buttons", inputs.buttons)
        .signed("triggers", inputs.triggers)
        .signed("cstick", inputs.cstick)
        .signed("stick", inputs.stick)
        .signed("total", inputs.total())
}

fn control(player: &Player, has_bounds: bool) -> Group {
    let counts = &player.position;
    let group = Group::new("stage_control")
        .seconds("nearer_to_centre_s", counts.nearer_to_centre)
        .rate(
            "nearer_to_centre_share",
            counts.nearer_to_centre,
            counts.contested,
        );
    if has_bounds {
        group.seconds("off_stage_s", counts.off_stage)
    } else {
        group
    }
}

fn phases(player: &Player) -> Group {
    Phase::ALL.iter().zip(player.position.phases).fold(
        Group::new("time_per_state"),
        |group, ((_, name), frames)| group.seconds(format!("{name}_s"), frames),
    )
}

/// Kills of a player: the last attack of each, and how and where the victim died. Columns of equal length.
fn kills(analysis: &Analysis, port: u8) -> Group {
    let kills: Vec<&Punish> = analysis
        .conversions
        .iter()
        .filter(|one| one.did_kill && one.last_hit_by == port)
        .collect();
    let stocks: Vec<Option<&Stock>> = kills
        .iter()
        .map(|kill| stock_ending(analysis, kill.victim, kill.end_frame))
        .collect();
    let column = |value: &dyn Fn(&Stock) -> Option<f64>| -> Vec<f64> {
        let value = |stock: &Option<&Stock>| stock.and_then(value).unwrap_or(f64::NAN);
        stocks.iter().map(value).collect()
    };
    let attacks = kills
        .iter()
        .map(|kill| kill.moves.last().map_or(0, |last| last.attack));
    let names: Vec<Cow<'_, str>> = attacks.clone().map(attack_name).collect();
    let directions: Vec<&str> = stocks
        .iter()
        .map(|stock| {
            let state = stock.and_then(|stock| stock.death_state);
            state.map_or("unknown", death_direction)
        })
        .collect();
    Group::new("kills")
        .text("by_move", tally(attacks))
        .text("moves", names.join(", "))
        .text("directions", directions.join(", "))
        .list(
            "victim_ports",
            kills
                .iter()
                .map(|kill| f64::from(kill.victim) + 1.0)
                .collect(),
        )
        .list(
            "frames",
            kills.iter().map(|kill| frame(kill.end_frame)).collect(),
        )
        .list("percents", column(&|stock| stock.end_percent))
        .list(
            "x_uu",
            column(&|stock| stock.death_position_uu.map(|[x, _]| x.into())),
        )
        .list(
            "y_uu",
            column(&|stock| stock.death_position_uu.map(|[_, y]| y.into())),
        )
}

/// The life of a player that ended in a frame.
pub(crate) fn stock_ending(
    analysis: &Analysis,
    port: u8,
    end_frame: Option<i32>,
) -> Option<&Stock> {
    end_frame?;
    analysis
        .stocks
        .iter()
        .find(|stock| stock.port == port && stock.end_frame == end_frame)
}

/// A frame as a number; one that never came is not a number.
fn frame(frame: Option<i32>) -> f64 {
    frame.map_or(f64::NAN, f64::from)
}

/// Lives of a player, as columns of equal length.
fn stocks(analysis: &Analysis, port: u8) -> Group {
    let of = || analysis.stocks.iter().filter(|stock| stock.port == port);
    Group::new("stocks")
        .list("counts", of().map(|stock| stock.count.into()).collect())
        .list(
            "start_frames",
            of().map(|stock| stock.start_frame.into()).collect(),
        )
        .list(
            "end_frames",
            of().map(|stock| frame(stock.end_frame)).collect(),
        )
        .list(
            "percents",
            of().map(|stock| stock.end_percent.unwrap_or(stock.current_percent))
                .collect(),
        )
        .list(
            "death_states",
            of().map(|stock| stock.death_state.map_or(f64::NAN, f64::from))
                .collect(),
        )
}

/// Conversions or combos a player opened, as columns of equal length.
fn punishes(name: &'static str, list: &[Punish], port: u8) -> Group {
    let of = || list.iter().filter(|one| one.opener == port);
    let moves = of().map(|one| {
        let names: Vec<Cow<'_, str>> = one
            .moves
            .iter()
            .map(|one| attack_name(one.attack))
            .collect();
        names.join(" > ")
    });
    let group = Group::new(name)
        .list(
            "victim_ports",
            of().map(|one| f64::from(one.victim) + 1.0).collect(),
        )
        .list(
            "start_frames",
            of().map(|one| one.start_frame.into()).collect(),
        )
        .list("end_frames", of().map(|one| frame(one.end_frame)).collect())
        .list(
            "start_percents",
            of().map(|one| one.start_percent).collect(),
        )
        .list(
            "end_percents",
            of().map(|one| one.end_percent.unwrap_or(one.current_percent))
                .collect(),
        )
        .list(
            "move_counts",
            of().map(|one| one.moves.len() as f64).collect(),
        )
        .list(
            "hit_counts",
            of().map(|one| one.moves.iter().map(|one| f64::from(one.hits)).sum())
                .collect(),
        )
        .list(
            "damages_percent",
            of().map(|one| one.moves.iter().map(|one| one.damage).sum::<f64>() + 0.0)
                .collect(),
        )
        .list(
            "kills",
            of().map(|one| f64::from(u8::from(one.did_kill))).collect(),
        )
        .text("moves", moves.collect::<Vec<_>>().join("; "));
    if name == "conversions" {
        let openings: Vec<&str> = of().map(|one| one.opening.name()).collect();
        group.text("openings", openings.join(", "))
    } else {
        group
    }
}
