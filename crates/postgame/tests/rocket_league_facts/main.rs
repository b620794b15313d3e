//! Facts that other people wrote about real replays, against what Postgame says.
//!
//! Prints kind, facts, right, wrong and not offered, and asserts the counts, so that no change loses a fact silently.

// A test fails by panicking, and prints its table.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod ball;
mod evidence;
mod load;
mod meta;
mod modes;
mod play;
mod site;

use std::collections::BTreeMap;

use load::{Case, Fact};

/// How a fact compares with ours.
pub enum Verdict {
    /// They agree.
    Right,
    /// They differ: what ours is.
    Wrong(String),
    /// We have nothing to compare.
    NotOffered,
}

impl Verdict {
    /// Compares a value of ours.
    fn of(fact: &Fact, ours: impl Into<serde_json::Value>) -> Self {
        let ours = ours.into();
        match load::holds(fact, &ours) {
            true => Self::Right,
            false => Self::Wrong(ours.to_string()),
        }
    }

    /// The same if we have one.
    fn of_some(fact: &Fact, ours: Option<impl Into<serde_json::Value>>) -> Self {
        match ours {
            Some(ours) => Self::of(fact, ours),
            None => Self::Wrong("null".to_owned()),
        }
    }

    /// Whether something is so.
    fn is(so: bool, ours: impl std::fmt::Display) -> Self {
        match so {
            true => Self::Right,
            false => Self::Wrong(ours.to_string()),
        }
    }
}

fn verdict(case: &Case, fact: &Fact) -> Verdict {
    let group = fact.kind.split('.').next().unwrap_or_default();
    match group {
        "bc" | "camera" => site::verdict(case, fact),
        "meta" | "player" | "party" | "car" | "sanity" | "input_device" | "ball_camera" => {
            meta::verdict(case, fact)
        }
        "rumble" | "dropshot" => modes::verdict(case, fact),
        "touch" | "shot" | "pass" | "aerial" | "clear" | "pressure" | "save" | "dribble"
        | "fifty_fifty" | "double_tap" => ball::verdict(case, fact),
        _ => play::verdict(case, fact),
    }
}

/// How many facts of each kind are right. A change that makes more right raises the number.
const RIGHT: &[(&str, usize)] = &[
    ("aerial", 3),
    ("ball_camera", 4),
    ("bc.boost", 309),
    ("bc.core", 108),
    ("bc.demo", 24),
    ("bc.meta", 38),
    ("bc.movement", 216),
    ("bc.player_meta", 72),
    ("bc.positioning", 249),
    ("bc.team.ball", 12),
    ("bc.team.boost", 114),
    ("bc.team.core", 48),
    ("bc.team.demo", 12),
    ("bc.team.movement", 54),
    ("bc.team.positioning", 42),
    ("boost_pads", 17),
    ("boost_steal", 1),
    ("boost_used", 9),
    ("boost_wasted", 2),
    ("bump", 0),
    ("camera", 84),
    ("car", 4),
    ("clear", 5),
    ("demolition", 3),
    ("dodge", 3),
    ("double_tap", 1),
    ("dribble", 7),
    ("dropshot", 18),
    ("fifty_fifty", 21),
    ("flick", 4),
    ("flip_reset", 4),
    ("goal", 6),
    ("goal_tag", 5),
    ("half_flip", 1),
    ("input_device", 1),
    ("jump", 2),
    ("kickoff", 42),
    ("meta", 64),
    ("party", 2),
    ("pass", 2),
    ("player", 5),
    ("pressure", 0),
    ("rumble", 99),
    ("sanity", 30),
    ("save", 2),
    ("shot", 4),
    ("speed_flip", 2),
    ("touch", 15),
    ("wall_aerial", 4),
];

/// Facts that people recorded or reviewed and that do not hold: file, fact, and what the replay shows.
const MISSES: &[(&str, &str, &str)] = &[
    (
        "SKYBOT_DRIBBLE_INFO.replay",
        "player.ball_carry.total_s",
        "the bot logs 196 s as dribbling; the ball is over its car for 163 s of them in stretches of a second or more",
    ),
    (
        "3_BUMPS.replay",
        "bump.count",
        "the file is named after three; two contacts knock the other car by 180 uu/s or more",
    ),
    (
        "CARRY.replay",
        "ball_carry.count",
        "the ball is on the roof from 30.20 to 31.07 s, less than the second that carball and subtr-actor ask for",
    ),
    (
        "OCE_RLCS_7_CARS.replay",
        "cars.count",
        "six players have a car each; the seventh car of the file's name has no player",
    ),
    (
        "reverse-flick-vs-backflip-2026-06-26.replay",
        "flick.not_reverse.count",
        "one flick after the first goal has a torque that is not backwards",
    ),
    (
        "WASTED_BOOST_WHILE_SUPER_SONIC.replay",
        "player.boost.used_while_supersonic",
        "of the boost used, 25.6 falls into samples above 2200 uu/s",
    ),
    (
        "wall-aerial-false-positive-2026-06-26.replay",
        "wall_aerial.count",
        "four first touches in the air are 500 uu away from the side wall; touches nearer than that are on it here",
    ),
];

#[derive(Default)]
struct Count {
    right: usize,
    wrong: usize,
    not_offered: usize,
}

#[test]
fn facts_of_others_hold() {
    let Some(facts) = load::facts() else { return };
    let mut files: BTreeMap<String, Vec<Fact>> = BTreeMap::new();
    for fact in facts {
        files.entry(fact.path.clone()).or_default().push(fact);
    }
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let (mut human, mut human_right) = (0, 0);
    let mut unlisted = Vec::new();
    let mut missed = vec![false; MISSES.len()];
    for (path, facts) in &files {
        let case = Case::read(path);
        for fact in facts {
            let count = counts.entry(fact.kind.clone()).or_default();
            let verdict = verdict(&case, fact);
            let is_human = fact.trust == "human";
            human += usize::from(is_human);
            match verdict {
                Verdict::Right => {
                    count.right += 1;
                    human_right += usize::from(is_human);
                }
                Verdict::Wrong(ours) => {
                    count.wrong += 1;
                    if is_human {
                        let known = MISSES
                            .iter()
                            .position(|(file, name, _)| *file == fact.file && *name == fact.fact);
                        match known.and_then(|known| missed.get_mut(known)) {
                            Some(missed) => *missed = true,
                            None => unlisted.push(fact.line()),
                        }
                    }
                    println!("WRONG {} ours {ours}", fact.line());
                }
                Verdict::NotOffered => {
                    count.not_offered += 1;
                    println!("NOT OFFERED {}", fact.line());
                }
            }
        }
    }
    println!(
        "{:24} {:>6} {:>6} {:>6} {:>12}",
        "kind", "facts", "right", "wrong", "not offered"
    );
    let mut all = Count::default();
    for (kind, count) in &counts {
        let Count {
            right,
            wrong,
            not_offered,
        } = *count;
        println!(
            "{kind:24} {:6} {right:6} {wrong:6} {not_offered:12}",
            right + wrong + not_offered
        );
        all.right += right;
        all.wrong += wrong;
        all.not_offered += not_offered;
    }
    let Count {
        right,
        wrong,
        not_offered,
    } = all;
    println!(
        "{:24} {:6} {right:6} {wrong:6} {not_offered:12}",
        "all",
        right + wrong + not_offered
    );
    println!("human: {human_right} of {human}");
    for ((file, name, shows), missed) in MISSES.iter().zip(&missed) {
        println!("MISS {file} {name}: {shows}");
        assert!(*missed, "{file} {name} is listed as a miss, but holds");
    }
    assert_eq!(not_offered, 0);
    assert!(
        unlisted.is_empty(),
        "human facts that do not hold: {unlisted:#?}"
    );
    assert!(
        human_right * 100 >= human * 95,
        "{human_right} of {human} human facts are right"
    );
    let lost: Vec<String> = RIGHT
        .iter()
        .filter_map(|(kind, were)| {
            let are = counts.get(*kind).map_or(0, |count| count.right);
            (are < *were).then(|| format!("{kind}: {are} are right, {were} were"))
        })
        .collect();
    assert!(lost.is_empty(), "{lost:#?}");
    let unknown = counts
        .keys()
        .filter(|kind| RIGHT.iter().all(|(known, _)| known != kind));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new());
}
