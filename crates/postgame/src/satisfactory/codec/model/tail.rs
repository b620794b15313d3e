//! The fields that a class stores after its properties.

use serde::{Deserialize, Serialize};

use super::basic::{Bool32, Pairs, Reals, Ref};
use super::ids::{NetId, PlayerInfo};
use super::items::{BeltItem, DynamicStruct};
use super::networks::Panel;
use super::property::Properties;
use super::strings::Str;
use crate::error::{Context as _, Result};
use crate::satisfactory::codec::decode::scope::Scope;
use crate::satisfactory::tables::{self, TailKind};
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::json_by_serde;
use crate::wire::record::{LittleBytes, Wire, record};

/// The fields that a class stores after its properties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tail {
    /// Items on a belt; none from game version 1.0 on, where chains have them.
    Belt(Vec<BeltItem>),
    /// A chain of belts.
    Chain(Box<Chain>),
    /// A power line.
    Wire(Box<PowerLine>),
    /// Electric circuits, by number.
    Circuits(#[serde(with = "crate::wire::json")] Pairs<i32, Ref>),
    /// Lightweight buildings, which have no objects.
    Lightweight(Box<Lightweight>),
    /// Players' states.
    Players(Vec<Ref>),
    /// A player's id.
    PlayerState(Box<NetId>),
    /// A vehicle's bodies.
    Vehicle(Vec<BodyState>),
    /// A vehicle on rails.
    Train(Box<Train>),
    /// A drone.
    Drone(Box<Drone>),
    /// A panel of a mod's network.
    Panel(Box<Panel>),
    /// The end of every component from save version 41 on: a list that is always empty.
    Component(i32),
}

record! {
    /// A chain of belts with all items on it.
    pub struct Chain: LittleBytes(scope: Scope) {
        /// The first belt.
        pub first: Ref,
        /// The last belt.
        pub last: Ref,
        /// The belts in order.
        pub segments: Vec<Segment>,
        /// Length, in centimetres.
        pub length_cm: f32,
        /// Number of items.
        pub item_count: i32,
        /// The ring buffer's first item.
        pub lead_item: i32,
        /// The ring buffer's last item.
        pub tail_item: i32,
        /// The items.
        pub items: Vec<BeltItem>,
    }
}

record! {
    /// A belt of a chain.
    pub struct Segment: LittleBytes(scope: Scope) {
        /// The chain.
        pub chain: Ref,
        /// The belt.
        pub belt: Ref,
        /// Its curve.
        pub points: Vec<SplinePoint>,
        /// The start of the items on it, in centimetres.
        pub offset_at_start_cm: f32,
        /// Its start in the chain, in centimetres.
        pub starts_at_cm: f32,
        /// Its end in the chain, in centimetres.
        pub ends_at_cm: f32,
        /// Its first item.
        pub first_item: i32,
        /// Its last item.
        pub last_item: i32,
        /// Its index in the chain.
        pub index: i32,
    }
}

record! {
    /// A point of a curve, in centimetres.
    pub struct SplinePoint: LittleBytes(scope: Scope) {
        /// Position.
        pub location_cm: Reals<3>,
        /// The tangent before it.
        pub arrive_tangent: Reals<3>,
        /// The tangent after it.
        pub leave_tangent: Reals<3>,
    }
}

record! {
    /// A power line's ends.
    pub struct PowerLine: LittleBytes(scope: Scope) {
        /// One connection.
        pub first: Ref,
        /// The other one.
        pub second: Ref,
        /// Positions of its ends, in centimetres, from save version 33 to 40.
        pub ends_cm: Option<[[f32; 3]; 2]> where (33..41).contains(&scope.versions().save),
    }
}

/// Lightweight buildings, which have no objects, from game version 1.0 on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lightweight {
    /// The list's own version, from save version 48 on; it decides which fields an instance has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    /// The buildings by class.
    pub classes: Vec<LightweightClass>,
}

impl Wire<LittleBytes, Scope> for Lightweight {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let version = if scope.versions().save >= 48 {
            Some(reader.i32().field("version")?)
        } else {
            None
        };
        scope.enter_lightweight(version.unwrap_or(1));
        Ok(Self {
            version,
            classes: Vec::read(reader, scope).field("classes")?,
        })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        if let Some(version) = self.version {
            writer.i32(version);
        }
        self.classes.write(writer, scope).field("classes")
    }
}

impl Lightweight {
    /// The buildings that exist, with their class.
    pub fn instances(&self) -> impl Iterator<Item = (&Ref, &LightweightInstance)> {
        self.classes
            .iter()
            .flat_map(|class| class.there().map(move |instance| (&class.class, instance)))
    }
}

impl LightweightClass {
    /// The buildings that exist.
    pub fn there(&self) -> impl Iterator<Item = &LightweightInstance> {
        let instances = self.instances.iter();
        instances.filter(|instance| !instance.is_tombstone())
    }
}

record! {
    /// All buildings of a class.
    pub struct LightweightClass: LittleBytes(scope: Scope) {
        /// The class.
        pub class: Ref,
        /// The buildings.
        pub instances: Vec<LightweightInstance>,
    }
}

record! {
    /// A lightweight building.
    pub struct LightweightInstance: LittleBytes(scope: Scope) {
        /// Its rotation, a quaternion.
        pub rotation: [f64; 4],
        /// Its position, in centimetres.
        pub position_cm: [f64; 3],
        /// Its scale, as a factor.
        pub scale: [f64; 3],
        /// The chosen swatch.
        pub swatch: Ref,
        /// The chosen material.
        pub material: Ref,
        /// The chosen pattern.
        pub pattern: Ref,
        /// The chosen skin.
        pub skin: Ref,
        /// Primary custom colour.
        pub primary_color: [f32; 4],
        /// Secondary custom colour.
        pub secondary_color: [f32; 4],
        /// The paint finish.
        pub paint_finish: Ref,
        /// Rotation of the pattern.
        pub pattern_rotation: u8,
        /// The recipe it was built with.
        pub recipe: Ref,
        /// The blueprint it was built from.
        pub blueprint: Ref,
        /// Type-specific data, such as a beam's length.
        pub type_data: Option<DynamicStruct> where scope.lightweight() >= 2,
        /// The player who built it.
        pub built_by: Option<PlayerInfo> where scope.lightweight() >= 3,
    }
}

impl LightweightInstance {
    /// True for a removed building, which keeps its slot in the list.
    pub fn is_tombstone(&self) -> bool {
        self.swatch.is_none() && self.recipe.is_none()
    }
}

record! {
    /// The physical state of one body of a vehicle.
    pub struct BodyState: LittleBytes(scope: Scope) {
        /// The name of the body.
        pub bone: Str,
        /// Position, in centimetres.
        pub position_cm: Reals<3>,
        /// Rotation.
        pub rotation: Reals<4>,
        /// Angular velocity.
        pub angular_velocity: Reals<3>,
        /// Velocity, in centimetres per second.
        pub velocity_cm_s: Reals<3>,
        /// Flags.
        pub flags: u8,
    }
}

record! {
    /// A vehicle on rails.
    pub struct Train: LittleBytes(scope: Scope) {
        /// Its bodies.
        pub bodies: Vec<BodyState>,
        /// The vehicle coupled in front.
        pub coupled_front: Ref,
        /// The vehicle coupled behind.
        pub coupled_back: Ref,
    }
}

record! {
    /// A drone.
    pub struct Drone: LittleBytes(scope: Scope) {
        /// Its bodies.
        pub bodies: Vec<BodyState>,
        /// Whether it has a current action, from save version 39 on.
        pub is_active: Option<Bool32> where scope.versions().save >= 39,
        /// The current action.
        pub action: Option<DroneAction> where is_active.is_some_and(Bool32::is_set),
        /// The next actions.
        pub queue: Option<Vec<DroneAction>> where scope.versions().save >= 39,
    }
}

/// An action of a drone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DroneAction {
    /// Its name.
    pub name: Str,
    /// Its properties.
    pub properties: Properties,
}

impl Wire<LittleBytes, Scope> for DroneAction {
    fn read(reader: &mut ByteReader<'_>, scope: &Scope) -> Result<Self> {
        let (name, class) = scope.class(Str::skip(reader).field("name")?);
        let properties = Properties::read(reader, scope, &name, class.first)?;
        Ok(Self { name, properties })
    }

    fn write(&self, writer: &mut ByteWriter, scope: &Scope) -> Result<()> {
        self.name.write(writer, scope)?;
        self.properties.write(writer, scope)
    }
}

json_by_serde!(DroneAction);

impl Tail {
    /// The fields that a class stores after its properties.
    pub(in crate::satisfactory::codec) fn kind_of(class: &Str) -> Option<TailKind> {
        let class = class.ascii()?;
        tables::tail_kind(class, class.rsplit(['.', '/']).next().unwrap_or(class))
    }

    pub(in crate::satisfactory::codec) fn read(
        reader: &mut ByteReader<'_>,
        scope: &Scope,
        kind: TailKind,
    ) -> Result<Self> {
        Ok(match kind {
            TailKind::Belt => Self::Belt(Vec::read(reader, scope)?),
            TailKind::Chain => Self::Chain(Box::new(Chain::read(reader, scope)?)),
            TailKind::Wire => Self::Wire(Box::new(PowerLine::read(reader, scope)?)),
            TailKind::Circuits => Self::Circuits(Pairs::read(reader, scope)?),
            TailKind::Lightweight => Self::Lightweight(Box::new(Lightweight::read(reader, scope)?)),
            TailKind::Players => Self::Players(Vec::read(reader, scope)?),
            TailKind::PlayerState => Self::PlayerState(Box::new(NetId::read(reader, scope)?)),
            TailKind::Vehicle => Self::Vehicle(Vec::read(reader, scope)?),
            TailKind::Train => Self::Train(Box::new(Train::read(reader, scope)?)),
            TailKind::Drone => Self::Drone(Box::new(Drone::read(reader, scope)?)),
            TailKind::Panel => Self::Panel(Box::new(Panel::read(reader, scope)?)),
        })
    }

    pub(in crate::satisfactory::codec) fn write(
        &self,
        writer: &mut ByteWriter,
        scope: &Scope,
    ) -> Result<()> {
        match self {
            Self::Belt(items) => items.write(writer, scope),
            Self::Chain(chain) => chain.write(writer, scope),
            Self::Wire(wire) => wire.write(writer, scope),
            Self::Circuits(circuits) => circuits.write(writer, scope),
            Self::Lightweight(lightweight) => lightweight.write(writer, scope),
            Self::Players(players) => players.write(writer, scope),
            Self::PlayerState(id) => id.write(writer, scope),
            Self::Vehicle(bodies) => bodies.write(writer, scope),
            Self::Train(train) => train.write(writer, scope),
            Self::Drone(drone) => drone.write(writer, scope),
            Self::Panel(panel) => panel.write(writer, scope),
            Self::Component(count) => {
                writer.i32(*count);
                Ok(())
            }
        }
    }
}
