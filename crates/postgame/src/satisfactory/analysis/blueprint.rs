//! What a blueprint costs, recomputed from its parts, and what it needs and makes.
//!
//! Notes, section 5: the cost is the sum over its actors of what dismantling gives back.

use std::collections::BTreeMap;

use serde::Serialize;

use super::census::curve::{self, Knot};
use super::classes::each_object;
use super::production::{balance, factory_of_blueprint};
use crate::satisfactory::catalogue;
use crate::satisfactory::codec::model::{Blueprint, Properties, Struct, Value};
use crate::satisfactory::codec::summary::short_class;

/// A belt or lift costs its recipe once for so many centimetres.
const BELT_UNIT_CM: f64 = 200.0;
/// The same for pipes.
const PIPE_UNIT_CM: f64 = 400.0;
/// The same for rails.
const RAIL_UNIT_CM: f64 = 1200.0;
/// Cables in a power line, whatever its length.
const CABLES_IN_LINE: i64 = 3;
/// The side of a cell of the designer, in centimetres.
const CELL_CM: f64 = 800.0;

/// What a blueprint is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bill {
    /// What it costs by its parts, by the item's class.
    pub cost: BTreeMap<String, i64>,
    /// What its header says.
    pub stated: BTreeMap<String, i64>,
    /// Classes whose cost is not known, such as a mod's, with how many there are.
    pub unknown: BTreeMap<String, usize>,
    /// How many machines it has.
    pub machines: usize,
    /// What they take if all run, in megawatts.
    pub taken_mw: f64,
    /// What its generators make if all run, in megawatts.
    pub generated_mw: f64,
    /// How many cells of the designer it spans: along x, y and z.
    pub cells: [f64; 3],
}

impl Bill {
    /// Items on which the parts and the header differ: by the parts, by the header.
    pub fn differences(&self) -> BTreeMap<&str, (i64, i64)> {
        let items = self.cost.keys().chain(self.stated.keys());
        let get =
            |table: &BTreeMap<String, i64>, item: &String| table.get(item).copied().unwrap_or(0);
        items
            .map(|item| {
                (
                    item.as_str(),
                    (get(&self.cost, item), get(&self.stated, item)),
                )
            })
            .filter(|(_, (own, stated))| own != stated)
            .collect()
    }
}

/// What a blueprint is made of.
pub fn bill(blueprint: &Blueprint) -> Bill {
    let mut bill = Bill::default();
    for item in &blueprint.header.cost {
        let class = short_class(&item.item.path.to_str()).to_owned();
        let amount = bill.stated.entry(class).or_default();
        *amount = amount.saturating_add(item.amount.into());
    }
    let Some(body) = &blueprint.body else {
        return bill;
    };
    let mut corners: Option<[[f64; 3]; 2]> = None;
    each_object(body, |class, header, object| {
        if class.short().starts_with("FGInventoryComponent") {
            let path = header.reference.path.to_str();
            if short_class(&path) == "InventoryPotential"
                && let Some(object) = object()
                && let Some(inventory) = object.properties()
            {
                bill.add_shards(inventory);
            }
            return;
        }
        let Some(placement) = header.placement() else {
            return;
        };
        if !class.is_building() {
            return;
        }
        let at = placement.position_cm.map(f64::from);
        let [low, high] = corners.get_or_insert([at, at]);
        for ((low, high), at) in low.iter_mut().zip(high.iter_mut()).zip(at) {
            *low = low.min(at);
            *high = high.max(at);
        }
        let none = Properties::default();
        let object = object();
        let properties = object.as_ref().and_then(|object| object.properties());
        bill.add_building(class.short(), properties.unwrap_or(&none));
    });
    if let Some([low, high]) = corners {
        let sides = low
            .iter()
            .zip(high)
            .map(|(low, high)| (high - low) / CELL_CM);
        for (cells, side) in bill.cells.iter_mut().zip(sides) {
            *cells = side;
        }
    }
    let factory = factory_of_blueprint(blueprint);
    let all = balance(&factory.machines, &factory);
    bill.machines = all.machines;
    bill.taken_mw = all.power.rated_all_mw;
    bill.generated_mw = all.power.generated_all_mw;
    bill
}

impl Bill {
    fn add(&mut self, item: &str, amount: i64) {
        let total = self.cost.entry(item.to_owned()).or_default();
        *total = total.saturating_add(amount);
    }

    fn add_building(&mut self, class: &str, properties: &Properties) {
        if class.starts_with("Build_PowerLine") {
            self.add("Desc_Cable_C", CABLES_IN_LINE);
            return;
        }
        let recipe = properties.reference("mBuiltWithRecipe");
        let recipe = recipe.map(|recipe| recipe.path.to_string());
        let Some(recipe) = recipe.as_deref().map(short_class) else {
            // What nobody built costs nothing, such as the flow indicator of a pipe.
            return;
        };
        // A recipe without ingredients is one whose cost no source has.
        let known = catalogue::recipe(recipe).filter(|recipe| !recipe.ingredients.is_empty());
        let Some(recipe) = known else {
            *self.unknown.entry(class.to_owned()).or_default() += 1;
            return;
        };
        let times = times(class, properties);
        for (item, amount) in recipe.ingredients {
            self.add(item, *amount as i64 * times);
        }
        for (item, amount) in material(class, properties) {
            self.add(item, amount as i64);
        }
    }

    /// Power shards and somersloops in a machine.
    fn add_shards(&mut self, inventory: &Properties) {
        for stack in inventory.list("mInventoryStacks").iter() {
            let Some(stack) = stack.properties() else {
                continue;
            };
            if let (Some(Value::Struct(Struct::Item(item))), Some(amount)) =
                (stack.value("Item"), stack.int("NumItems"))
                && !item.class.is_none()
                && amount > 0
            {
                self.add(short_class(&item.class.path.to_str()), amount);
            }
        }
    }
}

/// How often a building costs its recipe.
fn times(class: &str, properties: &Properties) -> i64 {
    let native = catalogue::building(class).map_or("", |known| known.native);
    let curve_cm = || game_length_cm(&curve::knots(properties));
    let (length_cm, unit_cm) = match native {
        "FGBuildableConveyorBelt" => (curve_cm(), BELT_UNIT_CM),
        "FGBuildableConveyorLift" => (
            curve::lift_cm(properties).unwrap_or(0.0).abs(),
            BELT_UNIT_CM,
        ),
        "FGBuildablePipeline" | "FGBuildablePipeHyper" => (curve_cm(), PIPE_UNIT_CM),
        "FGBuildableRailroadTrack" => (curve_cm(), RAIL_UNIT_CM),
        _ => return 1,
    };
    // Lengths of more than a few kilometres are not possible, and a number that is none costs one.
    (length_cm / unit_cm).round().clamp(1.0, 1e6) as i64
}

/// The length of a curve as the game computes it, with five points of Gauss's quadrature in single precision. Its error
/// decides how lengths of exactly half a unit are rounded: a straight belt of 700 cm has 699.99994 cm and costs three units,
/// one of 300 cm has 300 cm and costs two.
fn game_length_cm(knots: &[Knot]) -> f64 {
    const POINTS: [(f32, f32); 5] = [
        (0.0, 0.568_888_9),
        (-0.538_469_3, 0.478_628_67),
        (0.538_469_3, 0.478_628_67),
        (-0.906_179_85, 0.236_926_88),
        (0.906_179_85, 0.236_926_88),
    ];
    let mut length_cm = 0.0_f32;
    for pair in knots.windows(2) {
        let [[start, _, leave], [end, arrive, _]] = pair else {
            continue;
        };
        let mut sum = 0.0_f32;
        for (abscissa, weight) in POINTS {
            let at = f64::from(0.5 * (1.0 + abscissa));
            let mut square = 0.0;
            for axis in 0..3 {
                let of = |vector: &[f64; 3]| vector.get(axis).copied().unwrap_or(0.0);
                let (from, to, first, last) = (of(start), of(end), of(leave), of(arrive));
                let cubic = ((from - to) * 2.0 + first + last) * 3.0;
                let linear = (to - from) * 6.0 - first * 4.0 - last * 2.0;
                let slope = (cubic * at + linear) * at + first;
                square += slope * slope;
            }
            sum = (f64::from(sum) + square.sqrt() * f64::from(weight)) as f32;
        }
        length_cm += sum * 0.5;
    }
    length_cm.into()
}

/// What the material of a foundation, wall or roof costs: the one that was chosen, or the class's own.
fn material(class: &str, properties: &Properties) -> Vec<(&'static str, f64)> {
    let chosen = properties
        .structure("mCustomizationData")
        .and_then(|data| data.reference("MaterialDesc"))
        .map(|material| short_class(&material.path.to_str()).to_owned());
    let recipe = match &chosen {
        Some(material) => {
            let words = material
                .trim_start_matches("MaterialDesc_")
                .trim_start_matches("Desc_Material_");
            catalogue::recipe(&format!("Recipe_Material_{words}"))
        }
        None => None,
    };
    let recipe = recipe.or_else(|| catalogue::recipe(own_material(class)?));
    recipe.map_or_else(Vec::new, |recipe| recipe.ingredients.to_vec())
}

/// The recipe of the material that a class has by itself; `None` for what has none.
fn own_material(class: &str) -> Option<&'static str> {
    let native = catalogue::building(class)?.native;
    let is_foundation = native == "FGBuildableFoundationLightweight"
        || native == "FGBuildableRampLightweight"
        || native == "FGBuildableFoundation";
    // A door is in a piece of wall.
    let is_wall = native.starts_with("FGBuildableWall") && !native.contains("Walkway")
        || native.starts_with("FGBuildableCornerWall")
        || native == "FGBuildableDoor";
    let has = |word: &str| class.contains(word);
    if has("Roof") {
        return Some(match () {
            () if has("Metal") => "Recipe_Material_Roof_Metal_C",
            () if has("Tar") => "Recipe_Material_Roof_Tar_C",
            () if has("Window") || has("Glass") => "Recipe_Material_Roof_Glass_C",
            () => "Recipe_Material_Roof_Ficsit_C",
        });
    }
    // Glass and frames are what they are made of.
    if is_foundation && !has("Glass") && !has("Frame") {
        return Some(match () {
            () if has("ConcretePolished") || has("PolishedConcrete") => {
                "Recipe_Material_Foundation_PolishedConcrete_C"
            }
            () if has("Concrete") => "Recipe_Material_Foundation_Concrete_C",
            () if has("Asphalt") => "Recipe_Material_Foundation_Asphalt_C",
            () if has("Metal") => "Recipe_Material_Foundation_GripMetal_C",
            () => "Recipe_Material_Foundation_Default_C",
        });
    }
    if is_wall {
        return Some(match () {
            () if has("Concrete") => "Recipe_Material_Wall_Concrete_C",
            () if has("Steel") || class == "Build_Wall_8x4_02_C" => "Recipe_Material_Wall_Steel_C",
            () => "Recipe_Material_Wall_Orange_C",
        });
    }
    None
}
