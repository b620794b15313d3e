//! A relay: the running game for other programs on this machine, over TCP, as the launcher's relay sends it.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::fanout::{Fanout, Next, Waiting};
use super::game::ALIVE;

/// Silence after which a sign of life is sent. Clients give up after 20 seconds.
const ALIVE_EVERY: Duration = Duration::from_secs(5);

/// How long a client may take for a piece.
const WRITE: Duration = Duration::from_secs(10);

/// How long to wait for a client to close its side.
const PART: Duration = Duration::from_secs(1);

/// A server on the loopback interface. A client first gets the running game from its start.
#[derive(Debug)]
pub struct Relay(Fanout);

impl Relay {
    /// Listens on a port of this machine, 0 for any that is free.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn listen(port: u16) -> io::Result<Self> {
        Fanout::listen(port, |stream, waiting| {
            // A client that went away is not a failure.
            drop(serve(stream, waiting));
        })
        .map(Self)
    }

    /// Where clients find it.
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// A game begins.
    pub fn begin(&self) {
        self.0.forget();
    }

    /// The next events of the game.
    pub fn events(&self, bytes: &[u8]) {
        self.0.send(bytes.into(), true);
    }
}

fn serve(mut stream: TcpStream, waiting: &Waiting) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE))?;
    loop {
        match waiting.next(ALIVE_EVERY) {
            Next::Piece(piece) => stream.write_all(&piece)?,
            Next::Nothing => stream.write_all(ALIVE)?,
            Next::Closed => return part(stream),
        }
    }
}

/// Closes a connection in order. Clients of consoles send a handshake; if it were left unread, closing would cut off what
/// is still on its way.
fn part(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(PART))?;
    let end = Instant::now() + PART;
    let mut unread = [0; 1024];
    while Instant::now() < end && stream.read(&mut unread)? > 0 {}
    Ok(())
}
