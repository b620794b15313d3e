//! A server to ask, and a client that can ask for anything at all.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use postgame_view::{Options, Server};

/// A sample of the repository.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../samples")
        .join(name)
}

/// A server that runs, as a client knows it.
#[derive(Clone)]
pub struct Host {
    /// Name and port.
    pub name: String,
    /// The secret, which every path begins with.
    pub token: String,
}

impl Host {
    /// Takes an address apart.
    pub fn at(address: &str) -> Self {
        let rest = address.strip_prefix("http://").unwrap();
        let (name, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        Self {
            name: name.to_owned(),
            token: token.to_owned(),
        }
    }

    /// A path with the token before it.
    pub fn path(&self, path: &str) -> String {
        format!("/{}{path}", self.token)
    }
}

/// Starts a server on some files; it ends with the test's process.
pub fn serve(paths: Vec<PathBuf>) -> Host {
    serve_with(paths, Options::default())
}

/// Same, with options.
pub fn serve_with(paths: Vec<PathBuf>, options: Options) -> Host {
    let server = Server::bind_with(paths, 0, options).unwrap();
    let host = Host::at(&server.address());
    std::thread::spawn(|| server.run());
    host
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub headers: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends a request as it is written and reads the answer to its end.
pub fn send(host: &Host, request: &str) -> Answer {
    let mut stream = TcpStream::connect(&host.name).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap_or_else(|| panic!("no answer to {request:?}"));
    let headers = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    Answer {
        status,
        headers,
        body: bytes[end + 4..].to_vec(),
    }
}

/// Asks as our own page would.
pub fn get(host: &Host, path: &str) -> Answer {
    get_as_it_is(host, &host.path(path))
}

/// Same, without the token.
pub fn get_as_it_is(host: &Host, path: &str) -> Answer {
    let name = &host.name;
    send(
        host,
        &format!("GET {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"),
    )
}

/// Waits until every header has been read; the rows in the order of the files.
pub fn rows(host: &Host) -> Vec<serde_json::Value> {
    loop {
        let list = get(host, "/api/recordings").json();
        if list["read"] == list["total"] {
            let mut rows = list["rows"].as_array().unwrap().clone();
            rows.sort_by_key(|row| row["id"].as_u64());
            return rows;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The index of a pack, and where its arrays begin.
pub fn index(pack: &[u8]) -> (serde_json::Value, usize) {
    assert_eq!(&pack[..4], postgame_view::pack::MAGIC);
    let length = u32::from_le_bytes(pack[4..8].try_into().unwrap()) as usize;
    let index = serde_json::from_slice(&pack[8..8 + length]).unwrap();
    (index, (8 + length).next_multiple_of(8))
}
