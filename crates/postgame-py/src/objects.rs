//! The objects of Satisfactory saves and blueprints.

use std::sync::{Arc, Mutex, PoisonError};

use postgame::satisfactory::Body;
use postgame::satisfactory::model::{Object, ObjectHeader};
use postgame_tables::Source;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::{raised, refused};
use crate::json;

/// Number of objects decoded and passed to Python at once: enough to make that cheap, few enough to bound memory.
const BATCH: usize = 256;

/// The part of a recording that contains its objects, if it has any.
pub fn body_of(recording: &postgame::Recording) -> Option<&Body> {
    match recording {
        postgame::Recording::Satisfactory(save) => save.body.as_ref(),
        postgame::Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_ref(),
        _ => None,
    }
}

/// True if the name is a class's path or the last component of it.
pub fn is_of_class(header: &ObjectHeader, name: &str) -> bool {
    let class = header.class.to_str();
    class == name || class.rsplit(['.', '/']).next() == Some(name)
}

/// An iterator over the objects of a save.
#[pyclass(frozen, module = "postgame")]
pub struct Objects {
    shared: Arc<Source>,
    class_name: Option<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The next entry to decode.
    level: usize,
    entry: usize,
    /// Decoded objects that were not passed on yet, the last one first.
    ready: Option<Py<PyList>>,
}

impl Objects {
    /// The objects of a recording.
    pub fn of(py: Python<'_>, shared: &Arc<Source>, class_name: Option<String>) -> PyResult<Self> {
        if body_of(&shared.recording).is_none() {
            let format = shared.recording.format();
            return Err(refused(py, format, "there are no objects in it"));
        }
        Ok(Self {
            shared: Arc::clone(shared),
            class_name,
            state: Mutex::default(),
        })
    }

    /// The next objects as JSON, the last one first; `None` at the end.
    fn batch(&self) -> postgame::Result<Option<String>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(body) = body_of(&self.shared.recording) else {
            return Ok(None);
        };
        let decoder = body.decoder();
        let mut objects: Vec<Object> = Vec::with_capacity(BATCH);
        for level in body.all_levels().skip(state.level) {
            let form = body.form(level);
            while let Some(entry) = level.objects.get(state.entry) {
                if objects.len() == BATCH {
                    return Ok(Some(reversed(objects)?));
                }
                state.entry += 1;
                if let Some(name) = &self.class_name
                    && !is_of_class(&*decoder.header(form, entry)?, name)
                {
                    continue;
                }
                objects.push(decoder.object(form, entry)?.0.into_owned());
            }
            state.level += 1;
            state.entry = 0;
        }
        if objects.is_empty() {
            return Ok(None);
        }
        Ok(Some(reversed(objects)?))
    }
}

fn reversed(mut objects: Vec<Object>) -> postgame::Result<String> {
    objects.reverse();
    serde_json::to_string(&objects).map_err(|error| postgame::Error::invalid(error.to_string()))
}

#[pymethods]
impl Objects {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            let ready = {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.ready.as_ref().map(|list| list.clone_ref(py))
            };
            if let Some(list) = ready {
                let list = list.bind(py);
                if !list.is_empty() {
                    return list.call_method0("pop").map(Some);
                }
            }
            py.check_signals()?;
            let format = self.shared.recording.format();
            let batch = py
                .detach(|| self.batch())
                .map_err(|error| raised(py, &error.in_format(format), None))?;
            let Some(text) = batch else {
                return Ok(None);
            };
            let list = json::loads(py, &text)?.cast_into::<PyList>()?.unbind();
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.ready = Some(list);
        }
    }
}
