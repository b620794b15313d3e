//! Counts that an independent reader found in the same files.

use std::collections::{BTreeMap, BTreeSet};

use postgame::satisfactory::model::items::{DynamicStruct, Payload};
use postgame::satisfactory::model::{Properties, Struct, Tail, Value};
use postgame::satisfactory::{self, Body, Save};
use postgame::{ReadOptions, Report};

use crate::corpus;

/// What is counted in a save.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    actors: usize,
    components: usize,
    lightweight: usize,
    tombstones: usize,
    chains: usize,
    chain_items: usize,
    belt_items: usize,
    properties: usize,
    items: i64,
    kinds: BTreeSet<String>,
    last_item: Option<String>,
}

fn count(body: &Body) -> Counts {
    let mut counts = Counts::default();
    body.visit(|_, object, error| {
        assert!(error.is_none());
        if object.header.is_actor() {
            counts.actors += 1
        } else {
            counts.components += 1
        }
        let fields = object.data.as_ref().unwrap().fields().unwrap();
        if let Some(properties) = &fields.properties {
            count_properties(properties, &mut counts);
        }
        match &fields.tail {
            Some(Tail::Belt(items)) => {
                counts.belt_items += items.len();
                items
                    .iter()
                    .for_each(|item| count_state(item.item.state.as_ref(), &mut counts));
            }
            Some(Tail::Chain(chain)) => {
                counts.chains += 1;
                counts.chain_items += chain.items.len();
                chain
                    .items
                    .iter()
                    .for_each(|item| count_state(item.item.state.as_ref(), &mut counts));
            }
            Some(Tail::Drone(drone)) => {
                for action in drone.action.iter().chain(drone.queue.iter().flatten()) {
                    count_properties(&action.properties, &mut counts);
                }
            }
            Some(Tail::Lightweight(lightweight)) => {
                let all: usize = lightweight
                    .classes
                    .iter()
                    .map(|class| class.instances.len())
                    .sum();
                counts.lightweight += all;
                counts.tombstones += all - lightweight.instances().count();
                for instance in lightweight
                    .classes
                    .iter()
                    .flat_map(|class| &class.instances)
                {
                    count_state(instance.type_data.as_ref(), &mut counts);
                }
            }
            _ => {}
        }
        Ok(())
    })
    .unwrap();
    counts
}

/// Counts properties, those inside structures too, and adds up all stacks of items.
fn count_properties(properties: &Properties, counts: &mut Counts) {
    counts.properties += properties.0.len();
    if let Some(Value::Int(amount)) = properties.value("NumItems") {
        if let Some(Value::Struct(item)) = properties.value("Item")
            && let Struct::Item(item) = item
        {
            counts.last_item = Some(item.class.path.to_string()).filter(|class| !class.is_empty());
        }
        // A stack can leave its item out where it is its class's own, such as the berries of a bush. The independent
        // reader takes it for one more of the last item, so for its sums to be met this one must do the same.
        if let Some(class) = &counts.last_item {
            counts.items += i64::from(*amount);
            counts.kinds.insert(class.clone());
        }
    }
    for property in &properties.0 {
        count_value(&property.value, counts);
    }
}

fn count_value(value: &Value, counts: &mut Counts) {
    match value {
        Value::Struct(value) => match value {
            Struct::Properties(properties) => count_properties(properties, counts),
            Struct::Item(item) => count_state(item.state.as_ref(), counts),
            _ => {}
        },
        Value::List(list) => list.items.iter().for_each(|item| count_value(item, counts)),
        Value::Map(map) => map.pairs.iter().for_each(|(key, value)| {
            count_value(key, counts);
            count_value(value, counts);
        }),
        _ => {}
    }
}

fn count_state(state: Option<&DynamicStruct>, counts: &mut Counts) {
    if let Some(contents) = state.and_then(|state| state.contents.as_ref())
        && let Payload::Properties(properties) = &contents.1
    {
        count_properties(properties, counts);
    }
}

fn read(bytes: &[u8]) -> Save {
    satisfactory::read(bytes, &ReadOptions::default(), &mut Report::default()).unwrap()
}

#[test]
fn counts_are_those_of_the_golden_table() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let table = std::fs::read_to_string(folder.join("golden/satisfactory.tsv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let (mut checked, mut wrong) = (0, Vec::new());
    for line in lines {
        let row: BTreeMap<&str, &str> = columns.iter().copied().zip(line.split('\t')).collect();
        let name = row["path"].rsplit('/').next().unwrap().replace(' ', "-");
        let path = folder.join("satisfactory").join(&name);
        // The table has a file more than the corpus.
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let save = read(&bytes);
        let body = save.body.as_ref().unwrap();
        let number = |column: &str| row[column].parse::<usize>().unwrap();
        assert_eq!(bytes.len(), number("size"), "{name}");
        assert_eq!(
            save.header.header_version.to_string(),
            row["header"],
            "{name}"
        );
        assert_eq!(save.header.save_version.to_string(), row["save"], "{name}");
        assert_eq!(save.header.build.to_string(), row["build"], "{name}");
        assert_eq!(body.bytes().len(), number("body"), "{name}");
        assert_eq!(
            satisfactory::summary(&save).date.unwrap()[..10],
            *row["date"],
            "{name}"
        );
        let levels = row["levels"].parse::<usize>().unwrap_or(0);
        assert_eq!(body.levels.len(), levels, "{name}");
        match row["unresolved"] {
            "absent" | "" => assert_eq!(body.unresolved, None, "{name}"),
            count => assert_eq!(
                body.unresolved.as_ref().unwrap().len().to_string(),
                count,
                "{name}"
            ),
        }
        // The table leaves out what the persistent level says of other levels.
        let is_flat = body.save_version() < Body::LEVELS_SINCE;
        let destroyed: usize = body
            .all_levels()
            .filter(|level| level.name.is_some() || is_flat)
            .filter_map(|level| level.destroyed.as_ref())
            .map(|destroyed| destroyed.refs().len())
            .sum();
        assert_eq!(destroyed, number("destroyed"), "{name}");
        let counts = count(body);
        let expected = Counts {
            actors: number("actors"),
            components: number("components"),
            lightweight: number("lw_instances"),
            tombstones: number("lw_tombstones"),
            chains: number("chain_actors"),
            chain_items: number("chain_items"),
            belt_items: number("belt_items"),
            properties: number("properties"),
            items: counts.items,
            kinds: counts.kinds.clone(),
            last_item: counts.last_item.clone(),
        };
        if counts != expected {
            wrong.push(format!("{name}: {counts:?} is not {expected:?}"));
        }
        checked += 1;
    }
    assert_eq!(checked, 28);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn inventories_hold_what_an_independent_reader_added_up() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let mut sums = Vec::new();
    for (name, kinds, items) in [
        ("Release-032.sav", 72, 623_046),
        ("Dunarr-027.sav", 128, 4_333_561),
        ("The-Spice-of-Life---Manual-Save.sav", 116, 3_433_272),
        ("example.sav", 99, 4_353_286),
    ] {
        let bytes = std::fs::read(folder.join("satisfactory").join(name)).unwrap();
        let counts = count(read(&bytes).body.as_ref().unwrap());
        sums.push((name, counts.kinds.len(), counts.items, kinds, items));
    }
    assert!(
        sums.iter().all(|sum| (sum.1, sum.2) == (sum.3, sum.4)),
        "{sums:#?}"
    );
    let bytes = std::fs::read(folder.join("satisfactory/Ported-11-to-12-Exp.sav")).unwrap();
    assert_eq!(count(read(&bytes).body.as_ref().unwrap()).items, 14_347);
}

#[test]
fn the_oldest_world_begins_as_its_first_reader_said() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let save = read(&std::fs::read(folder.join("satisfactory/new_world.sav")).unwrap());
    assert_eq!(
        save.header.session_name.as_ref().unwrap().to_str(),
        "test_file"
    );
    let body = save.body.unwrap();
    let level = body.persistent.as_ref().unwrap();
    assert_eq!(level.objects.len(), 13_920);
    let first = body
        .decoder()
        .header(body.form(level), &level.objects[0])
        .unwrap()
        .into_owned();
    assert_eq!(first.class.to_str(), "/Script/FactoryGame.FGFoliageRemoval");
}
