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

/// So many classes can be found without a look at all of them: a large factory has some hundred.
const LATELY: usize = 512;

/// Longer lists are not usual: one that a file makes long does not make room in all the short ones after it.
const MOST_USUAL: usize = 64;

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

/// The bytes of a tag that are the same each time: its head, and in the old form, after what is in the gap, the names of
/// the types it is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern<'a> {
    pub head: &'a [u8],
    /// How long what differs is: size and index, or size and flags.
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
    /// For each spot, how many properties the last list had that began there.
    counts: Vec<u32>,
    /// For each spot, the tag of the structures of the array it is in.
    inner_tags: Vec<Option<Arc<InnerTag>>>,
    classes: HashMap<Str, Class, Seed>,
    /// Classes that were met not long ago, each where its name puts it.
    lately: Vec<Option<(Str, Class)>>,
}

const NONE_YET: [u32; 2] = [u32::MAX; 2];

impl Habits {
    /// The tag at the beginning of `rest`, if it is one that stood at this spot before; with it what is in its gap, and
    /// what follows it.
    #[inline(always)]
    pub fn guess<'a, const GAP: usize>(
        &mut self,
        rest: &'a [u8],
        spot: Spot,
    ) -> Option<(Known, [u8; GAP], &'a [u8])> {
        let latest = self.latest.get_mut(spot.0 as usize)?;
        let [first, second] = *latest;
        let fits = |index: u32| {
            let tag = self.tags.get(index as usize).filter(|tag| tag.gap == GAP)?;
            let (head, types) = tag.bytes.split_at_checked(tag.head_length)?;
            let (gap, after) = rest.strip_prefix(head)?.split_first_chunk()?;
            let after = match types {
                [] => after,
                types => after.strip_prefix(types)?,
            };
            Some((&tag.known, *gap, after))
        };
        let (known, gap, after) = match fits(first) {
            Some(found) => found,
            None => {
                let found = fits(second)?;
                *latest = [second, first];
                found
            }
        };
        Some((known.clone(), gap, after))
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
        self.counts.push(0);
        Spot(self.latest.len() as u32 - 1)
    }

    /// How many properties a list has that begins at this spot, going by the last one.
    #[inline(always)]
    pub fn usual_count(&self, first: Spot) -> usize {
        self.counts
            .get(first.0 as usize)
            .map_or(0, |count| *count as usize)
    }

    /// Remembers how many properties a list had.
    pub fn learn_count(&mut self, first: Spot, count: usize) {
        if let Some(usual) = self.counts.get_mut(first.0 as usize) {
            *usual = count.min(MOST_USUAL) as u32;
        }
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

    /// A class whose name, as stored, was met not long ago.
    #[inline(always)]
    pub fn class_met_lately(&self, name: &[u8]) -> Option<(Str, Class)> {
        let met = self.lately.get(place_among_lately(name)?)?.as_ref()?;
        (met.0.encoded() == name).then(|| met.clone())
    }

    /// A class by its name as stored, and what is known of it; `make` makes the name's one copy.
    pub fn class(&mut self, name: &[u8], make: impl FnOnce(&[u8]) -> Str) -> (Str, Class) {
        let known = self.classes.get_key_value(name);
        let met = match known {
            Some((name, class)) => (name.clone(), *class),
            None => {
                let name = make(name);
                let tail = Tail::kind_of(&name);
                if self.classes.len() >= MOST {
                    let first = Spot::UNKNOWN;
                    return (name, Class { tail, first });
                }
                let first = self.new_spot();
                let class = Class { tail, first };
                self.classes.insert(name.clone(), class);
                (name, class)
            }
        };
        if let Some(place) = place_among_lately(met.0.encoded()) {
            self.lately.resize(LATELY, None);
            if let Some(lately) = self.lately.get_mut(place) {
                *lately = Some(met.clone());
            }
        }
        met
    }
}

/// Where among the classes met lately one of this name is, if it is there: its length, its middle and its end tell it from
/// most others.
#[inline(always)]
fn place_among_lately(name: &[u8]) -> Option<usize> {
    let word = |bytes: &[u8]| bytes.last_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let (middle, end) = name.split_at_checked(name.len() / 2)?;
    let end = end.strip_suffix(b"_C\0").unwrap_or(end);
    let mixed = word(end)? ^ word(middle)?.rotate_left(29) ^ name.len() as u64;
    Some((mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LATELY.ilog2())) as usize)
}
