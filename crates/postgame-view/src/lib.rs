//! Postgame's viewer: a web server on loopback, with the page built in.
//!
//! ```no_run
//! let server = postgame_view::Server::bind(vec!["samples/bout.replay".into()], 0)?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Only the given files are served, by number; columns travel as binary [`pack`]s, in pieces around the playhead.

mod columns;
mod factory;
mod guard;
mod library;
pub mod pack;
mod page;
mod rollbacks;
mod routes;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

pub use page::is_built;

use library::Library;

/// A server that listens already and answers once it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    library: Arc<Library>,
}

impl Server {
    /// Listens on 127.0.0.1 for requests about some files; port 0 means any that is free.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub fn bind(paths: Vec<PathBuf>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self {
            listener,
            port,
            library: Arc::new(Library::new(paths)),
        })
    }

    /// Where a browser finds it.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// When the system gives no threads or takes the listener away.
    pub fn run(self) -> io::Result<()> {
        let Self {
            listener,
            port,
            library,
        } = self;
        let headers = Arc::clone(&library);
        std::thread::Builder::new()
            .name("headers".to_owned())
            .spawn(move || headers.read_headers())?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_io()
            .build()?;
        runtime.block_on(async {
            listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, routes::router(library, port)).await
        })
    }
}
