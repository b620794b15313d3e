//! Tables of a data set: the Parquet files in its lists.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
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
use datafusion::prelude::SessionContext;
use datafusion::scalar::ScalarValue;
use postgame_files::Failure;
use postgame_tables::dataset::manifest::Entry;
use postgame_tables::dataset::{DataFile, Manifest, PARTITIONS, Store};
use postgame_tables::{Table, places};

use crate::pruning;

/// A data set: its location and its contents.
#[derive(Debug)]
pub(crate) struct Dataset {
    store: Store,
    /// The folder, if it is on disk.
    folder: PathBuf,
    /// The store's URL in DataFusion.
    url: ObjectStoreUrl,
    manifest: Manifest,
}

impl Dataset {
    /// Opens a data set, and registers its store with DataFusion. Damaged segments are skipped and reported.
    pub fn open(path: &Path, context: &SessionContext) -> io::Result<(Self, Vec<Failure>)> {
        let store = Store::open(path)?;
        let mut manifest = Manifest::read(&store)?;
        let mut failures = manifest.unreadable.clone();
        for (_, damage) in manifest.take_damaged(&store)? {
            let hint =
                "its rows are left out; `postgame ingest` with its recordings adds them again";
            failures.push(Failure::new(path.display(), format!("{damage}; {hint}")));
        }
        if manifest.segments.is_empty() && failures.is_empty() {
            return Err(io::Error::other("there is no data set in this folder"));
        }
        let (folder, url) = match store.bucket() {
            None => (path.canonicalize()?, ObjectStoreUrl::local_filesystem()),
            Some(bucket) => {
                let (files, address) = bucket.store();
                let url = ObjectStoreUrl::parse(address).map_err(io::Error::other)?;
                context.register_object_store(url.as_ref(), files);
                (PathBuf::new(), url)
            }
        };
        let dataset = Self {
            store,
            folder,
            url,
            manifest,
        };
        Ok((dataset, failures))
    }

    /// A file in DataFusion's form.
    fn file(&self, file: &DataFile) -> Result<PartitionedFile> {
        let path = self.folder.join(&file.path);
        let text = path.to_str().ok_or_else(|| {
            DataFusionError::Execution(format!("{}: not Unicode", path.display()))
        })?;
        let mut partitioned = PartitionedFile::new(text, file.bytes);
        if let Some(bucket) = self.store.bucket() {
            partitioned.object_meta.location = bucket.place(&file.path)?;
        }
        Ok(partitioned)
    }
}

/// A table of a data set.
pub(crate) struct DatasetTable {
    table: &'static dyn Table,
    dataset: Arc<Dataset>,
}

impl DatasetTable {
    pub fn new(table: &'static dyn Table, dataset: Arc<Dataset>) -> Self {
        Self { table, dataset }
    }

    /// The columns of the files, and those encoded in folder names.
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

    /// The value encoded in a folder name, in the column's type.
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
        let segments = self.dataset.manifest.segments.iter();
        let segments = segments.filter(|segment| segment.recordings.iter().any(is_wanted));
        let all = segments.flat_map(|segment| &segment.files);
        for file in all.filter(|file| file.table == self.table.name()) {
            if games
                .as_ref()
                .is_some_and(|games| !games.contains(&file.game.as_str()))
            {
                continue;
            }
            let values = told.iter().map(|field| self.told(file, field));
            let values = values.collect::<Result<_>>()?;
            files.push(self.dataset.file(file)?.with_partition_values(values));
        }
        // The declared column order differs from that of files, in which columns from folder names come last.
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
            self.dataset.url.clone(),
            Arc::new(ParquetSource::new(table_schema)),
        )
        .with_file_groups(groups)
        .with_projection_indices(Some(indices))?
        .with_limit(limit)
        .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
