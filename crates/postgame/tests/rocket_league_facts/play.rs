//! Facts about what cars did: kick-offs, goals, mechanics, boost, demolitions.

use postgame::timeline::Event;
use serde_json::Value;

use crate::Verdict;
use crate::load::{Case, Fact};

/// The countdown of a kick-off lasts this long.
const COUNTDOWN_S: f64 = 3.0;

fn window(fact: &Fact) -> Option<[f64; 2]> {
    let seconds = fact.window.get("s").unwrap_or(&fact.value).as_array()?;
    Some([seconds.first()?.as_f64()?, seconds.get(1)?.as_f64()?])
}

fn is_in(fact: &Fact, event: &Event) -> bool {
    window(fact).is_none_or(|[from_s, to_s]| (from_s..=to_s).contains(&event.time_s))
}

fn times(events: &[&Event]) -> String {
    let times: Vec<String> = events
        .iter()
        .map(|event| format!("{:.2}", event.time_s))
        .collect();
    times.join(" ")
}

pub fn verdict(case: &Case, fact: &Fact) -> Verdict {
    let count = |kind: &'static str| Verdict::of(fact, case.own(fact, kind).len());
    let near = |kind: &'static str| {
        let events = case.own(fact, kind);
        let tolerance = fact.tolerance(0.1);
        let found = events
            .iter()
            .any(|event| (event.time_s - fact.value.as_f64().unwrap()).abs() <= tolerance);
        (found, times(&events))
    };
    let in_span = |kind: &'static str| {
        let events: Vec<&Event> = case
            .own(fact, kind)
            .into_iter()
            .filter(|event| is_in(fact, event))
            .collect();
        (!events.is_empty(), times(&events))
    };
    match fact.fact.as_str() {
        "jump.count" => count("jump"),
        "dodge.count" => count("dodge"),
        "bump.count" => count("bump"),
        "demolition.count" => count("demolition"),
        "goal.count" => count("goal"),
        "half_flip.count" => {
            let (_, times) = in_span("half-flip");
            Verdict::of(fact, times.split_whitespace().count())
        }
        "dodge_refresh.count" => count("dodge-refresh"),
        "wall_aerial.count" => count("wall-aerial"),
        "wall_aerial.present_in" => {
            let (found, times) = in_span("wall-aerial");
            Verdict::is(found, times)
        }
        "wall_aerial.absent_in" => {
            let (found, times) = in_span("wall-aerial");
            Verdict::is(!found, times)
        }
        "dodge.time_s" => {
            let (found, times) = near("dodge");
            Verdict::is(found, times)
        }
        "flip_reset.time_s" => {
            let (found, times) = near("flip-reset");
            Verdict::is(found, times)
        }
        "speed_flip.absent_at" => {
            let (found, times) = near("speed-flip");
            Verdict::is(!found, times)
        }
        "speed_flip.share_of_dodges" => {
            let share =
                case.events("speed-flip").count() as f64 / case.events("dodge").count() as f64;
            Verdict::of(fact, share)
        }
        "flip_reset.frame" | "goal.frame" | "demolition.frame" => {
            let kind = match fact.fact.split('.').next() {
                Some("flip_reset") => "flip-reset",
                Some("goal") => "goal",
                _ => "demolition",
            };
            let frame = fact.value.as_f64().unwrap();
            // A scorer that a goal's fact names is its player.
            let events = case.own(fact, kind);
            let tolerance = fact.tolerance(3.0);
            let found = events
                .iter()
                .any(|event| (event.frame as f64 - frame).abs() <= tolerance);
            Verdict::is(
                found,
                format!(
                    "{:?}",
                    events.iter().map(|event| event.frame).collect::<Vec<_>>()
                ),
            )
        }
        "flip_reset.in_window" => {
            let frames = fact.window.get("frames").and_then(Value::as_array).unwrap();
            let [from, to] = [0, 1].map(|index| frames[index].as_u64().unwrap() as usize);
            let own = case.own(fact, "flip-reset");
            let found = own
                .iter()
                .filter(|event| (from..=to).contains(&event.frame))
                .count();
            Verdict::of(fact, found)
        }
        "flick.count"
        | "player.flick.count"
        | "flick.reverse.count"
        | "flick.not_reverse.count" => flicks(case, fact),
        "goal.tags" => tags(case, fact),
        name if name.contains("kickoff") => kickoffs(case, fact),
        name if name.contains("boost") => boost(case, fact),
        _ => Verdict::NotOffered,
    }
}

fn flicks(case: &Case, fact: &Fact) -> Verdict {
    let first = case
        .goals()
        .first()
        .map_or(f64::INFINITY, |goal| goal.time_s);
    let flicks = case
        .own(fact, "flick")
        .into_iter()
        .filter(|flick| match fact.window.as_str() {
            Some("before goal 1") => flick.time_s <= first,
            Some("after goal 1") => flick.time_s > first,
            _ => true,
        });
    let is_reverse = |flick: &&Event| flick.detail("kind") == Some("reverse");
    let flicks: Vec<&Event> = flicks.collect();
    Verdict::of(
        fact,
        match fact.fact.as_str() {
            "flick.reverse.count" => flicks.iter().copied().filter(is_reverse).count(),
            "flick.not_reverse.count" => flicks
                .iter()
                .copied()
                .filter(|flick| !is_reverse(flick))
                .count(),
            _ => flicks.len(),
        },
    )
}

fn tags(case: &Case, fact: &Fact) -> Verdict {
    let goals = case.goals();
    let goal = match fact.window.get("frame").and_then(Value::as_u64) {
        Some(frame) => goals
            .iter()
            .find(|goal| goal.frame.abs_diff(frame as usize) <= 5),
        None => fact.number("goal").and_then(|number| goals.get(number - 1)),
    };
    let Some(goal) = goal else {
        return Verdict::Wrong("no goal".into());
    };
    let tags: Vec<String> = goal
        .detail("tags")
        .unwrap_or_default()
        .split(' ')
        .map(|tag| tag.replace('-', "_"))
        .collect();
    Verdict::of(fact, tags)
}

fn kickoffs(case: &Case, fact: &Fact) -> Verdict {
    let all: Vec<&Event> = case.events("kick-off").collect();
    let one = fact
        .number("index")
        .and_then(|index| all.get(index - 1))
        .copied();
    let roles = |role: &str| {
        let own = case.own(fact, "kick-off-role");
        own.iter()
            .filter(|event| event.detail("role") == Some(role))
            .count()
    };
    if let Some(role) = fact.fact.strip_prefix("player.kickoff.role.") {
        return Verdict::of(fact, roles(role));
    }
    match fact.fact.as_str() {
        "kickoff.count" => Verdict::of(fact, all.len()),
        "kickoff.touched.count" => Verdict::of(
            fact,
            all.iter()
                .filter(|event| event.detail("first_touch_s").is_some())
                .count(),
        ),
        "kickoff.hits.count" => Verdict::of(
            fact,
            all.iter()
                .filter(|event| event.detail("first_touch_s").is_some())
                .count(),
        ),
        "player.kickoff.first_touch.count" => Verdict::of(fact, case.own(fact, "kick-off").len()),
        "kickoff.countdown_start_s" => {
            let ours = one.map(|event| event.time_s - COUNTDOWN_S);
            Verdict::of_some(fact, ours)
        }
        "kickoff.first_touch.known" => Verdict::of_some(fact, one.map(|event| event.who.is_some())),
        "kickoff.outcome" => Verdict::of(
            fact,
            one.and_then(|event| event.detail("won_by"))
                .unwrap_or("unknown"),
        ),
        "kickoff.duration_s" => {
            let duration = one.and_then(|event| event.detail("first_touch_s")?.parse::<f64>().ok());
            Verdict::of_some(fact, duration)
        }
        "kickoff.taker" => {
            let name = format!("{}_taker", fact.team.as_deref().unwrap_or("orange"));
            Verdict::of_some(
                fact,
                one.and_then(|event| event.detail(&name)).map(str::to_owned),
            )
        }
        "kickoff.approach" => {
            let own = case.own(fact, "kick-off-role");
            let index = fact.number("index").unwrap_or(1);
            let approach = own
                .get(index - 1)
                .and_then(|event| event.detail("approach"));
            Verdict::of_some(fact, approach.map(|approach| approach.replace('-', "_")))
        }
        _ => Verdict::NotOffered,
    }
}

fn boost(case: &Case, fact: &Fact) -> Verdict {
    let stat = |name: &str| Verdict::of_some(fact, case.stat(fact, "boost", name));
    let frame = fact
        .window
        .get("frame")
        .and_then(Value::as_u64)
        .map(|frame| frame as usize);
    let pickups = || {
        let own = case.own(fact, "boost-pickup");
        own.into_iter()
            .filter(|event| Some(event.frame) == frame)
            .collect::<Vec<_>>()
    };
    match fact.fact.as_str() {
        "player.boost.small_pads" => Verdict::of(fact, pads_in_play(case, fact, "small")),
        "player.boost.big_pads" => Verdict::of(fact, pads_in_play(case, fact, "big")),
        "player.boost.stolen_big_pads" => stat("pads_stolen_big"),
        "player.boost.used" if fact.window.as_str() == Some("in play") => {
            stat("amount_used_in_play")
        }
        "player.boost.used" => stat("amount_used"),
        "player.boost.used_while_supersonic" => stat("amount_used_while_supersonic"),
        "player.boost.overfill" => stat("amount_overfill"),
        "boost_pickup.at_frame" => Verdict::of_some(
            fact,
            pickups()
                .first()
                .and_then(|event| case.name(event.whom))
                .map(str::to_owned),
        ),
        "boost_pickup.count_at_frame" => Verdict::of(fact, pickups().len()),
        "boost_pickup.size" => Verdict::of_some(
            fact,
            pickups()
                .first()
                .and_then(|event| event.detail("size"))
                .map(str::to_owned),
        ),
        "boost_pickup.boost_before_after_raw" => {
            let amounts = pickups().first().and_then(|event| {
                let raw = |name| event.detail(name)?.parse::<i64>().ok();
                Some(vec![raw("before_raw")?, raw("after_raw")?])
            });
            Verdict::of_some(fact, amounts)
        }
        _ => Verdict::NotOffered,
    }
}

/// The pads taken between a kick-off and the next goal.
fn pads_in_play(case: &Case, fact: &Fact, size: &str) -> usize {
    let own = case.own(fact, "boost-pickup");
    let in_play = own.iter().filter(|pad| {
        let last = |kind: &'static str| {
            let before = case.events(kind).filter(|event| event.time_s <= pad.time_s);
            before
                .last()
                .map_or(f64::NEG_INFINITY, |event| event.time_s)
        };
        let (kickoff_s, goal_s) = (last("kick-off"), last("goal"));
        kickoff_s > goal_s && pad.detail("size") == Some(size)
    });
    in_play.count()
}
