//! The way from the resources to one item: which machines make it, what feeds them, and so on back to the ore.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::graph::{Graph, Line, LineKind};
use crate::satisfactory::analysis::classes::full_name;
use crate::satisfactory::analysis::production::{
    Activity, Factory, Machine, MachineKind, Rates, rates::rates,
};
use crate::satisfactory::catalogue;
use crate::satisfactory::codec::summary::short_class;

/// A machine on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The index of the machine.
    pub machine: usize,
    /// How many steps it is away from the item; 0 for those that make it.
    pub depth: usize,
    /// What it makes and uses a minute while it works, if that is known.
    pub rates: Option<Rates>,
}

/// An item that goes from one machine to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The index of the machine it comes from; `None` for a building that is no machine, such as a container.
    pub from_machine: Option<usize>,
    /// The path of the building it comes from.
    pub from: String,
    /// The index of the machine it goes to.
    pub to_machine: usize,
    /// The item.
    pub item: &'static str,
    /// What the slowest line on the way carries a minute.
    pub capacity_per_min: Option<f64>,
    /// How many lines are on the way.
    pub lines: usize,
}

/// The way to an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The item's class.
    pub item: &'static str,
    /// The machines, those that make the item first.
    pub steps: Vec<Step>,
    /// What goes from one to another.
    pub links: Vec<Link>,
    /// Items that a machine needs and nothing on its lines makes, with how many machines that is.
    pub unfed: BTreeMap<&'static str, usize>,
}

/// Items whose name or class contains a text, whatever its case; the one that is called just that, if there is one.
pub fn items_called(text: &str) -> Vec<&'static str> {
    let wanted = text.to_lowercase();
    let exact = catalogue::items()
        .find(|item| item.name.to_lowercase() == wanted || item.class.eq_ignore_ascii_case(text));
    if let Some(exact) = exact {
        return vec![exact.class];
    }
    let matching = catalogue::items().filter(|item| {
        item.name.to_lowercase().contains(&wanted) || item.class.to_lowercase().contains(&wanted)
    });
    matching.map(|item| item.class).collect()
}

/// Where an item that reaches a stop may come from.
struct Source {
    stop: usize,
    capacity_per_min: Option<f64>,
    lines: usize,
}

/// The way to an item through a factory.
pub fn route(factory: &Factory, graph: &Graph, item: &'static str) -> Route {
    let machine_at: BTreeMap<usize, usize> = factory
        .machines
        .iter()
        .enumerate()
        .filter(|(_, machine)| machine.kind != MachineKind::Consumer)
        .filter_map(|(index, machine)| Some((graph.stop(&machine.path)?, index)))
        .collect();
    let mut route = Route {
        item,
        ..Route::default()
    };
    let mut depths: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::new();
    for (index, machine) in factory.machines.iter().enumerate() {
        if makes(machine, factory, item) == Some(true) {
            depths.insert(index, 0);
            queue.push_back(index);
        }
    }
    while let Some(index) = queue.pop_front() {
        let Some(machine) = factory.machines.get(index) else {
            continue;
        };
        let depth = depths.get(&index).copied().unwrap_or(0);
        let rates = rates(machine, factory);
        let used: Vec<&'static str> = rates
            .iter()
            .flat_map(|rates| rates.used.iter().map(|(item, _)| *item))
            .collect();
        route.steps.push(Step {
            machine: index,
            depth,
            rates,
        });
        let Some(stop) = graph.stop(&machine.path) else {
            continue;
        };
        for needed in used {
            let before = route.links.len();
            for source in sources(graph, stop, needed) {
                let from = machine_at.get(&source.stop).copied();
                let feeds = match from.and_then(|from| factory.machines.get(from)) {
                    // A machine of unknown rates may make it.
                    Some(machine) => makes(machine, factory, needed).unwrap_or(true),
                    // A building that lines end at, such as a container or a station.
                    None => true,
                };
                if !feeds {
                    continue;
                }
                route.links.push(Link {
                    from_machine: from,
                    from: graph
                        .stops
                        .get(source.stop)
                        .map(|stop| stop.path.clone())
                        .unwrap_or_default(),
                    to_machine: index,
                    item: needed,
                    capacity_per_min: source.capacity_per_min,
                    lines: source.lines,
                });
                if let Some(from) = from
                    && let std::collections::btree_map::Entry::Vacant(new) = depths.entry(from)
                {
                    new.insert(depth + 1);
                    queue.push_back(from);
                }
            }
            if route.links.len() == before {
                *route.unfed.entry(needed).or_default() += 1;
            }
        }
    }
    route
}

/// Whether a machine makes an item; `None` if its rates are not known.
fn makes(machine: &Machine, factory: &Factory, item: &str) -> Option<bool> {
    let rates = rates(machine, factory)?;
    Some(rates.made.iter().any(|(made, _)| *made == item))
}

/// The machines and dead ends from which an item may reach a stop, each by the first way found, the shortest.
fn sources(graph: &Graph, stop: usize, item: &str) -> Vec<Source> {
    let is_fluid = catalogue::item(item).is_some_and(catalogue::Item::is_fluid);
    let kind = if is_fluid {
        LineKind::Pipe
    } else {
        LineKind::Belt
    };
    let mut found = Vec::new();
    let mut seen: BTreeSet<usize> = [stop].into();
    let mut queue: VecDeque<Source> = VecDeque::new();
    queue.push_back(Source {
        stop,
        capacity_per_min: None,
        lines: 0,
    });
    while let Some(at) = queue.pop_front() {
        let mut goes_on = false;
        let ways = ways_back(graph, at.stop, kind, at.lines == 0);
        for (line, before, is_output) in ways {
            goes_on = true;
            if !seen.insert(before) {
                continue;
            }
            let capacity = match (at.capacity_per_min, line.capacity_per_min) {
                (Some(one), Some(other)) => Some(f64::min(one, other)),
                (one, other) => one.or(other),
            };
            let source = Source {
                stop: before,
                capacity_per_min: capacity,
                lines: at.lines + 1,
            };
            // At an output of a machine the way back ends; elsewhere it goes on through the building.
            if is_output == Some(true) && is_maker(graph, before) {
                found.push(source);
            } else if is_output != Some(false) || kind == LineKind::Belt {
                queue.push_back(source);
            }
        }
        if !goes_on && at.lines > 0 && !is_maker(graph, at.stop) {
            found.push(at);
        }
    }
    found
}

/// Whether a stop makes what comes out of it, instead of passing it on.
fn is_maker(graph: &Graph, stop: usize) -> bool {
    let class = graph.stops.get(stop).map(|stop| short_class(&stop.class));
    let Some(class) = class else { return false };
    match catalogue::building(class) {
        Some(building) => matches!(
            building.category,
            "manufacturer" | "extractor" | "generator"
        ),
        None => matches!(
            crate::satisfactory::analysis::classes::category(class),
            "production" | "extraction" | "generators"
        ),
    }
}

/// The lines through which something may come to a stop: the line, the stop before, and whether that is an output there.
fn ways_back(
    graph: &Graph,
    stop: usize,
    kind: LineKind,
    is_start: bool,
) -> Vec<(&Line, usize, Option<bool>)> {
    let Some(at) = graph.stops.get(stop) else {
        return Vec::new();
    };
    let line = |index: &usize| graph.lines.get(*index).filter(|line| line.kind == kind);
    let mut ways = Vec::new();
    for line in at.lines_in.iter().filter_map(line) {
        // Out of a machine's own output nothing comes back.
        let enters_output = line.to.as_ref().and_then(|tie| tie.is_output) == Some(true);
        if let Some(from) = &line.from
            && !(is_start && enters_output)
        {
            ways.push((line, from.stop, from.is_output));
        }
    }
    if kind == LineKind::Pipe {
        for line in at.lines_out.iter().filter_map(line) {
            let leaves_output = line.from.as_ref().and_then(|tie| tie.is_output) == Some(true);
            if let Some(to) = &line.to
                && !(is_start && leaves_output)
            {
                ways.push((line, to.stop, to.is_output));
            }
        }
    }
    ways
}

/// Machines of one class and recipe on a route.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// What the machines are called.
    pub name: String,
    /// What they make, by the recipe's name; empty for extractors and generators.
    pub recipe: String,
    /// How far from the item.
    pub depth: usize,
    /// How many machines.
    pub count: usize,
    /// What they are doing.
    pub activities: BTreeMap<Activity, usize>,
    /// What those that run make a minute, by item.
    pub made: BTreeMap<&'static str, f64>,
    /// What all would make a minute, by item.
    pub made_if_all_run: BTreeMap<&'static str, f64>,
    /// What those that run use a minute, by item.
    pub used: BTreeMap<&'static str, f64>,
    /// What brings their items: by item, the name of the source and the slowest line's capacity.
    pub fed_by: BTreeMap<&'static str, BTreeMap<String, Option<f64>>>,
}

impl Route {
    /// The machines by class and recipe, those nearest to the item first.
    pub fn groups(&self, factory: &Factory) -> Vec<Group> {
        let mut groups: BTreeMap<(String, String), Group> = BTreeMap::new();
        let key = |machine: &Machine| {
            let recipe = machine.recipe.as_deref().map(full_name);
            (full_name(&machine.class), recipe.unwrap_or_default())
        };
        for step in &self.steps {
            let Some(machine) = factory.machines.get(step.machine) else {
                continue;
            };
            let names = key(machine);
            let group = groups.entry(names.clone()).or_insert_with(|| Group {
                name: names.0,
                recipe: names.1,
                depth: step.depth,
                ..Group::default()
            });
            group.depth = group.depth.min(step.depth);
            group.count += 1;
            *group.activities.entry(machine.activity).or_default() += 1;
            for (item, per_min) in step.rates.iter().flat_map(|rates| &rates.made) {
                *group.made_if_all_run.entry(item).or_default() += per_min;
                if machine.activity == Activity::Running {
                    *group.made.entry(item).or_default() += per_min;
                }
            }
            if machine.activity == Activity::Running {
                for (item, per_min) in step.rates.iter().flat_map(|rates| &rates.used) {
                    *group.used.entry(item).or_default() += per_min;
                }
            }
        }
        for link in &self.links {
            let Some(to) = factory.machines.get(link.to_machine) else {
                continue;
            };
            let from = link
                .from_machine
                .and_then(|from| factory.machines.get(from));
            let from = match from {
                Some(machine) => key(machine).0,
                None => building_name(&link.from),
            };
            if let Some(group) = groups.get_mut(&key(to)) {
                let slowest = group.fed_by.entry(link.item).or_default().entry(from);
                let slowest = slowest.or_insert(link.capacity_per_min);
                if let (Some(known), Some(new)) = (*slowest, link.capacity_per_min) {
                    *slowest = Some(known.min(new));
                }
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by(|one, other| {
            (one.depth, &one.name, &one.recipe).cmp(&(other.depth, &other.name, &other.recipe))
        });
        groups
    }
}

/// The name of the building that an object is, by the name of the object: `Build_StorageContainerMk1_C_2147`.
fn building_name(path: &str) -> String {
    let object = short_class(path);
    let class = object.rsplit_once('_').map_or(object, |(class, _)| class);
    full_name(class)
}
