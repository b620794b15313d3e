//! Serves files and folders to the page alone: builds in a fraction of the time that the whole command takes.
//!
//! `cargo run -p postgame-view --example serve -- view --no-open PATHS…`, the arguments of `postgame view`, so that the
//! page's tests can run on it (`POSTGAME=…/examples/serve`).

use std::io::Write;
use std::path::PathBuf;

use postgame::limits::Limits;
use postgame_files::{Inputs, Spool};
use postgame_view::{Options, Server};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths = std::env::args_os().skip(1).map(PathBuf::from);
    let paths = paths.filter(|path| path.exists()).collect();
    let mut spool = Spool::new()?;
    let mut inputs = Vec::new();
    for input in Inputs::new(paths, Limits::default()).flatten() {
        inputs.push(input.spooled(&mut spool)?);
    }
    let server = Server::bind_inputs(inputs, 0, Options::default())?;
    writeln!(std::io::stdout(), "{}", server.address())?;
    Ok(server.run()?)
}
