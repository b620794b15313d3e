//! From what the pass found to entities and tracks.

use super::super::events::{self, Scene, pads};
use super::boost;
use super::motion::{Motion, Motions};
use super::people::people;
use super::state::{CarLife, Match, PlayerLife, Steps};
use crate::rocket_league::codec::model::Replay;
use crate::timeline::{Column, Entity, EntityId, Hold, Presence, Timeline, Track, Values};

/// Which entities of the timeline the things found are. The game is the first, then the teams, the balls, for each
/// person the player, the camera and the car, then the pads.
#[derive(Debug)]
pub(crate) struct Entities {
    pub ball_count: usize,
    pub person_count: usize,
    /// By the life of a ball: which ball.
    pub balls: Vec<usize>,
    /// By the life of a player: which person.
    pub people: Vec<usize>,
    /// By the life of a car: whose it is.
    pub owners: Vec<Option<usize>>,
}

impl Entities {
    fn new(found: &Match) -> Self {
        let people = people(&found.players);
        let owner = |player: Option<usize>| people.get(player?).copied();
        let owners = found.cars.iter().map(|car| owner(car.player)).collect();
        let mut ends_s: Vec<f64> = Vec::new();
        let ball = |life: &super::state::BallLife| {
            let free = ends_s.iter().position(|&end_s| end_s <= life.from_s);
            let ball = free.unwrap_or(ends_s.len());
            match ends_s.get_mut(ball) {
                Some(end_s) => *end_s = life.to_s,
                None => ends_s.push(life.to_s),
            }
            ball
        };
        let balls: Vec<usize> = found.balls.iter().map(ball).collect();
        Self {
            ball_count: ends_s.len(),
            person_count: people.iter().max().map_or(0, |most| most + 1),
            balls,
            people,
            owners,
        }
    }

    pub fn team(&self, team: u8) -> EntityId {
        EntityId(1 + usize::from(team.min(1)))
    }

    pub fn ball(&self, ball: usize) -> EntityId {
        EntityId(3 + ball)
    }

    /// The player with the number of a person; the camera and the car follow.
    pub fn player(&self, person: usize) -> EntityId {
        EntityId(3 + self.ball_count + 3 * person)
    }

    pub fn pad(&self, pad: usize) -> EntityId {
        EntityId(self.player(self.person_count).0 + pad)
    }

    /// The player of the life of a car.
    pub fn owner(&self, car: usize) -> Option<EntityId> {
        let person = *self.owners.get(car)?;
        person.map(|person| self.player(person))
    }

    /// The player of the life of a player.
    pub fn person(&self, player: usize) -> Option<EntityId> {
        self.people.get(player).map(|&person| self.player(person))
    }
}

/// The timeline of what was found.
pub(super) fn build(mut found: Match, replay: &Replay) -> Timeline {
    let mut timeline = Timeline {
        start_s: found.frame_times_s.first().copied().unwrap_or(0.0),
        end_s: found.frame_times_s.last().copied().unwrap_or(0.0),
        ..Timeline::default()
    };
    let entities = Entities::new(&found);
    let mut motions = Motions::new(&found, &entities, replay);
    let objects = replay.body.as_ref().map(|body| body.objects.as_slice());
    let scene = Scene {
        objects: objects.unwrap_or_default(),
        found: &found,
        entities: &entities,
        motions: &motions,
    };
    let places = pads::locate(&scene);
    timeline.events = events::find(&scene, &places, replay);
    timeline.add(game(&mut found));
    for (team, name) in ["Blue", "Orange"].into_iter().enumerate() {
        let score = found
            .scores
            .get_mut(team)
            .map(std::mem::take)
            .unwrap_or_default();
        timeline.add(Entity {
            name: name.into(),
            kind: "team",
            parent: None,
            presence: Presence::from(timeline.start_s),
            tracks: vec![numbers("score", score, |score| score as f32)],
        });
    }
    for ball in 0..entities.ball_count {
        let lives = found.balls.iter().zip(&entities.balls);
        let mut presence = Presence::default();
        for (life, _) in lives.filter(|(_, number)| **number == ball) {
            presence.appear(life.from_s);
            presence.vanish(life.to_s);
        }
        let motion = take(&mut motions.balls, ball);
        let name = if ball == 0 {
            "Ball".to_owned()
        } else {
            format!("Ball {}", ball + 1)
        };
        timeline.add(Entity {
            name,
            kind: "ball",
            parent: None,
            presence,
            tracks: vec![body(motion)],
        });
    }
    if let Some(ball) = timeline
        .entities
        .get_mut(entities.ball(0).0)
        .filter(|_| entities.ball_count > 0)
    {
        ball.tracks.push(numbers(
            "hit_team",
            std::mem::take(&mut found.hit_teams),
            f32::from,
        ));
    }
    for person in 0..entities.person_count {
        add_person(&mut timeline, &mut found, &entities, person, &mut motions);
    }
    for (pad, place) in found.pads.iter().zip(&places) {
        timeline.add(pads::entity(pad, place, timeline.start_s));
    }
    timeline
}

fn take(motions: &mut [Motion], index: usize) -> Motion {
    motions
        .get_mut(index)
        .map(std::mem::take)
        .unwrap_or_default()
}

fn game(found: &mut Match) -> Entity {
    let start_s = found.frame_times_s.first().copied().unwrap_or(0.0);
    let mut state = Values::Name {
        names: Vec::new(),
        indices: Vec::new(),
    };
    for name in &found.state.values {
        state.push(crate::timeline::Sample::Name(name));
    }
    Entity {
        name: "Game".into(),
        kind: "game",
        parent: None,
        presence: Presence::from(start_s),
        tracks: vec![
            numbers(
                "seconds_remaining",
                std::mem::take(&mut found.seconds_left),
                |seconds| seconds as f32,
            ),
            held("state", std::mem::take(&mut found.state.times_s), state),
            flags("overtime", std::mem::take(&mut found.overtime)),
            flags("ball_has_been_hit", std::mem::take(&mut found.ball_hit)),
        ],
    }
}

fn add_person(
    timeline: &mut Timeline,
    found: &mut Match,
    entities: &Entities,
    person: usize,
    motions: &mut Motions,
) {
    let mut presence = Presence::default();
    let mut whole = PlayerLife::default();
    let mut body_id = None;
    let lives = found.players.iter_mut().zip(&entities.people);
    for (life, _) in lives.filter(|(_, number)| **number == person) {
        presence.appear(life.from_s);
        if life.to_s < timeline.end_s {
            presence.vanish(life.to_s);
        }
        body_id = life.body_id().or(body_id);
        whole.name = life.name.take().or(whole.name);
        whole.team.append(&mut life.team);
        whole.score.append(&mut life.score);
        whole.goals.append(&mut life.goals);
        whole.assists.append(&mut life.assists);
        whole.saves.append(&mut life.saves);
        whole.shots.append(&mut life.shots);
        whole.camera.ball.append(&mut life.camera.ball);
        whole.camera.rear.append(&mut life.camera.rear);
        whole.camera.pitch.append(&mut life.camera.pitch);
        whole.camera.yaw.append(&mut life.camera.yaw);
        whole.camera.settings = life.camera.settings.or(whole.camera.settings);
        whole.steering = life.steering.or(whole.steering);
        whole.is_mvp |= life.is_mvp;
    }
    let from_s = presence
        .intervals()
        .first()
        .map_or(timeline.start_s, |interval| interval.0);
    let name = whole
        .name
        .take()
        .unwrap_or_else(|| format!("player {}", person + 1));
    let constant =
        |name: &'static str, value: f32| held(name, vec![from_s], Values::Scalar(vec![value]));
    let mut tracks = vec![
        numbers("team", whole.team, f32::from),
        numbers("score", whole.score, |count| count as f32),
        numbers("goals", whole.goals, |count| count as f32),
        numbers("assists", whole.assists, |count| count as f32),
        numbers("saves", whole.saves, |count| count as f32),
        numbers("shots", whole.shots, |count| count as f32),
    ];
    tracks.extend(body_id.map(|id| constant("body_id", id as f32)));
    tracks.extend(
        whole
            .steering
            .map(|steering| constant("steering_sensitivity", steering)),
    );
    if whole.is_mvp {
        tracks.push(held("mvp", vec![from_s], Values::Flag(vec![true])));
    }
    let player = timeline.add(Entity {
        name: name.clone(),
        kind: "player",
        parent: None,
        presence: presence.clone(),
        tracks,
    });
    let camera = whole.camera;
    let mut tracks = vec![
        flags("ball_camera", camera.ball),
        flags("rear_camera", camera.rear),
        numbers("pitch_deg", camera.pitch, |angle| angle),
        numbers("yaw_deg", camera.yaw, |angle| angle),
    ];
    if let Some(settings) = camera.settings {
        const NAMES: [&str; 7] = [
            "fov_deg",
            "height_uu",
            "pitch_offset_deg",
            "distance_uu",
            "stiffness",
            "swivel_speed",
            "transition_speed",
        ];
        let settings = NAMES
            .into_iter()
            .zip(settings)
            .filter(|(_, value)| value.is_finite());
        tracks.extend(settings.map(|(name, value)| constant(name, value)));
    }
    timeline.add(Entity {
        name: format!("{name} camera"),
        kind: "camera",
        parent: Some(player),
        presence,
        tracks,
    });
    add_car(timeline, found, entities, (person, player, &name), motions);
}

fn add_car(
    timeline: &mut Timeline,
    found: &mut Match,
    entities: &Entities,
    (person, player, name): (usize, EntityId, &str),
    motions: &mut Motions,
) {
    let mut presence = Presence::default();
    let (mut throttle, mut steer) = (Steps::default(), Steps::default());
    let (mut handbrake, mut boosting) = (Steps::default(), Steps::default());
    let mut jumps: [Steps<bool>; 3] = Default::default();
    let mut amounts = boost::Curve::default();
    let mut reports = Steps::default();
    let mut lives_s = Vec::new();
    let Match {
        cars,
        frame_times_s,
        ..
    } = found;
    let own = cars.iter().zip(&entities.owners);
    let own = own.filter(|(_, owner)| **owner == Some(person));
    let room =
        |count: fn(&CarLife) -> usize| own.clone().map(|(life, _)| count(life)).sum::<usize>();
    throttle.reserve(room(|life| life.throttle.len()));
    steer.reserve(room(|life| life.steer.len()));
    handbrake.reserve(room(|life| life.handbrake.values.len()));
    boosting.reserve(room(|life| life.boosting.values.len()));
    reports.reserve(room(|life| life.boost.values.len()));
    amounts.reserve(room(boost::most_points));
    let lives = cars.iter_mut().zip(&entities.owners).enumerate();
    for (index, (life, _)) in lives.filter(|(_, (_, owner))| **owner == Some(person)) {
        // A new car is there once the file says where; before, it would be where the last one ended.
        let first_s = motions
            .car(index)
            .and_then(|path| path.times_s.first().copied());
        presence.appear(first_s.unwrap_or(life.from_s));
        presence.vanish(life.to_s.min(timeline.end_s));
        if life.to_s >= timeline.end_s {
            presence.appear(timeline.end_s);
        }
        // A life that begins before the last one's end: times ascend all the same.
        amounts.cut(life.from_s);
        reports.cut(life.from_s);
        throttle.cut(life.from_s);
        steer.cut(life.from_s);
        handbrake.cut(life.from_s);
        boosting.cut(life.from_s);
        lives_s.push(life.from_s);
        boost::add_curve(life, &mut amounts);
        boost::add_reports(life, &mut reports);
        life.throttle.append_to(&mut throttle, frame_times_s);
        life.steer.append_to(&mut steer, frame_times_s);
        handbrake.append(&mut life.handbrake);
        boosting.append(&mut life.boosting);
        for (jump, of_life) in jumps.iter_mut().zip(&mut life.jumps) {
            jump.cut(life.from_s);
            // A car destroyed in a dodge: the next one is not in it.
            if jump.last() == Some(&true) {
                jump.push(life.from_s, false);
            }
            jump.append(of_life);
        }
    }
    let [jumping, double_jumping, dodging] = jumps;
    timeline.add(Entity {
        name: format!("{name} car"),
        kind: "car",
        parent: Some(player),
        presence,
        tracks: vec![
            body(take(&mut motions.cars, person)),
            Track {
                times_s: amounts.times_s,
                hold: Hold::Linear,
                columns: vec![Column {
                    name: "boost_percent",
                    values: Values::Scalar(amounts.amounts),
                }],
            },
            numbers("boost_reported", reports, boost::percent),
            held(
                "life",
                lives_s.clone(),
                Values::Scalar((0..lives_s.len()).map(|life| life as f32).collect()),
            ),
            numbers("throttle", throttle, |value| value),
            numbers("steer", steer, |value| value),
            flags("handbrake", handbrake),
            flags("boosting", boosting),
            flags("jumping", jumping),
            flags("double_jumping", double_jumping),
            flags("dodging", dodging),
        ],
    });
}

fn body(mut motion: Motion) -> Track {
    let rotations = motion.rotations();
    Track {
        times_s: motion.times_s,
        hold: Hold::Resting,
        columns: vec![
            Column {
                name: "position",
                values: Values::Position(motion.positions),
            },
            Column {
                name: "rotation",
                values: Values::Packed(rotations),
            },
            Column {
                name: "velocity_m_s",
                values: Values::Position(motion.velocities_m_s),
            },
            Column {
                name: "angular_velocity_rad_s",
                values: Values::Position(motion.turns_rad_s),
            },
        ],
    }
}

pub(crate) fn held(name: &'static str, times_s: Vec<f64>, values: Values) -> Track {
    Track {
        times_s,
        hold: Hold::Held,
        columns: vec![Column { name, values }],
    }
}

fn flags(name: &'static str, steps: Steps<bool>) -> Track {
    held(name, steps.times_s, Values::Flag(steps.values))
}

fn numbers<T>(name: &'static str, steps: Steps<T>, number: impl Fn(T) -> f32) -> Track {
    let values = steps.values.into_iter().map(number).collect();
    held(name, steps.times_s, Values::Scalar(values))
}
