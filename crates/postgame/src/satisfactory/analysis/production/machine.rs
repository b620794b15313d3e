//! A machine: what the save says of it, and what it is doing.

use serde::Serialize;

use crate::satisfactory::analysis::classes::Class;
use crate::satisfactory::catalogue::{self, Building};
use crate::satisfactory::codec::model::{ObjectHeader, Properties};
use crate::satisfactory::codec::summary::short_class;

/// What a machine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineKind {
    /// Makes things by a recipe.
    Manufacturer,
    /// Takes a resource out of the world.
    Extractor,
    /// Puts a resource well under pressure.
    Pressurizer,
    /// Makes power.
    Generator,
    /// Only takes power, such as a pump or a radar tower.
    Consumer,
}

impl MachineKind {
    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Manufacturer => "manufacturer",
            Self::Extractor => "extractor",
            Self::Pressurizer => "pressurizer",
            Self::Generator => "generator",
            Self::Consumer => "consumer",
        }
    }

    /// The kind of a class; `None` for what neither makes nor takes anything.
    pub(in crate::satisfactory::analysis) fn of(class: &Class) -> Option<Self> {
        if !class.is_building() {
            return None;
        }
        let building = catalogue::building(class.short());
        if class.short() == "Build_FrackingSmasher_C" {
            return Some(Self::Pressurizer);
        }
        match class.category {
            "production" => Some(Self::Manufacturer),
            "extraction" => Some(Self::Extractor),
            "generators" => Some(Self::Generator),
            _ if building.is_some_and(|building| building.power_mw.is_some()) => {
                Some(Self::Consumer)
            }
            _ => None,
        }
    }
}

/// What a machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It works.
    Running,
    /// A player switched it off.
    Paused,
    /// It has no recipe.
    NoRecipe,
    /// No power line leads to it.
    Unconnected,
    /// Nothing on its circuit makes or stores power.
    Unpowered,
    /// Something it needs is missing.
    Starved,
    /// There is no room for what it makes.
    Blocked,
    /// It stands, and the save does not say why.
    Idle,
}

impl Activity {
    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::NoRecipe => "no_recipe",
            Self::Unconnected => "unconnected",
            Self::Unpowered => "unpowered",
            Self::Starved => "starved",
            Self::Blocked => "blocked",
            Self::Idle => "idle",
        }
    }
}

/// A machine as the save has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The path of the object.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// What it is for.
    pub kind: MachineKind,
    /// Where it is, in centimetres.
    pub position_cm: Option<[f64; 3]>,
    /// The path of the recipe.
    pub recipe: Option<String>,
    /// The clock; 1 is the usual one.
    pub clock: f64,
    /// How many times the usual amount it makes.
    pub boost: f64,
    /// Whether it works at this moment.
    pub is_running: bool,
    /// Whether a player switched it off.
    pub is_paused: bool,
    /// The share of the last minutes in which it worked, if it measures that.
    pub productivity: Option<f64>,
    /// The name of the node or well it stands on.
    pub source: Option<String>,
    /// The path of the fuel it burns.
    pub fuel: Option<String>,
    /// The power it asks for, as the save has it.
    pub recorded_mw: Option<f64>,
    /// The power it makes or could make, as the save has it.
    pub recorded_production_mw: Option<f64>,
    /// The number of its circuit.
    pub circuit: Option<i64>,
    /// What it is doing.
    pub activity: Activity,
}

impl Machine {
    pub(super) fn new(
        class: &Class,
        kind: MachineKind,
        header: &ObjectHeader,
        properties: &Properties,
    ) -> Self {
        let path_of = |name| properties.reference(name).map(|at| at.path.to_string());
        let measured_s = properties
            .real("mLastProductivityMeasurementDuration")
            .filter(|seconds| *seconds > 0.0);
        let produced_s = properties.real("mLastProductivityMeasurementProduceDuration");
        let source = path_of("mExtractableResource");
        let placement = header.placement();
        let mut machine = Self {
            path: header.reference.path.to_string(),
            class: class.path.clone(),
            kind,
            position_cm: placement.map(|placement| placement.position_cm.map(f64::from)),
            recipe: path_of("mCurrentRecipe"),
            // Neither is stored while it is the usual one.
            clock: positive(properties.real("mCurrentPotential")),
            boost: positive(properties.real("mCurrentProductionBoost")),
            is_running: properties.flag("mIsProducing"),
            is_paused: properties.flag("mIsProductionPaused"),
            productivity: measured_s.map(|seconds| produced_s.unwrap_or(0.0) / seconds),
            source: source.map(|path| short_class(&path).to_owned()),
            fuel: path_of("mCurrentFuelClass"),
            recorded_mw: None,
            recorded_production_mw: None,
            circuit: None,
            activity: Activity::Idle,
        };
        machine.activity = machine.activity_with(None);
        machine
    }

    /// The last part of its class.
    pub fn short_class(&self) -> &str {
        short_class(&self.class)
    }

    /// What the catalogue says of its class.
    pub fn building(&self) -> Option<&'static Building> {
        catalogue::building(self.short_class())
    }

    /// What the catalogue says of its recipe.
    pub fn known_recipe(&self) -> Option<&'static catalogue::Recipe> {
        catalogue::recipe(short_class(self.recipe.as_deref()?))
    }

    /// What it is doing, as far as its own properties tell. `has_power` is whether its circuit has any; `None` if it is
    /// on no circuit.
    pub(super) fn activity_with(&self, has_power: Option<bool>) -> Activity {
        let needs_power = self.kind != MachineKind::Generator
            && self
                .building()
                .is_none_or(|building| building.power_mw.is_some());
        match has_power {
            _ if self.is_running => Activity::Running,
            _ if self.is_paused => Activity::Paused,
            _ if self.kind == MachineKind::Manufacturer && self.recipe.is_none() => {
                Activity::NoRecipe
            }
            None if needs_power => Activity::Unconnected,
            Some(false) if needs_power => Activity::Unpowered,
            _ => Activity::Idle,
        }
    }
}

/// A factor; 1 if the file does not say, or says something impossible.
fn positive(value: Option<f64>) -> f64 {
    value
        .filter(|value| value.is_finite() && *value > 0.0)
        .unwrap_or(1.0)
}
