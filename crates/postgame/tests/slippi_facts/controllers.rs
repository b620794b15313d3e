//! Controllers.

use postgame::slippi::controllers::{Controller, Kind, Violation, is_handwarmer};
use serde_json::{Value, json};

use crate::load::{Fact, File};

pub fn answer(fact: &Fact, file: &File) -> Option<Value> {
    if fact.kind == "handwarmer" {
        return Some(is_handwarmer(&file.replay).into());
    }
    let all = file.controllers();
    match fact.fact.as_str() {
        "controller_type.some_port" => {
            let wanted = fact.value.as_str()?;
            let found = all.iter().find(|one| one.kind.name() == wanted);
            return Some(json!(found.map(|one| one.kind.name())));
        }
        "folder_label" => return folder_label(fact, all),
        _ => {}
    }
    let one = match fact.fact.strip_suffix(".first_box_port") {
        Some(_) => all.iter().find(|one| one.kind == Kind::Box)?,
        None => {
            let port = fact.port?.checked_sub(1)?;
            all.iter().find(|one| one.port == port)?
        }
    };
    of_port(fact.fact.trim_end_matches(".first_box_port"), one)
}

/// A label of a folder says that a port has such a controller, and whether that is legal.
fn folder_label(fact: &Fact, all: &[Controller]) -> Option<Value> {
    let wanted = |one: &&Controller| fact.port.is_none_or(|port| one.port + 1 == port);
    // A folder of a single check says nothing of the others.
    let topic = fact.value.get("topic").and_then(Value::as_str);
    let is_topic =
        |name: &str| topic.is_some_and(|topic| name.replace('_', "") == topic.replace('_', ""));
    let label = |one: &Controller| {
        let check = one.checks.iter().find(|check| is_topic(check.name));
        json!({
            "legal": check.map_or(one.is_legal, |check| check.passes),
            "controller": one.kind.name(),
            "topic": fact.value.get("topic"),
        })
    };
    let mut labels = all.iter().filter(wanted).map(label);
    let first = labels.clone().next();
    labels.find(|one| *one == fact.value).or(first)
}

fn of_port(fact: &str, one: &Controller) -> Option<Value> {
    match fact {
        "controller_type" => return Some(one.kind.name().into()),
        "unique_stick_points" => return Some(one.positions.into()),
        "goomwave.clamping" => return Some((!one.check("goomwave")?.passes).into()),
        _ => {}
    }
    let (name, rest) = fact.split_once('.')?;
    let check = one.check(name)?;
    let rule = rest.strip_prefix("rule_");
    let (rule, rest) = match rule.and_then(|rest| rest.split_once('.')) {
        Some((rule, rest)) => (rule.parse::<u8>().ok(), rest),
        None => (None, rest),
    };
    let all = check.violations.iter();
    let all: Vec<&Violation> = all
        .filter(|one| rule.is_none_or(|rule| one.rule == rule))
        .collect();
    let (rest, at) = match rest.split_once('[') {
        Some(("violation", rest)) => {
            let (index, field) = rest.split_once("].")?;
            (field, Some(*all.get(index.parse::<usize>().ok()?)?))
        }
        _ => (rest, None),
    };
    match (rest, at) {
        ("index", Some(one)) => Some(one.index.into()),
        ("sticks", Some(one)) => Some(json!(one.sticks)),
        ("fails", _) => Some((!check.passes).into()),
        ("passes", _) => Some(check.passes.into()),
        ("violations", _) => Some(all.len().into()),
        ("rate" | "llr_per_observation", _) => Some(json!(check.value)),
        ("first_stick_of_every_violation", _) => {
            let mut firsts = all.iter().filter_map(|one| one.sticks.first());
            let first = *firsts.next()?;
            Some(json!(firsts.all(|one| *one == first).then_some(first)))
        }
        _ => None,
    }
}
