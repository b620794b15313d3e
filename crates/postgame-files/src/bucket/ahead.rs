//! Prefetches whole files of an object store: a store responds slowly, but to many requests at once.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use super::Bucket;

/// Number of files fetched at the same time.
const FILES: usize = 8;

/// Maximum number of bytes fetched at the same time, except for a single larger file; this bounds memory.
const BYTES: u64 = 32 << 20;

/// Files that are read roughly one after the other. Files that are never requested, because headers suffice, are not
/// fetched.
#[derive(Debug)]
pub struct Ahead {
    bucket: Arc<Bucket>,
    /// Their paths and sizes, in the order in which they are wanted.
    files: Vec<(String, u64)>,
    on_their_way: Mutex<BTreeMap<usize, Receiver<io::Result<Vec<u8>>>>>,
}

impl Ahead {
    /// Creates the list without fetching any file.
    pub fn new(bucket: Arc<Bucket>, files: Vec<(String, u64)>) -> Self {
        Self {
            bucket,
            files,
            on_their_way: Mutex::default(),
        }
    }

    /// The contents of the file with this number; starts fetching the next ones.
    ///
    /// # Errors
    /// When the store fails.
    pub fn read(&self, number: usize) -> io::Result<Vec<u8>> {
        let own = {
            let lock = self.on_their_way.lock();
            let mut on_their_way = lock.unwrap_or_else(PoisonError::into_inner);
            // Files that were passed over long ago will not be requested.
            *on_their_way = on_their_way.split_off(&number.saturating_sub(FILES));
            let own = on_their_way.remove(&number);
            let own = own.or_else(|| self.send_for(number));
            let next = on_their_way
                .last_key_value()
                .map_or(0, |(last, _)| last + 1);
            let size = |number: usize| self.files.get(number).map_or(0, |(_, bytes)| *bytes);
            let mut bytes: u64 =
                size(number) + on_their_way.keys().map(|&one| size(one)).sum::<u64>();
            for next in next.max(number + 1)..self.files.len() {
                bytes += size(next);
                if on_their_way.len() + 1 >= FILES || bytes > BYTES {
                    break;
                }
                on_their_way.extend(self.send_for(next).map(|sent| (next, sent)));
            }
            own
        };
        let gone = || io::Error::other("the store has stopped answering");
        own.ok_or_else(gone)?.recv().map_err(|_| gone())?
    }

    fn send_for(&self, number: usize) -> Option<Receiver<io::Result<Vec<u8>>>> {
        let (path, _) = self.files.get(number)?;
        Some(self.bucket.send_for(path))
    }
}
