//! What machines do: producing or why not, recipes, clock speeds.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::satisfactory::codec::model::Properties;

/// What a machine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It works.
    Producing,
    /// Somebody switched it off.
    Paused,
    /// It makes things, but nobody said which.
    NoRecipe,
    /// No line leads to it.
    Unconnected,
    /// Nothing on its circuit makes or stores power.
    NoPower,
    /// It waits, for input or for room.
    Idle,
}

impl State {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::Producing,
        Self::Paused,
        Self::NoRecipe,
        Self::Unconnected,
        Self::NoPower,
        Self::Idle,
    ];

    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Producing => "producing",
            Self::Paused => "paused",
            Self::NoRecipe => "no_recipe",
            Self::Unconnected => "unconnected",
            Self::NoPower => "no_power",
            Self::Idle => "idle",
        }
    }
}

/// What a machine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It makes things by a recipe.
    Production,
    /// It takes things out of the ground.
    Extraction,
    /// It makes power.
    Generation,
}

/// A machine as the file has it.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    /// Its path.
    pub path: String,
    /// Its class's path.
    pub class: String,
    purpose: Purpose,
    recipe: Option<String>,
    is_producing: bool,
    is_paused: bool,
    clock: f64,
    productivity: Option<f64>,
}

impl Machine {
    pub fn new(path: String, class: &str, purpose: Purpose, properties: &Properties) -> Self {
        let recipe = properties.reference("mCurrentRecipe");
        let measured_s = properties
            .real("mLastProductivityMeasurementDuration")
            .filter(|seconds| *seconds > 0.0);
        let produced_s = properties.real("mLastProductivityMeasurementProduceDuration");
        Self {
            path,
            class: class.to_owned(),
            purpose,
            recipe: recipe.map(|recipe| recipe.path.to_string()),
            is_producing: properties.flag("mIsProducing"),
            is_paused: properties.flag("mIsProductionPaused"),
            // Not stored while it is the usual one.
            clock: properties.real("mCurrentPotential").unwrap_or(1.0),
            productivity: measured_s.map(|seconds| produced_s.unwrap_or(0.0) / seconds),
        }
    }

    /// What it does. `has_power` is whether its circuit has any, `None` where it is on no circuit.
    fn state(&self, has_power: Option<bool>) -> State {
        let needs_power = self.purpose != Purpose::Generation;
        match has_power {
            _ if self.is_producing => State::Producing,
            _ if self.is_paused => State::Paused,
            _ if self.purpose == Purpose::Production && self.recipe.is_none() => State::NoRecipe,
            None if needs_power => State::Unconnected,
            Some(false) if needs_power => State::NoPower,
            _ => State::Idle,
        }
    }
}

/// All machines of a class, or all that use a recipe.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Group {
    /// How many.
    pub count: usize,
    /// How many in each state.
    pub states: BTreeMap<State, usize>,
    /// The mean of their clock speeds; 1 is the usual one.
    pub mean_clock: f64,
    /// How many do not run at the usual clock speed.
    pub off_clock: usize,
    /// The mean share of the last minutes in which they worked, of those that measure it.
    pub mean_productivity: Option<f64>,
    #[serde(skip)]
    measured: usize,
}

impl Group {
    fn add(&mut self, machine: &Machine, state: State) {
        self.count += 1;
        *self.states.entry(state).or_default() += 1;
        self.off_clock += usize::from((machine.clock - 1.0).abs() > 1e-6);
        self.mean_clock += (machine.clock - self.mean_clock) / self.count as f64;
        if let Some(productivity) = machine.productivity {
            self.measured += 1;
            let mean = self.mean_productivity.get_or_insert(0.0);
            *mean += (productivity - *mean) / self.measured as f64;
        }
    }
}

/// All machines of a save.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machines {
    /// All of them.
    pub all: Group,
    /// By the path of their class.
    pub by_class: BTreeMap<String, Group>,
    /// By the path of the recipe they use.
    pub by_recipe: BTreeMap<String, Group>,
}

impl Machines {
    /// Sums machines up; `has_power` tells of an object's path whether its circuit has power.
    pub(super) fn new(machines: &[Machine], has_power: impl Fn(&str) -> Option<bool>) -> Self {
        let mut sums = Self::default();
        for machine in machines {
            let state = machine.state(has_power(&machine.path));
            sums.all.add(machine, state);
            let class = sums.by_class.entry(machine.class.clone()).or_default();
            class.add(machine, state);
            if let Some(recipe) = &machine.recipe {
                let recipe = sums.by_recipe.entry(recipe.clone()).or_default();
                recipe.add(machine, state);
            }
        }
        sums
    }
}
