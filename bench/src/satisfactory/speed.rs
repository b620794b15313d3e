//! Saves compared with `satisfactory-save`. For every save, the peer and our variants alternate, so that disturbances
//! affect all of them, and the best time of each counts.

use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use postgame::satisfactory::Save;
use rayon::ThreadPool;

use super::{decode, headers, index, read};
use crate::measure::pool;

/// Reads one save for each path it receives and prints the duration in nanoseconds, without starting Python.
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
        bytearray(1 << 16)
        print(f"{took * 1e9:.0f}", file=out, flush=True)
    except Exception:
        print("cannot", file=out, flush=True)
"#;

/// Duration of the work. Freeing its result is not timed, neither here nor for the peer.
///
/// The allocator defers part of that until the next large allocation, which would be in the next timed run. So all
/// threads allocate some memory before that, and so does the peer.
fn time(pool: &ThreadPool, work: impl FnOnce() -> Save + Send) -> Duration {
    let took = pool.install(|| {
        let start = Instant::now();
        let save = work();
        let took = start.elapsed();
        drop(save);
        took
    });
    pool.broadcast(|_| drop(black_box(Vec::<u8>::with_capacity(1 << 16))));
    took
}

/// The peer in its own process, which reads a save on request.
struct Peer {
    process: Child,
    to_it: ChildStdin,
    from_it: Lines<BufReader<ChildStdout>>,
}

impl Peer {
    /// Starts it, on one processor or on all, because it has no setting for its threads.
    fn start(python: &Path, is_on_one: bool) -> Result<Self, String> {
        let mut command = Command::new("taskset");
        if is_on_one {
            command.args(["--cpu-list", "0"]).arg(python);
        } else {
            command = Command::new(python);
        }
        command.args(["-c", PEER]);
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = spawned.map_err(|error| format!("{}: {error}", python.display()))?;
        let (Some(to_it), Some(from_it)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("no way to talk to the peer".to_owned());
        };
        Ok(Self {
            process,
            to_it,
            from_it: BufReader::new(from_it).lines(),
        })
    }

    /// Duration of reading a save; `None` if the peer cannot read it.
    fn ask(&mut self, path: &Path) -> Option<Duration> {
        writeln!(self.to_it, "{}", path.display()).ok()?;
        let nanoseconds = self.from_it.next()?.ok()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    }

    fn stop(mut self) -> Result<(), String> {
        drop(self.to_it);
        self.process.wait().map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// The sums over all saves that the peer can read, each on one thread and on two.
pub struct Best {
    pub saves: usize,
    pub peer: [Duration; 2],
    pub index: [Duration; 2],
    pub headers: Duration,
    pub whole: Duration,
    pub full: [Duration; 2],
}

/// Reads all saves this many times.
pub fn compare(rounds: usize, python: &Path, saves: &[PathBuf]) -> Result<Best, String> {
    let mut peers = [Peer::start(python, true)?, Peer::start(python, false)?];
    let pools = [1, 2].map(pool);
    let (mut count, mut sums) = (0, [Duration::ZERO; 8]);
    for path in saves {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // The first response also shows whether the peer can read the save, and warms up both sides.
        if peers.iter_mut().any(|peer| peer.ask(path).is_none()) {
            continue;
        }
        let mut best = [Duration::MAX; 8];
        for _ in 0..rounds {
            let [one, two] = &pools;
            let [peer_on_one, peer] = &mut peers;
            let once = || format!("{}: the peer read it only once", path.display());
            let took = [
                peer_on_one.ask(path).ok_or_else(once)?,
                peer.ask(path).ok_or_else(once)?,
                time(one, || index(&bytes)),
                time(two, || index(&bytes)),
                time(one, || decode(&bytes)),
                time(two, || decode(&bytes)),
                time(one, || headers(&bytes)),
                time(one, || read(&bytes)),
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
    for peer in peers {
        peer.stop()?;
    }
    let [
        peer_one,
        peer_two,
        index_one,
        index_two,
        full_one,
        full_two,
        headers,
        whole,
    ] = sums;
    Ok(Best {
        saves: count,
        peer: [peer_one, peer_two],
        index: [index_one, index_two],
        headers,
        whole,
        full: [full_one, full_two],
    })
}
