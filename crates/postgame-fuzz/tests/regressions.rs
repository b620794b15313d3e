//! Runs every target on its seeds, on truncated and changed seeds, and on every regression file, so that each finding
//! of a fuzzer is tried in every test run.

use std::path::Path;

use postgame_fuzz::{MAX_SEED_BYTES, TARGETS};

#[test]
fn seeds_are_small_and_hold() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has no seed", target.name);
        for seed in seeds {
            assert!(
                seed.len() <= MAX_SEED_BYTES,
                "{}: {} bytes",
                target.name,
                seed.len()
            );
            (target.run)(&seed);
            (target.run)(&seed[..seed.len() / 2]);
            for place in (0..seed.len()).step_by(seed.len() / 16 + 1) {
                let mut changed = seed.clone();
                changed[place] ^= 0x55;
                (target.run)(&changed);
            }
        }
        (target.run)(&[]);
    }
}

#[test]
fn whole_files_are_whole() {
    for file in postgame_fuzz::seeds::files() {
        let (recording, mut report) = postgame::read(&file, &Default::default()).unwrap();
        recording.check(&mut report);
        let findings = report.findings();
        let is_whole = findings
            .iter()
            .all(|finding| finding.severity != postgame::Severity::Lost);
        assert!(is_whole, "{:?}: {findings:?}", recording.format());
    }
}

#[test]
fn regressions_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for target in TARGETS {
        let Ok(files) = std::fs::read_dir(folder.join(target.name)) else {
            continue;
        };
        for file in files {
            let path = file.unwrap().path();
            // A panic ends the test, and this is the only hint at the input.
            println!("{}", path.display());
            (target.run)(&std::fs::read(&path).unwrap());
        }
    }
}

#[cfg(feature = "tables")]
#[test]
fn every_target_has_a_program() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let program = format!("fuzz_targets/{}.rs", target.name);
        assert!(
            fuzz.join(&program).is_file() && manifest.contains(&program),
            "{program}"
        );
    }
    for folder in std::fs::read_dir(fuzz.join("regressions")).unwrap() {
        let name = folder.unwrap().file_name();
        let name = name.to_str().unwrap();
        assert!(
            name == "README.md" || postgame_fuzz::find(name).is_some(),
            "{name} is not a target"
        );
    }
}
