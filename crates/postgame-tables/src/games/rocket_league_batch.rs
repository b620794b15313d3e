//! Rows of the table of attributes on their way into columns.
//!
//! Most columns have a value in few of the rows. So values are kept with the numbers of their rows, and the columns of a
//! batch are made of them at once; names are the numbers of a file's objects until then.

use arrow::array::BooleanBufferBuilder;
use arrow::buffer::BooleanBuffer;
use arrow::datatypes::Float32Type;
use arrow::error::ArrowError;
use postgame::rocket_league::coords::Scales;
use postgame::rocket_league::model::kinds::{Attribute, Kind, Value};
use postgame::rocket_league::model::text::Text;
use serde::Serialize as _;

use super::rocket_league_updates::updates;
use crate::builders::{NameBuilder, NumberBuilder};
use crate::kinds::{self, Steady as _};
use crate::source::Source;

/// What an actor does.
#[derive(Clone, Copy)]
pub(super) enum UpdateKind {
    Appears,
    /// Which attribute, by its object, and how it is stored.
    Changes(Option<u32>, Kind),
    Vanishes,
}

impl UpdateKind {
    const NAMES: [&str; 3] = ["appears", "changes", "vanishes"];

    fn number(self) -> u8 {
        match self {
            Self::Appears => 0,
            Self::Changes(..) => 1,
            Self::Vanishes => 2,
        }
    }
}

/// No object, no kind.
const NONE: u32 = u32::MAX;

/// Values of `N` columns that some rows have.
struct Sparse<T, const N: usize> {
    /// Whether one of the columns is asked for; if not, nothing is kept.
    is_wanted: bool,
    rows: Vec<usize>,
    columns: [Vec<T>; N],
}

impl<T, const N: usize> Sparse<T, N> {
    fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted,
            rows: Vec::new(),
            columns: std::array::from_fn(|_| Vec::new()),
        }
    }

    #[inline]
    fn push(&mut self, row: usize, values: [T; N]) {
        if !self.is_wanted {
            return;
        }
        self.rows.push(row);
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
    }

    /// The validity of `rows` rows.
    fn valid(&self, rows: usize) -> BooleanBuffer {
        let mut valid = BooleanBufferBuilder::new(rows);
        valid.append_n(rows, false);
        self.rows.iter().for_each(|&row| valid.set_bit(row, true));
        valid.build()
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.columns.iter_mut().for_each(Vec::clear);
    }
}

impl<const N: usize> Sparse<f32, N> {
    fn flush(&mut self, rows: usize, builders: [&mut Option<NumberBuilder<Float32Type>>; N]) {
        let valid = self.valid(rows);
        for (builder, values) in builders.into_iter().zip(&self.columns) {
            if let Some(builder) = builder {
                builder.append_some(values, &valid);
            }
        }
        self.clear();
    }
}

/// Rows of one batch.
pub(super) struct Batch {
    /// In which row a frame begins, its number and time. The last one goes on in the next batch.
    frames: Vec<(usize, usize, f32)>,
    actors: Vec<u32>,
    /// The origins of actors, attributes and kinds; [`NONE`] if absent.
    objects: Vec<u32>,
    deeds: Vec<u8>,
    attributes: Vec<u32>,
    kinds: Vec<u32>,
    /// The kinds that occur, by their numbers.
    kind_names: Vec<Option<&'static str>>,
    numbers: Sparse<f64, 1>,
    to_actors: Sparse<i32, 1>,
    to_objects: Sparse<u32, 1>,
    places: Sparse<f32, 3>,
    turned: Sparse<f32, 4>,
    speeds: Sparse<f32, 3>,
    spins: Sparse<f32, 3>,
    /// Where each text ends in `text`.
    text_ends: Sparse<usize, 1>,
    text: Vec<u8>,
}

impl Batch {
    /// For these columns.
    pub fn new(columns: &updates::Columns) -> Self {
        let is_placed = [&columns.x_uu, &columns.y_uu, &columns.z_uu];
        let is_turned = [&columns.qx, &columns.qy, &columns.qz, &columns.qw];
        let has_speed = [&columns.vx_uu_s, &columns.vy_uu_s, &columns.vz_uu_s];
        let has_spin = [&columns.wx_rad_s, &columns.wy_rad_s, &columns.wz_rad_s];
        let any = |columns: &[&Option<NumberBuilder<Float32Type>>]| {
            columns.iter().any(|column| column.is_some())
        };
        Self {
            frames: Vec::new(),
            actors: Vec::new(),
            objects: Vec::new(),
            deeds: Vec::new(),
            attributes: Vec::new(),
            kinds: Vec::new(),
            kind_names: vec![None; 1 + usize::from(u8::MAX)],
            numbers: Sparse::new(columns.number.is_some()),
            to_actors: Sparse::new(columns.to_actor.is_some()),
            to_objects: Sparse::new(columns.to_object.is_some()),
            places: Sparse::new(any(&is_placed)),
            turned: Sparse::new(any(&is_turned)),
            speeds: Sparse::new(any(&has_speed)),
            spins: Sparse::new(any(&has_spin)),
            text_ends: Sparse::new(columns.text.is_some()),
            text: Vec::new(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.actors.len()
    }

    /// The next rows are of this frame.
    pub fn begin_frame(&mut self, number: usize, time_s: f32) {
        self.frames.push((self.rows(), number, time_s));
    }

    /// Adds a row, whose values are there already.
    #[inline]
    pub fn add(&mut self, actor: u32, maker: Option<i32>, deed: UpdateKind) {
        let maker = maker.and_then(|maker| u32::try_from(maker).ok());
        self.actors.push(actor);
        self.objects.push(maker.unwrap_or(NONE));
        self.deeds.push(deed.number());
        let (attribute, kind) = match deed {
            UpdateKind::Changes(attribute, kind) => {
                if let Some(name @ None) = self.kind_names.get_mut(kind as usize) {
                    *name = Some(kind.name());
                }
                (attribute.unwrap_or(NONE), kind as u32)
            }
            _ => (NONE, NONE),
        };
        self.attributes.push(attribute);
        self.kinds.push(kind);
    }

    /// Where something is, for the next row.
    pub fn place(&mut self, place: Option<[f32; 3]>) {
        if let Some(place) = place {
            self.places.push(self.rows(), place);
        }
    }

    /// The value of an attribute, for the next row.
    #[inline]
    pub fn value(&mut self, value: &Value<&Attribute>, scales: &Scales) -> Result<(), ArrowError> {
        let row = self.rows();
        match value {
            Value::Boolean(value) => self.numbers.push(row, [u8::from(*value).into()]),
            Value::Reference(reference) => {
                if let Some(actor) = reference.actor().and_then(|id| id.try_into().ok()) {
                    self.to_actors.push(row, [actor]);
                }
                if let Some(object) = reference.object().and_then(|id| id.try_into().ok()) {
                    self.to_objects.push(row, [object]);
                }
            }
            Value::RigidBody(body) => {
                self.places.push(row, scales.location_uu(body));
                if self.turned.is_wanted {
                    self.turned.push(row, body.rotation.to_quaternion());
                }
                if let Some(speed) = scales.velocity_uu_s(body) {
                    self.speeds.push(row, speed);
                }
                if let Some(spin) = scales.turn_rad_s(body) {
                    self.spins.push(row, spin);
                }
            }
            Value::Attribute(_) if !self.text_ends.is_wanted => {}
            Value::Attribute(Attribute::String(value)) => {
                self.text.extend_from_slice(value.as_str().as_bytes());
                self.text_ends.push(row, [self.text.len()]);
            }
            Value::Attribute(attribute) => {
                // Into memory, and a value of the model always has a JSON form. Of `value` itself nothing is to need an
                // address: it would have to be put together for each row.
                Value::Attribute(*attribute)
                    .serialize(&mut serde_json::Serializer::new(&mut self.text))
                    .map_err(|error| ArrowError::JsonError(error.to_string()))?;
                self.text_ends.push(row, [self.text.len()]);
            }
            other => {
                if let Some(number) = other.number() {
                    self.numbers.push(row, [number]);
                }
            }
        }
        Ok(())
    }

    /// Makes columns of the rows.
    pub fn flush(
        &mut self,
        source: &Source,
        objects: &[Text],
        rows: &mut updates::Rows<'_>,
    ) -> Result<(), ArrowError> {
        let count = self.rows();
        rows.expect(count);
        let columns = &mut rows.columns;
        if let Some(builder) = &mut columns.recording_id {
            builder.append_many(&source.id, count);
        }
        let last = self.frames.last().copied();
        let ends = self.frames.iter().skip(1).map(|&(start, ..)| start);
        for (&(start, number, time_s), end) in self.frames.iter().zip(ends.chain([count])) {
            if let Some(builder) = &mut columns.frame {
                kinds::U32::append_many(builder, u32::try_from(number).ok(), end - start);
            }
            if let Some(builder) = &mut columns.time_s {
                kinds::F64::append_many(builder, Some(time_s.into()), end - start);
            }
        }
        self.frames.clear();
        self.frames
            .extend(last.map(|(_, number, time_s)| (0, number, time_s)));
        if let Some(builder) = &mut columns.actor {
            builder.append_slice(&self.actors);
        }
        let object = |object: u32| objects.get(object as usize).map(Text::as_str);
        let objects = (objects.len(), &object);
        add_names(&mut columns.object, &self.objects, objects);
        add_names(&mut columns.attribute, &self.attributes, objects);
        let kind = |kind: u32| self.kind_names.get(kind as usize).copied().flatten();
        add_names(
            &mut columns.kind,
            &self.kinds,
            (self.kind_names.len(), &kind),
        );
        if let Some(builder) = &mut columns.action {
            let numbers = UpdateKind::NAMES.map(|name| builder.number(name));
            let deeds = self.deeds.iter();
            let deeds = deeds.filter_map(|&deed| numbers.get(usize::from(deed)).copied());
            builder.append_numbers(&deeds.collect::<Vec<_>>());
        }
        if let Some(builder) = &mut columns.number {
            builder.append_some(&self.numbers.columns[0], &self.numbers.valid(count));
        }
        if let Some(builder) = &mut columns.to_actor {
            builder.append_some(&self.to_actors.columns[0], &self.to_actors.valid(count));
        }
        if columns.to_object.is_some() {
            let mut all = vec![NONE; count];
            for (&row, &to) in self.to_objects.rows.iter().zip(&self.to_objects.columns[0]) {
                all[row] = to;
            }
            add_names(&mut columns.to_object, &all, objects);
        }
        let updates::Columns {
            x_uu, y_uu, z_uu, ..
        } = columns;
        self.places.flush(count, [x_uu, y_uu, z_uu]);
        let updates::Columns { qx, qy, qz, qw, .. } = columns;
        self.turned.flush(count, [qx, qy, qz, qw]);
        let updates::Columns {
            vx_uu_s,
            vy_uu_s,
            vz_uu_s,
            ..
        } = columns;
        self.speeds.flush(count, [vx_uu_s, vy_uu_s, vz_uu_s]);
        let updates::Columns {
            wx_rad_s,
            wy_rad_s,
            wz_rad_s,
            ..
        } = columns;
        self.spins.flush(count, [wx_rad_s, wy_rad_s, wz_rad_s]);
        if let Some(builder) = &mut columns.text {
            let (mut row, mut start) = (0, 0);
            for (&at, &end) in self.text_ends.rows.iter().zip(&self.text_ends.columns[0]) {
                builder.append_nulls(at - row);
                let text = self.text.get(start..end).unwrap_or_default();
                // JSON and the model's own text are Unicode.
                builder.append_value(std::str::from_utf8(text).unwrap_or_default());
                (row, start) = (at + 1, end);
            }
            builder.append_nulls(count - row);
        }
        self.actors.clear();
        self.objects.clear();
        self.deeds.clear();
        self.attributes.clear();
        self.kinds.clear();
        self.numbers.clear();
        self.to_actors.clear();
        self.to_objects.clear();
        self.text_ends.clear();
        self.text.clear();
        rows.added(count)
    }
}

/// Adds a name for each row, by its index in a list of `count` names; null if the list has none. Each name is looked up
/// once.
fn add_names<'a>(
    builder: &mut Option<NameBuilder>,
    places: &[u32],
    (count, name): (usize, &impl Fn(u32) -> Option<&'a str>),
) {
    /// Not looked up yet, and not there.
    const NEW: i32 = -2;
    const ABSENT: i32 = -1;
    let Some(builder) = builder else { return };
    let mut known = vec![NEW; count];
    let mut numbers = Vec::with_capacity(places.len());
    for &place in places {
        let Some(known) = known.get_mut(place as usize) else {
            numbers.push(ABSENT);
            continue;
        };
        if *known == NEW {
            *known = name(place).map_or(ABSENT, |name| builder.number(name));
        }
        numbers.push(*known);
    }
    if numbers.iter().all(|&number| number >= 0) {
        return builder.append_numbers(&numbers);
    }
    let valid = BooleanBuffer::collect_bool(numbers.len(), |row| numbers[row] >= 0);
    numbers.retain(|&number| number >= 0);
    builder.append_some(&numbers, &valid);
}
