//! `cargo xtask blowup`: a Satisfactory save of any size, made from copies of its buildings with new names.

use std::path::Path;
use std::time::Instant;

use postgame::limits::Limits;
use postgame::satisfactory;
use postgame::{ReadOptions, Report};

use crate::tools::Result;

/// Copies compress so well that the large file's size says little about the memory it takes, in multiples of its body.
const MEMORY_RATIO: u64 = 8;

/// Reads `input`, adds copies until the body has `size` bytes, writes `output`, and reads it again.
pub fn run(input: &Path, output: &Path, size: u64) -> Result {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", input.display());
    let bytes = std::fs::read(input).map_err(|error| failed(&error))?;
    let start = Instant::now();
    let options = ReadOptions {
        limits: Limits::with_memory(size.saturating_mul(MEMORY_RATIO)),
        ..ReadOptions::default()
    };
    let mut save = satisfactory::read(&bytes, &options, &mut Report::default())
        .map_err(|error| failed(&error))?;
    let small = timed(&bytes, &options)?;
    let body = save
        .body
        .as_mut()
        .ok_or_else(|| failed(&"it has no body"))?;
    let added = body.add_copies(size).map_err(|error| failed(&error))?;
    let large = satisfactory::write(&save).map_err(|error| failed(&error))?;
    std::fs::write(output, &large).map_err(|error| format!("{}: {error}", output.display()))?;
    eprintln!(
        "{added} objects added; {} bytes written in {:.1} s",
        large.len(),
        start.elapsed().as_secs_f64()
    );
    drop(save);
    let large = timed(&large, &options)?;
    for (what, (body, index_s, decode_s)) in [("before", small), ("after", large)] {
        let mb = body as f64 / 1e6;
        eprintln!(
            "{what}: body of {mb:.1} MB, indexed in {:.3} s ({:.0} MB/s), decoded in {:.3} s ({:.0} MB/s)",
            index_s,
            mb / index_s,
            decode_s,
            mb / decode_s
        );
    }
    Ok(())
}

/// The inflated size, and the durations of the index pass and of decoding every object.
fn timed(bytes: &[u8], options: &ReadOptions) -> Result<(usize, f64, f64)> {
    let start = Instant::now();
    let mut save = satisfactory::read(bytes, options, &mut Report::default())
        .map_err(|error| error.to_string())?;
    let index_s = start.elapsed().as_secs_f64();
    let body = save.body.as_mut().ok_or("it has no body")?;
    let size = body.bytes().len();
    let start = Instant::now();
    body.decode_all().map_err(|error| error.to_string())?;
    Ok((size, index_s, start.elapsed().as_secs_f64()))
}
