//! Tables of recordings, decoded while the query runs: only the columns and the recordings that it needs.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use postgame_tables::{Request, Table, TableOptions, scan};

use crate::pruning;
use crate::session::Failures;

/// Maximum number of batches that wait for the query.
const WAITING_BATCHES: usize = 2;

/// A table of recordings.
pub(crate) struct RawTable {
    table: &'static dyn Table,
    paths: Vec<PathBuf>,
    threads: usize,
    failures: Failures,
}

impl RawTable {
    pub fn new(
        table: &'static dyn Table,
        paths: Vec<PathBuf>,
        threads: usize,
        failures: Failures,
    ) -> Self {
        Self {
            table,
            paths,
            threads,
            failures,
        }
    }

    pub fn name(&self) -> &'static str {
        self.table.name()
    }
}

impl fmt::Debug for RawTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawTable({})", self.table.name())
    }
}

#[async_trait]
impl TableProvider for RawTable {
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
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = TableOptions {
            columns: projection.cloned(),
            ..TableOptions::default()
        };
        let schema = options.project(&self.table.schema())?;
        let request = Request {
            options,
            threads: self.threads,
            only: pruning::only(filters),
            ..Request::new(self.table)
        };
        let partition = RawRows {
            schema: schema.clone(),
            request,
            paths: self.paths.clone(),
            failures: Arc::clone(&self.failures),
        };
        // One partition: the scan has its own threads, and its order is that of the recordings.
        let plan =
            StreamingTableExec::try_new(schema, vec![Arc::new(partition)], None, [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// The rows of one scan.
struct RawRows {
    schema: SchemaRef,
    request: Request,
    paths: Vec<PathBuf>,
    failures: Failures,
}

impl fmt::Debug for RawRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of recordings", self.request.table.name())
    }
}

impl PartitionStream for RawRows {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut builder =
            RecordBatchReceiverStreamBuilder::new(self.schema.clone(), WAITING_BATCHES);
        let rows = builder.tx();
        let (request, paths) = (self.request.clone(), self.paths.clone());
        let failures = Arc::clone(&self.failures);
        builder.spawn_blocking(move || {
            for item in scan(paths, request)? {
                match item {
                    // The receiver is gone: the query has everything it needs.
                    Ok(batch) => {
                        if rows.blocking_send(Ok(batch)).is_err() {
                            break;
                        }
                    }
                    Err(failure) => failures
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(failure),
                }
            }
            Ok(())
        });
        builder.build()
    }
}
