//! A column of a row group: values are collected for a page, pages for the column chunk.

use arrow::array::cast::AsArray as _;
use arrow::array::types::{
    Float32Type, Float64Type, Int8Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
};
use arrow::array::{Array, ArrayRef, BooleanBufferBuilder, StringArray};
use arrow::buffer::{NullBuffer, ScalarBuffer};
use arrow::datatypes::{ArrowNativeType, DataType};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter as _};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::dictionary::Dictionary;
use super::{encode, zstd};

/// Approximate number of rows in a page: Zstandard works on 128 KiB at a time, so each byte of a number gets its own
/// table of frequencies, or none if it is noise.
const PAGE_ROWS: usize = 128 * 1024;
/// Maximum text in a page, in bytes.
const PAGE_BYTES: usize = 1 << 20;
/// Longer text is not used as a minimum or maximum of a chunk.
const BOUND_BYTES: usize = 64;

/// A column.
pub(super) struct Column {
    descriptor: ColumnDescPtr,
    is_unsigned: bool,
    /// The rows of the page, their validity if some are null, and the values.
    rows: usize,
    valid: Option<BooleanBufferBuilder>,
    values: Values,
    range: Range,
    /// The finished pages of the chunk.
    pages: TrackedWrite<Vec<u8>>,
    sizes: Sizes,
}

/// The parts of a written chunk.
#[derive(Default)]
struct Sizes {
    rows: usize,
    nulls: u64,
    plain_bytes: usize,
    bytes: usize,
}

/// The non-null values of a page.
enum Values {
    Flags(BooleanBufferBuilder),
    Words(Vec<i32>),
    Longs(Vec<i64>),
    /// Numbers stay in place until the page is full.
    Floats(Vec<ScalarBuffer<f32>>),
    Doubles(Vec<ScalarBuffer<f64>>),
    Text(Vec<u8>),
    Names(Vec<u32>, Dictionary),
}

/// The minimum and maximum of a chunk's values.
enum Range {
    Unknown,
    Flags(bool, bool),
    Whole(i64, i64),
    Floats(f32, f32),
    Doubles(f64, f64),
    Text(Vec<u8>, Vec<u8>),
}

/// Text preceded by its length.
pub(super) fn plain(out: &mut Vec<u8>, text: &[u8]) {
    // An Arrow array has less than two gigabytes of it.
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text);
}

impl Values {
    fn new(data_type: &DataType) -> Option<Self> {
        Some(match data_type {
            DataType::Boolean => Self::Flags(BooleanBufferBuilder::new(0)),
            DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32
            | DataType::Int8
            | DataType::Int32 => Self::Words(Vec::new()),
            DataType::Int64 => Self::Longs(Vec::new()),
            DataType::Float32 => Self::Floats(Vec::new()),
            DataType::Float64 => Self::Doubles(Vec::new()),
            DataType::Utf8 => Self::Text(Vec::new()),
            DataType::Dictionary(key, value)
                if **key == DataType::Int32 && **value == DataType::Utf8 =>
            {
                Self::Names(Vec::new(), Dictionary::default())
            }
            _ => return None,
        })
    }

    fn encoding(&self) -> Encoding {
        match self {
            Self::Flags(_) | Self::Text(_) => Encoding::PLAIN,
            Self::Words(_) | Self::Longs(_) => Encoding::DELTA_BINARY_PACKED,
            Self::Floats(_) | Self::Doubles(_) => Encoding::BYTE_STREAM_SPLIT,
            Self::Names(..) => Encoding::RLE_DICTIONARY,
        }
    }

    /// Encodes the values into a page, and resets them.
    fn take(&mut self, page: &mut Vec<u8>) {
        match self {
            Self::Flags(values) => encode::flags(page, &values.finish()),
            Self::Words(values) => {
                encode::deltas(page, values);
                values.clear();
            }
            Self::Longs(values) => {
                encode::deltas(page, values);
                values.clear();
            }
            Self::Floats(values) => {
                encode::split(page, values, |number| number.to_bits().to_le_bytes());
                values.clear();
            }
            Self::Doubles(values) => {
                encode::split(page, values, |number| number.to_bits().to_le_bytes());
                values.clear();
            }
            Self::Text(values) => page.append(values),
            Self::Names(values, dictionary) => {
                encode::places(page, values, dictionary.len());
                values.clear();
            }
        }
    }

    fn memory_size(&self) -> usize {
        match self {
            Self::Flags(values) => values.capacity() / 8,
            Self::Words(values) => values.capacity() * 4,
            Self::Longs(values) => values.capacity() * 8,
            Self::Floats(values) => values.iter().map(|values| values.len() * 4).sum(),
            Self::Doubles(values) => values.iter().map(|values| values.len() * 8).sum(),
            Self::Text(values) => values.capacity(),
            Self::Names(values, dictionary) => values.capacity() * 4 + dictionary.memory_size(),
        }
    }
}

/// Adds the non-null values of an array; returns them.
fn add<'a, T: Copy, U>(
    values: &'a mut Vec<U>,
    new: &[T],
    nulls: Option<&NullBuffer>,
    convert: impl Fn(T) -> U,
) -> &'a [U] {
    let start = values.len();
    match nulls {
        None => values.extend(new.iter().map(|&value| convert(value))),
        // Long runs are copied as such; short ones take longer to find than to copy.
        Some(nulls) if nulls.null_count() < new.len() / 8 => {
            for (from, to) in nulls.valid_slices() {
                let stretch = new.get(from..to).unwrap_or_default();
                values.extend(stretch.iter().map(|&value| convert(value)));
            }
        }
        Some(nulls) => {
            values.reserve(new.len() - nulls.null_count());
            let rows = nulls.valid_indices();
            values.extend(rows.filter_map(|row| new.get(row).map(|&value| convert(value))));
        }
    }
    values.get(start..).unwrap_or_default()
}

/// The non-null values of an array.
fn there<T: ArrowNativeType>(
    values: &ScalarBuffer<T>,
    nulls: Option<&NullBuffer>,
) -> ScalarBuffer<T> {
    match nulls {
        None => values.clone(),
        Some(_) => {
            let mut some = Vec::new();
            add(&mut some, values, nulls, |value| value);
            some.into()
        }
    }
}

impl Column {
    /// True if columns of this type can be written.
    pub fn has(data_type: &DataType) -> bool {
        Values::new(data_type).is_some()
    }

    pub fn new(data_type: &DataType, descriptor: ColumnDescPtr) -> Result<Self> {
        let unknown = || ParquetError::NYI(format!("columns of {data_type}"));
        Ok(Self {
            descriptor,
            is_unsigned: data_type.is_unsigned_integer(),
            rows: 0,
            valid: None,
            values: Values::new(data_type).ok_or_else(unknown)?,
            range: Range::Unknown,
            pages: TrackedWrite::new(Vec::new()),
            sizes: Sizes::default(),
        })
    }

    /// Adds values of the column's type.
    pub fn append(&mut self, array: &ArrayRef) -> Result<()> {
        // Includes a dictionary with null values, which a query can produce.
        let nulls = array.logical_nulls();
        let nulls = nulls.as_ref().filter(|nulls| nulls.null_count() > 0);
        if self.valid.is_none() && nulls.is_some() {
            let mut valid = BooleanBufferBuilder::new(self.rows + array.len());
            valid.append_n(self.rows, true);
            self.valid = Some(valid);
        }
        match (&mut self.valid, nulls) {
            (Some(valid), Some(nulls)) => valid.append_buffer(nulls.inner()),
            (Some(valid), None) => valid.append_n(array.len(), true),
            (None, _) => {}
        }
        self.rows += array.len();
        self.sizes.nulls += nulls.map_or(0, |nulls| nulls.null_count() as u64);
        self.append_values(array, nulls)?;
        let text = match &self.values {
            Values::Text(text) => text.len(),
            _ => 0,
        };
        if self.rows >= PAGE_ROWS || text >= PAGE_BYTES {
            self.page()?;
        }
        Ok(())
    }

    fn append_values(&mut self, array: &ArrayRef, nulls: Option<&NullBuffer>) -> Result<()> {
        let of_another_type = || ParquetError::General("an array of another type".to_owned());
        macro_rules! numbers {
            ($Type:ty, $values:ident, $convert:expr) => {{
                let new = array.as_primitive_opt::<$Type>();
                let new = new.ok_or_else(of_another_type)?.values();
                add($values, new, nulls, $convert)
            }};
        }
        match &mut self.values {
            Values::Flags(values) => {
                let new = array.as_boolean_opt().ok_or_else(of_another_type)?.values();
                let all = nulls.is_none().then_some((0, array.len()));
                let some = nulls.into_iter().flat_map(NullBuffer::valid_slices);
                for (from, to) in all.into_iter().chain(some) {
                    let new = new.slice(from, to - from);
                    let yes = new.count_set_bits();
                    self.range.flags(yes == new.len(), yes > 0);
                    values.append_buffer(&new);
                }
            }
            Values::Words(values) => {
                let new = match array.data_type() {
                    DataType::UInt8 => numbers!(UInt8Type, values, i32::from),
                    DataType::UInt16 => numbers!(UInt16Type, values, i32::from),
                    DataType::UInt32 => numbers!(UInt32Type, values, |value| value as i32),
                    DataType::Int8 => numbers!(Int8Type, values, i32::from),
                    _ => numbers!(Int32Type, values, |value| value),
                };
                if self.is_unsigned {
                    let new = || new.iter().map(|&value| value as u32);
                    self.range.whole(new().min(), new().max());
                } else {
                    self.range
                        .whole(new.iter().copied().min(), new.iter().copied().max());
                }
            }
            Values::Longs(values) => {
                let new = numbers!(Int64Type, values, |value| value);
                self.range
                    .whole(new.iter().copied().min(), new.iter().copied().max());
            }
            Values::Floats(values) => {
                let new = array.as_primitive_opt::<Float32Type>();
                let new = there(new.ok_or_else(of_another_type)?.values(), nulls);
                self.range.floats(&new);
                values.push(new);
            }
            Values::Doubles(values) => {
                let new = array.as_primitive_opt::<Float64Type>();
                let new = there(new.ok_or_else(of_another_type)?.values(), nulls);
                self.range.doubles(&new);
                values.push(new);
            }
            Values::Text(values) => {
                let new = array.as_string_opt::<i32>().ok_or_else(of_another_type)?;
                let texts = || new.iter().flatten().map(str::as_bytes);
                texts().for_each(|text| plain(values, text));
                if let (Some(least), Some(most)) = (texts().min(), texts().max()) {
                    self.range.text(least, most);
                }
            }
            Values::Names(values, dictionary) => {
                let new = array.as_dictionary_opt::<Int32Type>();
                let new = new.ok_or_else(of_another_type)?;
                let names = new.values().as_string_opt::<i32>();
                let names = names.ok_or_else(of_another_type)?;
                add_names(values, dictionary, new.keys().values(), nulls, names);
            }
        }
        Ok(())
    }

    /// Ends a page.
    fn page(&mut self) -> Result<()> {
        let valid = self.valid.take().map(BooleanBufferBuilder::build);
        let rows = std::mem::take(&mut self.rows);
        let encoding = self.values.encoding();
        let (plain_bytes, compressed) = zstd::compressed(|page| {
            if self.descriptor.max_def_level() > 0 {
                encode::levels(page, rows, valid.as_ref());
            }
            self.values.take(page);
        })?;
        self.sizes.rows += rows;
        self.write(
            plain_bytes,
            Page::DataPage {
                buf: compressed.into(),
                num_values: rows as u32,
                encoding,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            },
        )
    }

    fn write(&mut self, plain_bytes: usize, page: Page) -> Result<()> {
        let page = CompressedPage::new(page, plain_bytes);
        let written = SerializedPageWriter::new(&mut self.pages).write_page(page)?;
        self.sizes.plain_bytes += written.uncompressed_size;
        self.sizes.bytes += written.compressed_size;
        Ok(())
    }

    /// Ends the chunk: returns its bytes and its metadata for the row group, and resets the column.
    pub fn finish(&mut self) -> Result<(Bytes, ColumnCloseResult)> {
        if self.rows > 0 {
            self.page()?;
        }
        // The next row group's chunk will be about as large.
        let room = Vec::with_capacity(self.sizes.bytes);
        let taken = std::mem::replace(&mut self.pages, TrackedWrite::new(room));
        let mut data = taken.into_inner()?;
        let mut encodings = vec![Encoding::RLE, self.values.encoding()];
        let mut range = std::mem::replace(&mut self.range, Range::Unknown);
        let mut names_end = None;
        if let Values::Names(_, dictionary) = &mut self.values {
            let dictionary = std::mem::take(dictionary);
            if let Some((least, most)) = dictionary.range() {
                range.text(least.as_bytes(), most.as_bytes());
            }
            encodings.push(Encoding::PLAIN);
            let (plain_bytes, compressed) =
                zstd::compressed(|page| page.extend_from_slice(&dictionary.plain))?;
            self.write(
                plain_bytes,
                Page::DictionaryPage {
                    buf: compressed.into(),
                    num_values: dictionary.len() as u32,
                    encoding: Encoding::PLAIN,
                    is_sorted: false,
                },
            )?;
            // It is known last but comes first.
            let taken = std::mem::replace(&mut self.pages, TrackedWrite::new(Vec::new()));
            let mut names = taken.into_inner()?;
            names_end = Some(names.len());
            names.append(&mut data);
            data = names;
        }
        let sizes = std::mem::take(&mut self.sizes);
        let mut metadata = ColumnChunkMetaData::builder(self.descriptor.clone())
            .set_encodings(encodings)
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_num_values(sizes.rows as i64)
            .set_total_compressed_size(sizes.bytes as i64)
            .set_total_uncompressed_size(sizes.plain_bytes as i64)
            .set_data_page_offset(names_end.unwrap_or(0) as i64)
            .set_dictionary_page_offset(names_end.map(|_| 0));
        metadata = metadata.set_statistics(self.statistics(range, sizes.nulls));
        let close = ColumnCloseResult {
            bytes_written: sizes.bytes as u64,
            rows_written: sizes.rows as u64,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((data.into(), close))
    }

    fn statistics(&self, range: Range, nulls: u64) -> Statistics {
        fn both<T>(range: Option<(T, T)>) -> (Option<T>, Option<T>) {
            range.unzip()
        }
        let nulls = Some(nulls);
        match &self.values {
            Values::Flags(_) => {
                let (least, most) = both(match range {
                    Range::Flags(least, most) => Some((least, most)),
                    _ => None,
                });
                Statistics::boolean(least, most, None, nulls, false)
            }
            Values::Words(_) => {
                // An unsigned number is stored unchanged; the schema states its order.
                let (least, most) = both(match range {
                    Range::Whole(least, most) => Some((least as i32, most as i32)),
                    _ => None,
                });
                let statistics = ValueStatistics::new(least, most, None, nulls, false);
                statistics
                    .with_backwards_compatible_min_max(!self.is_unsigned)
                    .into()
            }
            Values::Longs(_) => {
                let (least, most) = both(match range {
                    Range::Whole(least, most) => Some((least, most)),
                    _ => None,
                });
                Statistics::int64(least, most, None, nulls, false)
            }
            Values::Floats(_) => {
                // A zero of either sign may stand for both.
                let (least, most) = both(match range {
                    Range::Floats(least, most) if least <= most => {
                        Some((if least == 0.0 { -0.0 } else { least }, most + 0.0))
                    }
                    _ => None,
                });
                Statistics::float(least, most, None, nulls, false)
            }
            Values::Doubles(_) => {
                let (least, most) = both(match range {
                    Range::Doubles(least, most) if least <= most => {
                        Some((if least == 0.0 { -0.0 } else { least }, most + 0.0))
                    }
                    _ => None,
                });
                Statistics::double(least, most, None, nulls, false)
            }
            Values::Text(_) | Values::Names(..) => {
                let (least, most) = both(match range {
                    Range::Text(least, most)
                        if least.len() <= BOUND_BYTES && most.len() <= BOUND_BYTES =>
                    {
                        Some((ByteArray::from(least), ByteArray::from(most)))
                    }
                    _ => None,
                });
                let statistics = ValueStatistics::new(least, most, None, nulls, false);
                statistics
                    .with_min_is_exact(true)
                    .with_max_is_exact(true)
                    .into()
            }
        }
    }

    pub fn memory_size(&self) -> usize {
        let bits = self.valid.as_ref().map_or(0, |valid| valid.capacity() / 8);
        self.values.memory_size() + bits + self.sizes.bytes
    }
}

/// Adds names by their keys. Each name of the array is looked up once, at its first occurrence.
fn add_names(
    places: &mut Vec<u32>,
    dictionary: &mut Dictionary,
    keys: &[i32],
    nulls: Option<&NullBuffer>,
    names: &StringArray,
) {
    const NEW: u32 = u32::MAX;
    let start = places.len();
    add(places, keys, nulls, |key| key as u32);
    let mut known = vec![NEW; names.len()];
    for place in places.get_mut(start..).unwrap_or_default() {
        // Every key belongs to a name.
        let Some(known) = known.get_mut(*place as usize) else {
            continue;
        };
        if *known == NEW {
            *known = dictionary.place(names.value(*place as usize));
        }
        *place = *known;
    }
}

impl Range {
    fn flags(&mut self, all: bool, any: bool) {
        *self = match self {
            Self::Flags(least, most) => Self::Flags(*least && all, *most || any),
            _ => Self::Flags(all, any),
        };
    }

    fn whole<T: Into<i64>>(&mut self, least: Option<T>, most: Option<T>) {
        let (Some(least), Some(most)) = (least, most) else {
            return;
        };
        let (least, most) = (least.into(), most.into());
        *self = match self {
            Self::Whole(a, b) => Self::Whole(least.min(*a), most.max(*b)),
            _ => Self::Whole(least, most),
        };
    }

    fn floats(&mut self, numbers: &[f32]) {
        let (least, most) = extremes(numbers, f32::INFINITY, f32::NEG_INFINITY);
        *self = match self {
            Self::Floats(a, b) => Self::Floats(least.min(*a), most.max(*b)),
            _ => Self::Floats(least, most),
        };
    }

    fn doubles(&mut self, numbers: &[f64]) {
        let (least, most) = extremes(numbers, f64::INFINITY, f64::NEG_INFINITY);
        *self = match self {
            Self::Doubles(a, b) => Self::Doubles(least.min(*a), most.max(*b)),
            _ => Self::Doubles(least, most),
        };
    }

    fn text(&mut self, least: &[u8], most: &[u8]) {
        match self {
            Self::Text(a, b) => {
                if least < a.as_slice() {
                    *a = least.to_owned();
                }
                if most > b.as_slice() {
                    *b = most.to_owned();
                }
            }
            _ => *self = Self::Text(least.to_owned(), most.to_owned()),
        }
    }
}

/// The minimum and maximum of some numbers, ignoring NaN, which has no order.
fn extremes<T: Copy + PartialOrd>(numbers: &[T], highest: T, lowest: T) -> (T, T) {
    // Several at a time, for SIMD.
    const LANES: usize = 16;
    let less = |a: T, b: T| if a < b { a } else { b };
    let more = |a: T, b: T| if a > b { a } else { b };
    let (mut least, mut most) = ([highest; LANES], [lowest; LANES]);
    let (whole, rest) = numbers.as_chunks::<LANES>();
    for numbers in whole {
        for lane in 0..LANES {
            least[lane] = less(numbers[lane], least[lane]);
            most[lane] = more(numbers[lane], most[lane]);
        }
    }
    let least = least.iter().chain(rest).fold(highest, |a, &b| less(b, a));
    let most = most.iter().chain(rest).fold(lowest, |a, &b| more(b, a));
    (least, most)
}
