//! Techniques of players: when they succeed, how well they are timed.
//!
//! Each file finds one kind in a player's states and inputs. The definitions are those of slippc and SlippiStats where the
//! two agree; `docs/statistics.md` has them.

mod act_out;
mod dash_dance;
mod edge_cancel;
mod hops;
mod l_cancel;
mod landings;
mod ledge_dash;
mod meteor_cancel;
mod pivot;
mod shield_drop;
mod tech_chase;
mod wavedash;

use super::lane::Lane;
use crate::slippi::Replay;

/// Digital triggers and Z, a bit each, as the controller sends them.
const TRIGGERS: u16 = 0x60;
const TRIGGERS_AND_Z: u16 = 0x70;

/// Flags of a character after a frame.
const IN_HITSTUN: u8 = 0x02;

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are the documentation
pub enum Kind {
    Wavedash,
    Waveland,
    LCancel,
    ShieldDrop,
    Pivot,
    ShortHop,
    FullHop,
    NoImpactLanding,
    AutoCancel,
    LedgeDash,
    MeteorCancel,
    ActOut,
    DashDance,
    EdgeCancel,
    TechChase,
}

impl Kind {
    /// All of them with their names, in order.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::Wavedash, "wavedash"),
        (Self::Waveland, "waveland"),
        (Self::LCancel, "l-cancel"),
        (Self::ShieldDrop, "shield-drop"),
        (Self::Pivot, "pivot"),
        (Self::ShortHop, "short-hop"),
        (Self::FullHop, "full-hop"),
        (Self::NoImpactLanding, "no-impact-landing"),
        (Self::AutoCancel, "auto-cancel"),
        (Self::LedgeDash, "ledge-dash"),
        (Self::MeteorCancel, "meteor-cancel"),
        (Self::ActOut, "act-out"),
        (Self::DashDance, "dash-dance"),
        (Self::EdgeCancel, "edge-cancel"),
        (Self::TechChase, "tech-chase"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// One use of a technique.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Technique {
    /// The frame in which it happens.
    pub frame: i32,
    /// The player's port.
    pub port: u8,
    /// What it is.
    pub kind: Kind,
    /// Its timing in frames. Wavedash: from leaving the ground to the air dodge. L-cancel: from the press to landing,
    /// negative if it came late. Shield drop: since shield stun. Ledge dash: intangible frames left on the ground. Act out:
    /// from the end of hitstun to the first action. Tech chase: from the opponent's going down to the hit.
    pub frames: Option<i32>,
    /// Of wavedashes and wavelands: how far below the horizon the stick points, in degrees.
    pub angle_deg: Option<f32>,
    /// Of what can fail: whether it succeeded.
    pub is_success: Option<bool>,
    /// Where the player is, in the game's units.
    pub position_uu: [f32; 2],
}

/// What a detector sees: a player's frames.
struct View<'a> {
    lane: &'a Lane<'a>,
}

/// What a detector finds.
#[derive(Default)]
struct Found {
    frames: Option<i32>,
    angle_deg: Option<f32>,
    is_success: Option<bool>,
}

impl View<'_> {
    fn state(&self, index: usize) -> Option<u16> {
        self.lane.state(index)
    }

    /// The states before and in a frame.
    fn pair(&self, index: usize) -> Option<(u16, u16)> {
        Some((self.state(index.checked_sub(1)?)?, self.state(index)?))
    }

    fn buttons(&self, index: usize) -> u16 {
        self.lane
            .pre(index, |pre| &pre.physical_buttons)
            .unwrap_or(0)
    }

    /// Whether one of some buttons is newly pressed.
    fn is_pressed(&self, index: usize, buttons: u16) -> bool {
        let before = index.checked_sub(1).map_or(0, |index| self.buttons(index));
        self.buttons(index) & !before & buttons != 0
    }

    fn is_in_hitstun(&self, index: usize) -> bool {
        let flags = self.lane.post(index, |post| &post.flags_4);
        flags.is_some_and(|flags| flags & IN_HITSTUN != 0)
    }

    fn is_grounded(&self, index: usize) -> bool {
        self.lane.post(index, |post| &post.airborne) == Some(0)
    }
}

/// Finds all techniques, in order of time.
pub(crate) fn find(replay: &Replay, rows: &[usize]) -> Vec<Technique> {
    let Some(frames) = &replay.frames else {
        return Vec::new();
    };
    let ports = replay.start.ports();
    let lanes = ports.filter_map(|(port, _)| Lane::new(frames, rows, port, false));
    let lanes: Vec<Lane<'_>> = lanes.collect();
    let mut list = Vec::new();
    let mut add = |lane: &Lane<'_>, index: usize, kind: Kind, found: Found| {
        let row = rows.get(index).and_then(|&row| frames.ids.get(row));
        list.push(Technique {
            frame: row.copied().unwrap_or_default(),
            port: lane.port,
            kind,
            frames: found.frames,
            angle_deg: found.angle_deg,
            is_success: found.is_success,
            position_uu: [
                lane.post(index, |post| &post.x).unwrap_or_default(),
                lane.post(index, |post| &post.y).unwrap_or_default(),
            ],
        });
    };
    for lane in &lanes {
        let view = View { lane };
        let mut others = lanes.iter().filter(|other| other.port != lane.port);
        // Of more than two, nothing tells who was to chase whom.
        let opponent = others.next().filter(|_| others.next().is_none());
        for index in 1..lane.len() {
            // Every technique begins or ends with a state.
            let Some((before, now)) = view.pair(index) else {
                continue;
            };
            if before == now {
                continue;
            }
            let found = [
                wavedash::at(&view, index),
                l_cancel::at(&view, index),
                shield_drop::at(&view, index),
                pivot::at(&view, index),
                hops::at(&view, index),
                landings::at(&view, index),
                ledge_dash::at(&view, index),
                meteor_cancel::at(&view, index),
                act_out::at(&view, index),
                dash_dance::at(&view, index),
                edge_cancel::at(&view, index),
            ];
            for (kind, found) in found.into_iter().flatten() {
                add(lane, index, kind, found);
            }
            if let Some(opponent) = opponent
                && let Some(found) = tech_chase::at(&view, index)
            {
                add(opponent, index, Kind::TechChase, found);
            }
        }
    }
    list.sort_by_key(|one| (one.frame, one.port, one.kind));
    list
}
