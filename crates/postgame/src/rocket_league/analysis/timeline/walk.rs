//! One pass over the frames that keeps the live state and notes what changes.
//!
//! What the attributes of each kind of actor say is in `cars`, `players` and `game`, who belongs to whom in `relations`.

use super::meaning::{Meaning, Meanings, Role};
use super::motion::Mark;
use super::state::{BallLife, CarLife, Deed, Happening, Match, PlayerLife};
use crate::rocket_league::codec::model::Body;
use crate::rocket_league::codec::model::kinds::{Attribute, Kind, Value};
use crate::rocket_league::codec::model::network::{Block, FrameView, Update, What};
use crate::rocket_league::codec::model::values::Reference;

/// Actors beyond this are in no real file.
const MOST_ACTORS: usize = 1 << 16;

/// A live actor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Actor<'a> {
    pub role: Role,
    /// What its attributes mean, by their numbers.
    meanings: &'a [Meaning],
    object: i32,
    is_live: bool,
    /// Something was said about it before.
    is_told: bool,
    /// Which ball, car, player or pad life it is; for parts and cameras the actor it belongs to.
    pub index: Option<usize>,
    /// Whose its bodies are.
    pub mark: Mark,
}

/// A demolition that was noted, to tell a second sending from a second one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Destroyed {
    pub victim: Option<usize>,
    pub player: Option<usize>,
    pub velocities: [[f32; 3]; 2],
}

pub(super) struct Walk<'a> {
    pub body: &'a Body,
    meanings: &'a Meanings,
    pub actors: Vec<Actor<'a>>,
    /// Parts of cars: what was said before it was known whose they are, and whether they are active; of tiles their
    /// damage.
    pub boosts: Vec<(u32, u8)>,
    pub active: Vec<u8>,
    pub out: Match,
    pub destroyed: Vec<Destroyed>,
    pub time_s: f64,
    /// The frame's number in the file, and among those that were read.
    pub frame: usize,
    index: u32,
    /// How many bodies the blocks before this one have.
    first_body: usize,
    /// What is being said about an actor is the first about it: its state when it came or the recording began, in which
    /// nothing has happened yet.
    pub is_first: bool,
    /// Relations to actors that were not there yet: who, to whom.
    pub waiting: Vec<(u32, Meaning, u32)>,
}

impl<'a> Walk<'a> {
    pub fn new(body: &'a Body, meanings: &'a Meanings) -> Self {
        Self {
            meanings,
            body,
            actors: Vec::new(),
            boosts: Vec::new(),
            active: Vec::new(),
            out: Match::default(),
            destroyed: Vec::new(),
            time_s: f64::NEG_INFINITY,
            frame: 0,
            index: 0,
            first_body: 0,
            is_first: false,
            waiting: Vec::new(),
        }
    }

    pub fn run(mut self) -> Match {
        let count = self.body.network.frame_count();
        self.out.frame_times_s.reserve(count);
        self.out.frame_numbers.reserve(count);
        let blocks = &self.body.network.blocks;
        let bodies = blocks.iter().map(|block| block.bodies.len()).sum();
        self.out.marks = vec![Mark::NOBODY; bodies];
        let mut first = 0;
        for block in blocks {
            for frame in block.frames(first) {
                self.frame(&frame);
            }
            let gap = block.gap.as_ref();
            first += block.len() + gap.map_or(0, |gap| gap.missing_frames as usize);
            self.first_body += block.bodies.len();
        }
        let end_s = self.time_s;
        for actor in 0..self.actors.len() {
            self.end(actor, end_s);
        }
        self.out
    }

    fn frame(&mut self, frame: &FrameView<'_>) {
        let time_s = f64::from(frame.time_s);
        // A track's times ascend, whatever a damaged file says.
        self.time_s = if time_s >= self.time_s {
            time_s
        } else {
            self.time_s
        };
        self.frame = frame.number;
        self.index = self.out.frame_times_s.len() as u32;
        self.out.frame_times_s.push(self.time_s);
        self.out.frame_numbers.push(frame.number);
        for action in frame.actions() {
            let actor = action.actor;
            match action.what {
                What::Deleted => {
                    self.used_up(actor);
                    self.end(actor as usize, self.time_s);
                    if let Some(actor) = self.actors.get_mut(actor as usize) {
                        *actor = Actor::default();
                    }
                }
                What::Spawned(spawn) => self.spawn(actor, spawn.object),
                What::Updated(updates) => {
                    let (block, updates) = updates.stored();
                    self.updates(actor, block, updates);
                }
            }
        }
        if !self.waiting.is_empty() {
            for (actor, meaning, to) in std::mem::take(&mut self.waiting) {
                self.relate(actor, meaning, to);
            }
        }
    }

    fn updates(&mut self, id: u32, block: &Block, updates: &[Update]) {
        let Some(
            actor @ &mut Actor {
                meanings,
                role,
                is_live: true,
                ..
            },
        ) = self.actors.get_mut(id as usize)
        else {
            return;
        };
        if role == Role::Other {
            return;
        }
        self.is_first = !std::mem::replace(&mut actor.is_told, true);
        let (mut index, mut mark) = (actor.index, actor.mark);
        for update in updates {
            let meaning = meanings
                .get(usize::from(update.stream_id))
                .copied()
                .unwrap_or_default();
            match meaning {
                Meaning::Nothing => {}
                // Nearly half of all updates: they stay where they are stored.
                Meaning::Body => {
                    let body = self.first_body + update.payload as usize;
                    if update.kind == Kind::RigidBody
                        && let Some(slot) = self.out.marks.get_mut(body)
                    {
                        *slot = mark.in_frame(self.index);
                    }
                }
                // Most of the others are what players do with their sticks.
                Meaning::Throttle | Meaning::Steer => {
                    let car = index.filter(|_| role == Role::Car && update.kind == Kind::Byte);
                    if let Some(car) = car.and_then(|car| self.out.cars.get_mut(car)) {
                        let moves = match meaning {
                            Meaning::Steer => &mut car.steer,
                            _ => &mut car.throttle,
                        };
                        moves.set(self.index, update.payload as u8);
                    }
                }
                // Counters of parts, cameras.
                _ if update.kind == Kind::Byte => {
                    let value = Value::Byte(update.payload as u8);
                    self.update(id, (role, index), meaning, &value);
                }
                _ => {
                    if let Some(value) = block.value(update) {
                        self.update(id, (role, index), meaning, &value);
                        // It can make a car another player's.
                        if let Some(actor) = self.actors.get(id as usize) {
                            (index, mark) = (actor.index, actor.mark);
                        }
                    }
                }
            }
        }
    }

    fn spawn(&mut self, id: u32, object: Reference) {
        let slot = id as usize;
        if slot >= MOST_ACTORS {
            return;
        }
        if slot >= self.actors.len() {
            self.actors.resize(slot + 1, Actor::default());
            self.active.resize(slot + 1, 0);
        }
        let Some(actor) = self.actors.get(slot) else {
            return;
        };
        // A keyframe sends what is there already.
        if actor.is_live && actor.object == object.id {
            return;
        }
        self.end(slot, self.time_s);
        let (role, class) = usize::try_from(object.id)
            .ok()
            .and_then(|object| self.meanings.of_object.get(object))
            .copied()
            .unwrap_or((Role::Other, u16::MAX));
        let (from_s, to_s) = (self.time_s, f64::INFINITY);
        let index = match role {
            Role::Ball => {
                self.out.balls.push(BallLife { from_s, to_s });
                Some(self.out.balls.len() - 1)
            }
            Role::Car => {
                self.out.cars.push(CarLife {
                    from_s,
                    to_s,
                    ..CarLife::default()
                });
                Some(self.out.cars.len() - 1)
            }
            Role::Player => {
                self.out.players.push(PlayerLife {
                    from_s,
                    to_s,
                    ..PlayerLife::default()
                });
                Some(self.out.players.len() - 1)
            }
            Role::Pad => Some(self.pad(object.id)),
            Role::Game => {
                let name = object
                    .object()
                    .and_then(|object| self.body.objects.get(object));
                self.out.about.archetype = name.map(|name| name.as_str().to_owned());
                None
            }
            _ => None,
        };
        let mark = match (role, index) {
            (Role::Ball, Some(life)) => Mark::ball(life),
            (Role::Car, Some(life)) => Mark::car(life),
            _ => Mark::NOBODY,
        };
        if let Some(actor) = self.actors.get_mut(slot) {
            *actor = Actor {
                role,
                meanings: self.meanings.of(class),
                object: object.id,
                is_live: true,
                is_told: false,
                index,
                mark,
            };
        }
        if let Some(active) = self.active.get_mut(slot) {
            *active = 0;
        }
        self.boosts.retain(|boost| boost.0 != id);
    }

    /// An actor vanishes.
    fn end(&mut self, slot: usize, time_s: f64) {
        let Some(&Actor {
            role,
            index: Some(index),
            is_live: true,
            ..
        }) = self.actors.get(slot)
        else {
            return;
        };
        match role {
            Role::Ball => {
                if let Some(ball) = self.out.balls.get_mut(index) {
                    ball.to_s = time_s;
                }
            }
            Role::Car => {
                if let Some(car) = self.out.cars.get_mut(index) {
                    // A destroyed car is gone before its actor is.
                    car.to_s = car.to_s.min(time_s);
                }
            }
            Role::Player => {
                if let Some(player) = self.out.players.get_mut(index) {
                    player.to_s = time_s;
                }
            }
            _ => {}
        }
    }

    pub fn live(&self, id: u32) -> Option<&Actor<'a>> {
        self.actors.get(id as usize).filter(|actor| actor.is_live)
    }

    /// The life of the car with an actor id.
    pub fn car_of(&self, id: u32) -> Option<usize> {
        let actor = self.live(id)?;
        actor.index.filter(|_| actor.role == Role::Car)
    }

    pub fn player_of(&self, id: u32) -> Option<usize> {
        let actor = self.live(id)?;
        actor.index.filter(|_| actor.role == Role::Player)
    }

    /// What an actor is made from, an index into the objects.
    pub fn object_of(&self, id: u32) -> i32 {
        self.live(id).map_or(-1, |actor| actor.object)
    }

    pub fn is_first_frame(&self) -> bool {
        self.index == 0
    }

    pub fn happen(&mut self, what: Deed) {
        self.out.happenings.push(Happening {
            time_s: self.time_s,
            frame: self.frame,
            what,
        });
    }

    fn update(
        &mut self,
        actor: u32,
        (role, index): (Role, Option<usize>),
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        match role {
            Role::Car => self.update_car(actor, index, meaning, value),
            Role::Component(part) => self.update_part(actor, part, meaning, value),
            Role::Player => self.update_player(actor, index, meaning, value),
            Role::Camera => self.update_camera(actor, index, meaning, value),
            Role::Game => self.update_game(meaning, value),
            Role::About => self.update_about(meaning, value),
            Role::Team(team) => self.update_team(team, meaning, value),
            Role::Ball => self.update_ball(meaning, value),
            Role::Pad => self.update_pad(index, value),
            Role::Tile => self.update_tile(actor, value),
            Role::Other => {}
        }
    }
}
