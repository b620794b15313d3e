//! One order, and inputs that are kept.

use std::path::PathBuf;

use postgame::limits::Limits;
use postgame_files::{Inputs, Spool};

use crate::archives::{gzip, sample, tar, zip};

#[test]
fn folders_are_in_order_of_names_and_archives_in_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let duel = sample("duel.slp");
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("m")).unwrap();
    let members = [("z.slp", &duel[..]), ("a.slp", &duel)];
    std::fs::write(at("m/inner.slp"), &duel).unwrap();
    std::fs::write(at("n.zip"), zip(&members)).unwrap();
    std::fs::write(at("l.tar.gz"), gzip(&tar(&members))).unwrap();
    std::fs::write(at("o.slp.gz"), gzip(&duel)).unwrap();
    std::fs::write(at("b.slp"), &duel).unwrap();
    let names = |paths: Vec<PathBuf>| -> Vec<String> {
        Inputs::new(paths, Limits::default())
            .map(|input| {
                let name = input.unwrap().name;
                let root = folder.path().display().to_string();
                name.strip_prefix(&root).unwrap().to_owned()
            })
            .collect()
    };
    let all = [
        "/b.slp",
        "/l.tar.gz/z.slp",
        "/l.tar.gz/a.slp",
        "/m/inner.slp",
        "/n.zip/z.slp",
        "/n.zip/a.slp",
        "/o.slp",
    ];
    assert_eq!(names(vec![folder.path().to_owned()]), all);
    assert_eq!(names(vec![at("*")]), all);
    assert_eq!(names(vec![at("m"), at("[b]*")]), ["/m/inner.slp", "/b.slp"]);
}

#[test]
fn kept_inputs_are_read_in_any_order_and_as_often_as_needed() {
    let folder = tempfile::tempdir().unwrap();
    let samples = ["duel.slp", "duel.replay", "bout.replay", "factory.sav"];
    let bytes = samples.map(sample);
    let members: Vec<(&str, &[u8])> = samples
        .iter()
        .zip(&bytes)
        .map(|(name, bytes)| (*name, &bytes[..]))
        .collect();
    let path = folder.path().join("all.zip");
    std::fs::write(&path, zip(&members)).unwrap();
    let mut spool = Spool::new().unwrap();
    let kept: Vec<_> = Inputs::new(vec![path.clone()], Limits::default())
        .map(|input| input.unwrap().spooled(&mut spool).unwrap())
        .collect();
    std::fs::remove_file(&path).unwrap();
    for _ in 0..2 {
        for (input, (name, bytes)) in kept.iter().zip(&members).rev() {
            assert_eq!(input.file_name(), *name);
            assert!(input.read_bytes().unwrap() == *bytes, "{name}");
            let header = input.header(&Limits::default()).unwrap();
            assert_eq!(header.bytes, bytes.len() as u64);
            let whole = postgame::read_header(std::io::Cursor::new(bytes), &Limits::default());
            assert_eq!(header.recording.summary(), whole.unwrap().0.summary());
        }
    }
}
