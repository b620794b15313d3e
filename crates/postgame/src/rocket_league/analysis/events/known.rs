//! What the detectors of events start from: players, the ball and the cars by frame, rounds, dodges.
//!
//! Samples stay in the columns of the motions. By frame there is only the number of the last sample, so that looking a
//! pose up costs its arithmetic and nothing is copied.

use super::geometry::{Vector, add, cross, dot, scale, sub, unit};
use super::rounds::{Round, rounds};
use super::{Scene, value_at};
use crate::rocket_league::analysis::timeline::motion::Motion;
use crate::rocket_league::analysis::timeline::state::{CarLife, Deed};
use crate::rocket_league::coords;
use crate::rocket_league::tables::{BALL_RADIUS_UU, CAR_BODIES, HITBOXES, Hitbox, MAPS};
use crate::timeline::{EntityId, Event};

/// No sample.
const NONE: u32 = u32::MAX;

/// The state of a dodge lasts this long after it begins, in seconds: its torque acts for 0.65 s (RocketSim).
pub(super) const DODGE_S: f64 = 0.65;

/// Where a body is in a frame, by its last sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub time_s: f64,
    pub position: Vector,
    pub velocity: Vector,
    pub spin: Vector,
}

/// The axes of a car.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub forward: Vector,
    pub right: Vector,
    pub up: Vector,
}

impl Axes {
    /// A vector in the car's frame: forward, right, up.
    pub fn local(&self, vector: Vector) -> Vector {
        [
            dot(vector, self.forward),
            dot(vector, self.right),
            dot(vector, self.up),
        ]
    }

    /// The axes after turning for a time.
    pub fn turned(&self, spin: Vector, passed_s: f32) -> Self {
        let turn = |axis| unit(add(axis, scale(cross(spin, axis), passed_s)));
        Self {
            forward: turn(self.forward),
            right: turn(self.right),
            up: turn(self.up),
        }
    }
}

/// The samples of a body, and the last one by frame.
#[derive(Debug, Default)]
pub(super) struct Samples<'a> {
    motion: Option<&'a Motion>,
    at: Vec<u32>,
    /// By frame: where the last sample is; not a number where there is none. Every detector asks for this.
    places: Vec<Vector>,
}

/// The place of a body that is not there.
const NOWHERE: Vector = [f32::NAN; 3];

fn game(vector: [f32; 3]) -> Vector {
    coords::position_uu(vector)
}

impl<'a> Samples<'a> {
    /// `lives` are ranges of samples and until when each holds.
    fn new(
        motion: Option<&'a Motion>,
        lives: &[(std::ops::Range<usize>, f64)],
        times_s: &[f64],
    ) -> Self {
        let mut at = vec![NONE; times_s.len()];
        let mut places = vec![NOWHERE; times_s.len()];
        let Some(motion) = motion else {
            return Self {
                motion: None,
                at,
                places,
            };
        };
        for (range, to_s) in lives {
            let Some(&from_s) = motion.times_s.get(range.start) else {
                continue;
            };
            let mut sample = range.start;
            let first = times_s.partition_point(|&time_s| time_s < from_s);
            let last = times_s.partition_point(|&time_s| time_s <= *to_s);
            let frames = at
                .iter_mut()
                .zip(&mut places)
                .zip(times_s)
                .take(last)
                .skip(first);
            let mut place = motion.positions.get(sample).copied().map_or(NOWHERE, game);
            for ((slot, at_uu), &time_s) in frames {
                while sample + 1 < range.end
                    && motion
                        .times_s
                        .get(sample + 1)
                        .is_some_and(|&next_s| next_s <= time_s)
                {
                    sample += 1;
                    place = motion.positions.get(sample).copied().map_or(NOWHERE, game);
                }
                *slot = sample as u32;
                *at_uu = place;
            }
        }
        Self {
            motion: Some(motion),
            at,
            places,
        }
    }

    /// The samples alone, without frames.
    pub fn of(motion: Option<&'a Motion>) -> Self {
        Self {
            motion,
            at: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The number of the last sample in a frame.
    pub fn index(&self, frame: usize) -> Option<usize> {
        self.at
            .get(frame)
            .filter(|&&sample| sample != NONE)
            .map(|&sample| sample as usize)
    }

    /// The pose of a sample.
    pub fn pose_of(&self, sample: usize) -> Option<Pose> {
        let motion = self.motion?;
        Some(Pose {
            time_s: *motion.times_s.get(sample)?,
            position: game(*motion.positions.get(sample)?),
            velocity: game(*motion.velocities_m_s.get(sample)?),
            spin: coords::turn(*motion.turns_rad_s.get(sample)?),
        })
    }

    pub fn pose(&self, frame: usize) -> Option<Pose> {
        self.pose_of(self.index(frame)?)
    }

    pub fn position(&self, frame: usize) -> Option<Vector> {
        self.places
            .get(frame)
            .copied()
            .filter(|place| !place[0].is_nan())
    }

    pub fn velocity(&self, frame: usize) -> Option<Vector> {
        let velocity = self.motion?.velocities_m_s.get(self.index(frame)?)?;
        Some(game(*velocity))
    }

    pub fn axes_of(&self, sample: usize) -> Option<Axes> {
        let rotation = coords::unpacked_rotation(self.motion?.packed_rotation(sample)?);
        let axis = |axis: [f32; 3]| {
            let [x, z, y] = coords::turned(rotation, axis);
            [x, y, z]
        };
        Some(Axes {
            forward: axis([1.0, 0.0, 0.0]),
            right: axis([0.0, 0.0, 1.0]),
            up: axis([0.0, 1.0, 0.0]),
        })
    }

    pub fn axes(&self, frame: usize) -> Option<Axes> {
        self.axes_of(self.index(frame)?)
    }
}

/// A player: lives under one account, and the car.
#[derive(Debug)]
pub(super) struct Person<'a> {
    pub entity: EntityId,
    pub name: &'a str,
    pub team: Option<u8>,
    pub hitbox: &'static Hitbox,
    pub car: Samples<'a>,
    /// When the car was boosting: from, to.
    pub boosting: Vec<(f64, f64)>,
}

/// A dodge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dodge {
    pub person: usize,
    pub frame: usize,
    pub time_s: f64,
    /// Where it goes in the car's frame: forward, right, each from −1 to 1; zero for a stall; `None` if the file does not say.
    pub direction: Option<[f32; 2]>,
}

/// What is known before any detector runs.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub scene: Scene<'a>,
    pub times_s: &'a [f64],
    pub people: Vec<Person<'a>>,
    pub ball: Samples<'a>,
    pub rounds: Vec<Round>,
    /// By frame: it is between "go" and the end of a round.
    pub is_live: Vec<bool>,
    pub dodges: Vec<Dodge>,
    pub ball_radius_uu: f32,
    /// The field is the standard one and the ball is round.
    pub is_standard: bool,
}

/// The sense in which a team attacks: blue towards positive Y.
pub(super) fn attack(team: u8) -> f32 {
    if team == 0 { 1.0 } else { -1.0 }
}

impl<'a> Known<'a> {
    pub fn new(scene: Scene<'a>, map: Option<&str>) -> Self {
        let found = scene.found;
        let times_s = found.frame_times_s.as_slice();
        let people = (0..scene.entities.person_count)
            .map(|person| player(&scene, person))
            .collect();
        let ball_lives: Vec<_> = found
            .balls
            .iter()
            .enumerate()
            .filter(|(life, _)| scene.entities.balls.get(*life) == Some(&0))
            .filter_map(|(life, ball)| Some((scene.motions.ball_range(life)?, ball.to_s)))
            .collect();
        let rounds = rounds(&scene);
        let mut is_live = vec![false; times_s.len()];
        for round in &rounds {
            if let Some(live) = is_live.get_mut(round.first..round.end) {
                live.fill(true);
            }
        }
        let map = map.map(str::to_lowercase);
        let known_map = map.and_then(|map| {
            let index = MAPS
                .binary_search_by(|known| known.code.cmp(map.as_str()))
                .ok()?;
            MAPS.get(index)
        });
        let has = |part: &str| {
            scene
                .objects
                .iter()
                .any(|object| object.as_str().contains(part))
        };
        // Hoops 96.38, Dropshot 100.26, else 91.25 (RocketSim).
        let ball_radius_uu = if has("Ball_Breakout") {
            100.26
        } else if has("Ball_Basket") {
            96.38
        } else {
            BALL_RADIUS_UU
        };
        Self {
            people,
            ball: Samples::new(scene.motions.balls.first(), &ball_lives, times_s),
            rounds,
            is_live,
            dodges: dodges(&scene),
            ball_radius_uu,
            is_standard: known_map.is_some_and(|map| map.is_standard) && !has("Ball_Puck"),
            times_s,
            scene,
        }
    }

    /// The last frame at a time.
    pub fn frame(&self, time_s: f64) -> usize {
        self.times_s
            .partition_point(|&time| time <= time_s)
            .saturating_sub(1)
    }

    pub fn time_s(&self, frame: usize) -> f64 {
        self.times_s.get(frame).copied().unwrap_or(0.0)
    }

    pub fn is_live(&self, frame: usize) -> bool {
        self.is_live.get(frame) == Some(&true)
    }

    /// The round a frame is in.
    pub fn round(&self, frame: usize) -> Option<&Round> {
        self.rounds
            .iter()
            .find(|round| round.first <= frame && frame < round.end)
    }

    pub fn person(&self, person: usize) -> Option<&Person<'a>> {
        self.people.get(person)
    }

    pub fn team(&self, person: usize) -> Option<u8> {
        self.person(person)?.team
    }

    pub fn car(&self, person: usize, frame: usize) -> Option<Pose> {
        self.person(person)?.car.pose(frame)
    }

    pub fn axes(&self, person: usize, frame: usize) -> Option<Axes> {
        self.person(person)?.car.axes(frame)
    }

    /// The ball in the car's frame.
    pub fn local_ball(&self, person: usize, frame: usize) -> Option<Vector> {
        let between = sub(
            self.ball.position(frame)?,
            self.person(person)?.car.position(frame)?,
        );
        Some(self.axes(person, frame)?.local(between))
    }

    /// Whether a car is in a dodge at a time, or was so shortly before.
    pub fn is_dodging(&self, person: usize, time_s: f64) -> bool {
        self.last_dodge(person, time_s)
            .is_some_and(|dodge| time_s - dodge.time_s <= DODGE_S)
    }

    /// The last dodge of a player at a time.
    pub fn last_dodge(&self, person: usize, time_s: f64) -> Option<&Dodge> {
        let end = self.dodges.partition_point(|dodge| dodge.time_s <= time_s);
        let before = self.dodges.get(..end)?.iter().rev();
        before
            .take_while(|dodge| time_s - dodge.time_s <= 10.0)
            .find(|dodge| dodge.person == person)
    }

    pub fn is_boosting(&self, person: usize, time_s: f64) -> bool {
        let spans = self.person(person).map(|person| person.boosting.as_slice());
        let spans = spans.unwrap_or_default();
        let after = spans.partition_point(|span| span.0 <= time_s);
        after
            .checked_sub(1)
            .and_then(|index| spans.get(index))
            .is_some_and(|span| time_s < span.1)
    }

    /// The players of a team.
    pub fn members(&self, team: u8) -> impl Iterator<Item = usize> + '_ {
        let people = self.people.iter().enumerate();
        people
            .filter(move |(_, person)| person.team == Some(team))
            .map(|(index, _)| index)
    }

    /// An event in a frame.
    pub fn event(&self, frame: usize, kind: &'static str) -> Event {
        let number = self
            .scene
            .found
            .frame_numbers
            .get(frame)
            .copied()
            .unwrap_or(frame);
        super::event(self.time_s(frame), number, kind)
    }

    /// The number a frame has in the file.
    pub fn number(&self, frame: usize) -> usize {
        self.scene
            .found
            .frame_numbers
            .get(frame)
            .copied()
            .unwrap_or(frame)
    }
}

fn player<'a>(scene: &Scene<'a>, person: usize) -> Person<'a> {
    let found = scene.found;
    let lives = || {
        let lives = found.players.iter().zip(&scene.entities.people);
        lives
            .filter(move |(_, number)| **number == person)
            .map(|(life, _)| life)
    };
    let team = lives()
        .filter_map(|life| life.team.last().copied())
        .next_back()
        .filter(|team| *team < 2);
    let body = lives().filter_map(|life| life.body_id()).next_back();
    let body = body.and_then(|id| {
        let index = CAR_BODIES.binary_search_by_key(&id, |body| body.id).ok()?;
        CAR_BODIES.get(index)
    });
    let hitbox = body.map_or(0, |body| body.hitbox);
    let cars: Vec<(usize, &CarLife)> = found
        .cars
        .iter()
        .enumerate()
        .filter(|(life, _)| scene.entities.owners.get(*life) == Some(&Some(person)))
        .collect();
    let ranges: Vec<_> = cars
        .iter()
        .filter_map(|(life, car)| Some((scene.motions.car_range(*life)?, car.to_s)))
        .collect();
    let mut boosting = Vec::new();
    for (_, car) in &cars {
        let switches = car.boosting.times_s.iter().zip(&car.boosting.values);
        let mut on_s = None;
        for (&time_s, &on) in switches {
            match (on, on_s) {
                (true, None) => on_s = Some(time_s),
                (false, Some(from_s)) => {
                    boosting.push((from_s, time_s));
                    on_s = None;
                }
                _ => {}
            }
        }
        boosting.extend(on_s.map(|from_s| (from_s, car.to_s)));
    }
    boosting.sort_by(|a: &(f64, f64), b| a.0.total_cmp(&b.0));
    Person {
        entity: scene.entities.player(person),
        name: lives()
            .filter_map(|life| life.name.as_deref())
            .next_back()
            .unwrap_or("?"),
        team,
        hitbox: HITBOXES.get(hitbox).unwrap_or(&HITBOXES[0]),
        car: Samples::new(
            scene.motions.cars.get(person),
            &ranges,
            &found.frame_times_s,
        ),
        boosting,
    }
}

/// The torque of a full dodge to the left and forward, in the file's units (subtr-actor, rlgym-tools).
const TORQUE_LEFT: f32 = 260.0;
const TORQUE_FORWARD: f32 = 224.0;

/// The torque of a dodge comes up to this long after its state, in seconds.
const TORQUE_AFTER_S: f64 = 0.1;

fn dodges(scene: &Scene<'_>) -> Vec<Dodge> {
    let found = scene.found;
    let dodges = found.happenings.iter().filter_map(|happening| {
        let Deed::Dodge(car) = happening.what else {
            return None;
        };
        let person = (*scene.entities.owners.get(car)?)?;
        let life = found.cars.get(car)?;
        let frame = found
            .frame_times_s
            .partition_point(|&time_s| time_s < happening.time_s);
        let torque = if life.torques.values.is_empty() {
            None
        } else {
            value_at(&life.torques, happening.time_s + TORQUE_AFTER_S)
        };
        let direction = torque.map(|[x, y]| {
            let [forward, right] = [y / TORQUE_FORWARD, -x / TORQUE_LEFT];
            let most = forward.abs().max(right.abs()).max(1.0);
            [forward / most, right / most]
        });
        Some(Dodge {
            person,
            frame,
            time_s: happening.time_s,
            direction,
        })
    });
    dodges.collect()
}
