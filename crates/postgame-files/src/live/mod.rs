//! Slippi games while they are played: from a growing file, a console, a relay, or Dolphin.
//!
//! - [`session`]: what a program uses: one address in, events and finished games out
//! - [`address`]: how sources are named
//! - `source`: the next piece of data from a file, over TCP (`tcp`, [`console`]) or over ENet (`dolphin`)
//! - `game`: a stream of events becomes recordings, one a game; `metadata` is what is written at their ends
//! - [`save`], [`relay`], [`overlay`]: where a game can go while it is read: a `.slp`, TCP clients, WebSockets
//! - [`discover`]: the consoles of a network, only when asked

pub mod address;
mod clock;
pub mod console;
pub mod discover;
mod dolphin;
mod fanout;
mod game;
mod metadata;
pub mod overlay;
pub mod relay;
mod retry;
pub mod save;
pub mod session;
mod source;
mod tcp;

pub use address::Address;
pub use session::{Look, Options, Session};
