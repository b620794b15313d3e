//! Reading the tab-separated tables in `data/`.

use crate::tools::{Result, root};

/// A table: named columns, and rows with as many cells.
pub struct Table {
    path: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a table and checks its shape: every row has as many cells as the first, and every fact has a source.
    pub fn read(path: &str) -> Result<Self> {
        let text = std::fs::read_to_string(root().join(path))
            .map_err(|error| format!("{path}: {error}"))?;
        let mut lines = text
            .lines()
            .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let columns = lines.next().unwrap_or_default();
        let table = Self {
            path: path.to_owned(),
            columns,
            rows: lines.collect(),
        };
        for (number, row) in table.rows.iter().enumerate() {
            if row.len() != table.columns.len() {
                return Err(format!(
                    "{path}:{}: {} cells, not {}",
                    number + 2,
                    row.len(),
                    table.columns.len()
                ));
            }
        }
        if table.column("source")?.any(str::is_empty) {
            return Err(format!("{path}: a fact has no source"));
        }
        Ok(table)
    }

    fn position(&self, name: &str) -> Result<usize> {
        let position = self.columns.iter().position(|column| column == name);
        position.ok_or_else(|| format!("{}: there is no column {name}", self.path))
    }

    /// The cells of a column.
    pub fn column(&self, name: &str) -> Result<impl Iterator<Item = &str>> {
        let position = self.position(name)?;
        Ok(self.rows.iter().map(move |row| row[position].as_str()))
    }

    /// The rows, as the cells of these columns.
    pub fn rows<const N: usize>(&self, names: [&str; N]) -> Result<Vec<[&str; N]>> {
        let mut positions = [0; N];
        for (position, name) in positions.iter_mut().zip(names) {
            *position = self.position(name)?;
        }
        Ok(self
            .rows
            .iter()
            .map(|row| positions.map(|position| row[position].as_str()))
            .collect())
    }

    /// The names in a table that numbers them 0, 1, 2 and so on.
    pub fn numbered_names(&self) -> Result<Vec<&str>> {
        let rows = self.rows(["number", "name"])?;
        for (index, [number, _]) in rows.iter().enumerate() {
            if *number != index.to_string() {
                return Err(format!("{}: number {number} is out of order", self.path));
            }
        }
        Ok(rows.into_iter().map(|[_, name]| name).collect())
    }
}
