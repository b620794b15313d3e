//! The machines of a save, with their power, their circuits and the nodes they stand on. One pass over the objects.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::machine::{Activity, Machine, MachineKind};
use super::waiting::Holdings;
use crate::satisfactory::analysis::classes::each_object_or_later;
use crate::satisfactory::analysis::nodes::{Nodes, Site};
use crate::satisfactory::codec::model::object::ObjectKind;
use crate::satisfactory::codec::model::{Blueprint, Body, Properties, Save, Value};
use crate::satisfactory::codec::summary::short_class;

/// The settings of game 1.2 that change how much things cost; 1 is the usual game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The factor of recipes' ingredients.
    pub parts_cost: f64,
    /// The factor of power taken.
    pub energy_cost: f64,
    /// The factor of what the space elevator asks for.
    pub space_parts_cost: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            parts_cost: 1.0,
            energy_cost: 1.0,
            space_parts_cost: 1.0,
        }
    }
}

impl Settings {
    /// What the game's state says.
    pub fn new(state: &Properties) -> Self {
        let factor = |name| {
            let factor = state.real(name).filter(|factor| factor.is_finite());
            factor.unwrap_or(1.0)
        };
        Self {
            parts_cost: factor("mPartsCostMultiplier"),
            energy_cost: factor("mEnergyCostMultiplier"),
            space_parts_cost: factor("mSpacePartsCostMultiplier"),
        }
    }
}

/// The machines of a save.
#[derive(Clone, Debug, Default)]
pub struct Factory {
    /// The body's save version.
    pub save_version: i32,
    /// All machines, in the file's order.
    pub machines: Vec<Machine>,
    /// Settings that change costs.
    pub settings: Settings,
    nodes: Nodes,
    /// The index of each pressurizer, by the name of the well's middle.
    pressurizers: HashMap<String, usize>,
    /// The indices of each circuit's machines, by its number.
    circuits: BTreeMap<i64, Vec<usize>>,
}

impl Factory {
    /// What the save and the catalogue know of a node.
    pub fn node(&self, name: &str) -> Option<Site<'_>> {
        self.nodes.site(name)
    }

    /// Everything known about nodes.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The pressurizer of a resource well, by the name of the well's middle.
    pub fn pressurizer_of(&self, core: &str) -> Option<&Machine> {
        self.machines.get(*self.pressurizers.get(core)?)
    }

    /// Every circuit's number with its machines.
    pub fn circuits(&self) -> impl Iterator<Item = (i64, impl Iterator<Item = &Machine>)> {
        self.circuits.iter().map(|(id, machines)| {
            let machines = machines.iter();
            (*id, machines.filter_map(|index| self.machines.get(*index)))
        })
    }
}

/// What a building takes and makes, as the save has it.
#[derive(Clone, Copy, Default)]
struct Power {
    taken_mw: Option<f64>,
    made_mw: Option<f64>,
    stored_mwh: f64,
}

impl Power {
    fn add(&mut self, info: &Properties) {
        self.taken_mw = info.real("mTargetConsumption").or(self.taken_mw);
        let made = ["mBaseProduction", "mDynamicProductionCapacity"].map(|name| info.real(name));
        let made = made.into_iter().flatten().reduce(|one, other| one + other);
        self.made_mw = made.or(self.made_mw);
    }
}

/// The machines of a save.
pub fn factory(save: &Save) -> Factory {
    let body = save.body.as_ref();
    body.map(|body| of_body(body, &save.header.map_name.to_str()))
        .unwrap_or_default()
}

/// The machines of a blueprint.
pub fn factory_of_blueprint(blueprint: &Blueprint) -> Factory {
    let body = blueprint.body.as_ref();
    body.map(|body| of_body(body, "")).unwrap_or_default()
}

fn of_body(body: &Body, map: &str) -> Factory {
    let mut factory = Factory {
        save_version: body.save_version(),
        nodes: Nodes::new(body.save_version(), map),
        ..Factory::default()
    };
    let mut power: HashMap<String, Power> = HashMap::new();
    // The inventories of machines that may wait for something; few do, so they are decoded later.
    let mut outers: Vec<String> = Vec::new();
    let mut members: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    let inventories = each_object_or_later(body, |class, header, object| {
        if class.short() == "FGPowerCircuit" {
            if let Some(object) = object()
                && let Some(circuit) = object.properties()
            {
                // The first circuit's number is 0, which is not always stored.
                let id = circuit.int("mCircuitID").unwrap_or(0);
                members.entry(id).or_default().extend(owners(circuit));
            }
            return false;
        }
        if let ObjectKind::Component { outer } = &header.kind {
            if class.short() == "FGPowerInfoComponent"
                && let Some(object) = object()
                && let Some(info) = object.properties()
            {
                power.entry(outer.to_string()).or_default().add(info);
            } else if class.short().starts_with("FGInventoryComponent") {
                let path = header.reference.path.to_str();
                if Holdings::is_wanted(short_class(&path)) {
                    outers.push(outer.to_string());
                    return true;
                }
            }
            return false;
        }
        let kind = MachineKind::of(class);
        let is_battery = class.short().starts_with("Build_PowerStorage");
        let has_more = kind.is_some()
            || is_battery
            || class.kind == "resource"
            || class.short() == "BP_GameState_C";
        if !has_more {
            return false;
        }
        let Some(object) = object() else {
            return false;
        };
        let none = Properties::default();
        let properties = object.properties().unwrap_or(&none);
        if class.kind == "resource" {
            factory.nodes.add(class.short(), header, properties);
        } else if is_battery {
            let share = power.entry(header.reference.path.to_string()).or_default();
            share.stored_mwh += properties.real("mPowerStore").unwrap_or(0.0);
        } else if class.short() == "BP_GameState_C" {
            factory.settings = Settings::new(properties);
            factory.nodes.add_settings(properties);
        } else if let Some(kind) = kind {
            factory
                .machines
                .push(Machine::new(class, kind, header, properties));
        }
        false
    });
    factory.join(&power, &members);
    let mut held: HashMap<String, Holdings> = HashMap::new();
    let is_idle = |machine: &&Machine| machine.activity == Activity::Idle;
    let idle = factory.machines.iter().filter(is_idle);
    let idle: HashSet<&str> = idle.map(|machine| machine.path.as_str()).collect();
    let decoder = body.decoder();
    for ((form, entry), outer) in inventories.into_iter().zip(outers) {
        if idle.contains(outer.as_str())
            && let Ok((object, _)) = decoder.object(form, entry)
            && let Some(inventory) = object.properties()
        {
            let path = object.header.reference.path.to_str();
            let holdings = held.entry(outer).or_default();
            holdings.add(short_class(&path), inventory);
        }
    }
    factory.set_reasons(&held);
    factory
}

/// The paths of what is connected to a circuit.
fn owners(circuit: &Properties) -> Vec<String> {
    let connections = circuit.list("mComponents").iter();
    let connections = connections.filter_map(Value::reference);
    connections
        .map(|connection| {
            let path = connection.path.to_str();
            let owner = path.rsplit_once('.').map_or(&*path, |(owner, _)| owner);
            owner.to_owned()
        })
        .collect()
}

impl Factory {
    fn join(&mut self, power: &HashMap<String, Power>, members: &BTreeMap<i64, Vec<String>>) {
        let mut on: HashMap<&str, (i64, bool)> = HashMap::new();
        for (id, owners) in members {
            let shares = owners.iter().filter_map(|owner| power.get(owner));
            let has_power = shares.into_iter().any(|share| {
                share.made_mw.is_some_and(|made_mw| made_mw > 0.0) || share.stored_mwh > 0.0
            });
            for owner in owners {
                // A switch is on two circuits; a machine that is stays with one that has power.
                let known = on.entry(owner).or_insert((*id, has_power));
                if !known.1 && has_power {
                    *known = (*id, true);
                }
            }
        }
        for (index, machine) in self.machines.iter_mut().enumerate() {
            if let Some(share) = power.get(&machine.path) {
                machine.recorded_mw = share.taken_mw;
                machine.recorded_production_mw = share.made_mw;
            }
            let circuit = on.get(machine.path.as_str());
            machine.circuit = circuit.map(|(id, _)| *id);
            machine.activity = machine.activity_with(circuit.map(|(_, has_power)| *has_power));
            if let Some((id, _)) = circuit {
                self.circuits.entry(*id).or_default().push(index);
            }
            if let (Some(source), MachineKind::Pressurizer) = (&machine.source, machine.kind) {
                self.pressurizers.insert(source.clone(), index);
            }
        }
        self.set_activity_of_wells();
        let Self {
            machines, nodes, ..
        } = self;
        for (index, machine) in machines.iter().enumerate() {
            if let Some(source) = &machine.source {
                nodes.take(source, index);
            }
        }
    }

    fn set_reasons(&mut self, held: &HashMap<String, Holdings>) {
        let idle = self.machines.iter_mut();
        for machine in idle.filter(|machine| machine.activity == Activity::Idle) {
            let holdings = held.get(&machine.path);
            if let Some(reason) = holdings.and_then(|holdings| holdings.reason(machine)) {
                machine.activity = reason;
            }
        }
    }

    /// An extractor of a resource well has no clock and no power line of its own: its pressurizer has.
    fn set_activity_of_wells(&mut self) {
        let states: HashMap<&str, Activity> = self
            .pressurizers
            .iter()
            .filter_map(|(core, index)| Some((core.as_str(), self.machines.get(*index)?.activity)))
            .collect();
        let mut changes = Vec::new();
        for (index, machine) in self.machines.iter().enumerate() {
            let core = || self.nodes.site(machine.source.as_deref()?)?.core;
            if machine.kind == MachineKind::Extractor
                && !machine.is_running
                && let Some(core) = core()
            {
                let activity = states.get(core).copied();
                changes.push((index, activity.unwrap_or(Activity::Unpowered)));
            }
        }
        for (index, activity) in changes {
            if let Some(machine) = self.machines.get_mut(index) {
                // A well under pressure whose extractor stands: the extractor itself waits.
                machine.activity = match activity {
                    Activity::Running => Activity::Idle,
                    other => other,
                };
            }
        }
    }
}
