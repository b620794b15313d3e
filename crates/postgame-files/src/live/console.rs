//! The protocol of consoles and relays, without input and output: bytes of a TCP connection in, messages out.
//!
//! A console sends UBJSON objects with a length before each, and goes on from a cursor after an interruption. A relay sends
//! the bare events of the running game from its start, and `HELO\0` now and then.

use std::io;

use postgame::limits::Limits;
use postgame::slippi::ubjson::{Pairs, Value, find, members_from_bytes};

/// A message longer than this is not one: consoles send a few frames at a time.
const MAX_MESSAGE_BYTES: usize = 16 << 20;

/// How every framed message begins, after its length: an object whose first key is `type`, an 8-bit number.
const OBJECT: &[u8] = b"{i\x04typeU";

const HANDSHAKE: i64 = 1;
const REPLAY: i64 = 2;

/// A position in a console's stream, as the console counts.
type Cursor = [u8; 8];

/// What arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The answer to the handshake.
    Hello {
        /// The console's name; may be empty.
        name: String,
        /// Whether the stream goes on where it ended.
        is_continued: bool,
    },
    /// Bytes of events.
    Data(Vec<u8>),
    /// The console lost data here.
    Gap,
    /// A sign of life.
    KeepAlive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unknown,
    Framed,
    Bare,
}

/// The client's side of a connection. Cursor and token survive an interruption.
#[derive(Debug)]
pub struct Console {
    kind: Kind,
    buffer: Vec<u8>,
    cursor: Cursor,
    token: [u8; 4],
    is_resumed: bool,
    /// What comes after a gap.
    held: Option<Message>,
}

impl Default for Console {
    fn default() -> Self {
        Self {
            kind: Kind::Unknown,
            buffer: Vec::new(),
            cursor: [0; 8],
            token: [0; 4],
            is_resumed: false,
            held: None,
        }
    }
}

impl Console {
    /// Begins a connection: returns the bytes to send first.
    pub fn begin(&mut self) -> Vec<u8> {
        self.kind = Kind::Unknown;
        self.buffer.clear();
        // To the byte what slippi-js sends: consoles know nothing else.
        let mut object = b"{i\x04typei\x01i\x07payload{i\x06cursor[$U#i\x08".to_vec();
        object.extend(self.cursor);
        object.extend(b"i\x0bclientToken[$U#i\x04");
        object.extend(self.token);
        object.extend(b"i\x0aisRealtimeF}}");
        framed(&object)
    }

    /// True if the peer sends bare events.
    pub fn is_bare(&self) -> bool {
        self.kind == Kind::Bare
    }

    /// Takes bytes of the connection.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next message, if it has arrived completely.
    ///
    /// # Errors
    /// When the peer does not keep to the protocol: then connect again.
    pub fn next_message(&mut self) -> io::Result<Option<Message>> {
        if let Some(message) = self.held.take() {
            return Ok(Some(message));
        }
        if self.kind == Kind::Unknown {
            match self.recognise() {
                Some(kind) => self.kind = kind,
                None => return Ok(None),
            }
        }
        if self.kind == Kind::Bare {
            let data = std::mem::take(&mut self.buffer);
            return Ok((!data.is_empty()).then_some(Message::Data(data)));
        }
        let Some(length) = self.buffer.first_chunk().copied().map(u32::from_be_bytes) else {
            return Ok(None);
        };
        let length = length as usize;
        if length > MAX_MESSAGE_BYTES {
            return Err(broken("a message is too long"));
        }
        let Some(object) = self.buffer.get(4..4 + length) else {
            return Ok(None);
        };
        let message = read(object)?;
        self.buffer.drain(..4 + length);
        self.understand(&message).map(Some)
    }

    /// What the peer is, once enough has arrived.
    fn recognise(&self) -> Option<Kind> {
        // Messages of 16 MB and more are refused, so the first byte of a length is 0; no event begins with it.
        match self.buffer.first()? {
            0 if self.buffer.len() < 4 + OBJECT.len() => None,
            0 if self.buffer[4..].starts_with(OBJECT) => Some(Kind::Framed),
            _ => Some(Kind::Bare),
        }
    }

    fn understand(&mut self, message: &Pairs) -> io::Result<Message> {
        let kind = find(message, "type").and_then(Value::as_int);
        let payload = find(message, "payload").map_or(&[][..], Value::pairs);
        let cursor = |key| {
            let bytes = find(payload, key).and_then(bytes);
            bytes.and_then(|bytes| Cursor::try_from(bytes).ok())
        };
        match kind {
            Some(HANDSHAKE) => {
                let token = find(payload, "clientToken").and_then(bytes);
                if let Some(token) = token.and_then(|bytes| bytes.try_into().ok()) {
                    self.token = token;
                }
                let position =
                    cursor("pos").ok_or_else(|| broken("a handshake has no position"))?;
                let is_continued = self.is_resumed && position == self.cursor;
                let is_first = !self.is_resumed;
                self.is_resumed = true;
                self.cursor = position;
                let name = find(payload, "nick").and_then(Value::as_text);
                Ok(Message::Hello {
                    name: name.map(ToString::to_string).unwrap_or_default(),
                    is_continued: is_continued || is_first,
                })
            }
            Some(REPLAY) => {
                let (Some(from), Some(to)) = (cursor("pos"), cursor("nextPos")) else {
                    return Err(broken("a piece has no position"));
                };
                let data = find(payload, "data").and_then(bytes);
                let data = data.ok_or_else(|| broken("a piece has no data"))?;
                if from != self.cursor {
                    let is_forced = matches!(find(payload, "forcePos"), Some(Value::Bool(true)));
                    if !is_forced {
                        return Err(broken("a piece is from another position"));
                    }
                    self.cursor = to;
                    self.held = Some(Message::Data(data));
                    return Ok(Message::Gap);
                }
                self.cursor = to;
                Ok(Message::Data(data))
            }
            _ => Ok(Message::KeepAlive),
        }
    }
}

/// An object with its length before it.
fn framed(object: &[u8]) -> Vec<u8> {
    let length = u32::try_from(object.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), object].concat()
}

fn read(object: &[u8]) -> io::Result<Pairs> {
    let Some((b'{', rest)) = object.split_first() else {
        return Err(broken("a message is not an object"));
    };
    let budget = Limits::default().budget(object.len());
    match members_from_bytes(rest, &budget) {
        Ok((members, _)) => Ok(members),
        Err(error) => Err(broken(&error.to_string())),
    }
}

/// The bytes of an array of 8-bit numbers.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    let Value::Array(_, values) = value else {
        return None;
    };
    let mut numbers = values.iter().map(Value::as_int);
    numbers.try_fold(Vec::with_capacity(values.len()), |mut bytes, number| {
        // A signed marker means the same bits.
        let number = number?;
        bytes.push(u8::try_from(number & 0xff).ok()?);
        (-128..256).contains(&number).then_some(bytes)
    })
}

fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
