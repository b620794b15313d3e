//! Faults of a file system.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use super::super::files::{Disk, Files as Operations};
use super::{Files, Inputs, Manifest, Store, contents, injected, run, verify, verify_claims};

/// Which operations fail.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// One operation.
    Once,
    /// One operation and all later ones: the disk or the power is gone.
    FromThenOn,
}

/// A file system with a fault, which also tracks what would survive a power cut.
#[derive(Debug)]
struct Faulty {
    at: usize,
    fault: Fault,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    operations: usize,
    /// The paths as programs see them.
    live: BTreeMap<PathBuf, Node>,
    /// The paths on disk.
    durable: BTreeMap<PathBuf, Node>,
    /// The contents of the files on disk.
    synced: Vec<Option<Vec<u8>>>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Folder,
    /// An operation with its number.
    File(usize),
}

impl Faulty {
    /// Everything in a folder is initially on disk.
    fn new(root: &Path, at: usize, fault: Fault) -> Arc<Self> {
        let mut state = State::default();
        for entry in walkdir::WalkDir::new(root) {
            let entry = entry.unwrap();
            let node = match entry.file_type().is_dir() {
                true => Node::Folder,
                false => {
                    state.synced.push(Some(fs::read(entry.path()).unwrap()));
                    Node::File(state.synced.len() - 1)
                }
            };
            state.live.insert(entry.into_path(), node);
        }
        state.durable = state.live.clone();
        Arc::new(Self {
            at,
            fault,
            state: Mutex::new(state),
        })
    }

    /// Counts an operation, which may have to fail.
    fn begin(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state.lock().unwrap();
        let number = state.operations;
        state.operations += 1;
        match self.fault {
            Fault::Once if number == self.at => Err(injected()),
            Fault::FromThenOn if number >= self.at => Err(injected()),
            _ => Ok(state),
        }
    }

    fn has_failed(&self) -> bool {
        self.state.lock().unwrap().operations > self.at
    }

    /// Creates a folder with everything that survives a power cut. With a chance of 0 that is only what was synced;
    /// with a chance of 1 it includes all changes to folders, but still no unsynced contents.
    fn survivors(&self, root: &Path, to: &Path, chance: f64, seed: &mut u64) {
        let state = self.state.lock().unwrap();
        let mut is_lucky = || {
            *seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((*seed >> 33) as f64 / (1u64 << 31) as f64) < chance
        };
        let folders: BTreeSet<&Path> = state.live.keys().filter_map(|path| path.parent()).collect();
        let mut names = BTreeMap::new();
        for folder in folders {
            let names_of = if is_lucky() {
                &state.live
            } else {
                &state.durable
            };
            let inner = names_of
                .iter()
                .filter(|(path, _)| path.parent() == Some(folder));
            names.extend(inner.map(|(path, node)| (path.clone(), *node)));
        }
        for (path, node) in names {
            let Ok(inner) = path.strip_prefix(root) else {
                continue;
            };
            let place = to.join(inner);
            if !place.parent().is_some_and(Path::is_dir) {
                continue;
            }
            match node {
                Node::Folder => fs::create_dir_all(place).unwrap(),
                Node::File(number) => {
                    let contents = state.synced[number].clone().unwrap_or_default();
                    fs::write(place, contents).unwrap();
                }
            }
        }
    }
}

impl Operations for Faulty {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let mut state = self.begin()?;
        Disk.create_folder(path)?;
        state.live.insert(path.to_owned(), Node::Folder);
        Ok(())
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        let mut state = self.begin()?;
        let file = Disk.create(path)?;
        let number = state.synced.len();
        state.synced.push(None);
        state.live.insert(path.to_owned(), Node::File(number));
        Ok(file)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let _state = self.begin()?;
        Disk.write(file, bytes)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let mut state = self.begin()?;
        if let Some(Node::File(number)) = state.live.get(path).copied() {
            state.synced[number] = Some(fs::read(path)?);
        }
        Ok(())
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let mut state = self.begin()?;
        let is_inside = |inner: &Path| inner.parent() == Some(path);
        let State { live, durable, .. } = &mut *state;
        durable.retain(|inner, _| !is_inside(inner));
        let now = live.iter().filter(|(inner, _)| is_inside(inner));
        durable.extend(now.map(|(inner, node)| (inner.clone(), *node)));
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.begin()?;
        Disk.rename(from, to)?;
        if let Some(node) = state.live.remove(from) {
            state.live.insert(to.to_owned(), node);
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.begin()?;
        Disk.remove(path)?;
        state.live.remove(path);
        Ok(())
    }
}

/// A data set with the old recordings, and its files once all recordings are added.
fn prepare(inputs: &Inputs, root: &Path) -> Files {
    let once = inputs.folder.path().join("once");
    let store = Store::local(&once);
    run(&store, inputs.old()).unwrap();
    copy(&once, root);
    run(&store, inputs.new_ones()).unwrap();
    contents(&store)
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let place = to.join(entry.path().strip_prefix(from).unwrap());
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(place).unwrap(),
            false => drop(fs::copy(entry.path(), place).unwrap()),
        }
    }
}

/// Runs once for each operation, with a fault at that operation.
fn for_every_operation(
    fault: Fault,
    mut then: impl FnMut(&Inputs, &Path, &Files, &Faulty, Result<super::Outcome, super::IngestError>),
) {
    let inputs = Inputs::new();
    let before = inputs.folder.path().join("before");
    let expected = prepare(&inputs, &before);
    for at in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("set");
        copy(&before, &root);
        let faulty = Faulty::new(&root, at, fault);
        let store = Store::on(&root, faulty.clone());
        let result = run(&store, inputs.new_ones());
        let is_last = !faulty.has_failed();
        then(&inputs, &root, &expected, &faulty, result);
        if is_last {
            assert!(at > 50, "only {at} operations");
            return;
        }
    }
}

fn any_operation_can_fail(fault: Fault) {
    for_every_operation(fault, |inputs, root, expected, _, result| {
        let store = Store::local(root);
        verify_claims(&result, verify(&store, expected));
        run(&store, inputs.new_ones()).unwrap();
        assert!(contents(&store) == *expected);
    });
}

#[test]
fn any_one_operation_can_fail() {
    any_operation_can_fail(Fault::Once);
}

#[test]
fn all_operations_can_fail_from_any_on() {
    any_operation_can_fail(Fault::FromThenOn);
}

#[test]
fn the_power_can_fail_at_any_operation() {
    let mut seed = 7;
    for_every_operation(
        Fault::FromThenOn,
        |inputs, root, expected, faulty, result| {
            for chance in [0.0, 1.0, 0.5, 0.5] {
                let after = tempfile::tempdir().unwrap();
                let survivor = after.path().join("set");
                faulty.survivors(root, &survivor, chance, &mut seed);
                let store = Store::local(&survivor);
                let (segments, recordings) = verify(&store, expected);
                // Existing recordings stay, and those reported as added are there.
                let added = match &result {
                    Ok(outcome) => outcome.added,
                    Err(error) => error.halted.unwrap_or_default().added.recordings,
                };
                assert!(segments >= 1 && recordings >= Inputs::OLD);
                if result.is_ok() {
                    assert_eq!(recordings, Inputs::OLD + added);
                }
                run(&store, inputs.new_ones()).unwrap();
                assert!(contents(&store) == *expected);
            }
        },
    );
}

#[test]
fn a_new_data_set_can_fail_at_any_operation() {
    let inputs = Inputs::new();
    let once = Store::local(&inputs.folder.path().join("once"));
    run(&once, inputs.new_ones()).unwrap();
    let expected = contents(&once);
    for at in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("a/b/set");
        let faulty = Faulty::new(folder.path(), at, Fault::FromThenOn);
        drop(run(&Store::on(&root, faulty.clone()), inputs.new_ones()));
        let after = tempfile::tempdir().unwrap();
        faulty.survivors(folder.path(), after.path(), 0.0, &mut 7);
        for root in [root, after.path().join("a/b/set")] {
            let store = Store::local(&root);
            verify(&store, &expected);
            run(&store, inputs.new_ones()).unwrap();
            assert!(contents(&store) == expected);
        }
        if !faulty.has_failed() {
            return;
        }
    }
}

#[test]
fn files_that_are_gone_are_made_again() {
    let inputs = Inputs::new();
    let root = inputs.folder.path().join("set");
    let expected = prepare(&inputs, &root);
    let store = Store::local(&root);
    run(&store, inputs.new_ones()).unwrap();
    let tables: Vec<&String> = expected
        .keys()
        .filter(|path| path.ends_with(".parquet"))
        .collect();
    assert!(tables.len() > 6);
    for (number, path) in tables.iter().enumerate() {
        match number % 2 {
            0 => fs::remove_file(root.join(path)).unwrap(),
            _ => fs::write(root.join(path), b"cut").unwrap(),
        }
        let mut manifest = Manifest::read(&store).unwrap();
        let damaged = manifest.take_damaged(&store).unwrap();
        assert_eq!(damaged.len(), 1, "{path}");
        let (segment, damage) = &damaged[0];
        assert_eq!(damage.missing_files, 1);
        assert!(path.contains(&segment.id));
        // A run without its recordings reports it.
        let is_old = segment.recordings[0].file.contains("/old/");
        let (with, without) = match is_old {
            true => (inputs.old(), inputs.new_ones()),
            false => (inputs.new_ones(), inputs.old()),
        };
        let outcome = run(&store, without).unwrap();
        assert_eq!((outcome.added, outcome.damaged), (0, vec![damage.clone()]));
        let outcome = run(&store, with).unwrap();
        let recordings = segment.recordings.len();
        assert_eq!((outcome.added, outcome.damaged), (recordings, Vec::new()));
        assert!(contents(&store) == expected, "{path}");
    }
    // A truncated list is rewritten, too.
    let list = expected.keys().find(|path| path.starts_with("_segments/"));
    fs::write(root.join(list.unwrap()), b"{\"id\":").unwrap();
    for input in [inputs.new_ones(), inputs.old()] {
        run(&store, input).unwrap();
    }
    assert!(contents(&store) == expected);
}

#[test]
fn a_damaged_segment_goes_when_its_recordings_are_in_others() {
    let inputs = Inputs::new();
    let root = inputs.folder.path().join("set");
    let store = Store::local(&root);
    run(&store, inputs.new_ones()).unwrap();
    let manifest = Manifest::read(&store).unwrap();
    let mut segments = manifest.segments.iter();
    let segment = segments.find(|one| one.recordings.len() == 2).unwrap();
    fs::remove_file(root.join(&segment.files[0].path)).unwrap();
    // Each recording alone forms another segment.
    for (entry, still_damaged) in segment.recordings.iter().zip([1, 0]) {
        let outcome = run(&store, PathBuf::from(&entry.file)).unwrap();
        assert_eq!((outcome.added, outcome.damaged.len()), (1, still_damaged));
    }
    let now = Manifest::read(&store).unwrap();
    let recordings = now.segments.iter().map(|one| one.recordings.len());
    assert_eq!(
        (recordings.sum(), now.known().len()),
        (Inputs::NEW, Inputs::NEW)
    );
    let mut names = contents(&store).into_keys();
    assert!(!names.any(|path| path.contains(&segment.id)));
}

#[test]
fn a_run_for_fewer_tables_leaves_a_damaged_segment() {
    let inputs = Inputs::new();
    let store = Store::local(&inputs.folder.path().join("set"));
    run(&store, inputs.old()).unwrap();
    let mut damaged = contents(&store);
    let gone = damaged.keys().find(|path| path.starts_with("recordings/"));
    let gone = gone.cloned().unwrap();
    fs::remove_file(inputs.folder.path().join("set").join(&gone)).unwrap();
    damaged.remove(&gone);
    let options = super::IngestOptions {
        tables: crate::find("recordings").into_iter().collect(),
        ..super::IngestOptions::default()
    };
    let progress = super::Progress::default();
    let outcome = super::ingest(&[inputs.old()], &store, &options, &progress).unwrap();
    assert_eq!((outcome.added, outcome.damaged.len()), (0, 1));
    assert!(contents(&store) == damaged);
}
