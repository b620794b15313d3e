//! Dolphin's spectator server: JSON messages over ENet, with a cursor from which it goes on after an interruption.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _, UdpSocket};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rusty_enet::{EventNoRef, Host as Enet, HostSettings, Packet, PeerID};
use serde::Deserialize;

use super::address::Host;
use super::retry::Retry;
use super::session::Options;
use super::source::News;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// Time between looks at the socket.
const PAUSE: Duration = Duration::from_millis(2);

/// What ENet's clock begins with; zero would mean that no time is known.
const START: Duration = Duration::from_secs(1);

/// As many channels as other clients ask for; messages come on the first.
const CHANNELS: usize = 3;

/// A connection, or the wait for the next one.
pub struct Dolphin {
    host: Host,
    link: Option<Link>,
    retry: Retry,
    silence: Duration,
    /// The number of the next message, once one has come.
    cursor: Option<u64>,
}

struct Link {
    enet: Enet<UdpSocket>,
    peer: PeerID,
    since: Instant,
    last_heard: Instant,
    is_connected: bool,
}

impl Drop for Link {
    fn drop(&mut self) {
        if self.is_connected
            && let Some(peer) = self.enet.get_peer_mut(self.peer)
        {
            peer.disconnect_now(0);
        }
    }
}

/// A message. Each type has some of the members.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message {
    r#type: String,
    nick: Option<String>,
    cursor: Option<u64>,
    next_cursor: Option<u64>,
    payload: Option<String>,
    dolphin_closed: bool,
}

impl Dolphin {
    /// Connects for the first time.
    ///
    /// # Errors
    /// When that fails.
    pub fn open(host: &Host, options: &Options) -> io::Result<Self> {
        let mut dolphin = Self {
            host: host.clone(),
            link: None,
            retry: Retry::new(options.waits),
            silence: options.silence,
            cursor: None,
        };
        dolphin.link = Some(Link::begin(host)?);
        let begin = Instant::now();
        while dolphin.link.as_ref().is_some_and(|link| !link.is_connected) {
            match dolphin.service()? {
                Some(_) => {}
                None if begin.elapsed() < CONNECT => std::thread::sleep(PAUSE),
                None => return Err(timed_out()),
            }
        }
        Ok(dolphin)
    }

    /// The next news; `None` if there are none within `patience`.
    pub fn next(&mut self, patience: Duration) -> io::Result<Option<News>> {
        let begin = Instant::now();
        if self.link.is_none() {
            let wait = self.retry.wait();
            if !wait.is_zero() {
                std::thread::sleep(wait.min(patience));
                return Ok(None);
            }
            match Link::begin(&self.host) {
                Ok(link) => self.link = Some(link),
                Err(error) => return Ok(Some(self.lost(&error))),
            }
        }
        loop {
            match self.service() {
                Ok(Some(Some(news))) => return Ok(Some(news)),
                Ok(Some(None)) => {}
                Ok(None) if begin.elapsed() >= patience => return Ok(None),
                Ok(None) => std::thread::sleep(PAUSE),
                Err(error) => return Ok(Some(self.lost(&error))),
            }
        }
    }

    fn lost(&mut self, error: &io::Error) -> News {
        self.link = None;
        self.retry.failed();
        News::Disconnected(error.to_string())
    }

    /// Takes an event off the connection: nothing, an event without news, or one with news.
    fn service(&mut self) -> io::Result<Option<Option<News>>> {
        let Some(link) = &mut self.link else {
            return Ok(None);
        };
        let event = link.enet.service()?.map(|event| event.no_ref());
        let Some(event) = event else {
            if !link.is_connected && link.since.elapsed() >= CONNECT {
                return Err(timed_out());
            }
            if link.is_connected && link.last_heard.elapsed() >= self.silence {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "the peer is silent",
                ));
            }
            return Ok(None);
        };
        link.last_heard = Instant::now();
        match event {
            EventNoRef::Connect { .. } => {
                link.is_connected = true;
                self.retry.connected();
                let cursor = self.cursor.unwrap_or(0);
                let request = format!("{{\"type\":\"connect_request\",\"cursor\":{cursor}}}");
                let packet = Packet::reliable(request.as_bytes());
                if let Some(peer) = link.enet.get_peer_mut(link.peer) {
                    peer.send(0, &packet).map_err(io::Error::other)?;
                }
                link.enet.flush();
                Ok(Some(None))
            }
            EventNoRef::Disconnect { .. } => {
                link.is_connected = false;
                Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "the connection was closed",
                ))
            }
            EventNoRef::Receive { packet, .. } => Ok(Some(self.understand(packet.data())?)),
        }
    }

    fn understand(&mut self, packet: &[u8]) -> io::Result<Option<News>> {
        // Empty packets come at ends.
        if packet.is_empty() {
            return Ok(None);
        }
        let message: Message = serde_json::from_slice(packet)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        if message.dolphin_closed {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "Dolphin was closed",
            ));
        }
        match message.r#type.as_str() {
            "connect_reply" => {
                let is_continued = self.cursor.is_none()
                    || message.cursor.is_none()
                    || message.cursor == self.cursor;
                self.cursor = message.cursor.or(self.cursor);
                let name = message.nick.unwrap_or_default();
                Ok(Some(News::Connected { name, is_continued }))
            }
            "game_event" => {
                let Some(payload) = message.payload.as_deref().filter(|one| !one.is_empty()) else {
                    return Ok(None);
                };
                let bytes = STANDARD.decode(payload);
                let bytes =
                    bytes.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                match self.advance(&message) {
                    true => Ok(Some(News::Bytes(bytes))),
                    false => Ok(Some(News::EventGap(bytes))),
                }
            }
            "start_game" => {
                self.advance(&message);
                Ok(Some(News::Alive))
            }
            "end_game" => {
                self.advance(&message);
                Ok(Some(News::Over))
            }
            _ => Ok(Some(News::Alive)),
        }
    }

    /// Moves the cursor behind a message; false if messages are missing before it.
    fn advance(&mut self, message: &Message) -> bool {
        let is_next =
            self.cursor.is_none() || message.cursor.is_none() || message.cursor == self.cursor;
        let after = message.cursor.map(|cursor| cursor.saturating_add(1));
        self.cursor = message.next_cursor.or(after).or(self.cursor);
        is_next
    }
}

impl Link {
    fn begin(host: &Host) -> io::Result<Self> {
        let mut addresses = (host.name.as_str(), host.port).to_socket_addrs()?;
        let address = addresses.next();
        let address = address
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the host has no address"))?;
        let socket = UdpSocket::bind(local(&address))?;
        let begin = Instant::now();
        let settings = HostSettings {
            // The system's clock may be set back.
            time: Box::new(move || START + begin.elapsed()),
            peer_limit: 1,
            channel_limit: CHANNELS,
            ..HostSettings::default()
        };
        let mut enet = Enet::new(socket, settings).map_err(io::Error::other)?;
        let peer = enet
            .connect(address, CHANNELS, 0)
            .map_err(io::Error::other)?;
        let peer = peer.id();
        let now = Instant::now();
        Ok(Self {
            enet,
            peer,
            since: now,
            last_heard: now,
            is_connected: false,
        })
    }
}

/// Where to be reached by a peer: only on this machine, if that is where it is.
fn local(peer: &SocketAddr) -> SocketAddr {
    match peer {
        SocketAddr::V4(peer) if peer.ip().is_loopback() => (Ipv4Addr::LOCALHOST, 0).into(),
        SocketAddr::V6(peer) if peer.ip().is_loopback() => (Ipv6Addr::LOCALHOST, 0).into(),
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    }
}

fn timed_out() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the host does not answer")
}
