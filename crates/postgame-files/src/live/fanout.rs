//! One stream for several clients on this machine, none of which can hold it up.

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Clients at once.
const MAX_CLIENTS: usize = 16;

/// Data that waits for a slow client; then it is let go.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// What is kept for new clients.
const MAX_HISTORY_BYTES: usize = 256 << 20;

/// Time between looks for new clients, and for the end.
const PAUSE: Duration = Duration::from_millis(20);

/// A piece of the stream.
pub type Piece = Arc<[u8]>;

/// What waits for a client.
#[derive(Debug, Default)]
struct Queue {
    pieces: VecDeque<Piece>,
    bytes: usize,
    is_closed: bool,
}

/// A client's end of the stream.
#[derive(Debug, Default)]
pub struct Waiting {
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// What came of waiting.
pub enum Next {
    /// The next piece.
    Piece(Piece),
    /// Nothing came in time.
    Nothing,
    /// The stream is over, or the client is too slow.
    Closed,
}

impl Waiting {
    /// Waits for the next piece.
    pub fn next(&self, patience: Duration) -> Next {
        let mut queue = lock(&self.queue);
        if queue.pieces.is_empty() && !queue.is_closed {
            let waited = self.changed.wait_timeout(queue, patience);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match queue.pieces.pop_front() {
            Some(piece) => {
                queue.bytes -= piece.len();
                Next::Piece(piece)
            }
            None if queue.is_closed => Next::Closed,
            None => Next::Nothing,
        }
    }

    /// Lets the client go.
    pub fn close(&self) {
        lock(&self.queue).is_closed = true;
        self.changed.notify_all();
    }

    fn push(&self, piece: &Piece) {
        let mut queue = lock(&self.queue);
        if queue.bytes + piece.len() > MAX_WAITING_BYTES {
            queue.pieces.clear();
            queue.is_closed = true;
        }
        if !queue.is_closed {
            queue.bytes += piece.len();
            queue.pieces.push_back(Arc::clone(piece));
        }
        self.changed.notify_all();
    }
}

#[derive(Debug, Default)]
struct Shared {
    history: Vec<Piece>,
    history_bytes: usize,
    clients: Vec<Arc<Waiting>>,
    is_over: bool,
}

/// A server on the loopback interface.
#[derive(Debug)]
pub struct Fanout {
    shared: Arc<Mutex<Shared>>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

impl Fanout {
    /// Listens on a port of this machine, 0 for any that is free. `serve` runs in a thread of its own for each client.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn listen(
        port: u16,
        serve: impl Fn(TcpStream, &Waiting) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Mutex::new(Shared::default()));
        let own = Arc::clone(&shared);
        let accepting = thread::Builder::new().spawn(move || accept(&listener, &own, &serve))?;
        Ok(Self {
            shared,
            address,
            accepting: Some(accepting),
        })
    }

    /// Where clients find it.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Forgets what new clients get first.
    pub fn forget(&self) {
        let mut shared = lock(&self.shared);
        shared.history.clear();
        shared.history_bytes = 0;
    }

    /// Sends a piece to all clients, and to those to come if it is to be kept for them.
    pub fn send(&self, piece: Piece, is_kept: bool) {
        let mut shared = lock(&self.shared);
        for client in &shared.clients {
            client.push(&piece);
        }
        if is_kept && shared.history_bytes + piece.len() <= MAX_HISTORY_BYTES {
            shared.history_bytes += piece.len();
            shared.history.push(piece);
        }
    }
}

impl Drop for Fanout {
    /// Clients get what waits for them; nothing more is sent.
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.is_over = true;
        for client in &shared.clients {
            client.close();
        }
        drop(shared);
        if let Some(accepting) = self.accepting.take() {
            drop(accepting.join());
        }
    }
}

fn accept(
    listener: &TcpListener,
    shared: &Arc<Mutex<Shared>>,
    serve: &(impl Fn(TcpStream, &Waiting) + Clone + Send + 'static),
) {
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    while !lock(shared).is_over {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(PAUSE);
            continue;
        };
        threads.retain(|thread| !thread.is_finished());
        if threads.len() >= MAX_CLIENTS || stream.set_nonblocking(false).is_err() {
            continue;
        }
        let client = Arc::new(Waiting::default());
        let mut locked = lock(shared);
        for piece in &locked.history {
            client.push(piece);
        }
        locked.clients.push(Arc::clone(&client));
        drop(locked);
        let (serve, shared) = (serve.clone(), Arc::clone(shared));
        let thread = thread::Builder::new().spawn(move || {
            serve(stream, &client);
            client.close();
            lock(&shared)
                .clients
                .retain(|one| !Arc::ptr_eq(one, &client));
        });
        threads.extend(thread);
    }
    for thread in threads {
        drop(thread.join());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
