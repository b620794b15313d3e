#![no_main]

postgame_fuzz_programs::plain!("rumble_frames");
