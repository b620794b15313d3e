//! Hits taken: what hit, what the victim pressed, where it sent them, and what else could have come of it.
//!
//! A hit begins in the first frame of hitlag in which the percent rose. Throws have no hitlag: each blow of one is a hit.
//! Hits without hitlag, such as Fox's laser, are known since 3.16, which numbers attacks.
//!
//! - [`di`]: directional influence, as the game computes it
//! - `inputs`: what is pressed during hitlag and before it
//! - `survival`: whether a launch kills

pub mod di;
mod inputs;
mod survival;

use super::lane::Lane;
use super::stats::stocks::Stock;
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::Frames;
use crate::slippi::stages::bounds;
use crate::slippi::states::sets;
use crate::slippi::tables::set;

/// Flags of a character after a frame. Source: libmelee's table; the launches of the corpus agree.
const IN_HITLAG: u8 = 0x20;

/// States of being thrown, and of crouching.
const THROWN: std::ops::RangeInclusive<u16> = 239..=243;
const CROUCHED: [u16; 2] = [39, 40];

/// A percent that rises by less is noise of single precision.
const MIN_DAMAGE: f32 = 0.001;

/// The launch speed of one unit of knockback. Source: SlpProcess and SlippiStats.
pub(crate) const SPEED_PER_KNOCKBACK: f32 = 0.03;

/// A hit that a player took.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The victim's port.
    pub victim: u8,
    /// The port of who hit; `None` if the file does not tell.
    pub attacker: Option<u8>,
    /// The attack, as the game counts them.
    pub attack: Option<u8>,
    /// Its first frame.
    pub frame: i32,
    /// The first frame after hitlag; `None` if the recording or another hit came first. For throws its frame.
    pub launch_frame: Option<i32>,
    /// The blow is part of a throw.
    pub is_throw: bool,
    /// The victim's action state before.
    pub state_before: u16,
    /// Where the victim was before, in the game's units.
    pub position_uu: [f32; 2],
    /// The victim stood on the ground before; `None` where the version does not say.
    pub was_grounded: Option<bool>,
    /// The victim's percent before.
    pub percent_before: f32,
    /// What the percent rose by.
    pub damage_percent: f32,
    /// Frames of hitlag.
    pub hitlag_frames: Option<u32>,
    /// Inputs that shift the victim during hitlag.
    pub sdi_inputs: Option<u32>,
    /// The stick that shifts the victim as hitlag ends: the C-stick, else the stick; `None` if both rest.
    pub asdi: Option<[f32; 2]>,
    /// The stick that turns the launch.
    pub di_stick: Option<[f32; 2]>,
    /// The launch. Since 3.5; of launches into the air only.
    pub launch: Option<Launch>,
    /// The victim crouched: knockback and hitlag are reduced.
    pub was_crouching: bool,
    /// The victim pressed a trigger just before, in the air: knockback is reduced.
    pub has_v_cancelled: bool,
    /// The victim lost the stock without landing or catching a ledge first.
    pub did_kill: bool,
}

/// A launch into the air. Angles are in degrees, counted from the right, counterclockwise, from -180 to 180.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Knockback, as the game counts it.
    pub knockback: f32,
    /// The angle without influence.
    pub angle_before_deg: f32,
    /// The angle the stick makes of it.
    pub angle_after_deg: f32,
    /// How much of the greatest change was used, from 0 to 1.
    pub di_share: f32,
    /// The speed predicted for the first frame after hitlag.
    pub predicted_uu: [f32; 2],
    /// The speed on record for it.
    pub recorded_uu: [f32; 2],
    /// What would have come of other sticks; `None` for stages whose limits are unknown.
    pub outcomes: Option<Outcomes>,
}

/// Whether a launch would have killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// Without any stick.
    pub without_di: bool,
    /// Whatever the stick.
    pub with_best_di: bool,
    /// With at least one stick.
    pub with_any_di: bool,
}

/// Finds all hits, in order of time.
pub(crate) fn find(replay: &Replay, rows: &[usize], stocks: &[Stock]) -> Vec<Hit> {
    let Some(frames) = &replay.frames else {
        return Vec::new();
    };
    let ports = replay.start.ports();
    let lanes: Vec<Lane<'_>> = ports
        .filter_map(|(port, _)| Lane::new(frames, rows, port, false))
        .collect();
    let mut hits = Vec::new();
    for lane in &lanes {
        let finder = Finder {
            replay,
            frames,
            rows,
            lanes: &lanes,
            lane,
        };
        let first = hits.len();
        finder.find(&mut hits);
        let own = hits.get_mut(first..).unwrap_or_default();
        for stock in stocks.iter().filter(|stock| stock.port == lane.port) {
            finder.mark_kill(own, stock);
        }
    }
    hits.sort_by_key(|hit| (hit.frame, hit.victim));
    hits
}

struct Finder<'a> {
    replay: &'a Replay,
    frames: &'a Frames,
    rows: &'a [usize],
    lanes: &'a [Lane<'a>],
    /// The victim.
    lane: &'a Lane<'a>,
}

impl Finder<'_> {
    fn frame(&self, index: usize) -> Option<i32> {
        self.frames.ids.get(*self.rows.get(index)?).copied()
    }

    fn is_in_hitlag(&self, index: usize) -> Option<bool> {
        Some(self.lane.post(index, |post| &post.flags_2)? & IN_HITLAG != 0)
    }

    fn find(&self, hits: &mut Vec<Hit>) {
        let mut before: Option<f32> = None;
        for index in 0..self.lane.len() {
            let percent = self.lane.post(index, |post| &post.percent);
            if let (Some(before), Some(percent)) = (before, percent)
                && percent - before > MIN_DAMAGE
            {
                hits.extend(self.hit(index, before, percent));
            }
            before = percent;
        }
    }

    /// The hit in a frame in which the percent rose; `None` if it rose for another reason.
    fn hit(&self, index: usize, percent_before: f32, percent: f32) -> Option<Hit> {
        let lane = self.lane;
        let last = index.checked_sub(1)?;
        let state_before = lane.state(last)?;
        let is_throw = THROWN.contains(&state_before);
        let in_hitlag = self.is_in_hitlag(index)?;
        let is_numbered = || {
            let number = |index: usize| lane.post(index, |post| &post.instance_hit_by);
            number(index).is_some_and(|now| now != 0 && Some(now) != number(last))
        };
        if !in_hitlag && !is_throw && !is_numbered() {
            return None;
        }
        let attacker = self.attacker(index);
        let attack = attacker.and_then(|attacker| {
            let attack = attacker.post(index, |post| &post.last_attack_landed)?;
            Some(attack).filter(|&attack| attack != 0)
        });
        let lag = in_hitlag.then(|| self.hitlag(index));
        // The stick of the last frame of hitlag turns the launch; a throw has none, so that of the frame itself.
        let (last_lag, launch) = match lag {
            Some((last_lag, launch)) => (last_lag, launch),
            None => (index, is_throw.then_some(index)),
        };
        let is_last_blow = !is_throw || lane.state(index).is_some_and(|one| !THROWN.contains(&one));
        let has_launch = (in_hitlag || is_throw) && is_last_blow;
        let stick = lane.stick(last_lag).filter(|_| has_launch);
        let launched = lag.and(launch).zip(stick);
        let was_airborne = lane.post(last, |post| &post.airborne);
        Some(Hit {
            victim: lane.port,
            attacker: attacker.map(|attacker| attacker.port),
            attack,
            frame: self.frame(index)?,
            launch_frame: launch
                .filter(|_| is_last_blow)
                .and_then(|at| self.frame(at)),
            is_throw,
            state_before,
            position_uu: [
                lane.post(last, |post| &post.x)?,
                lane.post(last, |post| &post.y)?,
            ],
            was_grounded: was_airborne.map(|airborne| airborne == 0),
            percent_before,
            damage_percent: percent - percent_before,
            hitlag_frames: lag.and_then(|_| u32::try_from(last_lag + 1 - index).ok()),
            sdi_inputs: lag.map(|_| inputs::sdi(lane, index..last_lag + 1)),
            asdi: lag.and_then(|_| inputs::asdi(lane, last_lag)),
            di_stick: stick,
            launch: launched.and_then(|(at, stick)| self.launch(index, at, stick)),
            was_crouching: CROUCHED.contains(&state_before),
            has_v_cancelled: was_airborne == Some(1)
                && inputs::is_v_cancel(lane, index, state_before),
            did_kill: false,
        })
    }

    /// The last frame of hitlag, and the frame after it; none if another hit comes first.
    fn hitlag(&self, start: usize) -> (usize, Option<usize>) {
        let percent = |index: usize| self.lane.post(index, |post| &post.percent);
        let mut last = start;
        loop {
            let next = last + 1;
            let Some(in_hitlag) = self.is_in_hitlag(next) else {
                return (last, None);
            };
            let is_hit_again = percent(next) > percent(last).map(|one| one + MIN_DAMAGE);
            match (in_hitlag, is_hit_again) {
                (_, true) => return (last, None),
                (true, false) => last = next,
                (false, false) => return (last, Some(next)),
            }
        }
    }

    /// Who hits: the other one of two, else whom the game names.
    fn attacker(&self, index: usize) -> Option<&Lane<'_>> {
        if self.lanes.len() == 2 {
            return self.lanes.iter().find(|one| one.port != self.lane.port);
        }
        let instance = self.lane.post(index, |post| &post.instance_hit_by);
        let is_it = |lane: &&Lane<'_>| {
            let own = |index: usize| lane.post(index, |post| &post.instance);
            lane.port != self.lane.port
                && instance.is_some_and(|one| one != 0)
                && (own(index) == instance || own(index.saturating_sub(1)) == instance)
        };
        let port = self.lane.post(index, |post| &post.last_hit_by);
        let is_named = |lane: &&Lane<'_>| Some(lane.port) == port && lane.port != self.lane.port;
        let mut lanes = self.lanes.iter();
        lanes.clone().find(is_it).or_else(|| lanes.find(is_named))
    }

    /// The launch out of a hit; `None` for those that stay on the ground.
    fn launch(&self, hit: usize, at: usize, stick: [f32; 2]) -> Option<Launch> {
        let lane = self.lane;
        let speed = |index: usize| {
            Some([
                lane.post(index, |post| &post.speed_attack_x)?,
                lane.post(index, |post| &post.speed_attack_y)?,
            ])
        };
        let (before, recorded) = (speed(hit)?, speed(at)?);
        let is_launched = sets(lane.state(at)?) & set::DAMAGED != 0;
        let is_airborne = lane.post(at, |post| &post.airborne)? != 0;
        if before == [0.0, 0.0] || !is_launched || !is_airborne {
            return None;
        }
        let change = di::change_deg(before, stick);
        let turned = di::turned(before, change);
        let outcomes = bounds(self.replay.start.info.stage).and_then(|bounds| {
            survival::outcomes(&survival::Flight {
                bounds,
                character: lane.post(at, |post| &post.character)?,
                position: [
                    lane.post(at - 1, |post| &post.x)?,
                    lane.post(at - 1, |post| &post.y)?,
                ],
                speed: before,
            })
        });
        Some(Launch {
            knockback: before[0].hypot(before[1]) / SPEED_PER_KNOCKBACK,
            angle_before_deg: di::angle_deg(before),
            angle_after_deg: di::angle_deg(turned),
            di_share: change.abs() / di::MAX_CHANGE_DEG,
            predicted_uu: di::slowed(turned),
            recorded_uu: recorded,
            outcomes,
        })
    }

    /// Marks the last hit of a life that killed: between it and the end the victim neither landed nor caught a ledge.
    fn mark_kill(&self, hits: &mut [Hit], stock: &Stock) {
        let Some(end) = stock.end_frame else {
            return;
        };
        let is_of_life = |hit: &&mut Hit| (stock.start_frame..=end).contains(&hit.frame);
        let Some(hit) = hits.iter_mut().rev().find(is_of_life) else {
            return;
        };
        let first = self.frame(0).unwrap_or_default();
        let index = |frame: i32| usize::try_from(i64::from(frame) - i64::from(first)).unwrap_or(0);
        let from = hit.launch_frame.unwrap_or(hit.frame);
        let is_safe = |index: usize| {
            let state = self.lane.state(index).unwrap_or(0);
            let is_grounded = self.lane.post(index, |post| &post.airborne) == Some(0);
            sets(state) & set::LEDGE != 0
                || is_grounded && sets(state) & (set::DAMAGED | set::DEAD | set::GRABBED) == 0
        };
        hit.did_kill = !(index(from)..index(end)).any(is_safe);
    }
}
