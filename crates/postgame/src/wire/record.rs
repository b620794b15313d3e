//! One field list for both directions.
//!
//! [`Wire`] is a value's form on the wire: one impl reads and writes it, so the two directions cannot drift apart. The
//! `record!` macro derives struct, reader, writer, field names and JSON from one list of fields; irregular types
//! implement [`Wire`] by hand, with `read` and `write` side by side.

use super::bits::{BitReader, BitWriter};
use super::bytes::{Big, ByteReader, ByteWriter, Little};
use crate::error::{Context, Result};
use crate::limits::Charge;

/// An encoding: the reader and the writer that values pass through.
pub trait Encoding {
    /// Reads values of this encoding.
    type Reader<'a>;
    /// Writes values of this encoding.
    type Writer;
}

/// Whole bytes, least significant first.
#[derive(Clone, Copy, Debug)]
pub struct LittleBytes;

/// Whole bytes, most significant first.
#[derive(Clone, Copy, Debug)]
pub struct BigBytes;

/// Bits, least significant first.
#[derive(Clone, Copy, Debug)]
pub struct Bits;

impl Encoding for LittleBytes {
    type Reader<'a> = ByteReader<'a, Little>;
    type Writer = ByteWriter<Little>;
}

impl Encoding for BigBytes {
    type Reader<'a> = ByteReader<'a, Big>;
    type Writer = ByteWriter<Big>;
}

impl Encoding for Bits {
    type Reader<'a> = BitReader<'a>;
    type Writer = BitWriter;
}

/// A value's form in an encoding `E`. `C` is the context needed to read it, such as the file's versions.
pub trait Wire<E: Encoding, C: ?Sized = ()>: Sized {
    /// Reads one value.
    ///
    /// # Errors
    /// When the data is too short or contradicts the format.
    fn read(reader: &mut E::Reader<'_>, context: &C) -> Result<Self>;

    /// Writes the value.
    ///
    /// # Errors
    /// When the format cannot represent the value.
    fn write(&self, writer: &mut E::Writer, context: &C) -> Result<()>;
}

macro_rules! byte_numbers {
    ($encoding:ident: $($name:ident)*) => {$(
        impl<C: ?Sized> Wire<$encoding, C> for $name {
            #[inline]
            fn read(reader: &mut <$encoding as Encoding>::Reader<'_>, _: &C) -> Result<Self> {
                reader.$name()
            }

            #[inline]
            fn write(&self, writer: &mut <$encoding as Encoding>::Writer, _: &C) -> Result<()> {
                writer.$name(*self);
                Ok(())
            }
        }
    )*};
}
byte_numbers!(LittleBytes: u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);
byte_numbers!(BigBytes: u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

macro_rules! bit_numbers {
    ($($name:ident $width:literal: $from:expr, $to:expr;)*) => {$(
        impl<C: ?Sized> Wire<Bits, C> for $name {
            #[inline]
            fn read(reader: &mut BitReader<'_>, _: &C) -> Result<Self> {
                let bits = reader.bits($width)?;
                Ok($from(bits))
            }

            #[inline]
            fn write(&self, writer: &mut BitWriter, _: &C) -> Result<()> {
                writer.bits($to(*self), $width);
                Ok(())
            }
        }
    )*};
}
bit_numbers! {
    bool 1: |bits| bits != 0, u64::from;
    u8 8: |bits| bits as u8, u64::from;
    u16 16: |bits| bits as u16, u64::from;
    u32 32: |bits| bits as u32, u64::from;
    i32 32: |bits| bits as u32 as i32, |value: i32| u64::from(value as u32);
    u64 64: |bits| bits, |value| value;
    i64 64: |bits| bits as i64, |value: i64| value as u64;
    f32 32: |bits| f32::from_bits(bits as u32), |value: f32| u64::from(value.to_bits());
}

impl<E: Encoding, C: ?Sized, T: Wire<E, C> + Copy + Default, const N: usize> Wire<E, C> for [T; N] {
    #[inline]
    fn read(reader: &mut E::Reader<'_>, context: &C) -> Result<Self> {
        let mut values = [T::default(); N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = T::read(reader, context).index(index)?;
        }
        Ok(values)
    }

    #[inline]
    fn write(&self, writer: &mut E::Writer, context: &C) -> Result<()> {
        self.iter()
            .enumerate()
            .try_for_each(|(index, value)| value.write(writer, context).index(index))
    }
}

/// A little-endian value that always takes the same number of bytes, so that many can be read with one bounds check.
///
/// The generic [`Wire::read`] checks every field. On a file that consists of nothing but states, that costs as much as
/// inflating it (`cargo bench`). Records declared as `struct Name: LittleBytes, fixed` have both forms.
pub trait Fixed: Sized {
    /// Its size in bytes.
    const BYTES: usize;

    /// Decodes the value from the start of a slice; `None` if the slice is too short.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

macro_rules! fixed_numbers {
    ($($name:ident)*) => {$(
        impl Fixed for $name {
            const BYTES: usize = size_of::<$name>();

            #[inline(always)]
            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                bytes.first_chunk().map(|chunk| $name::from_le_bytes(*chunk))
            }
        }
    )*};
}
fixed_numbers!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<T: Fixed + Copy + Default, const N: usize> Fixed for [T; N] {
    const BYTES: usize = N * T::BYTES;

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut values = [T::default(); N];
        let mut rest = bytes.get(..Self::BYTES)?;
        for value in &mut values {
            let (head, tail) = rest.split_at_checked(T::BYTES)?;
            *value = T::from_bytes(head)?;
            rest = tail;
        }
        Some(values)
    }
}

impl<E: Encoding, C: ?Sized, T: Wire<E, C>> Wire<E, C> for Box<T> {
    fn read(reader: &mut E::Reader<'_>, context: &C) -> Result<Self> {
        T::read(reader, context).map(Box::new)
    }

    fn write(&self, writer: &mut E::Writer, context: &C) -> Result<()> {
        T::write(self, writer, context)
    }
}

/// Lists grow, and are charged, in steps of this many elements.
const LIST_STEP: usize = 1024;

/// A list preceded by its length, an `i32`.
impl<C: ?Sized + Charge, T: Wire<LittleBytes, C>> Wire<LittleBytes, C> for Vec<T> {
    fn read(reader: &mut ByteReader<'_, Little>, context: &C) -> Result<Self> {
        let count = reader.count("a list", 1)?;
        // The count is checked against one byte per element; the real size of an element shows while reading.
        let mut values = Vec::with_capacity(count.min(LIST_STEP));
        for index in 0..count {
            if index % LIST_STEP == 0 {
                let step = LIST_STEP.min(count - index);
                let charged = context.charge(step * size_of::<T>());
                charged.map_err(|error| error.at(reader.place()))?;
            }
            values.push(T::read(reader, context).index(index)?);
        }
        Ok(values)
    }

    fn write(&self, writer: &mut ByteWriter<Little>, context: &C) -> Result<()> {
        writer.count("a list", self.len())?;
        self.iter()
            .enumerate()
            .try_for_each(|(index, value)| value.write(writer, context).index(index))
    }
}

/// Declares a record: a struct with its reader, writer, field names and JSON form, from one list of fields.
///
/// ```text
/// record! {
///     /// A player's state.
///     pub struct Player: LittleBytes(versions: Versions) {
///         /// Metres.
///         pub position: [f32; 3],
///         /// Hit points.
///         pub health: Option<i16> where versions.file >= 3,
///     }
/// }
/// ```
///
/// A field with `where` is an `Option`. When reading, the condition decides, over the context and the fields before it;
/// when writing, the value itself decides. Without `(name: Type)` a record is read in any context. With `, fixed` after
/// `LittleBytes` it is also [`Fixed`].
macro_rules! record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident: $Encoding:ident {$($fields:tt)*}
    ) => {
        $crate::wire::record::record!(@struct [$(#[$meta])*] [$vis] $Name {$($fields)*});
        $crate::wire::record::record!(@wire [C: ?Sized + $crate::limits::Charge] [C] $Encoding context $Name {$($fields)*});
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident: LittleBytes, fixed {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $Type:ty),* $(,)?
        }
    ) => {
        $crate::wire::record::record! {
            $(#[$meta])*
            $vis struct $Name: LittleBytes {
                $($(#[$field_meta])* $field_vis $field: $Type),*
            }
        }

        impl $crate::wire::record::Fixed for $Name {
            const BYTES: usize = 0 $(+ <$Type as $crate::wire::record::Fixed>::BYTES)*;

            #[inline]
            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                let rest = bytes.get(..Self::BYTES)?;
                $(
                    let (head, rest) = rest.split_at_checked(<$Type as $crate::wire::record::Fixed>::BYTES)?;
                    let $field = <$Type as $crate::wire::record::Fixed>::from_bytes(head)?;
                )*
                debug_assert!(rest.is_empty());
                Some(Self { $($field),* })
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident: $Encoding:ident($context:ident: $Context:ty) {$($fields:tt)*}
    ) => {
        $crate::wire::record::record!(@struct [$(#[$meta])*] [$vis] $Name {$($fields)*});
        $crate::wire::record::record!(@wire [] [$Context] $Encoding $context $Name {$($fields)*});
    };
    (@struct [$(#[$meta:meta])*] [$vis:vis] $Name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $Type:ty $(where $gate:expr)?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $vis struct $Name {
            $(
                $(#[$field_meta])*
                $(
                    #[doc = concat!("\n\nPresent where `", stringify!($gate), "`.")]
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                )?
                #[serde(with = "crate::wire::json")]
                $field_vis $field: $Type,
            )*
        }

        $crate::wire::json::json_by_serde!($Name);

        impl $Name {
            /// The names of the fields, in the order they are stored.
            pub const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
        }
    };
    (@wire [$($generic:tt)*] [$Context:ty] $Encoding:ident $context:ident $Name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $Type:ty $(where $gate:expr)?),* $(,)?
    }) => {
        impl<$($generic)*> $crate::wire::record::Wire<$Encoding, $Context> for $Name {
            #[inline]
            fn read(
                reader: &mut <$Encoding as $crate::wire::record::Encoding>::Reader<'_>,
                $context: &$Context,
            ) -> $crate::error::Result<Self> {
                use $crate::error::Context as _;
                $(
                    let $field = $crate::wire::record::record!(
                        @read $Encoding reader $context $Type $(where $gate)?
                    ).field(stringify!($field))?;
                )*
                Ok(Self { $($field),* })
            }

            #[inline]
            fn write(
                &self,
                writer: &mut <$Encoding as $crate::wire::record::Encoding>::Writer,
                $context: &$Context,
            ) -> $crate::error::Result<()> {
                use $crate::error::Context as _;
                let Self { $($field),* } = self;
                $(
                    $crate::wire::record::record!(
                        @write $Encoding writer $context $field $(where $gate)?
                    ).field(stringify!($field))?;
                )*
                Ok(())
            }
        }
    };
    (@read $Encoding:ident $reader:ident $context:ident $Type:ty) => {
        <$Type as $crate::wire::record::Wire<$Encoding, _>>::read($reader, $context)
    };
    (@read $Encoding:ident $reader:ident $context:ident $Type:ty where $gate:expr) => {
        if $gate {
            $crate::wire::record::Wire::<$Encoding, _>::read($reader, $context).map(Some)
        } else {
            <$crate::error::Result<$Type>>::Ok(None)
        }
    };
    (@write $Encoding:ident $writer:ident $context:ident $field:ident) => {
        $crate::wire::record::Wire::<$Encoding, _>::write($field, $writer, $context)
    };
    (@write $Encoding:ident $writer:ident $context:ident $field:ident where $gate:expr) => {
        match $field {
            Some(value) => $crate::wire::record::Wire::<$Encoding, _>::write(value, $writer, $context),
            None => Ok(()),
        }
    };
}
pub(crate) use record;

#[cfg(test)]
mod tests {
    use super::*;

    struct Versions {
        file: u32,
    }

    impl Charge for Versions {}

    record! {
        /// A player's state.
        struct Player: LittleBytes(versions: Versions) {
            /// Metres.
            position: [f32; 3],
            /// Hit points.
            health: Option<i16> where versions.file >= 3,
            /// Depends on a field before it.
            armour: Option<u8> where health == Some(1),
        }
    }

    record! {
        /// The same kind of thing in bits.
        struct Flags: Bits {
            /// One bit.
            on: bool,
            /// Eight bits, unaligned.
            level: u8,
        }
    }

    #[test]
    fn a_record_reads_what_it_writes_and_knows_its_fields() {
        assert_eq!(Player::FIELDS, ["position", "health", "armour"]);
        for (file, health, armour, bytes) in [
            (2, None, None, 12),
            (3, Some(20), None, 14),
            (3, Some(1), Some(9), 15),
        ] {
            let player = Player {
                position: [1.0, -2.5, 3.0],
                health,
                armour,
            };
            let mut writer = ByteWriter::new();
            player.write(&mut writer, &Versions { file }).unwrap();
            let data = writer.into_bytes();
            assert_eq!(data.len(), bytes);
            assert_eq!(
                Player::read(&mut ByteReader::new(&data), &Versions { file }).unwrap(),
                player
            );
        }
    }

    #[test]
    fn an_error_names_the_field_and_the_index_in_it() {
        let error = Player::read(&mut ByteReader::new(&[0; 9]), &Versions { file: 3 }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "position[2]: data ends early (wanted 4 bytes, 1 left) at 0x8"
        );
    }

    #[test]
    fn json_leaves_out_what_is_absent_and_refuses_what_it_does_not_know() {
        let player = Player {
            position: [1.0, f32::INFINITY, 3.0],
            health: None,
            armour: None,
        };
        let json = serde_json::to_string(&player).unwrap();
        assert_eq!(json, r#"{"position":[1.0,"inf",3.0]}"#);
        assert_eq!(serde_json::from_str::<Player>(&json).unwrap(), player);
        assert!(serde_json::from_str::<Player>(r#"{"position":[1,2,3],"helth":2}"#).is_err());
    }

    #[test]
    fn bits_work_the_same_way() {
        let mut writer = BitWriter::new();
        Flags {
            on: true,
            level: 0xa5,
        }
        .write(&mut writer, &())
        .unwrap();
        assert_eq!(writer.position(), 9);
        assert_eq!(Flags::FIELDS, ["on", "level"]);
        let data = writer.into_bytes();
        assert_eq!(
            Flags::read(&mut BitReader::new(&data), &()).unwrap(),
            Flags {
                on: true,
                level: 0xa5
            }
        );
        assert_eq!(
            Flags::read(&mut BitReader::new(&data[..1]), &())
                .unwrap_err()
                .path(),
            "level"
        );
    }
}
