//! The clock and the bodies: place, orientation in four forms, velocities.

use super::rows::{Body, Column, HALF_TURN_RAD, Rows, SPEED_UU_S};

const AXES: [&str; 3] = ["x", "y", "z"];
const PARTS: [&str; 4] = ["x", "y", "z", "w"];

/// Adds a column.
pub(super) fn push(
    columns: &mut Vec<Column>,
    name: impl Into<String>,
    scale: f32,
    values: Vec<f32>,
) {
    columns.push(Column {
        name: name.into(),
        values,
        scale,
    });
}

/// Adds a column for each part of what a row has.
fn parts<const N: usize>(
    columns: &mut Vec<Column>,
    (prefix, what, names, unit): (&str, &str, [&str; N], &str),
    scale: f32,
    rows: impl ExactSizeIterator<Item = [f32; N]> + Clone,
) {
    for (part, name) in names.into_iter().enumerate() {
        let values = rows
            .clone()
            .map(|row| row.get(part).copied().unwrap_or(f32::NAN));
        let name = format!("{prefix} - {what} {name}{unit}");
        push(columns, name, scale, values.collect());
    }
}

/// Adds three columns, `NAME x` to `NAME z`.
pub(super) fn vectors(
    columns: &mut Vec<Column>,
    (prefix, what): (&str, &str),
    scale: f32,
    rows: impl ExactSizeIterator<Item = [f32; 3]> + Clone,
) {
    parts(columns, (prefix, what, AXES, ""), scale, rows);
}

/// A vector turned by a quaternion.
pub(super) fn turned([x, y, z, w]: [f32; 4], [a, b, c]: [f32; 3]) -> [f32; 3] {
    let cross =
        |[x, y, z]: [f32; 3], [a, b, c]: [f32; 3]| [y * c - z * b, z * a - x * c, x * b - y * a];
    let once = cross([x, y, z], [a, b, c]);
    let twice = cross([x, y, z], once);
    [
        a + 2.0 * (w * once[0] + twice[0]),
        b + 2.0 * (w * once[1] + twice[1]),
        c + 2.0 * (w * once[2] + twice[2]),
    ]
}

/// Angles about X, then the turned Y, then the turned Z, as in glam's order XYZ.
fn euler([x, y, z, w]: [f32; 4]) -> [f32; 3] {
    let sine = 2.0 * (x * z + w * y);
    [
        (2.0 * (w * x - y * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
        sine.clamp(-1.0, 1.0).asin(),
        (2.0 * (w * z - x * y)).atan2(1.0 - 2.0 * (y * y + z * z)),
    ]
}

/// Adds the columns of a body that a group asks for.
pub(super) fn body(columns: &mut Vec<Column>, prefix: &str, form: &str, body: &Body) {
    vectors(
        columns,
        (prefix, "position"),
        SPEED_UU_S,
        body.position.iter().copied(),
    );
    let rotations = || body.rotation.iter().copied();
    match form {
        "" => {
            let angles = rotations().map(euler);
            vectors(columns, (prefix, "rotation"), HALF_TURN_RAD, angles);
        }
        "NoVelocities" => {
            parts(columns, (prefix, "rotation", PARTS, ""), 1.0, rotations());
        }
        "Basis" => {
            for (name, axis) in [("forward", [1.0, 0.0, 0.0]), ("up", [0.0, 0.0, 1.0])] {
                let axes = rotations().map(move |rotation| turned(rotation, axis));
                vectors(columns, (prefix, name), 1.0, axes);
            }
        }
        _ => parts(columns, (prefix, "quaternion", PARTS, ""), 1.0, rotations()),
    }
    if matches!(form, "NoVelocities" | "Quaternions") {
        return;
    }
    let velocity = body.velocity.iter().copied();
    vectors(columns, (prefix, "linear velocity"), SPEED_UU_S, velocity);
    let names = (prefix, "angular velocity", AXES, " rad/s");
    parts(columns, names, HALF_TURN_RAD, body.spin.iter().copied());
}

/// Adds the columns of a group of the game or the ball.
pub(super) fn global(rows: &Rows<'_>, group: &str, columns: &mut Vec<Column>) {
    let game = rows.find("game");
    match group {
        "CurrentTime" => {
            let times = rows.times_s.iter().map(|&time_s| time_s as f32);
            push(columns, "current time", 1.0, times.collect());
        }
        "FrameTime" => {
            let before = rows.times_s.first().into_iter().chain(&rows.times_s);
            let steps = rows.times_s.iter().zip(before);
            let steps = steps.map(|(time_s, before_s)| (time_s - before_s) as f32);
            push(columns, "frame time", 1.0, steps.collect());
        }
        "SecondsRemaining" => {
            let seconds = rows.scalars(game, "seconds_remaining");
            push(columns, "seconds remaining", 1.0, seconds);
        }
        "BallHasBeenHit" => {
            let hit = rows.flags(game, "ball_has_been_hit");
            push(columns, "ball has been hit", 1.0, hit);
        }
        _ => {
            let form = group.strip_prefix("BallRigidBody").unwrap_or_default();
            body(columns, "Ball", form, &rows.ball);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rotation that angles stand for: about X, then Y, then Z.
    fn of_angles([a, b, c]: [f32; 3]) -> [f32; 4] {
        let times = |[x, y, z, w]: [f32; 4], [i, j, k, l]: [f32; 4]| {
            [
                w * i + x * l + y * k - z * j,
                w * j - x * k + y * l + z * i,
                w * k + x * j - y * i + z * l,
                w * l - x * i - y * j - z * k,
            ]
        };
        let about = |axis: usize, angle: f32| {
            let mut turn = [0.0, 0.0, 0.0, (angle / 2.0).cos()];
            turn[axis] = (angle / 2.0).sin();
            turn
        };
        times(times(about(0, a), about(1, b)), about(2, c))
    }

    #[test]
    fn angles_and_rotations() {
        for angles in [[0.3, -0.7, 2.1], [-2.5, 1.2, 0.1], [0.0; 3]] {
            let back = euler(of_angles(angles));
            for (back, angle) in back.into_iter().zip(angles) {
                assert!((back - angle).abs() < 1e-5, "{back} {angle}");
            }
        }
    }

    #[test]
    fn a_quarter_about_z_turns_x_to_y() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let [x, y, z] = turned([0.0, 0.0, half, half], [1.0, 0.0, 0.0]);
        assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6 && z.abs() < 1e-6);
    }
}
