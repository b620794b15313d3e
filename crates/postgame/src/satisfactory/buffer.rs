//! Memory for an inflated body.
//!
//! A body is tens of megabytes to gigabytes, written once. In ordinary pages of 4 KiB the system takes longer to hand
//! them out, one fault at a time, than it takes to inflate the data into them; large pages make that cheap.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A large page; smaller bodies do not fill one.
const LEAST_FOR_LARGE_PAGES: usize = 2 << 20;

/// Bytes that are zero until they are written.
pub(super) struct Buffer {
    memory: Memory,
    length: usize,
}

enum Memory {
    Heap(Vec<u8>),
    Pages(memmap2::MmapMut),
}

impl Buffer {
    /// So many zeros.
    pub fn zeroed(length: usize) -> Self {
        let pages = (length >= LEAST_FOR_LARGE_PAGES)
            .then(|| large_pages(length))
            .flatten();
        let memory = pages.map_or_else(|| Memory::Heap(vec![0; length]), Memory::Pages);
        Self { memory, length }
    }

    /// Lets go of the end.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }
}

/// Memory that the system may give in large pages; `None` where it does not.
fn large_pages(length: usize) -> Option<memmap2::MmapMut> {
    let pages = memmap2::MmapMut::map_anon(length).ok()?;
    #[cfg(target_os = "linux")]
    pages.advise(memmap2::Advice::HugePage).ok()?;
    Some(pages)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_buffers_are_the_same_to_use() {
        for length in [0, 1, 1000, LEAST_FOR_LARGE_PAGES + 1] {
            let mut buffer = Buffer::zeroed(length);
            assert_eq!(buffer.len(), length);
            assert!(buffer.iter().all(|&byte| byte == 0));
            if let Some(last) = buffer.last_mut() {
                *last = 7;
            }
            buffer.truncate(length.saturating_sub(1));
            assert_eq!(buffer.len(), length.saturating_sub(1));
            assert!(buffer.iter().all(|&byte| byte == 0));
        }
    }
}
