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
