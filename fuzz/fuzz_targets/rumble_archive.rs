#![no_main]

postgame_fuzz_programs::behind_layers!("rumble_archive");
