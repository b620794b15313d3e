//! Checks a save or blueprint for contradictions with its format or within itself.

use std::collections::HashSet;

use super::model::header::BlueprintConfig;
use super::model::level::Stated;
use super::model::object::Fields;
use super::model::refs::{Keep, visit_refs};
use super::model::{Blueprint, Body, Level, Object, Properties, Ref, Save, Str, Struct, Value};
use crate::report::{Report, Severity};

/// Adds all findings about a save.
pub fn check(save: &Save, report: &mut Report) {
    let Save {
        header,
        header_rest: _,
        keeps_hash,
        chunks,
        body,
    } = save;
    let Some(body) = body else { return };
    if let Some(stated) = header.data_hash.as_ref().and_then(|hash| hash.md5) {
        let is_wrong = *keeps_hash
            || (!chunks.stream().is_empty()
                && crate::satisfactory::codec::md5(chunks.stream()) != stated);
        if is_wrong {
            let message = "the digest is not that of the data: another program wrote the file, or it was damaged";
            report.add(Severity::Odd, "hash", "header.data_hash", None, message);
        }
    }
    check_body(body, true, report);
}

/// Adds all findings about a blueprint.
pub fn check_blueprint(blueprint: &Blueprint, report: &mut Report) {
    if let Some(body) = &blueprint.body {
        // A blueprint does not contain its surroundings, so references to the world are not a contradiction.
        check_body(body, false, report);
    }
}

/// Adds all findings about a blueprint's configuration file.
pub fn check_config(config: &BlueprintConfig, report: &mut Report) {
    if !config.rest.is_empty() {
        let message = format!("{} bytes are left", config.rest.0.len());
        report.add(Severity::Odd, "leftover", "rest", None, message);
    }
}

fn check_body(body: &Body, is_save: bool, report: &mut Report) {
    let oddities = &body.oddities;
    if let Some(size) = oddities.stated_size {
        let message = format!("the file says {size} bytes, which is wrong");
        report.add(Severity::Odd, "size", "body.size", None, message);
    }
    stated(oddities.level_count, "levels", report);
    if !oddities.trailing.is_empty() {
        let message = format!("{} bytes follow", oddities.trailing.0.len());
        report.add(Severity::Odd, "leftover", "body", None, message);
    }
    let mut names: HashSet<Ref> = HashSet::new();
    let mut found = Report::default();
    let mut duplicates = found.series(Severity::Odd, "duplicate");
    let decoder = body.decoder();
    for level in body.all_levels() {
        check_level(level, report);
        let form = body.form(level);
        for entry in &level.objects {
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            if !names.insert(header.reference.clone()) {
                let name = || header.reference.path.to_string();
                duplicates.add(name, None, || "another object has this name".to_owned());
            }
        }
    }
    drop(duplicates);
    report.append(found);
    check_objects(body, is_save, &names, report);
}

fn stated(stated: Stated, what: &str, report: &mut Report) {
    if let Stated::Other(count) = stated {
        let message = format!("the file says {count} of them, which is wrong");
        report.add(Severity::Odd, "count", what, None, message);
    }
}

fn path_of(level: &Level) -> String {
    level
        .name
        .as_ref()
        .map_or_else(|| "persistent".to_owned(), |name| format!("levels[{name}]"))
}

fn check_level(level: &Level, report: &mut Report) {
    let oddities = &level.oddities;
    stated(
        oddities.header_count,
        &format!("{}.headers", path_of(level)),
        report,
    );
    stated(
        oddities.data_count,
        &format!("{}.data", path_of(level)),
        report,
    );
    for (rest, what) in [
        (&oddities.contents_rest, "headers"),
        (&oddities.data_rest, "data"),
    ] {
        if !rest.is_empty() {
            let message = format!("{} bytes could not be read", rest.0.len());
            report.add(
                Severity::Odd,
                "leftover",
                format!("{}.{what}", path_of(level)),
                None,
                message,
            );
        }
    }
}

fn check_objects(body: &Body, is_save: bool, names: &HashSet<Ref>, report: &mut Report) {
    let mut reports: [Report; 5] = Default::default();
    let [a, b, c, d, e] = &mut reports;
    let mut broken = a.series(Severity::Lost, "object");
    let mut leftovers = b.series(Severity::Note, "leftover");
    let mut unknown = c.series(Severity::Note, "unknown");
    let mut nowhere = d.series(Severity::Note, "reference");
    let mut classes = e.series(Severity::Note, "class");
    let mut seen_classes: HashSet<Str> = HashSet::new();
    // If only the index was read, the data is read now.
    for error in body.inflate_skipped() {
        report.lost("chunk", &error);
    }
    body.visit_sound(|object, error| {
        let name = || object.header.reference.path.to_string();
        if let Some(error) = error {
            let path = || format!("{}.{}", name(), error.path());
            broken.add(path, error.place(), || error.problem().to_string());
        } else if matches!(&object.data, Some(data) if data.fields().is_none()) {
            broken.add(name, None, || "its data could not be read".to_owned());
        }
        let class = &object.header.class;
        if !is_of_the_game(&class.to_str()) && seen_classes.insert(class.clone()) {
            classes.add(
                || class.to_string(),
                None,
                || "a class of a mod, or one that is not known".to_owned(),
            );
        }
        if let Some(fields) = object.data.as_ref().and_then(|data| data.fields()) {
            let Fields {
                properties, rest, ..
            } = fields;
            if !rest.is_empty() {
                leftovers.add(name, None, || {
                    format!("{} bytes after what is known of {class}", rest.0.len())
                });
            }
            if let Some(properties) = properties {
                for_unknown(properties, &mut |path, length| {
                    unknown.add(
                        || format!("{}.{path}", name()),
                        None,
                        || format!("{length} bytes are kept unread"),
                    );
                });
            }
        }
        if is_save {
            let mut object: Object = object.clone().into_owned();
            visit_refs(&mut object, |reference| {
                // A reference without a level refers to an asset of the game.
                if !reference.level.is_empty() && !names.contains(reference) {
                    let target = reference.path.to_string();
                    nowhere.add(name, None, || {
                        format!("refers to {target}, which the save does not have")
                    });
                }
                Keep::Yes
            });
        }
    });
    for series in [broken, leftovers, unknown, nowhere, classes] {
        drop(series);
    }
    for found in reports {
        report.append(found);
    }
}

/// True for a class of the game itself, by its path.
pub(in crate::satisfactory) fn is_of_the_game(class: &str) -> bool {
    [
        "/Game/FactoryGame/",
        "/Script/FactoryGame.",
        "/Script/Engine.",
        "/Script/FactoryDedicatedServer.",
    ]
    .iter()
    .any(|start| class.starts_with(start))
}

/// Calls `found` with the path and length of every value that is kept as bytes.
fn for_unknown(properties: &Properties, found: &mut dyn FnMut(&str, usize)) {
    for property in &properties.0 {
        let name = property.name().to_str();
        for_unknown_value(&property.value, &mut |path, length| {
            if path.is_empty() {
                found(&name, length)
            } else {
                found(&format!("{name}.{path}"), length)
            }
        });
    }
}

fn for_unknown_value(value: &Value, found: &mut dyn FnMut(&str, usize)) {
    match value {
        Value::Raw(bytes) => found("", bytes.0.len()),
        Value::Struct(value) => match value {
            Struct::Raw(bytes) => found("", bytes.0.len()),
            Struct::Properties(properties) => for_unknown(properties, found),
            _ => {}
        },
        Value::List(list) => list
            .items
            .iter()
            .for_each(|item| for_unknown_value(item, found)),
        Value::Map(map) => map.pairs.iter().for_each(|(key, value)| {
            for_unknown_value(key, found);
            for_unknown_value(value, found);
        }),
        _ => {}
    }
}
