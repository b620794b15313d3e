//! The format in which columns reach the page: a small JSON index, then typed arrays, little-endian.
//!
//! ```text
//! "PGV1"  u32 length of the index  index (JSON, UTF-8)  zeros up to a multiple of 8  the arrays
//! ```
//! The index refers to arrays as `[offset, count]`, with offsets in bytes from the start of the arrays. Every array
//! starts at a multiple of 8, so that the page can view it in place, without copying.

use postgame::timeline::Values;
use serde_json::{Value, json};

/// The first bytes of every pack.
pub const MAGIC: &[u8; 4] = b"PGV1";

/// The arrays of a pack under construction.
#[derive(Debug, Default)]
pub struct Pack {
    data: Vec<u8>,
}

impl Pack {
    /// Appends little-endian values; returns their location.
    fn place<const N: usize>(&mut self, values: impl Iterator<Item = [u8; N]>) -> Value {
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        let offset = self.data.len();
        let mut count = 0_usize;
        for value in values {
            self.data.extend_from_slice(&value);
            count += 1;
        }
        json!([offset, count])
    }

    /// Appends `f64` values.
    pub fn f64s(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.place(values.into_iter().map(f64::to_le_bytes))
    }

    /// Appends `f32` values.
    pub fn f32s(&mut self, values: impl IntoIterator<Item = f32>) -> Value {
        self.place(values.into_iter().map(f32::to_le_bytes))
    }

    /// Appends integers.
    pub fn u32s(&mut self, values: impl IntoIterator<Item = u32>) -> Value {
        self.place(values.into_iter().map(u32::to_le_bytes))
    }

    /// Appends bytes.
    pub fn bytes(&mut self, values: impl IntoIterator<Item = u8>) -> Value {
        self.place(values.into_iter().map(|value| [value]))
    }

    /// Appends texts: their joined bytes, and the end of each.
    pub fn texts<'a>(&mut self, texts: impl Iterator<Item = &'a str> + Clone) -> Value {
        let ends = texts.clone().scan(0_u32, |end, text| {
            *end = end.saturating_add(text.len() as u32);
            Some(*end)
        });
        let ends = self.u32s(ends);
        let bytes = self.bytes(texts.flat_map(str::bytes));
        json!({ "ends": ends, "bytes": bytes })
    }

    /// Appends the values of a column; returns their kind.
    pub fn values(&mut self, name: &str, values: &Values) -> Value {
        let (kind, place) = match values {
            Values::Position(values) => ("position", self.f32s(values.iter().flatten().copied())),
            Values::Rotation(values) => ("rotation", self.f32s(values.iter().flatten().copied())),
            Values::Packed(values) => ("rotation", self.f32s(values.iter().flatten())),
            Values::Scalar(values) => ("scalar", self.f32s(values.iter().copied())),
            Values::Flag(values) => ("flag", self.bytes(values.iter().map(|&flag| flag.into()))),
            Values::Name { names, indices } => {
                let place = self.u32s(indices.iter().copied());
                return json!({ "name": name, "kind": "name", "at": place, "names": names });
            }
        };
        json!({ "name": name, "kind": kind, "at": place })
    }

    /// The whole pack.
    pub fn finish(self, index: &Value) -> Vec<u8> {
        let index = index.to_string();
        let start = (8 + index.len()).next_multiple_of(8);
        let mut pack = Vec::with_capacity(start + self.data.len());
        pack.extend_from_slice(MAGIC);
        pack.extend_from_slice(&(index.len() as u32).to_le_bytes());
        pack.extend_from_slice(index.as_bytes());
        pack.resize(start, 0);
        pack.extend_from_slice(&self.data);
        pack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_where_the_index_says() {
        let mut pack = Pack::default();
        let texts = pack.texts(["é", "", "ab"].into_iter());
        let floats = pack.f32s([1.5, -2.0]);
        assert_eq!(texts, json!({ "ends": [0, 3], "bytes": [16, 4] }));
        assert_eq!(floats, json!([24, 2]));
        let bytes = pack.finish(&json!({ "f": floats }));
        assert_eq!(&bytes[..4], MAGIC);
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let start = (8 + length).next_multiple_of(8);
        let index: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        assert_eq!(index, json!({ "f": [24, 2] }));
        assert_eq!(bytes[start + 24..start + 28], 1.5_f32.to_le_bytes());
        assert_eq!(bytes.len(), start + 32);
        assert_eq!(
            bytes[start..start + 12],
            [2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0]
        );
    }
}
