//! What the session is, and how far it got.

use std::collections::BTreeMap;

use crate::satisfactory::analysis::classes::object_name;
use crate::satisfactory::codec::model::{Header, Properties, Save, Str, Value};
use crate::satisfactory::codec::summary::{date, mods, short_class, version};

/// Facts about the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// Its name.
    pub name: Option<String>,
    /// What tells it from other sessions of the same name, from Update 7 on.
    pub id: Option<String>,
    /// The map.
    pub map: String,
    /// The game's version.
    pub version: String,
    /// When it was saved, as ISO 8601, UTC.
    pub saved_at: Option<String>,
    /// When it was saved, in seconds since the year 1, UTC.
    pub saved_at_s: Option<f64>,
    /// How long it was played.
    pub play_time_s: f64,
    /// Whether it was made with the advanced settings.
    pub is_creative: Option<bool>,
    /// The mods the header lists, with their versions.
    pub mods: Vec<String>,
    /// Days that have passed in the world.
    pub days: Option<i64>,
    /// The phase of the space elevator that was reached, by its asset's or value's name.
    pub phase: Option<String>,
    /// The phase that is being worked for.
    pub next_phase: Option<String>,
    /// The paths of all schematics that were bought, in the file's order.
    pub schematics: Vec<String>,
    /// The paths of all recipes that can be used, in the file's order.
    pub recipes: Vec<String>,
    /// The path of the milestone that was chosen.
    pub milestone: Option<String>,
    /// What was delivered for milestones that are not bought yet, by the milestone's and the item's class.
    pub paid: BTreeMap<String, BTreeMap<String, i64>>,
    /// What was delivered for the next phase, by the item's class.
    pub phase_paid: BTreeMap<String, i64>,
    /// Points the AWESOME sink gave.
    pub sink_points: Option<i64>,
    /// Coupons that are to be had.
    pub coupons: Option<i64>,
    /// Creatures killed, by the path of their class, as the game counts since 1.0.
    pub creatures_killed: BTreeMap<String, i64>,
    /// How many levels the file has.
    pub levels: usize,
    /// How many objects.
    pub objects: usize,
}

impl Session {
    /// What the header says.
    pub fn new(save: &Save) -> Self {
        const TICKS_PER_S: f64 = 1e7;
        let header = &save.header;
        let words = |text: &Option<Str>| {
            let text = text.as_ref().map(|text| text.to_string());
            text.filter(|text| !text.is_empty())
        };
        Self {
            name: words(&header.session_name),
            id: words(&header.save_identifier),
            map: header.map_name.to_string(),
            version: version(header.save_version, header.build),
            saved_at: header.saved_at_ticks.and_then(date),
            saved_at_s: header
                .saved_at_ticks
                .map(|ticks| ticks as f64 / TICKS_PER_S),
            play_time_s: play_time_s(header),
            is_creative: header.is_creative.map(|creative| creative.is_set()),
            mods: mods(header),
            levels: save.body.as_ref().map_or(0, |body| body.levels.len()),
            ..Self::default()
        }
    }

    /// Whether another save is of the same session: by its id, or before there were ids by its name.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// What saves of one session have in common.
    pub fn key(&self) -> &str {
        self.id
            .as_ref()
            .or(self.name.as_ref())
            .map_or("", String::as_str)
    }

    /// True for the classes that [`Session::add_manager`] has a use for.
    pub(in crate::satisfactory) fn is_manager(class: &str) -> bool {
        matches!(
            class,
            "BP_SchematicManager_C"
                | "BP_GamePhaseManager_C"
                | "FGRecipeManager"
                | "BP_RecipeManager_C"
                | "BP_TimeOfDaySubsystem_C"
                | "FGResourceSinkSubsystem"
                | "BP_ResourceSinkSubsystem_C"
                | "FGStatisticsSubsystem"
        )
    }

    /// What one of the game's managers knows, by the last part of its class.
    pub(in crate::satisfactory) fn add_manager(&mut self, class: &str, properties: &Properties) {
        match class {
            "BP_SchematicManager_C" => self.add_schematics(properties),
            "BP_GamePhaseManager_C" => self.add_phase(properties),
            "FGRecipeManager" | "BP_RecipeManager_C" => self.add_recipes(properties),
            "BP_TimeOfDaySubsystem_C" => self.add_time(properties),
            "FGResourceSinkSubsystem" | "BP_ResourceSinkSubsystem_C" => self.add_sink(properties),
            "FGStatisticsSubsystem" => self.add_statistics(properties),
            _ => {}
        }
    }

    fn add_schematics(&mut self, manager: &Properties) {
        self.schematics
            .extend(paths(manager, "mPurchasedSchematics"));
        let chosen = ["mActiveSchematic", "mLastActiveSchematic"];
        let chosen = chosen.iter().find_map(|name| manager.reference(name));
        self.milestone = chosen.map(|chosen| chosen.path.to_string());
        let partly = manager.list("mPaidOffSchematic").iter();
        for paid in partly.filter_map(Value::properties) {
            let schematic = ["schematic", "Schematic"];
            let schematic = schematic.iter().find_map(|name| paid.reference(name));
            if let Some(schematic) = schematic {
                let class = short_class(&schematic.path.to_str()).to_owned();
                self.paid
                    .entry(class)
                    .or_default()
                    .extend(amounts(paid, "ItemCost"));
            }
        }
    }

    fn add_recipes(&mut self, manager: &Properties) {
        self.recipes.extend(paths(manager, "mAvailableRecipes"));
    }

    fn add_phase(&mut self, manager: &Properties) {
        let asset = |name| Some(object_name(manager.reference(name)?));
        let before_1_0 = || manager.words("mGamePhase").map(|phase| phase.into_owned());
        self.phase = asset("mCurrentGamePhase").or_else(before_1_0);
        self.next_phase = asset("mTargetGamePhase");
        self.phase_paid
            .extend(amounts(manager, "mTargetGamePhasePaidOffCosts"));
    }

    fn add_time(&mut self, clock: &Properties) {
        self.days = clock.int("mNumberOfPassedDays").or(Some(0));
    }

    fn add_sink(&mut self, sink: &Properties) {
        // A list since Update 5: one number for each of two kinds of points.
        let points = sink.list("mTotalPoints").iter().filter_map(Value::int);
        self.sink_points = points
            .reduce(i64::saturating_add)
            .or(sink.int("mTotalPoints"))
            .or(sink.int("mTotalResourceSinkPoints"));
        self.coupons = sink.int("mNumResourceSinkCoupons");
    }

    fn add_statistics(&mut self, statistics: &Properties) {
        if let Some(Value::Map(map)) = statistics.value("mCreaturesKilledCount") {
            for (creature, count) in &map.pairs {
                if let (Some(creature), Some(count)) = (creature.reference(), count.int()) {
                    self.creatures_killed
                        .insert(creature.path.to_string(), count);
                }
            }
        }
    }
}

/// How long a session was played when it was saved.
pub(in crate::satisfactory) fn play_time_s(header: &Header) -> f64 {
    header.play_duration_s.map_or(0.0, f64::from)
}

/// Items with their amounts, by the item's class.
fn amounts(properties: &Properties, name: &str) -> Vec<(String, i64)> {
    let items = properties.list(name).iter().filter_map(Value::properties);
    items
        .filter_map(|item| {
            let class = item.reference("ItemClass")?;
            let amount = item.int("amount").or(item.int("Amount"))?;
            Some((short_class(&class.path.to_str()).to_owned(), amount))
        })
        .collect()
}

fn paths(properties: &Properties, name: &str) -> Vec<String> {
    let references = properties.list(name).iter().filter_map(Value::reference);
    references
        .map(|reference| reference.path.to_string())
        .collect()
}
