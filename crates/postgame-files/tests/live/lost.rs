//! What is lost, what comes twice, and games one after the other.

use crate::console::Faults;
use crate::{check, console, dolphin, follow, open, sample};

#[test]
fn a_gap_ends_a_recording_and_the_next_game_is_read() {
    let game = sample();
    let raw = [&game.raw[..], &game.raw[..]].concat();
    // Somewhere before the middle of both is the first game's end.
    let faults = Faults::default();
    let (address, serving) = console::serve(raw.clone(), "two games", faults);
    let mut session = open(&format!("console://{address}"));
    for name in ["first", "second"] {
        check(name, &game, &mut session);
    }
    drop(session);
    serving.join().unwrap();

    // Three games, and a gap in the second.
    let raw = [&raw[..], &game.raw[..]].concat();
    let faults = Faults {
        lost: 1000,
        ..Faults::default()
    };
    let (address, serving) = console::serve(raw, "gap", faults);
    let mut session = open(&format!("console://{address}"));
    check("first", &game, &mut session);
    let told = follow(&mut session, 0);
    assert_eq!((told.gaps, told.is_whole), (1, false));
    let count = told.events.len();
    assert!((100..game.told.len()).contains(&count), "{count} events");
    assert_eq!(told.events, game.told[..count]);
    check("third", &game, &mut session);
    drop(session);
    serving.join().unwrap();
}

#[test]
fn messages_that_dolphin_leaves_out_are_a_gap() {
    let game = sample();
    let messages = dolphin::messages(&game, "gap");
    let (address, serving) = dolphin::serve(messages, "gap", 0, 3);
    let mut session = open(&format!("dolphin://{address}"));
    let told = follow(&mut session, 0);
    drop(session);
    serving.join().unwrap();
    assert!(told.gaps >= 1 && told.is_whole, "{} gaps", told.gaps);
    assert!(told.events.len() < game.told.len());
    assert_eq!(told.events.last(), game.told.last());
}

/// A client that comes in the middle of a game waits for the next one.
#[test]
fn the_rest_of_a_game_is_skipped() {
    let game = sample();
    let raw = [&game.raw[40_001..], &game.raw[..]].concat();
    let (address, serving) = console::serve(raw, "rest", Faults::default());
    let mut session = open(&format!("console://{address}"));
    check("whole", &game, &mut session);
    drop(session);
    serving.join().unwrap();
}

#[test]
fn what_is_not_a_game_is_not_told() {
    let nothing: Vec<u8> = (0..100_000_u32)
        .map(|number| (number * 7 % 251) as u8)
        .collect();
    let (address, serving) = console::serve(nothing, "nothing", Faults::default());
    let mut session = open(&format!("console://{address}"));
    for _ in 0..20 {
        let look = session.look(std::time::Duration::from_millis(10)).unwrap();
        assert!(
            !matches!(look, postgame_files::live::Look::Event(_)),
            "{look:?}"
        );
    }
    drop(session);
    serving.join().unwrap();
}

#[test]
fn a_host_that_is_not_there_is_an_error() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let address = postgame_files::live::Address::parse(&format!("console://{address}")).unwrap();
    assert!(postgame_files::live::Session::open(address, crate::options()).is_err());
}
