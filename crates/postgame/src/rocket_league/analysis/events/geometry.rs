//! Vectors in the game's space and units.

pub(super) use crate::vectors::{Vector, add, cross, dot, length, scale, sub};

/// The square of a length.
#[inline]
pub(super) fn square([x, y, z]: Vector) -> f32 {
    x * x + y * y + z * z
}

pub(super) fn distance(a: Vector, b: Vector) -> f32 {
    length(sub(a, b))
}

/// The part of a vector along the floor.
pub(super) fn flat([x, y, _]: Vector) -> Vector {
    [x, y, 0.0]
}

/// The direction of a vector; zero for the zero vector.
pub(super) fn unit(vector: Vector) -> Vector {
    let size = length(vector);
    if size > 1e-6 {
        scale(vector, 1.0 / size)
    } else {
        [0.0; 3]
    }
}

/// The cosine of the angle between two vectors.
pub(super) fn cosine(a: Vector, b: Vector) -> f32 {
    dot(unit(a), unit(b))
}

/// 0 up to `from`, 1 from `to` on, even in between.
pub(super) fn ramp(x: f32, from: f32, to: f32) -> f32 {
    ((x - from) / (to - from)).clamp(0.0, 1.0)
}

/// The least square of a length that is not below a limit, which is positive: comparing squares with it gives the same
/// result as comparing lengths, to the last bit, and needs no roots.
pub(super) fn least_square(limit: f32) -> f32 {
    let mut least = limit * limit;
    while least.sqrt() >= limit {
        least = least.next_down();
    }
    while least.sqrt() < limit {
        least = least.next_up();
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_lengths_find_the_same() {
        for limit in [60.0, 22.0, 21.0, 0.3, 1234.567] {
            let least = least_square(limit);
            assert!(least.sqrt() >= limit && least.next_down().sqrt() < limit);
        }
    }
}
