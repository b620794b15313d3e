//! What other people wrote about real recordings, held against what we compute.
//!
//! `facts/<game>/facts.jsonl` has one fact a line. A test loads them, computes an answer to each, and hands both to a
//! [`Tally`], which prints a table of kinds and asserts how many facts of a kind must be right:
//!
//! ```no_run
//! use postgame_testing::facts::{self, Tally};
//!
//! let facts = facts::load("slippi");
//! let mut tally = Tally::default();
//! for (path, facts) in facts.by_recording() {
//!     let replay = postgame_testing::reading::slippi(&path);
//!     for fact in facts {
//!         // `None` if we do not compute such a thing at all.
//!         let answer = match fact.fact.as_str() {
//!             "frames.count" => replay.frames.as_ref().map(|frames| frames.ids.len().into()),
//!             _ => None,
//!         };
//!         tally.judge(fact, answer.as_ref());
//!     }
//! }
//! println!("{tally}");
//! tally.assert_right(&facts, &[("frames", 20)]);
//! ```

mod fact;
mod op;
mod tally;

pub use fact::{Fact, Facts, Trust, Window, load};
pub use op::{Op, Tolerance};
pub use tally::{Count, Tally};
