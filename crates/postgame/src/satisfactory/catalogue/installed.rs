//! The game's own data file, `Docs.json`, in place of the built-in catalogue: another version, another language, or the
//! items of mods as far as the file has them.
//!
//! The game installs the file under `CommunityResources/Docs`, one for each language, as UTF-16. A program reads it once and
//! installs it for the whole process; classes that the file does not have keep what the built-in catalogue says.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::docs;
use super::{Building, Item, Recipe, Schematic};
use crate::error::{Error, Result};

/// What a game's data file says, by class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameData {
    /// The items.
    pub items: BTreeMap<String, Item>,
    /// The recipes.
    pub recipes: BTreeMap<String, Recipe>,
    /// The buildings and vehicles.
    pub buildings: BTreeMap<String, Building>,
    /// Milestones, research and other unlocks.
    pub schematics: BTreeMap<String, Schematic>,
}

impl GameData {
    /// Reads `Docs.json`, in UTF-16 or UTF-8.
    ///
    /// Its texts are kept for as long as the program runs.
    ///
    /// # Errors
    /// When the bytes are not text, not JSON, or not the game's list of classes.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        docs::read(bytes)
    }

    /// How many classes it has.
    pub fn len(&self) -> usize {
        self.items.len() + self.recipes.len() + self.buildings.len() + self.schematics.len()
    }

    /// True if it has no classes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

static INSTALLED: OnceLock<GameData> = OnceLock::new();

/// Uses a game's data in place of the built-in catalogue, in the whole process and until it ends.
///
/// # Errors
/// When there was one already.
pub fn install(data: GameData) -> Result<()> {
    INSTALLED
        .set(data)
        .map_err(|_| Error::invalid("game data was installed already"))
}

/// The game data that was installed.
pub fn installed() -> Option<&'static GameData> {
    INSTALLED.get()
}
