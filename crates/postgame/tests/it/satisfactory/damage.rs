//! Damaged files: never a panic, never a hang, never more memory than the file can hold; what is whole is still read.

use postgame::{ReadOptions, Recording, Severity};

use super::files;

/// A small generator of its own, so that every run damages the same bytes.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// Small files of every kind and era.
fn small() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for path in ["sav", "sbp", "sbpcfg"].into_iter().flat_map(files) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() < 130_000 {
            found.push((
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                bytes,
            ));
        }
    }
    assert!(found.len() > 2);
    found
}

/// Reads, checks, and if there is something, writes it back identical. Returns how many objects there are.
fn survive(name: &str, what: &str, bytes: &[u8], is_thorough: bool) -> usize {
    let Ok((recording, mut report)) = postgame::read(bytes, &ReadOptions::default()) else {
        return 0;
    };
    assert!(
        recording.write().unwrap() == bytes,
        "{name}, {what}: written back differently"
    );
    if is_thorough {
        recording.check(&mut report);
        recording.summary();
        recording.timeline();
        let mut repaired = recording.clone();
        if repaired.repair(&ReadOptions::default()).is_err() {
            return 0;
        }
        let written = repaired
            .write()
            .unwrap_or_else(|error| panic!("{name}, {what}: {error}"));
        postgame::read(&written, &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{name}, {what}: {error}"));
    }
    match &recording {
        Recording::Satisfactory(save) => save
            .body
            .as_ref()
            .unwrap()
            .all_levels()
            .map(|level| level.objects.len())
            .sum(),
        _ => 0,
    }
}

#[test]
fn prefixes_are_read_as_far_as_they_go_and_written_back() {
    for (name, bytes) in small() {
        let step = (bytes.len() / 23).max(1);
        for length in (0..bytes.len())
            .step_by(step)
            .chain(0..bytes.len().min(300))
        {
            survive(
                &name,
                &format!("first {length} bytes"),
                &bytes[..length],
                length % 7 == 0,
            );
        }
    }
}

#[test]
fn a_cut_save_keeps_the_objects_before_the_cut() {
    let Some(path) = files("sav")
        .into_iter()
        .find(|path| path.ends_with("Release-032.sav"))
    else {
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    let whole = survive("Release-032", "whole", &bytes, false);
    let mut last = 0;
    for part in [4, 6, 8, 9] {
        let objects = survive(
            "Release-032",
            "cut",
            &bytes[..bytes.len() * part / 10],
            true,
        );
        assert!(objects >= last && objects <= whole);
        last = objects;
    }
    assert!(
        last * 2 > whole,
        "{last} of {whole} objects in nine tenths of the file"
    );
}

#[test]
fn flipped_bits_are_survived_everywhere() {
    let mut random = Random(1);
    for (name, bytes) in small() {
        let header = bytes
            .windows(4)
            .position(|tag| tag == [0xc1, 0x83, 0x2a, 0x9e])
            .unwrap_or(bytes.len());
        for round in 0..60 {
            let mut damaged = bytes.clone();
            // In the header, in a chunk's header, anywhere.
            let at = match round % 3 {
                0 => random.below(header),
                1 => (header + random.below(49)).min(bytes.len() - 1),
                _ => random.below(bytes.len()),
            };
            let bit = random.below(8);
            damaged[at] ^= 1 << bit;
            survive(
                &name,
                &format!("bit {bit} of byte {at}"),
                &damaged,
                round % 6 == 0,
            );
        }
    }
}

/// Damage below the compression: the table of contents and the data.
#[test]
fn flipped_bits_in_the_body_are_survived() {
    use postgame::satisfactory::{self, Body};
    let mut random = Random(2);
    for (name, bytes) in small() {
        let mut report = postgame::Report::default();
        if !name.ends_with(".sav") {
            continue;
        }
        let save = satisfactory::read(&bytes, &ReadOptions::default(), &mut report).unwrap();
        let body: &Body = save.body.as_ref().unwrap();
        for round in 0..12 {
            let mut inflated = body.bytes().to_vec();
            for _ in 0..3 {
                let at = random.below(inflated.len());
                inflated[at] ^= 1 << random.below(8);
            }
            if round == 0 {
                // Sizes and counts at the very beginning.
                for byte in inflated.iter_mut().take(16) {
                    *byte = 0xff;
                }
            }
            let mut file = bytes[..bytes
                .windows(4)
                .position(|tag| tag == [0xc1, 0x83, 0x2a, 0x9e])
                .unwrap()]
                .to_vec();
            file.extend(stored_chunks(&inflated, save.chunks.names_compressor));
            survive(&name, &format!("body, round {round}"), &file, true);
        }
    }
}

/// Chunks that are not compressed at all: zlib with stored blocks.
fn stored_chunks(body: &[u8], names_compressor: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in body.chunks(131_072) {
        let mut packed = vec![0x78, 0x01];
        let blocks: Vec<&[u8]> = chunk.chunks(65_535).collect();
        for (index, block) in blocks.iter().enumerate() {
            packed.push(u8::from(index + 1 == blocks.len()));
            packed.extend((block.len() as u16).to_le_bytes());
            packed.extend((!(block.len() as u16)).to_le_bytes());
            packed.extend_from_slice(block);
        }
        let (mut a, mut b) = (1u32, 0u32);
        for &byte in chunk {
            a = (a + u32::from(byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        packed.extend((b << 16 | a).to_be_bytes());
        out.extend(0x9E2A_83C1u32.to_le_bytes());
        out.extend(if names_compressor { 0x2222_2222u32 } else { 0 }.to_le_bytes());
        out.extend(131_072u64.to_le_bytes());
        out.extend(names_compressor.then_some(3u8));
        for _ in 0..2 {
            out.extend((packed.len() as u64).to_le_bytes());
            out.extend((chunk.len() as u64).to_le_bytes());
        }
        out.extend(packed);
    }
    out
}

#[test]
fn chunks_that_are_whole_are_read_although_others_are_not() {
    let Some(path) = files("sav")
        .into_iter()
        .find(|path| path.ends_with("Release-032.sav"))
    else {
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    let whole = survive("Release-032", "whole", &bytes, false);
    let starts: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, tag)| *tag == [0xc1, 0x83, 0x2a, 0x9e])
        .map(|(at, _)| at)
        .collect();
    // In the middle of a chunk's data, and each field of its header.
    for offset in [60, 500, 0, 4, 8, 17, 25, 33, 41] {
        let mut damaged = bytes.clone();
        damaged[starts[starts.len() - 4] + offset] ^= 0x10;
        let (recording, report) = postgame::read(&damaged, &ReadOptions::default()).unwrap();
        let objects = survive("Release-032", "one chunk", &damaged, true);
        assert!(
            objects * 10 > whole * 9,
            "offset {offset}: {objects} of {whole} objects"
        );
        if [60, 500].contains(&offset) {
            assert_eq!(report.worst(), Some(Severity::Lost), "offset {offset}");
        }
        assert!(matches!(recording, Recording::Satisfactory(_)));
    }
}

#[test]
fn a_chunk_that_claims_a_huge_size_is_refused() {
    let (_, bytes) = small()
        .into_iter()
        .find(|(name, _)| name.ends_with(".sav"))
        .unwrap();
    let at = bytes
        .windows(4)
        .position(|tag| tag == [0xc1, 0x83, 0x2a, 0x9e])
        .unwrap();
    let sizes = at + if bytes[at + 4] == 0x22 { 17 } else { 16 };
    for huge in [u64::MAX, i64::MAX as u64, 1 << 40, 1 << 31] {
        let mut damaged = bytes.clone();
        for field in [sizes + 8, sizes + 24] {
            damaged[field..field + 8].copy_from_slice(&huge.to_le_bytes());
        }
        let (_, report) = postgame::read(&damaged, &ReadOptions::default()).unwrap();
        assert_eq!(report.worst(), Some(Severity::Lost), "{huge}");
        survive("huge", &huge.to_string(), &damaged, true);
    }
    let mut options = ReadOptions::default();
    options.limits.max_memory_bytes = Some(1000);
    let error = postgame::read(&bytes, &options).unwrap_err();
    assert!(error.is_out_of_memory(), "{error}");
    let text = error.to_string();
    assert!(text.contains("chunks: needs"), "{text}");
    assert!(text.contains("but 1000 bytes are allowed"), "{text}");
    assert!(text.contains("--max-memory 128MB"), "{text}");
}
