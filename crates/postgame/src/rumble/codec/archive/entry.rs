//! The contents of an entry: inflated, compared with its headers, replaced.

use super::records::length32;
use super::{DEFLATED, DirectoryEntry, ENCRYPTED, Entry, Facts, SIZES_AFTER, STORED};
use crate::error::{Error, Place, Result, Space};
use crate::limits::Budget;
use crate::wire::json::Bytes;
use crate::wire::packed::{Codec, Inflated, Packed};
use crate::wire::strings::Text;

impl Entry {
    /// The offset of its data in the file.
    pub fn place(&self) -> Place {
        Place {
            offset: self.data_offset,
            bit: None,
            space: Space::File,
        }
    }

    /// The directory's properties if there are any: they are valid even if the sizes come after the data.
    pub(super) fn facts(&self) -> &Facts {
        self.directory
            .as_ref()
            .map_or(&self.header.facts, |directory| &directory.facts)
    }

    /// The contents, decompressed.
    ///
    /// # Errors
    /// When the entry is encrypted, compressed in an unknown way, or larger than the remaining budget.
    pub fn inflate(&self, budget: &Budget) -> Result<Inflated> {
        let facts = self.facts();
        if facts.flags & ENCRYPTED != 0 {
            return Err(Error::unsupported("an encrypted archive entry"));
        }
        match facts.method {
            STORED => {
                budget.charge(self.data.0.len() as u64)?;
                Ok(Inflated {
                    bytes: self.data.0.clone(),
                    broken: None,
                })
            }
            DEFLATED => {
                Codec::Deflate.inflate(&self.data.0, usize::try_from(facts.size).ok(), budget)
            }
            method => Err(Error::unsupported(format!(
                "compression method {method} of the archive"
            ))),
        }
    }

    /// The contents, if they are complete and not larger than `most` bytes.
    ///
    /// # Errors
    /// When the entry is encrypted, compressed in an unknown way, damaged or larger.
    pub fn inflate_at_most(&self, most: usize) -> Result<Vec<u8>> {
        let facts = self.facts();
        let inflated = match facts.method {
            _ if facts.flags & ENCRYPTED != 0 => {
                return Err(Error::unsupported("an encrypted archive entry"));
            }
            // One byte more than allowed, to detect larger contents.
            DEFLATED => Codec::Deflate.inflate_beginning(&self.data.0, most as u64 + 1)?,
            _ if self.data.0.len() <= most => self.inflate(&Budget::new(most as u64))?,
            _ => {
                return Err(Error::too_large(
                    "an entry",
                    self.data.0.len() as u64,
                    most as u64,
                ));
            }
        };
        match inflated.broken {
            Some(error) => Err(error),
            None if inflated.bytes.len() > most => Err(Error::too_large(
                "an entry",
                inflated.bytes.len() as u64,
                most as u64,
            )),
            None => Ok(inflated.bytes),
        }
    }

    /// Copies the local header's properties to the directory record.
    pub fn list(&mut self) {
        self.directory = Some(DirectoryEntry {
            version_made_by: self.header.facts.version_needed,
            facts: self.header.facts.clone(),
            name: self.header.name.clone(),
            extra: Bytes::default(),
            comment: Text::default(),
            disk: 0,
            internal_attributes: 0,
            external_attributes: 0,
        });
    }

    /// True when the contents are stored without compression.
    pub fn is_stored(&self) -> bool {
        self.facts().method == STORED
    }

    /// True when replacing the entry's contents with these would keep its stated sizes and checksum. If they are wrong
    /// or stored elsewhere, [`Self::replace`] would correct them.
    pub fn describes(&self, contents: &[u8]) -> bool {
        let size = contents.len() as u64;
        let directory = self.directory.as_ref().map(|directory| &directory.facts);
        self.after.0.is_empty()
            && std::iter::once(&self.header.facts)
                .chain(directory)
                .all(|facts| {
                    facts.flags & SIZES_AFTER == 0
                        && facts.method == STORED
                        && u64::from(facts.compressed_size) == size
                        && u64::from(facts.size) == size
                        && facts.crc32 == libdeflater::crc32(contents)
                })
    }

    /// True when the contents match the checksum in the header or in the directory.
    pub(crate) fn proves(&self, contents: &[u8]) -> bool {
        let crc32 = libdeflater::crc32(contents);
        let size = contents.len() as u64;
        let listed = self.directory.as_ref().map(|directory| &directory.facts);
        let mut facts = std::iter::once(&self.header.facts).chain(listed);
        // An empty entry's checksum is 0, and so is one that was never filled in.
        facts.any(|facts| facts.crc32 == crc32 && (crc32 != 0 || u64::from(facts.size) == size))
    }

    /// Sets sizes and checksum in the header and the directory to those of the contents. Returns `true` if they
    /// changed. A header whose sizes come after the data has none.
    pub(crate) fn restate(&mut self, contents: &[u8]) -> Result<bool> {
        let right = [
            libdeflater::crc32(contents),
            length32(self.data.0.len())?,
            length32(contents.len())?,
        ];
        let listed = self
            .directory
            .as_mut()
            .map(|directory| &mut directory.facts);
        let states_none = self.header.facts.flags & SIZES_AFTER != 0;
        let header = Some(&mut self.header.facts).filter(|_| !states_none);
        let mut is_changed = false;
        for facts in header.into_iter().chain(listed) {
            let stated = [facts.crc32, facts.compressed_size, facts.size];
            is_changed |= stated != right;
            [facts.crc32, facts.compressed_size, facts.size] = right;
        }
        Ok(is_changed)
    }

    /// Replaces the entry's contents, and with them data, sizes and checksum. The same contents change nothing.
    ///
    /// # Errors
    /// When compressing fails or the contents are too large for the format.
    pub fn replace(&mut self, contents: &[u8]) -> Result<()> {
        let stored = self.is_stored();
        if stored && self.data.0 == contents {
            return Ok(());
        }
        if !stored && Packed::new(Codec::Deflate, &self.data.0).holds(contents) {
            return Ok(());
        }
        let data = if stored {
            contents.to_vec()
        } else {
            Codec::Deflate.deflate(contents)?
        };
        let (compressed_size, size) = (length32(data.len())?, length32(contents.len())?);
        let crc32 = libdeflater::crc32(contents);
        let directory = self
            .directory
            .as_mut()
            .map(|directory| &mut directory.facts);
        for facts in std::iter::once(&mut self.header.facts).chain(directory) {
            facts.flags &= !SIZES_AFTER;
            facts.method = if stored { STORED } else { DEFLATED };
            (facts.crc32, facts.compressed_size, facts.size) = (crc32, compressed_size, size);
        }
        self.after = Bytes::default();
        self.data = Bytes(data);
        Ok(())
    }
}
