//! Writes the seeds of every target into a folder each, and the names of the targets with their dictionaries to standard
//! output.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("usage: fuzz-seeds FOLDER"));
    };
    for target in postgame_fuzz::TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
        println!("{} {}", target.name, target.dictionary);
    }
    Ok(())
}
