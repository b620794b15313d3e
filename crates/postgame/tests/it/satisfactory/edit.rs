//! A single edit, written and read again, changes exactly that and nothing else.

use std::collections::BTreeMap;

use postgame::satisfactory::edit::Place;
use postgame::satisfactory::model::object::{ObjectKind, OptionalVersions};
use postgame::satisfactory::model::{Object, Properties, Value};
use postgame::satisfactory::{self, Body, Save};
use postgame::{ReadOptions, Report};

use super::files;

fn read(bytes: &[u8]) -> Save {
    let mut report = Report::default();
    let save = satisfactory::read(bytes, &ReadOptions::default(), &mut report).unwrap();
    assert!(report.is_clean(), "{report:#?}");
    save
}

/// One save of each era: flat, levels with short sizes, long sizes, flags, versions in every object.
fn eras() -> Vec<(String, Vec<u8>)> {
    let names = [
        "new_world",
        "FreshStart002",
        "FreshStart001",
        "Release-001",
        "Unlock-1.1",
        "Another-1-2",
    ];
    let mut saves: Vec<(String, Vec<u8>)> = Vec::new();
    for path in files("sav") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_sample = path.parent().unwrap().ends_with("samples");
        if is_sample || names.contains(&name.as_str()) {
            saves.push((name, std::fs::read(&path).unwrap()));
        }
    }
    if crate::corpus::folder().is_some() {
        assert!(saves.len() >= names.len());
    }
    saves
}

/// All objects by place.
fn objects(body: &Body) -> BTreeMap<Place, Object> {
    let mut objects = BTreeMap::new();
    for (level_index, level) in body.all_levels().enumerate() {
        let (decoder, form) = (body.decoder(), body.form(level));
        for (object, entry) in level.objects.iter().enumerate() {
            let decoded = decoder.object(form, entry).unwrap().0.into_owned();
            objects.insert(
                Place {
                    level: level_index,
                    object,
                },
                decoded,
            );
        }
    }
    objects
}

/// Writes and reads again; the digest is right, and all but the body is what it was.
fn rewritten(save: &Save) -> Save {
    let bytes = satisfactory::write(save).unwrap();
    let again = read(&bytes);
    let mut report = Report::default();
    satisfactory::check(&again, &mut report);
    assert!(
        report
            .findings()
            .iter()
            .all(|finding| finding.code != "hash" && finding.code != "size"),
        "{report:#?}"
    );
    again
}

/// The places at which two bodies differ.
fn differences(one: &Body, other: &Body) -> Vec<Place> {
    let (one, other) = (objects(one), objects(other));
    assert_eq!(one.len(), other.len());
    one.iter()
        .filter(|(place, object)| other.get(place) != Some(object))
        .map(|(place, _)| *place)
        .collect()
}

fn find_property(properties: &Properties) -> Option<(&str, Value)> {
    properties
        .0
        .iter()
        .find_map(|property| match property.value {
            Value::Int(value) if property.index == 0 => {
                Some((property.name().ascii()?, Value::Int(value.wrapping_add(1))))
            }
            Value::Float(value) if property.index == 0 => {
                Some((property.name().ascii()?, Value::Float(value + 0.5)))
            }
            _ => None,
        })
}

#[test]
fn a_changed_property_changes_that_object_only() {
    for (name, bytes) in eras() {
        let before = read(&bytes);
        let body = before.body.as_ref().unwrap();
        let (place, property, value) = objects(body)
            .iter()
            .find_map(|(place, object)| {
                let (property, value) = find_property(object.data.as_ref()?.properties()?)?;
                Some((*place, property.to_owned(), value))
            })
            .unwrap();
        let mut save = before.clone();
        save.body
            .as_mut()
            .unwrap()
            .set_property(place, &property, value.clone())
            .unwrap();
        let after = rewritten(&save);
        assert_eq!(
            differences(body, after.body.as_ref().unwrap()),
            [place],
            "{name}"
        );
        let object = after.body.as_ref().unwrap().object(place).unwrap();
        assert_eq!(
            object.data.unwrap().properties().unwrap().value(&property),
            Some(&value)
        );
        assert_eq!(
            header_without_hash(&after),
            header_without_hash(&before),
            "{name}"
        );
        let body = save.body.as_mut().unwrap();
        assert!(
            body.set_property(place, &property, Value::Bool(1)).is_err(),
            "another type"
        );
        assert!(body.set_property(place, "noSuchProperty", value).is_err());
    }
}

fn header_without_hash(save: &Save) -> postgame::satisfactory::model::Header {
    let mut header = save.header.clone();
    header.data_hash = None;
    header
}

#[test]
fn an_edit_of_the_same_length_leaves_all_other_chunks_as_they_were() {
    for (name, bytes) in eras() {
        let mut save = read(&bytes);
        let place = save
            .body
            .as_ref()
            .unwrap()
            .find_where(|header| header.is_actor())
            .unwrap();
        save.body
            .as_mut()
            .unwrap()
            .move_actor(place, [1.0, 2.0, 3.0])
            .unwrap();
        let written = satisfactory::write(&save).unwrap();
        let again = read(&written);
        let (old, new) = (chunks(&bytes), chunks(&written));
        assert_eq!(old.len(), new.len(), "{name}");
        let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
        assert!(
            (1..=2).contains(&changed),
            "{name}: {changed} of {} chunks",
            old.len()
        );
        let object = again.body.as_ref().unwrap().object(place).unwrap();
        assert_eq!(
            object.header.placement().unwrap().position_cm,
            [1.0, 2.0, 3.0]
        );
        assert_eq!(
            differences(
                read(&bytes).body.as_ref().unwrap(),
                again.body.as_ref().unwrap()
            ),
            [place],
            "{name}"
        );
    }
}

/// The chunks of a file, found by their tag.
fn chunks(bytes: &[u8]) -> Vec<&[u8]> {
    let starts: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, tag)| *tag == [0xc1, 0x83, 0x2a, 0x9e])
        .map(|(at, _)| at)
        .collect();
    starts
        .iter()
        .enumerate()
        .map(|(index, &start)| &bytes[start..starts.get(index + 1).copied().unwrap_or(bytes.len())])
        .collect()
}

#[test]
fn an_added_object_is_there_and_removing_it_gives_the_file_back() {
    for (name, bytes) in eras() {
        let before = read(&bytes);
        let body = before.body.as_ref().unwrap();
        let last = body.levels.len();
        // A component with its actor, so that the actor's list must follow.
        let (place, mut component) = objects(body)
            .into_iter()
            .find(|(place, object)| {
                place.level == last
                    && matches!(&object.header.kind, ObjectKind::Component { outer } if body.find(&outer.to_str()).is_some_and(|actor| {
                        body.object(actor).unwrap().data.unwrap().fields().unwrap().components.as_ref().unwrap().contains(&object.header.reference)
                    }))
            })
            .unwrap();
        let ObjectKind::Component { outer } = component.header.kind.clone() else {
            unreachable!()
        };
        component.header.reference.path = format!("{}Copy", component.header.reference.path)
            .as_str()
            .into();
        let mut save = before.clone();
        let edited = save.body.as_mut().unwrap();
        assert!(
            edited.add(None, body.object(place).unwrap()).is_err(),
            "the name is taken"
        );
        assert!(
            edited
                .add(Some("no such level"), component.clone())
                .is_err()
        );
        let added = edited.add(None, component.clone()).unwrap();
        let after = rewritten(&save);
        let after_body = after.body.as_ref().unwrap();
        assert_eq!(objects(after_body).len(), objects(body).len() + 1, "{name}");
        assert_eq!(after_body.object(added).unwrap(), component, "{name}");
        let actor = after_body.find(&outer.to_str()).unwrap();
        let components = after_body
            .object(actor)
            .unwrap()
            .data
            .unwrap()
            .fields()
            .unwrap()
            .components
            .clone()
            .unwrap();
        assert!(components.contains(&component.header.reference), "{name}");
        // And away with it.
        let mut save = after.clone();
        assert_eq!(save.body.as_mut().unwrap().remove(added).unwrap(), 1);
        assert!(rewritten(&save).body == before.body, "{name}");
    }
}

#[test]
fn a_removed_actor_takes_its_components_and_all_references_along() {
    for (name, bytes) in eras() {
        let before = read(&bytes);
        let body = before.body.as_ref().unwrap();
        let all = objects(body);
        let (place, actor) = all
            .iter()
            .find(|(place, object)| {
                // The game doubled some names itself when it ported saves to Update 8.
                let name = &object.header.reference;
                if all
                    .iter()
                    .any(|(other, object)| other != *place && object.header.reference == *name)
                {
                    return false;
                }
                let fields = object.data.as_ref().and_then(|data| data.fields());
                fields
                    .and_then(|fields| fields.components.as_ref())
                    .is_some_and(|list| !list.is_empty())
            })
            .unwrap();
        let path = &actor.header.reference.path;
        let own = all.values().filter(|object| matches!(&object.header.kind, ObjectKind::Component { outer } if outer == path)).count();
        let mut save = before.clone();
        assert_eq!(
            save.body.as_mut().unwrap().remove(*place).unwrap(),
            1 + own,
            "{name}"
        );
        let after = rewritten(&save);
        let left = objects(after.body.as_ref().unwrap());
        assert_eq!(left.len(), all.len() - 1 - own, "{name}");
        for object in left.into_values() {
            let mut object = object;
            postgame::satisfactory::model::refs::visit_refs(&mut object, |reference| {
                assert_ne!(reference.path, *path, "{name}");
                postgame::satisfactory::model::refs::Keep::Yes
            });
        }
    }
}

#[test]
fn a_renamed_object_is_followed_by_its_references() {
    for (name, bytes) in eras() {
        let before = read(&bytes);
        let body = before.body.as_ref().unwrap();
        let place = body
            .find_where(|header| header.class.to_str().ends_with("BP_GameState_C"))
            .unwrap();
        let old = body.object(place).unwrap().header.reference;
        let mut save = before.clone();
        let edited = save.body.as_mut().unwrap();
        let changed = edited
            .rename(place, "Persistent_Level:PersistentLevel.Renamed")
            .unwrap();
        assert!(changed >= 1);
        let mut after = rewritten(&save);
        assert_eq!(
            differences(body, after.body.as_ref().unwrap()).len(),
            changed,
            "{name}"
        );
        let place = after
            .body
            .as_ref()
            .unwrap()
            .find("Persistent_Level:PersistentLevel.Renamed")
            .unwrap();
        after
            .body
            .as_mut()
            .unwrap()
            .rename(place, &old.path.to_str())
            .unwrap();
        assert!(rewritten(&after).body == before.body, "{name}");
    }
}

#[test]
fn a_renamed_session_is_renamed_everywhere() {
    for (name, bytes) in eras() {
        let before = read(&bytes);
        let mut save = before.clone();
        save.rename_session("Zażółć").unwrap();
        let after = rewritten(&save);
        assert_eq!(
            after.header.session_name.as_ref().unwrap().to_str(),
            "Zażółć"
        );
        let changed = differences(before.body.as_ref().unwrap(), after.body.as_ref().unwrap());
        assert!((1..=2).contains(&changed.len()), "{name}: {changed:?}");
        let old = before
            .header
            .session_name
            .as_ref()
            .unwrap()
            .to_str()
            .into_owned();
        let options = after.header.map_options.to_str().into_owned();
        assert!(!options.contains(&format!("sessionName={old}")), "{name}");
    }
}

/// What a level has besides its objects is not touched by any edit: it is in the comparison of whole bodies above.
#[test]
fn an_empty_save_can_be_made_and_read() {
    for version in [25, 29, 36, 41, 46, 52] {
        let body = Body::new(version);
        let bytes = body.write().unwrap();
        let mut save = eras().remove(0).1;
        let mut save = read(&std::mem::take(&mut save));
        save.header.save_version = version;
        save.chunks = satisfactory::chunks::Chunks::new(version >= 41);
        let mut level = postgame::satisfactory::model::Level::default();
        level.destroyed = Some(if version >= 41 {
            postgame::satisfactory::model::level::Destroyed::ByLevel(Default::default())
        } else {
            postgame::satisfactory::model::level::Destroyed::List(Vec::new())
        });
        let mut body = body;
        body.persistent = Some(level);
        save.body = Some(body);
        let again = read(&satisfactory::write(&save).unwrap());
        assert_eq!(objects(again.body.as_ref().unwrap()).len(), 0);
        assert!(!bytes.is_empty());
    }
    assert_eq!(OptionalVersions::default().data, None);
}
