//! Settings, players, end, last frame and winners as slippi-js 9.1.2 gives them, but for listed differences.

use std::collections::BTreeMap;

use postgame::slippi::Replay;
use postgame::slippi::model::start::Start;
use serde_json::{Value, json};

use super::{name, read, real};
use crate::corpus;

/// Files on which slippi-js fails.
const FAILS: &[&str] = &["Stamina.slp"];

/// Last frames that slippi-js gives otherwise, as (ours, theirs). In training mode every frame has the number 65793, of
/// which it makes nothing. Without the game's end it takes the last frame for unfinished.
const LAST_FRAMES: &[(&str, i32, Option<i32>)] = &[
    ("Training.slp", 65793, None),
    ("geckoCodes.slp", 177, Some(176)),
    ("incomplete.slp", 7656, Some(7655)),
    ("severed_metadata.slp", 2767, Some(2766)),
];

/// Games that slippi-js gives no winner for, with the ports that won. Before 3.13 it misses placements; we look who has
/// stocks left. A second end of the game hides the last frame from it. The development build of 3.12 has something in
/// the upper half of its placements. The ports were taken from the last frames by a script of its own.
const WINNERS: &[(&str, &[u8])] = &[
    ("Adventure.slp", &[0]),
    ("BH9.slp", &[2]),
    ("console_name.slp", &[0]),
    ("doubles.slp", &[0, 1]),
    ("duplicate_game_end.slp", &[0]),
    ("ffa_1p2p_winner_2p.slp", &[1]),
    ("game.slp", &[0]),
    ("ics2.slp", &[1]),
    ("items.slp", &[0]),
    ("nintendont.slp", &[3]),
    ("rollbackFrameTest.slp", &[0]),
    ("sheik_vs_ics_yoshis.slp", &[0]),
    ("streaming_game.slp", &[0]),
    ("techTester.slp", &[0]),
    ("test.slp", &[0]),
    ("unknown_event-2.slp", &[0]),
    ("unknown_event.slp", &[0]),
    ("v0.1.slp", &[1]),
    ("v2.0.slp", &[0]),
];

fn summary(replay: &Replay) -> Value {
    let Start {
        version: [major, minor, build, _],
        info,
        nametags,
        display_names,
        connect_codes,
        ..
    } = &replay.start;
    let players: Vec<Value> = replay
        .start
        .ports()
        .map(|(port, player)| {
            json!({
                "port": port + 1,
                "char": replay.starting_character(port),
                "color": player.costume,
                "type": player.player_type,
                "team": player.team,
                "stocks": player.stocks,
                "nametag": Start::name_in(nametags, port),
                "displayName": Start::name_in(display_names, port),
                "connectCode": Start::name_in(connect_codes, port),
            })
        })
        .collect();
    json!({
        "version": format!("{major}.{minor}.{build}"),
        "stage": info.stage,
        "isTeams": replay.start.is_teams(),
        "players": players,
    })
}

fn end(replay: &Replay) -> Value {
    let Some(end) = replay.end() else {
        return Value::Null;
    };
    let mut value = json!({ "gameEndMethod": end.method });
    if let Some(quitter) = end.quitter {
        value["lrasInitiatorIndex"] = quitter.into();
    }
    value["placements"] = (0..4)
        .map(|port| match end.placements {
            Some(placements) => json!({ "playerIndex": port, "position": placements[port] }),
            None => json!({ "playerIndex": port }),
        })
        .collect();
    value
}

#[test]
fn slippi_js_says_the_same() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let golden = std::fs::read_to_string(folder.join("golden/slippi-js-9.1.2.json")).unwrap();
    let golden: BTreeMap<String, Value> = serde_json::from_str(&golden).unwrap();
    let mut compared = 0;
    let (mut winners_differ, mut last_frame_differs) = (Vec::new(), Vec::new());
    for path in real() {
        let name = name(&path);
        let expected = &golden[name];
        if expected.get("error").is_some() {
            assert!(FAILS.contains(&name), "{name}");
            continue;
        }
        let (_, replay, _) = read(&path);
        for (key, value) in summary(&replay).as_object().unwrap() {
            assert_eq!(value, &expected[key], "{name}: {key}");
        }
        assert_eq!(end(&replay), expected["gameEnd"], "{name}");
        if json!(replay.last_frame()) != expected["lastFrame"] {
            last_frame_differs.push((
                name.to_owned(),
                replay.last_frame(),
                expected["lastFrame"].clone(),
            ));
        }
        let winners = expected["winners"].as_array().unwrap();
        let winners: Vec<u8> = winners
            .iter()
            .map(|one| one["playerIndex"].as_u64().unwrap() as u8)
            .collect();
        if replay.winners() != winners {
            winners_differ.push((name.to_owned(), replay.winners(), winners));
        }
        compared += 1;
    }
    assert_eq!(compared + FAILS.len(), real().len());
    let ours: Vec<_> = LAST_FRAMES
        .iter()
        .map(|&(name, ours, theirs)| (name.to_owned(), Some(ours), json!(theirs)))
        .collect();
    assert_eq!(last_frame_differs, ours);
    let ours: Vec<_> = WINNERS
        .iter()
        .map(|&(name, ours)| (name.to_owned(), ours.to_vec(), Vec::new()))
        .collect();
    assert_eq!(winners_differ, ours);
}
