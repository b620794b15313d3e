//! Games from the network, saved and passed on.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use postgame::{ReadOptions, Recording};
use postgame_files::live::relay::Relay;

use crate::console::Faults;
use crate::{check, console, open, sample};

#[test]
fn a_saved_game_is_a_replay() {
    let game = sample();
    let folder = tempfile::tempdir().unwrap();
    let raw = [&game.raw[..], &game.raw[..]].concat();
    let (address, serving) = console::serve(
        raw,
        "saved",
        Faults {
            breaks: 3,
            ..Faults::default()
        },
    );
    let mut session = open(&format!("console://{address}"));
    session.save_to(folder.path().join("new")).unwrap();
    let mut paths = Vec::new();
    for name in ["first", "second"] {
        let told = check(name, &game, &mut session);
        let path = told.saved.unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(&bytes[15..15 + game.raw.len()], &game.raw[..]);
        let (recording, report) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
        assert!(report.is_clean(), "{:?}", report.findings());
        let Recording::Slippi(replay) = &recording else {
            panic!("another format");
        };
        assert!(replay.is_closed && replay.stated_length.is_none());
        assert_eq!(told.replay.unwrap().frames, replay.frames);
        assert_eq!(recording.write().unwrap(), bytes);
        let elements = format!("{:?}", replay.elements);
        for part in [
            "startAt",
            "lastFrame",
            "consoleNick",
            "Station 3!",
            "network",
        ] {
            assert!(elements.contains(part), "{part} in {elements}");
        }
        paths.push(path);
    }
    drop(session);
    serving.join().unwrap();
    assert_ne!(paths[0], paths[1]);
    let names = std::fs::read_dir(folder.path().join("new")).unwrap();
    assert_eq!(names.count(), 2);
}

#[test]
fn a_relay_passes_on_the_game_from_its_start() {
    let game = sample();
    let relay = Relay::listen(0).unwrap();
    let to = relay.address();
    assert!(to.ip().is_loopback());
    let mut early = TcpStream::connect(to).unwrap();
    // Clients of consoles introduce themselves.
    early.write_all(b"\0\0\0\x04{i}}").unwrap();
    let (address, serving) = console::serve(
        game.raw.clone(),
        "relay",
        Faults {
            breaks: 2,
            ..Faults::default()
        },
    );
    let mut session = open(&format!("console://{address}"));
    session.relay_to(relay).unwrap();
    check("game", &game, &mut session);
    // This one comes when the game is over.
    let mut late = TcpStream::connect(to).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let ending = std::thread::spawn(move || drop(session));
    for (name, stream) in [("early", &mut early), ("late", &mut late)] {
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        assert!(bytes == game.raw, "{name}: {} bytes", bytes.len());
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    }
    ending.join().unwrap();
    serving.join().unwrap();
}

#[test]
fn files_are_neither_saved_nor_passed_on() {
    let path = postgame_testing::corpus::root().join("samples/duel.slp");
    let mut session = open(path.to_str().unwrap());
    assert!(session.save_to("somewhere".into()).is_err());
    assert!(session.relay_to(Relay::listen(0).unwrap()).is_err());
    let told = crate::follow(&mut session, 0);
    assert!(told.is_whole);
    assert_eq!(told.events, sample().told);
}
