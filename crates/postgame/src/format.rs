//! Format detection: by content, never by file name.

use std::fmt;

use crate::{rocket_league, rumble, satisfactory, slippi};

/// A file format that Postgame reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Rocket League `.replay`.
    RocketLeague,
    /// RUMBLE `.replay`, both generations, and `.rr`.
    Rumble,
    /// A Satisfactory save, `.sav`.
    Satisfactory,
    /// A Satisfactory blueprint, `.sbp`.
    SatisfactoryBlueprint,
    /// The configuration file of a Satisfactory blueprint, `.sbpcfg`.
    SatisfactoryConfig,
    /// Slippi `.slp`, Super Smash Bros. Melee.
    Slippi,
}

impl Format {
    /// All formats, in the order in which they are tried.
    ///
    /// Formats with magic letters come first. Rocket League only has a checksum, and the configuration of a blueprint
    /// not even that, so they come last.
    pub const ALL: &'static [Format] = &[
        Format::Rumble,
        Format::Slippi,
        Format::Satisfactory,
        Format::SatisfactoryBlueprint,
        Format::RocketLeague,
        Format::SatisfactoryConfig,
    ];

    /// The short name, used in error messages and JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::RocketLeague => "rocket-league",
            Self::Rumble => "rumble",
            Self::Satisfactory => "satisfactory",
            Self::SatisfactoryBlueprint => "satisfactory-blueprint",
            Self::SatisfactoryConfig => "satisfactory-config",
            Self::Slippi => "slippi",
        }
    }

    /// The game's display name.
    pub fn game(self) -> &'static str {
        match self {
            Self::RocketLeague => "Rocket League",
            Self::Rumble => "RUMBLE",
            Self::Satisfactory | Self::SatisfactoryBlueprint | Self::SatisfactoryConfig => {
                "Satisfactory"
            }
            Self::Slippi => "Super Smash Bros. Melee",
        }
    }

    /// The file name extensions in use, without the dot. A hint only: two games share `.replay`.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::RocketLeague => &["replay"],
            Self::Rumble => &["replay", "rr"],
            Self::Satisfactory => &["sav"],
            Self::SatisfactoryBlueprint => &["sbp"],
            Self::SatisfactoryConfig => &["sbpcfg"],
            Self::Slippi => &["slp", "slpz"],
        }
    }

    /// True when a file of this name may be a recording: used to select files in folders, not to read them.
    pub fn is_plausible_name(name: &str) -> bool {
        let extension = name
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| {
            Self::ALL
                .iter()
                .any(|format| format.extensions().contains(&extension.as_str()))
        })
    }

    /// Detects the format by content. Checks the beginning first, and the whole file if that is not conclusive.
    pub fn sniff(bytes: &[u8]) -> Option<Format> {
        Self::ALL.iter().copied().find(|format| match format {
            Self::RocketLeague => rocket_league::sniff(bytes),
            Self::Rumble => rumble::sniff(bytes),
            Self::Satisfactory => satisfactory::sniff(bytes),
            Self::SatisfactoryBlueprint => satisfactory::sniff_blueprint(bytes),
            Self::SatisfactoryConfig => satisfactory::sniff_config(bytes),
            Self::Slippi => slippi::sniff(bytes),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Describes unreadable bytes, as far as their first bytes allow, for a one-line message.
pub(crate) fn describe(bytes: &[u8]) -> String {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive that holds no replay"),
        (b"\x1f\x8b", "a GZIP file"),
        (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
        (
            b"\xfd7zXZ\0",
            "an XZ file; a .zlp file of slippc is one, which is not read: `slippc -x` restores the .slp file",
        ),
        (
            b"peppi.json\0",
            "a .slpp file of peppi, which is not read: peppi's own tools restore the .slp file",
        ),
        (b"\x7fELF", "a program"),
        (b"MZ", "a program"),
    ];
    if bytes.is_empty() {
        return "the file is empty".to_owned();
    }
    let known = MAGIC
        .iter()
        .find(|(magic, _)| bytes.starts_with(magic))
        .map(|(_, name)| *name);
    let start = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let is_text = || {
        start
            .iter()
            .all(|&byte| byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r'))
    };
    let what = known.or_else(|| is_text().then_some("a text file"));
    match what {
        Some(what) => format!("not a recording Postgame knows: it looks like {what}"),
        None => "not a recording Postgame knows".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_recording_is_described() {
        assert_eq!(describe(b""), "the file is empty");
        assert_eq!(
            describe(b"\x89PNG\r\n"),
            "not a recording Postgame knows: it looks like a PNG picture"
        );
        assert_eq!(
            describe(b"hello\n"),
            "not a recording Postgame knows: it looks like a text file"
        );
        assert_eq!(describe(b"\x01\x02"), "not a recording Postgame knows");
    }

    #[test]
    fn names_are_hints() {
        assert!(Format::is_plausible_name("a.b.Replay"));
        assert!(!Format::is_plausible_name("replay") && !Format::is_plausible_name("a.txt"));
    }
}
