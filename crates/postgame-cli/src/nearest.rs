//! `postgame nearest`: what lies near a place of a Satisfactory world.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::satisfactory::catalogue::NodeKind;
use postgame::satisfactory::classes::full_name;
use postgame::satisfactory::collectibles::{collectibles, nearest};
use postgame::satisfactory::production::factory;

use crate::compare::save;
use crate::game_data::GameDataOptions;
use crate::output::{Failure, Outcome, stdout, write_json};
use crate::table::Table;

/// List what is nearest to a place in a Satisfactory save: free nodes, and slugs, crash sites and loot not collected yet
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame nearest factory.sav --at 1200,-340
  postgame nearest factory.sav --at 1200,-340,50 --of slug --count 5
  postgame nearest factory.sav --at 0,0 --of \"iron ore\" --json

Exit status: 0 fine, 2 the file could not be read or is not a save.")]
pub struct Options {
    /// A save; `-` for standard input
    save: PathBuf,
    /// The place: x, y and height in metres, as on the game's map
    #[arg(long, value_name = "X,Y[,Z]", value_parser = place, allow_hyphen_values = true)]
    at: Position,
    /// Only things with this in their name, such as `slug`, `crash site` or `caterium`
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// Maximum number of things
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Also what was found, and nodes with a machine on them
    #[arg(long)]
    all: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game_data: GameDataOptions,
}

/// A place in metres; without a height the height does not count.
#[derive(Clone, Copy, Debug)]
struct Position {
    x_m: f64,
    y_m: f64,
    z_m: Option<f64>,
}

fn place(text: &str) -> Result<Position, String> {
    let parts: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok([x_m, y_m]) => Ok(Position {
            x_m: *x_m,
            y_m: *y_m,
            z_m: None,
        }),
        Ok([x_m, y_m, z_m]) => Ok(Position {
            x_m: *x_m,
            y_m: *y_m,
            z_m: Some(*z_m),
        }),
        _ => Err("expected two or three numbers separated by commas".to_owned()),
    }
}

/// Something that lies in the world.
struct Thing {
    kind: String,
    details: String,
    object: String,
    is_gone: bool,
    position_cm: [f64; 3],
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    const CM_PER_M: f64 = 100.0;
    let save = save(&options.save)?;
    let mut things = Vec::new();
    let factory = factory(&save);
    for site in factory.nodes().sites() {
        let (Some(position_cm), false) = (site.position_cm, site.kind == NodeKind::Deposit) else {
            continue;
        };
        let resource = site.resource.map(full_name).unwrap_or_default();
        let machine = site.taken_by.and_then(|index| factory.machines.get(index));
        things.push(Thing {
            kind: format!("{} {resource}", site.kind.name()),
            details: match machine {
                Some(machine) => full_name(&machine.class),
                None => site.purity.map_or("", |purity| purity.name()).to_owned(),
            },
            object: site.name.to_owned(),
            is_gone: machine.is_some(),
            position_cm,
        });
    }
    let found = collectibles(&save).unwrap_or_default();
    things.extend(found.finds.iter().map(|found| Thing {
        kind: found.find.kind.name().to_owned(),
        details: needs(found.find.needs),
        object: found.find.name.to_owned(),
        is_gone: found.is_found,
        position_cm: found.find.position_cm,
    }));
    things.extend(found.loot.iter().map(|found| Thing {
        kind: "loot".to_owned(),
        details: format!("{} {}", found.loot.amount, full_name(found.loot.item)),
        object: found.loot.name.to_owned(),
        is_gone: found.is_found,
        position_cm: found.loot.position_cm,
    }));
    let wanted = options.of.as_deref().unwrap_or_default().to_lowercase();
    things.retain(|thing| {
        let text = format!("{} {}", thing.kind, thing.details).to_lowercase();
        (options.all || !thing.is_gone) && text.contains(&wanted)
    });
    let Position { x_m, y_m, z_m } = options.at;
    let place_cm = [x_m, y_m, z_m.unwrap_or(0.0)].map(|metres| metres * CM_PER_M);
    let near = nearest(
        things,
        place_cm,
        |thing| {
            let [x, y, z] = thing.position_cm;
            Some([x, y, if z_m.is_some() { z } else { 0.0 }])
        },
        options.count,
    );
    let mut output = stdout();
    let mut table = Table::new(["distance, m", "what", "details", "x, m", "y, m", "z, m"]);
    for (distance_m, thing) in &near {
        if options.json {
            let row = serde_json::json!({
                "distance_m": distance_m,
                "kind": thing.kind,
                "details": thing.details,
                "object": thing.object,
                "is_gone": thing.is_gone,
                "position_cm": thing.position_cm,
            });
            write_json(&mut output, &row)?;
        } else {
            let [x, y, z] = thing.position_cm.map(|cm| format!("{:.0}", cm / CM_PER_M));
            let cells = [thing.kind.clone(), thing.details.clone(), x, y, z];
            table.add(std::iter::once(format!("{distance_m:.0}")).chain(cells));
        }
    }
    if !options.json {
        table.print(&mut output)?;
    }
    output.flush()?;
    Ok(Outcome::Fine)
}

/// What a crash site needs, in words.
fn needs(text: &str) -> String {
    match text.rsplit_once(':') {
        Some(("power", power)) => format!("needs {power}"),
        Some((item, amount)) => format!("needs {amount} {}", full_name(item)),
        None if text.is_empty() || text == "nothing" => String::new(),
        None => full_name(text),
    }
}
