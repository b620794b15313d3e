#![no_main]

postgame_fuzz_programs::plain!("slippi_events");
