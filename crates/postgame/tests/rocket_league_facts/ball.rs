//! Facts about who touched the ball and what for.

use postgame::timeline::Event;
use serde_json::Value;

use crate::Verdict;
use crate::load::{Case, Fact};

/// A fact's frames may be off by this: peers see a contact a few frames later or earlier.
const NEAR_FRAMES: usize = 5;

fn number(event: &Event, name: &str) -> f64 {
    event
        .detail(name)
        .and_then(|text| text.parse().ok())
        .unwrap_or(f64::NAN)
}

fn is_near(fact: &Fact, time_s: f64) -> bool {
    (time_s - fact.value.as_f64().unwrap()).abs() <= fact.tolerance(0.1)
}

pub fn verdict(case: &Case, fact: &Fact) -> Verdict {
    let touches = case.own(fact, "touch");
    let count =
        |is_one: &dyn Fn(&Event) -> bool| touches.iter().filter(|touch| is_one(touch)).count();
    match fact.fact.as_str() {
        "hits.total" => Verdict::of(fact, touches.len()),
        "aerial.hits.count" => {
            Verdict::of(fact, count(&|touch| number(touch, "ball_z_uu") >= 400.0))
        }
        "shot.count" => Verdict::of(fact, case.events("shot").count()),
        "shot.hits.count" => Verdict::of(
            fact,
            count(&|touch| touch.detail("projected") == Some("goal")),
        ),
        "pass.count" => Verdict::of(fact, case.events("pass").count()),
        "clear.count" | "player.clear.count" => Verdict::of(fact, case.own(fact, "clear").len()),
        "save.count" => Verdict::of(fact, case.events("save").count()),
        "touch.time_s" => {
            let near = touches.iter().any(|touch| is_near(fact, touch.time_s));
            Verdict::is(
                near,
                format!(
                    "{:?}",
                    touches.iter().map(|touch| touch.time_s).collect::<Vec<_>>()
                ),
            )
        }
        "player.touch.in_window" => {
            let frames = frames(&fact.window);
            let count =
                count(&|touch| frames.is_some_and(|[from, to]| (from..=to).contains(&touch.frame)));
            Verdict::of(fact, count)
        }
        "goal.scorer_last_touch_s" | "goal.scorer_last_touch.half" => last_touch(case, fact),
        "ball_carry.count" | "player.ball_carry.count" => {
            Verdict::of(fact, case.own(fact, "carry").len())
        }
        "player.ball_carry.total_s" => {
            let carries = case.own(fact, "carry");
            Verdict::of(
                fact,
                carries
                    .iter()
                    .map(|carry| number(carry, "duration_s"))
                    .sum::<f64>(),
            )
        }
        "fifty_fifty.count" => Verdict::of(fact, case.events("fifty-fifty").count()),
        "fifty_fifty.frames" => {
            let [from, to] = frames(&fact.value).unwrap();
            let found = case
                .events("fifty-fifty")
                .any(|event| event.frame <= to + NEAR_FRAMES && event.frame + NEAR_FRAMES >= from);
            Verdict::is(found, "none")
        }
        "dunk.frame" => {
            let frame = fact.value.as_u64().unwrap() as usize;
            let found = case.events("fifty-fifty").any(|event| {
                event.detail("dunk") == Some("true")
                    && event.frame <= frame + NEAR_FRAMES
                    && number(event, "end_frame") as usize + NEAR_FRAMES >= frame
            });
            Verdict::is(found, "none")
        }
        "double_tap.span_s" => {
            let to_s = fact.value[1].as_f64().unwrap();
            let taps = case.own(fact, "double-tap");
            let found = taps.iter().any(|tap| (tap.time_s - to_s).abs() <= 0.1);
            Verdict::is(
                found,
                format!(
                    "{:?}",
                    taps.iter().map(|tap| tap.time_s).collect::<Vec<_>>()
                ),
            )
        }
        "hits.pressure.list" => {
            let ours: Vec<i64> = touches
                .iter()
                .map(|touch| number(touch, "pressure") as i64)
                .collect();
            Verdict::of(fact, ours)
        }
        _ => Verdict::NotOffered,
    }
}

fn frames(window: &Value) -> Option<[usize; 2]> {
    let frames = window.get("frames").unwrap_or(window).as_array()?;
    Some([
        frames.first()?.as_u64()? as usize,
        frames.get(1)?.as_u64()? as usize,
    ])
}

fn last_touch(case: &Case, fact: &Fact) -> Verdict {
    let goals = case.goals();
    let goal = fact.number("goal").and_then(|number| goals.get(number - 1));
    let Some(goal) = goal else {
        return Verdict::Wrong("no goal".into());
    };
    let touch = case
        .events("touch")
        .filter(|touch| touch.who == goal.who && touch.time_s <= goal.time_s)
        .last();
    let Some(touch) = touch else {
        return Verdict::Wrong("no touch".into());
    };
    if fact.fact.ends_with("_s") {
        return Verdict::of(fact, touch.time_s);
    }
    // The timeline's Z is the game's Y: blue attacks towards positive.
    let ahead = touch.position.unwrap()[2]
        * if goal.detail("team") == Some("blue") {
            1.0
        } else {
            -1.0
        };
    Verdict::of(fact, if ahead > 0.0 { "opponent" } else { "own" })
}
