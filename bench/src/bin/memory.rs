//! `memory GAME`: prints the memory that reading each file of a game takes, for `cargo xtask compare`.

use postgame_bench::memory::{Counter, print};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

fn main() {
    for game in std::env::args().skip(1) {
        print(&game, &Counter(&MEMORY));
    }
}
