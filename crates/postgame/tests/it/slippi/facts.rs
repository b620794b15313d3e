//! Facts about real files that others have published or seen with their own readers.

use postgame::slippi::model::frames::Copies;
use postgame::slippi::model::start::Start;
use postgame::slippi::{self, Replay, names};

use super::{name, read, real};

fn file(wanted: &str) -> Option<Replay> {
    let path = real().into_iter().find(|path| name(path) == wanted)?;
    Some(read(&path).1)
}

#[test]
fn a_frame_of_a_game_is_as_its_test_says() {
    let Some(replay) = file("game.slp") else {
        return;
    };
    let frames = replay.frames.as_ref().unwrap();
    assert_eq!((frames.len(), frames.ids[1000]), (5209, 877));
    let one = frames.character(0, false).unwrap();
    let pre = one.pre.columns.row(one.pre.at(1000).unwrap()).unwrap();
    assert_eq!((pre.x, pre.y, pre.action_state), (56.81875, -18.63733, 27));
    let post = one.post.columns.row(one.post.at(1000).unwrap()).unwrap();
    assert_eq!(
        (post.x, post.y, post.last_attack_landed),
        (57.292_168, -17.290_329, 15)
    );
    let other = frames.character(1, false).unwrap();
    assert_eq!(other.post.columns.percent[1000], 85.6);
    assert_eq!(
        (names::stage(replay.start.info.stage), names::attack(15)),
        (Some("Yoshi's Story"), Some("Back Air"))
    );
}

#[test]
fn rollbacks_keep_every_copy() {
    let Some(replay) = file("ics2.slp") else {
        return;
    };
    let frames = replay.frames.as_ref().unwrap();
    assert_eq!(
        (frames.len(), &frames.ids[473..477]),
        (9530, &[350, 351, 351, 352][..])
    );
    let rows = frames.rows(Copies::Final);
    assert_eq!(frames.len() - rows.len(), 11);
    assert_eq!(rows[474], 475, "the second copy counts");
    let replay = file("rollbackFrameTest.slp").unwrap();
    let frames = replay.frames.as_ref().unwrap();
    assert_eq!(
        (frames.len(), frames.rows(Copies::First).len()),
        (13569, 9277)
    );
}

#[test]
fn climbers_are_two_and_eliminated_players_are_absent() {
    let Some(replay) = file("ics.slp") else {
        return;
    };
    let frames = replay.frames.as_ref().unwrap();
    for follower in [false, true] {
        assert_eq!(frames.character(0, follower).unwrap().post.len(), 344);
    }
    let replay = file("doubles.slp").unwrap();
    let frames = replay.frames.as_ref().unwrap();
    let row = |frame: i32| frames.ids.iter().position(|&id| id == frame).unwrap();
    let port = frames.character(0, false).unwrap();
    let there =
        [7754, 7755, 7782, 7783, 8236, 8237].map(|frame| port.post.at(row(frame)).is_some());
    assert_eq!(there, [true, false, false, true, true, false]);
    let timeline = slippi::timeline(&replay);
    let entity = timeline
        .entities
        .iter()
        .find(|entity| entity.kind == "player")
        .unwrap();
    assert_eq!(entity.presence.intervals().len(), 2);
}

#[test]
fn items_are_where_they_were_seen() {
    let Some(replay) = file("items.slp") else {
        return;
    };
    let frames = replay.frames.as_ref().unwrap();
    let items = &frames.items.columns;
    for (row, spawn, x) in [
        (121, 0, -62.709_606),
        (275, 1, 20.395_56),
        (503, 2, -3.982_539_2),
    ] {
        let index = frames
            .items
            .of_row(row)
            .find(|&index| items.spawn_id[index] == spawn)
            .unwrap();
        assert_eq!((items.x[index], items.timer[index]), (x, 140.0));
        assert_eq!(
            frames
                .items
                .of_row(row - 1)
                .find(|&index| items.spawn_id[index] == spawn),
            None
        );
    }
    let replay = file("v3.18.slp").unwrap();
    let platforms = &replay.frames.as_ref().unwrap().fod_platforms;
    assert!(platforms.of_row(822).is_empty());
    let row = platforms.columns.row(platforms.of_row(823).start).unwrap();
    assert_eq!((row.platform, row.height), (1, 20.15));
}

#[test]
fn names_sessions_and_codes_are_read() {
    let Some(replay) = file("crazy_name_tags.slp") else {
        return;
    };
    let tags = (0..4).map(|port| Start::name_in(&replay.start.nametags, port));
    assert_eq!(
        tags.collect::<Vec<_>>(),
        ["! CLOWN", "C@ぞ~", "A $ホ ぬヅ。", "!!!!!!!!"]
    );
    let replay = file("ranked_game1_tiebreak.slp").unwrap();
    let session = replay.start.session_id.unwrap().decoded();
    assert_eq!(session, "mode.ranked-2022-12-20T05:36:47.50-0");
    assert_eq!(
        (replay.start.game_number, replay.start.tiebreak_number),
        (Some(1), Some(1))
    );
    let codes = file("geckoCodes.slp").unwrap().gecko_codes();
    assert_eq!((codes.len(), codes[0].address), (457, 0x8015_ee98));
    // Declared as 4064 bytes, for 16 bits cannot say more.
    let list: usize = file("v3.13.slp")
        .unwrap()
        .gecko_codes()
        .iter()
        .map(|code| code.contents.0.len())
        .sum();
    assert!((69_000..=69_600).contains(&list), "{list}");
}

#[test]
fn the_first_build_of_all_is_read() {
    let Some(replay) = file("test-2.slp") else {
        return;
    };
    let frames = replay.frames.as_ref().unwrap();
    assert!(frames.is_combined);
    assert_eq!(
        (frames.len(), frames.ids[0], frames.last_frame()),
        (2800, -123, Some(2676))
    );
    // Falco and Peach enter with full shields and four stocks each; a jump is a button.
    let characters: Vec<u8> = frames
        .characters
        .iter()
        .map(|one| one.post.columns.character[0])
        .collect();
    assert_eq!(characters, [22, 9]);
    for one in &frames.characters {
        let first = one.post.columns.row(0).unwrap();
        assert_eq!(
            (
                first.action_state,
                first.shield,
                first.stocks,
                first.last_hit_by
            ),
            (322, 60.0, 4, 6)
        );
        assert!(
            one.pre
                .columns
                .joystick_x
                .iter()
                .all(|value| value.abs() <= 1.0)
        );
        assert!(
            one.post
                .columns
                .percent
                .iter()
                .all(|value| (0.0..300.0).contains(value))
        );
    }
    let buttons = &frames.characters[0].pre.columns;
    assert!(buttons.physical_buttons.contains(&0x0800) && buttons.buttons.contains(&0x0800));
}

#[test]
fn characters_stay_on_or_near_their_stage() {
    let mut bounded = 0;
    for path in real() {
        let (_, replay, _) = read(&path);
        let Some(bounds) = slippi::tables::BOUNDS
            .iter()
            .find(|one| one.stage == replay.start.info.stage)
        else {
            continue;
        };
        for one in &replay.frames.as_ref().unwrap().characters {
            let post = &one.post.columns;
            let outside = post.x.iter().zip(&post.y).filter(|&(&x, &y)| {
                // Who is out flies on for a moment; stars are born far up.
                !(bounds.left - 60.0..bounds.right + 60.0).contains(&x)
                    || !(bounds.bottom - 60.0..bounds.top + 250.0).contains(&y)
            });
            let share = outside.count() as f64 / post.x.len().max(1) as f64;
            assert!(share < 0.01, "{}: {share}", name(&path));
        }
        bounded += 1;
    }
    assert!(real().is_empty() || bounded > 50, "{bounded}");
}
