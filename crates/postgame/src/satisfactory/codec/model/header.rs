//! The headers of saves and blueprints, and a blueprint's configuration file.

use serde::{Deserialize, Serialize};

use super::basic::{Bool32, Id16, Ref};
use super::ids::PlayerInfo;
use super::strings::Str;
use super::version::VersionData;
use crate::error::{Context as _, Result};
use crate::satisfactory::codec::decode::scope::{Scope, Versions};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::{LittleBytes, Wire, record};

record! {
    /// A save's header.
    pub struct Header: LittleBytes(scope: Scope) {
        /// The header version.
        pub header_version: i32,
        /// The save version, which decides the layout of everything after the header.
        pub save_version: i32,
        /// The game's build.
        pub build: i32,
        /// The file's name.
        pub save_name: Option<Str> where header_version >= 14,
        /// The map.
        pub map_name: Str,
        /// The options the map was started with.
        pub map_options: Str,
        /// The session's number, in very old files.
        pub session_id: Option<i32> where (2..4).contains(&header_version),
        /// The session's name.
        pub session_name: Option<Str> where header_version >= 4,
        /// Time played, in seconds.
        pub play_duration_s: Option<i32> where header_version >= 3,
        /// Time of the save, in steps of 100 ns since the year 1, UTC.
        pub saved_at_ticks: Option<i64> where header_version >= 4,
        /// Visibility of the session.
        pub visibility: Option<i8> where header_version >= 5,
        /// Unreal's editor object version.
        pub editor_object_version: Option<i32> where header_version >= 7,
        /// The mods in use, as JSON.
        pub mod_metadata: Option<Str> where header_version >= 8,
        /// Whether there are mods.
        pub is_modded: Option<Bool32> where header_version >= 8,
        /// An id of the save.
        pub save_identifier: Option<Str> where header_version >= 10,
        /// Whether the world is partitioned.
        pub is_partitioned: Option<Bool32> where header_version >= 11,
        /// The MD5 of everything after the header.
        pub data_hash: Option<DataHash> where header_version >= 12,
        /// Whether creative mode was on.
        pub is_creative: Option<Bool32> where header_version >= 13,
    }
}

/// The newest header version known; a newer header may have more fields.
pub const NEWEST_HEADER: i32 = 14;

/// The newest save version known.
pub const NEWEST_SAVE: i32 = 60;

record! {
    /// An optional MD5.
    pub struct DataHash: LittleBytes(scope: Scope) {
        /// Whether it is present.
        pub is_valid: Bool32,
        /// The digest.
        pub md5: Option<Id16> where is_valid.is_set(),
    }
}

record! {
    /// A blueprint's header.
    pub struct BlueprintHeader: LittleBytes(scope: Scope) {
        /// The header version; 2 in every file seen.
        pub header_version: i32,
        /// The save version, which decides the layout of everything after the header.
        pub save_version: i32,
        /// The game's build.
        pub build: i32,
        /// Dimensions, in cells of 8 m.
        pub dimensions: [i32; 3],
        /// The building costs.
        pub cost: Vec<Cost>,
        /// The required recipes.
        pub recipes: Vec<Ref>,
        /// The engine versions.
        pub versions: Option<VersionData> where save_version >= super::object::VERSION_DATA_SINCE,
    }
}

record! {
    /// An amount of an item.
    pub struct Cost: LittleBytes(scope: Scope) {
        /// The item.
        pub item: Ref,
        /// The amount.
        pub amount: i32,
    }
}

/// The configuration file of a blueprint, `.sbpcfg`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlueprintConfig {
    /// The version of the layout.
    pub version: i32,
    /// The blueprint's description.
    pub description: Str,
    /// The icon's number.
    pub icon: i32,
    /// The icon's colour.
    #[serde(with = "crate::wire::json")]
    pub color: [f32; 4],
    /// The source of the icon: package and name, from version 3 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_library: Option<[Str; 2]>,
    /// The editors, in versions 4 and 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editors: Option<Vec<Editor>>,
    /// The last editor, from version 6 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_editor: Option<PlayerInfo>,
    /// The remaining bytes.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub rest: Bytes,
}

record! {
    /// A player who edited a blueprint.
    pub struct Editor: LittleBytes(scope: Scope) {
        /// The account.
        pub account: Str,
        /// The display name.
        pub name: Str,
        /// The account's service.
        pub platform: Str,
    }
}

impl BlueprintConfig {
    /// Reads a whole file.
    pub(crate) fn read(reader: &mut ByteReader<'_>) -> Result<Self> {
        let scope = Scope::default();
        let version = reader.i32().field("version")?;
        let description = Str::read(reader, &scope).field("description")?;
        let icon = reader.i32().field("icon")?;
        let color = Wire::<LittleBytes, Scope>::read(reader, &scope).field("color")?;
        let mut config = Self {
            version,
            description,
            icon,
            color,
            icon_library: None,
            editors: None,
            last_editor: None,
            rest: Bytes::default(),
        };
        if version >= 3 {
            let package = Str::read(reader, &scope).field("icon_library")?;
            config.icon_library = Some([package, Str::read(reader, &scope).field("icon_library")?]);
        }
        if (4..6).contains(&version) {
            let mut list = reader.clone();
            if let Ok(editors) = Vec::read(&mut list, &scope) {
                config.editors = Some(editors);
                *reader = list;
            }
        }
        // The file does not state its save version, which decides the size of a player's index.
        let save = match reader.left() {
            2 => Some(53),
            5 => Some(58),
            _ => None,
        };
        if let (Some(save), true) = (save, version >= 6) {
            let scope = Scope::new(Versions {
                save,
                unreal: Versions::UNREAL_UNSAID,
            });
            config.last_editor = Some(PlayerInfo::read(reader, &scope).field("last_editor")?);
        }
        config.rest = reader.rest().into();
        Ok(config)
    }

    pub(crate) fn write(&self) -> Result<Vec<u8>> {
        let Self {
            version,
            description,
            icon,
            color,
            icon_library,
            editors,
            last_editor,
            rest,
        } = self;
        let (mut writer, scope) = (ByteWriter::new(), Scope::default());
        writer.i32(*version);
        description.write(&mut writer, &scope)?;
        writer.i32(*icon);
        Wire::<LittleBytes, Scope>::write(color, &mut writer, &scope)?;
        for text in icon_library.iter().flatten() {
            text.write(&mut writer, &scope)?;
        }
        if let Some(editors) = editors {
            editors.write(&mut writer, &scope)?;
        }
        if let Some(editor) = last_editor {
            editor.write(&mut writer, &scope)?;
        }
        writer.bytes(&rest.0);
        Ok(writer.into_bytes())
    }
}
