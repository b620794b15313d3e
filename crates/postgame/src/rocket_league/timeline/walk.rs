//! One pass over the frames that keeps the live state and notes what changes.

use super::super::classes::Schema;
use super::super::coords::{Scales, scaled};
use super::super::model::attributes::{Demolish, DemolishExtended, DemolishFx};
use super::super::model::kinds::{Attribute, Kind, Value};
use super::super::model::network::{Block, FrameView, Update, What};
use super::super::model::values::Reference;
use super::super::model::{Body, Header};
use super::meaning::{Meaning, Meanings, Part, Role};
use super::state::{BallLife, CarLife, Deed, Happening, Match, Pad, PadUse, PlayerLife};

/// Actors beyond this are in no real file.
const MOST_ACTORS: usize = 1 << 16;

/// A live actor.
#[derive(Clone, Copy, Debug, Default)]
struct Actor {
    role: Role,
    class: u16,
    object: i32,
    is_live: bool,
    /// Which ball, car, player or pad life it is; for parts and cameras the actor it belongs to.
    index: Option<usize>,
}

/// A demolition that was noted, to tell a second sending from a second one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Destroyed {
    victim: Option<usize>,
    player: Option<usize>,
    velocities: [[f32; 3]; 2],
}

pub(super) struct Walk<'a> {
    body: &'a Body,
    meanings: Meanings,
    scales: Scales,
    actors: Vec<Actor>,
    /// Parts of cars: what was said before it was known whose they are, and whether they are active.
    boosts: Vec<(u32, u8)>,
    active: Vec<u8>,
    out: Match,
    destroyed: Vec<Destroyed>,
    time_s: f64,
    frame: usize,
    /// Relations to actors that were not there yet: who, to whom.
    waiting: Vec<(u32, Meaning, u32)>,
}

impl<'a> Walk<'a> {
    pub fn new(header: &Header, body: &'a Body) -> Self {
        let schema = Schema::new(header, body);
        Self {
            meanings: Meanings::new(&schema, body),
            scales: Scales::of(&header.versions),
            body,
            actors: Vec::new(),
            boosts: Vec::new(),
            active: Vec::new(),
            out: Match::default(),
            destroyed: Vec::new(),
            time_s: f64::NEG_INFINITY,
            frame: 0,
            waiting: Vec::new(),
        }
    }

    pub fn run(mut self) -> Match {
        let count = self.body.network.frame_count();
        self.out.frame_times_s.reserve(count);
        self.out.frame_numbers.reserve(count);
        for frame in self.body.network.frames() {
            self.frame(&frame);
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
        self.out.frame_times_s.push(self.time_s);
        self.out.frame_numbers.push(frame.number);
        for action in frame.actions() {
            let actor = action.actor;
            match action.what {
                What::Deleted => {
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
        let Some(&Actor {
            class,
            role,
            index,
            is_live: true,
            ..
        }) = self.actors.get(id as usize)
        else {
            return;
        };
        if role == Role::Other {
            return;
        }
        for update in updates {
            // Looked up anew each time: a value can make an actor another player's.
            let Some(meanings) = self.meanings.of_class.get(usize::from(class)) else {
                return;
            };
            let meaning = meanings
                .get(usize::from(update.stream_id))
                .copied()
                .unwrap_or_default();
            match meaning {
                Meaning::Nothing => {}
                // Nearly half of all updates: straight from where they are stored.
                Meaning::Body => {
                    let motion = match (role, index) {
                        (Role::Ball, Some(ball)) => {
                            self.out.balls.get_mut(ball).map(|ball| &mut ball.motion)
                        }
                        (Role::Car, Some(_)) => {
                            let index = self.actors.get(id as usize).and_then(|actor| actor.index);
                            index
                                .and_then(|car| self.out.cars.get_mut(car))
                                .map(|car| &mut car.motion)
                        }
                        _ => None,
                    };
                    let body = block.bodies.get(update.payload as usize);
                    if let (Some(motion), Some(body), Kind::RigidBody) = (motion, body, update.kind)
                    {
                        motion.push(self.time_s, body, &self.scales);
                    }
                }
                _ => {
                    if let Some(value) = block.value(update) {
                        self.update(id, meaning, &value);
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
                self.out.balls.push(BallLife {
                    from_s,
                    to_s,
                    motion: Default::default(),
                });
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
            _ => None,
        };
        if let Some(actor) = self.actors.get_mut(slot) {
            *actor = Actor {
                role,
                class,
                object: object.id,
                is_live: true,
                index,
            };
        }
        if let Some(active) = self.active.get_mut(slot) {
            *active = 0;
        }
        self.boosts.retain(|boost| boost.0 != id);
    }

    /// The pad of an object; a pad that comes back is the same one.
    fn pad(&mut self, object: i32) -> usize {
        let name = usize::try_from(object)
            .ok()
            .and_then(|index| self.body.objects.get(index));
        let name = name.map_or("", |name| name.as_str());
        let name = name.rsplit('.').next().unwrap_or(name);
        if let Some(index) = self.out.pads.iter().position(|pad| pad.name == name) {
            return index;
        }
        self.out.pads.push(Pad {
            name: name.to_owned(),
            count: 0,
            uses: Vec::new(),
        });
        self.out.pads.len() - 1
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

    fn live(&self, id: u32) -> Option<&Actor> {
        self.actors.get(id as usize).filter(|actor| actor.is_live)
    }

    /// The life of the car with an actor id.
    fn car_of(&self, id: u32) -> Option<usize> {
        let actor = self.live(id)?;
        actor.index.filter(|_| actor.role == Role::Car)
    }

    fn player_of(&self, id: u32) -> Option<usize> {
        let actor = self.live(id)?;
        actor.index.filter(|_| actor.role == Role::Player)
    }

    fn happen(&mut self, what: Deed) {
        self.out.happenings.push(Happening {
            time_s: self.time_s,
            frame: self.frame,
            what,
        });
    }

    /// A relation to another actor, which may not be there yet.
    fn relate(&mut self, actor: u32, meaning: Meaning, to: u32) {
        let Some(&Actor { role, index, .. }) = self.live(actor) else {
            return;
        };
        let known = match (role, meaning) {
            (Role::Car, Meaning::CarPlayer) => match (index, self.player_of(to)) {
                (Some(car), Some(player)) => {
                    self.link_car(actor, car, player);
                    true
                }
                _ => false,
            },
            (Role::Component(_), Meaning::Vehicle) => match self.car_of(to) {
                Some(_) => {
                    self.link_part(actor, to);
                    true
                }
                None => false,
            },
            (Role::Camera, Meaning::CameraPlayer) => match self.player_of(to) {
                Some(_) => {
                    if let Some(camera) = self.actors.get_mut(actor as usize) {
                        camera.index = Some(to as usize);
                    }
                    true
                }
                None => false,
            },
            (Role::Player, Meaning::PlayerTeam) => {
                match (index, self.live(to).map(|team| team.role)) {
                    (Some(player), Some(Role::Team(team))) => {
                        let time_s = self.time_s;
                        if let Some(player) = self.out.players.get_mut(player) {
                            player.team.set(time_s, team);
                        }
                        true
                    }
                    _ => false,
                }
            }
            _ => true,
        };
        // One that never comes would wait for good: a file has some hundred at most.
        if !known && self.waiting.len() < 4096 {
            self.waiting
                .retain(|waiting| waiting.0 != actor || waiting.1 != meaning);
            self.waiting.push((actor, meaning, to));
        }
    }

    fn link_car(&mut self, actor: u32, car: usize, player: usize) {
        let Some(life) = self.out.cars.get_mut(car) else {
            return;
        };
        match life.player {
            None => life.player = Some(player),
            Some(before) if before == player => {}
            Some(_) => {
                // Another player's car from now on.
                life.to_s = self.time_s;
                let next = CarLife {
                    from_s: self.time_s,
                    to_s: f64::INFINITY,
                    player: Some(player),
                    refreshes: life.refreshes,
                    ..CarLife::default()
                };
                self.out.cars.push(next);
                let index = self.out.cars.len() - 1;
                if let Some(actor) = self.actors.get_mut(actor as usize) {
                    actor.index = Some(index);
                }
            }
        }
    }

    fn link_part(&mut self, part: u32, car: u32) {
        if let Some(part) = self.actors.get_mut(part as usize) {
            part.index = Some(car as usize);
        }
        if let Some(index) = self.boosts.iter().position(|boost| boost.0 == part) {
            let (_, amount) = self.boosts.swap_remove(index);
            self.boost(part, amount);
        }
    }

    /// The life of the car a part belongs to.
    fn car_of_part(&self, part: u32) -> Option<usize> {
        let car = self.live(part)?.index?;
        self.car_of(u32::try_from(car).ok()?)
    }

    fn boost(&mut self, part: u32, amount: u8) {
        let time_s = self.time_s;
        match self.car_of_part(part) {
            Some(car) => {
                if let Some(car) = self.out.cars.get_mut(car) {
                    car.boost.times_s.push(time_s);
                    car.boost.values.push(amount);
                }
            }
            None => {
                self.boosts.retain(|boost| boost.0 != part);
                self.boosts.push((part, amount));
            }
        }
    }

    fn update(&mut self, actor: u32, meaning: Meaning, value: &Value<&Attribute>) {
        let Some(&Actor { role, index, .. }) = self.actors.get(actor as usize) else {
            return;
        };
        match role {
            Role::Car => self.update_car(actor, index, meaning, value),
            Role::Component(part) => self.update_part(actor, part, meaning, value),
            Role::Player => self.update_player(actor, index, meaning, value),
            Role::Camera => self.update_camera(actor, index, meaning, value),
            Role::Game => self.update_game(meaning, value),
            Role::Team(team) => {
                if let (Meaning::TeamScore, Value::Int(score)) = (meaning, value) {
                    let time_s = self.time_s;
                    let scores = self.out.scores.get_mut(usize::from(team));
                    if scores.is_some_and(|scores| scores.set(time_s, *score)) {
                        self.happen(Deed::TeamScore(team, *score));
                    }
                }
            }
            Role::Pad => self.update_pad(index, value),
            Role::Ball => match (meaning, value) {
                (Meaning::HitTeam, Value::Byte(team)) => {
                    let time_s = self.time_s;
                    self.out.hit_teams.times_s.push(time_s);
                    self.out.hit_teams.values.push(*team);
                    self.happen(Deed::HitTeam(*team));
                }
                (Meaning::Explosion, Value::Attribute(_)) => self.happen(Deed::Explosion),
                _ => {}
            },
            Role::Other => {}
        }
    }

    fn update_car(
        &mut self,
        actor: u32,
        index: Option<usize>,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        let time_s = self.time_s;
        if let (Meaning::CarPlayer, Value::Reference(reference)) = (meaning, value) {
            if let Some(to) = reference.actor() {
                self.relate(actor, meaning, to);
            }
            return;
        }
        let Some(index) = index else { return };
        let Some(car) = self.out.cars.get_mut(index) else {
            return;
        };
        match (meaning, value) {
            (Meaning::Throttle, Value::Byte(byte)) => {
                car.throttle.set(time_s, stick(*byte));
            }
            (Meaning::Steer, Value::Byte(byte)) => {
                car.steer.set(time_s, stick(*byte));
            }
            (Meaning::Handbrake, Value::Boolean(on)) => {
                let is_first = car.handbrake.last().is_none();
                if car.handbrake.set(time_s, *on) && (*on || !is_first) {
                    self.happen(Deed::Handbrake(index, *on));
                }
            }
            (Meaning::TeamPaint, Value::Attribute(Attribute::TeamPaint(paint))) => {
                car.team = Some(paint.team);
            }
            (Meaning::DodgesRefreshed, Value::Int(count)) => {
                // A new car tells its count at once, which may be that of the player's last car.
                let news = count.saturating_sub(car.refreshes.unwrap_or(*count));
                car.refreshes = Some(*count);
                for _ in 0..news.clamp(0, 16) {
                    self.happen(Deed::Refresh(index));
                }
            }
            (Meaning::Demolish, Value::Attribute(attribute)) => self.demolish(attribute),
            _ => {}
        }
    }

    fn demolish(&mut self, attribute: &Attribute) {
        let (player, attacker, victim, velocities) = match attribute {
            Attribute::Demolish(demolish) => {
                let Demolish {
                    attacker,
                    victim,
                    attacker_velocity,
                    victim_velocity,
                } = **demolish;
                (None, attacker, victim, [attacker_velocity, victim_velocity])
            }
            Attribute::DemolishFx(demolish) => {
                let DemolishFx {
                    attacker,
                    victim,
                    attacker_velocity,
                    victim_velocity,
                    ..
                } = **demolish;
                (None, attacker, victim, [attacker_velocity, victim_velocity])
            }
            Attribute::DemolishExtended(demolish) => {
                let DemolishExtended {
                    attacker_player,
                    attacker,
                    victim,
                    attacker_velocity,
                    victim_velocity,
                    ..
                } = **demolish;
                (
                    Some(attacker_player),
                    attacker,
                    victim,
                    [attacker_velocity, victim_velocity],
                )
            }
            _ => return,
        };
        let car = |walk: &Self, reference: Reference| walk.car_of(reference.actor()?);
        let (attacker_car, victim_car) = (car(self, attacker), car(self, victim));
        let player = player.and_then(|player| self.player_of(player.actor()?));
        // Keyframes and later changes of the same attribute send a demolition again; a car is destroyed once, and one
        // that is gone cannot be destroyed.
        let velocities = velocities.map(|velocity| scaled(velocity, 1.0));
        let noted = Destroyed {
            victim: victim_car,
            player: victim_car.and_then(|car| self.out.cars.get(car)?.player),
            velocities,
        };
        // A new car can begin with its player's last end.
        let is_same = |other: &Destroyed| {
            other.victim == noted.victim
                || (noted.player.is_some()
                    && other.player == noted.player
                    && other.velocities == noted.velocities)
        };
        if victim_car.is_none() || self.destroyed.iter().any(is_same) {
            return;
        }
        self.destroyed.push(noted);
        if let Some(car) = victim_car.and_then(|car| self.out.cars.get_mut(car)) {
            car.to_s = self.time_s;
        }
        let [attacker_uu_s, victim_uu_s] = velocities;
        self.happen(Deed::Demolition {
            attacker: attacker_car,
            victim: victim_car,
            attacker_player: player,
            attacker_uu_s,
            victim_uu_s,
        });
    }

    fn update_part(&mut self, actor: u32, part: Part, meaning: Meaning, value: &Value<&Attribute>) {
        match (meaning, value) {
            (Meaning::Vehicle, Value::Reference(reference)) => {
                if let Some(car) = reference.actor() {
                    self.relate(actor, meaning, car);
                }
            }
            (Meaning::BoostAmount, Value::Byte(amount)) => self.boost(actor, *amount),
            (Meaning::Boost, Value::Attribute(Attribute::ReplicatedBoost(boost))) => {
                self.boost(actor, boost.amount);
            }
            (Meaning::Active, Value::Byte(count)) => self.activate(actor, part, *count),
            _ => {}
        }
    }

    /// A part's counter: odd while it is active.
    fn activate(&mut self, actor: u32, part: Part, count: u8) {
        let Some(before) = self.active.get_mut(actor as usize) else {
            return;
        };
        let was = std::mem::replace(before, count);
        if was == count {
            return;
        }
        let is_active = count % 2 == 1;
        let Some(car) = self.car_of_part(actor) else {
            return;
        };
        match part {
            Part::Boost => {
                let time_s = self.time_s;
                if let Some(car) = self.out.cars.get_mut(car) {
                    car.boosting.set(time_s, is_active);
                }
            }
            Part::Jump if is_active => self.happen(Deed::Jump(car)),
            Part::DoubleJump if is_active => self.happen(Deed::DoubleJump(car)),
            Part::Dodge if is_active => self.happen(Deed::Dodge(car)),
            Part::FlipCar if is_active => self.happen(Deed::FlipCar(car)),
            _ => {}
        }
    }

    fn update_player(
        &mut self,
        actor: u32,
        index: Option<usize>,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        let time_s = self.time_s;
        let Some(index) = index else { return };
        if matches!(
            meaning,
            Meaning::BallCamera
                | Meaning::RearCamera
                | Meaning::CameraPitch
                | Meaning::CameraYaw
                | Meaning::CameraSettings
        ) {
            self.camera(index, meaning, value);
            return;
        }
        let Some(player) = self.out.players.get_mut(index) else {
            return;
        };
        let deed = match (meaning, value) {
            (Meaning::PlayerTeam, Value::Reference(reference)) => {
                if let Some(team) = reference.actor() {
                    self.relate(actor, meaning, team);
                }
                return;
            }
            (Meaning::PlayerName, Value::Attribute(Attribute::String(name))) => {
                player.name = Some(name.as_str().to_owned());
                return;
            }
            (Meaning::PlayerId, Value::Attribute(Attribute::UniqueId(id))) => {
                player.id = Some((**id).clone());
                return;
            }
            (Meaning::Bot, Value::Boolean(is_bot)) => {
                player.is_bot = *is_bot;
                return;
            }
            (Meaning::Mvp, Value::Boolean(is_mvp)) => {
                player.is_mvp = *is_mvp;
                return;
            }
            (Meaning::Score, Value::Int(score)) => {
                player.score.set(time_s, *score);
                return;
            }
            (Meaning::Steering, Value::Float(steering)) => {
                player.steering = Some(*steering);
                return;
            }
            (Meaning::Loadout, Value::Attribute(Attribute::Loadout(loadout))) => {
                player.body_id = Some(loadout.body);
                return;
            }
            (Meaning::Loadout, Value::Attribute(Attribute::TeamLoadout(loadouts))) => {
                let is_orange = player.team.last() == Some(&1);
                let loadout = if is_orange {
                    &loadouts.orange
                } else {
                    &loadouts.blue
                };
                player.body_id = Some(loadout.body);
                return;
            }
            (Meaning::Goals, Value::Int(count)) => {
                counted(&mut player.goals, time_s, *count).then_some(Deed::Goal(index))
            }
            (Meaning::Assists, Value::Int(count)) => {
                counted(&mut player.assists, time_s, *count).then_some(Deed::Assist(index))
            }
            (Meaning::Saves, Value::Int(count)) => {
                counted(&mut player.saves, time_s, *count).then_some(Deed::Save(index))
            }
            (Meaning::Shots, Value::Int(count)) => {
                counted(&mut player.shots, time_s, *count).then_some(Deed::Shot(index))
            }
            _ => None,
        };
        if let Some(deed) = deed {
            self.happen(deed);
        }
    }

    fn update_camera(
        &mut self,
        actor: u32,
        owner: Option<usize>,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        if let (Meaning::CameraPlayer, Value::Reference(reference)) = (meaning, value) {
            if let Some(to) = reference.actor() {
                self.relate(actor, meaning, to);
            }
            return;
        }
        let owner = owner.and_then(|owner| u32::try_from(owner).ok());
        if let Some(player) = owner.and_then(|owner| self.player_of(owner)) {
            self.camera(player, meaning, value);
        }
    }

    fn camera(&mut self, index: usize, meaning: Meaning, value: &Value<&Attribute>) {
        let time_s = self.time_s;
        let Some(player) = self.out.players.get_mut(index) else {
            return;
        };
        let camera = &mut player.camera;
        // The first value is where the player starts, not a change.
        let deed = match (meaning, value) {
            (Meaning::BallCamera, Value::Boolean(on)) => {
                let is_first = camera.ball.last().is_none();
                (camera.ball.set(time_s, *on) && !is_first).then_some(Deed::BallCamera(index, *on))
            }
            (Meaning::RearCamera, Value::Boolean(on)) => {
                let is_first = camera.rear.last().is_none();
                (camera.rear.set(time_s, *on) && (*on || !is_first))
                    .then_some(Deed::RearCamera(index, *on))
            }
            (Meaning::CameraPitch, Value::Byte(byte)) => {
                camera.pitch.set(time_s, degrees(*byte));
                None
            }
            (Meaning::CameraYaw, Value::Byte(byte)) => {
                camera.yaw.set(time_s, degrees(*byte));
                None
            }
            (Meaning::CameraSettings, Value::Attribute(Attribute::CameraSettings(settings))) => {
                camera.settings = Some([
                    settings.fov,
                    settings.height,
                    settings.pitch,
                    settings.distance,
                    settings.stiffness,
                    settings.swivel,
                    settings.transition.unwrap_or(f32::NAN),
                ]);
                None
            }
            _ => None,
        };
        if let Some(deed) = deed {
            self.happen(deed);
        }
    }

    fn update_game(&mut self, meaning: Meaning, value: &Value<&Attribute>) {
        let time_s = self.time_s;
        match (meaning, value) {
            (Meaning::SecondsLeft, Value::Int(seconds)) => {
                self.out.seconds_left.set(time_s, *seconds);
            }
            (Meaning::StateName, Value::NameIndex(name)) => {
                let name = usize::try_from(*name)
                    .ok()
                    .and_then(|index| self.body.names.get(index));
                if let Some(name) = name {
                    self.out.state.set(time_s, name.as_str().to_owned());
                }
            }
            (Meaning::Overtime, Value::Boolean(on)) => {
                let has_changed = self.out.overtime.set(time_s, *on);
                if has_changed && *on {
                    self.happen(Deed::Overtime);
                }
            }
            (Meaning::Forfeit, Value::Boolean(true)) => {
                let is_known = self
                    .out
                    .happenings
                    .iter()
                    .any(|other| other.what == Deed::Forfeit);
                if !is_known {
                    self.happen(Deed::Forfeit);
                }
            }
            (Meaning::BallHit, Value::Boolean(is_hit)) => {
                self.out.ball_hit.set(time_s, *is_hit);
            }
            _ => {}
        }
    }

    fn update_pad(&mut self, index: Option<usize>, value: &Value<&Attribute>) {
        let (count, instigator) = match value {
            Value::Attribute(Attribute::Pickup(pickup)) => {
                (pickup.is_taken.into(), pickup.instigator)
            }
            Value::Attribute(Attribute::PickupNew(pickup)) => (pickup.count, pickup.instigator),
            _ => return,
        };
        let is_taken = count % 2 == 1;
        let car = instigator
            .actor()
            .and_then(|actor| self.car_of(actor))
            .filter(|_| is_taken);
        let (time_s, frame) = (self.time_s, self.frame);
        let Some(pad) = index.and_then(|index| self.out.pads.get_mut(index)) else {
            return;
        };
        // Keyframes send the state again; before the first use a pad is there.
        let before = std::mem::replace(&mut pad.count, count);
        if before != count && (is_taken || before % 2 == 1) {
            pad.uses.push(PadUse {
                time_s,
                frame,
                car,
                is_taken,
            });
        }
    }
}

/// A count that grew: the first value counts from 0.
fn counted(steps: &mut super::state::Steps<i32>, time_s: f64, count: i32) -> bool {
    let before = steps.last().copied().unwrap_or(0);
    steps.set(time_s, count) && count > before
}

/// A stick's byte, 128 in the middle, as −1 to 1.
fn stick(byte: u8) -> f32 {
    ((f32::from(byte) - 128.0) / 127.0).max(-1.0)
}

/// An angle in a byte, as degrees from −180 to 180.
fn degrees(byte: u8) -> f32 {
    f32::from(byte.cast_signed()) * (360.0 / 256.0)
}
