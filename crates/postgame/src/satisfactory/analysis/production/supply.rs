//! Where power comes from and who takes it: generators with what they burn, and circuits with their biggest users.

use std::collections::BTreeMap;

use super::balance::balance;
use super::factory::Factory;
use super::machine::{Activity, Machine, MachineKind};
use super::power;
use super::rates::rates;
use crate::satisfactory::analysis::classes::{full_name, is_fluid};
use crate::satisfactory::catalogue;
use crate::stats::{Group, Number};

/// How many circuits are shown with their biggest users.
const MAX_CIRCUITS: usize = 10;
/// How many users of a circuit are shown.
const MAX_USERS: usize = 3;

/// Generators of one class that burn the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generators {
    /// How many there are.
    pub count: usize,
    /// How many of them run.
    pub running: usize,
    /// What those that run make, in megawatts.
    pub generated_mw: f64,
    /// What those that run burn and use a minute, water among it, by item.
    pub used_per_min: BTreeMap<&'static str, f64>,
    /// The waste of those that run a minute, by item.
    pub waste_per_min: BTreeMap<&'static str, f64>,
}

/// Generators by the names of their class and fuel; the fuel is empty for those that burn nothing now.
pub fn generators(factory: &Factory) -> BTreeMap<(String, String), Generators> {
    let mut all: BTreeMap<(String, String), Generators> = BTreeMap::new();
    for machine in &factory.machines {
        if machine.kind != MachineKind::Generator {
            continue;
        }
        let fuel = machine.fuel.as_deref().map(full_name).unwrap_or_default();
        let some = all.entry((full_name(&machine.class), fuel)).or_default();
        some.count += 1;
        if machine.activity != Activity::Running {
            continue;
        }
        some.running += 1;
        some.generated_mw += power::generation_mw(machine, factory).unwrap_or(0.0);
        let rates = rates(machine, factory).unwrap_or_default();
        for (item, per_min) in rates.used {
            *some.used_per_min.entry(item).or_default() += per_min;
        }
        for (item, per_min) in rates.made {
            *some.waste_per_min.entry(item).or_default() += per_min;
        }
    }
    all
}

/// What machines of one name that run take together, in megawatts.
pub type User = (String, f64);

/// The names of machines that run with what they take together, the biggest users first.
pub fn users<'m>(machines: impl IntoIterator<Item = &'m Machine>, factory: &Factory) -> Vec<User> {
    let mut by_name: BTreeMap<String, f64> = BTreeMap::new();
    for machine in machines {
        let is_running = machine.activity == Activity::Running;
        if let Some(demand) = power::demand(machine, factory).filter(|_| is_running) {
            *by_name.entry(full_name(&machine.class)).or_default() += demand.mean_mw;
        }
    }
    let mut users: Vec<User> = by_name.into_iter().collect();
    users.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    users
}

/// The group `generators`.
pub(super) fn generator_group(factory: &Factory) -> Group {
    let unit = |item: &str| {
        let name = catalogue::item(item).map_or(item, |item| item.name);
        if is_fluid(item) {
            format!("{name}, m3")
        } else {
            name.to_owned()
        }
    };
    let mut group = Group::new("generators");
    for ((class, fuel), some) in generators(factory) {
        let name = if fuel.is_empty() {
            class
        } else {
            format!("{class} on {fuel}")
        };
        group = group
            .count(format!("{name}, all"), some.count)
            .count(format!("{name}, running"), some.running)
            .amount(format!("{name}, generated_mw"), some.generated_mw);
        for (item, per_min) in &some.used_per_min {
            group = group.amount(format!("{name}, {}, used_per_min", unit(item)), *per_min);
        }
        for (item, per_min) in &some.waste_per_min {
            group = group.amount(format!("{name}, {}, waste_per_min", unit(item)), *per_min);
        }
    }
    group
}

/// The groups `circuits_by_rating` and `circuit_users`.
pub(super) fn circuit_groups(factory: &Factory) -> Vec<Group> {
    let mut circuits: Vec<(i64, Vec<&Machine>)> = factory
        .circuits()
        .map(|(id, machines)| (id, machines.collect()))
        .collect();
    circuits.sort_unstable_by_key(|(id, _)| *id);
    let balances: Vec<_> = circuits
        .iter()
        .map(|(_, machines)| balance(machines.iter().copied(), factory).power)
        .collect();
    let column = |of: fn(&super::balance::PowerBalance) -> f64| balances.iter().map(of).collect();
    let ids = circuits.iter().map(|(id, _)| *id as f64).collect();
    let mut rated = Group::new("circuits_by_rating");
    if !circuits.is_empty() {
        rated = rated
            .list("id", ids)
            .list("taken_mw", column(|power| power.rated_mw))
            .list("taken_if_all_run_mw", column(|power| power.rated_all_mw))
            .list("recorded_mw", column(|power| power.recorded_mw))
            .list("generated_mw", column(|power| power.generated_mw))
            .list(
                "generated_if_all_run_mw",
                column(|power| power.generated_all_mw),
            );
    }
    let mut biggest: Vec<_> = circuits.iter().zip(&balances).collect();
    biggest.sort_by(|one, other| other.1.rated_mw.total_cmp(&one.1.rated_mw));
    let mut by_circuit = Group::new("circuit_users");
    for ((id, machines), _) in biggest.into_iter().take(MAX_CIRCUITS) {
        let users = users(machines.iter().copied(), factory);
        let users = users.iter().take(MAX_USERS);
        let users: Vec<String> = users
            .map(|(name, taken_mw)| format!("{name} {taken_mw:.1} MW"))
            .collect();
        if !users.is_empty() {
            let text = Number::Text(users.join(", "));
            by_circuit
                .values
                .push((format!("circuit {id}").into(), text));
        }
    }
    vec![rated, by_circuit]
}
