//! Launches: the speed predicted after influence against the recorded one, in all replays of 3.5 and later.

use std::collections::BTreeMap;

use crate::load;

/// How far a prediction may be off, and what share of the launches has to be within.
const MAX_ERROR: f32 = 0.01;
const MIN_SHARE: f64 = 0.95;

#[test]
fn launches_are_as_recorded() {
    let Some(files) = load::replays() else {
        return;
    };
    let (mut good, mut bad) = (0_usize, BTreeMap::<String, usize>::new());
    let mut kills = [0_usize; 4];
    for (name, file) in files {
        for hit in &file.analysis.hits {
            let Some(launch) = hit.launch else {
                continue;
            };
            let [x, y] = launch.recorded_uu;
            let [wanted_x, wanted_y] = launch.predicted_uu;
            let error = (x - wanted_x).hypot(y - wanted_y) / x.hypot(y);
            if error <= MAX_ERROR {
                good += 1;
            } else {
                println!("{name} frame {}: off by {error}", hit.frame);
                let kind = format!("state before {}", hit.state_before);
                *bad.entry(kind).or_default() += 1;
            }
            if let Some(outcomes) = launch.outcomes {
                assert!(outcomes.with_any_di || !outcomes.without_di);
                assert!(outcomes.without_di || !outcomes.with_best_di);
                let flags = [
                    outcomes.without_di,
                    outcomes.with_best_di,
                    outcomes.with_any_di,
                    hit.did_kill,
                ];
                for (count, flag) in kills.iter_mut().zip(flags) {
                    *count += usize::from(flag);
                }
            }
        }
    }
    let all = good + bad.values().sum::<usize>();
    println!("launches: {all}, within 1 %: {good}, others: {bad:?}");
    println!("would kill without, with best, with any influence, and killed: {kills:?}");
    assert!(all > 1000 && good as f64 >= MIN_SHARE * all as f64);
}
