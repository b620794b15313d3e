//! `postgame flow`: how an item is made in a Satisfactory factory, back to the ore.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use postgame::satisfactory::flow::route::{Group, items_called};
use postgame::satisfactory::flow::{Route, dot, graph, route};
use postgame::satisfactory::production::{Factory, factory};
use postgame::satisfactory::{catalogue, classes};

use crate::compare::save;
use crate::game_data::GameDataOptions;
use crate::output::{Failure, Outcome, printable, stdout, write_json};
use crate::table::Table;

/// Show how an item is made in a Satisfactory save: machines, their inputs, and what they wait for
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame flow factory.sav \"Reinforced Iron Plate\"
  postgame flow factory.sav screws --json
  postgame flow factory.sav Desc_Motor_C --dot | dot -Tsvg > motor.svg

Exit status: 0 fine, 2 the file could not be read, is not a save, or no item has that name.")]
pub struct Options {
    /// A save; `-` for standard input
    save: PathBuf,
    /// The item, by its name, a part of it, or its class
    item: String,
    /// One JSON object instead of tables
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// A graph in the language of Graphviz instead of tables
    #[arg(long)]
    dot: bool,
    #[command(flatten)]
    game_data: GameDataOptions,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    options.game_data.install()?;
    let items = items_called(&options.item);
    if items.is_empty() {
        return Err(Failure::new(format!(
            "no item is called {}",
            printable(&options.item)
        )));
    }
    let save = save(&options.save)?;
    let (factory, graph) = (factory(&save), graph(&save));
    let mut output = stdout();
    let mut is_any = false;
    for item in items {
        let route = route(&factory, &graph, item);
        if route.steps.is_empty() {
            continue;
        }
        is_any = true;
        if options.dot {
            output.write_all(dot::dot(&route, &factory).as_bytes())?;
        } else if options.json {
            write_json(&mut output, &json(&route, &factory))?;
        } else {
            print(&mut output, &route, &factory)?;
        }
    }
    if !is_any {
        writeln!(
            output,
            "nothing in this save makes {}",
            printable(&options.item)
        )?;
    }
    output.flush()?;
    Ok(Outcome::Fine)
}

fn name(item: &str) -> &str {
    catalogue::item(item).map_or(item, |item| item.name)
}

fn unit(item: &str) -> &'static str {
    let is_fluid = catalogue::item(item).is_some_and(catalogue::Item::is_fluid);
    if is_fluid { " m3" } else { "" }
}

fn print(output: &mut impl Write, route: &Route, factory: &Factory) -> Result<(), Failure> {
    let groups = route.groups(factory);
    let sum = |of: fn(&Group) -> &BTreeMap<&'static str, f64>| -> f64 {
        groups
            .iter()
            .filter_map(|group| of(group).get(route.item))
            .sum()
    };
    writeln!(
        output,
        "{}: {:.2}{unit} a minute now, {:.2}{unit} if all machines ran",
        name(route.item),
        sum(|group| &group.made),
        sum(|group| &group.made_if_all_run),
        unit = unit(route.item)
    )?;
    writeln!(output)?;
    let mut table = Table::new([
        "step",
        "machines",
        "recipe",
        "doing",
        "makes a minute",
        "fed by",
    ]);
    for group in &groups {
        let doing: Vec<String> = group
            .activities
            .iter()
            .map(|(activity, count)| format!("{count} {}", activity.name()))
            .collect();
        let made: Vec<String> = group
            .made_if_all_run
            .iter()
            .map(|(item, all)| {
                let now = group.made.get(item).copied().unwrap_or(0.0);
                format!("{} {now:.2} of {all:.2}{}", name(item), unit(item))
            })
            .collect();
        let fed: Vec<String> = group
            .fed_by
            .iter()
            .flat_map(|(item, sources)| {
                sources.iter().map(move |(source, slowest)| {
                    let slowest = slowest.map(|slowest| format!(" ({slowest:.0})"));
                    format!(
                        "{} from {source}{}",
                        name(item),
                        slowest.unwrap_or_default()
                    )
                })
            })
            .collect();
        table.add([
            group.depth.to_string(),
            format!("{} {}", group.count, group.name),
            group.recipe.clone(),
            doing.join(", "),
            made.join(", "),
            fed.join(", "),
        ]);
    }
    table.print(output)?;
    for (item, machines) in &route.unfed {
        writeln!(
            output,
            "{machines} machines need {}, and nothing on their lines makes it",
            name(item)
        )?;
    }
    Ok(())
}

fn json(route: &Route, factory: &Factory) -> serde_json::Value {
    let machines: Vec<serde_json::Value> = route
        .steps
        .iter()
        .filter_map(|step| {
            let machine = factory.machines.get(step.machine)?;
            let amounts = |list: &[(&'static str, f64)]| -> BTreeMap<&'static str, f64> {
                list.iter().copied().collect()
            };
            Some(serde_json::json!({
                "machine": step.machine,
                "depth": step.depth,
                "path": machine.path,
                "class": machine.short_class(),
                "name": classes::full_name(&machine.class),
                "recipe": machine.recipe,
                "recipe_name": machine.recipe.as_deref().map(classes::full_name),
                "activity": machine.activity.name(),
                "clock": machine.clock,
                "boost": machine.boost,
                "makes_per_min": step.rates.as_ref().map(|rates| amounts(&rates.made)),
                "uses_per_min": step.rates.as_ref().map(|rates| amounts(&rates.used)),
                "position_cm": machine.position_cm,
            }))
        })
        .collect();
    let links: Vec<serde_json::Value> = route
        .links
        .iter()
        .map(|link| {
            serde_json::json!({
                "from_machine": link.from_machine,
                "from": link.from,
                "to_machine": link.to_machine,
                "item": link.item,
                "capacity_per_min": link.capacity_per_min,
                "lines": link.lines,
            })
        })
        .collect();
    serde_json::json!({
        "item": route.item,
        "name": name(route.item),
        "machines": machines,
        "links": links,
        "unfed": route.unfed,
    })
}
