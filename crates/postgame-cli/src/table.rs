//! Aligned columns for people.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

/// Rows of cells that are printed with their columns aligned; the last column is as wide as it is.
pub struct Table<const N: usize> {
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table with these headings.
    pub fn new(headings: [&str; N]) -> Self {
        Self {
            rows: vec![headings.map(str::to_owned)],
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// Prints the table, without columns that are empty in every row; nothing when there is no row.
    pub fn print(&self, output: &mut impl Write) -> io::Result<()> {
        if self.rows.len() < 2 {
            return Ok(());
        }
        let is_used: [bool; N] = std::array::from_fn(|column| {
            self.rows.iter().skip(1).any(|row| !row[column].is_empty())
        });
        let widths: [usize; N] = std::array::from_fn(|column| {
            self.rows
                .iter()
                .map(|row| row[column].width())
                .max()
                .unwrap_or(0)
        });
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row
                .iter()
                .enumerate()
                .filter(|(column, _)| is_used[*column])
            {
                line.push_str(cell);
                if column + 1 < N {
                    line.extend(std::iter::repeat_n(' ', widths[column] - cell.width() + 2));
                }
            }
            writeln!(output, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
