//! Two saves, and several, of one session.

use postgame::satisfactory::model::Value;
use postgame::satisfactory::{History, Save, compare, timeline};

use super::{real, sample};

/// The sample ten minutes later: a container gone, the tractor elsewhere, a schematic bought.
fn later() -> Save {
    let mut save = sample();
    save.header.play_duration_s = Some(7265 + 600);
    save.header.saved_at_ticks = save
        .header
        .saved_at_ticks
        .map(|ticks| ticks + 6_000_000_000);
    let body = save.body.as_mut().unwrap();
    let path = |name: &str| format!("Persistent_Level:PersistentLevel.{name}");
    let tractor = body.find(&path("BP_Tractor_C_200")).unwrap();
    body.move_actor(tractor, [8000.0, 3200.0, 150.0]).unwrap();
    let manager = body.find(&path("schematicManager")).unwrap();
    let mut bought = body.object(manager).unwrap();
    let properties = bought.data.as_mut().unwrap().fields_mut().unwrap();
    let list = properties
        .properties
        .as_mut()
        .unwrap()
        .find_mut("mPurchasedSchematics")
        .unwrap();
    let Value::List(items) = &mut list.value else {
        panic!("{list:?}")
    };
    items
        .items
        .push(Value::Object(postgame::satisfactory::model::Ref::asset(
            "/Game/FactoryGame/Schematics/Progression/Schematic_2-1.Schematic_2-1_C",
        )));
    let value = list.value.clone();
    body.set_property(manager, "mPurchasedSchematics", value)
        .unwrap();
    let container = body
        .find(&path("Build_StorageContainerMk1_C_6005"))
        .unwrap();
    body.remove(container).unwrap();
    save
}

#[test]
fn a_save_is_no_different_from_itself() {
    let comparison = compare(&sample(), &sample());
    assert!(comparison.is_same_session);
    assert!(comparison.built.is_empty() && comparison.removed.is_empty());
    assert!(comparison.moved.is_empty() && comparison.items.is_empty());
    assert_eq!(comparison.inventories_changed, 0);
}

#[test]
fn what_was_changed_is_what_differs() {
    let comparison = compare(&sample(), &later());
    assert!(comparison.is_same_session);
    assert_eq!(comparison.play_time_between_s, 600.0);
    assert_eq!(comparison.time_between_s, Some(600.0));
    assert!(comparison.built.is_empty(), "{:?}", comparison.built);
    assert_eq!(comparison.removed["Storage Container"], 1);
    assert_eq!(comparison.removed.len(), 1);
    assert_eq!(comparison.moved["Tractor"], 1);
    let containers = comparison.buildings["Storage Container"];
    assert_eq!((containers.before, containers.after), (6, 5));
    // Container 5 held 100 plates and 250 ingots.
    let plates = comparison.items["Iron Plate"];
    assert_eq!(plates.before - plates.after, 100);
    let ingots = comparison.items_by_place["storage"]["Iron Ingot"];
    assert_eq!(ingots.before - ingots.after, 250);
    assert_eq!(comparison.inventories_changed, 1);
    assert_eq!(
        comparison.schematics,
        [("Part Assembly".to_owned(), "milestone")]
    );
    // And the other way round.
    let back = compare(&later(), &sample());
    assert_eq!(back.built["Storage Container"], 1);
    assert!(back.removed.is_empty() && back.schematics.is_empty());
}

#[test]
fn several_saves_make_a_timeline() {
    let mut history = History::default();
    history.add(&sample());
    history.add(&later());
    let timeline = history.finish();
    assert_eq!((timeline.start_s, timeline.end_s), (7265.0, 7865.0));
    let entity = |name: &str| &timeline.entities[timeline.find(name).unwrap().0];
    // The tractor is one entity in two places; Y and Z change places on the timeline.
    let tractor = entity("BP_Tractor_C_200");
    assert_eq!(tractor.position(7265.0), Some([-16.0, 1.5, 32.0]));
    assert_eq!(tractor.position(7864.0), Some([-16.0, 1.5, 32.0]));
    assert_eq!(tractor.position(7865.0), Some([80.0, 1.5, 32.0]));
    // The container is gone, the others stay and have not moved.
    let gone = entity("Build_StorageContainerMk1_C_6005");
    assert!(gone.presence.contains(7864.0) && !gone.presence.contains(7865.0));
    let stays = entity("Build_StorageContainerMk1_C_6004");
    assert!(stays.presence.contains(7865.0));
    assert_eq!(stays.tracks[0].times_s, [7265.0]);
    // Nothing is twice there: as many entities as in one save.
    assert_eq!(
        timeline.entities.len(),
        postgame::satisfactory::timeline(&sample()).entities.len()
    );
    let events: Vec<(f64, usize, &str, String)> = timeline
        .events
        .iter()
        .map(|event| {
            let details = event.details.iter().map(|(_, text)| &**text);
            let details = details.collect::<Vec<_>>().join(" ");
            (event.time_s, event.frame, &*event.kind, details)
        })
        .collect();
    let kinds: Vec<(usize, &str)> = events.iter().map(|event| (event.1, event.2)).collect();
    assert_eq!(
        kinds,
        [
            (0, "session-start"),
            (0, "milestone"),
            (0, "milestone"),
            (0, "alternate-recipe"),
            (0, "saved"),
            (1, "removed"),
            (1, "milestone"),
            (1, "saved"),
        ]
    );
    assert_eq!(events[5].3, "Storage Container 1");
    assert_eq!(events[6].3, "Part Assembly");
    assert!(events.is_sorted_by(|one, other| one.0 <= other.0));
}

/// Two real saves of one session, four hours of play apart.
#[test]
fn two_real_saves_of_a_session_compare() {
    let (Some(before), Some(after)) = (real("Dunarr-019.sav"), real("Dunarr-027.sav")) else {
        return;
    };
    let comparison = compare(&before, &after);
    assert!(comparison.is_same_session);
    assert_eq!(comparison.play_time_between_s, 112_410.0 - 97_101.0);
    // What was built less what was removed is how many more there are, for every class with a usual name.
    for (class, change) in &comparison.buildings {
        let built = comparison.built.get(class).copied().unwrap_or(0);
        let removed = comparison.removed.get(class).copied().unwrap_or(0);
        let more = change.after as i64 - change.before as i64;
        let is_usual = built > 0 || removed > 0;
        assert!(
            !is_usual || built as i64 - removed as i64 == more,
            "{class}"
        );
    }
    assert!(comparison.built.values().sum::<usize>() > 1000);
    // Three more slugs, counted by hand in the lists of destroyed objects: 60 and 63.
    let slugs = comparison.collectibles_found.iter();
    let slugs = slugs.filter(|(name, _)| name.contains("slugs"));
    let more: i64 = slugs
        .map(|(_, change)| change.after as i64 - change.before as i64)
        .sum();
    assert_eq!(more, 3);
    let mut history = History::default();
    history.add(&before);
    history.add(&after);
    let both = history.finish();
    let there = |time_s| both.present_at(time_s).count();
    assert_eq!(there(97_101.0), timeline(&before).entities.len());
    assert_eq!(there(112_410.0), timeline(&after).entities.len());
    let other = real("Release-032.sav").unwrap();
    assert!(!compare(&before, &other).is_same_session);
}
