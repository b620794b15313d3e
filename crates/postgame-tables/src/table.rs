//! The interface of a table, and the `table!` field list that defines one.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use postgame::{Depth, Format};

use crate::source::Source;

/// Options for building rows.
#[derive(Clone, Debug, PartialEq)]
pub struct TableOptions {
    /// Maximum number of rows in a batch; this bounds memory for any recording.
    pub batch_rows: usize,
    /// For tables of frames: this many rows a second instead of one for every frame.
    pub fps: Option<f64>,
    /// The columns to build, by index in the schema, in this order; `None` for all. Other columns cost nothing.
    pub columns: Option<Vec<usize>>,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            batch_rows: 32_768,
            fps: None,
            columns: None,
        }
    }
}

impl TableOptions {
    /// True if a column of the schema is wanted.
    pub fn wants(&self, column: usize) -> bool {
        self.columns
            .as_ref()
            .is_none_or(|columns| columns.contains(&column))
    }

    /// The schema of the batches.
    ///
    /// # Errors
    /// When the schema has no column with such an index.
    pub fn project(&self, schema: &SchemaRef) -> Result<SchemaRef, ArrowError> {
        match &self.columns {
            Some(columns) => Ok(Arc::new(schema.project(columns)?)),
            None => Ok(schema.clone()),
        }
    }

    /// A batch of the wanted columns, all of which were built, in the requested order.
    pub(crate) fn batch(
        &self,
        schema: &SchemaRef,
        made: Vec<Option<ArrayRef>>,
        rows: usize,
    ) -> Result<RecordBatch, ArrowError> {
        let columns = match &self.columns {
            Some(wanted) => wanted
                .iter()
                .filter_map(|&column| made.get(column).cloned().flatten())
                .collect(),
            None => made.into_iter().flatten().collect(),
        };
        // A batch without columns still has rows, because a count needs no column.
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(schema.clone(), columns, &options)
    }
}

/// Receives batches as they are ready.
pub type Sink<'a> = &'a mut dyn FnMut(RecordBatch) -> Result<(), ArrowError>;

/// A table that can be built from recordings.
pub trait Table: Sync {
    /// Its name, stable between versions.
    fn name(&self) -> &'static str;
    /// The meaning of a row.
    fn doc(&self) -> &'static str;
    /// The formats of its recordings; empty for all.
    fn formats(&self) -> &'static [Format];
    /// The depth to which a recording must be read.
    fn depth(&self) -> Depth;
    /// Its columns with their documentation.
    fn columns(&self) -> &'static [ColumnDoc];
    /// Its Arrow schema.
    fn schema(&self) -> SchemaRef;
    /// Builds the rows of a recording, in batches. A recording of another game has none.
    ///
    /// # Errors
    /// When the sink fails, or the table does not have a wanted column.
    fn fill(
        &self,
        source: &Source,
        options: &TableOptions,
        sink: Sink<'_>,
    ) -> Result<(), ArrowError>;

    /// True if recordings of a format can have rows in it.
    fn is_of(&self, format: Format) -> bool {
        self.formats().is_empty() || self.formats().contains(&format)
    }
}

/// A column as shown in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDoc {
    /// Its name, with the unit.
    pub name: &'static str,
    /// The kind of its values, see [`crate::kinds`].
    pub kind: &'static str,
    /// Its meaning.
    pub doc: &'static str,
}

/// Indices of columns in a schema; missing columns are skipped.
pub fn places(schema: &Schema, names: &[&str]) -> Vec<usize> {
    names
        .iter()
        .filter_map(|name| schema.index_of(name).ok())
        .collect()
}

/// Declares a table: its name, its columns, and the function that builds its rows.
///
/// ```text
/// table! {
///     /// One row for every goal.
///     pub Goals = "goals" of &[Format::RocketLeague], at Depth::Full, by fill_goals in goals {
///         /// The recording.
///         recording_id: Name,
///         /// When.
///         time_s: F64,
///     }
/// }
///
/// fn fill_goals(source: &Source, options: &TableOptions, rows: &mut goals::Rows<'_>) -> Result<(), ArrowError> {
///     rows.push(goals::Row { recording_id: Some(&source.id), time_s: Some(1.0) })
/// }
/// ```
///
/// generates the unit struct `Goals` with its [`Table`] impl, and the module `goals` with `Row` and `Rows`. Columns
/// that are not wanted have no builder; check `rows.columns.NAME.is_some()` before computing an expensive value.
macro_rules! table {
    (
        $(#[doc = $doc:literal])+
        pub $Table:ident = $name:literal of $formats:expr, at $depth:expr, by $fill:ident in $module:ident {
            $($(#[doc = $column_doc:literal])+ $column:ident: $Kind:ident,)*
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $Table;

        $(#[doc = $doc])+
        pub mod $module {
            use $crate::kinds::Kind;

            /// A row.
            #[derive(Clone, Copy, Debug)]
            pub struct Row<'a> {
                $($(#[doc = $column_doc])+ pub $column: <$crate::kinds::$Kind as Kind>::Value<'a>,)*
            }

            /// The builders of the wanted columns.
            #[derive(Default)]
            pub struct Columns {
                $($(#[doc = $column_doc])+ pub $column: Option<<$crate::kinds::$Kind as Kind>::Builder>,)*
            }

            /// Collects rows and passes them on in batches.
            pub struct Rows<'a> {
                /// The builders.
                pub columns: Columns,
                schema: arrow::datatypes::SchemaRef,
                count: usize,
                options: &'a $crate::table::TableOptions,
                sink: $crate::table::Sink<'a>,
            }

            impl<'a> Rows<'a> {
                pub(super) fn new(
                    options: &'a $crate::table::TableOptions,
                    sink: $crate::table::Sink<'a>,
                ) -> Result<Self, arrow::error::ArrowError> {
                    let mut columns = Columns::default();
                    let mut place = 0;
                    $(
                        columns.$column = options.wants(place).then(Default::default);
                        place += 1;
                    )*
                    let _ = place;
                    Ok(Self { columns, schema: options.project(&schema())?, count: 0, options, sink })
                }

                /// Adds a row.
                ///
                /// # Errors
                /// When a batch is full and the sink fails.
                #[inline]
                #[allow(dead_code, reason = "some tables add whole columns")]
                pub fn push(&mut self, row: Row<'_>) -> Result<(), arrow::error::ArrowError> {
                    let Row { $($column),* } = row;
                    $(
                        if let Some(builder) = &mut self.columns.$column {
                            <$crate::kinds::$Kind as Kind>::append(builder, $column);
                        }
                    )*
                    self.added(1)
                }

                /// Number of rows that still fit into this batch.
                #[allow(dead_code, reason = "for tables that add whole columns")]
                pub fn room(&self) -> usize {
                    self.options.batch_rows.max(1) - self.count
                }

                /// Announces this many rows, so that a batch's columns are allocated once.
                #[allow(dead_code, reason = "for tables that add whole columns")]
                pub fn expect(&mut self, count: usize) {
                    let count = count.min(self.room());
                    $(
                        if let Some(builder) = &mut self.columns.$column {
                            <$crate::kinds::$Kind as Kind>::reserve(builder, count);
                        }
                    )*
                }

                /// Announces that rows were added to each column, no more than there was capacity for.
                ///
                /// # Errors
                /// When a batch is full and the sink fails.
                #[inline]
                pub fn added(&mut self, count: usize) -> Result<(), arrow::error::ArrowError> {
                    self.count += count;
                    if self.count >= self.options.batch_rows.max(1) { self.flush() } else { Ok(()) }
                }

                pub(super) fn flush(&mut self) -> Result<(), arrow::error::ArrowError> {
                    if self.count == 0 {
                        return Ok(());
                    }
                    let made = vec![
                        $(self.columns.$column.as_mut().map(<$crate::kinds::$Kind as Kind>::finish)),*
                    ];
                    let batch = self.options.batch(&self.schema, made, self.count)?;
                    self.count = 0;
                    (self.sink)(batch)
                }
            }

            pub(super) fn schema() -> arrow::datatypes::SchemaRef {
                use arrow::datatypes::{Field, Schema, SchemaRef};
                static SCHEMA: std::sync::LazyLock<SchemaRef> = std::sync::LazyLock::new(|| {
                    std::sync::Arc::new(Schema::new(vec![
                        $(Field::new(stringify!($column), <$crate::kinds::$Kind as Kind>::data_type(), true)),*
                    ]))
                });
                SCHEMA.clone()
            }
        }

        impl $crate::table::Table for $Table {
            fn name(&self) -> &'static str {
                $name
            }

            fn doc(&self) -> &'static str {
                concat!($($doc),+)
            }

            fn formats(&self) -> &'static [postgame::Format] {
                $formats
            }

            fn depth(&self) -> postgame::Depth {
                $depth
            }

            fn columns(&self) -> &'static [$crate::table::ColumnDoc] {
                &[$($crate::table::ColumnDoc {
                    name: stringify!($column),
                    kind: stringify!($Kind),
                    doc: concat!($($column_doc),+),
                }),*]
            }

            fn schema(&self) -> arrow::datatypes::SchemaRef {
                $module::schema()
            }

            fn fill(
                &self,
                source: &$crate::source::Source,
                options: &$crate::table::TableOptions,
                sink: $crate::table::Sink<'_>,
            ) -> Result<(), arrow::error::ArrowError> {
                if !self.is_of(source.recording.format()) {
                    return Ok(());
                }
                let mut rows = $module::Rows::new(options, sink)?;
                $fill(source, options, &mut rows)?;
                rows.flush()
            }
        }
    };
}
pub(crate) use table;
