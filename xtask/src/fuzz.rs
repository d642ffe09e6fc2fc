//! `cargo xtask fuzz`: the targets of engine/fuzz and worker/fuzz under libFuzzer, on stable Rust.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};
use crate::sh;
use crate::tally::Tally;
use crate::{paths, progress, side_by_side};

const USAGE: &str = "cargo xtask fuzz [TARGET] [--seconds N | --runs N]";
/// Folders with crates of targets.
const CRATES: [&str; 2] = [WORKSPACE, "worker/fuzz"];
/// The one of them whose manifest is that of both.
const WORKSPACE: &str = "engine/fuzz";
/// What cargo-fuzz passes to rustc without a sanitizer: coverage of edges and of comparisons, and checks that releases leave out.
const RUSTFLAGS: [&str; 9] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
    "-Coverflow-checks",
    "--cfg=fuzzing",
];
/// An input that takes longer has found a loop; one that needs more memory has found an unbounded allocation.
const INPUT_SECONDS_MAX: u32 = 5;
const MEMORY_MIB_MAX: u32 = 1024;

/// How long each target runs.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// Seconds.
    Seconds(u64),
    /// Inputs.
    Runs(u64),
}

struct Target {
    name: String,
    /// Inputs that are kept: those that once found something, and seeds.
    corpus: PathBuf,
    /// Words that inputs are made of; a file that need not be there.
    words: PathBuf,
}

/// The verb.
pub fn verb(args: &[String]) -> Result<()> {
    let (mut only, mut length) = (None, Length::Seconds(60));
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().and_then(|value| value.parse().ok());
            value.ok_or_else(|| Error::Usage(USAGE.into()))
        };
        match arg.as_str() {
            "--seconds" => length = Length::Seconds(number()?),
            "--runs" => length = Length::Runs(number()?),
            name if !name.starts_with('-') && only.is_none() => only = Some(name.to_owned()),
            _ => return Err(Error::Usage(USAGE.into())),
        }
    }
    let tally = run(only.as_deref(), length)?;
    println!("{} passed, {} failed, {} skipped", tally.passed, tally.failed, tally.skipped);
    if tally.failed == 0 { Ok(()) } else { Err(Error::Reported) }
}

/// Runs every target, or the one that is named.
pub fn run(only: Option<&str>, length: Length) -> Result<Tally> {
    if !cfg!(target_os = "linux") {
        return Ok(Tally::skipped("fuzz targets", "they are built with what libFuzzer needs on Linux"));
    }
    if sh::which("c++").is_none() {
        sh::apt_install(&["g++"])?;
    }
    let targets: Vec<Target> =
        targets()?.into_iter().filter(|t| only.is_none_or(|only| only == t.name)).collect();
    if targets.is_empty() {
        return Err(Error::Usage(format!("no such target\n\n{USAGE}")));
    }
    let folder = build(&targets)?;
    // Each keeps one core busy.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut total = Tally::default();
    for (target, ran) in side_by_side::each(&targets, cores, |target| (target, target.run(&folder, length))) {
        let failed = |error| Tally::failed(format!("fuzz target {}: {error}", target.name));
        total.add(ran.map_or_else(failed, |()| Tally::one()));
    }
    Ok(total)
}

/// Whether the targets compile, without the instructions for libFuzzer.
pub fn check() -> Result<()> {
    sh::cargo()
        .args(["check", "--quiet", "--workspace", "--bins", "--manifest-path"])
        .arg(paths::root().join(WORKSPACE).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(paths::root().join("target/fuzz"))
        .run()
}

/// Builds the targets, with the instructions for libFuzzer. Returns the folder of the binaries.
fn build(targets: &[Target]) -> Result<PathBuf> {
    let job = progress::job("fuzz");
    job.detail("build".to_owned());
    let folder = paths::root().join("target/fuzz");
    let compiler = sh::sh("rustc").arg("-vV").ask().unwrap_or_default();
    let host = compiler.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Error::Check("rustc does not name its host".into()))?;
    // With a target of its own, build scripts and macros are built without coverage.
    sh::cargo()
        .args(["build", "--quiet", "--release", "--target", host, "--workspace"])
        .args(targets.iter().flat_map(|target| ["--bin", &target.name]))
        .arg("--manifest-path")
        .arg(paths::root().join(WORKSPACE).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        .env("CARGO_ENCODED_RUSTFLAGS", RUSTFLAGS.join("\u{1f}"))
        .run()?;
    Ok(folder.join(host).join("release"))
}

fn targets() -> Result<Vec<Target>> {
    let mut all = Vec::new();
    for name in CRATES {
        let dir = paths::root().join(name);
        let folder = dir.join("fuzz_targets");
        let text = at(&dir, std::fs::read_to_string(dir.join("Cargo.toml")))?;
        for entry in at(&folder, std::fs::read_dir(&folder))?.flatten() {
            let name = entry.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
            // Other files are modules that targets share.
            if text.contains(&format!("path = \"fuzz_targets/{name}.rs\"")) {
                let corpus = dir.join("corpus").join(&name);
                let words = dir.join(&name).with_extension("dict");
                all.push(Target { name, corpus, words });
            }
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

impl Target {
    fn run(&self, folder: &Path, length: Length) -> Result<()> {
        let job = progress::job("fuzz");
        job.detail(self.name.clone());
        let build = paths::root().join("target/fuzz");
        // What is found on the way goes to a folder that is not kept; the seeds are read.
        let found = build.join("corpus").join(&self.name);
        for folder in [&found, &self.corpus] {
            at(folder, std::fs::create_dir_all(folder))?;
        }
        let artifacts = build.join("artifacts").join(format!("{}-", self.name));
        at(&build, std::fs::create_dir_all(build.join("artifacts")))?;
        let limit = match length {
            Length::Seconds(seconds) => format!("-max_total_time={seconds}"),
            Length::Runs(runs) => format!("-runs={runs}"),
        };
        let output = sh::sh(folder.join(&self.name))
            .args([limit, format!("-timeout={INPUT_SECONDS_MAX}"), format!("-rss_limit_mb={MEMORY_MIB_MAX}")])
            .args(["-print_final_stats=1", "-max_len=4096"])
            .arg(format!("-artifact_prefix={}", artifacts.display()))
            .args(self.words.exists().then(|| format!("-dict={}", self.words.display())))
            .args([&found, &self.corpus])
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            progress::clear();
            eprintln!("{said}");
            return Err(Error::Check("an input fails; it lies in target/fuzz/artifacts".into()));
        }
        let stat = |key: &str| {
            let line = said.lines().rev().find_map(|line| line.strip_prefix(&format!("stat::{key}:")));
            line.unwrap_or_default().trim().to_owned()
        };
        progress::clear();
        println!(
            "  {:<16} {:>10} runs, {} MiB at most",
            self.name,
            stat("number_of_executed_units"),
            stat("peak_rss_mb")
        );
        Ok(())
    }
}
