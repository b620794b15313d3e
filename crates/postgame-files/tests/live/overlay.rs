//! Events for overlays.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use postgame_files::live::overlay::Overlay;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Error, Message, WebSocket, client};

fn connect(to: SocketAddr, origin: Option<&str>) -> Result<WebSocket<TcpStream>, String> {
    let mut request = format!("ws://{to}/").into_client_request().unwrap();
    if let Some(origin) = origin {
        request
            .headers_mut()
            .insert("origin", origin.parse().unwrap());
    }
    let stream = TcpStream::connect(to).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    client(request, stream)
        .map(|(socket, _)| socket)
        .map_err(|error| error.to_string())
}

fn text(socket: &mut WebSocket<TcpStream>) -> Option<String> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return Some(text.to_string()),
            Ok(Message::Close(_)) | Err(Error::ConnectionClosed) => return None,
            Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn pages_of_this_machine_get_events() {
    let overlay = Overlay::listen(0).unwrap();
    let to = overlay.address();
    assert!(to.ip().is_loopback());
    let refused = connect(to, Some("https://example.com")).unwrap_err();
    assert!(refused.contains("403"), "{refused}");
    overlay.begin();
    overlay.send("settings", true);
    let mut early = connect(to, Some("http://localhost:3000")).unwrap();
    assert_eq!(text(&mut early).as_deref(), Some("settings"));
    overlay.send("frame", false);
    assert_eq!(text(&mut early).as_deref(), Some("frame"));
    let mut late = connect(to, None).unwrap();
    assert_eq!(text(&mut late).as_deref(), Some("settings"));
    overlay.send("end", false);
    drop(overlay);
    for socket in [&mut early, &mut late] {
        assert_eq!(text(socket).as_deref(), Some("end"));
        assert_eq!(text(socket), None);
    }
}
