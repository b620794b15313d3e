//! Accepts connections and serves HTTP on each.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use crate::connections::{Connection, Connections};
use crate::options::Limits;
use crate::watched::Watched;

/// Pause after a failed accept: long enough not to spin, too short for a user to notice.
const PAUSE: Duration = Duration::from_millis(50);
/// Maximum size of a request head; those of our own page are below a kilobyte.
const HEAD_BYTES: usize = 16 << 10;

/// Accepts connections forever and serves each of them.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits) {
    let connections = Connections::new(limits.connections);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let connection = connections.admit().await;
                tokio::spawn(answer(stream, connection, router.clone(), limits));
            }
            Err(error) if is_of_one_client(&error) => {}
            // Out of descriptors or memory. That is temporary, and open connections must not be affected.
            Err(error) => {
                if is_out_of_descriptors(&error) {
                    connections.shrink();
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Serves one connection until it ends, times out, or has to make room.
async fn answer(stream: TcpStream, connection: Connection, router: Router, limits: Limits) {
    let connection = Arc::new(connection);
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request: Request<Incoming>| {
        let busy = connection.busy();
        let answer = router.call(request.map(Body::new));
        async move {
            let answer = answer.await;
            drop(busy);
            answer
        }
    });
    let stream = Watched::new(stream, Arc::clone(&connection), limits.stalled);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // Whatever the error was, the connection is over and no other is affected.
        ended = served => drop(ended),
        () = connection.closing() => {}
    }
}

/// True if the error is about a connection that was closed before it was accepted.
fn is_of_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

/// ENFILE and EMFILE, which are 23 and 24 on every Unix, and WSAEMFILE; the standard library has no kind for them.
fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 24 | 10024))
}
