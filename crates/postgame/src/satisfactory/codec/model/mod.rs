//! The contents of the files, in their own terms.
//!
//! - [`stored`], [`strings`], [`basic`]: strings, references, numbers
//! - [`types`], [`property`], [`value`], [`structs`], [`text`], [`items`], [`ids`]: properties and their values
//! - [`networks`]: structures of the mod FicsIt-Networks
//! - [`object`], [`tail`], [`refs`]: objects, the fields that some classes store after their properties, and all
//!   references
//! - [`entry`], [`level`], [`body`]: lists of objects, levels, the whole body
//! - `blank`: objects of a damaged body whose data is lost
//! - [`copies`]: enlarging a body by copies of its objects
//! - [`header`], [`version`]: headers and versions
//! - `access`: convenient access to an object's contents
//! - `json`: whole files as JSON

mod access;
pub mod basic;
mod blank;
pub mod body;
pub mod copies;
pub mod entry;
pub mod header;
pub mod ids;
pub mod items;
mod json;
pub mod level;
pub mod networks;
pub mod object;
pub mod property;
pub mod refs;
pub mod stored;
pub mod strings;
pub mod structs;
pub mod tail;
pub mod text;
pub mod types;
pub mod value;
pub mod version;

pub(in crate::satisfactory) use super::decode;
pub(in crate::satisfactory) use super::decode::names::Seed;
pub use basic::Ref;
pub use body::Body;
pub use header::{BlueprintConfig, BlueprintHeader, Header};
pub use level::{Entry, Level};
pub use object::{Object, ObjectData, ObjectHeader};
pub use property::{Properties, Property};
pub use stored::Stored;
pub use strings::Str;
pub use structs::Struct;
pub use tail::Tail;
pub use types::Type;
pub use value::Value;

use super::compression::chunks::Chunks;
use crate::wire::json::Bytes;

/// A save.
#[derive(Clone, Debug)]
pub struct Save {
    /// Its header.
    pub header: Header,
    /// The bytes after the known fields of a newer header.
    pub header_rest: Bytes,
    /// Whether the digest in the header is written unchanged although it is wrong.
    pub keeps_hash: bool,
    /// The compressed data as stored.
    pub chunks: Chunks,
    /// The contents; `None` if only the header was read.
    pub body: Option<Body>,
}

/// A blueprint.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// Its header.
    pub header: BlueprintHeader,
    /// The compressed data as stored.
    pub chunks: Chunks,
    /// The contents; `None` if only the header was read.
    pub body: Option<Body>,
}

/// Two saves are equal if their files are, except for the compression.
impl PartialEq for Save {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            header,
            header_rest,
            keeps_hash: _,
            chunks: _,
            body,
        } = self;
        (header, header_rest) == (&other.header, &other.header_rest) && body == &other.body
    }
}

impl PartialEq for Blueprint {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            header,
            chunks: _,
            body,
        } = self;
        header == &other.header && body == &other.body
    }
}

/// Two bodies are equal if their bytes are, regardless of which parts are decoded.
impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        matches!((self.write(), other.write()), (Ok(one), Ok(other)) if one == other)
    }
}
