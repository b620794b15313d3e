//! One pass over a save: headers first, then the objects that have something to tell.

use std::collections::{BTreeMap, HashMap};

use super::collectibles::Finds;
use super::curve;
use super::items::{Items, Place};
use super::machines::{Machine, Machines, Purpose};
use super::power::Wiring;
use super::session::Session;
use super::transport::Fleet;
use super::{Buildings, Census, Lengths, ModShare, PlayerCensus};
use crate::satisfactory::analysis::classes::{Class, Classes, mod_of, object_name};
use crate::satisfactory::codec::model::decode::LevelForm;
use crate::satisfactory::codec::model::object::ObjectKind;
use crate::satisfactory::codec::model::{
    Body, Entry, Object, Properties, Seed, Str, Struct, Tail, Value,
};

/// What an object of a class has to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing.
    None,
    /// A belt, pipe, tube, rail or line.
    Line,
    /// A machine.
    Machine(Purpose),
    /// A battery.
    Battery,
    /// A building that may hold a fluid.
    Tank,
    /// A chain of belts.
    Chain,
    /// The part of something that holds items.
    Inventory,
    /// The part of a building that knows its power.
    PowerInfo,
    /// A circuit.
    Circuit,
    /// What is filled with one fluid.
    PipeNetwork,
    /// Items to be picked up.
    Pickup,
    /// A player's body.
    Player,
    /// A player's account in this save.
    PlayerState,
    /// A vehicle, rail car or drone.
    Vehicle,
    /// A train as a whole.
    Train,
    /// A train station's name.
    Station,
    /// A train's timetable.
    Timetable,
    /// A wreck.
    DropPod,
    /// The list of what was taken out of the world.
    Scanner,
    /// Buildings that have no object of their own.
    Lightweight,
    /// One of the game's managers.
    Manager,
    /// The dimensional depot.
    Depot,
    /// Something of a mod: perhaps a building.
    Mod,
}

impl Role {
    fn of(class: &Class, is_actor: bool) -> Self {
        let short = class.short();
        match short {
            "FGPowerInfoComponent" => return Self::PowerInfo,
            "FGPowerCircuit" => return Self::Circuit,
            "FGPipeNetwork" => return Self::PipeNetwork,
            "FGPipeConnectionFactory" => return Self::Tank,
            "FGTrainStationIdentifier" => return Self::Station,
            "FGRailroadTimeTable" => return Self::Timetable,
            "FGLightweightBuildableSubsystem" => return Self::Lightweight,
            "BP_Train_C" => return Self::Train,
            "BP_PlayerState_C" => return Self::PlayerState,
            "BP_DropPod_C" => return Self::DropPod,
            "FGCentralStorageSubsystem" => return Self::Depot,
            "FGScannableSubsystem" => return Self::Scanner,
            _ if Session::is_manager(short) => return Self::Manager,
            _ if short.starts_with("FGConveyorChainActor") => return Self::Chain,
            _ if short.starts_with("FGInventoryComponent") => return Self::Inventory,
            _ => {}
        }
        match (class.kind, class.category) {
            _ if !is_actor => Self::None,
            ("player", _) => Self::Player,
            ("vehicle" | "train" | "drone", _) => Self::Vehicle,
            ("pickup" | "plant", _) => Self::Pickup,
            ("building", "production") => Self::Machine(Purpose::Production),
            ("building", "extraction") => Self::Machine(Purpose::Extraction),
            ("building", "generators") => Self::Machine(Purpose::Generation),
            _ if short.starts_with("Build_PowerStorage") => Self::Battery,
            _ if short.starts_with("Build_ConveyorBelt")
                || short.starts_with("Build_ConveyorLift")
                || short.starts_with("Build_PowerLine")
                || short.starts_with("Build_RailroadTrack")
                || short == "Build_PipeHyper_C"
                || short.starts_with("Build_Pipeline") =>
            {
                Self::Line
            }
            ("building", "pipes" | "storage") if is_fluid_holder(short) => Self::Tank,
            _ if mod_of(&class.path).is_some() => Self::Mod,
            _ => Self::None,
        }
    }
}

fn is_fluid_holder(short: &str) -> bool {
    short.contains("Tank") || short.contains("Pipe") || short.contains("Valve")
}

/// An object to be looked at.
struct Candidate<'a> {
    form: LevelForm,
    entry: &'a Entry,
    class: usize,
    role: Role,
    /// The path of what a part is a part of.
    outer: Option<Str>,
}

/// What is known of a class after its first object.
#[derive(Clone, Copy, Default)]
struct Known {
    /// How many objects it has.
    objects: usize,
    /// What a part and what an actor of it have to tell.
    roles: [Option<Role>; 2],
}

/// What is found on the way.
#[derive(Default)]
struct Walk {
    classes: Classes,
    /// By the class's number.
    known: Vec<Known>,
    /// The class of every actor, by its path.
    owners: HashMap<Str, usize, Seed>,
    census: Census,
    items: Items,
    wiring: Wiring,
    fleet: Fleet,
    finds: Finds,
    machines: Vec<Machine>,
    buildings: BTreeMap<usize, usize>,
    fluids_m3: HashMap<String, f64>,
    networks: Vec<(String, Vec<String>)>,
    names_of_pawns: HashMap<String, String>,
}

/// Takes the census of a body.
pub(super) fn walk(body: &Body, map: &str, session: Session) -> Census {
    let mut walk = Walk {
        finds: Finds::new(body),
        ..Walk::default()
    };
    walk.census.session = session;
    let decoder = body.decoder();
    let mut candidates = Vec::new();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            let class = walk.classes.number(&header.class);
            let outer = match &header.kind {
                ObjectKind::Component { outer } => Some(outer.clone()),
                ObjectKind::Actor(_) => None,
            };
            let role = walk.count(class, &header.reference.path, outer.is_none());
            if role != Role::None {
                candidates.push(Candidate {
                    form,
                    entry,
                    class,
                    role,
                    outer,
                });
            }
        }
    }
    for candidate in &candidates {
        if let Ok((object, _)) = decoder.object(candidate.form, candidate.entry) {
            walk.look(candidate, &object);
        }
    }
    walk.finish(body.save_version(), map)
}

impl Walk {
    /// Counts an object by its header; says what more it has to tell.
    fn count(&mut self, number: usize, path: &Str, is_actor: bool) -> Role {
        let Some(class) = self.classes.get(number) else {
            return Role::None;
        };
        self.census.session.objects += 1;
        if self.known.len() <= number {
            self.known.resize(number + 1, Known::default());
        }
        let known = self.known.get_mut(number);
        let role = known.map_or(Role::None, |known| {
            known.objects += 1;
            let role = known.roles.get_mut(usize::from(is_actor));
            role.map_or(Role::None, |role| {
                *role.get_or_insert_with(|| Role::of(class, is_actor))
            })
        });
        if is_actor {
            self.owners.insert(path.clone(), number);
            if class.is_building() {
                *self.buildings.entry(number).or_default() += 1;
            } else if class.kind == "collectable" {
                self.finds.add(class.short(), &path.to_str());
            }
        }
        role
    }

    fn look(&mut self, candidate: &Candidate<'_>, object: &Object) {
        let Some(class) = self.classes.get(candidate.class) else {
            return;
        };
        let none = Properties::default();
        let properties = object.properties().unwrap_or(&none);
        let path = &object.header.reference.path;
        let outer = || {
            let outer = candidate.outer.as_ref();
            outer.map(|outer| outer.to_string()).unwrap_or_default()
        };
        match candidate.role {
            Role::None => {}
            Role::Line => {
                self.census.lengths.add(class.short(), properties);
                self.add_fluid(object, properties);
                if let Some(Tail::Belt(items)) = object.tail() {
                    items
                        .iter()
                        .for_each(|item| self.items.add_on_belt(&item.item));
                }
            }
            Role::Chain => {
                if let Some(Tail::Chain(chain)) = object.tail() {
                    let items = chain.items.iter();
                    items.for_each(|item| self.items.add_on_belt(&item.item));
                }
            }
            Role::Machine(purpose) => {
                let path = path.to_string();
                let machine = Machine::new(path, &class.path, purpose, properties);
                self.machines.push(machine);
                self.add_fluid(object, properties);
            }
            Role::Battery => self.wiring.add_store(path.to_string(), properties),
            Role::Tank => self.add_fluid(object, properties),
            Role::PowerInfo => self.wiring.add_info(outer(), properties),
            Role::Circuit => self.wiring.add_circuit(properties),
            Role::PipeNetwork => {
                if let Some(fluid) = properties.reference("mFluidDescriptor") {
                    let members = properties.list("mFluidIntegrantScriptInterfaces").iter();
                    let members = members.filter_map(Value::reference);
                    let members = members.map(|member| member.path.to_string());
                    self.networks
                        .push((fluid.path.to_string(), members.collect()));
                }
            }
            Role::Inventory => {
                if let Some(outer) = &candidate.outer {
                    let owner = self.owners.get(outer);
                    let place = Place::of(owner.and_then(|class| self.classes.get(*class)));
                    let stacks = properties.list("mInventoryStacks");
                    self.items.add_inventory(outer, place, stacks);
                }
            }
            Role::Pickup => {
                if let Some(stack) = properties.structure("mPickupItems") {
                    self.items.add_stack(Place::of(Some(class)), stack);
                }
            }
            Role::Player => {
                let name = properties.words("mCachedPlayerName");
                self.census.players.push(PlayerCensus {
                    path: path.to_string(),
                    name: name.map(|name| name.into_owned()).unwrap_or_default(),
                });
            }
            Role::PlayerState => {
                let name = ["mCachedPlayerName", "PlayerName", "mPlayerName"]
                    .iter()
                    .find_map(|name| properties.words(name));
                if let (Some(pawn), Some(name)) = (properties.reference("mOwnedPawn"), name) {
                    self.names_of_pawns
                        .insert(pawn.path.to_string(), name.into_owned());
                }
            }
            Role::Vehicle => self.fleet.add_vehicle(class, object, properties),
            Role::Train => self.fleet.add_train(object, properties),
            Role::Station => self.fleet.add_station(object, properties),
            Role::Timetable => self.fleet.add_timetable(object, properties),
            Role::DropPod => self.finds.add_pod(&path.to_str(), properties),
            Role::Scanner => self.finds.add_scanner(properties),
            Role::Lightweight => self.add_lightweight(object),
            Role::Manager => self.census.session.add_manager(class.short(), properties),
            Role::Depot => self.add_depot(properties),
            Role::Mod => self.add_of_mod(candidate.class, properties),
        }
    }

    /// Something of a mod: a building if it says with which recipe it was built, whatever its class is called.
    fn add_of_mod(&mut self, number: usize, properties: &Properties) {
        let Some(class) = self.classes.get(number) else {
            return;
        };
        let is_named = class.is_building();
        let was_built = properties.reference("mBuiltWithRecipe").is_some();
        if was_built && !is_named {
            *self.buildings.entry(number).or_default() += 1;
        }
        if was_built || is_named {
            self.census.lengths.add(class.short(), properties);
        }
    }

    fn add_lightweight(&mut self, object: &Object) {
        let Some(Tail::Lightweight(lightweight)) = object.tail() else {
            return;
        };
        for class in &lightweight.classes {
            let count = class.there().count();
            if count > 0 {
                let number = self.classes.number(&class.class.path);
                *self.buildings.entry(number).or_default() += count;
                self.census.lightweight += count;
            }
        }
    }

    fn add_depot(&mut self, depot: &Properties) {
        let stored = depot.list("mStoredItems").iter();
        for stored in stored.filter_map(Value::properties) {
            let amount = stored.int("amount").or(stored.int("Amount"));
            if let (Some(class), Some(amount)) = (stored.reference("ItemClass"), amount) {
                self.items.add(Place::Depot, &class.path, amount);
            }
        }
    }

    /// The fluid in a pipe, pump, tank or a machine's connection.
    fn add_fluid(&mut self, object: &Object, properties: &Properties) {
        let content = match properties.value("mFluidBox") {
            Some(Value::Struct(Struct::Floats(values))) => values.first().copied(),
            _ => None,
        };
        if let Some(content) = content.filter(|content| content.is_finite() && *content != 0.0) {
            let path = object.header.reference.path.to_string();
            self.fluids_m3.insert(path, content.into());
        }
    }

    fn finish(self, save_version: i32, map: &str) -> Census {
        let mut census = self.census;
        for (number, known) in self.known.iter().enumerate() {
            let class = self.classes.get(number);
            if let Some(name) = class.and_then(|class| mod_of(&class.path)) {
                let share = census.mods.entry(name.to_owned()).or_default();
                share.objects += known.objects;
            }
        }
        for (number, count) in self.buildings {
            let Some(class) = self.classes.get(number) else {
                continue;
            };
            census.buildings.add(class, count);
            if let Some(name) = mod_of(&class.path) {
                let share = census.mods.entry(name.to_owned()).or_default();
                share.buildings += count;
            }
        }
        for (fluid, members) in &self.networks {
            let contents = members
                .iter()
                .filter_map(|member| self.fluids_m3.get(member));
            *census.fluids_m3.entry(fluid.clone()).or_default() += contents.sum::<f64>();
        }
        let (circuits, on) = self.wiring.finish();
        census.machines = Machines::new(&self.machines, |path| {
            let circuit = circuits.get(*on.get(path)?)?;
            Some(circuit.has_power())
        });
        census.circuits = circuits;
        census.transport = self.fleet.finish();
        census.collectibles = self.finds.finish(save_version, map);
        census.items = self.items;
        for player in &mut census.players {
            if player.name.is_empty() {
                let name = self.names_of_pawns.get(&player.path).cloned();
                let own =
                    || object_name(&crate::satisfactory::codec::model::Ref::asset(&player.path));
                player.name = name.unwrap_or_else(own);
            }
        }
        census
    }
}

impl Buildings {
    fn add(&mut self, class: &Class, count: usize) {
        self.total += count;
        let category = self.by_category.entry(class.category).or_default();
        *category.entry(class.path.clone()).or_default() += count;
    }
}

impl Lengths {
    /// Adds what is as long as its curve, its lift or its wire says.
    fn add(&mut self, class: &str, properties: &Properties) {
        const CM_PER_M: f64 = 100.0;
        let curve_m = || curve::length(&curve::knots(properties)) / CM_PER_M;
        let (sum, length_m) = match class {
            _ if class.starts_with("Build_ConveyorLift") => {
                let height_cm = curve::lift_cm(properties).unwrap_or(0.0);
                (&mut self.lifts_m, height_cm / CM_PER_M)
            }
            _ if class.starts_with("Build_ConveyorBelt") => (&mut self.belts_m, curve_m()),
            _ if class.starts_with("Build_PipeHyper") => (&mut self.hypertubes_m, curve_m()),
            _ if class.starts_with("Build_Pipeline") => (&mut self.pipes_m, curve_m()),
            _ if class.starts_with("Build_RailroadTrack") => (&mut self.rails_m, curve_m()),
            _ if class.starts_with("Build_PowerLine") => {
                let length_cm = properties.real("mCachedLength").unwrap_or(0.0);
                (&mut self.power_lines_m, length_cm / CM_PER_M)
            }
            _ => (&mut self.other_m, curve_m()),
        };
        if length_m.is_finite() {
            *sum += length_m;
        }
    }
}

impl ModShare {
    /// What part of all buildings is the mod's.
    pub fn share_of_buildings(&self, buildings: &Buildings) -> Option<f64> {
        (buildings.total > 0).then(|| self.buildings as f64 / buildings.total as f64)
    }
}
