//! Slippi replays on the timeline.

use std::collections::BTreeMap;

use postgame::slippi::model::frames::Copies;
use postgame::slippi::{self, coords};
use postgame::timeline::{Sample, Timeline};

use super::replays;

/// The first replay of the corpus with this name.
fn replay(name: &str) -> Option<slippi::Replay> {
    let mut replays = replays();
    let index = replays.iter().position(|(one, _)| one == name)?;
    Some(replays.swap_remove(index).1)
}

fn counts(timeline: &Timeline) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for entity in &timeline.entities {
        *counts.entry(entity.kind).or_default() += 1;
    }
    counts
}

/// The timeline says of every frame what the model does.
#[test]
fn every_frame_is_as_in_the_file() {
    let mut compared = 0;
    for (name, replay) in replays() {
        let timeline = slippi::timeline(&replay);
        let frames = replay.frames.as_ref().unwrap();
        for (index, character) in frames.characters.iter().enumerate() {
            let entity = &timeline.entities[index];
            for row in frames.rows(Copies::Final).into_iter().step_by(97) {
                let time_s = coords::time_s(frames.ids[row]);
                let Some(post) = character
                    .post
                    .at(row)
                    .and_then(|at| character.post.columns.row(at))
                else {
                    assert_eq!(entity.position(time_s), None, "{name} row {row}: absent");
                    continue;
                };
                let expected = coords::position(post.x, post.y);
                assert_eq!(entity.position(time_s), Some(expected), "{name} row {row}");
                assert_eq!(
                    entity.scalar("percent", time_s),
                    Some(post.percent),
                    "{name}"
                );
                assert_eq!(
                    entity.scalar("stocks", time_s),
                    Some(post.stocks.into()),
                    "{name}"
                );
                assert_eq!(entity.scalar("shield", time_s), Some(post.shield), "{name}");
                assert!(matches!(
                    entity.sample("action_state", time_s),
                    Some(Sample::Name(_))
                ));
                let facing = entity.rotation(time_s).map(|[_, y, _, _]| y);
                assert_eq!(
                    facing.map(f32::signum).filter(|_| facing != Some(0.0)),
                    Some(post.facing).filter(|_| post.facing != 0.0)
                );
                if let Some(pre) = character
                    .pre
                    .at(row)
                    .and_then(|at| character.pre.columns.row(at))
                {
                    assert_eq!(
                        entity.scalar("joystick_x", time_s),
                        Some(pre.joystick_x),
                        "{name}"
                    );
                    assert_eq!(
                        entity.flag("button_a", time_s),
                        Some(pre.physical_buttons & 0x100 != 0),
                        "{name}"
                    );
                }
                compared += 1;
            }
        }
    }
    eprintln!("{compared} states compared");
    assert!(compared > 20, "{compared}");
}

/// The notes' facts of what is in which file.
#[test]
fn climbers_items_and_platforms_are_there() {
    let Some(climbers) = replay("ics2.slp") else {
        return;
    };
    let timeline = slippi::timeline(&climbers);
    let counts = counts(&timeline);
    assert_eq!((counts["player"], counts["follower"]), (2, 1));
    let follower = timeline
        .entities
        .iter()
        .find(|one| one.kind == "follower")
        .unwrap();
    let leader = timeline.entity(follower.parent.unwrap()).unwrap();
    assert_eq!(leader.kind, "player");

    // Three turnips, at the notes' places.
    let items = replay("items.slp").unwrap();
    let timeline = slippi::timeline(&items);
    for (spawn, row, x, y) in [
        (0, 121, -62.709606, -1.4932749),
        (1, 275, 20.39556, -1.4932749),
        (2, 503, -3.9825392, -1.4932749),
    ] {
        let turnip = timeline.find(&format!("Peach Turnip {spawn}")).unwrap();
        let turnip = timeline.entity(turnip).unwrap();
        let start_s = turnip.presence.intervals()[0].0;
        assert_eq!(start_s, f64::from(row) / 60.0, "turnip {spawn}");
        assert_eq!(turnip.position(start_s), Some(coords::position(x, y)));
        assert!(turnip.parent.is_some() || items.start.version() < [3, 6, 0]);
    }

    // Row 822 has no event of the platform, row 823 raises the left one to 20.15.
    let fountain = replay("v3.18.slp").unwrap();
    let timeline = slippi::timeline(&fountain);
    let left = timeline
        .entity(timeline.find("Left platform").unwrap())
        .unwrap();
    let height = |row: u32| left.position(f64::from(row) / 60.0).unwrap()[1];
    assert!((height(822) - 1.6125).abs() < 1e-5, "{}", height(822));
    assert!(
        (height(823) - (20.15 * 0.075 + 0.1125)).abs() < 1e-5,
        "{}",
        height(823)
    );
}

/// Who is eliminated is gone, and comes back with a partner's stock: the notes' frames of the doubles game.
#[test]
fn an_eliminated_player_is_absent() {
    let Some(doubles) = replay("doubles.slp") else {
        return;
    };
    let timeline = slippi::timeline(&doubles);
    let player = timeline
        .entities
        .iter()
        .find(|one| one.kind == "player")
        .unwrap();
    let ends: Vec<(f64, f64)> = player.presence.intervals().to_vec();
    let at = |frame: i32| coords::time_s(frame);
    assert_eq!(ends, [(at(-123), at(7755)), (at(7783), at(8237))]);
}

/// The cloud is where players stand on it.
#[test]
fn players_stand_on_the_cloud() {
    let mut stood = 0;
    for (name, replay) in replays() {
        if replay.start.info.stage != 8 {
            continue;
        }
        let timeline = slippi::timeline(&replay);
        let cloud = timeline.entity(timeline.find("Randall").unwrap()).unwrap();
        let frames = replay.frames.as_ref().unwrap();
        for character in &frames.characters {
            let post = &character.post.columns;
            for row in frames.rows(Copies::Final) {
                let Some(at) = character.post.at(row) else {
                    continue;
                };
                let (x, y) = (post.x[at], post.y[at]);
                // Outside of the stage, on the ground, and standing: only the cloud is there.
                if x.abs() < 62.0
                    || post.airborne.get(at) != Some(&0)
                    || post.action_state[at] != 14
                {
                    continue;
                }
                let [cloud_x, cloud_y, _] =
                    cloud.position(coords::time_s(frames.ids[row])).unwrap();
                assert!(
                    (x * 0.1 - cloud_x).abs() < 0.65 && (y * 0.1 - cloud_y).abs() < 0.05,
                    "{name} row {row}: {x} {y}, cloud {cloud_x} {cloud_y}"
                );
                stood += 1;
            }
        }
    }
    eprintln!("{stood} frames on the cloud");
}
