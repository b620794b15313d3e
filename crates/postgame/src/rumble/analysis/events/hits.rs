//! Who caused a loss of health, with which move and which structure. No file says so; this is inferred.
//!
//! The structure is the one that the recorder's own event at that moment names, else the nearest one that broke then or
//! flies within reach. The attacker is the other player who executed the latest attack shortly before, else the one
//! nearest to whom the structure appeared. Where neither is found, nobody is named.

use std::collections::BTreeMap;

use super::distance;
use crate::rumble::tables;
use crate::timeline::{EntityId, Timeline};

/// A structure arrives at most this long after the move that sent it, in seconds. Ours: twelve metres at 4 m/s.
pub(in crate::rumble) const MOVE_WINDOW_S: f64 = 3.0;

/// The recorder's event and the break of a structure are at most this far from the loss of health, in seconds. Ours: a
/// few frames of a slow recording.
pub(in crate::rumble) const SAME_MOMENT_S: f64 = 0.15;

/// A structure that hits is at most this far from the head, in metres. Ours: a body's height and half a structure.
pub(in crate::rumble) const REACH_M: f32 = 2.2;

/// A structure belongs to the player nearest to it when it appears, if that is within this distance, in metres. Ours:
/// structures rise an arm's length or two ahead.
pub(in crate::rumble) const OWNER_M: f32 = 4.0;

/// Losses of health times structures and players that are searched at most: real recordings have some hundreds of each.
const MAX_SEARCHES: usize = 2_000_000;

/// A loss of health with its causes, as far as they can be inferred.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rumble) struct Hit {
    /// The index of its event.
    pub event: usize,
    /// When, in seconds.
    pub time_s: f64,
    /// Who lost health.
    pub victim: EntityId,
    /// Hit points lost.
    pub amount: f64,
    /// Who caused it.
    pub attacker: Option<EntityId>,
    /// The index of the event of the move.
    pub attack: Option<usize>,
    /// The structure that hit.
    pub structure: Option<EntityId>,
}

/// Names attacker, move and structure in the events of losses of health.
pub(super) fn attribute(timeline: &mut Timeline) {
    for hit in hits(timeline) {
        let attack = hit.attack.and_then(|attack| timeline.events.get(attack));
        let attack = attack.and_then(|attack| attack.detail("move").map(str::to_owned));
        let structure = hit.structure.and_then(|id| timeline.entity(id));
        let structure = structure.map(|structure| structure.name.clone());
        let Some(event) = timeline.events.get_mut(hit.event) else {
            continue;
        };
        event.who = hit.attacker;
        let details = event.details.to_mut();
        details.extend(attack.map(|attack| ("move", attack.into())));
        details.extend(structure.map(|structure| ("structure", structure.into())));
    }
}

/// Every loss of health, in order of time.
pub(in crate::rumble) fn hits(timeline: &Timeline) -> Vec<Hit> {
    let of_kind = |kind: &'static str| {
        timeline
            .entities
            .iter()
            .enumerate()
            .filter(move |(_, entity)| entity.kind == kind)
            .map(|(index, _)| EntityId(index))
    };
    let structures: Vec<EntityId> = of_kind("structure").collect();
    let heads: BTreeMap<EntityId, EntityId> = of_kind("head")
        .filter_map(|head| Some((timeline.entity(head)?.parent?, head)))
        .collect();
    let mut search = Search {
        timeline,
        structures,
        heads,
        searches_left: MAX_SEARCHES,
        attacks: BTreeMap::new(),
        owners: BTreeMap::new(),
    };
    let mut hits = Vec::new();
    for (index, event) in timeline.events.iter().enumerate() {
        match &*event.kind {
            "move" => search.note_attack(index),
            "structure-appears" => search.note_owner(index),
            "damage" => hits.extend(search.hit(index)),
            _ => {}
        }
    }
    hits
}

struct Search<'a> {
    timeline: &'a Timeline,
    structures: Vec<EntityId>,
    /// The head of each player.
    heads: BTreeMap<EntityId, EntityId>,
    searches_left: usize,
    /// The event of each player's latest attack.
    attacks: BTreeMap<EntityId, usize>,
    /// The player nearest to each structure when it appeared.
    owners: BTreeMap<EntityId, EntityId>,
}

impl Search<'_> {
    fn head_at(&self, player: EntityId, time_s: f64) -> Option<[f32; 3]> {
        let head = self.heads.get(&player)?;
        self.timeline.entity(*head)?.position(time_s)
    }

    fn note_attack(&mut self, index: usize) {
        let event = self.timeline.events.get(index);
        let Some((event, who)) = event.and_then(|event| Some((event, event.who?))) else {
            return;
        };
        if event.detail("move").is_some_and(is_attack) {
            self.attacks.insert(who, index);
        }
    }

    fn note_owner(&mut self, index: usize) {
        let Some(event) = self.timeline.events.get(index) else {
            return;
        };
        let (Some(structure), Some(at)) = (event.whom, event.position) else {
            return;
        };
        if !self.take(self.heads.len()) {
            return;
        }
        let players = self.heads.keys();
        let nearest = players
            .filter_map(|&player| {
                let head = self.head_at(player, event.time_s)?;
                Some((distance(head, at), player))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match nearest.filter(|nearest| nearest.0 <= OWNER_M) {
            Some((_, player)) => self.owners.insert(structure, player),
            None => self.owners.remove(&structure),
        };
    }

    /// Takes so many searches from those that are left.
    fn take(&mut self, count: usize) -> bool {
        let left = self.searches_left.checked_sub(count);
        self.searches_left = left.unwrap_or(0);
        left.is_some()
    }

    fn hit(&mut self, index: usize) -> Option<Hit> {
        let event = self.timeline.events.get(index)?;
        let (victim, time_s) = (event.whom?, event.time_s);
        let is_affordable = self.take(self.structures.len() + self.attacks.len());
        let nearest = || is_affordable.then(|| self.nearest_structure(victim, time_s));
        let structure = self.named_structure(index).or_else(|| nearest().flatten());
        let recent = self.attacks.iter().filter(|(who, attack)| {
            let attack = self.timeline.events.get(**attack);
            **who != victim && attack.is_some_and(|attack| time_s - attack.time_s <= MOVE_WINDOW_S)
        });
        let latest = recent
            .max_by_key(|(_, attack)| **attack)
            .filter(|_| is_affordable);
        let owner = structure.and_then(|structure| self.owners.get(&structure).copied());
        let owner = owner.filter(|owner| *owner != victim);
        Some(Hit {
            event: index,
            time_s,
            victim,
            amount: event.detail("amount")?.parse().ok()?,
            attacker: latest.map(|(who, _)| *who).or(owner),
            attack: latest.map(|(_, attack)| *attack),
            structure,
        })
    }

    /// The structure that an event of the recorder with a damage names, at the same moment.
    fn named_structure(&self, index: usize) -> Option<EntityId> {
        let events = &self.timeline.events;
        let time_s = events.get(index)?.time_s;
        let before = events.get(..index)?.iter().rev();
        let after = events.get(index + 1..)?.iter();
        /// As many events as are looked at on either side.
        const MAX_NEIGHBOURS: usize = 64;
        let near = |event: &&crate::timeline::Event| (event.time_s - time_s).abs() <= SAME_MOMENT_S;
        let mut neighbours = before
            .take(MAX_NEIGHBOURS)
            .take_while(near)
            .chain(after.take(MAX_NEIGHBOURS).take_while(near));
        neighbours.find_map(|event| {
            let structure = event.whom.filter(|_| event.detail("damage").is_some())?;
            let is_structure = self.timeline.entity(structure)?.kind == "structure";
            is_structure.then_some(structure)
        })
    }

    /// The nearest structure within reach that flies, or that breaks at this moment.
    fn nearest_structure(&self, victim: EntityId, time_s: f64) -> Option<EntityId> {
        let head = self.head_at(victim, time_s)?;
        let near = self.structures.iter().filter_map(|&id| {
            let structure = self.timeline.entity(id)?;
            let before_s = time_s - SAME_MOMENT_S;
            let was_there = structure.flag("active", before_s) == Some(true);
            let is_grounded = structure.flag("grounded", before_s) == Some(true);
            if !was_there || is_grounded {
                return None;
            }
            Some((distance(structure.position(time_s)?, head), id))
        });
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest
            .filter(|nearest| nearest.0 <= REACH_M)
            .map(|(_, id)| id)
    }
}

/// True for a move that counts as an attack.
pub(in crate::rumble) fn is_attack(name: &str) -> bool {
    tables::ATTACKS.contains(&name)
}
