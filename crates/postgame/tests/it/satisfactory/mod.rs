//! Satisfactory saves and blueprints from end to end.

mod damage;
mod edit;
mod golden;
mod index;
mod peer;
mod whole;

use std::path::PathBuf;

use crate::corpus;

/// The real saves, blueprints and configuration files, and the samples; with how many of each the corpus has.
pub fn files(extension: &str) -> Vec<PathBuf> {
    let mut files = match extension {
        "sav" => corpus::samples("factory.sav"),
        "sbp" => vec![corpus::root().join("samples/platform.sbp")],
        _ => vec![corpus::root().join("samples/platform.sbpcfg")],
    };
    if let Some(real) = corpus::files("satisfactory", &[extension]) {
        let expected = match extension {
            "sav" => 28,
            "sbp" => 34,
            "sbpcfg" => 34,
            _ => panic!("{extension}"),
        };
        assert_eq!(real.len(), expected, "files *.{extension} in the corpus");
        files.extend(real);
    }
    files
}
