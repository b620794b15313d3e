//! A save or blueprint in a line of a list.

use std::collections::{HashMap, HashSet};

use super::model::header::BlueprintConfig;
use super::model::{Blueprint, Body, Header, Object, Save, Tail};
use crate::satisfactory::tables;
use crate::summary::{Player, Summary};

/// What is in a body, counted without decoding more objects than needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Things in the world.
    pub actors: usize,
    /// Parts of things.
    pub components: usize,
    /// Buildings, with those that have no object of their own.
    pub buildings: usize,
    /// Buildings that have no object of their own.
    pub lightweight: usize,
    /// Removed buildings that keep their place in the list.
    pub tombstones: usize,
}

/// The last part of a class's path.
pub(in crate::satisfactory) fn short_class(class: &str) -> &str {
    let is_end = |byte: u8| byte == b'.' || byte == b'/';
    let before = class.bytes().rposition(is_end);
    before.and_then(|at| class.get(at + 1..)).unwrap_or(class)
}

/// Counts what is in a body.
pub fn counts(body: &Body) -> Counts {
    let mut counts = Counts::default();
    walk(body, |class, object| {
        if short_class(class) == "FGLightweightBuildableSubsystem"
            && let Some(Tail::Lightweight(lightweight)) = object().as_ref().and_then(tail_of)
        {
            let all: usize = lightweight
                .classes
                .iter()
                .map(|class| class.instances.len())
                .sum();
            counts.lightweight += lightweight.instances().count();
            counts.tombstones += all - lightweight.instances().count();
        }
    });
    let decoder = body.decoder();
    for level in body.all_levels() {
        let form = body.form(level);
        for header in level
            .objects
            .iter()
            .filter_map(|entry| decoder.header(form, entry).ok())
        {
            if header.is_actor() {
                counts.actors += 1;
                counts.buildings +=
                    usize::from(short_class(&header.class.to_str()).starts_with("Build_"));
            } else {
                counts.components += 1;
            }
        }
    }
    counts.buildings += counts.lightweight;
    counts
}

fn tail_of(object: &Object) -> Option<&Tail> {
    object.data.as_ref()?.fields()?.tail.as_ref()
}

/// Calls `visit` with the class of every object, and with a way to get the object itself.
fn walk(body: &Body, mut visit: impl FnMut(&str, &dyn Fn() -> Option<Object>)) {
    let decoder = body.decoder();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            visit(&header.class.to_str(), &|| {
                decoder
                    .object(form, entry)
                    .ok()
                    .map(|(object, _)| object.into_owned())
            });
        }
    }
}

/// The game's version for people. Builds tell versions apart that share a save version, such as Update 3 and Update 4; a
/// file without a build, and one that is newer than all known ones, is told by its save version.
pub(in crate::satisfactory) fn version(save_version: i32, build: i32) -> String {
    let fits = |first: Option<i32>, own: i32| first.is_some_and(|first| own >= first);
    let versions = tables::GAME_VERSIONS.iter();
    let known = versions
        .clone()
        .find(|(since, _, _)| fits(*since, save_version));
    let is_newest = known.is_some_and(|(_, first_build, _)| first_build.is_none());
    let by_build = versions.clone().find(|(_, first, _)| fits(*first, build));
    let known = by_build.filter(|_| build > 0 && !is_newest).or(known);
    format!(
        "{} (build {build})",
        known.map_or("unknown", |(_, _, name)| name)
    )
}

/// A time in steps of 100 ns since the year 1, as ISO 8601.
pub(in crate::satisfactory) fn date(ticks: i64) -> Option<String> {
    const PER_DAY: i64 = 864_000_000_000;
    let (days, rest) = (u64::try_from(ticks).ok()? as i64 / PER_DAY, ticks % PER_DAY);
    let seconds = rest / 10_000_000;
    // Days since 0000-03-01, so that a leap day is the last of its year (after Howard Hinnant's description of the
    // civil calendar).
    let days = days + 306;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ))
}

/// The mods a header lists, with their versions.
pub(in crate::satisfactory) fn mods(header: &Header) -> Vec<String> {
    let text = header
        .mod_metadata
        .as_ref()
        .map(|text| text.to_str().into_owned())
        .unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let list = json
        .get("Mods")
        .and_then(|mods| mods.as_array())
        .cloned()
        .unwrap_or_default();
    list.iter()
        .filter_map(|entry| {
            let name = entry.get("Reference").or(entry.get("Name"))?.as_str()?;
            let version = entry
                .get("Version")
                .and_then(|version| version.as_str())
                .unwrap_or_default();
            Some(format!("{name} {version}").trim_end().to_owned())
        })
        .collect()
}

/// What a list of recordings shows of a save.
pub fn summary(save: &Save) -> Summary {
    let Save { header, body, .. } = save;
    let mut details = Vec::new();
    if let Some(session) = &header.session_name {
        details.push(("session", session.to_string()));
    }
    if let Some(name) = header.save_name.as_ref().filter(|name| !name.is_empty()) {
        details.push(("save_name", name.to_string()));
    }
    details.push(("header_version", header.header_version.to_string()));
    details.push(("save_version", header.save_version.to_string()));
    details.push(("build", header.build.to_string()));
    let mods = mods(header);
    details.push(("mods", mods.len().to_string()));
    if !mods.is_empty() {
        details.push(("mod_list", mods.join(", ")));
    }
    if let Some(creative) = header.is_creative {
        details.push(("creative", creative.is_set().to_string()));
    }
    let mut players = Vec::new();
    if let Some(body) = body {
        let counts = counts(body);
        details.push(("levels", body.levels.len().to_string()));
        details.push(("objects", (counts.actors + counts.components).to_string()));
        details.push(("actors", counts.actors.to_string()));
        details.push(("components", counts.components.to_string()));
        details.push(("buildings", counts.buildings.to_string()));
        details.push(("lightweight", counts.lightweight.to_string()));
        players = players_of(body);
    }
    Summary {
        version: version(header.save_version, header.build),
        date: header.saved_at_ticks.and_then(date),
        map: Some(header.map_name.to_string()),
        duration_s: header.play_duration_s.map(f64::from),
        frames: None,
        players,
        score: None,
        details,
    }
}

/// The players whose state is in the save; old files do not have their names. Since Update 8 the name is kept with the
/// player's body.
fn players_of(body: &Body) -> Vec<Player> {
    const NAMES: [&str; 3] = ["mCachedPlayerName", "PlayerName", "mPlayerName"];
    let (mut players, mut seen) = (Vec::new(), HashSet::new());
    let mut names_of_pawns = HashMap::new();
    walk(body, |class, object| {
        let is_state = match short_class(class) {
            "BP_PlayerState_C" => true,
            "Char_Player_C" => false,
            _ => return,
        };
        let Some(object) = object() else { return };
        let properties = object.properties();
        let name = NAMES.iter().find_map(|name| properties?.words(name));
        let name = name.map(|name| name.into_owned());
        let path = object.header.reference.path.to_string();
        if !is_state {
            names_of_pawns.extend(name.map(|name| (path, name)));
        } else if seen.insert(path.clone()) {
            let pawn = properties.and_then(|properties| properties.reference("mOwnedPawn"));
            players.push((path, name, pawn.map(|pawn| pawn.path.to_string())));
        }
    });
    let named = players.into_iter().map(|(path, name, pawn)| {
        let of_pawn = || names_of_pawns.get(&pawn?).cloned();
        Player {
            name: name
                .or_else(of_pawn)
                .unwrap_or_else(|| short_class(&path).to_owned()),
            team: None,
            details: Vec::new(),
        }
    });
    named.collect()
}

/// What a list of recordings shows of a blueprint.
pub fn summary_of_blueprint(blueprint: &Blueprint) -> Summary {
    let Blueprint { header, body, .. } = blueprint;
    let mut details = vec![
        ("save_version", header.save_version.to_string()),
        ("build", header.build.to_string()),
        (
            "dimensions",
            header.dimensions.map(|size| size.to_string()).join(" x "),
        ),
        ("recipes", header.recipes.len().to_string()),
        (
            "cost",
            header
                .cost
                .iter()
                .map(|cost| i64::from(cost.amount))
                .sum::<i64>()
                .to_string(),
        ),
    ];
    if let Some(body) = body {
        let counts = counts(body);
        details.push(("objects", (counts.actors + counts.components).to_string()));
        details.push(("buildings", counts.buildings.to_string()));
    }
    Summary {
        version: version(header.save_version, header.build),
        details,
        ..Summary::default()
    }
}

/// What a list of recordings shows of the file beside a blueprint.
pub fn summary_of_config(config: &BlueprintConfig) -> Summary {
    Summary {
        version: format!("configuration {}", config.version),
        details: vec![
            ("description", config.description.to_string()),
            ("icon", config.icon.to_string()),
        ],
        ..Summary::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_dates() {
        assert_eq!(date(0).unwrap(), "0001-01-01T00:00:00Z");
        // 2024-02-29 and the day after, noon: 738,944 days after the year 1 began.
        assert_eq!(
            date(738_944 * 864_000_000_000 + 432_000_000_000).unwrap(),
            "2024-02-29T12:00:00Z"
        );
        assert_eq!(
            date(738_945 * 864_000_000_000).unwrap(),
            "2024-03-01T00:00:00Z"
        );
        assert_eq!(date(-1), None);
    }

    /// Save version 25 is that of Update 4 and of the builds of 2020 before it.
    #[test]
    fn builds_name_the_version() {
        for (save_version, build, name) in [
            (25, 123_631, "Update 3 (build 123631)"),
            (25, 152_331, "Update 4 (build 152331)"),
            (28, 174_799, "Update 5 (build 174799)"),
            (36, 211_839, "Update 7 (build 211839)"),
            (41, 238_433, "Update 8 (build 238433)"),
            (52, 433_351, "1.1 (build 433351)"),
            (60, 502_094, "1.2 (build 502094)"),
            (61, 510_000, "after 1.2 (build 510000)"),
            (25, 0, "Update 4 (build 0)"),
            (17, 90_000, "before Update 3 (build 90000)"),
        ] {
            assert_eq!(version(save_version, build), name);
        }
    }
}
