//! Whether an answer is what a fact says.

use serde_json::Value;

use crate::load::Fact;

/// Whether the answer fits.
pub fn fits(fact: &Fact, answer: &Value) -> bool {
    let expected = match fact.whole_game {
        Some(count) => Value::from(count),
        None => fact.value.clone(),
    };
    let numbers = || answer.as_f64().zip(expected.as_f64());
    let compare = |test: fn(f64, f64) -> bool| numbers().is_some_and(|(one, two)| test(one, two));
    match fact.op.as_str() {
        "eq" => is_equal(&expected, answer, fact.tolerance),
        "ne" => !is_equal(&expected, answer, fact.tolerance),
        ">" | "gt" => compare(|one, two| one > two),
        ">=" | "ge" => compare(|one, two| one >= two),
        "<" | "lt" => compare(|one, two| one < two),
        "<=" | "le" => compare(|one, two| one <= two),
        "in" => {
            let list = expected.as_array().map_or(&[][..], Vec::as_slice);
            list.iter().any(|one| is_equal(one, answer, fact.tolerance))
        }
        "contains" | "not_contains" => {
            let is_in = match (answer, &expected) {
                (Value::Array(list), one) => {
                    list.iter().any(|item| is_equal(one, item, fact.tolerance))
                }
                (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
                _ => false,
            };
            is_in == (fact.op == "contains")
        }
        other => panic!("unknown comparison {other}"),
    }
}

/// Whether two values are the same; of objects the expected members only, of numbers in single precision.
fn is_equal(expected: &Value, answer: &Value, tolerance: Option<f64>) -> bool {
    match (expected, answer) {
        (Value::Number(one), Value::Number(two)) => {
            let (one, two) = (one.as_f64().unwrap(), two.as_f64().unwrap());
            one == two
                || one as f32 == two as f32 && answer.is_f64()
                || (one - two).abs() <= tolerance.unwrap_or(0.0)
        }
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len()
                && one
                    .iter()
                    .zip(two)
                    .all(|(one, two)| is_equal(one, two, tolerance))
        }
        (Value::Object(one), Value::Object(two)) => one.iter().all(|(key, one)| {
            let two = two.get(key).unwrap_or(&Value::Null);
            is_equal(one, two, tolerance)
        }),
        (one, two) => one == two,
    }
}
