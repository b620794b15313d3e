//! The context of reading or writing a value: the current versions, the strings seen, the nesting depth.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::limits::{self, Budget, Charge};
use crate::satisfactory::codec::compression::buffer::Buffer;
use crate::satisfactory::codec::decode::habits::{Class, Habits};
use crate::satisfactory::codec::decode::names::{Names, Seed};
use crate::satisfactory::codec::model::basic::LevelName;
use crate::satisfactory::codec::model::stored::{Source, Stored};
use crate::satisfactory::codec::model::strings::Str;
use crate::satisfactory::codec::model::types::Type;

/// The versions a value was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The game's save version: that of the object if it has its own.
    pub save: i32,
    /// Unreal's package file version.
    pub unreal: i32,
}

impl Versions {
    /// Unreal's version if a file does not state it.
    pub const UNREAL_UNSAID: i32 = 1000;

    /// True if vectors are double precision.
    #[inline]
    pub fn has_doubles(self) -> bool {
        self.save >= 41
    }

    /// True if property lists of objects start with an extra byte.
    #[inline]
    pub fn has_list_control(self) -> bool {
        self.unreal >= 1011
    }

    /// True if property tags have complete type names.
    #[inline]
    pub fn has_type_trees(self) -> bool {
        self.unreal >= 1012
    }
}

impl Default for Versions {
    fn default() -> Self {
        Self {
            save: 52,
            unreal: Self::UNREAL_UNSAID,
        }
    }
}

/// Number of recent levels: an object refers to its own level and the persistent one; a few others may come between.
const MAX_LEVELS: usize = 4;

/// The context of reading and writing.
#[derive(Debug, Default)]
pub struct Scope {
    versions: Cell<Versions>,
    /// The body that is being read, which contains nearly everything.
    body: OnceCell<Source>,
    /// Data that was inflated later, if that is being read.
    data: RefCell<Option<Source>>,
    names: RefCell<Names>,
    /// The most recent levels in references, as stored, the latest first.
    levels: RefCell<Vec<(Box<[u8]>, LevelName)>>,
    types: RefCell<HashMap<[usize; 3], Type, Seed>>,
    trees: RefCell<HashMap<Box<[u8]>, Type, Seed>>,
    /// Predictions of the next tag.
    pub(in crate::satisfactory::codec) habits: RefCell<Habits>,
    depth: Cell<usize>,
    lightweight: Cell<i32>,
    /// The budget that decoding charges; none for values that a caller creates.
    budget: OnceCell<Arc<Budget>>,
    /// Memory of the current object, in bytes.
    spent: Cell<u64>,
    /// Memory of everything remembered across objects, in bytes.
    remembered: Cell<u64>,
}

/// Memory of a name that is seen for the first time: its slot in a table, and the string.
const NAME_BYTES: u64 = 128;

impl Charge for Scope {
    /// Charges memory to the current object; that of the previous object is released.
    #[inline]
    fn charge(&self, bytes: usize) -> Result<()> {
        let spent = self.spent.get().saturating_add(bytes as u64);
        self.spent.set(spent);
        match self.budget.get() {
            Some(budget) if spent + self.remembered.get() > budget.left() => {
                Err(budget.refuse(budget.used() + spent + self.remembered.get()))
            }
            _ => Ok(()),
        }
    }
}

impl Scope {
    /// A context with these versions.
    pub fn new(versions: Versions) -> Self {
        let scope = Self::default();
        scope.enter(versions);
        scope
    }

    /// The current versions.
    #[inline]
    pub fn versions(&self) -> Versions {
        self.versions.get()
    }

    /// Sets the versions for the next object.
    pub fn enter(&self, versions: Versions) {
        self.versions.set(versions);
        self.depth.set(0);
    }

    /// Resets the count of the current object's memory.
    pub(in crate::satisfactory::codec) fn begin_object(&self) {
        self.spent.set(0);
    }

    /// Charges everything that is decoded from now on to a budget.
    pub(in crate::satisfactory::codec) fn within(&self, budget: &Arc<Budget>) {
        self.budget.get_or_init(|| Arc::clone(budget));
    }

    /// The budget that decoding charges; without a limit if none was set.
    pub(in crate::satisfactory::codec) fn budget(&self) -> &Budget {
        self.budget.get_or_init(Arc::default)
    }

    /// Memory of the object that was decoded last, in bytes.
    pub(in crate::satisfactory::codec) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Counts memory that is remembered across objects.
    #[cold]
    fn remember(&self, bytes: usize) {
        let more = NAME_BYTES + bytes as u64;
        self.remembered
            .set(self.remembered.get().saturating_add(more));
    }

    /// The version of the current list of lightweight buildings.
    pub(in crate::satisfactory::codec) fn lightweight(&self) -> i32 {
        self.lightweight.get()
    }

    pub(in crate::satisfactory::codec) fn enter_lightweight(&self, version: i32) {
        self.lightweight.set(version);
    }

    /// From now on, strings and bytes that are read from this body stay in it.
    pub(in crate::satisfactory::codec) fn read_from(&self, body: &Arc<Buffer>) {
        if self.body.get_or_init(|| Source::new(body)).is(body) {
            return;
        }
        let mut data = self.data.borrow_mut();
        if data.as_ref().is_none_or(|data| !data.is(body)) {
            *data = Some(Source::new(body));
        }
    }

    /// Bytes of the data being read, left in place.
    #[inline(always)]
    fn stored(&self, bytes: &[u8]) -> Option<Stored> {
        let found = self.body.get().and_then(|body| body.find(bytes));
        found.or_else(|| self.stored_in_data(bytes))
    }

    #[cold]
    fn stored_in_data(&self, bytes: &[u8]) -> Option<Stored> {
        let data = self.data.borrow();
        data.as_ref().and_then(|data| data.find(bytes))
    }

    /// A string of the data being read, left in place.
    #[inline]
    pub(in crate::satisfactory::codec) fn string(&self, encoded: &[u8]) -> Str {
        Str::stored(encoded, |encoded| self.stored(encoded)).unwrap_or_else(|| self.copy(encoded))
    }

    #[cold]
    fn copy(&self, encoded: &[u8]) -> Str {
        let mut names = self.names.borrow_mut();
        names.intern(encoded, |encoded| {
            self.remember(encoded.len());
            Str::from_encoded(encoded)
        })
    }

    /// Bytes of the data being read, left in place.
    pub(in crate::satisfactory::codec) fn bytes(&self, bytes: &[u8]) -> Stored {
        self.stored(bytes).unwrap_or_else(|| bytes.into())
    }

    /// The level of a reference: usually none, or a recent one.
    #[inline]
    pub(in crate::satisfactory::codec) fn level(&self, encoded: &[u8]) -> LevelName {
        if encoded == [0; 4] {
            return LevelName::default();
        }
        let mut levels = self.levels.borrow_mut();
        match levels.first() {
            Some((stored, level)) if **stored == *encoded => level.clone(),
            _ => self.other_level(&mut levels, encoded),
        }
    }

    /// A level that was not the latest one, and becomes it.
    fn other_level(&self, levels: &mut Vec<(Box<[u8]>, LevelName)>, encoded: &[u8]) -> LevelName {
        match levels.iter().position(|(stored, _)| **stored == *encoded) {
            Some(place) => levels.swap(0, place),
            None => {
                levels.truncate(MAX_LEVELS - 1);
                let level = LevelName::from(self.string(encoded));
                levels.insert(0, (encoded.into(), level));
            }
        }
        levels
            .first()
            .map_or_else(LevelName::default, |(_, level)| level.clone())
    }

    /// The interned copy of a string.
    #[inline]
    pub(in crate::satisfactory::codec) fn intern(&self, encoded: &[u8]) -> Str {
        self.names.borrow_mut().intern(encoded, |encoded| {
            self.remember(encoded.len());
            Str::stored(encoded, |encoded| self.stored(encoded))
                .unwrap_or_else(|| Str::from_encoded(encoded))
        })
    }

    /// A class by its stored name: the interned name, and everything known about the class.
    #[inline]
    pub(in crate::satisfactory::codec) fn class(&self, name: &[u8]) -> (Str, Class) {
        let mut habits = self.habits.borrow_mut();
        let lately = habits.class_met_lately(name);
        lately.unwrap_or_else(|| habits.class(name, |name| self.intern(name)))
    }

    /// Runs `read` one nesting level deeper; too deep is an error instead of a stack overflow.
    #[inline]
    pub fn deeper<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        let depth = self.depth.get();
        if depth >= limits::NESTING {
            return Err(Error::too_large(
                "a nesting",
                depth as u64 + 1,
                limits::NESTING as u64,
            ));
        }
        self.depth.set(depth + 1);
        let result = read();
        self.depth.set(depth);
        result
    }

    /// The interned copy of a type that is named by up to three strings of this scope.
    pub(in crate::satisfactory::codec) fn plain_type(
        &self,
        name: &Str,
        first: Option<&Str>,
        second: Option<&Str>,
    ) -> Type {
        let address = |string: Option<&Str>| string.map_or(0, Str::address);
        let key = [name.address(), address(first), address(second)];
        let mut types = self.types.borrow_mut();
        let ty = types.entry(key).or_insert_with(|| {
            self.remember(0);
            let parameters = first.into_iter().chain(second);
            let parameters = parameters.map(|name| Type::new(name.clone(), Vec::new()));
            Type::new(name.clone(), parameters.collect())
        });
        ty.clone()
    }

    /// The interned copy of a type that is stored as a tree.
    pub(in crate::satisfactory::codec) fn tree_type(
        &self,
        encoded: &[u8],
        make: impl FnOnce() -> Result<Type>,
    ) -> Result<Type> {
        if let Some(found) = self.trees.borrow().get(encoded) {
            return Ok(found.clone());
        }
        let made = make()?;
        self.remember(encoded.len());
        self.trees.borrow_mut().insert(encoded.into(), made.clone());
        Ok(made)
    }
}
