//! How an answer must relate to the value of a fact.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A relation between an answer and a fact's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Equal, within the tolerance. An object may have more fields than the fact states.
    #[default]
    #[serde(alias = "==", alias = "=")]
    Eq,
    /// Not equal, even within the tolerance.
    #[serde(alias = "!=")]
    Ne,
    /// At least.
    #[serde(alias = ">=")]
    Ge,
    /// More than.
    #[serde(alias = ">")]
    Gt,
    /// At most.
    #[serde(alias = "<=")]
    Le,
    /// Less than.
    #[serde(alias = "<")]
    Lt,
    /// One of the fact's values.
    In,
    /// A string or a list that contains the fact's value, or all of its values if it is a list.
    Contains,
    /// The opposite of `Contains`.
    NotContains,
}

/// How far a number may be off: by the larger of an amount and a share of the expected value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// In the unit of the value.
    pub amount: f64,
    /// A fraction of the expected value.
    pub share: f64,
}

impl Tolerance {
    /// The largest difference allowed.
    pub fn of(self, expected: f64) -> f64 {
        self.amount.max(self.share * expected.abs())
    }

    /// Reads `2% or 2`, `2%` or `2`.
    fn parse(text: &str) -> Option<Self> {
        let mut tolerance = Self::default();
        for part in text.split(" or ") {
            match part.trim().strip_suffix('%') {
                Some(percent) => tolerance.share = percent.trim().parse::<f64>().ok()? / 100.0,
                None => tolerance.amount = part.trim().parse().ok()?,
            }
        }
        Some(tolerance)
    }
}

impl<'de> Deserialize<'de> for Tolerance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let tolerance = match &value {
            Value::Null => Some(Self::default()),
            Value::Number(number) => number.as_f64().map(|amount| Self { amount, share: 0.0 }),
            Value::String(text) => Self::parse(text),
            _ => None,
        };
        tolerance.ok_or_else(|| serde::de::Error::custom(format!("not a tolerance: {value}")))
    }
}

impl Op {
    /// Whether the answer relates to the expected value in this way. Values of different types do not compare.
    pub fn holds(self, answer: &Value, expected: &Value, tolerance: Tolerance) -> bool {
        let is_equal = |expected: &Value| is_equal(answer, expected, tolerance);
        let ordered = |holds: fn(f64, f64) -> bool, sign: f64| {
            let (Some(answer), Some(expected)) = (answer.as_f64(), expected.as_f64()) else {
                return false;
            };
            holds(answer, expected + sign * tolerance.of(expected))
        };
        match self {
            Self::Eq => is_equal(expected),
            Self::Ne => !is_equal(expected),
            Self::Ge => ordered(|answer, limit| answer >= limit, -1.0),
            Self::Gt => ordered(|answer, limit| answer > limit, -1.0),
            Self::Le => ordered(|answer, limit| answer <= limit, 1.0),
            Self::Lt => ordered(|answer, limit| answer < limit, 1.0),
            Self::In => expected
                .as_array()
                .is_some_and(|all| all.iter().any(is_equal)),
            Self::Contains => contains(answer, expected, tolerance),
            Self::NotContains => {
                (answer.is_array() || answer.is_string()) && !contains(answer, expected, tolerance)
            }
        }
    }
}

fn contains(answer: &Value, expected: &Value, tolerance: Tolerance) -> bool {
    match (answer, expected) {
        (Value::String(answer), Value::String(expected)) => answer.contains(expected.as_str()),
        (Value::Array(all), expected) => {
            let has = |wanted: &Value| all.iter().any(|one| is_equal(one, wanted, tolerance));
            has(expected)
                || expected
                    .as_array()
                    .is_some_and(|wanted| wanted.iter().all(has))
        }
        _ => false,
    }
}

/// Equal within the tolerance, all the way down. Objects must have what is expected, and may have more.
fn is_equal(answer: &Value, expected: &Value, tolerance: Tolerance) -> bool {
    match (answer, expected) {
        (Value::Number(answer), Value::Number(expected)) => {
            if let (Some(answer), Some(expected)) = (answer.as_i64(), expected.as_i64()) {
                return (answer - expected).unsigned_abs() as f64 <= tolerance.of(expected as f64);
            }
            let (Some(answer), Some(expected)) = (answer.as_f64(), expected.as_f64()) else {
                return false;
            };
            // Recordings have single precision, and facts quote it with as many digits as they like.
            (answer - expected).abs() <= tolerance.of(expected) || answer as f32 == expected as f32
        }
        (Value::Array(answer), Value::Array(expected)) => {
            let mut pairs = answer.iter().zip(expected);
            answer.len() == expected.len()
                && pairs.all(|(answer, expected)| is_equal(answer, expected, tolerance))
        }
        (Value::Object(answer), Value::Object(expected)) => {
            expected.iter().all(|(name, expected)| {
                let answer = answer.get(name).unwrap_or(&Value::Null);
                is_equal(answer, expected, tolerance)
            })
        }
        _ => answer == expected,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Op, Tolerance};

    fn holds(op: &str, answer: Value, expected: Value, tolerance: Value) -> bool {
        let read = "the test's own JSON is well formed";
        let op: Op = serde_json::from_value(op.into()).expect(read);
        let tolerance: Tolerance = serde_json::from_value(tolerance).expect(read);
        op.holds(&answer, &expected, tolerance)
    }

    #[test]
    fn numbers_compare_within_the_tolerance() {
        let exact = Value::Null;
        assert!(holds("eq", json!(3), json!(3.0), exact.clone()));
        assert!(!holds("eq", json!(3), json!(4), exact.clone()));
        assert!(holds("eq", json!(3), json!(4), json!(1)));
        assert!(holds("eq", json!(102), json!(100), json!("2% or 1")));
        assert!(holds("eq", json!(2), json!(0), json!("2% or 2")));
        assert!(!holds("eq", json!(103), json!(100), json!("2% or 2")));
        assert!(holds(
            "eq",
            json!(f64::from(56.81875_f32)),
            json!(56.81875),
            exact.clone()
        ));
        assert!(holds("ne", json!(3), json!(4), exact.clone()));
        assert!(holds(">=", json!(4), json!(4), exact.clone()));
        assert!(!holds("gt", json!(4), json!(4), exact.clone()));
        assert!(holds("lt", json!(3), json!(4), exact.clone()));
        assert!(!holds("le", json!(5), json!(4), exact.clone()));
        assert!(!holds("ge", Value::Null, json!(0), exact));
    }

    #[test]
    fn lists_strings_and_objects_compare_inside() {
        let exact = Value::Null;
        assert!(holds("in", json!("a"), json!(["a", "b"]), exact.clone()));
        assert!(holds(
            "contains",
            json!("zTTL."),
            json!("zTTL"),
            exact.clone()
        ));
        assert!(holds(
            "contains",
            json!(["a", "b"]),
            json!("b"),
            exact.clone()
        ));
        assert!(holds(
            "contains",
            json!(["a", "b", "c"]),
            json!(["c", "a"]),
            exact.clone()
        ));
        assert!(holds(
            "contains",
            json!([["a", "b"]]),
            json!(["a", "b"]),
            exact.clone()
        ));
        assert!(holds(
            "not_contains",
            json!(["a"]),
            json!("b"),
            exact.clone()
        ));
        assert!(!holds(
            "not_contains",
            Value::Null,
            json!("b"),
            exact.clone()
        ));
        assert!(holds(
            "eq",
            json!({"a": 1, "b": 2}),
            json!({"a": 1}),
            exact.clone()
        ));
        assert!(!holds(
            "eq",
            json!({"b": 2}),
            json!({"a": 1}),
            exact.clone()
        ));
        assert!(holds("eq", json!({}), json!({"a": null}), exact.clone()));
        assert!(!holds("eq", json!([1, 2]), json!([1]), exact));
        assert!(holds("eq", json!([1.04]), json!([1]), json!(0.05)));
    }
}
