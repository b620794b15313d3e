//! One program for each target of `postgame-fuzz`; see `cargo xtask fuzz`.

pub use libfuzzer_sys;
pub use postgame_fuzz;

/// A target whose bytes are mutated as they are.
#[macro_export]
macro_rules! plain {
    ($name:literal) => {
        static TARGET: std::sync::LazyLock<&$crate::postgame_fuzz::Target> =
            std::sync::LazyLock::new(|| $crate::postgame_fuzz::find($name).expect("the target"));

        $crate::libfuzzer_sys::fuzz_target!(
            init: $crate::postgame_fuzz::write_seeds(&TARGET),
            |data: &[u8]| (TARGET.run)(data)
        );
    };
}

/// A target whose bytes are mutated behind compression and checksums.
#[macro_export]
macro_rules! behind_layers {
    ($name:literal) => {
        $crate::plain!($name);

        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8],
                                              size: usize,
                                              max_size: usize,
                                              seed: u32| {
            $crate::postgame_fuzz::mutate::behind_layers(
                data,
                size,
                max_size,
                seed,
                &|data, size, max_size| $crate::libfuzzer_sys::fuzzer_mutate(data, size, max_size),
            )
        });
    };
}
