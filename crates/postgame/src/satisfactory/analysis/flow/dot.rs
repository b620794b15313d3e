//! A route as a graph for Graphviz.

use super::route::Route;
use crate::satisfactory::analysis::classes::full_name;
use crate::satisfactory::analysis::production::Factory;
use crate::satisfactory::catalogue;
use crate::satisfactory::codec::summary::short_class;

/// The route in the language of Graphviz: a box for every machine, an arrow for every item that goes from one to another.
pub fn dot(route: &Route, factory: &Factory) -> String {
    let mut out = String::from("digraph flow {\n  rankdir=LR;\n  node [shape=box];\n");
    let mut line = |text: std::fmt::Arguments<'_>| out.push_str(&text.to_string());
    for step in &route.steps {
        let Some(machine) = factory.machines.get(step.machine) else {
            continue;
        };
        let recipe = machine.recipe.as_deref().map(full_name).unwrap_or_default();
        let label = format!(
            "{}\\n{}\\n{}",
            escaped(&full_name(&machine.class)),
            escaped(&recipe),
            machine.activity.name()
        );
        line(format_args!("  m{} [label=\"{label}\"];\n", step.machine));
    }
    for link in &route.links {
        let item = catalogue::item(link.item).map_or(link.item, |item| item.name);
        let from = match link.from_machine {
            Some(from) => format!("m{from}"),
            None => format!("\"{}\"", escaped(short_class(&link.from))),
        };
        let capacity = link
            .capacity_per_min
            .map(|capacity| format!("\\n{capacity} / min"))
            .unwrap_or_default();
        line(format_args!(
            "  {from} -> m{} [label=\"{}{capacity}\"];\n",
            link.to_machine,
            escaped(item)
        ));
    }
    out.push_str("}\n");
    out
}

/// Text within quotes.
fn escaped(text: &str) -> String {
    let plain = text.chars().filter(|letter| !letter.is_control());
    plain
        .collect::<String>()
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
}
