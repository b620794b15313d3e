//! The program behind `cargo xtask compare`: runs the given comparisons, or all of them.

use std::process::ExitCode;

use postgame_bench::GAMES;

fn main() -> ExitCode {
    // Single-threaded unless a comparison uses more threads.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first thing that is done with threads");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut missed = Vec::new();
    for (name, compare) in GAMES {
        if wanted.is_empty() || wanted.iter().any(|game| game == name) {
            println!("{name}");
            missed.extend(
                compare()
                    .into_iter()
                    .map(|claim| format!("{name}: {claim}")),
            );
        }
    }
    if let Some(unknown) = wanted
        .iter()
        .find(|game| GAMES.iter().all(|(name, _)| name != game))
    {
        missed.push(format!("there is no comparison called {unknown}"));
    }
    for claim in &missed {
        eprintln!("MISSED {claim}");
    }
    if missed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
