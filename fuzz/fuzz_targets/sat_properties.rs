#![no_main]

postgame_fuzz_programs::plain!("sat_properties");
