//! Goals: who scored, with whose help, how fast the ball was, who touched it before, and tags for how it came about.

use super::ball::intent::Intent;
use super::feat::Feat;
use super::geometry::{distance, length};
use super::known::{Known, attack};
use super::rounds::Round;
use super::touches::Touch;
use super::{event, last_at, team_name};
use crate::rocket_league::analysis::timeline::state::Deed;
use crate::rocket_league::codec::model::Replay;
use crate::rocket_league::coords;
use crate::rocket_league::tables::GOAL_LINE_UU;
use crate::timeline::{EntityId, Event};

/// Touches this long before a goal are part of how it came about.
const BUILD_UP_S: f64 = 10.0;

/// The game counts goals and helps within this time of the score.
const SAME_S: f64 = 0.25;

/// Tags by the ball at the scorer's last touch, in uu (subtr-actor): how high, and how far ahead.
const AERIAL_UU: f32 = 600.0;
const HIGH_AERIAL_UU: f32 = 700.0;
const LONG_UU: f32 = 1024.0;
const OWN_HALF_S: f64 = 8.0;

/// An empty net (subtr-actor): the ball at the touch, how far defenders are behind and away, in uu.
const EMPTY_AHEAD_UU: f32 = 3600.0;
const EMPTY_BEHIND_UU: f32 = 700.0;
const EMPTY_AWAY_UU: f32 = 1000.0;

/// A goal is a kick-off's if it falls this soon after its first touch, in seconds (subtr-actor).
const KICKOFF_S: f64 = 12.0;

/// The ball may not have been this deep in the scorers' half before, in uu.
const KICKOFF_DEEP_UU: f32 = 1280.0;

/// Tags by what the scoring team did before: the feat, its tag, how long before in seconds, and whether a touch of the
/// defenders since then spoils it (subtr-actor).
const BEFORE: &[(&str, &str, f64, bool)] = &[
    ("flick", "flick", 5.0, true),
    ("ceiling-shot", "ceiling-shot", 3.0, true),
    ("double-tap", "double-tap", 3.0, true),
    ("one-timer", "one-timer", 3.0, true),
    ("air-dribble", "air-dribble", 3.0, false),
    ("flip-reset", "flip-reset", 8.0, true),
    ("bump", "bump", 3.0, false),
];

/// A demolition this long before is part of it, in seconds (subtr-actor).
const DEMOLITION_S: f64 = 5.25;

/// The build-up (subtr-actor): looked at over this, and how long the ball was where, in seconds; thirds in uu.
const LOOK_S: f64 = 12.0;
const THIRD_UU: f32 = 2300.0;
const COUNTER_ATTACK_S: f64 = 4.0;
const OWN_HALF_BEFORE_S: f64 = 4.0;
const OWN_THIRD_BEFORE_S: f64 = 1.0;
const PRESSURE_ATTACK_S: f64 = 6.0;
const PRESSURE_HALF_S: f64 = 7.0;
const PRESSURE_THIRD_S: f64 = 3.5;

pub(super) fn add(
    known: &Known<'_>,
    (touches, intents): (&[Touch], &[Intent]),
    feats: &[Feat],
    replay: &Replay,
    events: &mut Vec<Event>,
) {
    let (found, entities) = (known.scene.found, known.scene.entities);
    let stated = replay.header.properties.array("Goals");
    let near = |time_s: f64, is_deed: &dyn Fn(Deed) -> Option<usize>| {
        let happenings = found.happenings.iter();
        let close = happenings.filter(|other| (other.time_s - time_s).abs() <= SAME_S);
        close
            .filter_map(|other| is_deed(other.what))
            .collect::<Vec<usize>>()
    };
    let mut number = 0;
    for happening in &found.happenings {
        let Deed::TeamScore(team) = happening.what else {
            continue;
        };
        let time_s = happening.time_s;
        let scorers = near(time_s, &|deed| match deed {
            Deed::Goal(player) => Some(player),
            _ => None,
        });
        let helpers = near(time_s, &|deed| match deed {
            Deed::Assist(player) => Some(player),
            _ => None,
        });
        // The header says it too, by name: where the game counted for nobody, or for one who left.
        let by_name = stated
            .get(number)
            .and_then(|goal| goal.text("PlayerName"))
            .and_then(|name| {
                let player = found
                    .players
                    .iter()
                    .position(|player| player.name.as_deref() == Some(name))?;
                entities.people.get(player).copied()
            });
        number += 1;
        let by_count = scorers
            .first()
            .and_then(|&player| entities.people.get(player))
            .copied();
        let scorer = by_count.or(by_name);
        let who: Option<EntityId> = scorer.map(|person| entities.player(person));
        let last = last_moving(known, time_s);
        let score = |team: usize| {
            let scores = found.scores.get(team);
            scores.map_or(0, |scores| last_at(scores, time_s).unwrap_or(0))
        };
        let mut details = vec![
            ("team", team_name(team)),
            ("score", format!("{}:{}", score(0), score(1)).into()),
        ];
        if let Some((position, velocity)) = last {
            details.push((
                "ball_uu_s",
                ((length(velocity) / coords::METRES) as i64)
                    .to_string()
                    .into(),
            ));
            if let Some([x, z]) = entry(known, team, position, velocity) {
                details.push(("entry_x_uu", (x.round() as i64).to_string().into()));
                details.push(("entry_z_uu", (z.round() as i64).to_string().into()));
            }
        }
        if let Some(helper) = helpers
            .first()
            .and_then(|&player| found.players.get(player))
        {
            details.push(("assist", helper.name.clone().unwrap_or_default().into()));
        }
        let round_s = known.rounds.iter().rev().find(|round| round.go_s < time_s);
        let from_s = round_s.map_or(f64::NEG_INFINITY, |round| round.go_s);
        let from_s = from_s.max(time_s - BUILD_UP_S);
        let before = touches
            .iter()
            .zip(intents)
            .filter(|(touch, _)| touch.time_s <= time_s && touch.time_s >= from_s);
        // The chain of touches: who, what for, how long before the goal.
        let build_up: Vec<String> = before
            .map(|(touch, intent)| {
                let name = known.person(touch.person).map_or("?", |person| person.name);
                let action = intent.action.name();
                format!("{name} {action} {:.1} s before", time_s - touch.time_s)
            })
            .collect();
        if !build_up.is_empty() {
            details.push(("build_up", build_up.join(", ").into()));
        }
        let goal = Goal {
            known,
            touches,
            feats,
            time_s,
            team: team.min(1),
            scorer,
        };
        let tags = goal.tags();
        if !tags.is_empty() {
            details.push(("tags", tags.join(" ").into()));
        }
        if has_items(known) {
            details.push(("before_items", goal.is_before_items().to_string().into()));
        }
        events.push(Event {
            who,
            whom: Some(entities.team(1 - team.min(1))),
            position: last.map(|(position, _)| position),
            details: details.into(),
            ..event(time_s, happening.frame, "goal")
        });
    }
}

/// The last sample of the ball that moves: in the goal the ball stands still.
fn last_moving(known: &Known<'_>, time_s: f64) -> Option<([f32; 3], [f32; 3])> {
    let ball = known.scene.ball_at(time_s)?;
    let end = ball.times_s.partition_point(|&time| time <= time_s);
    (0..end).rev().find_map(|index| {
        let velocity = *ball.velocities_m_s.get(index)?;
        (velocity != [0.0; 3]).then_some((*ball.positions.get(index)?, velocity))
    })
}

/// The ball is this far behind the line at most where it was last seen moving, in uu: a goal's depth.
const BEHIND_UU: f32 = 900.0;

/// Where the ball crossed the goal line: X and Z in uu.
fn entry(known: &Known<'_>, team: u8, position: [f32; 3], velocity: [f32; 3]) -> Option<[f32; 2]> {
    let [position, velocity] = [position, velocity].map(coords::position_uu);
    let line = attack(team) * GOAL_LINE_UU;
    let speed = velocity.get(1).copied().filter(|speed| speed.abs() > 1.0)?;
    let apart = line - position[1];
    let in_s = apart / speed;
    let is_near = apart.abs() <= BEHIND_UU && in_s.abs() <= 1.0;
    (known.is_standard && is_near).then(|| {
        [
            position[0] + velocity[0] * in_s,
            position[2] + velocity[2] * in_s,
        ]
    })
}

fn has_items(known: &Known<'_>) -> bool {
    let happenings = &known.scene.found.happenings;
    let has_any = happenings
        .iter()
        .any(|happening| matches!(happening.what, Deed::ItemTaken(..)));
    let is_rumble = known.scene.found.about.archetype.as_deref();
    has_any || is_rumble.is_some_and(|name| name.contains("Items"))
}

struct Goal<'g, 'a> {
    known: &'g Known<'a>,
    touches: &'g [Touch],
    feats: &'g [Feat],
    time_s: f64,
    team: u8,
    scorer: Option<usize>,
}

impl Goal<'_, '_> {
    fn round(&self) -> Option<&Round> {
        let rounds = self.known.rounds.iter();
        rounds.rev().find(|round| round.go_s < self.time_s)
    }

    /// The touches of the round.
    fn own_touches(&self) -> &[Touch] {
        let from_s = self.round().map_or(0.0, |round| round.go_s);
        let first = self.touches.partition_point(|touch| touch.time_s < from_s);
        let end = self
            .touches
            .partition_point(|touch| touch.time_s <= self.time_s);
        self.touches.get(first..end.max(first)).unwrap_or_default()
    }

    /// No player has had an item in the round yet.
    fn is_before_items(&self) -> bool {
        let from_s = self.round().map_or(0.0, |round| round.countdown_s);
        let happenings = self.known.scene.found.happenings.iter();
        let mut items =
            happenings.filter(|happening| matches!(happening.what, Deed::ItemTaken(..)));
        !items.any(|happening| (from_s..=self.time_s).contains(&happening.time_s))
    }

    fn tags(&self) -> Vec<&'static str> {
        let mut tags = Vec::new();
        let touches = self.own_touches();
        let sense = attack(self.team);
        let last = touches.iter().rev().find(|touch| match self.scorer {
            Some(scorer) => touch.person == scorer,
            None => touch.team == Some(self.team),
        });
        if let Some(last) = last {
            self.tags_of_touch(last, sense, &mut tags);
            let spoiled = |from_s: f64| {
                let between = touches
                    .iter()
                    .filter(|touch| touch.time_s > from_s && touch.time_s < last.time_s - 0.05);
                between
                    .into_iter()
                    .any(|touch| touch.team == Some(1 - self.team))
            };
            for &(kind, tag, before_s, needs_ball) in BEFORE {
                let is_one = |feat: &&Feat| {
                    let at_s = self.known.time_s(feat.end.max(feat.frame));
                    let is_own = feat.team == Some(self.team);
                    let is_victim = kind == "bump" && feat.detail("own_team").is_some();
                    let is_used = kind != "flip-reset" || feat.detail("outcome") == Some("used");
                    feat.kind == kind
                        && is_own
                        && !is_victim
                        && is_used
                        && at_s <= self.time_s + 0.05
                        && self.time_s - at_s <= before_s
                        && self.is_after_kickoff(at_s)
                        && !(needs_ball && spoiled(at_s))
                };
                if self.feats.iter().any(|feat| is_one(&feat)) {
                    tags.push(tag);
                }
            }
            let is_pass = self.feats.iter().any(|feat| {
                feat.kind == "pass" && feat.end == last.frame && feat.other == Some(last.person)
            });
            if is_pass && self.time_s - last.time_s <= 3.0 {
                tags.push("passing");
            }
            let is_volley = self
                .feats
                .iter()
                .any(|feat| feat.kind == "half-volley" && feat.frame == last.frame);
            if is_volley && self.time_s - last.time_s <= 3.0 {
                tags.push("half-volley");
            }
            if last.is_dodging && self.time_s - last.time_s <= 3.0 {
                tags.push("flip-into-ball");
            }
        }
        self.tags_of_scene(touches, sense, &mut tags);
        tags
    }

    fn is_after_kickoff(&self, at_s: f64) -> bool {
        self.own_touches()
            .first()
            .is_none_or(|first| at_s >= first.time_s - 0.05)
    }

    fn tags_of_touch(&self, last: &Touch, sense: f32, tags: &mut Vec<&'static str>) {
        let [_, y, z] = last.ball.position;
        let ahead = sense * y;
        if z >= AERIAL_UU {
            tags.push("aerial");
        }
        let possession = self
            .own_touches()
            .iter()
            .rev()
            .take_while(|touch| touch.team == Some(self.team));
        if possession
            .into_iter()
            .any(|touch| touch.ball.position[2] >= HIGH_AERIAL_UU)
        {
            tags.push("high-aerial");
        }
        if ahead <= LONG_UU {
            tags.push("long-distance");
        }
        if ahead <= 0.0 && self.time_s - last.time_s <= OWN_HALF_S {
            tags.push("own-half");
        }
        let mut defenders = self
            .known
            .members(1 - self.team)
            .filter_map(|person| self.known.person(person)?.car.position(last.frame))
            .peekable();
        let has_defenders = defenders.peek().is_some();
        let is_empty = defenders.all(|place| {
            sense * (place[1] - y) <= -EMPTY_BEHIND_UU
                && distance(place, last.ball.position) >= EMPTY_AWAY_UU
        });
        if has_defenders && is_empty && ahead <= EMPTY_AHEAD_UU {
            tags.push("empty-net");
        }
    }

    fn tags_of_scene(&self, touches: &[Touch], sense: f32, tags: &mut Vec<&'static str>) {
        let known = self.known;
        let is_demolition = known.scene.found.happenings.iter().any(|happening| {
            let Deed::Demolition {
                attacker, victim, ..
            } = happening.what
            else {
                return false;
            };
            let team = |car: Option<usize>| {
                let person = known.scene.entities.owners.get(car?).copied().flatten()?;
                known.team(person)
            };
            let since_s = self.time_s - happening.time_s;
            (0.0..=DEMOLITION_S).contains(&since_s)
                && team(attacker) == Some(self.team)
                && team(victim) == Some(1 - self.team)
        });
        if is_demolition {
            tags.push("demolition");
        }
        if let (Some(first), Some(round)) = (touches.first(), self.round()) {
            let is_soon = round.has_kickoff && self.time_s - first.time_s < KICKOFF_S;
            let is_deep = (first.frame..known.frame(self.time_s)).any(|frame| {
                known
                    .ball
                    .position(frame)
                    .is_some_and(|ball| sense * ball[1] < -KICKOFF_DEEP_UU)
            });
            let theirs: Vec<&Touch> = touches
                .iter()
                .filter(|touch| touch.team == Some(1 - self.team))
                .collect();
            let is_held = theirs.windows(2).any(|pair| {
                let [one, other] = pair else { return false };
                let between = touches.iter().any(|touch| {
                    touch.team == Some(self.team)
                        && touch.time_s > one.time_s
                        && touch.time_s < other.time_s
                });
                other.time_s - one.time_s > 0.35 && !between
            });
            if is_soon && !is_deep && !is_held {
                tags.push("kick-off");
            }
            self.tags_of_build_up(first, sense, tags);
        }
        let by_other = touches
            .last()
            .is_some_and(|touch| touch.team == Some(1 - self.team));
        if by_other
            && self.scorer.is_none_or(|scorer| {
                !touches
                    .iter()
                    .rev()
                    .take(6)
                    .any(|touch| touch.person == scorer)
            })
        {
            tags.push("own-goal");
        }
    }

    /// A counter-attack or sustained pressure, by where the ball was.
    fn tags_of_build_up(&self, first: &Touch, sense: f32, tags: &mut Vec<&'static str>) {
        let known = self.known;
        let from = known.frame((self.time_s - LOOK_S).max(first.time_s));
        let to = known.frame(self.time_s);
        let (mut theirs_s, mut third_s, mut own_s, mut own_third_s, mut unbroken_s) =
            (0.0, 0.0, 0.0, 0.0, 0.0);
        for frame in from..to {
            let Some(ball) = known.ball.position(frame) else {
                continue;
            };
            let passed_s = known.time_s(frame + 1) - known.time_s(frame);
            let ahead = sense * ball[1];
            if ahead > 0.0 {
                theirs_s += passed_s;
                unbroken_s += passed_s;
            } else {
                own_s += passed_s;
                unbroken_s = 0.0;
            }
            third_s += if ahead >= THIRD_UU { passed_s } else { 0.0 };
            own_third_s += if ahead <= -THIRD_UU { passed_s } else { 0.0 };
        }
        let is_counter = unbroken_s <= COUNTER_ATTACK_S
            && (own_s >= OWN_HALF_BEFORE_S || own_third_s >= OWN_THIRD_BEFORE_S);
        let is_pressure = self.time_s - first.time_s >= LOOK_S
            && unbroken_s >= PRESSURE_ATTACK_S
            && theirs_s >= PRESSURE_HALF_S
            && third_s >= PRESSURE_THIRD_S;
        if is_counter {
            tags.push("counter-attack");
        } else if is_pressure {
            tags.push("sustained-pressure");
        }
    }
}
