//! What the attributes of players and cameras say: who, which team, counts, where they look.

use super::meaning::Meaning;
use super::state::{Deed, Steps};
use super::walk::Walk;
use crate::rocket_league::codec::model::ids::UniqueId;
use crate::rocket_league::codec::model::kinds::{Attribute, Value};

impl Walk<'_> {
    pub(super) fn update_player(
        &mut self,
        actor: u32,
        index: Option<usize>,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        let time_s = self.time_s;
        let Some(index) = index else { return };
        if matches!(
            meaning,
            Meaning::BallCamera
                | Meaning::RearCamera
                | Meaning::CameraPitch
                | Meaning::CameraYaw
                | Meaning::CameraSettings
        ) {
            self.camera(index, meaning, value);
            return;
        }
        let Some(player) = self.out.players.get_mut(index) else {
            return;
        };
        let deed = match (meaning, value) {
            (Meaning::PlayerTeam, Value::Reference(reference)) => {
                if let Some(team) = reference.actor() {
                    self.relate(actor, meaning, team);
                }
                return;
            }
            (Meaning::PlayerName, Value::Attribute(Attribute::String(name))) => {
                // Every keyframe says it again.
                if player.name.as_deref() != Some(name.as_str()) {
                    player.name = Some(name.as_str().to_owned());
                }
                return;
            }
            (Meaning::PlayerId, Value::Attribute(Attribute::UniqueId(id))) => {
                if player.id.as_ref() != Some(&**id) {
                    player.id = Some((**id).clone());
                }
                return;
            }
            (Meaning::Bot, Value::Boolean(is_bot)) => {
                player.is_bot = *is_bot;
                return;
            }
            (Meaning::Mvp, Value::Boolean(is_mvp)) => {
                player.is_mvp = *is_mvp;
                return;
            }
            (Meaning::Score, Value::Int(score)) => {
                player.score.set(time_s, *score);
                return;
            }
            (Meaning::Steering, Value::Float(steering)) => {
                player.steering = Some(*steering);
                return;
            }
            (Meaning::Loadout, Value::Attribute(Attribute::Loadout(loadout))) => {
                player.body_ids = Some([loadout.body; 2]);
                return;
            }
            (Meaning::Loadout, Value::Attribute(Attribute::TeamLoadout(loadouts))) => {
                player.body_ids = Some([loadouts.blue.body, loadouts.orange.body]);
                return;
            }
            (Meaning::Spectator, Value::Boolean(is_spectator)) => {
                player.is_spectator = *is_spectator;
                return;
            }
            (Meaning::PartyLeader, Value::Attribute(Attribute::UniqueId(id))) => {
                player.party_leader = Some((**id).clone()).filter(|id| *id != UniqueId::None {});
                return;
            }
            (Meaning::Title, Value::NameIndex(name)) => {
                let name = usize::try_from(*name).ok();
                let name = name.and_then(|index| self.body.names.get(index));
                player.title = name.map(|name| name.as_str().to_owned());
                return;
            }
            (Meaning::PrimaryTitle, Value::Attribute(Attribute::TitleStat(title))) => {
                let object = title.title.object();
                let name = object.and_then(|object| self.body.objects.get(object));
                player.title = name.map(|name| name.as_str().to_owned());
                return;
            }
            (Meaning::SkillTier, Value::Attribute(Attribute::SkillTier(tier))) => {
                player.skill_tier = Some(tier.tier);
                return;
            }
            (Meaning::Club, Value::Int64(id)) => {
                player.club_id = Some(*id).filter(|id| *id > 0);
                return;
            }
            (Meaning::Goals, Value::Int(count)) => {
                counted(&mut player.goals, time_s, *count).then_some(Deed::Goal(index))
            }
            (Meaning::Assists, Value::Int(count)) => {
                counted(&mut player.assists, time_s, *count).then_some(Deed::Assist(index))
            }
            (Meaning::Saves, Value::Int(count)) => {
                counted(&mut player.saves, time_s, *count).then_some(Deed::Save(index))
            }
            (Meaning::Shots, Value::Int(count)) => {
                counted(&mut player.shots, time_s, *count).then_some(Deed::Shot(index))
            }
            _ => None,
        };
        if let Some(deed) = deed.filter(|_| !self.is_first) {
            self.happen(deed);
        }
    }

    pub(super) fn update_camera(
        &mut self,
        actor: u32,
        owner: Option<usize>,
        meaning: Meaning,
        value: &Value<&Attribute>,
    ) {
        if let (Meaning::CameraPlayer, Value::Reference(reference)) = (meaning, value) {
            if let Some(to) = reference.actor() {
                self.relate(actor, meaning, to);
            }
            return;
        }
        let owner = owner.and_then(|owner| u32::try_from(owner).ok());
        if let Some(player) = owner.and_then(|owner| self.player_of(owner)) {
            self.camera(player, meaning, value);
        }
    }

    pub(super) fn camera(&mut self, index: usize, meaning: Meaning, value: &Value<&Attribute>) {
        let time_s = self.time_s;
        let Some(player) = self.out.players.get_mut(index) else {
            return;
        };
        let camera = &mut player.camera;
        // The first value is where the player starts, not a change.
        let deed = match (meaning, value) {
            (Meaning::BallCamera, Value::Boolean(on)) => {
                let is_first = camera.ball.last().is_none();
                (camera.ball.set(time_s, *on) && !is_first).then_some(Deed::BallCamera(index, *on))
            }
            (Meaning::RearCamera, Value::Boolean(on)) => {
                let is_first = camera.rear.last().is_none();
                (camera.rear.set(time_s, *on) && (*on || !is_first))
                    .then_some(Deed::RearCamera(index, *on))
            }
            (Meaning::CameraPitch, Value::Byte(byte)) => {
                camera.pitch.set(time_s, degrees(*byte));
                None
            }
            (Meaning::CameraYaw, Value::Byte(byte)) => {
                camera.yaw.set(time_s, degrees(*byte));
                None
            }
            (Meaning::CameraSettings, Value::Attribute(Attribute::CameraSettings(settings))) => {
                camera.settings = Some([
                    settings.fov,
                    settings.height,
                    settings.pitch,
                    settings.distance,
                    settings.stiffness,
                    settings.swivel,
                    settings.transition.unwrap_or(f32::NAN),
                ]);
                None
            }
            _ => None,
        };
        if let Some(deed) = deed {
            self.happen(deed);
        }
    }
}

/// A count that grew: the first value counts from 0.
pub(super) fn counted(steps: &mut Steps<i32>, time_s: f64, count: i32) -> bool {
    let before = steps.last().copied().unwrap_or(0);
    steps.set(time_s, count) && count > before
}

/// An angle in a byte, as degrees from −180 to 180.
fn degrees(byte: u8) -> f32 {
    f32::from(byte.cast_signed()) * (360.0 / 256.0)
}
