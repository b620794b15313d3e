//! Bytes that stay in the body they were read from.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use triomphe::Arc;

use crate::error::Result;
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::wire::json::Bytes;

/// Bytes in an inflated body, which lives as long as any of them, or in memory of their own if they were created.
///
/// Base64 in JSON.
#[derive(Clone)]
pub struct Stored {
    /// `None` for empty bytes.
    memory: Option<Arc<Memory>>,
    /// The offset in the upper half and the length plus one in the lower half, so that an `Option` takes no extra
    /// space. Both are in one word, because the processor would stall on reading two halves together that were just
    /// written separately.
    place: NonZeroU64,
}

enum Memory {
    Own(Box<[u8]>),
    Body(std::sync::Arc<Buffer>),
}

impl Stored {
    /// The empty bytes.
    pub(in crate::satisfactory::codec) const NOTHING: Self = Self {
        memory: None,
        place: NonZeroU64::MIN,
    };

    /// Number of bytes, without reading them.
    #[inline]
    pub(in crate::satisfactory::codec) fn length(&self) -> usize {
        self.place.get() as u32 as usize - 1
    }

    #[inline]
    fn start(&self) -> usize {
        (self.place.get() >> 32) as usize
    }

    #[inline]
    fn new(memory: Arc<Memory>, start: usize, length: usize) -> Option<Self> {
        let start = u32::try_from(start).ok()?;
        let length_and_one = u32::try_from(length).ok()?.checked_add(1)?;
        Some(Self {
            memory: Some(memory),
            place: NonZeroU64::new(u64::from(start) << 32 | u64::from(length_and_one))?,
        })
    }
}

impl Deref for Stored {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        let all: &[u8] = match self.memory.as_deref() {
            Some(Memory::Body(buffer)) => buffer,
            Some(Memory::Own(bytes)) => bytes,
            None => &[],
        };
        let start = self.start();
        let end = start + self.length();
        all.get(start..end).unwrap_or_default()
    }
}

/// Bytes in memory of their own. More than four gigabytes are truncated; a list in a file cannot be that long.
impl From<&[u8]> for Stored {
    fn from(bytes: &[u8]) -> Self {
        let most = u32::MAX as usize - 1;
        let bytes = bytes.get(..most).unwrap_or(bytes);
        if bytes.is_empty() {
            return Self::NOTHING;
        }
        let memory = Arc::new(Memory::Own(bytes.into()));
        Self::new(memory, 0, bytes.len()).unwrap_or(Self::NOTHING)
    }
}

impl PartialEq for Stored {
    fn eq(&self, other: &Self) -> bool {
        let (one, other): (&[u8], &[u8]) = (self, other);
        std::ptr::eq(one, other) || one == other
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl Serialize for Stored {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes::from(&**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Bytes::deserialize(deserializer).map(|bytes| Self::from(&*bytes.0))
    }
}

/// A handle to a body that is being read.
///
/// Each reader has its own, because stored bytes are counted in it, and two threads that increment the same counter
/// would wait for each other.
pub(in crate::satisfactory::codec) struct Source {
    memory: Arc<Memory>,
    address: usize,
    length: usize,
}

impl Source {
    pub fn new(body: &std::sync::Arc<Buffer>) -> Self {
        Self {
            memory: Arc::new(Memory::Body(std::sync::Arc::clone(body))),
            address: body.as_ptr().addr(),
            length: body.len(),
        }
    }

    /// True for the same body.
    pub fn is(&self, body: &Buffer) -> bool {
        (self.address, self.length) == (body.as_ptr().addr(), body.len())
    }

    /// The same bytes, left in place; `None` for bytes outside the body, or more than four gigabytes after its start,
    /// which [`Stored`] cannot represent.
    #[inline]
    pub fn find(&self, bytes: &[u8]) -> Option<Stored> {
        let start = bytes.as_ptr().addr().wrapping_sub(self.address);
        if start >= self.length || bytes.len() > self.length - start {
            return None;
        }
        Stored::new(Arc::clone(&self.memory), start, bytes.len())
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_body_stays_there_and_keeps_it() {
        let body = std::sync::Arc::new(Buffer::from(vec![1, 2, 3, 4, 5]));
        let source = Source::new(&body);
        let place = body.as_ptr().addr() + 1;
        let stored = source.find(&body[1..4]).unwrap();
        assert!(source.find(&[2, 3, 4]).is_none());
        drop((source, body));
        assert_eq!(*stored, [2, 3, 4]);
        assert_eq!(stored.as_ptr().addr(), place);
        assert_eq!(stored, Stored::from(&[2, 3, 4][..]));
        let json = serde_json::to_string(&stored).unwrap();
        assert_eq!(serde_json::from_str::<Stored>(&json).unwrap(), stored);
        assert_eq!(*Stored::from(&[][..]), *Stored::NOTHING);
    }

    #[test]
    fn it_is_small() {
        assert_eq!(size_of::<Stored>(), 16);
        assert_eq!(size_of::<Option<Stored>>(), 16);
    }
}
