//! Every attribute of a Rocket League replay, as the file has it.

use arrow::error::ArrowError;
use postgame::rocket_league::coords::Scales;
use postgame::rocket_league::model::network::What;
use postgame::rocket_league::updates::Actors;
use postgame::{Depth, Format, Recording};

use super::rocket_league_batch::{Batch, UpdateKind};
use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every actor that appears or vanishes, and for every attribute that changes, in the file's order.
    pub Updates = "updates" of &[Format::RocketLeague], at Depth::Full, by fill_updates in updates {
        /// The recording.
        recording_id: Name,
        /// The frame's number in the file.
        frame: U32,
        /// When.
        time_s: F64,
        /// The actor's number, which another one may have later.
        actor: U32,
        /// What the actor is made from.
        object: Name,
        /// `appears`, `changes` or `vanishes`.
        action: Name,
        /// The attribute that changes.
        attribute: Name,
        /// How the attribute is stored.
        kind: Name,
        /// The value of an attribute that is a number; 0 or 1 of one that is yes or no.
        number: F64,
        /// The actor that the attribute refers to.
        to_actor: I32,
        /// The object that the attribute refers to.
        to_object: Name,
        /// Where a body is, or where an actor appears.
        x_uu: F32,
        /// Where a body is, or where an actor appears.
        y_uu: F32,
        /// Where a body is, or where an actor appears; up.
        z_uu: F32,
        /// How a body is turned: a quaternion in the game's space.
        qx: F32,
        /// How a body is turned.
        qy: F32,
        /// How a body is turned.
        qz: F32,
        /// How a body is turned.
        qw: F32,
        /// How a body moves; null when it sleeps.
        vx_uu_s: F32,
        /// How a body moves.
        vy_uu_s: F32,
        /// How a body moves, up.
        vz_uu_s: F32,
        /// How a body turns; null when it sleeps.
        wx_rad_s: F32,
        /// How a body turns.
        wy_rad_s: F32,
        /// How a body turns.
        wz_rad_s: F32,
        /// The value of any other attribute: text as it is, the rest as JSON.
        text: Text,
    }
}

fn fill_updates(
    source: &Source,
    options: &TableOptions,
    rows: &mut updates::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::RocketLeague(replay) = &source.recording else {
        return Ok(());
    };
    let Some(body) = &replay.body else {
        return Ok(());
    };
    let scales = Scales::of(&replay.header.versions);
    let mut actors = Actors::new(&replay.header, body);
    let mut batch = Batch::new(&rows.columns);
    let most = options.batch_rows.max(1);
    for frame in body.network.frames() {
        batch.begin_frame(frame.number, frame.time_s);
        for action in frame.actions() {
            let before = actors.object(action.actor);
            actors.apply(&action);
            let maker = actors.object(action.actor);
            match action.what {
                What::Deleted => batch.add(action.actor, before, UpdateKind::Vanishes),
                What::Spawned(spawn) => {
                    // Where an actor appears is in whole units in every version.
                    let place = spawn.location.map(|place| place.to_array());
                    batch.place(place.map(|place| place.map(|part| part as f32)));
                    batch.add(action.actor, maker, UpdateKind::Appears);
                }
                What::Updated(changes) => {
                    let class = actors.class(action.actor);
                    for (stream_id, value) in changes {
                        if batch.rows() >= most {
                            batch.flush(source, &body.objects, rows)?;
                        }
                        let attribute = class.and_then(|class| class.object_of(stream_id));
                        batch.value(&value, &scales)?;
                        let deed = UpdateKind::Changes(attribute, value.kind());
                        batch.add(action.actor, maker, deed);
                    }
                }
            }
            if batch.rows() >= most {
                batch.flush(source, &body.objects, rows)?;
            }
        }
    }
    batch.flush(source, &body.objects, rows)
}
