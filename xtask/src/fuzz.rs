//! `cargo xtask fuzz`: builds every fuzz target once and runs all of them, or one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tools::{Result, root, step, tool};

/// The version of cargo-fuzz to install if there is none.
const CARGO_FUZZ: &str = "0.13.2";
/// Maximum length of an input, in bytes: four times the largest seed.
const MAX_INPUT_BYTES: u32 = 8192;
/// Time limit for an input, in seconds; ordinary ones take less than a millisecond. A slower input is a finding.
const MAX_RUN_S: u32 = 10;
/// Memory limit for an input, in megabytes. An input that takes more is a finding.
const MAX_MEMORY_MB: u32 = 2048;

/// How to fuzz.
#[derive(clap::Args)]
pub struct Options {
    /// How long each target runs, in minutes
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Find errors in C code too, with the address sanitizer; several times slower
    #[arg(long)]
    asan: bool,
    /// Run the targets again and again until interrupted
    #[arg(long)]
    forever: bool,
    /// Append the figures of each run to this file
    #[arg(long)]
    log: Option<PathBuf>,
    /// The target; all of them by default
    target: Option<String>,
}

/// The result of one run of a target.
struct Figures {
    runs: u64,
    seconds: f64,
    findings: usize,
}

/// Runs the targets.
pub fn run(options: &Options) -> Result {
    let targets = targets()?;
    let programs = build(options.asan)?;
    let chosen = |name: &str| {
        options
            .target
            .as_deref()
            .is_none_or(|target| target == name)
    };
    let targets: Vec<_> = targets.iter().filter(|name| chosen(name)).collect();
    if targets.is_empty() {
        let name = options.target.as_deref().unwrap_or_default();
        return Err(format!("{name} is not a target"));
    }
    let mut findings = 0;
    loop {
        let (mut runs, mut seconds) = (0, 0.0);
        println!(
            "{:16} {:>12} {:>8} {:>10} {:>8}",
            "target", "runs", "seconds", "runs/s", "findings"
        );
        for name in &targets {
            let figures = fuzz(&programs.join(name), name, options.minutes)?;
            print(name, &figures, options.log.as_deref())?;
            runs += figures.runs;
            seconds += figures.seconds;
            findings += figures.findings;
        }
        print(
            "total",
            &Figures {
                runs,
                seconds,
                findings,
            },
            options.log.as_deref(),
        )?;
        if !options.forever {
            break;
        }
    }
    match findings {
        0 => Ok(()),
        _ => Err(format!("{findings} findings are in fuzz/regressions")),
    }
}

fn print(name: &str, figures: &Figures, log: Option<&Path>) -> Result {
    let Figures {
        runs,
        seconds,
        findings,
    } = figures;
    let rate = *runs as f64 / seconds.max(0.001);
    let line = format!("{name:16} {runs:>12} {seconds:>8.0} {rate:>10.0} {findings:>8}");
    println!("{line}");
    let Some(log) = log else {
        return Ok(());
    };
    let failed = |error| format!("{}: {error}", log.display());
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .map_err(failed)?;
    std::io::Write::write_all(&mut file, format!("{line}\n").as_bytes()).map_err(failed)
}

/// The targets: the programs in `fuzz/fuzz_targets`.
fn targets() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let failed = |error| format!("{}: {error}", folder.display());
    let files = fs::read_dir(&folder).map_err(failed)?;
    let names = files.filter_map(|file| Some(file.ok()?.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// The dictionary of a target: that of the first word of its name, or the one for files of any format.
fn dictionary(name: &str) -> PathBuf {
    let dictionaries = root().join("fuzz/dictionaries");
    let first = name.split('_').next().unwrap_or(name);
    let own = dictionaries.join(format!("{first}.dict"));
    if own.is_file() {
        return own;
    }
    dictionaries.join("files.dict")
}

/// Builds all targets; returns the folder with the programs.
fn build(has_asan: bool) -> Result<PathBuf> {
    let cargo_fuzz = tool("cargo-fuzz", CARGO_FUZZ)?;
    let sanitizer = if has_asan { "address" } else { "none" };
    let target = root().join("fuzz/target").join(sanitizer);
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new(cargo_fuzz);
    command
        .args([
            "build",
            "--release",
            "--sanitizer",
            sanitizer,
            "--target",
            &triple,
            // Dictionaries contain the words that tracing comparisons would find, and leave more than half of the time.
            "--no-trace-compares",
            "--target-dir",
        ])
        .arg(&target)
        .current_dir(root().join("fuzz"))
        // Instrumentation needs options that a stable compiler has but does not guarantee.
        .env("RUSTC_BOOTSTRAP", "1");
    step("building the targets", &mut command)?;
    Ok(target.join(triple).join("release"))
}

/// Runs a target for some time. Each finding is minimised and becomes a regression file.
fn fuzz(program: &Path, name: &str, minutes: f64) -> Result<Figures> {
    let fuzz = root().join("fuzz");
    let (corpus, artifacts) = (
        fuzz.join("corpus").join(name),
        fuzz.join("artifacts").join(name),
    );
    for folder in [&corpus, &artifacts] {
        fs::create_dir_all(folder).map_err(|error| format!("{name}: {error}"))?;
    }
    let output = program_of(program, &artifacts)
        .arg(format!("-dict={}", dictionary(name).display()))
        // It writes its seeds there before it reads them.
        .env("POSTGAME_FUZZ_SEEDS", &corpus)
        .arg(format!(
            "-max_total_time={}",
            (minutes * 60.0).max(1.0) as u64
        ))
        .arg(format!("-max_len={MAX_INPUT_BYTES}"))
        .arg("-print_final_stats=1")
        .arg(&corpus)
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let figure = |start: &str| {
        let line = text.lines().rev().find_map(|line| line.strip_prefix(start));
        line.and_then(|rest| rest.trim().parse::<f64>().ok())
    };
    let runs = figure("stat::number_of_executed_units:").unwrap_or(0.0);
    let rate = figure("stat::average_exec_per_sec:").unwrap_or(0.0);
    let mut findings = 0;
    for entry in fs::read_dir(&artifacts)
        .map_err(|error| format!("{name}: {error}"))?
        .flatten()
    {
        findings += 1;
        keep(program, name, &entry.path())?;
    }
    if !output.status.success() && findings == 0 {
        let last: Vec<&str> = text.lines().rev().take(5).collect();
        return Err(format!(
            "{name} failed without a finding: {}",
            last.join(" / ")
        ));
    }
    let seconds = if rate > 0.0 { runs / rate } else { 0.0 };
    Ok(Figures {
        runs: runs as u64,
        seconds,
        findings,
    })
}

/// Minimises a finding, within a minute, and adds it to the regressions.
fn keep(program: &Path, name: &str, finding: &Path) -> Result {
    let folder = root().join("fuzz/regressions").join(name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let kept = folder.join(finding.file_name().unwrap_or_default());
    let artifacts = finding.parent().unwrap_or(finding);
    let minimised = program_of(program, artifacts)
        .args(["-minimize_crash=1", "-max_total_time=60"])
        .arg(format!("-exact_artifact_path={}", kept.display()))
        .arg(finding)
        .stderr(Stdio::null())
        .status();
    if minimised.is_err() || !kept.is_file() {
        fs::copy(finding, &kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    }
    fs::remove_file(finding).map_err(|error| format!("{}: {error}", finding.display()))?;
    println!("finding: {}", kept.display());
    Ok(())
}

/// A target's program with the limits that every run has.
fn program_of(program: &Path, artifacts: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-timeout={MAX_RUN_S}"))
        .arg(format!("-rss_limit_mb={MAX_MEMORY_MB}"))
        // One of the address sanitizer's checks mistakes libdeflate's tables for an error.
        .env("ASAN_OPTIONS", "detect_odr_violation=0")
        .stdout(Stdio::null());
    command
}
