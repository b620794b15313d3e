//! Predicts the next tag.
//!
//! Half of a save's strings are in tags, and an object usually has the same properties as the last one of its class. So
//! a tag is first compared, as a whole, with the last tags at the same spot; only if none matches is it read string by
//! string.

use std::collections::HashMap;
use std::sync::Arc;

use crate::satisfactory::codec::decode::names::Seed;
use crate::satisfactory::codec::model::property::Label;
use crate::satisfactory::codec::model::strings::Str;
use crate::satisfactory::codec::model::tail::Tail;
use crate::satisfactory::codec::model::types::Type;
use crate::satisfactory::codec::model::value::InnerTag;
use crate::satisfactory::tables::TailKind;

/// Maximum number of tags and classes that are remembered, far more than in real saves; others are read normally.
const MOST: usize = 1 << 16;

/// Number of classes in the fast lookup: a large factory has some hundreds.
const LATELY: usize = 512;

/// Longer lists are not remembered, so that one long list does not make all later short ones allocate as much.
const MAX_USUAL: usize = 64;

/// A spot in which a tag occurs: after another tag, first in a class's list, or first in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::satisfactory::codec) struct Spot(u32);

impl Spot {
    /// A spot without any knowledge.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// The parts of a tag that are the same each time.
#[derive(Clone, Debug)]
pub(in crate::satisfactory::codec) struct Known {
    pub label: Arc<Label>,
    /// The spot of the next tag.
    pub after: Spot,
    /// The spot of the first tag in the value, if the value consists of properties.
    pub inside: Spot,
}

/// The constant bytes of a tag: its head and, in the old layout, the names of its inner types after the gap.
#[derive(Clone, Copy, Debug)]
pub(in crate::satisfactory::codec) struct Pattern<'a> {
    pub head: &'a [u8],
    /// Length of the variable part: size and index, or size and flags.
    pub gap: usize,
    pub types: &'a [u8],
}

#[derive(Debug)]
struct Remembered {
    known: Known,
    bytes: Box<[u8]>,
    head_length: usize,
    /// One file can have levels of both tag layouts, and an old tag can start like a new one.
    gap: usize,
}

/// Everything known about a class.
#[derive(Clone, Copy, Debug)]
pub(in crate::satisfactory::codec) struct Class {
    /// The fields after its properties.
    pub tail: Option<TailKind>,
    /// The spot of its first tag.
    pub first: Spot,
}

/// Everything seen so far.
#[derive(Debug, Default)]
pub(in crate::satisfactory::codec) struct Habits {
    tags: Vec<Remembered>,
    by_parts: HashMap<[usize; 2], u32, Seed>,
    /// The last tags at each spot, the latest first.
    latest: Vec<[u32; 2]>,
    /// For each spot, the number of properties in the last list that started there.
    counts: Vec<u32>,
    /// For each spot, the tag of the structures of the array it is in.
    inner_tags: Vec<Option<Arc<InnerTag>>>,
    classes: HashMap<Str, Class, Seed>,
    /// Cache of recent classes; the name decides the slot.
    lately: Vec<Option<(Str, Class)>>,
}

const NONE_YET: [u32; 2] = [u32::MAX; 2];

impl Habits {
    /// The tag at the start of `rest`, if it occurred at this spot before; also the contents of its gap, and the spot
    /// after it.
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

    /// The number of properties in a list that starts at this spot, predicted from the last one.
    #[inline(always)]
    pub fn usual_count(&self, first: Spot) -> usize {
        self.counts
            .get(first.0 as usize)
            .map_or(0, |count| *count as usize)
    }

    /// Remembers the number of properties of a list.
    pub fn learn_count(&mut self, first: Spot, count: usize) {
        if let Some(usual) = self.counts.get_mut(first.0 as usize) {
            *usual = count.min(MAX_USUAL) as u32;
        }
    }

    /// The tag before an array's structures, the first of which is at this spot: nearly always the same as before.
    pub fn inner_tag(&mut self, spot: Spot, tag: InnerTag) -> Arc<InnerTag> {
        let Some(before) = self.inner_tags.get_mut(spot.0 as usize) else {
            return Arc::new(tag);
        };
        match before {
            Some(before) if **before == tag => Arc::clone(before),
            _ => Arc::clone(before.insert(Arc::new(tag))),
        }
    }

    /// A recent class with this stored name.
    #[inline(always)]
    pub fn class_met_lately(&self, name: &[u8]) -> Option<(Str, Class)> {
        let met = self.lately.get(place_among_lately(name)?)?.as_ref()?;
        (met.0.encoded() == name).then(|| met.clone())
    }

    /// A class by its stored name, with everything known about it; `make` creates the interned name.
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

/// Cache slot for a class name; its length, middle and end distinguish it from most others.
#[inline(always)]
fn place_among_lately(name: &[u8]) -> Option<usize> {
    let word = |bytes: &[u8]| bytes.last_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let (middle, end) = name.split_at_checked(name.len() / 2)?;
    let end = end.strip_suffix(b"_C\0").unwrap_or(end);
    let mixed = word(end)? ^ word(middle)?.rotate_left(29) ^ name.len() as u64;
    Some((mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LATELY.ilog2())) as usize)
}
