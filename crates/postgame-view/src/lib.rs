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

mod accept;
mod columns;
mod connections;
mod factory;
mod guard;
mod library;
mod options;
pub mod pack;
mod page;
mod rollbacks;
mod routes;
mod token;
mod watched;
mod world;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

pub use options::{BeforeReading, Limits, Options};
pub use page::is_built;

use postgame_files::Input;

use guard::Guard;
use library::Library;
use token::Token;

/// Number of threads that read headers for the list: several, so that a slow file does not hold up the others.
const HEADER_THREADS: usize = 4;

/// A server that is already listening, and serves requests once it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    limits: Limits,
    library: Arc<Library>,
}

impl Server {
    /// Listens on 127.0.0.1 for requests about some files; port 0 selects a free port.
    ///
    /// # Errors
    /// When the port is taken or not allowed, or the system has no random numbers.
    pub fn bind(paths: Vec<PathBuf>, port: u16) -> io::Result<Self> {
        Self::bind_with(paths, port, Options::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`Server::bind`].
    pub fn bind_with(paths: Vec<PathBuf>, port: u16, options: Options) -> io::Result<Self> {
        let inputs = paths.iter().map(|path| Input::file(path)).collect();
        Self::bind_inputs(inputs, port, options)
    }

    /// The same with inputs from anywhere. Those in memory stay there: see [`Input::spooled`].
    ///
    /// # Errors
    /// As [`Server::bind`].
    pub fn bind_inputs(inputs: Vec<Input>, port: u16, options: Options) -> io::Result<Self> {
        let token = Token::random()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self {
            listener,
            guard: Guard { port, token },
            limits: options.limits,
            library: Arc::new(Library::new(inputs, options)),
        })
    }

    /// The URL for a browser. It contains a secret: requests without it are refused.
    pub fn address(&self) -> String {
        let Guard { port, token } = &self.guard;
        format!("http://127.0.0.1:{port}/{}/", token.as_str())
    }

    /// Serves requests until the process ends.
    ///
    /// # Errors
    /// When threads cannot be created, or the listener fails.
    pub fn run(self) -> io::Result<()> {
        let Self {
            listener,
            guard,
            limits,
            library,
        } = self;
        for _ in 0..HEADER_THREADS {
            let library = Arc::clone(&library);
            std::thread::Builder::new()
                .name("headers".to_owned())
                .spawn(move || library.read_headers())?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(limits.readers.max(1) + limits.answers.max(1))
            .enable_all()
            .build()?;
        runtime.block_on(async {
            listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(listener)?;
            accept::serve(listener, routes::router(library, guard), limits).await;
            Ok(())
        })
    }
}
