//! Recordings as tables: Arrow record batches with stable names and units in the column names.
//!
//! ```
//! use postgame_tables::{Source, TableOptions, find};
//!
//! let bytes = std::fs::read("../../samples/bout.replay")?;
//! let source = Source::read("samples/bout.replay", &bytes, postgame::Depth::Full)?;
//! let table = find("frames_players").unwrap();
//! let mut rows = 0;
//! table.fill(&source, &TableOptions::default(), &mut |batch| {
//!     rows += batch.num_rows();
//!     Ok(())
//! })?;
//! assert_eq!(rows, 2 * 1001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`kinds`]: the kinds of columns; [`builders`]: what collects their values
//! - [`table`]: the `table!` field list and what a table can do
//! - [`source`]: a recording to make rows of
//! - [`input`]: which recordings become rows; [`scan`](mod@scan): a table of many of them, on several threads
//! - [`common`]: the tables all games share; [`games`]: those of one game
//! - [`filter`][]: conditions on rows
//! - [`write`](mod@write): files every tool reads; [`npy`], [`features`](mod@features): matrices for machine learning
//! - `csv`: cells that are not formulas
//! - [`parquet`][]: Parquet files of whole columns
//! - [`dataset`]: all tables of many recordings as Parquet files
//! - [`docs`][]: the page `docs/tables.md`

pub mod builders;
pub mod common;
mod csv;
pub mod dataset;
pub mod docs;
pub mod features;
pub mod filter;
pub mod games;
pub mod input;
pub mod kinds;
pub mod npy;
pub mod parquet;
pub mod scan;
pub mod source;
pub mod table;
pub mod write;

pub use scan::{Request, Scan, scan};
pub use source::Source;
pub use table::{Table, TableOptions, places};

/// Every table, in the order they are documented. A new table adds its line here.
pub const ALL: &[&dyn Table] = &[
    &common::Recordings,
    &common::Players,
    &common::Events,
    &common::Stats,
    &games::rocket_league::FramesBall,
    &games::rocket_league::FramesCars,
    &games::rocket_league::Pads,
    &games::rocket_league_matches::Matches,
    &games::rocket_league_matches::MatchPlayers,
    &games::rocket_league_updates::Updates,
    &games::slippi_frames::Frames,
    &games::slippi::Items,
    &games::slippi::Conversions,
    &games::slippi::Combos,
    &games::slippi::Moves,
    &games::slippi_hits::Hits,
    &games::slippi_techniques::Techniques,
    &games::slippi_games::GamePlayers,
    &games::slippi_games::Controllers,
    &games::slippi_learning::Learning,
    &games::satisfactory::Objects,
    &games::satisfactory::AllProperties,
    &games::satisfactory_contents::Inventories,
    &games::satisfactory_contents::Belts,
    &games::satisfactory_contents::BeltItems,
    &games::satisfactory_contents::Circuits,
    &games::satisfactory_factory::Machines,
    &games::satisfactory_factory::Production,
    &games::satisfactory_figures::CircuitMachines,
    &games::satisfactory_figures::Figures,
    &games::satisfactory_flow::FlowEdges,
    &games::satisfactory_world::Nodes,
    &games::satisfactory_world::Collectibles,
    &games::rumble::FramesPlayers,
    &games::rumble::FramesStructures,
];

/// The table with a name.
pub fn find(name: &str) -> Option<&'static dyn Table> {
    ALL.iter().copied().find(|table| table.name() == name)
}
