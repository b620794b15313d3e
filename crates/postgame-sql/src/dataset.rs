//! Tables of a data set: the Parquet files that its lists name.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::scalar::ScalarValue;
use postgame_tables::dataset::manifest::Entry;
use postgame_tables::dataset::{DataFile, Manifest, PARTITIONS};
use postgame_tables::{Table, places};

use crate::pruning;

/// A table of a data set.
pub(crate) struct DatasetTable {
    table: &'static dyn Table,
    folder: PathBuf,
    manifest: Arc<Manifest>,
}

impl DatasetTable {
    pub fn new(table: &'static dyn Table, folder: PathBuf, manifest: Arc<Manifest>) -> Self {
        Self {
            table,
            folder,
            manifest,
        }
    }

    /// The columns that the files have, and those that the folders tell.
    fn columns(&self) -> (SchemaRef, Vec<FieldRef>) {
        let schema = self.table.schema();
        let is_told = |field: &&FieldRef| PARTITIONS.contains(&field.name().as_str());
        let told = schema.fields().iter().filter(is_told).cloned().collect();
        let own = schema.fields().iter().filter(|field| !is_told(field));
        (
            Arc::new(Schema::new(own.cloned().collect::<Vec<_>>())),
            told,
        )
    }

    /// What a folder tells, as the column has it.
    fn told(&self, file: &DataFile, field: &FieldRef) -> Result<ScalarValue> {
        let value = match field.name().as_str() {
            "game" => Some(file.game.clone()),
            _ => file.month.clone(),
        };
        ScalarValue::Utf8(value).cast_to(field.data_type())
    }
}

impl fmt::Debug for DatasetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatasetTable({})", self.table.name())
    }
}

#[async_trait]
impl TableProvider for DatasetTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(pruning::support(filters))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (own, told) = self.columns();
        let table_schema = TableSchema::builder(own)
            .with_table_partition_cols(told.clone())
            .build();
        let only = pruning::only(filters);
        let games: Option<Vec<&str>> = only
            .formats
            .as_ref()
            .map(|formats| formats.iter().map(|format| format.id()).collect());
        let mut files = Vec::new();
        let is_wanted = |entry: &Entry| {
            let ids = only.ids.as_ref();
            let is_id = ids.is_none_or(|ids| ids.iter().any(|id| entry.sha256.starts_with(id)));
            is_id && only.has_name(&entry.file)
        };
        let segments = self.manifest.segments.iter();
        let segments = segments.filter(|segment| segment.recordings.iter().any(is_wanted));
        let all = segments.flat_map(|segment| &segment.files);
        for file in all.filter(|file| file.table == self.table.name()) {
            if games
                .as_ref()
                .is_some_and(|games| !games.contains(&file.game.as_str()))
            {
                continue;
            }
            let path = self.folder.join(&file.path);
            let size = std::fs::metadata(&path)?.len();
            let values = told.iter().map(|field| self.told(file, field));
            let path = path.to_str().ok_or_else(|| {
                DataFusionError::Execution(format!("{}: not Unicode", path.display()))
            })?;
            files.push(
                PartitionedFile::new(path, size)
                    .with_partition_values(values.collect::<Result<_>>()?),
            );
        }
        // The declared order of columns is not that of files, where those that folders tell come last.
        let names: Vec<String> = {
            let schema = self.table.schema();
            let fields = schema.fields().iter().map(|field| field.name().clone());
            fields.collect()
        };
        let wanted: Vec<&str> = match projection {
            Some(columns) => columns
                .iter()
                .filter_map(|&column| names.get(column))
                .map(String::as_str)
                .collect(),
            None => names.iter().map(String::as_str).collect(),
        };
        let indices = places(table_schema.table_schema(), &wanted);
        let groups = FileGroup::new(files).split_files(state.config().target_partitions());
        let config = FileScanConfigBuilder::new(
            ObjectStoreUrl::local_filesystem(),
            Arc::new(ParquetSource::new(table_schema)),
        )
        .with_file_groups(groups)
        .with_projection_indices(Some(indices))?
        .with_limit(limit)
        .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
