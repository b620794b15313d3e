//! Attacks: which moves, which of them hit, what they took, in which combos, with which structures.

use std::collections::{BTreeMap, BTreeSet};

use crate::rumble::analysis::events::hits::{Hit, hits, is_attack};
use crate::rumble::tables;
use crate::stats::Group;
use crate::timeline::{EntityId, Timeline};

/// Hits of one combo are at most this far apart, in seconds. Ours: a structure is summoned and struck within it.
const COMBO_GAP_S: f64 = 2.5;

/// What a combo has at least.
const COMBO_HITS: usize = 2;

/// All attacks of a recording.
pub(super) struct Attacks {
    hits: Vec<Hit>,
    /// The indices of the hits that each player dealt or took, in order of time.
    involving: BTreeMap<EntityId, Vec<usize>>,
    /// How often each player executed each move.
    moves: BTreeMap<EntityId, BTreeMap<&'static str, usize>>,
    /// The names of the moves that hits follow from, by the index of their event.
    names: BTreeMap<usize, &'static str>,
    /// How many attacks there are of all players.
    all_attacks: usize,
    /// The moves that anybody executed, in the order of their numbers.
    seen: Vec<&'static str>,
    /// The players of whom the file says which moves they execute.
    recorded: BTreeSet<EntityId>,
}

impl Attacks {
    /// Collects them.
    pub(super) fn of(timeline: &Timeline) -> Self {
        let mut moves: BTreeMap<EntityId, BTreeMap<&'static str, usize>> = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (index, event) in timeline.events.iter().enumerate() {
            let (Some(who), Some(name)) = (event.who, event.detail("move")) else {
                continue;
            };
            let known = tables::MOVES.iter().find(|known| **known == name);
            if let ("move", Some(&name)) = (&*event.kind, known) {
                *moves.entry(who).or_default().entry(name).or_default() += 1;
                names.insert(index, name);
            }
        }
        let is_seen = |name: &&&'static str| moves.values().any(|of| of.contains_key(**name));
        let seen = tables::MOVES.iter().filter(is_seen).copied().collect();
        let has_moves = |index: &usize| {
            let columns = timeline.entities.get(*index).map(|entity| &entity.tracks);
            let mut columns = columns
                .into_iter()
                .flatten()
                .flat_map(|track| &track.columns);
            columns.any(|column| column.name == "stack")
        };
        let hits = hits(timeline);
        let mut involving: BTreeMap<EntityId, Vec<usize>> = BTreeMap::new();
        for (index, hit) in hits.iter().enumerate() {
            involving.entry(hit.victim).or_default().push(index);
            if let Some(attacker) = hit.attacker {
                involving.entry(attacker).or_default().push(index);
            }
        }
        let counts = moves.values().flatten();
        let attacks = counts.filter(|(name, _)| is_attack(name));
        Self {
            all_attacks: attacks.map(|(_, count)| count).sum(),
            hits,
            involving,
            names,
            seen,
            recorded: (0..timeline.entities.len())
                .filter(has_moves)
                .map(EntityId)
                .collect(),
            moves,
        }
    }

    fn count(&self, player: EntityId, wanted: impl Fn(&str) -> bool) -> usize {
        let moves = self.moves.get(&player).into_iter().flatten();
        moves
            .filter(|(name, _)| wanted(name))
            .map(|(_, count)| count)
            .sum()
    }

    /// The hits that a player dealt or took, in order of time.
    fn hits_of(&self, player: EntityId) -> impl Iterator<Item = &Hit> {
        let indices = self.involving.get(&player).into_iter().flatten();
        indices.filter_map(|index| self.hits.get(*index))
    }

    /// The hits that a player dealt.
    fn hits_by(&self, player: EntityId) -> impl Iterator<Item = &Hit> {
        self.hits_of(player)
            .filter(move |hit| hit.attacker == Some(player))
    }

    /// How many of the attacks that a condition picks had at least one hit.
    fn landed(&self, player: EntityId, wanted: impl Fn(&str) -> bool) -> usize {
        let attacks: BTreeSet<usize> = self
            .hits_by(player)
            .filter_map(|hit| hit.attack)
            .filter(|attack| self.names.get(attack).is_some_and(|name| wanted(name)))
            .collect();
        attacks.len()
    }

    /// Who attacks: how often, how often with success.
    pub(super) fn attack(&self, player: EntityId) -> Group {
        let dealt: f64 = self.hits_by(player).map(|hit| hit.amount).sum();
        let group = Group::new("attack")
            .count("hits_dealt", self.hits_by(player).count())
            .amount("damage_dealt", dealt);
        if !self.recorded.contains(&player) {
            return group;
        }
        let attacks = self.count(player, is_attack);
        let landed = self.landed(player, is_attack);
        group
            .count("attacks", attacks)
            .amount("share_of_all_attacks", ratio(attacks, self.all_attacks))
            .count("attacks_that_hit", landed)
            .amount("share_that_hit", ratio(landed, attacks))
            .amount("damage_per_attack", dealt / attacks as f64)
    }

    /// Each move: how often, how often it hit, what it took.
    pub(super) fn moves(&self, player: EntityId) -> Group {
        let mut group = Group::new("moves");
        if !self.recorded.contains(&player) {
            return group;
        }
        for &name in &self.seen {
            group = group.count(
                format!("{name}_count"),
                self.count(player, |other| other == name),
            );
            if !is_attack(name) {
                continue;
            }
            let from =
                |hit: &&Hit| hit.attack.and_then(|attack| self.names.get(&attack)) == Some(&name);
            let damage: f64 = self
                .hits_by(player)
                .filter(from)
                .map(|hit| hit.amount)
                .sum();
            group = group
                .count(
                    format!("{name}_that_hit"),
                    self.landed(player, |other| other == name),
                )
                .amount(format!("{name}_damage"), damage);
        }
        group
    }

    /// Runs of hits on the same player without being hit in between.
    pub(super) fn combos(&self, player: EntityId) -> Group {
        let mut combos: Vec<(usize, f64)> = Vec::new();
        let mut run: Option<(EntityId, f64, usize, f64)> = None;
        let mut end = |run: &mut Option<(EntityId, f64, usize, f64)>| {
            if let Some((_, _, count, damage)) = run.take()
                && count >= COMBO_HITS
            {
                combos.push((count, damage));
            }
        };
        for hit in self.hits_of(player) {
            if hit.victim == player {
                end(&mut run);
            }
            if hit.attacker != Some(player) {
                continue;
            }
            match &mut run {
                Some((victim, last_s, count, damage))
                    if *victim == hit.victim && hit.time_s - *last_s <= COMBO_GAP_S =>
                {
                    *last_s = hit.time_s;
                    *count += 1;
                    *damage += hit.amount;
                }
                _ => {
                    end(&mut run);
                    run = Some((hit.victim, hit.time_s, 1, hit.amount));
                }
            }
        }
        end(&mut run);
        let longest = combos.iter().map(|combo| combo.0).max();
        let most = combos.iter().map(|combo| combo.1).fold(0.0, f64::max);
        Group::new("combos")
            .count("combos", combos.len())
            .count("longest_hits", longest.unwrap_or(0))
            .amount("most_damage", most)
    }

    /// Hits and damage by the structure that hit, for each player it hit.
    pub(super) fn against(&self, timeline: &Timeline, player: EntityId) -> Group {
        let name = |id: EntityId| timeline.entity(id).map(|entity| entity.name.as_str());
        let mut used: BTreeMap<(&str, &str), (usize, f64)> = BTreeMap::new();
        for hit in self.hits_by(player) {
            let structure = hit.structure.and_then(name);
            let (Some(structure), Some(victim)) = (structure, name(hit.victim)) else {
                continue;
            };
            let kind = structure
                .rsplit_once(' ')
                .map_or(structure, |(kind, _)| kind);
            let entry = used.entry((victim, kind)).or_default();
            entry.0 += 1;
            entry.1 += hit.amount;
        }
        used.into_iter().fold(
            Group::new("structures_against"),
            |group, ((victim, kind), (count, damage))| {
                group
                    .count(format!("{victim}_{kind}_hits"), count)
                    .amount(format!("{victim}_{kind}_damage"), damage)
            },
        )
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
