//! What actors are and what their attributes mean, as far as the timeline is concerned.
//!
//! Names are looked up once per file; the pass over the frames sees numbers only.

use crate::rocket_league::codec::model::Body;
use crate::rocket_league::codec::schema::Schema;

/// What an actor is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing that matters here.
    #[default]
    Other,
    Ball,
    Car,
    /// A player: what the game replicates about one.
    Player,
    Team(u8),
    Game,
    /// What the game replicates about the match as a whole.
    About,
    Camera,
    Component(Part),
    Pad,
    /// A tile of the floor in Dropshot.
    Tile,
}

/// A part of a car that can be active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Boost,
    Jump,
    DoubleJump,
    Dodge,
    FlipCar,
    /// What a car holds and uses in Rumble.
    Item,
    Other,
}

/// What an attribute means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Meaning {
    #[default]
    Nothing,
    Body,
    // Cars.
    CarPlayer,
    Throttle,
    Steer,
    Handbrake,
    Demolish,
    DodgesRefreshed,
    TeamPaint,
    // Parts of cars.
    Vehicle,
    Active,
    DodgeTorque,
    BoostAmount,
    Boost,
    // Players.
    PlayerName,
    PlayerId,
    PlayerTeam,
    Bot,
    Spectator,
    PartyLeader,
    Title,
    PrimaryTitle,
    SkillTier,
    Club,
    Goals,
    Assists,
    Saves,
    Shots,
    Score,
    Mvp,
    Loadout,
    Steering,
    // Cameras.
    CameraPlayer,
    CameraSettings,
    BallCamera,
    RearCamera,
    CameraPitch,
    CameraYaw,
    // The game.
    SecondsLeft,
    StateName,
    Overtime,
    Forfeit,
    BallHit,
    ScoredOn,
    CountDown,
    MatchType,
    StartEpoch,
    Winner,
    NoContest,
    // The match.
    Playlist,
    MatchGuid,
    LanMatchGuid,
    ServerName,
    ServerId,
    Region,
    // Teams.
    TeamScore,
    // The ball.
    HitTeam,
    Explosion,
    DamageIndex,
    // Pads.
    Pickup,
    // Tiles.
    TileDamage,
}

fn meaning(name: &str) -> Meaning {
    use Meaning::*;
    match name {
        "TAGame.RBActor_TA:ReplicatedRBState" => Body,
        "Engine.Pawn:PlayerReplicationInfo" => CarPlayer,
        "TAGame.Vehicle_TA:ReplicatedThrottle" => Throttle,
        "TAGame.Vehicle_TA:ReplicatedSteer" => Steer,
        "TAGame.Vehicle_TA:bReplicatedHandbrake" => Handbrake,
        "TAGame.Car_TA:ReplicatedDemolish"
        | "TAGame.Car_TA:ReplicatedDemolish_CustomFX"
        | "TAGame.Car_TA:ReplicatedDemolishGoalExplosion"
        | "TAGame.Car_TA:ReplicatedDemolishExtended" => Demolish,
        "TAGame.Car_TA:DodgesRefreshedCounter" => DodgesRefreshed,
        "TAGame.Car_TA:TeamPaint" => TeamPaint,
        "TAGame.CarComponent_TA:Vehicle" => Vehicle,
        "TAGame.CarComponent_TA:ReplicatedActive" => Active,
        "TAGame.CarComponent_Dodge_TA:DodgeTorque" => DodgeTorque,
        "TAGame.CarComponent_Boost_TA:ReplicatedBoostAmount" => BoostAmount,
        "TAGame.CarComponent_Boost_TA:ReplicatedBoost" => Boost,
        "Engine.PlayerReplicationInfo:PlayerName" => PlayerName,
        "Engine.PlayerReplicationInfo:UniqueId" => PlayerId,
        "Engine.PlayerReplicationInfo:Team" => PlayerTeam,
        "Engine.PlayerReplicationInfo:bBot" => Bot,
        "Engine.PlayerReplicationInfo:bIsSpectator" => Spectator,
        "TAGame.PRI_TA:PartyLeader" => PartyLeader,
        "TAGame.PRI_TA:Title" => Title,
        "TAGame.PRI_TA:PrimaryTitle" => PrimaryTitle,
        "TAGame.PRI_TA:SkillTier" => SkillTier,
        "TAGame.PRI_TA:ClubID" => Club,
        "TAGame.PRI_TA:MatchGoals" => Goals,
        "TAGame.PRI_TA:MatchAssists" => Assists,
        "TAGame.PRI_TA:MatchSaves" => Saves,
        "TAGame.PRI_TA:MatchShots" => Shots,
        "TAGame.PRI_TA:MatchScore" => Score,
        "TAGame.PRI_TA:bMatchMVP" => Mvp,
        "TAGame.PRI_TA:ClientLoadout" | "TAGame.PRI_TA:ClientLoadouts" => Loadout,
        "TAGame.PRI_TA:SteeringSensitivity" => Steering,
        "TAGame.CameraSettingsActor_TA:PRI" => CameraPlayer,
        "TAGame.CameraSettingsActor_TA:ProfileSettings" | "TAGame.PRI_TA:CameraSettings" => {
            CameraSettings
        }
        "TAGame.CameraSettingsActor_TA:bUsingSecondaryCamera"
        | "TAGame.PRI_TA:bUsingSecondaryCamera" => BallCamera,
        "TAGame.CameraSettingsActor_TA:bUsingBehindView" | "TAGame.PRI_TA:bUsingBehindView" => {
            RearCamera
        }
        "TAGame.CameraSettingsActor_TA:CameraPitch" | "TAGame.PRI_TA:CameraPitch" => CameraPitch,
        "TAGame.CameraSettingsActor_TA:CameraYaw" | "TAGame.PRI_TA:CameraYaw" => CameraYaw,
        "TAGame.GameEvent_Soccar_TA:SecondsRemaining" => SecondsLeft,
        "TAGame.GameEvent_TA:ReplicatedStateName" => StateName,
        "TAGame.GameEvent_Soccar_TA:bOverTime" => Overtime,
        "TAGame.GameEvent_Team_TA:bForfeit" => Forfeit,
        "TAGame.GameEvent_Soccar_TA:bBallHasBeenHit" => BallHit,
        "TAGame.GameEvent_Soccar_TA:ReplicatedScoredOnTeam" => ScoredOn,
        "TAGame.GameEvent_TA:ReplicatedRoundCountDownNumber"
        | "TAGame.GameEvent_TA:ReplicatedGameStateTimeRemaining" => CountDown,
        "TAGame.GameEvent_TA:MatchTypeClass" => MatchType,
        "TAGame.GameEvent_TA:MatchStartEpoch" => StartEpoch,
        "TAGame.GameEvent_Soccar_TA:MatchWinner" => Winner,
        "TAGame.GameEvent_Soccar_TA:bNoContest" => NoContest,
        "ProjectX.GRI_X:ReplicatedGamePlaylist" => Playlist,
        "ProjectX.GRI_X:MatchGUID" | "ProjectX.GRI_X:MatchGuid" => MatchGuid,
        "TAGame.GRI_TA:LanMatchGUID" => LanMatchGuid,
        "Engine.GameReplicationInfo:ServerName" => ServerName,
        "ProjectX.GRI_X:GameServerID" => ServerId,
        "ProjectX.GRI_X:ReplicatedServerRegion" => Region,
        "Engine.TeamInfo:Score" => TeamScore,
        "TAGame.Ball_TA:HitTeamNum" => HitTeam,
        "TAGame.Ball_Breakout_TA:DamageIndex" => DamageIndex,
        "TAGame.Ball_TA:ReplicatedExplosionData"
        | "TAGame.Ball_TA:ReplicatedExplosionDataExtended" => Explosion,
        "TAGame.VehiclePickup_TA:ReplicatedPickupData"
        | "TAGame.VehiclePickup_TA:NewReplicatedPickupData" => Pickup,
        "TAGame.BreakOutActor_Platform_TA:DamageState" => TileDamage,
        _ => Nothing,
    }
}

/// The classes that say what an actor is; those derived from them are the same.
const ROLES: &[(&str, Role)] = &[
    ("TAGame.Ball_TA", Role::Ball),
    ("TAGame.Car_TA", Role::Car),
    ("Engine.PlayerReplicationInfo", Role::Player),
    ("TAGame.GameEvent_TA", Role::Game),
    ("Engine.GameReplicationInfo", Role::About),
    ("TAGame.CameraSettingsActor_TA", Role::Camera),
    ("TAGame.CarComponent_TA", Role::Component(Part::Other)),
    ("TAGame.VehiclePickup_TA", Role::Pad),
    ("TAGame.BreakOutActor_Platform_TA", Role::Tile),
];

/// Parts of cars by the name they are made from: some of their classes have no attributes and are in no file.
const PARTS: &[(&str, Part)] = &[
    ("CarComponent_Boost", Part::Boost),
    ("CarComponent_DoubleJump", Part::DoubleJump),
    ("CarComponent_Jump", Part::Jump),
    ("CarComponent_Dodge", Part::Dodge),
    ("CarComponent_FlipCar", Part::FlipCar),
    ("SpecialPickup_", Part::Item),
];

/// The meanings of all numbers of a file.
pub(super) struct Meanings {
    /// By object: the role of an actor made from it, and its class.
    pub of_object: Vec<(Role, u16)>,
    /// By class, then by the number of the attribute.
    of_class: Vec<Vec<Meaning>>,
}

impl Meanings {
    /// The meanings of the attributes of a class, by their numbers.
    pub fn of(&self, class: u16) -> &[Meaning] {
        self.of_class
            .get(usize::from(class))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    pub fn new(schema: &Schema, body: &Body) -> Self {
        // Attributes only: most objects are none.
        let mut by_object = vec![Meaning::Nothing; body.objects.len()];
        for property in body.net_caches.iter().flat_map(|cache| &cache.properties) {
            let object = property.object as usize;
            if let (Some(known), Some(name)) = (by_object.get_mut(object), body.objects.get(object))
            {
                *known = meaning(name.as_str());
            }
        }
        let of_class = schema
            .classes
            .iter()
            .map(|class| {
                let meaning = |object: &u32| by_object.get(*object as usize).copied();
                class
                    .objects
                    .iter()
                    .map(|object| meaning(object).unwrap_or_default())
                    .collect()
            })
            .collect();
        let roles: Vec<Role> = (0..schema.classes.len())
            .map(|class| role(schema, class))
            .collect();
        let of_object = body.objects.iter().enumerate().map(|(index, name)| {
            let class = i32::try_from(index)
                .ok()
                .and_then(|index| schema.of_object(index));
            let Some((class, _)) = class else {
                return (Role::Other, u16::MAX);
            };
            let role = roles.get(usize::from(class)).copied().unwrap_or_default();
            (refined(role, name.as_str(), schema, class), class)
        });
        Self {
            of_object: of_object.collect(),
            of_class,
        }
    }
}

fn role(schema: &Schema, class: usize) -> Role {
    let parent = |&index: &usize| schema.classes.get(index)?.parent;
    std::iter::successors(Some(class), parent)
        .take(schema.classes.len())
        .filter_map(|index| schema.classes.get(index))
        .find_map(|class| {
            let name = class.name.as_str();
            ROLES.iter().find(|role| role.0 == name).map(|role| role.1)
        })
        .unwrap_or_default()
}

/// The role of an actor by the object it is made from, given that of its class.
fn refined(role: Role, object: &str, schema: &Schema, class: u16) -> Role {
    let class = schema
        .classes
        .get(usize::from(class))
        .map_or("", |class| class.name.as_str());
    match role {
        Role::Component(_) => {
            let part = |text: &str| {
                let found = PARTS.iter().find(|part| text.contains(part.0));
                found.map(|part| part.1)
            };
            // An item that only its class tells of has no name: what is dispensed in some limited-time modes.
            let by_class = || part(class).filter(|part| *part != Part::Item);
            Role::Component(part(object).or_else(by_class).unwrap_or(Part::Other))
        }
        // `Archetypes.Teams.Team0`, `TeamWhite1`: the number is the team's.
        Role::Other if object.contains("Team") && !class.contains("GameEvent") => {
            match object.as_bytes().last() {
                Some(digit @ b'0'..=b'1') => Role::Team(digit - b'0'),
                _ => Role::Other,
            }
        }
        role => role,
    }
}
