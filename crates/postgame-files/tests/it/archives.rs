//! Recordings inside of archives.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use postgame::limits::Limits;
use postgame_files::{Failure, Inputs, the_only};

/// A sample by its name.
pub fn sample(name: &str) -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    std::fs::read(samples.join(name)).unwrap()
}

/// The name and the bytes of every recording at a path.
pub fn found(path: &Path) -> Vec<Result<(String, Vec<u8>), Failure>> {
    Inputs::new(vec![path.to_owned()], Limits::default())
        .map(|input| {
            let input = input?;
            Ok((input.name.clone(), input.into_bytes()?))
        })
        .collect()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn messages(path: &Path) -> Vec<String> {
    let found = found(path).into_iter();
    found.map(|one| one.unwrap_err().message).collect()
}

#[test]
fn every_kind_of_archive_gives_its_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let (duel, bout) = (sample("duel.slp"), sample("bout-archive.replay"));
    let members = [
        ("deep/duel.slp", &duel[..]),
        ("read.me", &duel),
        ("bout.replay", &bout),
    ];
    let tar = tar(&members);
    for (name, bytes) in [
        ("a.tar", tar.clone()),
        ("a.tar.gz", gzip(&tar)),
        ("a.tgz", gzip(&tar)),
        ("a.tar.zst", zstandard(&tar)),
        ("a.tar.xz", xz(&tar)),
        ("a.txz", xz(&tar)),
        ("a.ZIP", zip(&members)),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let found: Vec<_> = found(&path).into_iter().map(Result::unwrap).collect();
        let archive = path.display();
        let expected = [
            (format!("{archive}/deep/duel.slp"), duel.clone()),
            (format!("{archive}/bout.replay"), bout.clone()),
        ];
        assert!(found == expected, "{name}");
        // A cut archive gives what is whole, and an error.
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(self::found(&path).iter().any(Result::is_err), "{name}");
    }
    for (name, bytes) in [
        ("duel.slp.gz", gzip(&duel)),
        ("duel.slp.zst", zstandard(&duel)),
        ("duel.slp.xz", xz(&duel)),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let (name, bytes) = found(&path).remove(0).unwrap();
        assert!(name.ends_with("/duel.slp") && bytes == duel);
    }
    // The folder has all of them, and a pattern some.
    assert!(found(folder.path()).len() > 10);
    assert_eq!(found(&folder.path().join("*.slp.*")).len(), 3);
    assert!(found(&folder.path().join("*.nothing"))[0].is_err());
}

#[test]
fn a_member_is_named_like_a_file_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (duel, bout) = (sample("duel.slp"), sample("bout.replay"));
    let members = [
        ("day 1/a.slp", &duel[..]),
        ("day 1/b.slp", &duel),
        ("day 2/a.replay", &bout),
        ("odd name", &bout),
    ];
    let names = |path: &PathBuf| -> Vec<String> {
        let found = found(path).into_iter();
        let names = found.map(|one| one.map(|(name, _)| name));
        let archive = folder.path().display().to_string();
        let own = |name: String| name.strip_prefix(&archive).unwrap().to_owned();
        names
            .map(|name| own(name.unwrap_or_else(|failure| failure.to_string())))
            .collect()
    };
    for (name, bytes) in [
        ("season.zip", zip(&members)),
        ("season.tar.gz", gzip(&tar(&members))),
    ] {
        let archive = folder.path().join(name);
        std::fs::write(&archive, bytes).unwrap();
        let within = |names: &[&str]| -> Vec<String> {
            names
                .iter()
                .map(|member| format!("/{name}/{member}"))
                .collect()
        };
        for (member, expected) in [
            ("day 1/b.slp", &["day 1/b.slp"][..]),
            ("day 1", &["day 1/a.slp", "day 1/b.slp"]),
            ("*/a.*", &["day 1/a.slp", "day 2/a.replay"]),
            // Named, it is taken whatever its name is.
            ("odd name", &["odd name"]),
            (
                "day 3",
                &["day 3: there is no such recording in the archive"],
            ),
        ] {
            assert_eq!(names(&archive.join(member)), within(expected), "{member}");
        }
        let only = the_only(&archive.join("day 2"), &Limits::default()).unwrap();
        assert!(only.read_bytes().unwrap() == bout);
        let several = the_only(&archive, &Limits::default()).unwrap_err();
        assert!(
            several.message.contains("several recordings"),
            "{}",
            several.message
        );
    }
}

#[test]
fn archives_without_recordings_fail_if_named_and_are_counted_in_folders() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("photos.zip");
    std::fs::write(&named, zip(&[("a.jpg", b"picture")])).unwrap();
    assert_eq!(
        messages(&named),
        ["there are no recordings in this archive"]
    );
    let nothing = "there are no recordings in this folder";
    let skipped = "skipped 1 archive without recordings";
    assert_eq!(messages(folder.path()), [skipped, nothing]);
    std::fs::write(folder.path().join("z.slp"), sample("duel.slp")).unwrap();
    let found = found(folder.path());
    assert!(found[0].is_ok());
    let skip = found[1].as_ref().unwrap_err();
    assert_eq!((found.len(), skip.skipped), (2, 1));
}

/// A header of 12 bytes and a block that asks for a dictionary of 1.5 GiB.
#[test]
fn an_xz_file_cannot_ask_for_any_amount_of_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.slp.xz");
    let mut bytes = xz(&sample("duel.slp"));
    // The block header begins at 12: its size, its flags, the filter's id (0x21), the size of its properties (1), and the
    // property that says how large the dictionary is. A CRC-32 ends the header.
    assert_eq!((bytes[14], bytes[15]), (0x21, 1));
    bytes[16] = 37;
    let end = 12 + (usize::from(bytes[12]) + 1) * 4;
    let mut digest = flate2::Crc::new();
    digest.update(&bytes[12..end - 4]);
    let digest = digest.sum().to_le_bytes();
    bytes[end - 4..end].copy_from_slice(&digest);
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(
        messages(&path),
        ["unpacking it needs more than 129 MiB for the dictionary"]
    );
}
