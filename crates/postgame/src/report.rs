//! Findings: everything notable about a recording that could still be read.

use std::fmt;

use serde::Serialize;

use crate::error::{Error, Place};

/// The code of findings about insufficient memory.
pub(crate) const MEMORY: &str = "memory";

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For information; nothing is wrong. An example is data of a newer version that is kept unread.
    Note,
    /// Odd: the file contradicts itself or its format, but everything in it was read.
    Odd,
    /// Data was lost: something in the file could not be read.
    Lost,
}

/// A finding about a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// A short stable name for this kind of finding, such as `frame-count`.
    pub code: &'static str,
    /// The path through the file's structure; empty for the file as a whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The place in the data, if there is one.
    #[serde(rename = "at", skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The finding, in one sentence without a full stop.
    pub message: String,
}

/// All findings about one recording, in the order they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Maximum number of findings of one code that are listed; the rest are counted, because a file can be wrong in
    /// every frame.
    pub const MAX_OF_ONE_CODE: usize = 20;

    /// The findings, in the order they were added.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// True when no finding is more serious than a note.
    pub fn is_clean(&self) -> bool {
        self.worst()
            .is_none_or(|severity| severity == Severity::Note)
    }

    /// The most serious finding's severity.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// Adds a finding.
    pub fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        path: impl Into<String>,
        place: Option<Place>,
        message: impl Into<String>,
    ) {
        self.findings.push(Finding {
            severity,
            code,
            path: path.into(),
            place,
            message: message.into(),
        });
    }

    /// Starts a series of findings of one code; only the first twenty of them are listed.
    pub fn series(&mut self, severity: Severity, code: &'static str) -> Series<'_> {
        Series {
            report: self,
            severity,
            code,
            seen: 0,
        }
    }

    /// Turns an error that ended part of the reading into a finding of lost data. If memory ran out, the code is
    /// `MEMORY` instead.
    pub fn lost(&mut self, code: &'static str, error: &Error) {
        let code = if error.is_out_of_memory() {
            MEMORY
        } else {
            code
        };
        self.add(
            Severity::Lost,
            code,
            error.path(),
            error.place(),
            error.problem().to_string(),
        );
    }

    /// Drops all findings but the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.findings.truncate(count);
    }

    /// Appends the findings of another report.
    pub fn append(&mut self, other: Report) {
        self.findings.extend(other.findings);
    }
}

/// Findings of one code that can occur in every frame of a file: the first ones are listed, the rest are counted.
///
/// When dropped, it adds the number of unlisted findings.
#[derive(Debug)]
pub struct Series<'a> {
    report: &'a mut Report,
    severity: Severity,
    code: &'static str,
    seen: usize,
}

impl Series<'_> {
    /// Adds a finding; path and message are only computed if it is listed.
    pub fn add(
        &mut self,
        path: impl FnOnce() -> String,
        place: Option<Place>,
        message: impl FnOnce() -> String,
    ) {
        self.seen += 1;
        if self.seen <= Report::MAX_OF_ONE_CODE {
            self.report
                .add(self.severity, self.code, path(), place, message());
        }
    }
}

impl Drop for Series<'_> {
    fn drop(&mut self) {
        if self.seen > Report::MAX_OF_ONE_CODE {
            let more = self.seen - Report::MAX_OF_ONE_CODE;
            self.report.add(
                self.severity,
                self.code,
                "",
                None,
                format!("{more} more of this kind"),
            );
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Odd => "odd",
            Self::Lost => "lost",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}] ", self.severity, self.code)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// Serializes the place of a finding as text for human readers.
impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_keep_a_report_clean() {
        let mut report = Report::default();
        assert!(report.is_clean());
        report.add(Severity::Note, "newer", "", None, "data of a newer version");
        assert!(report.is_clean());
        report.add(Severity::Odd, "count", "frames", None, "two counts differ");
        assert!(!report.is_clean());
        assert_eq!(
            report.findings()[1].to_string(),
            "odd [count] frames: two counts differ"
        );
    }

    #[test]
    fn a_series_is_listed_up_to_a_limit_and_then_counted() {
        let mut report = Report::default();
        let mut series = report.series(Severity::Odd, "x");
        for index in 0..25 {
            series.add(|| format!("[{index}]"), None, || "odd".into());
        }
        drop(series);
        assert_eq!(report.findings().len(), 21);
        assert_eq!(report.findings()[20].message, "5 more of this kind");
    }
}
