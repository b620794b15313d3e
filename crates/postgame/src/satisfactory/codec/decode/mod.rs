//! Decodes objects, one by one or all at once.
//!
//! - [`scope`]: what is known while a body is read: versions, interned strings, types
//! - `tag`: the fields before a property's value; `habits`: which tag usually follows which
//! - `names`: interned strings

pub(in crate::satisfactory::codec) mod habits;
pub(in crate::satisfactory::codec) mod names;
pub mod scope;
pub(in crate::satisfactory::codec) mod tag;

use std::borrow::Cow;
#[cfg(feature = "parallel")]
use std::collections::VecDeque;

use crate::error::{Error, Result};
use crate::satisfactory::codec::decode::habits::Class;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::codec::layout::Shape;
use crate::satisfactory::codec::model::body::Body;
use crate::satisfactory::codec::model::entry::Store;
use crate::satisfactory::codec::model::level::{Entry, Level, Span};
use crate::satisfactory::codec::model::object::{Frame, Object, ObjectHeader};
#[cfg(feature = "parallel")]
use crate::threads::{Share, has_threads, on_all};
use crate::wire::bytes::ByteWriter;

/// Decodes objects of a body. All decoded objects share its strings.
#[derive(Debug)]
pub struct Decoder<'a> {
    store: Store<'a>,
    scope: Scope,
}

/// The layout of the objects of one level.
#[derive(Clone, Copy, Debug)]
pub struct LevelForm {
    frame: Frame,
    has_flags: bool,
}

impl Body {
    /// A decoder for this body's objects.
    pub fn decoder(&self) -> Decoder<'_> {
        Decoder::new(self.store())
    }

    /// The layout of the objects of a level of this body.
    pub fn form(&self, level: &Level) -> LevelForm {
        LevelForm::new(&self.shape(level.name.is_some()), level)
    }

    /// Calls `visit` with every object, decoded one at a time; `Some` is the reason why an object's contents are raw.
    ///
    /// # Errors
    /// The first error of `visit`. If only the index was read, also the error of skipped data that is damaged.
    pub fn visit<'a>(
        &'a self,
        mut visit: impl FnMut(&'a Level, Cow<'a, Object>, Option<Error>) -> Result<()>,
    ) -> Result<()> {
        let decoder = self.decoder();
        for level in self.all_levels() {
            let form = self.form(level);
            for entry in &level.objects {
                let (object, error) = decoder.object(form, entry)?;
                visit(level, object, error)?;
            }
        }
        Ok(())
    }
}

impl Body {
    /// Calls `visit` with every object that can be read, decoded one at a time.
    pub(crate) fn visit_sound(&self, mut visit: impl FnMut(Cow<'_, Object>, Option<Error>)) {
        let decoder = self.decoder();
        for level in self.all_levels() {
            let form = self.form(level);
            let objects = level.objects.iter();
            for (object, error) in objects.filter_map(|entry| decoder.object(form, entry).ok()) {
                visit(object, error);
            }
        }
    }
}

impl LevelForm {
    pub(in crate::satisfactory::codec) fn new(shape: &Shape, level: &Level) -> Self {
        let (frame, has_flags) = shape.frame(level);
        Self { frame, has_flags }
    }

    /// Writes an object's data with the fields around it.
    pub(in crate::satisfactory::codec) fn write_data(
        self,
        object: &Object,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
        match &object.data {
            Some(data) => self.frame.write(data, writer, scope),
            None => Ok(()),
        }
    }
}

impl<'a> Decoder<'a> {
    pub(in crate::satisfactory::codec) fn new(store: Store<'a>) -> Self {
        let scope = Scope::default();
        scope.read_from(store.bytes);
        scope.within(store.budget);
        Self { store, scope }
    }

    pub(in crate::satisfactory::codec) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The header of an object.
    ///
    /// # Errors
    /// When the entry belongs to another body.
    pub fn header<'e>(&self, form: LevelForm, entry: &'e Entry) -> Result<Cow<'e, ObjectHeader>> {
        match entry {
            Entry::Loaded(object) => Ok(Cow::Borrowed(&object.header)),
            Entry::Packed { header, .. } | Entry::Listed { header, .. } => {
                let (header, _) = self.read_header(form, *header)?;
                Ok(Cow::Owned(header))
            }
        }
    }

    /// An object, and the reason why its contents are raw, if they are.
    ///
    /// # Errors
    /// When the entry belongs to another body. If only the index was read: when the data of the object's level is
    /// damaged, with the place in the file.
    pub fn object<'e>(
        &self,
        form: LevelForm,
        entry: &'e Entry,
    ) -> Result<(Cow<'e, Object>, Option<Error>)> {
        match entry {
            Entry::Loaded(object) => Ok((Cow::Borrowed(object), None)),
            Entry::Packed { .. } | Entry::Listed { .. } => {
                let (object, error) = self.read(form, entry)?;
                Ok((Cow::Owned(*object), error))
            }
        }
    }

    fn read_header(&self, form: LevelForm, header: Span) -> Result<(ObjectHeader, Class)> {
        let mut reader = header.reader(self.store.bytes);
        ObjectHeader::read(&mut reader, &self.scope, form.has_flags)
    }

    fn read(&self, form: LevelForm, entry: &Entry) -> Result<(Box<Object>, Option<Error>)> {
        self.scope.begin_object();
        let (header, mut data) = match *entry {
            Entry::Packed { header, data } => (header, data.reader(self.store.bytes)),
            Entry::Listed {
                header,
                blob,
                number,
            } => {
                let (data, bytes) = self.store.listed(blob, number)?;
                self.scope.read_from(bytes);
                (header, data)
            }
            Entry::Loaded(ref object) => return Ok((object.clone(), None)),
        };
        let header = self.read_header(form, header)?;
        if data.is_empty() {
            let (header, _) = header;
            return Ok((Box::new(Object { header, data: None }), None));
        }
        form.frame.read(&mut data, &self.scope, header)
    }

    fn load(&self, form: LevelForm, entry: &mut Entry) -> Result<()> {
        if !matches!(entry, Entry::Loaded(_)) {
            let (object, _) = self.read(form, entry)?;
            self.store
                .budget
                .charge(self.scope.spent() + size_of::<Object>() as u64)?;
            *entry = Entry::Loaded(object);
        }
        Ok(())
    }

    /// Length of the data of an undecoded entry.
    #[cfg(feature = "parallel")]
    fn data_bytes(store: Store<'_>, entry: &Entry) -> u64 {
        match *entry {
            Entry::Packed { data, .. } => data.length.into(),
            Entry::Listed { blob, number, .. } => store
                .listed(blob, number)
                .map_or(0, |(data, _)| data.left() as u64),
            Entry::Loaded(_) => 0,
        }
    }
}

/// Decodes all objects of some levels, on all cores with the `parallel` feature. `besides` runs at the same time.
pub(in crate::satisfactory::codec) fn decode_levels<'l>(
    store: Store<'_>,
    levels: impl Iterator<Item = (&'l mut Level, Shape)>,
    besides: impl FnOnce() + Send,
) -> Result<()> {
    #[cfg(feature = "parallel")]
    if has_threads() {
        return decode_on_all_cores(store, levels, besides);
    }
    besides();
    let decoder = Decoder::new(store);
    for (level, shape) in levels {
        let form = LevelForm::new(&shape, level);
        level
            .objects
            .iter_mut()
            .try_for_each(|entry| decoder.load(form, entry))?;
    }
    Ok(())
}

#[cfg(feature = "parallel")]
fn decode_on_all_cores<'l>(
    store: Store<'_>,
    levels: impl Iterator<Item = (&'l mut Level, Shape)>,
    besides: impl FnOnce() + Send,
) -> Result<()> {
    use std::sync::Mutex;

    let mut pieces = VecDeque::new();
    for (level, shape) in levels {
        let form = LevelForm::new(&shape, level);
        cut_by_size(store, form, &mut level.objects, &mut pieces);
    }
    let pieces = Mutex::new(pieces);
    // Neighbouring objects are similar, and each worker learns on its own, so half of the workers start from the other
    // end.
    let next = |from_back: bool| {
        let mut pieces = pieces.lock().ok()?;
        if from_back {
            pieces.pop_back()
        } else {
            pieces.pop_front()
        }
    };
    let (besides, failed) = (Mutex::new(Some(besides)), Mutex::new(None));
    let work = |share: &Share<'_>| {
        let besides = besides.lock().ok().and_then(|mut besides| besides.take());
        if let Some(besides) = besides {
            besides();
        }
        let decoder = Decoder::new(store);
        while let Some(piece) = next(share.number % 2 == 1) {
            let (form, entries) = piece;
            let result = entries
                .iter_mut()
                .try_for_each(|entry| decoder.load(form, entry));
            if let (Err(error), Ok(mut failed)) = (result, failed.lock()) {
                failed.get_or_insert(error);
            }
            share.between_pieces();
        }
    };
    on_all(work);
    match failed.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(()),
    }
}

/// A range of a level's objects that one worker decodes.
#[cfg(feature = "parallel")]
type Piece<'l> = (LevelForm, &'l mut [Entry]);

/// Divides the objects of a level into ranges of about equal size in bytes. Ranges with a huge object come first, so
/// that no worker has to wait for it at the end.
#[cfg(feature = "parallel")]
fn cut_by_size<'l>(
    store: Store<'_>,
    form: LevelForm,
    entries: &'l mut [Entry],
    pieces: &mut VecDeque<Piece<'l>>,
) {
    /// Small enough that all workers finish at about the same time.
    const PIECE_BYTES: u64 = 16 << 10;
    let mut rest = entries;
    while !rest.is_empty() {
        let (mut count, mut size) = (0, 0);
        for entry in rest.iter() {
            size += Decoder::data_bytes(store, entry);
            count += 1;
            if size >= PIECE_BYTES {
                break;
            }
        }
        let (piece, after) = rest.split_at_mut(count);
        rest = after;
        if size >= 2 * PIECE_BYTES {
            pieces.push_front((form, piece));
        } else {
            pieces.push_back((form, piece));
        }
    }
}
