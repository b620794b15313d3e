//! Numbers about a save: its census in the form all games' statistics have.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::blueprint;
use super::census::machines::{self, State};
use super::census::{Census, Lengths, Place, census, census_of_blueprint};
use super::classes::{full_name, is_fluid, readable, schematic_kind};
use super::flow;
use super::production;
use super::progress;
use crate::satisfactory::codec::model::{Blueprint, Save};
use crate::stats::{Group, Number, Stats, Subject};
use crate::threads;

/// All statistics of a save.
pub fn stats(save: &Save) -> Stats {
    let (census, (factory, graph)) = threads::both(
        || census(save),
        || (production::factory(save), flow::graph(save)),
    );
    let mut groups = vec![session(&census)];
    groups.extend(contents(&census));
    let areas = flow::areas(&factory, &graph);
    groups.extend(production::report::groups(&factory, &areas));
    groups.extend(progress::groups(&progress::progress_of(
        &census,
        &factory.settings,
    )));
    groups.push(collectibles(&census));
    groups.push(mods(&census));
    report(groups, players(&census))
}

/// What statistics there are of a blueprint.
pub fn stats_of_blueprint(blueprint: &Blueprint) -> Stats {
    let census = census_of_blueprint(blueprint);
    let mut groups = contents(&census);
    groups.push(mods(&census));
    let mut cost: BTreeMap<String, i64> = BTreeMap::new();
    for item in &blueprint.header.cost {
        let amount = cost.entry(full_name(&item.item.path.to_str())).or_default();
        *amount = amount.saturating_add(item.amount.into());
    }
    let mut group = Group::new("cost");
    let cost = cost.into_iter();
    group
        .values
        .extend(cost.map(|(name, amount)| (name.into(), Number::Count(amount))));
    groups.push(group);
    let bill = blueprint::bill(blueprint);
    let [x, y, z] = bill.cells;
    groups.push(
        Group::new("blueprint")
            .count("machines", bill.machines)
            .amount("taken_if_all_run_mw", bill.taken_mw)
            .amount("generated_if_all_run_mw", bill.generated_mw)
            .amount("span_x_cells", x)
            .amount("span_y_cells", y)
            .amount("span_z_cells", z)
            .count("buildings_of_unknown_cost", bill.unknown.values().sum()),
    );
    let parts = bill.cost.iter();
    let by_parts = parts.map(|(class, amount)| (full_name(class).into(), Number::Count(*amount)));
    let mut group = Group::new("cost_by_parts");
    group.values.extend(by_parts);
    groups.push(group);
    let factory = production::factory_of_blueprint(blueprint);
    let areas = flow::areas(&factory, &flow::graph_of_blueprint(blueprint));
    groups.extend(production::report::groups(&factory, &areas));
    report(groups, Vec::new())
}

fn report(mut groups: Vec<Group>, players: Vec<Subject>) -> Stats {
    groups.retain(|group| !group.values.is_empty());
    Stats {
        recording: groups,
        teams: Vec::new(),
        players,
    }
}

/// What blueprints have too.
fn contents(census: &Census) -> Vec<Group> {
    let mut groups = buildings(census);
    groups.push(lengths(&census.lengths));
    groups.extend(machine_groups(census));
    groups.extend(items(census));
    groups.extend(power(census));
    groups.extend(transport(census));
    groups
}

fn text(group: &mut Group, name: &'static str, text: Option<String>) {
    if let Some(text) = text {
        group.values.push((name.into(), Number::Text(text)));
    }
}

fn count(group: &mut Group, name: impl Into<Cow<'static, str>>, count: Option<i64>) {
    if let Some(count) = count {
        group.values.push((name.into(), Number::Count(count)));
    }
}

fn session(census: &Census) -> Group {
    let session = &census.session;
    let mut group = Group::new("session");
    text(&mut group, "session", session.name.clone());
    text(&mut group, "map", Some(session.map.clone()));
    text(&mut group, "version", Some(session.version.clone()));
    text(&mut group, "saved_at", session.saved_at.clone());
    group = group.amount("play_time_s", session.play_time_s);
    if let Some(is_creative) = session.is_creative {
        text(&mut group, "creative", Some(is_creative.to_string()));
    }
    count(&mut group, "days", session.days);
    text(&mut group, "phase", session.phase.as_deref().map(readable));
    text(
        &mut group,
        "next_phase",
        session.next_phase.as_deref().map(readable),
    );
    group = group
        .count("players", census.players.len())
        .count("schematics", session.schematics.len());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for schematic in &session.schematics {
        *kinds.entry(schematic_kind(schematic)).or_default() += 1;
    }
    for (kind, number) in kinds {
        group = group.count(format!("schematics, {kind}"), number);
    }
    group = group.count("recipes", session.recipes.len());
    count(&mut group, "sink_points", session.sink_points);
    count(&mut group, "coupons", session.coupons);
    if !session.creatures_killed.is_empty() {
        let killed = session.creatures_killed.values();
        let killed = killed.fold(0_i64, |sum, count| sum.saturating_add(*count));
        count(&mut group, "creatures_killed", Some(killed));
    }
    group
        .count("mods", session.mods.len())
        .count("levels", session.levels)
        .count("objects", session.objects)
}

fn buildings(census: &Census) -> Vec<Group> {
    let mut categories = Group::new("buildings")
        .count("all", census.buildings.total)
        .count("lightweight", census.lightweight);
    let mut classes = Group::new("building_classes");
    for (category, by_class) in &census.buildings.by_category {
        categories = categories.count(*category, by_class.values().sum());
        // By name: paths are in the order of folders, which mean nothing to a player.
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        for (class, number) in by_class {
            *named.entry(full_name(class)).or_default() += number;
        }
        for (name, number) in named {
            classes = classes.count(format!("{category}, {name}"), number);
        }
    }
    vec![categories, classes]
}

fn lengths(lengths: &Lengths) -> Group {
    let Lengths {
        belts_m,
        lifts_m,
        pipes_m,
        hypertubes_m,
        rails_m,
        power_lines_m,
        other_m,
    } = *lengths;
    Group::new("lengths")
        .amount("belts_m", belts_m)
        .amount("lifts_m", lifts_m)
        .amount("pipes_m", pipes_m)
        .amount("hypertubes_m", hypertubes_m)
        .amount("rails_m", rails_m)
        .amount("power_lines_m", power_lines_m)
        .amount("other_m", other_m)
}

fn machine_groups(census: &Census) -> Vec<Group> {
    let machines = &census.machines;
    let mut all = Group::new("machines").count("all", machines.all.count);
    for state in State::ALL {
        let number = machines.all.states.get(&state).copied().unwrap_or(0);
        all = all.count(state.name(), number);
    }
    all = all.count("off_clock", machines.all.off_clock);
    if machines.all.count > 0 {
        all = all.amount("mean_clock_percent", machines.all.mean_clock * 100.0);
    }
    if let Some(productivity) = machines.all.mean_productivity {
        all = all.amount("mean_productivity_percent", productivity * 100.0);
    }
    let details = |name, groups: &BTreeMap<String, machines::Group>| {
        groups.iter().fold(Group::new(name), |group, (path, some)| {
            let name = full_name(path);
            let states = some.states.iter();
            let group = group.count(name.clone(), some.count);
            let group = states.fold(group, |group, (state, number)| {
                group.count(format!("{name}, {}", state.name()), *number)
            });
            group.amount(
                format!("{name}, mean_clock_percent"),
                some.mean_clock * 100.0,
            )
        })
    };
    vec![
        all,
        details("machine_classes", &machines.by_class),
        details("recipes", &machines.by_recipe),
    ]
}

/// How many of each item, by name; fluids in cubic metres.
fn item_group<'a>(name: &'static str, items: impl Iterator<Item = (&'a str, i64)>) -> Group {
    let mut pieces: BTreeMap<String, i64> = BTreeMap::new();
    let mut litres: BTreeMap<String, i64> = BTreeMap::new();
    for (class, amount) in items {
        // Several classes can have one name.
        let (table, name) = if is_fluid(class) {
            (&mut litres, format!("{}, m3", full_name(class)))
        } else {
            (&mut pieces, full_name(class))
        };
        let total = table.entry(name).or_default();
        *total = total.saturating_add(amount);
    }
    let pieces = pieces
        .into_iter()
        .map(|(name, amount)| (name, Number::Count(amount)));
    let litres = litres
        .into_iter()
        .map(|(name, amount)| (name, Number::Amount(Some(amount as f64 / 1000.0))));
    let named: BTreeMap<String, Number> = pieces.chain(litres).collect();
    let mut group = Group::new(name);
    let named = named.into_iter();
    group
        .values
        .extend(named.map(|(name, number)| (name.into(), number)));
    group
}

fn items(census: &Census) -> Vec<Group> {
    let items = &census.items;
    let mut groups = vec![item_group("items", items.in_all().into_iter())];
    for place in Place::ALL {
        let name = match place {
            Place::Storage => "items_in_storage",
            Place::Machines => "items_in_machines",
            Place::Belts => "items_on_belts",
            Place::Buildings => "items_in_other_buildings",
            Place::Depot => "items_in_depot",
            Place::Players => "items_with_players",
            Place::Vehicles => "items_in_vehicles",
            Place::Ground => "items_on_ground",
            Place::Nature => "items_in_nature",
        };
        let mut group = item_group(name, items.in_place(place).into_iter());
        count(&mut group, "untold", items.untold.get(&place).copied());
        groups.push(group);
    }
    let mut fluids = Group::new("fluids_in_pipes");
    for (fluid, amount_m3) in &census.fluids_m3 {
        fluids = fluids.amount(format!("{}, m3", full_name(fluid)), *amount_m3);
    }
    groups.push(fluids);
    groups
}

fn power(census: &Census) -> Vec<Group> {
    let circuits = &census.circuits;
    if circuits.is_empty() {
        return Vec::new();
    }
    let column = |value: fn(&super::census::Circuit) -> f64| -> Vec<f64> {
        circuits.iter().map(value).collect()
    };
    let sum = |value| column(value).iter().sum();
    let all = Group::new("power")
        .count("circuits", circuits.len())
        .amount("production_mw", sum(|circuit| circuit.production_mw))
        .amount("consumption_mw", sum(|circuit| circuit.consumption_mw))
        .amount("stored_mwh", sum(|circuit| circuit.stored_mwh));
    let each = Group::new("circuits")
        .list("id", column(|circuit| circuit.id as f64))
        .list("members", column(|circuit| circuit.members as f64))
        .list("production_mw", column(|circuit| circuit.production_mw))
        .list("consumption_mw", column(|circuit| circuit.consumption_mw))
        .list("stored_mwh", column(|circuit| circuit.stored_mwh));
    vec![all, each]
}

fn transport(census: &Census) -> Vec<Group> {
    let transport = &census.transport;
    let mut all = Group::new("transport");
    for (class, number) in &transport.by_class {
        all = all.count(full_name(class), *number);
    }
    if !transport.by_class.is_empty() {
        all = all
            .count("on_autopilot", transport.on_autopilot)
            .count("drones_docked", transport.drones_docked)
            .count("trains", transport.trains.len())
            .count("stations", transport.stations.len());
    }
    let trains = &transport.trains;
    if trains.is_empty() {
        return vec![all];
    }
    let names: Vec<&str> = trains.iter().map(|train| train.name.as_str()).collect();
    let mut each = Group::new("trains");
    text(&mut each, "names", Some(names.join(", ")));
    let each = each
        .list(
            "cars",
            trains.iter().map(|train| train.cars as f64).collect(),
        )
        .list(
            "stops",
            trains.iter().map(|train| train.stops as f64).collect(),
        )
        .list(
            "drives_itself",
            trains
                .iter()
                .map(|train| f64::from(u8::from(train.drives_itself)))
                .collect(),
        );
    vec![all, each]
}

fn collectibles(census: &Census) -> Group {
    let mut group = Group::new("collectibles");
    for kind in &census.collectibles {
        group = group.count(format!("{}, found", kind.name), kind.found);
        if let Some(left) = kind.left {
            group = group.count(format!("{}, left", kind.name), left);
        }
    }
    group
}

fn mods(census: &Census) -> Group {
    let mut group = Group::new("mods");
    for (name, share) in &census.mods {
        group = group
            .count(format!("{name}, objects"), share.objects)
            .count(format!("{name}, buildings"), share.buildings);
        if let Some(part) = share.share_of_buildings(&census.buildings) {
            group = group.amount(format!("{name}, percent_of_buildings"), part * 100.0);
        }
    }
    // A mod in the header that left nothing behind says so.
    for listed in &census.session.mods {
        let name = listed.split(' ').next().unwrap_or(listed);
        if !census.mods.contains_key(name) {
            group = group.count(format!("{name}, objects"), 0);
        }
    }
    group
}

/// What each player carries; every player has all names, so that tables have no holes.
fn players(census: &Census) -> Vec<Subject> {
    let owners = census.items.by_owner();
    let all: BTreeMap<&str, i64> = census
        .players
        .iter()
        .filter_map(|player| owners.get(player.path.as_str()))
        .flatten()
        .map(|(class, _)| (*class, 0))
        .collect();
    let subjects = census.players.iter().map(|player| {
        let mut items = all.clone();
        if let Some(owned) = owners.get(player.path.as_str()) {
            items.extend(owned);
        }
        Subject {
            name: player.name.clone(),
            team: None,
            groups: vec![item_group("inventory", items.into_iter())],
        }
    });
    subjects.collect()
}
