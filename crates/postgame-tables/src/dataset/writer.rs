//! Changes a data set: journals, lists, cleaning up after interrupted runs.

use std::collections::{BTreeMap, HashSet};
use std::io;

use serde::{Deserialize, Serialize};

use super::lock::Lock;
use super::manifest::{Damage, Manifest, Segment, abandoned_text, is_path_of, list_path};
use super::store::{Aside, Location, Store};
use super::{ASIDE, JOURNAL, SEGMENTS, owner};
use postgame_files::bucket::{Bucket, Version};

/// The files that a run is about to publish or remove.
#[derive(Serialize, Deserialize)]
struct Journal {
    segment: String,
    files: Vec<String>,
}

/// A data set to which this process has exclusive write access.
pub(super) struct Writer<'a> {
    pub store: &'a Store,
    lock: &'a Lock<'a>,
    /// In an object store, the versions of some segments' lists before they are written, so that only this process
    /// replaces them.
    replaced: BTreeMap<String, Version>,
    /// Segments with missing files or unreadable lists.
    damaged: HashSet<String>,
}

/// The result of listing a segment.
pub(super) enum Listed {
    /// It is part of the data set.
    Added,
    /// It is not, and the next run removes everything left of it.
    NotAdded(io::Error),
    /// Uncertain: the object store does not respond, or the disk does not promise to keep it.
    Unsure(io::Error),
}

/// The state of a data set when a run begins.
pub(super) struct Contents {
    /// The complete segments.
    pub manifest: Manifest,
    /// The damaged segments.
    pub damaged: Vec<(Segment, Damage)>,
}

impl<'a> Writer<'a> {
    /// Opens a data set whose lock is held, and cleans up after an interrupted run.
    ///
    /// # Errors
    /// When the path is not a data set, or it cannot be read or written.
    pub fn open(store: &'a Store, lock: &'a Lock<'a>) -> io::Result<(Self, Contents)> {
        owner::check(store)?;
        store.prepare()?;
        owner::mark(store)?;
        let mut writer = Self {
            store,
            lock,
            replaced: BTreeMap::new(),
            damaged: HashSet::new(),
        };
        let mut manifest = Manifest::read(store)?;
        writer.clean(&mut manifest)?;
        let damaged = manifest.take_damaged(store)?;
        let ids = damaged.iter().map(|(segment, _)| segment.id.clone());
        let ids = ids.chain(manifest.unreadable.iter().filter_map(|list| {
            let name = list.name.strip_prefix(SEGMENTS)?.strip_prefix('/')?;
            Some(name.strip_suffix(".json")?.to_owned())
        }));
        writer.damaged = ids.collect();
        if let Location::Bucket(bucket) = &store.place {
            for id in &writer.damaged {
                let found = bucket.get(&list_path(id))?;
                writer
                    .replaced
                    .extend(found.map(|(_, version)| (id.clone(), version)));
            }
        }
        Ok((writer, Contents { manifest, damaged }))
    }

    /// Writes a journal with the files that a segment is going to have.
    pub fn journal(&self, id: &str, files: &[String]) -> io::Result<()> {
        self.lock.check()?;
        let journal = Journal {
            segment: id.to_owned(),
            files: files.to_vec(),
        };
        self.store
            .write(&journal_path(id), &serde_json::to_vec(&journal)?)
    }

    /// Moves a file into place. A journal must list it.
    pub fn publish(&self, aside: Aside, path: &str) -> io::Result<()> {
        self.lock.check()?;
        self.store.publish(aside, path)
    }

    /// Lists a segment whose files are published, which adds it to the data set.
    pub fn list(&self, segment: &Segment) -> Listed {
        let written = || {
            // A list must not be on disk before its files.
            self.store.sync(&segment.paths())?;
            let text = segment.to_text()?;
            match &self.store.place {
                Location::Folder(_) => self.store.write(&list_path(&segment.id), &text),
                Location::Bucket(bucket) => self.put_list(bucket, &segment.id, &text),
            }
        };
        let listed = match written() {
            Ok(()) => Listed::Added,
            Err(error) => self.take_back(segment, error),
        };
        if let Listed::Added = listed {
            // A journal that stays names listed files; the next run removes it, but not them.
            drop(self.store.remove(&journal_path(&segment.id)));
        }
        listed
    }

    fn put_list(&self, bucket: &Bucket, id: &str, text: &[u8]) -> io::Result<()> {
        self.lock.confirm()?;
        let path = list_path(id);
        let put = match self.replaced.get(id) {
            Some(version) => bucket.put_over(&path, text, version)?,
            None => bucket.put_new(&path, text)?,
        };
        match put {
            Some(_) => Ok(()),
            None => Err(io::Error::other(format!(
                "{path}: another process has written or given up this segment"
            ))),
        }
    }

    /// After a failure: finds out whether the segment is listed anyway, and removes its files if it is not.
    fn take_back(&self, segment: &Segment, error: io::Error) -> Listed {
        let path = list_path(&segment.id);
        match (self.store.read_one(&path), segment.to_text()) {
            (Ok(None), _) => {}
            // The segment is listed, as intended.
            (Ok(Some(now)), Ok(text)) if now == text => {
                let Location::Folder(folder) = &self.store.place else {
                    return Listed::Added;
                };
                // It may not survive a power cut, so it is removed.
                if self.store.remove(&path).is_err() {
                    return Listed::Unsure(error);
                }
                if folder.sync_folder_of(&path).is_err() {
                    // The removed list may reappear, so the files and their journal stay.
                    return Listed::NotAdded(error);
                }
            }
            // The list of the damaged segment that was to be replaced, or another process's list.
            (Ok(Some(_)), _) => {
                self.leave_to_next_run(&segment.id, &segment.paths());
                return Listed::NotAdded(error);
            }
            (Err(_), _) => return Listed::Unsure(error),
        }
        self.roll_back(&segment.id, &segment.paths());
        Listed::NotAdded(error)
    }

    /// Removes the files of a segment that will not be listed, as far as possible; the next run does the rest.
    pub fn roll_back(&self, id: &str, files: &[&str]) {
        if self.damaged.contains(id) {
            // The old list names them too.
            return;
        }
        if self.lock.check().is_err() {
            // They may belong to another process by now.
            self.leave_to_next_run(id, files);
            return;
        }
        let mut is_gone = true;
        for file in files {
            is_gone &= self.store.remove(file).is_ok();
        }
        if is_gone && self.store.sync_removal(files).is_ok() {
            drop(self.store.remove(&journal_path(id)));
        }
    }

    /// Makes sure that files of an object store are in a journal: the process that took over the data set may have
    /// removed their journal.
    fn leave_to_next_run(&self, id: &str, files: &[&str]) {
        let journal = Journal {
            segment: id.to_owned(),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
        };
        if let (Some(_), Ok(text)) = (self.store.bucket(), serde_json::to_vec(&journal)) {
            // There was an error already, which is the one to report.
            drop(self.store.write(&journal_path(id), &text));
        }
    }

    /// Removes a damaged segment from the data set, once all of its recordings are in other segments.
    pub fn retire(&self, segment: &Segment) -> io::Result<()> {
        let paths = segment.paths();
        let files: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        self.journal(&segment.id, &files)?;
        self.lock.confirm()?;
        let list = list_path(&segment.id);
        self.store.remove(&list)?;
        self.store.sync_removal(&[&list])?;
        self.remove_files(&segment.id, &paths)
    }

    /// Removes the files that are in journals but in no list, the journals, and files that were being written.
    fn clean(&mut self, manifest: &mut Manifest) -> io::Result<()> {
        let store = self.store;
        let mut paths = store.list(JOURNAL)?;
        paths.retain(|path| path.ends_with(".json"));
        let mut stale = Vec::new();
        for (path, text) in paths.iter().zip(store.read(&paths)?) {
            let journal: Option<Journal> = serde_json::from_slice(&text).ok();
            // A file of another origin stays.
            let own = journal.filter(|journal| *path == journal_path(&journal.segment));
            stale.extend(own);
        }
        if let Location::Bucket(bucket) = &store.place {
            self.fence(bucket, manifest, &stale)?;
        } else if !stale.is_empty() {
            // A removed list must not reappear after its files are removed.
            store.sync_lists()?;
        }
        let unreadable: HashSet<&str> = manifest
            .unreadable
            .iter()
            .map(|list| list.name.as_str())
            .collect();
        let listed = manifest.segments.iter().flat_map(Segment::paths);
        let listed: HashSet<&str> = listed.collect();
        for journal in &stale {
            let Journal { segment, files } = journal;
            let is_own = |path: &str| is_path_of(segment, path) && !listed.contains(path);
            let files = files.iter().map(String::as_str).filter(|path| is_own(path));
            let files: Vec<&str> = match unreadable.contains(list_path(segment).as_str()) {
                true => Vec::new(),
                false => files.collect(),
            };
            self.remove_files(segment, &files)?;
        }
        for path in store.list(ASIDE)? {
            if owner::is_aside_name(&path) {
                store.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the files of a journal, then the journal.
    fn remove_files(&self, id: &str, files: &[&str]) -> io::Result<()> {
        for file in files {
            self.store.remove(file)?;
        }
        self.store.sync_removal(files)?;
        self.store.remove(&journal_path(id))
    }

    /// Makes sure that a process whose lock has expired cannot list its segments: replaces each missing list by a note
    /// that only this process can replace.
    fn fence(
        &mut self,
        bucket: &Bucket,
        manifest: &mut Manifest,
        stale: &[Journal],
    ) -> io::Result<()> {
        let Lock::Lease(lease) = self.lock else {
            return Ok(());
        };
        let note = abandoned_text(&lease.token())?;
        let begun = stale.iter().map(|journal| journal.segment.clone());
        let mut ids: Vec<String> = begun.chain(manifest.abandoned.iter().cloned()).collect();
        let listed = manifest.segments.iter().map(|one| one.id.clone());
        let listed: HashSet<String> = listed.collect();
        ids.retain(|id| !listed.contains(id));
        ids.sort();
        ids.dedup();
        for id in ids {
            let path = list_path(&id);
            loop {
                let put = match bucket.get(&path)? {
                    None => bucket.put_new(&path, &note)?,
                    Some((text, version)) => match Segment::parse(&id, &text) {
                        // It was listed at the last moment.
                        Ok(segment) => {
                            manifest.segments.push(segment);
                            break;
                        }
                        Err(_) => bucket.put_over(&path, &note, &version)?,
                    },
                };
                if let Some(version) = put {
                    self.replaced.insert(id, version);
                    break;
                }
            }
        }
        Ok(())
    }
}

fn journal_path(id: &str) -> String {
    format!("{JOURNAL}/{id}.json")
}
