//! Repairs a damaged RUMBLE replay without inventing data.
//!
//! GZIP and ZIP have checksums of the contents. A repair is proven if the contents still match the stated checksum;
//! otherwise all of them are suspect.

use super::archive::{Archive, End};
use super::container::{MANIFEST, STREAM, Wrapper};
use super::model::{FirstReplay, Replay, SecondReplay};
use super::rr;
use crate::limits::Limits;
use crate::repair::{Loss, Repair};
use crate::wire::json::Bytes;

/// The manifest key for the number of frames.
const FRAME_COUNT: &str = "FrameCount";

/// Corrects counts, sizes, checksums and the archive's directory, and drops broken frames.
pub fn repair(replay: &mut Replay, done: &mut Repair) {
    match replay {
        Replay::First(replay) => repair_first(replay, done),
        Replay::Second(replay) => repair_second(replay, done),
        Replay::Rr(replay) => rr::repair(replay, done),
    }
}

/// True when neither frames nor any part of the manifest is left.
pub(crate) fn is_empty(replay: &Replay) -> bool {
    match replay {
        Replay::First(replay) => replay
            .frames
            .as_ref()
            .is_none_or(|frames| frames.len() == 0),
        Replay::Second(replay) => {
            let has_frames = matches!(&replay.stream, Some(stream) if !stream.frames.is_empty());
            let values = replay.manifest.values.as_object();
            !has_frames && values.is_none_or(|values| values.keys().all(|key| key == FRAME_COUNT))
        }
        Replay::Rr(replay) => rr::is_empty(replay),
    }
}

fn repair_first(
    FirstReplay {
        wrapper,
        header,
        frames,
        trailing,
    }: &mut FirstReplay,
    done: &mut Repair,
) {
    let Some(frames) = frames else { return };
    let first_step = done.steps.len();
    let is_whole = wrapper
        .packed
        .as_ref()
        .is_none_or(|packed| packed.is_whole());
    if let Some(count) = header.stated_frame_count.take() {
        let missing = usize::try_from(count)
            .unwrap_or(0)
            .saturating_sub(frames.len());
        let lost = Loss {
            frames: Some(missing as u64).filter(|&missing| missing > 0),
            bytes: Some(trailing.len() as u64).filter(|&bytes| bytes > 0),
            ..Loss::default()
        };
        trailing.clear();
        let action = format!("frame count {count} set to {}", frames.len());
        if lost == Loss::default() {
            done.suspect(action, "the count did not match the frames");
        } else {
            done.lost(action, lost);
        }
    }
    let Wrapper {
        packed,
        stated_inflated_size,
        stated_compressed_size,
        after,
    } = wrapper;
    for (what, stated) in [
        ("inflated", stated_inflated_size),
        ("compressed", stated_compressed_size),
    ] {
        if let Some(size) = stated.take() {
            done.proven(format!("{what} size {size} recomputed"));
        }
    }
    if !after.is_empty() {
        let bytes = std::mem::take(after).0.len();
        done.lost(
            "dropped the bytes after the compressed data",
            Loss::bytes(bytes),
        );
    }
    if !is_whole {
        done.suspect(
            "compressed the data anew",
            "the compressed data does not have its checksum, so any value may be wrong",
        );
    }
    if done.steps.len() > first_step {
        // The compressed data itself may be damaged, even if it still decodes to the same contents.
        *packed = None;
    }
}

fn repair_second(replay: &mut SecondReplay, done: &mut Repair) {
    if replay.stream.is_none() {
        return;
    }
    repair_directory(&mut replay.archive, done);
    repair_entries(replay, done);
    let first_step = done.steps.len();
    let frames_lost = repair_stream(replay, done);
    repair_manifest(replay, frames_lost, done);
    let is_broken = matches!(&replay.packed_stream, Some(packed) if !packed.is_whole());
    if is_broken {
        done.suspect(
            "compressed the frames anew",
            "the compressed frames break, so the last ones before the break may be wrong",
        );
    }
    if done.steps.len() > first_step {
        // Compressed again, because the kept bytes may be the damaged stream. An entry accepts only contents that
        // differ.
        replay.packed_stream = None;
        if let Some(entry) = replay.archive.find_mut(STREAM) {
            entry.data = Bytes::default();
        }
    }
}

/// Creates a missing directory, and makes its names and counts agree with the entries.
fn repair_directory(archive: &mut Archive, done: &mut Repair) {
    match &mut archive.end {
        Some(end) => {
            if end.stated_entries_on_disk.take().is_some() | end.stated_size.take().is_some() {
                done.proven("size of the archive's directory recomputed");
            }
        }
        None => {
            // The bytes after the entries are the remains of the directory, unless more was lost.
            let remains = archive.entries.last().map(|entry| entry.after.clone());
            let has_directory = remains.is_some_and(|remains| remains.0.starts_with(b"PK\x01\x02"));
            let entries = archive.entries.len();
            let between = archive.entries.iter().take(entries.saturating_sub(1));
            let between: usize = between.map(|entry| entry.after.0.len()).sum();
            for entry in &mut archive.entries {
                entry.after = Bytes::default();
                entry.list();
            }
            archive.end = Some(End::default());
            let action = "made a new directory of the archive";
            if between > 0 {
                done.lost(action, Loss::bytes(between));
            } else if has_directory {
                done.proven(action);
            } else {
                done.suspect(action, "entries may be missing at the archive's end");
            }
        }
    }
    for entry in &mut archive.entries {
        let Some(directory) = &mut entry.directory else {
            continue;
        };
        if directory.name != entry.header.name {
            let is_known =
                |name: &[u8]| [MANIFEST, STREAM].iter().any(|one| one.as_bytes() == name);
            if is_known(directory.name.as_bytes()) {
                entry.header.name = directory.name.clone();
            } else {
                directory.name = entry.header.name.clone();
            }
            done.proven(format!("both names of {} made the same", entry.header.name));
        }
    }
}

/// Compares each entry with its checksum, and sets its sizes and checksum to those of its contents.
fn repair_entries(replay: &mut SecondReplay, done: &mut Repair) {
    let whole = replay.whole_archive();
    for (entry, whole) in replay.archive.entries.iter_mut().zip(whole.entries) {
        let name = whole.header.name.to_string();
        // An entry that cannot be read is not one of the replay's own, and is kept unchanged.
        let Ok(inflated) = whole.inflate(&Limits::default().budget(whole.data.0.len())) else {
            continue;
        };
        if inflated.broken.is_some() && entry.header.name.as_bytes() == MANIFEST.as_bytes() {
            // Compressed again when it is written.
            entry.data = Bytes::default();
        }
        let is_proven = inflated.broken.is_none() && whole.proves(&inflated.bytes);
        let mut whole = whole;
        let is_changed = matches!(whole.restate(&inflated.bytes), Ok(true));
        if is_changed {
            entry.header = whole.header;
            entry.directory = whole.directory;
        }
        if is_proven && is_changed {
            done.proven(format!("sizes and checksums of {name} made the same"));
        } else if !is_proven {
            done.suspect(
                format!("checksum of {name} recomputed"),
                format!("{name} does not have its checksum, so anything in it may be wrong"),
            );
        }
    }
}

/// Drops the broken part of the frames; returns its size in bytes.
fn repair_stream(replay: &mut SecondReplay, done: &mut Repair) -> usize {
    let Some(stream) = &mut replay.stream else {
        return 0;
    };
    let mut lost = 0;
    if !stream.has_magic || !stream.trailing.is_empty() {
        stream.has_magic = true;
        lost = std::mem::take(&mut stream.trailing).0.len();
        if stream.frames.is_empty() {
            done.lost("dropped all frames", Loss::bytes(lost));
        } else {
            let action = format!(
                "cut the stream after frame {}, where it breaks",
                stream.frames.len()
            );
            done.lost(action, Loss::bytes(lost));
        }
    }
    for (index, frame) in stream.frames.iter_mut().enumerate() {
        if frame.stated_chunk_count.take().is_some() {
            let bytes = std::mem::take(&mut frame.trailing).0.len();
            let action = format!("frame {index}: chunk count set to {}", frame.chunks.len());
            done.lost(action, Loss::bytes(bytes));
        }
    }
    lost
}

/// Adds a missing manifest, keeps the readable part of a broken one, and sets its number of frames.
fn repair_manifest(replay: &mut SecondReplay, lost_bytes: usize, done: &mut Repair) {
    let frames = replay
        .stream
        .as_ref()
        .map_or(0, |stream| stream.frames.len());
    let manifest = &mut replay.manifest;
    if !manifest.is_valid() {
        let lost = manifest.keep_beginning();
        manifest.values[FRAME_COUNT] = frames.into();
        done.lost(
            "kept the manifest's values before the break",
            Loss::bytes(lost),
        );
    }
    if replay.archive.find(MANIFEST).is_none() {
        replay.archive.add(MANIFEST, true);
    }
    if let Some(count) = manifest
        .count_of(FRAME_COUNT)
        .filter(|&count| count != frames)
    {
        manifest.values[FRAME_COUNT] = frames.into();
        let action = format!("frame count {count} set to {frames}");
        match count.checked_sub(frames) {
            Some(missing) => done.lost(action, Loss::frames(missing)),
            None if lost_bytes > 0 => done.proven(action),
            None => done.suspect(action, "the manifest's count did not match the frames"),
        }
    }
}
