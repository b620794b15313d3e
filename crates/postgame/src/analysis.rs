//! What a recording means: its timeline, events and statistics, each computed once and only if it is asked for.

use std::cell::OnceCell;

use crate::probe::Probe;
use crate::recording::Recording;
use crate::stats::Stats;
use crate::timeline::{Event, Timeline};

/// The meaning of a recording: see [`Recording::analysis`].
#[derive(Debug)]
pub struct Analysis<'a> {
    recording: &'a Recording,
    timeline: OnceCell<Timeline>,
    stats: OnceCell<Option<Stats>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(recording: &'a Recording) -> Self {
        Self {
            recording,
            timeline: OnceCell::new(),
            stats: OnceCell::new(),
        }
    }

    /// What moves and happens, in seconds, metres and one system of axes.
    pub fn timeline(&self) -> &Timeline {
        if let Some(timeline) = self.timeline.get() {
            return timeline;
        }
        // Both at once cost less than one after the other if they share work.
        if self.stats.get().is_none() && self.recording.timeline_shares_work_with_stats() {
            let (timeline, stats) = self.recording.timeline_and_stats();
            self.stats.get_or_init(|| stats);
            return self.timeline.get_or_init(|| timeline);
        }
        self.timeline.get_or_init(|| self.recording.timeline())
    }

    /// What happens, in order of time.
    pub fn events(&self) -> &[Event] {
        &self.timeline().events
    }

    /// Numbers about what happens; `None` for files that have none.
    pub fn stats(&self) -> Option<&Stats> {
        let stats = self.stats.get_or_init(|| {
            if self.recording.stats_need_timeline() {
                self.recording.stats(self.timeline())
            } else {
                self.recording.stats(&Timeline::default())
            }
        });
        stats.as_ref()
    }

    /// Measurements of whether the recording can be true.
    pub fn probe(&self) -> Vec<Probe> {
        self.recording.probe(self.timeline())
    }

    /// The timeline and the statistics, to keep them longer than the recording.
    pub fn into_parts(self) -> (Timeline, Option<Stats>) {
        self.timeline();
        self.stats();
        let timeline = self.timeline.into_inner().unwrap_or_default();
        (timeline, self.stats.into_inner().flatten())
    }

    /// The statistics, to keep them longer than the recording.
    pub fn into_stats(self) -> Option<Stats> {
        self.stats();
        self.stats.into_inner().flatten()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ReadOptions, read};

    #[test]
    fn parts_are_the_same_in_any_order() {
        // A ratio of nothing is NaN, which is not equal to itself; its text is.
        fn text(value: impl std::fmt::Debug) -> String {
            format!("{value:?}")
        }
        for sample in [
            "duel.slp",
            "bout.replay",
            "duel.replay",
            "factory.sav",
            "platform.sbpcfg",
        ] {
            let path = format!("{}/../../samples/{sample}", env!("CARGO_MANIFEST_DIR"));
            let bytes = std::fs::read(path).unwrap_or_default();
            let (recording, _) =
                read(&bytes, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
            let (first, second) = (recording.analysis(), recording.analysis());
            first.timeline();
            second.stats();
            let stats = text(first.stats());
            assert_eq!(text(second.stats()), stats, "{sample}");
            assert!(first.timeline() == second.timeline(), "{sample}");
            assert_eq!(first.events(), second.events(), "{sample}");
            assert_eq!(text(recording.analysis().into_stats().as_ref()), stats);
            let (timeline, both) = recording.analysis().into_parts();
            assert!(&timeline == first.timeline(), "{sample}");
            assert_eq!(text(both.as_ref()), stats, "{sample}");
        }
    }
}
