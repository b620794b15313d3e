//! Finds the objects of levels while the body is still being inflated.
//!
//! Walking from object to object waits for memory at each of them if the body was inflated long before. Directly behind
//! the inflater, the data is still in the processor's caches. The result only saves work in the index pass: if anything
//! is odd, the rest is left to that pass.

use std::ops::Range;
use std::sync::Arc;

use super::body::Body;
use super::entry::{Entry, Span};
use super::index::LEAST_HEADER_BYTES;
use super::level::Level;
use super::object::ObjectHeader;
use super::shape::{Shape, Sizes};
use super::skim::{skip_end, skip_start};
use super::strings::Str;
use crate::error::{Result, Space};
use crate::limits::Budget;
use crate::wire::bytes::ByteReader;

/// The objects of one level.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// All objects, by the headers in the table of contents, with their data. Empty for streaming levels: the contents
    /// of their headers depend on data that follows them.
    pub entries: Vec<Entry>,
    /// The range of the data in the body.
    pub place: Range<usize>,
    /// The objects in the data of a streaming level.
    pub objects: Vec<Span>,
    /// Number of objects in the data.
    pub count: usize,
}

impl Found {
    /// Adds the next header.
    fn add_header(&mut self, header: Span) -> Option<()> {
        self.entries.push(Entry::undecoded(header));
        Some(())
    }

    /// Adds the data of the next object; `None` if there is no header for it.
    fn add_data(&mut self, is_streaming: bool, span: Span) -> Option<()> {
        if is_streaming {
            self.objects.push(span);
        } else {
            self.entries.get_mut(self.count)?.set_data(span);
        }
        self.count += 1;
        Some(())
    }
}

/// An object's data is at least as long as its size field.
const LEAST_DATA_BYTES: usize = 4;

/// Walks the body behind the inflater.
#[derive(Debug)]
pub(in crate::satisfactory) struct Follower {
    streaming: Shape,
    persistent: Shape,
    /// Length of the complete body.
    length: usize,
    at: usize,
    stage: Stage,
    /// Number of bytes needed for the next attempt: after a failed attempt twice as many, which bounds the repeated
    /// work.
    wanted: usize,
    levels_left: usize,
    /// The objects found so far in the current level.
    level: Found,
    found: Vec<Found>,
    budget: Arc<Budget>,
}

/// The part of the body at the current position.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// The data before the levels.
    Start,
    Contents,
    /// A number of headers are left; the table of contents ends at the given offset.
    Headers {
        left: usize,
        end: usize,
    },
    Data,
    /// A number of objects are left.
    Objects {
        left: usize,
    },
    /// The data after the objects.
    End,
    /// Nothing to look for, or the walk lost track.
    Done,
}

impl Follower {
    /// A follower for a body of this save version and length.
    pub fn new(save_version: i32, length: usize, budget: Arc<Budget>) -> Self {
        let body = Body::new(save_version);
        let (streaming, persistent) = (body.shape(true), body.shape(false));
        Self {
            streaming,
            persistent,
            length,
            at: 0,
            stage: match persistent.sizes {
                Sizes::None => Stage::Done,
                Sizes::Four | Sizes::Eight => Stage::Start,
            },
            wanted: 1,
            levels_left: 0,
            level: Found::default(),
            found: Vec::new(),
            budget,
        }
    }

    /// The budget that memory is charged to.
    pub(super) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// The result, in the order of [`Body::all_levels`]; the last levels may be missing.
    pub(super) fn into_found(self) -> Vec<Found> {
        self.found
    }

    /// Walks as far as possible. `inflated` is the body up to some offset.
    pub fn follow(&mut self, inflated: &[u8]) {
        while let Some(next) = self.step(inflated) {
            self.stage = next;
        }
    }

    /// Skips the part at the current position. `None` if it has to wait, or is done.
    fn step(&mut self, inflated: &[u8]) -> Option<Stage> {
        let shape = match self.levels_left {
            0 => self.persistent,
            _ => self.streaming,
        };
        Some(match self.stage {
            Stage::Start => {
                let levels = self.part(inflated, |reader| skip_start(reader, &shape))?;
                self.levels_left = usize::try_from(levels).unwrap_or(0);
                Stage::Contents
            }
            Stage::Contents => {
                let (place, count) = self.part(inflated, |reader| {
                    if shape.is_streaming {
                        Str::skip(reader)?;
                    }
                    read_blob_start(reader, &shape)
                })?;
                match self.inside(place) {
                    Some(place) if shape.is_streaming => {
                        self.at = place.end;
                        Stage::Data
                    }
                    Some(Range { end, .. }) => {
                        let left = usize::try_from(count).unwrap_or(0);
                        let most = end.saturating_sub(self.at) / LEAST_HEADER_BYTES;
                        let room = left.min(most);
                        match self.budget.charge((room * size_of::<Entry>()) as u64) {
                            Ok(()) => {
                                self.level.entries.reserve_exact(room);
                                Stage::Headers { left, end }
                            }
                            Err(_) => Stage::Done,
                        }
                    }
                    None => Stage::Done,
                }
            }
            Stage::Headers { left, end } => {
                let (_, has_flags) = shape.frame(&Level::default());
                let skip = |reader: &mut ByteReader<'_>| ObjectHeader::skip(reader, has_flags);
                match self.walk(inflated, end, left, skip, Found::add_header) {
                    0 => {
                        self.at = end;
                        Stage::Data
                    }
                    left if inflated.len() < end => {
                        self.stage = Stage::Headers { left, end };
                        return None;
                    }
                    _ => Stage::Done,
                }
            }
            Stage::Data => {
                let (place, count) =
                    self.part(inflated, |reader| read_blob_start(reader, &shape))?;
                match (self.inside(place), usize::try_from(count)) {
                    (Some(place), Ok(left)) => {
                        if shape.is_streaming {
                            let most = place.end.saturating_sub(self.at) / LEAST_DATA_BYTES;
                            let room = left.min(most);
                            let bytes = room * size_of::<Span>();
                            if self.budget.charge(bytes as u64).is_err() {
                                return Some(Stage::Done);
                            }
                            self.level.objects.reserve_exact(room);
                        }
                        self.level.place = place;
                        Stage::Objects { left }
                    }
                    _ => Stage::Done,
                }
            }
            Stage::Objects { left } => {
                let (frame, _) = shape.frame(&Level::default());
                let end = self.level.place.end;
                let skip = |reader: &mut ByteReader<'_>| frame.skip(reader);
                let add = |level: &mut Found, span| level.add_data(shape.is_streaming, span);
                match self.walk(inflated, end, left, skip, add) {
                    0 if self.at == end => {
                        if self.budget.charge(size_of::<Found>() as u64).is_err() {
                            return Some(Stage::Done);
                        }
                        self.found.push(std::mem::take(&mut self.level));
                        Stage::End
                    }
                    left if left > 0 && inflated.len() < end => {
                        self.stage = Stage::Objects { left };
                        return None;
                    }
                    _ => Stage::Done,
                }
            }
            Stage::End => {
                self.part(inflated, |reader| skip_end(reader, &shape))?;
                match self.levels_left.checked_sub(1) {
                    Some(left) => {
                        self.levels_left = left;
                        Stage::Contents
                    }
                    None => Stage::Done,
                }
            }
            Stage::Done => return None,
        })
    }

    /// An offset that is within the body and not before the current one.
    fn inside(&self, place: Option<Range<usize>>) -> Option<Range<usize>> {
        place.filter(|place| (self.at..=self.length).contains(&place.end))
    }

    /// Skips a part, if all of it is inflated.
    fn part<T>(
        &mut self,
        inflated: &[u8],
        read: impl FnOnce(&mut ByteReader<'_>) -> Result<T>,
    ) -> Option<T> {
        let rest = inflated.get(self.at..)?;
        if rest.len() < self.wanted {
            return None;
        }
        let mut reader = ByteReader::with_base(rest, self.at as u64, Space::Inflated);
        let Ok(read) = read(&mut reader) else {
            self.wanted = rest.len().saturating_mul(2);
            return None;
        };
        self.at += reader.position();
        self.wanted = 1;
        Some(read)
    }

    /// Skips as many elements as are inflated and accepted by `add`, at most the given number and up to `end`; returns
    /// how many are left.
    fn walk(
        &mut self,
        inflated: &[u8],
        end: usize,
        mut left: usize,
        skip: impl Fn(&mut ByteReader<'_>) -> Result<()>,
        add: impl Fn(&mut Found, Span) -> Option<()>,
    ) -> usize {
        let inside = inflated.get(self.at..end.min(inflated.len()));
        let inside = inside.unwrap_or_default();
        let mut reader = ByteReader::with_base(inside, self.at as u64, Space::Inflated);
        while left > 0 {
            let (start, position) = (reader.place().offset, reader.position());
            let span = skip(&mut reader).and_then(|()| Span::between(start, reader.place().offset));
            if span
                .ok()
                .and_then(|span| add(&mut self.level, span))
                .is_none()
            {
                reader.seek(position);
                break;
            }
            left -= 1;
        }
        self.at += reader.position();
        left
    }
}

/// The size and the count at the start of a blob: its range, and the count.
fn read_blob_start(
    reader: &mut ByteReader<'_>,
    shape: &Shape,
) -> Result<(Option<Range<usize>>, i32)> {
    let size = shape.read_size(reader)?;
    let start = usize::try_from(reader.place().offset).ok();
    let end = start.zip(usize::try_from(size).ok());
    let end = end.and_then(|(start, size)| start.checked_add(size));
    let place = start.zip(end).map(|(start, end)| start..end);
    Ok((place, reader.i32()?))
}

#[cfg(test)]
mod tests {
    use super::super::basic::{Bool32, Ref};
    use super::super::object::{
        Contents, Object, ObjectData, ObjectKind, OptionalVersions, VERSION_DATA_SINCE,
    };
    use super::super::scope::Scope;
    use super::super::version::VersionData;
    use super::*;
    use crate::report::Report;
    use crate::satisfactory::codec::buffer::Buffer;
    use crate::wire::record::Wire as _;

    fn object(save_version: i32, size: usize) -> Entry {
        let header = ObjectHeader {
            class: "Build_Wall_C".into(),
            reference: Ref::new("Level", &format!("Wall_{size}")),
            flags: (save_version >= 49).then_some(0),
            kind: ObjectKind::Component {
                outer: "Wall".into(),
            },
        };
        let data = ObjectData {
            save_version: (save_version >= 41).then_some(save_version),
            should_migrate: (save_version >= 41).then_some(Bool32(0)),
            contents: Contents::Raw(vec![7; size][..].into()),
            versions: (save_version >= VERSION_DATA_SINCE).then(OptionalVersions::default),
        };
        let data = Some(data);
        Entry::Loaded(Box::new(Object { header, data }))
    }

    fn level(name: &str) -> Level {
        Level {
            name: Some(name.into()),
            ..Level::default()
        }
    }

    /// Two levels and the persistent one, with some objects each.
    fn sample(save_version: i32) -> Vec<u8> {
        let mut body = Body::new(save_version);
        body.levels = ["One", "Two"].map(level).into();
        // All zero except for the lengths of its lists, which are zero too.
        let versions = || VersionData::read(&mut ByteReader::new(&[0; 34]), &Scope::default());
        body.versions = (save_version >= VERSION_DATA_SINCE).then(|| versions().unwrap().into());
        body.complete();
        for level in body.all_levels_mut() {
            level.objects = [5, 0, 300].map(|size| object(save_version, size)).into();
        }
        body.write().unwrap()
    }

    fn follow(bytes: &[u8], save_version: i32) -> Follower {
        let mut follower = Follower::new(save_version, bytes.len(), Arc::default());
        for end in (0..bytes.len()).step_by(7) {
            follower.follow(&bytes[..end]);
        }
        follower.follow(bytes);
        follower
    }

    /// The whole result of the read, including the report.
    fn read(bytes: &[u8], save_version: i32, follower: Follower) -> String {
        let mut report = Report::default();
        let body = Body::read(Buffer::from(bytes), save_version, follower, &mut report);
        let body = format!("{body:?}");
        // What was found ahead is charged to the budget as well; all else is the same.
        let (body, _) = body.rsplit_once(", budget: ").unwrap();
        format!("{body} {report:?}")
    }

    #[test]
    fn all_objects_of_a_sound_body_are_found() {
        for save_version in [29, 40, 46, 52, 60] {
            let bytes = sample(save_version);
            let found = follow(&bytes, save_version).into_found();
            let objects = found.iter().map(|level| level.count);
            assert_eq!(objects.collect::<Vec<_>>(), [3, 3, 3], "{save_version}");
            assert_eq!(found[2].entries.len(), 3);
        }
    }

    #[test]
    fn what_is_found_changes_nothing_whatever_is_damaged() {
        for save_version in [29, 46, 60] {
            let bytes = sample(save_version);
            for place in 0..bytes.len() {
                for bit in [0x01, 0x10, 0x80] {
                    let mut bytes = bytes.clone();
                    bytes[place] ^= bit;
                    let follower = follow(&bytes, save_version);
                    let alone = Follower::new(save_version, bytes.len(), Arc::default());
                    let with = read(&bytes, save_version, follower);
                    assert_eq!(with, read(&bytes, save_version, alone), "{place}");
                }
            }
        }
    }
}
