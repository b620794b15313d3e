//! The connections of belts, pipes and machines, as the save has them.

use std::collections::HashMap;

use crate::satisfactory::analysis::classes::{Class, each_object, mod_of};
use crate::satisfactory::analysis::production::MachineKind;
use crate::satisfactory::catalogue;
use crate::satisfactory::codec::model::object::ObjectKind;
use crate::satisfactory::codec::model::{Body, Seed, Str, Value};

/// What a building is to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A belt or a lift: a piece of a line with a direction.
    Belt,
    /// A pipe, a pump or a valve: a piece of a line while two of its ends are used.
    Pipe,
    /// Anything else: lines end there.
    Stop,
}

/// A building with connections.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    /// The path of the object.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// Where it is, in centimetres.
    pub position_cm: Option<[f64; 3]>,
    /// What it is to a line.
    pub part: Part,
    /// Its connections, by their indices.
    pub ends: Vec<usize>,
    /// The chain it belongs to.
    pub chain: Option<String>,
}

/// One end of a building.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// The name of the component, such as `ConveyorAny0`.
    pub name: String,
    /// The index of its building.
    pub owner: usize,
    /// Whether it is for pipes.
    pub is_pipe: bool,
    /// The index of the connection at the other side.
    pub other: Option<usize>,
}

impl End {
    /// Whether things come out of the building here, by the connection's name; `None` if it does not tell.
    pub fn is_output(&self) -> Option<bool> {
        let name = self.name.as_str();
        if name == "ConveyorAny0" || name.starts_with("Input") || name.starts_with("PipeInput") {
            Some(false)
        } else if name == "ConveyorAny1"
            || name.starts_with("Output")
            || name.starts_with("PipeOutput")
        {
            Some(true)
        } else {
            None
        }
    }
}

/// All connections of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections {
    pub owners: Vec<Owner>,
    pub ends: Vec<End>,
    /// How many connections name one that does not name them.
    pub one_sided: usize,
    /// How many connections name one that is not in the file.
    pub dangling: usize,
}

fn part_of(class: &Class) -> Part {
    let short = class.short();
    let native = catalogue::building(short).map_or("", |known| known.native);
    match native {
        "FGBuildableConveyorBelt" | "FGBuildableConveyorLift" => Part::Belt,
        "FGBuildablePipeline" | "FGBuildablePipelinePump" => Part::Pipe,
        "" if short.contains("ConveyorBelt") || short.contains("ConveyorLift") => Part::Belt,
        "" if short.contains("Pipeline") && !short.contains("Junction") => Part::Pipe,
        _ => Part::Stop,
    }
}

/// Whether a component of a class joins belts (`false`) or pipes (`true`).
fn joins(class: &str) -> Option<bool> {
    match class {
        "FGFactoryConnectionComponent" => Some(false),
        "FGPipeConnectionComponent" | "FGPipeConnectionFactory" => Some(true),
        _ => None,
    }
}

/// Reads all connections of a body.
pub(super) fn connections(body: &Body) -> Connections {
    let mut all = Connections::default();
    let mut owners: HashMap<Str, usize, Seed> = HashMap::default();
    let mut ends: HashMap<Str, usize, Seed> = HashMap::default();
    let mut targets: Vec<Option<Str>> = Vec::new();
    each_object(body, |class, header, object| {
        let path = &header.reference.path;
        if let ObjectKind::Component { outer } = &header.kind {
            let Some(is_pipe) = joins(class.short()) else {
                return;
            };
            let owner = *owners.entry(outer.clone()).or_insert_with(|| {
                all.owners.push(Owner::new(&outer.to_str()));
                all.owners.len() - 1
            });
            let object = object();
            let properties = object.as_ref().and_then(|object| object.properties());
            let target = properties
                .and_then(|properties| properties.reference("mConnectedComponent"))
                .map(|target| target.path.clone());
            let index = all.ends.len();
            ends.insert(path.clone(), index);
            targets.push(target);
            all.ends.push(End {
                name: path
                    .to_str()
                    .rsplit('.')
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                owner,
                is_pipe,
                other: None,
            });
            if let Some(owner) = all.owners.get_mut(owner) {
                owner.ends.push(index);
            }
            return;
        }
        let part = part_of(class);
        // A building may come after its connections.
        let is_known = owners.contains_key(path);
        if !is_known && !class.is_building() {
            return;
        }
        let index = match owners.get(path) {
            Some(index) => *index,
            None if part != Part::Stop
                || MachineKind::of(class).is_some()
                || may_connect(class)
                || mod_of(&class.path).is_some() =>
            {
                all.owners.push(Owner::new(&path.to_str()));
                owners.insert(path.clone(), all.owners.len() - 1);
                all.owners.len() - 1
            }
            None => return,
        };
        if let Some(owner) = all.owners.get_mut(index) {
            owner.class.clone_from(&class.path);
            owner.part = part;
            let placement = header.placement();
            owner.position_cm = placement.map(|placement| placement.position_cm.map(f64::from));
            let may_be_belt = part == Part::Belt || mod_of(&class.path).is_some();
            if may_be_belt
                && let Some(object) = object()
                && let Some(properties) = object.properties()
            {
                let chain = properties
                    .value("mConveyorChainActor")
                    .and_then(Value::reference);
                owner.chain = chain.map(|chain| chain.path.to_string());
            }
        }
    });
    all.find_belts_of_mods();
    for (index, target) in targets.iter().enumerate() {
        let Some(target) = target else { continue };
        match ends.get(target) {
            Some(other) => {
                let back = targets.get(*other).and_then(Option::as_ref);
                let is_mutual = back.is_some_and(|back| ends.get(back) == Some(&index));
                all.one_sided += usize::from(!is_mutual);
                if let Some(end) = all.ends.get_mut(index) {
                    end.other = Some(*other);
                }
            }
            None => all.dangling += 1,
        }
    }
    all
}

impl Connections {
    /// Mods call their belts and lifts what they like, but those have the game's two connections of a belt.
    fn find_belts_of_mods(&mut self) {
        for owner in &mut self.owners {
            let names = owner.ends.iter().filter_map(|end| self.ends.get(*end));
            let mut names: Vec<&str> = names.map(|end| end.name.as_str()).collect();
            names.sort_unstable();
            if owner.part == Part::Stop && names == ["ConveyorAny0", "ConveyorAny1"] {
                owner.part = Part::Belt;
            }
        }
    }
}

/// True for buildings that lines may end at although they are no machines.
fn may_connect(class: &Class) -> bool {
    matches!(
        class.category,
        "conveyors" | "pipes" | "storage" | "transport" | "railway" | "special"
    )
}

impl Owner {
    fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            class: String::new(),
            position_cm: None,
            part: Part::Stop,
            ends: Vec::new(),
            chain: None,
        }
    }
}
