//! Writes results for people and for programs.

use std::io::{self, Write};

use datafusion::arrow::array::Array;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use postgame_files::printable;
use postgame_tables::write::{FileKind, TableWriter};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Aligned columns, at most as wide as the terminal.
    Table {
        /// The width; `None` for unlimited.
        width: Option<usize>,
    },
    /// A file.
    File(FileKind),
}

/// Maximum number of rows shown to a person; larger results belong in a file.
const MAX_ROWS: usize = 10_000;
/// Minimum width of a column that is narrowed.
const NARROWEST: usize = 6;

/// Writes a result as it arrives; aligned columns need all of it first.
///
/// # Errors
/// When the query or the output fails.
pub async fn write(
    form: Form,
    schema: &SchemaRef,
    mut stream: SendableRecordBatchStream,
    output: &mut (dyn Write + Send),
) -> Result<(), DataFusionError> {
    match form {
        Form::File(kind) => {
            let mut writer = TableWriter::new(kind, schema, output)?;
            while let Some(batch) = stream.next().await {
                writer.write(&batch?)?;
            }
            Ok(writer.finish()?)
        }
        Form::Table { width } => {
            let mut rows = Rows::new(schema);
            let mut left_out = 0;
            while let Some(batch) = stream.next().await {
                let batch = batch?;
                let room = MAX_ROWS.saturating_sub(rows.cells.len() - 1);
                left_out += batch.num_rows().saturating_sub(room);
                rows.add(&batch.slice(0, batch.num_rows().min(room)))?;
            }
            rows.print(width, output)?;
            if left_out > 0 {
                writeln!(
                    output,
                    "… and {left_out} more rows: --csv, --json and --parquet have all"
                )?;
            }
            Ok(())
        }
    }
}

/// Cells as text, headings first.
struct Rows {
    cells: Vec<Vec<String>>,
    /// Numbers are right-aligned.
    is_number: Vec<bool>,
}

impl Rows {
    fn new(schema: &SchemaRef) -> Self {
        let fields = schema.fields();
        Self {
            cells: vec![fields.iter().map(|field| printable(field.name())).collect()],
            is_number: fields
                .iter()
                .map(|field| field.data_type().is_numeric())
                .collect(),
        }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let options = FormatOptions::default();
        let columns = batch.columns().iter();
        let columns =
            columns.map(|column| ArrayFormatter::try_new(column.as_ref() as &dyn Array, &options));
        let columns: Vec<ArrayFormatter<'_>> = columns.collect::<Result<_, _>>()?;
        for row in 0..batch.num_rows() {
            // A cell with several lines, such as a plan, takes several rows.
            let lines = |column: &ArrayFormatter<'_>| -> Vec<String> {
                let text = column.value(row).to_string();
                text.lines().map(printable).collect()
            };
            let cells: Vec<Vec<String>> = columns.iter().map(lines).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
            for line in 0..height {
                let cell = |lines: &Vec<String>| lines.get(line).cloned().unwrap_or_default();
                self.cells.push(cells.iter().map(cell).collect());
            }
        }
        Ok(())
    }

    fn print(&self, width: Option<usize>, output: &mut dyn Write) -> io::Result<()> {
        let count = self.is_number.len();
        let mut widths = vec![0; count];
        for row in &self.cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        if let Some(most) = width {
            fit(&mut widths, most);
        }
        for (number, row) in self.cells.iter().enumerate() {
            let mut line = String::new();
            for ((cell, &width), is_number) in row.iter().zip(&widths).zip(&self.is_number) {
                let cell = cut(cell, width);
                let space = " ".repeat(width.saturating_sub(cell.width()));
                if *is_number {
                    line.push_str(&space);
                    line.push_str(&cell);
                } else {
                    line.push_str(&cell);
                    line.push_str(&space);
                }
                line.push_str("  ");
            }
            writeln!(output, "{}", line.trim_end())?;
            if number == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                writeln!(output, "{}", rules.join("  "))?;
            }
        }
        Ok(())
    }
}

/// Narrows the widest columns until all fit.
fn fit(widths: &mut [usize], most: usize) {
    let all = |widths: &[usize]| widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
    while all(widths) > most {
        let Some(widest) = widths.iter_mut().max().filter(|width| **width > NARROWEST) else {
            return;
        };
        *widest -= 1;
    }
}

/// Text of at most a width; truncated text ends with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        cut.push(letter);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit_the_terminal() {
        let mut widths = [4, 40, 10];
        fit(&mut widths, 30);
        assert_eq!(widths.iter().sum::<usize>() + 4, 30);
        assert_eq!(widths[0], 4);
        assert_eq!(cut("Sendurance", 6), "Sendu…");
        assert_eq!(cut("日本語", 5), "日本…");
    }
}
