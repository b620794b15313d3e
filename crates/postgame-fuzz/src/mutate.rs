//! The mutator: changes the contents behind compression and checksums, instead of breaking them.

use crate::layers::Layer;

/// libFuzzer's mutator: changes the first `size` bytes of a buffer, up to the given length; returns the new size.
pub type Mutate<'a> = &'a dyn Fn(&mut [u8], usize, usize) -> usize;

/// Changes an input of at most `max_size` bytes in place: usually behind its outer layer, sometimes directly.
pub fn behind_layers(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    mutate: Mutate<'_>,
) -> usize {
    let is_outside = seed.is_multiple_of(5);
    let opened = data.get(..size).filter(|_| !is_outside);
    let closed = opened
        .and_then(|input| Layer::open(input, seed / 5))
        .and_then(|(layer, inside)| layer.close(&mutated(inside, max_size, mutate)));
    match closed {
        Some(file) if file.len() <= max_size => {
            data[..file.len()].copy_from_slice(&file);
            file.len()
        }
        _ => mutate(data, size, max_size),
    }
}

fn mutated(mut inside: Vec<u8>, max_size: usize, mutate: Mutate<'_>) -> Vec<u8> {
    let size = inside.len();
    // Room to grow, within the maximum size.
    let room = max_size.max(size);
    inside.resize(room, 0);
    let size = mutate(&mut inside, size, room);
    inside.truncate(size);
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_gets_behind_the_compression() {
        let mut changed = 0;
        for seed_file in crate::seeds::files() {
            let Some((_, before)) = Layer::open(&seed_file, 0) else {
                continue;
            };
            let mut data = seed_file.clone();
            let size = data.len();
            data.resize(8192, 0);
            let flip = |bytes: &mut [u8], size: usize, _: usize| {
                bytes[size / 2] ^= 0xff;
                size
            };
            let size = behind_layers(&mut data, size, 8192, 1, &flip);
            let (_, after) = Layer::open(&data[..size], 0).expect("it still opens");
            assert_eq!(after.len(), before.len());
            assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 1);
            changed += 1;
        }
        assert!(changed >= 4, "only {changed} seeds have a layer");
    }
}
