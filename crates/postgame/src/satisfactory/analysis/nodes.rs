//! Resource nodes, wells and geysers: what they give, how much, and what stands on them.
//!
//! The catalogue has the nodes of the game's own world since 1.0. A save adds its changes: in 1.2, worlds can be
//! randomised, and then a node says its resource and purity itself. Saves of older games and of other maps only have the
//! nodes that are in the file.

use std::collections::BTreeMap;

use crate::satisfactory::catalogue::{self, Node, NodeKind, Purity, nodes::NODES};
use crate::satisfactory::codec::model::{ObjectHeader, Properties, Save, Value};
use crate::satisfactory::codec::summary::short_class;

/// The world's usual map.
const MAP: &str = "Persistent_Level";
/// The first save version of game 1.0, whose world the catalogue has.
const WORLD_SINCE: i32 = 43;
/// The first save version of game 1.2.
const RENAMED_SINCE: i32 = 54;
/// One node that 1.2 gave another name: the name before, and that since (notes, section 11).
const RENAMED: [&str; 2] = [
    "BP_ResourceNode11",
    "BP_ResourceNode20_UAID_04D9F5D42711A7C902_1245462149",
];

/// What a save says of a node.
#[derive(Clone, Debug, Default, PartialEq)]
struct Told {
    kind: Option<NodeKind>,
    position_cm: Option<[f64; 3]>,
    resource: Option<&'static str>,
    has_resource: bool,
    purity: Option<Purity>,
    left: Option<i64>,
}

/// How the world was randomised, as the save has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Randomization {
    /// Which nodes changed places: `Strict`, `BasicReach`.
    pub mode: Option<String>,
    /// How purities changed: `AllPure`, `Increase`.
    pub purity: Option<String>,
    /// The seed.
    pub seed: Option<i64>,
}

/// The nodes of a save.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    save_version: i32,
    has_world: bool,
    told: BTreeMap<String, Told>,
    taken: BTreeMap<String, usize>,
    /// How the world was randomised.
    pub randomization: Randomization,
}

/// A node of a save.
#[derive(Clone, Debug, PartialEq)]
pub struct Site<'a> {
    /// The object's name in its level.
    pub name: &'a str,
    /// What it is.
    pub kind: NodeKind,
    /// The class of the item it gives, if that is known.
    pub resource: Option<&'static str>,
    /// How much it gives, if that is known.
    pub purity: Option<Purity>,
    /// Whether the save gives it another resource or purity than the usual world has.
    pub is_changed: bool,
    /// Where it is, in centimetres.
    pub position_cm: Option<[f64; 3]>,
    /// For a hole of a well, the name of its middle.
    pub core: Option<&'static str>,
    /// How much is left, for what runs out.
    pub left: Option<i64>,
    /// Whether the object is in the file.
    pub is_in_file: bool,
    /// The number of the machine that stands on it.
    pub taken_by: Option<usize>,
}

impl Nodes {
    /// The nodes of a map, before anything is read.
    pub(super) fn new(save_version: i32, map: &str) -> Self {
        Self {
            save_version,
            has_world: save_version >= WORLD_SINCE && map == MAP,
            ..Self::default()
        }
    }

    /// Adds what a node's object says.
    pub(super) fn add(&mut self, class: &str, header: &ObjectHeader, properties: &Properties) {
        let kind = match class {
            "BP_ResourceNode_C" => Some(NodeKind::Node),
            "BP_ResourceNodeGeyser_C" => Some(NodeKind::Geyser),
            "BP_FrackingCore_C" => Some(NodeKind::Core),
            "BP_FrackingSatellite_C" => Some(NodeKind::Satellite),
            "BP_ResourceDeposit_C" => Some(NodeKind::Deposit),
            _ => None,
        };
        let purity = properties.words("mPurityOverride");
        let resource = properties.reference("mResourceClassOverride");
        let placement = header.placement();
        let told = Told {
            kind,
            position_cm: placement.map(|placement| placement.position_cm.map(f64::from)),
            has_resource: resource.is_some(),
            resource: resource
                .and_then(|resource| catalogue::item(short_class(&resource.path.to_str())))
                .map(|item| item.class),
            purity: purity.and_then(|name| Purity::from_save(&name)),
            left: properties.int("mResourcesLeft").filter(|left| *left >= 0),
        };
        let name = header.reference.path.to_str();
        self.told.insert(short_class(&name).to_owned(), told);
    }

    /// Adds what the game's state says of randomisation.
    pub(super) fn add_settings(&mut self, state: &Properties) {
        let word = |name: &str| {
            let words = state.words(name)?;
            let word = words.rsplit(':').next().unwrap_or(&words);
            Some(
                word.trim_start_matches("NRM_")
                    .trim_start_matches("NPS_")
                    .to_owned(),
            )
        };
        self.randomization = Randomization {
            mode: word("mNodeRandomization"),
            purity: word("mNodePuritySettings"),
            seed: state.value("mNodeRandomizationSeed").and_then(Value::int),
        };
    }

    /// Notes the machine on a node.
    pub(super) fn take(&mut self, name: &str, machine: usize) {
        self.taken.insert(name.to_owned(), machine);
    }

    /// What is known of a node; `None` for a name that is neither in the file nor in the world.
    pub fn site<'a>(&'a self, name: &str) -> Option<Site<'a>> {
        let told = self.told.get_key_value(name);
        let known = catalogue::node(name);
        let name = match (told, known) {
            (Some((name, _)), _) => name.as_str(),
            (None, Some(node)) => node.name,
            (None, None) => return None,
        };
        self.join(name, known, told.map(|(_, told)| told))
    }

    fn join<'a>(
        &'a self,
        name: &'a str,
        known: Option<&'static Node>,
        told: Option<&Told>,
    ) -> Option<Site<'a>> {
        let own_resource = told.and_then(|told| told.resource);
        let has_own = told.is_some_and(|told| told.has_resource);
        let own_purity = told.and_then(|told| told.purity);
        let usual = known.map(|node| node.resource);
        let usual_purity = known.and_then(|node| node.purity);
        Some(Site {
            name,
            kind: known
                .map(|node| node.kind)
                .or(told.and_then(|told| told.kind))?,
            resource: if has_own { own_resource } else { usual },
            purity: own_purity.or(usual_purity),
            is_changed: has_own && own_resource != usual
                || own_purity.is_some() && own_purity != usual_purity,
            position_cm: known
                .map(|node| node.position_cm)
                .or(told.and_then(|told| told.position_cm)),
            core: known.and_then(|node| node.core),
            left: told.and_then(|told| told.left),
            is_in_file: told.is_some(),
            taken_by: self.taken.get(name).copied(),
        })
    }

    /// All nodes, wells and geysers, and the deposits in the file, in the order of their names.
    pub fn sites(&self) -> Vec<Site<'_>> {
        let mut names: BTreeMap<&str, ()> = BTreeMap::new();
        if self.has_world {
            let world = NODES.iter().filter(|node| node.kind != NodeKind::Deposit);
            names.extend(world.map(|node| (node.name, ())));
            let [before, since] = RENAMED;
            let unused = match self.told.contains_key(since) {
                true => before,
                false if self.told.contains_key(before) => since,
                false if self.save_version >= RENAMED_SINCE => before,
                false => since,
            };
            names.remove(unused);
        }
        names.extend(self.told.keys().map(|name| (name.as_str(), ())));
        names
            .into_keys()
            .filter_map(|name| self.join(name, catalogue::node(name), self.told.get(name)))
            .collect()
    }
}

/// The nodes of a save, with the machines on them.
pub fn nodes(save: &Save) -> Nodes {
    super::production::factory(save).nodes().clone()
}
