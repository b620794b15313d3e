//! A recording of any game, and the functions that create one.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use postgame::sha256;
use postgame::slippi::ubjson;
use postgame::timeline::NamedEvent;
use postgame::{Depth, Format, ReadOptions, Report as Findings, rumble};
use postgame_files::find::is_plain_file;
use postgame_files::the_only;
use postgame_tables::Source;
use postgame_tables::features::{FeatureOptions, Group};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arrays::Numbers;
use crate::capsule::failed;
use crate::edit::Edit;
use crate::error::{lost, raised, refused, unread};
use crate::input::{Input, write_file};
use crate::json;
use crate::objects::{Objects, body_of};
use crate::repair::Repair;
use crate::report::Report;
use crate::table::{Table, check_fps};
use crate::timeline::Timeline;

/// A recording of any game. It is immutable; :meth:`edit` returns an editable copy.
///
/// >>> recording = postgame.read("samples/duel.slp")
/// >>> recording
/// <Recording slippi samples/duel.slp>
/// >>> recording.game, recording.version
/// ('Super Smash Bros. Melee', '3.18.0')
#[pyclass(frozen, module = "postgame")]
pub struct Recording(pub Arc<Source>);

impl Recording {
    /// A recording that was not read from a file, or was changed since: it has no id in tables.
    pub fn new(recording: postgame::Recording, report: Findings, file: &str) -> Self {
        let source = Source::new(file, String::new(), 0, (recording, report));
        Self(Arc::new(source))
    }

    fn format_of(&self) -> Format {
        self.0.recording.format()
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        py.detach(|| self.0.recording.write())
            .map_err(|error| raised(py, &error, known(&self.0.file)))
    }
}

/// Reads a recording of any game from a path, from bytes, or from a file opened in binary mode.
///
/// The path can also be an archive with one recording (``game.slp.xz``), one recording of an archive
/// (``season.zip/finals/1.replay``), a pattern that one file matches, or an address in an object store (``s3://``). If there
/// are several recordings, that raises an :class:`Error`: :func:`scan` reads them all.
///
/// If a file breaks midway, the recording contains everything that could be read, and ``report`` states where reading
/// stopped; with ``strict`` that raises an :class:`Error` instead. With ``header_only`` the body is not read, which
/// suits lists of many files. Reading takes at most ``max_memory`` bytes, inflated data and decoded values together,
/// and raises an :class:`Error` if more is needed. The default is 64 MB plus 20 times the file size.
///
/// >>> postgame.read("samples/bout.replay").game
/// 'RUMBLE'
/// >>> postgame.read(b"RGZP")
/// Traceback (most recent call last):
/// ...
/// postgame.Error: rumble: container.inflated_size: data ends early (wanted 4 bytes, 0 left) at 0x4
#[pyfunction]
#[pyo3(signature = (source, *, strict = false, header_only = false, max_memory = None))]
pub fn read(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    strict: bool,
    header_only: bool,
    max_memory: Option<u64>,
) -> PyResult<Recording> {
    let input = Input::of(source)?;
    let mut options = ReadOptions::default();
    if header_only {
        options.depth = Depth::Header;
    }
    options.limits.max_memory_bytes = max_memory;
    read_input(py, &input, &options, strict)
}

fn read_input(
    py: Python<'_>,
    input: &Input,
    options: &ReadOptions,
    strict: bool,
) -> PyResult<Recording> {
    let found;
    let input = match input {
        Input::Path(path) if !is_plain_file(path) => {
            let only = py.detach(|| the_only(path, &options.limits).and_then(loaded));
            found = only.map_err(|failure| unread(py, &failure))?;
            &found
        }
        input => input,
    };
    let file = input.file().unwrap_or_default();
    let read = py
        .detach(|| {
            if let (Input::Path(path), Depth::Header) = (input, options.depth)
                && path.is_file()
            {
                return read_header(&file, path, options);
            }
            let bytes = input.load()?;
            let (read, digest) = read_and_digest(&bytes, options);
            Ok(read.map(|read| Source::new(&file, digest, bytes.len() as u64, read)))
        })
        .map_err(|error| input.os_error(&error))?;
    let source = read.map_err(|error| raised(py, &error, known(&file)))?;
    let format = source.recording.format();
    if strict && let Some(error) = lost(py, &source.report, format, known(&file)) {
        return Err(error);
    }
    Ok(Recording(Arc::new(source)))
}

/// An input with its bytes.
fn loaded(input: postgame_files::Input) -> Result<Input, postgame_files::Failure> {
    let name = input.name.clone();
    Ok(Input::Owned(input.into_bytes()?, name))
}

/// Reads a header with as few reads as the format allows.
fn read_header(
    file: &str,
    path: &Path,
    options: &ReadOptions,
) -> io::Result<postgame::Result<Source>> {
    let input = File::open(path)?;
    let bytes = input.metadata()?.len();
    match postgame::read_header(input, &options.limits) {
        Ok(read) => Ok(Ok(Source::new(file, String::new(), bytes, read))),
        Err(error) => match error.into_io() {
            Ok(error) => Err(error),
            Err(error) => Ok(Err(error)),
        },
    }
}

/// Files of at least this size are worth a thread, which takes some microseconds to start.
const WORTH_A_THREAD_BYTES: usize = 128 << 10;

/// Reads a recording and computes its digest in parallel, which takes nearly as long as decoding a Slippi replay.
fn read_and_digest(
    bytes: &[u8],
    options: &ReadOptions,
) -> (
    postgame::Result<(postgame::Recording, postgame::Report)>,
    String,
) {
    if bytes.len() < WORTH_A_THREAD_BYTES {
        return (postgame::read(bytes, options), sha256(bytes));
    }
    std::thread::scope(|scope| {
        let digest = scope.spawn(|| sha256(bytes));
        let read = postgame::read(bytes, options);
        // The thread cannot panic; if it did, the panic would be passed on here.
        (read, digest.join().unwrap_or_else(|_| sha256(bytes)))
    })
}

/// The format of some bytes by their content: ``"rocket-league"``, ``"rumble"``, ``"satisfactory"``,
/// ``"satisfactory-blueprint"``, ``"satisfactory-config"``, ``"slippi"``; ``None`` for anything else.
///
/// >>> postgame.sniff("samples/duel.replay"), postgame.sniff("samples/bout.replay")
/// ('rocket-league', 'rumble')
/// >>> postgame.sniff(b"hello") is None
/// True
#[pyfunction]
pub fn sniff(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let input = Input::of(source)?;
    let format = py
        .detach(|| Ok(Format::sniff(&input.load()?)))
        .map_err(|error| input.os_error(&error))?;
    Ok(format.map(Format::id))
}

/// Turns a damaged recording into a valid one without inventing data, and reports each step.
///
/// >>> whole = postgame.read("samples/bout.replay").to_bytes()
/// >>> recording, report = postgame.repair(whole[:-100])
/// >>> recording.check().is_clean
/// True
/// >>> report.verdict, report.is_proven
/// ('lost', False)
#[pyfunction]
pub fn repair(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<(Recording, Repair)> {
    let input = Input::of(source)?;
    let read = read_input(py, &input, &ReadOptions::default(), false)?;
    let file = read.0.file.clone();
    let repaired = py.detach(|| {
        let mut recording = match Arc::try_unwrap(read.0) {
            Ok(shared) => shared.recording,
            Err(shared) => shared.recording.clone(),
        };
        let done = recording.repair(&ReadOptions::default())?;
        Ok((recording, done))
    });
    let (recording, done) = repaired.map_err(|error| raised(py, &error, known(&file)))?;
    Ok((
        Recording::new(recording, Findings::default(), &file),
        Repair(done),
    ))
}

/// A recording from the output of :meth:`Recording.to_json`.
///
/// >>> recording = postgame.read("samples/bout.replay")
/// >>> postgame.from_json(recording.to_json()).to_bytes() == recording.to_bytes()
/// True
#[pyfunction]
pub fn from_json(py: Python<'_>, text: &str) -> PyResult<Recording> {
    let recording = py
        .detach(|| postgame::Recording::read_json(text.as_bytes()))
        .map_err(|error| raised(py, &error, None))?;
    Ok(Recording::new(recording, Findings::default(), ""))
}

#[pymethods]
impl Recording {
    /// The file it was read from, if known.
    #[getter]
    fn file(&self) -> Option<&str> {
        known(&self.0.file)
    }

    /// The format's short name, as returned by :func:`sniff`.
    #[getter]
    fn format(&self) -> &'static str {
        self.format_of().id()
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.format_of().game()
    }

    /// The version of the game or of the recorder.
    #[getter]
    fn version(&self) -> &str {
        &self.0.summary().version
    }

    /// The header in the file's own terms, as dictionaries and lists.
    ///
    /// >>> postgame.read("samples/factory.sav").header["session_name"]
    /// 'Sample Factory'
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        use postgame::Recording as Any;
        match &self.0.recording {
            Any::RocketLeague(replay) => json::to_python(py, &replay.header),
            Any::Rumble(rumble::Replay::First(replay)) => json::to_python(py, &replay.header),
            Any::Rumble(rumble::Replay::Second(replay)) => json::to_python(py, &replay.manifest),
            Any::Rumble(rumble::Replay::Rr(replay)) => json::to_python(py, &replay.header),
            Any::Satisfactory(save) => json::to_python(py, &save.header),
            Any::SatisfactoryBlueprint(blueprint) => json::to_python(py, &blueprint.header),
            Any::SatisfactoryConfig(config) => json::to_python(py, config),
            Any::Slippi(replay) => json::to_python(
                py,
                SlippiHeader {
                    start: &replay.start,
                    metadata: replay.metadata(),
                },
            ),
        }
    }

    /// The summary, with the same names for all games: version, date, map, duration_s, players, score, details.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, self.0.summary())
    }

    /// The players: name, team and details of each.
    ///
    /// >>> [player["name"] for player in postgame.read("samples/duel.slp").players]
    /// ['Ada', 'Ben']
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.0.summary().players)
    }

    /// The findings of reading; :meth:`check` looks for more.
    #[getter]
    fn report(&self) -> Report {
        Report(self.0.report.clone())
    }

    /// All findings: those of reading, and contradictions of the recording with its format or within itself.
    fn check(&self, py: Python<'_>) -> Report {
        Report(py.detach(|| {
            let mut report = self.0.report.clone();
            self.0.recording.check(&mut report);
            report
        }))
    }

    /// Everything that moves and happens: seconds, metres, right-handed, Y up.
    #[getter]
    fn timeline(&self, py: Python<'_>) -> Timeline {
        py.detach(|| self.0.timeline());
        Timeline(Arc::clone(&self.0))
    }

    /// The events in order: time_s, frame, kind, who, whom, position_m and details of each; of one kind or all.
    ///
    /// >>> [event["who"] for event in postgame.read("samples/duel.slp").events("kill")]
    /// ['Ada (Fox)']
    #[pyo3(signature = (kind = None))]
    fn events<'py>(&self, py: Python<'py>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let events: Vec<NamedEvent<'_>> = py.detach(|| {
            let timeline = self.0.timeline();
            let wanted = timeline
                .events
                .iter()
                .filter(|event| kind.is_none_or(|kind| event.kind == kind));
            wanted.map(|event| timeline.named(event)).collect()
        });
        json::to_python(py, events)
    }

    /// The statistics: ``recording``, ``teams`` and ``players``; ``None`` if there are none for this game.
    ///
    /// >>> stats = postgame.read("samples/duel.slp").stats()
    /// >>> stats["players"][0]["name"]
    /// 'Ada (Fox)'
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, py.detach(|| self.0.stats()))
    }

    /// Checks of physical plausibility: aspect, name, verdict, samples, measured and expected of each.
    fn probe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, py.detach(|| self.0.recording.probe(self.0.timeline())))
    }

    /// The whole recording as JSON text, without loss; :func:`from_json` converts it back.
    #[pyo3(signature = (*, pretty = false))]
    fn to_json<'py>(&self, py: Python<'py>, pretty: bool) -> PyResult<Bound<'py, PyString>> {
        let text = py
            .detach(|| {
                let mut text = Vec::new();
                self.0.recording.write_json(&mut text, pretty)?;
                Ok::<_, std::io::Error>(text)
            })
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyString::from_bytes(py, &text)
    }

    /// The file: exactly the bytes it was read from, if nothing was changed.
    ///
    /// >>> recording = postgame.read("samples/duel.replay")
    /// >>> recording.to_bytes() == open("samples/duel.replay", "rb").read()
    /// True
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.bytes(py)?))
    }

    /// Writes the file; if that fails, an existing file is unchanged.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write_file(py, &path, &self.bytes(py)?)
    }

    /// The names of the tables that recordings of this game have.
    ///
    /// >>> "frames" in postgame.read("samples/duel.slp").tables
    /// True
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        let format = self.format_of();
        let tables = postgame_tables::ALL.iter();
        let own = tables.filter(|table| table.is_of(format));
        own.map(|table| table.name()).collect()
    }

    /// One of its tables. ``columns`` selects columns and their order; ``fps`` resamples to that many rows per second
    /// instead of one per frame.
    ///
    /// >>> postgame.read("samples/duel.slp").table("conversions", columns=["character", "opening", "damage_percent"])
    /// <Table conversions: 1 rows, 3 columns>
    #[pyo3(signature = (name, *, columns = None, fps = None))]
    fn table(
        &self,
        py: Python<'_>,
        name: &str,
        columns: Option<Vec<String>>,
        fps: Option<f64>,
    ) -> PyResult<Table> {
        Table::of(py, &self.0, name, columns, fps)
    }

    /// The machine-learning matrix of a Rocket League replay: the names of its columns, and one row for every frame, or
    /// ``fps`` of them per second, with the clock, the ball and every player's car side by side. Names are those of
    /// subtr-actor if the meaning is the same; absent values are NaN. ``groups`` chooses columns by the names in
    /// docs/tables.md, labels included; ``normalised`` scales numbers to about -1 to 1.
    ///
    /// >>> names, matrix = postgame.read("samples/duel.replay").features(fps=10)
    /// >>> matrix.shape[1] == len(names), "Ball - position x" in names
    /// (True, True)
    /// >>> names, matrix = postgame.read("samples/duel.replay").features(groups=["PlayerBoost", "LabelNextGoal:5"])
    /// >>> names[0]
    /// 'label - blue scores within 5 s'
    #[pyo3(signature = (*, fps = None, groups = None, normalised = false))]
    fn features<'py>(
        &self,
        py: Python<'py>,
        fps: Option<f64>,
        groups: Option<Vec<String>>,
        normalised: bool,
    ) -> PyResult<(Vec<String>, Bound<'py, PyAny>)> {
        check_fps(fps)?;
        let groups = groups.unwrap_or_default();
        let groups = groups.iter().map(|name| Group::new(name));
        let options = FeatureOptions {
            fps,
            groups: groups
                .collect::<Result<_, _>>()
                .map_err(PyValueError::new_err)?,
            normalised,
        };
        let features = py
            .detach(|| postgame_tables::features::features(&self.0, &options))
            .map_err(failed)?
            .ok_or_else(|| refused(py, self.format_of(), "only Rocket League has features"))?;
        let width = Some(features.columns.len());
        let values = Numbers::Single {
            values: features.values,
            width,
        };
        Ok((features.columns, values.into_array(py)?))
    }

    /// The objects of a Satisfactory save or blueprint, one dictionary each; all of them, or those of a class.
    ///
    /// >>> save = postgame.read("samples/factory.sav")
    /// >>> next(save.objects("Build_ConstructorMk1_C"))["header"]["kind"]["actor"]["position_cm"]
    /// [0.0, 3200.0, 100.0]
    #[pyo3(signature = (class_name = None))]
    fn objects(&self, py: Python<'_>, class_name: Option<String>) -> PyResult<Objects> {
        Objects::of(py, &self.0, class_name)
    }

    /// The object of a Satisfactory save or blueprint with this path, as a dictionary.
    fn object<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let body = body_of(&self.0.recording)
            .ok_or_else(|| refused(py, self.format_of(), "there are no objects in it"))?;
        let object = py.detach(|| match body.find(path) {
            Some(place) => body.object(place),
            None => Err(postgame::Error::invalid(format!(
                "there is no object {path}"
            ))),
        });
        let object =
            object.map_err(|error| raised(py, &error.in_format(self.format_of()), None))?;
        json::to_python(py, object)
    }

    /// An editable copy of a Satisfactory save or blueprint.
    fn edit(&self, py: Python<'_>) -> PyResult<Edit> {
        Edit::of(py, &self.0)
    }

    fn __repr__(&self) -> String {
        let file = known(&self.0.file).unwrap_or("from memory");
        format!("<Recording {} {file}>", self.format())
    }
}

/// A file's name; `None` if it is empty.
pub fn known(file: &str) -> Option<&str> {
    Some(file).filter(|file| !file.is_empty())
}

/// The facts about a Slippi replay that do not need its frames.
#[derive(serde::Serialize)]
struct SlippiHeader<'a> {
    start: &'a postgame::slippi::model::start::Start,
    metadata: Option<&'a ubjson::Value>,
}
