//! Checks a Rocket League replay for contradictions with its format or within itself.

use super::encode;
use super::model::kinds::Value;
use super::model::network::What;
use super::model::values::BodyRotation;
use super::model::{Body, Header, Replay, Stated};
use super::schema::{ParentBy, Schema};
use crate::report::{Report, Severity};

/// Maximum excess of a rotation's squared components over 1, due to rounding.
const NORM_TOLERANCE: f64 = 1e-4;

/// Adds all findings about a replay.
pub fn check(replay: &Replay, report: &mut Report) {
    let Replay {
        header,
        body,
        after,
    } = replay;
    check_section("header", &header.stated, report);
    check_header(header, report);
    let Some(body) = body else { return };
    check_section("body", &body.stated, report);
    for (path, bytes) in [("body.trailing", &body.trailing), ("after", after)] {
        if !bytes.is_empty() {
            let message = format!("{} bytes are kept that nobody knows", bytes.0.len());
            report.add(Severity::Odd, "trailing", path, None, message);
        }
    }
    if body.broken.is_some() {
        return;
    }
    let schema = Schema::new(header, body);
    check_classes(&schema, report);
    check_counts(replay, body, report);
    check_frames(body, report);
    check_keyframes(body, &schema, report);
}

fn check_section(path: &str, stated: &Stated, report: &mut Report) {
    if let Some(size) = stated.size {
        let message = format!("the file says {size} bytes, which is wrong");
        report.add(Severity::Odd, "size", format!("{path}.size"), None, message);
    }
    if let Some(crc) = stated.crc {
        let message = format!("the file says {crc:#010x}, but the contents have another checksum");
        report.add(Severity::Odd, "crc", format!("{path}.crc"), None, message);
    }
}

fn check_header(header: &Header, report: &mut Report) {
    if !header.trailing.is_empty() {
        let message = format!("{} bytes follow the properties", header.trailing.0.len());
        report.add(Severity::Odd, "trailing", "header.trailing", None, message);
    }
    if header.class.as_str() != "TAGame.Replay_Soccar_TA" {
        let message = format!("a replay of the class {} is not known", header.class);
        report.add(Severity::Note, "class", "header.class", None, message);
    }
    let mut series = report.series(Severity::Odd, "property-size");
    for property in &header.properties.0 {
        if let Some(size) = property.stated_size {
            series.add(
                || format!("header.properties.{}", property.name),
                None,
                || format!("the file says {size} bytes, which is wrong"),
            );
        }
    }
}

/// The rule about numbers: a class's first number is one more than its parents' last.
fn check_classes(schema: &Schema, report: &mut Report) {
    let mut series = report.series(Severity::Odd, "net-cache");
    for class in &schema.classes {
        if !class.numbers_fit() {
            series.add(
                || format!("body.net_caches.{}", class.name),
                None,
                || {
                    format!(
                        "its first attribute is {}, but its parents' last is {}",
                        class.first_id,
                        i64::from(class.parent_end) - 1
                    )
                },
            );
        }
    }
    drop(series);
    let mut series = report.series(Severity::Note, "new-class");
    for class in &schema.classes {
        let parent = class.parent.and_then(|parent| schema.classes.get(parent));
        let message = match (class.parent_by, parent) {
            (ParentBy::Numbers, Some(parent)) => {
                format!("not known; by its numbers it derives from {}", parent.name)
            }
            (ParentBy::Nothing, Some(_)) => "not known, and its numbers fit no class".to_owned(),
            _ => continue,
        };
        series.add(
            || format!("body.net_caches.{}", class.name),
            None,
            || message,
        );
    }
}

/// Compares the header with the contents.
fn check_counts(replay: &Replay, body: &Body, report: &mut Report) {
    let found = body.network.frame_count_with_gaps();
    let stated = replay.stated_frames().unwrap_or(0) as usize;
    if stated != found {
        let message = format!("the header says {stated}, but there are {found}");
        report.add(
            Severity::Odd,
            "frame-count",
            "network.frames",
            None,
            message,
        );
    }
    // The last goal can be in the frame after the last one. A mark without a frame is in frame -1.
    let outside = |frame: u32| frame as usize > found && frame != u32::MAX;
    let mut series = report.series(Severity::Odd, "frame-index");
    let marks = body.tick_marks.iter().enumerate();
    for (index, mark) in marks.filter(|(_, mark)| outside(mark.frame)) {
        series.add(
            || format!("body.tick_marks[{index}]"),
            None,
            || format!("{} is in frame {} of {found}", mark.kind, mark.frame),
        );
    }
    for (index, goal) in replay.header.properties.array("Goals").iter().enumerate() {
        let frame = goal
            .int("frame")
            .and_then(|frame| u32::try_from(frame).ok());
        if let Some(frame) = frame.filter(|&frame| outside(frame)) {
            series.add(
                || format!("header.properties.Goals[{index}]"),
                None,
                || format!("the goal is in frame {frame} of {found}"),
            );
        }
    }
    drop(series);
    if body.network.rest.is_some() && body.network.gaps().next().is_none() {
        report.add(
            Severity::Odd,
            "rest",
            "network.rest",
            None,
            "something follows the last frame",
        );
    }
}

fn check_frames(body: &Body, report: &mut Report) {
    let mut times = Vec::new();
    let mut norms = Vec::new();
    let mut before: Option<(usize, f32)> = None;
    for frame in body.network.frames() {
        if let Some((number, time_s)) = before.filter(|(number, _)| number + 1 == frame.number) {
            // The stated difference is smaller, because recording pauses during goal replays.
            let step_s = frame.time_s - time_s;
            if step_s < 0.0 {
                times.push((number + 1, step_s));
            }
        }
        before = Some((frame.number, frame.time_s));
        for action in frame.actions() {
            let What::Updated(updates) = action.what else {
                continue;
            };
            for (_, value) in updates {
                if let Value::RigidBody(body) = value
                    && let BodyRotation::Quaternion { parts, .. } = body.rotation
                {
                    let part =
                        |part: u32| (f64::from(part) / 262_143.0 - 0.5) * std::f64::consts::SQRT_2;
                    let sum: f64 = parts.map(part).iter().map(|part| part * part).sum();
                    if sum > 1.0 + NORM_TOLERANCE {
                        norms.push((frame.number, action.actor, sum.sqrt()));
                    }
                }
            }
        }
    }
    let mut series = report.series(Severity::Odd, "time");
    for (number, step_s) in times {
        series.add(
            || format!("network.frames[{number}]"),
            None,
            || format!("{:.3} s before the frame before it", -step_s),
        );
    }
    drop(series);
    let mut series = report.series(Severity::Odd, "rotation");
    for (number, actor, norm) in norms {
        series.add(
            || format!("network.frames[{number}].actors.{actor}"),
            None,
            || format!("a rotation has a length of {norm:.4}"),
        );
    }
}

fn check_keyframes(body: &Body, schema: &Schema, report: &mut Report) {
    // The start of each frame is known after writing all of them.
    let Ok(starts) = encode::frame_starts(&body.network, schema) else {
        return;
    };
    let mut series = report.series(Severity::Odd, "keyframe");
    for (index, keyframe) in body.keyframes.iter().enumerate() {
        let number = keyframe.frame as usize;
        let found = starts.binary_search_by_key(&number, |start| start.0).ok();
        let Some(&(_, bit, time_s)) = found.and_then(|found| starts.get(found)) else {
            continue;
        };
        if bit != u64::from(keyframe.position_bits) || time_s != keyframe.time_s {
            let (said_s, said) = (keyframe.time_s, keyframe.position_bits);
            series.add(
                || format!("body.keyframes[{index}]"),
                None,
                || {
                    format!(
                        "frame {number} is at bit {bit} and {time_s} s, not at bit {said} and {said_s} s"
                    )
                },
            );
        }
    }
}
