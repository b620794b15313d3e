//! Values by path, such as `mInventoryStacks[3].NumItems`.
//!
//! A path has the names of properties, separated by dots, and the indices of list elements in brackets, from 0. In a
//! [`Body`], a path continues in the object that a reference leads to, so a container's first stack is
//! `mStorageInventory.mInventoryStacks[0].NumItems`:
//!
//! ```
//! use postgame::Recording;
//!
//! let bytes = std::fs::read("../../samples/factory.sav")?;
//! let (mut recording, _) = postgame::read(&bytes, &Default::default())?;
//! let Recording::Satisfactory(save) = &mut recording else { panic!("another format") };
//! let body = save.body.as_mut().ok_or("only the header was read")?;
//!
//! let count = "mStorageInventory.mInventoryStacks[0].NumItems";
//! let container = body.of_class("Build_StorageContainerMk1_C").next().ok_or("no container")?;
//! body.set(container, count, 42)?;
//! assert_eq!(body.get(container, count)?.int(), Some(42));
//! let changed = recording.write()?;
//! # assert_ne!(changed, bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::edit::Place;
use super::model::{Body, Properties, Value};
use super::summary::short_class;
use crate::error::{Error, Result};

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step<'a> {
    /// A property.
    Name(&'a str),
    /// An element of a list.
    Index(usize),
}

/// A plain value, which [`Body::set`] stores in the width of the property that it replaces.
#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A boolean.
    Flag(bool),
    /// A string, a name, or a value of an enumeration.
    Text(String),
}

macro_rules! plain {
    ($($Type:ty => $Variant:ident),*) => {$(
        impl From<$Type> for Plain {
            fn from(value: $Type) -> Self {
                Self::$Variant(value.into())
            }
        }
    )*};
}

plain!(i32 => Int, i64 => Int, u32 => Int, f32 => Real, f64 => Real, bool => Flag, &str => Text, String => Text);

impl Body {
    /// The actors and components of a class, by its full name or by the part after the last dot.
    pub fn of_class(&self, class: &str) -> impl Iterator<Item = Place> {
        let levels = self.all_levels().enumerate();
        levels.flat_map(move |(level_index, level)| {
            let (decoder, form) = (self.decoder(), self.form(level));
            let objects = level.objects.iter().enumerate();
            objects.filter_map(move |(object, entry)| {
                let header = decoder.header(form, entry).ok()?;
                let name = header.class.to_str();
                (name == class || short_class(&name) == class).then_some(Place {
                    level: level_index,
                    object,
                })
            })
        })
    }

    /// A copy of the value at a path from an object.
    ///
    /// # Errors
    /// When there is no such object, or the path leads nowhere.
    pub fn get(&self, place: Place, path: &str) -> Result<Value> {
        let steps = parse(path)?;
        let (place, rest) = self.follow(place, &steps)?;
        let object = self.object(place)?;
        let found = object.properties().and_then(|list| walk(list, rest));
        let Some((value, [])) = found else {
            return Err(missing(path));
        };
        Ok(value.clone())
    }

    /// Changes the value at a path from an object. Its type stays; a missing property is not added, because its type is
    /// unknown.
    ///
    /// # Errors
    /// When there is no such object, the path leads nowhere, or the value does not fit the property.
    pub fn set(&mut self, place: Place, path: &str, value: impl Into<Plain>) -> Result<()> {
        let steps = parse(path)?;
        let (place, rest) = self.follow(place, &steps)?;
        let object = self.object_mut(place)?;
        let fields = object.data.as_mut().and_then(|data| data.fields_mut());
        let list = fields.and_then(|fields| fields.properties.as_mut());
        let old = list.and_then(|list| walk_mut(list, rest));
        let old = old.ok_or_else(|| missing(path))?;
        *old = fitting(old, value.into()).map_err(|error| error.in_named(path))?;
        Ok(())
    }

    /// Follows references until the object that holds the value; returns it with the remaining steps.
    fn follow<'s>(&self, place: Place, steps: &'s [Step<'s>]) -> Result<(Place, &'s [Step<'s>])> {
        let (mut place, mut rest) = (place, steps);
        loop {
            let object = self.object(place)?;
            let found = object.properties().and_then(|list| walk(list, rest));
            let Some((value, after @ [_, ..])) = found else {
                return Ok((place, rest));
            };
            // Every reference takes at least one step, so this ends.
            let Some(target) = value.reference() else {
                return Ok((place, rest));
            };
            let next = self.find_where(|header| header.reference == *target);
            place = next.ok_or_else(|| {
                Error::invalid(format!("the object {} does not exist", target.path))
            })?;
            rest = after;
        }
    }
}

#[cold]
fn missing(path: &str) -> Error {
    Error::invalid(format!("the object has no value {path}"))
}

fn parse(path: &str) -> Result<Vec<Step<'_>>> {
    let odd = || Error::invalid(format!("{path} is not a path like mList[0].mName"));
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, mut indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() {
            return Err(odd());
        }
        steps.push(Step::Name(name));
        while let Some(rest) = indices.strip_prefix('[') {
            let (index, rest) = rest.split_once(']').ok_or_else(odd)?;
            steps.push(Step::Index(index.parse().map_err(|_| odd())?));
            indices = rest;
        }
        if !indices.is_empty() {
            return Err(odd());
        }
    }
    Ok(steps)
}

/// Takes as many steps as lead to a value within the list; returns the value and the other steps.
fn walk<'v, 's>(
    list: &'v Properties,
    steps: &'s [Step<'s>],
) -> Option<(&'v Value, &'s [Step<'s>])> {
    let (Step::Name(name), mut rest) = steps.split_first()? else {
        return None;
    };
    let mut value = list.value(name)?;
    while let Some((step, after)) = rest.split_first() {
        value = match (step, value) {
            (Step::Name(name), Value::Struct(inner)) => inner.properties()?.value(name)?,
            (Step::Index(index), Value::List(list)) => list.items.get(*index)?,
            _ => break,
        };
        rest = after;
    }
    Some((value, rest))
}

/// The value to which all of the steps lead.
fn walk_mut<'v>(list: &'v mut Properties, steps: &[Step<'_>]) -> Option<&'v mut Value> {
    let (Step::Name(name), rest) = steps.split_first()? else {
        return None;
    };
    let mut value = &mut list.find_mut(name)?.value;
    for step in rest {
        value = match (step, value) {
            (Step::Name(name), Value::Struct(inner)) => {
                &mut inner.properties_mut()?.find_mut(name)?.value
            }
            (Step::Index(index), Value::List(list)) => list.items.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

/// A plain value in the type of another value.
fn fitting(old: &Value, new: Plain) -> Result<Value> {
    fn narrow<T: TryFrom<i64>>(value: i64) -> Result<T> {
        let narrow = T::try_from(value);
        narrow.map_err(|_| Error::invalid(format!("{value} is out of range")))
    }
    Ok(match (old, new) {
        (Value::Byte(_), Plain::Int(value)) => Value::Byte(narrow(value)?),
        (Value::Int8(_), Plain::Int(value)) => Value::Int8(narrow(value)?),
        (Value::Int16(_), Plain::Int(value)) => Value::Int16(narrow(value)?),
        (Value::UInt16(_), Plain::Int(value)) => Value::UInt16(narrow(value)?),
        (Value::Int(_), Plain::Int(value)) => Value::Int(narrow(value)?),
        (Value::UInt32(_), Plain::Int(value)) => Value::UInt32(narrow(value)?),
        (Value::Int64(_), Plain::Int(value)) => Value::Int64(value),
        (Value::UInt64(_), Plain::Int(value)) => Value::UInt64(narrow(value)?),
        (Value::Float(_), Plain::Real(value)) => Value::Float(value as f32),
        (Value::Double(_), Plain::Real(value)) => Value::Double(value),
        (Value::Bool(_), Plain::Flag(value)) => Value::Bool(value.into()),
        (Value::Str(_), Plain::Text(value)) => Value::Str(value.as_str().into()),
        (_, new) => {
            return Err(Error::invalid(format!(
                "{new:?} is not of the property's type"
            )));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::model::Str;
    use super::super::model::property::Property;
    use super::super::model::structs::Struct;
    use super::super::model::types::Type;
    use super::super::model::value::List;
    use super::*;

    fn property(name: &str, value: Value) -> Property {
        Property::new(name, Type::new(Str::from("IntProperty"), Vec::new()), value)
    }

    fn stacks() -> Properties {
        let stack = |count| {
            let inner = Properties(vec![property("NumItems", Value::Int(count))]);
            Value::Struct(Struct::Properties(inner))
        };
        let list = List {
            items: vec![stack(5), stack(7)],
            ..List::default()
        };
        Properties(vec![property("mStacks", Value::List(Box::new(list)))])
    }

    #[test]
    fn paths_are_names_and_indices() {
        let steps = parse("mStacks[1].NumItems").unwrap();
        let expected = [
            Step::Name("mStacks"),
            Step::Index(1),
            Step::Name("NumItems"),
        ];
        assert_eq!(steps, expected);
        for odd in ["", "a..b", "a[", "a[x]", "a[1]b", "[0]", "a.[0]", "a[-1]"] {
            assert!(parse(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_path_leads_to_the_same_value_for_reading_and_writing() {
        let mut list = stacks();
        let steps = parse("mStacks[1].NumItems").unwrap();
        assert_eq!(walk(&list, &steps), Some((&Value::Int(7), &[][..])));
        *walk_mut(&mut list, &steps).unwrap() = Value::Int(8);
        assert_eq!(walk(&list, &steps), Some((&Value::Int(8), &[][..])));
        for nowhere in ["mStacks[2].NumItems", "mStacks.NumItems", "mOther"] {
            let steps = parse(nowhere).unwrap();
            assert!(!matches!(walk(&list, &steps), Some((_, []))), "{nowhere}");
            assert!(walk_mut(&mut list, &steps).is_none(), "{nowhere}");
        }
    }

    #[test]
    fn values_keep_their_type() {
        assert_eq!(
            fitting(&Value::Byte(1), 255.into()).unwrap(),
            Value::Byte(255)
        );
        assert_eq!(
            fitting(&Value::Bool(0), true.into()).unwrap(),
            Value::Bool(1)
        );
        let text = fitting(&Value::Str(Str::from("a")), "b".into()).unwrap();
        assert_eq!(text, Value::Str(Str::from("b")));
        assert!(fitting(&Value::Byte(1), 256.into()).is_err());
        assert!(fitting(&Value::UInt64(1), (-1).into()).is_err());
        assert!(fitting(&Value::Int(1), 0.5.into()).is_err());
        assert!(fitting(&Value::Float(1.0), "b".into()).is_err());
    }
}
