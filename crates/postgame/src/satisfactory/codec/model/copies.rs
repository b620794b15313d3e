//! Enlarges a body by copies of its buildings, to test a scale for which there is no real save.

use std::collections::HashSet;
use std::sync::Arc;

use super::body::Body;
use super::level::{Entry, Span};
use super::object::{Object, ObjectKind};
use super::refs::{Keep, visit_refs};
use super::strings::Str;
use crate::error::{Error, Result};
use crate::wire::bytes::ByteWriter;

impl Body {
    /// Adds copies of the persistent level's objects, each with a new name, until the body has about `size` bytes.
    /// References among the copied objects refer to the copies. Returns the number of objects added.
    ///
    /// # Errors
    /// When there is nothing to copy, or only the index was read.
    pub fn add_copies(&mut self, size: u64) -> Result<usize> {
        if self.skipped.is_some() {
            return Err(Error::invalid("only the index of the body was read"));
        }
        let Some(level) = &self.persistent else {
            return Err(Error::invalid("there is no persistent level"));
        };
        let decoder = self.decoder();
        let form = self.form(level);
        let mut objects = Vec::new();
        for entry in &level.objects {
            let header = decoder.header(form, entry)?;
            // There can be only one of each of the game's own subsystems.
            let is_building = match &header.kind {
                ObjectKind::Actor(_) => header.class.to_str().contains("/Build_"),
                ObjectKind::Component { outer } => outer.to_str().contains(".Build_"),
            };
            if is_building {
                objects.push(decoder.object(form, entry)?.0.into_owned());
            }
        }
        let names: HashSet<Str> = objects
            .iter()
            .map(|object| object.header.reference.path.clone())
            .collect();
        let mut bytes = self.bytes.to_vec();
        let start = bytes.len() as u64;
        let mut added = Vec::new();
        for copy in 1usize.. {
            let before = bytes.len();
            for object in &objects {
                if bytes.len() as u64 >= size.max(start) {
                    break;
                }
                let object = renamed(object, copy, &names);
                let (header_at, mut writer) = (bytes.len() as u64, ByteWriter::new());
                object.header.write(&mut writer, decoder.scope())?;
                let header = Span {
                    offset: header_at,
                    length: writer.position() as u32,
                };
                form.write_data(&object, &mut writer, decoder.scope())?;
                let length = writer.position() as u32 - header.length;
                let data = Span {
                    offset: header_at + u64::from(header.length),
                    length,
                };
                bytes.extend_from_slice(writer.as_bytes());
                added.push(Entry::Packed { header, data });
            }
            if bytes.len() == before {
                break;
            }
        }
        let count = added.len();
        self.bytes = Arc::new(bytes.into());
        if let Some(level) = &mut self.persistent {
            level.objects.extend(added);
        }
        if count == 0 && start < size {
            return Err(Error::invalid("there is no building to copy"));
        }
        Ok(count)
    }
}

/// A copy with another name, whose references to copied objects refer to the copies.
fn renamed(object: &Object, copy: usize, names: &HashSet<Str>) -> Object {
    let rename = |path: &mut Str| {
        if names.contains(path) {
            // The names of an actor's components start with the actor's name.
            let text = path.to_str();
            let mut parts: Vec<String> = text.splitn(3, '.').map(str::to_owned).collect();
            if let Some(actor) = parts.get_mut(1) {
                actor.push_str(&format!("_copy{copy}"));
            }
            *path = parts.join(".").as_str().into();
        }
    };
    let mut object = object.clone();
    rename(&mut object.header.reference.path);
    if let ObjectKind::Component { outer } = &mut object.header.kind {
        rename(outer);
    }
    visit_refs(&mut object, |reference| {
        rename(&mut reference.path);
        Keep::Yes
    });
    object
}
