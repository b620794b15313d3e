//! What collects the values of numbers and names.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    ArrowPrimitiveType, BooleanBufferBuilder, DictionaryArray, Int32Array, PrimitiveArray,
    StringArray,
};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::datatypes::Int32Type;

/// Collects numbers. Arrow's own does it value by value; here many come at once, and which rows have one is told for
/// several columns together.
#[derive(Debug)]
pub struct NumberBuilder<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    /// Only once there is a row without a value.
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

    /// Makes room for so many values, once.
    pub fn reserve(&mut self, count: usize) {
        if self.values.is_empty() {
            self.values.reserve_exact(count);
        }
    }

    /// Adds a value or nothing.
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

    /// Adds a value many times.
    pub fn append_value_n(&mut self, value: T::Native, count: usize) {
        if let Some(valid) = &mut self.valid {
            valid.append_n(count, true);
        }
        self.values.resize(self.values.len() + count, value);
    }

    /// Adds nothing, many times.
    pub fn append_nulls(&mut self, count: usize) {
        if count > 0 {
            self.nulls().append_n(count, false);
            let length = self.values.len() + count;
            self.values.resize(length, T::Native::default());
        }
    }

    /// Adds rows of which some have a value: the values, and which rows have one.
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

    /// The values so far; the builder is empty again.
    pub fn finish(&mut self) -> PrimitiveArray<T> {
        let values = std::mem::take(&mut self.values);
        let valid = self.valid.take();
        let nulls = valid.map(|valid| NullBuffer::new(valid.build()));
        PrimitiveArray::new(values.into(), nulls)
    }
}

/// How many names are remembered by where they are.
const PLACES: usize = 256;

/// Collects names. Most rows take theirs from where an earlier row took it (a file's list of objects, a constant), so
/// that place is tried before the dictionary is searched: comparing a name is much less than hashing it.
#[derive(Debug)]
pub struct NameBuilder {
    keys: NumberBuilder<Int32Type>,
    names: Vec<Box<str>>,
    numbers: HashMap<Box<str>, i32>,
    /// By a part of its address, the number of the name that was there last.
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
    /// Makes room for so many names, once.
    pub fn reserve(&mut self, count: usize) {
        self.keys.reserve(count);
    }

    /// Adds a name or nothing.
    pub fn append_option(&mut self, name: Option<&str>) {
        let number = name.map(|name| self.number(name));
        self.keys.append_option(number);
    }

    /// Adds the same name many times.
    pub fn append_many(&mut self, name: &str, count: usize) {
        let number = self.number(name);
        self.keys.append_value_n(number, count);
    }

    /// Adds rows of which some have a name: by their numbers, and which rows have one.
    pub fn append_some(&mut self, numbers: &[i32], rows: &BooleanBuffer) {
        self.keys.append_some(numbers, rows);
    }

    /// Adds names by their numbers.
    pub fn append_numbers(&mut self, numbers: &[i32]) {
        self.keys.append_slice(numbers);
    }

    /// The number of a name, which it has until the builder is empty again.
    pub fn number(&mut self, name: &str) -> i32 {
        // Allocations are 16 bytes apart; constants may lie closer, and differ in their length.
        let address = name.as_ptr().addr();
        let place = ((address >> 4) ^ (address >> 12) ^ name.len()) % PLACES;
        // Another name may be there by now, so it is looked at.
        let remembered = self.places[place];
        let known = self.names.get(remembered as usize);
        if known.is_some_and(|known| &**known == name) {
            return remembered;
        }
        let number = self.numbers.get(name).copied().unwrap_or_else(|| {
            // A batch has fewer rows than this type has numbers.
            let number = self.names.len() as i32;
            self.names.push(name.into());
            self.numbers.insert(name.into(), number);
            number
        });
        self.places[place] = number;
        number
    }

    /// The names so far; the builder is empty again.
    pub fn finish(&mut self) -> DictionaryArray<Int32Type> {
        let keys: Int32Array = self.keys.finish();
        let names = StringArray::from_iter_values(self.names.drain(..));
        self.numbers.clear();
        // Every key is the number of a name.
        DictionaryArray::new(keys, Arc::new(names))
    }
}
