//! Extensions: other mods' data in the frames and in the archive.

use super::SecondReplay;

/// The archive folder with one folder for each extension.
const FOLDER: &str = "extensions/";

/// The chunk index of an extension: FNV-1a of its id over UTF-16 units, as the recorder computes it.
pub fn extension_index(id: &str) -> i32 {
    const OFFSET: u32 = 2_166_136_261;
    const PRIME: u32 = 16_777_619;
    let hash = id.encode_utf16().fold(OFFSET, |hash, unit| {
        (hash ^ u32::from(unit)).wrapping_mul(PRIME)
    });
    hash.cast_signed()
}

impl SecondReplay {
    /// The ids of the extensions that have files in the archive, sorted.
    ///
    /// An extension with chunks in the frames only leaves a hash of its id, see [`extension_index`], but not the id.
    pub fn extension_ids(&self) -> Vec<String> {
        let names = self.archive.entries.iter().map(|entry| &entry.header.name);
        let mut ids: Vec<String> = names
            .filter_map(|name| {
                let name = name.to_str();
                let (id, _) = name.strip_prefix(FOLDER)?.split_once('/')?;
                (!id.is_empty()).then(|| id.to_owned())
            })
            .collect();
        ids.sort();
        ids.dedup();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // Published test values of the 32-bit FNV-1a: "" and "a" and "foobar".
        assert_eq!(extension_index("").cast_unsigned(), 0x811c_9dc5);
        assert_eq!(extension_index("a").cast_unsigned(), 0xe40c_292c);
        assert_eq!(extension_index("foobar").cast_unsigned(), 0xbf9c_f968);
    }
}
