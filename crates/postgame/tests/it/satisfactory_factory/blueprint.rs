//! What blueprints cost by their parts, against their headers.

use std::collections::BTreeMap;

use postgame::satisfactory::{self, blueprint};
use postgame::{ReadOptions, Report};

use super::has_known_saves;
use crate::corpus;

/// The list in the header is of the version that wrote it; parts of mods and old prices differ. The rules hold for most.
#[test]
fn parts_cost_what_the_header_says() {
    let Some(files) = corpus::files("satisfactory", &["sbp"]) else {
        return;
    };
    let (mut exact, mut entries, mut equal) = (0, 0, 0);
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let read =
            satisfactory::read_blueprint(&bytes, &ReadOptions::default(), &mut Report::default());
        let bill = blueprint::bill(&read.unwrap());
        let differences: BTreeMap<&str, (i64, i64)> = bill.differences();
        exact += usize::from(differences.is_empty());
        entries += bill.stated.len();
        let off = differences
            .keys()
            .filter(|item| bill.stated.contains_key(**item));
        equal += bill.stated.len() - off.count();
        let name = path.file_name().unwrap().to_string_lossy();
        println!("{name}: {differences:?}, unknown {:?}", bill.unknown);
    }
    println!(
        "{exact} of {} files, {equal} of {entries} entries",
        files.len()
    );
    assert!(
        !has_known_saves() || exact >= 31,
        "{exact} of {} files",
        files.len()
    );
    assert!(
        !has_known_saves() || equal * 100 >= entries * 97,
        "{equal} of {entries} entries"
    );
}
