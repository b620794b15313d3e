//! Every file comes back, byte for byte.

use postgame::{Recording, slippi};

use super::{name, read, replays};

/// Where two files differ, for a message one can work with.
fn difference(one: &[u8], other: &[u8]) -> Option<String> {
    let at = one.iter().zip(other).position(|(a, b)| a != b);
    let at = at.or_else(|| (one.len() != other.len()).then_some(one.len().min(other.len())))?;
    Some(format!(
        "{} and {} bytes, which differ at {at:#x}",
        one.len(),
        other.len()
    ))
}

#[test]
fn every_file_is_written_back_identical() {
    for path in replays() {
        let (bytes, replay, _) = read(&path);
        let written =
            slippi::write(&replay).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(difference(&bytes, &written), None, "{}", name(&path));
    }
}

#[test]
fn every_file_comes_back_from_json_identical() {
    for path in replays() {
        let (bytes, replay, _) = read(&path);
        let mut json = Vec::new();
        Recording::Slippi(Box::new(replay))
            .write_json(&mut json, false)
            .unwrap();
        let back = Recording::read_json(&json[..])
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            difference(&bytes, &back.write().unwrap()),
            None,
            "{}",
            name(&path)
        );
    }
}
