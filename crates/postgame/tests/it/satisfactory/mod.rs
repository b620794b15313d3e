//! Satisfactory saves and blueprints from end to end.

mod damage;
mod edit;
mod golden;
mod index;
mod mods;
mod peer;
mod whole;

use std::path::PathBuf;

use crate::corpus;

/// The real saves, blueprints and configuration files, and the samples.
pub fn files(extension: &str) -> Vec<PathBuf> {
    let mut files = match extension {
        "sav" => corpus::samples("factory.sav"),
        "sbp" => vec![corpus::root().join("samples/platform.sbp")],
        _ => vec![corpus::root().join("samples/platform.sbpcfg")],
    };
    files.extend(
        corpus::files("satisfactory", &[extension])
            .into_iter()
            .flatten(),
    );
    files
}
