//! Everything that needs whole recordings: the corpus and the samples.

mod corpus;
mod rumble;
