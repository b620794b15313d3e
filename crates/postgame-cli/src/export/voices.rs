//! The recorded speech of a RUMBLE replay as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use postgame::limits::Limits;
use postgame::rumble::model::voices::{Voice, safe_file_name};
use postgame::rumble::model::{Replay, SecondReplay};
use postgame::{ReadOptions, Recording};

use super::Options;
use crate::input;
use crate::output::{Failure, Outcome, complain, printable, stdout};

/// Maximum number of reported files that the list names and the archive does not have.
const MAX_COMPLAINTS: usize = 20;

/// Writes each voice of one recording into the folder, and lists the files with their speakers.
pub(super) fn run(options: &Options) -> Result<Outcome, Failure> {
    let [path] = options.paths.as_slice() else {
        return Err(Failure::new(
            "voices come from one recording: name only one",
        ));
    };
    let folder = options.output.as_deref();
    let Some(folder) = folder.filter(|folder| folder.as_os_str() != "-") else {
        return Err(Failure::new("name a folder for the voices with -o"));
    };
    let (recording, report) = input::recording(path, &ReadOptions::header())?;
    let Recording::Rumble(Replay::Second(replay)) = recording else {
        let message = "only RUMBLE replays of the second generation have voices";
        return Err(Failure::at(path, message));
    };
    let mut outcome = Outcome::of(&report);
    let mut listed: BTreeMap<String, Voice> = BTreeMap::new();
    for voice in replay.voices() {
        listed.entry(entry_name(&voice)).or_insert(voice);
    }
    // A file that the list does not mention is a voice, too.
    let entries: BTreeSet<String> = replay.voice_entries().into_iter().collect();
    if entries.is_empty() && listed.is_empty() {
        return Err(Failure::at(path, "there are no voices in this recording"));
    }
    let is_missing = |name: &&String| !entries.contains(*name);
    for name in listed.keys().filter(is_missing).take(MAX_COMPLAINTS) {
        let message = format!("{name} is listed, but not in the archive");
        complain(Failure::at(path, message));
        outcome.and(Outcome::Findings);
    }
    fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
    let mut output = stdout();
    let mut taken = BTreeMap::new();
    for name in &entries {
        let voice = listed.get(name).cloned().unwrap_or_else(|| Voice {
            file_name: name.clone(),
            ..Voice::default()
        });
        let contents = match replay.voice_file(&voice, &Limits::default()) {
            Ok(contents) => contents.unwrap_or_default(),
            Err(error) => {
                complain(Failure::at(path, error));
                outcome.and(Outcome::Failed);
                continue;
            }
        };
        let target = folder.join(free_name(&safe_file_name(name), &mut taken));
        create(&target, &contents).map_err(|error| Failure::at(&target, error))?;
        say(&mut output, &replay, &voice, &target)?;
    }
    output.flush()?;
    Ok(outcome)
}

/// The archive's name for a file, which the list may leave the folder out of.
fn entry_name(voice: &Voice) -> String {
    match voice.file_name.strip_prefix("voices/") {
        Some(_) => voice.file_name.clone(),
        None => format!("voices/{}", voice.file_name),
    }
}

/// Prints the start, the speaker and the file.
fn say(
    output: &mut impl Write,
    replay: &SecondReplay,
    voice: &Voice,
    target: &Path,
) -> io::Result<()> {
    let is_speaker = |master_id: &str| !master_id.is_empty() && master_id == voice.master_id;
    let speaker = replay
        .manifest
        .players()
        .into_iter()
        .find(|player| is_speaker(&player.master_id))
        .map_or("-".to_owned(), |player| printable(&player.name));
    let start = voice.start_s;
    let start = start.map_or("-".to_owned(), |start_s| format!("{start_s:.2}"));
    let target = printable(&target.display().to_string());
    writeln!(output, "{start}\t{speaker}\t{target}")
}

/// Creates a file; an existing one is an error, and stays unchanged.
fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(contents)
}

/// The name, with a number before it if it is taken. File systems may ignore the case of letters.
fn free_name(name: &str, taken: &mut BTreeMap<String, usize>) -> String {
    let mut free = name.to_owned();
    loop {
        let key = free.to_ascii_lowercase();
        match taken.get_mut(&key) {
            None => {
                taken.insert(key, 1);
                return free;
            }
            Some(count) => {
                *count += 1;
                free = format!("{count}_{name}");
            }
        }
    }
}
