//! What happened in a Slippi replay: stocks, conversions, combos, hits, techs, ledges, cancels.
//!
//! An event's frame counts from the first of the recording; the game's own number of it is 123 less.

use std::borrow::Cow;

use super::stats::actions::{Deed, LedgeOption};
use super::stats::position::RecoveryEnd;
use super::stats::punish::Punish;
use super::stats::stocks::death_direction;
use super::stats::{Analysis, Moment};
use super::techniques::Kind;
use super::timeline::Cast;
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::{FIRST_FRAME, FIRST_PLAYABLE_FRAME};
use crate::slippi::codec::outcome::method;
use crate::slippi::coords;
use crate::slippi::states::{Action, attack_name};
use crate::timeline::{Detail, Event, Timeline};

/// Adds all events, in order of time.
pub(in crate::slippi) fn add_events(
    timeline: &mut Timeline,
    replay: &Replay,
    analysis: &Analysis,
    cast: &Cast,
) {
    let mut events = Vec::with_capacity(analysis.deeds.len() / 2);
    if analysis.last_frame >= FIRST_PLAYABLE_FRAME && analysis.frames > 0 {
        events.push(event(FIRST_PLAYABLE_FRAME, "go"));
    }
    for moment in &analysis.deeds {
        events.extend(deed(moment, cast));
    }
    for one in &analysis.conversions {
        conversion(one, cast, &mut events);
    }
    for one in &analysis.combos {
        combo(one, cast, &mut events);
    }
    hits(analysis, cast, &mut events);
    techniques(analysis, cast, &mut events);
    stocks(analysis, cast, &mut events);
    end(replay, analysis, cast, &mut events);
    // Stable: what happens in one frame stays in the order above.
    events.sort_by_key(|event| event.frame);
    timeline.events = events;
}

fn event(frame: i32, kind: &'static str) -> Event {
    let since_first = i64::from(frame) - i64::from(FIRST_FRAME);
    Event {
        time_s: coords::time_s(frame),
        frame: usize::try_from(since_first).unwrap_or(0),
        kind: kind.into(),
        who: None,
        whom: None,
        position: None,
        details: Default::default(),
    }
}

/// Percents as the game shows them, with what it does not show.
fn percent(value: f64) -> Cow<'static, str> {
    format!("{value:.1}").into()
}

fn deed(moment: &Moment, cast: &Cast) -> Option<Event> {
    let word = |word: &'static str| Some(Cow::Borrowed(word));
    let result = |is_success: bool| word(if is_success { "success" } else { "fail" });
    let (kind, name, detail) = match moment.deed {
        Deed::Action(action) => match action {
            Action::LedgeGrab => ("ledge-grab", "", None),
            Action::Taunt => ("taunt", "", None),
            Action::TechInPlace => ("tech", "way", word("in place")),
            Action::TechMissed => ("tech", "way", word("missed")),
            Action::WallTech => ("tech", "way", word("wall")),
            Action::WallJumpTech => ("tech", "way", word("wall jump")),
            Action::CeilingTech => ("tech", "way", word("ceiling")),
            Action::WallTechMissed => ("tech", "way", word("wall missed")),
            Action::GetUpStand => ("get-up", "way", word("stand")),
            Action::GetUpAttack => ("get-up", "way", word("attack")),
            Action::GetUpForward => ("get-up", "way", word("roll forward")),
            Action::GetUpBackward => ("get-up", "way", word("roll backward")),
            Action::ShieldBreak => ("shield-break", "", None),
            Action::PowerShield => ("power-shield", "", None),
            Action::ThrowForward => ("throw", "direction", word("forward")),
            Action::ThrowBack => ("throw", "direction", word("back")),
            Action::ThrowUp => ("throw", "direction", word("up")),
            Action::ThrowDown => ("throw", "direction", word("down")),
            // Attacks and dodges show by what they do.
            _ => return None,
        },
        Deed::TechRoll { is_in } => ("tech", "way", word(if is_in { "in" } else { "away" })),
        Deed::LCancel(is_success) => ("l-cancel", "result", result(is_success)),
        Deed::Grab(is_success) => ("grab", "result", result(is_success)),
        Deed::Wavedash(true) => ("wavedash", "", None),
        Deed::Wavedash(false) => ("waveland", "", None),
        Deed::EdgeCancel => ("edge-cancel", "", None),
        Deed::StockShared => ("stock-shared", "", None),
        Deed::Ledge(option) => {
            let (_, name) = LedgeOption::ALL[option as usize];
            ("ledge-option", "option", word(name))
        }
        Deed::Recovery(end) => {
            let (_, name) = RecoveryEnd::ALL[end as usize];
            ("recovery", "outcome", word(name))
        }
    };
    let [x, y] = moment.position_uu;
    Some(Event {
        who: cast.leader(moment.port),
        position: Some(coords::position(x, y)),
        details: detail.map(|detail| (name, detail)).into_iter().collect(),
        ..event(moment.frame, kind)
    })
}

fn conversion(one: &Punish, cast: &Cast, events: &mut Vec<Event>) {
    let (who, whom) = (cast.leader(one.opener), cast.leader(one.victim));
    events.push(Event {
        who,
        whom,
        details: vec![
            ("opening", one.opening.name().into()),
            ("percent", percent(one.start_percent)),
        ]
        .into(),
        ..event(one.start_frame, "conversion-start")
    });
    for hit in &one.moves {
        events.push(Event {
            who: cast.leader(hit.port),
            whom,
            details: vec![
                ("move", attack_name(hit.attack)),
                ("hits", hit.hits.to_string().into()),
                ("damage", percent(hit.damage)),
            ]
            .into(),
            ..event(hit.frame, "hit")
        });
    }
    if let (Some(end_frame), Some(end_percent)) = (one.end_frame, one.end_percent) {
        events.push(Event {
            who,
            whom,
            details: punish_details(one, end_percent).into(),
            ..event(end_frame, "conversion-end")
        });
    }
}

fn punish_details(one: &Punish, end_percent: f64) -> Vec<Detail> {
    let damage: f64 = one.moves.iter().map(|hit| hit.damage).sum();
    vec![
        ("moves", one.moves.len().to_string().into()),
        ("damage", percent(damage + 0.0)),
        ("percent", percent(end_percent)),
        ("kill", if one.did_kill { "yes" } else { "no" }.into()),
    ]
}

/// Combos of at least two attacks: a single hit is no combo.
fn combo(one: &Punish, cast: &Cast, events: &mut Vec<Event>) {
    let [first, .., last] = one.moves.as_slice() else {
        return;
    };
    let (who, whom) = (cast.leader(one.opener), cast.leader(one.victim));
    events.push(Event {
        who,
        whom,
        details: vec![("move", attack_name(first.attack))].into(),
        ..event(one.start_frame, "combo-start")
    });
    if let (Some(end_frame), Some(end_percent)) = (one.end_frame, one.end_percent) {
        let mut details = punish_details(one, end_percent);
        details.push(("last_move", attack_name(last.attack)));
        events.push(Event {
            who,
            whom,
            details: details.into(),
            ..event(end_frame, "combo-end")
        });
    }
}

/// Hits taken, each blow of a throw included.
fn hits(analysis: &Analysis, cast: &Cast, events: &mut Vec<Event>) {
    for hit in &analysis.hits {
        let mut details = Vec::with_capacity(4);
        details.extend(hit.attack.map(|attack| ("move", attack_name(attack))));
        details.push(("damage", percent(hit.damage_percent.into())));
        details.push(("percent", percent(hit.percent_before.into())));
        if let Some(launch) = &hit.launch {
            details.push(("di_share", format!("{:.2}", launch.di_share).into()));
        }
        let [x, y] = hit.position_uu;
        events.push(Event {
            who: hit.attacker.and_then(|port| cast.leader(port)),
            whom: cast.leader(hit.victim),
            position: Some(coords::position(x, y)),
            details: details.into(),
            ..event(hit.frame, "hit-taken")
        });
    }
}

/// Techniques that no other event shows.
fn techniques(analysis: &Analysis, cast: &Cast, events: &mut Vec<Event>) {
    for one in &analysis.techniques {
        let frames = match one.kind {
            Kind::LedgeDash => "galint",
            Kind::ShieldDrop => "after_stun",
            Kind::TechChase => "after",
            Kind::Pivot
            | Kind::NoImpactLanding
            | Kind::AutoCancel
            | Kind::EdgeCancel
            | Kind::MeteorCancel => "frames",
            _ => continue,
        };
        let [x, y] = one.position_uu;
        let detail = one.frames.map(|value| (frames, value.to_string().into()));
        events.push(Event {
            who: cast.leader(one.port),
            position: Some(coords::position(x, y)),
            details: detail.into_iter().collect(),
            ..event(one.frame, one.kind.name())
        });
    }
}

/// Lost stocks, and who took them.
fn stocks(analysis: &Analysis, cast: &Cast, events: &mut Vec<Event>) {
    for stock in &analysis.stocks {
        let (Some(frame), Some(end_percent)) = (stock.end_frame, stock.end_percent) else {
            continue;
        };
        let kill = analysis.conversions.iter().find(|one| {
            one.did_kill && one.victim == stock.port && one.end_frame == stock.end_frame
        });
        let who = kill.and_then(|kill| cast.leader(kill.last_hit_by));
        let whom = cast.leader(stock.port);
        let position = stock.death_position_uu.map(|[x, y]| coords::position(x, y));
        let direction = stock.death_state.map_or("unknown", death_direction);
        events.push(Event {
            who,
            whom,
            position,
            details: vec![
                ("percent", percent(end_percent)),
                ("direction", direction.into()),
                ("left", stock.count.saturating_sub(1).to_string().into()),
            ]
            .into(),
            ..event(frame, "stock-lost")
        });
        if let Some(kill) = kill {
            let last = kill.moves.last().map_or(0, |last| last.attack);
            events.push(Event {
                who,
                whom,
                position,
                details: vec![
                    ("move", attack_name(last)),
                    ("percent", percent(end_percent)),
                    ("direction", direction.into()),
                ]
                .into(),
                ..event(frame, "kill")
            });
        }
    }
}

/// The end of the game, where the file tells.
fn end(replay: &Replay, analysis: &Analysis, cast: &Cast, events: &mut Vec<Event>) {
    let Some(end) = replay.end() else {
        // The recording breaks off: all that can be told is who was ahead.
        let leaders = replay.leaders();
        if !leaders.is_empty() {
            events.push(Event {
                who: leaders.first().and_then(|port| cast.leader(*port)),
                details: vec![("led", Cow::from(ports(&leaders)))].into(),
                ..event(analysis.last_frame, "recording-end")
            });
        }
        return;
    };
    let name = match end.method {
        method::UNRESOLVED => "unresolved",
        method::TIME => "time",
        method::GAME => "game",
        method::RESOLVED => "resolved",
        method::NO_CONTEST => "no contest",
        _ => "other",
    };
    let quitter = end.quitter.and_then(|port| u8::try_from(port).ok());
    if let Some(who) = quitter.and_then(|port| cast.leader(port)) {
        events.push(Event {
            who: Some(who),
            ..event(analysis.last_frame, "quit")
        });
    }
    let winners = replay.winners();
    let mut details = vec![("method", name.into())];
    if !winners.is_empty() {
        details.push(("winner", ports(&winners).into()));
    }
    events.push(Event {
        who: winners.first().and_then(|port| cast.leader(*port)),
        details: details.into(),
        ..event(analysis.last_frame, "game-end")
    });
}

/// Ports as players count them.
fn ports(list: &[u8]) -> String {
    let names = list.iter().map(|port| format!("P{}", u16::from(*port) + 1));
    names.collect::<Vec<_>>().join(" ")
}
