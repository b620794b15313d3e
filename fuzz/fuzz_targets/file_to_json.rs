#![no_main]

postgame_fuzz_programs::behind_layers!("file_to_json");
