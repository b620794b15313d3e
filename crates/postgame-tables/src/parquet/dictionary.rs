//! The dictionary of a column chunk.

use std::collections::HashMap;

/// Names and their indices.
#[derive(Default)]
pub(super) struct Dictionary {
    places: HashMap<Box<str>, u32>,
    /// The names, each preceded by its length.
    pub plain: Vec<u8>,
}

impl Dictionary {
    /// The index of a name, which is added if it is new.
    pub fn place(&mut self, name: &str) -> u32 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.places.len() as u32;
        self.places.insert(name.into(), place);
        super::column::plain(&mut self.plain, name.as_bytes());
        place
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The first and the last name in byte order.
    pub fn range(&self) -> Option<(&str, &str)> {
        let names = || self.places.keys().map(|name| &**name);
        Some((names().min()?, names().max()?))
    }

    /// Memory use: each name twice, and its index.
    pub fn memory_size(&self) -> usize {
        2 * self.plain.capacity() + 32 * self.places.len()
    }
}
