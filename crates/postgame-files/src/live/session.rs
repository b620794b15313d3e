//! A source, its events, and its games one after the other.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use postgame::slippi::Replay;
use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame::slippi::model::messages::Message;

use super::address::Address;
use super::game::{Games, PREFIX, Part};
use super::metadata::metadata;
use super::relay::Relay;
pub use super::retry::Waits;
use super::save::SaveFile;
use super::source::{News, Source};
use crate::follow::GRACE;

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How long to wait for more after a game's end.
    pub grace: Duration,
    /// How long a peer may be silent before the connection counts as lost.
    pub silence: Duration,
    /// Waits before connecting again.
    pub waits: Waits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            grace: GRACE,
            silence: Duration::from_secs(20),
            waits: Waits::default(),
        }
    }
}

/// What came of looking.
#[derive(Debug)]
#[non_exhaustive]
pub enum Look {
    /// An event of the game.
    Event(Box<LiveEvent>),
    /// A recording begins; of a file: anew, what was there before no longer counts.
    Begins,
    /// It is over. [`Session::finish`] has it until the next look.
    Ended {
        /// Whether the game's end was recorded.
        is_whole: bool,
        /// The file it was saved to.
        saved: Option<PathBuf>,
    },
    /// The peer answered, with its name, which may be empty.
    Connected(String),
    /// The connection was lost; another is tried.
    Disconnected(String),
    /// Some data was lost, and reading goes on after it.
    Gap,
    /// Nothing yet.
    Nothing,
}

/// A source that is read.
pub struct Session {
    address: Address,
    options: Options,
    source: Source,
    /// Of sources without files.
    games: Option<Games>,
    parts: VecDeque<Part>,
    reader: LiveReader,
    console: String,
    began: SystemTime,
    last_data: Instant,
    last_news: Instant,
    is_over: bool,
    /// Whether the running game's metadata was made.
    is_closed: bool,
    save: Option<(PathBuf, Option<SaveFile>)>,
    relay: Option<Relay>,
    saved: Option<PathBuf>,
}

impl Session {
    /// Opens a source.
    ///
    /// # Errors
    /// When the file cannot be opened or the host does not answer. A connection that is lost later is made again.
    pub fn open(address: Address, options: Options) -> io::Result<Self> {
        let source = Source::open(&address, &options)?;
        let now = Instant::now();
        Ok(Self {
            games: (!address.is_file()).then(Games::default),
            address,
            options,
            source,
            parts: VecDeque::new(),
            reader: LiveReader::new(),
            console: String::new(),
            began: SystemTime::now(),
            last_data: now,
            last_news: now,
            is_over: false,
            is_closed: false,
            save: None,
            relay: None,
            saved: None,
        })
    }

    /// Saves every game to a folder, as a file named after its beginning.
    ///
    /// # Errors
    /// A file that grows is there already.
    pub fn save_to(&mut self, folder: PathBuf) -> io::Result<()> {
        self.needs_network("only games from the network are saved")?;
        self.save = Some((folder, None));
        Ok(())
    }

    /// Passes every game on.
    ///
    /// # Errors
    /// A file is not passed on.
    pub fn relay_to(&mut self, relay: Relay) -> io::Result<()> {
        self.needs_network("only games from the network are relayed")?;
        self.relay = Some(relay);
        Ok(())
    }

    fn needs_network(&self, message: &str) -> io::Result<()> {
        match self.games {
            Some(_) => Ok(()),
            None => Err(io::Error::new(io::ErrorKind::InvalidInput, message)),
        }
    }

    /// True for a file.
    pub fn is_file(&self) -> bool {
        self.games.is_none()
    }

    /// The running game so far.
    pub fn reader(&self) -> &LiveReader {
        &self.reader
    }

    /// How long nothing has come.
    pub fn silence(&self) -> Duration {
        self.last_news.elapsed()
    }

    /// Takes the game so far, as a recording, and starts again: a file from its beginning, the network with the next game.
    /// `None` before the game's start has arrived.
    ///
    /// # Errors
    /// The file system's.
    pub fn finish(&mut self) -> io::Result<Option<Replay>> {
        if self.games.is_none() {
            self.source = Source::open(&self.address, &self.options)?;
        }
        Ok(self.take())
    }

    /// The same, but a file stays where it is: its name may lead elsewhere by now.
    pub fn take(&mut self) -> Option<Replay> {
        self.last_news = Instant::now();
        self.is_closed = false;
        self.reset().finish()
    }

    fn reset(&mut self) -> LiveReader {
        self.is_over = false;
        std::mem::take(&mut self.reader)
    }

    /// Looks for the next event, for at most `patience`.
    ///
    /// # Errors
    /// The file system's: of a file that is followed, or of one that is saved.
    pub fn look(&mut self, patience: Duration) -> io::Result<Look> {
        let end = Instant::now() + patience;
        loop {
            if let Some(event) = self.reader.next_event() {
                self.is_over |= matches!(
                    event,
                    LiveEvent::Message {
                        message: Message::End { .. }
                    }
                );
                return Ok(Look::Event(Box::new(event)));
            }
            if let Some(part) = self.parts.pop_front() {
                match self.part(part)? {
                    Some(look) => return Ok(look),
                    None => continue,
                }
            }
            if self.is_file_over() {
                return Ok(Look::Ended {
                    is_whole: !self.reader.is_broken(),
                    saved: None,
                });
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.source.next(left)? {
                Some(news) => {
                    if let Some(look) = self.news(news) {
                        return Ok(look);
                    }
                }
                None if self.is_late() => self.finish_game(),
                None if Instant::now() >= end => return Ok(Look::Nothing),
                None => {}
            }
        }
    }

    /// True when nothing more is to be expected of the running game.
    fn is_late(&self) -> bool {
        let is_over = self.games.as_ref().is_some_and(Games::is_over);
        is_over && self.last_data.elapsed() >= self.options.grace
    }

    fn is_file_over(&self) -> bool {
        let is_late = || self.is_over && self.last_data.elapsed() >= self.options.grace;
        self.games.is_none() && (self.reader.is_done() || self.reader.is_broken() || is_late())
    }

    fn finish_game(&mut self) {
        let mut parts = Vec::new();
        if let Some(games) = &mut self.games {
            games.finish(&mut parts);
        }
        self.parts.extend(parts);
    }

    /// Takes news; some are for the caller.
    fn news(&mut self, news: News) -> Option<Look> {
        match news {
            News::Bytes(bytes) => self.data(&bytes),
            News::Again(bytes) => {
                self.jump();
                self.data(&bytes);
            }
            News::EventGap(bytes) => {
                self.data(&bytes);
                return Some(Look::Gap);
            }
            News::Gap => {
                self.jump();
                return Some(Look::Gap);
            }
            News::Anew => {
                self.reset();
                self.last_news = Instant::now();
                return Some(Look::Begins);
            }
            News::Connected { name, is_continued } => {
                if !is_continued {
                    self.jump();
                }
                if !name.is_empty() {
                    self.console.clone_from(&name);
                }
                return Some(Look::Connected(name));
            }
            News::Disconnected(why) => {
                // Nothing more comes of a game that is over.
                if self.games.as_ref().is_some_and(Games::is_over) {
                    self.finish_game();
                }
                return Some(Look::Disconnected(why));
            }
            News::Over => {
                if self.games.as_ref().is_some_and(Games::is_over) {
                    self.finish_game();
                }
            }
            News::Alive => {}
        }
        None
    }

    fn jump(&mut self) {
        if let Some(games) = &mut self.games {
            games.jump();
        }
    }

    fn data(&mut self, bytes: &[u8]) {
        self.last_data = Instant::now();
        self.last_news = self.last_data;
        match &mut self.games {
            None => self.reader.push(bytes),
            Some(games) => {
                let mut parts = Vec::new();
                games.feed(bytes, &mut parts);
                self.parts.extend(parts);
            }
        }
    }

    /// Takes a part of a recording that does not come as a file.
    fn part(&mut self, part: Part) -> io::Result<Option<Look>> {
        match part {
            Part::Begins => {
                self.reset();
                self.reader.push(PREFIX);
                self.began = SystemTime::now();
                if let Some((folder, file)) = &mut self.save {
                    *file = Some(SaveFile::begin(folder, self.began)?);
                }
                if let Some(relay) = &self.relay {
                    relay.begin();
                }
                Ok(Some(Look::Begins))
            }
            Part::Events(bytes) => {
                self.reader.push(&bytes);
                if let Some((_, Some(file))) = &mut self.save {
                    file.events(&bytes)?;
                }
                if let Some(relay) = &self.relay {
                    relay.events(&bytes);
                }
                Ok(None)
            }
            Part::Ends(is_whole) if !self.is_closed => {
                // The last events first: those of the metadata are the game's, too.
                let rest = metadata(&self.reader, self.began, &self.console);
                self.reader.push(&rest);
                let file = self.save.as_mut().and_then(|(_, file)| file.take());
                let saved = file.map(|file| file.finish(&rest)).transpose()?;
                self.is_closed = true;
                self.saved = saved;
                self.parts.push_front(Part::Ends(is_whole));
                Ok(None)
            }
            Part::Ends(is_whole) => {
                self.is_closed = false;
                Ok(Some(Look::Ended {
                    is_whole,
                    saved: self.saved.take(),
                }))
            }
        }
    }
}
