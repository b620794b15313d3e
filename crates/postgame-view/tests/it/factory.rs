//! What the map of a factory asks for.

use crate::client::{get, index, sample, serve};

#[test]
fn lines_and_details_come_from_the_save() {
    let host = serve(vec![sample("factory.sav"), sample("bout.replay")]);
    let (outline, _) = index(&get(&host, "/api/recordings/0/outline").body);
    assert_eq!(outline["format"], "satisfactory");
    let lines = get(&host, "/api/recordings/0/lines");
    assert_eq!(lines.status, 200);
    let (lines, _) = index(&lines.body);
    for line in lines["lines"].as_array().unwrap() {
        // Pairs of points of three numbers.
        assert_eq!(line["points"][1].as_u64().unwrap() % 6, 0, "{line}");
    }
    let moment = get(
        &host,
        &format!("/api/recordings/0/moment?time_s={}", outline["start_s"]),
    )
    .json();
    let entities = moment["entities"].as_array().unwrap();
    let told = entities.iter().filter(|entity| {
        let name = entity["name"]
            .as_str()
            .unwrap()
            .replace(' ', "%20")
            .replace('#', "%23");
        let details = get(&host, &format!("/api/recordings/0/details?name={name}")).json();
        details["rows"]
            .as_array()
            .is_some_and(|rows| !rows.is_empty())
    });
    assert!(told.count() > 0, "nothing is told of any building");
    assert!(
        get(&host, "/api/recordings/0/details?name=no-such-thing")
            .json()
            .is_null()
    );
    assert!(
        get(&host, "/api/recordings/1/details?name=Ada")
            .json()
            .is_null()
    );
    assert_eq!(get(&host, "/api/recordings/0/details").status, 400);
}

#[test]
fn every_building_tells_its_class() {
    let host = serve(vec![sample("factory.sav")]);
    let (outline, _) = index(&get(&host, "/api/recordings/0/outline").body);
    let groups = outline["statics"].as_array().unwrap();
    let buildings = groups.iter().find(|group| group["kind"] == "building");
    let columns = buildings.unwrap()["columns"].as_array().unwrap();
    let class = columns.iter().find(|column| column["name"] == "class");
    let names = class.unwrap()["names"].as_array().unwrap();
    assert!(
        names
            .iter()
            .any(|name| name.as_str().unwrap().starts_with("Build_")),
        "{names:?}"
    );
}

#[test]
fn what_a_recording_has_not_is_empty() {
    let host = serve(vec![sample("bout.replay")]);
    let (fog, _) = index(&get(&host, "/api/recordings/0/fog").body);
    assert_eq!(fog["side"], 0);
    let (rollbacks, _) = index(&get(&host, "/api/recordings/0/rollbacks").body);
    assert_eq!(rollbacks["times_s"][1], 0);
}

#[test]
fn rollbacks_are_those_of_the_file() {
    let bytes = std::fs::read(sample("duel.slp")).unwrap();
    let (recording, _) = postgame::read(&bytes, &postgame::ReadOptions::default()).unwrap();
    let postgame::Recording::Slippi(replay) = &recording else {
        panic!("another game");
    };
    let frames = replay.frames.as_ref().unwrap();
    let host = serve(vec![sample("duel.slp")]);
    let (rollbacks, _) = index(&get(&host, "/api/recordings/0/rollbacks").body);
    let mut ids = frames.ids.clone();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    let count = rollbacks["times_s"][1].as_u64().unwrap() as usize;
    assert_eq!(rollbacks["copies"][1].as_u64().unwrap() as usize, count);
    assert!(count <= all - ids.len(), "{count}");
    assert_eq!(count == 0, all == ids.len());
    for character in rollbacks["characters"].as_array().unwrap() {
        assert_eq!(character[1].as_u64().unwrap() as usize, count * 3);
    }
}

#[test]
fn the_world_tells_nodes_machines_and_what_is_stored() {
    let host = serve(vec![sample("factory.sav"), sample("bout.replay")]);
    let (world, _) = index(&get(&host, "/api/recordings/0/world").body);
    let nodes = world["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["purity"] == "pure"));
    assert_eq!(world["ground"][1].as_u64().unwrap() % 3, 0);
    let held = get(&host, "/api/recordings/0/holdings").json();
    let machines = held["machines"].as_array().unwrap();
    let running = machines
        .iter()
        .filter(|machine| machine["activity"] == "running");
    let (outline, _) = index(&get(&host, "/api/recordings/0/outline").body);
    let activity = &outline["stats"]["recording"]["machine_activity"];
    assert_eq!(
        running.count() as u64,
        activity["running"].as_u64().unwrap()
    );
    assert!(
        machines
            .iter()
            .any(|machine| machine["made"][0][1].as_f64().unwrap_or(0.0) > 0.0),
        "no machine makes anything"
    );
    // Everything that is stored adds up to what the statistics say of storage.
    let mut sums = std::collections::BTreeMap::<String, f64>::new();
    for owner in held["stored"].as_array().unwrap() {
        if owner["place"] == "storage" {
            for item in owner["items"].as_array().unwrap() {
                let name = item[0].as_str().unwrap().to_owned();
                *sums.entry(name).or_default() += item[1].as_f64().unwrap();
            }
        }
    }
    let told = outline["stats"]["recording"]["items_in_storage"]
        .as_object()
        .unwrap();
    assert!(!told.is_empty());
    for (name, amount) in told {
        assert_eq!(sums.get(name).copied(), amount.as_f64(), "{name}");
    }
    let none = get(&host, "/api/recordings/1/holdings").json();
    assert_eq!(none["stored"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_part_of_the_animation_is_shorter() {
    let host = serve(vec![sample("bout-archive.replay")]);
    let (outline, _) = index(&get(&host, "/api/recordings/0/outline").body);
    let start_s = outline["start_s"].as_f64().unwrap();
    let whole = get(&host, "/api/recordings/0/glb");
    let address = format!(
        "/api/recordings/0/glb?from_s={start_s}&to_s={}",
        start_s + 2.0
    );
    let part = get(&host, &address);
    assert_eq!((whole.status, part.status), (200, 200));
    assert!(part.body.starts_with(b"glTF"));
    assert!(part.body.len() < whole.body.len());
    assert_eq!(get(&host, "/api/recordings/0/glb?from_s=NaN").status, 400);
}
