//! Recorded games through the stand-ins, in random pieces and with broken connections: the same events as in the file.

use crate::console::Faults;
use crate::{check, console, dolphin, games, is_all, open, relay};

/// How often each connection breaks.
const BREAKS: usize = 4;

/// Games through Dolphin in every run: on a busy machine datagrams are lost, and ENet waits before it sends them again.
const DOLPHIN_GAMES: usize = 8;

#[test]
fn consoles_tell_what_files_tell() {
    let games = games();
    for (name, game) in &games {
        let faults = Faults {
            breaks: BREAKS,
            ..Faults::default()
        };
        let (address, serving) = console::serve(game.raw.clone(), name, faults);
        let mut session = open(&format!("console://{address}"));
        let told = check(name, game, &mut session);
        drop(session);
        assert_eq!(serving.join().unwrap(), BREAKS + 1);
        assert_eq!((told.disconnections, told.gaps), (BREAKS, 0), "{name}");
    }
    println!("{} games", games.len());
}

#[test]
fn relays_tell_what_files_tell() {
    for (name, game) in games() {
        let (address, serving) = relay::serve(&game, &name, BREAKS);
        let mut session = open(&format!("relay://{address}"));
        let told = check(&name, &game, &mut session);
        drop(session);
        serving.join().unwrap();
        assert_eq!((told.disconnections, told.gaps), (BREAKS, 0), "{name}");
    }
}

#[test]
fn dolphin_tells_what_files_tell() {
    let count = if is_all() { usize::MAX } else { DOLPHIN_GAMES };
    for (name, game) in games().into_iter().take(count) {
        let messages = dolphin::messages(&game, &name);
        let (address, serving) = dolphin::serve(messages, &name, BREAKS, 0);
        let mut session = open(&format!("dolphin://{address}"));
        let told = check(&name, &game, &mut session);
        drop(session);
        serving.join().unwrap();
        assert_eq!((told.disconnections, told.gaps), (BREAKS, 0), "{name}");
    }
}
