//! The kinds of columns: what a value is in Rust, and in Arrow.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, DictionaryArray, Float32Builder, Float64Builder, Int8Builder,
    Int32Array, Int32Builder, Int64Builder, StringArray, StringBuilder, UInt8Builder,
    UInt16Builder, UInt32Builder,
};
use arrow::datatypes::{DataType, Int32Type};

/// A kind of column.
pub trait Kind {
    /// A value of a row; `None` is null.
    type Value<'a>;
    /// What collects the values.
    type Builder: Default;

    /// The Arrow type.
    fn data_type() -> DataType;
    /// Adds a value.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>);
    /// The values so far as an array; the builder is empty again.
    fn finish(builder: &mut Self::Builder) -> ArrayRef;
}

/// A kind whose values are numbers of a fixed size: games that keep them in columns have them copied in one go.
pub trait Numbers: Kind {
    /// The number.
    type Native: Copy;

    /// Adds many values.
    fn append_slice(builder: &mut Self::Builder, values: &[Self::Native]);
    /// Adds nothing, many times.
    fn append_nulls(builder: &mut Self::Builder, count: usize);
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident: $value:ty, $builder:ty, $data_type:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Kind for $name {
            type Value<'a> = Option<$value>;
            type Builder = $builder;

            fn data_type() -> DataType {
                $data_type
            }

            #[inline]
            fn append(builder: &mut Self::Builder, value: Self::Value<'_>) {
                builder.append_option(value);
            }

            fn finish(builder: &mut Self::Builder) -> ArrayRef {
                Arc::new(builder.finish())
            }
        }
    )*};
}

macro_rules! numbers {
    ($($name:ident: $native:ty;)*) => {$(
        impl Numbers for $name {
            type Native = $native;

            fn append_slice(builder: &mut Self::Builder, values: &[$native]) {
                builder.append_slice(values);
            }

            fn append_nulls(builder: &mut Self::Builder, count: usize) {
                builder.append_nulls(count);
            }
        }
    )*};
}

kinds! {
    /// Yes or no.
    Flag: bool, BooleanBuilder, DataType::Boolean;
    /// A small number.
    U8: u8, UInt8Builder, DataType::UInt8;
    /// A small number.
    U16: u16, UInt16Builder, DataType::UInt16;
    /// A count or an index.
    U32: u32, UInt32Builder, DataType::UInt32;
    /// A small number with a sign.
    I8: i8, Int8Builder, DataType::Int8;
    /// A number with a sign.
    I32: i32, Int32Builder, DataType::Int32;
    /// A large number.
    I64: i64, Int64Builder, DataType::Int64;
    /// A measurement in single precision, as games store them.
    F32: f32, Float32Builder, DataType::Float32;
    /// A time or a computed number.
    F64: f64, Float64Builder, DataType::Float64;
    /// Text that is different in every row.
    Text: &'a str, StringBuilder, DataType::Utf8;
    /// A name that many rows share: dictionary-encoded.
    Name: &'a str, NameBuilder,
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
}

numbers! {
    U8: u8;
    U16: u16;
    U32: u32;
    I8: i8;
    I32: i32;
    F32: f32;
    F64: f64;
}

/// How many names are remembered by where they are.
const PLACES: usize = 256;

/// Collects names. Most rows take theirs from where an earlier row took it (a file's list of objects, a constant), so
/// that place is tried before the dictionary is searched: comparing a name is much less than hashing it.
#[derive(Debug)]
pub struct NameBuilder {
    keys: Int32Builder,
    names: Vec<Box<str>>,
    numbers: HashMap<Box<str>, i32>,
    /// By a part of its address, the number of the name that was there last.
    places: [i32; PLACES],
}

impl Default for NameBuilder {
    fn default() -> Self {
        Self {
            keys: Int32Builder::default(),
            names: Vec::new(),
            numbers: HashMap::new(),
            places: [0; PLACES],
        }
    }
}

impl NameBuilder {
    fn append_option(&mut self, name: Option<&str>) {
        match name {
            Some(name) => {
                let number = self.number(name);
                self.keys.append_value(number);
            }
            None => self.keys.append_null(),
        }
    }

    /// Adds the same name many times.
    pub fn append_many(&mut self, name: &str, count: usize) {
        let number = self.number(name);
        self.keys.append_value_n(number, count);
    }

    fn number(&mut self, name: &str) -> i32 {
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

    fn finish(&mut self) -> DictionaryArray<Int32Type> {
        let keys: Int32Array = self.keys.finish();
        let names = StringArray::from_iter_values(self.names.drain(..));
        self.numbers.clear();
        // Every key is the number of a name.
        DictionaryArray::new(keys, Arc::new(names))
    }
}
