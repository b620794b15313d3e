//! `postgame tail`: what happens in a game while it is being recorded.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use postgame::Recording;
use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame::slippi::model::messages::Message;
use postgame_files::follow::{Follower, GRACE, PAUSE};

use crate::output::{Failure, Outcome, complain, printable, stdout, write_json};

/// Follow a Slippi replay that is being recorded, and say what happens until the game ends
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame tail ~/Slippi/Game_20260102T030405.slp
  postgame tail --json game.slp | jq -c 'select(.event == \"finalised\")'

A file that is truncated or replaced by another begins anew; one that is renamed is followed to its end.

Exit status: 0 the game ended, 1 the file is broken or nothing more came (--timeout), 2 error.")]
pub struct Options {
    /// The replay
    path: PathBuf,
    /// Every event as a JSON object a line
    #[arg(long)]
    json: bool,
    /// Give up when nothing has come for so many seconds; by default never
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let mut output = stdout();
    let failed = |error| Failure::at(&options.path, error);
    if options.path.is_dir() {
        return Err(Failure::at(
            &options.path,
            "this is a folder, not a recording",
        ));
    }
    let mut follower = Follower::open(&options.path).map_err(failed)?;
    let mut game = Game::new(options.json);
    let mut buffer = vec![0; 1 << 16];
    let mut last_news = Instant::now();
    loop {
        let count = follower.read(&mut buffer).map_err(failed)?;
        if count > 0 {
            last_news = Instant::now();
            game.reader.push(buffer.get(..count).unwrap_or_default());
            game.tell(&mut output)?;
            output.flush()?;
            continue;
        }
        if game.reader.is_done() || game.is_over && last_news.elapsed() >= GRACE {
            game.finish(&mut output)?;
            output.flush()?;
            return Ok(Outcome::Fine);
        }
        if follower.has_begun_anew().map_err(failed)? {
            complain(format_args!("{}: begins anew", options.path.display()));
            game = Game::new(options.json);
            last_news = Instant::now();
            continue;
        }
        let is_late = options
            .timeout
            .is_some_and(|timeout| last_news.elapsed().as_secs_f64() >= timeout);
        if game.reader.is_broken() || is_late {
            let why = if is_late {
                "nothing more came"
            } else {
                "broken"
            };
            complain(format_args!("{}: {why}", options.path.display()));
            return Ok(Outcome::Findings);
        }
        std::thread::sleep(PAUSE);
    }
}

/// The game so far, and what was said of it.
struct Game {
    reader: LiveReader,
    is_json: bool,
    is_over: bool,
    /// The next frame to look at, once it is final.
    next_frame: i32,
    stocks: [Option<u8>; 8],
}

impl Game {
    fn new(is_json: bool) -> Self {
        Self {
            reader: LiveReader::new(),
            is_json,
            is_over: false,
            next_frame: i32::MIN,
            stocks: [None; 8],
        }
    }

    /// Says everything that has arrived.
    fn tell(&mut self, output: &mut impl Write) -> Result<(), Failure> {
        while let Some(event) = self.reader.next_event() {
            self.is_over |= matches!(
                event,
                LiveEvent::Message {
                    message: Message::End { .. }
                }
            );
            if self.is_json {
                write_json(output, &event)?;
                continue;
            }
            match event {
                LiveEvent::Start(start) => {
                    let [major, minor, build] = start.version();
                    let stage = postgame::slippi::names::stage(start.info.stage)
                        .unwrap_or("an unknown stage");
                    let players: Vec<String> =
                        start.ports().map(|(port, _)| self.name(port)).collect();
                    let players = players.join(", ");
                    writeln!(
                        output,
                        "{:>8}  {stage}: {players} (recorder {major}.{minor}.{build})",
                        "start"
                    )?;
                }
                LiveEvent::Finalised { frame } => self.tell_frames(frame, output)?,
                LiveEvent::Broken { offset, problem } => {
                    let problem = printable(&problem.to_string());
                    writeln!(output, "{:>8}  {problem} at {offset:#x}", "broken")?
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Says what happened up to a frame that is final now.
    fn tell_frames(&mut self, last: i32, output: &mut impl Write) -> Result<(), Failure> {
        let Some(frames) = self.reader.frames() else {
            return Ok(());
        };
        let first = self
            .next_frame
            .max(frames.ids.first().copied().unwrap_or(last));
        let mut lines = Vec::new();
        for frame in first..=last {
            let Some(row) = self.reader.row_of(frame) else {
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
                self.name(port)
            )?;
        }
        Ok(())
    }

    /// Says how it ended.
    fn finish(&mut self, output: &mut impl Write) -> Result<(), Failure> {
        if self.is_json {
            return Ok(());
        }
        let reader = std::mem::take(&mut self.reader);
        let Some(replay) = reader.finish() else {
            return Ok(());
        };
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
            "nobody won".to_owned()
        } else {
            format!("won by {}", names.join(", "))
        };
        writeln!(output, "{last:>8}  end: {}, {won}", printable(end))?;
        Ok(())
    }

    /// What to call a port, with its character.
    fn name(&self, port: u8) -> String {
        let Some(start) = self.reader.start() else {
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
        let character =
            postgame::slippi::names::character(number).map_or("unknown", |one| one.name);
        let name = [shown, tag]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_else(|| format!("P{}", port + 1));
        printable(&format!("{name} ({character})"))
    }
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
