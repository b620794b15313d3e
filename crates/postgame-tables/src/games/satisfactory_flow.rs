//! Belts and pipes of a Satisfactory factory as the edges of a graph.

use arrow::error::ArrowError;
use postgame::Depth;
use postgame::satisfactory::classes::full_name;

use super::satisfactory::{GAME, play_time_s, short};
use super::satisfactory_factory::graph_of;
use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every line: belts or pipes in a row between two buildings that are neither.
    pub FlowEdges = "flow_edges" of GAME, at Depth::Full, by fill_edges in edges {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The line's number, from 0.
        line: U32,
        /// What it is made of: `belt`, `pipe`. A pipe has no direction.
        kind: Name,
        /// The path of the building where it begins; null for an open end.
        from_path: Text,
        /// That building's class.
        from_class: Name,
        /// That building's name in the game.
        from_name: Name,
        /// The connection there, such as `Output0`.
        from_connection: Name,
        /// The path of the building where it ends; null for an open end.
        to_path: Text,
        /// That building's class.
        to_class: Name,
        /// That building's name in the game.
        to_name: Name,
        /// The connection there, such as `Input0`.
        to_connection: Name,
        /// How many belts, lifts, pipes and pumps it has; 0 if the buildings touch.
        pieces: U32,
        /// What its slowest piece carries a minute: items, or cubic metres.
        capacity_per_min: F64,
        /// The class of its slowest piece.
        slowest_class: Name,
        /// The game's chain of its belts, from game version 1.0 on.
        chain: Text,
    }
}

fn fill_edges(
    source: &Source,
    _: &TableOptions,
    rows: &mut edges::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(graph) = graph_of(source) else {
        return Ok(());
    };
    let time_s = play_time_s(source);
    for (number, line) in graph.lines.iter().enumerate() {
        let from = line.from.as_ref().and_then(|tie| graph.stops.get(tie.stop));
        let to = line.to.as_ref().and_then(|tie| graph.stops.get(tie.stop));
        rows.push(edges::Row {
            recording_id: Some(&source.id),
            time_s,
            line: u32::try_from(number).ok(),
            kind: Some(line.kind.name()),
            from_path: from.map(|stop| stop.path.as_str()),
            from_class: from.map(|stop| short(&stop.class)),
            from_name: from.map(|stop| full_name(&stop.class)).as_deref(),
            from_connection: line.from.as_ref().map(|tie| tie.connection.as_str()),
            to_path: to.map(|stop| stop.path.as_str()),
            to_class: to.map(|stop| short(&stop.class)),
            to_name: to.map(|stop| full_name(&stop.class)).as_deref(),
            to_connection: line.to.as_ref().map(|tie| tie.connection.as_str()),
            pieces: u32::try_from(line.pieces.len()).ok(),
            capacity_per_min: line.capacity_per_min,
            slowest_class: line.slowest_class.as_deref().map(short),
            chain: line.chains.first().map(String::as_str),
        })?;
    }
    Ok(())
}
