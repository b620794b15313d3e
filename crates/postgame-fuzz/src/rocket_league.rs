//! Rocket League: the header, the tables after the stream, and the stream with correct tables.

use std::sync::LazyLock;

use crate::files;
use crate::layers::section;
use crate::seeds;

/// The bytes are the contents of the header; there is no body.
pub fn header(contents: &[u8]) {
    files::file(&section(contents));
}

/// Headers without size and checksum.
pub fn header_seeds() -> Vec<Vec<u8>> {
    let sample = include_bytes!("../../../samples/duel.replay");
    let replays = [seeds::rocket_league(), sample.to_vec()];
    replays.iter().map(|file| parts(file).0.to_vec()).collect()
}

/// The bytes are the contents of the body, after a correct header.
pub fn tables(contents: &[u8]) {
    static HEADER: LazyLock<Vec<u8>> = LazyLock::new(|| section(parts(&seeds::rocket_league()).0));
    files::file(&[&HEADER[..], &section(contents)].concat());
}

/// A body without size and checksum.
pub fn tables_seeds() -> Vec<Vec<u8>> {
    vec![parts(&seeds::rocket_league()).1.to_vec()]
}

/// Attributes with different layouts.
const ATTRIBUTES: [&str; 20] = [
    "Engine.PlayerReplicationInfo:UniqueId",
    "Engine.PlayerReplicationInfo:PlayerName",
    "Engine.PlayerReplicationInfo:Ping",
    "Engine.Actor:DrawScale",
    "Engine.Actor:Role",
    "Engine.GameReplicationInfo:GameClass",
    "ProjectX.GRI_X:Reservations",
    "ProjectX.GRI_X:bGameStarted",
    "TAGame.PRI_TA:ClientLoadouts",
    "TAGame.PRI_TA:ClientLoadoutsOnline",
    "TAGame.PRI_TA:PartyLeader",
    "TAGame.PRI_TA:PlayerHistoryKey",
    "TAGame.CameraSettingsActor_TA:ProfileSettings",
    "TAGame.Car_TA:TeamPaint",
    "TAGame.Car_TA:ReplicatedDemolishExtended",
    "TAGame.Ball_TA:ReplicatedExplosionDataExtended",
    "TAGame.CarComponent_Dodge_TA:DodgeTorque",
    "TAGame.VehiclePickup_TA:NewReplicatedPickupData",
    "TAGame.GameEvent_TA:ReplicatedStateIndex",
    "TAGame.PRI_TA:RepStatTitles",
];

/// The bytes are the stream, between a header and correct tables.
pub fn stream(bits: &[u8]) {
    static AROUND: LazyLock<(Vec<u8>, Vec<u8>, Vec<u8>)> = LazyLock::new(around);
    let (header, before, after) = &*AROUND;
    let size = (bits.len() as u32).to_le_bytes();
    let body = section(&[before, &size[..], bits, after].concat());
    files::file(&[&header[..], &body].concat());
}

/// The stream of the small replay.
pub fn stream_seeds() -> Vec<Vec<u8>> {
    let file = seeds::rocket_league_with(&ATTRIBUTES);
    let body = parts(&file).1;
    let (start, end) = stream_in(body);
    vec![body[start + 4..end].to_vec()]
}

/// Everything around the stream: the header, the levels before it in the body, and the tables after it.
fn around() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let file = seeds::rocket_league_with(&ATTRIBUTES);
    let (header, body) = parts(&file);
    let (start, end) = stream_in(body);
    (
        section(header),
        body[..start].to_vec(),
        body[end..].to_vec(),
    )
}

/// The contents of the two sections of a correct file.
fn parts(file: &[u8]) -> (&[u8], &[u8]) {
    let size = u32::from_le_bytes(file[..4].try_into().expect("four bytes")) as usize;
    (&file[8..8 + size], &file[8 + size + 8..])
}

/// The offset of the stream's size in a body, after the levels and the keyframes, and the end of the stream.
fn stream_in(body: &[u8]) -> (usize, usize) {
    let word = |at: usize| {
        let word = body[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(word) as usize
    };
    let mut at = 4;
    for _ in 0..word(0) {
        at += 4 + word(at);
    }
    at += 4 + 12 * word(at);
    (at, at + 4 + word(at))
}
