//! Satisfactory: the chunks after a correct header, the body in a correct chunk, and the data of an object in a correct
//! body.

use std::sync::LazyLock;

use postgame::satisfactory::Blueprint;
use postgame::satisfactory::model::level::Entry;
use postgame::satisfactory::model::object::Contents;
use postgame::satisfactory::model::{ObjectData, Str};
use postgame::{Depth, Recording};

use crate::files::{self, options};
use crate::layers::{Layer, chunk};
use crate::seeds;

/// Save versions with different layouts; the first byte of an input selects one.
const SAVE_VERSIONS: [i32; 8] = [25, 29, 36, 41, 46, 51, 52, 60];

/// Classes with their own fields after the properties, and one without.
const CLASSES: [&str; 8] = [
    "/Game/FactoryGame/Buildable/Factory/SmelterMk1/Build_SmelterMk1.Build_SmelterMk1_C",
    "/Game/FactoryGame/Buildable/Factory/ConveyorBeltMk1/Build_ConveyorBeltMk1.Build_ConveyorBeltMk1_C",
    "/Game/FactoryGame/Buildable/Factory/PowerLine/Build_PowerLine.Build_PowerLine_C",
    "/Game/FactoryGame/-Shared/Blueprint/BP_CircuitSubsystem.BP_CircuitSubsystem_C",
    "/Script/FactoryGame.FGLightweightBuildableSubsystem",
    "/Script/FactoryGame.FGConveyorChainActor",
    "/Game/FactoryGame/Buildable/Vehicle/Tractor/BP_Tractor.BP_Tractor_C",
    "/Game/FactoryGame/Character/Player/BP_PlayerState.BP_PlayerState_C",
];

/// The bytes before the chunks of the small save, with the save version at [`VERSION_AT`].
static HEADER: LazyLock<Vec<u8>> = LazyLock::new(|| match Layer::open(&seeds::factory_save(), 0) {
    Some((Layer::Chunks(header, _), _)) => header,
    _ => unreachable!("the seed has chunks"),
});

/// The offset of the save version in a header.
const VERSION_AT: usize = 4;

/// The bytes are the chunks.
pub fn chunks(stream: &[u8]) {
    files::file(&[&HEADER[..], stream].concat());
}

/// The chunks of the small save.
pub fn chunks_seeds() -> Vec<Vec<u8>> {
    vec![seeds::factory_save()[HEADER.len()..].to_vec()]
}

/// The bytes are the inflated body, after a byte that selects the save version. All of it is decoded, too.
pub fn body(input: &[u8]) {
    let Some((&choice, body)) = input.split_first() else {
        return;
    };
    let version = SAVE_VERSIONS[usize::from(choice) % SAVE_VERSIONS.len()];
    let mut file = HEADER.clone();
    file[VERSION_AT..VERSION_AT + 4].copy_from_slice(&version.to_le_bytes());
    file.extend(chunk(body, true));
    files::file(&file);
    decoded(&file);
}

/// The body of the small save.
pub fn body_seeds() -> Vec<Vec<u8>> {
    let Some((_, body)) = Layer::open(&seeds::factory_save(), 0) else {
        return Vec::new();
    };
    let current = SAVE_VERSIONS.iter().position(|version| *version == 52);
    vec![[vec![current.unwrap_or(0) as u8], body].concat()]
}

/// The bytes are the data of a blueprint's object, after a byte that selects its class and one that selects its save
/// version.
pub fn properties(input: &[u8]) {
    let [class, version, data @ ..] = input else {
        return;
    };
    let mut blueprint = BLUEPRINT.clone();
    let version = SAVE_VERSIONS[usize::from(*version) % SAVE_VERSIONS.len()];
    blueprint.header.save_version = version.min(52);
    let objects = blueprint
        .body
        .as_mut()
        .and_then(|body| body.persistent.as_mut());
    let Some(Entry::Loaded(object)) = objects.and_then(|level| level.objects.first_mut()) else {
        return;
    };
    object.header.class = Str::from(CLASSES[usize::from(*class) % CLASSES.len()]);
    object.data = Some(ObjectData {
        contents: Contents::Raw(data.into()),
        ..object
            .data
            .clone()
            .unwrap_or_else(|| unreachable!("the sample has data"))
    });
    if let Ok(file) = Recording::SatisfactoryBlueprint(Box::new(blueprint)).write() {
        files::file(&file);
        decoded(&file);
    }
}

/// The data of the first objects of the sample.
pub fn properties_seeds() -> Vec<Vec<u8>> {
    seeds::satisfactory_objects()
        .into_iter()
        .map(|data| [vec![0, 6], data].concat())
        .collect()
}

/// The blueprint of the samples, with a single object.
static BLUEPRINT: LazyLock<Blueprint> = LazyLock::new(|| {
    let sample = include_bytes!("../../../samples/platform.sbp");
    let Ok((Recording::SatisfactoryBlueprint(mut blueprint), _)) =
        postgame::read(sample, &options(Depth::Full))
    else {
        unreachable!("the sample is a blueprint");
    };
    if let Some(body) = &mut blueprint.body {
        body.decode_all().expect("the sample is whole");
        if let Some(level) = &mut body.persistent {
            level.objects.truncate(1);
        }
    }
    *blueprint
});

/// A file whose objects were all decoded is written back unchanged.
fn decoded(file: &[u8]) {
    let Ok((mut recording, _)) = postgame::read(file, &options(Depth::Full)) else {
        return;
    };
    let body = match &mut recording {
        Recording::Satisfactory(save) => save.body.as_mut(),
        Recording::SatisfactoryBlueprint(blueprint) => blueprint.body.as_mut(),
        _ => None,
    };
    if body.is_some_and(|body| body.decode_all().is_ok()) {
        let written = recording.write().expect("what was read can be written");
        assert!(written == file, "another file after decoding");
    }
}
