//! The header alone.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use postgame::limits::Limits;
use postgame::slippi::{self, read_header};
use postgame::{ReadOptions, Recording, Report};

use super::{name, read, real, replays};

/// Counts what is read of a file.
struct Counting<'a> {
    file: Cursor<&'a [u8]>,
    bytes: usize,
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.bytes += count;
        Ok(count)
    }
}

impl Seek for Counting<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn two_small_reads_tell_the_same_as_the_whole_file() {
    let mut files = 0;
    for path in replays() {
        let (bytes, whole, _) = read(&path);
        let mut input = Counting {
            file: Cursor::new(&bytes),
            bytes: 0,
        };
        let header = read_header(&mut input, &Limits::default(), &mut Report::default()).unwrap();
        // A cut file has its end looked for in 16 KiB.
        assert!(
            input.bytes < 24 << 10,
            "{}: {} bytes were read",
            name(&path),
            input.bytes
        );
        assert_eq!(header.start, whole.start, "{}", name(&path));
        assert_eq!(header.elements, whole.elements, "{}", name(&path));
        assert_eq!(header.last_frame(), whole.last_frame(), "{}", name(&path));
        assert_eq!(header.end(), whole.end(), "{}", name(&path));
        assert!(header.frames.is_none());
        let refused = slippi::write(&header).unwrap_err().to_string();
        assert!(refused.contains("only the header was read"), "{refused}");

        let (in_memory, _) = postgame::read(&bytes, &ReadOptions::header()).unwrap();
        assert_eq!(
            in_memory,
            Recording::Slippi(Box::new(header.clone())),
            "{}",
            name(&path)
        );
        let (mut one, mut other) = (slippi::summary(&header), slippi::summary(&whole));
        // Old recorders took Sheik for Zelda; only the frames tell.
        if name(&path) == "sheik_vs_ics_yoshis.slp" {
            one.players.clear();
            other.players.clear();
        }
        assert_eq!(one, other, "{}", name(&path));
        files += 1;
    }
    assert_eq!(files, real().len() + 1);
}

#[test]
fn what_is_no_replay_is_refused() {
    for bytes in [
        &b""[..],
        b"{U\x03raw[$U#l",
        b"hello",
        b"{U\x03raw[$U#l\0\0\0\0\x35\x04\x36\x01\x40\x36",
    ] {
        assert!(
            read_header(
                Cursor::new(bytes),
                &Limits::default(),
                &mut Report::default()
            )
            .is_err()
        );
    }
}
