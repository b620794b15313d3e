//! A duel of twenty seconds, made up from sines and a few times: Fox shoots, Marth falls once, the network hiccups.

use postgame::Recording;
use postgame::slippi::Replay;
use postgame::slippi::model::frames::{Character, Frames, Rows};
use postgame::slippi::model::messages::Message;
use postgame::slippi::model::payloads::{PayloadSize, Payloads};
use postgame::slippi::model::start::{ControllerFix, End, GameInfo, PlayerInfo, Start, Tail};
use postgame::slippi::strings::FixedText;
use postgame::slippi::ubjson::Value;

use crate::tools::Result;

/// The first frame, and the last one: twenty seconds.
const FIRST: i32 = -123;
const LAST: i32 = FIRST + 20 * 60 - 1;

/// The interval between lasers, while both characters stand.
const SHOT_EVERY: i32 = 90;
const LAST_SHOT: i32 = 700;
const LASER_SPEED: f32 = 7.0;

/// Times at which Marth is hit, leaves the stage, returns on a platform, and drops from it.
const HIT: i32 = 760;
const OUT: i32 = 812;
const BACK: i32 = 872;
const DROP: i32 = 990;

/// Frames that were computed twice, because the opponent's input arrived late.
const ROLLED_BACK: [i32; 2] = [401, 402];

/// `samples/duel.slp`.
pub fn duel() -> Result<Vec<u8>> {
    let frames = frames();
    let counts = [1, 18].map(|character| (character, frames.ids.len() as i32));
    let end = End {
        method: 7,
        quitter: Some(1),
        placements: Some([0, 1, -1, -1]),
        tail: Tail::default(),
    };
    let replay = Replay {
        is_bare: false,
        stated_length: None,
        payloads: payloads(),
        start: start()?,
        before: vec![gecko_list()],
        frames: Some(frames),
        after: vec![Message::End { end }],
        remains: Default::default(),
        elements: vec![("metadata".into(), metadata(counts))],
        is_closed: true,
        trailing: Default::default(),
        gaps: Vec::new(),
        header_last_frame: None,
    };
    Recording::Slippi(Box::new(replay))
        .write()
        .map_err(|error| error.to_string())
}

/// The sizes of version 3.18.
fn payloads() -> Payloads {
    let sizes = [
        (0x36, 760),
        (0x37, 66),
        (0x38, 84),
        (0x39, 6),
        (0x3a, 12),
        (0x3b, 44),
        (0x3c, 8),
        (0x3d, 16),
        (0x10, 516),
        (0x3f, 9),
        (0x40, 5),
        (0x41, 8),
    ];
    let sizes = sizes.map(|(code, size)| PayloadSize { code, size });
    Payloads {
        sizes: sizes.to_vec(),
        rest: Default::default(),
    }
}

/// Two changes of one word each, in a single piece.
fn gecko_list() -> Message {
    let mut block = [
        0x04, 0x00, 0x52, 0x34, 0x60, 0, 0, 0, 0x04, 0x00, 0x52, 0x38, 0x60, 0, 0, 0,
    ]
    .to_vec();
    block.resize(512, 0);
    Message::Split {
        block: block.as_slice().into(),
        used: 16,
        code: 0x3d,
        is_last: 1,
    }
}

fn metadata(counts: [(u8, i32); 2]) -> Value {
    let names = [("Ada", "ADA#001"), ("Ben", "BEN#002")];
    let player = |index: usize| {
        let ((character, count), (name, code)) = (counts[index], names[index]);
        let characters = Value::object([(character.to_string().as_str(), Value::int(count))]);
        let names = Value::object([("netplay", Value::text(name)), ("code", Value::text(code))]);
        Value::object([("names", names), ("characters", characters)])
    };
    Value::object([
        ("startAt", Value::text("2026-01-02T03:04:05Z")),
        ("lastFrame", Value::int(LAST)),
        (
            "players",
            Value::object([("0", player(0)), ("1", player(1))]),
        ),
        ("playedOn", Value::text("dolphin")),
    ])
}

fn start() -> Result<Start> {
    fn text<const N: usize>(text: &str) -> Result<FixedText<N>> {
        FixedText::of(text).ok_or_else(|| format!("{text} is too long"))
    }
    let player = |character, costume| PlayerInfo {
        character,
        stocks: 4,
        costume,
        handicap: 9,
        bits: 0xc0,
        offense_ratio: 1.0,
        defense_ratio: 1.0,
        model_scale: 1.0,
        ..PlayerInfo::default()
    };
    let nobody = PlayerInfo {
        player_type: 3,
        ..player(26, 0)
    };
    Ok(Start {
        version: [3, 18, 0, 0],
        info: GameInfo {
            bits_1: 0x32,
            bits_2: 0x01,
            bits_3: 0x86,
            bits_4: 0x4c,
            unknown_04: [0xc3, 0],
            bomb_rain: 0,
            unknown_07: 0,
            is_teams: 0,
            unknown_09: [0; 2],
            item_frequency: -1,
            self_destruct_score: -1,
            unknown_0d: 0,
            stage: 31,
            timer_s: 480,
            unknown_14: [0; 15],
            item_bits: [0xff; 5],
            unknown_28: [0; 8],
            damage_ratio: 1.0,
            unknown_34: [[0; 22]; 2],
            players: [player(2, 3), player(9, 1), nobody, nobody, nobody, nobody],
        },
        random_seed: seed(FIRST),
        controller_fixes: Some(
            [ControllerFix {
                dashback: 1,
                shield_drop: 1,
            }; 4],
        ),
        nametags: Some([FixedText::default(); 4]),
        is_pal: Some(0),
        is_frozen_stadium: Some(0),
        minor_scene: Some(2),
        major_scene: Some(8),
        // Names mix full and half width, as in the game.
        display_names: Some([text("Ａda")?, text("Ｂen")?, text("")?, text("")?]),
        connect_codes: Some([text("ADA＃001")?, text("BEN＃002")?, text("")?, text("")?]),
        user_ids: Some([
            text("sample-ada")?,
            text("sample-ben")?,
            text("")?,
            text("")?,
        ]),
        language: Some(1),
        session_id: Some(text("mode.unranked-2026-01-02T03:04:00.00-0")?),
        game_number: Some(1),
        tiebreak_number: Some(0),
        tail: Tail::default(),
    })
}

/// A number that looks random and is the same for every computation of a frame.
fn seed(frame: i32) -> u32 {
    (frame as u32)
        .wrapping_mul(0x41c6_4e6d)
        .wrapping_add(0x3039)
}

/// The frame of every row: a rollback repeats some frames.
fn ids() -> Vec<(i32, bool)> {
    let mut ids = Vec::new();
    for frame in FIRST..=LAST {
        ids.push((frame, ROLLED_BACK.contains(&frame)));
        if frame == ROLLED_BACK[1] {
            ids.extend(ROLLED_BACK.map(|frame| (frame, false)));
        }
    }
    ids
}

/// One character in one frame.
struct State {
    action: u16,
    age: i32,
    x: f32,
    y: f32,
    facing: f32,
    percent: f32,
    stocks: u8,
    stick: f32,
    button: u16,
    is_airborne: bool,
}

fn sway(frame: i32, seconds: f32, width: f32) -> f32 {
    width * libm::sinf(frame as f32 / (60.0 * seconds) * std::f32::consts::TAU)
}

/// Fox walks back and forth, shoots, and strikes once.
fn fox(frame: i32) -> State {
    let x = -30.0 + sway(frame, 4.0, 12.0);
    let shot = (
        frame.rem_euclid(SHOT_EVERY),
        (0..=LAST_SHOT).contains(&frame),
    );
    let (action, age, button) = match shot {
        (age @ 0..15, true) => (342, age, if age == 0 { 0x200 } else { 0 }),
        _ if (HIT - 12..HIT + 20).contains(&frame) => (60, frame - HIT + 12, 0x100),
        _ => (14, frame.rem_euclid(60), 0),
    };
    let x = if action == 60 { 34.0 } else { x };
    let stick = if action == 14 {
        sway(frame, 4.0, 0.5)
    } else {
        0.0
    };
    State {
        action,
        age,
        x,
        y: 0.0001,
        facing: 1.0,
        percent: 0.0,
        stocks: 4,
        stick,
        button,
        is_airborne: false,
    }
}

/// Marth stands, is hit, flies, loses a stock, and returns.
fn marth(frame: i32, is_predicted: bool) -> State {
    let hits = (frame.min(LAST_SHOT) / SHOT_EVERY + 1).max(0);
    // Before the late input arrived, he was predicted to stand still.
    let walk = if is_predicted {
        0.0
    } else {
        sway(frame, 5.0, 4.0)
    };
    let standing = State {
        action: 14,
        age: frame.rem_euclid(80),
        x: 46.0 + walk,
        y: 0.0001,
        facing: -1.0,
        percent: 3.0 * hits as f32,
        stocks: 4,
        stick: walk / 8.0,
        button: 0,
        is_airborne: false,
    };
    let since = |from: i32| (frame - from) as f32;
    match frame {
        ..HIT => standing,
        HIT..OUT => {
            let time = since(HIT);
            let (x, y) = (46.0 + 3.6 * time, 2.2 * time - 0.02 * time * time);
            State {
                action: 88,
                age: frame - HIT,
                x,
                y,
                percent: standing.percent + 18.0,
                is_airborne: true,
                ..standing
            }
        }
        OUT..BACK => State {
            action: 2,
            age: frame - OUT,
            x: 228.0,
            y: 60.0,
            percent: 0.0,
            stocks: 3,
            is_airborne: true,
            ..standing
        },
        BACK..DROP => {
            let y = (80.0 - 0.6 * since(BACK)).max(35.0);
            let action = if y > 35.0 { 12 } else { 13 };
            State {
                action,
                age: frame - BACK,
                x: 0.0,
                y,
                percent: 0.0,
                stocks: 3,
                ..standing
            }
        }
        _ => {
            let y = (35.0 - 1.4 * since(DROP)).max(0.0001);
            let (action, is_airborne) = if y > 1.0 { (29, true) } else { (14, false) };
            State {
                action,
                age: frame - DROP,
                x: 0.0,
                y,
                percent: 0.0,
                stocks: 3,
                is_airborne,
                ..standing
            }
        }
    }
}

fn frames() -> Frames {
    let ids = ids();
    let mut frames = Frames {
        ids: ids.iter().map(|(frame, _)| *frame).collect(),
        ..Frames::default()
    };
    let rows: Rows = (0..ids.len()).collect();
    let mut characters = [0, 1].map(|port| Character {
        port,
        ..Character::default()
    });
    for one in &mut characters {
        one.pre.rows = rows.clone();
        one.post.rows = rows.clone();
    }
    frames.starts.rows = rows.clone();
    frames.bookends.rows = rows;
    let mut highest = FIRST;
    for (row, &(frame, is_predicted)) in ids.iter().enumerate() {
        highest = highest.max(frame);
        frames.starts.columns.random_seed.push(seed(frame));
        frames
            .starts
            .columns
            .scene_frame
            .push((frame - FIRST) as u32);
        let states = [fox(frame), marth(frame, is_predicted)];
        for (port, (character, state)) in characters.iter_mut().zip(&states).enumerate() {
            push(character, [1, 18][port], state, frame);
        }
        push_lasers(&mut frames, row, frame, &states);
        // Online, the opponent is up to seven frames behind.
        let behind = if is_predicted {
            ROLLED_BACK[0] - 1
        } else {
            highest.max(frame) - 2
        };
        let before = frames
            .bookends
            .columns
            .finalised
            .last()
            .copied()
            .unwrap_or(FIRST - 1);
        frames
            .bookends
            .columns
            .finalised
            .push(behind.max(before).min(frame));
    }
    frames.characters = characters.into();
    frames
}

fn push(character: &mut Character, internal: u8, state: &State, frame: i32) {
    let &State {
        action,
        age,
        x,
        y,
        facing,
        percent,
        stocks,
        stick,
        button,
        is_airborne,
    } = state;
    let pre = &mut character.pre.columns;
    pre.random_seed.push(seed(frame));
    pre.action_state.push(action);
    pre.x.push(x);
    pre.y.push(y);
    pre.facing.push(facing);
    pre.joystick_x.push(stick);
    pre.joystick_y.push(0.0);
    pre.cstick_x.push(0.0);
    pre.cstick_y.push(0.0);
    pre.trigger.push(0.0);
    pre.buttons.push(button.into());
    pre.physical_buttons.push(button);
    pre.physical_l.push(0.0);
    pre.physical_r.push(0.0);
    pre.raw_joystick_x.push((stick * 80.0) as i8);
    pre.percent.push(percent);
    pre.raw_joystick_y.push(0);
    pre.raw_cstick_x.push(0);
    pre.raw_cstick_y.push(0);
    let post = &mut character.post.columns;
    let is_hit = internal == 18 && (0..OUT).contains(&frame);
    post.character.push(internal);
    post.action_state.push(action);
    post.x.push(x);
    post.y.push(y);
    post.facing.push(facing);
    post.percent.push(percent);
    post.shield.push(60.0);
    post.last_attack_landed
        .push(if internal == 1 && frame >= 0 { 18 } else { 0 });
    post.combo_count.push(0);
    post.last_hit_by.push(if is_hit { 0 } else { 6 });
    post.stocks.push(stocks);
    post.state_age.push(age as f32);
    post.flags_1.push(0);
    post.flags_2.push(0);
    post.flags_3.push(0);
    post.flags_4.push(if action == 88 { 0x02 } else { 0 });
    post.flags_5.push(if action == 2 { 0x40 } else { 0 });
    post.misc.push(if action == 88 {
        (OUT - frame) as f32
    } else {
        0.0
    });
    post.airborne.push(is_airborne.into());
    post.last_ground.push(if is_airborne { 0xffff } else { 0 });
    post.jumps.push(2);
    post.l_cancel.push(0);
    post.hurtbox
        .push(if matches!(action, 12 | 13) { 2 } else { 0 });
    post.speed_air_x.push(0.0);
    post.speed_y.push(0.0);
    post.speed_attack_x
        .push(if action == 88 { 3.6 } else { 0.0 });
    post.speed_attack_y.push(0.0);
    post.speed_ground_x.push(stick);
    post.hitlag.push(0.0);
    post.animation.push(action.into());
    post.instance_hit_by.push(0);
    post.instance.push(action);
}

/// Lasers fly from Fox to Marth's position.
fn push_lasers(frames: &mut Frames, row: usize, frame: i32, states: &[State; 2]) {
    let oldest = (frame - 30).max(0);
    for shot in (oldest..=frame.min(LAST_SHOT)).filter(|shot| shot % SHOT_EVERY == 0) {
        let x = fox(shot).x + 6.0 + LASER_SPEED * (frame - shot) as f32;
        if x > states[1].x {
            continue;
        }
        frames.items.rows.push(row as u32);
        let items = &mut frames.items.columns;
        items.item_type.push(54);
        items.state.push(0);
        items.facing.push(1.0);
        items.velocity_x.push(LASER_SPEED);
        items.velocity_y.push(0.0);
        items.x.push(x);
        items.y.push(6.0);
        items.damage.push(0);
        items.timer.push((30 - (frame - shot)) as f32);
        items.spawn_id.push((shot / SHOT_EVERY) as u32);
        items.misc_1.push(0);
        items.misc_2.push(0);
        items.misc_3.push(0);
        items.misc_4.push(0);
        items.owner.push(0);
        items.instance.push(342);
    }
}
