//! A replay on the timeline: ball, cars, players, teams, pads, cameras, inputs, boost, the game's clock and state.
//!
//! - `meaning`: what actors and attributes are, looked up once per file
//! - `walk`: one pass over the frames that keeps the live state; `cars`, `players`, `game`: what each kind of actor says;
//!   `relations`: which actor belongs to which
//! - `state`: what that pass finds
//! - `people`: which lives of players are one person
//! - `motion`: where bodies were
//! - `boost`: how much boost a car has between the moments the file says so
//! - `build`: entities and tracks

pub(in crate::rocket_league) mod boost;
pub(in crate::rocket_league) mod build;
mod cars;
mod game;
mod meaning;
pub(in crate::rocket_league) mod motion;
pub(in crate::rocket_league) mod people;
mod players;
mod relations;
pub(in crate::rocket_league) mod state;
mod walk;

use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::codec::schema::Schema;
use crate::timeline::Timeline;

/// What one pass over the frames finds.
pub(super) fn found(replay: &Replay) -> Option<state::Match> {
    let body = replay.body.as_ref()?;
    let meanings = meaning::Meanings::new(&Schema::of_actors(&replay.header, body), body);
    Some(walk::Walk::new(body, &meanings).run())
}

/// What moves and happens in a replay.
pub fn timeline(replay: &Replay) -> Timeline {
    match found(replay) {
        Some(found) => build::build(found, replay),
        None => Timeline::default(),
    }
}
