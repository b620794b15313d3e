//! `postgame tail`: what happens in a game while it is being played.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use postgame::slippi::Replay;
use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame::{Recording, slippi};
use postgame_files::live::overlay::Overlay;
use postgame_files::live::relay::Relay;
use postgame_files::live::{self, Address, Look, Session, discover};

use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};

/// How long to wait for data before looking at the time.
const PATIENCE: Duration = Duration::from_millis(100);

/// Follow a Slippi game while it is being played, and report what happens until it ends
#[derive(Args)]
#[command(after_help = "\
Sources:
  PATH                    a replay that is being recorded
  console://HOST[:PORT]   a Wii with Nintendont (port 51441) or a relay; the first bytes tell which
  relay://HOST[:PORT]     the same, with port 53741
  dolphin://HOST[:PORT]   Dolphin's spectator server (port 51441)

Examples:
  postgame tail ~/Slippi/Game_20260102T030405.slp
  postgame tail --json game.slp | jq -c 'select(.event == \"finalised\")'
  postgame tail dolphin://127.0.0.1 --ws 8080
  postgame tail console://192.168.1.20 --games 0 --save ~/Slippi
  postgame tail --find 10

A file that is truncated or replaced by another begins anew; one that is renamed is followed to its end. A connection that is lost is made again and goes on where it ended. --ws and --relay listen on this machine only.

Exit status: 0 the game ended, 1 it is broken or incomplete or nothing more came (--timeout), 2 error.")]
pub struct Options {
    /// The replay, or where on the network the game is
    #[arg(value_name = "SOURCE", required_unless_present = "find")]
    source: Option<PathBuf>,
    /// Every event as a JSON object a line
    #[arg(long)]
    json: bool,
    /// Give up when nothing has come for so many seconds; by default never
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Stop after this many games from the network; 0 goes on until interrupted
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    games: u64,
    /// Write each game from the network to a folder, as a .slp
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Send every event as JSON to WebSockets on this port of this machine, for overlays
    #[arg(long, value_name = "PORT")]
    ws: Option<u16>,
    /// Pass the game on to programs on this machine, as a relay on this port
    #[arg(long, value_name = "PORT")]
    relay: Option<u16>,
    /// List the consoles that announce themselves on the network within this time
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "6", conflicts_with = "source")]
    find: Option<f64>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    if let Some(seconds) = options.find {
        return find(seconds, options.json);
    }
    let Some(source) = options.source.as_deref() else {
        return Err(Failure::new("no source was given"));
    };
    if source.is_dir() {
        return Err(Failure::at(source, "this is a folder, not a recording"));
    }
    let address = match source.to_str() {
        Some(text) => Address::parse(text).map_err(Failure::new)?,
        None => Address::File(source.to_owned()),
    };
    let is_file = address.is_file();
    let failed = |error| Failure::at(source, error);
    let mut session = Session::open(address, live::Options::default()).map_err(failed)?;
    if let Some(folder) = &options.save {
        session.save_to(folder.clone()).map_err(failed)?;
    }
    let listening = |port: u16| move |error| Failure::new(format!("port {port}: {error}"));
    if let Some(port) = options.relay {
        let relay = Relay::listen(port).map_err(listening(port))?;
        complain(format_args!("relay on {}", relay.address()));
        session.relay_to(relay).map_err(failed)?;
    }
    let overlay = options
        .ws
        .map(|port| Overlay::listen(port).map_err(listening(port)));
    let overlay = overlay.transpose()?;
    if let Some(overlay) = &overlay {
        complain(format_args!("events on ws://{}", overlay.address()));
    }
    let mut tail = Tail {
        source,
        timeout: options.timeout,
        game: Game::new(options.json),
        overlay,
        outcome: Outcome::Fine,
    };
    let mut output = stdout();
    let mut games = 0;
    while tail.game_of(&mut session, &mut output)? {
        games += 1;
        if is_file || games == options.games {
            break;
        }
    }
    Ok(tail.outcome)
}

/// Lists consoles.
fn find(seconds: f64, is_json: bool) -> Result<Outcome, Failure> {
    let time =
        Duration::try_from_secs_f64(seconds).map_err(|error| Failure::new(error.to_string()))?;
    let consoles = discover::consoles(time)
        .map_err(|error| Failure::new(format!("port {}: {error}", discover::PORT)))?;
    let mut output = stdout();
    for console in consoles {
        let address = console.address.to_string();
        let mac: Vec<String> = console
            .mac
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let mac = mac.join(":");
        if is_json {
            let row = serde_json::json!({ "address": address, "mac": mac, "name": console.name });
            write_json(&mut output, &row)?;
        } else {
            writeln!(
                output,
                "console://{address}  {mac}  {}",
                printable(&console.name)
            )?;
        }
    }
    output.flush()?;
    Ok(Outcome::Fine)
}

/// A source that is followed, and where its events go.
struct Tail<'a> {
    source: &'a Path,
    timeout: Option<f64>,
    game: Game,
    overlay: Option<Overlay>,
    outcome: Outcome,
}

impl Tail<'_> {
    /// Follows a game to its end; false if nothing more came.
    fn game_of(&mut self, session: &mut Session, output: &mut impl Write) -> Result<bool, Failure> {
        let failed = |error| Failure::at(self.source, error);
        let say = |message: &str| complain(format_args!("{}: {message}", self.source.display()));
        self.game = Game::new(self.game.is_json);
        let mut has_begun = false;
        loop {
            match session.look(PATIENCE).map_err(failed)? {
                Look::Event(event) => {
                    if let Some(overlay) = &self.overlay {
                        pass_on(overlay, &event)?;
                    }
                    self.game.tell(&event, session.reader(), output)?;
                    continue;
                }
                Look::Begins => {
                    if let Some(overlay) = &self.overlay {
                        overlay.begin();
                    }
                    // Of the network's first game it goes without saying.
                    if has_begun || session.is_file() {
                        say("begins anew");
                    }
                    has_begun = true;
                    self.game = Game::new(self.game.is_json);
                }
                Look::Ended { is_whole, saved } => {
                    if let Some(path) = saved {
                        complain(format_args!("saved {}", path.display()));
                    }
                    if !is_whole {
                        say(if session.is_file() {
                            "broken"
                        } else {
                            "incomplete"
                        });
                        self.outcome.and(Outcome::Findings);
                    } else if let Some(replay) = session.take() {
                        self.game.finish(replay, output)?;
                    }
                    output.flush()?;
                    return Ok(true);
                }
                Look::Connected(name) if name.is_empty() => say("connected"),
                Look::Connected(name) => say(&format!("connected to {name}")),
                Look::Disconnected(why) => say(&format!("{why}; trying again")),
                Look::Gap => {
                    say("data was lost");
                    self.outcome.and(Outcome::Findings);
                }
                _ => {}
            }
            output.flush()?;
            let silence = session.silence().as_secs_f64();
            if self.timeout.is_some_and(|timeout| silence >= timeout) {
                say("nothing more came");
                self.outcome.and(Outcome::Findings);
                return Ok(false);
            }
        }
    }
}

/// Sends an event to overlays; those that connect later get the settings first.
fn pass_on(overlay: &Overlay, event: &LiveEvent) -> Result<(), Failure> {
    let text = serde_json::to_string(event).map_err(|error| Failure::new(error.to_string()))?;
    overlay.send(&text, matches!(event, LiveEvent::Start(_)));
    Ok(())
}

/// What was said of a game.
struct Game {
    is_json: bool,
    /// The next frame to look at, once it is final.
    next_frame: i32,
    stocks: [Option<u8>; 8],
}

impl Game {
    fn new(is_json: bool) -> Self {
        Self {
            is_json,
            next_frame: i32::MIN,
            stocks: [None; 8],
        }
    }

    /// Says an event.
    fn tell(
        &mut self,
        event: &LiveEvent,
        reader: &LiveReader,
        output: &mut impl Write,
    ) -> Result<(), Failure> {
        if self.is_json {
            return Ok(write_json(output, event)?);
        }
        match event {
            LiveEvent::Start(start) => {
                let [major, minor, build] = start.version();
                let stage = slippi::names::stage(start.info.stage).unwrap_or("an unknown stage");
                let players = start.ports().map(|(port, _)| name(reader, port));
                let players = players.collect::<Vec<String>>().join(", ");
                writeln!(
                    output,
                    "{:>8}  {stage}: {players} (recorder {major}.{minor}.{build})",
                    "start"
                )?;
            }
            LiveEvent::Finalised { frame } => self.tell_frames(*frame, reader, output)?,
            LiveEvent::Broken { offset, problem } => {
                let problem = printable(&problem.to_string());
                writeln!(output, "{:>8}  {problem} at {offset:#x}", "broken")?
            }
            _ => {}
        }
        Ok(())
    }

    /// Says what happened up to a frame that is final now.
    fn tell_frames(
        &mut self,
        last: i32,
        reader: &LiveReader,
        output: &mut impl Write,
    ) -> Result<(), Failure> {
        let Some(frames) = reader.frames() else {
            return Ok(());
        };
        let first = self
            .next_frame
            .max(frames.ids.first().copied().unwrap_or(last));
        let mut lines = Vec::new();
        for frame in first..=last {
            let Some(row) = reader.row_of(frame) else {
                continue;
            };
            for character in frames.characters.iter().filter(|one| one.follower == 0) {
                let now = character
                    .post
                    .at(row)
                    .and_then(|index| character.post.columns.stocks.get(index))
                    .copied();
                let Some(known) = self.stocks.get_mut(usize::from(character.port)) else {
                    continue;
                };
                if let (Some(now), Some(before)) = (now, *known)
                    && now < before
                {
                    lines.push((frame, character.port, now));
                }
                *known = now.or(*known);
            }
        }
        self.next_frame = last.saturating_add(1);
        for (frame, port, stocks) in lines {
            writeln!(
                output,
                "{:>8}  {} loses a stock, {stocks} left",
                clock(frame),
                name(reader, port)
            )?;
        }
        Ok(())
    }

    /// Says how it ended.
    fn finish(&self, replay: Replay, output: &mut impl Write) -> Result<(), Failure> {
        if self.is_json {
            return Ok(());
        }
        let last = replay.last_frame().map(clock).unwrap_or_default();
        let winners = replay.winners();
        let recording = Recording::Slippi(Box::new(replay));
        let summary = recording.summary();
        let end = summary
            .details
            .iter()
            .find(|(name, _)| *name == "end")
            .map_or("", |(_, end)| end.as_str());
        let names = summary.players.iter().filter(|player| {
            let port = player
                .details
                .iter()
                .find(|(name, _)| *name == "port")
                .and_then(|(_, port)| port.parse::<u8>().ok());
            port.is_some_and(|port| winners.contains(&port.wrapping_sub(1)))
        });
        let names: Vec<String> = names.map(|player| printable(&player.name)).collect();
        let won = if names.is_empty() {
            "no winner".to_owned()
        } else {
            format!("won by {}", names.join(", "))
        };
        writeln!(output, "{last:>8}  end: {}, {won}", printable(end))?;
        Ok(())
    }
}

/// What to call a port, with its character.
fn name(reader: &LiveReader, port: u8) -> String {
    let Some(start) = reader.start() else {
        return format!("P{}", port + 1);
    };
    let shown = postgame::slippi::model::start::Start::name_in(&start.display_names, port);
    let tag = postgame::slippi::model::start::Start::name_in(&start.nametags, port);
    let number = start
        .info
        .players
        .get(usize::from(port))
        .map(|player| player.character)
        .unwrap_or_default();
    let character = postgame::slippi::names::character(number).map_or("unknown", |one| one.name);
    let name = [shown, tag]
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| format!("P{}", port + 1));
    printable(&format!("{name} ({character})"))
}

/// A frame as minutes and seconds of the game's clock, which starts at frame 0.
fn clock(frame: i32) -> String {
    let sign = if frame < 0 { "-" } else { "" };
    let hundredths = u64::from(frame.unsigned_abs()) * 100 / 60;
    format!(
        "{sign}{}:{:02}.{:02}",
        hundredths / 6000,
        hundredths / 100 % 60,
        hundredths % 100
    )
}
