//! Whole files of an object store, some of them on their way before they are asked for: a store answers late, but many
//! at a time.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use super::Bucket;

/// How many files are on their way at a time.
const FILES: usize = 8;

/// And not more than so many bytes, unless it is a single file: memory is bounded by it.
const BYTES: u64 = 32 << 20;

/// Files that are read one after the other, or nearly so. What nobody asks for, because headers do, is not read.
#[derive(Debug)]
pub struct Ahead {
    bucket: Arc<Bucket>,
    /// Their places and sizes, in the order in which they are wanted.
    files: Vec<(String, u64)>,
    on_their_way: Mutex<BTreeMap<usize, Receiver<io::Result<Vec<u8>>>>>,
}

impl Ahead {
    /// None of them is on its way yet.
    pub fn new(bucket: Arc<Bucket>, files: Vec<(String, u64)>) -> Self {
        Self {
            bucket,
            files,
            on_their_way: Mutex::default(),
        }
    }

    /// The contents of the file with a number; the next ones are sent for.
    ///
    /// # Errors
    /// What the store says.
    pub fn read(&self, number: usize) -> io::Result<Vec<u8>> {
        let own = {
            let lock = self.on_their_way.lock();
            let mut on_their_way = lock.unwrap_or_else(PoisonError::into_inner);
            // What was passed over long ago nobody will ask for.
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
