//! A second of silence as Ogg Opus: the smallest possible voice recording.

/// Opus' own clock.
const RATE_HZ: u64 = 48_000;

/// A packet of 20 ms, and the number of packets in a second.
const PACKET_SAMPLES: u64 = 960;
const PACKETS: u64 = RATE_HZ / PACKET_SAMPLES;

/// An Opus packet of 20 ms of silence: full band, mono, one frame.
const SILENCE: [u8; 3] = [0xf8, 0xff, 0xfe];

/// Flags of a page.
const FIRST: u8 = 2;
const LAST: u8 = 4;

/// The file.
pub fn silence() -> Vec<u8> {
    let mut head = b"OpusHead".to_vec();
    // Version 1, one channel, no samples to skip, the rate before encoding, no gain, one stream.
    head.extend([1, 1, 0, 0]);
    head.extend((RATE_HZ as u32).to_le_bytes());
    head.extend([0, 0, 0]);
    let mut tags = b"OpusTags".to_vec();
    let vendor = b"Postgame sample";
    tags.extend((vendor.len() as u32).to_le_bytes());
    tags.extend(vendor);
    tags.extend(0u32.to_le_bytes());
    let packets = SILENCE.repeat(PACKETS as usize);
    [
        page(FIRST, 0, 0, &[head.len() as u8], &head),
        page(0, 0, 1, &[tags.len() as u8], &tags),
        page(
            LAST,
            PACKETS * PACKET_SAMPLES,
            2,
            &[SILENCE.len() as u8; PACKETS as usize],
            &packets,
        ),
    ]
    .concat()
}

fn page(flags: u8, samples: u64, number: u32, sizes: &[u8], data: &[u8]) -> Vec<u8> {
    let mut page = b"OggS\0".to_vec();
    page.push(flags);
    page.extend(samples.to_le_bytes());
    page.extend(1u32.to_le_bytes());
    page.extend(number.to_le_bytes());
    let checksum_at = page.len();
    page.extend([0; 4]);
    page.push(sizes.len() as u8);
    page.extend(sizes);
    page.extend(data);
    let checksum = checksum(&page).to_le_bytes();
    page[checksum_at..checksum_at + 4].copy_from_slice(&checksum);
    page
}

/// Ogg's CRC-32: polynomial 0x04c11db7, most significant bit first, from 0.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0u32, |crc, byte| {
        (0..8).fold(crc ^ (u32::from(*byte) << 24), |crc, _| {
            (crc << 1) ^ if crc >> 31 == 1 { 0x04c1_1db7 } else { 0 }
        })
    })
}
