//! What a table can do, and the `table!` field list that makes one.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use postgame::{Depth, Format};

use crate::source::Source;

/// How rows are made.
#[derive(Clone, Debug, PartialEq)]
pub struct TableOptions {
    /// A batch has at most this many rows: memory is bounded by it, whatever a recording holds.
    pub batch_rows: usize,
    /// For tables of frames: this many rows a second instead of one for every frame.
    pub fps: Option<f64>,
    /// The columns to make, by their place in the schema, in this order; `None` for all. Others cost nothing.
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
    /// True when a column of the schema is to be made.
    pub fn wants(&self, column: usize) -> bool {
        self.columns
            .as_ref()
            .is_none_or(|columns| columns.contains(&column))
    }

    /// The schema of the batches.
    ///
    /// # Errors
    /// When a column's place is none of the schema's.
    pub fn project(&self, schema: &SchemaRef) -> Result<SchemaRef, ArrowError> {
        match &self.columns {
            Some(columns) => Ok(Arc::new(schema.project(columns)?)),
            None => Ok(schema.clone()),
        }
    }

    /// A batch of the columns that were made, of which each wanted one is there; in the order of the request.
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
        // Without columns a batch still has rows: counting them asks for no column.
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(schema.clone(), columns, &options)
    }
}

/// Takes batches as they are ready.
pub type Sink<'a> = &'a mut dyn FnMut(RecordBatch) -> Result<(), ArrowError>;

/// A table that can be made of recordings.
pub trait Table: Sync {
    /// Its name, stable between versions.
    fn name(&self) -> &'static str;
    /// What a row is.
    fn doc(&self) -> &'static str;
    /// The formats whose recordings have it; none for all.
    fn formats(&self) -> &'static [Format];
    /// How much of a recording must be read for it.
    fn depth(&self) -> Depth;
    /// Its columns, with what they mean.
    fn columns(&self) -> &'static [ColumnDoc];
    /// Its Arrow schema.
    fn schema(&self) -> SchemaRef;
    /// Makes the rows of a recording, in batches. A recording of another game has none.
    ///
    /// # Errors
    /// What the sink says, and when a wanted column is none of the table's.
    fn fill(
        &self,
        source: &Source,
        options: &TableOptions,
        sink: Sink<'_>,
    ) -> Result<(), ArrowError>;

    /// True when recordings of a format may have rows in it.
    fn is_of(&self, format: Format) -> bool {
        self.formats().is_empty() || self.formats().contains(&format)
    }
}

/// A column as the documentation shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDoc {
    /// Its name, with the unit.
    pub name: &'static str,
    /// What kind of values it has, as in [`crate::kinds`].
    pub kind: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// Where columns stand in a schema; those it does not have are left out.
pub fn places(schema: &Schema, names: &[&str]) -> Vec<usize> {
    names
        .iter()
        .filter_map(|name| schema.index_of(name).ok())
        .collect()
}

/// Declares a table: its name, its columns, and a function that makes its rows.
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
/// makes the unit struct `Goals` with its [`Table`] impl, and the module `goals` with `Row` and `Rows`. Columns that
/// nobody asked for have no builder; whoever has to work for a value asks `rows.columns.NAME.is_some()` first.
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

            /// The builders of the columns that are wanted.
            #[derive(Default)]
            pub struct Columns {
                $($(#[doc = $column_doc])+ pub $column: Option<<$crate::kinds::$Kind as Kind>::Builder>,)*
            }

            /// Collects rows and hands them on in batches.
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
                /// What the sink says, when a batch is full.
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

                /// How many more rows this batch takes.
                #[allow(dead_code, reason = "for tables that add whole columns")]
                pub fn room(&self) -> usize {
                    self.options.batch_rows.max(1) - self.count
                }

                /// Says that so many rows will come: a batch's columns have room for them from the start.
                #[allow(dead_code, reason = "for tables that add whole columns")]
                pub fn expect(&mut self, count: usize) {
                    let count = count.min(self.room());
                    $(
                        if let Some(builder) = &mut self.columns.$column {
                            <$crate::kinds::$Kind as Kind>::reserve(builder, count);
                        }
                    )*
                }

                /// Says that rows were added to each of the columns, no more than there was room for.
                ///
                /// # Errors
                /// What the sink says, when a batch is full.
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
