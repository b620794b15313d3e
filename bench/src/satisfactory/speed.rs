//! Saves against `satisfactory-save`. For every save the peer and all of ours take turns, so that the machine's moods hit
//! them alike, and the best time of each counts.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use postgame::satisfactory::Save;

use super::{decode, read};

/// Reads one save for each path it is given and says how many nanoseconds it took; starting Python does not count.
const PEER: &str = r#"
import sys, time, os
import satisfactory_save
out = os.fdopen(os.dup(1), "w")
devnull = os.open(os.devnull, os.O_WRONLY)
os.dup2(devnull, 1); os.dup2(devnull, 2)
for path in sys.stdin:
    start = time.perf_counter()
    try:
        save = satisfactory_save.SaveGame(path.rstrip("\n"))
        took = time.perf_counter() - start
        del save
        print(f"{took * 1e9:.0f}", file=out, flush=True)
    except Exception:
        print("cannot", file=out, flush=True)
"#;

/// How long it takes. What is let go of afterwards is not timed, nor is it for the peer.
fn time(work: impl FnOnce() -> Save) -> Duration {
    let start = Instant::now();
    let save = work();
    let took = start.elapsed();
    drop(save);
    took
}

/// The sums over all saves that the peer reads; ours on one thread and on two.
pub struct Best {
    pub saves: usize,
    pub peer: Duration,
    pub index: [Duration; 2],
    pub full: [Duration; 2],
}

/// Reads all saves so many times.
pub fn compare(rounds: usize, python: &Path, saves: &[PathBuf]) -> Result<Best, String> {
    let mut peer = Command::new(python)
        .args(["-c", PEER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", python.display()))?;
    let (Some(mut to_peer), Some(from_peer)) = (peer.stdin.take(), peer.stdout.take()) else {
        return Err("no way to talk to the peer".to_owned());
    };
    let mut answers = BufReader::new(from_peer).lines();
    let mut ask = |path: &Path| -> Option<Duration> {
        writeln!(to_peer, "{}", path.display()).ok()?;
        let nanoseconds = answers.next()?.ok()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    };
    let pools = [1, 2].map(super::pool);
    let (mut count, mut sums) = (0, [Duration::ZERO; 5]);
    for path in saves {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // The first answer also tells whether the peer can read it at all; it warms up both.
        if ask(path).is_none() {
            continue;
        }
        let mut best = [Duration::MAX; 5];
        for _ in 0..rounds {
            let [one, two] = &pools;
            let took = [
                ask(path)
                    .ok_or_else(|| format!("{}: the peer read it only once", path.display()))?,
                one.install(|| time(|| read(&bytes))),
                two.install(|| time(|| read(&bytes))),
                one.install(|| time(|| decode(&bytes))),
                two.install(|| time(|| decode(&bytes))),
            ];
            for (best, took) in best.iter_mut().zip(took) {
                *best = took.min(*best);
            }
        }
        count += 1;
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += best;
        }
    }
    drop(to_peer);
    peer.wait().map_err(|error| error.to_string())?;
    let [peer, index_one, index_two, full_one, full_two] = sums;
    Ok(Best {
        saves: count,
        peer,
        index: [index_one, index_two],
        full: [full_one, full_two],
    })
}
