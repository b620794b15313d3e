//! The recordings at some paths as an iterator.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use postgame::limits::Limits;

use super::walk;
use crate::contents::Input;
use crate::panics::caught;
use crate::{Failure, bucket};

/// The recordings at some paths, in the order of [`walk`]. A thread finds them: while one is being used, the next one is
/// unpacked, and no more.
#[derive(Debug)]
pub struct Inputs {
    found: Receiver<Result<Input, Failure>>,
    /// The operating system refused a thread.
    refused: Option<Failure>,
}

impl Inputs {
    /// Starts looking.
    pub fn new(paths: Vec<PathBuf>, limits: Limits) -> Self {
        let (send, found) = sync_channel(0);
        let walk = move || {
            let mut visit = |input| match send.send(input) {
                Ok(()) => ControlFlow::Continue(()),
                // The iterator was dropped.
                Err(_) => ControlFlow::Break(()),
            };
            if let Err(bug) = caught("archive", || walk(&paths, &limits, &mut visit)) {
                drop(send.send(Err(bug)));
            }
        };
        let thread = thread::Builder::new().name("files".to_owned());
        let refused = thread.spawn(walk).err();
        Self {
            found,
            refused: refused.map(|error| Failure::new("a thread that finds files", error)),
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<Input, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let refused = self.refused.take().map(Err);
        refused.or_else(|| self.found.recv().ok())
    }
}

/// The only recording at a path: a file, or an archive, a pattern or an address with one recording.
///
/// # Errors
/// When there is none, or more than one, and for a folder.
pub fn the_only(path: &Path, limits: &Limits) -> Result<Input, Failure> {
    if bucket::address(path).is_none() && path.is_dir() {
        return Ok(Input::file(path));
    }
    let mut only = None;
    let mut is_alone = true;
    let _ended = walk(&[path.to_owned()], limits, &mut |input| {
        if input.as_ref().is_err_and(|failure| failure.skipped > 0) {
            return ControlFlow::Continue(());
        }
        is_alone = only.is_none();
        match is_alone {
            true => {
                only = Some(input);
                ControlFlow::Continue(())
            }
            false => ControlFlow::Break(()),
        }
    });
    match only {
        Some(only) if is_alone => only,
        None => Err(Failure::new(path.display(), "there is no recording")),
        Some(_) => Err(Failure::new(
            path.display(),
            "there are several recordings here, and this takes one: add its name, as `postgame info` shows it",
        )),
    }
}
