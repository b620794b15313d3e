//! The next piece of data, wherever it comes from.

use std::io;
use std::time::{Duration, Instant};

use super::address::Address;
use super::dolphin::Dolphin;
use super::session::Options;
use super::tcp::Tcp;
use crate::follow::{Follower, PAUSE};

/// What a source has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The next bytes: of a file as it is, else of events.
    Bytes(Vec<u8>),
    /// The same, but the peer begins with the running game's start again.
    Again(Vec<u8>),
    /// The file was truncated or replaced: it is read from its beginning.
    Anew,
    /// The peer answered.
    Connected {
        /// Its name; may be empty.
        name: String,
        /// Whether the stream goes on where it ended.
        is_continued: bool,
    },
    /// There is no connection; another is tried later.
    Disconnected(String),
    /// Data is missing here, maybe in the middle of an event.
    Gap,
    /// Whole events are missing before these.
    EventGap(Vec<u8>),
    /// The game is over.
    Over,
    /// A sign of life.
    Alive,
}

/// Where data comes from.
pub enum Source {
    /// A file that grows.
    File(Box<Follower>, Vec<u8>),
    /// A console or a relay.
    Tcp(Box<Tcp>),
    /// Dolphin.
    Dolphin(Box<Dolphin>),
}

impl Source {
    /// Opens a source.
    ///
    /// # Errors
    /// The file system's or the network's.
    pub fn open(address: &Address, options: &Options) -> io::Result<Self> {
        Ok(match address {
            Address::File(path) => Self::File(Box::new(Follower::open(path)?), vec![0; 1 << 16]),
            Address::Tcp(host) => Self::Tcp(Box::new(Tcp::open(host, options)?)),
            Address::Dolphin(host) => Self::Dolphin(Box::new(Dolphin::open(host, options)?)),
        })
    }

    /// The next news; `None` if there are none within `patience`.
    ///
    /// # Errors
    /// Those of a file. A lost connection is news.
    pub fn next(&mut self, patience: Duration) -> io::Result<Option<News>> {
        match self {
            Self::File(follower, buffer) => follow(follower, buffer, patience),
            Self::Tcp(tcp) => tcp.next(patience),
            Self::Dolphin(dolphin) => dolphin.next(patience),
        }
    }
}

fn follow(
    follower: &mut Follower,
    buffer: &mut [u8],
    patience: Duration,
) -> io::Result<Option<News>> {
    let begin = Instant::now();
    loop {
        let count = follower.read(buffer)?;
        if count > 0 {
            let bytes = buffer.get(..count).unwrap_or_default();
            return Ok(Some(News::Bytes(bytes.to_vec())));
        }
        if follower.has_begun_anew()? {
            return Ok(Some(News::Anew));
        }
        if begin.elapsed() >= patience {
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}
