//! What there is in a save, counted: the facts behind statistics and comparisons.
//!
//! - `walk`: one pass over the save; only objects that have something to tell are decoded
//! - [`session`]: what the session is, and how far it got
//! - [`items`], [`machines`], [`power`], [`transport`], [`collectibles`]: one subject each
//! - [`curve`]: how long belts, pipes and rails are

pub mod collectibles;
pub mod curve;
pub mod items;
pub mod machines;
pub mod power;
pub mod session;
pub mod transport;
mod walk;

use std::collections::BTreeMap;

pub use collectibles::Collectible;
pub use items::{Items, Place};
pub use machines::Machines;
pub use power::Circuit;
pub use session::Session;
pub use transport::Transport;

use crate::satisfactory::codec::model::{Blueprint, Save};

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// What the session is, and how far it got.
    pub session: Session,
    /// Buildings, with those that have no object of their own.
    pub buildings: Buildings,
    /// Buildings that have no object of their own.
    pub lightweight: usize,
    /// How long belts, pipes, rails and lines are.
    pub lengths: Lengths,
    /// Machines and what they do.
    pub machines: Machines,
    /// Items and where they are.
    pub items: Items,
    /// What is in pipes and tanks, in cubic metres, by the path of the fluid.
    pub fluids_m3: BTreeMap<String, f64>,
    /// Electric circuits in order of their numbers.
    pub circuits: Vec<Circuit>,
    /// Vehicles, trains and drones.
    pub transport: Transport,
    /// Slugs, artifacts and wrecks.
    pub collectibles: Vec<Collectible>,
    /// What mods have in the save, by name.
    pub mods: BTreeMap<String, ModShare>,
    /// The players' bodies.
    pub players: Vec<PlayerCensus>,
}

/// Buildings, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buildings {
    /// All of them.
    pub total: usize,
    /// By category, and in it by the path of the class.
    pub by_category: BTreeMap<&'static str, BTreeMap<String, usize>>,
}

impl Buildings {
    /// How many there are of each class, by its path.
    pub fn by_class(&self) -> BTreeMap<&str, usize> {
        let classes = self.by_category.values().flatten();
        classes
            .map(|(class, count)| (class.as_str(), *count))
            .collect()
    }
}

/// How long things are, each kind added up, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lengths {
    /// Belts, along their curves.
    pub belts_m: f64,
    /// Lifts, from bottom to top.
    pub lifts_m: f64,
    /// Pipes, along their curves.
    pub pipes_m: f64,
    /// Hypertubes, along their curves.
    pub hypertubes_m: f64,
    /// Rails, along their curves.
    pub rails_m: f64,
    /// Power lines, as the game has them.
    pub power_lines_m: f64,
    /// What else has a curve, such as a mod's roads.
    pub other_m: f64,
}

/// What a mod has in a save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModShare {
    /// Objects, buildings included.
    pub objects: usize,
    /// Buildings, with those that have no object of their own.
    pub buildings: usize,
}

/// A player's body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerCensus {
    /// Its path.
    pub path: String,
    /// The player's name; that of the body where there is none.
    pub name: String,
}

/// Counts what is in a save.
pub fn census(save: &Save) -> Census {
    let session = Session::new(save);
    match &save.body {
        Some(body) => walk::walk(body, &save.header.map_name.to_str(), session),
        None => Census {
            session,
            ..Census::default()
        },
    }
}

/// Counts what is in a blueprint.
pub fn census_of_blueprint(blueprint: &Blueprint) -> Census {
    let body = blueprint.body.as_ref();
    body.map(|body| walk::walk(body, "", Session::default()))
        .unwrap_or_default()
}
