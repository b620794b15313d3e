//! A console or a relay over TCP, connected again when the connection is lost.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use super::address::Host;
use super::console::{Console, Message};
use super::retry::Retry;
use super::session::Options;
use super::source::News;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// The shortest wait for data: a timeout of zero would mean to wait for ever.
const SHORTEST: Duration = Duration::from_millis(1);

/// A connection, or the wait for the next one.
pub struct Tcp {
    host: Host,
    console: Console,
    stream: Option<TcpStream>,
    retry: Retry,
    silence: Duration,
    last_heard: Instant,
    /// Whether the peer has said anything on this connection, and on an earlier one.
    was_heard: bool,
    was_heard_before: bool,
    buffer: Vec<u8>,
}

impl Tcp {
    /// Connects for the first time.
    ///
    /// # Errors
    /// When that fails.
    pub fn open(host: &Host, options: &Options) -> io::Result<Self> {
        let mut tcp = Self {
            host: host.clone(),
            console: Console::default(),
            stream: None,
            retry: Retry::new(options.waits),
            silence: options.silence,
            last_heard: Instant::now(),
            was_heard: false,
            was_heard_before: false,
            buffer: vec![0; 1 << 16],
        };
        tcp.connect()?;
        Ok(tcp)
    }

    fn connect(&mut self) -> io::Result<()> {
        let mut error = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in (self.host.name.as_str(), self.host.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT) {
                Ok(mut stream) => {
                    stream.set_nodelay(true)?;
                    stream.set_write_timeout(Some(CONNECT))?;
                    stream.write_all(&self.console.begin())?;
                    self.stream = Some(stream);
                    self.last_heard = Instant::now();
                    self.was_heard = false;
                    self.retry.connected();
                    return Ok(());
                }
                Err(failure) => error = failure,
            }
        }
        Err(error)
    }

    /// The next news; `None` if there are none within `patience`.
    pub fn next(&mut self, patience: Duration) -> io::Result<Option<News>> {
        if self.stream.is_none() {
            let wait = self.retry.wait();
            if !wait.is_zero() {
                std::thread::sleep(wait.min(patience));
                return Ok(None);
            }
            return Ok(match self.connect() {
                Ok(()) => None,
                Err(error) => Some(self.lost(error)),
            });
        }
        match self.read(patience) {
            Ok(news) => Ok(news),
            Err(error) => Ok(Some(self.lost(error))),
        }
    }

    fn lost(&mut self, error: io::Error) -> News {
        self.stream = None;
        self.was_heard_before |= self.was_heard;
        self.retry.failed();
        News::Disconnected(error.to_string())
    }

    fn read(&mut self, patience: Duration) -> io::Result<Option<News>> {
        if let Some(message) = self.console.next_message()? {
            return Ok(Some(self.news(message)));
        }
        let Some(stream) = &mut self.stream else {
            return Ok(None);
        };
        stream.set_read_timeout(Some(patience.max(SHORTEST)))?;
        match stream.read(&mut self.buffer) {
            Ok(0) => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the connection was closed",
            )),
            Ok(count) => {
                self.last_heard = Instant::now();
                let bytes = self.buffer.get(..count).unwrap_or_default();
                self.console.push(bytes);
                let is_first = !std::mem::replace(&mut self.was_heard, true);
                Ok(match self.console.next_message()? {
                    // A relay sends its game from the start again.
                    Some(Message::Data(data))
                        if is_first && self.console.is_bare() && self.was_heard_before =>
                    {
                        Some(News::Again(data))
                    }
                    Some(message) => Some(self.news(message)),
                    None => None,
                })
            }
            Err(error) if is_timeout(&error) => {
                if self.last_heard.elapsed() >= self.silence {
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        "the peer is silent",
                    ));
                }
                Ok(None)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn news(&mut self, message: Message) -> News {
        match message {
            Message::Hello { name, is_continued } => News::Connected { name, is_continued },
            Message::Data(data) => News::Bytes(data),
            Message::Gap => News::Gap,
            Message::KeepAlive => News::Alive,
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}
