//! Plausibility: real replays pass, wrong ones fail.

use postgame::probe::Verdict;
use postgame::slippi;
use postgame::slippi::model::frames::Frames;
use postgame::slippi::model::updates::Post;

use super::replays;

#[test]
fn real_replays_are_plausible() {
    let mut failed = Vec::new();
    for (name, replay) in replays() {
        for probe in slippi::probe(&replay, &slippi::timeline(&replay)) {
            if std::env::var_os("POSTGAME_PRINT").is_some() {
                eprintln!(
                    "{name}\t{}\t{:?}\t{}\t{}",
                    probe.name, probe.verdict, probe.samples, probe.measured
                );
            }
            if probe.verdict == Verdict::Fail {
                failed.push(format!(
                    "{name}: {} is {}, not {}",
                    probe.name, probe.measured, probe.expected
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A way to be wrong and the check that must notice.
type Mistake = (&'static str, fn(&mut Frames), &'static str);

const MISTAKES: &[Mistake] = &[
    (
        "centimetres for units",
        |frames| each(frames, |post| scale(&mut [&mut post.x, &mut post.y], 10.0)),
        "beyond the blast zones",
    ),
    (
        "half the scale",
        |frames| each(frames, |post| scale(&mut [&mut post.x, &mut post.y], 0.5)),
        "agrees with speed",
    ),
    (
        "Y downwards",
        |frames| each(frames, |post| scale(&mut [&mut post.y], -1.0)),
        "agrees with speed",
    ),
    (
        "X to the left",
        |frames| each(frames, |post| scale(&mut [&mut post.x], -1.0)),
        "agrees with speed",
    ),
    (
        "speeds in the wrong order",
        |frames| {
            each(frames, |post| {
                std::mem::swap(&mut post.speed_air_x, &mut post.speed_y);
            });
        },
        "agrees with speed",
    ),
    (
        "speeds a second, not a frame",
        |frames| {
            each(frames, |post| {
                scale(&mut [&mut post.speed_air_x, &mut post.speed_y], 60.0);
            });
        },
        "agrees with speed",
    ),
    (
        "rows out of order",
        |frames| {
            each(frames, |post| {
                post.x.reverse();
                post.x.chunks_mut(2).for_each(<[f32]>::reverse);
                let rows: Vec<f32> = (0..post.y.len())
                    .map(|row| post.y[row * 7919 % post.y.len()])
                    .collect();
                post.y = rows;
            });
        },
        "agrees with speed",
    ),
    (
        "items' velocity the other way",
        |frames| {
            scale(
                &mut [
                    &mut frames.items.columns.velocity_x,
                    &mut frames.items.columns.velocity_y,
                ],
                -1.0,
            )
        },
        "items agrees",
    ),
    (
        "shield for percent",
        |frames| {
            each(frames, |post| {
                post.percent.iter_mut().for_each(|percent| *percent -= 60.0);
            });
        },
        "percents outside",
    ),
    (
        "sticks as the controller sends them",
        |frames| {
            for character in &mut frames.characters {
                scale(&mut [&mut character.pre.columns.joystick_x], 80.0);
            }
        },
        "sticks",
    ),
    (
        "no number",
        |frames| {
            each(frames, |post| post.x[100] = f32::NAN);
        },
        "post position",
    ),
];

fn each(frames: &mut Frames, mut change: impl FnMut(&mut Post)) {
    for character in &mut frames.characters {
        change(&mut character.post.columns);
    }
}

fn scale(columns: &mut [&mut Vec<f32>], factor: f32) {
    for value in columns.iter_mut().flat_map(|column| column.iter_mut()) {
        *value *= factor;
    }
}

#[test]
fn mistakes_are_noticed() {
    let replays: Vec<_> = replays()
        .into_iter()
        .filter(|(name, _)| matches!(name.as_str(), "duplicate_game_end.slp" | "FodPlatforms.slp"))
        .collect();
    for (name, replay) in &replays {
        for (what, change, check) in MISTAKES {
            let mut wrong = replay.clone();
            change(wrong.frames.as_mut().unwrap());
            let probes = slippi::probe(&wrong, &slippi::timeline(&wrong));
            let probe = probes
                .iter()
                .find(|probe| probe.name.contains(check))
                .unwrap();
            assert_eq!(
                probe.verdict,
                Verdict::Fail,
                "{name}, {what}: {} is {}",
                probe.name,
                probe.measured
            );
        }
    }
    eprintln!(
        "{} mistakes in each of {} replays",
        MISTAKES.len(),
        replays.len()
    );
}
