//! Understanding the factory takes at most as long again as reading and counting it did before.

use std::time::{Duration, Instant};

use postgame::satisfactory::{census, read, stats};
use postgame::{ReadOptions, Report};

use crate::corpus;

/// At most so many times what reading the save and its census take, which was all that `stats` did once.
const MAX_RATIO: f64 = 2.0;
const ROUNDS: usize = 3;

/// The fastest of some rounds, since other tests run meanwhile.
fn fastest(mut run: impl FnMut()) -> Duration {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    rounds.min().unwrap()
}

#[test]
fn stats_take_at_most_twice_what_they_took() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let saves = std::fs::read_dir(folder.join("satisfactory"))
        .into_iter()
        .flatten();
    let saves = saves.map(|entry| entry.unwrap().path());
    let saves = saves.filter(|path| path.extension().is_some_and(|extension| extension == "sav"));
    let Some(largest) = saves.max_by_key(|path| path.metadata().unwrap().len()) else {
        return;
    };
    let bytes = std::fs::read(&largest).unwrap();
    let save = || read(&bytes, &ReadOptions::default(), &mut Report::default()).unwrap();
    let before = fastest(|| drop(census(&save())));
    let now = fastest(|| drop(stats(&save())));
    let ratio = now.as_secs_f64() / before.as_secs_f64();
    println!(
        "{}: {before:?} before, {now:?} now, {ratio:.2} times",
        largest.display()
    );
    assert!(ratio <= MAX_RATIO, "{ratio:.2}");
}
