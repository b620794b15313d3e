#![no_main]

postgame_fuzz_programs::plain!("rl_tables");
