//! An object store of our own: moto's S3 server, from PyPI, on loopback. It ends with the test.
//!
//! Other crates' tests have this file too, by its path.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::python::python;

/// The server for S3 alone: `moto[server]` would bring twice as much.
const PACKAGES: &[&str] = &["moto[s3]==5.2.5", "flask==3.1.3", "flask-cors==6.0.5"];

/// The server, and a Python with boto3 to look behind it.
pub struct Moto {
    child: Child,
    python: PathBuf,
    address: String,
}

impl Moto {
    /// Starts a server; `None`, with a word about it, where PyPI cannot be reached.
    pub fn start(root: &Path) -> Option<Self> {
        let python = python(root, "moto-python", PACKAGES)?;
        // A port that was free a moment ago.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        drop(listener);
        let mut child = Command::new(&python)
            .args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It says where it runs once it does.
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| line.is_ok_and(|line| line.contains("Running on"))));
        // What it says later must go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self {
            child,
            python,
            address: format!("http://127.0.0.1:{port}"),
        })
    }

    /// Tells a program how to reach the store.
    pub fn reach<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ENDPOINT_URL", &self.address)
            .env("AWS_ALLOW_HTTP", "true")
    }

    /// Runs some Python with boto3's client `s3`, and gives what it prints.
    pub fn boto(&self, folder: &Path, script: &str) -> String {
        let script = format!("import boto3\ns3 = boto3.client('s3')\n{script}");
        let mut command = Command::new(&self.python);
        command
            .args(["-c", &script])
            .current_dir(folder)
            .env("AWS_DEFAULT_REGION", "us-east-1");
        let output = self.reach(&mut command).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
