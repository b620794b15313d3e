//! The kinds of columns: their value types in Rust and in Arrow.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanBuilder, StringBuilder};
use arrow::datatypes::{
    DataType, Float32Type, Float64Type, Int8Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type,
};

use crate::builders::{NameBuilder, NumberBuilder};

/// A kind of column.
pub trait Kind {
    /// A value of a row; `None` is null.
    type Value<'a>;
    /// The builder of its values.
    type Builder: Default;

    /// The Arrow type.
    fn data_type() -> DataType;
    /// Reserves capacity for this many values, if that is worthwhile.
    fn reserve(_builder: &mut Self::Builder, _count: usize) {}
    /// Adds a value.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>);
    /// Returns the values so far as an array, and empties the builder.
    fn finish(builder: &mut Self::Builder) -> ArrayRef;
}

/// A kind with numbers of fixed size: games that keep them in columns can have them copied at once.
pub trait Numbers: Kind {
    /// The number type.
    type Native: Copy;

    /// Adds many values.
    fn append_slice(builder: &mut Self::Builder, values: &[Self::Native]);
    /// Adds null several times.
    fn append_nulls(builder: &mut Self::Builder, count: usize);
}

/// A kind whose values often stay the same for many rows.
pub trait Steady: Kind {
    /// The value type.
    type One: Copy;

    /// Adds a value or null several times.
    fn append_many(builder: &mut Self::Builder, value: Option<Self::One>, count: usize);
}

impl Steady for Flag {
    type One = bool;

    fn append_many(builder: &mut Self::Builder, value: Option<bool>, count: usize) {
        match value {
            Some(value) => builder.append_n(count, value),
            None => builder.append_nulls(count),
        }
    }
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident: $value:ty, $builder:ty, $data_type:expr $(, $reserve:ident)?;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Kind for $name {
            type Value<'a> = Option<$value>;
            type Builder = $builder;

            fn data_type() -> DataType {
                $data_type
            }

            $(fn $reserve(builder: &mut Self::Builder, count: usize) {
                builder.$reserve(count);
            })?

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

        impl Steady for $name {
            type One = $native;

            fn append_many(builder: &mut Self::Builder, value: Option<$native>, count: usize) {
                match value {
                    Some(value) => builder.append_value_n(value, count),
                    None => builder.append_nulls(count),
                }
            }
        }
    )*};
}

kinds! {
    /// A boolean.
    Flag: bool, BooleanBuilder, DataType::Boolean;
    /// A small number.
    U8: u8, NumberBuilder<UInt8Type>, DataType::UInt8, reserve;
    /// A small number.
    U16: u16, NumberBuilder<UInt16Type>, DataType::UInt16, reserve;
    /// A count or an index.
    U32: u32, NumberBuilder<UInt32Type>, DataType::UInt32, reserve;
    /// A small number with a sign.
    I8: i8, NumberBuilder<Int8Type>, DataType::Int8, reserve;
    /// A number with a sign.
    I32: i32, NumberBuilder<Int32Type>, DataType::Int32, reserve;
    /// A large number.
    I64: i64, NumberBuilder<Int64Type>, DataType::Int64, reserve;
    /// A measurement in single precision, as games store them.
    F32: f32, NumberBuilder<Float32Type>, DataType::Float32, reserve;
    /// A time or a computed number.
    F64: f64, NumberBuilder<Float64Type>, DataType::Float64, reserve;
    /// Text that is different in every row.
    Text: &'a str, StringBuilder, DataType::Utf8;
    /// A name that many rows share: dictionary-encoded.
    Name: &'a str, NameBuilder,
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)), reserve;
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
