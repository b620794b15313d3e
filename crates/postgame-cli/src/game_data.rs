//! `--game-data`: Satisfactory's own data file in place of the built-in catalogue.

use std::path::PathBuf;

use clap::Args;
use postgame::satisfactory::catalogue::{GameData, install};

use crate::input;
use crate::output::Failure;

/// Where the game's own data is.
#[derive(Args)]
pub struct GameDataOptions {
    /// The game's own Docs.json, for names and figures of another version, another language or of mods (Satisfactory)
    #[arg(long, value_name = "FILE")]
    game_data: Option<PathBuf>,
}

impl GameDataOptions {
    /// Reads the file, if one was named, and uses it from now on.
    pub fn install(&self) -> Result<(), Failure> {
        let Some(path) = &self.game_data else {
            return Ok(());
        };
        let data = GameData::read(&input::bytes(path)?);
        let data = data.map_err(|error| Failure::at(path, error))?;
        install(data).map_err(|error| Failure::at(path, error))
    }
}
