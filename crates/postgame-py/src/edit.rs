//! Edits Satisfactory saves and blueprints.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use postgame::satisfactory::Body;
use postgame::satisfactory::edit::Place;
use postgame::satisfactory::model::{Object, Value};
use postgame::{Error, Report, Result};
use postgame_tables::Source;
use pyo3::prelude::*;

use crate::error::{raised, refused};
use crate::json;
use crate::objects::body_of;
use crate::recording::{Recording, known};

/// A Satisfactory save or blueprint that is being edited. Objects are identified by their paths.
///
/// >>> edit = postgame.read("samples/factory.sav").edit()
/// >>> edit.rename_session("Second Factory")
/// >>> postgame.read(edit.finish().to_bytes()).summary["details"]["session"]
/// 'Second Factory'
#[pyclass(frozen, module = "postgame")]
pub struct Edit {
    state: Mutex<State>,
    file: String,
}

struct State {
    recording: postgame::Recording,
    /// The location of each object; computed when it is first needed, and again after objects were added, removed or
    /// renamed.
    places: Option<HashMap<String, Place>>,
}

impl State {
    fn body(&mut self) -> Result<&mut Body> {
        let body = match &mut self.recording {
            postgame::Recording::Satisfactory(save) => save.body.as_mut(),
            postgame::Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_mut(),
            _ => None,
        };
        body.ok_or_else(|| Error::invalid("there are no objects in it"))
    }

    fn place(&mut self, path: &str) -> Result<Place> {
        if self.places.is_none() {
            let body = self.body()?;
            let decoder = body.decoder();
            let mut places = HashMap::new();
            for (level, objects) in body.all_levels().enumerate() {
                let form = body.form(objects);
                for (object, entry) in objects.objects.iter().enumerate() {
                    let header = decoder.header(form, entry)?;
                    let path = header.reference.path.to_str().into_owned();
                    places.entry(path).or_insert(Place { level, object });
                }
            }
            self.places = Some(places);
        }
        let place = self.places.as_ref().and_then(|places| places.get(path));
        place
            .copied()
            .ok_or_else(|| Error::invalid(format!("there is no object {path}")))
    }
}

impl Edit {
    /// An editable copy of a recording.
    pub fn of(py: Python<'_>, shared: &Source) -> PyResult<Self> {
        if body_of(&shared.recording).is_none() {
            let format = shared.recording.format();
            let message = "only whole Satisfactory saves and blueprints can be edited";
            return Err(refused(py, format, message));
        }
        let recording = py.detach(|| shared.recording.clone());
        Ok(Self {
            state: Mutex::new(State {
                recording,
                places: None,
            }),
            file: shared.file.clone(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the recording with the GIL released.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut State) -> Result<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut state = self.lock();
            let format = state.recording.format();
            change(&mut state).map_err(|error| error.in_format(format))
        })
        .map_err(|error| raised(py, &error, known(&self.file)))
    }
}

#[pymethods]
impl Edit {
    /// The object with this path, as a dictionary.
    fn object<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let object = self.change(py, |state| {
            let place = state.place(path)?;
            state.body()?.object(place)
        })?;
        json::to_python(py, object)
    }

    /// Sets an existing property, keeping its type. Numbers, flags and text are passed as such, anything else in the
    /// form in which :meth:`object` returns it.
    fn set_property(
        &self,
        py: Python<'_>,
        path: &str,
        name: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let value = json::from_python(value)?;
        self.change(py, |state| {
            let place = state.place(path)?;
            let body = state.body()?;
            let old = {
                let object = body.object_mut(place)?;
                let fields = object.data.as_mut().and_then(|data| data.fields_mut());
                let list = fields.and_then(|fields| fields.properties.as_mut());
                let property = list.and_then(|list| list.find_mut(name));
                property.map(|property| property.value.clone())
            };
            let Some(old) = old else {
                return Err(Error::invalid(format!("the object has no property {name}")));
            };
            body.set_property(place, name, typed(&old, value, name)?)
        })
    }

    /// Moves an actor to a position in centimetres.
    #[pyo3(name = "move")]
    fn move_actor(&self, py: Python<'_>, path: &str, position_cm: [f32; 3]) -> PyResult<()> {
        self.change(py, |state| {
            let place = state.place(path)?;
            state.body()?.move_actor(place, position_cm)
        })
    }

    /// Adds an object, in the form in which :meth:`object` returns it, to a level; without a name, to the persistent
    /// level.
    #[pyo3(signature = (object, level = None))]
    fn add(&self, py: Python<'_>, object: &Bound<'_, PyAny>, level: Option<&str>) -> PyResult<()> {
        let object: Object =
            serde_json::from_value(json::from_python(object)?).map_err(json::broken)?;
        self.change(py, |state| {
            state.places = None;
            state.body()?.add(level, object).map(drop)
        })
    }

    /// Removes an object and its components, and all references to them. Returns the number of removed objects.
    fn remove(&self, py: Python<'_>, path: &str) -> PyResult<usize> {
        self.change(py, |state| {
            let place = state.place(path)?;
            state.places = None;
            state.body()?.remove(place)
        })
    }

    /// Renames an object and updates all references to it. Returns the number of changed objects.
    fn rename(&self, py: Python<'_>, path: &str, new_path: &str) -> PyResult<usize> {
        self.change(py, |state| {
            let place = state.place(path)?;
            state.places = None;
            state.body()?.rename(place, new_path)
        })
    }

    /// Renames a save's session everywhere in the save.
    fn rename_session(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |state| match &mut state.recording {
            postgame::Recording::Satisfactory(save) => save.rename_session(name),
            _ => Err(Error::invalid("a blueprint has no session")),
        })
    }

    /// A recording of the current state.
    fn finish(&self, py: Python<'_>) -> PyResult<Recording> {
        let recording = self.change(py, |state| Ok(state.recording.clone()))?;
        Ok(Recording::new(recording, Report::default(), &self.file))
    }

    /// Writes the current state to a file; if that fails, an existing file is unchanged.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.change(py, |state| state.recording.write())?;
        crate::input::write_file(py, &path, &bytes)
    }
}

/// A value of the same type as the old one: `1.5` for a float, `{"struct": …}` or its contents for a structure.
fn typed(old: &Value, new: serde_json::Value, name: &str) -> Result<Value> {
    let failed = |error: serde_json::Error| Error::invalid(format!("{name}: {error}"));
    let shown = serde_json::to_value(old).map_err(failed)?;
    let Some(tag) = shown.as_object().and_then(|shown| shown.keys().next()) else {
        return Err(Error::invalid(format!("{name} cannot be set")));
    };
    let new = match new {
        serde_json::Value::Bool(flag) => serde_json::Value::from(u8::from(flag)),
        other => other,
    };
    let is_tagged = new
        .as_object()
        .is_some_and(|object| object.len() == 1 && object.contains_key(tag));
    let new = if is_tagged {
        new
    } else {
        serde_json::json!({ tag.as_str(): new })
    };
    serde_json::from_value(new).map_err(failed)
}
