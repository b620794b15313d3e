//! Changes a save: a property, an actor's position, objects added and removed, the session's name.
//!
//! Only the changed objects are decoded; everything else is written unchanged. Sizes, counts and the digest are updated
//! when the save is written.

use std::collections::HashSet;

use super::model::level::Entry;
use super::model::object::ObjectKind;
use super::model::refs::{Keep, visit_refs};
use super::model::{Body, Object, Ref, Save, Str, Value};
use super::summary::short_class;
use crate::error::{Error, Result};

/// The location of an object in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The index of its level; the persistent level's index is one more than the last.
    pub level: usize,
    /// Its index in the level.
    pub object: usize,
}

impl Body {
    /// The location of the object with this name; names are unique in a save written by the game.
    pub fn find(&self, path: &str) -> Option<Place> {
        self.find_where(|header| {
            header.reference.path.is(path) || header.reference.path.to_str() == path
        })
    }

    /// The location of the first object whose header matches.
    pub fn find_where(
        &self,
        mut wanted: impl FnMut(&super::model::ObjectHeader) -> bool,
    ) -> Option<Place> {
        let decoder = self.decoder();
        self.all_levels()
            .enumerate()
            .find_map(|(level_index, level)| {
                let form = self.form(level);
                let object = level.objects.iter().position(|entry| {
                    decoder
                        .header(form, entry)
                        .is_ok_and(|header| wanted(&header))
                })?;
                Some(Place {
                    level: level_index,
                    object,
                })
            })
    }

    /// Decodes the object at a location.
    ///
    /// # Errors
    /// When there is none, or only the index was read and the data of its level is damaged.
    pub fn object(&self, place: Place) -> Result<Object> {
        let level = self.all_levels().nth(place.level);
        let entry = level.and_then(|level| Some((level, level.objects.get(place.object)?)));
        let (level, entry) = entry.ok_or_else(|| Error::invalid("there is no such object"))?;
        Ok(self
            .decoder()
            .object(self.form(level), entry)?
            .0
            .into_owned())
    }

    /// Decodes the object at a location for good, so that it can be changed.
    ///
    /// # Errors
    /// When there is none.
    pub fn object_mut(&mut self, place: Place) -> Result<&mut Object> {
        let object = self.object(place)?;
        let entry = self
            .all_levels_mut()
            .nth(place.level)
            .and_then(|level| level.objects.get_mut(place.object));
        let entry = entry.ok_or_else(|| Error::invalid("there is no such object"))?;
        if !matches!(entry, Entry::Loaded(_)) {
            *entry = Entry::Loaded(Box::new(object));
        }
        match entry {
            Entry::Loaded(object) => Ok(object),
            Entry::Packed { .. } | Entry::Listed { .. } => {
                Err(Error::invalid("there is no such object"))
            }
        }
    }

    /// Sets the value of an existing property. A missing property is not added, because its type is unknown.
    ///
    /// # Errors
    /// When there is no such object or property.
    pub fn set_property(&mut self, place: Place, name: &str, value: Value) -> Result<()> {
        let object = self.object_mut(place)?;
        let fields = object.data.as_mut().and_then(|data| data.fields_mut());
        let property = fields
            .and_then(|fields| fields.properties.as_mut())
            .and_then(|list| list.find_mut(name));
        let property =
            property.ok_or_else(|| Error::invalid(format!("the object has no property {name}")))?;
        if std::mem::discriminant(&property.value) != std::mem::discriminant(&value) {
            return Err(Error::invalid(format!(
                "{name} is of the type {:?}",
                property.ty()
            )));
        }
        property.value = value;
        Ok(())
    }

    /// Moves an actor.
    ///
    /// # Errors
    /// When there is no such object, or it is not an actor.
    pub fn move_actor(&mut self, place: Place, position_cm: [f32; 3]) -> Result<()> {
        match &mut self.object_mut(place)?.header.kind {
            ObjectKind::Actor(placement) => {
                placement.position_cm = position_cm;
                Ok(())
            }
            ObjectKind::Component { .. } => Err(Error::invalid(
                "the object is a part of another one and stands nowhere",
            )),
        }
    }

    /// Adds an object at the end of a level; `None` is the persistent level. A component is listed with its actor.
    ///
    /// # Errors
    /// When an object of this name exists, or there is no such level.
    pub fn add(&mut self, level: Option<&str>, object: Object) -> Result<Place> {
        let name = object.header.reference.clone();
        if self.find_where(|header| header.reference == name).is_some() {
            return Err(Error::invalid(format!(
                "there is an object {} already",
                name.path
            )));
        }
        if let ObjectKind::Component { outer } = &object.header.kind
            && let Some(actor) = self.find_where(|header| header.reference.path == *outer)
            && let Some(fields) = self
                .object_mut(actor)?
                .data
                .as_mut()
                .and_then(|data| data.fields_mut())
            && let Some(components) = &mut fields.components
            && !components.contains(&name)
        {
            components.push(name);
        }
        let mut levels = self.all_levels_mut().enumerate();
        let found = levels.find(|(_, candidate)| match (level, &candidate.name) {
            (Some(level), Some(name)) => name.to_str() == level,
            (level, name) => level.is_none() && name.is_none(),
        });
        let (level, target) = found.ok_or_else(|| Error::invalid("there is no such level"))?;
        target.objects.push(Entry::Loaded(Box::new(object)));
        Ok(Place {
            level,
            object: target.objects.len() - 1,
        })
    }

    /// Removes an object and its components. References to them are removed from lists or become null references.
    /// Returns the number of removed objects.
    ///
    /// # Errors
    /// When there is no such object.
    pub fn remove(&mut self, place: Place) -> Result<usize> {
        let object = self.object(place)?;
        let path = object.header.reference.path.clone();
        let mut gone: HashSet<Ref> = HashSet::from([object.header.reference]);
        let decoder = self.decoder();
        for level in self.all_levels() {
            let form = self.form(level);
            for header in level
                .objects
                .iter()
                .filter_map(|entry| decoder.header(form, entry).ok())
            {
                if matches!(&header.kind, ObjectKind::Component { outer } if *outer == path) {
                    gone.insert(header.reference.clone());
                }
            }
        }
        self.rewrite(|object| {
            if gone.contains(&object.header.reference) {
                return Rewrite::Remove;
            }
            let mut is_changed = false;
            visit_refs(object, |reference| {
                let is_gone = gone.contains(reference);
                is_changed |= is_gone;
                if is_gone { Keep::No } else { Keep::Yes }
            });
            if is_changed {
                Rewrite::Change
            } else {
                Rewrite::Leave
            }
        })
    }

    /// Renames an object and updates all references to it. Returns the number of changed objects.
    ///
    /// # Errors
    /// When there is no such object, or an object of the new name exists.
    pub fn rename(&mut self, place: Place, path: &str) -> Result<usize> {
        if self.find(path).is_some() {
            return Err(Error::invalid(format!("there is an object {path} already")));
        }
        let old = self.object(place)?.header.reference;
        let new = Str::from(path);
        let mut changed = 0;
        self.rewrite(|object| {
            let mut is_changed = false;
            if object.header.reference == old {
                object.header.reference.path = new.clone();
                is_changed = true;
            }
            if let ObjectKind::Component { outer } = &mut object.header.kind
                && *outer == old.path
            {
                *outer = new.clone();
                is_changed = true;
            }
            visit_refs(object, |reference| {
                if *reference == old {
                    reference.path = new.clone();
                    is_changed = true;
                }
                Keep::Yes
            });
            changed += usize::from(is_changed);
            if is_changed {
                Rewrite::Change
            } else {
                Rewrite::Leave
            }
        })?;
        Ok(changed)
    }

    /// Visits every object; only changed objects stay decoded. Returns the number of removed objects.
    fn rewrite(&mut self, mut rewrite: impl FnMut(&mut Object) -> Rewrite) -> Result<usize> {
        // The levels are taken out, so that the body they are decoded from can be borrowed meanwhile.
        let mut levels = std::mem::take(&mut self.levels);
        let mut persistent = self.persistent.take();
        let mut removed = 0;
        let mut failed = None;
        for level in levels.iter_mut().chain(&mut persistent) {
            let (decoder, form) = (self.decoder(), self.form(level));
            level.objects.retain_mut(|entry| {
                let mut object = match decoder.object(form, entry) {
                    Ok((object, _)) => object.into_owned(),
                    Err(error) => {
                        failed.get_or_insert(error);
                        return true;
                    }
                };
                match rewrite(&mut object) {
                    Rewrite::Leave => {}
                    Rewrite::Change => *entry = Entry::Loaded(Box::new(object)),
                    Rewrite::Remove => {
                        removed += 1;
                        return false;
                    }
                }
                true
            });
        }
        (self.levels, self.persistent) = (levels, persistent);
        failed.map_or(Ok(removed), Err)
    }
}

enum Rewrite {
    Leave,
    Change,
    Remove,
}

impl Save {
    /// Renames the session: in the header, in the map's options, and in the objects that store the name.
    ///
    /// # Errors
    /// When only the header was read, or the save is too old to have a session.
    pub fn rename_session(&mut self, name: &str) -> Result<()> {
        let Some(session) = &mut self.header.session_name else {
            return Err(Error::invalid("the header has no session name"));
        };
        *session = name.into();
        let options = self.header.map_options.to_str();
        let renamed: Vec<String> = options
            .split('?')
            .map(|option| match option.split_once('=') {
                Some((key, _)) if key.eq_ignore_ascii_case("sessionName") => {
                    format!("{key}={name}")
                }
                _ => option.to_owned(),
            })
            .collect();
        let renamed = renamed.join("?");
        if renamed != options {
            self.header.map_options = renamed.as_str().into();
        }
        let Some(body) = &mut self.body else {
            return Err(Error::invalid("only the header was read"));
        };
        for (class, property) in [
            ("BP_GameMode_C", "mSaveSessionName"),
            ("BP_GameState_C", "mReplicatedSessionName"),
        ] {
            if let Some(place) =
                body.find_where(|header| short_class(&header.class.to_str()) == class)
            {
                let object = body.object_mut(place)?;
                let fields = object.data.as_mut().and_then(|data| data.fields_mut());
                let list = fields.and_then(|fields| fields.properties.as_mut());
                if let Some(property) = list.and_then(|list| list.find_mut(property)) {
                    property.value = Value::Str(name.into());
                }
            }
        }
        Ok(())
    }
}
