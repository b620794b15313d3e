//! Physical plausibility of recordings: motion against physics, values against their bounds.
//!
//! A decoder with a wrong scale, sign or order of fields can read every bit and still be wrong. The probe measures what
//! the game's world forbids, and returns pass, fail, or too few samples.

use serde::Serialize;

/// What a probe looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// What the header says against what the body holds.
    Metadata,
    /// Motion against physics and bounds.
    Plausibility,
    /// Rotations in the form older versions stored them.
    LegacyRotation,
    /// Demolitions, whichever form the version stores them in.
    Demolition,
    /// The ranges of raw vectors, field by field.
    VectorRanges,
}

/// The outcome of one measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Not as it can be.
    Fail,
    /// Too little to say.
    TooFewSamples,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probe {
    /// What it looks at.
    pub aspect: Aspect,
    /// What was measured.
    pub name: String,
    /// The outcome.
    pub verdict: Verdict,
    /// How many values went into it.
    pub samples: usize,
    /// The measured value.
    pub measured: f64,
    /// What the value must keep to, for people.
    pub expected: String,
}

impl Probe {
    /// A measurement that must be at most `limit`, given at least `needed` samples.
    pub fn at_most(
        aspect: Aspect,
        name: impl Into<String>,
        samples: usize,
        needed: usize,
        measured: f64,
        limit: f64,
    ) -> Self {
        let verdict = Verdict::of(samples >= needed, measured <= limit);
        Self {
            aspect,
            name: name.into(),
            verdict,
            samples,
            measured,
            expected: format!("at most {limit}"),
        }
    }

    /// A measurement that must be at least `limit`, given at least `needed` samples.
    pub fn at_least(
        aspect: Aspect,
        name: impl Into<String>,
        samples: usize,
        needed: usize,
        measured: f64,
        limit: f64,
    ) -> Self {
        let verdict = Verdict::of(samples >= needed, measured >= limit);
        Self {
            aspect,
            name: name.into(),
            verdict,
            samples,
            measured,
            expected: format!("at least {limit}"),
        }
    }
}

impl Verdict {
    fn of(has_enough: bool, holds: bool) -> Self {
        match (has_enough, holds) {
            (false, _) => Self::TooFewSamples,
            (true, true) => Self::Pass,
            (true, false) => Self::Fail,
        }
    }
}
