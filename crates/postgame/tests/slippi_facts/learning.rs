//! Columns for machine learning.

use postgame::slippi::learning::{Column, Values, damage_taken};
use postgame::slippi::model::frames::Copies;
use serde_json::{Value, json};

use crate::load::{Fact, File};

pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    if fact.fact == "damage_taken" {
        let port = fact.port?.checked_sub(1)?;
        return Some(damage_taken(&file.replay, port, Copies::First)?.into());
    }
    let name = fact.fact.strip_prefix("column.")?;
    let column = file.columns()?.iter().find(|column| column.name == name)?;
    Some(described(column))
}

fn described(column: &Column) -> Value {
    let values = &column.values;
    let number = |index: usize| match values {
        Values::Flag(values) => json!(values[index]),
        _ => json!(values.number(index)),
    };
    let sum: f64 = (0..values.len()).filter_map(|at| values.number(at)).sum();
    json!({
        "dtype": values.dtype(),
        "length": values.len(),
        "sum": sum,
        "first": number(0),
        "last": number(values.len() - 1),
        "crc32": crc32fast::hash(&values.bytes()),
    })
}
