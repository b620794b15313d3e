//! What a class is to a player: its name, its mod, its category.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::satisfactory::catalogue;
use crate::satisfactory::codec::model::decode::LevelForm;
use crate::satisfactory::codec::model::{Body, Entry, Object, ObjectHeader, Ref, Seed, Str};
use crate::satisfactory::codec::summary::short_class;
use crate::satisfactory::tables;
use crate::satisfactory::world::{CATEGORIES, FLUIDS, Match, SCHEMATICS};

/// The category of a building that no rule fits.
pub const NO_CATEGORY: &str = "other";

/// What is known of a class, by its path alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The path.
    pub path: String,
    /// What an actor of it is: `building`, `vehicle`, `other`.
    pub kind: &'static str,
    /// For a building, its category.
    pub category: &'static str,
    /// Where the last part of its path begins.
    short_start: usize,
}

impl Class {
    /// What is known of the class with a path.
    pub fn new(path: &str) -> Self {
        let short = short_class(path);
        let kind = match tables::actor_kind(short) {
            "other" if strip_build(short).len() < short.len() => "building",
            kind => kind,
        };
        Self {
            path: path.to_owned(),
            kind,
            category: category(path),
            short_start: path.len() - short.len(),
        }
    }

    /// The last part of its path.
    pub fn short(&self) -> &str {
        self.path.get(self.short_start..).unwrap_or_default()
    }

    /// True for a building by the way its class is named; mods do not all keep to it.
    pub fn is_building(&self) -> bool {
        self.kind == "building"
    }
}

/// The classes of a body, each looked at once.
#[derive(Debug, Default)]
pub struct Classes {
    numbers: HashMap<Str, usize, Seed>,
    all: Vec<Class>,
}

impl Classes {
    /// The number of a class, which is new if it was not met before.
    pub fn number(&mut self, path: &Str) -> usize {
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        self.all.push(Class::new(&path.to_str()));
        self.numbers.insert(path.clone(), self.all.len() - 1);
        self.all.len() - 1
    }

    /// The class with a number.
    pub fn get(&self, number: usize) -> Option<&Class> {
        self.all.get(number)
    }
}

/// Calls `visit` with the class and header of every object of a body, and with a way to get the object itself.
pub(in crate::satisfactory) fn each_object<'b>(
    body: &'b Body,
    mut visit: impl FnMut(&Class, &ObjectHeader, &dyn Fn() -> Option<Cow<'b, Object>>),
) {
    each_object_or_later(body, |class, header, object| {
        visit(class, header, object);
        false
    });
}

/// The same; returns the objects for which `visit` returns `true`, to be decoded later.
pub(in crate::satisfactory) fn each_object_or_later<'b>(
    body: &'b Body,
    mut visit: impl FnMut(&Class, &ObjectHeader, &dyn Fn() -> Option<Cow<'b, Object>>) -> bool,
) -> Vec<(LevelForm, &'b Entry)> {
    let mut later = Vec::new();
    let mut classes = Classes::default();
    let decoder = body.decoder();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            let number = classes.number(&header.class);
            if let Some(class) = classes.get(number) {
                let object = || Some(decoder.object(form, entry).ok()?.0);
                if visit(class, &header, &object) {
                    later.push((form, entry));
                }
            }
        }
    }
    later
}

/// A class's name without `Build_`, however that is written.
fn strip_build(short: &str) -> &str {
    match short.get(..6) {
        Some(start) if start.eq_ignore_ascii_case("Build_") => short.get(6..).unwrap_or_default(),
        _ => short,
    }
}

/// The category of a building, by the path of its class.
pub fn category(path: &str) -> &'static str {
    let name = strip_build(short_class(path));
    CATEGORIES
        .iter()
        .find(|(kind, pattern, _)| match kind {
            Match::Prefix => name.starts_with(pattern),
            Match::Word => name.contains(pattern),
            Match::Folder => path.contains(pattern),
        })
        .map_or(NO_CATEGORY, |(_, _, category)| category)
}

/// The mod a class belongs to; `None` for the game's own.
///
/// The game's are in `/Game` and in the scripts of the game and its engine; a mod's in a folder or script of its name.
pub fn mod_of(path: &str) -> Option<&str> {
    let mut parts = path.strip_prefix('/')?.split(['/', '.']);
    match parts.next()? {
        "Game" | "Engine" => None,
        "Script" => parts
            .next()
            .filter(|script| !matches!(*script, "FactoryGame" | "Engine" | "CoreUObject")),
        name => Some(name),
    }
}

/// A class's name as people say it: `Constructor` for `Build_ConstructorMk1_C`. The game's own classes have the game's
/// names; the name of any other class is made of its words.
pub fn readable(path: &str) -> String {
    known_name(path).map_or_else(|| words(short_class(path)), str::to_owned)
}

/// The game's own name of a class; `None` for one that is not in the catalogue, such as a mod's.
pub fn known_name(path: &str) -> Option<&'static str> {
    // A mod's class may be called like one of the game: only the game's own data file knows mods.
    if mod_of(path).is_some() {
        return catalogue::installed_name(short_class(path));
    }
    catalogue::name_of(short_class(path))
}

/// The words a class is called by: `Metal Wall 8x4 v4` for `Build_MetalWall_8x4_v4_C`.
fn words(short: &str) -> String {
    let short = strip_build(short);
    let short = ["Desc_", "Recipe_", "Schematic_", "BP_", "Char_", "GP_"]
        .iter()
        .find_map(|prefix| short.strip_prefix(prefix))
        .unwrap_or(short);
    let short = short.strip_suffix("_C").unwrap_or(short);
    let mut words = String::with_capacity(short.len() + 4);
    let mut letters = short.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        // A new word begins with a capital after a small letter, and with the last capital of several before a small
        // letter.
        let begins_word = letter.is_uppercase()
            && (before.is_lowercase()
                || before.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase()));
        if begins_word {
            words.push(' ');
        }
        before = if letter == '_' { ' ' } else { letter };
        words.push(before);
    }
    words
}

/// The same, with its mod before it, so that two mods' classes of one name stay apart.
pub fn full_name(path: &str) -> String {
    match mod_of(path) {
        Some(name) => format!("{name}: {}", readable(path)),
        None => readable(path),
    }
}

/// True for an item that is counted in thousandths of a cubic metre.
pub fn is_fluid(path: &str) -> bool {
    let short = short_class(path);
    catalogue::item(short).is_some_and(catalogue::Item::is_fluid) || FLUIDS.contains(&short)
}

/// An item's name with the unit it is counted in, if that is not pieces: a thousandth of a cubic metre is a litre.
pub fn item_name(path: &str) -> String {
    let name = full_name(path);
    if is_fluid(path) {
        format!("{name}, litres")
    } else {
        name
    }
}

/// What kind of unlock a schematic is.
pub fn schematic_kind(path: &str) -> &'static str {
    SCHEMATICS
        .iter()
        .find(|(folder, _)| mod_of(path).is_none() && path.contains(folder))
        .map_or(NO_CATEGORY, |(_, kind)| kind)
}

/// The name of an object in its level.
pub fn object_name(reference: &Ref) -> String {
    short_class(&reference.path.to_str()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_names_categories_and_mods() {
        let cases = [
            (
                "/Game/FactoryGame/Buildable/Building/Foundation/Build_Foundation_8x4_01.Build_Foundation_8x4_01_C",
                "Foundation (4\u{202f}m)",
                "foundations",
            ),
            (
                "/Game/FactoryGame/Buildable/Building/Foundation/ConcreteSet/Build_QuarterPipe_Concrete_8x4.Build_QuarterPipe_Concrete_8x4_C",
                "Quarter Pipe",
                "ramps",
            ),
            (
                "/Game/FactoryGame/Buildable/Building/Potty/BUILD_Potty_mk1.BUILD_Potty_mk1_C",
                "Potty",
                "special",
            ),
            (
                "/Game/FactoryGame/Buildable/Factory/PipePump/Build_PipelinePump.Build_PipelinePump_C",
                "Pipeline Pump Mk.1",
                "pipes",
            ),
            (
                "/SS_Mod/Builders/MetalWall/Build_MetalWall_8x4_v4.Build_MetalWall_8x4_v4_C",
                "SS_Mod: Metal Wall 8x4 v4",
                "walls",
            ),
            (
                "/People/Build/Build_People_10.Build_People_10_C",
                "People: People 10",
                "other",
            ),
        ];
        for (path, name, category) in cases {
            assert_eq!(
                (full_name(path).as_str(), self::category(path)),
                (name, category)
            );
            assert!(Class::new(path).is_building(), "{path}");
        }
    }

    #[test]
    fn scripts_of_the_game_are_no_mods() {
        assert_eq!(mod_of("/Script/FactoryGame.FGPipeNetwork"), None);
        assert_eq!(
            mod_of("/Script/FicsItNetworks.FINNetworkComponent"),
            Some("FicsItNetworks")
        );
        assert_eq!(mod_of("Build_X_C"), None);
    }

    #[test]
    fn actors_have_kinds() {
        assert_eq!(Class::new("Char_Player_C").kind, "player");
        assert_eq!(Class::new("Char_Hog_C").kind, "creature");
        assert_eq!(Class::new("FGWorldSettings").kind, "other");
    }
}
