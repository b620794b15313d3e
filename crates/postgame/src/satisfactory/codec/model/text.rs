//! Localised text, with the source of its translation.

use serde::{Deserialize, Serialize};

use super::basic::Bool32;
use super::strings::Str;
use crate::error::{Context as _, Result};
use crate::limits::Charge as _;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::json_by_serde;
use crate::wire::record::{LittleBytes, Wire};

/// A localised text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// Flags for its use.
    pub flags: u32,
    /// Its source.
    pub history: History,
}

/// The source of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum History {
    /// No source: the text itself, or none (−1).
    None {
        /// Whether there is a text.
        is_set: Bool32,
        /// The text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<Str>,
    },
    /// A translatable text (0).
    Base {
        /// The namespace of the key.
        namespace: Str,
        /// The key of the translation.
        key: Str,
        /// The text in the game's first language.
        source: Str,
    },
    /// A pattern with named values (1).
    Named {
        /// The pattern.
        pattern: Box<Text>,
        /// The values by name.
        values: Vec<(Str, Argument)>,
    },
    /// A pattern with values in order (2).
    Ordered {
        /// The pattern.
        pattern: Box<Text>,
        /// The values.
        values: Vec<Argument>,
    },
    /// A pattern with named values, as created by scripts (3).
    Format {
        /// The pattern.
        pattern: Box<Text>,
        /// The values by name.
        values: Vec<(Str, Argument)>,
    },
    /// Another text in upper or lower case (10).
    Transform {
        /// The other text.
        source: Box<Text>,
        /// The transformation.
        transform: u8,
    },
    /// An entry of a string table (11).
    Table {
        /// The table.
        table: Str,
        /// The key in it.
        key: Str,
    },
}

/// A value in a pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// An integer of eight bytes (0).
    Int(i64),
    /// An integer of four bytes (0, as created by scripts).
    Int32(i32),
    /// An unsigned integer of eight bytes (1).
    UInt(u64),
    /// A single-precision number (2).
    Float(#[serde(with = "crate::wire::json")] f32),
    /// A double-precision number (3).
    Double(#[serde(with = "crate::wire::json")] f64),
    /// A text (4).
    Text(Box<Text>),
    /// A grammatical gender (5).
    Gender(u8),
}

impl Argument {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope, from_script: bool) -> Result<Self> {
        Ok(match reader.u8()? {
            0 if from_script => Self::Int32(reader.i32()?),
            0 => Self::Int(reader.i64()?),
            1 => Self::UInt(reader.u64()?),
            2 => Self::Float(reader.f32()?),
            3 => Self::Double(reader.f64()?),
            4 => Self::Text(Box::new(Text::read(reader, scope)?)),
            5 => Self::Gender(reader.u8()?),
            kind => {
                return Err(reader.invalid(format!("a text's value is of the unknown kind {kind}")));
            }
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        writer.u8(match self {
            Self::Int(_) | Self::Int32(_) => 0,
            Self::UInt(_) => 1,
            Self::Float(_) => 2,
            Self::Double(_) => 3,
            Self::Text(_) => 4,
            Self::Gender(_) => 5,
        });
        match self {
            Self::Int(value) => writer.i64(*value),
            Self::Int32(value) => writer.i32(*value),
            Self::UInt(value) => writer.u64(*value),
            Self::Float(value) => writer.f32(*value),
            Self::Double(value) => writer.f64(*value),
            Self::Text(value) => value.write(writer, scope)?,
            Self::Gender(value) => writer.u8(*value),
        }
        Ok(())
    }
}

fn read_named(
    reader: &mut ByteReader<'_>,
    scope: &Scope,
    from_script: bool,
) -> Result<Vec<(Str, Argument)>> {
    let count = reader.count("a text's values", 6)?;
    (0..count)
        .map(|index| {
            scope.charge(size_of::<(Str, Argument)>())?;
            let name = Str::read(reader, scope).index(index)?;
            Ok((
                name,
                Argument::read(reader, scope, from_script).index(index)?,
            ))
        })
        .collect()
}

fn write_named(values: &[(Str, Argument)], writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
    writer.count("a text's values", values.len())?;
    values.iter().try_for_each(|(name, value)| {
        name.write(writer, scope)?;
        value.write(writer, scope)
    })
}

impl Wire<LittleBytes, Scope> for Text {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let flags = reader.u32().field("flags")?;
        let inner =
            |reader: &mut ByteReader<'_>| scope.deeper(|| Text::read(reader, scope)).map(Box::new);
        let history = match reader.i8().field("history")? {
            -1 => {
                let is_set = Bool32::read(reader, scope)?;
                let text = if is_set.is_set() {
                    Some(Str::read(reader, scope)?)
                } else {
                    None
                };
                History::None { is_set, text }
            }
            0 => History::Base {
                namespace: Str::read(reader, scope)?,
                key: Str::read(reader, scope)?,
                source: Str::read(reader, scope)?,
            },
            1 => History::Named {
                pattern: inner(reader)?,
                values: scope.deeper(|| read_named(reader, scope, false))?,
            },
            2 => {
                let pattern = inner(reader)?;
                let count = reader.count("a text's values", 2)?;
                let values = scope.deeper(|| {
                    (0..count)
                        .map(|index| Argument::read(reader, scope, false).index(index))
                        .collect()
                })?;
                History::Ordered { pattern, values }
            }
            3 => History::Format {
                pattern: inner(reader)?,
                values: scope.deeper(|| read_named(reader, scope, true))?,
            },
            10 => History::Transform {
                source: inner(reader)?,
                transform: reader.u8()?,
            },
            11 => History::Table {
                table: Str::read(reader, scope)?,
                key: Str::read(reader, scope)?,
            },
            kind => return Err(reader.invalid(format!("a text has the unknown history {kind}"))),
        };
        Ok(Self { flags, history })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        writer.u32(self.flags);
        match &self.history {
            History::None { is_set, text } => {
                writer.i8(-1);
                is_set.write(writer, scope)?;
                text.iter().try_for_each(|text| text.write(writer, scope))
            }
            History::Base {
                namespace,
                key,
                source,
            } => {
                writer.i8(0);
                [namespace, key, source]
                    .iter()
                    .try_for_each(|text| text.write(writer, scope))
            }
            History::Named { pattern, values } => {
                writer.i8(1);
                pattern.write(writer, scope)?;
                write_named(values, writer, scope)
            }
            History::Ordered { pattern, values } => {
                writer.i8(2);
                pattern.write(writer, scope)?;
                writer.count("a text's values", values.len())?;
                values
                    .iter()
                    .try_for_each(|value| value.write(writer, scope))
            }
            History::Format { pattern, values } => {
                writer.i8(3);
                pattern.write(writer, scope)?;
                write_named(values, writer, scope)
            }
            History::Transform { source, transform } => {
                writer.i8(10);
                source.write(writer, scope)?;
                writer.u8(*transform);
                Ok(())
            }
            History::Table { table, key } => {
                writer.i8(11);
                table.write(writer, scope)?;
                key.write(writer, scope)
            }
        }
    }
}

json_by_serde!(Text);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self {
            flags: 18,
            history: History::None {
                is_set: true.into(),
                text: Some(text.into()),
            },
        }
    }
}
