//! Which actor belongs to which: cars to players, parts to cars, cameras to players, players to teams. A relation can
//! come before the actor it points to.

use super::meaning::{Meaning, Part, Role};
use super::motion::Mark;
use super::state::{CarLife, Deed};
use super::walk::{Actor, Walk};

impl Walk<'_> {
    /// A relation to another actor, which may not be there yet.
    pub(super) fn relate(&mut self, actor: u32, meaning: Meaning, to: u32) {
        let Some(&Actor { role, index, .. }) = self.live(actor) else {
            return;
        };
        let known = match (role, meaning) {
            (Role::Car, Meaning::CarPlayer) => match (index, self.player_of(to)) {
                (Some(car), Some(player)) => {
                    self.link_car(actor, car, player);
                    true
                }
                _ => false,
            },
            (Role::Component(_), Meaning::Vehicle) => match self.car_of(to) {
                Some(_) => {
                    self.link_part(actor, to);
                    true
                }
                None => false,
            },
            (Role::Camera, Meaning::CameraPlayer) => match self.player_of(to) {
                Some(_) => {
                    if let Some(camera) = self.actors.get_mut(actor as usize) {
                        camera.index = Some(to as usize);
                    }
                    true
                }
                None => false,
            },
            (Role::Player, Meaning::PlayerTeam) => {
                match (index, self.live(to).map(|team| team.role)) {
                    (Some(player), Some(Role::Team(team))) => {
                        let time_s = self.time_s;
                        if let Some(player) = self.out.players.get_mut(player) {
                            player.team.set(time_s, team);
                        }
                        true
                    }
                    _ => false,
                }
            }
            _ => true,
        };
        // One that never comes would wait for good: a file has some hundred at most.
        if !known && self.waiting.len() < 4096 {
            self.waiting
                .retain(|waiting| waiting.0 != actor || waiting.1 != meaning);
            self.waiting.push((actor, meaning, to));
        }
    }

    pub(super) fn link_car(&mut self, actor: u32, car: usize, player: usize) {
        let Some(life) = self.out.cars.get_mut(car) else {
            return;
        };
        match life.player {
            None => life.player = Some(player),
            Some(before) if before == player => {}
            Some(_) => {
                // Another player's car from now on.
                life.to_s = self.time_s;
                let next = CarLife {
                    from_s: self.time_s,
                    to_s: f64::INFINITY,
                    player: Some(player),
                    refreshes: life.refreshes,
                    ..CarLife::default()
                };
                self.out.cars.push(next);
                let index = self.out.cars.len() - 1;
                if let Some(actor) = self.actors.get_mut(actor as usize) {
                    actor.index = Some(index);
                    actor.mark = Mark::car(index);
                }
            }
        }
    }

    pub(super) fn link_part(&mut self, part: u32, car: u32) {
        let Some(actor) = self.actors.get_mut(part as usize) else {
            return;
        };
        let is_new = actor.index.replace(car as usize).is_none();
        let is_item = actor.role == Role::Component(Part::Item);
        // What a car holds when the recording begins was taken before.
        if let (true, true, false, Some(life)) =
            (is_new, is_item, self.is_first_frame(), self.car_of(car))
        {
            let item = self.object_of(part);
            self.happen(Deed::ItemTaken(life, item));
        }
        if let Some(index) = self.boosts.iter().position(|boost| boost.0 == part) {
            let (_, amount) = self.boosts.swap_remove(index);
            self.boost(part, amount, None);
        }
    }

    /// The life of the car a part belongs to.
    pub(super) fn car_of_part(&self, part: u32) -> Option<usize> {
        let car = self.live(part)?.index?;
        self.car_of(u32::try_from(car).ok()?)
    }
}
