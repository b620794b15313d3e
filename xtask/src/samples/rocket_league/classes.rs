//! The sample's tables of names and attributes: only what it needs, numbered as in the game.

use postgame::rocket_league::model::text::Text;
use postgame::rocket_league::model::{Body, ClassIndex, NetCache, NetProperty};

/// Classes with their parents and their own attributes. A parent precedes the classes derived from it.
const CLASSES: &[(&str, &str, &[&str])] = &[
    ("Engine.Actor", "", &["bHidden", "DrawScale"]),
    ("Engine.Info", "Engine.Actor", &[]),
    ("Engine.ReplicationInfo", "Engine.Info", &[]),
    (
        "Engine.GameReplicationInfo",
        "Engine.ReplicationInfo",
        &["GameClass", "ServerName"],
    ),
    (
        "Engine.PlayerReplicationInfo",
        "Engine.ReplicationInfo",
        &["PlayerName", "Team", "UniqueId", "Ping"],
    ),
    ("Engine.TeamInfo", "Engine.Info", &["Score"]),
    ("Engine.Pawn", "Engine.Actor", &["PlayerReplicationInfo"]),
    (
        "ProjectX.GRI_X",
        "Engine.GameReplicationInfo",
        &["bGameStarted", "ReplicatedGamePlaylist"],
    ),
    ("ProjectX.PRI_X", "Engine.PlayerReplicationInfo", &[]),
    ("ProjectX.Pawn_X", "Engine.Pawn", &[]),
    ("TAGame.GRI_TA", "ProjectX.GRI_X", &[]),
    (
        "TAGame.RBActor_TA",
        "ProjectX.Pawn_X",
        &["ReplicatedRBState"],
    ),
    (
        "TAGame.Ball_TA",
        "TAGame.RBActor_TA",
        &["GameEvent", "HitTeamNum", "ReplicatedExplosionDataExtended"],
    ),
    (
        "TAGame.Vehicle_TA",
        "TAGame.RBActor_TA",
        &["ReplicatedThrottle", "ReplicatedSteer", "bDriving"],
    ),
    (
        "TAGame.Car_TA",
        "TAGame.Vehicle_TA",
        &["TeamPaint", "ReplicatedDemolishExtended"],
    ),
    (
        "TAGame.CarComponent_TA",
        "Engine.ReplicationInfo",
        &["Vehicle", "ReplicatedActive"],
    ),
    (
        "TAGame.CarComponent_AirActivate_TA",
        "TAGame.CarComponent_TA",
        &["AirActivateCount"],
    ),
    (
        "TAGame.CarComponent_Boost_TA",
        "TAGame.CarComponent_AirActivate_TA",
        &["ReplicatedBoost"],
    ),
    (
        "TAGame.PRI_TA",
        "ProjectX.PRI_X",
        &["MatchScore", "MatchGoals", "MatchShots"],
    ),
    ("TAGame.Team_TA", "Engine.TeamInfo", &["GameEvent"]),
    ("TAGame.Team_Soccar_TA", "TAGame.Team_TA", &["GameScore"]),
    (
        "TAGame.GameEvent_TA",
        "Engine.ReplicationInfo",
        &["ReplicatedStateName"],
    ),
    (
        "TAGame.GameEvent_Team_TA",
        "TAGame.GameEvent_TA",
        &["MaxTeamSize"],
    ),
    (
        "TAGame.GameEvent_Soccar_TA",
        "TAGame.GameEvent_Team_TA",
        &["SecondsRemaining"],
    ),
    (
        "TAGame.VehiclePickup_TA",
        "Engine.ReplicationInfo",
        &["NewReplicatedPickupData"],
    ),
    (
        "TAGame.VehiclePickup_Boost_TA",
        "TAGame.VehiclePickup_TA",
        &[],
    ),
];

/// The archetypes of actors, and other objects that are referred to.
const OTHERS: &[&str] = &[
    "GameInfo_Soccar.GameInfo.GameInfo_Soccar:GameReplicationInfoArchetype",
    "Archetypes.GameEvent.GameEvent_Soccar",
    "Archetypes.Teams.Team0",
    "Archetypes.Teams.Team1",
    "TAGame.Default__PRI_TA",
    "Archetypes.Ball.Ball_Default",
    "Archetypes.Car.Car_Default",
    "Archetypes.CarComponents.CarComponent_Boost",
    "TAGame.GameInfo_Soccar_TA",
    "Stadium_P.TheWorld:PersistentLevel.GoalVolume_TA_1.Goal_TA_0",
];

/// The tables.
pub struct Tables {
    objects: Vec<String>,
    caches: Vec<NetCache>,
}

impl Tables {
    /// All of them, and an object for each boost pad.
    pub fn new(pads: impl Iterator<Item = u32>) -> Self {
        let mut objects: Vec<String> = OTHERS.iter().map(|&name| name.to_owned()).collect();
        objects.extend(pads.map(Self::pad));
        let mut caches: Vec<NetCache> = Vec::new();
        for (class, parent, attributes) in CLASSES {
            let parent = CLASSES.iter().position(|(name, ..)| name == parent);
            let first_id = parent.map_or(0, |parent| caches[parent].end_id);
            let mut properties = Vec::new();
            for (index, attribute) in attributes.iter().enumerate() {
                properties.push(NetProperty {
                    object: objects.len() as u32,
                    stream_id: first_id + index as u32,
                });
                objects.push(format!("{class}:{attribute}"));
            }
            caches.push(NetCache {
                object: objects.len() as u32,
                first_id,
                end_id: first_id + attributes.len() as u32,
                properties,
            });
            objects.push((*class).to_owned());
        }
        Self { objects, caches }
    }

    /// The archetype of a boost pad.
    pub fn pad(number: u32) -> String {
        format!("Stadium_P.TheWorld:PersistentLevel.VehiclePickup_Boost_TA_{number}")
    }

    /// The index of an object.
    pub fn object(&self, name: &str) -> i32 {
        let index = self.objects.iter().position(|object| object == name);
        index.map_or(-1, |index| index as i32)
    }

    /// The number of an attribute, by class and name.
    pub fn id(&self, name: &str) -> u16 {
        let object = self.object(name) as u32;
        let mut properties = self.caches.iter().flat_map(|cache| &cache.properties);
        let found = properties.find(|property| property.object == object);
        found.map_or(u16::MAX, |property| property.stream_id as u16)
    }

    /// Writes the tables into a file.
    pub fn fill(&self, body: &mut Body) {
        body.objects = self
            .objects
            .iter()
            .map(|name| Text::from(name.as_str()))
            .collect();
        body.classes = self
            .caches
            .iter()
            .map(|cache| ClassIndex {
                name: Text::from(self.objects[cache.object as usize].as_str()),
                index: cache.object,
            })
            .collect();
        body.net_caches.clone_from(&self.caches);
    }
}
