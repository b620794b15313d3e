//! A Rocket League replay on the timeline: the ball, players and their cars, teams, boost pads, and what happened.
//!
//! - `stage`: entities and tracks
//! - `actors`: the game's actors, and which entity each one speaks of
//!
//! Bodies move from sample to sample; everything else stays until it changes. A player has one car entity for the
//! whole recording, which is absent from a demolition to the next start.

mod actors;
mod stage;

use super::classes::Schema;
use super::model::network::What;
use super::model::{Body, Replay};
use crate::timeline::Timeline;
use actors::World;

/// What moves and happens in a replay.
pub fn timeline(replay: &Replay) -> Timeline {
    let Some(body) = &replay.body else {
        return Timeline::default();
    };
    let schema = Schema::new(&replay.header, body);
    fill(body, &schema)
}

fn fill(body: &Body, schema: &Schema) -> Timeline {
    let mut world = World::new(body, schema);
    let mut frames = body.network.frames().peekable();
    let start_s = frames.peek().map_or(0.0, |frame| f64::from(frame.time_s));
    let mut now_s = start_s;
    for frame in frames {
        // Times never go backwards on a track, whatever the file says; `check` reports the file.
        let before_s = now_s;
        now_s = f64::from(frame.time_s).max(before_s);
        world.begin_frame(frame.number, now_s, before_s);
        for action in frame.actions() {
            match action.what {
                What::Deleted => world.delete(action.actor),
                What::Spawned(spawn) => world.spawn(action.actor, spawn),
                What::Updated(updates) => world.update(action.actor, updates),
            }
        }
        world.end_frame();
    }
    let mut timeline = world.finish();
    timeline.start_s = start_s;
    timeline.end_s = now_s;
    timeline
}
