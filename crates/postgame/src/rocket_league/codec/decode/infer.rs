//! Infers the layout of unknown attributes by trying known ones.
//!
//! A game update can add attributes that are in no table, and each update of one would cost its segment. But a segment
//! has a known number of frames and a known end: a layout with which it ends there to the bit is the right one, or one
//! of the same width. The number of attempts is bounded, and every inferred layout is reported.

use super::super::model::kinds::Kind;
use super::super::model::text::Text;
use super::super::model::versions::ProductKind;
use super::super::schema::Schema;
use super::frames::{Decoder, Unknown};
use super::segments::Segment;
use super::stream::{Mark, Stream};
use super::stream_reader::StreamReader;
use crate::report::{Report, Severity};

/// Layouts tried for an attribute, the most common first. An i32 stands for all 32-bit layouts.
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

/// Layouts tried for a product attribute, the most common first.
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

/// Maximum number of unknown attributes inferred together.
const MAX_GUESSES: usize = 4;
/// All attempts together read at most this many times the stream.
const MAX_READING: u64 = 16;
/// Maximum number of table entries that attempts visit, so that a small file with huge tables stays cheap; real files
/// have some 15,000.
const MAX_ENTRIES: u64 = 1 << 26;
/// Maximum number of broken segments that are tried.
const MAX_SEGMENTS: usize = 6;

/// A guess for an unknown attribute.
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
    /// Reports the guesses, and the frame that broke without them.
    pub fn report(&self, objects: &[Text], walk: &StreamReader<'_, '_>, report: &mut Report) {
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

/// The schema with which most of the segments can be read that broke at an unknown attribute; `None` if no schema reads
/// any of them.
pub(super) fn infer(stream: &Stream<'_>, walk: &StreamReader<'_, '_>) -> Option<Inferred> {
    let mut marks = stream.marks();
    if !matches!(marks.first(), Some(Mark { frame: 0, bit: 0 })) {
        // Without keyframes the whole stream is one segment.
        marks = vec![Mark { frame: 0, bit: 0 }];
    }
    let broken = walk.unknown.iter();
    let segments: Vec<Segment<'_>> = broken
        .filter_map(|(next, _)| Segment::new(stream, &marks, next.checked_sub(1)?))
        .take(MAX_SEGMENTS)
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
        // The explanation with the fewest guesses is the best.
        let is_found = (1..=MAX_GUESSES).any(|most| {
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

/// The result of an attempt to read a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It fits to the bit.
    Exact,
    /// It broke at a named attribute of unknown layout.
    At(Unknown),
    /// It broke.
    Broken,
}

struct Search<'a> {
    stream: &'a Stream<'a>,
    /// Number of bits read.
    bits: u64,
    /// Number of table entries visited.
    entries: u64,
    /// Number of table entries in one schema.
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

    /// True if the limits are used up.
    fn is_over(&self) -> bool {
        self.bits > MAX_READING * self.stream.bytes.len() as u64 * 8 || self.entries > MAX_ENTRIES
    }

    /// Reads a segment with a schema.
    fn attempt(&mut self, schema: &Schema, segment: &Segment<'_>) -> Outcome {
        self.entries += self.size;
        let stream = Stream {
            schema,
            ..*self.stream
        };
        let used_before = stream.budget.used();
        let mut decoder = Decoder::new(&stream);
        let (end, used) = segment.try_with(&stream, &mut decoder);
        // The frames of an attempt are discarded.
        stream.budget.rewind(used_before);
        self.bits += used;
        match decoder.unknown {
            _ if end => Outcome::Exact,
            Some(unknown) => Outcome::At(unknown),
            None => Outcome::Broken,
        }
    }

    /// Tries layouts for the next unknown attribute, and for those after it.
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

/// The candidates for an unknown attribute.
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

/// Whether actors have names when they appear. If the versions leave that open, it is tried on the first segment.
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
    // The right layout continues; the wrong one breaks at the first actor.
    if reach(!usual) > reach(usual) {
        !usual
    } else {
        usual
    }
}
