//! `postgame compare`: what changed between two saves.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use postgame::satisfactory::compare::{Change, Changes};
use postgame::satisfactory::{Comparison, Save, compare};
use postgame::{ReadOptions, Recording};
use postgame_files::{Input, the_only};

use crate::input;
use crate::output::{Failure, Outcome, printable, stdout, write_json};
use crate::table::Table;

/// Show what changed between two Satisfactory saves: built, removed, moved, items, unlocks
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame compare monday.sav tuesday.sav
  postgame compare monday.sav tuesday.sav --json | jq .built

Exit status: 0 fine, 2 a file could not be read or is no save.")]
pub struct Options {
    /// The earlier save; `-` for standard input
    before: PathBuf,
    /// The later save
    after: PathBuf,
    /// One JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    let comparison = compare(&save(&options.before)?, &save(&options.after)?);
    let mut output = stdout();
    if options.json {
        write_json(&mut output, &comparison)?;
    } else {
        print(&mut output, &comparison)?;
    }
    output.flush()?;
    Ok(Outcome::Fine)
}

/// Reads a save.
pub fn save(path: &Path) -> Result<Save, Failure> {
    save_of(&the_only(path, &input::limits())?)
}

fn print(output: &mut impl Write, comparison: &Comparison) -> Result<(), Failure> {
    let Comparison {
        session,
        is_same_session,
        before,
        after,
        play_time_between_s,
        time_between_s,
        built,
        removed,
        moved,
        appeared,
        vanished,
        buildings,
        lengths_m,
        items,
        items_by_place,
        inventories_changed,
        schematics,
        recipes,
        phase,
        collectibles_found,
        machine_states,
        power_mw,
        made_per_min,
        used_per_min,
        progress,
    } = comparison;
    let mut table = Table::new(["session", &printable(session.as_deref().unwrap_or("-"))]);
    if !is_same_session {
        table.add([
            "  note".to_owned(),
            "the saves are of two sessions".to_owned(),
        ]);
    }
    for (name, moment) in [("before", before), ("after", after)] {
        let at = moment.saved_at.as_deref().unwrap_or("-");
        let text = format!(
            "{at}, {:.0} s played, {}",
            moment.play_time_s, moment.version
        );
        table.add([format!("  {name}"), printable(&text)]);
    }
    table.add([
        "  played between, s".to_owned(),
        format!("{play_time_between_s:.0}"),
    ]);
    if let Some(seconds) = time_between_s {
        table.add(["  time between, s".to_owned(), format!("{seconds:.0}")]);
    }
    if let Some(Change { before, after }) = phase {
        let name = |phase: &Option<String>| printable(phase.as_deref().unwrap_or("-"));
        let text = format!("{} -> {}", name(before), name(after));
        table.add(["  phase".to_owned(), text]);
    }
    table.add([
        "  inventories changed".to_owned(),
        inventories_changed.to_string(),
    ]);
    table.print(output)?;
    for (title, counts) in [
        ("built", built),
        ("removed", removed),
        ("moved", moved),
        ("appeared", appeared),
        ("vanished", vanished),
    ] {
        print_counts(output, title, counts)?;
    }
    print_changes(output, "buildings", buildings)?;
    print_changes(output, "lengths, m", lengths_m)?;
    print_changes(output, "items", items)?;
    for (place, changes) in items_by_place {
        print_changes(output, &format!("items, {place}"), changes)?;
    }
    print_changes(output, "found", collectibles_found)?;
    print_changes(output, "machines", machine_states)?;
    print_changes(output, "power, MW", power_mw)?;
    print_changes(output, "made a minute", made_per_min)?;
    print_changes(output, "used a minute", used_per_min)?;
    print_changes(output, "progress", progress)?;
    if !schematics.is_empty() {
        writeln!(output)?;
        let mut table = Table::new(["new schematics", "kind"]);
        for (name, kind) in schematics {
            table.add([format!("  {}", printable(name)), (*kind).to_owned()]);
        }
        table.print(output)?;
    }
    if !recipes.is_empty() {
        writeln!(output)?;
        let mut table = Table::new(["new recipes"]);
        for name in recipes {
            table.add([format!("  {}", printable(name))]);
        }
        table.print(output)?;
    }
    Ok(())
}

fn print_counts(
    output: &mut impl Write,
    title: &str,
    counts: &BTreeMap<String, usize>,
) -> Result<(), Failure> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(output)?;
    let sum: usize = counts.values().sum();
    let mut table = Table::new([title, &sum.to_string()]);
    for (name, count) in counts {
        table.add([format!("  {}", printable(name)), count.to_string()]);
    }
    Ok(table.print(output)?)
}

/// A number as tables show it: whole ones whole.
trait Shown: Copy {
    fn shown(self) -> String;
}

impl Shown for usize {
    fn shown(self) -> String {
        self.to_string()
    }
}

impl Shown for i64 {
    fn shown(self) -> String {
        self.to_string()
    }
}

impl Shown for f64 {
    fn shown(self) -> String {
        format!("{self:.2}")
    }
}

fn print_changes<T: Shown>(
    output: &mut impl Write,
    title: &str,
    changes: &Changes<T>,
) -> Result<(), Failure> {
    if changes.is_empty() {
        return Ok(());
    }
    writeln!(output)?;
    let mut table = Table::new([title, "before", "after"]);
    for (name, change) in changes {
        table.add([
            format!("  {}", printable(name)),
            change.before.shown(),
            change.after.shown(),
        ]);
    }
    Ok(table.print(output)?)
}

/// Reads a save from anywhere.
pub fn save_of(input: &Input) -> Result<Save, Failure> {
    match input::read(input, &ReadOptions::default())?.0 {
        Recording::Satisfactory(save) => Ok(*save),
        other => Err(not_a_save(input, &other)),
    }
}

/// The failure of a recording of another game.
pub fn not_a_save(input: &Input, other: &Recording) -> Failure {
    let game = other.format().game();
    let message = format!("{game}: this is for Satisfactory saves");
    Failure::at(Path::new(&input.name), message)
}
