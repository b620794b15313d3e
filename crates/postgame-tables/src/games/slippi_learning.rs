//! Slippi games of two in slippi-ai's schema, with its types: for machine learning.
//!
//! The schema is the library's (`postgame::slippi::learning`), so the table is not declared with `table!`.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, BooleanArray, Float32Array, UInt8Array, UInt16Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use postgame::slippi::coords;
use postgame::slippi::learning::{self, Values};
use postgame::slippi::model::frames::Copies;
use postgame::{Depth, Format, Recording};

use crate::kinds::{F64, I32, Kind, Name};
use crate::source::Source;
use crate::table::{ColumnDoc, Sink, Table, TableOptions};

/// The columns before those of the schema.
const OWN: [ColumnDoc; 3] = [
    ColumnDoc {
        name: "recording_id",
        kind: "Name",
        doc: " The recording.",
    },
    ColumnDoc {
        name: "time_s",
        kind: "F64",
        doc: " When, from the first frame on.",
    },
    ColumnDoc {
        name: "frame",
        kind: "I32",
        doc: " The frame's number.",
    },
];

/// All columns. The names of the schema are made once and kept.
static COLUMNS: LazyLock<Vec<ColumnDoc>> = LazyLock::new(|| {
    let schema = learning::schema().into_iter().map(|column| ColumnDoc {
        kind: match column.values {
            Values::Flag(_) => "Flag",
            Values::U8(_) => "U8",
            Values::U16(_) => "U16",
            Values::F32(_) => "F32",
        },
        doc: doc(&column.name),
        name: column.name.leak(),
    });
    OWN.into_iter().chain(schema).collect()
});

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |column: &ColumnDoc| {
        let data_type = match column.kind {
            "Name" => Name::data_type(),
            "F64" => DataType::Float64,
            "I32" => DataType::Int32,
            "Flag" => DataType::Boolean,
            "U8" => DataType::UInt8,
            "U16" => DataType::UInt16,
            _ => DataType::Float32,
        };
        Field::new(column.name, data_type, true)
    };
    Arc::new(Schema::new(COLUMNS.iter().map(field).collect::<Vec<_>>()))
});

/// What a column of the schema means, by the last part of its name.
fn doc(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or(name, |(_, last)| last) {
        "exists" => " Whether it is there; if not, the rest is zero.",
        "percent" => " Percent, cut to whole numbers.",
        "facing" => " Whether the character faces right.",
        "action" => " The action state.",
        "state" => " The item's state.",
        "type" => " The item's type.",
        "invulnerable" => " Whether the character cannot be hit.",
        "character" => " The character, as the game counts them.",
        "jumps_left" => " Jumps left.",
        "shield_strength" => " The shield's strength.",
        "on_ground" => " Whether the character stands on something.",
        "shoulder" => " The trigger, from 0 to 1.",
        "stage" => " The stage, as libmelee counts them.",
        "left" | "right" => " Height of a platform of Fountain of Dreams.",
        "x" | "y" if name.contains("_stick.") => " The stick, from 0 to 1.",
        "x" | "y" => " Position in the game's units.",
        _ => " Whether the button is held.",
    }
}

/// One row for every frame of a game of two, in slippi-ai's schema: `p0` is the lower port, a row is the first computation of
/// its frame, which is what the players saw.
#[derive(Clone, Copy, Debug)]
pub struct Learning;

impl Table for Learning {
    fn name(&self) -> &'static str {
        "learning"
    }

    fn doc(&self) -> &'static str {
        " One row for every frame of a game of two, in slippi-ai's schema: `p0` is the lower port, a row is the first computation of \
         its frame, which is what the players saw."
    }

    fn formats(&self) -> &'static [Format] {
        &[Format::Slippi]
    }

    fn depth(&self) -> Depth {
        Depth::Full
    }

    fn columns(&self) -> &'static [ColumnDoc] {
        &COLUMNS
    }

    fn schema(&self) -> SchemaRef {
        SCHEMA.clone()
    }

    fn fill(
        &self,
        source: &Source,
        options: &TableOptions,
        sink: Sink<'_>,
    ) -> Result<(), ArrowError> {
        let Recording::Slippi(replay) = &source.recording else {
            return Ok(());
        };
        let (Some(columns), Some(frames)) =
            (learning::columns(replay, Copies::First), &replay.frames)
        else {
            return Ok(());
        };
        let schema = options.project(&self.schema())?;
        let rows = frames.rows(Copies::First);
        let batch_rows = options.batch_rows.max(1);
        for (number, rows) in rows.chunks(batch_rows).enumerate() {
            let from = number * batch_rows;
            let own = (0..OWN.len()).map(|place| {
                let is_wanted = options.wants(place);
                is_wanted.then(|| own_column(place, &source.id, frames, rows))
            });
            let others = columns.iter().enumerate().map(|(place, column)| {
                let is_wanted = options.wants(OWN.len() + place);
                is_wanted.then(|| array(&column.values, from, rows.len()))
            });
            let made = own.chain(others).collect();
            sink(options.batch(&schema, made, rows.len())?)?;
        }
        Ok(())
    }
}

fn own_column(
    place: usize,
    id: &str,
    frames: &postgame::slippi::model::frames::Frames,
    rows: &[usize],
) -> ArrayRef {
    let frame = |row: &usize| frames.ids.get(*row).copied();
    match place {
        0 => {
            let mut builder = <Name as Kind>::Builder::default();
            for _ in rows {
                Name::append(&mut builder, Some(id));
            }
            Name::finish(&mut builder)
        }
        1 => {
            let mut builder = <F64 as Kind>::Builder::default();
            for row in rows {
                F64::append(&mut builder, frame(row).map(coords::time_s));
            }
            F64::finish(&mut builder)
        }
        _ => {
            let mut builder = <I32 as Kind>::Builder::default();
            for row in rows {
                I32::append(&mut builder, frame(row));
            }
            I32::finish(&mut builder)
        }
    }
}

/// A part of a column.
fn array(values: &Values, from: usize, count: usize) -> ArrayRef {
    let part = from..from + count;
    match values {
        Values::Flag(values) => Arc::new(BooleanArray::from(
            values.get(part).unwrap_or_default().to_vec(),
        )),
        Values::U8(values) => Arc::new(UInt8Array::from_iter_values(
            values.get(part).unwrap_or_default().iter().copied(),
        )),
        Values::U16(values) => Arc::new(UInt16Array::from_iter_values(
            values.get(part).unwrap_or_default().iter().copied(),
        )),
        Values::F32(values) => Arc::new(Float32Array::from_iter_values(
            values.get(part).unwrap_or_default().iter().copied(),
        )),
    }
}
