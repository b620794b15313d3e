//! Clients that take and do not give: idle sockets, slow heads, answers that are never read.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use postgame_view::{Limits, Options, Server};

use crate::client::{Host, get, sample, serve_with};

/// How long a client may have to wait behind hundreds of idle ones.
const PATIENCE: Duration = Duration::from_secs(10);

fn limited(limits: Limits) -> Options {
    Options {
        limits,
        ..Options::default()
    }
}

/// True when the server has closed the connection: the stream ends, or is reset.
fn is_closed(stream: &mut TcpStream, within: Duration) -> bool {
    stream.set_read_timeout(Some(within)).unwrap();
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

/// Not a test by itself: the server that the next one starts as a process, to take descriptors away from it.
#[test]
#[ignore = "started by another test"]
fn child_server() {
    let server = Server::bind(vec![sample("bout.replay")], 0).unwrap();
    #[allow(clippy::print_stdout)]
    {
        println!("address {}", server.address());
    }
    server.run().unwrap();
}

#[cfg(unix)]
#[test]
fn four_hundred_idle_sockets_and_few_descriptors_leave_room_for_the_next_client() {
    for descriptors in [256, 64] {
        let this = std::env::current_exe().unwrap();
        let command = format!("ulimit -n {descriptors}; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &command])
            .arg(this)
            .args(["--ignored", "--exact", "--nocapture", "crowd::child_server"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("address ")?.1.to_owned()))
            .unwrap();
        let host = Host::at(&address);
        let idle: Vec<TcpStream> = (0..400)
            .map(|_| TcpStream::connect(&host.name).unwrap())
            .collect();
        for path in ["/api/recordings", "/api/recordings/0/outline"] {
            let start = Instant::now();
            assert_eq!(get(&host, path).status, 200, "{descriptors} descriptors");
            assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
        }
        assert!(child.try_wait().unwrap().is_none(), "the server has ended");
        child.kill().unwrap();
        child.wait().unwrap();
        drop(idle);
    }
}

#[test]
fn idle_sockets_and_slow_heads_are_cut() {
    let head = Duration::from_millis(500);
    let host = serve_with(
        vec![sample("bout.replay")],
        limited(Limits {
            head,
            ..Limits::default()
        }),
    );
    let mut idle = TcpStream::connect(&host.name).unwrap();
    let mut trickling = TcpStream::connect(&host.name).unwrap();
    let mut kept = TcpStream::connect(&host.name).unwrap();
    // One whole request, and then nothing more on a connection that may be used again.
    let (name, path) = (&host.name, host.path("/api/recordings"));
    write!(kept, "GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n").unwrap();
    let start = Instant::now();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {name}\r\nX-Slow: ");
    trickling.write_all(request.as_bytes()).unwrap();
    // A byte now and then is not progress: the head as a whole must come in time.
    let mut was_cut = false;
    while start.elapsed() < 20 * head && !was_cut {
        was_cut = trickling.write_all(b"a").is_err();
        std::thread::sleep(head / 10);
    }
    assert!(was_cut, "a head may take for ever");
    assert!(is_closed(&mut idle, 20 * head));
    assert!(is_closed(&mut kept, 20 * head));
    assert_eq!(get(&host, "/api/recordings").status, 200);
}

#[test]
fn an_answer_that_is_not_read_does_not_last() {
    let stalled = Duration::from_millis(500);
    let host = serve_with(
        vec![sample("bout.replay")],
        limited(Limits {
            stalled,
            ..Limits::default()
        }),
    );
    let mut stream = TcpStream::connect(&host.name).unwrap();
    let (name, path) = (&host.name, host.path("/api/recordings/0/outline"));
    // Far more than the system keeps for a client that does not read.
    let request = format!("GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n");
    stream
        .set_write_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let start = Instant::now();
    let mut was_cut = false;
    while start.elapsed() < Duration::from_secs(30) && !was_cut {
        was_cut = stream.write_all(request.as_bytes()).is_err_and(|error| {
            !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
        });
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(was_cut, "the connection is still open");
    assert_eq!(get(&host, "/api/recordings").status, 200);
}
