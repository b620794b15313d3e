//! UBJSON (draft 12), the notation of everything in a replay except its events. Kept exactly: the integer type of a
//! number or a length, the order of keys, and whether a container declares its type and count.

use crate::error::{Error, Result};
use crate::limits::Budget;
use crate::wire::bytes::{Big, ByteReader, ByteWriter};
use crate::wire::strings::Text;

/// Maximum nesting. Real metadata has four levels; twice this stays below the limit of JSON readers.
const DEEPEST: usize = 40;

/// The type of an integer; recorders write lengths as [`IntType::U8`] and values as [`IntType::I32`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntType {
    /// `i`
    I8,
    /// `U`
    #[default]
    U8,
    /// `I`
    I16,
    /// `l`
    I32,
    /// `L`
    I64,
}

impl IntType {
    /// Every type, with its marker and its name in JSON.
    const ALL: [(Self, u8, &'static str); 5] = [
        (Self::I8, b'i', "i8"),
        (Self::U8, b'U', "u8"),
        (Self::I16, b'I', "i16"),
        (Self::I32, b'l', "i32"),
        (Self::I64, b'L', "i64"),
    ];

    fn of_marker(marker: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|row| row.1 == marker)
            .map(|row| row.0)
    }

    fn marker(self) -> u8 {
        Self::ALL
            .into_iter()
            .find(|row| row.0 == self)
            .map_or(b'L', |row| row.1)
    }

    /// Its name: `u8`, `i32` and so on.
    pub fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|row| row.0 == self)
            .map_or("", |row| row.2)
    }

    /// The type of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|row| row.2 == name)
            .map(|row| row.0)
    }

    fn read(self, reader: &mut ByteReader<'_, Big>) -> Result<i64> {
        Ok(match self {
            Self::I8 => reader.i8()?.into(),
            Self::U8 => reader.u8()?.into(),
            Self::I16 => reader.i16()?.into(),
            Self::I32 => reader.i32()?.into(),
            Self::I64 => reader.i64()?,
        })
    }

    fn write(self, value: i64, writer: &mut ByteWriter<Big>) -> Result<()> {
        let wide = |_| Error::unwritable(format!("{value} does not fit into {}", self.name()));
        match self {
            Self::I8 => writer.i8(value.try_into().map_err(wide)?),
            Self::U8 => writer.u8(value.try_into().map_err(wide)?),
            Self::I16 => writer.i16(value.try_into().map_err(wide)?),
            Self::I32 => writer.i32(value.try_into().map_err(wide)?),
            Self::I64 => writer.i64(value),
        }
        Ok(())
    }
}

/// Text preceded by its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Str {
    /// The text.
    pub text: Text,
    /// The type of its length.
    pub length: IntType,
}

impl From<&str> for Str {
    /// A text as recorders write it; texts longer than 255 bytes get a wider length.
    fn from(text: &str) -> Self {
        let length = if text.len() > 255 {
            IntType::I32
        } else {
            IntType::U8
        };
        Self {
            text: text.into(),
            length,
        }
    }
}

/// The optional declarations before the values of a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The marker of all its values (`$`); the values then have no markers of their own.
    pub marker: Option<u8>,
    /// The type of its count (`#`); there is then no closing bracket.
    pub count: Option<IntType>,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `Z`
    Null,
    /// `N`, a filler without meaning
    Noop,
    /// `T` or `F`
    Bool(bool),
    /// `i U I l L`
    Int(IntType, i64),
    /// `d`
    F32(f32),
    /// `D`
    F64(f64),
    /// `H`, a number as text
    Precise(Str),
    /// `C`
    Char(u8),
    /// `S`
    Str(Str),
    /// `[`
    Array(Form, Vec<Value>),
    /// `{`
    Object(Form, Pairs),
}

/// The members of an object, in file order.
pub type Pairs = Vec<(Str, Value)>;

impl Value {
    /// An integer as recorders write it.
    pub fn int(value: i32) -> Self {
        Self::Int(IntType::I32, value.into())
    }

    /// A text as recorders write it.
    pub fn text(text: &str) -> Self {
        Self::Str(text.into())
    }

    /// An object as recorders write it.
    pub fn object<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
        Self::Object(Form::default(), pairs.collect())
    }

    /// The first member with a key, of an object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        find(self.pairs(), key)
    }

    /// The members of an object; none for any other value.
    pub fn pairs(&self) -> &[(Str, Value)] {
        match self {
            Self::Object(_, pairs) => pairs,
            _ => &[],
        }
    }

    /// The integer, if this is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(_, value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Str(string) => Some(&string.text),
            _ => None,
        }
    }

    /// Reads a value with its marker.
    ///
    /// # Errors
    /// When the data is too short, has an unknown marker, or is nested too deeply.
    pub fn read(reader: &mut ByteReader<'_, Big>, budget: &Budget) -> Result<Self> {
        let marker = reader.u8()?;
        Self::read_as(reader, marker, 0, budget)
    }

    fn read_as(
        reader: &mut ByteReader<'_, Big>,
        marker: u8,
        depth: usize,
        budget: &Budget,
    ) -> Result<Self> {
        if let Some(kind) = IntType::of_marker(marker) {
            return Ok(Self::Int(kind, kind.read(reader)?));
        }
        if depth >= DEEPEST {
            return Err(reader.invalid(format!("nested more than {DEEPEST} levels deep")));
        }
        Ok(match marker {
            b'Z' => Self::Null,
            b'N' => Self::Noop,
            b'T' => Self::Bool(true),
            b'F' => Self::Bool(false),
            b'd' => Self::F32(reader.f32()?),
            b'D' => Self::F64(reader.f64()?),
            b'H' => Self::Precise(Str::read(reader)?),
            b'C' => Self::Char(reader.u8()?),
            b'S' => Self::Str(Str::read(reader)?),
            b'[' => {
                let mut values = Vec::new();
                let form = read_items(reader, b']', |reader, marker| {
                    let marker = marker.map_or_else(|| reader.u8(), Ok)?;
                    charge::<Self>(reader, budget)?;
                    values.push(Self::read_as(reader, marker, depth + 1, budget)?);
                    Ok(())
                })?;
                Self::Array(form, values)
            }
            b'{' => {
                let (form, pairs) = read_pairs(reader, depth, budget)?;
                Self::Object(form, pairs)
            }
            _ => {
                return Err(
                    reader.invalid(format!("no UBJSON value begins with byte {marker:#04x}"))
                );
            }
        })
    }

    fn marker(&self) -> u8 {
        match self {
            Self::Null => b'Z',
            Self::Noop => b'N',
            Self::Bool(true) => b'T',
            Self::Bool(false) => b'F',
            Self::Int(kind, _) => kind.marker(),
            Self::F32(_) => b'd',
            Self::F64(_) => b'D',
            Self::Precise(_) => b'H',
            Self::Char(_) => b'C',
            Self::Str(_) => b'S',
            Self::Array(..) => b'[',
            Self::Object(..) => b'{',
        }
    }

    /// Writes the value with its marker.
    ///
    /// # Errors
    /// When a number does not fit its type, or a container its form.
    pub fn write(&self, writer: &mut ByteWriter<Big>) -> Result<()> {
        writer.u8(self.marker());
        self.write_bare(writer)
    }

    fn write_bare(&self, writer: &mut ByteWriter<Big>) -> Result<()> {
        match self {
            Self::Null | Self::Noop | Self::Bool(_) => {}
            Self::Int(kind, value) => kind.write(*value, writer)?,
            Self::F32(value) => writer.f32(*value),
            Self::F64(value) => writer.f64(*value),
            Self::Char(value) => writer.u8(*value),
            Self::Precise(text) | Self::Str(text) => text.write(writer)?,
            Self::Array(form, values) => {
                form.write(values.len(), writer)?;
                for value in values {
                    form.write_value(value, writer)?;
                }
                if form.count.is_none() {
                    writer.u8(b']');
                }
            }
            Self::Object(form, pairs) => {
                form.write(pairs.len(), writer)?;
                write_pairs(*form, pairs, writer)?;
                if form.count.is_none() {
                    writer.u8(b'}');
                }
            }
        }
        Ok(())
    }
}

/// The first value of a key.
pub fn find<'a>(pairs: &'a [(Str, Value)], key: &str) -> Option<&'a Value> {
    pairs
        .iter()
        .find(|pair| pair.0.text.as_bytes() == key.as_bytes())
        .map(|pair| &pair.1)
}

/// Reads the members of an object and its closing bracket, after its opening one.
///
/// # Errors
/// When the data is too short or not UBJSON.
pub(crate) fn read_members(reader: &mut ByteReader<'_, Big>, budget: &Budget) -> Result<Pairs> {
    let mut pairs = Vec::new();
    while reader.rest().first() != Some(&b'}') {
        pairs.push(read_pair(reader, None, 0, budget)?);
    }
    reader.u8()?;
    Ok(pairs)
}

/// Writes the members of an object, without brackets.
///
/// # Errors
/// As [`Value::write`].
pub(crate) fn write_members(pairs: &[(Str, Value)], writer: &mut ByteWriter<Big>) -> Result<()> {
    write_pairs(Form::default(), pairs, writer)
}

/// Reads the members of an object and its closing bracket from the start of `bytes`; returns their size, too.
///
/// # Errors
/// When the bytes are not UBJSON, or need more memory than the budget allows.
pub fn members_from_bytes(bytes: &[u8], budget: &Budget) -> Result<(Pairs, usize)> {
    let mut reader = ByteReader::new(bytes);
    let members = read_members(&mut reader, budget)?;
    Ok((members, reader.position()))
}

/// The members of an object without its brackets.
///
/// # Errors
/// When a value does not fit its stated type.
pub fn members_to_bytes(members: &[(Str, Value)]) -> Result<Vec<u8>> {
    let mut writer = ByteWriter::new();
    write_members(members, &mut writer)?;
    Ok(writer.into_bytes())
}

fn read_pairs(
    reader: &mut ByteReader<'_, Big>,
    depth: usize,
    budget: &Budget,
) -> Result<(Form, Pairs)> {
    let mut pairs = Vec::new();
    let form = read_items(reader, b'}', |reader, marker| {
        pairs.push(read_pair(reader, marker, depth, budget)?);
        Ok(())
    })?;
    Ok((form, pairs))
}

fn read_pair(
    reader: &mut ByteReader<'_, Big>,
    marker: Option<u8>,
    depth: usize,
    budget: &Budget,
) -> Result<(Str, Value)> {
    charge::<(Str, Value)>(reader, budget)?;
    let key = Str::read(reader)?;
    let marker = match marker {
        Some(marker) => marker,
        None => reader
            .u8()
            .map_err(|error| error.in_named(key.text.to_string()))?,
    };
    let value = Value::read_as(reader, marker, depth + 1, budget);
    let value = value.map_err(|error| error.in_named(key.text.to_string()))?;
    Ok((key, value))
}

/// Charges memory for one item of a list: some items take no bytes in the file, so the file's size does not bound them.
fn charge<T>(reader: &ByteReader<'_, Big>, budget: &Budget) -> Result<()> {
    let charged = budget.charge(size_of::<T>() as u64);
    charged.map_err(|error| error.at(reader.place()))
}

/// Reads a container's form and its items, one call of `item` each, until its count or its closing bracket.
fn read_items<'a>(
    reader: &mut ByteReader<'a, Big>,
    close: u8,
    mut item: impl FnMut(&mut ByteReader<'a, Big>, Option<u8>) -> Result<()>,
) -> Result<Form> {
    let mut form = Form::default();
    if reader.rest().first() == Some(&b'$') {
        reader.u8()?;
        form.marker = Some(reader.u8()?);
    }
    if reader.rest().first() == Some(&b'#') {
        reader.u8()?;
        let marker = reader.u8()?;
        let Some(kind) = IntType::of_marker(marker) else {
            return Err(reader.invalid(format!("a count cannot have the type {marker:#04x}")));
        };
        let place = reader.place();
        let count = kind.read(reader)?;
        // Every item takes at least a byte; items that take none are not worth a list of their own.
        if count < 0 || count as u64 > reader.left() as u64 {
            return Err(Error::too_large("a count", count as u64, reader.left() as u64).at(place));
        }
        form.count = Some(kind);
        for _ in 0..count {
            item(reader, form.marker)?;
        }
    } else if form.marker.is_some() {
        return Err(reader.invalid("a container has a type but no count"));
    } else {
        while reader.rest().first() != Some(&close) {
            item(reader, None)?;
        }
        reader.u8()?;
    }
    Ok(form)
}

fn write_pairs(form: Form, pairs: &[(Str, Value)], writer: &mut ByteWriter<Big>) -> Result<()> {
    for (key, value) in pairs {
        key.write(writer)?;
        form.write_value(value, writer)?;
    }
    Ok(())
}

impl Form {
    fn write(self, count: usize, writer: &mut ByteWriter<Big>) -> Result<()> {
        if let Some(marker) = self.marker {
            writer.bytes(&[b'$', marker]);
        }
        if let Some(kind) = self.count {
            writer.bytes(&[b'#', kind.marker()]);
            kind.write(count as i64, writer)?;
        }
        Ok(())
    }

    fn write_value(self, value: &Value, writer: &mut ByteWriter<Big>) -> Result<()> {
        match self.marker {
            None => value.write(writer),
            Some(marker) if marker == value.marker() => value.write_bare(writer),
            Some(_) => Err(Error::unwritable(
                "a container of one type holds a value of another",
            )),
        }
    }
}

impl Str {
    fn read(reader: &mut ByteReader<'_, Big>) -> Result<Self> {
        let place = reader.place();
        let marker = reader.u8()?;
        let Some(length) = IntType::of_marker(marker) else {
            return Err(
                Error::invalid(format!("a length cannot have the type {marker:#04x}")).at(place),
            );
        };
        let count = length.read(reader)?;
        let Ok(count) = usize::try_from(count) else {
            return Err(Error::invalid(format!("a length of {count} is negative")).at(place));
        };
        let text = reader.bytes(count)?.to_vec().into();
        Ok(Self { text, length })
    }

    fn write(&self, writer: &mut ByteWriter<Big>) -> Result<()> {
        let Self { text, length } = self;
        writer.u8(length.marker());
        length.write(text.as_bytes().len() as i64, writer)?;
        writer.bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Every value that can be read is written back unchanged.
        #[test]
        fn any_value_comes_back(bytes in prop::collection::vec(prop::sample::select(b"[{]}$#iUIlLdDTFZNSCH\x00\x01\x02a".to_vec()), 1..40)) {
            let mut reader = ByteReader::new(&bytes);
            if let Ok(value) = Value::read(&mut reader, &Budget::default()) {
                let mut writer = ByteWriter::new();
                value.write(&mut writer).unwrap();
                prop_assert_eq!(writer.as_bytes(), &bytes[..reader.position()]);
                let json = serde_json::to_string(&value).unwrap();
                let mut writer = ByteWriter::new();
                serde_json::from_str::<Value>(&json).unwrap().write(&mut writer).unwrap();
                prop_assert_eq!(writer.as_bytes(), &bytes[..reader.position()]);
            }
        }
    }

    fn there_and_back(bytes: &[u8]) -> Value {
        let mut reader = ByteReader::new(bytes);
        let value = Value::read(&mut reader, &Budget::default()).unwrap();
        assert!(reader.is_empty());
        let written = |value: &Value| {
            let mut writer = ByteWriter::new();
            value.write(&mut writer).unwrap();
            writer.into_bytes()
        };
        assert_eq!(written(&value), bytes);
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(
            written(&serde_json::from_str(&json).unwrap()),
            bytes,
            "{json}"
        );
        value
    }

    #[test]
    fn every_type_and_form_is_kept() {
        for bytes in [
            &b"Z"[..],
            b"N",
            b"T",
            b"F",
            b"i\xff",
            b"U\xff",
            b"I\x80\x00",
            b"l\x00\x00\x00\x01",
            b"L\x00\x00\x00\x00\x00\x00\x00\x01",
            b"d\x7f\xc0\x00\x01",
            b"D\x3f\xf0\x00\x00\x00\x00\x00\x00",
            b"HU\x033.1",
            b"Cx",
            b"SU\x02ab",
            b"Si\x02\xff\xfe",
            b"SI\x00\x00",
            b"[]",
            b"{}",
            b"[U\x01i\x02Z[]]",
            b"[$U#U\x03abc",
            b"[#i\x02U\x01T",
            b"{#U\x01U\x01ai\x05",
            b"{$l#l\x00\x00\x00\x01U\x01a\x00\x00\x00\x07",
            b"{i\x01aZ}",
            b"{U\x01aTU\x01aF}",
            b"{U\x02$aTU\x01bF}",
            b"{U\x01\xffT}",
            b"[$[#U\x01]",
        ] {
            there_and_back(bytes);
        }
        let value = there_and_back(b"{U\x01bl\x00\x00\x00\x07U\x01aSU\x01x}");
        assert_eq!(value.get("b").and_then(Value::as_int), Some(7));
        assert_eq!(
            value.get("a").and_then(Value::as_text).unwrap().to_str(),
            "x"
        );
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"b":7,"a":"x"}"#);
    }

    #[test]
    fn broken_data_is_an_error_with_a_path() {
        let read = |bytes: &[u8]| {
            Value::read(&mut ByteReader::new(bytes), &Budget::default())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            read(b"{U\x01aU"),
            "a: data ends early (wanted 1 bytes, 0 left) at 0x5"
        );
        assert!(read(b"[$Z#l\x7f\xff\xff\xff").contains("is more than the 0 possible here"));
        assert!(read(&[b'['; 200]).contains("levels deep"));
        assert!(read(b"[#U\x03").contains("a count of 3"));
        assert!(read(b"[$U]").contains("a type but no count"));
        assert!(read(b"SL\xff\xff\xff\xff\xff\xff\xff\xff").contains("negative"));
        assert!(read(b"?").contains("0x3f"));
    }
}
