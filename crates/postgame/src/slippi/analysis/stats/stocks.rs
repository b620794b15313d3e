//! Lives: from when to when, and how they ended.

use super::game::Snap;
use crate::slippi::tables::set;

/// One life.
#[derive(Clone, Debug, PartialEq)]
pub struct Stock {
    /// The player's port.
    pub port: u8,
    /// Its first frame.
    pub start_frame: i32,
    /// The frame in which it was lost; `None` when it was not.
    pub end_frame: Option<i32>,
    /// The latest percent while it lasted.
    pub current_percent: f64,
    /// The percent when it was lost.
    pub end_percent: Option<f64>,
    /// How many there were left, this one included.
    pub count: u8,
    /// The action state of the death, which tells the direction.
    pub death_state: Option<u16>,
    /// Where the character was just before, in the game's units.
    pub death_position_uu: Option<[f32; 2]>,
}

/// Where somebody dies, by the action state.
pub fn death_direction(state: u16) -> &'static str {
    match state {
        0 => "down",
        1 => "left",
        2 => "right",
        3..=10 => "up",
        _ => "unknown",
    }
}

/// Looks at one frame of a player; `open` is the life that goes on.
pub(crate) fn step(
    list: &mut Vec<Stock>,
    open: &mut Option<usize>,
    port: u8,
    frame: i32,
    before: Option<&Snap>,
    now: &Snap,
    lost_stock: bool,
) {
    let Some(stock) = open.and_then(|open| list.get_mut(open)) else {
        if now.sets & set::DEAD == 0 {
            *open = Some(list.len());
            list.push(Stock {
                port,
                start_frame: frame,
                end_frame: None,
                current_percent: 0.0,
                end_percent: None,
                count: now.stocks,
                death_state: None,
                death_position_uu: None,
            });
        }
        return;
    };
    match before {
        Some(before) if lost_stock => {
            stock.end_frame = Some(frame);
            stock.end_percent = Some(before.percent.into());
            stock.death_state = Some(now.state);
            stock.death_position_uu = Some([before.x, before.y]);
            *open = None;
        }
        _ => stock.current_percent = now.percent.into(),
    }
}
