//! Postgame in Python: the native half of the package `postgame`.
//!
//! - `input`, `error`: inputs from Python, and exceptions
//! - `recording`, `report`, `repair`, `timeline`: a recording and its contents
//! - `objects`, `edit`: the objects of Satisfactory saves, and changing them
//! - `follow`: replays while they are being recorded
//! - `table`, `column`, `scan`: tables of one recording and of many
//! - `json`, `arrays`, `capsule`: passing values, numbers and Arrow data to Python
//!
//! Heavy work always runs with the GIL released. This crate has no `unsafe` code of its own.

mod arrays;
mod capsule;
mod column;
mod edit;
mod error;
mod follow;
mod input;
mod json;
mod objects;
mod recording;
mod repair;
mod report;
mod scan;
mod table;
mod timeline;

use pyo3::prelude::*;

/// The native half of `postgame`; import that instead.
#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::column::Column;
    #[pymodule_export]
    use super::edit::Edit;
    #[pymodule_export]
    use super::follow::{Follow, follow};
    #[pymodule_export]
    use super::objects::Objects;
    #[pymodule_export]
    use super::recording::{Recording, from_json, read, repair, sniff};
    #[pymodule_export]
    use super::repair::{Repair, RepairStep};
    #[pymodule_export]
    use super::report::{Finding, Report};
    #[pymodule_export]
    use super::scan::{Scan, scan};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::timeline::{Entity, Timeline};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
