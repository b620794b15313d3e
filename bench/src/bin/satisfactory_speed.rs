//! Satisfactory saves against `satisfactory-save`: `satisfactory_speed ROUNDS PYTHON SAVE…`, for `cargo xtask compare`.
//!
//! A program of its own because the other one counts every allocation, which costs time and, on two threads, makes them
//! wait for each other; nobody who uses the library pays that. For every save the peer and all of ours take turns, so
//! that the machine's moods hit them alike, and the best time of each counts. Prints the saves that the peer reads, then
//! the sums in milliseconds: the peer's, our index pass on one thread and on two, our full decode on one and on two.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use postgame::satisfactory::{self, Save};
use postgame::{ReadOptions, Report};

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

fn read(bytes: &[u8]) -> Save {
    satisfactory::read(bytes, &ReadOptions::default(), &mut Report::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn decode(bytes: &[u8]) -> Save {
    let mut save = read(bytes);
    if let Some(body) = &mut save.body {
        body.decode_all().unwrap_or_else(|error| panic!("{error}"));
    }
    save
}

/// How long it takes. What is let go of afterwards is not timed, nor is it for the peer.
fn time(work: impl FnOnce() -> Save) -> Duration {
    let start = Instant::now();
    let save = work();
    let took = start.elapsed();
    drop(save);
    took
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, python, saves @ ..] = arguments.as_slice() else {
        eprintln!("usage: satisfactory_speed ROUNDS PYTHON SAVE...");
        return ExitCode::from(2);
    };
    match rounds.parse().map_err(|_| "no number of rounds".to_owned()) {
        Ok(rounds) => match compare(rounds, python, saves) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error),
        },
        Err(error) => fail(&error),
    }
}

fn fail(error: &str) -> ExitCode {
    eprintln!("satisfactory_speed: {error}");
    ExitCode::FAILURE
}

fn compare(rounds: usize, python: &str, saves: &[String]) -> Result<(), String> {
    let mut peer = Command::new(python)
        .args(["-c", PEER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{python}: {error}"))?;
    let (Some(mut to_peer), Some(from_peer)) = (peer.stdin.take(), peer.stdout.take()) else {
        return Err("no way to talk to the peer".to_owned());
    };
    let mut answers = BufReader::new(from_peer).lines();
    let mut ask = |path: &str| -> Option<Duration> {
        writeln!(to_peer, "{path}").ok()?;
        let nanoseconds = answers.next()?.ok()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    };
    let pools = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap_or_else(|error| panic!("{error}"))
    });
    let (mut count, mut sums) = (0, [Duration::ZERO; 5]);
    for path in saves {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        // The first answer also tells whether the peer can read it at all; it warms up both.
        if ask(path).is_none() {
            continue;
        }
        let mut best = [Duration::MAX; 5];
        for _ in 0..rounds {
            let [one, two] = &pools;
            let took = [
                ask(path).ok_or_else(|| format!("{path}: the peer read it only once"))?,
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
    println!("{count}");
    for sum in sums {
        println!("{:.3}", sum.as_secs_f64() * 1e3);
    }
    Ok(())
}
