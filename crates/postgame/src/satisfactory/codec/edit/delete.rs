//! Deletes buildings together with everything that belongs to them, so that what stays is consistent.
//!
//! Notes, section 4. With a building go its components, the wires that end at it, a pipe's flow indicator, the chain of a
//! belt, and circuits and pipe networks that lose their last member; everything else forgets what is gone. The other belts
//! of a chain get their items back: the game makes new chains for belts without one when it loads a save.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Rewrite, Target};
use crate::error::Result;
use crate::satisfactory::codec::model::items::BeltItem;
use crate::satisfactory::codec::model::object::ObjectKind;
use crate::satisfactory::codec::model::refs::{Keep, visit_refs};
use crate::satisfactory::codec::model::tail::{Chain, LightweightInstance};
use crate::satisfactory::codec::model::{Body, Object, Properties, Ref, Str, Tail, Value};
use crate::satisfactory::codec::summary::short_class;
use crate::satisfactory::tables;

/// From this save version on, the game makes new chains whatever version a belt has (notes, section 4).
const CHAINS_ANEW_SINCE: i32 = 51;
/// Before, a belt must look as if it came from a save without chains.
const VERSION_WITHOUT_CHAINS: i32 = 44;

/// Buildings that other things depend on in ways that are not known, by the beginning of their class.
const REFUSED: &[(&str, &str)] = &[
    (
        "Build_BlueprintDesigner",
        "a blueprint designer keeps what stands in it",
    ),
    (
        "Build_DroneStation",
        "drones have it as their home or destination",
    ),
    (
        "Build_GeneratorIntegratedBiomass",
        "it is a part of the HUB",
    ),
    ("Build_HubTerminal", "it is a part of the HUB"),
    ("Build_Portal", "portals name each other"),
    (
        "Build_Railroad",
        "trains, signals and stations depend on the railway",
    ),
    ("Build_SpaceElevator", "it keeps the progress of the game"),
    ("Build_StorageIntegrated", "it is a part of the HUB"),
    ("Build_TradingPost", "it is the HUB"),
    (
        "Build_Train",
        "trains, signals and stations depend on the railway",
    ),
    ("Build_TruckStation", "vehicles drive to it"),
    ("Build_WorkBenchIntegrated", "it is a part of the HUB"),
];

/// Something that is not deleted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The path of the object.
    pub object: String,
    /// Why not.
    pub reason: &'static str,
}

/// What was deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Buildings that were asked for.
    pub buildings: usize,
    /// Lightweight buildings that were asked for.
    pub lightweight: usize,
    /// Wires that ended at one of them.
    pub wires: usize,
    /// Chains whose belts the game joins anew.
    pub chains: usize,
    /// Circuits and pipe networks that lost their last member.
    pub networks: usize,
    /// All objects that are gone, components and flow indicators among them.
    pub objects: usize,
    /// What was not deleted.
    pub refused: Vec<Refusal>,
}

/// Why an actor must not be deleted; `None` if it may.
fn refusal(class: &str, is_of_the_map: bool) -> Option<&'static str> {
    let is_building = class
        .get(..6)
        .is_some_and(|start| start.eq_ignore_ascii_case("Build_"));
    if is_of_the_map {
        return Some("it is a part of the map, and would come back");
    }
    if !is_building || tables::actor_kind(class) != "building" && !class.starts_with("BUILD_") {
        return Some("it is not a building");
    }
    let refused = REFUSED.iter().find(|(start, _)| class.starts_with(start));
    refused.map(|(_, reason)| *reason)
}

/// The actor that a component is a part of, by its path.
fn owner(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(owner, _)| owner)
}

/// What goes, and what stays of the chains.
#[derive(Default)]
struct Plan {
    /// Actors that go, by path.
    actors: HashSet<String>,
    /// Everything that goes.
    gone: HashSet<Ref>,
    /// Items of belts that lose their chain, by the belt's path.
    items: HashMap<Str, Vec<BeltItem>>,
    deleted: Deleted,
}

impl Body {
    /// Deletes buildings. What cannot be deleted safely is refused and stays.
    ///
    /// # Errors
    /// When an object cannot be decoded; the body may be changed partly then.
    pub fn delete(&mut self, targets: &BTreeSet<Target>) -> Result<Deleted> {
        let mut plan = Plan::default();
        plan.choose(self, targets);
        plan.follow(self)?;
        plan.add_components(self);
        let blank = lightweight(targets);
        let mut blanked = 0;
        let version = self.save_version();
        let removed = self.rewrite(|object| {
            if plan.gone.contains(&object.header.reference) {
                return Rewrite::Remove;
            }
            let mut is_changed = forget(object, &plan.gone);
            if let Some(items) = plan.items.remove(&object.header.reference.path) {
                is_changed = true;
                give_back(object, items, version);
            }
            if !blank.is_empty() {
                let count = blank_lightweight(object, &blank);
                blanked += count;
                is_changed |= count > 0;
            }
            if is_changed {
                Rewrite::Change
            } else {
                Rewrite::Leave
            }
        })?;
        let mut deleted = plan.deleted;
        deleted.objects = removed;
        deleted.lightweight = blanked;
        deleted.refused.sort_unstable();
        Ok(deleted)
    }
}

/// The wanted lightweight buildings.
fn lightweight(targets: &BTreeSet<Target>) -> HashSet<(usize, usize)> {
    let wanted = targets.iter().filter_map(|target| match target {
        Target::Lightweight { class, instance } => Some((*class, *instance)),
        Target::Actor(_) => None,
    });
    wanted.collect()
}

impl Plan {
    /// Takes what was asked for and may go.
    fn choose(&mut self, body: &Body, targets: &BTreeSet<Target>) {
        let decoder = body.decoder();
        for level in body.all_levels() {
            let form = body.form(level);
            for entry in &level.objects {
                let Ok(header) = decoder.header(form, entry) else {
                    continue;
                };
                let ObjectKind::Actor(placement) = &header.kind else {
                    continue;
                };
                let path = header.reference.path.to_string();
                if !targets.contains(&Target::Actor(path.clone())) {
                    continue;
                }
                let class = header.class.to_str();
                let is_of_the_map = placement.was_placed_in_level.is_set();
                match refusal(short_class(&class), is_of_the_map) {
                    Some(reason) => self.deleted.refused.push(Refusal {
                        object: path,
                        reason,
                    }),
                    None => {
                        self.deleted.buildings += 1;
                        self.gone.insert(header.reference.clone());
                        self.actors.insert(path);
                    }
                }
            }
        }
    }

    /// Finds what goes with it: wires, flow indicators, chains, and what loses its last member.
    fn follow(&mut self, body: &Body) -> Result<()> {
        let decoder = body.decoder();
        let mut chains: HashSet<Ref> = HashSet::new();
        for level in body.all_levels() {
            let form = body.form(level);
            for entry in &level.objects {
                let Ok(header) = decoder.header(form, entry) else {
                    continue;
                };
                let class = header.class.to_str();
                let is_gone = self.gone.contains(&header.reference);
                let may_follow = match tables::tail_kind(&class, short_class(&class)) {
                    Some(tables::TailKind::Wire) => true,
                    _ => is_gone,
                };
                if !may_follow {
                    continue;
                }
                let object = decoder.object(form, entry)?.0;
                if let Some(Tail::Wire(wire)) = object.tail() {
                    let ends = [&wire.first, &wire.second];
                    let has_lost_end = ends
                        .iter()
                        .any(|end| self.actors.contains(owner(&end.path.to_str())));
                    if has_lost_end && self.gone.insert(object.header.reference.clone()) {
                        self.deleted.wires += 1;
                    }
                    continue;
                }
                let properties = object.properties();
                let reference =
                    |name| properties.and_then(|list: &Properties| list.reference(name));
                self.gone.extend(reference("mFlowIndicator").cloned());
                chains.extend(reference("mConveyorChainActor").cloned());
            }
        }
        for level in body.all_levels() {
            let form = body.form(level);
            for entry in &level.objects {
                let Ok(header) = decoder.header(form, entry) else {
                    continue;
                };
                let members = match short_class(&header.class.to_str()) {
                    "FGPowerCircuit" => "mComponents",
                    "FGPipeNetwork" => "mFluidIntegrantScriptInterfaces",
                    _ if chains.contains(&header.reference) => {
                        let object = decoder.object(form, entry)?.0;
                        if let Some(Tail::Chain(chain)) = object.tail() {
                            self.break_chain(&object.header.reference, chain);
                        }
                        continue;
                    }
                    _ => continue,
                };
                let object = decoder.object(form, entry)?.0;
                let list = object
                    .properties()
                    .map_or(&[][..], |list| list.list(members));
                let stays = |member: &Value| {
                    let member = member.reference().map(|member| member.path.to_str());
                    member.is_some_and(|path| {
                        !self.actors.contains(&*path) && !self.actors.contains(owner(&path))
                    })
                };
                if !list.is_empty() && !list.iter().any(stays) {
                    self.gone.insert(object.header.reference.clone());
                    self.deleted.networks += 1;
                }
            }
        }
        Ok(())
    }

    /// Takes a chain away; its belts keep what lies on them, by the place along the chain.
    fn break_chain(&mut self, reference: &Ref, chain: &Chain) {
        self.gone.insert(reference.clone());
        self.deleted.chains += 1;
        for segment in &chain.segments {
            let (start_cm, end_cm) = (segment.starts_at_cm, segment.ends_at_cm);
            let own = chain.items.iter().filter(|item| {
                !item.item.class.is_none() && (start_cm..end_cm).contains(&item.offset_cm)
            });
            let own = own.map(|item| BeltItem {
                item: item.item.clone(),
                offset_cm: item.offset_cm - start_cm,
            });
            self.items.insert(segment.belt.path.clone(), own.collect());
        }
    }

    /// Adds the components of everything that goes.
    fn add_components(&mut self, body: &Body) {
        let actors: HashSet<Str> = self.gone.iter().map(|gone| gone.path.clone()).collect();
        let decoder = body.decoder();
        for level in body.all_levels() {
            let form = body.form(level);
            let headers = level.objects.iter();
            for header in headers.filter_map(|entry| decoder.header(form, entry).ok()) {
                if matches!(&header.kind, ObjectKind::Component { outer } if actors.contains(outer))
                {
                    self.gone.insert(header.reference.clone());
                }
            }
        }
    }
}

/// Drops all references to what is gone. A single connection that is not used is not stored.
fn forget(object: &mut Object, gone: &HashSet<Ref>) -> bool {
    let mut is_changed = false;
    visit_refs(object, |reference| {
        let is_gone = gone.contains(reference);
        is_changed |= is_gone;
        if is_gone { Keep::No } else { Keep::Yes }
    });
    if is_changed {
        let fields = object.data.as_mut().and_then(|data| data.fields_mut());
        if let Some(properties) = fields.and_then(|fields| fields.properties.as_mut()) {
            properties.0.retain(|property| {
                let is_null =
                    matches!(&property.value, Value::Object(reference) if reference.is_none());
                let name = property.name();
                !(is_null && (name.is("mConnectedComponent") || name.is("mConveyorChainActor")))
            });
        }
    }
    is_changed
}

/// Gives a belt that lost its chain its items back.
fn give_back(object: &mut Object, items: Vec<BeltItem>, file_version: i32) {
    let Some(data) = &mut object.data else { return };
    if file_version < CHAINS_ANEW_SINCE
        && let Some(version) = &mut data.save_version
    {
        *version = (*version).min(VERSION_WITHOUT_CHAINS);
    }
    if let Some(fields) = data.fields_mut() {
        fields.tail = Some(Tail::Belt(items));
    }
}

/// Blanks lightweight buildings, as the game does: they keep their places in the list.
fn blank_lightweight(object: &mut Object, blank: &HashSet<(usize, usize)>) -> usize {
    let fields = object.data.as_mut().and_then(|data| data.fields_mut());
    let Some(Tail::Lightweight(list)) = fields.and_then(|fields| fields.tail.as_mut()) else {
        return 0;
    };
    let mut blanked = 0;
    for (class_index, class) in list.classes.iter_mut().enumerate() {
        for (index, instance) in class.instances.iter_mut().enumerate() {
            if blank.contains(&(class_index, index)) && !instance.is_tombstone() {
                blank_instance(instance);
                blanked += 1;
            }
        }
    }
    blanked
}

fn blank_instance(instance: &mut LightweightInstance) {
    let LightweightInstance {
        swatch,
        material,
        pattern,
        skin,
        paint_finish,
        recipe,
        blueprint,
        ..
    } = instance;
    for reference in [
        swatch,
        material,
        pattern,
        skin,
        paint_finish,
        recipe,
        blueprint,
    ] {
        *reference = Ref::default();
    }
}
