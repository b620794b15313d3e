//! Every replay that `.slpz` can hold comes back byte for byte, and is read as it is.

use postgame::limits::Limits;
use postgame::slippi::slpz;
use postgame::{ReadOptions, Recording};

use crate::load;

#[test]
fn replays_come_back_from_slpz() {
    let Some(files) = load::replays() else {
        return;
    };
    let (mut held, mut refused) = (0, Vec::new());
    for (name, file) in files {
        let Ok(packed) = slpz::pack(&file.bytes, slpz::Level::Fast) else {
            refused.push(name);
            continue;
        };
        held += 1;
        let unpacked = slpz::unpack(&packed, &Limits::default()).unwrap();
        assert!(unpacked == file.bytes, "{name}");
        let (recording, _) = postgame::read(&packed, &ReadOptions::default()).unwrap();
        let is_same = matches!(&recording, Recording::Slippi(replay) if **replay == file.replay);
        assert!(is_same, "{name}");
    }
    println!("{held} held, refused: {refused:?}");
    // Cut, unpatched and edited files.
    assert!(held > 80 && refused.len() < 12, "{held} held");
}
