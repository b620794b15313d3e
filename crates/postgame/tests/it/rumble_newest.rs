//! What only the newest recorder writes: moves, markers, voices, ids of structures, scene props, extensions.

use postgame::Bytes;
use postgame::rumble::model::extensions::extension_index;
use postgame::rumble::model::fields::{Field, SizeWidth, Value};
use postgame::rumble::model::stream::{Chunk, chunk};
use postgame::rumble::model::voices::Voice;
use postgame::rumble::model::{Replay, SecondReplay};
use postgame::rumble::tables;
use postgame::stats::{Number, Stats};
use postgame::timeline::{Event, Timeline};
use postgame::{ReadOptions, Recording};

use crate::corpus;

fn newest() -> SecondReplay {
    let path = corpus::root().join("samples/bout-2026.replay");
    let bytes = std::fs::read(path).unwrap();
    match postgame::read(&bytes, &ReadOptions::default()).unwrap().0 {
        Recording::Rumble(Replay::Second(replay)) => replay,
        _ => panic!(),
    }
}

fn timeline_of(replay: SecondReplay) -> Timeline {
    Recording::Rumble(Replay::Second(replay)).timeline()
}

fn of_kind<'a>(timeline: &'a Timeline, kind: &str) -> Vec<&'a Event> {
    let events = timeline.events.iter();
    events.filter(|event| event.kind == kind).collect()
}

fn name(timeline: &Timeline, id: Option<postgame::timeline::EntityId>) -> Option<&str> {
    Some(timeline.entity(id?)?.name.as_str())
}

/// Writes a replay, reads it again, and gives its findings, notes too.
fn findings(replay: &SecondReplay) -> Vec<&'static str> {
    let bytes = Recording::Rumble(Replay::Second(replay.clone()))
        .write()
        .unwrap();
    let (again, mut report) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    assert!(again.write().unwrap() == bytes);
    again.check(&mut report);
    report
        .findings()
        .iter()
        .map(|finding| finding.code)
        .collect()
}

#[test]
fn damage_is_read_in_both_widths_without_a_finding() {
    for width in [SizeWidth::U8, SizeWidth::U16] {
        for wide in [false, true] {
            let mut replay = newest();
            // Visual data of more than 255 bytes does not exist in the files with narrow sizes.
            let stream = replay.stream.as_mut().unwrap();
            stream.size_width = width;
            let mut changed = 0;
            let chunks = stream.frames.iter_mut().flat_map(|frame| &mut frame.chunks);
            for field in chunks
                .filter(|chunk| chunk.chunk_type == chunk::EVENT)
                .flat_map(|chunk| &mut chunk.fields)
            {
                if let (8, Value::U8(damage), true) = (field.id, &field.value, wide) {
                    field.value = Value::I32(i32::from(*damage) + 300);
                    changed += 1;
                }
            }
            assert_eq!(changed, if wide { 8 } else { 0 });
            assert_eq!(findings(&replay), Vec::<&str>::new(), "{width:?} {wide}");
            let timeline = timeline_of(replay);
            let markers = of_kind(&timeline, "hitmarker");
            assert_eq!(markers.len(), 8);
            let expected = if wide { "302" } else { "2" };
            assert!(
                markers
                    .iter()
                    .all(|marker| marker.detail("damage") == Some(expected))
            );
        }
    }
    // Any other size is one that nobody wrote.
    let mut replay = newest();
    let frames = &mut replay.stream.as_mut().unwrap().frames;
    let mut chunks = frames.iter_mut().flat_map(|frame| &mut frame.chunks);
    let event = chunks
        .find(|chunk| chunk.chunk_type == chunk::EVENT)
        .unwrap();
    event.fields.push(Field {
        id: 8,
        value: Value::Raw(Bytes(vec![1, 2])),
    });
    assert_eq!(findings(&replay), ["field-size"]);
}

#[test]
fn every_number_of_the_newest_recorder_has_a_name() {
    let last = |names: &[&'static str]| (names.len(), names[names.len() - 1]);
    assert_eq!(last(tables::EFFECTS), (22, "Hitmarker"));
    assert_eq!(last(tables::STRUCTURES), (14, "Target"));
    assert_eq!(last(tables::MOVES), (12, "Explode"));
    assert_eq!(
        tables::SHIFTSTONE_EFFECTS,
        ["Charge", "Adamant", "Vigor", "Surge"]
    );
    let mut replay = newest();
    for (number, name) in tables::STRUCTURES.iter().enumerate().skip(9) {
        replay.manifest.values["Structures"][0]["Type"] = number.into();
        assert_eq!(findings(&replay), Vec::<&str>::new());
        let timeline = timeline_of(replay.clone());
        assert!(timeline.find(&format!("{name} 0")).is_some(), "{name}");
    }
    replay.manifest.values["Structures"][0]["Type"] = 14.into();
    assert_eq!(findings(&replay), ["structure-type"]);
}

/// The twelve throws of the bout: each is raised with a stomp and struck 0.9 s later.
#[test]
fn moves_are_events() {
    let timeline = timeline_of(newest());
    let moves = of_kind(&timeline, "move");
    assert_eq!(moves.len(), 24);
    for throw in 0..12 {
        let raised_s = 1.0 + 1.5 * throw as f64;
        let who = ["Ada", "Bo"][throw % 2];
        let strike = ["Straight", "Kick", "Uppercut"][throw % 3];
        for (time_s, expected) in [(raised_s, "Ground"), (raised_s + 0.9, strike)] {
            let is_it = |event: &&&Event| {
                (event.time_s - time_s).abs() < 0.021
                    && event.detail("move") == Some(expected)
                    && name(&timeline, event.who) == Some(who)
            };
            assert_eq!(moves.iter().filter(is_it).count(), 1, "{throw} {expected}");
        }
    }
    let effects = of_kind(&timeline, "shiftstone-starts");
    let effects: Vec<_> = effects
        .iter()
        .map(|event| (name(&timeline, event.who), event.detail("effect")))
        .collect();
    assert_eq!(
        effects,
        [(Some("Ada"), Some("Charge")), (Some("Bo"), Some("Charge"))]
    );
}

#[test]
fn a_state_tells_what_stands_where_no_field_does() {
    let replay = newest();
    let frames = &replay.stream.as_ref().unwrap().frames;
    let mut fields = frames
        .iter()
        .flat_map(|frame| &frame.chunks)
        .filter(|chunk| chunk.chunk_type == chunk::STRUCTURE)
        .flat_map(|chunk| &chunk.fields);
    assert!(
        fields.all(|field| field.id != 3),
        "the newest recorder writes no `grounded`"
    );
    let timeline = timeline_of(replay);
    assert_eq!(of_kind(&timeline, "structure-lifts").len(), 12);
    assert_eq!(of_kind(&timeline, "structure-lands").len(), 4);
    let disc = timeline.entity(timeline.find("Disc 0").unwrap()).unwrap();
    assert_eq!(
        (disc.flag("grounded", 1.2), disc.flag("grounded", 2.0)),
        (Some(true), Some(false))
    );
}

#[test]
fn what_is_not_mentioned_at_first_is_not_active() {
    let mut replay = newest();
    let frames = &mut replay.stream.as_mut().unwrap().frames;
    for chunk in frames.iter_mut().flat_map(|frame| &mut frame.chunks) {
        if chunk.chunk_type == chunk::PEDESTAL {
            chunk.fields.retain(|field| field.id != 1);
        }
    }
    let timeline = timeline_of(replay);
    let pedestal = timeline
        .entity(timeline.find("Pedestal 0").unwrap())
        .unwrap();
    assert_eq!(pedestal.flag("active", 1.0), Some(false));
}

#[test]
fn events_use_the_ids_of_structures() {
    let timeline = timeline_of(newest());
    let spawned: Vec<_> = of_kind(&timeline, "spawn")
        .iter()
        .map(|event| name(&timeline, event.whom).unwrap().to_owned())
        .collect();
    assert_eq!(spawned.len(), 12);
    assert_eq!((&*spawned[0], &*spawned[11]), ("Disc 0", "Target 11"));
    // The recorder writes 0 where it does not know who: that is nobody.
    assert!(
        of_kind(&timeline, "spawn")
            .iter()
            .all(|event| event.who.is_none())
    );
    let target = timeline
        .entity(timeline.find("Target 11").unwrap())
        .unwrap();
    assert_eq!(target.scalar("target_damage", 18.0), Some(10.0));
    assert!(timeline.find("Fruit 0").is_some());
}

#[test]
fn markers_and_voices_are_events() {
    let timeline = timeline_of(newest());
    let markers = of_kind(&timeline, "marker");
    assert_eq!(markers.len(), 2);
    let manual = markers[0];
    assert_eq!((manual.time_s, manual.frame), (5.0, 250));
    assert_eq!(manual.detail("name"), Some("core.manual"));
    assert_eq!(manual.detail("colour"), Some("#ffffff"));
    // X is mirrored, as all positions are.
    assert_eq!(manual.position, Some([-1.0, 1.5, -2.0]));
    assert_eq!(name(&timeline, manual.who), Some("Bo"));
    assert_eq!(markers[1].detail("colour"), Some("#b399d9"));
    assert_eq!((markers[1].position, markers[1].who), (None, None));
    let voices = of_kind(&timeline, "voice");
    assert_eq!(voices.len(), 1);
    assert_eq!(
        (voices[0].time_s, name(&timeline, voices[0].who)),
        (3.0, Some("Bo"))
    );
    // Nulls, as the recorder writes them when it rewrites a manifest, are as good as nothing.
    let mut replay = newest();
    replay.manifest.values["Markers"][0]["position"] = serde_json::Value::Null;
    replay.manifest.values["Markers"][0]["PlayerIndex"] = serde_json::Value::Null;
    let timeline = timeline_of(replay);
    let manual = of_kind(&timeline, "marker")[0];
    assert_eq!((manual.position, manual.who), (None, None));
}

#[test]
fn voice_files_can_be_taken_out() {
    let replay = newest();
    let voices = replay.voices();
    assert_eq!(voices.len(), 1);
    let contents = replay
        .voice_file(&voices[0], &Default::default())
        .unwrap()
        .unwrap();
    assert!(contents.starts_with(b"OggS") && contents[28..].starts_with(b"OpusHead"));
    let missing = Voice {
        file_name: "nothing.ogg".into(),
        ..Voice::default()
    };
    assert_eq!(
        replay.voice_file(&missing, &Default::default()).unwrap(),
        None
    );
}

#[test]
fn the_summary_has_names_for_people() {
    let recording = Recording::Rumble(Replay::Second(newest()));
    let summary = recording.summary();
    assert_eq!(
        summary.date.as_deref(),
        Some("2026-08-13T18:30:00"),
        "local time, no zone"
    );
    assert_eq!(summary.map.as_deref(), Some("Map1"));
    let detail = |name: &str| {
        summary
            .details
            .iter()
            .find(|detail| detail.0 == name)
            .map(|detail| &*detail.1)
    };
    assert_eq!(detail("map_name"), Some("Pit"));
    assert_eq!(detail("voices"), Some("1"));
    assert_eq!(detail("markers"), Some("2"));
    assert_eq!(detail("extensions"), Some("sample.scoreboard"));
    let ada = &summary.players[0].details;
    assert!(
        ada.contains(&("shiftstones", "Flow".into())) && ada.contains(&("local", "true".into()))
    );
    let extension = newest().stream.unwrap().frames[0]
        .chunks
        .last()
        .cloned()
        .unwrap();
    assert_eq!(extension.chunk_type, chunk::EXTENSION);
    assert_eq!(extension.index, extension_index("sample.scoreboard"));
}

fn number(stats: &Stats, player: usize, group: &str, name: &str) -> f64 {
    match stats.players[player].get(group, name) {
        Some(Number::Amount(Some(amount))) => *amount,
        Some(Number::Count(count)) => *count as f64,
        other => panic!("{group} {name}: {other:?}"),
    }
}

/// By hand: Ada throws 0, 2, 4 and so on, Bo the odd ones; every third one misses; each hit takes two points and comes
/// 0.55 s after the strike, so the strike is the last attack before it. Straight, Kick and Uppercut take turns.
#[test]
fn statistics_by_move_are_those_of_the_bout() {
    let recording = Recording::Rumble(Replay::Second(newest()));
    let stats = recording.stats(&recording.timeline()).unwrap();
    for (player, victim) in [(0, "Bo"), (1, "Ada")] {
        let of = |group: &str, name: &str| number(&stats, player, group, name);
        assert_eq!(of("attack", "attacks"), 12.0, "six stomps and six strikes");
        assert_eq!(of("attack", "share_of_all_attacks"), 0.5);
        assert_eq!(of("attack", "attacks_that_hit"), 4.0);
        assert_eq!(of("attack", "damage_dealt"), 8.0);
        assert_eq!(of("moves", "Ground_count"), 6.0);
        assert_eq!(of("moves", "Ground_that_hit"), 0.0);
        // Throws 0, 6 of Ada's and 3, 9 of Bo's are straights and hit; every Uppercut (2, 5, 8, 11) misses.
        assert_eq!(of("moves", "Straight_count"), 2.0);
        assert_eq!(of("moves", "Straight_that_hit"), 2.0);
        assert_eq!(of("moves", "Straight_damage"), 4.0);
        assert_eq!(of("moves", "Uppercut_count"), 2.0);
        assert_eq!(of("moves", "Uppercut_that_hit"), 0.0);
        // The feet are three metres from the middle, a quarter more or less.
        let mean = of("distance", "mean_m");
        assert!((5.4..6.4).contains(&mean), "{mean}");
        assert_eq!(of("distance", "near_s"), 0.0);
        assert_eq!(of("attack", "hits_dealt"), 4.0);
        let against = stats.players[player]
            .groups
            .iter()
            .find(|group| group.name == "structures_against")
            .unwrap();
        assert!(!against.values.is_empty());
        assert!(
            against
                .values
                .iter()
                .all(|(name, _)| name.starts_with(&format!("{victim}_")))
        );
    }
    // Ada's throws 0, 4, 6, 10 hit: disc, disc, ball, large rock.
    assert_eq!(number(&stats, 0, "structures_against", "Bo_Disc_hits"), 2.0);
    assert_eq!(
        number(&stats, 0, "structures_against", "Bo_Disc_damage"),
        4.0
    );
    assert_eq!(
        number(&stats, 0, "structures_against", "Bo_LargeRock_hits"),
        1.0
    );
    // Bo's throws 1, 3, 7, 9 hit: pillar, cube, pillar, cube.
    assert_eq!(
        number(&stats, 1, "structures_against", "Ada_Pillar_hits"),
        2.0
    );
    assert_eq!(
        number(&stats, 1, "structures_against", "Ada_Cube_hits"),
        2.0
    );
    // Hits on Bo at 2.45, 8.45, 11.45, 17.45 s, on Ada at 3.95, 6.95, 12.95, 15.95: never two of one within 2.5 s.
    assert_eq!(number(&stats, 0, "combos", "combos"), 0.0);
}

/// The first generation does not say which moves players execute: there is no number then, rather than none.
#[test]
fn no_moves_are_counted_where_none_are_recorded() {
    let bytes = std::fs::read(corpus::root().join("samples/bout.replay")).unwrap();
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default()).unwrap();
    let stats = recording.stats(&recording.timeline()).unwrap();
    assert_eq!(stats.players[0].get("attack", "attacks"), None);
    // The structure that hits belongs to the one before whom it rose.
    assert_eq!(
        stats.players[0].get("attack", "hits_dealt"),
        Some(&Number::Count(4))
    );
    assert_eq!(
        stats.players[1].get("attack", "damage_dealt"),
        Some(&Number::Amount(Some(8.0)))
    );
}

#[test]
fn three_quick_hits_are_a_combo() {
    let mut replay = newest();
    // Bo loses a point in three frames a second apart, long before the first throw arrives.
    let frames = &mut replay.stream.as_mut().unwrap().frames;
    let player = |index: i32, id: u8, value: i16| Chunk {
        chunk_type: chunk::PLAYER,
        index,
        sub_index: None,
        fields: vec![Field {
            id,
            value: Value::I16(value),
        }],
        trailing: Bytes::default(),
    };
    for (frame, health) in [(20, 19), (60, 18), (100, 17), (110, 20)] {
        frames[frame].chunks.push(player(1, 9, health));
    }
    // Ada strikes at 0.1 s and goes on doing so.
    for frame in [5, 55, 90] {
        frames[frame].chunks.push(player(0, 8, 8));
        frames[frame + 1].chunks.push(player(0, 8, 0));
    }
    let recording = Recording::Rumble(Replay::Second(replay));
    let stats = recording.stats(&recording.timeline()).unwrap();
    assert_eq!(number(&stats, 0, "combos", "combos"), 1.0);
    // Three of these and the bout's own hit half a second after the last.
    assert_eq!(number(&stats, 0, "combos", "longest_hits"), 4.0);
    assert_eq!(number(&stats, 1, "combos", "combos"), 0.0);
}
