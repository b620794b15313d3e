//! Combos and conversions that pass a filter.

use postgame::slippi::clips::Filter;
use postgame::slippi::stats::punish::Punish;
use serde_json::Value;

use crate::load::{Fact, File};

/// How many pass.
pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    let filter: Filter = serde_json::from_value(fact.params.get("filter")?.clone()).ok()?;
    let list = match fact.params.get("of")?.as_str()? {
        "combos" => &file.analysis.combos,
        "conversions" => &file.analysis.conversions,
        _ => return None,
    };
    let with_metadata = fact.params.get("names_from_metadata")?.as_bool()?;
    let is_match = |one: &&Punish| filter.is_match(&file.replay, one, with_metadata);
    Some(list.iter().filter(is_match).count().into())
}
