//! The game's own catalogue, of version 1.2: items, recipes, buildings, unlocks, and what lies in the world.
//!
//! Everything is found by the last part of a class's or an object's path. The lists are generated from
//! `data/satisfactory`, sorted, and searched by bisection.
//!
//! - [`buildings`](mod@buildings), [`items`](mod@items), [`recipes`](mod@recipes), [`schematics`](mod@schematics): by class
//! - [`nodes`], [`finds`]: by the name of the object in the world
//! - [`installed`]: the game's own data file in place of these

pub mod buildings;
mod docs;
pub mod finds;
mod installed;
pub mod items;
pub mod nodes;
pub mod recipes;
pub mod schematics;

use buildings::{BUILDINGS, OLD_RATINGS};
use finds::FINDS;
pub use installed::{GameData, install, installed};
use items::ITEMS;
use nodes::NODES;
use recipes::RECIPES;
use schematics::{PHASES, SCHEMATICS};
use serde::Serialize;

/// A class and how much of it: pieces, or cubic metres of a fluid.
pub type Amount = (&'static str, f64);

/// The form of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Pieces.
    Solid,
    /// Counted in thousandths of a cubic metre.
    Liquid,
    /// Counted in thousandths of a cubic metre.
    Gas,
    /// Neither, such as a colour or a rule of a splitter.
    None,
}

/// An item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// The class.
    pub class: &'static str,
    /// The name shown.
    pub name: &'static str,
    /// What it is for: `part`, `resource`, `equipment`.
    pub kind: &'static str,
    /// Its form.
    pub form: Form,
    /// How many fit into a slot; litres of a fluid.
    pub stack_size: Option<f64>,
    /// Points the sink gives for one.
    pub sink_points: Option<f64>,
    /// Energy of one piece or cubic metre, in megajoules; 0 if it does not burn.
    pub energy_mj: f64,
}

impl Item {
    /// True for a liquid or a gas.
    pub fn is_fluid(&self) -> bool {
        matches!(self.form, Form::Liquid | Form::Gas)
    }
}

/// A recipe, of a machine, the workbench or the build gun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// The class.
    pub class: &'static str,
    /// The name shown.
    pub name: &'static str,
    /// What it is for: `part`, `building`, `manual`, `customization`.
    pub kind: &'static str,
    /// Whether it has to be found in a hard drive.
    pub is_alternate: bool,
    /// A cycle at clock 1, in seconds.
    pub duration_s: Option<f64>,
    /// Used in a cycle.
    pub ingredients: &'static [Amount],
    /// Made in a cycle.
    pub products: &'static [Amount],
    /// The machines that can use it.
    pub produced_in: &'static [&'static str],
    /// Power that swings within a cycle: from the first number to the sum of both, in megawatts.
    pub variable_mw: Option<(f64, f64)>,
    /// The schematics that unlock it.
    pub unlocked_by: &'static [&'static str],
}

/// A fuel of a generator, in amounts a minute at clock 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fuel {
    /// The fuel.
    pub fuel: Amount,
    /// Water, if it needs any.
    pub supplement: Option<Amount>,
    /// Waste, if it leaves any.
    pub waste: Option<Amount>,
}

/// A building or vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Building {
    /// The class.
    pub class: &'static str,
    /// The name shown.
    pub name: &'static str,
    /// What it is for: `manufacturer`, `extractor`, `generator`, `logistics`.
    pub category: &'static str,
    /// The game's own class that it is made of.
    pub native: &'static str,
    /// The class of the item that stands for it.
    pub descriptor: &'static str,
    /// Power taken at clock 1, in megawatts.
    pub power_mw: Option<f64>,
    /// The exponent of the clock in the power taken.
    pub power_exponent: Option<f64>,
    /// Power made at clock 1, in megawatts.
    pub generates_mw: Option<f64>,
    /// Taken out of a normal node a minute at clock 1: pieces or cubic metres.
    pub extraction_per_min: Option<f64>,
    /// What a belt or lift carries a minute.
    pub belt_items_per_min: Option<f64>,
    /// What a pipe carries a minute.
    pub pipe_m3_per_min: Option<f64>,
    /// How many somersloops fit in.
    pub somersloop_slots: u8,
    /// What it costs to build.
    pub build_cost: &'static [Amount],
    /// What it burns.
    pub fuels: &'static [Fuel],
}

/// What a building was rated for in older games, where that differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OldRating {
    /// The class.
    pub class: &'static str,
    /// The save version from which on it is rated as today.
    pub before: i32,
    /// Power taken at clock 1, in megawatts; `None` if that is as today.
    pub power_mw: Option<f64>,
    /// Power made at clock 1, in megawatts; `None` if that is as today.
    pub generates_mw: Option<f64>,
}

/// A milestone, a piece of research or another unlock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schematic {
    /// The class.
    pub class: &'static str,
    /// The name shown.
    pub name: &'static str,
    /// `Milestone`, `MAM`, `Alternate`, `ResourceSink`, `Tutorial`, `Custom`.
    pub kind: &'static str,
    /// Its tier.
    pub tier: Option<u8>,
    /// What it costs.
    pub cost: &'static [Amount],
    /// What it gives, such as `recipe:Recipe_Cable_C`.
    pub unlocks: &'static [&'static str],
    /// What has to be bought before.
    pub dependencies: &'static [&'static str],
}

/// A phase of the space elevator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// The class.
    pub class: &'static str,
    /// The name shown.
    pub name: &'static str,
    /// The last tier it opens.
    pub last_tier: u8,
    /// What it costs.
    pub cost: &'static [Amount],
}

/// How much a node gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purity {
    /// Half.
    Impure,
    /// What extractors are rated for.
    Normal,
    /// Double.
    Pure,
}

impl Purity {
    /// The factor of the extraction.
    pub fn factor(self) -> f64 {
        match self {
            Self::Impure => 0.5,
            Self::Normal => 1.0,
            Self::Pure => 2.0,
        }
    }

    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impure => "impure",
            Self::Normal => "normal",
            Self::Pure => "pure",
        }
    }

    /// By the name that saves use, with the game's own spelling.
    pub fn from_save(name: &str) -> Option<Self> {
        match name.rsplit(':').next()? {
            "RP_Inpure" | "RP_Impure" => Some(Self::Impure),
            "RP_Normal" => Some(Self::Normal),
            "RP_Pure" => Some(Self::Pure),
            _ => None,
        }
    }
}

/// What a resource comes out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A node for a miner or an oil extractor.
    Node,
    /// The middle of a resource well, for the pressurizer.
    Core,
    /// A hole of a resource well, for an extractor.
    Satellite,
    /// A geyser, for a geothermal generator.
    Geyser,
    /// A rock to be mined by hand.
    Deposit,
}

impl NodeKind {
    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Core => "well core",
            Self::Satellite => "well satellite",
            Self::Geyser => "geyser",
            Self::Deposit => "deposit",
        }
    }
}

/// Something of the world that gives a resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The object's name in its level.
    pub name: &'static str,
    /// What it is.
    pub kind: NodeKind,
    /// The item it gives, unless the save says another.
    pub resource: &'static str,
    /// How much it gives, unless the save says otherwise; the middle of a well has none.
    pub purity: Option<Purity>,
    /// Where it is, in centimetres.
    pub position_cm: [f64; 3],
    /// For a hole of a well, the name of its middle.
    pub core: Option<&'static str>,
}

/// What is to be found in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindKind {
    /// A blue power slug.
    BlueSlug,
    /// A yellow power slug.
    YellowSlug,
    /// A purple power slug.
    PurpleSlug,
    /// A somersloop.
    Somersloop,
    /// A Mercer sphere.
    MercerSphere,
    /// The shrine of a Mercer sphere.
    MercerShrine,
    /// A crash site with a hard drive.
    CrashSite,
    /// A tape for the boom box.
    Tape,
    /// A helmet.
    Helmet,
}

impl FindKind {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::BlueSlug,
        Self::YellowSlug,
        Self::PurpleSlug,
        Self::Somersloop,
        Self::MercerSphere,
        Self::MercerShrine,
        Self::CrashSite,
        Self::Tape,
        Self::Helmet,
    ];

    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::BlueSlug => "blue slug",
            Self::YellowSlug => "yellow slug",
            Self::PurpleSlug => "purple slug",
            Self::Somersloop => "somersloop",
            Self::MercerSphere => "mercer sphere",
            Self::MercerShrine => "mercer shrine",
            Self::CrashSite => "crash site",
            Self::Tape => "tape",
            Self::Helmet => "helmet",
        }
    }
}

/// Something to be found once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Find {
    /// The object's name in its level.
    pub name: &'static str,
    /// What it is.
    pub kind: FindKind,
    /// What a crash site needs: `Desc_Rotor_C:1`, `power:85 MW`, `nothing`; the schematic that a tape or helmet gives.
    pub needs: &'static str,
    /// Its GUID, the sixteen bytes of saves read as one big-endian number.
    pub guid: Option<u128>,
    /// Where it is, in centimetres.
    pub position_cm: [f64; 3],
}

/// Loose parts that lie in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loot {
    /// The object's name in its level.
    pub name: &'static str,
    /// The item.
    pub item: &'static str,
    /// How many.
    pub amount: u32,
    /// Its GUID, the sixteen bytes of saves read as one big-endian number.
    pub guid: Option<u128>,
    /// Where it is, in centimetres.
    pub position_cm: [f64; 3],
}

fn find<'a, T>(list: &'a [T], key: &str, of: impl Fn(&T) -> &str) -> Option<&'a T> {
    let at = list.binary_search_by(|candidate| of(candidate).cmp(key));
    at.ok().and_then(|at| list.get(at))
}

/// The item with a class.
pub fn item(class: &str) -> Option<&'static Item> {
    let installed = installed().and_then(|data| data.items.get(class));
    installed.or_else(|| builtin_item(class))
}

/// The same of the built-in catalogue.
fn builtin_item(class: &str) -> Option<&'static Item> {
    find(ITEMS, class, |item| item.class)
}

/// The recipe with a class.
pub fn recipe(class: &str) -> Option<&'static Recipe> {
    let installed = installed().and_then(|data| data.recipes.get(class));
    installed.or_else(|| builtin_recipe(class))
}

/// The same of the built-in catalogue.
fn builtin_recipe(class: &str) -> Option<&'static Recipe> {
    find(RECIPES, class, |recipe| recipe.class)
}

/// The building or vehicle with a class.
pub fn building(class: &str) -> Option<&'static Building> {
    let installed = installed().and_then(|data| data.buildings.get(class));
    installed.or_else(|| builtin_building(class))
}

/// The same of the built-in catalogue.
fn builtin_building(class: &str) -> Option<&'static Building> {
    find(BUILDINGS, class, |building| building.class)
}

/// The schematic with a class.
pub fn schematic(class: &str) -> Option<&'static Schematic> {
    let installed = installed().and_then(|data| data.schematics.get(class));
    installed.or_else(|| builtin_schematic(class))
}

/// The same of the built-in catalogue.
fn builtin_schematic(class: &str) -> Option<&'static Schematic> {
    find(SCHEMATICS, class, |schematic| schematic.class)
}

/// The phase of the space elevator with a class.
pub fn phase(class: &str) -> Option<&'static Phase> {
    find(PHASES, class, |phase| phase.class)
}

/// The node, well or geyser that an object of the world is.
pub fn node(name: &str) -> Option<&'static Node> {
    find(NODES, name, |node| node.name)
}

/// What is to be found at an object of the world.
pub fn found_at(name: &str) -> Option<&'static Find> {
    find(FINDS, name, |find| find.name)
}

/// What a building was rated for in saves of this version, if that differs from today.
pub fn old_rating(class: &str, save_version: i32) -> Option<&'static OldRating> {
    find(OLD_RATINGS, class, |rating| rating.class).filter(|rating| save_version < rating.before)
}

/// All items, those of an installed game's data among them.
pub fn items() -> impl Iterator<Item = &'static Item> {
    let own = installed().into_iter().flat_map(|data| data.items.values());
    let builtin = ITEMS.iter().filter(|item| {
        let is_replaced = installed().is_some_and(|data| data.items.contains_key(item.class));
        !is_replaced
    });
    builtin.chain(own)
}

/// The name of a class in the game data that was installed.
pub fn installed_name(class: &str) -> Option<&'static str> {
    let data = installed()?;
    let item = data.items.get(class).map(|item| item.name);
    item.or_else(|| data.recipes.get(class).map(|recipe| recipe.name))
        .or_else(|| data.buildings.get(class).map(|building| building.name))
        .or_else(|| data.schematics.get(class).map(|schematic| schematic.name))
}

/// The game's own name of a class, whatever kind of thing it is; of a building's descriptor, the building's.
pub fn name_of(class: &str) -> Option<&'static str> {
    let by_class = || building(class).map(|building| building.name);
    let by_descriptor = || {
        let part = class.strip_prefix("Desc_")?;
        BUILDINGS
            .iter()
            .find(|known| known.descriptor.strip_prefix("Desc_") == Some(part))
            .and_then(|known| building(known.class))
            .map(|building| building.name)
    };
    item(class)
        .map(|item| item.name)
        .or_else(|| recipe(class).map(|recipe| recipe.name))
        .or_else(by_class)
        .or_else(|| schematic(class).map(|schematic| schematic.name))
        .or_else(|| phase(class).map(|phase| phase.name))
        .or_else(by_descriptor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_found_by_its_own_name() {
        assert!(ITEMS.iter().all(|one| item(one.class) == Some(one)));
        assert!(RECIPES.iter().all(|one| recipe(one.class) == Some(one)));
        assert!(BUILDINGS.iter().all(|one| building(one.class) == Some(one)));
        assert!(
            SCHEMATICS
                .iter()
                .all(|one| schematic(one.class) == Some(one))
        );
        assert!(PHASES.iter().all(|one| phase(one.class) == Some(one)));
        assert!(NODES.iter().all(|one| node(one.name) == Some(one)));
        assert!(FINDS.iter().all(|one| found_at(one.name) == Some(one)));
    }

    #[test]
    fn nothing_lacks_a_name() {
        let names = ITEMS.iter().map(|one| one.name);
        let names = names.chain(RECIPES.iter().map(|one| one.name));
        let names = names.chain(BUILDINGS.iter().map(|one| one.name));
        let mut names = names.chain(SCHEMATICS.iter().map(|one| one.name));
        assert!(names.all(|name| !name.is_empty() && name != "N/A"));
    }
}
