//! Arithmetic of vectors in any space and unit.

/// A point or a direction.
pub(crate) type Vector = [f32; 3];

/// The sum of two vectors.
pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

/// The vector from `b` to `a`.
pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// A vector scaled by a factor.
pub(crate) fn scale(a: Vector, factor: f32) -> Vector {
    a.map(|part| part * factor)
}

/// The dot product.
pub(crate) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The length of a vector.
pub(crate) fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}
