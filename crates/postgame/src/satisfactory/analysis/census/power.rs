//! Electric circuits: who is on them, and the power the file records.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::satisfactory::codec::model::{Properties, Value};

/// A circuit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Circuit {
    /// Its number.
    pub id: i64,
    /// How many buildings are on it, poles too.
    pub members: usize,
    /// What they could make, in megawatts.
    pub production_mw: f64,
    /// What they take, in megawatts; a machine that waits takes 0.1.
    pub consumption_mw: f64,
    /// What its batteries hold, in megawatt-hours.
    pub stored_mwh: f64,
}

impl Circuit {
    /// True while anything on it makes or stores power.
    pub fn has_power(&self) -> bool {
        self.production_mw > 0.0 || self.stored_mwh > 0.0
    }
}

/// What a building makes and takes, as recorded.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    production_mw: f64,
    consumption_mw: f64,
    stored_mwh: f64,
}

/// What the file says of power, collected object by object.
#[derive(Debug, Default)]
pub(super) struct Wiring {
    shares: HashMap<String, Share>,
    members: BTreeMap<i64, BTreeSet<String>>,
}

impl Wiring {
    /// The part of a building that knows its power.
    pub fn add_info(&mut self, owner: String, info: &Properties) {
        let number = |name| info.real(name).unwrap_or(0.0);
        let share = self.shares.entry(owner).or_default();
        share.production_mw += number("mBaseProduction") + number("mDynamicProductionCapacity");
        share.consumption_mw += number("mTargetConsumption");
    }

    /// A battery.
    pub fn add_store(&mut self, owner: String, battery: &Properties) {
        let share = self.shares.entry(owner).or_default();
        share.stored_mwh += battery.real("mPowerStore").unwrap_or(0.0);
    }

    /// A circuit, which lists the connections on it.
    pub fn add_circuit(&mut self, circuit: &Properties) {
        // The first circuit's number is 0, which is not always stored.
        let id = circuit.int("mCircuitID").unwrap_or(0);
        let connections = circuit.list("mComponents").iter();
        let owners = connections.filter_map(Value::reference).map(|connection| {
            let path = connection.path.to_str();
            let owner = path.rsplit_once('.').map_or(&*path, |(owner, _)| owner);
            owner.to_owned()
        });
        self.members.entry(id).or_default().extend(owners);
    }

    /// The circuits in order of their numbers, and which one each building is on.
    pub fn finish(self) -> (Vec<Circuit>, HashMap<String, usize>) {
        let mut on = HashMap::new();
        let mut circuits = Vec::new();
        for (id, members) in self.members {
            let mut circuit = Circuit {
                id,
                members: members.len(),
                ..Circuit::default()
            };
            for member in members {
                let share = self.shares.get(&member).copied().unwrap_or_default();
                circuit.production_mw += share.production_mw;
                circuit.consumption_mw += share.consumption_mw;
                circuit.stored_mwh += share.stored_mwh;
                on.insert(member, circuits.len());
            }
            circuits.push(circuit);
        }
        (circuits, on)
    }
}
