//! Memory for inflated bodies, and for the files they come from.
//!
//! A body is megabytes to gigabytes, written once. The system clears memory and maps it page by page, which for a small
//! save takes as long as inflating into it. So large bodies use large pages, and the memory of a dropped body is reused
//! for the next one: a program that reads many saves gets it from the system once. With plain vectors, reading takes 1.45
//! times as long (bench/RESULTS.md, What was tried).

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Smaller buffers are ordinary vectors, which the allocator caches.
const MIN_FOR_PAGES: usize = 64 << 10;

/// Size of a large page; smaller bodies do not fill one.
const LARGE_PAGE: usize = 2 << 20;

/// Maximum memory kept for reuse: two saves of a large factory, or one small save for each core.
const MAX_SPARE_BYTES: usize = 128 << 20;

/// Memory kept for reuse, the latest last.
static SPARE: Mutex<Vec<memmap2::MmapMut>> = Mutex::new(Vec::new());

/// A buffer of some length.
pub(in crate::satisfactory) struct Buffer {
    memory: Memory,
    length: usize,
}

enum Memory {
    Heap(Vec<u8>),
    /// At most slightly larger than needed: see [`spare`].
    Pages(memmap2::MmapMut),
}

impl Buffer {
    /// A buffer of this many bytes with unspecified contents: the caller writes every one of them.
    pub fn unwritten(length: usize) -> Self {
        let pages = (length >= MIN_FOR_PAGES)
            .then(|| spare(length).or_else(|| new_pages(length)))
            .flatten();
        let memory = pages.map_or_else(|| Memory::Heap(vec![0; length]), Memory::Pages);
        Self { memory, length }
    }

    /// Truncates the buffer.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }
}

/// Memory kept for reuse that is neither too small nor more than twice too large.
fn spare(length: usize) -> Option<memmap2::MmapMut> {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |pages: &memmap2::MmapMut| (length..=2 * length).contains(&pages.len());
    let index = spare.iter().rposition(fits)?;
    Some(spare.remove(index))
}

/// Memory from the system, which may use large pages.
fn new_pages(length: usize) -> Option<memmap2::MmapMut> {
    let pages = memmap2::MmapMut::map_anon(length).ok()?;
    #[cfg(target_os = "linux")]
    if length >= LARGE_PAGE {
        pages.advise(memmap2::Advice::HugePage).ok()?;
    }
    Some(pages)
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Memory::Pages(pages) = std::mem::replace(&mut self.memory, Memory::Heap(Vec::new()))
        else {
            return;
        };
        if pages.len() > MAX_SPARE_BYTES {
            return;
        }
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(pages);
        // The oldest goes first: recently used sizes are likely to be needed next.
        let mut bytes: usize = spare.iter().map(|pages| pages.len()).sum();
        let surplus = spare.iter().take_while(|pages| {
            let is_surplus = bytes > MAX_SPARE_BYTES;
            bytes -= pages.len();
            is_surplus
        });
        let count = surplus.count();
        // Returned to the system after the lock is released, because that takes time.
        let given_back: Vec<memmap2::MmapMut> = spare.drain(..count).collect();
        drop(spare);
        drop(given_back);
    }
}

impl From<&[u8]> for Buffer {
    fn from(bytes: &[u8]) -> Self {
        let mut buffer = Self::unwritten(bytes.len());
        buffer.copy_from_slice(bytes);
        buffer
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let all = match &self.memory {
            Memory::Heap(bytes) => bytes,
            Memory::Pages(pages) => &pages[..],
        };
        all.get(..self.length).unwrap_or_default()
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        let all = match &mut self.memory {
            Memory::Heap(bytes) => bytes,
            Memory::Pages(pages) => &mut pages[..],
        };
        all.get_mut(..self.length).unwrap_or_default()
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        let length = bytes.len();
        Self {
            memory: Memory::Heap(bytes),
            length,
        }
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.length)
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_buffers_are_the_same_to_use() {
        for length in [0, 1, 1000, MIN_FOR_PAGES, LARGE_PAGE + 1] {
            let bytes = vec![7; length];
            let mut buffer = Buffer::from(&bytes[..]);
            assert_eq!(*buffer, *bytes);
            buffer.truncate(length.saturating_sub(1));
            assert_eq!(buffer.len(), length.saturating_sub(1));
        }
    }

    #[test]
    fn memory_that_is_let_go_of_waits_within_a_limit() {
        let many: Vec<Buffer> = (0..20)
            .map(|index| Buffer::unwritten((8 + index) << 20))
            .collect();
        drop(many);
        let waiting = || {
            SPARE
                .lock()
                .unwrap()
                .iter()
                .map(|pages| pages.len())
                .sum::<usize>()
        };
        assert!(waiting() <= MAX_SPARE_BYTES, "{} bytes wait", waiting());
        // A buffer much larger than requested is not handed out, so that little memory is wasted.
        let small = Buffer::unwritten(MIN_FOR_PAGES);
        assert!(matches!(&small.memory, Memory::Pages(pages) if pages.len() <= 2 * MIN_FOR_PAGES));
    }
}
