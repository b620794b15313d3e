//! Structures of the mod FicsIt-Networks: traces of its network and panels of modules.

use serde::{Deserialize, Serialize};

use super::basic::{Bool32, Ref};
use super::strings::Str;
use crate::error::{Context as _, Error, Result};
use crate::limits::Charge as _;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::record::{LittleBytes, Wire};

/// An object of a network and the way to it: `FIRTrace`, earlier `FINNetworkTrace`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The object.
    pub object: Ref,
    /// Whether the way to it has another step.
    pub has_previous: Bool32,
    /// The way up to the step before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Box<Trace>>,
    /// Whether the last step has a name.
    pub has_step: Bool32,
    /// The name of the last step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Str>,
}

impl Wire<LittleBytes, Scope> for Trace {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        scope
            .charge(size_of::<Self>())
            .map_err(|error| error.at(reader.place()))?;
        let object = Ref::read(reader, scope).field("object")?;
        let has_previous = Bool32::read(reader, scope).field("has_previous")?;
        let previous = if has_previous.is_set() {
            let previous = scope.deeper(|| Self::read(reader, scope));
            Some(Box::new(previous.field("previous")?))
        } else {
            None
        };
        let has_step = Bool32::read(reader, scope).field("has_step")?;
        let step = if has_step.is_set() {
            Some(Str::read(reader, scope).field("step")?)
        } else {
            None
        };
        Ok(Self {
            object,
            has_previous,
            previous,
            has_step,
            step,
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        let Self {
            object,
            has_previous,
            previous,
            has_step,
            step,
        } = self;
        if has_previous.is_set() != previous.is_some() || has_step.is_set() != step.is_some() {
            return Err(Error::unwritable(
                "a trace's contents do not match its flags",
            ));
        }
        object.write(writer, scope)?;
        has_previous.write(writer, scope)?;
        if let Some(previous) = previous {
            previous.write(writer, scope)?;
        }
        has_step.write(writer, scope)?;
        step.iter().try_for_each(|step| step.write(writer, scope))
    }
}

impl Trace {
    /// The object and those on the way to it, the nearest first.
    pub fn objects_mut(&mut self) -> Vec<&mut Ref> {
        let mut objects = Vec::new();
        let mut next = Some(self);
        while let Some(Self {
            object, previous, ..
        }) = next
        {
            objects.push(object);
            next = previous.as_deref_mut();
        }
        objects
    }
}

/// The modules of a panel, row by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// The list that every component ends with, always empty.
    pub component: i32,
    /// How many rows.
    pub height: i32,
    /// How many modules in a row.
    pub width: i32,
    /// The modules.
    pub modules: Vec<Ref>,
}

/// Bytes of a null reference, the smallest there is.
const MIN_REF_BYTES: usize = 8;

impl Panel {
    fn cells(height: i32, width: i32) -> Option<usize> {
        let (height, width) = (usize::try_from(height).ok()?, usize::try_from(width).ok()?);
        height.checked_mul(width)
    }
}

impl Wire<LittleBytes, Scope> for Panel {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let component = reader.i32().field("component")?;
        let height = reader.i32().field("height")?;
        let width = reader.i32().field("width")?;
        let cells =
            Self::cells(height, width).filter(|cells| *cells <= reader.left() / MIN_REF_BYTES);
        let cells = cells.ok_or_else(|| reader.invalid("a panel is larger than its data"))?;
        scope
            .charge(cells * size_of::<Ref>())
            .map_err(|error| error.at(reader.place()))?;
        let modules = (0..cells).map(|index| Ref::read(reader, scope).index(index));
        Ok(Self {
            component,
            height,
            width,
            modules: modules.collect::<Result<_>>().field("modules")?,
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        let Self {
            component,
            height,
            width,
            modules,
        } = self;
        if Self::cells(*height, *width) != Some(modules.len()) {
            return Err(Error::unwritable("a panel's modules do not fill its rows"));
        }
        writer.i32(*component);
        writer.i32(*height);
        writer.i32(*width);
        let mut modules = modules.iter().enumerate();
        modules.try_for_each(|(index, module)| module.write(writer, scope).index(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &impl Wire<LittleBytes, Scope>) -> Vec<u8> {
        let mut writer = ByteWriter::with_capacity(0);
        value.write(&mut writer, &Scope::default()).unwrap();
        writer.into_bytes()
    }

    fn read<T: Wire<LittleBytes, Scope>>(bytes: &[u8]) -> Result<T> {
        T::read(&mut ByteReader::new(bytes), &Scope::default())
    }

    fn trace(depth: usize) -> Trace {
        let previous = (depth > 0).then(|| Box::new(trace(depth - 1)));
        Trace {
            object: Ref::new("Persistent_Level", &format!("Screen_{depth}")),
            has_previous: Bool32::from(previous.is_some()),
            previous,
            has_step: Bool32::from(depth.is_multiple_of(2)),
            step: depth.is_multiple_of(2).then(|| "Cable".into()),
        }
    }

    #[test]
    fn traces_come_back() {
        for depth in [0, 1, 5] {
            let trace = trace(depth);
            assert_eq!(read::<Trace>(&written(&trace)).unwrap(), trace);
        }
    }

    #[test]
    fn endless_traces_are_refused() {
        // A null reference, and another trace, again and again.
        let bytes: Vec<u8> = [0_u32, 0, 1].map(u32::to_le_bytes).concat().repeat(100_000);
        assert!(read::<Trace>(&bytes).is_err());
    }

    #[test]
    fn panels_come_back_and_must_be_full() {
        let panel = Panel {
            component: 0,
            height: 2,
            width: 3,
            modules: (0..6)
                .map(|index| Ref::new("Persistent_Level", &format!("Button_{index}")))
                .collect(),
        };
        assert_eq!(read::<Panel>(&written(&panel)).unwrap(), panel);
        let lacking = Panel { width: 4, ..panel };
        let mut writer = ByteWriter::with_capacity(0);
        assert!(lacking.write(&mut writer, &Scope::default()).is_err());
        for [height, width] in [[i32::MAX, i32::MAX], [-1, -1], [2, 2]] {
            let bytes = [0, height, width].map(i32::to_le_bytes).concat();
            assert!(read::<Panel>(&bytes).is_err());
        }
    }
}
