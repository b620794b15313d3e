//! Facts about what the match was and who played it.

use postgame::rocket_league::tables::{CAR_BODIES, HITBOXES};
use postgame::stats::Number;
use serde_json::Value;

use crate::Verdict;
use crate::load::{Case, Fact};

pub fn verdict(case: &Case, fact: &Fact) -> Verdict {
    let info = &case.info;
    let names = || info.players.iter().map(|player| player.name.as_str());
    match fact.fact.as_str() {
        "parse.ok" => Verdict::of(fact, true),
        "game_type" => Verdict::of_some(fact, info.game_type),
        "playlist_id" => Verdict::of_some(fact, info.playlist_id),
        "match_type" => Verdict::of_some(fact, info.match_type.clone()),
        "match_type_class" => Verdict::of(fact, info.match_type_class.clone()),
        "version" => Verdict::of(fact, info.version.clone()),
        "build" => Verdict::of_some(fact, info.build.clone()),
        "bc.playlist" => Verdict::of_some(fact, info.playlist),
        // Six players and a car that is left over: lives of cars at one time.
        "cars.count" => Verdict::of(fact, most_cars(case)),
        "player.count" => Verdict::of(fact, info.players.len()),
        "player.name" => Verdict::of(fact, names().collect::<Vec<_>>()),
        "player.same_name.count" => {
            let most = names()
                .map(|name| names().filter(|other| *other == name).count())
                .max();
            Verdict::of_some(fact, most)
        }
        "party.members" => parties(case, fact),
        "player.car_body.in_set" => bodies(case, fact),
        "player.ball_camera.use" => ball_camera(case, fact),
        "player.keyboard.percent" => {
            Verdict::of_some(fact, case.stat(fact, "play", "keyboard_percent"))
        }
        _ => sanity(case, fact),
    }
}

fn most_cars(case: &Case) -> usize {
    let cars = case
        .timeline
        .entities
        .iter()
        .filter(|entity| entity.kind == "car");
    cars.filter(|car| !car.presence.intervals().is_empty())
        .count()
}

fn parties(case: &Case, fact: &Fact) -> Verdict {
    let theirs: Vec<&str> = fact
        .value
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let leader = fact.more.get("leader").and_then(Value::as_str);
    let party: Vec<&str> = case
        .info
        .players
        .iter()
        .filter(|player| player.party_leader.as_deref() == leader)
        .filter_map(|player| player.account_id.as_deref())
        .collect();
    Verdict::is(
        theirs.iter().all(|member| party.contains(member)),
        format!("{party:?}"),
    )
}

/// The families of the bodies it names, and that every body of the match has one.
fn bodies(case: &Case, fact: &Fact) -> Verdict {
    let theirs = fact.value.as_object().unwrap();
    let is_known = theirs.iter().all(|(id, family)| {
        let id: u32 = id.parse().unwrap();
        let body = CAR_BODIES.iter().find(|body| body.id == id);
        body.is_some_and(|body| Some(HITBOXES[body.hitbox].family) == family.as_str())
    });
    let ours: Vec<Option<u32>> = case
        .info
        .players
        .iter()
        .map(|player| player.body_id)
        .collect();
    let is_there = ours
        .iter()
        .flatten()
        .all(|id| theirs.contains_key(&id.to_string()));
    Verdict::is(is_known && is_there, format!("{ours:?}"))
}

fn ball_camera(case: &Case, fact: &Fact) -> Verdict {
    let percent = case.stat(fact, "play", "ball_camera_percent");
    let Some(percent) = percent else {
        return Verdict::Wrong("null".into());
    };
    let so = match fact.value.as_str().unwrap() {
        "on_always" => percent > 95.0,
        "mixed" => percent > 5.0 && percent < 95.0,
        // On at some time, and off in all of the player's spells on the ball.
        "off_while_dribbling_only" => percent > 0.0 && is_off_on_the_ball(case, fact),
        "on_in_close_air_only" => percent > 0.0 && percent < 80.0,
        _ => return Verdict::NotOffered,
    };
    Verdict::is(so, percent)
}

/// Whether the ball camera is off during all of a player's spells on the ball.
fn is_off_on_the_ball(case: &Case, fact: &Fact) -> bool {
    let spells = case.own(fact, "player-possession");
    let off = spells.iter().all(|spell| {
        let length_s: f64 = spell.detail("duration_s").unwrap().parse().unwrap();
        let camera = case
            .timeline
            .entities
            .iter()
            .find(|entity| entity.kind == "camera" && entity.parent == spell.who);
        // What is never told before a moment is off.
        [0.0, 0.5, 1.0].iter().all(|part| {
            camera.and_then(|camera| camera.flag("ball_camera", spell.time_s + part * length_s))
                != Some(true)
        })
    });
    off && !spells.is_empty()
}

fn sanity(case: &Case, fact: &Fact) -> Verdict {
    let least = |group: &str, name: &str| {
        let values =
            case.stats
                .players
                .iter()
                .filter_map(|player| match player.get(group, name)? {
                    Number::Count(count) => Some(*count as f64),
                    Number::Amount(amount) => *amount,
                    _ => None,
                });
        values.min_by(f64::total_cmp)
    };
    match fact.fact.as_str() {
        "players.time_slow_s.min" => Verdict::of_some(fact, least("movement", "time_slow_speed_s")),
        "players.avg_boost.min" => Verdict::of_some(fact, least("boost", "avg_amount")),
        "players.behind_plus_infront.share.min" => {
            let shares = case.stats.players.iter().map(|player| {
                let percent = |name| match player.get("positioning", name) {
                    Some(Number::Amount(Some(amount))) => *amount,
                    _ => 0.0,
                };
                (percent("percent_behind_ball") + percent("percent_infront_ball")) / 100.0
            });
            Verdict::of_some(fact, shares.min_by(f64::total_cmp))
        }
        "players.overfill.min" => Verdict::of_some(fact, least("boost", "amount_overfill")),
        "team.time_behind_ball_s" => {
            Verdict::of_some(fact, case.stat(fact, "positioning", "time_behind_ball"))
        }
        _ => Verdict::NotOffered,
    }
}
