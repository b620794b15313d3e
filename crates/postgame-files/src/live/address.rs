//! Names of sources: a path, `console://HOST[:PORT]` or `dolphin://HOST[:PORT]`.

use std::fmt;
use std::path::PathBuf;

/// The port of a console, and of Dolphin's spectator server.
pub const CONSOLE_PORT: u16 = 51_441;

/// The port of a relay; each further relay of a machine has the next one.
pub const RELAY_PORT: u16 = 53_741;

/// Where a game comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file that grows.
    File(PathBuf),
    /// A console or a relay, over TCP. The first bytes tell which it is.
    Tcp(Host),
    /// Dolphin's spectator server, over ENet.
    Dolphin(Host),
}

/// A host name or an IP address, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// The name, without the brackets of IPv6 addresses.
    pub name: String,
    /// The port.
    pub port: u16,
}

impl Address {
    /// Reads an address. What has none of the known schemes is a path.
    ///
    /// # Errors
    /// A message if the part after the scheme is not a host with an optional port.
    pub fn parse(text: &str) -> Result<Self, String> {
        let make_tcp: fn(Host) -> Self = Self::Tcp;
        for (scheme, make, port) in [
            ("console://", make_tcp, CONSOLE_PORT),
            ("relay://", make_tcp, RELAY_PORT),
            ("dolphin://", Self::Dolphin, CONSOLE_PORT),
        ] {
            if let Some(rest) = text.strip_prefix(scheme) {
                let host = Host::parse(rest, port)
                    .ok_or_else(|| format!("{text}: expected {scheme}HOST or {scheme}HOST:PORT"))?;
                return Ok(make(host));
            }
        }
        Ok(Self::File(PathBuf::from(text)))
    }

    /// True for a file.
    pub fn is_file(&self) -> bool {
        matches!(self, Self::File(_))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Tcp(host) => write!(f, "console://{host}"),
            Self::Dolphin(host) => write!(f, "dolphin://{host}"),
        }
    }
}

impl Host {
    fn parse(text: &str, default_port: u16) -> Option<Self> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let (name, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (name, port) = rest.split_once(']')?;
                match port {
                    "" => (name, None),
                    _ => (name, Some(port.strip_prefix(':')?)),
                }
            }
            None => match text.split_once(':') {
                Some((name, port)) => (name, Some(port)),
                None => (text, None),
            },
        };
        let port = match port {
            Some(port) => port.parse().ok().filter(|&port| port > 0)?,
            None => default_port,
        };
        let is_name = !name.is_empty() && !name.contains(['/', '@', ' ', '[', ']']);
        is_name.then(|| Self {
            name: name.to_owned(),
            port,
        })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_have_ports_of_their_own() {
        let shown = |text: &str| Address::parse(text).map(|address| address.to_string());
        assert_eq!(shown("console://wii"), Ok("console://wii:51441".to_owned()));
        assert_eq!(
            shown("relay://10.0.0.2"),
            Ok("console://10.0.0.2:53741".to_owned())
        );
        assert_eq!(
            shown("dolphin://[::1]:5000"),
            Ok("dolphin://[::1]:5000".to_owned())
        );
        assert!(Address::parse("a/b:c.slp").is_ok_and(|address| address.is_file()));
        for broken in [
            "console://",
            "dolphin://a:0",
            "relay://a:b",
            "console://a/b",
            "dolphin://[::1",
        ] {
            assert!(Address::parse(broken).is_err(), "{broken}");
        }
    }
}
