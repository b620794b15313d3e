//! The layout of what nobody knows, found by trying.
//!
//! A patch of the game brings attributes that are in no table. Each one that is sent would cost its segment. But a
//! segment has a known number of frames and a known end: a layout with which it ends there to the bit is the right
//! one, or one as wide. Trying is bounded, and what was found this way is reported.

use super::super::model::kinds::Kind;
use super::super::model::text::Text;
use super::super::model::versions::ProductKind;
use super::super::schema::Schema;
use super::frames::{Decoder, Unknown};
use super::segments::Segment;
use super::stream::{Mark, Stream};
use super::walk::Walk;
use crate::report::{Report, Severity};

/// Layouts that are tried for an attribute, the commonest first. An i32 stands for all of 32 bits.
const ATTRIBUTE_LAYOUTS: &[Kind] = &[
    Kind::Int,
    Kind::Byte,
    Kind::Reference,
    Kind::Boolean,
    Kind::String,
    Kind::Int64,
    Kind::Vector,
    Kind::UniqueId,
    Kind::Rotation,
    Kind::PickupNew,
    Kind::Pickup,
    Kind::RigidBody,
    Kind::TeamPaint,
    Kind::Explosion,
    Kind::LoadoutOnline,
    Kind::HistoryKey,
    Kind::PickupInfo,
];

/// Layouts that are tried for a product attribute, the commonest first.
const PRODUCT_LAYOUTS: &[ProductKind] = &[
    ProductKind::Other(31),
    ProductKind::Other(32),
    ProductKind::Other(0),
    ProductKind::TitleId,
    ProductKind::Other(63),
    ProductKind::Other(64),
    ProductKind::Other(8),
    ProductKind::Other(1),
    ProductKind::Other(33),
];

/// More things at once that nobody knows are not sought.
const MOST_GUESSES: usize = 4;
/// All attempts together read this many times the stream at most.
const MOST_READING: u64 = 16;
/// And they look at so many entries of tables, so that a small file with huge tables is no trap: those of real files
/// have some 15,000.
const MOST_ENTRIES: u64 = 1 << 26;
/// So many broken segments are looked at.
const MOST_SEGMENTS: usize = 6;

/// What something unknown is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guess {
    /// An attribute, an index into the objects.
    Attribute(u32, Kind),
    /// A product attribute, an index into the objects.
    Product(i32, ProductKind),
}

/// A schema with guesses in it.
pub(super) struct Inferred {
    pub schema: Schema,
    guesses: Vec<Guess>,
}

impl Inferred {
    /// Says what was guessed, and which frame broke without it.
    pub fn report(&self, objects: &[Text], walk: &Walk<'_, '_>, report: &mut Report) {
        let Some(failure) = walk.first_unknown() else {
            return;
        };
        let name = |object: Option<usize>| {
            let name = object.and_then(|object| objects.get(object));
            name.map_or("?", Text::as_str)
        };
        for guess in &self.guesses {
            let (name, layout) = match *guess {
                Guess::Attribute(object, kind) => {
                    (name(usize::try_from(object).ok()), kind.name().to_owned())
                }
                Guess::Product(object, kind) => {
                    (name(usize::try_from(object).ok()), kind.to_string())
                }
            };
            let message = format!(
                "{name} is not known; read as {layout}, for so segments end where the next keyframe begins; else: {}",
                failure.problem()
            );
            report.add(
                Severity::Odd,
                "inferred",
                failure.path(),
                failure.place(),
                message,
            );
        }
    }
}

/// The schema with which the most of the segments can be read that broke at something unknown; `None` where that is
/// none of them.
pub(super) fn infer(stream: &Stream<'_>, walk: &Walk<'_, '_>) -> Option<Inferred> {
    let mut marks = stream.marks();
    if !matches!(marks.first(), Some(Mark { frame: 0, bit: 0 })) {
        // Without keyframes the whole stream is one segment.
        marks = vec![Mark { frame: 0, bit: 0 }];
    }
    let broken = walk.unknown.iter();
    let segments: Vec<Segment<'_>> = broken
        .filter_map(|(next, _)| Segment::new(stream, &marks, next.checked_sub(1)?))
        .take(MOST_SEGMENTS)
        .collect();
    let mut search = Search::new(stream);
    let mut best: Option<(usize, Schema, Vec<Guess>)> = None;
    for segment in &segments {
        if search.is_over() {
            break;
        }
        let is_solved = |(_, schema, _): &(usize, Schema, Vec<Guess>)| {
            search.attempt(schema, segment) == Outcome::Exact
        };
        if best.as_ref().is_some_and(is_solved) {
            continue;
        }
        let (mut schema, mut guesses) = (stream.schema.clone(), Vec::new());
        // The fewest guesses are the best explanation.
        let is_found = (1..=MOST_GUESSES).any(|most| {
            guesses.clear();
            search.solve(&mut schema, segment, &mut guesses, most)
        });
        if !is_found {
            continue;
        }
        let is_exact = |segment: &&Segment<'_>| search.attempt(&schema, segment) == Outcome::Exact;
        let count = segments.iter().filter(is_exact).count();
        if best.as_ref().is_none_or(|(most, ..)| count > *most) {
            best = Some((count, schema, guesses));
        }
    }
    let (_, schema, guesses) = best?;
    Some(Inferred { schema, guesses })
}

/// How an attempt to read a segment went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// To the bit.
    Exact,
    /// It broke at something that has a name but no layout.
    At(Unknown),
    /// It broke.
    Broken,
}

struct Search<'a> {
    stream: &'a Stream<'a>,
    /// How many bits were read.
    bits: u64,
    /// How many entries of tables were looked at.
    entries: u64,
    /// How many there are in one schema.
    size: u64,
}

impl<'a> Search<'a> {
    fn new(stream: &'a Stream<'a>) -> Self {
        let attributes: usize = stream
            .schema
            .classes
            .iter()
            .map(|class| class.kinds.len())
            .sum();
        Self {
            stream,
            bits: 0,
            entries: 0,
            size: attributes as u64 + u64::from(stream.schema.era.channels),
        }
    }

    /// No more is to be tried.
    fn is_over(&self) -> bool {
        self.bits > MOST_READING * self.stream.bytes.len() as u64 * 8 || self.entries > MOST_ENTRIES
    }

    /// Reads a segment with a schema.
    fn attempt(&mut self, schema: &Schema, segment: &Segment<'_>) -> Outcome {
        self.entries += self.size;
        let stream = Stream {
            schema,
            ..*self.stream
        };
        let mut decoder = Decoder::new(&stream);
        let (end, used) = segment.try_with(&stream, &mut decoder);
        self.bits += used;
        match decoder.unknown {
            _ if end => Outcome::Exact,
            Some(unknown) => Outcome::At(unknown),
            None => Outcome::Broken,
        }
    }

    /// Tries layouts for the next thing nobody knows, and for those after it.
    fn solve(
        &mut self,
        schema: &mut Schema,
        segment: &Segment<'_>,
        guesses: &mut Vec<Guess>,
        most: usize,
    ) -> bool {
        let unknown = match self.attempt(schema, segment) {
            Outcome::Exact => return !guesses.is_empty(),
            Outcome::At(unknown) if guesses.len() < most => unknown,
            _ => return false,
        };
        for guess in candidates(unknown, schema) {
            if self.is_over() {
                return false;
            }
            guess.apply(schema);
            guesses.push(guess);
            if self.solve(schema, segment, guesses, most) {
                return true;
            }
            guesses.pop();
            guess.undo(schema);
        }
        false
    }
}

/// What something unknown could be.
fn candidates(unknown: Unknown, schema: &Schema) -> Vec<Guess> {
    match unknown {
        Unknown::Attribute(object) => {
            let layouts = ATTRIBUTE_LAYOUTS.iter();
            layouts
                .map(|&kind| Guess::Attribute(object, kind))
                .collect()
        }
        Unknown::Product => {
            let products = schema.era.product_kinds.iter();
            let unknown = products.filter(|(_, kind)| *kind == ProductKind::Unknown);
            let layouts = |&(object, _): &(i32, ProductKind)| {
                let layouts = PRODUCT_LAYOUTS.iter();
                layouts.map(move |&kind| Guess::Product(object, kind))
            };
            unknown.flat_map(layouts).collect()
        }
    }
}

impl Guess {
    fn apply(self, schema: &mut Schema) {
        match self {
            Self::Attribute(object, kind) => schema.set_kind(object, kind),
            Self::Product(object, kind) => schema.era.set_product(object, kind),
        }
    }

    fn undo(self, schema: &mut Schema) {
        match self {
            Self::Attribute(object, _) => schema.set_kind(object, Kind::Unknown),
            Self::Product(object, _) => schema.era.set_product(object, ProductKind::Unknown),
        }
    }
}

/// Whether actors have names when they appear, where the versions do not tell: then it is tried on the first segment.
pub(crate) fn spawns_have_names(stream: &Stream<'_>) -> bool {
    let usual = stream.schema.era.spawns_have_names;
    if !stream.schema.era.names_are_uncertain {
        return usual;
    }
    let reach = |spawns_have_names: bool| {
        let mut schema = stream.schema.clone();
        schema.era.spawns_have_names = spawns_have_names;
        let stream = Stream {
            schema: &schema,
            ..*stream
        };
        let marks = [Mark { frame: 0, bit: 0 }];
        let mut search = Search::new(&stream);
        let segment = Segment::new(&stream, &marks, 0);
        segment.map(|segment| {
            search.attempt(&schema, &segment);
            search.bits
        })
    };
    // The right layout goes on, the wrong one breaks at the first actor.
    if reach(!usual) > reach(usual) {
        !usual
    } else {
        usual
    }
}
