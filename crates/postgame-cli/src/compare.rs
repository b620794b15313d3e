//! `postgame compare`: what changed between two saves.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use postgame::satisfactory::compare::{Change, Changes};
use postgame::satisfactory::{Comparison, Figures, Save, compare, figures};
use postgame::{ReadOptions, Recording};
use postgame_files::{Input, the_only};

use crate::game_data::GameDataOptions;
use crate::input;
use crate::output::{Failure, Outcome, printable, stdout, write_json};
use crate::table::Table;

/// Show what changed between two Satisfactory saves, or how the figures of several went: rates, power, progress, finds
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame compare monday.sav tuesday.sav
  postgame compare monday.sav tuesday.sav --json | jq .built
  postgame compare ~/Saves/*.sav           figures of all saves, in order of play time

Exit status: 0 fine, 2 a file could not be read or is no save.")]
pub struct Options {
    /// The earlier save; `-` for standard input
    before: PathBuf,
    /// The later save
    after: PathBuf,
    /// More saves: then the figures of all of them, side by side in order of play time
    more: Vec<PathBuf>,
    /// JSON instead of tables: one object, or with more than two saves one object a line for each
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game_data: GameDataOptions,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    if !options.more.is_empty() {
        return over_time(options);
    }
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

/// Shows the figures of several saves, in order of play time.
fn over_time(options: &Options) -> Result<Outcome, Failure> {
    let paths = [&options.before, &options.after]
        .into_iter()
        .chain(&options.more);
    let mut all = Vec::new();
    for path in paths {
        all.push((path.display().to_string(), figures(&save(path)?)));
    }
    all.sort_by(|one, other| {
        let times = [one, other].map(|(_, figures)| figures.moment.play_time_s);
        times[0].total_cmp(&times[1])
    });
    let mut output = stdout();
    if options.json {
        for (file, figures) in &all {
            let row = serde_json::json!({ "file": file, "figures": figures });
            write_json(&mut output, &row)?;
        }
    } else {
        print_figures(&mut output, &all)?;
    }
    output.flush()?;
    Ok(Outcome::Fine)
}

/// Numbers by name.
type Numbers = BTreeMap<String, f64>;

fn print_figures(output: &mut impl Write, all: &[(String, Figures)]) -> Result<(), Failure> {
    let mut table = Table::new([
        "save",
        "session",
        "saved at",
        "played, s",
        "version",
        "phase",
    ]);
    for (file, figures) in all {
        table.add([
            printable(file),
            printable(figures.session.as_deref().unwrap_or_default()),
            figures.moment.saved_at.clone().unwrap_or_default(),
            format!("{:.0}", figures.moment.play_time_s),
            printable(&figures.moment.version),
            printable(figures.phase.as_deref().unwrap_or_default()),
        ]);
    }
    table.print(output)?;
    /// Takes one kind of figures out of a save's.
    type Take = fn(&Figures) -> Numbers;
    let groups: [(&str, Take); 6] = [
        ("power, MW", |figures| figures.power_mw.clone()),
        ("made a minute", |figures| figures.made_per_min.clone()),
        ("used a minute", |figures| figures.used_per_min.clone()),
        ("machines", |figures| counts(&figures.machine_states)),
        ("progress", |figures| counts(&figures.progress)),
        ("found", |figures| counts(&figures.collectibles_found)),
    ];
    for (title, numbers) in groups {
        let columns: Vec<Numbers> = all.iter().map(|(_, figures)| numbers(figures)).collect();
        print_columns(output, title, &columns)?;
    }
    Ok(())
}

fn counts(counts: &BTreeMap<String, usize>) -> Numbers {
    let counts = counts.iter();
    counts
        .map(|(name, count)| (name.clone(), *count as f64))
        .collect()
}

/// A row for every name that a save has, a column for every save; a dash where a save has none of it.
fn print_columns(output: &mut impl Write, title: &str, columns: &[Numbers]) -> Result<(), Failure> {
    let names: BTreeSet<&String> = columns.iter().flat_map(BTreeMap::keys).collect();
    if names.is_empty() {
        return Ok(());
    }
    writeln!(output)?;
    let numbers = (1..=columns.len()).map(|number| format!("save {number}"));
    let headings: Vec<String> = std::iter::once(title.to_owned()).chain(numbers).collect();
    let mut table = Table::new(headings.iter().map(String::as_str));
    for name in names {
        let cells = columns.iter().map(|column| match column.get(name) {
            Some(number) if number.fract() == 0.0 => format!("{number:.0}"),
            Some(number) => number.shown(),
            None => "-".to_owned(),
        });
        table.add(std::iter::once(format!("  {}", printable(name))).chain(cells));
    }
    Ok(table.print(output)?)
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
