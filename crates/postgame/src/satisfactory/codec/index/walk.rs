//! The index pass: finds the offset of each object of a level in the body.
//!
//! Headers are skipped by the lengths of their strings, data by its size. These two walks are independent, and so are
//! the levels, so all of them run in parallel if there are threads.

use std::ops::Range;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::limits::Budget;
use crate::report::Report;
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::layout::{Shape, Sizes};
use crate::satisfactory::codec::model::entry::{Entry, Span};
use crate::satisfactory::codec::model::level::{Destroyed, Level, Stated};
use crate::satisfactory::codec::model::object::{Frame, ObjectHeader};
use crate::threads::both;
use crate::wire::bytes::ByteReader;

/// The part of a level that still has to be indexed.
#[derive(Debug, Default)]
pub(in crate::satisfactory::codec) struct Blobs<'a> {
    contents: Option<ByteReader<'a>>,
    data: Option<ByteReader<'a>>,
    /// Whether the data is not inflated.
    is_skipped: bool,
}

impl<'a> Blobs<'a> {
    pub fn new(contents: ByteReader<'a>, data: Option<ByteReader<'a>>) -> Self {
        Self {
            contents: Some(contents),
            data,
            is_skipped: false,
        }
    }

    /// The range of the data in the body.
    pub fn data_place(&self) -> Option<Range<usize>> {
        let data = self.data.as_ref()?;
        let start = usize::try_from(data.place().offset).ok()?;
        Some(start..start + data.left())
    }

    #[cfg(feature = "parallel")]
    fn contents_bytes(&self) -> usize {
        self.contents.as_ref().map_or(0, |contents| contents.left())
    }

    /// Skips the data, which is not inflated.
    pub fn skip_data(&mut self) {
        self.is_skipped = true;
    }
}

/// A header is at least as long as its flag and its three strings.
const MIN_HEADER_BYTES: usize = 16;

/// Tables of contents shorter than this are not worth a second thread.
const MIN_FOR_THREADS: usize = 64 << 10;

/// Neither are all of them together if they are shorter than this: waking a thread takes longer.
#[cfg(feature = "parallel")]
const MIN_IN_ALL: usize = 1 << 20;

/// Indexes levels, on all cores with the `parallel` feature.
pub(in crate::satisfactory::codec) fn index_levels(
    bytes: &Arc<Buffer>,
    levels: Vec<(&mut Level, Blobs<'_>, Shape)>,
    budget: &Arc<Budget>,
    report: &mut Report,
) {
    let new_scope = || {
        let scope = Scope::default();
        scope.read_from(bytes);
        scope.within(budget);
        scope
    };
    let index = |scope: &mut Scope, (level, blobs, shape): (&mut Level, Blobs<'_>, Shape)| {
        let mut report = Report::default();
        level.index(blobs, scope, &shape, budget, &mut report);
        report
    };
    #[cfg(feature = "parallel")]
    if levels
        .iter()
        .map(|(_, blobs, _)| blobs.contents_bytes())
        .sum::<usize>()
        >= MIN_IN_ALL
    {
        use rayon::prelude::*;
        // Most levels are small, so several of them form one piece of work.
        let levels = levels.into_par_iter().with_min_len(16);
        let reports: Vec<Report> = levels.map_init(new_scope, index).collect();
        reports
            .into_iter()
            .for_each(|findings| report.append(findings));
        return;
    }
    let mut scope = new_scope();
    for level in levels {
        report.append(index(&mut scope, level));
    }
}

/// The state of a walk.
struct Walked<T> {
    found: Vec<T>,
    /// The stated number of elements; `None` if the file ends before it.
    stated: Option<i32>,
    /// Why not all of them were found.
    broken: Option<Error>,
}

/// Walks a count-prefixed list, up to a maximum; `reader` stays after the last complete element.
fn walk<T>(
    reader: &mut ByteReader<'_>,
    most: usize,
    budget: &Budget,
    mut skip: impl FnMut(&mut ByteReader<'_>) -> Result<()>,
    mut make: impl FnMut(Span) -> T,
) -> Walked<T> {
    let (mut found, mut broken) = (Vec::new(), None);
    let stated = match reader.i32() {
        Ok(stated) => Some(stated),
        Err(error) => {
            broken = Some(error);
            None
        }
    };
    let count = stated.and_then(|stated| usize::try_from(stated).ok());
    let mut count = count.unwrap_or(0).min(most);
    let room = count.min(reader.left());
    match budget.charge((room * size_of::<T>()) as u64) {
        Ok(()) => found.reserve_exact(room),
        Err(error) => {
            broken = Some(error.at(reader.place()));
            count = 0;
        }
    }
    for _ in 0..count {
        let (start, position) = (reader.place().offset, reader.position());
        match skip(reader).and_then(|()| Span::between(start, reader.place().offset)) {
            Ok(span) => found.push(make(span)),
            Err(error) => {
                reader.seek(position);
                broken = Some(error);
                break;
            }
        }
    }
    Walked {
        found,
        stated,
        broken,
    }
}

fn walk_headers(contents: &mut ByteReader<'_>, has_flags: bool, budget: &Budget) -> Walked<Entry> {
    // One more than possible, so that a number that is too large is detected.
    let most = contents.left() / MIN_HEADER_BYTES + 1;
    let skip = |reader: &mut ByteReader<'_>| ObjectHeader::skip(reader, has_flags);
    walk(contents, most, budget, skip, Entry::undecoded)
}

fn walk_data(
    data: &mut ByteReader<'_>,
    most: usize,
    frame: Frame,
    budget: &Budget,
) -> Walked<Span> {
    walk(data, most, budget, |reader| frame.skip(reader), |span| span)
}

/// The offsets of a number of objects in data that must contain exactly those objects.
pub(in crate::satisfactory::codec) fn walk_whole_data(
    data: &mut ByteReader<'_>,
    count: usize,
    frame: Frame,
) -> Result<Vec<Span>> {
    // The memory was charged when the headers were found.
    let walked = walk_data(data, count, frame, &Budget::default());
    let read = walked.found.len();
    if let Some(error) = walked.broken {
        let place = data.place();
        return Err(Error::new(error.problem().clone()).at(place).in_index(read));
    }
    let stated = walked.stated.unwrap_or(0);
    if read != count || usize::try_from(stated) != Ok(count) {
        let message = format!("there are {count} headers, and the data of {stated} objects");
        return Err(data.invalid(message));
    }
    if !data.is_empty() {
        let message = format!("{} bytes follow the last object", data.left());
        return Err(data.invalid(message));
    }
    Ok(walked.found)
}

impl Level {
    pub(in crate::satisfactory::codec) fn named(&self, error: Error) -> Error {
        match &self.name {
            Some(name) => error.in_named(format!("levels[{name}]")),
            None => error.in_field("persistent"),
        }
    }

    /// Finds the objects in a level's blobs. Parts that break are reported and kept.
    fn index(
        &mut self,
        blobs: Blobs<'_>,
        scope: &Scope,
        shape: &Shape,
        budget: &Budget,
        report: &mut Report,
    ) {
        let Blobs {
            contents,
            data,
            is_skipped,
        } = blobs;
        let Some(mut contents) = contents else {
            return;
        };
        let (frame, has_flags) = shape.frame(self);
        let mut data_walked = None;
        let headers = match &data {
            Some(data) if contents.left() >= MIN_FOR_THREADS && !is_skipped => {
                let most = contents.left() / MIN_HEADER_BYTES;
                let mut reader = data.clone();
                let (headers, walked) = both(
                    || walk_headers(&mut contents, has_flags, budget),
                    || walk_data(&mut reader, most, frame, budget),
                );
                // A damaged file can have data without headers.
                if walked.found.len() <= headers.found.len() {
                    data_walked = Some((reader, walked));
                }
                headers
            }
            _ => walk_headers(&mut contents, has_flags, budget),
        };
        self.take_headers(headers, &mut contents, report);
        self.read_list(&mut contents, scope, shape);
        if let Some(mut data) = data.filter(|_| !is_skipped) {
            let walked = match data_walked {
                Some((reader, walked)) => {
                    data = reader;
                    walked
                }
                None => walk_data(&mut data, self.objects.len(), frame, budget),
            };
            self.take_data(walked, &mut data, shape, report);
        }
    }

    /// Reads headers whose end is not stated.
    pub(in crate::satisfactory::codec) fn read_headers(
        &mut self,
        contents: &mut ByteReader<'_>,
        shape: &Shape,
        budget: &Budget,
        report: &mut Report,
    ) {
        let (_, has_flags) = shape.frame(self);
        let headers = walk_headers(contents, has_flags, budget);
        self.take_headers(headers, contents, report);
    }

    fn take_headers(
        &mut self,
        headers: Walked<Entry>,
        contents: &mut ByteReader<'_>,
        report: &mut Report,
    ) {
        let Walked {
            found,
            stated,
            broken,
        } = headers;
        self.objects = found;
        if broken.is_some() {
            self.oddities.contents_rest = contents.rest().into();
            contents.seek(usize::MAX);
        }
        self.oddities.header_count = match stated {
            Some(stated) => Stated::of(stated, self.objects.len()),
            None => Stated::Absent,
        };
        // An empty table of contents belongs to an empty level.
        if let (Some(error), Some(_)) = (broken, stated) {
            let error = error.in_index(self.objects.len()).in_field("headers");
            report.lost("cut", &self.named(error));
        }
    }

    /// The list at the end of the table of contents, if there is one.
    fn read_list(&mut self, contents: &mut ByteReader<'_>, scope: &Scope, shape: &Shape) {
        if contents.is_empty() {
            return;
        }
        let mut list = contents.clone();
        if !shape.is_blueprint
            && let Ok(destroyed) = Destroyed::read(&mut list, scope, shape.by_level())
        {
            self.destroyed_in_contents = Some(destroyed);
            *contents = list;
        }
        self.oddities.contents_rest = contents.rest().into();
    }

    /// Reads data whose end is not stated.
    pub(in crate::satisfactory::codec) fn read_data(
        &mut self,
        data: &mut ByteReader<'_>,
        shape: &Shape,
        budget: &Budget,
        report: &mut Report,
    ) {
        let (frame, _) = shape.frame(self);
        let walked = walk_data(data, self.objects.len(), frame, budget);
        self.take_data(walked, data, shape, report);
    }

    fn take_data(
        &mut self,
        walked: Walked<Span>,
        data: &mut ByteReader<'_>,
        shape: &Shape,
        report: &mut Report,
    ) {
        let Walked {
            found,
            stated,
            broken,
        } = walked;
        let read = found.len();
        for (entry, span) in self.objects.iter_mut().zip(found) {
            entry.set_data(span);
        }
        let Some(stated) = stated else {
            if let Some(error) = broken {
                report.lost("cut", &self.named(error.in_field("data")));
            }
            self.oddities.data_count = Stated::Absent;
            self.oddities.data_rest = data.rest().into();
            data.seek(usize::MAX);
            return;
        };
        self.oddities.data_count = Stated::of(stated, read);
        if let Some(error) = &broken {
            let error = Error::new(error.problem().clone()).at(data.place());
            report.lost("cut", &self.named(error.in_index(read).in_field("data")));
        }
        let is_short = usize::try_from(stated).is_ok_and(|count| read < count);
        if broken.is_some() || is_short || shape.sizes != Sizes::None {
            self.oddities.data_rest = data.rest().into();
            data.seek(usize::MAX);
        }
    }
}
