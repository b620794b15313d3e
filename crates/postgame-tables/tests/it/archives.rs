//! Recordings inside of archives.

use std::io::Write as _;
use std::path::Path;

use postgame_tables::{Request, find, scan};

use crate::corpus::root;

/// The name and size of every recording in a file.
fn found(path: &Path) -> Vec<Result<(String, u64), String>> {
    let request = Request::new(find("recordings").unwrap());
    let items = scan(vec![path.to_owned()], request).unwrap();
    items
        .map(|item| {
            let batch = item.map_err(|failure| failure.to_string())?;
            let text = |column: &str| {
                let column = batch.column_by_name(column).unwrap();
                arrow::util::display::array_value_to_string(column, 0).unwrap()
            };
            Ok((text("file"), text("file_bytes").parse().unwrap()))
        })
        .collect()
}

#[test]
fn archives_are_read_through() {
    let folder = tempfile::tempdir().unwrap();
    let duel = std::fs::read(root().join("samples/duel.slp")).unwrap();
    let bout = std::fs::read(root().join("samples/bout-archive.replay")).unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in [
        ("deep/duel.slp", &duel),
        ("read.me", &duel),
        ("bout.replay", &bout),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, bytes.as_slice())
            .unwrap();
    }
    let tar = tar.into_inner().unwrap();
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let zstandard = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in [("deep/duel.slp", &duel), ("bout.replay", &bout)] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    let both = [
        ("/deep/duel.slp".to_owned(), duel.len() as u64),
        ("/bout.replay".to_owned(), bout.len() as u64),
    ];
    for (name, bytes) in [
        ("a.tar", tar.clone()),
        ("a.tar.gz", gzip(&tar)),
        ("a.tgz", gzip(&tar)),
        ("a.tar.zst", zstandard(&tar)),
        ("a.ZIP", zip),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let found: Vec<_> = found(&path).into_iter().map(Result::unwrap).collect();
        let archive = path.display().to_string();
        let expected: Vec<_> = both
            .iter()
            .map(|(name, size)| (format!("{archive}{name}"), *size))
            .collect();
        assert_eq!(found, expected, "{name}");
        // A cut archive gives what is whole, and an error.
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(self::found(&path).iter().any(Result::is_err), "{name}");
    }
    for (name, bytes) in [
        ("duel.slp.gz", gzip(&duel)),
        ("duel.slp.zst", zstandard(&duel)),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let (name, size) = found(&path).remove(0).unwrap();
        assert!(name.ends_with("/duel.slp") && size == duel.len() as u64);
    }
    // The folder has all of them, and a pattern some.
    assert!(found(folder.path()).len() > 7);
    assert_eq!(found(&folder.path().join("*.slp.*")).len(), 2);
    assert!(found(&folder.path().join("*.nothing"))[0].is_err());
}
