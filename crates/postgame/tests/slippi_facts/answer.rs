//! Answers by kind of fact.

use md5::{Digest as _, Md5};
use postgame::Severity;
use postgame::limits::Limits;
use postgame::slippi::{self, clock, slpz, stadium};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::load::{Fact, File};
use crate::{combos, controllers, frames, game, learning, settings};

/// What is computed here; `None` if nothing is.
pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    match fact.kind.as_str() {
        "combo-filter" => combos::answer(fact, file),
        "controller" | "handwarmer" => controllers::answer(fact, file),
        "settings" | "metadata" | "gecko" => settings::answer(fact, file),
        "frames" | "items" | "buttons" | "stage-events" | "rollback" => frames::answer(fact, file),
        "ml" if fact.fact == "md5" => Some(hex(&Md5::digest(&file.bytes)).into()),
        "ml" => learning::answer(fact, file),
        "clock" => {
            let frame = fact.params.get("frame")?.as_i64()?;
            Some(clock::clock_text(&file.replay, i32::try_from(frame).ok()?)?.into())
        }
        "stadium" => stadium_result(fact, file),
        "container" => container(fact, file),
        "robustness" => robustness(fact, file),
        "roundtrip" => {
            let written = slippi::write(&file.replay).ok()?;
            Some((written == file.bytes).into())
        }
        _ => game::answer(fact, file),
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn stadium_result(fact: &Fact, file: &File) -> Option<Value> {
    match fact.fact.as_str() {
        "targets.broken" => {
            let targets = stadium::targets(&file.replay)?;
            let broken = targets.iter().filter(|one| one.broken_frame.is_some());
            Some(broken.count().into())
        }
        name => {
            let result = stadium::home_run(&file.replay)?;
            let unit = name.strip_prefix("home_run.distance_")?;
            (result.unit == unit).then(|| result.distance.into())
        }
    }
}

fn container(fact: &Fact, file: &File) -> Option<Value> {
    let slp = slpz::unpack(&file.bytes, &Limits::default()).ok()?;
    match fact.fact.as_str() {
        "slpz.decompressed_sha256" => {
            // Both ways.
            let again = slpz::pack(&slp, slpz::Level::Fast).unwrap();
            assert_eq!(slpz::unpack(&again, &Limits::default()).unwrap(), slp);
            Some(hex(&Sha256::digest(&slp)).into())
        }
        "slpz.header" => {
            let again = slpz::pack(&slp, slpz::Level::Fast).unwrap();
            let number = |at: usize| u32::from_be_bytes(*again[at..].first_chunk().unwrap());
            let offsets: Vec<u32> = (1..6).map(|index| number(4 * index)).collect();
            Some(json!({"version": number(0), "offsets": offsets}))
        }
        _ => None,
    }
}

fn robustness(fact: &Fact, file: &File) -> Option<Value> {
    let has_lost = || {
        let mut findings = file.report.findings().iter();
        findings.any(|finding| finding.severity == Severity::Lost)
    };
    let prefix = || {
        let bytes = fact.value.get("bytes")?.as_u64()?;
        let options = postgame::ReadOptions::default();
        let bytes = file.bytes.get(..usize::try_from(bytes).ok()?)?;
        let (recording, _) = postgame::read(bytes, &options).ok()?;
        match recording {
            postgame::Recording::Slippi(replay) => Some(replay),
            _ => None,
        }
    };
    let bytes = fact.value.get("bytes");
    match fact.fact.as_str() {
        "readable" => Some(true.into()),
        "strict_reader_error" => Some(has_lost().into()),
        "unknown_event_ignored" => {
            let code = fact.value.as_u64()?;
            let known = file.replay.payloads.size(u8::try_from(code).ok()?);
            Some(json!((known.is_some() && !has_lost()).then_some(code)))
        }
        "prefix.settings" => Some(json!({"bytes": bytes, "stage": prefix()?.start.info.stage})),
        "prefix.frames" => Some(json!({"bytes": bytes, "frames": prefix()?.frames?.len()})),
        _ => None,
    }
}
