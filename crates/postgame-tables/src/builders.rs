//! Builders for columns of numbers and names.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    ArrowPrimitiveType, BooleanBufferBuilder, DictionaryArray, Int32Array, PrimitiveArray,
    StringArray,
};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::datatypes::Int32Type;

/// Builds a column of numbers. Arrow's own builder adds values one by one; here many are added at once, with validity
/// shared by several columns.
#[derive(Debug)]
pub struct NumberBuilder<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    /// Only created for the first row without a value.
    valid: Option<BooleanBufferBuilder>,
}

impl<T: ArrowPrimitiveType> Default for NumberBuilder<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            valid: None,
        }
    }
}

impl<T: ArrowPrimitiveType> NumberBuilder<T> {
    fn nulls(&mut self) -> &mut BooleanBufferBuilder {
        let length = self.values.len();
        self.valid.get_or_insert_with(|| {
            let mut valid = BooleanBufferBuilder::new(length.max(1024));
            valid.append_n(length, true);
            valid
        })
    }

    /// Reserves capacity for this many values.
    pub fn reserve(&mut self, count: usize) {
        if self.values.is_empty() {
            self.values.reserve_exact(count);
        }
    }

    /// Adds a value or null.
    #[inline]
    pub fn append_option(&mut self, value: Option<T::Native>) {
        match value {
            Some(value) => {
                if let Some(valid) = &mut self.valid {
                    valid.append(true);
                }
                self.values.push(value);
            }
            None => {
                self.nulls().append(false);
                self.values.push(T::Native::default());
            }
        }
    }

    /// Adds values.
    pub fn append_slice(&mut self, values: &[T::Native]) {
        if let Some(valid) = &mut self.valid {
            valid.append_n(values.len(), true);
        }
        self.values.extend_from_slice(values);
    }

    /// Adds a value several times.
    pub fn append_value_n(&mut self, value: T::Native, count: usize) {
        if let Some(valid) = &mut self.valid {
            valid.append_n(count, true);
        }
        self.values.resize(self.values.len() + count, value);
    }

    /// Adds null several times.
    pub fn append_nulls(&mut self, count: usize) {
        if count > 0 {
            self.nulls().append_n(count, false);
            let length = self.values.len() + count;
            self.values.resize(length, T::Native::default());
        }
    }

    /// Adds rows, some of which have a value: the values, and the validity of the rows.
    pub fn append_some(&mut self, values: &[T::Native], rows: &BooleanBuffer) {
        if values.is_empty() {
            return self.append_nulls(rows.len());
        }
        self.nulls().append_buffer(rows);
        let start = self.values.len();
        self.values.resize(start + rows.len(), T::Native::default());
        let new = self.values.get_mut(start..).unwrap_or_default();
        for (row, value) in rows.set_indices().zip(values) {
            if let Some(place) = new.get_mut(row) {
                *place = *value;
            }
        }
    }

    /// Returns the values so far, and empties the builder.
    pub fn finish(&mut self) -> PrimitiveArray<T> {
        let values = std::mem::take(&mut self.values);
        let valid = self.valid.take();
        let nulls = valid.map(|valid| NullBuffer::new(valid.build()));
        PrimitiveArray::new(values.into(), nulls)
    }
}

/// Number of names in the address cache.
const PLACES: usize = 256;

/// Builds a column of names. Most rows take theirs from the same address as an earlier row (a file's list of objects, a
/// constant), so a cache by address is tried before the dictionary: comparing a name is much cheaper than hashing it.
#[derive(Debug)]
pub struct NameBuilder {
    keys: NumberBuilder<Int32Type>,
    names: Vec<Box<str>>,
    numbers: HashMap<Box<str>, i32>,
    /// For a part of each address, the number of the last name there.
    places: [i32; PLACES],
}

impl Default for NameBuilder {
    fn default() -> Self {
        Self {
            keys: NumberBuilder::default(),
            names: Vec::new(),
            numbers: HashMap::new(),
            places: [0; PLACES],
        }
    }
}

impl NameBuilder {
    /// Reserves capacity for this many names.
    pub fn reserve(&mut self, count: usize) {
        self.keys.reserve(count);
    }

    /// Adds a name or null.
    pub fn append_option(&mut self, name: Option<&str>) {
        let number = name.map(|name| self.number(name));
        self.keys.append_option(number);
    }

    /// Adds the same name many times.
    pub fn append_many(&mut self, name: &str, count: usize) {
        let number = self.number(name);
        self.keys.append_value_n(number, count);
    }

    /// Adds rows, some of which have a name: by numbers, with the validity of the rows.
    pub fn append_some(&mut self, numbers: &[i32], rows: &BooleanBuffer) {
        self.keys.append_some(numbers, rows);
    }

    /// Adds names by their numbers.
    pub fn append_numbers(&mut self, numbers: &[i32]) {
        self.keys.append_slice(numbers);
    }

    /// The number of a name, which stays the same until the builder is emptied.
    pub fn number(&mut self, name: &str) -> i32 {
        // Allocations are 16 bytes apart; constants may be closer, but differ in length.
        let address = name.as_ptr().addr();
        let place = ((address >> 4) ^ (address >> 12) ^ name.len()) % PLACES;
        // Another name may be there by now, so it is compared.
        let remembered = self.places[place];
        let known = self.names.get(remembered as usize);
        if known.is_some_and(|known| &**known == name) {
            return remembered;
        }
        let number = self.numbers.get(name).copied().unwrap_or_else(|| {
            // A batch has fewer rows than this type has values.
            let number = self.names.len() as i32;
            self.names.push(name.into());
            self.numbers.insert(name.into(), number);
            number
        });
        self.places[place] = number;
        number
    }

    /// Returns the names so far, and empties the builder.
    pub fn finish(&mut self) -> DictionaryArray<Int32Type> {
        let keys: Int32Array = self.keys.finish();
        let names = StringArray::from_iter_values(self.names.drain(..));
        self.numbers.clear();
        // Every key is a valid number of a name.
        DictionaryArray::new(keys, Arc::new(names))
    }
}
