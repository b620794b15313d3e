//! What the attributes of the game, the teams, the ball and the pads say.

use super::meaning::{Meaning, Role};
use super::players::counted;
use super::state::{Deed, Pad, PadUse};
use super::walk::Walk;
use crate::rocket_league::codec::model::attributes::ServerId;
use crate::rocket_league::codec::model::kinds::{Attribute, Value};
use crate::rocket_league::coords::scaled;

impl Walk<'_> {
    pub(super) fn update_game(&mut self, meaning: Meaning, value: &Value<&Attribute>) {
        let time_s = self.time_s;
        match (meaning, value) {
            (Meaning::SecondsLeft, Value::Int(seconds)) => {
                self.out.seconds_left.set(time_s, *seconds);
            }
            (Meaning::StateName, Value::NameIndex(name)) => {
                let name = usize::try_from(*name)
                    .ok()
                    .and_then(|index| self.body.names.get(index));
                if let Some(name) = name {
                    self.out.state.set(time_s, name.as_str().to_owned());
                }
            }
            (Meaning::Overtime, Value::Boolean(on)) => {
                let has_changed = self.out.overtime.set(time_s, *on);
                if has_changed && *on {
                    self.happen(Deed::Overtime);
                }
            }
            (Meaning::Forfeit, Value::Boolean(true)) => {
                let is_known = self
                    .out
                    .happenings
                    .iter()
                    .any(|other| other.what == Deed::Forfeit);
                self.out.about.is_forfeit = true;
                if !is_known {
                    self.happen(Deed::Forfeit);
                }
            }
            (Meaning::Forfeit, Value::Boolean(false)) => self.out.about.is_forfeit = false,
            (Meaning::NoContest, Value::Boolean(is_it)) => self.out.about.is_no_contest = *is_it,
            (Meaning::MatchType, Value::Reference(reference)) => {
                let object = reference.object();
                let class = object.and_then(|object| self.body.objects.get(object));
                self.out.about.type_class = class.map(|class| class.as_str().to_owned());
            }
            (Meaning::StartEpoch, Value::Int64(epoch_s)) => {
                self.out.about.start_epoch_s = Some(*epoch_s).filter(|epoch_s| *epoch_s > 0);
            }
            (Meaning::Winner, Value::Reference(reference)) => {
                let team = reference.actor().and_then(|actor| self.live(actor));
                if let Some(Role::Team(team)) = team.map(|team| team.role) {
                    self.out.about.winner = Some(team);
                }
            }
            (Meaning::BallHit, Value::Boolean(is_hit)) => {
                self.out.ball_hit.set(time_s, *is_hit);
            }
            _ => {}
        }
    }

    /// What is said of the match as a whole.
    pub(super) fn update_about(&mut self, meaning: Meaning, value: &Value<&Attribute>) {
        let about = &mut self.out.about;
        match (meaning, value) {
            (Meaning::Playlist, Value::Int(playlist)) => about.playlist = Some(*playlist),
            (Meaning::MatchGuid, Value::Attribute(Attribute::String(text))) => {
                about.guid = stated(text.as_str());
            }
            (Meaning::LanMatchGuid, Value::Attribute(Attribute::String(text))) => {
                about.lan_guid = stated(text.as_str());
            }
            (Meaning::ServerName, Value::Attribute(Attribute::String(text))) => {
                about.server_name = stated(text.as_str());
            }
            (Meaning::Region, Value::Attribute(Attribute::String(text))) => {
                about.region = stated(text.as_str());
            }
            (Meaning::ServerId, Value::Attribute(Attribute::GameServerId(id))) => {
                about.server_id = match id {
                    ServerId::Number(number) => Some(*number)
                        .filter(|number| *number > 0)
                        .map(|number| number.to_string()),
                    ServerId::Text(text) => stated(text.as_str()),
                };
            }
            _ => {}
        }
    }

    /// The pad of an object; a pad that comes back is the same one.
    pub(super) fn pad(&mut self, object: i32) -> usize {
        let name = usize::try_from(object)
            .ok()
            .and_then(|index| self.body.objects.get(index));
        let name = name.map_or("", |name| name.as_str());
        let name = name.rsplit('.').next().unwrap_or(name);
        if let Some(index) = self.out.pads.iter().position(|pad| pad.name == name) {
            return index;
        }
        self.out.pads.push(Pad {
            name: name.to_owned(),
            count: 0,
            uses: Vec::new(),
        });
        self.out.pads.len() - 1
    }

    pub(super) fn update_team(&mut self, team: u8, meaning: Meaning, value: &Value<&Attribute>) {
        let (Meaning::TeamScore, Value::Int(score)) = (meaning, value) else {
            return;
        };
        let time_s = self.time_s;
        let scores = self.out.scores.get_mut(usize::from(team));
        let has_grown = scores.is_some_and(|scores| counted(scores, time_s, *score));
        if has_grown && !self.is_first {
            self.happen(Deed::TeamScore(team));
        }
    }

    pub(super) fn update_ball(&mut self, meaning: Meaning, value: &Value<&Attribute>) {
        match (meaning, value) {
            (Meaning::HitTeam, Value::Byte(team)) => {
                self.out.hit_teams.push(self.time_s, *team);
                self.happen(Deed::HitTeam(*team));
            }
            (Meaning::DamageIndex, Value::Int(phase)) => {
                self.out.phases.set(self.time_s, *phase);
            }
            (Meaning::Explosion, Value::Attribute(_)) => self.happen(Deed::Explosion),
            _ => {}
        }
    }

    pub(super) fn update_pad(&mut self, index: Option<usize>, value: &Value<&Attribute>) {
        let (count, instigator) = match value {
            Value::Attribute(Attribute::Pickup(pickup)) => {
                (pickup.is_taken.into(), pickup.instigator)
            }
            Value::Attribute(Attribute::PickupNew(pickup)) => (pickup.count, pickup.instigator),
            _ => return,
        };
        let is_taken = count % 2 == 1;
        let car = instigator
            .actor()
            .and_then(|actor| self.car_of(actor))
            .filter(|_| is_taken);
        let (time_s, frame) = (self.time_s, self.frame);
        let Some(pad) = index.and_then(|index| self.out.pads.get_mut(index)) else {
            return;
        };
        // Keyframes send the state again; before the first use a pad is there.
        let before = std::mem::replace(&mut pad.count, count);
        if before != count && (is_taken || before % 2 == 1) {
            pad.uses.push(PadUse {
                time_s,
                frame,
                car,
                is_taken,
            });
        }
    }
    /// A tile of the floor: what it is told first, and again on keyframes, is no news; nor is that it is whole again.
    pub(super) fn update_tile(&mut self, actor: u32, value: &Value<&Attribute>) {
        let (Value::Attribute(Attribute::DamageState(damage)), Some(before)) =
            (value, self.active.get_mut(actor as usize))
        else {
            return;
        };
        let was = std::mem::replace(before, damage.state);
        if self.is_first || was == damage.state || damage.state == 0 {
            return;
        }
        let player = damage.causer.actor().and_then(|id| self.player_of(id));
        self.happen(Deed::Tile {
            tile: self.object_of(actor),
            player,
            is_open: damage.state > 1,
            position_uu: scaled(damage.position, 1.0),
        });
    }
}

/// A text that is not empty.
fn stated(text: &str) -> Option<String> {
    Some(text)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}
