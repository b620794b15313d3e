//! `postgame edit`: change a Satisfactory save.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use postgame::satisfactory::classes::full_name;
use postgame::satisfactory::edit::Target;
use postgame::satisfactory::edit::invariants::breaches;
use postgame::satisfactory::select::{Building, Query, select, targets};
use postgame::satisfactory::{self, Save, compare};
use postgame::{ReadOptions, Report, Severity};

use crate::compare::{print as print_comparison, save};
use crate::game_data::GameDataOptions;
use crate::output::{Failure, Outcome, complain, stdout, write_file, write_json};
use crate::table::Table;

/// Select buildings of a Satisfactory save, and list or delete them
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame edit factory.sav --select 'category:production state:starved' --list
  postgame edit factory.sav --select 'name:foundation near:120,-340,50' --delete --dry-run
  postgame edit factory.sav --select 'box:0,0,100,100 not class:Storage' --delete -o smaller.sav
  postgame edit factory.sav --select 'mod:SomeMod' --delete --in-place

A selection is made of key:value, joined by `and` (or a space), `or`, `not` and parentheses. Keys: class, name,
recipe, mod (texts, whatever their case), category, state (running, starved, blocked, unpowered, ...), circuit, area
(numbers), box:x1,y1,x2,y2 and near:x,y,radius (metres, as on the game's map), layer (actors or lightweight).

What depends on a deleted building is made consistent: wires, connections, chains of belts, circuits, pipe networks.
What cannot be deleted safely stays, and the reason is given. The result is read back and checked before it is written.

Exit status: 0 fine, 1 something was refused, 2 the file could not be read, changed or written.")]
pub struct Options {
    /// A save; `-` for standard input
    save: PathBuf,
    /// Which buildings
    #[arg(long, value_name = "SELECTION")]
    select: String,
    /// List the selected buildings
    #[arg(long, conflicts_with = "delete")]
    list: bool,
    /// Delete the selected buildings
    #[arg(long)]
    delete: bool,
    /// Only show what would change
    #[arg(long, requires = "delete")]
    dry_run: bool,
    /// Where to write the changed save
    #[arg(long, short, conflicts_with_all = ["in_place", "dry_run", "list"])]
    output: Option<PathBuf>,
    /// Replace the save; the original is kept beside it with `.bak` at the end of its name
    #[arg(long, conflicts_with_all = ["dry_run", "list"])]
    in_place: bool,
    /// Keep no original beside the changed save
    #[arg(long, requires = "in_place")]
    no_backup: bool,
    /// JSON instead of tables: the list as one object a line, a preview as one object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game_data: GameDataOptions,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    let query = Query::read(&options.select).map_err(Failure::new)?;
    if !options.delete {
        return list(options, &select(&save(&options.save)?, &query));
    }
    if !(options.dry_run || options.in_place || options.output.is_some()) {
        return Err(Failure::new(
            "nothing says where to write: use --output, --in-place or --dry-run",
        ));
    }
    let failed = |error| Failure::at(&options.save, error);
    let before = save(&options.save)?;
    let selected = select(&before, &query);
    let mut after = before.clone();
    let body = after
        .body
        .as_mut()
        .ok_or_else(|| Failure::at(&options.save, "the save has no body"))?;
    let deleted = body.delete(&targets(&selected)).map_err(failed)?;
    let bytes = satisfactory::write(&after).map_err(failed)?;
    let read_back = checked(&options.save, &before, &bytes)?;
    for refused in &deleted.refused {
        complain(format_args!("{}: {}", refused.object, refused.reason));
    }
    let mut output = stdout();
    if options.dry_run {
        let comparison = compare(&before, &read_back);
        if options.json {
            write_json(&mut output, &comparison)?;
        } else {
            print_comparison(&mut output, &comparison)?;
        }
        output.flush()?;
    } else {
        write(options, &bytes)?;
        complain(format_args!(
            "deleted {} buildings and {} lightweight ones; with them {} wires, {} chains of belts, {} circuits and pipe networks",
            deleted.buildings, deleted.lightweight, deleted.wires, deleted.chains, deleted.networks
        ));
    }
    Ok(match deleted.refused.is_empty() {
        true => Outcome::Fine,
        false => Outcome::Findings,
    })
}

/// Reads the result back: it must be sound, and break no rule that the original kept.
fn checked(path: &Path, before: &Save, bytes: &[u8]) -> Result<Save, Failure> {
    let refuse = |reason: String| Failure::at(path, format!("the result is not written: {reason}"));
    let mut report = Report::default();
    let after = satisfactory::read(bytes, &ReadOptions::default(), &mut report)
        .map_err(|error| refuse(error.to_string()))?;
    let lost = report
        .findings()
        .iter()
        .find(|one| one.severity == Severity::Lost);
    if let Some(lost) = lost {
        return Err(refuse(lost.to_string()));
    }
    if let (Some(before), Some(body)) = (&before.body, &after.body) {
        let known = breaches(before);
        let new = breaches(body)
            .into_iter()
            .find(|breach| !known.contains(breach));
        if let Some(new) = new {
            return Err(refuse(new.to_string()));
        }
    }
    Ok(after)
}

fn write(options: &Options, bytes: &[u8]) -> Result<(), Failure> {
    let path = options.output.as_ref().unwrap_or(&options.save);
    if options.in_place && !options.no_backup {
        let mut backup = path.clone().into_os_string();
        backup.push(".bak");
        let backup = PathBuf::from(backup);
        if backup.exists() {
            return Err(Failure::at(
                &backup,
                "is there already: move it away, or use --no-backup",
            ));
        }
        std::fs::copy(path, &backup).map_err(|error| Failure::at(&backup, error))?;
    }
    write_file(Some(path), false, |output| Ok(output.write_all(bytes)?))
}

fn list(options: &Options, buildings: &[Building]) -> Result<Outcome, Failure> {
    const CM_PER_M: f64 = 100.0;
    let mut output = stdout();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut table = Table::new(["building", "x, m", "y, m", "z, m", "object"]);
    for building in buildings {
        let name = full_name(&building.class);
        let at_m = building.position_cm.map(|part| part / CM_PER_M);
        let object = match &building.target {
            Target::Actor(path) => path.as_str(),
            Target::Lightweight { .. } => "",
        };
        if options.json {
            let row = serde_json::json!({
                "name": name,
                "class": building.class,
                "object": (!object.is_empty()).then_some(object),
                "position_m": at_m,
            });
            write_json(&mut output, &row)?;
        } else {
            let [x, y, z] = at_m.map(|part| format!("{part:.1}"));
            let object = object.rsplit('.').next().unwrap_or_default().to_owned();
            table.add([name.clone(), x, y, z, object]);
        }
        *counts.entry(name).or_default() += 1;
    }
    if !options.json {
        table.print(&mut output)?;
        writeln!(output)?;
        let mut table = Table::new(["selected", &buildings.len().to_string()]);
        for (name, count) in counts {
            table.add([format!("  {name}"), count.to_string()]);
        }
        table.print(&mut output)?;
    }
    output.flush()?;
    Ok(Outcome::Fine)
}
