//! Areas of a factory: machines that belts and pipes join. What only wires join is a circuit.

use std::collections::HashMap;

use super::graph::Graph;
use crate::satisfactory::analysis::production::Factory;

/// Sets that can be joined.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut of: usize) -> usize {
        while let Some(up) = self.0.get(of).copied()
            && up != of
        {
            // Halves the way for the next one.
            let further = self.0.get(up).copied().unwrap_or(up);
            if let Some(own) = self.0.get_mut(of) {
                *own = further;
            }
            of = further;
        }
        of
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(up) = self.0.get_mut(one.max(other)) {
            *up = one.min(other);
        }
    }
}

/// The number of each machine's area, from 0 in the order of the machines. A machine without lines is an area of its own.
pub fn areas(factory: &Factory, graph: &Graph) -> Vec<usize> {
    let mut sets = Sets((0..graph.stops.len()).collect());
    for line in &graph.lines {
        if let (Some(from), Some(to)) = (&line.from, &line.to) {
            sets.join(from.stop, to.stop);
        }
    }
    // A well's extractors belong to its pressurizer.
    for machine in &factory.machines {
        let core = || factory.node(machine.source.as_deref()?)?.core;
        let pressurizer = || factory.pressurizer_of(core()?);
        if let Some(pressurizer) = pressurizer()
            && let (Some(one), Some(other)) =
                (graph.stop(&machine.path), graph.stop(&pressurizer.path))
        {
            sets.join(one, other);
        }
    }
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut count = 0;
    let mut next = || {
        count += 1;
        count - 1
    };
    factory
        .machines
        .iter()
        .map(|machine| match graph.stop(&machine.path) {
            Some(stop) => *numbers.entry(sets.root(stop)).or_insert_with(&mut next),
            None => next(),
        })
        .collect()
}
