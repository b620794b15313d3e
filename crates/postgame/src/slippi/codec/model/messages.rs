//! Events outside of frames: the gecko list before them, and the game's end after them.

use serde::{Deserialize, Serialize};

use super::payloads::{Payloads, code};
use super::start::{End, read_payload, write_event};
use crate::error::{Error, Result};
use crate::wire::bytes::{Big, ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};

/// An event outside of frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Message {
    /// A piece of a longer event.
    Split {
        /// The bytes; those after the used part are leftover memory, and kept.
        block: Bytes,
        /// Number of bytes used.
        used: u16,
        /// The code of the longer event.
        code: u8,
        /// 1 for the last piece.
        is_last: u8,
    },
    /// The game's end.
    End {
        /// The fields.
        end: End,
    },
    /// Any other event: a gecko list in one piece, or an unknown event.
    Other {
        /// Its code.
        code: u8,
        /// Its payload.
        payload: Bytes,
    },
}

json_by_serde!(Message);

impl Message {
    /// The event with this code and payload.
    pub(crate) fn new(event: u8, payload: Vec<u8>) -> Self {
        if event == code::END
            && let Ok(end) = read_payload(ByteReader::new(&payload))
        {
            return Self::End { end };
        }
        if event == code::SPLIT
            && let Some((_, &[high, low, code, is_last])) = payload.split_last_chunk::<4>()
        {
            let mut block = payload;
            block.truncate(block.len() - 4);
            return Self::Split {
                block: Bytes(block),
                used: u16::from_be_bytes([high, low]),
                code,
                is_last,
            };
        }
        Self::Other {
            code: event,
            payload: Bytes(payload),
        }
    }

    /// Its code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Split { .. } => code::SPLIT,
            Self::End { .. } => code::END,
            Self::Other { code, .. } => *code,
        }
    }

    /// Writes the event with its code.
    pub(crate) fn write(&self, payloads: &Payloads, writer: &mut ByteWriter<Big>) -> Result<()> {
        match self {
            Self::Split {
                block,
                used,
                code: inner,
                is_last,
            } => {
                expect_size(payloads, code::SPLIT, block.0.len() + 4)?;
                writer.u8(code::SPLIT);
                writer.bytes(&block.0);
                writer.u16(*used);
                writer.bytes(&[*inner, *is_last]);
                Ok(())
            }
            Self::End { end } => write_event(end, code::END, payloads, writer),
            Self::Other { code, payload } => {
                expect_size(payloads, *code, payload.0.len())?;
                writer.u8(*code);
                writer.bytes(&payload.0);
                Ok(())
            }
        }
    }
}

/// Fails if the event does not have its declared size.
pub(crate) fn expect_size(payloads: &Payloads, code: u8, size: usize) -> Result<()> {
    match payloads.size(code) {
        Some(declared) if declared == size => Ok(()),
        declared => Err(Error::unwritable(format!(
            "event {code:#04x} has {size} bytes, but {} were declared",
            declared.map_or_else(|| "none".to_owned(), |size| size.to_string())
        ))),
    }
}

/// A change to the game's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GeckoCode {
    /// The kind of change.
    pub kind: u8,
    /// The address in the console's memory.
    pub address: u32,
    /// The whole entry, including its first word.
    pub contents: Bytes,
}

/// Joins the pieces of the gecko list, or takes it from its single event; empty if there is none.
pub fn gecko_list(messages: &[Message]) -> Vec<u8> {
    let mut list = Vec::new();
    for message in messages {
        match message {
            Message::Split {
                block,
                used,
                code: code::GECKO,
                ..
            } => {
                list.extend_from_slice(block.0.get(..usize::from(*used)).unwrap_or(&block.0));
            }
            Message::Other {
                code: code::GECKO,
                payload,
            } => list.extend_from_slice(&payload.0),
            _ => {}
        }
    }
    list
}

/// The changes in a gecko list, up to the first that cannot be parsed.
pub fn gecko_codes(list: &[u8]) -> Vec<GeckoCode> {
    let mut codes = Vec::new();
    let mut rest = list;
    while let Some((&[a, b, c, d, e, f, g, h], _)) = rest.split_first_chunk::<8>() {
        let (first, second) = (
            u32::from_be_bytes([a, b, c, d]),
            u32::from_be_bytes([e, f, g, h]),
        );
        let kind = (first >> 24) as u8 & 0xfe;
        let length = match kind {
            0xc0 | 0xc2 => 8u64 + u64::from(second) * 8,
            0x06 => 8 + ((u64::from(second) + 7) & !7),
            0x08 => 16,
            _ => 8,
        };
        let Some((contents, after)) = usize::try_from(length)
            .ok()
            .and_then(|length| rest.split_at_checked(length))
        else {
            break;
        };
        codes.push(GeckoCode {
            kind,
            address: (first & 0x01ff_ffff) + 0x8000_0000,
            contents: contents.into(),
        });
        rest = after;
    }
    codes
}
