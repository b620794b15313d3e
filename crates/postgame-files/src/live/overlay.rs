//! Events as JSON for overlays: a WebSocket server on this machine.
//!
//! Any page that a browser shows can try to connect to this machine, so only pages of this machine are let in, and
//! programs, which have no origin.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::StatusCode;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, accept_hdr_with_config};

use super::fanout::{Fanout, Next, Waiting};

/// Silence after which a ping is sent: it finds clients that are gone.
const ALIVE_EVERY: Duration = Duration::from_secs(5);

/// How long a client may take for the handshake, and for each message.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a client may send; nothing is expected.
const MAX_MESSAGE_BYTES: usize = 1 << 12;

/// Hosts of pages that are let in: this machine, and the name that OBS has for pages from files.
const HOSTS: [&str; 4] = ["localhost", "127.0.0.1", "[::1]", "absolute"];

/// A server on the loopback interface. A client first gets the running game's settings.
#[derive(Debug)]
pub struct Overlay(Fanout);

impl Overlay {
    /// Listens on a port of this machine, 0 for any that is free.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn listen(port: u16) -> io::Result<Self> {
        Fanout::listen(port, serve).map(Self)
    }

    /// Where clients find it.
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// A game begins: what clients got of the last one first is forgotten.
    pub fn begin(&self) {
        self.0.forget();
    }

    /// Sends a text to all clients; also to those to come during the game, if it is to be kept for them.
    pub fn send(&self, text: &str, is_kept: bool) {
        self.0.send(text.as_bytes().into(), is_kept);
    }
}

/// True for pages of this machine.
fn is_allowed(origin: &str) -> bool {
    if origin == "file://" {
        return true;
    }
    let rest = origin.strip_prefix("http://");
    let Some(rest) = rest.or_else(|| origin.strip_prefix("https://")) else {
        return false;
    };
    HOSTS.iter().any(|host| {
        let port = rest.strip_prefix(host);
        port.is_some_and(|port| port.is_empty() || port.starts_with(':'))
    })
}

// The type is the library's.
#[allow(clippy::result_large_err)]
fn admit(request: &Request, response: Response) -> Result<Response, ErrorResponse> {
    let origin = request.headers().get("origin");
    let is_fine = origin.is_none_or(|origin| origin.to_str().is_ok_and(is_allowed));
    if is_fine {
        return Ok(response);
    }
    let mut refusal = ErrorResponse::new(Some("only pages of this machine".to_owned()));
    *refusal.status_mut() = StatusCode::FORBIDDEN;
    Err(refusal)
}

fn serve(stream: TcpStream, waiting: &Waiting) {
    let is_set = stream.set_read_timeout(Some(PATIENCE)).is_ok()
        && stream.set_write_timeout(Some(PATIENCE)).is_ok()
        && stream.set_nodelay(true).is_ok();
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES));
    if !is_set {
        return;
    }
    let Ok(mut socket) = accept_hdr_with_config(stream, admit, Some(config)) else {
        return;
    };
    loop {
        let sent = match waiting.next(ALIVE_EVERY) {
            Next::Piece(piece) => {
                socket.send(Message::text(String::from_utf8_lossy(&piece).into_owned()))
            }
            Next::Nothing => socket.send(Message::Ping(Vec::new().into())),
            Next::Closed => {
                // It may be gone already.
                drop(socket.close(None));
                drop(socket.flush());
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn only_pages_of_this_machine_are_let_in() {
        for origin in [
            "http://localhost",
            "http://127.0.0.1:8080",
            "https://[::1]:1",
            "http://absolute",
            "file://",
        ] {
            assert!(is_allowed(origin), "{origin}");
        }
        for origin in [
            "null",
            "http://example.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com:80",
            "ftp://localhost",
            "",
        ] {
            assert!(!is_allowed(origin), "{origin}");
        }
    }
}
