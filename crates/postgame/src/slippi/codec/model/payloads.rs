//! The first event: the kinds of events in the file and the size of each, which is stored nowhere else.

use serde::{Deserialize, Serialize};

use crate::error::{Context, Error, Result};
use crate::wire::bytes::{Big, ByteReader, ByteWriter};
use crate::wire::json::{Bytes, json_by_serde};

/// The events' codes.
pub mod code {
    /// A piece of an event too long for one message.
    pub const SPLIT: u8 = 0x10;
    /// The sizes of all events.
    pub const PAYLOADS: u8 = 0x35;
    /// The game's settings.
    pub const START: u8 = 0x36;
    /// A character before a frame is computed.
    pub const PRE: u8 = 0x37;
    /// A character after a frame is computed.
    pub const POST: u8 = 0x38;
    /// The game's end.
    pub const END: u8 = 0x39;
    /// A frame starts.
    pub const FRAME_START: u8 = 0x3a;
    /// An item.
    pub const ITEM: u8 = 0x3b;
    /// A frame is complete.
    pub const BOOKEND: u8 = 0x3c;
    /// The list of changes to the game's code.
    pub const GECKO: u8 = 0x3d;
    /// A platform of Fountain of Dreams.
    pub const FOD_PLATFORM: u8 = 0x3f;
    /// The wind of Dream Land's tree.
    pub const WHISPY: u8 = 0x40;
    /// Pokémon Stadium's transformation.
    pub const STADIUM: u8 = 0x41;
}

/// The size of the payload of one kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayloadSize {
    /// The event's code.
    pub code: u8,
    /// Its payload's size in bytes, without the code.
    pub size: u16,
}

/// The first event: the sizes of all others, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payloads {
    /// The sizes.
    pub sizes: Vec<PayloadSize>,
    /// The rest of the event after the complete entries; empty in every file seen.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub rest: Bytes,
}

json_by_serde!(Payloads);

impl Payloads {
    /// Reads the event with its code.
    ///
    /// # Errors
    /// When the data is too short or starts with another event.
    pub fn read(reader: &mut ByteReader<'_, Big>) -> Result<Self> {
        let place = reader.place();
        let found = reader.u8().field("code")?;
        if found != code::PAYLOADS {
            return Err(Error::invalid(format!(
                "the first event is {found:#04x}, not {:#04x}",
                code::PAYLOADS
            ))
            .at(place));
        }
        // The size counts itself.
        let size = usize::from(reader.u8().field("size")?).saturating_sub(1);
        let entries = reader.bytes(size).field("sizes")?;
        let (entries, rest) = entries.as_chunks::<3>();
        let sizes = entries.iter().map(|&[code, high, low]| PayloadSize {
            code,
            size: u16::from_be_bytes([high, low]),
        });
        Ok(Self {
            sizes: sizes.collect(),
            rest: rest.into(),
        })
    }

    /// Writes the event with its code.
    ///
    /// # Errors
    /// When there are more than 84 sizes.
    pub fn write(&self, writer: &mut ByteWriter<Big>) -> Result<()> {
        let Self { sizes, rest } = self;
        let size = 1 + 3 * sizes.len() + rest.0.len();
        let size = u8::try_from(size).map_err(|_| {
            Error::unwritable(format!("{} payload sizes are too many", sizes.len()))
        })?;
        writer.bytes(&[code::PAYLOADS, size]);
        for PayloadSize { code, size } in sizes {
            writer.u8(*code);
            writer.u16(*size);
        }
        writer.bytes(&rest.0);
        Ok(())
    }

    /// The sizes in files from before this event existed.
    pub fn of_bare_files() -> Self {
        let sizes = [
            (code::START, 0x140),
            (code::PRE, 6),
            (code::POST, 0x46),
            (code::END, 1),
        ];
        Self {
            sizes: sizes
                .map(|(code, size)| PayloadSize { code, size })
                .to_vec(),
            rest: Bytes::default(),
        }
    }

    /// The size of an event's payload; if a code is listed twice, the last size counts.
    pub fn size(&self, code: u8) -> Option<usize> {
        self.sizes
            .iter()
            .rev()
            .find(|entry| entry.code == code)
            .map(|entry| entry.size.into())
    }

    /// The sizes by code, for walking a stream.
    pub fn table(&self) -> SizeTable {
        let mut table = [u32::MAX; 256];
        for PayloadSize { code, size } in &self.sizes {
            if let Some(entry) = table.get_mut(usize::from(*code)) {
                *entry = (*size).into();
            }
        }
        SizeTable(table)
    }
}

/// The size of every event's payload by its code.
#[derive(Clone, Debug)]
pub struct SizeTable([u32; 256]);

impl SizeTable {
    /// The size of a payload; `None` for an undeclared event.
    #[inline]
    pub fn get(&self, code: u8) -> Option<usize> {
        self.0
            .get(usize::from(code))
            .filter(|&&size| size != u32::MAX)
            .map(|&size| size as usize)
    }
}
