//! Facts about Rumble's items and Dropshot's tiles.

use postgame::timeline::Event;
use serde_json::Value;

use crate::Verdict;
use crate::load::{Case, Fact};

pub fn verdict(case: &Case, fact: &Fact) -> Verdict {
    match fact.fact.as_str() {
        "goal.before_items" => {
            let goals = case.goals();
            let goal = fact.number("goal").and_then(|number| goals.get(number - 1));
            Verdict::of_some(
                fact,
                goal.map(|goal| goal.detail("before_items") == Some("true")),
            )
        }
        "player.item.used" => Verdict::of(fact, items(case, fact, "item-used").count()),
        "player.item.counts" | "team.item.counts" => {
            let (taken, used) = (
                items(case, fact, "item-taken").count(),
                items(case, fact, "item-used").count(),
            );
            let unused = taken.saturating_sub(used);
            let theirs =
                |name: &str| fact.value.get(name).and_then(Value::as_u64).unwrap() as usize;
            let so = used == theirs("used") && unused == theirs("unused");
            Verdict::is(so, format!("used {used} unused {unused}"))
        }
        _ => tiles(case, fact),
    }
}

fn items<'a>(
    case: &'a Case,
    fact: &'a Fact,
    kind: &'static str,
) -> impl Iterator<Item = &'a Event> {
    let item = fact.more.get("item").and_then(Value::as_str).unwrap();
    case.events(kind).filter(move |event| {
        let team = fact.team.as_deref();
        let is_own = match &fact.player {
            Some(player) => case.name(event.who) == Some(player),
            None => event.detail("team") == team,
        };
        is_own
            && event
                .detail("item")
                .is_some_and(|name| same_item(name, item))
    })
}

/// Names of items differ by a prefix and an ending of the object they are made from.
fn same_item(ours: &str, theirs: &str) -> bool {
    ours.trim_end_matches("_TA") == theirs.trim_end_matches("_TA")
}

/// How long the ball was in a phase.
fn phase(case: &Case, fact: &Fact) -> Verdict {
    let phase = fact.more.get("phase").and_then(Value::as_u64).unwrap();
    let subject = case
        .stats
        .recording
        .iter()
        .find(|group| group.name == "dropshot");
    let ours = |name: &str| match subject
        .and_then(|group| group.get(&format!("phase_{phase}_{name}_s")))
    {
        Some(postgame::stats::Number::Amount(amount)) => amount.unwrap_or(f64::NAN),
        _ => f64::NAN,
    };
    let names = ["average", "max", "total"];
    let so = names.iter().all(|name| {
        let theirs = fact.value.get(*name).and_then(Value::as_f64).unwrap();
        (ours(name) - theirs).abs() <= fact.tolerance(0.05)
    });
    Verdict::is(so, format!("{:?}", names.map(ours)))
}

fn tiles(case: &Case, fact: &Fact) -> Verdict {
    let mut hits: Vec<&Event> = case.events("damage").collect();
    hits.sort_by(|one, other| one.time_s.total_cmp(&other.time_s));
    let tiles: Vec<&Event> = case
        .timeline
        .events
        .iter()
        .filter(|event| event.kind == "tile-damaged" || event.kind == "tile-opened")
        .collect();
    let hit = fact.number("index").and_then(|index| hits.get(index - 1));
    let of_hit = || {
        hit.map(|hit| {
            tiles
                .iter()
                .filter(|tile| tile.frame == hit.frame)
                .collect::<Vec<_>>()
        })
    };
    match fact.fact.as_str() {
        "damage_event.count" => Verdict::of(fact, hits.len()),
        "damage_event.tiles.count" => Verdict::of_some(fact, of_hit().map(|tiles| tiles.len())),
        "damage_event.tile.state" => Verdict::of_some(
            fact,
            of_hit().and_then(|tiles| {
                tiles
                    .first()
                    .map(|tile| tile.kind.trim_start_matches("tile-").to_owned())
            }),
        ),
        "damage_event.tile.id" => Verdict::of_some(
            fact,
            of_hit().and_then(|tiles| tiles.first()?.detail("tile_id")?.parse::<i64>().ok()),
        ),
        "player.tile_damage" | "team.tile_damage" => {
            Verdict::of_some(fact, case.stat(fact, "play", "tile_damage"))
        }
        "player.damage_efficiency" => {
            Verdict::of_some(fact, case.stat(fact, "play", "damage_efficiency"))
        }
        "damaged_tiles.count" => {
            let mut names: Vec<_> = tiles
                .iter()
                .filter_map(|tile| tile.detail("tile"))
                .collect();
            names.sort_unstable();
            names.dedup();
            Verdict::of(fact, names.len())
        }
        "tile.damage" => {
            let mut names: Vec<_> = tiles
                .iter()
                .filter_map(|tile| tile.detail("tile"))
                .collect();
            let first = names.first().copied();
            names.retain(|name| Some(*name) == first);
            Verdict::of(fact, names.len())
        }
        "ball.phase.time_s" => phase(case, fact),
        _ => Verdict::NotOffered,
    }
}
