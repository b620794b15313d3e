//! `postgame view`: recordings in the browser.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use postgame_view::Server;

use crate::input;
use crate::output::{Failure, Outcome, complain, stdout};

/// Watch recordings in the browser: a page on this machine, for this machine only
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame view bout.replay
  postgame view ~/Replays --port 8080 --no-open

The page is served on 127.0.0.1 until you press Ctrl-C. It shows only the files named here, and asks nothing of any
other machine.

Exit status: 2 nothing could be served.")]
pub struct Options {
    /// Recordings, and folders that are searched for them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address, but open no browser
    #[arg(long)]
    no_open: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<Outcome, Failure> {
    if !postgame_view::is_built() {
        return Err(Failure::new(
            "this program was built without the page: run `cargo xtask web` (it needs Node), then build again",
        ));
    }
    let mut paths = Vec::new();
    for file in input::files(&options.paths) {
        match file {
            Ok(path) if path.is_file() => paths.push(path),
            Ok(path) => complain(Failure::at(&path, "there is no such file")),
            Err(failure) => complain(failure),
        }
    }
    if paths.is_empty() {
        return Err(Failure::new("there is nothing to show"));
    }
    let server = Server::bind(paths, options.port)
        .map_err(|error| Failure::new(format!("port {}: {error}", options.port)))?;
    let address = server.address();
    let mut output = stdout();
    writeln!(output, "{address}")?;
    output.flush()?;
    drop(output);
    if !options.no_open {
        open(&address);
    }
    server
        .run()
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(Outcome::Fine)
}

/// Opens the browser; where there is none, the address has been printed.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    let started = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    if started.is_err() {
        complain("no browser could be opened: open the address above");
    }
}
