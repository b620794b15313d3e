//! What kind of controller a player has, and the checks of tournament rules for it.
//!
//! The rules, their names and their counts are those of libenforcer. Every check measures the recording; none of them
//! says what a person meant to do. All checks are computed for every port; [`Check::is_required`] tells which of them
//! count for the kind of controller found.
//!
//! - `sticks`: stick positions as the controller sent them
//! - `travel`, `cstick`, `crouch`, `sdi`, `fuzzing`: checks of boxes
//! - `goomwave`, `rounding`: checks of analog sticks
//! - `handwarmer`: whether the recording is a game at all

mod crouch;
mod cstick;
mod fuzzing;
mod goomwave;
mod handwarmer;
mod rounding;
mod sdi;
mod sticks;
mod travel;

use crate::slippi::Replay;
use crate::slippi::codec::model::frames::Copies;

pub use handwarmer::is_handwarmer;
use sticks::Sticks;

/// The kind of controller, by how its stick moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Buttons in place of a stick.
    Box,
    /// A stick.
    Analog,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Analog => "analog",
        }
    }
}

/// A place where a rule was not kept.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Violation {
    /// Which recorded frame of the player, from 0, counting frames computed again.
    pub index: usize,
    /// The frame's number in the game.
    pub frame: i32,
    /// Which of a check's rules, from 1; 1 for checks of a single rule.
    pub rule: u8,
    /// The stick from that frame on, in the game's units.
    pub sticks: Vec<[f64; 2]>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// Whether the rules require it for the kind of controller found.
    pub is_required: bool,
    /// Whether it passes.
    pub passes: bool,
    /// Its measure; what it is depends on the check. `None` where there is nothing to measure.
    pub value: Option<f64>,
    /// The evidence.
    pub violations: Vec<Violation>,
}

/// What can be told of a port's controller.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Controller {
    /// The port, from 0.
    pub port: u8,
    /// The kind.
    pub kind: Kind,
    /// The stick's positions are those the controller sent, not those the game made of them.
    pub is_raw: bool,
    /// How many frames were looked at.
    pub frames: usize,
    /// How many different positions of the stick there are.
    pub positions: usize,
    /// How many of them are on the rim.
    pub rim_positions: usize,
    /// The share of all rim positions, scaled up in short games; boxes stay below a half.
    pub rim_share: f64,
    /// Whether all required checks pass.
    pub is_legal: bool,
    /// The checks.
    pub checks: Vec<Check>,
}

impl Controller {
    /// The check with a name.
    pub fn check(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }
}

/// Looks at the controllers of all ports in use.
pub fn controllers(replay: &Replay) -> Vec<Controller> {
    let Some(frames) = &replay.frames else {
        return Vec::new();
    };
    let rows = frames.rows(Copies::All);
    let ports = replay.start.ports();
    let sticks = ports.filter_map(|(port, _)| Sticks::new(frames, &rows, port));
    sticks.map(|sticks| controller(&sticks)).collect()
}

fn controller(sticks: &Sticks) -> Controller {
    let (positions, rim_positions) = sticks.positions();
    let rim_share = sticks.rim_share(rim_positions);
    let kind = match rim_share < sticks::BOX_SHARE {
        true => Kind::Box,
        false => Kind::Analog,
    };
    let box_checks = [
        travel::check(sticks),
        cstick::check(sticks),
        crouch::check(sticks),
        sdi::check(sticks),
        fuzzing::check(sticks),
    ];
    let analog_checks = [goomwave::check(sticks), rounding::check(sticks)];
    let of = |checks: Vec<Check>, wanted: Kind| {
        checks.into_iter().map(move |check| Check {
            is_required: kind == wanted,
            ..check
        })
    };
    let checks: Vec<Check> = of(box_checks.into(), Kind::Box)
        .chain(of(analog_checks.into(), Kind::Analog))
        .collect();
    Controller {
        port: sticks.port,
        kind,
        is_raw: sticks.is_raw,
        frames: sticks.points.len(),
        positions,
        rim_positions,
        rim_share,
        is_legal: checks.iter().all(|one| one.passes || !one.is_required),
        checks,
    }
}

/// A check of the frames in which a rule was not kept.
fn of_violations(name: &'static str, violations: Vec<Violation>) -> Check {
    Check {
        name,
        is_required: false,
        passes: violations.is_empty(),
        value: Some(violations.len() as f64),
        violations,
    }
}
