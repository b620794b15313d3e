//! What happened in Slippi replays, and the statistics that slippi-js has not.

use std::collections::BTreeMap;

use postgame::slippi::stats::analyse;
use postgame::slippi::{self, Replay};
use postgame::stats::{Number, Stats, Subject};

use super::replays;

fn stats(replay: &Replay) -> Stats {
    slippi::stats(replay, &slippi::timeline(replay))
}

fn number(subject: &Subject, group: &str, name: &str) -> f64 {
    match subject.get(group, name) {
        Some(Number::Count(count)) => *count as f64,
        Some(Number::Amount(Some(amount))) => *amount,
        other => panic!("{group}.{name} is {other:?}"),
    }
}

fn list<'a>(subject: &'a Subject, group: &str, name: &str) -> &'a [f64] {
    match subject.get(group, name) {
        Some(Number::List(list)) => list,
        other => panic!("{group}.{name} is {other:?}"),
    }
}

/// Events agree with the statistics, and are in order.
#[test]
fn events_are_counted_by_the_statistics() {
    for (name, replay) in replays() {
        let timeline = slippi::timeline(&replay);
        assert!(
            timeline.events.is_sorted_by_key(|event| event.time_s),
            "{name}"
        );
        let mut counts: BTreeMap<(&str, Option<usize>), usize> = BTreeMap::new();
        let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
        for event in &timeline.events {
            let who = event.who.map(|id| id.0);
            *counts.entry((&*event.kind, who)).or_default() += 1;
            *of_kind.entry(&*event.kind).or_default() += 1;
        }
        let analysis = analyse(&replay);
        let of = |kind: &str| of_kind.get(kind).copied().unwrap_or(0);
        assert_eq!(of("conversion-start"), analysis.conversions.len(), "{name}");
        let ended = analysis
            .conversions
            .iter()
            .filter(|one| one.end_frame.is_some());
        assert_eq!(of("conversion-end"), ended.count(), "{name}");
        let hits: usize = analysis.conversions.iter().map(|one| one.moves.len()).sum();
        assert_eq!(of("hit"), hits, "{name}");
        let lost = analysis.stocks.iter().filter(|one| one.end_frame.is_some());
        assert_eq!(of("stock-lost"), lost.count(), "{name}");
        let kills: u32 = analysis.players.iter().map(|one| one.overall.kills).sum();
        assert_eq!(of("kill"), kills as usize, "{name}");
        assert_eq!(
            of("game-end"),
            usize::from(replay.end().is_some()),
            "{name}"
        );

        for player in &stats(&replay).players {
            let who = timeline.find(&player.name).map(|id| id.0);
            let by = |kind: &str| counts.get(&(kind, who)).copied().unwrap_or(0) as f64;
            assert_eq!(by("ledge-grab"), number(player, "ledge", "grabs"), "{name}");
            assert_eq!(
                by("wavedash"),
                number(player, "technique", "wavedashes"),
                "{name}"
            );
            assert_eq!(
                by("grab"),
                number(player, "attacks", "grabs") + number(player, "attacks", "grabs_missed"),
                "{name}"
            );
            assert_eq!(by("kill"), number(player, "overall", "kills"), "{name}");
        }
    }
}

/// Sums that must hold whatever the game, two players or more.
#[test]
fn sums_hold_with_any_number_of_players() {
    let (mut several, mut kills_in_several) = (0, 0);
    for (name, replay) in replays() {
        let analysis = analyse(&replay);
        let stats = stats(&replay);
        assert_eq!(stats.players.len(), replay.start.ports().count(), "{name}");
        if stats.players.len() > 2 {
            several += 1;
            kills_in_several += analysis
                .players
                .iter()
                .map(|one| one.overall.kills)
                .sum::<u32>();
        }
        for (player, numbers) in stats.players.iter().zip(&analysis.players) {
            let (lost, alone) = (
                number(player, "overall", "stocks_lost"),
                number(player, "overall", "self_destructs"),
            );
            assert!(alone <= lost, "{name}");
            // Every frame since players can act is in one phase.
            let phases: u32 = numbers.position.phases.iter().sum();
            assert!(
                phases as usize <= analysis.frames.saturating_sub(84),
                "{name}"
            );
            if stats.players.len() == 2 {
                assert_eq!(
                    phases as usize,
                    analysis.frames.saturating_sub(84),
                    "{name}"
                );
            }
            // A ledge is left as often as it is grabbed, but for the last time.
            let grabs = number(player, "ledge", "grabs");
            let left: f64 = ["climb", "attack", "roll", "jump", "drop", "hit", "died"]
                .iter()
                .map(|option| number(player, "ledge", option))
                .sum();
            assert!(
                grabs - left <= 1.0 && left <= grabs,
                "{name}: {left} of {grabs}"
            );
            let made = list(player, "conversions", "start_frames").len();
            assert_eq!(
                made as f64,
                number(player, "overall", "conversions"),
                "{name}"
            );
            assert_eq!(
                list(player, "kills", "percents").len() as f64,
                number(player, "overall", "kills"),
                "{name}"
            );
        }
        // What a conversion does is done to its victim by others.
        for one in &analysis.conversions {
            assert!(one.moves.iter().all(|hit| hit.port != one.victim), "{name}");
            let team = |port: u8| {
                analysis
                    .players
                    .iter()
                    .find(|player| player.port == port)
                    .and_then(|player| player.team)
            };
            if replay.start.is_teams() {
                assert!(
                    one.moves
                        .iter()
                        .all(|hit| team(hit.port) != team(one.victim)),
                    "{name}"
                );
            }
        }
        // Kills are losses of others.
        let kills: u32 = analysis.players.iter().map(|one| one.overall.kills).sum();
        let lost = analysis
            .stocks
            .iter()
            .filter(|one| one.end_frame.is_some())
            .count();
        assert!(kills as usize <= lost, "{name}");
    }
    eprintln!("{several} games of more than two players with {kills_in_several} kills");
}

/// A stock that a partner takes over is not lost: the notes' frame of the doubles game.
#[test]
fn a_shared_stock_is_not_lost() {
    let all = replays();
    let Some((_, doubles)) = all.iter().find(|(name, _)| name == "doubles.slp") else {
        return;
    };
    let timeline = slippi::timeline(doubles);
    let at: Vec<&str> = timeline
        .events
        .iter()
        .filter(|event| event.frame == 7783 + 123)
        .map(|event| &*event.kind)
        .collect();
    assert!(
        at.contains(&"stock-shared") && !at.contains(&"stock-lost"),
        "{at:?}"
    );
    // What the game began with is either lost or left at the end; who is gone has none.
    let begun: u32 = doubles
        .start
        .ports()
        .map(|(_, player)| u32::from(player.stocks))
        .sum();
    let frames = doubles.frames.as_ref().unwrap();
    let last = frames.len() - 1;
    let left: u32 = frames
        .characters
        .iter()
        .filter_map(|one| Some(u32::from(one.post.columns.stocks[one.post.at(last)?])))
        .sum();
    let lost = timeline
        .events
        .iter()
        .filter(|event| event.kind == "stock-lost")
        .count();
    assert_eq!(lost as u32, begun - left);
}

/// Single facts of slippi-js' own tests, from the notes.
#[test]
fn known_facts() {
    let all: BTreeMap<String, Replay> = replays().into_iter().collect();
    let Some(l_cancel) = all.get("lCancel.slp") else {
        return;
    };
    let players = stats(l_cancel).players;
    let rates: Vec<(f64, f64)> = players
        .iter()
        .map(|one| {
            (
                number(one, "technique", "l_cancels"),
                number(one, "technique", "l_cancels_missed"),
            )
        })
        .collect();
    assert_eq!(rates, [(3.0, 4.0), (5.0, 4.0)]);
    assert!((number(&players[0], "technique", "l_cancel_rate") - 3.0 / 7.0).abs() < 1e-12);
    let techs = stats(&all["techTester.slp"]).players;
    let ways = ["techs_away", "techs_in", "techs_in_place", "techs_missed"]
        .map(|name| number(&techs[0], "defence", name));
    assert_eq!(ways, [4.0; 4]);
    assert!((number(&techs[0], "defence", "tech_rate") - 0.75).abs() < 1e-12);
}
