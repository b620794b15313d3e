//! Saves of one session on one timeline.
//!
//! Each save is an instant at its play time. A thing that several saves have is one entity, which is there from the first
//! of them to the first that lacks it; where it is changes with the saves. An event's time is that of the first save that
//! shows it, so what happened did so between that save and the one before; its `frame` is the save's number.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::census::Session;
use super::census::collectibles::Finds;
use super::classes::{each_object, full_name, readable, schematic_kind};
use crate::satisfactory::codec::model::{Body, Object, Save, Tail};
use crate::satisfactory::codec::summary::short_class;
use crate::satisfactory::coords;
use crate::timeline::{
    Column, Entity, EntityId, Event, Hold, Presence, Sample, Timeline, Track, Values,
};

/// Puts saves of one session on a timeline, one after the other.
#[derive(Debug, Default)]
pub struct History {
    timeline: Timeline,
    saves: usize,
    /// What the last save knew, to see what the next one has new.
    schematics: BTreeSet<String>,
    phase: Option<String>,
    found: BTreeMap<&'static str, usize>,
}

/// Something that stands in a save.
struct Standing {
    name: String,
    kind: &'static str,
    /// The last part of its class's path.
    class: String,
    position: [f32; 3],
    rotation: [f32; 4],
}

/// What tells a thing from others in all saves of a session: its name, or for what has none its class and place.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Name(String),
    Place(String, [u32; 3], [u32; 4]),
}

impl Key {
    fn new(name: &str, position: [f32; 3], rotation: [f32; 4]) -> Self {
        match name.split_once(" #") {
            Some((class, _)) => Self::Place(
                class.to_owned(),
                position.map(f32::to_bits),
                rotation.map(f32::to_bits),
            ),
            None => Self::Name(name.to_owned()),
        }
    }
}

impl History {
    /// Adds a save. Saves are to be added in order of their play times.
    pub fn add(&mut self, save: &Save) {
        let Some(body) = &save.body else {
            return;
        };
        let mut session = Session::new(save);
        let time_s = session.play_time_s.max(self.timeline.end_s);
        if self.saves == 0 {
            self.event(
                0.0,
                "session-start",
                vec![
                    ("session", session.name.clone().unwrap_or_default()),
                    ("map", session.map.clone()),
                ],
            );
        }
        let changes = self.add_standing(body, time_s, &mut session);
        for (kind, classes) in ["built", "removed"].into_iter().zip(changes) {
            for (class, count) in classes {
                self.event(
                    time_s,
                    kind,
                    vec![("class", class), ("count", count.to_string())],
                );
            }
        }
        self.add_progress(&session, time_s);
        self.add_finds(body, &session, time_s);
        let name = save.header.save_name.as_ref().map(|name| name.to_string());
        self.event(
            time_s,
            "saved",
            vec![
                ("name", name.unwrap_or_default()),
                ("at", session.saved_at.unwrap_or_default()),
                ("version", session.version),
            ],
        );
        self.saves += 1;
    }

    /// Adds what stands in a body, without its session.
    pub(in crate::satisfactory) fn add_body(&mut self, body: &Body, time_s: f64) {
        self.add_standing(body, time_s, &mut Session::default());
        self.saves += 1;
    }

    /// The timeline.
    pub fn finish(self) -> Timeline {
        self.timeline
    }

    fn event(
        &mut self,
        time_s: f64,
        kind: impl Into<Cow<'static, str>>,
        details: Vec<(&'static str, String)>,
    ) {
        let details = details.into_iter().filter(|(_, text)| !text.is_empty());
        let details = details.map(|(name, text)| (name, text.into()));
        self.timeline.events.push(Event {
            time_s,
            frame: self.saves,
            kind: kind.into(),
            who: None,
            whom: None,
            position: None,
            details: details.collect(),
        });
    }

    /// Adds everything that stands, and what the managers say to the session. Returns which buildings are new and which
    /// are gone, by name, if there was a save before.
    fn add_standing(
        &mut self,
        body: &Body,
        time_s: f64,
        session: &mut Session,
    ) -> [BTreeMap<String, usize>; 2] {
        let is_first = self.saves == 0;
        if is_first {
            self.timeline.start_s = time_s;
        }
        self.timeline.end_s = time_s;
        let mut known = if is_first {
            HashMap::new()
        } else {
            self.known(time_s)
        };
        let [mut built, mut removed] = [BTreeMap::new(), BTreeMap::new()];
        each_standing(body, session, |thing| {
            let key = (!is_first).then(|| Key::new(&thing.name, thing.position, thing.rotation));
            let before = key.and_then(|key| known.get_mut(&key)?.pop());
            match before.and_then(|id| self.timeline.entities.get_mut(id.0)) {
                Some(entity) => {
                    entity.presence.appear(time_s);
                    push(entity, time_s, &thing);
                }
                None => {
                    if thing.kind == "building" && !is_first {
                        *built.entry(readable(&thing.class)).or_default() += 1;
                    }
                    self.timeline.add(entity(thing, time_s));
                }
            }
        });
        for id in known.into_values().flatten() {
            if let Some(entity) = self.timeline.entities.get_mut(id.0) {
                if entity.kind == "building"
                    && let Some(Sample::Name(class)) = entity.sample("class", time_s)
                {
                    *removed.entry(readable(class)).or_default() += 1;
                }
                entity.presence.vanish(time_s);
            }
        }
        [built, removed]
    }

    /// Everything that was there until now, by what tells it from others.
    fn known(&self, time_s: f64) -> HashMap<Key, Vec<EntityId>> {
        let mut known: HashMap<Key, Vec<EntityId>> = HashMap::new();
        // From the last to the first: the first is then the next one to be taken.
        for (index, entity) in self.timeline.entities.iter().enumerate().rev() {
            let place = entity.position(time_s).zip(entity.rotation(time_s));
            if let Some((position, rotation)) = place {
                let key = Key::new(&entity.name, position, rotation);
                known.entry(key).or_default().push(EntityId(index));
            }
        }
        known
    }

    fn add_progress(&mut self, session: &Session, time_s: f64) {
        for schematic in &session.schematics {
            if self.schematics.insert(schematic.clone()) {
                let kind = match schematic_kind(schematic) {
                    "other" => Cow::Borrowed("schematic"),
                    kind => kind.replace(' ', "-").into(),
                };
                self.event(time_s, kind, vec![("name", full_name(schematic))]);
            }
        }
        if session.phase.is_some() && session.phase != self.phase {
            let phase = session.phase.as_deref().map(readable).unwrap_or_default();
            self.event(time_s, "phase", vec![("name", phase)]);
            self.phase.clone_from(&session.phase);
        }
    }

    fn add_finds(&mut self, body: &Body, session: &Session, time_s: f64) {
        for kind in Finds::new(body).finish(body.save_version(), &session.map) {
            let before = self.found.insert(kind.name, kind.found).unwrap_or(0);
            if kind.found > before {
                self.event(
                    time_s,
                    "found",
                    vec![
                        ("what", kind.name.to_owned()),
                        ("count", (kind.found - before).to_string()),
                    ],
                );
            }
        }
    }
}

/// Calls `visit` with everything that stands in a body, in the file's order; what the managers say goes to the session.
fn each_standing(body: &Body, session: &mut Session, mut visit: impl FnMut(Standing)) {
    each_object(body, |class, header, object| {
        let is_lightweight = class.short() == "FGLightweightBuildableSubsystem";
        if (is_lightweight || Session::is_manager(class.short()))
            && let Some(object) = object()
        {
            if is_lightweight {
                lightweight(&object, &mut visit);
            } else if let Some(properties) = object.properties() {
                session.add_manager(class.short(), properties);
            }
        }
        // What the world's makers placed needs no transform, but has one all the same: resource nodes, slugs, pods.
        // Of the rest of the scenery nobody knows what it is.
        let placement = header.placement().filter(|placement| {
            placement.needs_transform.is_set()
                || (placement.was_placed_in_level.is_set() && class.kind != "other")
        });
        if let Some(placement) = placement {
            visit(Standing {
                name: short_class(&header.reference.path.to_str()).to_owned(),
                kind: class.kind,
                class: class.short().to_owned(),
                position: coords::position(placement.position_cm.map(f64::from)),
                rotation: coords::rotation(placement.rotation),
            });
        }
    });
}

fn lightweight(object: &Object, visit: &mut impl FnMut(Standing)) {
    let Some(Tail::Lightweight(lightweight)) = object.tail() else {
        return;
    };
    let mut indices = 0..;
    for class in &lightweight.classes {
        let path = class.class.path.to_str();
        let (name, short) = (readable(&path), short_class(&path));
        for (instance, index) in class.there().zip(&mut indices) {
            visit(Standing {
                name: format!("{name} #{index}"),
                kind: "building",
                class: short.to_owned(),
                position: coords::position(instance.position_cm),
                rotation: coords::rotation(instance.rotation.map(|part| part as f32)),
            });
        }
    }
}

fn entity(thing: Standing, time_s: f64) -> Entity {
    let column = |name, values| Column { name, values };
    let class = Values::Name {
        names: vec![thing.class],
        indices: vec![0],
    };
    let columns = vec![
        column("position", Values::Position(vec![thing.position])),
        column("rotation", Values::Rotation(vec![thing.rotation])),
        column("class", class),
    ];
    let mut track = Track::new(Hold::Held, columns);
    track.times_s = vec![time_s];
    Entity {
        name: thing.name,
        kind: thing.kind,
        parent: None,
        presence: Presence::from(time_s),
        tracks: vec![track],
    }
}

/// Adds where a thing is, unless it is where it was.
fn push(entity: &mut Entity, time_s: f64, thing: &Standing) {
    let is_same = entity.position(time_s) == Some(thing.position)
        && entity.rotation(time_s) == Some(thing.rotation);
    let Some(track) = entity.tracks.first_mut().filter(|_| !is_same) else {
        return;
    };
    track.times_s.push(time_s);
    let samples = [
        Sample::Position(thing.position),
        Sample::Rotation(thing.rotation),
        Sample::Name(&thing.class),
    ];
    for (column, sample) in track.columns.iter_mut().zip(samples) {
        column.values.push(sample);
    }
}
