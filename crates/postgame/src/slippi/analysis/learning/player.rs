//! A player: character, controller and partner.

use super::Values;
use crate::slippi::analysis::lane::Lane;
use crate::slippi::codec::model::frames::Frames;

/// The processed buttons, in the schema's order.
const BUTTONS: [(&str, u32); 8] = [
    ("A", 0x100),
    ("B", 0x200),
    ("X", 0x400),
    ("Y", 0x800),
    ("Z", 0x10),
    ("L", 0x40),
    ("R", 0x20),
    ("D_UP", 0x08),
];

/// Adds a player's columns.
pub(super) fn add(
    prefix: &str,
    frames: &Frames,
    rows: &[usize],
    port: u8,
    add: &mut impl FnMut(String, Values),
) {
    let leader = Lane::new(frames, rows, port, false);
    let follower = Lane::new(frames, rows, port, true);
    character(prefix, leader.as_ref(), rows.len(), add);
    controller(prefix, leader.as_ref(), rows.len(), add);
    let nana = format!("{prefix}.nana");
    let is_there = |index: usize| follower.as_ref().is_some_and(|lane| lane.is_there(index));
    let there = (0..rows.len()).map(is_there).collect();
    add(format!("{nana}.exists"), Values::Flag(there));
    character(&nana, follower.as_ref(), rows.len(), add);
}

/// A value of each row; zero where the character is absent.
fn all<T: Default>(
    lane: Option<&Lane<'_>>,
    count: usize,
    value: impl Fn(&Lane<'_>, usize) -> Option<T>,
) -> Vec<T> {
    let value = |index: usize| lane.and_then(|lane| value(lane, index));
    (0..count)
        .map(|index| value(index).unwrap_or_default())
        .collect()
}

fn character(
    prefix: &str,
    lane: Option<&Lane<'_>>,
    count: usize,
    add: &mut impl FnMut(String, Values),
) {
    let name = |name: &str| format!("{prefix}.{name}");
    let percent = all(lane, count, |lane, index| {
        // Cut, not rounded.
        Some(lane.post(index, |post| &post.percent)? as u16)
    });
    add(name("percent"), Values::U16(percent));
    let facing = all(lane, count, |lane, index| {
        Some(lane.post(index, |post| &post.facing)? > 0.0)
    });
    add(name("facing"), Values::Flag(facing));
    let x = all(lane, count, |lane, index| lane.post(index, |post| &post.x));
    add(name("x"), Values::F32(x));
    let y = all(lane, count, |lane, index| lane.post(index, |post| &post.y));
    add(name("y"), Values::F32(y));
    let action = all(lane, count, |lane, index| lane.state(index));
    add(name("action"), Values::U16(action));
    let invulnerable = all(lane, count, |lane, index| {
        Some(lane.post(index, |post| &post.hurtbox)? != 0)
    });
    add(name("invulnerable"), Values::Flag(invulnerable));
    let character = all(lane, count, |lane, index| {
        lane.post(index, |post| &post.character)
    });
    add(name("character"), Values::U8(character));
    let jumps = all(lane, count, |lane, index| {
        lane.post(index, |post| &post.jumps)
    });
    add(name("jumps_left"), Values::U8(jumps));
    let shield = all(lane, count, |lane, index| {
        lane.post(index, |post| &post.shield)
    });
    add(name("shield_strength"), Values::F32(shield));
    let on_ground = all(lane, count, |lane, index| {
        Some(lane.post(index, |post| &post.airborne)? == 0)
    });
    add(name("on_ground"), Values::Flag(on_ground));
}

fn controller(
    prefix: &str,
    lane: Option<&Lane<'_>>,
    count: usize,
    add: &mut impl FnMut(String, Values),
) {
    let name = |name: &str| format!("{prefix}.controller.{name}");
    // From 0 to 1, the middle at a half.
    let axis = |value: fn(&Lane<'_>, usize) -> Option<f32>| {
        all(lane, count, move |lane, index| {
            Some(value(lane, index)? / 2.0 + 0.5)
        })
    };
    let x = axis(|lane, index| lane.pre(index, |pre| &pre.joystick_x));
    add(name("main_stick.x"), Values::F32(x));
    let y = axis(|lane, index| lane.pre(index, |pre| &pre.joystick_y));
    add(name("main_stick.y"), Values::F32(y));
    let x = axis(|lane, index| lane.pre(index, |pre| &pre.cstick_x));
    add(name("c_stick.x"), Values::F32(x));
    let y = axis(|lane, index| lane.pre(index, |pre| &pre.cstick_y));
    add(name("c_stick.y"), Values::F32(y));
    let shoulder = all(lane, count, |lane, index| {
        lane.pre(index, |pre| &pre.trigger)
    });
    add(name("shoulder"), Values::F32(shoulder));
    for (button, mask) in BUTTONS {
        let held = all(lane, count, |lane, index| {
            Some(lane.pre(index, |pre| &pre.buttons)? & mask != 0)
        });
        add(name(&format!("buttons.{button}")), Values::Flag(held));
    }
}
