//! Stand-ins for games whose feature is off.
//!
//! A recording of such a game is not recognised, and its type has no values. So [`Recording`](crate::Recording) and
//! everything that matches on it look the same with any set of features.

#![allow(
    dead_code,
    unused_imports,
    reason = "each set of features needs another part"
)]

use std::io;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::probe::Probe;
use crate::recording::ReadOptions;
use crate::repair::Repair;
use crate::report::Report;
use crate::stats::Stats;
use crate::summary::Summary;
use crate::timeline::Timeline;

/// A recording of a game that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Absent {}

macro_rules! of_an_absent_recording {
    ($($name:ident($recording:ty $(, $rest:ty)*) $(-> $Output:ty)?;)*) => {$(
        pub(crate) fn $name(recording: $recording $(, _: $rest)*) $(-> $Output)? {
            match *recording {}
        }
    )*};
}

pub(crate) fn sniff(_: &[u8]) -> bool {
    false
}

pub(crate) fn read(_: &[u8], _: &ReadOptions, _: &mut Report) -> Result<Absent> {
    Err(Error::unsupported("the feature of this game is off"))
}

pub(crate) fn read_header<R: io::Read>(_: R, _: &Limits, _: &mut Report) -> Result<Absent> {
    Err(Error::unsupported("the feature of this game is off"))
}

of_an_absent_recording! {
    write(&Absent) -> Result<Vec<u8>>;
    check(&Absent, &mut Report);
    repair(&mut Absent, &mut Repair);
    drop_frames(&mut Absent, &mut Repair);
    is_empty(&Absent) -> bool;
    summary(&Absent) -> Summary;
    timeline(&Absent) -> Timeline;
    timeline_and_stats(&Absent) -> (Timeline, Stats);
    stats(&Absent) -> Stats;
    stats_with_timeline(&Absent, &Timeline) -> Stats;
    probe(&Absent) -> Vec<Probe>;
    probe_with_timeline(&Absent, &Timeline) -> Vec<Probe>;
}

/// The numbers of these games follow from the timeline alone.
pub(crate) fn stats_of_timeline(_: &Timeline) -> Stats {
    Stats::default()
}

pub(crate) mod rocket_league {
    pub(crate) use super::{
        Absent as Replay, check, drop_frames, probe_with_timeline as probe, read, repair, sniff,
        stats_of_timeline as stats, summary, timeline, write,
    };
}

pub(crate) mod rumble {
    pub(crate) use super::{
        Absent as Replay, check, is_empty, probe_with_timeline as probe, read, repair, sniff,
        stats_of_timeline as stats, summary, timeline, write,
    };
}

pub(crate) mod satisfactory {
    pub(crate) use super::{
        Absent as Save, Absent as Blueprint, Absent as BlueprintConfig, check,
        check as check_blueprint, check as check_config, is_empty, is_empty as is_empty_blueprint,
        probe, probe as probe_of_blueprint, read, read as read_blueprint, read as read_config,
        repair, repair as repair_blueprint, repair as repair_config, sniff,
        sniff as sniff_blueprint, sniff as sniff_config, stats, stats as stats_of_blueprint,
        summary, summary as summary_of_blueprint, summary as summary_of_config, timeline,
        timeline as timeline_of_blueprint, write, write as write_blueprint, write as write_config,
    };
}

pub(crate) mod slippi {
    pub(crate) use super::{
        Absent as Replay, check, probe_with_timeline as probe, read, read_header, repair, sniff,
        sniff as has_short_header, stats_with_timeline as stats, summary, timeline,
        timeline_and_stats, write,
    };
}
