//! What a recorder writes after a game: when, how long, who, where.

use std::time::SystemTime;

use postgame::slippi::live::LiveReader;
use postgame::slippi::model::start::Start;
use postgame::slippi::ubjson::{Value, members_to_bytes};

use super::clock::iso;

/// The rest of a `.slp` after its events.
pub fn metadata(reader: &LiveReader, began: SystemTime, console: &str) -> Vec<u8> {
    let mut members = vec![("startAt", Value::text(&iso(began)))];
    if let Some(last) = reader.frames().and_then(|frames| frames.last_frame()) {
        members.push(("lastFrame", Value::int(last)));
    }
    members.push(("players", players(reader)));
    members.push(("playedOn", Value::text("network")));
    if !console.is_empty() {
        members.push(("consoleNick", Value::text(console)));
    }
    let all = [("metadata".into(), Value::object(members))];
    // Texts and numbers of these kinds always fit.
    let mut bytes = members_to_bytes(&all).unwrap_or_default();
    bytes.push(b'}');
    bytes
}

fn players(reader: &LiveReader) -> Value {
    let Some(start) = reader.start() else {
        return Value::object([]);
    };
    let ports = start
        .ports()
        .map(|(port, _)| (port, player(reader, start, port)));
    let ports: Vec<(String, Value)> = ports
        .map(|(port, value)| (port.to_string(), value))
        .collect();
    Value::object(
        ports
            .iter()
            .map(|(port, value)| (port.as_str(), value.clone())),
    )
}

fn player(reader: &LiveReader, start: &Start, port: u8) -> Value {
    let mut frames = [0_i32; 256];
    let characters = reader.frames().map_or(&[][..], |frames| &frames.characters);
    for character in characters
        .iter()
        .filter(|one| one.port == port && one.follower == 0)
    {
        for &number in &character.post.columns.character {
            frames[usize::from(number)] = frames[usize::from(number)].saturating_add(1);
        }
    }
    let used = (0_u16..).zip(frames).filter(|(_, count)| *count > 0);
    let used: Vec<(String, i32)> = used
        .map(|(number, count)| (number.to_string(), count))
        .collect();
    let characters = Value::object(
        used.iter()
            .map(|(number, count)| (number.as_str(), Value::int(*count))),
    );
    let names = [
        ("netplay", Start::name_in(&start.display_names, port)),
        ("code", Start::name_in(&start.connect_codes, port)),
    ];
    let names = names.iter().filter(|(_, name)| !name.is_empty());
    let names = Value::object(names.map(|(key, name)| (*key, Value::text(name))));
    Value::object([("names", names), ("characters", characters)])
}
