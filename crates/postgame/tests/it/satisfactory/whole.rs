//! Every file is read without a loss and written back identical, packed and decoded.

use postgame::satisfactory::{self, Body};
use postgame::{ReadOptions, Recording, Report, Severity, Verdict};

use super::files;

fn read(bytes: &[u8]) -> (Recording, Report) {
    postgame::read(bytes, &ReadOptions::default()).unwrap()
}

fn body_mut(recording: &mut Recording) -> &mut Body {
    match recording {
        Recording::Satisfactory(save) => save.body.as_mut().unwrap(),
        Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_mut().unwrap(),
        other => panic!("{:?}", other.format()),
    }
}

#[test]
fn every_file_is_written_back_identical_after_decoding_every_object() {
    for path in files("sav").into_iter().chain(files("sbp")) {
        let name = path.display();
        let bytes = std::fs::read(&path).unwrap();
        let (mut recording, report) = read(&bytes);
        assert!(report.is_clean(), "{name}: {report:#?}");
        assert!(recording.write().unwrap() == bytes, "{name}, packed");
        let body = body_mut(&mut recording);
        let mut objects = 0;
        body.visit(|_, object, error| {
            assert!(
                error.is_none(),
                "{name}: {} {:?}",
                object.header.reference.path,
                error
            );
            objects += 1;
            Ok(())
        })
        .unwrap();
        assert!(objects > 0, "{name}");
        body.decode_all().unwrap();
        assert!(body.bytes().is_empty());
        assert!(recording.write().unwrap() == bytes, "{name}, decoded");
    }
}

#[test]
fn every_configuration_is_understood_to_its_end_and_written_back_identical() {
    for path in files("sbpcfg") {
        let bytes = std::fs::read(&path).unwrap();
        let (recording, mut report) = read(&bytes);
        recording.check(&mut report);
        assert_eq!(report.findings(), [], "{}", path.display());
        assert!(
            matches!(recording, Recording::SatisfactoryConfig(_)),
            "{}",
            path.display()
        );
        assert_eq!(recording.write().unwrap(), bytes, "{}", path.display());
    }
}

/// What is odd about files of the corpus. Nothing is lost in any of them.
#[test]
fn the_bad_hash_and_the_doubled_names_are_found_and_nothing_else() {
    let mut odd = Vec::new();
    for path in ["sav", "sbp"].into_iter().flat_map(files) {
        let bytes = std::fs::read(&path).unwrap();
        let (recording, mut report) = read(&bytes);
        recording.check(&mut report);
        assert_ne!(
            report.worst(),
            Some(Severity::Lost),
            "{}: {report:#?}",
            path.display()
        );
        let mut codes: Vec<&str> = report
            .findings()
            .iter()
            .filter(|finding| finding.severity == Severity::Odd)
            .map(|finding| finding.code)
            .collect();
        codes.dedup();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        odd.extend(codes.into_iter().map(|code| (name.clone(), code)));
    }
    if crate::corpus::folder().is_some() {
        // The first is the file another program wrote; the game itself doubled names when it ported saves to Update 8.
        let expected = [
            ("EmptySave10WithoutDestroyedActors.sav", "hash"),
            ("FreshStart001.sav", "duplicate"),
            ("FreshStartU8001-vehicles-2.sav", "duplicate"),
        ];
        assert_eq!(odd, expected.map(|(name, code)| (name.to_owned(), code)));
    }
}

#[test]
fn the_header_alone_is_read_without_the_body() {
    for path in files("sav") {
        let bytes = std::fs::read(&path).unwrap();
        let (header_only, report) = postgame::read(&bytes, &ReadOptions::header()).unwrap();
        assert!(report.is_clean());
        let (whole, _) = read(&bytes);
        let (short, long) = (header_only.summary(), whole.summary());
        assert_eq!(
            (&short.version, &short.date, &short.map),
            (&long.version, &long.date, &long.map)
        );
        assert!(short.date.is_some_and(|date| date.starts_with("20")));
        assert!(header_only.write().is_err(), "there is nothing to write");
    }
}

#[test]
fn a_repaired_digest_is_right_and_a_sound_file_is_left_alone() {
    for path in files("sav") {
        let bytes = std::fs::read(&path).unwrap();
        let (mut recording, _) = read(&bytes);
        let done = recording.repair(&ReadOptions::default()).unwrap();
        let written = recording.write().unwrap();
        if done.verdict() == Verdict::Unchanged {
            assert!(written == bytes, "{}", path.display());
            continue;
        }
        // Another program wrote the file, or it was damaged: nothing tells which.
        assert_eq!(done.verdict(), Verdict::Suspect, "{}", path.display());
        let actions: Vec<_> = done.steps.iter().map(|step| &step.action).collect();
        assert!(
            actions.contains(&&"digest of the data recomputed".to_owned()),
            "{}: {actions:?}",
            path.display()
        );
        let (again, mut report) = read(&written);
        again.check(&mut report);
        assert!(report.is_clean(), "{report:#?}");
        let [old, new] = [&bytes, &written].map(|bytes| {
            satisfactory::read(bytes, &ReadOptions::default(), &mut Report::default()).unwrap()
        });
        assert!(old.body == new.body);
    }
}
