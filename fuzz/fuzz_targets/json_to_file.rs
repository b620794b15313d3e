#![no_main]

postgame_fuzz_programs::plain!("json_to_file");
