//! Where a player is: time per phase, stage control, ways back to the stage.

use super::game::{Fighter, Snap};
use super::punish::STUN;
use crate::slippi::names::Bounds;
use crate::slippi::states::Phase;
use crate::slippi::tables::set;

/// So far below the ground's edge one is off the stage even between its ends: under it.
const UNDER_UU: f32 = -10.0;

/// How a way back to the stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RecoveryEnd {
    /// On the ground.
    Stage,
    /// At the ledge.
    Ledge,
    /// With the loss of a stock.
    Died,
}

impl RecoveryEnd {
    /// All of them with their names, in order.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Stage, "stage"),
        (Self::Ledge, "ledge"),
        (Self::Died, "died"),
    ];
}

/// Where and how a player spent the time, in frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionCounts {
    /// Frames by [`Phase`].
    pub phases: [u32; Phase::ALL.len()],
    /// Frames in which this player and an opponent were in play.
    pub contested: u32,
    /// Of these, nearer to the stage's middle than every opponent.
    pub nearer_to_centre: u32,
    /// Frames beyond the stage's ends; where they are known.
    pub off_stage: u32,
    /// Ways back to the stage, by [`RecoveryEnd`].
    pub recoveries: [u32; RecoveryEnd::ALL.len()],
    /// Hits taken on the way back.
    pub hits_while_recovering: u32,
}

#[derive(Default)]
pub(crate) struct Tracker {
    pub counts: PositionCounts,
    is_recovering: bool,
}

impl Tracker {
    /// Looks at one frame after the countdown. `nearest_centre` is the opponents' least distance from the middle.
    /// Gives the end of a way back.
    #[inline]
    pub fn step(
        &mut self,
        bounds: Option<&Bounds>,
        fighter: &Fighter<'_>,
        before: Option<&Snap>,
        now: &Snap,
        lost_stock: bool,
        nearest_centre: Option<f32>,
    ) -> Option<RecoveryEnd> {
        let counts = &mut self.counts;
        if let Some(count) = counts.phases.get_mut(Phase::of(now.state) as usize) {
            *count += 1;
        }
        let sets = now.sets;
        let is_in_play = sets & set::OUT_OF_PLAY == 0;
        if let (true, Some(nearest)) = (is_in_play, nearest_centre) {
            counts.contested += 1;
            counts.nearer_to_centre += u32::from(now.x.abs() < nearest);
        }
        let bounds = bounds?;
        let is_off = is_in_play && (now.x.abs() > bounds.edge || now.y < UNDER_UU);
        counts.off_stage += u32::from(is_off);
        if self.is_recovering {
            let is_grounded = !fighter
                .is_airborne(now)
                .unwrap_or(sets & set::ON_GROUND == 0 || is_off);
            let is_hit = before.is_some_and(|before| now.percent > before.percent);
            counts.hits_while_recovering += u32::from(is_hit && sets & STUN != 0);
            let end = if lost_stock || !is_in_play {
                RecoveryEnd::Died
            } else if sets & set::LEDGE != 0 {
                RecoveryEnd::Ledge
            } else if is_grounded && !is_off {
                RecoveryEnd::Stage
            } else {
                return None;
            };
            self.is_recovering = false;
            counts.recoveries[end as usize] += 1;
            return Some(end);
        }
        // It takes a hit to have to come back: who jumps out does so freely.
        self.is_recovering = is_off && sets & set::DAMAGED != 0;
        None
    }
}
