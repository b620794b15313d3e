//! The fuzz targets, as plain functions.
//!
//! Each target takes arbitrary bytes and panics if an invariant is violated. `fuzz/` runs them under libFuzzer; the
//! tests of this crate run them on the seeds and on every regression file in `fuzz/regressions`. The inner layers are
//! reached through the public interface: a target builds a file around its bytes, with correct sizes and checksums, so
//! that every mutation reaches its layer.
//!
//! - [`rocket_league`], [`slippi`], [`satisfactory`], [`rumble`]: the layers of each format
//! - [`files`]: whole files of any format; [`tables`]: tables, archives and lists of files
//! - [`layers`]: stripping and adding compression and checksums; [`mutate`](mod@mutate): the mutator
//! - [`seeds`]: small files to start from

use std::path::PathBuf;

pub mod files;
pub mod layers;
pub mod mutate;
pub mod rocket_league;
pub mod rumble;
pub mod satisfactory;
pub mod seeds;
pub mod slippi;
#[cfg(feature = "tables")]
pub mod tables;

/// Maximum size of a seed, in bytes: small inputs run fast, and mutations are more likely to hit something relevant.
pub const MAX_SEED_BYTES: usize = 2048;

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is also that of the program in `fuzz/` and of the folder with its regressions.
    pub name: &'static str,
    /// Panics if an invariant is violated.
    pub run: fn(&[u8]),
    /// The seeds.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets. To add one, add a line here and a program in `fuzz/fuzz_targets`.
pub const TARGETS: &[Target] = &[
    target(
        "rl_header",
        rocket_league::header,
        rocket_league::header_seeds,
    ),
    target(
        "rl_tables",
        rocket_league::tables,
        rocket_league::tables_seeds,
    ),
    target(
        "rl_stream",
        rocket_league::stream,
        rocket_league::stream_seeds,
    ),
    target("slippi_events", slippi::events, slippi::events_seeds),
    target("slippi_ubjson", slippi::ubjson, slippi::ubjson_seeds),
    target(
        "sat_chunks",
        satisfactory::chunks,
        satisfactory::chunks_seeds,
    ),
    target("sat_body", satisfactory::body, satisfactory::body_seeds),
    target(
        "sat_properties",
        satisfactory::properties,
        satisfactory::properties_seeds,
    ),
    target("rumble_frames", rumble::frames, rumble::frames_seeds),
    target("rumble_stream", rumble::stream, rumble::stream_seeds),
    target("rumble_archive", rumble::archive, rumble::archive_seeds),
    target("file", files::file, seeds::files),
    target("json_to_file", files::json_to_file, seeds::json),
    target("file_to_json", files::file_to_json, seeds::files),
    target("repair", files::repair, seeds::files),
    target("timeline", files::timeline, seeds::files),
    target("gltf", files::gltf, seeds::files),
    #[cfg(feature = "tables")]
    target("tables", tables::tables, seeds::files),
    #[cfg(feature = "tables")]
    target("archives", tables::archives, tables::archives_seeds),
    #[cfg(feature = "tables")]
    target("lists", tables::lists, tables::lists_seeds),
];

const fn target(name: &'static str, run: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>) -> Target {
    Target { name, run, seeds }
}

/// Writes the seeds of a target into the folder `POSTGAME_FUZZ_SEEDS`, if that is set.
///
/// # Panics
/// When the folder cannot be written to.
pub fn write_seeds(target: &Target) {
    let Some(folder) = std::env::var_os("POSTGAME_FUZZ_SEEDS").map(PathBuf::from) else {
        return;
    };
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number}")), seed)
            .expect("the folder takes a file");
    }
}

/// The target with a name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
