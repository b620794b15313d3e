//! The names of a column chunk.

use std::collections::HashMap;

/// Names and their places.
#[derive(Default)]
pub(super) struct Dictionary {
    places: HashMap<Box<str>, u32>,
    /// The names one after the other, each with its length before it.
    pub plain: Vec<u8>,
}

impl Dictionary {
    /// The place of a name, which it gets when it is new.
    pub fn place(&mut self, name: &str) -> u32 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.places.len() as u32;
        self.places.insert(name.into(), place);
        super::column::plain(&mut self.plain, name.as_bytes());
        place
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The first and the last name in the order of their bytes.
    pub fn range(&self) -> Option<(&str, &str)> {
        let names = || self.places.keys().map(|name| &**name);
        Some((names().min()?, names().max()?))
    }

    /// The memory it takes: each name twice, and its place.
    pub fn memory_size(&self) -> usize {
        2 * self.plain.capacity() + 32 * self.places.len()
    }
}
