//! Which combos and conversions count, by the rules and defaults of slp-realtime.
//!
//! The filter is applied to the finished game. Its JSON has the keys that Project Clippi uses.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::slippi::Replay;
use crate::slippi::analysis::stats::punish::Punish;
use crate::slippi::codec::model::start::Start;
use crate::slippi::codec::ubjson::Value;

/// Attacks, as the game counts them.
const PUMMEL: u8 = 52;
const UP_THROW: u8 = 55;

/// Ice Climbers on the selection screen.
const ICE_CLIMBERS: u8 = 14;

/// All of it has to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Filter {
    /// Characters whose throws in a row are chain grabs, as the selection screen counts them.
    pub chain_grabbers: Vec<u8>,
    /// Only these characters; all if empty.
    pub character_filter: Vec<u8>,
    /// Only these ports, from 1.
    pub port_filter: Vec<u8>,
    /// Only players with one of these names, codes or tags; all if empty.
    pub name_tags: Vec<String>,
    /// At least so many attacks.
    pub min_combo_length: usize,
    /// More than so many percent.
    pub min_combo_percent: f64,
    /// Only what took a stock.
    pub combo_must_kill: bool,
    /// No games with computers.
    #[serde(rename = "excludeCPUs", alias = "excludeCpus")]
    pub exclude_cpus: bool,
    /// No chain grabs.
    pub exclude_chain_grabs: bool,
    /// No long runs of pummels by Ice Climbers.
    pub exclude_wobbles: bool,
    /// No attack may do this share of the damage.
    pub large_hit_threshold: f64,
    /// The most pummels in a row.
    pub wobble_threshold: usize,
    /// From this share of up throws and pummels on it is a chain grab.
    pub chain_grab_threshold: f64,
    /// The percent of single characters.
    pub per_character_min_combo_percent: BTreeMap<u8, f64>,
    /// Attacks that have to be in it.
    #[serde(alias = "sequence")]
    pub includes_combo_sequence: Sequence,
    /// Names may differ in case, and in underscores for blanks.
    pub fuzzy_name_tag_matching: bool,
}

/// Attacks in a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sequence {
    /// The attacks, as the game counts them; anything passes if empty.
    pub sequence: Vec<u8>,
    /// Where they have to be: `include`, `start`, `end` or `exact`.
    pub mode: Option<String>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            chain_grabbers: vec![9, 12, 13, 22],
            character_filter: Vec::new(),
            port_filter: vec![1, 2, 3, 4],
            name_tags: Vec::new(),
            min_combo_length: 1,
            min_combo_percent: 60.0,
            combo_must_kill: true,
            exclude_cpus: true,
            exclude_chain_grabs: true,
            exclude_wobbles: true,
            large_hit_threshold: 0.8,
            wobble_threshold: 8,
            chain_grab_threshold: 0.8,
            per_character_min_combo_percent: BTreeMap::from([(15, 85.0)]),
            includes_combo_sequence: Sequence::default(),
            fuzzy_name_tag_matching: true,
        }
    }
}

impl Filter {
    /// A filter that anything passes in games of two.
    pub fn all() -> Self {
        Self {
            min_combo_percent: f64::NEG_INFINITY,
            combo_must_kill: false,
            exclude_cpus: false,
            exclude_chain_grabs: false,
            exclude_wobbles: false,
            large_hit_threshold: f64::INFINITY,
            per_character_min_combo_percent: BTreeMap::new(),
            ..Self::default()
        }
    }

    /// Whether a combo or conversion passes. Names are also looked up in the metadata if `with_metadata`.
    pub fn is_match(&self, replay: &Replay, punish: &Punish, with_metadata: bool) -> bool {
        let moves = &punish.moves;
        let mut ports = replay.start.ports();
        let is_duel = replay.start.ports().count() == 2;
        let character = |port: u8| replay.starting_character(port);
        let attacker = moves.iter().map(|one| one.port);
        let attacker = attacker.clone().find(|&port| port != punish.victim);
        let is_of = |characters: &[u8]| {
            let own = attacker.and_then(character);
            own.is_some_and(|own| characters.contains(&own))
        };
        let any_move = |test: &dyn Fn(u8) -> bool| moves.iter().any(|one| test(one.port));
        is_duel
            && (punish.did_kill || !self.combo_must_kill)
            && moves.len() >= self.min_combo_length
            && any_move(&|port| self.port_filter.contains(&(port.saturating_add(1))))
            && (self.character_filter.is_empty()
                || any_move(&|port| {
                    character(port).is_some_and(|one| self.character_filter.contains(&one))
                }))
            && (self.name_tags.is_empty()
                || any_move(&|port| self.is_named(replay, port, with_metadata)))
            && !(self.exclude_chain_grabs
                && is_of(&self.chain_grabbers)
                && self.is_chain_grab(punish))
            && !(self.exclude_wobbles && is_of(&[ICE_CLIMBERS]) && self.is_wobble(punish))
            && self.does_enough(punish, attacker.and_then(character), attacker.is_some())
            && !self.has_large_hit(punish)
            && (!self.exclude_cpus || ports.all(|(_, player)| player.player_type == 0))
            && self.includes_combo_sequence.is_in(punish)
    }

    fn is_named(&self, replay: &Replay, port: u8, with_metadata: bool) -> bool {
        let names = names(replay, port, with_metadata);
        let folded = |name: &str| name.to_lowercase();
        self.name_tags.iter().any(|wanted| {
            names.iter().any(|name| match self.fuzzy_name_tag_matching {
                true => {
                    let (name, wanted) = (folded(name), folded(wanted));
                    name == wanted || name.replace('_', " ") == wanted
                }
                false => name == wanted,
            })
        })
    }

    fn is_chain_grab(&self, punish: &Punish) -> bool {
        let is_part = |attack: u8| attack == UP_THROW || attack == PUMMEL;
        let parts = punish.moves.iter().filter(|one| is_part(one.attack));
        parts.count() as f64 / punish.moves.len() as f64 >= self.chain_grab_threshold
    }

    fn is_wobble(&self, punish: &Punish) -> bool {
        let mut runs = punish
            .moves
            .chunk_by(|one, next| one.attack == PUMMEL && next.attack == PUMMEL);
        runs.any(|run| run.len() > self.wobble_threshold)
    }

    fn does_enough(&self, punish: &Punish, character: Option<u8>, has_attacker: bool) -> bool {
        let limits = &self.per_character_min_combo_percent;
        let own = character.and_then(|character| limits.get(&character));
        let limit = own.copied().unwrap_or(self.min_combo_percent);
        let percent = match punish.end_percent {
            Some(end) => end - punish.start_percent,
            None => punish.start_percent,
        };
        has_attacker && percent > limit
    }

    fn has_large_hit(&self, punish: &Punish) -> bool {
        let sum: f64 = punish.moves.iter().map(|one| one.damage).sum();
        let is_large = |damage: f64| damage / sum >= self.large_hit_threshold;
        punish.moves.iter().any(|one| is_large(one.damage))
    }
}

impl Sequence {
    fn is_in(&self, punish: &Punish) -> bool {
        let wanted = &self.sequence;
        if wanted.is_empty() {
            return true;
        }
        let moves: Vec<u8> = punish.moves.iter().map(|one| one.attack).collect();
        if moves.len() < wanted.len() {
            return false;
        }
        match self.mode.as_deref().unwrap_or("include") {
            "include" => moves.windows(wanted.len()).any(|window| window == wanted),
            "start" => moves.starts_with(wanted),
            "end" => moves.ends_with(wanted),
            "exact" => moves == *wanted,
            _ => true,
        }
    }
}

/// What a port is called: display name, connect code and name tag.
fn names(replay: &Replay, port: u8, with_metadata: bool) -> Vec<String> {
    let start = &replay.start;
    let metadata = |key: &str| -> Option<String> {
        let players = replay
            .metadata()
            .filter(|_| with_metadata)?
            .get("players")?;
        let names = players.get(&port.to_string())?.get("names")?;
        names
            .get(key)
            .and_then(Value::as_text)
            .map(|text| text.to_string())
    };
    let or = |name: String, key: &str| match name.is_empty() {
        true => metadata(key).unwrap_or_default(),
        false => name,
    };
    let names = [
        or(Start::name_in(&start.display_names, port), "netplay"),
        or(Start::name_in(&start.connect_codes, port), "code"),
        Start::name_in(&start.nametags, port),
    ];
    names.into_iter().filter(|name| !name.is_empty()).collect()
}
