//! Techniques against counts that are found in another way.

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;

use postgame::slippi::stats::analyse;
use postgame::slippi::techniques::Kind;

use super::{real, replays};

/// The statistics count dash dances as slippi-js does, which other tests compare with it.
#[test]
fn dash_dances_are_those_of_slippi_js() {
    let mut all = 0;
    for (name, replay) in replays() {
        let analysis = analyse(&replay);
        for player in &analysis.players {
            let found = analysis.techniques.iter();
            let found = found.filter(|one| one.port == player.port && one.kind == Kind::DashDance);
            let count = found.count();
            assert_eq!(count, player.actions.dash_dances as usize, "{name}");
            all += count;
        }
    }
    assert!(real().is_empty() || all > 100, "{all} dash dances");
}

/// A tech chase that succeeds ends with a hit, and of two players only one is on the ground at a time in most games: what
/// is found has a victim who is down, and a hit in the list of hits.
#[test]
fn tech_chases_end_with_hits() {
    let (mut chances, mut hits, mut listed) = (0, 0, 0);
    for (name, replay) in replays() {
        let analysis = analyse(&replay);
        let taken: BTreeSet<(i32, u8)> = analysis
            .hits
            .iter()
            .map(|hit| (hit.frame, hit.victim))
            .collect();
        let players = analysis.players.iter();
        let ports: Vec<u8> = players.map(|player| player.port).collect();
        for chase in analysis
            .techniques
            .iter()
            .filter(|one| one.kind == Kind::TechChase)
        {
            let mut others = ports.iter().filter(|&&port| port != chase.port);
            let (Some(&victim), None) = (others.next(), others.next()) else {
                panic!("{name}: a chase in a game that is not of two");
            };
            chances += 1;
            assert_eq!(chase.is_success, Some(chase.frames.is_some()), "{name}");
            if let Some(frames) = chase.frames {
                assert!((1..400).contains(&frames), "{name}: {frames} frames");
                hits += 1;
                listed += usize::from(taken.contains(&(chase.frame + frames, victim)));
            }
        }
    }
    println!("{chances} tech chases, {hits} with a hit, {listed} of them in the list of hits");
    // The list of hits needs versions from 2.0 on, and is without hits that have no hitlag before 3.16.
    assert!(real().is_empty() || chances > 100 && hits > 10 && 2 * listed > hits);
}
