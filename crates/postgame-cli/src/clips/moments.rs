//! Goals and saves of Rocket League replays, with the times and frames of their clips.

use std::io::Write;

use postgame::{ReadOptions, Recording};
use postgame_files::Input;
use serde::Serialize;

use super::{Form, Options, PresetName};
use crate::input;
use crate::output::{Failure, Outcome, complain, stdout, write_json};
use crate::table::Table;

/// Seconds shown before and after.
const BEFORE_S: u32 = 5;
const AFTER_S: u32 = 2;

/// A moment worth watching again.
#[derive(Serialize)]
struct Moment {
    preset: &'static str,
    start_frame: usize,
    end_frame: usize,
    start_s: f64,
    end_s: f64,
    frame: usize,
    time_s: f64,
    who: Option<String>,
    tags: Vec<String>,
}

/// Runs the command for goals and saves.
pub(super) fn run(options: &Options) -> Result<Outcome, Failure> {
    let form = if options.json { Form::Json } else { options.to };
    if form == Form::Dolphin {
        return Err(Failure::new("Dolphin plays Slippi's replays only"));
    }
    let mut output = stdout();
    let mut outcome = Outcome::Fine;
    let mut table = Table::new(["FILE", "FROM", "TO", "FRAME", "TIME", "WHO", "TAGS"]);
    for input in input::files(&options.paths, form.prints()) {
        match input.and_then(|input| Ok((of_file(&input, options)?, input.name))) {
            Ok((moments, file)) => {
                for moment in moments {
                    if form == Form::Json {
                        let row = serde_json::json!({ "file": file, "clip": moment });
                        write_json(&mut output, &row)?;
                        continue;
                    }
                    table.add([
                        file.clone(),
                        moment.start_frame.to_string(),
                        moment.end_frame.to_string(),
                        moment.frame.to_string(),
                        format!("{:.2}", moment.time_s),
                        moment.who.unwrap_or_default(),
                        moment.tags.join(" "),
                    ]);
                }
            }
            Err(failure) => {
                output.flush()?;
                complain(&failure);
                outcome.and(Outcome::Failed);
            }
        }
    }
    match form {
        Form::Csv => table.csv(&mut output)?,
        _ => table.print(&mut output)?,
    }
    output.flush()?;
    Ok(outcome)
}

/// The moments of a file; none of other games.
fn of_file(input: &Input, options: &Options) -> Result<Vec<Moment>, Failure> {
    let preset = match options.preset {
        PresetName::Save => "save",
        _ => "goal",
    };
    let (recording, _) = input::read(input, &ReadOptions::default())?;
    let Recording::RocketLeague(replay) = &recording else {
        return Ok(Vec::new());
    };
    let frames = replay.body.iter().flat_map(|body| body.network.frames());
    let times_s: Vec<f64> = frames.map(|frame| frame.time_s.into()).collect();
    let before_s = f64::from(options.before.unwrap_or(BEFORE_S));
    let after_s = f64::from(options.after.unwrap_or(AFTER_S));
    let analysis = recording.analysis();
    let timeline = analysis.timeline();
    let mut moments = Vec::new();
    for event in timeline.events_of_kind(preset) {
        let tags = event.details.iter().find(|(name, _)| *name == "tags");
        let tags = tags.map_or("", |(_, tags)| tags.as_ref());
        let tags: Vec<String> = tags
            .split(' ')
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect();
        let who = event.who.and_then(|id| timeline.entity(id));
        let who = who.map(|entity| entity.name.clone());
        let is_wanted = options.tag.iter().all(|tag| tags.contains(tag))
            && (options.player.is_empty()
                || who.as_ref().is_some_and(|who| options.player.contains(who)));
        if !is_wanted || times_s.is_empty() {
            continue;
        }
        let last = times_s.len() - 1;
        let start_frame = times_s.partition_point(|&time_s| time_s < event.time_s - before_s);
        let end_frame = times_s.partition_point(|&time_s| time_s <= event.time_s + after_s);
        let (start_frame, end_frame) = (start_frame.min(last), end_frame.saturating_sub(1));
        let time_of = |frame: usize| times_s.get(frame).copied().unwrap_or(event.time_s);
        moments.push(Moment {
            preset,
            start_frame,
            end_frame,
            start_s: time_of(start_frame),
            end_s: time_of(end_frame),
            frame: event.frame,
            time_s: event.time_s,
            who,
            tags,
        });
    }
    Ok(moments)
}
