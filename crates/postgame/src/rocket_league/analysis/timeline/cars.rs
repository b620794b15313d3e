//! What the attributes of cars and their parts say: inputs, boost, jumps, demolitions.

use super::super::demolitions::{Demolition, demolition};
use super::meaning::{Meaning, Part, Role};
use super::state::{BoostWord, Deed, FIRST_MOVES};
use super::walk::{Destroyed, Walk};
use crate::rocket_league::codec::model::kinds::{Attribute, Value};
use crate::rocket_league::codec::model::values::Reference;
use crate::rocket_league::coords::scaled;

/// Items vanish with a goal; what does so this soon after it was not used, in seconds.
const SCORED_S: f64 = 1.0;

impl Walk<'_> {
    pub(super) fn update_car(
        &mut self,
        actor: u32,
        index: Option<usize>,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        let time_s = self.time_s;
        if let (Meaning::CarPlayer, Value::Reference(reference)) = (meaning, value) {
            if let Some(to) = reference.actor() {
                self.relate(actor, meaning, to);
            }
            return;
        }
        let Some(index) = index else { return };
        let Some(car) = self.out.cars.get_mut(index) else {
            return;
        };
        match (meaning, value) {
            (Meaning::Handbrake, Value::Boolean(on)) => {
                let is_first = car.handbrake.last().is_none();
                if car.handbrake.set(time_s, *on) && (*on || !is_first) {
                    self.happen(Deed::Handbrake(index, *on));
                }
            }
            (Meaning::TeamPaint, Value::Attribute(Attribute::TeamPaint(paint))) => {
                car.team = Some(paint.team);
            }
            (Meaning::DodgesRefreshed, Value::Int(count)) => {
                // A new car tells its count at once, which may be that of the player's last car.
                let news = count.saturating_sub(car.refreshes.unwrap_or(*count));
                car.refreshes = Some(*count);
                for _ in 0..news.clamp(0, 16) {
                    self.happen(Deed::Refresh(index));
                }
            }
            (Meaning::Demolish, Value::Attribute(attribute)) => self.demolish(attribute),
            _ => {}
        }
    }

    pub(super) fn demolish(&mut self, attribute: &Attribute) {
        let Some(Demolition {
            attacker_player,
            attacker,
            victim,
            velocities,
        }) = demolition(attribute)
        else {
            return;
        };
        let car = |walk: &Self, reference: Reference| walk.car_of(reference.actor()?);
        let (attacker_car, victim_car) = (car(self, attacker), car(self, victim));
        let player = attacker_player.and_then(|player| self.player_of(player.actor()?));
        // Keyframes and later changes of the same attribute send a demolition again; a car is destroyed once, and one
        // that is gone cannot be destroyed.
        let velocities = velocities.map(|velocity| scaled(velocity, 1.0));
        let noted = Destroyed {
            victim: victim_car,
            player: victim_car.and_then(|car| self.out.cars.get(car)?.player),
            velocities,
        };
        // A new car can begin with its player's last end.
        let is_same = |other: &Destroyed| {
            other.victim == noted.victim
                || (noted.player.is_some()
                    && other.player == noted.player
                    && other.velocities == noted.velocities)
        };
        if victim_car.is_none() || self.destroyed.iter().any(is_same) {
            return;
        }
        self.destroyed.push(noted);
        if let Some(car) = victim_car.and_then(|car| self.out.cars.get_mut(car)) {
            car.to_s = self.time_s;
        }
        let [attacker_uu_s, victim_uu_s] = velocities;
        self.happen(Deed::Demolition {
            attacker: attacker_car,
            victim: victim_car,
            attacker_player: player,
            attacker_uu_s,
            victim_uu_s,
        });
    }

    pub(super) fn update_part(
        &mut self,
        actor: u32,
        part: Part,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        match (meaning, value) {
            (Meaning::Vehicle, Value::Reference(reference)) => {
                if let Some(car) = reference.actor() {
                    self.relate(actor, meaning, car);
                }
            }
            (Meaning::BoostAmount, Value::Byte(amount)) => self.boost(actor, *amount, None),
            (Meaning::Boost, Value::Attribute(Attribute::ReplicatedBoost(boost))) => {
                self.boost(actor, boost.amount, Some(boost.grant_count));
            }
            (Meaning::DodgeTorque, Value::Attribute(Attribute::Vector(torque))) => {
                let car = self.car_of_part(actor);
                if let Some(car) = car.and_then(|car| self.out.cars.get_mut(car)) {
                    let [x, y, _] = scaled(*torque, 1.0);
                    car.torques.push(self.time_s, [x, y]);
                }
            }
            (Meaning::Active, Value::Byte(count)) => self.activate(actor, part, *count),
            _ => {}
        }
    }

    /// A part's counter: odd while it is active.
    pub(super) fn activate(&mut self, actor: u32, part: Part, count: u8) {
        let Some(before) = self.active.get_mut(actor as usize) else {
            return;
        };
        let was = std::mem::replace(before, count);
        if was == count {
            return;
        }
        let is_active = count % 2 == 1;
        let Some(car) = self.car_of_part(actor) else {
            return;
        };
        let jump = match part {
            Part::Jump => Some(0),
            Part::DoubleJump => Some(1),
            Part::Dodge => Some(2),
            _ => None,
        };
        let time_s = self.time_s;
        if let Some(steps) = jump.and_then(|jump| self.out.cars.get_mut(car)?.jumps.get_mut(jump)) {
            steps.set(time_s, is_active);
        }
        match part {
            Part::Boost => {
                if let Some(car) = self.out.cars.get_mut(car) {
                    car.boosting.set(time_s, is_active);
                }
            }
            Part::Jump if is_active => self.happen(Deed::Jump(car)),
            Part::DoubleJump if is_active => self.happen(Deed::DoubleJump(car)),
            Part::Dodge if is_active => self.happen(Deed::Dodge(car)),
            Part::FlipCar if is_active => self.happen(Deed::FlipCar(car)),
            // What is in use when the recording begins was used before.
            Part::Item if is_active && !self.is_first_frame() => {
                let item = self.object_of(actor);
                self.happen(Deed::ItemUsed(car, item));
            }
            _ => {}
        }
    }

    /// An item that vanishes in play while its car goes on was used, though it never said so: such as a freeze of a ball that
    /// another item holds.
    pub(super) fn used_up(&mut self, actor: u32) {
        let is_item = self
            .live(actor)
            .is_some_and(|actor| actor.role == Role::Component(Part::Item));
        if !is_item {
            return;
        }
        let is_played = self.out.state.last().is_some_and(|state| state == "Active");
        // Its counter is even where it was never used, or 0.
        let was_used = self
            .active
            .get(actor as usize)
            .is_some_and(|&count| count > 0);
        let just_scored = self
            .out
            .happenings
            .iter()
            .rev()
            .take_while(|other| self.time_s - other.time_s <= SCORED_S);
        let is_end = just_scored
            .into_iter()
            .any(|other| matches!(other.what, Deed::TeamScore(_) | Deed::Explosion));
        if !is_played || was_used || is_end {
            return;
        }
        let car = self.car_of_part(actor).filter(|&car| {
            self.out
                .cars
                .get(car)
                .is_some_and(|car| car.to_s == f64::INFINITY)
        });
        if let Some(car) = car {
            let item = self.object_of(actor);
            self.happen(Deed::ItemUsed(car, item));
        }
    }

    pub(super) fn boost(&mut self, part: u32, amount: u8, grants: Option<u8>) {
        let time_s = self.time_s;
        match self.car_of_part(part) {
            Some(car) => {
                if let Some(car) = self.out.cars.get_mut(car) {
                    let before = std::mem::replace(&mut car.grants, grants);
                    let is_granted = before.is_some() && before != grants;
                    // As many as there are moves.
                    if car.boost.values.is_empty() {
                        car.boost.reserve(FIRST_MOVES);
                    }
                    car.boost.push(time_s, BoostWord { amount, is_granted });
                }
            }
            None => {
                self.boosts.retain(|boost| boost.0 != part);
                self.boosts.push((part, amount));
            }
        }
    }
}
