//! The Rust tests: built once, then run once per Vulkan driver where they use a GPU.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::sh::{self, Sh, sh};
use crate::tally::{Failure, LONG, Tally};
use crate::{paths, progress, setup, timings, wasm};

/// A built test program.
#[derive(Debug, Clone)]
pub struct Suite {
    /// Package and target, such as `pith-engine/kernels`.
    pub name: String,
    executable: PathBuf,
    manifest_dir: PathBuf,
    source: PathBuf,
    full: bool,
    /// The cargo command that runs it, up to the names of tests.
    repeat: String,
}

/// A Vulkan driver, chosen through the loader's own variables.
#[derive(Debug, Clone)]
struct Driver {
    /// As people call it.
    name: &'static str,
    /// Its description file.
    icd: PathBuf,
}

/// Test crates that stand outside the workspace, so that the features they ask of shared crates stay with them.
const APART: [&str; 1] = ["engine/agreement"];

/// Lines of each of the compiler's errors that are told again where tests do not compile.
const SHOWN: usize = 8;

/// After so much no further error is told again.
const SHOWN_BYTES: usize = 2000;

/// Set where the long tests are wanted, too.
pub const FULL: &str = "PITH_FULL";

/// Built tests.
#[derive(Debug, Default)]
pub struct Built {
    /// The programs.
    pub suites: Vec<Suite>,
    /// What clippy says against the code, where it was asked.
    pub lints: Vec<String>,
}

/// Builds every test of the workspace, and those apart from it; `full` has the long ones run. With `lints` clippy compiles them, which
/// is a compiler too: by itself it would have to read all that the tests are built of once more.
pub fn build(full: bool, lints: bool) -> Result<Built> {
    let mut built = Built::default();
    let tests = ["test", "--no-run", "--workspace", "--exclude", "xtask", "--lib", "--bins", "--tests"];
    built.add(sh::cargo().args(tests), lints)?;
    // As programs: they have no tests, and stages run some of them.
    built.add(sh::cargo().args(["build", "--workspace", "--exclude", "xtask", "--examples"]), lints)?;
    // In the profile that it is built in already.
    built.add(sh::cargo().args(["test", "--no-run", "--package", "xtask", "--profile", "xtask"]), lints)?;
    for dir in APART {
        let manifest = paths::root().join(dir).join("Cargo.toml");
        let target = paths::root().join("target/apart");
        let command = sh::cargo().args(["test", "--no-run", "--tests", "--manifest-path"]).arg(manifest);
        built.add(command.arg("--target-dir").arg(target), false)?;
    }
    for suite in &mut built.suites {
        suite.full = full;
    }
    Ok(built)
}

/// Suites that ask nothing of a driver that end to end cases do not ask of Chromium's own: stories of trained models,
/// slices and frames, batches, what is counted.
const ONCE: [&str; 5] = ["real_models::", "generation::", "batches::", "counts::", "memory::"];

/// Compiles every test; a failure for each thing that clippy says.
pub fn compile(full: bool, lints: bool) -> Result<Tally> {
    let found = build(full, lints)?.lints;
    let mut total = Tally::one();
    found.iter().for_each(|lint| total.add(Tally::failed(format!("clippy: {lint}"))));
    Ok(total)
}

/// All suites on the first software driver; with the long suites on the others those that use a GPU. Chromium has the other driver, on
/// which end to end cases run anyway. `only` is a part of the names of tests.
pub fn run_all(suites: &[Suite], full: bool, only: &str, chromium: &Path) -> Result<Tally> {
    let known = [("lavapipe", setup::lavapipe()), ("swiftshader", setup::swiftshader(chromium))];
    let mut total = Tally::default();
    let mut drivers = Vec::new();
    for (name, icd) in known {
        match icd {
            Some(icd) => drivers.push(Driver { name, icd }),
            None => total.add(Tally::skipped(format!("GPU tests on {name}"), "the driver is not installed")),
        }
    }
    let mut runs: Vec<(&Suite, Filter<'_>, Option<&Driver>)> =
        suites.iter().map(|suite| (suite, Filter { only, skip: &[] }, drivers.first())).collect();
    for driver in drivers.iter().skip(1) {
        if !full {
            total.add(Tally::skipped(format!("GPU tests on {} by themselves", driver.name), LONG));
            continue;
        }
        let reason = "Chromium runs such on it, in e2e";
        ONCE.iter().for_each(|name| total.add(Tally::skipped(format!("{name} on {}", driver.name), reason)));
        let of_gpu = suites.iter().filter(|suite| uses_gpu(suite));
        runs.extend(of_gpu.map(|suite| (suite, Filter { only, skip: &ONCE }, Some(driver))));
    }
    // One after the other, each with a thread for every core: so a shader that several use is compiled once and then found in the
    // driver's cache.
    for (suite, filter, driver) in runs {
        let started = Instant::now();
        let tally = run(suite, filter, driver)?;
        let seconds = started.elapsed().as_secs_f64();
        let driver = driver.map_or("the default driver", |driver| driver.name);
        progress::clear();
        println!("  {:<28} {:>4} passed, {driver}, {seconds:.1} s", suite.name, tally.passed);
        total.add(tally);
    }
    Ok(total)
}

/// Compiled by clippy: what is the same but for that is compiled once more.
fn by_clippy(command: Sh) -> Sh {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", "")
}

/// An example of the engine, with the features of the tests, which have compiled it already; `lints` as for [`build`].
pub fn example(name: &str, lints: bool) -> Result<PathBuf> {
    let command =
        sh::cargo().args(["build", "--quiet", "--workspace", "--exclude", "xtask", "--example", name]);
    if lints { by_clippy(command) } else { command }.run()?;
    Ok(wasm::target_dir()?.join("debug/examples").join(name))
}

impl Built {
    fn add(&mut self, mut command: Sh, lints: bool) -> Result<()> {
        let job = progress::job("compiling");
        if lints {
            command = by_clippy(command);
        }
        let mut crates = 0;
        let mut errors = String::new();
        let built = command.args(["--quiet", "--message-format=json"]).lines(|line| {
            let Ok(message) = serde_json::from_str::<Value>(line) else { return };
            crates += usize::from(message["reason"] == "compiler-artifact");
            job.detail(format!("{crates} crates"));
            self.suites.extend(suite(&message));
            let said = &message["message"];
            if let (Some(text), "warning" | "error") =
                (said["rendered"].as_str(), said["level"].as_str().unwrap_or_default())
            {
                progress::clear();
                eprintln!("{text}");
                if said["level"] == "error" && errors.len() < SHOWN_BYTES {
                    errors.extend(text.lines().take(SHOWN).flat_map(|line| ["\n", line]));
                }
                let lint = text.lines().next().unwrap_or_default().to_owned();
                if lints && !self.lints.contains(&lint) {
                    self.lints.push(lint);
                }
            }
        });
        built.map_err(|error| match error {
            Error::Command { command, status, said } => {
                Error::Command { command, status, said: errors + &said }
            }
            other => other,
        })
    }
}

fn suite(message: &Value) -> Option<Suite> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let executable = PathBuf::from(message["executable"].as_str()?);
    let manifest_dir = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let package = manifest_dir.file_name()?.to_string_lossy().into_owned();
    let target = message["target"]["name"].as_str()?;
    let is_lib = message["target"]["kind"][0] == "lib" || message["target"]["kind"][0] == "cdylib";
    let name = if is_lib { package } else { format!("{package}/{target}") };
    let source = PathBuf::from(message["target"]["src_path"].as_str()?);
    let kind = if is_lib {
        "--lib".to_owned()
    } else {
        format!("--{} {target}", word(&message["target"]["kind"][0]))
    };
    let manifest = manifest_dir.join("Cargo.toml");
    let manifest = manifest.strip_prefix(paths::root()).unwrap_or(&manifest).display();
    let repeat = format!("cargo test --manifest-path {manifest} {kind}");
    Some(Suite { name, executable, manifest_dir, source, full: false, repeat })
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Whether a suite is worth running once more on another driver: one of an area whose sources speak of WebGPU.
fn uses_gpu(suite: &Suite) -> bool {
    let Some(folder) = suite.source.parent().filter(|_| suite.source.ends_with("main.rs")) else {
        return false;
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut sources = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
    folder.parent().is_some_and(|parent| parent.ends_with("tests"))
        && sources.any(|source| source.contains("webgpu"))
}

/// Which tests of a suite run, by parts of their names.
#[derive(Debug, Clone, Copy, Default)]
struct Filter<'a> {
    /// Only those that have it in their name; all where it is empty.
    only: &'a str,
    /// Those that have none of these.
    skip: &'a [&'a str],
}

/// Runs a suite; `driver` is the Vulkan driver.
fn run(suite: &Suite, filter: Filter<'_>, driver: Option<&Driver>) -> Result<Tally> {
    let mut command =
        sh(&suite.executable).dir(&suite.manifest_dir).env("CARGO_MANIFEST_DIR", &suite.manifest_dir);
    // Mesa's software drivers spend most of the time in LLVM, which makes code here that runs once.
    command = command.env("GALLIVM_PERF", "nopt");
    // Vulkan's loader complains where no desktop session has set this.
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        command = command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    }
    if let Some(driver) = driver {
        let icd = OsString::from(&driver.icd);
        // The newer and the older name of the same variable.
        command = command.env("VK_DRIVER_FILES", &icd).env("VK_ICD_FILENAMES", &icd);
    }
    if suite.full {
        command = command.env(FULL, "1");
    }
    if !filter.only.is_empty() {
        command = command.arg(filter.only);
    }
    for name in filter.skip {
        command = command.args(["--skip", name]);
    }
    let started = Instant::now();
    let output = command.arg("--show-output").output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut tally = tally(&format!("{stdout}\n{stderr}"));
    let driver = driver.map(|driver| format!(" on {}", driver.name)).unwrap_or_default();
    timings::program(&format!("{}{driver}", suite.name), &suite.executable, started.elapsed().as_secs_f64());
    for failure in &mut tally.failures {
        failure.repeat = format!("{} -- --exact {}", suite.repeat, failure.what);
        failure.what = format!("{} {}{driver}", suite.name, failure.what);
    }
    if !output.status.success() {
        progress::clear();
        eprint!("{stdout}{stderr}");
        if tally.failed == 0 {
            tally.add(Tally::failed(format!("{} ended with {}{driver}", suite.name, output.status)));
        }
    }
    Ok(tally)
}

/// Runs the examples in documentation. Compiling takes minutes, so not where there are none.
pub fn run_docs() -> Result<Tally> {
    let search =
        ["-rlE", r"^\s*//[/!] ```", "--include=*.rs", "--exclude-dir=target", "engine", "worker", "xtask"];
    // Status 1: nothing was found.
    if sh::sh("grep").args(search).output().is_ok_and(|output| output.status.code() == Some(1)) {
        return Ok(Tally::skipped("", "there are no examples in documentation"));
    }
    let output = sh::cargo().args(["test", "--workspace", "--doc", "--quiet"]).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(tally(&stdout));
    }
    progress::clear();
    eprint!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    Err(Error::Check("the examples in documentation fail".into()))
}

/// Counts from libtest's summaries. A test that must leave something out prints `skipped: reason`, one that chooses
/// among sets of data prints `using: which`; those lines are kept.
fn tally(text: &str) -> Tally {
    let mut tally = Tally::default();
    for line in text.lines().map(str::trim) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            let count = |word: &str| {
                let before = counts.split(word).next().filter(|before| before.len() < counts.len());
                before
                    .and_then(|before| before.split_whitespace().last())
                    .and_then(|n| n.parse().ok())
                    .unwrap_or(0)
            };
            tally.passed += count(" passed");
            tally.failed += count(" failed");
            tally.skipped += count(" ignored");
        } else if let Some(name) =
            line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED"))
        {
            tally.failures.push(Failure { what: name.to_owned(), ..Failure::default() });
        } else if let Some(reason) = line.strip_prefix("skipped: ") {
            tally.add(Tally::skipped("", reason));
        } else if line.starts_with("using: ") {
            tally.add(Tally { notes: vec![line.to_owned()], ..Tally::default() });
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Skip;

    #[test]
    fn counts_come_from_the_summary_and_notes_from_the_output() {
        let text = "running 3 tests\ntest far::off ... FAILED\ntest near ... ok\nskipped: no adapter\nusing: the core set\nskipped: no adapter\n\n\
            test result: ok. 12 passed; 1 failed; 2 ignored; 0 measured; 4 filtered out; finished in 0.00s\n\
            test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let notes = vec!["using: the core set".to_owned()];
        let skips = vec![Skip { what: String::new(), reason: "no adapter".to_owned() }];
        let failures = vec![Failure { what: "far::off".to_owned(), ..Failure::default() }];
        let want = Tally { passed: 15, failed: 1, skipped: 4, notes, skips, failures };
        assert_eq!(tally(text), want);
    }
}
