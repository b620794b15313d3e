//! Encodes the duel as the game would.

use libm::{cos, round, sin};
use postgame::Bytes;
use postgame::Result;
use postgame::rocket_league::frame_positions;
use postgame::rocket_league::model::attributes::{
    DemolishExtended, ExplosionExtended, PickupNew, ReplicatedBoost, TeamPaint,
};
use postgame::rocket_league::model::ids::UniqueId;
use postgame::rocket_league::model::kinds::{Attribute, Value};
use postgame::rocket_league::model::network::{Block, Spawn};
use postgame::rocket_league::model::properties::{self, Properties, Property};
use postgame::rocket_league::model::values::{
    BodyRotation, Reference, RigidBody, Rotation, Vector,
};
use postgame::rocket_league::model::versions::Versions;
use postgame::rocket_league::model::{Body, Header, KeyFrame, Replay, Stated, TickMark};

use super::classes::Tables;
use super::duel::{self, DEMOLITION_S, GOAL_S, PAD_S, PADS, RETURN_S, SECONDS, START_S};

/// Frames per second, and frames between keyframes.
const FPS: f64 = 30.0;
const KEYFRAME: usize = 300;

/// The players' names.
const PLAYERS: [&str; 2] = ["Ada", "Bo"];

/// The names that states and actors have.
const NAMES: [&str; 3] = ["Countdown", "Active", "PostGoalScored"];

/// Actor ids.
mod actor {
    pub const GRI: u32 = 1;
    pub const GAME: u32 = 2;
    pub const TEAMS: [u32; 2] = [3, 4];
    pub const PLAYERS: [u32; 2] = [5, 6];
    pub const BALL: u32 = 7;
    pub const CARS: [u32; 2] = [8, 9];
    pub const BOOSTS: [u32; 2] = [10, 11];
    /// Orange's car after the demolition, and its boost.
    pub const CAR_AGAIN: u32 = 12;
    pub const BOOST_AGAIN: u32 = 13;
    pub const PADS: u32 = 20;
}

/// The replay.
pub fn replay() -> Result<Replay> {
    let tables = Tables::new(PADS.iter().map(|(number, _)| *number));
    let mut body = Body {
        camera_track: Some("".into()),
        levels: vec!["stadium_p".into()],
        names: NAMES.iter().map(|&name| name.into()).collect(),
        packages: vec!["..\\..\\TAGame\\CookedPCConsole\\Stadium_P.upk".into()],
        ..Body::default()
    };
    tables.fill(&mut body);
    let frames = (SECONDS * FPS) as usize;
    let goal_frame = (GOAL_S * FPS) as u32;
    body.tick_marks = vec![TickMark {
        kind: "Team0Goal".into(),
        frame: goal_frame,
    }];
    let mut recorder = Recorder::new(&tables);
    for number in 0..frames {
        if number % KEYFRAME == 0 {
            body.network.blocks.push(Block::default());
        }
        if let Some(block) = body.network.blocks.last_mut() {
            recorder.frame(block, number);
        }
    }
    let mut replay = Replay {
        header: header(frames, goal_frame),
        body: Some(body),
        after: Bytes::default(),
    };
    // A keyframe states the position of its frame in the stream, which is known now.
    let starts = frame_positions(&replay)?;
    if let Some(body) = &mut replay.body {
        body.keyframes = starts
            .iter()
            .step_by(KEYFRAME)
            .map(|&(number, bit, time_s)| KeyFrame {
                time_s,
                frame: number as u32,
                position_bits: bit as u32,
            })
            .collect();
    }
    Ok(replay)
}

fn header(frames: usize, goal_frame: u32) -> Header {
    use properties::Value as V;
    let list = |values: Vec<(&str, V)>| {
        Properties(
            values
                .into_iter()
                .map(|(name, value)| Property {
                    name: name.into(),
                    index: 0,
                    stated_size: None,
                    value,
                })
                .collect(),
        )
    };
    let player = |index: usize| {
        let is_blue = index == 0;
        list(vec![
            ("Name", V::Str(PLAYERS[index].into())),
            (
                "Platform",
                V::Enum {
                    kind: "OnlinePlatform".into(),
                    value: "OnlinePlatform_Epic".into(),
                },
            ),
            ("OnlineID", V::QWord(0)),
            ("Team", V::Int(index as i32)),
            ("Score", V::Int(if is_blue { 110 } else { 0 })),
            ("Goals", V::Int(is_blue.into())),
            ("Assists", V::Int(0)),
            ("Saves", V::Int(0)),
            ("Shots", V::Int(is_blue.into())),
            ("bBot", V::Bool(false.into())),
        ])
    };
    let goal = list(vec![
        ("frame", V::Int(goal_frame as i32)),
        ("PlayerName", V::Str(PLAYERS[0].into())),
        ("PlayerTeam", V::Int(0)),
    ]);
    Header {
        stated: Stated::default(),
        versions: Versions {
            engine: 868,
            licensee: 32,
            net: Some(10),
        },
        class: "TAGame.Replay_Soccar_TA".into(),
        properties: list(vec![
            ("TeamSize", V::Int(1)),
            ("Team0Score", V::Int(1)),
            ("Goals", V::Array(vec![goal])),
            ("PlayerStats", V::Array(vec![player(0), player(1)])),
            ("ReplayName", V::Str("Sample duel".into())),
            ("ReplayVersion", V::Int(8)),
            ("GameVersion", V::Int(12)),
            ("BuildVersion", V::Str("250101.00000.000000".into())),
            ("RecordFPS", V::Float(FPS as f32)),
            ("KeyframeDelay", V::Float(10.0)),
            ("MaxChannels", V::Int(1023)),
            ("MaxReplaySizeMB", V::Int(10)),
            ("NumFrames", V::Int(frames as i32)),
            ("MatchType", V::Name("Private".into())),
            ("Id", V::Str("00000000000000000000000000000001".into())),
            ("Date", V::Str("2025-01-01 12-00-00".into())),
            ("MapName", V::Name("Stadium_P".into())),
            ("PlayerName", V::Str(PLAYERS[0].into())),
        ]),
        broken: None,
        trailing: Bytes::default(),
    }
}

/// Writes frames, and tracks what has been sent.
struct Recorder<'a> {
    tables: &'a Tables,
    boost: [f64; 2],
    was_boosting: [bool; 2],
    active_counts: [u8; 2],
    pad_counts: [u8; PADS.len()],
}

impl<'a> Recorder<'a> {
    fn new(tables: &'a Tables) -> Self {
        Self {
            tables,
            boost: [85.0; 2],
            was_boosting: [false; 2],
            active_counts: [0; 2],
            pad_counts: [0; PADS.len()],
        }
    }

    fn id(&self, name: &str) -> u16 {
        self.tables.id(name)
    }

    fn spawn(&self, block: &mut Block, actor: u32, object: &str, place: Option<&duel::Body>) {
        let class_has_place = !object.contains("VehiclePickup");
        let at = place.map_or([0.0; 3], |place| place.location);
        let turn = |yaw: f64| (round(yaw * 128.0 / std::f64::consts::PI) as i32 & 0xff) as u8;
        block.spawn(
            actor,
            Spawn {
                name: Some(0),
                object: to_object(self.tables.object(object)),
                location: class_has_place.then(|| vector(at, 1.0)),
                rotation: place.map(|place| {
                    let yaw = turn(place.yaw);
                    Rotation(None, (yaw != 0).then_some(yaw), None)
                }),
            },
        );
    }

    fn frame(&mut self, block: &mut Block, number: usize) {
        let time_s = number as f64 / FPS;
        let delta_s = if number == 0 { 0.0 } else { 1.0 / FPS };
        block.begin_frame((5.0 + time_s) as f32, delta_s as f32);
        let is_now = |moment_s: f64| number == round(moment_s * FPS) as usize;
        if is_now(DEMOLITION_S) {
            self.demolition(block);
            block.delete(actor::CARS[1]);
            block.delete(actor::BOOSTS[1]);
        }
        if is_now(GOAL_S) {
            self.explosion(block);
            block.delete(actor::BALL);
        }
        if number.is_multiple_of(KEYFRAME) {
            self.everything(block, time_s);
        } else if is_now(RETURN_S) {
            self.boost[1] = 85.0;
            self.car(block, 1, time_s);
        }
        self.game(block, number, time_s);
        self.pads(block, number);
        for player in 0..2 {
            self.move_car(block, player, time_s);
        }
        if let Some(ball) = duel::ball(time_s) {
            let state = (self.id("TAGame.RBActor_TA:ReplicatedRBState"), body(&ball));
            block.update(actor::BALL, [state]);
        }
        block.end_frame();
    }

    /// The contents of a keyframe: every actor, with all of its state.
    fn everything(&mut self, block: &mut Block, time_s: f64) {
        self.spawn(
            block,
            actor::GRI,
            "GameInfo_Soccar.GameInfo.GameInfo_Soccar:GameReplicationInfoArchetype",
            None,
        );
        let class = to_object(self.tables.object("TAGame.GameInfo_Soccar_TA"));
        let facts = [
            (
                self.id("Engine.GameReplicationInfo:GameClass"),
                Value::Reference(class),
            ),
            (
                self.id("Engine.GameReplicationInfo:ServerName"),
                text("Sample server"),
            ),
            (self.id("ProjectX.GRI_X:bGameStarted"), Value::Boolean(true)),
            (
                self.id("ProjectX.GRI_X:ReplicatedGamePlaylist"),
                Value::Int(6),
            ),
        ];
        block.update(actor::GRI, facts);
        self.spawn(
            block,
            actor::GAME,
            "Archetypes.GameEvent.GameEvent_Soccar",
            None,
        );
        block.update(
            actor::GAME,
            [(
                self.id("TAGame.GameEvent_Team_TA:MaxTeamSize"),
                Value::Int(1),
            )],
        );
        for team in 0..2 {
            self.spawn(
                block,
                actor::TEAMS[team],
                ["Archetypes.Teams.Team0", "Archetypes.Teams.Team1"][team],
                None,
            );
            let goals = i32::from(team == 0 && time_s >= GOAL_S);
            let facts = [
                (
                    self.id("TAGame.Team_TA:GameEvent"),
                    Value::Reference(to_actor(actor::GAME)),
                ),
                (self.id("Engine.TeamInfo:Score"), Value::Int(goals)),
            ];
            block.update(actor::TEAMS[team], facts);
        }
        for (player, name) in PLAYERS.iter().enumerate() {
            self.spawn(
                block,
                actor::PLAYERS[player],
                "TAGame.Default__PRI_TA",
                None,
            );
            let id = UniqueId::Epic {
                id: name.to_lowercase().as_str().into(),
                splitscreen: 0,
            };
            let facts = [
                (
                    self.id("Engine.PlayerReplicationInfo:PlayerName"),
                    text(PLAYERS[player]),
                ),
                (
                    self.id("Engine.PlayerReplicationInfo:Team"),
                    Value::Reference(to_actor(actor::TEAMS[player])),
                ),
                (
                    self.id("Engine.PlayerReplicationInfo:UniqueId"),
                    Value::Attribute(Attribute::UniqueId(Box::new(id))),
                ),
                (self.id("Engine.PlayerReplicationInfo:Ping"), Value::Byte(6)),
            ];
            block.update(actor::PLAYERS[player], facts);
            if duel::car(player, time_s).is_some() {
                self.car(block, player, time_s);
            }
        }
        if let Some(ball) = duel::ball(time_s) {
            self.spawn(
                block,
                actor::BALL,
                "Archetypes.Ball.Ball_Default",
                Some(&ball),
            );
            block.update(
                actor::BALL,
                [(
                    self.id("TAGame.Ball_TA:GameEvent"),
                    Value::Reference(to_actor(actor::GAME)),
                )],
            );
        }
        for (index, (number, takes)) in PADS.iter().enumerate() {
            let pad = actor::PADS + index as u32;
            self.spawn(block, pad, &Tables::pad(*number), None);
            if self.pad_counts[index] > 0 {
                let last = takes.iter().rfind(|(from_s, _)| *from_s <= time_s);
                self.pad(block, index, last.map(|(_, player)| *player));
            }
        }
    }

    fn car_actor(player: usize, time_s: f64) -> (u32, u32) {
        match player {
            1 if time_s >= RETURN_S => (actor::CAR_AGAIN, actor::BOOST_AGAIN),
            _ => (actor::CARS[player], actor::BOOSTS[player]),
        }
    }

    fn car(&mut self, block: &mut Block, player: usize, time_s: f64) {
        let (car, boost) = Self::car_actor(player, time_s);
        let place = duel::car(player, time_s);
        self.spawn(block, car, "Archetypes.Car.Car_Default", place.as_ref());
        let paint = TeamPaint {
            team: player as u8,
            team_color: 3,
            custom_color: 12,
            team_finish: 270,
            custom_finish: 270,
        };
        let facts = [
            (
                self.id("Engine.Pawn:PlayerReplicationInfo"),
                Value::Reference(to_actor(actor::PLAYERS[player])),
            ),
            (
                self.id("TAGame.Car_TA:TeamPaint"),
                Value::Attribute(Attribute::TeamPaint(paint)),
            ),
            (self.id("TAGame.Vehicle_TA:bDriving"), Value::Boolean(true)),
        ];
        block.update(car, facts);
        self.spawn(
            block,
            boost,
            "Archetypes.CarComponents.CarComponent_Boost",
            None,
        );
        let vehicle = (
            self.id("TAGame.CarComponent_TA:Vehicle"),
            Value::Reference(to_actor(car)),
        );
        block.update(boost, [vehicle, self.boost_value(player)]);
    }

    fn boost_value(&self, player: usize) -> (u16, Value) {
        let boost = ReplicatedBoost {
            grant_count: 1,
            amount: round(self.boost[player]) as u8,
            unused_1: 0,
            unused_2: 0,
        };
        let id = self.id("TAGame.CarComponent_Boost_TA:ReplicatedBoost");
        (id, Value::Attribute(Attribute::ReplicatedBoost(boost)))
    }

    fn move_car(&mut self, block: &mut Block, player: usize, time_s: f64) {
        let Some(place) = duel::car(player, time_s) else {
            self.was_boosting[player] = false;
            return;
        };
        let (car, boost) = Self::car_actor(player, time_s);
        let is_boosting = duel::is_boosting(player, time_s) && self.boost[player] > 1.0;
        let speed = place.velocity.iter().map(|part| part * part).sum::<f64>();
        let throttle = if speed > 1.0 { 255 } else { 128 };
        let updates = [
            (self.id("TAGame.RBActor_TA:ReplicatedRBState"), body(&place)),
            (
                self.id("TAGame.Vehicle_TA:ReplicatedThrottle"),
                Value::Byte(throttle),
            ),
        ];
        block.update(car, updates);
        if is_boosting {
            // A third of a full tank per second.
            self.boost[player] = (self.boost[player] - 255.0 / 3.0 / FPS).max(0.0);
        }
        if is_boosting != self.was_boosting[player] {
            self.was_boosting[player] = is_boosting;
            let count = self.active_counts[player].wrapping_add(1);
            self.active_counts[player] = count;
            let active = (
                self.id("TAGame.CarComponent_TA:ReplicatedActive"),
                Value::Byte(count),
            );
            block.update(boost, [active, self.boost_value(player)]);
        }
    }

    fn game(&self, block: &mut Block, number: usize, time_s: f64) {
        let is_now = |moment_s: f64| number == round(moment_s * FPS) as usize;
        let state = match time_s {
            time_s if time_s < START_S => 0,
            time_s if time_s < GOAL_S => 1,
            _ => 2,
        };
        if is_now(0.0) || is_now(START_S) || is_now(GOAL_S) {
            let id = self.id("TAGame.GameEvent_TA:ReplicatedStateName");
            block.update(actor::GAME, [(id, Value::NameIndex(state))]);
        }
        if number.is_multiple_of(FPS as usize) && (START_S..GOAL_S).contains(&time_s) {
            let left = 300 - (time_s - START_S) as i32;
            let id = self.id("TAGame.GameEvent_Soccar_TA:SecondsRemaining");
            block.update(actor::GAME, [(id, Value::Int(left))]);
        }
        if is_now(GOAL_S) {
            block.update(
                actor::TEAMS[0],
                [(self.id("Engine.TeamInfo:Score"), Value::Int(1))],
            );
            let counts = [
                (self.id("TAGame.PRI_TA:MatchScore"), Value::Int(110)),
                (self.id("TAGame.PRI_TA:MatchGoals"), Value::Int(1)),
                (self.id("TAGame.PRI_TA:MatchShots"), Value::Int(1)),
            ];
            block.update(actor::PLAYERS[0], counts);
        }
    }

    fn pads(&mut self, block: &mut Block, number: usize) {
        for (index, (_, takes)) in PADS.iter().enumerate() {
            for (taken_s, player) in *takes {
                if number == round(taken_s * FPS) as usize {
                    self.pad_counts[index] += 1;
                    self.boost[*player] = 255.0;
                    self.pad(block, index, Some(*player));
                    let (_, boost) = Self::car_actor(*player, *taken_s);
                    block.update(boost, [self.boost_value(*player)]);
                } else if number == round((taken_s + PAD_S) * FPS) as usize {
                    self.pad_counts[index] += 1;
                    self.pad(block, index, None);
                }
            }
        }
    }

    fn pad(&self, block: &mut Block, index: usize, player: Option<usize>) {
        let count = self.pad_counts[index];
        let instigator = match player {
            Some(player) if count % 2 == 1 => to_actor(actor::CARS[player]),
            _ => Reference::NONE,
        };
        let pickup = PickupNew { instigator, count };
        let id = self.id("TAGame.VehiclePickup_TA:NewReplicatedPickupData");
        block.update(
            actor::PADS + index as u32,
            [(id, Value::Attribute(Attribute::PickupNew(pickup)))],
        );
    }

    fn demolition(&self, block: &mut Block) {
        let before_s = DEMOLITION_S - 1.0 / FPS;
        let velocity = |player| duel::car(player, before_s).map_or([0.0; 3], |car| car.velocity);
        let demolish = DemolishExtended {
            attacker_player: to_actor(actor::PLAYERS[0]),
            self_effect: Reference::NONE,
            is_self: false,
            explosion_owner: Reference::NONE,
            attacker: to_actor(actor::CARS[0]),
            victim: to_actor(actor::CARS[1]),
            attacker_velocity: vector(velocity(0), 1.0),
            victim_velocity: vector(velocity(1), 1.0),
        };
        let value = Value::Attribute(Attribute::DemolishExtended(Box::new(demolish)));
        block.update(
            actor::CARS[0],
            [(self.id("TAGame.Car_TA:ReplicatedDemolishExtended"), value)],
        );
    }

    fn explosion(&self, block: &mut Block) {
        let at = duel::ball(GOAL_S - 1.0 / FPS).map_or([0.0; 3], |ball| ball.location);
        let explosion = ExplosionExtended {
            goal: to_object(
                self.tables
                    .object("Stadium_P.TheWorld:PersistentLevel.GoalVolume_TA_1.Goal_TA_0"),
            ),
            location: vector(at, 1.0),
            scorer: to_actor(actor::PLAYERS[0]),
        };
        let value = Value::Attribute(Attribute::ExplosionExtended(Box::new(explosion)));
        block.update(
            actor::BALL,
            [(
                self.id("TAGame.Ball_TA:ReplicatedExplosionDataExtended"),
                value,
            )],
        );
    }
}

fn text(text: &str) -> Value {
    Value::Attribute(Attribute::String(text.into()))
}

fn to_actor(id: u32) -> Reference {
    Reference {
        is_actor: true,
        id: id as i32,
    }
}

fn to_object(id: i32) -> Reference {
    Reference {
        is_actor: false,
        id,
    }
}

fn vector(values: [f64; 3], scale: f64) -> Vector {
    let [x, y, z] = values.map(|value| round(value * scale) as i32);
    Vector::new(x, y, z)
}

/// A body as stored by network version 10: hundredths, and a quaternion without its largest component.
fn body(place: &duel::Body) -> Value {
    let (z, w) = (sin(place.yaw / 2.0), cos(place.yaw / 2.0));
    let quaternion = [0.0, 0.0, z, w];
    let left_out = if z.abs() > w.abs() { 2 } else { 3 };
    // The omitted component is taken as positive.
    let sign = if quaternion[left_out] < 0.0 {
        -1.0
    } else {
        1.0
    };
    let stored =
        |part: f64| round((sign * part * std::f64::consts::FRAC_1_SQRT_2 + 0.5) * 262_143.0) as u32;
    let mut kept = (0..4)
        .filter(|&index| index != left_out)
        .map(|index| stored(quaternion[index]));
    let parts = [kept.next(), kept.next(), kept.next()].map(Option::unwrap_or_default);
    Value::RigidBody(RigidBody {
        sleeping: false,
        location: vector(place.location, 100.0),
        rotation: BodyRotation::Quaternion {
            left_out: left_out as u8,
            parts,
        },
        linear_velocity: Some(vector(place.velocity, 100.0)),
        angular_velocity: Some(Vector::default()),
    })
}
