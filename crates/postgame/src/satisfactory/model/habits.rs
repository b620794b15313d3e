//! Which tag usually comes next.
//!
//! Half of a save's strings are in tags, and an object has the same properties as the last one of its class. So a tag
//! is first held, as a whole, against those that stood at its spot before; only another one is read string by string.

use std::collections::HashMap;
use std::sync::Arc;

use super::names::Seed;
use super::property::Label;
use super::strings::Str;
use super::tail::Tail;
use super::types::Type;
use super::value::InnerTag;
use crate::satisfactory::tables::TailKind;

/// So many tags and classes are remembered, which no real save comes near; others are just read.
const MOST: usize = 1 << 16;

/// A spot where a tag stands: after another one, first in a class's list, or first in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot(u32);

impl Spot {
    /// A spot that nothing is known about.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// What a tag says that is the same each time.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub label: Arc<Label>,
    /// Where the next tag stands.
    pub after: Spot,
    /// Where the first tag in the value stands, if it is made of properties.
    pub inside: Spot,
}

/// The bytes of a tag that are the same each time: its head, and in the old form, after size and index, the names of
/// the types it is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern<'a> {
    pub head: &'a [u8],
    /// How long size and index are, between the two.
    pub gap: usize,
    pub types: &'a [u8],
}

#[derive(Debug)]
struct Remembered {
    known: Known,
    bytes: Box<[u8]>,
    head_length: usize,
    /// Levels of both forms of tag are in one file, and an old tag can begin as a new one does.
    gap: usize,
}

/// What is known of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// What it stores after its properties.
    pub tail: Option<TailKind>,
    /// Where its first tag stands.
    pub first: Spot,
}

/// What was seen so far.
#[derive(Debug, Default)]
pub(super) struct Habits {
    tags: Vec<Remembered>,
    by_parts: HashMap<[usize; 2], u32, Seed>,
    /// For each spot, the tags that stood there last, the latest first.
    latest: Vec<[u32; 2]>,
    /// For each spot, the tag of the structures of the array it is in.
    inner_tags: Vec<Option<Arc<InnerTag>>>,
    /// By the address of the class's name, which is kept so that no other string gets that address.
    classes: HashMap<usize, (Str, Class), Seed>,
}

const NONE_YET: [u32; 2] = [u32::MAX; 2];

impl Habits {
    /// The tag at the beginning of `rest`, if it is one that stood at this spot before, and how long its head and its
    /// types are. Between the two are `gap` bytes.
    #[inline(always)]
    pub fn guess(&mut self, rest: &[u8], spot: Spot, gap: usize) -> Option<(Known, [usize; 2])> {
        let latest = self.latest.get_mut(spot.0 as usize)?;
        let [first, second] = *latest;
        let fits = |index: u32| {
            let tag = self.tags.get(index as usize).filter(|tag| tag.gap == gap)?;
            let (head, types) = tag.bytes.split_at_checked(tag.head_length)?;
            let after = rest.get(head.len() + gap..)?;
            (rest.starts_with(head) && after.starts_with(types))
                .then_some((&tag.known, [head.len(), types.len()]))
        };
        let (known, lengths) = match fits(first) {
            Some(found) => found,
            None => {
                let found = fits(second)?;
                *latest = [second, first];
                found
            }
        };
        Some((known.clone(), lengths))
    }

    /// Remembers a tag that was read at this spot.
    pub fn learn(&mut self, spot: Spot, name: Str, ty: Type, pattern: Pattern<'_>) -> Known {
        let key = [name.address(), ty.address()];
        let found = self.by_parts.get(&key).copied();
        let known = found.and_then(|index| self.tags.get(index as usize));
        let (index, known) = match (found, known) {
            (Some(index), Some(tag)) => (index, tag.known.clone()),
            _ if self.tags.len() >= MOST => {
                let (after, inside) = (Spot::UNKNOWN, Spot::UNKNOWN);
                return Known {
                    label: Arc::new(Label { name, ty }),
                    after,
                    inside,
                };
            }
            _ => {
                let index = self.tags.len() as u32;
                let known = Known {
                    label: Arc::new(Label { name, ty }),
                    after: self.new_spot(),
                    inside: self.new_spot(),
                };
                self.tags.push(Remembered {
                    known: known.clone(),
                    bytes: [pattern.head, pattern.types].concat().into(),
                    head_length: pattern.head.len(),
                    gap: pattern.gap,
                });
                self.by_parts.insert(key, index);
                (index, known)
            }
        };
        if let Some(latest) = self.latest.get_mut(spot.0 as usize)
            && let [first, _] = *latest
            && first != index
        {
            *latest = [index, first];
        }
        known
    }

    fn new_spot(&mut self) -> Spot {
        self.latest.push(NONE_YET);
        self.inner_tags.push(None);
        Spot(self.latest.len() as u32 - 1)
    }

    /// The tag before an array's structures, the first of which begins at this spot: nearly always as it was before.
    pub fn inner_tag(&mut self, spot: Spot, tag: InnerTag) -> Arc<InnerTag> {
        let Some(before) = self.inner_tags.get_mut(spot.0 as usize) else {
            return Arc::new(tag);
        };
        match before {
            Some(before) if **before == tag => Arc::clone(before),
            _ => Arc::clone(before.insert(Arc::new(tag))),
        }
    }

    /// What is known of a class; the string must be one that the scope's interner gave out.
    #[inline]
    pub fn class(&mut self, name: &Str) -> Class {
        if let Some((_, class)) = self.classes.get(&name.address()) {
            return *class;
        }
        let tail = Tail::kind_of(name);
        if self.classes.len() >= MOST {
            let first = Spot::UNKNOWN;
            return Class { tail, first };
        }
        let first = self.new_spot();
        let class = Class { tail, first };
        self.classes.insert(name.address(), (name.clone(), class));
        class
    }
}
