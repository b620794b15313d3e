//! Moments worth watching again, and where their clips begin and end.
//!
//! - [`filter`]: which combos and conversions count, by the rules of slp-realtime
//! - `buttons`: marks that players set themselves
//! - [`queue`]: playback queues for Dolphin

mod buttons;
pub mod filter;
pub mod queue;

use super::edgeguards::edgeguards;
use super::stats::analyse;
use super::stats::punish::Punish;
use crate::slippi::Replay;
use crate::slippi::codec::model::frames::FIRST_FRAME;
pub use buttons::ButtonMark;
pub use filter::Filter;

/// What a clip shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Combos that pass the filter.
    Combo,
    /// Conversions that pass the filter.
    Conversion,
    /// Every stock that was taken, from the start of the conversion that took it.
    Kill,
    /// Edgeguards that took a stock.
    Edgeguard,
    /// Places that players marked by holding buttons.
    Mark,
}

impl Preset {
    /// All of them with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Combo, "combo"),
        (Self::Conversion, "conversion"),
        (Self::Kill, "kill"),
        (Self::Edgeguard, "edgeguard"),
        (Self::Mark, "mark"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The preset with a name.
    pub fn find(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|(_, one)| *one == name).map(|(preset, _)| *preset)
    }
}

/// What to look for, and how much to show around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What clips show.
    pub preset: Preset,
    /// Which combos and conversions count.
    pub filter: Filter,
    /// Which buttons are a mark.
    pub mark: ButtonMark,
    /// Frames shown before.
    pub lead_in_frames: u32,
    /// Frames shown after.
    pub lead_out_frames: u32,
}

impl Query {
    /// A query with the usual settings.
    pub fn new(preset: Preset) -> Self {
        // A mark is set after what it marks.
        let (lead_in_frames, lead_out_frames) = match preset {
            Preset::Mark => (1500, 0),
            _ => (75, 120),
        };
        Self {
            preset,
            filter: Filter::default(),
            mark: ButtonMark::default(),
            lead_in_frames,
            lead_out_frames,
        }
    }
}

/// A part of a recording worth watching.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Clip {
    /// What it shows.
    pub preset: &'static str,
    /// The first frame shown, in the game's numbers.
    pub start_frame: i32,
    /// The last frame shown.
    pub end_frame: i32,
    /// The frame in which what it shows begins.
    pub from_frame: i32,
    /// The frame in which it is over; the recording's last one if it lasts until then.
    pub to_frame: i32,
    /// Whose clip it is, from 0.
    pub port: Option<u8>,
    /// The victim's port.
    pub victim_port: Option<u8>,
    /// How many attacks hit.
    pub moves: Option<u32>,
    /// What they did to the victim's percent.
    pub damage_percent: Option<f64>,
    /// Whether the victim lost a stock.
    pub did_kill: Option<bool>,
}

/// Finds the clips of a replay, in order of time.
pub fn clips(replay: &Replay, query: &Query) -> Vec<Clip> {
    let Some(last_frame) = replay.frames.as_ref().and_then(|one| one.last_frame()) else {
        return Vec::new();
    };
    let blank = |from_frame: i32, to_frame: i32| Clip {
        preset: query.preset.name(),
        start_frame: from_frame
            .saturating_sub_unsigned(query.lead_in_frames)
            .max(FIRST_FRAME),
        end_frame: to_frame
            .saturating_add_unsigned(query.lead_out_frames)
            .min(last_frame),
        from_frame,
        to_frame,
        port: None,
        victim_port: None,
        moves: None,
        damage_percent: None,
        did_kill: None,
    };
    let of_punish = |punish: &Punish| Clip {
        port: Some(punish.opener),
        victim_port: Some(punish.victim),
        moves: u32::try_from(punish.moves.len()).ok(),
        damage_percent: Some(punish.moves.iter().map(|one| one.damage).sum::<f64>() + 0.0),
        did_kill: Some(punish.did_kill),
        ..blank(punish.start_frame, punish.end_frame.unwrap_or(last_frame))
    };
    let is_match = |punish: &&Punish| query.filter.is_match(replay, punish, true);
    let mut clips: Vec<Clip> = match query.preset {
        Preset::Combo => {
            let combos = analyse(replay).combos;
            combos.iter().filter(is_match).map(of_punish).collect()
        }
        Preset::Conversion => {
            let all = analyse(replay).conversions;
            all.iter().filter(is_match).map(of_punish).collect()
        }
        Preset::Kill => {
            let all = analyse(replay).conversions;
            let kills = all.iter().filter(|one| one.did_kill);
            kills
                .map(|one| Clip {
                    port: Some(one.last_hit_by),
                    ..of_punish(one)
                })
                .collect()
        }
        Preset::Edgeguard => {
            let kills = edgeguards(replay).into_iter().filter(|one| one.did_kill);
            kills
                .map(|one| Clip {
                    port: Some(one.port),
                    victim_port: Some(one.victim),
                    moves: Some(one.hits),
                    did_kill: Some(true),
                    ..blank(one.start_frame, one.end_frame)
                })
                .collect()
        }
        Preset::Mark => {
            let marks = buttons::marks(replay, &query.mark);
            let clip = |(port, frame): (u8, i32)| Clip {
                port: Some(port),
                ..blank(frame, frame)
            };
            marks.into_iter().map(clip).collect()
        }
    };
    clips.sort_by_key(|clip| clip.from_frame);
    clips
}
