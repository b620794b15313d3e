//! Saves of which only the index is read: the same objects, inflated when they are asked for, and damage found then.

use postgame::satisfactory::{self, Body, Save};
use postgame::{ReadOptions, Recording, Report, Severity};

use super::files;
use crate::corpus;

const TAG: [u8; 4] = [0xc1, 0x83, 0x2a, 0x9e];

fn read(bytes: &[u8], options: &ReadOptions) -> (Save, Report) {
    let mut report = Report::default();
    let save = satisfactory::read(bytes, options, &mut report).unwrap();
    (save, report)
}

/// The sample, made so large that most of its chunks hold nothing but data.
fn large() -> Vec<u8> {
    let bytes = std::fs::read(&corpus::samples("factory.sav")[0]).unwrap();
    let (mut save, _) = read(&bytes, &ReadOptions::default());
    let body = save.body.as_mut().unwrap();
    body.add_copies(3 << 20).unwrap();
    satisfactory::write(&save).unwrap()
}

fn saves() -> Vec<(String, Vec<u8>)> {
    let files = files("sav").into_iter();
    let files = files.map(|path| (path.display().to_string(), std::fs::read(path).unwrap()));
    files.chain([("large".to_owned(), large())]).collect()
}

/// Both have the same objects in the same order.
fn assert_same(name: &str, index: &Body, whole: &Body) {
    let (one, other) = (index.decoder(), whole.decoder());
    assert_eq!(index.levels.len(), whole.levels.len(), "{name}");
    assert_eq!(index.oddities, whole.oddities, "{name}");
    for (level, expected) in index.all_levels().zip(whole.all_levels()) {
        assert_eq!(level.name, expected.name, "{name}");
        assert_eq!(level.objects.len(), expected.objects.len(), "{name}");
        assert_eq!(level.oddities, expected.oddities, "{name}");
        let (form, expected_form) = (index.form(level), whole.form(expected));
        for (entry, expected) in level.objects.iter().zip(&expected.objects) {
            let header = one.header(form, entry).unwrap();
            assert_eq!(header, other.header(expected_form, expected).unwrap());
            let (object, error) = one.object(form, entry).unwrap();
            let (expected, _) = other.object(expected_form, expected).unwrap();
            assert!(error.is_none() && object == expected, "{name}");
        }
    }
}

#[test]
fn the_index_has_the_objects_of_the_whole() {
    let mut skipping = 0;
    for (name, bytes) in saves() {
        let (whole, _) = read(&bytes, &ReadOptions::default());
        let (index, report) = read(&bytes, &ReadOptions::index());
        assert!(report.is_clean(), "{name}");
        let (whole, index) = (whole.body.unwrap(), index.body.unwrap());
        let is_skipping = index.bytes().is_empty();
        let has_levels = whole.save_version() >= Body::LEVELS_SINCE;
        assert_eq!(is_skipping, has_levels && whole.bytes().len() > 500_000);
        skipping += usize::from(is_skipping);
        assert_same(&name, &index, &whole);
        assert!(index.inflate_skipped().is_empty());
    }
    assert!(skipping > 0);
}

#[test]
fn what_was_skipped_is_there_to_be_written_and_decoded() {
    for (name, bytes) in saves() {
        let (index, _) = read(&bytes, &ReadOptions::index());
        assert!(satisfactory::write(&index).unwrap() == bytes, "{name}");
        // The same on any number of threads.
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let decoded = pool.build().unwrap().install(|| {
                let (mut index, _) = read(&bytes, &ReadOptions::index());
                index.body.as_mut().unwrap().decode_all().unwrap();
                index
            });
            assert!(decoded.body.as_ref().unwrap().bytes().is_empty());
            assert!(satisfactory::write(&decoded).unwrap() == bytes, "{name}");
        }
    }
}

#[test]
fn damage_in_what_was_skipped_is_found_when_it_is_asked_for() {
    let bytes = large();
    let starts: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, tag)| *tag == TAG)
        .map(|(at, _)| at)
        .collect();
    let (whole, _) = read(&bytes, &ReadOptions::default());
    let whole = whole.body.unwrap();
    let mut skipped = 0;
    for (chunk, &start) in starts.iter().enumerate() {
        let mut damaged = bytes.clone();
        let end = starts.get(chunk + 1).copied().unwrap_or(bytes.len());
        damaged[(start + 60 + end) / 2] ^= 0x55;
        let (save, mut report) = read(&damaged, &ReadOptions::index());
        if !report.is_clean() {
            // In what the index is made of: then it is read as a whole.
            assert_eq!(report.findings()[0].code, "chunk");
            continue;
        }
        skipped += 1;
        let body = save.body.as_ref().unwrap();
        let (decoder, expected) = (body.decoder(), whole.decoder());
        let mut refused = 0;
        for (level, sound) in body.all_levels().zip(whole.all_levels()) {
            let (form, sound_form) = (body.form(level), whole.form(sound));
            for (entry, sound) in level.objects.iter().zip(&sound.objects) {
                let header = decoder.header(form, entry).unwrap();
                assert_eq!(header, expected.header(sound_form, sound).unwrap());
                match decoder.object(form, entry) {
                    Ok((object, _)) => {
                        assert_eq!(object, expected.object(sound_form, sound).unwrap().0);
                    }
                    Err(error) => {
                        assert!(level.name.is_none(), "all that is skipped is of this level");
                        assert_eq!(error.path(), format!("persistent.data.chunks[{chunk}]"));
                        assert_eq!(error.place().unwrap().offset, start as u64);
                        refused += 1;
                    }
                }
            }
        }
        assert_eq!(refused, body.persistent.as_ref().unwrap().objects.len());
        assert!(satisfactory::write(&save).is_err());
        assert!(save.clone().body.unwrap().decode_all().is_err());
        // Whoever looks at everything finds it.
        Recording::Satisfactory(Box::new(save)).check(&mut report);
        let mut findings = report.findings().iter();
        let lost = findings.find(|finding| finding.severity == Severity::Lost);
        assert_eq!(lost.unwrap().code, "chunk");
        let (_, report) = read(&damaged, &ReadOptions::default());
        assert_eq!(report.worst(), Some(Severity::Lost));
    }
    assert!(skipped * 2 > starts.len(), "{skipped} of {}", starts.len());
}

/// Damage anywhere: nothing panics, and what the index does give is what the whole gives.
#[test]
fn flipped_bits_are_survived_by_the_index() {
    let bytes = large();
    let step = bytes.len() / 150;
    for at in (0..bytes.len()).step_by(step.max(1)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x21;
        let Ok((recording, mut report)) = postgame::read(&damaged, &ReadOptions::index()) else {
            continue;
        };
        recording.check(&mut report);
        recording.summary();
        if let Ok(written) = recording.write() {
            assert!(written == damaged, "byte {at}");
        }
    }
}
