//! `cargo xtask samples`: small recordings made by our own writers, byte for byte the same every time.

mod rocket_league;
mod rumble;
mod satisfactory;
mod slippi;

use crate::tools::{Result, write_if_changed};

/// A sample: its path and what makes its bytes.
type Sample = (&'static str, fn() -> Result<Vec<u8>>);

/// Every sample. A new game adds its lines here.
const FILES: &[Sample] = &[
    ("samples/duel.replay", rocket_league::duel),
    ("samples/bout.replay", rumble::first_generation),
    ("samples/bout-archive.replay", rumble::second_generation),
    ("samples/bout-2026.replay", rumble::newest),
    ("samples/bout.rr", rumble::rr),
    ("samples/factory.sav", satisfactory::save),
    ("samples/platform.sbp", satisfactory::blueprint),
    ("samples/platform.sbpcfg", satisfactory::config),
    ("samples/duel.slp", slippi::duel),
];

/// Writes the samples that changed.
pub fn run() -> Result {
    for (path, make) in FILES {
        write_if_changed(path, &make()?)?;
    }
    Ok(())
}

/// Fails when a committed sample is not what the writers make.
pub fn check() -> Result {
    for (path, make) in FILES {
        let current = std::fs::read(crate::tools::root().join(path)).unwrap_or_default();
        if current != make()? {
            return Err(format!("{path} is out of date: run `cargo xtask samples`"));
        }
    }
    Ok(())
}
