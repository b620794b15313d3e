//! The digest that identifies a recording: the SHA-256 of its file.
//!
//! ```
//! let digest = postgame::sha256(b"");
//! assert!(digest.starts_with("e3b0c442") && digest.len() == 64);
//! ```

use sha2::{Digest, Sha256};

/// The SHA-256 of `bytes` in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
