//! The registry of open connections: limits their number and decides which one makes room for the next.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

/// Number of descriptors that are freed for files when the system runs out.
const SPARE_DESCRIPTORS: usize = 16;
/// Minimum number of connections that are kept even then.
const MIN_CONNECTIONS: usize = 8;

/// All open connections.
#[derive(Debug)]
pub struct Connections {
    started: Instant,
    open: Mutex<Open>,
    /// Notified when a connection ends or becomes idle.
    changed: Notify,
}

#[derive(Debug)]
struct Open {
    limit: usize,
    next_id: u64,
    connections: BTreeMap<u64, Arc<State>>,
}

/// The registry's record of one connection.
#[derive(Debug, Default)]
struct State {
    /// True while a response is computed: then the connection is never closed.
    is_busy: AtomicBool,
    /// Time of the last transfer in either direction, in milliseconds since the server started.
    active_ms: AtomicU64,
    closing: Notify,
}

/// A registered connection; dropping it makes room.
#[derive(Debug)]
pub struct Connection {
    id: u64,
    state: Arc<State>,
    registry: Arc<Connections>,
}

/// Exists while a response is computed.
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

    /// Registers a connection. At the limit it closes the connection that has been idle longest; if all are busy, it
    /// waits.
    pub async fn admit(self: &Arc<Self>) -> Connection {
        loop {
            // Subscribed before checking, so that no notification is missed in between.
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

    /// Lowers the limit to what the system allows and closes idle connections accordingly. Called when accepting fails
    /// because there are no more descriptors, which recordings need too.
    pub fn shrink(&self) {
        let mut open = self.lock();
        let affordable = open.connections.len().saturating_sub(SPARE_DESCRIPTORS);
        open.limit = affordable.max(MIN_CONNECTIONS).min(open.limit);
        while open.connections.len() > open.limit && open.close_idle() {}
    }

    fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// A panicking thread cannot leave an inconsistent state: every change is a single insertion or removal.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Closes the connection that has been idle longest; returns false if all are busy.
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
    /// Records a transfer in either direction.
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
