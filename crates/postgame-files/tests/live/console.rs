//! A stand-in for a console: framed pieces with positions, which goes on from a client's cursor.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use postgame::limits::Limits;
use postgame::slippi::ubjson::{Value, find, members_from_bytes};

use crate::random::Random;

/// How a stand-in misbehaves.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    /// The connection breaks that often.
    pub breaks: usize,
    /// Bytes that are lost in the middle, with the console's word for it.
    pub lost: usize,
    /// No signs of life are sent.
    pub is_quiet: bool,
}

/// Serves some bytes in random pieces, until the client has all and goes away. Returns where to find it, and what to wait for.
pub fn serve(raw: Vec<u8>, seed: &str, faults: Faults) -> (SocketAddr, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut random = Random::new(seed);
    let thread = thread::spawn(move || {
        let mut connections = 0;
        let (mut breaks, mut lost) = (faults.breaks, faults.lost);
        loop {
            let (mut stream, _) = listener.accept().unwrap();
            stream
                .set_read_timeout(Some(Duration::from_secs(60)))
                .unwrap();
            let cursor = handshake(&mut stream);
            connections += 1;
            assert!(
                connections <= faults.breaks + 1,
                "more connections than breaks"
            );
            assert!(cursor == 0 || connections > 1, "a new client has a cursor");
            let hello = [
                &b"{i\x04typeU\x01i\x07payload{i\x04nickSU\x0aStation 3!i\x11nintendontVersionSU\x031.9"[..],
                b"i\x0bclientToken[$U#U\x04\0\0\x12\x34i\x03pos[$U#U\x08",
                &(cursor as u64).to_be_bytes(),
                b"}}",
            ];
            send(&mut stream, &hello.concat());
            let end = if breaks > 0 {
                (cursor + random.upto(2 * raw.len() / (faults.breaks + 1))).min(raw.len() - 1)
            } else {
                raw.len()
            };
            let mut at = cursor;
            while at < end {
                let is_lost = lost > 0 && at > raw.len() / 2;
                at += if is_lost {
                    std::mem::take(&mut lost)
                } else {
                    0
                };
                let after = (at + random.upto(3000)).min(raw.len());
                let message = piece(at, after, &raw[at..after], is_lost);
                if breaks > 0 && after >= end {
                    // In the middle of a message.
                    let half = &message[..random.upto(message.len() - 1)];
                    stream.write_all(half).unwrap();
                    break;
                }
                stream.write_all(&message).unwrap();
                if random.upto(5) == 1 && !faults.is_quiet {
                    send(&mut stream, b"{i\x04typeU\x03}");
                }
                at = after;
            }
            if breaks > 0 {
                breaks -= 1;
                continue;
            }
            // Until the client has seen enough.
            let mut rest = [0; 16];
            drop(stream.read(&mut rest));
            return connections;
        }
    });
    (address, thread)
}

/// Reads a client's handshake: its cursor.
fn handshake(stream: &mut TcpStream) -> usize {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut object = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut object).unwrap();
    let budget = Limits::default().budget(object.len());
    let (message, _) = members_from_bytes(&object[1..], &budget).unwrap();
    assert_eq!(find(&message, "type").and_then(Value::as_int), Some(1));
    let number = |key| {
        let Some(Value::Array(_, bytes)) = find(&message, "payload").unwrap().get(key) else {
            panic!("no {key}");
        };
        let bytes = bytes.iter().map(|byte| byte.as_int().unwrap() as u64);
        bytes.fold(0, |number, byte| number << 8 | byte)
    };
    let (cursor, token) = (number("cursor"), number("clientToken"));
    // A connection may break before its first piece: then there is a token and no cursor.
    assert!(
        cursor == 0 || token != 0,
        "the token of the first connection is kept"
    );
    cursor as usize
}

fn piece(from: usize, to: usize, data: &[u8], is_forced: bool) -> Vec<u8> {
    let object = [
        &b"{i\x04typeU\x02i\x07payload{i\x03pos[$U#U\x08"[..],
        &(from as u64).to_be_bytes(),
        b"i\x07nextPos[$U#U\x08",
        &(to as u64).to_be_bytes(),
        if is_forced {
            b"i\x08forcePosT"
        } else {
            b"i\x08forcePosF"
        },
        b"i\x04data[$U#I",
        &(data.len() as u16).to_be_bytes(),
        data,
        b"}}",
    ];
    let object = object.concat();
    [&(object.len() as u32).to_be_bytes(), &object[..]].concat()
}

fn send(stream: &mut TcpStream, object: &[u8]) {
    let message = [&(object.len() as u32).to_be_bytes(), object].concat();
    stream.write_all(&message).unwrap();
}
