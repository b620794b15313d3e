//! All tables, registered with DataFusion.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};
use futures::TryStreamExt as _;
use postgame_files::Failure;
use postgame_tables::ALL;

use crate::dataset::{Dataset, DatasetTable};
use crate::raw::RawTable;

/// A source for queries.
#[derive(Clone, Debug)]
pub enum Over {
    /// Recordings, including folders, patterns and archives.
    Recordings(Vec<PathBuf>),
    /// A data set.
    Dataset(PathBuf),
}

/// Recordings that could not be read while queries ran.
pub type Failures = Arc<Mutex<Vec<Failure>>>;

/// The registered tables.
pub struct Session {
    context: SessionContext,
    failures: Failures,
}

impl Session {
    /// Registers all tables.
    ///
    /// # Errors
    /// When a data set cannot be read.
    pub fn new(over: &Over, threads: usize) -> io::Result<Self> {
        let threads = match threads {
            0 => postgame_tables::scan::all_threads(),
            threads => threads,
        };
        let config = SessionConfig::new()
            .with_target_partitions(threads)
            .with_information_schema(true);
        let context = SessionContext::new_with_config(config);
        let failures = Failures::default();
        let dataset = match over {
            Over::Dataset(path) => {
                let (dataset, damaged) = Dataset::open(path, &context)?;
                let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                failures.extend(damaged);
                Some(Arc::new(dataset))
            }
            Over::Recordings(_) => None,
        };
        for table in ALL {
            let registered = match (over, &dataset) {
                (Over::Recordings(paths), _) => {
                    let failures = Arc::clone(&failures);
                    let table = RawTable::new(*table, paths.clone(), threads, failures);
                    context.register_table(table.name(), Arc::new(table))
                }
                (Over::Dataset(_), Some(dataset)) => {
                    let provider = DatasetTable::new(*table, Arc::clone(dataset));
                    context.register_table(table.name(), Arc::new(provider))
                }
                (Over::Dataset(_), None) => continue,
            };
            registered.map_err(io::Error::other)?;
        }
        Ok(Self { context, failures })
    }

    /// Runs a query, which cannot change anything.
    ///
    /// # Errors
    /// When the query is invalid.
    pub async fn query(
        &self,
        query: &str,
    ) -> Result<(SchemaRef, SendableRecordBatchStream), DataFusionError> {
        let only_reading = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        let frame = self.context.sql_with_options(query, only_reading).await?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        Ok((schema, frame.execute_stream().await?))
    }

    /// Runs a query and collects its result.
    ///
    /// # Errors
    /// When the query is invalid, or fails while it runs.
    pub async fn collect(&self, query: &str) -> Result<Vec<RecordBatch>, DataFusionError> {
        let (_, stream) = self.query(query).await?;
        stream.try_collect().await
    }

    /// The recordings that could not be read since the last call, each once.
    pub fn take_failures(&self) -> Vec<Failure> {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut failures = std::mem::take(&mut *failures);
        // A query may read a recording for several tables.
        failures.sort_by(|one, other| one.name.cmp(&other.name));
        failures.dedup();
        failures
    }
}
