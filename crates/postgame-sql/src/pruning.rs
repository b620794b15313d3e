//! Derives from a query's conditions which recordings to read.
//!
//! Supports conditions on `file`, `game` and `recording_id` of the form `column = value` and `column IN (values)`. All
//! others are left to DataFusion, which also checks these again.

use std::sync::Arc;

use datafusion::logical_expr::{Expr, Operator, TableProviderFilterPushDown};
use datafusion::scalar::ScalarValue;
use postgame::Format;
use postgame_tables::input::Only;

/// Which of some conditions are supported.
pub(crate) fn support(filters: &[&Expr]) -> Vec<TableProviderFilterPushDown> {
    let support = |filter: &&Expr| match values(filter) {
        Some(_) => TableProviderFilterPushDown::Inexact,
        None => TableProviderFilterPushDown::Unsupported,
    };
    filters.iter().map(support).collect()
}

/// The recordings that conditions select.
pub(crate) fn only(filters: &[Expr]) -> Only {
    let mut only = Only::default();
    for (column, values) in filters.iter().filter_map(values) {
        match column {
            "file" => {
                let before = only.names.take();
                only.names = Some(Arc::new(move |name: &str| {
                    let is_wanted = values.iter().any(|value| value == name);
                    is_wanted && before.as_ref().is_none_or(|before| before(name))
                }));
            }
            "game" => {
                let named = Format::ALL.iter().copied();
                let named = named.filter(|format| values.iter().any(|value| value == format.id()));
                let wanted = named.filter(|format| only.has_format(*format)).collect();
                only.formats = Some(wanted);
            }
            _ => {
                let mut values = values;
                if let Some(before) = &only.ids {
                    values.retain(|value| before.contains(value));
                }
                only.ids = Some(values);
            }
        }
    }
    only
}

/// The column that a condition restricts, and its allowed values.
pub(crate) fn values(filter: &Expr) -> Option<(&str, Vec<String>)> {
    let (column, values) = match filter {
        Expr::BinaryExpr(binary) if binary.op == Operator::Eq => {
            match (plain(&binary.left), plain(&binary.right)) {
                (Expr::Column(column), value) | (value, Expr::Column(column)) => {
                    (column, vec![text(value)?])
                }
                _ => return None,
            }
        }
        Expr::InList(list) if !list.negated => match plain(&list.expr) {
            Expr::Column(column) => {
                let values = list.list.iter().map(|value| text(plain(value)));
                (column, values.collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        },
        _ => return None,
    };
    let name = column.name();
    ["file", "game", "recording_id"]
        .contains(&name)
        .then_some((name, values))
}

/// An expression without enclosing casts.
fn plain(expression: &Expr) -> &Expr {
    match expression {
        Expr::Cast(cast) => plain(&cast.expr),
        other => other,
    }
}

fn text(expression: &Expr) -> Option<String> {
    fn of(value: &ScalarValue) -> Option<String> {
        match value {
            ScalarValue::Utf8(text)
            | ScalarValue::LargeUtf8(text)
            | ScalarValue::Utf8View(text) => text.clone(),
            ScalarValue::Dictionary(_, value) => of(value),
            _ => None,
        }
    }
    match expression {
        Expr::Literal(value, _) => of(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::prelude::{col, lit};

    #[test]
    fn conditions_name_recordings() {
        let only = only(&[
            col("file").eq(lit("a.slp")),
            lit("slippi").eq(col("game")),
            col("recording_id").in_list(vec![lit("1"), lit("2")], false),
            col("recording_id").eq(lit("2")),
            col("duration_s").gt(lit(5.0)),
        ]);
        assert!(only.has_name("a.slp") && !only.has_name("b.slp"));
        assert!(only.has_format(Format::Slippi) && !only.has_format(Format::Rumble));
        assert_eq!(only.ids, Some(vec!["2".to_owned()]));
        assert!(values(&col("file").not_eq(lit("a.slp"))).is_none());
        assert!(values(&col("file").in_list(vec![lit("a.slp")], true)).is_none());
        assert!(values(&col("map").eq(lit("x"))).is_none());
    }
}
