//! What the server survives.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::client::{get, rows, sample, serve};

#[test]
fn a_client_that_goes_away_harms_nobody() {
    let host = serve(vec![sample("bout.replay")]);
    for cut in 0..20 {
        let mut stream = TcpStream::connect(&host.name).unwrap();
        let (name, path) = (&host.name, host.path("/api/recordings/0/outline"));
        let request = format!("GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n");
        let part = &request.as_bytes()[..request.len() * (cut + 1) / 20];
        stream.write_all(part).unwrap();
        if cut == 19 {
            // In the middle of the answer.
            let mut some = [0; 100];
            stream.read_exact(&mut some).unwrap();
        }
        drop(stream);
    }
    assert_eq!(get(&host, "/api/recordings/0/outline").status, 200);
}

#[test]
fn fifty_clients_at_once_get_the_same_answer() {
    let host = serve(vec![sample("bout.replay"), sample("bout-archive.replay")]);
    let expected: Vec<Vec<u8>> = (0..2)
        .map(|id| get(&host, &format!("/api/recordings/{id}/outline")).body)
        .collect();
    assert_ne!(expected[0], expected[1]);
    let clients: Vec<_> = (0..50)
        .map(|client| {
            let host = host.clone();
            std::thread::spawn(move || {
                get(&host, &format!("/api/recordings/{}/outline", client % 2))
            })
        })
        .collect();
    for (client, answer) in clients.into_iter().enumerate() {
        let answer = answer.join().unwrap();
        assert_eq!(answer.status, 200);
        assert!(answer.body == expected[client % 2], "client {client}");
    }
}

#[test]
fn a_file_may_vanish_and_grow() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = ["kept", "gone"]
        .map(|name| folder.path().join(format!("{name}.replay")))
        .into();
    let bytes = std::fs::read(sample("bout.replay")).unwrap();
    std::fs::write(&paths[0], &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(&paths[1], &bytes).unwrap();
    let host = serve(paths.clone());
    assert_eq!(rows(&host).len(), 2);

    // What is open stays open; what was not opened yet is gone, and says so.
    let outline = "/api/recordings/0/outline";
    let half = get(&host, outline).body;
    std::fs::remove_file(&paths[1]).unwrap();
    let gone = get(&host, "/api/recordings/1/outline");
    assert_eq!(gone.status, 404);
    assert!(!gone.text().contains("gone.replay"), "{}", gone.text());

    // A file that is still being written is read again when it has grown.
    let before = get(&host, "/api/recordings/0/revision").text();
    std::fs::write(&paths[0], &bytes).unwrap();
    assert_ne!(get(&host, "/api/recordings/0/revision").text(), before);
    let whole = get(&host, outline).body;
    assert_ne!(whole, half);

    std::fs::remove_file(&paths[0]).unwrap();
    assert!(get(&host, outline).body == whole, "what was read stays");
    assert_eq!(get(&host, "/api/recordings").status, 200);
}
