//! The game's actors, and which entity each one speaks of.

use std::collections::HashMap;

use super::super::classes::Schema;
use super::super::coords::{self, Scales};
use super::super::model::Body;
use super::super::model::ids::UniqueId;
use super::super::model::kinds::{Attribute, Value};
use super::super::model::network::{Spawn, Updates};
use super::super::model::text::Text;
use super::super::model::values::{Reference, RigidBody};
use super::stage::Stage;
use crate::timeline::{EntityId, Event, Sample, Timeline};

/// What an actor is to the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Ball,
    Car,
    Player,
    /// A part of a car: the flag that says that it is in use.
    Part(&'static str),
    Team(u32),
    Pad,
    Game,
    Other,
}

struct Actor {
    object: i32,
    class: Option<u16>,
    role: Role,
    entity: Option<EntityId>,
    /// A car's player, a part's car, a player's team.
    owner: Option<u32>,
    /// A player's name and id.
    name: Option<String>,
    account: Option<String>,
    /// The last demolition or pick-up, which keyframes repeat.
    last: Option<Attribute>,
    /// Goals of a player or a team.
    goals: Option<i32>,
}

/// Everything that is there at a moment.
pub struct World<'a> {
    stage: Stage,
    body: &'a Body,
    schema: &'a Schema,
    scales: Scales,
    actors: HashMap<u32, Actor>,
    /// The entity of each player by account or name, of each pad by name.
    players: HashMap<String, EntityId>,
    cars: HashMap<EntityId, EntityId>,
    pads: HashMap<i32, EntityId>,
    balls: Vec<EntityId>,
    teams: [Option<EntityId>; 2],
    game: Option<EntityId>,
    frame: usize,
    now_s: f64,
    before_s: f64,
    /// Of this frame: teams and players whose goals went up.
    scored: (Vec<u32>, Vec<EntityId>),
    events: Vec<Event>,
}

impl<'a> World<'a> {
    pub fn new(body: &'a Body, schema: &'a Schema) -> Self {
        Self {
            stage: Stage::default(),
            body,
            schema,
            scales: Scales::of(&schema.era.versions),
            actors: HashMap::new(),
            players: HashMap::new(),
            cars: HashMap::new(),
            pads: HashMap::new(),
            balls: Vec::new(),
            teams: [None; 2],
            game: None,
            frame: 0,
            now_s: 0.0,
            before_s: 0.0,
            scored: (Vec::new(), Vec::new()),
            events: Vec::new(),
        }
    }

    pub fn begin_frame(&mut self, frame: usize, now_s: f64, before_s: f64) {
        (self.frame, self.now_s, self.before_s) = (frame, now_s, before_s);
    }

    pub fn finish(self) -> Timeline {
        let mut timeline = self.stage.timeline;
        timeline.events = self.events;
        timeline
    }

    fn object_name(&self, object: i32) -> &'a str {
        usize::try_from(object)
            .ok()
            .and_then(|index| self.body.objects.get(index))
            .map_or("", Text::as_str)
    }

    fn role_of(&self, object: i32, class: Option<u16>) -> Role {
        let mut class = class.and_then(|class| self.schema.classes.get(usize::from(class)));
        while let Some(current) = class {
            match current.name.as_str() {
                "TAGame.Ball_TA" => return Role::Ball,
                "TAGame.Car_TA" => return Role::Car,
                "TAGame.PRI_TA" => return Role::Player,
                "TAGame.CarComponent_Boost_TA" => return Role::Part("boosting"),
                "TAGame.CarComponent_Jump_TA" => return Role::Part("jumping"),
                "TAGame.CarComponent_DoubleJump_TA" => return Role::Part("double_jumping"),
                "TAGame.CarComponent_Dodge_TA" => return Role::Part("dodging"),
                "TAGame.GameEvent_TA" => return Role::Game,
                "TAGame.VehiclePickup_TA" => return Role::Pad,
                "Engine.TeamInfo" => {
                    let is_second = self.object_name(object).ends_with('1');
                    return Role::Team(u32::from(is_second));
                }
                _ => {}
            }
            class = current
                .parent
                .and_then(|parent| self.schema.classes.get(parent));
        }
        Role::Other
    }

    pub fn spawn(&mut self, id: u32, spawn: &Spawn) {
        let object = spawn.object.id;
        // On a keyframe everything appears that is there already.
        if self
            .actors
            .get(&id)
            .is_some_and(|actor| actor.object == object)
        {
            return;
        }
        self.delete(id);
        let class = self.schema.of_object(object).map(|(class, _)| class);
        let role = self.role_of(object, class);
        let entity = match role {
            Role::Ball => Some(self.free_ball()),
            Role::Pad => Some(self.pad(object)),
            Role::Team(team) => Some(self.team(team)),
            Role::Game => {
                let game = match self.game {
                    Some(game) => game,
                    None => self.stage.add("Game".to_owned(), "game", None),
                };
                self.game = Some(game);
                Some(game)
            }
            Role::Car | Role::Player | Role::Part(_) | Role::Other => None,
        };
        if let Some(entity) = entity {
            self.stage.appear(entity, self.now_s);
        }
        let actor = Actor {
            object,
            class,
            role,
            entity,
            owner: None,
            name: None,
            account: None,
            last: None,
            goals: None,
        };
        self.actors.insert(id, actor);
    }

    pub fn delete(&mut self, id: u32) {
        if let Some(entity) = self.actors.remove(&id).and_then(|actor| actor.entity) {
            self.stage.vanish(entity, self.now_s);
        }
    }

    /// The first ball that is not there, or a new one.
    fn free_ball(&mut self) -> EntityId {
        let in_use = |ball: &EntityId| {
            let mut actors = self.actors.values();
            actors.any(|actor| actor.entity == Some(*ball))
        };
        let free = self.balls.iter().copied().find(|ball| !in_use(ball));
        free.unwrap_or_else(|| {
            let name = match self.balls.len() {
                0 => "Ball".to_owned(),
                count => format!("Ball {}", count + 1),
            };
            let ball = self.stage.add(name, "ball", None);
            self.balls.push(ball);
            ball
        })
    }

    fn pad(&mut self, object: i32) -> EntityId {
        let name = self.object_name(object);
        let name = name.rsplit('.').next().unwrap_or(name);
        let stage = &mut self.stage;
        *self
            .pads
            .entry(object)
            .or_insert_with(|| stage.add(name.to_owned(), "boost-pad", None))
    }

    fn team(&mut self, team: u32) -> EntityId {
        let (index, name) = if team == 0 {
            (0, "Blue")
        } else {
            (1, "Orange")
        };
        let slot = &mut self.teams[index];
        *slot.get_or_insert_with(|| self.stage.add(name.to_owned(), "team", None))
    }

    /// The player's entity behind an actor.
    fn player_of(&self, id: u32) -> Option<EntityId> {
        let actor = self.actors.get(&id)?;
        match actor.role {
            Role::Player => actor.entity,
            Role::Car => self.player_of(actor.owner?),
            _ => None,
        }
    }

    pub fn update(&mut self, id: u32, updates: Updates<'a>) {
        let Some(actor) = self.actors.get(&id) else {
            return;
        };
        let class = actor
            .class
            .and_then(|class| self.schema.classes.get(usize::from(class)));
        let Some(class) = class else { return };
        if actor.role == Role::Other {
            return;
        }
        let name = |stream_id: u16| {
            let object = class.object_of(stream_id)?;
            let name = self.body.objects.get(object as usize)?.as_str();
            name.rsplit(':').next()
        };
        let named: Vec<(&'a str, Value<&'a Attribute>)> = updates
            .filter_map(|(stream_id, value)| Some((name(stream_id)?, value)))
            .collect();
        // Who it is first: a value in the same update already belongs to them.
        for (name, value) in &named {
            self.identify(id, name, value);
        }
        self.settle(id);
        for (name, value) in &named {
            self.apply(id, name, value);
        }
    }

    /// Takes what says who or whose an actor is.
    fn identify(&mut self, id: u32, name: &str, value: &Value<&Attribute>) {
        let Some(actor) = self.actors.get_mut(&id) else {
            return;
        };
        match (actor.role, name, value) {
            (Role::Car, "PlayerReplicationInfo", Value::Reference(owner))
            | (Role::Part(_), "Vehicle", Value::Reference(owner))
            | (Role::Player, "Team", Value::Reference(owner)) => {
                actor.owner = owner.actor().or(actor.owner);
            }
            (Role::Player, "PlayerName", Value::Attribute(Attribute::String(text))) => {
                actor.name = Some(text.to_string());
            }
            (Role::Player, "UniqueId", Value::Attribute(Attribute::UniqueId(player))) => {
                let account = match &**player {
                    UniqueId::None {} => None,
                    player => player
                        .account()
                        .map(|id| format!("{}:{id}", player.platform())),
                };
                actor.account = account.or(actor.account.take());
            }
            _ => {}
        }
    }

    /// Gives an actor its entity as soon as it is known whose it is.
    fn settle(&mut self, id: u32) {
        let Some(actor) = self.actors.get(&id) else {
            return;
        };
        let entity = match (actor.role, actor.entity) {
            (Role::Player, None) => {
                let Some(name) = actor.name.clone() else {
                    return;
                };
                let key = actor
                    .account
                    .clone()
                    .unwrap_or_else(|| format!("name:{name}"));
                let stage = &mut self.stage;
                *self
                    .players
                    .entry(key)
                    .or_insert_with(|| stage.add(name, "player", None))
            }
            (Role::Car, None) => {
                let Some(player) = actor.owner.and_then(|owner| self.player_of(owner)) else {
                    return;
                };
                let owner = self.stage.timeline.entity(player);
                let name = owner.map_or_else(String::new, |owner| format!("{} car", owner.name));
                let stage = &mut self.stage;
                *self
                    .cars
                    .entry(player)
                    .or_insert_with(|| stage.add(name, "car", Some(player)))
            }
            _ => return,
        };
        if let Some(actor) = self.actors.get_mut(&id) {
            actor.entity = Some(entity);
        }
        self.stage.appear(entity, self.now_s);
    }

    /// The car a part belongs to.
    fn car_of(&self, id: u32) -> Option<EntityId> {
        let owner = self.actors.get(&id)?.owner?;
        self.actors.get(&owner)?.entity
    }

    fn apply(&mut self, id: u32, name: &str, value: &Value<&Attribute>) {
        let Some(actor) = self.actors.get(&id) else {
            return;
        };
        let (role, entity) = (actor.role, actor.entity);
        let number = value.number().map(|number| number as f32);
        let now_s = self.now_s;
        let mut set = |entity: Option<EntityId>, column, sample: Option<Sample<'_>>| {
            if let (Some(entity), Some(sample)) = (entity, sample) {
                self.stage.set(entity, now_s, column, sample);
            }
        };
        // Sticks are stored as bytes around 128.
        let stick = number.map(|number| Sample::Scalar((number - 128.0) / 127.0));
        let scalar = number.map(Sample::Scalar);
        match (role, name, value) {
            (Role::Ball | Role::Car, "ReplicatedRBState", Value::RigidBody(body)) => {
                self.place(entity, body);
            }
            (Role::Car, "ReplicatedThrottle", _) => set(entity, "throttle", stick),
            (Role::Car, "ReplicatedSteer", _) => set(entity, "steer", stick),
            (Role::Car, "bReplicatedHandbrake", Value::Boolean(flag)) => {
                set(entity, "handbrake", Some(Sample::Flag(*flag)));
            }
            (Role::Car, _, Value::Attribute(attribute)) => self.demolition(id, attribute),
            (Role::Part(flag), "ReplicatedActive", Value::Byte(count)) => {
                let car = self.car_of(id);
                if let Some(car) = car {
                    self.stage
                        .set(car, now_s, flag, Sample::Flag(count % 2 == 1));
                }
            }
            (Role::Part("boosting"), "ReplicatedBoostAmount", Value::Byte(amount)) => {
                self.boost(id, *amount);
            }
            (Role::Part("boosting"), _, Value::Attribute(Attribute::ReplicatedBoost(boost))) => {
                self.boost(id, boost.amount);
            }
            (Role::Player, "MatchScore", _) => set(entity, "score", scalar),
            (Role::Player, "MatchGoals", Value::Int(goals)) => {
                set(entity, "goals", scalar);
                self.goals(id, *goals);
            }
            (Role::Player, "MatchAssists", _) => set(entity, "assists", scalar),
            (Role::Player, "MatchSaves", _) => set(entity, "saves", scalar),
            (Role::Player, "MatchShots", _) => set(entity, "shots", scalar),
            (Role::Player, "Team", Value::Reference(team)) => {
                let team = team.actor().and_then(|team| self.actors.get(&team));
                if let (Some(Role::Team(team)), Some(entity)) = (team.map(|team| team.role), entity)
                {
                    self.stage
                        .set(entity, now_s, "team", Sample::Scalar(team as f32));
                }
            }
            (Role::Team(_), "Score", Value::Int(goals)) => {
                set(entity, "score", scalar);
                self.goals(id, *goals);
            }
            (Role::Game, "SecondsRemaining", _) => set(entity, "seconds_remaining", scalar),
            (Role::Game, "ReplicatedStateName", Value::NameIndex(index)) => {
                let name = usize::try_from(*index)
                    .ok()
                    .and_then(|index| self.body.names.get(index));
                set(
                    entity,
                    "state",
                    name.map(|name| Sample::Name(name.as_str())),
                );
            }
            (Role::Pad, _, Value::Attribute(attribute)) => self.pick_up(id, attribute),
            _ => {}
        }
    }

    fn place(&mut self, entity: Option<EntityId>, body: &RigidBody) {
        let Some(entity) = entity else { return };
        let velocity = self.scales.velocity_uu_s(body).unwrap_or_default();
        let speed = velocity.iter().map(|part| part * part).sum::<f32>().sqrt();
        self.stage.place(
            entity,
            self.now_s,
            self.before_s,
            coords::position(self.scales.location_uu(body)),
            coords::rotation(body.rotation.to_quaternion()),
            speed * coords::METRES,
        );
    }

    fn boost(&mut self, id: u32, amount: u8) {
        if let Some(car) = self.car_of(id) {
            let percent = f32::from(amount) * 100.0 / 255.0;
            self.stage
                .set(car, self.now_s, "boost_percent", Sample::Scalar(percent));
        }
    }

    /// Notes that a player or a team has more goals than before.
    fn goals(&mut self, id: u32, goals: i32) {
        let Some(actor) = self.actors.get_mut(&id) else {
            return;
        };
        let before = actor.goals.replace(goals);
        if before.unwrap_or(0) < goals && (before.is_some() || goals == 1) {
            match (actor.role, actor.entity) {
                (Role::Team(team), _) => self.scored.0.push(team),
                (_, Some(player)) => self.scored.1.push(player),
                _ => {}
            }
        }
    }

    fn event(&self, kind: &str, who: Option<EntityId>, whom: Option<EntityId>) -> Event {
        Event {
            time_s: self.now_s,
            frame: self.frame,
            kind: kind.to_owned(),
            who,
            whom,
            position: None,
            details: Vec::new(),
        }
    }

    fn position_of(&self, entity: Option<EntityId>) -> Option<[f32; 3]> {
        let entity = self.stage.timeline.entity(entity?)?;
        entity.position(self.now_s)
    }

    fn demolition(&mut self, id: u32, attribute: &Attribute) {
        let (attacker, victim): (Reference, Reference) = match attribute {
            Attribute::Demolish(demolish) => (demolish.attacker, demolish.victim),
            Attribute::DemolishFx(demolish) => (demolish.attacker, demolish.victim),
            Attribute::DemolishExtended(demolish) => (demolish.attacker, demolish.victim),
            _ => return,
        };
        let Some(actor) = self.actors.get_mut(&id) else {
            return;
        };
        let is_repeated = actor.last.as_ref() == Some(attribute);
        actor.last = Some(attribute.clone());
        let Some(victim) = victim.actor().filter(|_| !is_repeated) else {
            return;
        };
        let entity = |id: u32| self.actors.get(&id).and_then(|actor| actor.entity);
        // A keyframe can repeat one of a car that is there no more.
        let Some(whom) = entity(victim) else { return };
        let who = attacker.actor().and_then(entity);
        // The explosion of a goal destroys cars too, without anybody's doing.
        let kind = if who.is_some() {
            "demolition"
        } else {
            "car-destroyed"
        };
        let whom = Some(whom);
        let mut event = self.event(kind, who, whom);
        event.position = self.position_of(whom);
        self.events.push(event);
    }

    fn pick_up(&mut self, id: u32, attribute: &Attribute) {
        let (instigator, is_taken) = match attribute {
            Attribute::Pickup(pickup) => (pickup.instigator, pickup.is_taken),
            Attribute::PickupNew(pickup) => (pickup.instigator, pickup.is_taken()),
            _ => return,
        };
        let Some(actor) = self.actors.get_mut(&id) else {
            return;
        };
        let Some(pad) = actor.entity else { return };
        let is_repeated = actor.last.as_ref() == Some(attribute);
        actor.last = Some(attribute.clone());
        self.stage
            .set(pad, self.now_s, "available", Sample::Flag(!is_taken));
        let car = instigator
            .actor()
            .and_then(|car| self.actors.get(&car)?.entity);
        if let (Some(car), true, false) = (car, is_taken, is_repeated) {
            let mut event = self.event("boost-pickup", Some(car), Some(pad));
            event.position = self.position_of(Some(car));
            self.events.push(event);
        }
    }

    /// A goal is known by the score; who scored and where the ball was, by the same frame.
    pub fn end_frame(&mut self) {
        let (teams, players) = std::mem::take(&mut self.scored);
        for team in teams {
            let mut event = self.event("goal", players.first().copied(), None);
            event.position = self.position_of(self.balls.first().copied());
            event.details.push(("team", team.to_string()));
            self.events.push(event);
        }
    }
}
