//! A stand-in for Dolphin's spectator server.

use std::net::{SocketAddr, UdpSocket};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rusty_enet::{EventNoRef, Host, HostSettings, Packet};

use crate::Game;
use crate::random::Random;

/// The messages of a game, as many events in each as chance wants.
pub fn messages(game: &Game, seed: &str) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut payloads = vec![("start_game", String::new())];
    let mut at = 0;
    while at + 1 < game.borders.len() {
        let after = (at + random.upto(12)).min(game.borders.len() - 1);
        let events = &game.raw[game.borders[at]..game.borders[after]];
        payloads.push(("game_event", STANDARD.encode(events)));
        at = after;
    }
    payloads.push(("end_game", String::new()));
    let text = |(number, (kind, payload)): (usize, (&str, String))| {
        let next = number + 1;
        format!(
            "{{\"type\":\"{kind}\",\"cursor\":{number},\"next_cursor\":{next},\"payload\":\"{payload}\"}}"
        )
    };
    payloads.into_iter().enumerate().map(text).collect()
}

/// Serves messages; the connection breaks some times. `skipped` messages are left out in the middle.
pub fn serve(
    messages: Vec<String>,
    seed: &str,
    mut breaks: usize,
    skipped: usize,
) -> (SocketAddr, JoinHandle<()>) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let mut random = Random::new(seed);
    let thread = thread::spawn(move || {
        let settings = HostSettings {
            peer_limit: 4,
            channel_limit: 3,
            ..HostSettings::default()
        };
        let mut host = Host::new(socket, settings).unwrap();
        let begin = Instant::now();
        let mut client = None;
        while begin.elapsed() < crate::PATIENCE {
            match host.service().unwrap().map(|event| event.no_ref()) {
                Some(EventNoRef::Receive { peer, packet, .. }) => {
                    let request: serde_json::Value = serde_json::from_slice(packet.data()).unwrap();
                    assert_eq!(request["type"], "connect_request");
                    let cursor = request["cursor"].as_u64().unwrap() as usize;
                    let reply = format!(
                        "{{\"type\":\"connect_reply\",\"nick\":\"\",\"version\":\"3.4.0\",\"cursor\":{cursor}}}"
                    );
                    send(&mut host, peer, &reply);
                    let rest = messages.len() - cursor;
                    let end = match breaks {
                        0 => messages.len(),
                        _ => cursor + random.upto(rest),
                    };
                    client = Some((peer, cursor, end));
                }
                // The client has seen enough.
                Some(EventNoRef::Disconnect { .. }) if breaks == 0 && client.is_some() => return,
                Some(EventNoRef::Disconnect { .. }) => client = None,
                Some(EventNoRef::Connect { .. }) => {}
                None => thread::sleep(Duration::from_micros(200)),
            }
            let Some((peer, cursor, end)) = &mut client else {
                continue;
            };
            // As many at a time as frames come in a while.
            for _ in 0..32 {
                if cursor >= end {
                    break;
                }
                let is_skipped =
                    skipped > 0 && (1..=skipped).contains(&cursor.abs_diff(messages.len() / 2));
                if !is_skipped {
                    send(&mut host, *peer, &messages[*cursor]);
                    if random.upto(20) == 1 {
                        send(
                            &mut host,
                            *peer,
                            "{\"type\":\"menu_event\",\"payload\":\"Pg==\"}",
                        );
                    }
                }
                *cursor += 1;
            }
            if cursor >= end && breaks > 0 {
                host.flush();
                let peer = *peer;
                client = None;
                breaks -= 1;
                host.peer_mut(peer).disconnect_later(0);
            }
        }
    });
    (address, thread)
}

fn send(host: &mut Host<UdpSocket>, peer: rusty_enet::PeerID, text: &str) {
    let packet = Packet::reliable(text.as_bytes());
    host.peer_mut(peer).send(0, &packet).unwrap();
}
