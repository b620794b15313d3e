//! Everything that moves and happens.

use std::sync::Arc;

use postgame::timeline::{Column, Entity as Thing, Track};
use postgame_tables::Source;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{Numbers, times};

/// Maximum number of times from [`Timeline::times_at`]: a gigabyte of them would be a mistake.
const MAX_TIMES: f64 = 1e8;

/// Everything that moves and happens in a recording: seconds, metres, right-handed, Y up, quaternions as x, y, z, w.
///
/// >>> timeline = postgame.read("samples/duel.replay").timeline
/// >>> timeline["Ball"].sample("position", [1.0, 2.0]).shape
/// (2, 3)
#[pyclass(frozen, mapping, module = "postgame")]
pub struct Timeline(pub Arc<Source>);

#[pymethods]
impl Timeline {
    /// Start of the recording, in seconds.
    #[getter]
    fn start_s(&self) -> f64 {
        self.0.timeline().start_s
    }

    /// End of the recording, in seconds.
    #[getter]
    fn end_s(&self) -> f64 {
        self.0.timeline().end_s
    }

    /// Duration of the recording, in seconds.
    #[getter]
    fn duration_s(&self) -> f64 {
        self.0.timeline().duration_s()
    }

    /// All entities: cars, the ball, hands, buildings.
    #[getter]
    fn entities(&self) -> Vec<Entity> {
        let count = self.0.timeline().entities.len();
        (0..count).map(|index| self.at(index)).collect()
    }

    /// The entities that are present at a time.
    fn present_at(&self, time_s: f64) -> Vec<Entity> {
        let present = self.0.timeline().present_at(time_s);
        present.map(|(id, _)| self.at(id.0)).collect()
    }

    /// Sample times at a fixed rate over the whole recording, as an array.
    fn times_at<'py>(&self, py: Python<'py>, rate_hz: f64) -> PyResult<Bound<'py, PyAny>> {
        let timeline = self.0.timeline();
        if !(rate_hz > 0.0 && timeline.duration_s() * rate_hz <= MAX_TIMES) {
            return Err(PyValueError::new_err(
                "a rate is a number of times a second",
            ));
        }
        Numbers::Double(py.detach(|| timeline.times_at(rate_hz))).into_array(py)
    }

    fn __getitem__(&self, name: &str) -> PyResult<Entity> {
        let found = self.0.timeline().find(name);
        found
            .map(|id| self.at(id.0))
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.timeline().find(name).is_some()
    }

    fn __len__(&self) -> usize {
        self.0.timeline().entities.len()
    }

    fn __repr__(&self) -> String {
        let timeline = self.0.timeline();
        format!(
            "<Timeline: {} entities, {} events, {:.1} s>",
            timeline.entities.len(),
            timeline.events.len(),
            timeline.duration_s()
        )
    }
}

impl Timeline {
    fn at(&self, index: usize) -> Entity {
        Entity {
            shared: Arc::clone(&self.0),
            index,
        }
    }
}

/// An entity, whose state changes over time.
///
/// >>> ball = postgame.read("samples/duel.replay").timeline["Ball"]
/// >>> ball.kind, "position" in ball.columns
/// ('ball', True)
#[pyclass(frozen, module = "postgame")]
pub struct Entity {
    shared: Arc<Source>,
    index: usize,
}

impl Entity {
    fn thing(&self) -> PyResult<&Thing> {
        let found = self.shared.timeline().entities.get(self.index);
        found.ok_or_else(|| PyKeyError::new_err(self.index))
    }

    fn find(&self, column: &str) -> PyResult<(&Thing, &Track, &Column)> {
        let thing = self.thing()?;
        let found = thing.tracks.iter().find_map(|track| {
            let column = track.columns.iter().find(|one| one.name == column)?;
            Some((thing, track, column))
        });
        found.ok_or_else(|| {
            let there = self.columns().unwrap_or_default().join(", ");
            PyKeyError::new_err(format!(
                "{} has no column {column}; it has {there}",
                thing.name
            ))
        })
    }
}

#[pymethods]
impl Entity {
    /// The display name, unique in most recordings.
    #[getter]
    fn name(&self) -> PyResult<&str> {
        Ok(&self.thing()?.name)
    }

    /// The kind, in the game's terms.
    #[getter]
    fn kind(&self) -> PyResult<&str> {
        Ok(self.thing()?.kind)
    }

    /// The parent: a hand belongs to a player.
    #[getter]
    fn parent(&self) -> PyResult<Option<Entity>> {
        Ok(self.thing()?.parent.map(|id| Entity {
            shared: Arc::clone(&self.shared),
            index: id.0,
        }))
    }

    /// The times at which it is present: pairs of start and end, in seconds.
    #[getter]
    fn presence(&self) -> PyResult<Vec<(f64, f64)>> {
        Ok(self.thing()?.presence.intervals().to_vec())
    }

    /// The columns of its state: the names that :meth:`sample` and :meth:`track` take.
    #[getter]
    fn columns(&self) -> PyResult<Vec<&'static str>> {
        let tracks = self.thing()?.tracks.iter();
        let columns = tracks.flat_map(|track| track.columns.iter().map(|column| column.name));
        Ok(columns.collect())
    }

    /// A column at some times, as an array: for a position rows of x, y, z, for a rotation rows of x, y, z, w, for a
    /// number or flag one value each. NaN if the entity is absent or has no value yet. Names are an array of objects,
    /// with ``None``. A single time gives a single row.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        column: &str,
        times_s: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (thing, _, found) = self.find(column)?;
        let (times_s, is_single) = times(times_s)?;
        let numbers = py.detach(|| {
            let samples = if times_s.is_sorted() {
                thing.resample(column, &times_s)
            } else {
                let each = times_s.iter();
                each.map(|&time_s| thing.sample(column, time_s)).collect()
            };
            Numbers::of_samples(&found.values, &samples)
        });
        let array = numbers.into_array(py)?;
        if is_single {
            return array.get_item(0);
        }
        Ok(array)
    }

    /// A column as recorded: the times in seconds, and the values.
    fn track<'py>(
        &self,
        py: Python<'py>,
        column: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (_, track, found) = self.find(column)?;
        let values = py.detach(|| Numbers::of_column(&found.values));
        Ok((
            Numbers::Double(track.times_s.clone()).into_array(py)?,
            values.into_array(py)?,
        ))
    }

    fn __repr__(&self) -> PyResult<String> {
        let thing = self.thing()?;
        Ok(format!("<Entity {} {:?}>", thing.kind, thing.name))
    }
}
