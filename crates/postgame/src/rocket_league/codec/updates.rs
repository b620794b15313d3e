//! Every update of a replay with the names of its actor and attribute.
//!
//! ```
//! use postgame::{Recording, rocket_league::model::kinds::Value};
//!
//! let bytes = std::fs::read("../../samples/duel.replay")?;
//! let (recording, _) = postgame::read(&bytes, &Default::default())?;
//! let Recording::RocketLeague(replay) = recording else { panic!("another game") };
//! let balls = replay
//!     .updates()
//!     .filter(|update| update.object.is_some_and(|object| object.contains("Ball_")));
//! let bodies = balls.filter(|update| matches!(update.value, Value::RigidBody(_)));
//! assert!(bodies.count() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;

use serde::Serialize;

use super::model::kinds::{Attribute, Value};
use super::model::network::{Action, Actions, Block, BlockFrames, Updates, What};
use super::model::text::Text;
use super::model::{Body, Header, Replay};
use super::schema::{Class, Schema};

/// A change of one attribute of one actor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Update<'a> {
    /// The frame's number in the file.
    pub frame: usize,
    /// Its time, in seconds.
    pub time_s: f32,
    /// The actor's number, which another actor may have later.
    pub actor: u32,
    /// The archetype of the actor, such as `Archetypes.Ball.Ball_Default`; `None` if its appearance could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<&'a str>,
    /// The attribute's name, such as `TAGame.Vehicle_TA:ReplicatedSteer`; `None` if its actor is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<&'a str>,
    /// Its new value.
    pub value: Value<&'a Attribute>,
}

impl Replay {
    /// Every update of every frame, in the order of the file; none if only the header was read.
    pub fn updates(&self) -> impl Iterator<Item = Update<'_>> {
        let body = self.body.iter();
        body.flat_map(|body| NamedUpdates::new(&self.header, body))
    }
}

/// The live actors of a stream, and the names of what the stream says about them.
///
/// Pass every action of the stream to [`Actors::apply`] in order, and call [`Actors::forget`] at a gap.
#[derive(Clone, Debug)]
pub struct Actors<'a> {
    schema: Schema,
    objects: &'a [Text],
    /// The archetype of each actor, by its number.
    near: Vec<Option<i32>>,
    /// Those with numbers beyond the list: only damaged files have them.
    far: HashMap<u32, i32>,
}

impl<'a> Actors<'a> {
    /// Length of the list of archetypes; real files have at most 2047 actors.
    const NEAR: usize = 1 << 16;

    /// No actors yet.
    pub fn new(header: &Header, body: &'a Body) -> Self {
        Self {
            schema: Schema::new(header, body),
            objects: &body.objects,
            near: Vec::new(),
            far: HashMap::new(),
        }
    }

    /// Notes that an actor appears or vanishes.
    #[inline]
    pub fn apply(&mut self, action: &Action<'_>) {
        match &action.what {
            What::Deleted => self.set(action.actor, None),
            What::Spawned(spawn) => self.set(action.actor, Some(spawn.object.id)),
            What::Updated(_) => {}
        }
    }

    /// Forgets all actors: after missing frames their numbers may stand for others.
    pub fn forget(&mut self) {
        self.near.clear();
        self.far.clear();
    }

    /// The archetype of an actor, an index into the objects.
    #[inline]
    pub fn object(&self, actor: u32) -> Option<i32> {
        match self.near.get(actor as usize) {
            Some(object) => *object,
            None => self.far.get(&actor).copied(),
        }
    }

    /// The name of an actor's archetype.
    pub fn object_name(&self, actor: u32) -> Option<&'a str> {
        self.name(usize::try_from(self.object(actor)?).ok()?)
    }

    /// The class of an actor.
    #[inline]
    pub fn class(&self, actor: u32) -> Option<&Class> {
        self.schema.class_of_object(self.object(actor)?)
    }

    /// The name of an attribute of an actor.
    pub fn attribute_name(&self, actor: u32, stream_id: u16) -> Option<&'a str> {
        self.name(self.class(actor)?.object_of(stream_id)? as usize)
    }

    fn name(&self, object: usize) -> Option<&'a str> {
        self.objects.get(object).map(Text::as_str)
    }

    fn set(&mut self, actor: u32, object: Option<i32>) {
        let slot = actor as usize;
        if slot >= Self::NEAR {
            match object {
                Some(object) => self.far.insert(actor, object),
                None => self.far.remove(&actor),
            };
            return;
        }
        if slot >= self.near.len() {
            self.near.resize(slot + 1, None);
        }
        if let Some(known) = self.near.get_mut(slot) {
            *known = object;
        }
    }
}

/// The position of [`Replay::updates`] in the stream.
struct NamedUpdates<'a> {
    actors: Actors<'a>,
    blocks: std::slice::Iter<'a, Block>,
    /// The number of the next block's first frame.
    first: usize,
    frames: Option<BlockFrames<'a>>,
    /// A gap follows the current block.
    is_before_gap: bool,
    frame: (usize, f32),
    actions: Option<Actions<'a>>,
    actor: u32,
    object: Option<&'a str>,
    updates: Option<Updates<'a>>,
}

impl<'a> NamedUpdates<'a> {
    fn new(header: &Header, body: &'a Body) -> Self {
        Self {
            actors: Actors::new(header, body),
            blocks: body.network.blocks.iter(),
            first: 0,
            frames: None,
            is_before_gap: false,
            frame: (0, 0.0),
            actions: None,
            actor: 0,
            object: None,
            updates: None,
        }
    }

    /// Goes to the next record with updates; `None` at the end of the stream.
    fn next_record(&mut self) -> Option<()> {
        loop {
            if let Some(action) = self.actions.as_mut().and_then(Iterator::next) {
                self.actors.apply(&action);
                if let What::Updated(updates) = action.what {
                    self.actor = action.actor;
                    self.object = self.actors.object_name(action.actor);
                    self.updates = Some(updates);
                    return Some(());
                }
            } else if let Some(frame) = self.frames.as_mut().and_then(Iterator::next) {
                self.frame = (frame.number, frame.time_s);
                self.actions = Some(frame.actions());
            } else {
                self.next_block()?;
            }
        }
    }

    fn next_block(&mut self) -> Option<()> {
        if std::mem::take(&mut self.is_before_gap) {
            self.actors.forget();
        }
        let block = self.blocks.next()?;
        self.is_before_gap = block.gap.is_some();
        self.frames = Some(block.frames(self.first));
        self.first += block.len_with_gap();
        Some(())
    }
}

impl<'a> Iterator for NamedUpdates<'a> {
    type Item = Update<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((stream_id, value)) = self.updates.as_mut().and_then(Iterator::next) {
                let (frame, time_s) = self.frame;
                return Some(Update {
                    frame,
                    time_s,
                    actor: self.actor,
                    object: self.object,
                    attribute: self.actors.attribute_name(self.actor, stream_id),
                    value,
                });
            }
            self.next_record()?;
        }
    }
}
