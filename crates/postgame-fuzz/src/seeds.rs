//! Small seed files, made by our own writers from the samples, which they also made.

use postgame::rocket_league::frame_positions;
use postgame::rocket_league::model::attributes::ReplicatedBoost;
use postgame::rocket_league::model::kinds::{Attribute, Value};
use postgame::rocket_league::model::network::{Block, Network, Spawn};
use postgame::rocket_league::model::values::{
    BodyRotation, Reference, RigidBody, Rotation, Vector,
};
use postgame::rocket_league::model::{Body, ClassIndex, KeyFrame, NetCache, NetProperty, Replay};
use postgame::rumble::Replay as RumbleReplay;
use postgame::rumble::model::first::Changes;
use postgame::satisfactory;
use postgame::satisfactory::chunks::Chunks;
use postgame::satisfactory::model::object::Contents;
use postgame::satisfactory::model::{Entry, Level, Object, Save};
use postgame::{Depth, Recording};

use crate::MAX_SEED_BYTES;
use crate::files::options;

/// Number of frames in a seed.
const FRAMES: usize = 3;

/// One small file of every format.
pub fn files() -> Vec<Vec<u8>> {
    let blueprint = include_bytes!("../../../samples/platform.sbp");
    let config = include_bytes!("../../../samples/platform.sbpcfg");
    vec![
        rocket_league(),
        rumble_first(),
        rumble_second(),
        factory_save(),
        blueprint.to_vec(),
        config.to_vec(),
        slippi_parts(2).file(),
    ]
}

/// The JSON of small files, if it is small too, and of a blueprint with a single object.
pub fn json() -> Vec<Vec<u8>> {
    let mut recordings: Vec<Recording> = files().iter().map(|file| read(file).0).collect();
    for recording in &mut recordings {
        if let Recording::SatisfactoryBlueprint(blueprint) = recording
            && let Some(body) = &mut blueprint.body
        {
            blueprint.chunks = Chunks::new(true);
            body.decode_all().expect("the sample is whole");
            if let Some(level) = &mut body.persistent {
                level.objects.truncate(1);
            }
        }
    }
    let json = recordings.iter().map(|recording| {
        let mut json = Vec::new();
        let written = recording.write_json(&mut json, false);
        written.expect("memory takes everything");
        json
    });
    json.filter(|json| json.len() <= MAX_SEED_BYTES).collect()
}

fn read(file: &[u8]) -> (Recording, postgame::Report) {
    postgame::read(file, &options(Depth::Full)).expect("a sample can be read")
}

/// A Rocket League replay with few classes: a ball and a car for three frames.
pub fn rocket_league() -> Vec<u8> {
    rocket_league_with(&[])
}

/// The same with more attributes in its tables.
pub fn rocket_league_with(attributes: &[&str]) -> Vec<u8> {
    let sample = include_bytes!("../../../samples/duel.replay");
    let (Recording::RocketLeague(mut replay), _) = read(sample) else {
        unreachable!("the sample is a replay");
    };
    let kept = ["TeamSize", "ReplayName", "NumFrames", "Date", "MapName"];
    let properties = &mut replay.header.properties;
    properties
        .0
        .retain(|property| kept.iter().any(|name| property.name == (*name).into()));
    properties.set_int("NumFrames", FRAMES as i32);
    replay.body = Some(rocket_league_body(attributes));
    add_keyframe(&mut replay);
    Recording::RocketLeague(replay)
        .write()
        .expect("a small replay can be written")
}

/// A class, its parent's index in the list, and its own attributes.
type Class = (&'static str, Option<usize>, &'static [&'static str]);

const CLASSES: [Class; 6] = [
    ("Engine.Pawn", None, &["PlayerReplicationInfo"]),
    ("TAGame.RBActor_TA", Some(0), &["ReplicatedRBState"]),
    ("TAGame.Ball_TA", Some(1), &["HitTeamNum"]),
    ("TAGame.Car_TA", Some(1), &[]),
    ("TAGame.PRI_TA", None, &["MatchScore"]),
    ("TAGame.CarComponent_Boost_TA", None, &["ReplicatedBoost"]),
];

/// The class to which more attributes are added, regardless of their class in the game: their names decide their
/// layout.
const MORE_OF: &str = "TAGame.PRI_TA";

const ARCHETYPES: [&str; 4] = [
    "Archetypes.Ball.Ball_Default",
    "Archetypes.Car.Car_Default",
    "TAGame.Default__PRI_TA",
    "Archetypes.CarComponents.CarComponent_Boost",
];

fn rocket_league_body(more: &[&str]) -> Body {
    let mut objects: Vec<String> = ARCHETYPES.map(str::to_owned).into();
    let mut caches: Vec<NetCache> = Vec::new();
    for (class, parent, attributes) in CLASSES {
        let first_id = parent.map_or(0, |parent| caches[parent].end_id);
        let mut properties = Vec::new();
        for attribute in attributes {
            properties.push(NetProperty {
                object: objects.len() as u32,
                stream_id: first_id + properties.len() as u32,
            });
            objects.push(format!("{class}:{attribute}"));
        }
        for attribute in more.iter().filter(|_| class == MORE_OF) {
            properties.push(NetProperty {
                object: objects.len() as u32,
                stream_id: first_id + properties.len() as u32,
            });
            objects.push((*attribute).to_owned());
        }
        caches.push(NetCache {
            object: objects.len() as u32,
            first_id,
            end_id: first_id + properties.len() as u32,
            properties,
        });
        objects.push(class.to_owned());
    }
    let class = |cache: &NetCache| ClassIndex {
        name: objects[cache.object as usize].as_str().into(),
        index: cache.object,
    };
    Body {
        levels: vec!["stadium_p".into()],
        names: vec!["Active".into()],
        classes: caches.iter().map(class).collect(),
        objects: objects.iter().map(|name| name.as_str().into()).collect(),
        net_caches: caches,
        camera_track: Some("".into()),
        network: Network {
            blocks: vec![rocket_league_frames()],
            ..Network::default()
        },
        ..Body::default()
    }
}

fn rocket_league_frames() -> Block {
    const ACTORS: [u32; 4] = [1, 2, 3, 4];
    let mut block = Block::default();
    for number in 0..FRAMES as i32 {
        // Not from 0: a frame whose time and delta are both 0 marks the end of the stream.
        block.begin_frame((number + 1) as f32 / 30.0, 1.0 / 30.0);
        if number == 0 {
            for (actor, object) in ACTORS.into_iter().zip(0..) {
                let has_rotation = object < 2;
                let spawn = Spawn {
                    name: Some(0),
                    object: Reference {
                        is_actor: false,
                        id: object,
                    },
                    location: Some(Vector::new(0, 0, 93)),
                    rotation: has_rotation.then_some(Rotation(None, Some(64), None)),
                };
                block.spawn(actor, spawn);
            }
            let owner = Value::Reference(Reference {
                is_actor: true,
                id: 3,
            });
            block.update(ACTORS[1], [(0, owner)]);
            block.update(ACTORS[2], [(0, Value::Int(100))]);
            let boost = ReplicatedBoost {
                grant_count: 1,
                amount: 85,
                unused_1: 0,
                unused_2: 0,
            };
            let boost = Value::Attribute(Attribute::ReplicatedBoost(boost));
            block.update(ACTORS[3], [(0, boost)]);
        }
        for (actor, x) in [(ACTORS[0], 0), (ACTORS[1], 1000)] {
            let body = RigidBody {
                sleeping: false,
                location: Vector::new(x + 100 * number, 0, 9300),
                rotation: BodyRotation::Quaternion {
                    left_out: 3,
                    parts: [131_071; 3],
                },
                linear_velocity: Some(Vector::new(3000, 0, 0)),
                angular_velocity: Some(Vector::default()),
            };
            block.update(actor, [(1, Value::RigidBody(body))]);
        }
        block.end_frame();
    }
    block
}

fn add_keyframe(replay: &mut Replay) {
    let starts = frame_positions(replay).expect("the stream can be written");
    if let (Some(body), Some(&(frame, bit, time_s))) = (&mut replay.body, starts.first()) {
        body.keyframes = vec![KeyFrame {
            time_s,
            frame: frame as u32,
            position_bits: bit as u32,
        }];
    }
}

/// A RUMBLE replay of the first generation with three frames.
pub fn rumble_first() -> Vec<u8> {
    let (Recording::Rumble(mut replay), _) = read(include_bytes!("../../../samples/bout.replay"))
    else {
        unreachable!("the sample is a replay");
    };
    if let RumbleReplay::First(first) = &mut replay {
        first.wrapper.packed = None;
        if let Some(frames) = &mut first.frames {
            frames.times_s.truncate(FRAMES);
            cut(&mut frames.structures);
            cut(&mut frames.players);
        }
    }
    Recording::Rumble(replay)
        .write()
        .expect("a small replay can be written")
}

fn cut<T>(changes: &mut Changes<T>) {
    changes.flags.truncate(FRAMES * changes.per_frame);
    let changed = changes.flags.iter().filter(|flag| **flag == 1).count();
    changes.states.truncate(changed);
}

/// A RUMBLE replay of the second generation with three frames.
pub fn rumble_second() -> Vec<u8> {
    let sample = include_bytes!("../../../samples/bout-archive.replay");
    let (Recording::Rumble(mut replay), _) = read(sample) else {
        unreachable!("the sample is a replay");
    };
    if let RumbleReplay::Second(second) = &mut replay {
        second.packed_stream = None;
        if let Some(stream) = &mut second.stream {
            stream.frames.truncate(FRAMES);
        }
    }
    Recording::Rumble(replay)
        .write()
        .expect("a small replay can be written")
}

fn factory() -> Box<Save> {
    let (Recording::Satisfactory(mut save), _) =
        read(include_bytes!("../../../samples/factory.sav"))
    else {
        unreachable!("the sample is a save");
    };
    if let Some(body) = &mut save.body {
        body.decode_all().expect("the sample is whole");
    }
    save
}

/// A Satisfactory save with a machine and its contents.
pub fn factory_save() -> Vec<u8> {
    let mut save = factory();
    save.chunks = Chunks::new(true);
    if let Some(level) = save.body.as_mut().and_then(|body| body.persistent.as_mut()) {
        let is_machine = |entry: &Entry| {
            let Entry::Loaded(object) = entry else {
                return false;
            };
            let path = object.header.reference.path.to_str();
            let name = path.rsplit_once(':').map_or(&*path, |(_, name)| name);
            name.ends_with("Build_SmelterMk1_C_1000")
                || name.ends_with("Build_SmelterMk1_C_1000.OutputInventory")
        };
        level.objects.retain(is_machine);
    }
    Recording::Satisfactory(save)
        .write()
        .expect("a small save can be written")
}

/// The data of some objects of the sample, as stored.
pub fn satisfactory_objects() -> Vec<Vec<u8>> {
    let save = factory();
    let persistent = save.body.iter().flat_map(|body| &body.persistent);
    let objects = persistent.flat_map(|level| &level.objects);
    let some = objects.step_by(37).filter_map(|entry| match entry {
        Entry::Loaded(object) => data_of(object),
        _ => None,
    });
    some.filter(|data| (1..MAX_SEED_BYTES - 2).contains(&data.len()))
        .collect()
}

/// The data of an object, taken from the end of a body that has only this object.
fn data_of(object: &Object) -> Option<Vec<u8>> {
    let mut object = object.clone();
    // A blueprint's objects have no versions of their own.
    let data = object.data.as_mut()?;
    (data.save_version, data.should_migrate) = (None, None);
    let lone = |object: Object| {
        let mut body = satisfactory::Body::new_blueprint(52, None);
        body.persistent = Some(Level {
            objects: vec![Entry::Loaded(Box::new(object))],
            ..Level::default()
        });
        body.write().ok()
    };
    let with = lone(object.clone())?;
    object.data.as_mut()?.contents = Contents::Raw([][..].into());
    let without = lone(object)?;
    Some(with.get(without.len()..)?.to_vec())
}

/// The parts of a Slippi replay.
pub struct SlippiParts {
    /// The sizes of all events, and the game's start.
    pub start: Vec<u8>,
    /// The events after it.
    pub events: Vec<u8>,
    /// The elements after the events, with the closing bracket.
    pub members: Vec<u8>,
}

/// The first bytes of a replay.
const SLIPPI_PREFIX: &[u8] = b"{U\x03raw[$U#l";

impl SlippiParts {
    /// The file.
    pub fn file(&self) -> Vec<u8> {
        self.with(&self.events, &self.members)
    }

    /// The file with other events.
    pub fn with_events(&self, events: &[u8]) -> Vec<u8> {
        self.with(events, &self.members)
    }

    /// The file with other elements.
    pub fn with_members(&self, members: &[u8]) -> Vec<u8> {
        self.with(&self.events, members)
    }

    fn with(&self, events: &[u8], members: &[u8]) -> Vec<u8> {
        let length = (self.start.len() + events.len()) as u32;
        [
            SLIPPI_PREFIX,
            &length.to_be_bytes(),
            &self.start,
            events,
            members,
        ]
        .concat()
    }
}

/// The sample's start, its first frames, and its metadata.
pub fn slippi_parts(frames: usize) -> SlippiParts {
    /// The events of a small replay: start and end of a frame, before and after it, and items.
    const BOOKEND: u8 = 0x3c;
    const KEPT: [u8; 5] = [0x3a, 0x37, 0x38, 0x3b, BOOKEND];
    let sample = include_bytes!("../../../samples/duel.slp");
    let at = SLIPPI_PREFIX.len();
    let length = u32::from_be_bytes(sample[at..at + 4].try_into().expect("four bytes"));
    let (raw, members) = sample[at + 4..].split_at(length as usize);
    let table = usize::from(raw[1]) + 1;
    let size = |code: u8| {
        let row = raw[2..table]
            .chunks(3)
            .find(|row| row[0] == code)
            .expect("it is declared");
        1 + usize::from(u16::from_be_bytes([row[1], row[2]]))
    };
    let (start, mut rest) = raw.split_at(table + size(raw[table]));
    let (mut events, mut ends) = (Vec::new(), 0);
    while ends < frames {
        let (event, after) = rest.split_at(size(rest[0]));
        if KEPT.contains(&event[0]) {
            events.extend_from_slice(event);
        }
        ends += usize::from(event[0] == BOOKEND);
        rest = after;
    }
    SlippiParts {
        start: start.to_vec(),
        events,
        members: members.to_vec(),
    }
}
