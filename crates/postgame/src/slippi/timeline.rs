//! A Slippi replay on the timeline: characters, items and moving platforms, and what happened.
//!
//! Of a frame that was computed several times the last computation counts.

use std::collections::BTreeMap;

use super::model::Replay;
use super::model::frames::{Character, Copies, Frames};
use super::model::updates::PostRow;
use super::summary::{character_name, name};
use super::{coords, facts, names};
use crate::timeline::{Column, Entity, EntityId, Event, Hold, Presence, Timeline, Track, Values};

/// What moves and happens in a replay.
pub fn timeline(replay: &Replay) -> Timeline {
    let mut timeline = Timeline::default();
    let Some(frames) = &replay.frames else {
        return timeline;
    };
    let rows = frames.rows(Copies::Final);
    let mut players = BTreeMap::new();
    for character in &frames.characters {
        let leader = players
            .get(&character.port)
            .copied()
            .filter(|_| character.follower != 0);
        let entity = character_entity(replay, character, leader, frames, &rows);
        let id = timeline.add(entity);
        if character.follower == 0 {
            players.insert(character.port, id);
        }
    }
    for character in frames.characters.iter().filter(|one| one.follower == 0) {
        lost_stocks(&mut timeline, &players, character, frames, &rows);
    }
    add_items(&mut timeline, &players, frames, &rows);
    add_platforms(&mut timeline, frames, &rows);
    add_stage_events(&mut timeline, frames, &rows);

    let id = |row: &usize| frames.ids.get(*row).copied();
    timeline.start_s = rows.first().and_then(id).map_or(0.0, coords::time_s);
    timeline.end_s = rows.last().and_then(id).map_or(0.0, coords::time_s);
    if let Some(end) = replay.end() {
        let mut event = event(timeline.end_s, rows.len().saturating_sub(1), "game-end");
        event.details.push(("method", end.method.to_string()));
        let winners = replay.winners();
        event.who = winners.first().and_then(|port| players.get(port)).copied();
        if end.method == facts::method::NO_CONTEST {
            event.details.extend(
                end.quitter
                    .filter(|&port| port >= 0)
                    .map(|port| ("quitter", port.to_string())),
            );
        }
        timeline.events.push(event);
    }
    timeline
        .events
        .sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    timeline
}

fn event(time_s: f64, frame: usize, kind: &str) -> Event {
    Event {
        time_s,
        frame,
        kind: kind.to_owned(),
        who: None,
        whom: None,
        position: None,
        details: Vec::new(),
    }
}

/// The times of rows with an event and that event's index, in order of the frames.
fn times<'a>(
    frames: &'a Frames,
    rows: &'a [usize],
    index: impl Fn(usize) -> Option<usize> + 'a,
) -> impl Iterator<Item = (f64, usize)> + 'a {
    rows.iter()
        .filter_map(move |&row| Some((coords::time_s(*frames.ids.get(row)?), index(row)?)))
}

/// There from its first frame on, and gone one frame after each last one.
fn presence(times_s: &[f64]) -> Presence {
    let frame_s = 1.0 / coords::FRAMES_PER_SECOND;
    let mut presence = Presence::default();
    let mut last = None;
    for &time_s in times_s {
        if let Some(last) = last.filter(|last| time_s - last > 1.5 * frame_s) {
            presence.vanish(last + frame_s);
        }
        presence.appear(time_s);
        last = Some(time_s);
    }
    if let Some(last) = last {
        presence.vanish(last + frame_s);
    }
    presence
}

/// Values of some events, as a column of numbers.
fn scalars<T: Copy + Into<f32>>(
    name: &'static str,
    column: &[T],
    indices: &[usize],
) -> Option<Column> {
    let values: Option<Vec<f32>> = indices
        .iter()
        .map(|&index| column.get(index).map(|&value| value.into()))
        .collect();
    Some(Column {
        name,
        values: Values::Scalar(values.filter(|values| !values.is_empty())?),
    })
}

fn positions(x: &[f32], y: &[f32], indices: &[usize]) -> Column {
    let at = |&index: &usize| Some(coords::position(*x.get(index)?, *y.get(index)?));
    Column {
        name: "position",
        values: Values::Position(indices.iter().filter_map(at).collect()),
    }
}

fn character_entity(
    replay: &Replay,
    character: &Character,
    leader: Option<EntityId>,
    frames: &Frames,
    rows: &[usize],
) -> Entity {
    let post = &character.post.columns;
    let (times_s, indices): (Vec<f64>, Vec<usize>) =
        times(frames, rows, |row| character.post.at(row)).unzip();
    let mut columns = vec![state_names(&post.character, &post.action_state, &indices)];
    columns.extend(scalars("facing", &post.facing, &indices));
    columns.extend(scalars("percent", &post.percent, &indices));
    columns.extend(scalars("shield", &post.shield, &indices));
    columns.extend(scalars("stocks", &post.stocks, &indices));
    columns.extend(scalars("state_age_frames", &post.state_age, &indices));
    columns.extend(scalars("jumps", &post.jumps, &indices));
    columns.extend(scalars("hitlag_frames", &post.hitlag, &indices));
    if post.airborne.len() == post.stocks.len() {
        let airborne = indices
            .iter()
            .map(|&index| post.airborne.get(index).is_some_and(|&value| value != 0));
        columns.push(Column {
            name: "airborne",
            values: Values::Flag(airborne.collect()),
        });
    }
    let moves = Track {
        times_s: times_s.clone(),
        hold: Hold::Linear,
        columns: vec![positions(&post.x, &post.y, &indices)],
    };
    let presence = presence(&times_s);
    let states = Track {
        times_s,
        hold: Hold::Held,
        columns,
    };
    let player = name(replay, character.port);
    let (name, kind) = if character.follower == 0 {
        let number = replay
            .starting_character(character.port)
            .unwrap_or_default();
        (format!("{player} ({})", character_name(number)), "player")
    } else {
        (format!("{player} (Nana)"), "follower")
    };
    Entity {
        name,
        kind,
        parent: leader,
        presence,
        tracks: vec![moves, states, inputs(character, frames, rows)],
    }
}

/// What the player did, as the game took it.
fn inputs(character: &Character, frames: &Frames, rows: &[usize]) -> Track {
    let pre = &character.pre.columns;
    let (times_s, indices): (Vec<f64>, Vec<usize>) =
        times(frames, rows, |row| character.pre.at(row)).unzip();
    let mut columns = Vec::new();
    columns.extend(scalars("joystick_x", &pre.joystick_x, &indices));
    columns.extend(scalars("joystick_y", &pre.joystick_y, &indices));
    columns.extend(scalars("cstick_x", &pre.cstick_x, &indices));
    columns.extend(scalars("cstick_y", &pre.cstick_y, &indices));
    columns.extend(scalars("trigger", &pre.trigger, &indices));
    columns.extend(scalars("buttons", &pre.physical_buttons, &indices));
    Track {
        times_s,
        hold: Hold::Held,
        columns,
    }
}

/// The action states by name.
fn state_names(characters: &[u8], states: &[u16], indices: &[usize]) -> Column {
    let mut numbers = BTreeMap::new();
    let (mut names, mut values) = (Vec::new(), Vec::with_capacity(indices.len()));
    for &index in indices {
        let key = (
            characters.get(index).copied().unwrap_or_default(),
            states.get(index).copied().unwrap_or_default(),
        );
        let number = *numbers.entry(key).or_insert_with(|| {
            let name = names::action_state(key.0, key.1);
            names.push(name.map_or_else(|| format!("State {}", key.1), str::to_owned));
            names.len() as u32 - 1
        });
        values.push(number);
    }
    Column {
        name: "action_state",
        values: Values::Name {
            names,
            indices: values,
        },
    }
}

fn lost_stocks(
    timeline: &mut Timeline,
    players: &BTreeMap<u8, EntityId>,
    character: &Character,
    frames: &Frames,
    rows: &[usize],
) {
    let post = &character.post.columns;
    let mut before = None;
    for (frame, &row) in rows.iter().enumerate() {
        let Some(index) = character.post.at(row) else {
            continue;
        };
        let (Some(now), Some(&id)) = (post.row(index), frames.ids.get(row)) else {
            continue;
        };
        // Damage and attacker are forgotten with the stock: the frame before has them.
        if let Some(before) = before.filter(|before: &PostRow| now.stocks < before.stocks) {
            let mut event = event(coords::time_s(id), frame, "stock-lost");
            let attacker = Some(before.last_hit_by).filter(|&port| port != character.port);
            event.who = attacker.and_then(|port| players.get(&port)).copied();
            event.whom = players.get(&character.port).copied();
            event.position = Some(coords::position(before.x, before.y));
            event.details.push(("stocks", now.stocks.to_string()));
            event.details.push(("percent", before.percent.to_string()));
            timeline.events.push(event);
        }
        before = Some(now);
    }
}

fn add_items(
    timeline: &mut Timeline,
    players: &BTreeMap<u8, EntityId>,
    frames: &Frames,
    rows: &[usize],
) {
    let items = &frames.items.columns;
    let mut by_item: BTreeMap<(u32, u16), (Vec<f64>, Vec<usize>)> = BTreeMap::new();
    for &row in rows {
        let Some(&id) = frames.ids.get(row) else {
            continue;
        };
        for index in frames.items.of_row(row) {
            // After a rollback a number may have gone to something else: what it is belongs to the key.
            if let (Some(&spawn), Some(&kind)) =
                (items.spawn_id.get(index), items.item_type.get(index))
            {
                let (times_s, indices) = by_item.entry((spawn, kind)).or_default();
                times_s.push(coords::time_s(id));
                indices.push(index);
            }
        }
    }
    for ((spawn, kind), (times_s, indices)) in by_item {
        let moves = Track {
            times_s: times_s.clone(),
            hold: Hold::Linear,
            columns: vec![positions(&items.x, &items.y, &indices)],
        };
        let columns = [
            scalars("facing", &items.facing, &indices),
            scalars("state", &items.state, &indices),
        ];
        let presence = presence(&times_s);
        let states = Track {
            times_s,
            hold: Hold::Held,
            columns: columns.into_iter().flatten().collect(),
        };
        let owner = indices
            .first()
            .and_then(|&index| u8::try_from(*items.owner.get(index)?).ok());
        let name = names::item(kind).map_or_else(|| format!("Item {kind}"), str::to_owned);
        timeline.add(Entity {
            name: format!("{name} {spawn}"),
            kind: "item",
            parent: owner.and_then(|port| players.get(&port)).copied(),
            presence,
            tracks: vec![moves, states],
        });
    }
}

/// Fountain of Dreams's platforms; they are told of only when they move, so before the first time they are absent.
fn add_platforms(timeline: &mut Timeline, frames: &Frames, rows: &[usize]) {
    let platforms = &frames.fod_platforms.columns;
    // Their middles, from the stage's geometry.
    for (platform, name, x) in [(0, "Right platform", 35.25), (1, "Left platform", -35.25)] {
        let (mut times_s, mut positions) = (Vec::new(), Vec::new());
        for &row in rows {
            let Some(&id) = frames.ids.get(row) else {
                continue;
            };
            for index in frames.fod_platforms.of_row(row) {
                if let (Some(&which), Some(&height)) =
                    (platforms.platform.get(index), platforms.height.get(index))
                    && which == platform
                {
                    times_s.push(coords::time_s(id));
                    positions.push(coords::position(x, coords::fod_height(height)));
                }
            }
        }
        if let Some(&first_s) = times_s.first() {
            let column = Column {
                name: "position",
                values: Values::Position(positions),
            };
            timeline.add(Entity {
                name: name.to_owned(),
                kind: "platform",
                parent: None,
                presence: Presence::from(first_s),
                tracks: vec![Track {
                    times_s,
                    hold: Hold::Held,
                    columns: vec![column],
                }],
            });
        }
    }
}

fn add_stage_events(timeline: &mut Timeline, frames: &Frames, rows: &[usize]) {
    for (frame, &row) in rows.iter().enumerate() {
        let Some(&id) = frames.ids.get(row) else {
            continue;
        };
        for index in frames.whispy.of_row(row) {
            let mut event = event(coords::time_s(id), frame, "wind");
            let direction = frames
                .whispy
                .columns
                .direction
                .get(index)
                .copied()
                .unwrap_or_default();
            let name = ["none", "left", "right"]
                .get(usize::from(direction))
                .copied()
                .unwrap_or("unknown");
            event.details.push(("direction", name.to_owned()));
            timeline.events.push(event);
        }
        for index in frames.stadium.of_row(row) {
            let Some(stadium) = frames.stadium.columns.row(index) else {
                continue;
            };
            let mut event = event(coords::time_s(id), frame, "transformation");
            let kind = match stadium.kind {
                3 => "fire",
                4 => "grass",
                5 => "normal",
                6 => "rock",
                9 => "water",
                _ => "unknown",
            };
            event.details.push(("kind", kind.to_owned()));
            event.details.push(("phase", stadium.event.to_string()));
            timeline.events.push(event);
        }
    }
}
