//! The report of a repair: its steps, the lost data, and the contents that are not proven.

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeStruct as _;

/// All steps of a repair, in order.
///
/// In JSON it is `{"verdict": …, "steps": […]}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repair {
    /// The steps, in order.
    pub steps: Vec<RepairStep>,
}

/// One change to a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RepairStep {
    /// The change, in one sentence without a full stop.
    pub action: String,
    /// The lost data; `None` if the step lost nothing.
    pub lost: Option<Loss>,
    /// Contents that may differ from the original recording, and why; `None` if the step's result is proven.
    pub suspect: Option<String>,
}

/// An amount of data. An unknown amount is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Loss {
    /// Frames.
    pub frames: Option<u64>,
    /// Recorded time in seconds.
    pub seconds: Option<f64>,
    /// Objects, or parts of them.
    pub objects: Option<u64>,
    /// Bytes of the file, after decompression if that part of it is compressed.
    pub bytes: Option<u64>,
}

/// How far a repaired recording can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The file does not contradict itself, so nothing was changed. In a format without checksums this does not prove
    /// any value.
    Unchanged,
    /// The contents are provably the original ones: only redundant data was wrong.
    Proven,
    /// Nothing is known to be missing, but nothing proves the contents either.
    Suspect,
    /// Data is lost.
    Lost,
}

impl Loss {
    /// A number of bytes.
    pub fn bytes(count: usize) -> Self {
        Self {
            bytes: Some(count as u64),
            ..Self::default()
        }
    }

    /// A number of frames.
    pub fn frames(count: usize) -> Self {
        Self {
            frames: Some(count as u64),
            ..Self::default()
        }
    }

    /// A number of objects.
    pub fn objects(count: usize) -> Self {
        Self {
            objects: Some(count as u64),
            ..Self::default()
        }
    }
}

impl Repair {
    /// How far the result can be trusted.
    pub fn verdict(&self) -> Verdict {
        let of_step = |step: &RepairStep| match (&step.lost, &step.suspect) {
            (Some(_), _) => Verdict::Lost,
            (None, Some(_)) => Verdict::Suspect,
            (None, None) => Verdict::Proven,
        };
        let steps = self.steps.iter().map(of_step);
        steps.max().unwrap_or(Verdict::Unchanged)
    }

    /// Adds a step whose result is proven.
    pub(crate) fn proven(&mut self, action: impl Into<String>) {
        self.add(action, None, None);
    }

    /// Adds a step that lost data.
    pub(crate) fn lost(&mut self, action: impl Into<String>, lost: Loss) {
        self.add(action, Some(lost), None);
    }

    /// Adds a step whose result is not proven.
    pub(crate) fn suspect(&mut self, action: impl Into<String>, suspect: impl Into<String>) {
        self.add(action, None, Some(suspect.into()));
    }

    fn add(&mut self, action: impl Into<String>, lost: Option<Loss>, suspect: Option<String>) {
        self.steps.push(RepairStep {
            action: action.into(),
            lost,
            suspect,
        });
    }
}

impl Serialize for Repair {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Repair", 2)?;
        fields.serialize_field("verdict", &self.verdict())?;
        fields.serialize_field("steps", &self.steps)?;
        fields.end()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unchanged => "unchanged",
            Self::Proven => "proven",
            Self::Suspect => "suspect",
            Self::Lost => "lost",
        })
    }
}

/// The known amounts, such as `12 frames, 0.4 s`; `an unknown amount` if there are none.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: Option<u64>, unit: &str| {
            count.map(|count| format!("{count} {unit}{}", if count == 1 { "" } else { "s" }))
        };
        let parts = [
            counted(self.frames, "frame"),
            self.seconds.map(|seconds| format!("{seconds:.1} s")),
            counted(self.objects, "object"),
            counted(self.bytes, "byte"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return f.write_str("an unknown amount");
        }
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for RepairStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        if let Some(lost) = &self.lost {
            write!(f, " (lost: {lost})")?;
        }
        if let Some(suspect) = &self.suspect {
            write!(f, " (suspect: {suspect})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_step_decides() {
        let mut repair = Repair::default();
        assert_eq!(repair.verdict(), Verdict::Unchanged);
        repair.proven("size recomputed");
        assert_eq!(repair.verdict(), Verdict::Proven);
        repair.suspect("checksum recomputed", "the header");
        assert_eq!(repair.verdict(), Verdict::Suspect);
        repair.lost("cut at frame 9", Loss::frames(1));
        assert_eq!(repair.verdict(), Verdict::Lost);
        let steps: Vec<String> = repair.steps.iter().map(ToString::to_string).collect();
        assert_eq!(
            steps,
            [
                "size recomputed",
                "checksum recomputed (suspect: the header)",
                "cut at frame 9 (lost: 1 frame)"
            ]
        );
        assert_eq!(Loss::default().to_string(), "an unknown amount");
    }
}
