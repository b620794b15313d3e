//! The checksum of both sections: CRC-32 with the usual polynomial, most significant bit first, and Psyonix' own start
//! value.
//!
//! Processors have fast instructions for the *reflected* CRC-32, least significant bit first. Reversing the bits of
//! every byte, of the start value and of the result converts one into the other.

/// The start value and the final XOR of all ones, in the reflected form.
const START: u32 = 0x1034_0dfeu32.reverse_bits() ^ u32::MAX;

/// The checksum of some bytes.
pub fn crc(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(START);
    let mut reversed = [0u8; 4096];
    for chunk in bytes.chunks(reversed.len()) {
        for (target, byte) in reversed.iter_mut().zip(chunk) {
            *target = byte.reverse_bits();
        }
        hasher.update(reversed.get(..chunk.len()).unwrap_or_default());
    }
    hasher.finalize().reverse_bits()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The reference implementation, bit by bit.
    fn slowly(bytes: &[u8]) -> u32 {
        let mut register = 0x1034_0dfeu32;
        for byte in bytes {
            register ^= u32::from(*byte) << 24;
            for _ in 0..8 {
                let carry = register >> 31 != 0;
                register <<= 1;
                if carry {
                    register ^= 0x04c1_1db7;
                }
            }
        }
        !register
    }

    #[test]
    fn the_known_value() {
        assert_eq!(crc(&[0xa0]), 0x76cc_8c81);
    }

    proptest! {
        #[test]
        fn as_the_definition_says(bytes in prop::collection::vec(any::<u8>(), 0..9000)) {
            prop_assert_eq!(crc(&bytes), slowly(&bytes));
        }
    }
}
