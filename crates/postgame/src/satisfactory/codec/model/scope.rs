//! What must be known to read or write a value: the versions in force, the strings seen, how deep it is nested.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::basic::LevelName;
use super::habits::{Class, Habits};
use super::names::{Names, Seed};
use super::stored::{Source, Stored};
use super::strings::Str;
use super::types::Type;
use crate::error::{Error, Result};
use crate::limits;
use crate::satisfactory::codec::buffer::Buffer;

/// The versions a value was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The game's save version, of the object where it has one of its own.
    pub save: i32,
    /// Unreal's package file version.
    pub unreal: i32,
}

impl Versions {
    /// Unreal's version where a file says none.
    pub const UNREAL_UNSAID: i32 = 1000;

    /// Vectors are doubles.
    #[inline]
    pub fn has_doubles(self) -> bool {
        self.save >= 41
    }

    /// Property lists of objects begin with a byte of their own.
    #[inline]
    pub fn has_list_control(self) -> bool {
        self.unreal >= 1011
    }

    /// Property tags carry complete type names.
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

/// An object refers to objects of its own level and of the persistent one; a few others may come between.
const MOST_LEVELS: usize = 4;

/// The context of reading and writing.
#[derive(Debug, Default)]
pub struct Scope {
    versions: Cell<Versions>,
    /// The body that is being read: nearly everything is in it.
    body: OnceCell<Source>,
    /// Data that was inflated later, if that is what is being read.
    data: RefCell<Option<Source>>,
    names: RefCell<Names>,
    /// The levels that were referred to last, as stored, the latest first.
    levels: RefCell<Vec<(Box<[u8]>, LevelName)>>,
    types: RefCell<HashMap<[usize; 3], Type, Seed>>,
    trees: RefCell<HashMap<Box<[u8]>, Type, Seed>>,
    /// What usually follows what.
    pub(super) habits: RefCell<Habits>,
    depth: Cell<usize>,
    lightweight: Cell<i32>,
}

impl Scope {
    /// A context with these versions in force.
    pub fn new(versions: Versions) -> Self {
        let scope = Self::default();
        scope.enter(versions);
        scope
    }

    /// The versions in force.
    #[inline]
    pub fn versions(&self) -> Versions {
        self.versions.get()
    }

    /// Puts other versions in force, for the next object.
    pub fn enter(&self, versions: Versions) {
        self.versions.set(versions);
        self.depth.set(0);
    }

    /// The version of the list of lightweight buildings that is being read or written.
    pub(super) fn lightweight(&self) -> i32 {
        self.lightweight.get()
    }

    pub(super) fn enter_lightweight(&self, version: i32) {
        self.lightweight.set(version);
    }

    /// Has strings and bytes that are read from this body stay in it from now on.
    pub(super) fn read_from(&self, body: &Arc<Buffer>) {
        if self.body.get_or_init(|| Source::new(body)).is(body) {
            return;
        }
        let mut data = self.data.borrow_mut();
        if data.as_ref().is_none_or(|data| !data.is(body)) {
            *data = Some(Source::new(body));
        }
    }

    /// Bytes of what is being read, which stay where they are.
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

    /// A string as it stands in what is being read.
    #[inline]
    pub(super) fn string(&self, encoded: &[u8]) -> Str {
        Str::stored(encoded, |encoded| self.stored(encoded)).unwrap_or_else(|| self.copy(encoded))
    }

    #[cold]
    fn copy(&self, encoded: &[u8]) -> Str {
        let mut names = self.names.borrow_mut();
        names.intern(encoded, Str::from_encoded)
    }

    /// Bytes as they stand in what is being read.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Stored {
        self.stored(bytes).unwrap_or_else(|| bytes.into())
    }

    /// The level in a reference: none, or one of the latest, mostly.
    #[inline]
    pub(super) fn level(&self, encoded: &[u8]) -> LevelName {
        if encoded == [0; 4] {
            return LevelName::default();
        }
        let mut levels = self.levels.borrow_mut();
        match levels.first() {
            Some((stored, level)) if **stored == *encoded => level.clone(),
            _ => self.other_level(&mut levels, encoded),
        }
    }

    /// A level that is not the latest one, but is from now on.
    fn other_level(&self, levels: &mut Vec<(Box<[u8]>, LevelName)>, encoded: &[u8]) -> LevelName {
        match levels.iter().position(|(stored, _)| **stored == *encoded) {
            Some(place) => levels.swap(0, place),
            None => {
                levels.truncate(MOST_LEVELS - 1);
                let level = LevelName::from(self.string(encoded));
                levels.insert(0, (encoded.into(), level));
            }
        }
        levels
            .first()
            .map_or_else(LevelName::default, |(_, level)| level.clone())
    }

    /// The one copy of a string.
    #[inline]
    pub(super) fn intern(&self, encoded: &[u8]) -> Str {
        self.names.borrow_mut().intern(encoded, |encoded| {
            Str::stored(encoded, |encoded| self.stored(encoded))
                .unwrap_or_else(|| Str::from_encoded(encoded))
        })
    }

    /// A class, by its name as stored: the one copy of it, and what is known of the class.
    #[inline]
    pub(super) fn class(&self, name: &[u8]) -> (Str, Class) {
        let mut habits = self.habits.borrow_mut();
        let lately = habits.class_met_lately(name);
        lately.unwrap_or_else(|| habits.class(name, |name| self.intern(name)))
    }

    /// Goes one level deeper for the time of `read`; too deep is an error, not a stack overflow.
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

    /// The one copy of a type that is named by up to three strings of this scope.
    pub(super) fn plain_type(&self, name: &Str, first: Option<&Str>, second: Option<&Str>) -> Type {
        let address = |string: Option<&Str>| string.map_or(0, Str::address);
        let key = [name.address(), address(first), address(second)];
        let mut types = self.types.borrow_mut();
        let ty = types.entry(key).or_insert_with(|| {
            let parameters = first.into_iter().chain(second);
            let parameters = parameters.map(|name| Type::new(name.clone(), Vec::new()));
            Type::new(name.clone(), parameters.collect())
        });
        ty.clone()
    }

    /// The one copy of a type that is stored as a tree.
    pub(super) fn tree_type(
        &self,
        encoded: &[u8],
        make: impl FnOnce() -> Result<Type>,
    ) -> Result<Type> {
        if let Some(found) = self.trees.borrow().get(encoded) {
            return Ok(found.clone());
        }
        let made = make()?;
        self.trees.borrow_mut().insert(encoded.into(), made.clone());
        Ok(made)
    }
}
