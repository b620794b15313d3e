//! A save as a timeline of one instant: the play time at which it was made.

use super::history::History;
use crate::satisfactory::codec::model::{Blueprint, Save};
use crate::timeline::Timeline;

/// Everything that stands in the world, at the play time of the save, and what the save tells of the time before.
pub fn timeline(save: &Save) -> Timeline {
    let mut history = History::default();
    history.add(save);
    history.finish()
}

/// Everything that stands in a blueprint.
pub fn timeline_of_blueprint(blueprint: &Blueprint) -> Timeline {
    let mut history = History::default();
    if let Some(body) = &blueprint.body {
        history.add_body(body, 0.0);
    }
    history.finish()
}
