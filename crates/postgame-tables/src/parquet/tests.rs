//! What is written is read again by the `parquet` crate's own reader; other tools are in the tests of this crate.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, Float32Array, Float64Array, Int8Array, Int32Array,
    Int64Array, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array,
};
use arrow::compute::concat_batches;
use arrow::datatypes::{Field, Int32Type, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::statistics::Statistics;

use super::ParquetWriter;

/// Numbers that look like nothing in particular, always the same ones.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0 >> 20
    }
}

/// A batch of all types. On average `absent` of 256 rows have no value; runs have at most `run` rows.
fn batch(rows: usize, absent: u64, run: u64, dice: &mut Dice) -> RecordBatch {
    let mut numbers = Vec::with_capacity(rows);
    while numbers.len() < rows {
        let number = (dice.roll() % 256 >= absent).then(|| dice.roll());
        let length = 1 + dice.roll() % run;
        numbers.extend((0..length).map(|_| number));
    }
    numbers.truncate(rows);
    let text = |number: u64| format!("name {}", number % 300);
    let texts: Vec<Option<String>> = numbers.iter().map(|number| number.map(text)).collect();
    let names: DictionaryArray<Int32Type> = texts.iter().map(Option::as_deref).collect();
    macro_rules! column {
        ($Array:ty, $convert:expr) => {
            Arc::new(
                numbers
                    .iter()
                    .map(|number| number.map($convert))
                    .collect::<$Array>(),
            ) as ArrayRef
        };
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("flag", column!(BooleanArray, |number| number % 2 == 0)),
        ("u8", column!(UInt8Array, |number| number as u8)),
        ("u16", column!(UInt16Array, |number| number as u16)),
        ("u32", column!(UInt32Array, |number| number as u32)),
        ("i8", column!(Int8Array, |number| number as i8)),
        ("i32", column!(Int32Array, |number| number as i32)),
        (
            "i64",
            column!(Int64Array, |number| (number as i64)
                .wrapping_mul(0x0123_4567_89ab)),
        ),
        ("f32", column!(Float32Array, |number| number as f32 - 1e6)),
        ("f64", column!(Float64Array, |number| number as f64 / 3.0)),
        ("text", Arc::new(StringArray::from(texts.clone()))),
        ("name", Arc::new(names)),
    ];
    let fields = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays).unwrap()
}

fn write(schema: &SchemaRef, batches: &[RecordBatch]) -> Bytes {
    let mut file = Vec::new();
    let mut writer = ParquetWriter::new(schema, &mut file).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.close().unwrap();
    file.into()
}

fn read(file: Bytes) -> (Arc<ParquetMetaData>, Vec<RecordBatch>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let metadata = Arc::clone(reader.metadata());
    let batches = reader.with_batch_size(50_000).build().unwrap();
    (metadata, batches.map(Result::unwrap).collect())
}

#[test]
fn what_is_written_is_read_again() {
    let mut dice = Dice(7);
    for (sizes, absent, run) in [
        (vec![0], 0, 1),
        (vec![1], 0, 1),
        (vec![1], 256, 1),
        (vec![7, 8, 9, 31, 32, 33, 127, 128, 129, 130], 0, 1),
        (vec![1000, 3, 2000], 200, 1),
        (vec![5000, 5000], 20, 30),
        (vec![5000, 5000], 120, 9),
        (vec![1000, 1000], 256, 1),
        (vec![32_768; 9], 3, 200),
        (vec![32_768; 17], 0, 2000),
    ] {
        let batches: Vec<RecordBatch> = sizes
            .iter()
            .map(|&rows| batch(rows, absent, run, &mut dice))
            .collect();
        let schema = batches[0].schema();
        let (metadata, again) = read(write(&schema, &batches));
        let rows: usize = sizes.iter().sum();
        assert_eq!(
            metadata.num_row_groups(),
            rows.div_ceil(super::ROW_GROUP_ROWS)
        );
        let written = concat_batches(&schema, &batches).unwrap();
        let again = concat_batches(&schema, &again).unwrap();
        assert_eq!(again.num_rows(), rows);
        for (column, field) in schema.fields().iter().enumerate() {
            // Dictionaries may have another order; their values count.
            let plain = |batch: &RecordBatch| match field.name().as_str() {
                "name" => {
                    let text = arrow::datatypes::DataType::Utf8;
                    arrow::compute::cast(batch.column(column), &text).unwrap()
                }
                _ => batch.column(column).clone(),
            };
            let (one, other) = (plain(&written), plain(&again));
            assert!(one == other, "{field:?} of {sizes:?}");
        }
    }
}

#[test]
fn parts_of_arrays_are_written_as_such() {
    let whole = batch(1000, 60, 5, &mut Dice(3));
    let (_, again) = read(write(&whole.schema(), &[whole.slice(13, 777)]));
    assert_eq!(again[0].column(7), &whole.column(7).slice(13, 777));
    assert_eq!(again[0].column(0), &whole.column(0).slice(13, 777));
    assert_eq!(again[0].column(9), &whole.column(9).slice(13, 777));
}

#[test]
fn chunks_tell_their_range() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "f32",
            Arc::new(Float32Array::from(vec![
                Some(0.0),
                Some(f32::NAN),
                None,
                Some(-2.5),
            ])),
        ),
        (
            "u32",
            Arc::new(UInt32Array::from(vec![Some(3), Some(u32::MAX), None, None])),
        ),
        ("nothing", Arc::new(Int64Array::from(vec![None; 4]))),
        (
            "text",
            Arc::new(StringArray::from(vec![
                Some("b"),
                None,
                Some("a"),
                Some("ab"),
            ])),
        ),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    let (metadata, _) = read(write(&batch.schema(), &[batch]));
    let statistics: Vec<&Statistics> = metadata
        .row_group(0)
        .columns()
        .iter()
        .map(|column| column.statistics().unwrap())
        .collect();
    let nulls = statistics.iter().map(|column| column.null_count_opt());
    assert!(nulls.eq([Some(1), Some(2), Some(4), Some(1)]));
    let Statistics::Float(floats) = statistics[0] else {
        panic!()
    };
    assert_eq!(
        (floats.min_opt(), floats.max_opt()),
        (Some(&-2.5), Some(&0.0))
    );
    let Statistics::Int32(whole) = statistics[1] else {
        panic!()
    };
    assert_eq!((whole.min_opt(), whole.max_opt()), (Some(&3), Some(&-1)));
    assert_eq!(statistics[2].min_bytes_opt(), None);
    assert_eq!(statistics[3].min_bytes_opt(), Some(&b"a"[..]));
    assert_eq!(statistics[3].max_bytes_opt(), Some(&b"b"[..]));
}
