//! Stops and lines: machines, splitters and containers, and the belts or pipes between them.

use std::collections::HashMap;

use serde::Serialize;

use super::connections::{Connections, Part, connections};
use crate::satisfactory::catalogue;
use crate::satisfactory::codec::model::{Blueprint, Body, Save};
use crate::satisfactory::codec::summary::short_class;

/// What a line is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// Belts and lifts; things move from its beginning to its end.
    Belt,
    /// Pipes; a fluid moves either way.
    Pipe,
}

impl LineKind {
    /// A name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Belt => "belt",
            Self::Pipe => "pipe",
        }
    }
}

/// A building at which lines end.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The path of the object.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// Where it is, in centimetres.
    pub position_cm: Option<[f64; 3]>,
    /// The lines that end here, by their indices.
    pub lines_in: Vec<usize>,
    /// The lines that begin here. A pipe is in one of the two lists by the side from which it was followed.
    pub lines_out: Vec<usize>,
}

/// One end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The index of the stop.
    pub stop: usize,
    /// The name of the stop's connection, such as `Output0`.
    pub connection: String,
    /// Whether things come out of the stop here; `None` if the connection does not tell.
    pub is_output: Option<bool>,
}

/// Belts or pipes in a row between two stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is made of.
    pub kind: LineKind,
    /// Where it begins; `None` for an open end.
    pub from: Option<Tie>,
    /// Where it ends; `None` for an open end.
    pub to: Option<Tie>,
    /// The paths of its pieces, in order; empty if two buildings touch.
    pub pieces: Vec<String>,
    /// The game's chains of its pieces, in order, without repetition.
    pub chains: Vec<String>,
    /// What its slowest piece carries a minute: items, or cubic metres.
    pub capacity_per_min: Option<f64>,
    /// The path of the slowest piece's class.
    pub slowest_class: Option<String>,
}

/// All stops and lines of a save.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The stops.
    pub stops: Vec<Stop>,
    /// The lines.
    pub lines: Vec<Line>,
    /// How many connections name one that does not name them.
    pub one_sided: usize,
    /// How many connections name one that is not in the file.
    pub dangling: usize,
    /// How many connections there are that name another.
    pub connected: usize,
    by_path: HashMap<String, usize>,
}

impl Graph {
    /// The index of the stop with a path.
    pub fn stop(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }
}

/// The graph of a save.
pub fn graph(save: &Save) -> Graph {
    save.body.as_ref().map(of_body).unwrap_or_default()
}

/// The graph of a blueprint.
pub fn graph_of_blueprint(blueprint: &Blueprint) -> Graph {
    blueprint.body.as_ref().map(of_body).unwrap_or_default()
}

fn of_body(body: &Body) -> Graph {
    let connections = connections(body);
    let mut builder = Builder::new(&connections);
    builder.follow_belts();
    builder.follow_pipes();
    builder.finish()
}

struct Builder<'c> {
    connections: &'c Connections,
    /// The stop of each owner, if it is one.
    stops: Vec<Option<usize>>,
    graph: Graph,
    /// Whether a piece is part of a line already.
    used: Vec<bool>,
}

impl<'c> Builder<'c> {
    fn new(connections: &'c Connections) -> Self {
        let mut builder = Self {
            connections,
            stops: vec![None; connections.owners.len()],
            graph: Graph {
                one_sided: connections.one_sided,
                dangling: connections.dangling,
                connected: connections
                    .ends
                    .iter()
                    .filter(|end| end.other.is_some())
                    .count(),
                ..Graph::default()
            },
            used: vec![false; connections.owners.len()],
        };
        for (index, owner) in connections.owners.iter().enumerate() {
            if builder.is_piece(index) {
                continue;
            }
            let graph = &mut builder.graph;
            if let Some(stop) = builder.stops.get_mut(index) {
                *stop = Some(graph.stops.len());
            }
            graph.by_path.insert(owner.path.clone(), graph.stops.len());
            graph.stops.push(Stop {
                path: owner.path.clone(),
                class: owner.class.clone(),
                position_cm: owner.position_cm,
                lines_in: Vec::new(),
                lines_out: Vec::new(),
            });
        }
        builder
    }

    /// The connections of a building that lead somewhere.
    fn used_ends(&self, owner: usize) -> impl Iterator<Item = usize> {
        let ends = self.connections.owners.get(owner);
        let ends = ends
            .into_iter()
            .flat_map(|owner| owner.ends.iter().copied());
        ends.filter(|end| self.other(*end).is_some())
    }

    /// Whether lines go on through a building.
    fn is_piece(&self, owner: usize) -> bool {
        match self.connections.owners.get(owner).map(|owner| owner.part) {
            Some(Part::Belt) => true,
            Some(Part::Pipe) => self.used_ends(owner).count() <= 2,
            Some(Part::Stop) | None => false,
        }
    }

    fn other(&self, end: usize) -> Option<usize> {
        self.connections.ends.get(end)?.other
    }

    fn owner(&self, end: usize) -> Option<usize> {
        Some(self.connections.ends.get(end)?.owner)
    }

    fn end_of(&self, owner: usize, name: &str) -> Option<usize> {
        let ends = &self.connections.owners.get(owner)?.ends;
        let mut ends = ends.iter().copied();
        ends.find(|end| {
            self.connections
                .ends
                .get(*end)
                .is_some_and(|end| end.name == name)
        })
    }

    fn tie(&self, end: Option<usize>) -> Option<Tie> {
        let end = self.connections.ends.get(end?)?;
        Some(Tie {
            stop: (*self.stops.get(end.owner)?)?,
            connection: end.name.clone(),
            is_output: end.is_output(),
        })
    }

    /// Marks a piece as used; `false` if it was already.
    fn mark(&mut self, owner: usize) -> bool {
        let used = self.used.get_mut(owner);
        used.is_some_and(|used| !std::mem::replace(used, true))
    }

    fn follow_belts(&mut self) {
        let connections = self.connections;
        for (index, owner) in connections.owners.iter().enumerate() {
            if owner.part == Part::Belt {
                // A line begins with a belt that no belt leads to.
                let before = self
                    .end_of(index, "ConveyorAny0")
                    .and_then(|end| self.other(end));
                let is_first = before
                    .and_then(|before| self.owner(before))
                    .is_none_or(|before| !self.is_piece(before));
                if is_first {
                    self.follow_belt(index, before);
                }
            } else if !self.is_piece(index) {
                for end in &owner.ends {
                    self.add_touching(*end);
                }
            }
        }
        // What is left goes round in circles.
        for (index, owner) in connections.owners.iter().enumerate() {
            if owner.part == Part::Belt && !self.used.get(index).copied().unwrap_or(true) {
                self.follow_belt(index, None);
            }
        }
    }

    fn follow_belt(&mut self, first: usize, before: Option<usize>) {
        let mut pieces = Vec::new();
        let mut next = Some(first);
        let mut last = None;
        while let Some(piece) = next {
            if !self.mark(piece) {
                break;
            }
            pieces.push(piece);
            let end = self.end_of(piece, "ConveyorAny1");
            last = end.and_then(|end| self.other(end));
            next = last
                .and_then(|last| self.owner(last))
                .filter(|owner| self.is_piece(*owner));
        }
        self.add_line(LineKind::Belt, before, last, &pieces);
    }

    /// Two buildings that touch, such as a splitter at a container, without a belt between them.
    fn add_touching(&mut self, end: usize) {
        let ends = &self.connections.ends;
        let (Some(one), Some(at)) = (ends.get(end), self.other(end)) else {
            return;
        };
        let Some(other) = ends.get(at) else { return };
        if self.is_piece(other.owner) {
            return;
        }
        let kind = if one.is_pipe {
            LineKind::Pipe
        } else {
            LineKind::Belt
        };
        // Each pair is met from both sides: once is enough.
        let is_from = match (kind, one.is_output(), other.is_output()) {
            (LineKind::Belt, Some(is_output), _) => is_output,
            (LineKind::Belt, None, Some(is_output)) => !is_output,
            _ => end < at,
        };
        if is_from {
            self.add_line(kind, Some(end), Some(at), &[]);
        }
    }

    fn follow_pipes(&mut self) {
        let connections = self.connections;
        // From every stop, then what no stop is at.
        for (index, owner) in connections.owners.iter().enumerate() {
            if self.is_piece(index) {
                continue;
            }
            for end in &owner.ends {
                let is_pipe = connections.ends.get(*end).is_some_and(|end| end.is_pipe);
                let first = self.other(*end).filter(|_| is_pipe);
                if let Some(first) = first
                    && let Some(piece) = self.owner(first)
                    && self.is_piece(piece)
                {
                    self.follow_pipe(Some(*end), piece, Some(first));
                }
            }
        }
        for (index, owner) in connections.owners.iter().enumerate() {
            let is_left = !self.used.get(index).copied().unwrap_or(true);
            if is_left && owner.part == Part::Pipe && self.used_ends(index).count() <= 1 {
                self.follow_pipe(None, index, None);
            }
        }
    }

    /// Follows pipes from a piece, which was entered through one of its ends, if it was.
    fn follow_pipe(&mut self, from: Option<usize>, first: usize, entered: Option<usize>) {
        let mut pieces = Vec::new();
        let (mut next, mut entered) = (Some(first), entered);
        let mut last = None;
        while let Some(piece) = next {
            if !self.mark(piece) {
                break;
            }
            pieces.push(piece);
            let leaves = self.used_ends(piece).find(|end| Some(*end) != entered);
            last = leaves.and_then(|end| self.other(end));
            next = last
                .and_then(|last| self.owner(last))
                .filter(|owner| self.is_piece(*owner));
            entered = last;
        }
        if !pieces.is_empty() {
            self.add_line(LineKind::Pipe, from, last, &pieces);
        }
    }

    fn add_line(
        &mut self,
        kind: LineKind,
        from: Option<usize>,
        to: Option<usize>,
        pieces: &[usize],
    ) {
        let (from, to) = (self.tie(from), self.tie(to));
        let owners = pieces
            .iter()
            .filter_map(|piece| self.connections.owners.get(*piece));
        let mut line = Line {
            kind,
            from,
            to,
            pieces: Vec::new(),
            chains: Vec::new(),
            capacity_per_min: None,
            slowest_class: None,
        };
        for owner in owners {
            line.pieces.push(owner.path.clone());
            if let Some(chain) = &owner.chain
                && line.chains.last() != Some(chain)
            {
                line.chains.push(chain.clone());
            }
            let known = catalogue::building(short_class(&owner.class));
            let carries = known.and_then(|known| match kind {
                LineKind::Belt => known.belt_items_per_min,
                LineKind::Pipe => known.pipe_m3_per_min,
            });
            if let Some(carries) = carries
                && line
                    .capacity_per_min
                    .is_none_or(|slowest| carries < slowest)
            {
                line.capacity_per_min = Some(carries);
                line.slowest_class = Some(owner.class.clone());
            }
        }
        let index = self.graph.lines.len();
        let stops = &mut self.graph.stops;
        if let Some(stop) = line.from.as_ref().and_then(|tie| stops.get_mut(tie.stop)) {
            stop.lines_out.push(index);
        }
        if let Some(stop) = line.to.as_ref().and_then(|tie| stops.get_mut(tie.stop)) {
            stop.lines_in.push(index);
        }
        self.graph.lines.push(line);
    }

    fn finish(self) -> Graph {
        self.graph
    }
}
