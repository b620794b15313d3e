//! CSV cells that spreadsheets do not run as formulas.
//!
//! A player can be called `=HYPERLINK(...)`. Spreadsheets run a cell that starts like that, even in quotes. Such text
//! is prefixed with an apostrophe. Numeric columns are left alone, and so is text that is a number, such as `-5`.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;

/// The prefix for text that would be a formula.
const GUARD: char = '\'';

/// A batch with escaped text.
pub(crate) fn guarded(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let mut fields: Vec<Arc<Field>> = schema.fields().to_vec();
    let mut columns = batch.columns().to_vec();
    let mut is_changed = false;
    for (field, column) in fields.iter_mut().zip(&mut columns) {
        if let Some(safe) = guarded_column(column)? {
            let name = field.name().clone();
            *field = Arc::new(Field::new(name, DataType::Utf8, field.is_nullable()));
            *column = safe;
            is_changed = true;
        }
    }
    match is_changed {
        true => RecordBatch::try_new(Arc::new(Schema::new(fields)), columns),
        false => Ok(batch.clone()),
    }
}

/// A text column with escaped cells; `None` if none needs it.
fn guarded_column(column: &ArrayRef) -> Result<Option<ArrayRef>, ArrowError> {
    let is_text = |kind: &DataType| {
        matches!(
            kind,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
        )
    };
    let is_formulas = match column.data_type() {
        // Each text of a dictionary is checked once.
        DataType::Dictionary(_, value) if is_text(value) => {
            let values = column.as_any_dictionary().values();
            has_formula(cast(values, &DataType::Utf8)?.as_string())
        }
        kind if is_text(kind) => has_formula(cast(column, &DataType::Utf8)?.as_string()),
        _ => false,
    };
    if !is_formulas {
        return Ok(None);
    }
    let texts = cast(column, &DataType::Utf8)?;
    let texts = texts.as_string::<i32>().iter();
    let safe = texts.map(|text| {
        text.map(|text| match is_formula(text) {
            true => format!("{GUARD}{text}"),
            false => text.to_owned(),
        })
    });
    Ok(Some(Arc::new(safe.collect::<StringArray>())))
}

fn has_formula(texts: &StringArray) -> bool {
    texts.iter().flatten().any(is_formula)
}

/// True for text that a spreadsheet may run. Some spreadsheets also accept fullwidth signs.
fn is_formula(text: &str) -> bool {
    let is_sign = |letter: char| {
        matches!(
            letter,
            '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
        )
    };
    text.starts_with(is_sign) && !is_number(text)
}

/// True for plain numbers: `f64` would also accept `-inf` and `-nan`.
fn is_number(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    text.bytes().all(is_plain) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_from_numbers() {
        for text in [
            "=1+1", "+A1", "-A1", "@SUM(1)", "\t=1", "\r=1", "-inf", "-1-1", "＝1", "-",
        ] {
            assert!(is_formula(text), "{text:?}");
        }
        for text in ["-5", "+5", "-1.5e-3", "name", "", "a=1", "'=1"] {
            assert!(!is_formula(text), "{text:?}");
        }
    }
}
