//! The figures of a save that are worth following over a session: rates, power, progress, finds.

use std::collections::BTreeMap;

use serde::Serialize;

use super::census::{Census, Session, census};
use super::classes::full_name;
use super::production::{Factory, ItemBalance, balance, factory};
use super::progress::progress_of;
use crate::satisfactory::codec::model::Save;

/// A save, in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// When it was saved, as ISO 8601, UTC.
    pub saved_at: Option<String>,
    /// How long the session was played.
    pub play_time_s: f64,
    /// The game's version.
    pub version: String,
}

/// The figures of a save. Names are for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The session's name.
    pub session: Option<String>,
    /// When it was saved, how long was played, the version.
    #[serde(flatten)]
    pub moment: Moment,
    /// The phase of the space elevator that was reached.
    pub phase: Option<String>,
    /// How many buildings there are.
    pub buildings: usize,
    /// What machines do, by state.
    pub machine_states: BTreeMap<String, usize>,
    /// Power, in megawatts: as recorded and by rating.
    pub power_mw: BTreeMap<String, f64>,
    /// What machines that run make a minute: pieces or cubic metres.
    pub made_per_min: BTreeMap<String, f64>,
    /// What machines that run use a minute: pieces or cubic metres.
    pub used_per_min: BTreeMap<String, f64>,
    /// Points a minute if all that is left over went into the sink.
    pub sink_points_per_min: f64,
    /// Unlocks by kind, usable recipes, and alternate recipes among them.
    pub progress: BTreeMap<String, usize>,
    /// What was found, by kind.
    pub collectibles_found: BTreeMap<String, usize>,
}

/// The figures of a save.
pub fn figures(save: &Save) -> Figures {
    figures_of(&census(save), &factory(save))
}

/// The same from what was counted already.
pub(super) fn figures_of(census: &Census, factory: &Factory) -> Figures {
    let session = &census.session;
    let all = balance(&factory.machines, factory);
    let rates = |of: fn(&ItemBalance) -> f64| {
        let mut rates: BTreeMap<String, f64> = BTreeMap::new();
        for (class, item) in &all.items {
            *rates.entry(full_name(class)).or_default() += of(item);
        }
        rates
    };
    let circuits = &census.circuits;
    let production = circuits.iter().map(|circuit| circuit.production_mw).sum();
    let consumption = circuits.iter().map(|circuit| circuit.consumption_mw).sum();
    let power_mw = [
        ("production", production),
        ("consumption", consumption),
        ("consumption by rating", all.power.rated_mw),
        ("generation by rating", all.power.generated_mw),
    ];
    let progress = progress_of(census, &factory.settings);
    let unlocks = progress.unlocks.iter();
    let unlocks = unlocks.map(|(kind, share)| ((*kind).to_owned(), share.done));
    let recipes = [
        ("recipes of machines".to_owned(), progress.recipes.done),
        ("alternate recipes".to_owned(), progress.alternates.done),
    ];
    let states = census.machines.all.states.iter();
    let finds = census.collectibles.iter();
    Figures {
        session: session.name.clone(),
        moment: moment(session),
        phase: progress.phase,
        buildings: census.buildings.total,
        machine_states: states
            .map(|(state, count)| (state.name().to_owned(), *count))
            .collect(),
        power_mw: power_mw
            .map(|(name, power_mw)| (name.to_owned(), power_mw))
            .into(),
        made_per_min: rates(|item| item.made_per_min),
        used_per_min: rates(|item| item.used_per_min),
        sink_points_per_min: all.sink_points_per_min(),
        progress: unlocks.chain(recipes).collect(),
        collectibles_found: finds
            .map(|kind| (kind.name.to_owned(), kind.found))
            .collect(),
    }
}

fn moment(session: &Session) -> Moment {
    Moment {
        saved_at: session.saved_at.clone(),
        play_time_s: session.play_time_s,
        version: session.version.clone(),
    }
}
