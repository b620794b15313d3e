//! Games grouped into sets, against what dates, players and sessions of the files say when read by hand. Winners are those that
//! other people wrote down.

use std::collections::BTreeMap;

use postgame::slippi::sets::{Game, sets};

use super::{name, read, real};

/// Files that are a set, and its score if it is known.
const SETS: &[(&[&str], Option<&[u32]>)] = &[
    // Copies of one game, with the same date and no names.
    (
        &[
            "game.slp",
            "streaming_game.slp",
            "unknown_event-2.slp",
            "unknown_event.slp",
        ],
        Some(&[1, 0]),
    ),
    // Four minutes apart; the games before and after are more than a quarter of an hour away.
    (&["dash_back.slp", "shield_drop.slp"], None),
    (&["cstick_udlr.slp"], None),
    (&["buttons_abxy.slp"], None),
    // Two recordings of one game.
    (&["netplay-2.slp", "netplay.slp"], Some(&[0, 1])),
    // Four minutes apart, but without names another character is another player.
    (&["BowsVDK-SB-63.slp"], None),
    (&["KirbyVDK-Neutral-17.slp"], None),
    // The same players in two sessions.
    (&["ranked_game1_tiebreak.slp"], None),
    (&["unranked_game1.slp"], Some(&[0, 1])),
    // The same codes, ten weeks apart.
    (&["v3.12.slp"], None),
    (&["ics2.slp"], None),
    // Minutes apart, but every time with others.
    (&["ffa_1p2p_winner_2p-2.slp"], None),
    (&["ffa_1p2p3p_winner_3p.slp"], Some(&[0, 0, 1])),
    (
        &["teams_p1p2_blueVSp4_green_winner_green.slp"],
        Some(&[0, 0, 1]),
    ),
    (
        &["teams_time_p3_redVSp1p2_blueVSp4_green_winner_blue.slp"],
        Some(&[1, 1, 0, 0]),
    ),
    // Only the sixth game of a session is there.
    (&["FodPlatforms.slp"], None),
    (&["v3.13.slp"], Some(&[0, 1])),
];

#[test]
fn sets_are_those_found_by_hand() {
    let files = real();
    if files.is_empty() {
        return;
    }
    let games: Vec<Game> = files.iter().map(|path| Game::new(&read(path).1)).collect();
    let mut found = BTreeMap::new();
    for set in sets(&games) {
        let mut names: Vec<&str> = set.games.iter().map(|&at| name(&files[at])).collect();
        names.sort_unstable();
        found.insert(names, set.score);
    }
    for (names, score) in SETS {
        let names = names.to_vec();
        // A corpus of other files has none of them.
        if !names
            .iter()
            .all(|one| files.iter().any(|path| name(path) == *one))
        {
            continue;
        }
        let of_set = found.get(&names);
        assert!(of_set.is_some(), "{names:?} are not a set: {found:#?}");
        if let Some(score) = score {
            assert_eq!(of_set.unwrap(), score, "{names:?}");
        }
    }
}
