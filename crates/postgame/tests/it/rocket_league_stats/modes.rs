//! Events of modes with rules of their own: items in Rumble, tiles in Dropshot.
//!
//! The counts are from the files' JSON by a script of its own: items that come to a car after the first frame, counters
//! that become odd, tiles whose state grows; what keyframes send again left out.

use std::collections::BTreeMap;

use postgame::stats::Number;
use postgame::timeline::Timeline;

use super::recording;

fn items<'a>(timeline: &'a Timeline, kind: &str) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for event in timeline.events.iter().filter(|event| event.kind == kind) {
        assert!(event.who.is_some() && event.position.is_some(), "{event:?}");
        *counts.entry(event.detail("item").unwrap()).or_default() += 1;
    }
    counts
}

#[test]
fn items_are_taken_and_used() {
    for (name, taken, used) in [
        ("RUMBLE_ITEM_KICKOFF", 2, 2),
        ("RUMBLE_PRE_ITEM_GOALS", 1, 0),
        // Three of them never said so: they vanished in play while their cars went on.
        ("RUMBLE_FULL", 92, 80),
        // What is dispensed there has no name of its own.
        ("possession_rumble", 0, 0),
        ("recent-ranked-doubles-2026-03-10", 0, 0),
    ] {
        let Some(recording) = recording(name) else {
            return;
        };
        let timeline = recording.timeline();
        let sum = |kind| items(&timeline, kind).values().sum::<usize>();
        assert_eq!(
            (sum("item-taken"), sum("item-used")),
            (taken, used),
            "{name}"
        );
        if name == "RUMBLE_FULL" {
            let used = items(&timeline, "item-used");
            assert_eq!((used["BoostOverride"], used["Tornado"]), (10, 2));
        }
        let stats = recording.stats(&timeline).unwrap();
        let of_players =
            stats
                .players
                .iter()
                .filter_map(|player| match player.get("play", "items_used")? {
                    Number::Count(count) => Some(*count as usize),
                    _ => None,
                });
        assert_eq!(of_players.sum::<usize>(), used, "{name}");
    }
}

#[test]
fn tiles_are_damaged_and_open() {
    for (name, expected) in [
        ("DROPSHOT_SINGLE_DAMAGE", &[(396, "tile-damaged", "53")][..]),
        (
            "DROPSHOT_DOUBLE_DAMAGE",
            &[
                (269, "tile-damaged", "20"),
                (315, "tile-opened", "20"),
                (343, "tile-damaged", "21"),
            ][..],
        ),
    ] {
        let Some(recording) = recording(name) else {
            return;
        };
        let timeline = recording.timeline();
        let tiles = timeline
            .events
            .iter()
            .filter(|event| event.kind.starts_with("tile-"));
        let tiles: Vec<(usize, &str, &str)> = tiles
            .map(|event| {
                assert!(event.who.is_some(), "{event:?}");
                // The tile is where the ball hits it: on the floor.
                assert!(event.position.unwrap()[1].abs() < 0.1, "{event:?}");
                let tile = event.detail("tile").unwrap();
                let number = tile.strip_prefix("BreakOutActor_Platform_TA_").unwrap();
                (event.frame, &*event.kind, number)
            })
            .collect();
        assert_eq!(tiles, expected, "{name}");
    }
}
