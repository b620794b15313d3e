//! Running the command.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The command, in the top folder, so that `samples/…` means the samples.
///
/// `cargo xtask release-test` names the program that is to be run instead, which was built as it is released.
pub fn command() -> Command {
    let built = env!("CARGO_BIN_EXE_postgame");
    let program = std::env::var_os("POSTGAME_PROGRAM").unwrap_or_else(|| built.into());
    let mut command = Command::new(program);
    command.current_dir(root()).env_remove("POSTGAME_CORPUS");
    command
}

/// What a run printed and how it ended.
pub struct Run {
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub code: i32,
}

impl Run {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }
}

/// Runs the command with some arguments and input.
pub fn run(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // From another thread: a command that fails early reads nothing, and one that writes much must be read meanwhile.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    Run {
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}
