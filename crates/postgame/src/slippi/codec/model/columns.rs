//! Columns: one list of fields generates the struct of arrays, its reader and writer, the row, the names and the JSON.

use crate::error::{Error, Result};

/// Maximum size of the fixed part of an event: code, frame, port and all known fields.
pub(crate) const LONGEST: usize = 128;

/// A field of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field and of its column.
    pub name: &'static str,
    /// Its type, such as `f32`.
    pub kind: &'static str,
    /// Its offset in the payload, which excludes the event's code.
    pub offset: usize,
    /// Its size in bytes.
    pub width: usize,
}

/// The columns of one kind of event. The payload's size alone decides which of them are filled.
pub(crate) trait Columns: Default {
    /// Number of payload bytes before the fields: the frame, and for characters port and follower.
    const KEY: usize;
    /// The payload's size in the oldest version; a shorter payload is not this event.
    const SHORTEST: usize;
    /// The fields, in order.
    const FIELDS: &'static [Field];

    /// Reserves room for `count` events with payloads of `size` bytes.
    fn reserve(&mut self, count: usize, size: usize);
    /// Appends an event; `fields` is the payload after its key.
    fn push(&mut self, fields: &[u8]);
    /// Drops the last event; `count` is the number of events before that.
    fn pop(&mut self, count: usize);
    /// Writes the fields of an event into a buffer that starts with the event's code.
    fn put(&self, index: usize, event: &mut [u8; LONGEST]);
    /// The bytes after the known fields, of all events.
    fn tail(&self) -> &[u8];
    /// Checks that all columns hold `count` values or none, and returns the size of their payload.
    fn shape(&self, count: usize) -> Result<Shape>;
}

/// The payload that the columns form.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// Number of bytes of the key and the known fields.
    pub known: usize,
    /// Number of bytes after the known fields.
    pub tail: usize,
}

/// An error stating that a column has an impossible length.
#[cold]
pub(crate) fn uneven(name: &str, length: usize, count: usize) -> Error {
    Error::unwritable(format!(
        "column {name} has {length} values for {count} events"
    ))
}

/// Declares the columns and the row of one kind of event:
///
/// ```text
/// columns! {
///     /// What it is.
///     pub struct Pre, PreRow: key 6 {
///         /// A field that every version has.
///         random_seed: u32,
///         ;
///         /// A field of later versions.
///         percent: f32,
///     }
/// }
/// ```
macro_rules! columns {
    (
        $(#[$meta:meta])*
        pub struct $Columns:ident, $Row:ident: key $key:literal {
            $($(#[$always_meta:meta])* $always:ident: $Always:ident,)* ;
            $($(#[$later_meta:meta])* $later:ident: $Later:ident,)*
        }
    ) => {
        $(#[$meta])*
        /// One column per field; the columns of fields that the file's version lacks are empty.
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $Columns {
            $(
                $(#[$always_meta])*
                #[serde(with = "crate::wire::json", skip_serializing_if = "Vec::is_empty")]
                pub $always: Vec<$Always>,
            )*
            $(
                $(#[$later_meta])*
                #[serde(with = "crate::wire::json", skip_serializing_if = "Vec::is_empty")]
                pub $later: Vec<$Later>,
            )*
            /// The bytes after the known fields, of all events in order.
            #[serde(skip_serializing_if = "crate::wire::json::Bytes::is_empty")]
            pub tail: crate::wire::json::Bytes,
        }

        $(#[$meta])*
        /// One row.
        #[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
        pub struct $Row {
            $(
                $(#[$always_meta])*
                #[serde(serialize_with = "crate::wire::json::serialize")]
                pub $always: $Always,
            )*
            $(
                $(#[$later_meta])*
                #[serde(serialize_with = "crate::wire::json::serialize", skip_serializing_if = "Option::is_none")]
                pub $later: Option<$Later>,
            )*
        }

        const _: () = {
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy)]
            enum Name { $($always,)* $($later,)* }

            const WIDTHS: &[usize] = &[$(size_of::<$Always>(),)* $(size_of::<$Later>(),)*];

            /// The offset of a field, counted from the start of the payload.
            const fn offset(field: usize) -> usize {
                let (mut at, mut index) = ($key, 0);
                while index < field {
                    at += WIDTHS[index];
                    index += 1;
                }
                at
            }

            impl $crate::slippi::codec::model::columns::Columns for $Columns {
                const KEY: usize = $key;
                const SHORTEST: usize = $key $(+ size_of::<$Always>())*;
                const FIELDS: &'static [$crate::slippi::codec::model::columns::Field] = &[
                    $($crate::slippi::codec::model::columns::Field {
                        name: stringify!($always),
                        kind: stringify!($Always),
                        offset: offset(Name::$always as usize),
                        width: size_of::<$Always>(),
                    },)*
                    $($crate::slippi::codec::model::columns::Field {
                        name: stringify!($later),
                        kind: stringify!($Later),
                        offset: offset(Name::$later as usize),
                        width: size_of::<$Later>(),
                    },)*
                ];

                fn reserve(&mut self, count: usize, size: usize) {
                    let mut end = $key;
                    $(
                        if offset(Name::$always as usize) + size_of::<$Always>() <= size {
                            self.$always.reserve_exact(count);
                            end = offset(Name::$always as usize) + size_of::<$Always>();
                        }
                    )*
                    $(
                        if offset(Name::$later as usize) + size_of::<$Later>() <= size {
                            self.$later.reserve_exact(count);
                            end = offset(Name::$later as usize) + size_of::<$Later>();
                        }
                    )*
                    self.tail.0.reserve_exact(count * size.saturating_sub(end));
                }

                #[inline]
                fn push(&mut self, fields: &[u8]) {
                    let rest = fields;
                    $(
                        let Some((bytes, rest)) = rest.split_first_chunk::<{ size_of::<$Always>() }>() else {
                            return self.tail.0.extend_from_slice(rest);
                        };
                        self.$always.push(<$Always>::from_be_bytes(*bytes));
                    )*
                    $(
                        let Some((bytes, rest)) = rest.split_first_chunk::<{ size_of::<$Later>() }>() else {
                            return self.tail.0.extend_from_slice(rest);
                        };
                        self.$later.push(<$Later>::from_be_bytes(*bytes));
                    )*
                    if !rest.is_empty() {
                        self.tail.0.extend_from_slice(rest);
                    }
                }

                fn pop(&mut self, count: usize) {
                    let left = count.saturating_sub(1);
                    let tail = self.tail.0.len().checked_div(count).unwrap_or(0);
                    $(self.$always.truncate(left);)*
                    $(self.$later.truncate(left);)*
                    self.tail.0.truncate(left * tail);
                }

                #[inline]
                fn put(&self, index: usize, event: &mut [u8; $crate::slippi::codec::model::columns::LONGEST]) {
                    $(
                        if let Some(value) = self.$always.get(index) {
                            const AT: usize = 1 + offset(Name::$always as usize);
                            event[AT..AT + size_of::<$Always>()].copy_from_slice(&value.to_be_bytes());
                        }
                    )*
                    $(
                        if let Some(value) = self.$later.get(index) {
                            const AT: usize = 1 + offset(Name::$later as usize);
                            event[AT..AT + size_of::<$Later>()].copy_from_slice(&value.to_be_bytes());
                        }
                    )*
                }

                fn tail(&self) -> &[u8] {
                    &self.tail.0
                }

                fn shape(
                    &self,
                    count: usize,
                ) -> $crate::error::Result<$crate::slippi::codec::model::columns::Shape> {
                    if count == 0 {
                        return Ok(Default::default());
                    }
                    let mut size = $key;
                    let mut last_filled = true;
                    let lengths = [$(self.$always.len(),)* $(self.$later.len(),)*];
                    for (field, length) in Self::FIELDS.iter().zip(lengths) {
                        // Columns are filled from the first to the last one of the version.
                        if length != if last_filled { count } else { 0 } {
                            if length != 0 || size < Self::SHORTEST {
                                return Err($crate::slippi::codec::model::columns::uneven(field.name, length, count));
                            }
                            last_filled = false;
                        }
                        if last_filled {
                            size = field.offset + field.width;
                        }
                    }
                    if self.tail.0.len() % count != 0 {
                        return Err($crate::slippi::codec::model::columns::uneven("tail", self.tail.0.len(), count));
                    }
                    Ok($crate::slippi::codec::model::columns::Shape { known: size, tail: self.tail.0.len() / count })
                }
            }

            impl $Columns {
                /// The fields, in order.
                pub const FIELDS: &'static [$crate::slippi::codec::model::columns::Field] =
                    <Self as $crate::slippi::codec::model::columns::Columns>::FIELDS;

                /// One event.
                pub fn row(&self, index: usize) -> Option<$Row> {
                    Some($Row {
                        $($always: *self.$always.get(index)?,)*
                        $($later: self.$later.get(index).copied(),)*
                    })
                }
            }

            impl $Row {
                /// One event from its payload.
                pub fn read(payload: &[u8]) -> Option<Self> {
                    Some(Self {
                        $($always: {
                            const AT: usize = offset(Name::$always as usize);
                            <$Always>::from_be_bytes(*payload.get(AT..)?.first_chunk()?)
                        },)*
                        $($later: {
                            const AT: usize = offset(Name::$later as usize);
                            payload.get(AT..).and_then(|rest| rest.first_chunk()).map(|bytes| <$Later>::from_be_bytes(*bytes))
                        },)*
                    })
                }
            }
        };
    };
}
pub(crate) use columns;
