//! Consoles on the network. Each announces itself every few seconds; nothing is sent.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// The port that consoles announce themselves on.
pub const PORT: u16 = 20_582;

/// How every announcement begins.
const READY: &[u8] = b"SLIP_READY";

const MAC_AT: usize = 10;
const NAME_AT: usize = 16;
const PACKET_BYTES: usize = 48;

/// Consoles listed at most.
const MAX_CONSOLES: usize = 256;

/// A console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Console {
    /// Its address.
    pub address: IpAddr,
    /// The address of its network adapter.
    pub mac: [u8; 6],
    /// Its name; may be empty.
    pub name: String,
}

/// Listens for consoles on all interfaces, for some time.
///
/// # Errors
/// When the port is taken.
pub fn consoles(time: Duration) -> io::Result<Vec<Console>> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, PORT))?;
    listen(&socket, time)
}

/// Listens on a socket, for some time.
///
/// # Errors
/// The network's.
pub fn listen(socket: &UdpSocket, time: Duration) -> io::Result<Vec<Console>> {
    let end = Instant::now() + time;
    let mut found = BTreeMap::new();
    let mut packet = [0; 2 * PACKET_BYTES];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || found.len() >= MAX_CONSOLES {
            return Ok(found.into_values().collect());
        }
        socket.set_read_timeout(Some(left))?;
        match socket.recv_from(&mut packet) {
            Ok((count, from)) => {
                let console = packet.get(..count).and_then(|packet| read(packet, from));
                if let Some(console) = console {
                    found.insert(console.address, console);
                }
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock
                        | io::ErrorKind::TimedOut
                        | io::ErrorKind::Interrupted
                ) => {}
            Err(error) => return Err(error),
        }
    }
}

fn read(packet: &[u8], from: SocketAddr) -> Option<Console> {
    if from.ip().is_unspecified() || !packet.starts_with(READY) || packet.len() < PACKET_BYTES {
        return None;
    }
    let mac = packet.get(MAC_AT..NAME_AT)?.try_into().ok()?;
    let name = packet.get(NAME_AT..PACKET_BYTES)?;
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
    Some(Console {
        address: from.ip(),
        mac,
        name: String::from_utf8_lossy(name).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_heard() {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let to = socket.local_addr().unwrap();
        let mut packet = b"SLIP_READY\x01\x02\x03\x04\x05\x06Station 3".to_vec();
        packet.resize(PACKET_BYTES, 0);
        sender.send_to(b"hello", to).unwrap();
        sender.send_to(&packet, to).unwrap();
        sender.send_to(&packet, to).unwrap();
        let found = listen(&socket, Duration::from_millis(100)).unwrap();
        let wanted = Console {
            address: Ipv4Addr::LOCALHOST.into(),
            mac: [1, 2, 3, 4, 5, 6],
            name: "Station 3".to_owned(),
        };
        assert_eq!(found, [wanted]);
    }
}
