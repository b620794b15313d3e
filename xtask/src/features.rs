//! Each game of the library by itself: it builds, and brings only its own dependencies.

use crate::tools::{Result, cargo, step};

/// The features of the library that are games, and the dependencies that not every game brings. flate2 brings crc32fast.
const GAMES: &[(&str, &[&str])] = &[
    ("rocket-league", &["crc32fast"]),
    (
        "rumble",
        &["brotli", "crc32fast", "flate2", "libdeflater", "libz-sys"],
    ),
    (
        "satisfactory",
        &[
            "crc32fast",
            "flate2",
            "libdeflater",
            "libz-sys",
            "md-5",
            "memmap2",
            "triomphe",
        ],
    ),
    ("slippi", &["encoding_rs", "zstd"]),
];

/// Checks the library with each game alone, and with none.
pub fn check() -> Result {
    for (game, own) in GAMES {
        step(
            &format!("{game} alone"),
            cargo().args(["check", "--lib"]).args(only(game)),
        )?;
        let tree = ["tree", "--edges=normal", "--prefix=none", "--format={p}"];
        let output = cargo().args(tree).args(only(game)).output();
        let output = output.map_err(|error| format!("cargo tree: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        foreign(game, own, &String::from_utf8_lossy(&output.stdout))?;
    }
    step(
        "no game at all",
        cargo().args(["check", "--lib"]).args(only("")),
    )
}

fn only(game: &str) -> [String; 4] {
    [
        "--locked".to_owned(),
        "--package=postgame".to_owned(),
        "--no-default-features".to_owned(),
        format!("--features={game}"),
    ]
}

/// Fails if a list of packages has one that only other games need.
fn foreign(game: &str, own: &[&str], tree: &str) -> Result {
    let others = GAMES.iter().flat_map(|(_, packages)| *packages);
    let packages = tree.lines().filter_map(|line| line.split(' ').next());
    let packages: Vec<&str> = packages.collect();
    for other in others.filter(|other| !own.contains(other)) {
        if packages.contains(other) {
            return Err(format!("the feature {game} brings {other}"));
        }
    }
    for needed in own {
        if !packages.contains(needed) {
            return Err(format!("the feature {game} no longer brings {needed}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_of_another_game_is_found() {
        let own = &["encoding_rs", "zstd"];
        let tree = "postgame v0.1.0\nencoding_rs v0.8\nzstd v0.13\nserde v1\n";
        assert!(foreign("slippi", own, tree).is_ok());
        let with_brotli = format!("{tree}brotli v9\n");
        let message = foreign("slippi", own, &with_brotli).unwrap_err();
        assert_eq!(message, "the feature slippi brings brotli");
        assert!(foreign("slippi", own, "postgame v0.1.0\nzstd v0.13\n").is_err());
    }
}
