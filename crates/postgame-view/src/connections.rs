//! The open connections: how many there may be, and which one makes room for the next.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

/// Descriptors that are given back for files when the system has no more.
const SPARE_DESCRIPTORS: usize = 16;
/// Connections that are kept even then.
const MIN_CONNECTIONS: usize = 8;

/// All open connections.
#[derive(Debug)]
pub struct Connections {
    started: Instant,
    open: Mutex<Open>,
    /// Told when one is gone, or can be closed.
    changed: Notify,
}

#[derive(Debug)]
struct Open {
    limit: usize,
    next_id: u64,
    connections: BTreeMap<u64, Arc<State>>,
}

/// What the registry knows of one connection.
#[derive(Debug, Default)]
struct State {
    /// True while an answer is being made: then it is never closed.
    is_busy: AtomicBool,
    /// When bytes last went either way, in milliseconds since the server started.
    active_ms: AtomicU64,
    closing: Notify,
}

/// An open connection's place among the others; dropping it makes room.
#[derive(Debug)]
pub struct Connection {
    id: u64,
    state: Arc<State>,
    registry: Arc<Connections>,
}

/// Lasts while an answer is being made.
pub struct Busy(Arc<Connection>);

impl Connections {
    /// A registry for at most `limit` connections.
    pub fn new(limit: usize) -> Arc<Self> {
        let open = Open {
            limit: limit.max(1),
            next_id: 0,
            connections: BTreeMap::new(),
        };
        Arc::new(Self {
            started: Instant::now(),
            open: Mutex::new(open),
            changed: Notify::new(),
        })
    }

    /// Registers a connection. At the limit the longest idle one is closed; if all are busy, waits for one.
    pub async fn admit(self: &Arc<Self>) -> Connection {
        loop {
            // Before looking, so that no change is missed in between.
            let changed = self.changed.notified();
            if let Some(connection) = self.try_admit() {
                return connection;
            }
            changed.await;
        }
    }

    fn try_admit(self: &Arc<Self>) -> Option<Connection> {
        let mut open = self.lock();
        if open.connections.len() >= open.limit && !open.close_idle() {
            return None;
        }
        let id = open.next_id;
        open.next_id += 1;
        let state = Arc::new(State::default());
        state.active_ms.store(self.now_ms(), Ordering::Relaxed);
        open.connections.insert(id, Arc::clone(&state));
        Some(Connection {
            id,
            state,
            registry: Arc::clone(self),
        })
    }

    /// Lowers the limit to what the system allows and closes idle connections down to it: accepting one has failed
    /// because there are no more descriptors, and recordings need some too.
    pub fn shrink(&self) {
        let mut open = self.lock();
        let affordable = open.connections.len().saturating_sub(SPARE_DESCRIPTORS);
        open.limit = affordable.max(MIN_CONNECTIONS).min(open.limit);
        while open.connections.len() > open.limit && open.close_idle() {}
    }

    fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// A thread that panicked left nothing half done here: every change is a single insertion or removal.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Closes the connection that has been idle longest; false if all are busy.
    fn close_idle(&mut self) -> bool {
        let idle = self
            .connections
            .iter()
            .filter(|(_, state)| !state.is_busy.load(Ordering::Relaxed))
            .min_by_key(|(_, state)| state.active_ms.load(Ordering::Relaxed));
        let Some(id) = idle.map(|(&id, _)| id) else {
            return false;
        };
        if let Some(state) = self.connections.remove(&id) {
            state.closing.notify_one();
        }
        true
    }
}

impl Connection {
    /// Notes that bytes went either way.
    pub fn touch(&self) {
        let now_ms = self.registry.now_ms();
        self.state.active_ms.store(now_ms, Ordering::Relaxed);
    }

    /// Keeps the connection open until the result is dropped.
    pub fn busy(self: &Arc<Self>) -> Busy {
        self.state.is_busy.store(true, Ordering::Relaxed);
        Busy(Arc::clone(self))
    }

    /// Returns when the connection has to make room.
    pub async fn closing(&self) {
        self.state.closing.notified().await;
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.touch();
        self.0.state.is_busy.store(false, Ordering::Relaxed);
        self.0.registry.changed.notify_one();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.registry.lock().connections.remove(&self.id);
        self.registry.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(registry: &Connections) -> Vec<u64> {
        registry.lock().connections.keys().copied().collect()
    }

    #[test]
    fn the_longest_idle_one_makes_room_and_a_busy_one_never() {
        let registry = Connections::new(2);
        let first = Arc::new(registry.try_admit().unwrap());
        let second = Arc::new(registry.try_admit().unwrap());
        let busy = first.busy();
        second.state.active_ms.store(9, Ordering::Relaxed);
        let third = Arc::new(registry.try_admit().unwrap());
        assert_eq!(ids(&registry), [0, 2]);
        let _also_busy = third.busy();
        assert!(registry.try_admit().is_none());
        drop(busy);
        assert!(registry.try_admit().is_some());
    }

    #[test]
    fn out_of_descriptors_there_are_fewer_from_then_on() {
        let registry = Connections::new(100);
        let open: Vec<_> = (0..60).filter_map(|_| registry.try_admit()).collect();
        assert_eq!(open.len(), 60);
        registry.shrink();
        assert_eq!(ids(&registry).len(), 60 - SPARE_DESCRIPTORS);
        let next = registry.try_admit().unwrap();
        assert_eq!(ids(&registry).len(), 60 - SPARE_DESCRIPTORS);
        drop(next);
        for _ in 0..10 {
            registry.shrink();
        }
        assert_eq!(ids(&registry).len(), MIN_CONNECTIONS);
    }
}
