//! What saves are made of, what changed between them, and whether they can be true.

mod compare;
mod facts;
mod probe;
mod sample;

use std::path::Path;

use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};

use crate::corpus;

/// A save, with all objects still packed.
pub fn read(path: &Path) -> Save {
    let bytes = std::fs::read(path).unwrap();
    satisfactory::read(&bytes, &ReadOptions::default(), &mut Report::default()).unwrap()
}

/// The bundled save.
pub fn sample() -> Save {
    read(&corpus::root().join("samples/factory.sav"))
}

/// A save of the corpus; `None` where there is no corpus.
pub fn real(name: &str) -> Option<Save> {
    Some(read(&corpus::folder()?.join("satisfactory").join(name)))
}
