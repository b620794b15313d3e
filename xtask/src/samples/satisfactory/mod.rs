//! A small factory: rows of machines fed by belts, power, foundations, a player, a tractor; also a blueprint of a part
//! of it with its configuration. All positions and numbers are made up; nothing is taken from a player's save.

mod build;

use postgame::satisfactory::census::curve;
use postgame::satisfactory::chunks::Chunks;
use postgame::satisfactory::model::basic::Reals;
use postgame::satisfactory::model::basic::{Id16, Pairs};
use postgame::satisfactory::model::body::{Body, Grid, LazyGrids};
use postgame::satisfactory::model::header::{Cost, DataHash};
use postgame::satisfactory::model::ids::NetId;
use postgame::satisfactory::model::items::{BeltItem, DynamicStruct, Item};
use postgame::satisfactory::model::level::{Destroyed, Entry, Level};
use postgame::satisfactory::model::tail::{
    BodyState, Chain, Lightweight, LightweightClass, PowerLine, Segment, SplinePoint,
};
use postgame::satisfactory::model::{
    BlueprintConfig, BlueprintHeader, Header, Object, Ref, Save, Tail,
};
use postgame::satisfactory::{self, Blueprint};

use crate::tools::Result;
use build::*;

/// Rows of machines, and machines per row.
const ROWS: usize = 6;
const MACHINES: usize = 12;
/// Number of machines in a row that produce; the others are idle.
const PRODUCING: usize = 8;
/// Distances between them, in centimetres.
const STEP_CM: f32 = 1600.0;
const ROW_CM: f32 = 3200.0;

/// Time played in the session.
const PLAYED_S: i32 = 7265;

/// `samples/factory.sav`.
pub fn save() -> Result<Vec<u8>> {
    let mut body = Body::new(SAVE_VERSION);
    body.grids = Some(LazyGrids::Loaded(Box::new(Pairs(vec![(
        "MainGrid".into(),
        Grid {
            cell_size: 12_800,
            hash: 0x5eed_0001,
            cells: Pairs(vec![("SAMPLE0CELL".into(), 0x5eed_0002)]),
        },
    )]))));
    body.levels.push(Level {
        name: Some("SAMPLE0CELL".into()),
        save_version: Some(SAVE_VERSION),
        destroyed: Some(Destroyed::List(Vec::new())),
        ..Level::default()
    });
    body.persistent = Some(Level {
        objects: objects()
            .into_iter()
            .map(|object| Entry::Loaded(Box::new(object)))
            .collect(),
        destroyed: Some(Destroyed::ByLevel(Pairs::default())),
        destroyed_in_contents: Some(Destroyed::ByLevel(Pairs::default())),
        ..Level::default()
    });
    let save = Save {
        header: Header {
            header_version: 14,
            save_version: SAVE_VERSION,
            build: BUILD,
            save_name: Some("factory".into()),
            map_name: "Persistent_Level".into(),
            map_options: "?startloc=Grass Fields?sessionName=Sample Factory?Visibility=SV_Private"
                .into(),
            session_id: None,
            session_name: Some("Sample Factory".into()),
            play_duration_s: Some(PLAYED_S),
            // 2026-01-01, noon.
            saved_at_ticks: Some(739_616 * 864_000_000_000 + 432_000_000_000),
            visibility: Some(0),
            editor_object_version: Some(40),
            mod_metadata: Some("".into()),
            is_modded: Some(false.into()),
            save_identifier: Some("SampleFactorySampleFac".into()),
            is_partitioned: Some(true.into()),
            data_hash: Some(DataHash {
                is_valid: true.into(),
                md5: Some(Id16::default()),
            }),
            is_creative: Some(false.into()),
        },
        header_rest: Default::default(),
        keeps_hash: false,
        chunks: Chunks::new(true),
        body: Some(body),
    };
    satisfactory::write(&save).map_err(|error| error.to_string())
}

/// The position of a machine, in centimetres.
fn machine_cm(row: usize, column: usize) -> [f32; 3] {
    [column as f32 * STEP_CM, row as f32 * ROW_CM, 100.0]
}

fn objects() -> Vec<Object> {
    let mut objects = subsystems();
    let mut circuit = Vec::new();
    for row in 0..ROWS {
        let (class, recipe) = if row % 2 == 0 {
            ("SmelterMk1", "Smelter/Recipe_IngotIron")
        } else {
            ("ConstructorMk1", "Constructor/Recipe_IronPlate")
        };
        for column in 0..MACHINES {
            let number = row * MACHINES + column;
            let name = format!("Build_{class}_C_{}", 1000 + number);
            let is_producing = column < PRODUCING;
            let recipe = format!("/Game/FactoryGame/Recipes/{recipe}");
            let short = recipe.rsplit('/').next().unwrap_or_default();
            let properties = vec![
                object("mCurrentRecipe", Ref::asset(&format!("{recipe}.{short}_C"))),
                object("mOutputInventory", part(&name, "OutputInventory")),
                float("mCurrentPotential", 1.0),
                flag("mIsProducing", is_producing),
            ];
            let parts = [
                (
                    "InventoryComponent",
                    "OutputInventory",
                    stacks(&[(IRON_PLATE, 10 + number as i32 % 90)]),
                ),
                (
                    "PowerConnectionComponent",
                    "PowerInput",
                    vec![int("mCircuitID", 1)],
                ),
                (
                    "PowerInfoComponent",
                    "powerInfo",
                    // An idle machine takes almost no power.
                    vec![float(
                        "mTargetConsumption",
                        if is_producing { 4.0 } else { 0.1 },
                    )],
                ),
            ];
            objects.extend(actor(
                &factory(class),
                &name,
                machine_cm(row, column),
                0.0,
                &parts,
                properties,
                None,
            ));
            circuit.push(part(&name, "PowerInput"));
        }
        objects.extend(belts(row));
    }
    objects.extend(power(&circuit));
    objects.extend(storage());
    objects.extend(schematics());
    objects
}

/// A belt along a row, in pieces, and the chain with the items on them.
fn belts(row: usize) -> Vec<Object> {
    let mut objects = Vec::new();
    let chain_name = format!("FGConveyorChainActor_{}", 5000 + row);
    let (mut segments, mut names) = (Vec::new(), Vec::new());
    let mut length_cm = 0.0;
    for piece in 0..MACHINES - 1 {
        let name = format!("Build_ConveyorBeltMk1_C_{}", 2000 + row * MACHINES + piece);
        let [x, y, z] = machine_cm(row, piece);
        let length = f64::from(STEP_CM);
        // A slight arc, so that it is a real curve.
        let bend = 200.0 * libm::sin(piece as f64);
        let points = [
            [0.0, 0.0, 0.0],
            [length / 2.0, bend, 0.0],
            [length, 0.0, 0.0],
        ];
        let tangent = [length / 2.0, 0.0, 0.0];
        let properties = vec![
            spline("mSplineData", &points, tangent),
            object("mConveyorChainActor", world(&chain_name)),
        ];
        objects.extend(actor(
            &factory("ConveyorBeltMk1"),
            &name,
            [x, y + 900.0, z],
            0.0,
            &[],
            properties,
            Some(Tail::Belt(Vec::new())),
        ));
        let real = Reals::F64;
        let starts_at_cm = length_cm as f32;
        length_cm += curve::length(&points.map(|point| [point, tangent, tangent]));
        segments.push(Segment {
            chain: world(&chain_name),
            belt: world(&name),
            points: points
                .iter()
                .map(|point| SplinePoint {
                    location_cm: real(*point),
                    arrive_tangent: real(tangent),
                    leave_tangent: real(tangent),
                })
                .collect(),
            offset_at_start_cm: 0.0,
            starts_at_cm,
            ends_at_cm: length_cm as f32,
            first_item: piece as i32 * 4,
            last_item: piece as i32 * 4 + 3,
            index: piece as i32,
        });
        names.push(name);
    }
    let item = Item {
        class: Ref::asset(IRON_INGOT),
        state: Some(DynamicStruct::default()),
        state_actor: None,
    };
    let count = segments.len() as i32 * 4;
    let chain = Chain {
        first: world(names.first().map_or("", String::as_str)),
        last: world(names.last().map_or("", String::as_str)),
        length_cm: length_cm as f32,
        segments,
        item_count: count,
        lead_item: 0,
        tail_item: count - 1,
        items: (0..count)
            .map(|index| BeltItem {
                item: item.clone(),
                offset_cm: index as f32 * 400.0,
            })
            .collect(),
    };
    objects.extend(actor(
        "/Script/FactoryGame.FGConveyorChainActor",
        &chain_name,
        [0.0; 3],
        0.0,
        &[],
        Vec::new(),
        Some(Tail::Chain(Box::new(chain))),
    ));
    objects
}

/// A generator, a pole per two rows, and a line from pole to machine.
fn power(machines: &[Ref]) -> Vec<Object> {
    let mut objects = Vec::new();
    let generator = "Build_GeneratorBiomass_Automated_C_3000";
    let connection = [
        (
            "PowerConnectionComponent",
            "FGPowerConnection",
            vec![int("mCircuitID", 1)],
        ),
        (
            "PowerInfoComponent",
            "powerInfo",
            vec![float("mDynamicProductionCapacity", 30.0)],
        ),
    ];
    let mut members = machines.to_vec();
    members.push(part(generator, "FGPowerConnection"));
    objects.extend(actor(
        &factory("GeneratorBiomass_Automated"),
        generator,
        [-2400.0, 0.0, 100.0],
        90.0,
        &connection,
        Vec::new(),
        None,
    ));
    let mut line = 0;
    let mut connect = |objects: &mut Vec<Object>, first: Ref, second: Ref| {
        let name = format!("Build_PowerLine_C_{}", 4000 + line);
        line += 1;
        let wire = PowerLine {
            first,
            second,
            ends_cm: None,
        };
        objects.extend(actor(
            &factory("PowerLine"),
            &name,
            [0.0; 3],
            0.0,
            &[],
            Vec::new(),
            Some(Tail::Wire(Box::new(wire))),
        ));
    };
    let mut before = part(generator, "FGPowerConnection");
    for (index, group) in machines.chunks(4).enumerate() {
        let pole = format!("Build_PowerPoleMk1_C_{}", 3001 + index);
        let [x, y, z] = machine_cm(index / 3, index % 3 * 4);
        let connection = [(
            "PowerConnectionComponent",
            "PowerConnection",
            vec![int("mCircuitID", 1)],
        )];
        objects.extend(actor(
            &factory("PowerPoleMk1"),
            &pole,
            [x, y - 600.0, z],
            0.0,
            &connection,
            Vec::new(),
            None,
        ));
        let here = part(&pole, "PowerConnection");
        members.push(here.clone());
        connect(&mut objects, before, here.clone());
        for machine in group {
            connect(&mut objects, here.clone(), machine.clone());
        }
        before = here;
    }
    objects.extend(circuits(&members));
    objects
}

/// The only circuit, which lists all of its connections.
fn circuits(members: &[Ref]) -> Vec<Object> {
    let circuits = Tail::Circuits(Pairs(vec![(
        1,
        part("CircuitSubsystem", "FGPowerCircuit_1"),
    )]));
    let circuit = [(
        "PowerCircuit",
        "FGPowerCircuit_1",
        vec![int("mCircuitID", 1), references("mComponents", members)],
    )];
    actor(
        &shared("BP_CircuitSubsystem"),
        "CircuitSubsystem",
        [0.0; 3],
        0.0,
        &circuit,
        Vec::new(),
        Some(circuits),
    )
}

/// The class of one of the game's manager objects.
fn shared(name: &str) -> String {
    format!("/Game/FactoryGame/-Shared/Blueprint/{name}.{name}_C")
}

/// The unlocked schematics and recipes.
fn schematics() -> Vec<Object> {
    let schematic = |folder: &str, name: &str| {
        Ref::asset(&format!(
            "/Game/FactoryGame/Schematics/{folder}/{name}.{name}_C"
        ))
    };
    let bought = [
        schematic("Progression", "Schematic_1-1"),
        schematic("Progression", "Schematic_1-2"),
        schematic("Alternate/Parts", "Schematic_Alternate_Wire2"),
    ];
    let name = "BP_SchematicManager";
    actor(
        &format!("/Game/FactoryGame/Schematics/Progression/{name}.{name}_C"),
        "schematicManager",
        [0.0; 3],
        0.0,
        &[],
        vec![references("mPurchasedSchematics", &bought)],
        None,
    )
}

fn storage() -> Vec<Object> {
    let mut objects = Vec::new();
    for number in 0..ROWS {
        let name = format!("Build_StorageContainerMk1_C_{}", 6000 + number);
        let [_, y, z] = machine_cm(number, 0);
        let contents = [(IRON_PLATE, 100), (IRON_INGOT, 50 * number as i32), ("", 0)];
        let inventory = [("InventoryComponent", "StorageInventory", stacks(&contents))];
        let x = MACHINES as f32 * STEP_CM;
        let properties = vec![object("mStorageInventory", part(&name, "StorageInventory"))];
        objects.extend(actor(
            &factory("StorageContainerMk1"),
            &name,
            [x, y, z],
            90.0,
            &inventory,
            properties,
            None,
        ));
    }
    objects
}

/// Objects that every save has: game state, a player, circuits, foundations; and a tractor.
fn subsystems() -> Vec<Object> {
    let mut objects = Vec::new();
    let (state, player) = ("BP_PlayerState_C_100", "Char_Player_C_101");
    let session = |property: &str| vec![string(property, "Sample Factory")];
    let players = || Some(Tail::Players(vec![world(state)]));
    objects.extend(actor(
        &shared("BP_GameMode"),
        "BP_GameMode_C_1",
        [0.0; 3],
        0.0,
        &[],
        session("mSaveSessionName"),
        players(),
    ));
    objects.extend(actor(
        &shared("BP_GameState"),
        "BP_GameState_C_2",
        [0.0; 3],
        0.0,
        &[],
        [
            session("mReplicatedSessionName"),
            vec![int("mPlayDurationWhenLoaded", PLAYED_S)],
        ]
        .concat(),
        players(),
    ));
    let id = NetId {
        flags: 3,
        service: None,
        service_name: None,
        text: None,
        bytes: None,
    };
    let properties = vec![
        string("mCachedPlayerName", "Ada"),
        object("mOwnedPawn", world(player)),
    ];
    let class = "/Game/FactoryGame/Character/Player/BP_PlayerState.BP_PlayerState_C";
    objects.extend(actor(
        class,
        state,
        [0.0; 3],
        0.0,
        &[],
        properties,
        Some(Tail::PlayerState(Box::new(id))),
    ));
    let inventory = [(
        "InventoryComponent",
        "inventory",
        stacks(&[(IRON_PLATE, 42), ("", 0)]),
    )];
    let class = "/Game/FactoryGame/Character/Player/Char_Player.Char_Player_C";
    objects.extend(actor(
        class,
        player,
        [800.0, -1200.0, 200.0],
        45.0,
        &inventory,
        Vec::new(),
        None,
    ));
    let body = |bone: &str, height: f64| BodyState {
        bone: bone.into(),
        position_cm: Reals::F64([-1600.0, 3200.0, height]),
        rotation: Reals::F64([0.0, 0.0, 0.0, 1.0]),
        angular_velocity: Reals::F64([0.0; 3]),
        velocity_cm_s: Reals::F64([0.0; 3]),
        flags: 2,
    };
    let class = "/Game/FactoryGame/Buildable/Vehicle/Tractor/BP_Tractor.BP_Tractor_C";
    let bodies = Tail::Vehicle(vec![body("chassis", 150.0)]);
    let fuel = [(
        "InventoryComponent",
        "FuelInventory",
        stacks(&[(
            "/Game/FactoryGame/Resource/Parts/GenericBiomass/Desc_GenericBiomass.Desc_GenericBiomass_C",
            77,
        )]),
    )];
    objects.extend(actor(
        class,
        "BP_Tractor_C_200",
        [-1600.0, 3200.0, 150.0],
        30.0,
        &fuel,
        vec![float("mFuelAmount", 12.5)],
        Some(bodies),
    ));
    let class = "/Script/FactoryGame.FGLightweightBuildableSubsystem";
    objects.extend(actor(
        class,
        "LightweightBuildableSubsystem",
        [0.0; 3],
        0.0,
        &[],
        Vec::new(),
        Some(Tail::Lightweight(Box::new(foundations()))),
    ));
    objects
}

/// The floor; one tile was removed again.
fn foundations() -> Lightweight {
    let mut instances = Vec::new();
    for row in 0..ROWS * 4 + 2 {
        for column in 0..MACHINES * 2 + 2 {
            instances.push(foundation([
                column as f64 * 800.0 - 800.0,
                row as f64 * 800.0 - 1600.0,
                0.0,
            ]));
        }
    }
    if let Some(first) = instances.first_mut() {
        (first.swatch, first.recipe) = (Ref::default(), Ref::default());
    }
    Lightweight {
        version: Some(2),
        classes: vec![LightweightClass {
            class: Ref::asset(FOUNDATION),
            instances,
        }],
    }
}

/// `samples/platform.sbp`.
pub fn blueprint() -> Result<Vec<u8>> {
    let mut body = Body::new_blueprint(SAVE_VERSION, None);
    let mut objects = Vec::new();
    for number in 0..4 {
        let name = format!("Build_Foundation_8x1_01_C_{number}");
        let position = [
            number as f32 % 2.0 * 800.0,
            (number / 2) as f32 * 800.0,
            50.0,
        ];
        for mut object in actor(FOUNDATION, &name, position, 0.0, &[], Vec::new(), None) {
            // A blueprint's objects do not have their own versions.
            if let Some(data) = &mut object.data {
                (data.save_version, data.should_migrate) = (None, None);
            }
            objects.push(Entry::Loaded(Box::new(object)));
        }
    }
    body.persistent = Some(Level {
        objects,
        ..Level::default()
    });
    let header = BlueprintHeader {
        header_version: 2,
        save_version: SAVE_VERSION,
        build: BUILD,
        dimensions: [4, 4, 4],
        cost: vec![Cost {
            item: Ref::asset(CONCRETE),
            amount: 20,
        }],
        recipes: vec![Ref::asset(FOUNDATION_RECIPE)],
        versions: None,
    };
    let blueprint = Blueprint {
        header,
        chunks: Chunks::new(true),
        body: Some(body),
    };
    satisfactory::write_blueprint(&blueprint).map_err(|error| error.to_string())
}

/// `samples/platform.sbpcfg`.
pub fn config() -> Result<Vec<u8>> {
    let config = BlueprintConfig {
        version: 3,
        description: "Four foundations".into(),
        icon: 782,
        color: [0.25, 0.5, 0.75, 1.0],
        icon_library: Some([
            "/Game/FactoryGame/-Shared/Blueprint/IconLibrary".into(),
            "IconLibrary".into(),
        ]),
        editors: None,
        last_editor: None,
        rest: Default::default(),
    };
    satisfactory::write_config(&config).map_err(|error| error.to_string())
}
