//! A stand-in for a relay: bare events from the game's start for every client, with signs of life between them.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::Game;
use crate::random::Random;

/// Serves a game in random pieces; the connection breaks some times.
pub fn serve(game: &Game, seed: &str, mut breaks: usize) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut random = Random::new(seed);
    // A sign of life after one event of a hundred.
    let mut bytes = Vec::new();
    for pair in game.borders.windows(2) {
        bytes.extend(&game.raw[pair[0]..pair[1]]);
        if random.upto(100) == 1 {
            bytes.extend(b"HELO\0");
        }
    }
    let thread = thread::spawn(move || {
        loop {
            let (mut stream, _) = listener.accept().unwrap();
            stream.set_nodelay(true).unwrap();
            let end = match breaks {
                0 => bytes.len(),
                _ => random.upto(bytes.len() - 1),
            };
            let mut at = 0;
            while at < end {
                let after = (at + random.upto(5000)).min(end);
                stream.write_all(&bytes[at..after]).unwrap();
                at = after;
            }
            // The handshake that clients send to whatever they find.
            stream
                .set_read_timeout(Some(Duration::from_secs(60)))
                .unwrap();
            let mut unread = [0; 1024];
            drop(stream.read(&mut unread));
            if breaks == 0 {
                drop(stream.read(&mut unread));
                return;
            }
            breaks -= 1;
        }
    });
    (address, thread)
}
