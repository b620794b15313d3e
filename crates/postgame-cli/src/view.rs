//! `postgame view`: recordings in the browser.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use clap::Args;
use postgame_files::Spool;
use postgame_view::Server;

use crate::input;
use crate::output::{Failure, Outcome, complain, stdout};

/// How long the file that leads the browser to the page is kept: long enough for a browser to start.
const REDIRECT_KEPT: Duration = Duration::from_secs(120);

/// Watch recordings in the browser: a page on this machine, for this user only
#[derive(Args)]
#[command(after_help = "\
Examples:
  postgame view bout.replay
  postgame view ~/Replays --port 8080 --no-open

The page is served on 127.0.0.1 until you press Ctrl-C. It shows only these recordings, and contacts no other machine. The address contains a secret, so other users of this machine see nothing.

Exit status: 2 no recording could be served.")]
pub struct Options {
    /// Recordings: files, folders, patterns, archives, `s3://` addresses; `-` for standard input [default: the folders in which the games keep their files]
    paths: Vec<PathBuf>,
    /// The port; 0 for any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address without opening a browser
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
    let mut inputs = Vec::new();
    let mut spool = Spool::new()?;
    let paths = input::paths_or_known_folders(&options.paths)?;
    for input in input::files(&paths, input::Prints::AtTheEnd) {
        let kept = input.and_then(|input| match input.path() {
            Some(path) if !path.is_file() => Err(Failure::at(path, "there is no such file")),
            _ => Ok(input.spooled(&mut spool)?),
        });
        match kept {
            Ok(input) => inputs.push(input),
            Err(failure) => complain(failure),
        }
    }
    if inputs.is_empty() {
        return Err(Failure::new("there are no recordings to show"));
    }
    let serving = postgame_view::Options {
        memory: input::limits(),
        ..postgame_view::Options::default()
    };
    let server = Server::bind_inputs(inputs, options.port, serving)
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

/// Opens the browser; if that fails, the address has been printed.
fn open(address: &str) {
    if redirect(address).and_then(start_browser).is_err() {
        complain("no browser could be opened: open the address above");
    }
}

/// A file that only this user can read, and that sends a browser to the address.
///
/// Other users can see the arguments of every program, so the address with its secret must not be one.
fn redirect(address: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("postgame-view-")
        .suffix(".html")
        .tempfile()?;
    writeln!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><title>Postgame</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\"><a href=\"{address}\">Postgame</a>"
    )?;
    file.flush()?;
    Ok(file)
}

fn start_browser(file: tempfile::NamedTempFile) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut opener = Command::new(program)
        .args(arguments)
        .arg(file.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    thread::spawn(move || {
        thread::sleep(REDIRECT_KEPT);
        // The file is deleted here. Whether the opener has succeeded cannot be told: some wait for the browser to end.
        drop(file);
        drop(opener.try_wait());
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_redirect_is_for_this_user_only_and_names_the_address() {
        let address = "http://127.0.0.1:8000/0123/";
        let file = redirect(address).unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.contains(&format!("url={address}\"")), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.as_file().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0);
        }
    }
}
