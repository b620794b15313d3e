//! What one pass over the frames finds, in the timeline's units: lives of balls, cars and players, pads, the game.

use super::motion::Mark;
use crate::rocket_league::codec::model::ids::UniqueId;

/// Room for so many steps is made with the first one.
const FIRST_STEPS: usize = 32;

/// A value that stays until it changes.
#[derive(Clone, Debug)]
pub(crate) struct Steps<T> {
    pub times_s: Vec<f64>,
    pub values: Vec<T>,
}

impl<T> Default for Steps<T> {
    fn default() -> Self {
        Self {
            times_s: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<T: Clone + PartialEq> Steps<T> {
    /// Adds a value if it is another one: keyframes send everything again. Says whether it was.
    pub fn set(&mut self, time_s: f64, value: T) -> bool {
        if self.values.last() == Some(&value) {
            return false;
        }
        if self.times_s.last() == Some(&time_s) {
            self.times_s.pop();
            self.values.pop();
        }
        self.push(time_s, value);
        true
    }

    /// Adds a value, whether it is another one or not.
    pub fn push(&mut self, time_s: f64, value: T) {
        // What changes mostly changes often: growing from nothing would take half a dozen steps.
        if self.times_s.capacity() == 0 {
            self.times_s.reserve(FIRST_STEPS);
            self.values.reserve(FIRST_STEPS);
        }
        self.times_s.push(time_s);
        self.values.push(value);
    }

    /// Drops the values from a time on.
    pub fn cut(&mut self, time_s: f64) {
        let count = self.times_s.partition_point(|&time| time < time_s);
        self.times_s.truncate(count);
        self.values.truncate(count);
    }

    pub fn last(&self) -> Option<&T> {
        self.values.last()
    }

    /// Makes room for so many more values.
    pub fn reserve(&mut self, count: usize) {
        self.times_s.reserve_exact(count);
        self.values.reserve_exact(count);
    }

    pub fn append(&mut self, other: &mut Self) {
        self.times_s.append(&mut other.times_s);
        self.values.append(&mut other.values);
    }
}

/// Room for so many moves of a stick is made with the first one.
pub(super) const FIRST_MOVES: usize = 128;

/// What a player does with a stick, as the file has it: bytes, 128 in the middle, and in which of the frames that were
/// read. There are more of these than of all other steps together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves(Vec<(u32, u8)>);

impl Moves {
    /// Adds a value if it is another one, as [`Steps::set`] does.
    #[inline]
    pub fn set(&mut self, frame: u32, byte: u8) {
        // There are as many steps to the one side as to the other, and one more.
        let byte = byte.max(1);
        match self.0.last_mut() {
            Some(last) if last.1 == byte => {}
            Some(last) if last.0 == frame => last.1 = byte,
            None => {
                self.0.reserve(FIRST_MOVES);
                self.0.push((frame, byte));
            }
            Some(_) => self.0.push((frame, byte)),
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// As steps from −1 to 1.
    pub fn append_to(&self, steps: &mut Steps<f32>, frame_times_s: &[f64]) {
        let time_s = |frame: u32| frame_times_s.get(frame as usize).copied();
        let moves = self.0.iter();
        steps.times_s.extend(
            moves
                .clone()
                .map(|&(frame, _)| time_s(frame).unwrap_or(0.0)),
        );
        steps
            .values
            .extend(moves.map(|&(_, byte)| (f32::from(byte) - 128.0) / 127.0));
    }
}

/// A ball actor from its appearance to its end.
#[derive(Clone, Debug)]
pub(crate) struct BallLife {
    pub from_s: f64,
    pub to_s: f64,
}

/// A car actor from its appearance to its end, or to the moment it is another player's.
#[derive(Clone, Debug, Default)]
pub(crate) struct CarLife {
    pub from_s: f64,
    pub to_s: f64,
    /// The life of the player it belongs to.
    pub player: Option<usize>,
    pub team: Option<u8>,
    pub throttle: Moves,
    pub steer: Moves,
    pub handbrake: Steps<bool>,
    /// What the file says, and when.
    pub boost: Steps<BoostWord>,
    /// How often the car was given boost, where the file counts it.
    pub grants: Option<u8>,
    pub boosting: Steps<bool>,
    pub refreshes: Option<i32>,
    /// Whether the car is jumping, double jumping and dodging.
    pub jumps: [Steps<bool>; 3],
    /// Directions of dodges, in the car's frame: positive X is to the left, positive Y is forward.
    pub torques: Steps<[f32; 2]>,
}

/// What the file says of a car's boost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoostWord {
    /// 0 to 255.
    pub amount: u8,
    /// The car was given boost since the last word: though the amount may be the same, it was not all the time.
    pub is_granted: bool,
}

/// What the game replicates about a player, from joining to leaving.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerLife {
    pub from_s: f64,
    pub to_s: f64,
    pub id: Option<UniqueId>,
    pub name: Option<String>,
    pub is_bot: bool,
    pub is_spectator: bool,
    pub party_leader: Option<UniqueId>,
    /// The title shown below the name, as the file names it.
    pub title: Option<String>,
    pub skill_tier: Option<u8>,
    pub club_id: Option<i64>,
    pub team: Steps<u8>,
    pub goals: Steps<i32>,
    pub assists: Steps<i32>,
    pub saves: Steps<i32>,
    pub shots: Steps<i32>,
    pub score: Steps<i32>,
    pub is_mvp: bool,
    /// The body of a car in blue and in orange: which one is driven depends on the team.
    pub body_ids: Option<[u32; 2]>,
    pub steering: Option<f32>,
    pub camera: Camera,
}

impl PlayerLife {
    /// The body of the car driven.
    pub fn body_id(&self) -> Option<u32> {
        let is_orange = self.team.last() == Some(&1);
        self.body_ids
            .map(|[blue, orange]| if is_orange { orange } else { blue })
    }
}

/// What the game replicates about the match as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub playlist: Option<i32>,
    /// The class of the kind of match, such as `TAGame.MatchType_PublicRanked_TA`.
    pub type_class: Option<String>,
    pub guid: Option<String>,
    pub lan_guid: Option<String>,
    pub server_name: Option<String>,
    pub server_id: Option<String>,
    pub region: Option<String>,
    pub start_epoch_s: Option<i64>,
    pub winner: Option<u8>,
    pub is_forfeit: bool,
    pub is_no_contest: bool,
    /// What the game is made from, such as `Archetypes.GameEvent.GameEvent_Items`.
    pub archetype: Option<String>,
}

/// A player's camera.
#[derive(Clone, Debug, Default)]
pub(crate) struct Camera {
    /// Field of view, height, pitch, distance, stiffness, swivel speed, transition speed.
    pub settings: Option<[f32; 7]>,
    pub ball: Steps<bool>,
    pub rear: Steps<bool>,
    pub pitch: Steps<f32>,
    pub yaw: Steps<f32>,
}

/// A boost pad and what happened to it.
#[derive(Clone, Debug)]
pub(crate) struct Pad {
    /// The object it is, such as `VehiclePickup_Boost_TA_12`.
    pub name: String,
    /// The counter: odd while the pad is taken.
    pub count: u8,
    pub uses: Vec<PadUse>,
}

/// A pad is taken or there again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PadUse {
    pub time_s: f64,
    pub frame: usize,
    /// The life of the car that took it; `None` when the pad is there again.
    pub car: Option<usize>,
    pub is_taken: bool,
}

/// Something that happened, seen in the attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happening {
    pub time_s: f64,
    pub frame: usize,
    pub what: Deed,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Deed {
    /// A car destroys another: lives of cars.
    Demolition {
        attacker: Option<usize>,
        victim: Option<usize>,
        /// The life of the player who did it, where the file names one.
        attacker_player: Option<usize>,
        attacker_uu_s: [f32; 3],
        victim_uu_s: [f32; 3],
    },
    /// A car uses one of its parts.
    Jump(usize),
    DoubleJump(usize),
    Dodge(usize),
    FlipCar(usize),
    /// The wheels touched something: the car may dodge again.
    Refresh(usize),
    Handbrake(usize, bool),
    /// A car has or uses an item, given as an index into the objects.
    ItemTaken(usize, i32),
    ItemUsed(usize, i32),
    /// A tile of the floor, an index into the objects, is damaged or opens.
    Tile {
        tile: i32,
        /// The life of the player who did it.
        player: Option<usize>,
        is_open: bool,
        position_uu: [f32; 3],
    },
    BallCamera(usize, bool),
    RearCamera(usize, bool),
    Goal(usize),
    Assist(usize),
    Save(usize),
    Shot(usize),
    /// A team's score has grown.
    TeamScore(u8),
    Overtime,
    Forfeit,
    /// The team that touched the ball last.
    HitTeam(u8),
    /// The ball is gone in a goal.
    Explosion,
}

/// All that was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    pub about: About,
    pub frame_times_s: Vec<f64>,
    pub frame_numbers: Vec<usize>,
    /// Whose each body of the stream is, in the order of the stream.
    pub marks: Vec<Mark>,
    pub balls: Vec<BallLife>,
    pub cars: Vec<CarLife>,
    pub players: Vec<PlayerLife>,
    pub pads: Vec<Pad>,
    pub happenings: Vec<Happening>,
    pub seconds_left: Steps<i32>,
    pub state: Steps<String>,
    pub overtime: Steps<bool>,
    pub ball_hit: Steps<bool>,
    pub scores: [Steps<i32>; 2],
    pub hit_teams: Steps<u8>,
    /// The phase of the ball in Dropshot: 0, 1, 2.
    pub phases: Steps<i32>,
}
