//! Versions of the engine and its parts.

use super::basic::Id16;
use super::strings::Str;
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::record::{LittleBytes, record};

record! {
    /// The engine versions, from save version 53 on.
    pub struct VersionData: LittleBytes(scope: Scope) {
        /// The version of this list itself; 0 in every file seen.
        pub version: u32,
        /// Unreal 4's package file version.
        pub unreal4: i32,
        /// Unreal 5's package file version, which decides the layout of property tags.
        pub unreal5: i32,
        /// The licensee's package file version.
        pub licensee: i32,
        /// The engine version.
        pub engine: EngineVersion,
        /// Versions of parts of the engine and of the game.
        pub parts: Vec<PartVersion>,
    }
}

record! {
    /// An engine version, such as 5.6.1.
    pub struct EngineVersion: LittleBytes(scope: Scope) {
        /// First number.
        pub major: u16,
        /// Second number.
        pub minor: u16,
        /// Third number.
        pub patch: u16,
        /// The game's build, with the highest bit set.
        pub changelist: u32,
        /// The branch it was built from.
        pub branch: Str,
    }
}

record! {
    /// The version of one part.
    pub struct PartVersion: LittleBytes(scope: Scope) {
        /// Which part.
        pub key: Id16,
        /// Its version.
        pub version: i32,
    }
}
