//! Recordings wherever they are.

#![allow(clippy::unwrap_used)]

mod archives;
mod order;
