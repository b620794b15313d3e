//! Plausibility: real replays pass, wrong ones fail.

use postgame::probe::Verdict;
use postgame::slippi;

use super::replays;

#[test]
fn real_replays_are_plausible() {
    let mut failed = Vec::new();
    for (name, replay) in replays() {
        for probe in slippi::probe(&replay, &slippi::timeline(&replay)) {
            if std::env::var_os("POSTGAME_PRINT").is_some() {
                eprintln!(
                    "{name}\t{}\t{:?}\t{}\t{}",
                    probe.name, probe.verdict, probe.samples, probe.measured
                );
            }
            if probe.verdict == Verdict::Fail {
                failed.push(format!(
                    "{name}: {} is {}, not {}",
                    probe.name, probe.measured, probe.expected
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
