//! The lock of a data set in an object store: an object that its holder renews.
//!
//! Every change is a conditional write, so two processes cannot both believe they made it. A holder that stops renewing
//! loses the lock: other processes watch the object, by their own clocks, and take it over if it has not changed for
//! long enough. A holder that ended on this machine is recognised at once.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::LOCK;
use super::holder::Holder;
use super::lock::held_by;
use postgame_files::bucket::{Bucket, Version};

/// How long a lock in an object store lasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Interval in which its holder renews it.
    pub heartbeat: Duration,
    /// A lock that is unchanged for this long has expired.
    pub expiry: Duration,
    /// Interval in which waiting processes check it.
    pub pause: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(5),
            // Three renewals can fail before another process writes.
            expiry: Duration::from_secs(20),
            pause: Duration::from_secs(1),
        }
    }
}

/// A lock that this process holds.
#[derive(Debug)]
pub(super) struct Lease<'a> {
    bucket: &'a Bucket,
    terms: Terms,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug)]
struct State {
    holder: Holder,
    version: Version,
    renewed: Instant,
    is_lost: bool,
    is_ended: bool,
}

impl<'a> Lease<'a> {
    /// Takes the lock.
    ///
    /// # Errors
    /// When the store fails, or another process has the lock and waiting is not allowed.
    pub fn take(
        bucket: &'a Bucket,
        terms: Terms,
        is_waiting: bool,
        waits_for: &dyn Fn(&Holder),
    ) -> io::Result<Self> {
        let mut holder = Holder::own();
        // The lock as first seen, and the time since when it is unchanged.
        let mut seen: Option<(Version, Instant)> = None;
        loop {
            let written = match bucket.get(LOCK)? {
                None => bucket.put_new(LOCK, &holder.next_contents())?,
                Some((contents, version)) => {
                    let other = Holder::parse(&contents);
                    let has_changed = seen.as_ref().is_some_and(|(known, _)| *known != version);
                    let since = match &seen {
                        Some((known, since)) if *known == version => *since,
                        _ => Instant::now(),
                    };
                    seen = Some((version.clone(), since));
                    if let Some(other) = other
                        && !other.has_ended()
                        && since.elapsed() < terms.expiry
                    {
                        if has_changed && !is_waiting {
                            return Err(held_by(Some(&other)));
                        }
                        waits_for(&other);
                        thread::sleep(terms.pause);
                        continue;
                    }
                    bucket.put_over(LOCK, &holder.next_contents(), &version)?
                }
            };
            if let Some(version) = written {
                let state = State {
                    holder,
                    version,
                    renewed: Instant::now(),
                    is_lost: false,
                    is_ended: false,
                };
                return Ok(Self {
                    bucket,
                    terms,
                    state: Mutex::new(state),
                    ended: Condvar::new(),
                });
            }
        }
    }

    /// Renews the lock until it is released. Run this on its own thread.
    pub fn keep(&self) {
        let mut state = self.state();
        loop {
            let pause = self.terms.heartbeat;
            let waited = self
                .ended
                .wait_timeout_while(state, pause, |state| !state.is_ended);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.is_ended || state.is_lost {
                return;
            }
            // A failure may be temporary; if it lasts, the lock expires.
            drop(self.renew(&mut state));
        }
    }

    /// Confirms that this process still has the lock.
    ///
    /// # Errors
    /// When it does not, or the store does not respond.
    pub fn confirm(&self) -> io::Result<()> {
        self.renew(&mut self.state())
    }

    /// Fails once the lock is known to be lost. It does not ask the store.
    pub fn check(&self) -> io::Result<()> {
        let mut state = self.state();
        if state.is_lost || state.renewed.elapsed() > self.terms.expiry {
            state.is_lost = true;
            return Err(lost());
        }
        Ok(())
    }

    /// Differs between any two holders.
    pub fn token(&self) -> String {
        self.state().holder.token().to_owned()
    }

    /// Ends [`Lease::keep`], and releases the lock: the object stays, empty.
    pub fn release(&self) {
        let mut state = self.state();
        state.is_ended = true;
        self.ended.notify_all();
        if !state.is_lost {
            // If it fails, the lock expires.
            drop(self.bucket.put_over(LOCK, b"", &state.version));
        }
    }

    fn renew(&self, state: &mut State) -> io::Result<()> {
        if state.is_lost {
            return Err(lost());
        }
        let contents = state.holder.next_contents();
        let written = match self.bucket.put_over(LOCK, &contents, &state.version)? {
            Some(version) => Some(version),
            // The last renewal may have succeeded, with only its response lost.
            None => match self.bucket.get(LOCK)? {
                Some((now, version))
                    if Holder::parse(&now).is_some_and(|now| now.is_same_run(&state.holder)) =>
                {
                    self.bucket.put_over(LOCK, &contents, &version)?
                }
                _ => None,
            },
        };
        match written {
            Some(version) => {
                state.version = version;
                state.renewed = Instant::now();
                Ok(())
            }
            None => {
                state.is_lost = true;
                Err(lost())
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lost() -> io::Error {
    io::Error::other(
        "another process has taken over the data set, because this one did not renew its lock in time",
    )
}
