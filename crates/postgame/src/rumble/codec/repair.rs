//! Making a damaged RUMBLE replay whole again, as far as that needs no invention.

use super::archive::End;
use super::container::{STREAM, Wrapper};
use super::model::{FirstReplay, Replay, SecondReplay};
use crate::wire::json::Bytes;
use crate::wire::packed::Packed;

/// Makes counts, sizes and the directory agree with what is there. Says what it did.
pub fn repair(replay: &mut Replay) -> Vec<String> {
    match replay {
        Replay::First(replay) => repair_first(replay),
        Replay::Second(replay) => repair_second(replay),
    }
}

fn repair_first(
    FirstReplay {
        wrapper,
        header,
        frames,
        trailing,
    }: &mut FirstReplay,
) -> Vec<String> {
    let mut done = Vec::new();
    let Some(frames) = frames else { return done };
    if let Some(count) = header.stated_frame_count.take() {
        done.push(format!("frame count {count} set to {}", frames.len()));
        if !trailing.is_empty() {
            done.push(format!(
                "dropped {} bytes of a broken frame",
                trailing.len()
            ));
            trailing.clear();
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
            done.push(format!("{what} size {size} recomputed"));
        }
    }
    if !after.is_empty() {
        done.push(format!(
            "dropped {} bytes after the compressed data",
            after.0.len()
        ));
        *after = Bytes::default();
    }
    if !done.is_empty() {
        // The compressed data may itself be what is damaged, even where it still holds the same.
        *packed = None;
    }
    done
}

fn repair_second(replay: &mut SecondReplay) -> Vec<String> {
    let mut done = Vec::new();
    let Some(stream) = &mut replay.stream else {
        return done;
    };
    if !stream.trailing.is_empty() && stream.has_magic {
        done.push(format!(
            "dropped {} bytes of a broken frame",
            stream.trailing.0.len()
        ));
        stream.trailing = Bytes::default();
    }
    for (index, frame) in stream.frames.iter_mut().enumerate() {
        if frame.stated_chunk_count.take().is_some() {
            let bytes = std::mem::take(&mut frame.trailing).0.len();
            done.push(format!(
                "frame {index}: chunk count set to {}, {bytes} bytes dropped",
                frame.chunks.len()
            ));
        }
    }
    let frames = stream.frames.len();
    if let Some(count) = replay
        .manifest
        .count_of("FrameCount")
        .filter(|&count| count != frames)
    {
        replay.manifest.values["FrameCount"] = frames.into();
        done.push(format!("frame count {count} set to {frames}"));
    }
    if replay.archive.end.is_none() {
        for entry in &mut replay.archive.entries {
            entry.after = Bytes::default();
            entry.list();
        }
        replay.archive.end = Some(End::default());
        done.push("made a new directory of the archive".to_owned());
    }
    if !done.is_empty() {
        // Compressed anew: what is kept may be the damaged stream. An entry takes new contents only if it has other ones.
        replay.packed_stream = None::<Packed>;
        if let Some(entry) = replay.archive.find_mut(STREAM) {
            entry.data = Bytes::default();
        }
    }
    done
}
