//! Statistics as slippi-js 9.1.2 gives them, number for number.

use std::collections::BTreeMap;

use postgame::slippi::states::Action;
use postgame::slippi::stats::overall::Ratio;
use postgame::slippi::stats::punish::Punish;
use postgame::slippi::stats::{Analysis, Player, analyse};
use serde_json::{Map, Value, json};

use super::real;
use crate::corpus;

/// Files on which slippi-js fails: a frame without the state before it.
const FAILS: &[&str] = &["Stamina.slp"];

/// Files of which slippi-js gives other numbers, with the reason that shows it to be wrong.
const DIFFERENT: &[(&str, &str)] = &[(
    "test-2.slp",
    "the first recorders put both halves of a frame into one event, which slippi-js takes for the second half alone: it \
     finds no players in any frame, and no stocks in a game of which it knows the end",
)];

fn ratio(ratio: &Ratio) -> Value {
    let mut value = json!({ "count": ratio.count, "total": ratio.total });
    if let Some(ratio) = ratio.ratio() {
        value["ratio"] = json!(ratio);
    }
    value
}

fn overall(player: &Player) -> Value {
    let Player {
        overall, inputs, ..
    } = player;
    json!({
        "playerIndex": player.port,
        "inputCounts": {
            "buttons": inputs.buttons, "triggers": inputs.triggers, "cstick": inputs.cstick,
            "joystick": inputs.stick, "total": inputs.total(),
        },
        "conversionCount": overall.conversions,
        "totalDamage": overall.total_damage,
        "killCount": overall.kills,
        "successfulConversions": ratio(&overall.successful_conversions),
        "inputsPerMinute": ratio(&overall.inputs_per_minute),
        "digitalInputsPerMinute": ratio(&overall.digital_inputs_per_minute),
        "openingsPerKill": ratio(&overall.openings_per_kill),
        "damagePerOpening": ratio(&overall.damage_per_opening),
        "neutralWinRatio": ratio(&overall.neutral_wins),
        "counterHitRatio": ratio(&overall.counter_hits),
        "beneficialTradeRatio": ratio(&overall.beneficial_trades),
    })
}

fn action_counts(player: &Player) -> Value {
    let counts = &player.actions;
    let of = |action| counts.of(action);
    json!({
        "playerIndex": player.port,
        "wavedashCount": counts.wavedashes,
        "wavelandCount": counts.wavelands,
        "airDodgeCount": of(Action::AirDodge),
        "dashDanceCount": counts.dash_dances,
        "spotDodgeCount": of(Action::SpotDodge),
        "ledgegrabCount": of(Action::LedgeGrab),
        "rollCount": of(Action::Roll),
        "tauntCount": of(Action::Taunt),
        "edgeCancelCount": { "success": counts.edge_cancels, "slow": counts.edge_cancels_slow },
        "lCancelCount": { "success": counts.l_cancels, "fail": counts.l_cancels_missed },
        "attackCount": {
            "jab1": of(Action::Jab1), "jab2": of(Action::Jab2), "jab3": of(Action::Jab3), "jabm": of(Action::JabRapid),
            "dash": of(Action::DashAttack), "ftilt": of(Action::ForwardTilt), "utilt": of(Action::UpTilt),
            "dtilt": of(Action::DownTilt), "fsmash": of(Action::ForwardSmash), "usmash": of(Action::UpSmash),
            "dsmash": of(Action::DownSmash), "nair": of(Action::NeutralAir), "fair": of(Action::ForwardAir),
            "bair": of(Action::BackAir), "uair": of(Action::UpAir), "dair": of(Action::DownAir),
        },
        "grabCount": { "success": counts.grabs, "fail": counts.grabs_missed },
        "throwCount": {
            "up": of(Action::ThrowUp), "forward": of(Action::ThrowForward),
            "back": of(Action::ThrowBack), "down": of(Action::ThrowDown),
        },
        "groundTechCount": {
            "away": counts.techs_away, "in": counts.techs_in,
            "neutral": of(Action::TechInPlace), "fail": of(Action::TechMissed),
        },
        "wallTechCount": { "success": of(Action::WallTech), "fail": of(Action::WallTechMissed) },
    })
}

/// In the form of the golden file: lists as their lengths.
fn golden_form(analysis: &Analysis) -> Value {
    json!({
        "lastFrame": analysis.last_frame,
        "playableFrameCount": analysis.playable_frames,
        "gameComplete": analysis.is_complete,
        "overall": analysis.players.iter().map(overall).collect::<Vec<_>>(),
        "stocks": analysis.stocks.len(),
        "conversions": analysis.conversions.len(),
        "combos": analysis.combos.len(),
        "actionCounts": analysis.players.iter().map(action_counts).collect::<Vec<_>>(),
    })
}

fn punishes(list: &[Punish], has_opening: bool) -> Value {
    list.iter()
        .map(|one| {
            let moves: Vec<Value> = one
                .moves
                .iter()
                .map(|one| {
                    json!({
                        "playerIndex": one.port, "frame": one.frame, "moveId": one.attack,
                        "hitCount": one.hits, "damage": one.damage,
                    })
                })
                .collect();
            let mut value = json!({
                "playerIndex": one.victim, "lastHitBy": one.last_hit_by, "startFrame": one.start_frame,
                "startPercent": one.start_percent, "currentPercent": one.current_percent,
                "moves": moves, "didKill": one.did_kill,
            });
            let map = value.as_object_mut().unwrap();
            insert(map, "endFrame", one.end_frame);
            insert(map, "endPercent", one.end_percent);
            if has_opening {
                insert(map, "openingType", Some(one.opening.name()));
            }
            value
        })
        .collect()
}

fn insert(map: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        map.insert(name.to_owned(), value.into());
    }
}

/// With whole lists, as `bench/slippi_js_stats.mjs` has slippi-js write them.
fn full_form(analysis: &Analysis) -> Value {
    let stocks = analysis.stocks.iter().map(|one| {
        let mut value = json!({
            "playerIndex": one.port, "startFrame": one.start_frame, "startPercent": 0,
            "currentPercent": one.current_percent, "count": one.count,
        });
        let map = value.as_object_mut().unwrap();
        insert(map, "endFrame", one.end_frame);
        insert(map, "endPercent", one.end_percent);
        insert(map, "deathAnimation", one.death_state);
        value
    });
    let mut value = golden_form(analysis);
    value["stocks"] = stocks.collect();
    value["conversions"] = punishes(&analysis.conversions, true);
    value["combos"] = punishes(&analysis.combos, false);
    value
}

/// Every number and text of a value with its path; whole numbers are the same whatever their type.
fn flatten(path: &str, value: &Value, out: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                flatten(&format!("{path}.{name}"), value, out);
            }
        }
        Value::Array(list) => {
            out.insert(format!("{path}.length"), list.len().to_string());
            for (index, value) in list.iter().enumerate() {
                flatten(&format!("{path}[{index}]"), value, out);
            }
        }
        Value::Number(number) => {
            out.insert(path.to_owned(), number.as_f64().unwrap().to_string());
        }
        // JSON has no `undefined`: what slippi-js leaves out or divides by nothing is no number.
        Value::Null => {}
        other => {
            out.insert(path.to_owned(), other.to_string());
        }
    }
}

/// Compares two values; gives how many numbers there are, and the differences.
fn compare(ours: &Value, theirs: &Value) -> (usize, Vec<String>) {
    let (mut a, mut b) = (BTreeMap::new(), BTreeMap::new());
    flatten("", ours, &mut a);
    flatten("", theirs, &mut b);
    let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let differences = names
        .into_iter()
        .filter(|name| a.get(*name) != b.get(*name))
        .map(|name| format!("{name}: {:?}, slippi-js {:?}", a.get(name), b.get(name)));
    let differences = differences.collect();
    (b.len(), differences)
}

fn check(golden: &BTreeMap<String, Value>, form: fn(&Analysis) -> Value) -> (usize, usize) {
    let (mut files, mut numbers, mut listed) = (0, 0, 0);
    let mut unexpected = Vec::new();
    for (name, replay) in real() {
        let expected = &golden[&name];
        if expected.get("error").is_some() {
            assert!(FAILS.contains(&name.as_str()), "{name}");
            continue;
        }
        if replay.start.ports().count() != 2 {
            continue;
        }
        let (count, differences) = compare(&form(&analyse(&replay)), &expected["stats"]);
        files += 1;
        numbers += count;
        match DIFFERENT.iter().find(|(file, _)| *file == name) {
            Some((_, reason)) => {
                assert!(!differences.is_empty(), "{name} is no different");
                assert!(replay.frames.as_ref().unwrap().is_combined, "{name}");
                listed += differences.len();
                eprintln!("{name}: {} differences: {reason}", differences.len());
            }
            None => unexpected.extend(differences.into_iter().map(|one| format!("{name} {one}"))),
        }
    }
    eprintln!("{files} files, {numbers} values, {listed} listed differences");
    assert!(
        unexpected.is_empty(),
        "{} differences:\n{}",
        unexpected.len(),
        unexpected.join("\n")
    );
    (files, numbers)
}

#[test]
fn every_number_of_get_stats() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let golden = std::fs::read_to_string(folder.join("golden/slippi-js-9.1.2.json")).unwrap();
    let (files, numbers) = check(&serde_json::from_str(&golden).unwrap(), golden_form);
    assert!(
        files >= 60 && numbers > 5000,
        "{files} files, {numbers} values"
    );
}

/// The golden file has only the lengths of lists. `POSTGAME_SLIPPI_JS` may name a file with the lists themselves, which
/// `bench/slippi_js_stats.mjs` writes.
#[test]
fn every_stock_conversion_and_combo() {
    let Some(path) = std::env::var_os("POSTGAME_SLIPPI_JS") else {
        eprintln!("POSTGAME_SLIPPI_JS names no file: lists were not compared");
        return;
    };
    let full = std::fs::read_to_string(path).unwrap();
    let (files, numbers) = check(&serde_json::from_str(&full).unwrap(), full_form);
    assert!(
        files >= 60 && numbers > 20000,
        "{files} files, {numbers} values"
    );
}
