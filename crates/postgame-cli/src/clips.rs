//! `postgame clips`: moments of Slippi and Rocket League replays worth watching again.
//!
//! - `moments`: Rocket League's goals and saves

mod moments;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use postgame::slippi::clips::queue::{Item, Queue};
use postgame::slippi::clips::{Clip, Filter, Preset, Query, clips};
use postgame::slippi::names;
use postgame::{ReadOptions, Recording};
use postgame_files::Input;

use crate::input;
use crate::output::{Failure, Outcome, complain, stdout, write_json};
use crate::table::Table;

/// Find combos, kills, edgeguards and button marks in Slippi replays, goals and saves in Rocket League's, as a list, a table or a
/// playback queue for Dolphin
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame clips ~/Slippi --preset kill
  postgame clips ~/Slippi --min-percent 40 --to dolphin > queue.json
  postgame clips ~/Slippi --preset mark --json
  postgame clips ~/Slippi --preset edgeguard --to csv > edgeguards.csv
  postgame clips ~/Replays --preset goal --tag flip-reset

Combos and conversions pass the filter of slp-realtime, with its defaults. Dolphin plays a queue with `dolphin -i queue.json`.

Exit status: 0 fine, 2 a file could not be read (the others are unaffected).")]
pub struct Options {
    /// Replays: files, folders, patterns, archives, `s3://` addresses; `-` for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What clips show
    #[arg(long, value_enum, default_value_t = PresetName::Combo)]
    preset: PresetName,
    /// How to print them
    #[arg(long, value_enum, default_value_t = Form::List)]
    to: Form,
    /// One JSON object a line; the same as `--to json`
    #[arg(long)]
    json: bool,
    /// A combo filter in JSON, as Project Clippi writes it
    #[arg(long, value_name = "FILE")]
    filter: Option<PathBuf>,
    /// More than this many percent
    #[arg(long, value_name = "PERCENT")]
    min_percent: Option<f64>,
    /// At least this many attacks
    #[arg(long, value_name = "COUNT")]
    min_moves: Option<usize>,
    /// Also combos that do not take a stock
    #[arg(long)]
    any_end: bool,
    /// Only players with this name, connect code or tag (repeatable)
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Only this character (repeatable)
    #[arg(long, value_name = "NAME")]
    character: Vec<String>,
    /// Only goals with this tag (repeatable)
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Frames shown before [default: 75, marks 1500]; of goals and saves seconds [default: 5]
    #[arg(long, value_name = "FRAMES")]
    before: Option<u32>,
    /// Frames shown after [default: 120, marks 0]; of goals and saves seconds [default: 2]
    #[arg(long, value_name = "FRAMES")]
    after: Option<u32>,
}

#[derive(Clone, Copy, ValueEnum)]
enum PresetName {
    Combo,
    Conversion,
    Kill,
    Edgeguard,
    Mark,
    Goal,
    Save,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    List,
    Csv,
    Json,
    Dolphin,
}

impl Form {
    /// Whether something is printed while recordings are read.
    fn prints(self) -> input::Prints {
        match self {
            Self::Json => input::Prints::Meanwhile,
            Self::List | Self::Csv | Self::Dolphin => input::Prints::AtTheEnd,
        }
    }
}

impl PresetName {
    /// Slippi's preset of this name.
    fn slippi(self) -> Option<Preset> {
        Some(match self {
            Self::Combo => Preset::Combo,
            Self::Conversion => Preset::Conversion,
            Self::Kill => Preset::Kill,
            Self::Edgeguard => Preset::Edgeguard,
            Self::Mark => Preset::Mark,
            Self::Goal | Self::Save => return None,
        })
    }
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let Some(preset) = options.preset.slippi() else {
        return moments::run(options);
    };
    let query = query(options, preset)?;
    let form = if options.json { Form::Json } else { options.to };
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let mut queue = Vec::new();
    let headings = [
        "FILE", "FROM", "TO", "PORT", "VICTIM", "MOVES", "DAMAGE", "KILL",
    ];
    let mut table = Table::new(headings);
    for input in input::files(&options.paths, form.prints()) {
        match input.and_then(|input| Ok((of_file(&input, &query)?, input.name))) {
            Ok((clips, file)) => {
                for clip in &clips {
                    match form {
                        Form::List | Form::Csv => table.add(row(&file, clip)),
                        Form::Json => {
                            let row = serde_json::json!({ "file": file, "clip": clip });
                            write_json(&mut output, &row)?;
                        }
                        Form::Dolphin => queue.push(Item::new(file.clone(), clip)),
                    }
                }
            }
            Err(failure) => {
                output.flush()?;
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    if form == Form::Dolphin {
        write_json(&mut output, &Queue::new(queue))?;
    }
    match form {
        Form::Csv => table.csv(&mut output)?,
        _ => table.print(&mut output)?,
    }
    output.flush()?;
    Ok(outcome)
}

fn query(options: &Options, preset: Preset) -> Result<Query, Failure> {
    let mut query = Query::new(preset);
    if let Some(path) = &options.filter {
        let bytes = input::bytes(path)?;
        query.filter = serde_json::from_slice(&bytes).map_err(|error| Failure::at(path, error))?;
    }
    let filter: &mut Filter = &mut query.filter;
    filter.name_tags.extend(options.player.iter().cloned());
    if let Some(percent) = options.min_percent {
        filter.min_combo_percent = percent;
        filter.per_character_min_combo_percent.clear();
    }
    if let Some(moves) = options.min_moves {
        filter.min_combo_length = moves;
    }
    if options.any_end {
        filter.combo_must_kill = false;
    }
    for wanted in &options.character {
        let mut all = (0..=u8::MAX).filter_map(|number| Some((number, names::character(number)?)));
        let is_it = |name: &str| name.eq_ignore_ascii_case(wanted);
        let found = all.find(|(_, one)| is_it(one.name) || is_it(one.short));
        let Some((number, _)) = found else {
            return Err(Failure::new(format!("there is no character {wanted}")));
        };
        filter.character_filter.push(number);
    }
    query.lead_in_frames = options.before.unwrap_or(query.lead_in_frames);
    query.lead_out_frames = options.after.unwrap_or(query.lead_out_frames);
    Ok(query)
}

/// The clips of a file; none of other games.
fn of_file(input: &Input, query: &Query) -> Result<Vec<Clip>, Failure> {
    let (recording, _) = input::read(input, &ReadOptions::default())?;
    Ok(match &recording {
        Recording::Slippi(replay) => clips(replay, query),
        _ => Vec::new(),
    })
}

fn row(file: &str, clip: &Clip) -> [String; 8] {
    let port = |port: Option<u8>| port.map(|port| format!("P{}", u16::from(port) + 1));
    [
        file.to_owned(),
        clip.start_frame.to_string(),
        clip.end_frame.to_string(),
        port(clip.port).unwrap_or_default(),
        port(clip.victim_port).unwrap_or_default(),
        clip.moves
            .map(|moves| moves.to_string())
            .unwrap_or_default(),
        clip.damage_percent
            .map(|damage| format!("{damage:.1}"))
            .unwrap_or_default(),
        match clip.did_kill {
            Some(true) => "yes".to_owned(),
            _ => String::new(),
        },
    ]
}
