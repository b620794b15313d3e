//! Finds the tables of a body whose stream is longer or shorter than stated.
//!
//! The tables follow the stream and are needed to read it. Bytes that were lost from the stream or inserted into it
//! leave the tables intact, but at another offset. Seven lists that end exactly with the section and contain objects
//! and attributes are not a coincidence.

use super::container::{body_contents, read_list, read_tables, schema_of, stream_of};
use super::model::text::Text;
use super::model::{Body, Part, Replay};
use crate::error::Space;
use crate::limits::{Budget, Limits};
use crate::report::Report;
use crate::wire::bytes::{ByteReader, Little};
use crate::wire::record::{LittleBytes, Wire};

/// Maximum number of bytes read in failed attempts, as a multiple of the section's size, so that a hostile file takes
/// no longer than a large one.
const MAX_READS: usize = 16;

/// The body with its tables at their actual place, and the frames before the damage; `None` if the tables are not
/// found.
pub(super) fn find_tables(replay: &Replay) -> Option<Body> {
    let mut contents = body_contents(replay).ok()??;
    // If foreign bytes were inserted into the stream, the section is longer than stated.
    contents.extend_from_slice(&replay.after.0);
    let budget = Limits::default().budget(contents.len());
    let mut reader = ByteReader::<Little>::with_base(&contents, 0, Space::File);
    let levels = read_list(&mut reader, Part::Levels, "levels", &budget).ok()?;
    let keyframes = read_list(&mut reader, Part::Keyframes, "keyframes", &budget).ok()?;
    let used = budget.used();
    reader.u32().ok()?;
    let start = reader.position();
    let mut reads_left = contents.len().saturating_mul(MAX_READS);
    for at in start..contents.len() {
        reader.seek(at);
        budget.rewind(used);
        let found = tables_at(&mut reader, &budget);
        reads_left = reads_left.checked_sub(reader.position().saturating_sub(at))?;
        let Some(mut body) = found else { continue };
        (body.levels, body.keyframes) = (levels, keyframes);
        let stream = (contents.get(start..at)?, start as u64);
        let frames = replay.header.stated_frames().or(Some(u32::MAX));
        let schema = schema_of(&replay.header, &body, stream, &budget);
        let stream = stream_of(&schema, &body, stream, frames, &budget);
        body.network = stream.decode(&mut Report::default());
        return Some(body);
    }
    None
}

/// The tables, if they start here and end with the section.
fn tables_at(reader: &mut ByteReader<'_, Little>, budget: &Budget) -> Option<Body> {
    let mut body = Body::default();
    read_tables(&mut body, reader, budget).ok()?;
    if body.objects.is_empty() || body.net_caches.is_empty() {
        return None;
    }
    if !reader.is_empty() {
        body.camera_track = <Text as Wire<LittleBytes>>::read(reader, &()).ok();
    }
    reader.is_empty().then_some(body)
}
