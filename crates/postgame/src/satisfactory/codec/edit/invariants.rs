//! What holds between the objects of every save that the game wrote, and has to hold after a change.
//!
//! Notes, section 4: names are unique; components belong to actors and are listed by them; connections are mutual; a wire
//! has two ends, and both list it; hidden connections are mutual; circuits and their subsystem agree; a chain and its belts
//! name each other; pipe networks have members that exist and numbers of their own.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use crate::satisfactory::codec::model::object::ObjectKind;
use crate::satisfactory::codec::model::{Body, Object, Properties, Tail, Value};
use crate::satisfactory::codec::summary::short_class;

/// A rule that every save keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// No two objects of a level have the same name.
    UniqueNames,
    /// A component's actor exists.
    Owners,
    /// What an actor lists as its component is one of its own. It may be missing: actors of the map list components that
    /// have nothing to save.
    Components,
    /// A connection names one that exists.
    ConnectionTargets,
    /// Two connections name each other.
    MutualConnections,
    /// A wire's ends list it; what a connection lists is a wire that ends there. A wire may have no ends: saves of 1.1
    /// that 1.2 converted have such.
    Wires,
    /// Hidden connections exist and are mutual.
    HiddenConnections,
    /// A circuit's connections exist.
    Circuits,
    /// The circuit subsystem has each circuit under its number.
    CircuitNumbers,
    /// A chain's belts exist and name it, and the chain that a belt names has the belt.
    Chains,
    /// Members of a pipe network exist.
    PipeMembers,
    /// Two pipe networks have different numbers, and a connection's number is that of a network.
    PipeNumbers,
}

/// A place at which a rule does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    /// The rule.
    pub rule: Rule,
    /// The path of the object.
    pub object: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.object, self.problem)
    }
}

/// Everything in a body that breaks a rule, in the order of rules and objects.
pub fn breaches(body: &Body) -> Vec<Breach> {
    let mut facts = Facts::default();
    let decoder = body.decoder();
    for (number, level) in body.all_levels().enumerate() {
        let form = body.form(level);
        for entry in &level.objects {
            if let Ok((object, _)) = decoder.object(form, entry) {
                facts.add(number, &object);
            }
        }
    }
    let mut breaches = facts.breaches();
    breaches.sort_unstable();
    breaches.dedup();
    breaches
}

/// What the rules are about, by the objects' paths.
#[derive(Default)]
struct Facts {
    /// Every object by the number of its level and its path.
    names: HashSet<(usize, String)>,
    paths: HashSet<String>,
    twice: Vec<String>,
    /// The actor of each component.
    outers: HashMap<String, String>,
    /// The components that each actor lists.
    components: Vec<(String, Vec<String>)>,
    /// The other side of each connection.
    connected: HashMap<String, String>,
    hidden: HashMap<String, Vec<String>>,
    /// The wires that each connection lists.
    wires_at: HashMap<String, Vec<String>>,
    /// The two ends of each wire.
    wires: BTreeMap<String, [String; 2]>,
    /// The members and the number of each circuit.
    circuits: BTreeMap<String, (Vec<String>, i64)>,
    /// The subsystem's circuits by number.
    numbered: Option<BTreeMap<i64, String>>,
    /// The chain that each belt names.
    chain_of: HashMap<String, String>,
    /// The belts of each chain, with its first and last.
    chains: BTreeMap<String, Vec<String>>,
    /// The members and the number of each pipe network.
    networks: BTreeMap<String, (Vec<String>, i64)>,
    /// The number of the network of each pipe connection.
    network_of: HashMap<String, i64>,
}

fn references(properties: &Properties, name: &str) -> Vec<String> {
    let references = properties.list(name).iter().filter_map(Value::reference);
    references
        .map(|reference| reference.path.to_string())
        .collect()
}

impl Facts {
    fn add(&mut self, level: usize, object: &Object) {
        let path = object.header.reference.path.to_string();
        if !self.names.insert((level, path.clone())) {
            self.twice.push(path.clone());
        }
        self.paths.insert(path.clone());
        let class = object.header.class.to_str();
        let class = short_class(&class);
        let fields = object.data.as_ref().and_then(|data| data.fields());
        if let ObjectKind::Component { outer } = &object.header.kind {
            self.outers.insert(path.clone(), outer.to_string());
        } else if let Some(components) = fields.and_then(|fields| fields.components.as_ref()) {
            let components = components.iter().map(|one| one.path.to_string());
            self.components.push((path.clone(), components.collect()));
        }
        match object.tail() {
            Some(Tail::Wire(wire)) => {
                let ends = [&wire.first, &wire.second].map(|end| end.path.to_string());
                self.wires.insert(path.clone(), ends);
            }
            Some(Tail::Chain(chain)) => {
                let belts = chain.segments.iter().map(|segment| &segment.belt);
                let belts = belts.chain([&chain.first, &chain.last]);
                let belts = belts.map(|belt| belt.path.to_string()).collect();
                self.chains.insert(path.clone(), belts);
            }
            Some(Tail::Circuits(circuits)) => {
                let circuits = circuits.0.iter();
                let circuits =
                    circuits.map(|(id, circuit)| (i64::from(*id), circuit.path.to_string()));
                self.numbered = Some(circuits.collect());
            }
            _ => {}
        }
        if let Some(properties) = object.properties() {
            self.add_properties(path, class, properties);
        }
    }

    fn add_properties(&mut self, path: String, class: &str, properties: &Properties) {
        let reference = |name: &str| {
            let reference = properties.reference(name)?;
            Some(reference.path.to_string())
        };
        if let Some(other) = reference("mConnectedComponent") {
            self.connected.insert(path.clone(), other);
        }
        if let Some(chain) = reference("mConveyorChainActor") {
            self.chain_of.insert(path.clone(), chain);
        }
        let hidden = references(properties, "mHiddenConnections");
        if !hidden.is_empty() {
            self.hidden.insert(path.clone(), hidden);
        }
        let wires = references(properties, "mWires");
        if !wires.is_empty() {
            self.wires_at.insert(path.clone(), wires);
        }
        match class {
            "FGPowerCircuit" => {
                let number = properties.int("mCircuitID").unwrap_or(0);
                let members = references(properties, "mComponents");
                self.circuits.insert(path, (members, number));
            }
            "FGPipeNetwork" => {
                let number = properties.int("mPipeNetworkID").unwrap_or(0);
                let members = references(properties, "mFluidIntegrantScriptInterfaces");
                self.networks.insert(path, (members, number));
            }
            "FGPipeConnectionComponent" | "FGPipeConnectionFactory" => {
                if let Some(number) = properties.int("mPipeNetworkID") {
                    self.network_of.insert(path, number);
                }
            }
            _ => {}
        }
    }

    fn breaches(&self) -> Vec<Breach> {
        let mut all = Vec::new();
        let mut add = |rule, object: &str, problem: String| {
            all.push(Breach {
                rule,
                object: object.to_owned(),
                problem,
            });
        };
        for path in &self.twice {
            add(
                Rule::UniqueNames,
                path,
                "another object has its name".to_owned(),
            );
        }
        self.check_components(&mut add);
        self.check_connections(&mut add);
        self.check_wires(&mut add);
        self.check_circuits(&mut add);
        self.check_chains(&mut add);
        self.check_pipes(&mut add);
        all
    }

    fn check_components(&self, add: &mut impl FnMut(Rule, &str, String)) {
        for (path, outer) in &self.outers {
            // The level itself owns what mods keep in it, and is in no file.
            if !self.paths.contains(outer) && !outer.ends_with(":PersistentLevel") {
                add(
                    Rule::Owners,
                    path,
                    format!("its owner {outer} does not exist"),
                );
            }
        }
        for (path, components) in &self.components {
            for component in components {
                let owner = self.outers.get(component);
                if owner.is_some_and(|owner| owner != path) {
                    let problem = format!("its component {component} is of another object");
                    add(Rule::Components, path, problem);
                }
            }
        }
    }

    fn check_connections(&self, add: &mut impl FnMut(Rule, &str, String)) {
        for (path, other) in &self.connected {
            if !self.paths.contains(other) {
                let problem = format!("is connected to {other}, which does not exist");
                add(Rule::ConnectionTargets, path, problem);
            } else if self.connected.get(other) != Some(path) {
                let problem = format!("is connected to {other}, but not the other way");
                add(Rule::MutualConnections, path, problem);
            }
        }
        for (path, others) in &self.hidden {
            for other in others {
                let back = self.hidden.get(other);
                if !back.is_some_and(|back| back.contains(path)) {
                    let problem = format!("has a hidden connection to {other} that is not mutual");
                    add(Rule::HiddenConnections, path, problem);
                }
            }
        }
    }

    fn check_wires(&self, add: &mut impl FnMut(Rule, &str, String)) {
        for (wire, ends) in &self.wires {
            for end in ends.iter().filter(|end| !end.is_empty()) {
                let listed = self.wires_at.get(end);
                if !listed.is_some_and(|listed| listed.contains(wire)) {
                    add(Rule::Wires, wire, format!("its end {end} does not list it"));
                }
            }
        }
        for (end, wires) in &self.wires_at {
            for wire in wires {
                let ends = self.wires.get(wire);
                if !ends.is_some_and(|ends| ends.contains(end)) {
                    add(
                        Rule::Wires,
                        end,
                        format!("lists {wire}, which does not end here"),
                    );
                }
            }
        }
    }

    fn check_circuits(&self, add: &mut impl FnMut(Rule, &str, String)) {
        for (path, (members, number)) in &self.circuits {
            for member in members {
                if !self.paths.contains(member) {
                    let problem = format!("its member {member} does not exist");
                    add(Rule::Circuits, path, problem);
                }
            }
            if let Some(numbered) = &self.numbered
                && numbered.get(number) != Some(path)
            {
                let problem =
                    format!("the subsystem has another circuit under its number {number}");
                add(Rule::CircuitNumbers, path, problem);
            }
        }
        for (number, circuit) in self.numbered.iter().flatten() {
            if !self.circuits.contains_key(circuit) {
                let problem = format!("circuit {number} does not exist");
                add(Rule::CircuitNumbers, circuit, problem);
            }
        }
    }

    fn check_chains(&self, add: &mut impl FnMut(Rule, &str, String)) {
        for (chain, belts) in &self.chains {
            for belt in belts {
                if self.chain_of.get(belt) != Some(chain) {
                    add(
                        Rule::Chains,
                        chain,
                        format!("its belt {belt} does not name it"),
                    );
                }
            }
        }
        for (belt, chain) in &self.chain_of {
            let belts = self.chains.get(chain);
            if !belts.is_some_and(|belts| belts.contains(belt)) {
                add(
                    Rule::Chains,
                    belt,
                    format!("its chain {chain} does not have it"),
                );
            }
        }
    }

    fn check_pipes(&self, add: &mut impl FnMut(Rule, &str, String)) {
        let mut numbers: HashMap<i64, &str> = HashMap::new();
        for (path, (members, number)) in &self.networks {
            for member in members {
                if !self.paths.contains(member) {
                    let problem = format!("its member {member} does not exist");
                    add(Rule::PipeMembers, path, problem);
                }
            }
            if let Some(other) = numbers.insert(*number, path) {
                let problem = format!("has the number {number} of {other}");
                add(Rule::PipeNumbers, path, problem);
            }
        }
        for (path, number) in &self.network_of {
            // −1 asks the game for a new number.
            if *number != NO_NETWORK && !numbers.contains_key(number) {
                let problem = format!("is in the network {number}, which does not exist");
                add(Rule::PipeNumbers, path, problem);
            }
        }
    }
}

/// The number of a pipe that has no network yet.
const NO_NETWORK: i64 = -1;
