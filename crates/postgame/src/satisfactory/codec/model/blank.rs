//! Objects of a damaged body: those whose data is lost keep their header and get empty data.

use std::ops::Range;

use super::basic::{Bool32, Ref};
use super::body::Body;
use super::level::{Entry, Level};
use super::object::{
    Contents, Fields, Object, ObjectData, ObjectHeader, OptionalVersions, VERSION_DATA_SINCE,
};
use crate::satisfactory::codec::layout::Shape;

/// Number of objects that a damaged body lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blanked {
    /// Objects whose header is lost.
    pub without_header: usize,
    /// Objects that keep their header, but whose data is lost.
    pub without_data: usize,
}

impl Body {
    /// Drops objects whose header is damaged, and blanks data that is damaged, missing or unreadable. `damage` lists
    /// the lost parts of the inflated body.
    pub(crate) fn blank_unreadable(&mut self, damage: &[Range<usize>]) -> Blanked {
        let mut blanked = Blanked::default();
        for level in self.all_levels_mut() {
            let before = level.objects.len();
            level.drop_damaged_headers(damage);
            level.forget_damaged_data(damage);
            blanked.without_header += before - level.objects.len();
        }
        let mut blanks = Vec::new();
        let decoder = self.decoder();
        for (number, level) in self.all_levels().enumerate() {
            let form = self.form(level);
            let shape = self.shape(level.name.is_some());
            for (index, entry) in level.objects.iter().enumerate() {
                let is_readable = decoder.object(form, entry).is_ok_and(|(object, error)| {
                    let fields = object.data.as_ref().and_then(ObjectData::fields);
                    error.is_none() && fields.is_some()
                });
                if !is_readable {
                    let header = decoder.header(form, entry).ok();
                    let blank = header.map(|header| blank(header.into_owned(), &shape, level));
                    blanks.push((number, index, blank));
                }
            }
        }
        let mut levels: Vec<&mut Level> = self.all_levels_mut().collect();
        // From the back, so that dropping an object does not move the others.
        for (number, index, blank) in blanks.into_iter().rev() {
            let Some(level) = levels.get_mut(number) else {
                continue;
            };
            match (blank, level.objects.get_mut(index)) {
                (Some(object), Some(entry)) => {
                    *entry = Entry::Loaded(Box::new(object));
                    blanked.without_data += 1;
                }
                _ => {
                    level.objects.remove(index);
                    blanked.without_header += 1;
                }
            }
        }
        blanked
    }
}

impl Level {
    /// If a header is lost, the start of the next one is unknown.
    fn drop_damaged_headers(&mut self, damage: &[Range<usize>]) {
        let place = |entry: &Entry| match entry {
            Entry::Packed { header, .. } | Entry::Listed { header, .. } => {
                let start = usize::try_from(header.offset).unwrap_or(usize::MAX);
                Some(start..start.saturating_add(header.length as usize))
            }
            Entry::Loaded(_) => None,
        };
        if let Some(damaged) = first_damaged(&self.objects, damage, place) {
            self.objects.truncate(damaged);
        }
    }

    /// The same for data.
    fn forget_damaged_data(&mut self, damage: &[Range<usize>]) {
        let place = |entry: &Entry| match entry {
            Entry::Packed { data, .. } if data.length > 0 => {
                let start = usize::try_from(data.offset).unwrap_or(usize::MAX);
                Some(start..start.saturating_add(data.length as usize))
            }
            _ => None,
        };
        if let Some(damaged) = first_damaged(&self.objects, damage, place) {
            for entry in self.objects.iter_mut().skip(damaged) {
                entry.set_data(Default::default());
            }
        }
    }
}

/// The first of consecutive entries that overlaps with damage.
fn first_damaged(
    entries: &[Entry],
    damage: &[Range<usize>],
    place: impl Fn(&Entry) -> Option<Range<usize>>,
) -> Option<usize> {
    let first = entries.iter().find_map(&place)?;
    let is_after = |damaged: &&Range<usize>| damaged.end > first.start && !damaged.is_empty();
    let start = damage
        .iter()
        .filter(is_after)
        .map(|damaged| damaged.start)
        .min()?;
    entries
        .iter()
        .position(|entry| place(entry).is_some_and(|place| place.end > start))
}

/// An object without an owner, components or properties.
fn blank(header: ObjectHeader, shape: &Shape, level: &Level) -> Object {
    let (frame, _) = shape.frame(level);
    let save_version = frame.has_version.then_some(frame.versions.save);
    let has_versions = save_version.is_some_and(|version| version >= VERSION_DATA_SINCE);
    let is_actor = header.is_actor();
    let fields = Fields {
        owner: is_actor.then(Ref::default),
        components: is_actor.then(Vec::new),
        ..Fields::default()
    };
    let data = ObjectData {
        save_version,
        should_migrate: frame.has_version.then_some(Bool32(0)),
        contents: Contents::Known(fields),
        versions: (frame.has_versions && has_versions).then(OptionalVersions::default),
    };
    Object {
        header,
        data: Some(data),
    }
}
