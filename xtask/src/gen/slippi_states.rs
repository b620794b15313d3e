//! Slippi's tables of what action states mean to statistics, and of what moves by itself.

use std::collections::BTreeMap;

use super::table::Table;
use crate::tools::Result;

/// States that all characters share; later ones are a character's own.
const COMMON_STATES: usize = 341;

/// Adds the tables.
pub fn add(out: &mut String) -> Result {
    states(out)?;
    landing_lags(out)?;
    falling(out)?;
    randall(out)
}

fn read(file: &str) -> Result<Table> {
    Table::read(&format!("data/slippi/{file}.tsv"))
}

fn list(out: &mut String, doc: &str, name: &str, kind: &str, rows: impl Iterator<Item = String>) {
    out.push_str(&format!("\n/// {doc}\npub const {name}: &[{kind}] = &[\n"));
    for row in rows {
        out.push_str(&format!("    {row},\n"));
    }
    out.push_str("];\n");
}

/// `wall_tech` as `WallTech`.
fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    name.split('_').map(capital).collect()
}

/// Sets as bits, phases and counted actions, each by state.
fn states(out: &mut String) -> Result {
    let number = |text: &str| -> Result<usize> {
        text.parse()
            .map_err(|_| format!("{text} is not an action state"))
    };
    let table = read("state_sets")?;
    let mut names: Vec<&str> = Vec::new();
    let mut sets = vec![0_u16; COMMON_STATES];
    for [set, first, last] in table.rows(["set", "first", "last"])? {
        let bit = names
            .iter()
            .position(|name| *name == set)
            .unwrap_or_else(|| {
                names.push(set);
                names.len() - 1
            });
        for set in &mut sets[number(first)?..=number(last)?] {
            *set |= 1 << bit;
        }
    }
    out.push_str("\n/// Sets of action states, a bit each.\npub mod set {\n");
    for (bit, name) in names.iter().enumerate() {
        let (doc, name) = (name.replace('_', " "), name.to_uppercase());
        out.push_str(&format!(
            "/// In the set: {doc}.\npub const {name}: u16 = 1 << {bit};\n"
        ));
    }
    out.push_str("}\n");
    let rows = sets.iter().map(u16::to_string);
    let doc = "The sets each of the shared action states is in.";
    list(out, doc, "STATE_SETS", "u16", rows);

    let table = read("phases")?;
    let mut phases = vec![String::new(); COMMON_STATES];
    for [phase, first, last] in table.rows(["phase", "first", "last"])? {
        phases[number(first)?..=number(last)?].fill(format!("Phase::{}", camel(phase)));
    }
    if let Some(state) = phases.iter().position(String::is_empty) {
        return Err(format!("action state {state} is in no phase"));
    }
    let doc = "The phase each of the shared action states is part of.";
    list(out, doc, "STATE_PHASES", "Phase", phases.into_iter());

    let table = read("counted_actions")?;
    let mut shared = vec!["None".to_owned(); COMMON_STATES];
    let mut special = Vec::new();
    for [character, first, last, action] in table.rows(["character", "first", "last", "action"])? {
        let (states, action) = (number(first)?..=number(last)?, camel(action));
        if character == "any" {
            shared[states].fill(format!("Some(Action::{action})"));
        } else {
            let character = number(character)?;
            special.extend(states.map(|state| (character, state, format!("Action::{action}"))));
        }
    }
    special.sort();
    let doc = "What each of the shared action states counts as when it begins.";
    list(
        out,
        doc,
        "STATE_ACTIONS",
        "Option<Action>",
        shared.into_iter(),
    );
    let rows = special
        .iter()
        .map(|(character, state, action)| format!("(({character}, {state}), {action})"));
    let doc = "The same for states of one character.";
    list(out, doc, "SPECIAL_ACTIONS", "((u8, u16), Action)", rows);
    Ok(())
}

fn landing_lags(out: &mut String) -> Result {
    let table = read("landing_lags")?;
    let mut lags: BTreeMap<usize, BTreeMap<&str, String>> = BTreeMap::new();
    for [character, aerial, landing, cancelled] in
        table.rows(["character", "aerial", "landing_frames", "cancelled_frames"])?
    {
        let character: usize = character
            .parse()
            .map_err(|_| format!("{character} is not a character"))?;
        let lag = format!("({landing}, {cancelled})");
        lags.entry(character).or_default().insert(aerial, lag);
    }
    let mut rows = Vec::new();
    for (expected, (character, aerials)) in lags.iter().enumerate() {
        if expected != *character {
            return Err(format!("there are no landing lags of character {expected}"));
        }
        let lag = |aerial: &str| aerials.get(aerial).cloned().unwrap_or_default();
        let all: Vec<String> = ["nair", "fair", "bair", "uair", "dair"].map(lag).to_vec();
        rows.push(format!("[{}]", all.join(", ")));
    }
    let doc = "Frames of landing out of each aerial, and with an L-cancel; by the engine's character, aerials in the order of their states.";
    list(out, doc, "LANDING_LAGS", "[(u8, u8); 5]", rows.into_iter());
    Ok(())
}

fn falling(out: &mut String) -> Result {
    let table = read("falling")?;
    let mut rows = Vec::new();
    for (expected, [character, gravity, speed]) in table
        .rows(["character", "gravity_uu", "fall_speed_uu"])?
        .into_iter()
        .enumerate()
    {
        if character.parse() != Ok(expected) {
            return Err(format!("{character} stands where {expected} is due"));
        }
        let number = |cell: &str| -> Result<String> {
            let number: f32 = cell.parse().map_err(|error| format!("{cell}: {error}"))?;
            Ok(format!("{number:?}"))
        };
        rows.push(format!("({}, {})", number(gravity)?, number(speed)?));
    }
    let doc = "What gravity adds to the fall of each character in a frame, and the fastest fall; by the engine's character.";
    list(out, doc, "FALLING", "(f32, f32)", rows.into_iter());
    Ok(())
}

fn randall(out: &mut String) -> Result {
    let table = read("randall")?;
    let columns = [
        "first",
        "last",
        "y_uu",
        "y_step_uu",
        "left_uu",
        "left_step_uu",
    ];
    let mut rows = Vec::new();
    for cells in table.rows(columns)? {
        let fields: Result<Vec<String>> = columns
            .iter()
            .zip(cells)
            .map(|(name, cell)| {
                let is_frame = matches!(*name, "first" | "last");
                let number: f32 = cell.parse().map_err(|error| format!("{cell}: {error}"))?;
                Ok(match is_frame {
                    true => format!("{name}: {cell}"),
                    false => format!("{name}: {number:?}"),
                })
            })
            .collect();
        rows.push(format!("RandallLeg {{ {} }}", fields?.join(", ")));
    }
    let doc = "The path of the cloud on Yoshi's Story, by frame.";
    list(out, doc, "RANDALL", "RandallLeg", rows.into_iter());
    Ok(())
}
