//! The process that writes to a data set.

use std::fmt;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A process that writes to a data set, as its lock describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// The name of its machine.
    pub host: String,
    /// When it started to write, in seconds since 1970.
    pub started_unix_s: u64,
    /// Identifies the machine since its last start, and the process id namespace; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
    /// Differs between any two runs.
    token: String,
    /// Counts renewals: no two contents of a lock are equal.
    #[serde(default)]
    beat: u64,
}

impl Holder {
    /// This process.
    pub(super) fn own() -> Self {
        let pid = std::process::id();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        let host = host();
        Self {
            pid,
            started_unix_s: now.as_secs(),
            machine: machine(),
            token: format!("{host}-{pid}-{}", now.as_nanos()),
            host,
            beat: 0,
        }
    }

    /// The holder that a lock's contents describe; `None` for other contents.
    pub(super) fn parse(contents: &[u8]) -> Option<Self> {
        serde_json::from_slice(contents).ok()
    }

    /// A lock's contents, different each time.
    pub(super) fn next_contents(&mut self) -> Vec<u8> {
        self.beat += 1;
        // Numbers and text cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(super) fn is_same_run(&self, other: &Self) -> bool {
        self.token == other.token
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// True if the process is known to have ended, which requires that it ran on this machine.
    pub(super) fn has_ended(&self) -> bool {
        let is_here = self.machine.is_some() && self.machine == machine();
        is_here && !std::path::Path::new(&format!("/proc/{}", self.pid)).exists()
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, host, .. } = self;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = now
            .unwrap_or_default()
            .as_secs()
            .saturating_sub(self.started_unix_s);
        write!(f, "process {pid} on {host}, started {seconds} s ago")
    }
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    let name = name.map(|name| name.trim().to_owned());
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| "an unnamed host".to_owned())
}

/// Linux has an id for each boot of the machine, and for each process id namespace (containers have their own).
fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let processes = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), processes.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_is_itself_and_alive() {
        let mut own = Holder::own();
        let (first, second) = (own.next_contents(), own.next_contents());
        assert_ne!(first, second);
        let parsed = Holder::parse(&first).unwrap();
        assert!(parsed.is_same_run(&own) && !parsed.has_ended());
        assert!(!parsed.is_same_run(&Holder::own()));
        assert_eq!(Holder::parse(b"notes of mine"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_of_this_machine_that_is_gone_has_ended() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        let gone = Holder {
            pid,
            ..Holder::own()
        };
        assert!(gone.has_ended());
        let elsewhere = Holder {
            machine: Some("another".to_owned()),
            ..gone
        };
        assert!(!elsewhere.has_ended());
    }
}
