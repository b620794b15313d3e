//! What the server answers.

use postgame_files::{Input, Spool};
use postgame_view::{Options, Server};

use crate::client::{Host, get, index, rows, sample, serve};

#[test]
fn the_list_names_files_and_what_their_headers_say() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.replay");
    std::fs::write(&broken, b"no replay at all").unwrap();
    let host = serve(vec![sample("bout.replay"), broken]);
    let rows = rows(&host);
    assert_eq!(rows[0]["file"], "bout.replay");
    assert_eq!(rows[0]["format"], "rumble");
    assert_eq!(rows[0]["summary"]["players"][0]["name"], "Ada");
    assert_eq!(rows[1]["file"], "broken.replay");
    assert!(rows[1]["error"].is_string());
    let folder = folder.path().display().to_string();
    assert!(!get(&host, "/api/recordings").text().contains(&folder));
    let rest = get(&host, "/api/recordings?from=1").json();
    assert_eq!(rest["rows"].as_array().unwrap().len(), 1);
}

#[test]
fn pieces_hold_the_timelines_own_values() {
    let bytes = std::fs::read(sample("bout.replay")).unwrap();
    let (recording, _) = postgame::read(&bytes, &postgame::ReadOptions::default()).unwrap();
    let timeline = recording.timeline();
    let host = serve(vec![sample("bout.replay")]);
    let pack = get(&host, "/api/recordings/0/piece?from_s=3&to_s=9").body;
    let (piece, start) = index(&pack);
    let mut compared = 0;
    for track in piece["tracks"].as_array().unwrap() {
        let id = track["entity"].as_u64().unwrap() as usize;
        let place = |value: &serde_json::Value| {
            let of = |index: usize| value[index].as_u64().unwrap() as usize;
            (start + of(0), of(1))
        };
        let (times, count) = place(&track["times_s"]);
        for column in track["columns"].as_array().unwrap() {
            if column["kind"] != "position" {
                continue;
            }
            let (values, numbers) = place(&column["at"]);
            assert_eq!(numbers, count * 3);
            for row in 0..count {
                let at = times + row * 8;
                let time_s = f64::from_le_bytes(pack[at..at + 8].try_into().unwrap());
                let position: [f32; 3] = std::array::from_fn(|axis| {
                    let at = values + (row * 3 + axis) * 4;
                    f32::from_le_bytes(pack[at..at + 4].try_into().unwrap())
                });
                assert_eq!(timeline.entities[id].position(time_s), Some(position));
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} values were compared");
}

#[test]
fn a_moment_is_the_librarys() {
    let host = serve(vec![sample("bout.replay")]);
    let moment = get(&host, "/api/recordings/0/moment?time_s=10").json();
    let entities = moment["entities"].as_array().unwrap();
    let bytes = std::fs::read(sample("bout.replay")).unwrap();
    let (recording, _) = postgame::read(&bytes, &postgame::ReadOptions::default()).unwrap();
    let timeline = recording.timeline();
    assert_eq!(entities.len(), timeline.present_at(10.0).count());
    let head = timeline.find("Ada head").unwrap();
    let found = entities
        .iter()
        .find(|entity| entity["id"] == head.0)
        .unwrap();
    let position = timeline.entities[head.0].position(10.0).unwrap();
    assert_eq!(found["values"]["position"], serde_json::json!(position));
}

#[test]
fn outline_overview_and_animation_come() {
    let host = serve(vec![sample("bout-archive.replay")]);
    let (outline, _) = index(&get(&host, "/api/recordings/0/outline").body);
    assert_eq!(outline["format"], "rumble");
    assert!(outline["events"].as_array().unwrap().len() > 20);
    assert!(outline["stats"]["players"].as_array().unwrap().len() == 2);
    let (overview, _) = index(&get(&host, "/api/recordings/0/overview").body);
    assert!(overview["columns"].as_array().unwrap().len() > 8);
    assert!(
        get(&host, "/api/recordings/0/glb")
            .body
            .starts_with(b"glTF")
    );
    assert!(get(&host, "/api/recordings/0/revision").json().is_string());
}

#[test]
fn members_of_archives_are_served_from_a_spool() {
    let samples = ["bout.replay", "duel.slp"];
    let mut spool = Spool::new().unwrap();
    let inputs = samples.map(|name| {
        let bytes = std::fs::read(sample(name)).unwrap();
        let input = Input::bytes(format!("/home/me/season.zip/{name}"), bytes);
        input.spooled(&mut spool).unwrap()
    });
    let server = Server::bind_inputs(inputs.into(), 0, Options::default()).unwrap();
    let host = Host::at(&server.address());
    std::thread::spawn(|| server.run());
    let files = serve(samples.map(sample).into());
    let from_files = rows(&files);
    assert_eq!(rows(&host), from_files);
    assert!(!get(&host, "/api/recordings").text().contains("season"));
    for id in [1, 0, 1] {
        let path = format!("/api/recordings/{id}/outline");
        let [mut member, mut file] = [&host, &files].map(|host| index(&get(host, &path).body).0);
        // The revision has the time of a file.
        for outline in [&mut member, &mut file] {
            assert!(outline["revision"].take().is_string());
        }
        assert_eq!(member, file);
    }
}
