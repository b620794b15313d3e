//! What a patch of the game brings: names nobody knows yet. As little as possible may be lost to them, and nothing
//! may be guessed in silence.

use postgame::rocket_league::model::properties::Value;
use postgame::rocket_league::{self, Replay};
use postgame::{Report, Severity};

use super::damage::{frames, read_any};
use super::read;
use crate::corpus;

/// A file of the corpus: its bytes and what is in it.
fn known(name: &str) -> Option<(Vec<u8>, Replay)> {
    let folder = corpus::folder()?.join("rocket-league");
    let (bytes, replay, _) = read(&folder.join(format!("{name}.replay")));
    Some((bytes, replay))
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let mut found = 0;
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
            found += 1;
        }
    }
    assert!(found > 0);
    bytes
}

/// The messages about what was inferred.
fn inferred(report: &Report) -> Vec<String> {
    let findings = report.findings().iter();
    let inferred = findings.filter(|finding| finding.code == "inferred");
    inferred
        .map(|finding| {
            assert_eq!(finding.severity, Severity::Odd);
            assert!(finding.path.starts_with("network.frames["), "{finding}");
            assert!(finding.place.unwrap().bit.is_some());
            finding.message.clone()
        })
        .collect()
}

/// A game patch brings attributes nobody knows, each of a layout others have: what they take is found by trying, for
/// only so does every segment end where the next one begins.
#[test]
fn unknown_attributes_are_read_by_trying() {
    let Some((original, whole)) = known("3_KICKOFFS_4_SHOTS") else {
        return;
    };
    let mut bytes = original;
    // 32 bits, 64 bits, a reference; the last is sent before the first.
    for (from, to) in [
        ("TAGame.PRI_TA:MatchShots\0", "TAGame.PRI_TA:SatchMhots\0"),
        ("TAGame.PRI_TA:ClubID\0", "TAGame.PRI_TA:ClabID\0"),
        (
            "TAGame.PRI_TA:PersistentCamera\0",
            "TAGame.PRI_TA:Camera___Persist\0",
        ),
    ] {
        bytes = replaced(&bytes, from.as_bytes(), to.as_bytes());
    }
    let (replay, report) = read_any("unknown attributes", &bytes).unwrap();
    let messages = inferred(&report);
    println!("{messages:#?}");
    for part in ["actor ", "object ", "stream id", "attributes with this id"] {
        assert!(messages[0].contains(part), "{part}");
    }
    for layout in [
        "TAGame.PRI_TA:SatchMhots is not known; read as int,",
        "TAGame.PRI_TA:ClabID is not known; read as int64,",
        "TAGame.PRI_TA:Camera___Persist is not known; read as reference,",
    ] {
        assert!(
            messages.iter().any(|message| message.contains(layout)),
            "{layout}"
        );
    }
    // The values are those of the file in which the names are known.
    let network = |replay: &Replay| replay.body.as_ref().unwrap().network.clone();
    assert!(network(&replay) == network(&whole));
}

/// A game patch brings a product attribute nobody knows.
#[test]
fn an_unknown_product_attribute_is_read_by_trying() {
    let Some((original, whole)) = known("fc427") else {
        return;
    };
    let bytes = replaced(
        &original,
        b"TAGame.ProductAttribute_Painted_TA\0",
        b"TAGame.ProductAttribute_Pointed_TA\0",
    );
    let (replay, report) = read_any("an unknown product attribute", &bytes).unwrap();
    let messages = inferred(&report);
    assert_eq!(messages.len(), 1, "{messages:#?}");
    let layout = "TAGame.ProductAttribute_Pointed_TA is not known; read as 31 bits,";
    assert!(messages[0].contains(layout), "{messages:#?}");
    assert_eq!(frames(&replay), frames(&whole));
}

/// Two rules of other readers contradict each other for LAN matches of these versions: the stream itself tells.
#[test]
fn names_of_actors_in_lan_matches_are_read_whichever_rule_holds() {
    let Some((_, whole)) = known("520e") else {
        return;
    };
    let mut lan = whole.clone();
    for property in &mut lan.header.properties.0 {
        if property.name.as_str() == "MatchType" {
            property.value = Value::Name("Lan".into());
        }
    }
    let bytes = rocket_league::write(&lan).unwrap();
    let (replay, report) = read_any("a LAN match", &bytes).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert!(replay.body.unwrap().network == whole.body.unwrap().network);
}

/// A game patch brings an attribute like no other: the rest of that segment is lost, everything else is there.
#[test]
fn an_unknown_attribute_costs_a_segment() {
    let Some((original, whole)) = known("3_KICKOFFS_4_SHOTS") else {
        return;
    };
    // It is sent at goals, and nothing that is tried is as wide: a reference, a vector, a reference.
    let bytes = replaced(
        &original,
        b"TAGame.Ball_TA:ReplicatedExplosionDataExtended\0",
        b"TAGame.Ball_TA:ReplicatedImplosionDataExtended\0",
    );
    let (replay, report) = read_any("an unknown attribute", &bytes).unwrap();
    let finding = report
        .findings()
        .iter()
        .find(|finding| finding.code == "frame")
        .unwrap();
    assert_eq!(finding.severity, Severity::Lost);
    for part in [
        "actor ",
        "object ",
        "Archetypes.Ball.",
        "stream id",
        "ReplicatedImplosionDataExtended",
        "attributes with this id",
    ] {
        assert!(finding.message.contains(part), "{finding}");
    }
    assert!(finding.path.starts_with("network.frames["), "{finding}");
    assert!(finding.place.unwrap().bit.is_some());
    let network = &replay.body.as_ref().unwrap().network;
    println!(
        "{finding}\n{} of {} frames",
        network.frame_count(),
        frames(&whole)
    );
    assert!(network.gaps().count() > 0);
    assert!(network.frame_count() > 0 && network.frame_count() < frames(&whole));
    assert_eq!(network.frame_count_with_gaps(), frames(&whole));
    // The frames that are there are those of the whole file, by number.
    let times: Vec<f32> = whole
        .body
        .as_ref()
        .unwrap()
        .network
        .frames()
        .map(|frame| frame.time_s)
        .collect();
    for frame in network.frames() {
        assert_eq!(frame.time_s, times[frame.number]);
    }
}

/// A game patch brings a class nobody knows: the numbers of its attributes tell which it derives from.
#[test]
fn an_unknown_class_is_placed_by_its_numbers() {
    let Some((original, whole)) = known("SHORT_SAMPLE") else {
        return;
    };
    let bytes = replaced(
        &original,
        b"CameraSettingsActor_TA\0",
        b"CameraSettingsActox_TA\0",
    );
    let (replay, report) = read_any("an unknown class", &bytes).unwrap();
    assert_eq!(frames(&replay), frames(&whole));
    let note = report
        .findings()
        .iter()
        .find(|finding| finding.code == "new-class")
        .unwrap();
    assert_eq!(note.severity, Severity::Note);
    assert!(note.path.ends_with("CameraSettingsActox_TA"), "{note}");
}
