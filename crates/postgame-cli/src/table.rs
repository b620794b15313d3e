//! Aligned columns for people.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use crate::output::printable;

/// Rows of cells that are printed with their columns aligned; the last column is as wide as it is. Characters that would
/// act on a terminal are escaped.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new<'a>(headings: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            rows: vec![headings.into_iter().map(printable).collect()],
        }
    }

    /// Adds a row, with a cell for every heading.
    pub fn add(&mut self, row: impl IntoIterator<Item = String>) {
        let cells = row.into_iter().map(|cell| printable(&cell));
        self.rows.push(cells.collect());
    }

    /// Writes the table as CSV, headings in small letters.
    pub fn csv(&self, output: &mut impl Write) -> io::Result<()> {
        for (number, row) in self.rows.iter().enumerate() {
            let cells = row.iter().map(|cell| match number {
                0 => cell.to_lowercase().replace(' ', "_"),
                _ if cell.contains([',', '"']) => format!("\"{}\"", cell.replace('"', "\"\"")),
                _ => cell.clone(),
            });
            let cells: Vec<String> = cells.collect();
            writeln!(output, "{}", cells.join(","))?;
        }
        Ok(())
    }

    /// Prints the table, without columns that are empty in every row; nothing when there is no row.
    pub fn print(&self, output: &mut impl Write) -> io::Result<()> {
        let Some((headings, rows)) = self.rows.split_first().filter(|(_, rows)| !rows.is_empty())
        else {
            return Ok(());
        };
        let columns: Vec<(usize, usize)> = (0..headings.len())
            .filter(|&column| {
                rows.iter()
                    .any(|row| row.get(column).is_some_and(|cell| !cell.is_empty()))
            })
            .map(|column| {
                let widths = self
                    .rows
                    .iter()
                    .filter_map(|row| row.get(column))
                    .map(|cell| cell.width());
                (column, widths.max().unwrap_or(0))
            })
            .collect();
        for row in &self.rows {
            let mut line = String::new();
            for &(column, width) in &columns {
                let cell = row.get(column).map(String::as_str).unwrap_or_default();
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width - cell.width() + 2));
            }
            writeln!(output, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
