//! Who has the ball: strict possession of teams, when neither has it, spells of players.

use super::super::feat::Feat;
use super::super::known::Known;
use super::super::touches::Touch;

/// Touches of a team this far apart keep the ball, in seconds (subtr-actor).
const KEPT_S: f64 = 3.0;

/// A spell's touches are at least two and apart by this, in seconds (subtr-actor).
const MIN_TOUCHES: usize = 2;
const APART_S: f64 = 0.12;

/// A player's spell ends when the next touch is later, in seconds (subtr-actor).
const SPELL_S: f64 = 2.5;

/// A deliberate spell lasts this long, in seconds (subtr-actor).
const CONTROLLED_S: f64 = 1.0;

/// Strict possession: two touches of a team in a row make it, the other team's second touch takes it.
pub(in super::super) fn teams(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    for round in &known.rounds {
        let first = touches.partition_point(|touch| touch.time_s < round.go_s);
        let end = touches.partition_point(|touch| touch.time_s <= round.end_s);
        let own: Vec<&Touch> = touches
            .get(first..end.max(first))
            .unwrap_or_default()
            .iter()
            .collect();
        // The holder: team, since which touch, the last touch.
        let mut held: Option<(u8, &Touch, &Touch)> = None;
        let mut pending: Option<&Touch> = None;
        let mut free = round.first;
        let mut close = |held: &mut Option<(u8, &Touch, &Touch)>, feats: &mut Vec<Feat>| {
            if let Some((team, from, to)) = held.take()
                && to.frame > from.frame
            {
                loose(free, from.frame, feats);
                free = to.frame;
                feats.push(Feat::of_team("possession", team, from.frame).until(to.frame));
            }
        };
        for touch in own {
            let Some(team) = touch.team else { continue };
            if let Some((_, _, last)) = held
                && touch.time_s - last.time_s > KEPT_S
            {
                close(&mut held, &mut feats);
                pending = None;
            }
            match &mut held {
                Some((holder, _, last)) if *holder == team => {
                    *last = touch;
                    pending = None;
                }
                _ => match pending {
                    Some(before)
                        if before.team == Some(team) && touch.time_s - before.time_s <= KEPT_S =>
                    {
                        close(&mut held, &mut feats);
                        held = Some((team, before, touch));
                        pending = None;
                    }
                    _ => pending = Some(touch),
                },
            }
        }
        close(&mut held, &mut feats);
        loose(free, round.end.saturating_sub(1), &mut feats);
    }
    feats
}

/// The ball is neither team's from one frame to another.
fn loose(from: usize, to: usize, feats: &mut Vec<Feat>) {
    if to > from {
        let feat = Feat::of_team("loose-ball", 0, from).until(to);
        feats.push(Feat { team: None, ..feat });
    }
}

/// Spells of one player on the ball.
pub(in super::super) fn players(known: &Known<'_>, touches: &[Touch]) -> Vec<Feat> {
    let mut feats = Vec::new();
    let mut index = 0;
    while let Some(first) = touches.get(index) {
        let mut last = index;
        while let (Some(touch), Some(next)) = (touches.get(last), touches.get(last + 1)) {
            if next.person != first.person || next.time_s - touch.time_s > SPELL_S {
                break;
            }
            last += 1;
        }
        if let Some(end) = touches.get(last)
            && last + 1 - index >= MIN_TOUCHES
            && end.time_s - first.time_s >= APART_S
        {
            let is_controlled = end.time_s - first.time_s >= CONTROLLED_S;
            feats.push(
                Feat::new(known, "player-possession", first.person, first.frame)
                    .until(end.frame)
                    .with("touches", (last + 1 - index).to_string())
                    .flag("controlled", is_controlled),
            );
        }
        index = last + 1;
    }
    feats
}
