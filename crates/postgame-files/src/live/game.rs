//! A stream of events becomes recordings: where games begin and end, and what came twice after an interruption.

use postgame::slippi::model::payloads::code;

/// How a `.slp` begins; the length of its events is not known before they end.
pub const PREFIX: &[u8] = b"{U\x03raw[$U#l\0\0\0\0";

/// What relays send as a sign of life, between events.
pub const ALIVE: &[u8] = b"HELO\0";

/// How much of a game's beginning is compared to recognise it. Sizes and settings have less than 2 KB in every version.
const MAX_HEAD_BYTES: usize = 4096;

/// A part of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A recording begins.
    Begins,
    /// Its next events, whole ones.
    Events(Vec<u8>),
    /// It ends; `true` if the game did.
    Ends(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No game is known; what arrives is skipped up to the start of one.
    Waiting,
    Playing,
    /// The game's end has arrived.
    Over,
}

/// After an interruption: the stream may have begun with the running game's start again.
#[derive(Debug, Default)]
struct Again {
    /// The start that arrived now, until it is whole.
    head: Vec<u8>,
    /// How much of the game arrived again.
    count: u64,
    is_same: bool,
}

/// Cuts a stream into recordings.
#[derive(Debug)]
pub struct Games {
    state: State,
    pending: Vec<u8>,
    sizes: [Option<u16>; 256],
    /// The game's first events, and the number of bytes of all so far.
    head: Vec<u8>,
    count: u64,
    again: Option<Again>,
}

impl Default for Games {
    fn default() -> Self {
        Self {
            state: State::Waiting,
            pending: Vec::new(),
            sizes: [None; 256],
            head: Vec::new(),
            count: 0,
            again: None,
        }
    }
}

impl Games {
    /// True after the end of a game.
    pub fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// Data may be missing, also parts of events. If the stream begins with the running game's start, what is known of it
    /// is skipped; else its recording ends here.
    pub fn jump(&mut self) {
        self.pending.clear();
        // Also of a game that is over: relays go on sending it until the next one begins.
        if !self.head.is_empty() {
            self.again = Some(Again::default());
        }
    }

    /// Ends the running game, if there is one.
    pub fn finish(&mut self, parts: &mut Vec<Part>) {
        if self.state != State::Waiting {
            parts.push(Part::Ends(self.is_over()));
        }
        self.state = State::Waiting;
        self.again = None;
        self.sizes = [None; 256];
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8], parts: &mut Vec<Part>) {
        self.pending.extend_from_slice(bytes);
        let pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_slice();
        let mut run = Vec::new();
        while let Some(&first) = rest.first() {
            if ALIVE.starts_with(rest) && rest.len() < ALIVE.len() {
                break;
            }
            if let Some(after) = rest.strip_prefix(ALIVE) {
                rest = after;
                continue;
            }
            let size = match first {
                code::PAYLOADS => rest.get(1).map(|&size| Some(usize::from(size) + 1)),
                _ => Some(self.sizes[usize::from(first)].map(|size| usize::from(size) + 1)),
            };
            let is_foreign_start = self.again.as_ref().is_some_and(|again| again.count == 0)
                && first != code::PAYLOADS;
            match size {
                None => break,
                Some(Some(size)) if !is_foreign_start && !is_false_start(rest) => {
                    let Some((event, after)) = rest.split_at_checked(size) else {
                        break;
                    };
                    self.event(first, event, &mut run, parts);
                    rest = after;
                }
                Some(_) => {
                    flush(&mut run, parts);
                    self.finish(parts);
                    match next_start(rest) {
                        Some(after) => rest = after,
                        None => {
                            rest = &[];
                        }
                    }
                }
            }
        }
        flush(&mut run, parts);
        self.pending = rest.to_vec();
    }

    fn event(&mut self, first: u8, event: &[u8], run: &mut Vec<u8>, parts: &mut Vec<Part>) {
        if first == code::PAYLOADS {
            self.sizes = sizes(event);
            if self.again.as_ref().is_none_or(|again| again.count > 0) {
                flush(run, parts);
                self.finish(parts);
                self.sizes = sizes(event);
                self.begin(parts);
            }
        }
        let is_known = match &mut self.again {
            None => false,
            Some(again) if again.is_same => {
                again.count += event.len() as u64;
                again.count <= self.count
            }
            Some(again) => {
                again.count += event.len() as u64;
                again.head.extend_from_slice(event);
                let both = again.head.len().min(self.head.len());
                let is_same = again.head.get(..both) == self.head.get(..both);
                if is_same && both < self.head.len() {
                    return;
                }
                if is_same {
                    // The known beginning is all there is to compare; what follows it is new once the count is reached.
                    again.is_same = true;
                    again.count <= self.count
                } else {
                    let head = std::mem::take(&mut again.head);
                    self.again = None;
                    let sizes = self.sizes;
                    self.finish(parts);
                    self.sizes = sizes;
                    self.begin(parts);
                    self.take(code::PAYLOADS, &head, run);
                    return;
                }
            }
        };
        if is_known {
            return;
        }
        self.again = None;
        self.take(first, event, run);
    }

    fn begin(&mut self, parts: &mut Vec<Part>) {
        parts.push(Part::Begins);
        self.state = State::Playing;
        self.head.clear();
        self.count = 0;
    }

    fn take(&mut self, first: u8, event: &[u8], run: &mut Vec<u8>) {
        if self.state == State::Waiting {
            return;
        }
        if first == code::END {
            self.state = State::Over;
        }
        let is_head = matches!(first, code::PAYLOADS | code::START);
        if is_head && self.head.len() + event.len() <= MAX_HEAD_BYTES {
            self.head.extend_from_slice(event);
        }
        self.count += event.len() as u64;
        run.extend_from_slice(event);
    }
}

fn flush(run: &mut Vec<u8>, parts: &mut Vec<Part>) {
    if !run.is_empty() {
        parts.push(Part::Events(std::mem::take(run)));
    }
}

/// The sizes that a game's first event declares.
fn sizes(event: &[u8]) -> [Option<u16>; 256] {
    let mut sizes = [None; 256];
    let (triples, _) = event.get(2..).unwrap_or_default().as_chunks();
    for [code, high, low] in triples {
        sizes[usize::from(*code)] = Some(u16::from_be_bytes([*high, *low]));
    }
    sizes
}

/// True for what has the code of a game's start, but cannot be one: the sizes are a list of triples.
fn is_false_start(bytes: &[u8]) -> bool {
    match bytes {
        [code::PAYLOADS, size, ..] => size % 3 != 1 || *size < 4,
        _ => false,
    }
}

/// What begins with the next start of a game; its first size is that of the settings.
fn next_start(bytes: &[u8]) -> Option<&[u8]> {
    let places = 1..bytes.len();
    let mut rests = places.filter_map(|at| bytes.get(at..));
    rests.find(|rest| match rest {
        [code::PAYLOADS, _, first, ..] => *first == code::START && !is_false_start(rest),
        [code::PAYLOADS] | [code::PAYLOADS, _] => true,
        _ => false,
    })
}
