//! Satisfactory saves (`.sav`), blueprints (`.sbp`) and the files beside them (`.sbpcfg`), from Update 4 to 1.2.
//! The format is described in `docs/formats/satisfactory.md`.
//!
//! - [`catalogue`]: the game's items, recipes, buildings, unlocks, nodes and collectibles, generated from `data/satisfactory`
//! - [`codec`]: bytes to model and back: container, chunks, model, check, repair, summary, edit
//! - [`analysis`]: model to meaning: census, timeline, statistics, comparison, plausibility
//! - [`coords`]: Unreal's space and the timeline's
//! - [`tables`], [`world`]: what the files do not say, generated from `data/satisfactory`

pub mod analysis;
pub mod catalogue;
pub mod codec;
pub mod coords;
pub mod tables;
pub mod world;

pub use analysis::{
    Census, Comparison, Figures, History, blueprint, census, census_of_blueprint, classes,
    collectibles, compare, figures, flow, history, nodes, plan, probe, probe_of_blueprint,
    production, progress, stats, stats_of_blueprint, timeline, timeline_of_blueprint,
};
pub use codec::{
    Blueprint, BlueprintConfig, Body, Counts, Save, check, check_blueprint, check_config, chunks,
    container, counts, edit, model, property_path, read, read_blueprint, read_config, repair,
    repair_blueprint, repair_config, sniff, sniff_blueprint, sniff_config, summary,
    summary_of_blueprint, summary_of_config, write, write_blueprint, write_config,
};
pub(crate) use codec::{is_empty, is_empty_blueprint};
