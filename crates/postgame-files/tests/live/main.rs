//! Live games from stand-ins on this machine: a console, a relay, Dolphin. Every test ends what it started.
//!
//! `POSTGAME_LIVE=all` sends the whole corpus. `POSTGAME_SLIPPI_JS` names a folder with `@slippi/slippi-js` installed, for the
//! tests against other implementations.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod console;
mod corpus;
mod dolphin;
mod lost;
mod overlay;
mod random;
mod relay;
mod saved;
mod slippi_js;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use postgame::slippi::Replay;
use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame_files::live::session::Waits;
use postgame_files::live::{Address, Look, Options, Session};

/// A test that takes longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits that suit tests.
fn options() -> Options {
    Options {
        grace: Duration::from_millis(300),
        silence: Duration::from_secs(20),
        waits: Waits {
            first: Duration::from_millis(1),
            longest: Duration::from_millis(5),
        },
    }
}

/// A game, as its source has it.
struct Game {
    /// Its events.
    raw: Vec<u8>,
    /// How the reader tells the file, without the metadata.
    told: Vec<String>,
    /// Where each event begins, and where the last one ends.
    borders: Vec<usize>,
    has_end: bool,
}

/// An event as text: what is not a number is not equal to itself, its text is.
fn text(event: &LiveEvent) -> String {
    serde_json::to_string(event).unwrap()
}

/// The game of a file; `None` if its events are damaged.
fn game(path: &PathBuf) -> Option<Game> {
    let bytes = std::fs::read(path).unwrap();
    let mut reader = LiveReader::new();
    let events: Vec<LiveEvent> = reader.feed(&bytes).collect();
    let is_broken = |event: &LiveEvent| matches!(event, LiveEvent::Broken { .. });
    if !bytes.starts_with(b"{U\x03raw[$U#l") || events.iter().any(is_broken) {
        return None;
    }
    let payloads = events.iter().find_map(|event| match event {
        LiveEvent::Payloads(payloads) => Some(payloads.clone()),
        _ => None,
    })?;
    let stated = u32::from_be_bytes(*bytes[11..].first_chunk().unwrap()) as usize;
    let raw = match stated {
        0 => &bytes[15..],
        _ => bytes.get(15..15 + stated)?,
    };
    let (mut at, mut borders) = (0, vec![0]);
    let mut has_end = false;
    while let Some(&code) = raw.get(at) {
        let size = match code {
            0x35 => Some(usize::from(raw[at + 1])),
            _ => payloads.size(code),
        };
        // What is not an event is the metadata of a file that states no length.
        let Some(size) = size.filter(|size| at + 1 + size <= raw.len()) else {
            break;
        };
        has_end |= code == 0x39;
        at += 1 + size;
        borders.push(at);
    }
    let is_told = |event: &&LiveEvent| !matches!(event, LiveEvent::Elements { .. });
    Some(Game {
        raw: raw[..at].to_vec(),
        told: events.iter().filter(is_told).map(text).collect(),
        borders,
        has_end,
    })
}

/// Whether the whole corpus is sent.
fn is_all() -> bool {
    std::env::var("POSTGAME_LIVE").is_ok_and(|value| value == "all")
}

/// The replays of the corpus and the samples: the smaller half, or all if that is wished.
fn games() -> Vec<(String, Game)> {
    let mut paths = postgame_testing::corpus::all_samples(&["slp"]);
    paths.extend(postgame_testing::corpus::files("slippi", &["slp"]));
    if !is_all() {
        paths.retain(|path| std::fs::metadata(path).unwrap().len() < MAX_FILE_BYTES);
    }
    let named = |path: PathBuf| Some((path.file_name()?.to_str()?.to_owned(), game(&path)?));
    paths.into_iter().filter_map(named).collect()
}

/// The size up to which files are sent in every run.
const MAX_FILE_BYTES: u64 = 400_000;

/// The sample.
fn sample() -> Game {
    game(&postgame_testing::corpus::root().join("samples/duel.slp")).unwrap()
}

/// What a session tells of a game.
#[derive(Default)]
struct Told {
    events: Vec<String>,
    replay: Option<Replay>,
    is_whole: bool,
    disconnections: usize,
    gaps: usize,
    saved: Option<PathBuf>,
}

/// Follows a game to its end, or until `count` events have come.
fn follow(session: &mut Session, count: usize) -> Told {
    let begin = Instant::now();
    let mut told = Told::default();
    while told.events.len() < count || count == 0 {
        assert!(begin.elapsed() < PATIENCE, "{} events", told.events.len());
        match session.look(Duration::from_millis(50)).unwrap() {
            Look::Event(event) if matches!(*event, LiveEvent::Elements { .. }) => {}
            Look::Event(event) => told.events.push(text(&event)),
            Look::Ended { is_whole, saved } => {
                told.is_whole = is_whole;
                told.saved = saved;
                told.replay = session.finish().unwrap();
                return told;
            }
            Look::Disconnected(_) => told.disconnections += 1,
            Look::Gap => told.gaps += 1,
            _ => {}
        }
    }
    told
}

fn open(address: &str) -> Session {
    Session::open(Address::parse(address).unwrap(), options()).unwrap()
}

/// Follows a game from its start to its end and compares it with the file.
fn check(name: &str, game: &Game, session: &mut Session) -> Told {
    let count = if game.has_end { 0 } else { game.told.len() };
    let told = follow(session, count);
    let first = told
        .events
        .iter()
        .zip(&game.told)
        .position(|(one, other)| one != other);
    assert_eq!(first, None, "{name}: another event");
    assert_eq!(told.events.len(), game.told.len(), "{name}");
    assert!(told.is_whole || !game.has_end, "{name}: not whole");
    told
}
