//! Tables, archives of recordings, and the lists of files of a data set.

use std::cell::RefCell;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use postgame::Depth;
use postgame_files::walk;
use postgame_tables::dataset::Segment;
use postgame_tables::{ALL, Source, TableOptions};
use tempfile::TempDir;

use crate::{layers, seeds};

/// Every table of a recording has as many values in each column as it has rows, in the declared types.
pub fn tables(bytes: &[u8]) {
    let Ok(source) = Source::read("input", bytes, Depth::Full) else {
        return;
    };
    for table in ALL {
        let options = TableOptions::default();
        let filled = table.fill(&source, &options, &mut |batch| {
            assert!(
                batch
                    .columns()
                    .iter()
                    .all(|column| column.len() == batch.num_rows())
            );
            Ok(())
        });
        filled.expect("a table of what was read can be made");
    }
}

/// The kinds of archives, by file name extension.
const KINDS: [&str; 8] = [
    "zip", "tar", "tar.gz", "tar.zst", "slp.gz", "slp.zst", "slp.xz", "tar.xz",
];

/// Maximum size of a member that is read; larger ones are decompression bombs, which have their own tests.
const MAX_MEMBER_BYTES: usize = 1 << 20;

/// The bytes are an archive, after a byte that selects its kind. Compressed kinds are compressed here.
pub fn archives(input: &[u8]) {
    thread_local! {
        /// One folder for all runs.
        static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
    }
    let Some((&choice, contents)) = input.split_first() else {
        return;
    };
    let path: PathBuf = FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| tempfile::tempdir().expect("a folder"));
        let kind = KINDS[usize::from(choice) % KINDS.len()];
        folder.path().join(format!("input.{kind}"))
    });
    let name = path.to_string_lossy();
    // Half of the inputs are already compressed data.
    let file = match () {
        () if choice >= 128 => contents.to_vec(),
        () if name.ends_with("gz") => layers::gzip(contents),
        () if name.ends_with("zst") => zstd::bulk::compress(contents, 1).expect("it compresses"),
        () => contents.to_vec(),
    };
    if file.len() > MAX_MEMBER_BYTES {
        return;
    }
    fs::write(&path, file).expect("the folder takes a file");
    let mut members = 0;
    let limits = crate::files::options(Depth::Header).limits;
    let _: ControlFlow<()> = walk(std::slice::from_ref(&path), &limits, &mut |input| {
        members += 1;
        if let Ok(bytes) = input.and_then(|input| input.into_bytes()) {
            drop(postgame::read(
                &bytes,
                &crate::files::options(Depth::Header),
            ));
        }
        if members < 64 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
}

/// A small recording in each kind of archive.
pub fn archives_seeds() -> Vec<Vec<u8>> {
    let config = include_bytes!("../../../samples/platform.sbpcfg");
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(config.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    tar.append_data(&mut header, "a/platform.sbpcfg", &config[..])
        .expect("it fits");
    // Without the zeros at its end, which would be half of the seed.
    let mut tar = tar.into_inner().expect("it fits");
    tar.truncate(1024);
    let mut zip = postgame::rumble::archive::Archive::new();
    zip.add("platform.sbpcfg", true)
        .replace(config)
        .expect("it fits");
    let zip = zip.write().expect("it fits");
    let slippi = seeds::slippi_parts(1).file();
    let seed = |kind: u8, contents: &[u8]| [&[kind], contents].concat();
    vec![
        seed(0, &zip),
        seed(1, &tar),
        seed(2, &tar),
        seed(3, &tar),
        seed(4, &slippi),
        seed(5, &slippi),
        // 132: compressed data as it is, in a `.slp.gz`.
        seed(132, &layers::gzip(config)),
    ]
}

/// A list of a data set's files is read and written back with the same meaning, or rejected.
pub fn lists(text: &[u8]) {
    let Ok(segment) = serde_json::from_slice::<Segment>(text) else {
        return;
    };
    let written = serde_json::to_vec(&segment).expect("what was read can be written");
    let again: Segment = serde_json::from_slice(&written).expect("our own list can be read");
    assert_eq!(again, segment);
}

/// A list with a recording and a file.
pub fn lists_seeds() -> Vec<Vec<u8>> {
    let text = r#"{"id":"0123456789abcdef","recordings":[{"sha256":"00","file":"samples/bout.replay"}],
        "files":[{"table":"events","game":"rumble","month":"2026-01","path":"events/rumble/0.parquet","rows":47,"bytes":2048},
        {"table":"stats","game":"rumble","month":null,"path":"stats/rumble/0.parquet","rows":1,"bytes":9}]}"#;
    vec![text.as_bytes().to_vec()]
}
