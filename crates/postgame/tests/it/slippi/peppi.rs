//! Every column against peppi, on every file that it can read.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use peppi::frame::immutable::Data;
use peppi::game::immutable::Game;
use postgame::slippi::Replay;
use postgame::slippi::model::frames::{Frames, Sparse};
use postgame::slippi::model::start::Start;
use postgame::slippi::model::updates::{Post, Pre};

use super::{name, read, real, replays};

/// Files peppi refuses: ends of single-player modes, cut files, an event without a payload, development builds.
const REFUSES: &[&str] = &[
    "BTTDK.slp",
    "Event.slp",
    "FodPlatforms.slp",
    "Stamina.slp",
    "corrupt.slp",
    "ffa_1p2p_winner_2p.slp",
    "homeRun_positive.slp",
    "incomplete.slp",
    "severed_metadata.slp",
    "unknown_event-2.slp",
];

/// Files on which it panics: characters in ports 5 and 6, payload sizes of development builds, combined events.
const PANICS: &[&str] = &["10-Man.slp", "itemExport.slp", "test-2.slp"];

/// Files without frame starts in which characters are absent for a while. peppi puts the rows it has no data for at the
/// end of the columns, so its rows are shifted; the values are compared without the gaps.
const SHIFTED: &[&str] = &["doubles.slp", "sheik_vs_ics_yoshis.slp"];

/// Values that are equal only if their bits are.
trait Bits: Copy {
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($kind:ident: $to:expr;)*) => {$(
        impl Bits for $kind {
            fn bits(self) -> u64 {
                $to(self)
            }
        }
    )*};
}
bits! {
    u8: u64::from;
    u16: u64::from;
    u32: u64::from;
    i8: |value| value as u64;
    i32: |value| value as u64;
    f32: |value: f32| value.to_bits().into();
}

/// Counts compared values and says where one differs.
struct Compare<'a> {
    what: String,
    /// The row of every event of ours.
    rows: &'a [usize],
    values: usize,
    columns: usize,
}

impl Compare<'_> {
    fn column<T: Bits>(&mut self, name: &str, ours: &[T], theirs: Option<&[T]>) {
        let Some(theirs) = theirs else {
            assert!(
                ours.is_empty(),
                "{}.{name}: peppi has no such column",
                self.what
            );
            return;
        };
        assert_eq!(ours.len(), self.rows.len(), "{}.{name}", self.what);
        for (value, &row) in ours.iter().zip(self.rows) {
            assert_eq!(
                value.bits(),
                theirs[row].bits(),
                "{}.{name}, row {row}",
                self.what
            );
        }
        self.values += ours.len();
        self.columns += 1;
    }
}

macro_rules! columns {
    ($compare:ident, $($ours:expr => $theirs:expr;)*) => {
        $($compare.column(stringify!($ours), &$ours, Some(&$theirs.values()[..]));)*
    };
}

macro_rules! optional {
    ($compare:ident, $($ours:expr => $theirs:expr;)*) => {
        $($compare.column(stringify!($ours), &$ours, $theirs.map(|array| &array.values()[..]));)*
    };
}

fn pre(compare: &mut Compare<'_>, ours: &Pre, data: &Data) {
    let theirs = &data.pre;
    columns! { compare,
        ours.random_seed => theirs.random_seed;
        ours.action_state => theirs.state;
        ours.x => theirs.position.x;
        ours.y => theirs.position.y;
        ours.facing => theirs.direction;
        ours.joystick_x => theirs.joystick.x;
        ours.joystick_y => theirs.joystick.y;
        ours.cstick_x => theirs.cstick.x;
        ours.cstick_y => theirs.cstick.y;
        ours.trigger => theirs.triggers;
        ours.buttons => theirs.buttons;
        ours.physical_buttons => theirs.buttons_physical;
        ours.physical_l => theirs.triggers_physical.l;
        ours.physical_r => theirs.triggers_physical.r;
    }
    optional! { compare,
        ours.raw_joystick_x => theirs.raw_analog_x.as_ref();
        ours.percent => theirs.percent.as_ref();
        ours.raw_joystick_y => theirs.raw_analog_y.as_ref();
        ours.raw_cstick_x => theirs.raw_analog_cstick_x.as_ref();
        ours.raw_cstick_y => theirs.raw_analog_cstick_y.as_ref();
    }
}

fn post(compare: &mut Compare<'_>, ours: &Post, data: &Data) {
    let theirs = &data.post;
    columns! { compare,
        ours.character => theirs.character;
        ours.action_state => theirs.state;
        ours.x => theirs.position.x;
        ours.y => theirs.position.y;
        ours.facing => theirs.direction;
        ours.percent => theirs.percent;
        ours.shield => theirs.shield;
        ours.last_attack_landed => theirs.last_attack_landed;
        ours.combo_count => theirs.combo_count;
        ours.last_hit_by => theirs.last_hit_by;
        ours.stocks => theirs.stocks;
    }
    let flags = theirs.state_flags.as_ref();
    let speeds = theirs.velocities.as_ref();
    optional! { compare,
        ours.state_age => theirs.state_age.as_ref();
        ours.flags_1 => flags.map(|flags| &flags.0);
        ours.flags_2 => flags.map(|flags| &flags.1);
        ours.flags_3 => flags.map(|flags| &flags.2);
        ours.flags_4 => flags.map(|flags| &flags.3);
        ours.flags_5 => flags.map(|flags| &flags.4);
        ours.misc => theirs.misc_as.as_ref();
        ours.airborne => theirs.airborne.as_ref();
        ours.last_ground => theirs.ground.as_ref();
        ours.jumps => theirs.jumps.as_ref();
        ours.l_cancel => theirs.l_cancel.as_ref();
        ours.hurtbox => theirs.hurtbox_state.as_ref();
        ours.speed_air_x => speeds.map(|speeds| &speeds.self_x_air);
        ours.speed_y => speeds.map(|speeds| &speeds.self_y);
        ours.speed_attack_x => speeds.map(|speeds| &speeds.knockback_x);
        ours.speed_attack_y => speeds.map(|speeds| &speeds.knockback_y);
        ours.speed_ground_x => speeds.map(|speeds| &speeds.self_x_ground);
        ours.hitlag => theirs.hitlag.as_ref();
        ours.animation => theirs.animation_index.as_ref();
        ours.instance_hit_by => theirs.last_hit_by_instance.as_ref();
        ours.instance => theirs.instance_id.as_ref();
    }
}

/// The row of every event; or its index, where peppi's rows have no gaps.
fn rows<T>(events: &Sparse<T>, is_shifted: bool) -> Vec<usize> {
    if is_shifted {
        (0..events.len()).collect()
    } else {
        events.rows.iter().collect()
    }
}

fn characters(file: &str, ours: &Frames, theirs: &Game) -> (usize, usize) {
    let is_shifted = SHIFTED.contains(&file);
    let (mut values, mut columns) = (0, 0);
    for port in &theirs.frames.ports {
        let number = port.port as u8;
        let followers = port.follower.iter().map(|data| (true, data));
        for (follower, data) in [(false, &port.leader)].into_iter().chain(followers) {
            let Some(one) = ours.character(number, follower) else {
                assert!(follower, "{file}: port {number} is missing");
                continue;
            };
            for is_pre in [true, false] {
                let rows = if is_pre {
                    rows(&one.pre, is_shifted)
                } else {
                    rows(&one.post, is_shifted)
                };
                let what = format!("{file} port {number} {follower}");
                let mut compare = Compare {
                    what,
                    rows: &rows,
                    values: 0,
                    columns: 0,
                };
                match is_pre {
                    true => pre(&mut compare, &one.pre.columns, data),
                    false => post(&mut compare, &one.post.columns, data),
                }
                values += compare.values;
                columns += compare.columns;
            }
        }
    }
    let known = theirs
        .frames
        .ports
        .iter()
        .map(|port| 1 + usize::from(port.follower.is_some()))
        .sum::<usize>();
    assert!(
        ours.characters.len() <= known,
        "{file}: we have characters that peppi has not"
    );
    (values, columns)
}

/// Items, stage events, starts and ends of frames.
fn others(file: &str, ours: &Frames, theirs: &Game) -> (usize, usize) {
    let frame = &theirs.frames;
    let all = |count: usize| (0..count).collect::<Vec<usize>>();
    let mut total = (0, 0);
    let mut add = |compare: Compare<'_>| {
        total.0 += compare.values;
        total.1 += compare.columns;
    };
    if let Some(start) = &frame.start {
        let rows: Vec<usize> = ours.starts.rows.iter().collect();
        let mut compare = Compare {
            what: file.to_owned(),
            rows: &rows,
            values: 0,
            columns: 0,
        };
        columns! { compare, ours.starts.columns.random_seed => start.random_seed; }
        optional! { compare, ours.starts.columns.scene_frame => start.scene_frame_counter.as_ref(); }
        add(compare);
    }
    if let Some(end) = &frame.end {
        let rows: Vec<usize> = ours.bookends.rows.iter().collect();
        let mut compare = Compare {
            what: file.to_owned(),
            rows: &rows,
            values: 0,
            columns: 0,
        };
        optional! { compare, ours.bookends.columns.finalised => end.latest_finalized_frame.as_ref(); }
        add(compare);
    }
    let offsets = |theirs: &[i32]| {
        theirs
            .iter()
            .map(|&offset| offset as u32)
            .collect::<Vec<u32>>()
    };
    if let (Some(item), Some(item_offsets)) = (&frame.item, &frame.item_offset) {
        assert_eq!(
            ours.items.offsets(ours.len()),
            offsets(item_offsets.buffer()),
            "{file}"
        );
        let (rows, columns) = (all(ours.items.len()), &ours.items.columns);
        let mut compare = Compare {
            what: file.to_owned(),
            rows: &rows,
            values: 0,
            columns: 0,
        };
        columns! { compare,
            columns.item_type => item.r#type;
            columns.state => item.state;
            columns.facing => item.direction;
            columns.velocity_x => item.velocity.x;
            columns.velocity_y => item.velocity.y;
            columns.x => item.position.x;
            columns.y => item.position.y;
            columns.damage => item.damage;
            columns.timer => item.timer;
            columns.spawn_id => item.id;
        }
        let misc = item.misc.as_ref();
        optional! { compare,
            columns.misc_1 => misc.map(|misc| &misc.0);
            columns.misc_2 => misc.map(|misc| &misc.1);
            columns.misc_3 => misc.map(|misc| &misc.2);
            columns.misc_4 => misc.map(|misc| &misc.3);
            columns.owner => item.owner.as_ref();
            columns.instance => item.instance_id.as_ref();
        }
        add(compare);
    }
    if let (Some(platform), Some(platform_offsets)) =
        (&frame.fod_platform, &frame.fod_platform_offset)
    {
        assert_eq!(
            ours.fod_platforms.offsets(ours.len()),
            offsets(platform_offsets.buffer()),
            "{file}"
        );
        let (rows, columns) = (all(ours.fod_platforms.len()), &ours.fod_platforms.columns);
        let mut compare = Compare {
            what: file.to_owned(),
            rows: &rows,
            values: 0,
            columns: 0,
        };
        columns! { compare, columns.platform => platform.platform; columns.height => platform.height; }
        add(compare);
    }
    total
}

fn settings(file: &str, ours: &Replay, theirs: &Game) {
    let (start, info) = (&theirs.start, &ours.start.info);
    assert_eq!(
        ours.start.version(),
        [
            start.slippi.version.0,
            start.slippi.version.1,
            start.slippi.version.2
        ],
        "{file}"
    );
    assert_eq!(
        [info.bits_1, info.bits_2, info.bits_3, info.bits_4],
        start.bitfield,
        "{file}"
    );
    assert_eq!(
        (info.stage, info.timer_s, ours.start.random_seed),
        (start.stage, start.timer, start.random_seed),
        "{file}"
    );
    assert_eq!(
        info.damage_ratio.to_bits(),
        start.damage_ratio.to_bits(),
        "{file}"
    );
    assert_eq!(ours.start.ports().count(), start.players.len(), "{file}");
    for ((port, one), other) in ours.start.ports().zip(&start.players) {
        assert_eq!(port, other.port as u8, "{file}");
        assert_eq!(
            (one.character, one.stocks, one.costume),
            (other.character, other.stocks, other.costume),
            "{file}"
        );
        assert_eq!(
            one.model_scale.to_bits(),
            other.model_scale.to_bits(),
            "{file}"
        );
        let tag = other.name_tag.as_ref().map(|tag| tag.to_normalized());
        assert_eq!(
            Start::name_in(&ours.start.nametags, port),
            tag.unwrap_or_default(),
            "{file}"
        );
        let netplay = other.netplay.as_ref();
        let code = netplay.map(|netplay| netplay.code.to_normalized());
        assert_eq!(
            Start::name_in(&ours.start.connect_codes, port),
            code.unwrap_or_default(),
            "{file}"
        );
    }
    let method = theirs.end.as_ref().map(|end| end.method as u8);
    assert_eq!(ours.end().map(|end| end.method), method, "{file}");
}

#[test]
fn every_column_equals_peppis() {
    let files = replays();
    // It panics on some files; that is its business, not worth a backtrace here.
    std::panic::set_hook(Box::new(|info| {
        if info
            .location()
            .is_none_or(|location| !location.file().contains("peppi-"))
        {
            eprintln!("{info}");
        }
    }));
    let (mut refuses, mut panics, mut values, mut columns) = (Vec::new(), Vec::new(), 0, 0);
    for path in &files {
        let file = name(path);
        let (bytes, ours, _) = read(path);
        match catch_unwind(AssertUnwindSafe(|| {
            peppi::io::slippi::read(Cursor::new(&bytes), None)
        })) {
            Err(_) => panics.push(file),
            Ok(Err(_)) => refuses.push(file),
            Ok(Ok(theirs)) => {
                let frames = ours.frames.as_ref().unwrap();
                assert_eq!(frames.ids, theirs.frames.id.values().as_slice(), "{file}");
                settings(file, &ours, &theirs);
                for (more_values, more_columns) in [
                    characters(file, frames, &theirs),
                    others(file, frames, &theirs),
                ] {
                    values += more_values;
                    columns += more_columns;
                }
            }
        }
    }
    drop(std::panic::take_hook());
    if real().is_empty() {
        assert_eq!((refuses.len(), panics.len()), (0, 0));
        return;
    }
    assert_eq!((refuses, panics), (REFUSES.to_vec(), PANICS.to_vec()));
    assert!(
        values > 17_000_000 && columns > 4_000,
        "{values} values in {columns} columns were compared"
    );
}
