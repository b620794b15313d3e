//! Who played: accounts, parties, cameras, cars.

use serde::Serialize;

use super::super::timeline::people::people;
use super::super::timeline::state::{Match, PlayerLife};
use super::car_body;
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::model::ids::UniqueId;
use crate::rocket_league::tables::{HITBOXES, PLATFORMS};

/// A player of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerInfo {
    /// The name shown in the game.
    pub name: String,
    /// 0 for blue, 1 for orange.
    pub team: Option<u8>,
    /// The platform of the account.
    pub platform: Option<&'static str>,
    /// The account's id on its platform.
    pub account_id: Option<String>,
    /// Which player at one machine, from 0.
    pub splitscreen: Option<u8>,
    /// Who leads the player's party: an account id.
    pub party_leader: Option<String>,
    /// The number of the player's party in this match, from 1, if at least two players are in it.
    pub party: Option<u32>,
    /// When the player joined, in seconds from the first frame.
    pub joined_s: f64,
    /// When the player left, in seconds from the first frame.
    pub left_s: f64,
    /// When the player joined, by the time recorded until then, in seconds.
    pub recorded_from_s: Option<f64>,
    /// When the player left, by the time recorded until then, in seconds.
    pub recorded_to_s: Option<f64>,
    /// Whether it is a bot.
    pub bot: bool,
    /// Whether the game says it is the most valuable player.
    pub mvp: bool,
    /// Camera settings.
    pub camera: Option<Camera>,
    /// Steering sensitivity.
    pub steering_sensitivity: Option<f64>,
    /// Product id of the car's body.
    pub body_id: Option<u32>,
    /// Name of the car's body.
    pub body: Option<&'static str>,
    /// The family of the car's hitbox.
    pub hitbox: Option<&'static str>,
    /// The title shown below the name, as the file names it.
    pub title: Option<String>,
    /// The rank's number, from 0 for unranked.
    pub rank_tier: Option<u8>,
    /// The club's id.
    pub club_id: Option<i64>,
    /// The points at the end.
    pub score: Option<i32>,
}

/// A player's camera settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Camera {
    /// Field of view, in degrees.
    pub fov: f64,
    /// Height above the car, in uu.
    pub height: f64,
    /// Angle, in degrees.
    pub pitch: f64,
    /// Distance behind the car, in uu.
    pub distance: f64,
    /// How firmly it follows.
    pub stiffness: f64,
    /// How fast it swivels.
    pub swivel_speed: f64,
    /// How fast it changes between ball and car, since 868.20.
    pub transition_speed: Option<f64>,
}

/// A setting as it was set: the file has single precision.
fn setting(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

impl Camera {
    fn new(settings: [f32; 7]) -> Self {
        let [
            fov,
            height,
            pitch,
            distance,
            stiffness,
            swivel_speed,
            transition,
        ] = settings.map(setting);
        Self {
            fov,
            height,
            pitch,
            distance,
            stiffness,
            swivel_speed,
            transition_speed: Some(transition).filter(|speed| speed.is_finite()),
        }
    }
}

/// The steering sensitivity of players who never changed it (ballchasing.com shows it for them).
const DEFAULT_STEERING: f64 = 1.0;

fn splitscreen(id: &UniqueId) -> Option<u8> {
    match id {
        UniqueId::None {} => None,
        UniqueId::Steam { splitscreen, .. }
        | UniqueId::PlayStation { splitscreen, .. }
        | UniqueId::Xbox { splitscreen, .. }
        | UniqueId::Qq { splitscreen, .. }
        | UniqueId::OldSwitch { splitscreen, .. }
        | UniqueId::Switch { splitscreen, .. }
        | UniqueId::Epic { splitscreen, .. } => Some(*splitscreen),
    }
}

/// Players and observers, each in order of appearance.
pub(super) fn players(
    found: &Match,
    replay: &Replay,
    recorded_s: &[f64],
) -> (Vec<PlayerInfo>, Vec<PlayerInfo>) {
    let recorded = |time_s: f64| {
        let after = found
            .frame_times_s
            .partition_point(|&frame_s| frame_s <= time_s);
        recorded_s.get(after.checked_sub(1)?).copied()
    };
    let numbers = people(&found.players);
    let count = numbers.iter().max().map_or(0, |most| most + 1);
    let start_s = found.frame_times_s.first().copied().unwrap_or(0.0);
    let end_s = found.frame_times_s.last().copied().unwrap_or(0.0);
    let mut all = vec![PlayerInfo::default(); count];
    let mut observes = vec![false; count];
    let mut seen = vec![false; count];
    for (life, &number) in found.players.iter().zip(&numbers) {
        let (Some(info), Some(observes), Some(seen)) = (
            all.get_mut(number),
            observes.get_mut(number),
            seen.get_mut(number),
        ) else {
            continue;
        };
        if !std::mem::replace(seen, true) {
            info.joined_s = life.from_s - start_s;
            info.recorded_from_s = recorded(life.from_s);
        }
        info.left_s = life.to_s.min(end_s) - start_s;
        info.recorded_to_s = recorded(life.to_s);
        *observes = life.is_spectator;
        add(info, life);
    }
    // Who was never in a team and never had a car did not play either.
    let lives = |number: usize| {
        let lives = numbers
            .iter()
            .enumerate()
            .filter(move |(_, other)| **other == number);
        lives.map(|(life, _)| life)
    };
    let has_car = |number: usize| {
        lives(number).any(|life| found.cars.iter().any(|car| car.player == Some(life)))
    };
    let plays: Vec<bool> = (0..count)
        .map(|number| {
            let info = all.get(number);
            let has_team = info.is_some_and(|info| info.team.is_some());
            has_car(number) || (has_team && observes.get(number) != Some(&true))
        })
        .collect();
    // What is as the game sets it is not sent.
    let objects = replay.body.as_ref().map(|body| body.objects.as_slice());
    let can_be_set = objects
        .unwrap_or_default()
        .iter()
        .any(|object| object.as_str() == "TAGame.PRI_TA:SteeringSensitivity");
    for info in all.iter_mut().filter(|info| can_be_set && !info.bot) {
        info.steering_sensitivity = info.steering_sensitivity.or(Some(DEFAULT_STEERING));
    }
    parties(&mut all);
    let mut playing = Vec::new();
    let mut observing = Vec::new();
    for (info, plays) in all.into_iter().zip(plays) {
        match plays {
            true => playing.push(info),
            false => observing.push(info),
        }
    }
    if replay.body.is_none() {
        playing = listed(replay);
    }
    (playing, observing)
}

/// What a life of a player tells.
fn add(info: &mut PlayerInfo, life: &PlayerLife) {
    if let Some(name) = &life.name {
        info.name.clone_from(name);
    }
    info.team = life.team.last().copied().or(info.team);
    if let Some(id) = &life.id {
        let platform = PLATFORMS.get(usize::from(id.platform())).copied();
        info.platform = platform.filter(|_| *id != UniqueId::None {});
        info.account_id = id.account();
        info.splitscreen = splitscreen(id);
    }
    let leader = life.party_leader.as_ref().and_then(UniqueId::account);
    info.party_leader = leader.or(info.party_leader.take());
    info.bot |= life.is_bot;
    info.mvp |= life.is_mvp;
    info.camera = life.camera.settings.map(Camera::new).or(info.camera);
    let steering = life.steering.map(setting);
    info.steering_sensitivity = steering.or(info.steering_sensitivity);
    if let Some(id) = life.body_id() {
        let body = car_body(id);
        info.body_id = Some(id);
        info.body = body.and_then(|body| body.name);
        let hitbox = body.and_then(|body| HITBOXES.get(body.hitbox));
        info.hitbox = hitbox.map(|hitbox| hitbox.family);
    }
    info.title = life.title.clone().or(info.title.take());
    info.rank_tier = life.skill_tier.or(info.rank_tier);
    info.club_id = life.club_id.or(info.club_id);
    info.score = life.score.last().copied().or(info.score);
}

/// Numbers the parties: those who share a leader.
fn parties(all: &mut [PlayerInfo]) {
    let leaders: Vec<Option<String>> = all.iter().map(|info| info.party_leader.clone()).collect();
    let mut known: Vec<&String> = Vec::new();
    for (info, leader) in all.iter_mut().zip(&leaders) {
        let Some(leader) = leader else { continue };
        let size = leaders
            .iter()
            .filter(|other| other.as_ref() == Some(leader))
            .count();
        if size < 2 {
            continue;
        }
        let index = known.iter().position(|other| *other == leader);
        let index = index.unwrap_or_else(|| {
            known.push(leader);
            known.len() - 1
        });
        info.party = u32::try_from(index + 1).ok();
    }
}

/// The players the header lists, for a file that was read no further.
fn listed(replay: &Replay) -> Vec<PlayerInfo> {
    let listed = replay.header.properties.array("PlayerStats").iter();
    listed
        .map(|stats| PlayerInfo {
            name: stats.text("Name").unwrap_or_default().to_owned(),
            team: stats.int("Team").and_then(|team| u8::try_from(team).ok()),
            bot: stats.flag("bBot") == Some(true),
            score: stats.int("Score"),
            ..PlayerInfo::default()
        })
        .collect()
}

/// The most valuable player: who the game says, else who has most points of the winners.
pub(super) fn mvp(players: &[PlayerInfo], winner: Option<&'static str>) -> Option<String> {
    if let Some(player) = players.iter().find(|player| player.mvp) {
        return Some(player.name.clone());
    }
    let team = match winner? {
        "blue" => 0,
        _ => 1,
    };
    let winners = players.iter().filter(|player| player.team == Some(team));
    let best = winners.max_by_key(|player| player.score)?;
    best.score.map(|_| best.name.clone())
}
