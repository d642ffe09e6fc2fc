//! `cargo xtask test`: everything that must hold, in stages, cheapest first. Ends at the first stage that fails.

use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::setup::{self, Tools};
use crate::sh::{self, node_script, sh, which};
use crate::suites::{self, Driver, Suite, Tally};
use crate::toolchain::{TARGET, Toolchain};
use crate::{package, paths, say, shaders, wasm, web};

struct Run {
    tools: Tools,
    total: Tally,
}

type Stage = (&'static str, fn(&Run) -> Result<Tally>);

const STAGES: [Stage; 11] = [
    ("format", format),
    ("clippy", clippy),
    ("clippy-wasm", clippy_wasm),
    ("rust", rust),
    ("docs", |_| suites::run_docs()),
    ("shaders", |run| shaders::check(&run.tools, true).map(|()| Tally::one())),
    ("wasm", build_wasm),
    ("build", |_| web::build().map(|()| Tally::one())),
    ("types", types),
    ("npm", npm_tests),
    ("e2e", e2e),
];

/// Runs all stages, or those that `--only a,b` names.
pub fn run(args: &[String]) -> Result<()> {
    let only = only(args)?;
    let started = Instant::now();
    println!("setup");
    let mut run = Run { tools: setup::run()?, total: Tally::default() };
    match paths::reference() {
        Some(dir) => say::note("data", &format!("reference set: {}", dir.display())),
        None => say::note("data", "no reference set"),
    }
    println!("  {:.0} s", started.elapsed().as_secs_f64());
    let outcome = stages(&mut run, &only);
    let Tally { passed, failed, skipped, .. } = run.total;
    if let Err(error) = &outcome {
        eprintln!("\nerror ({}): {error}", error.code());
    }
    println!("\n{:.0} s in all", started.elapsed().as_secs_f64());
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    outcome.map_err(|_| Error::Reported)
}

fn only(args: &[String]) -> Result<Vec<String>> {
    let names: Vec<&str> = STAGES.iter().map(|(name, _)| *name).collect();
    let chosen: Vec<String> = match args {
        [] => names.iter().map(ToString::to_string).collect(),
        [flag, list] if flag == "--only" => list.split(',').map(str::to_owned).collect(),
        _ => return Err(Error::Usage(format!("cargo xtask test [--only {}]", names.join(",")))),
    };
    match chosen.iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(Error::Usage(format!("no stage `{name}`; there are {}", names.join(", ")))),
        None => Ok(chosen),
    }
}

fn stages(run: &mut Run, only: &[String]) -> Result<()> {
    for (name, stage) in STAGES.iter().filter(|(name, _)| only.iter().any(|wanted| wanted == name)) {
        println!("{name}");
        let started = Instant::now();
        let outcome = stage(run);
        let tally = match &outcome {
            Ok(tally) => tally.clone(),
            Err(_) => Tally { failed: 1, ..Tally::default() },
        };
        for note in &tally.notes {
            println!("  {note}");
        }
        let Tally { passed, failed, skipped, .. } = tally;
        println!(
            "  {passed} passed, {failed} failed, {skipped} skipped in {:.0} s",
            started.elapsed().as_secs_f64()
        );
        run.total.add(tally);
        outcome?;
        if failed > 0 {
            return Err(Error::Check(format!("{failed} failed in stage `{name}`")));
        }
    }
    Ok(())
}

/// Adds a component of the toolchain; false where that is impossible.
fn has_component(name: &str) -> bool {
    let works = || sh::cargo().args([name, "--version"]).ask().is_some();
    let component = if name == "fmt" { "rustfmt" } else { name };
    works()
        || (which("rustup").is_some()
            && sh("rustup").args(["component", "add", component]).ask().is_some()
            && works())
}

fn format(_: &Run) -> Result<Tally> {
    if !has_component("fmt") {
        return Ok(Tally::skipped("rustfmt is not installed, and rustup could not add it"));
    }
    sh::cargo().args(["fmt", "--all", "--check"]).quiet()?;
    // Modules that a registry declares are not found by cargo fmt.
    for dir in ["engine/src/formats", "engine/src/models"] {
        let dir = paths::root().join(dir);
        let files = at(&dir, std::fs::read_dir(&dir))?.flatten().map(|entry| entry.path());
        let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
        sh("rustfmt").args(["--edition", "2024", "--check"]).args(files).quiet()?;
    }
    Ok(Tally::one())
}

fn clippy(_: &Run) -> Result<Tally> {
    if !has_component("clippy") {
        return Ok(Tally::skipped("clippy is not installed, and rustup could not add it"));
    }
    let clippy = sh::cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-Dwarnings"]);
    clippy.run().map(|()| Tally::one())
}

fn clippy_wasm(run: &Run) -> Result<Tally> {
    if !matches!(run.tools.toolchain, Toolchain::Own) || !has_component("clippy") {
        return Ok(Tally::skipped("no clippy for wasm32 here: the target comes from another toolchain"));
    }
    let clippy =
        sh::cargo().args(["clippy", "--package", "pith-worker", "--lib", "--target", TARGET, "--quiet"]);
    clippy.args(["--", "-Dwarnings"]).run().map(|()| Tally::one())
}

/// Suites that ask nothing of a driver that end to end cases do not ask of Chromium's own: stories of trained models,
/// slices and frames, batches, what is counted.
const ONCE: [&str; 5] =
    ["engine/real_models", "engine/generation", "engine/batches", "engine/counts", "engine/memory"];

/// All tests on the first software driver; on the others those that use a GPU. Side by side, because what takes time is
/// a driver's compiler, which keeps one core busy.
fn rust(run: &Run) -> Result<Tally> {
    let suites = suites::build()?;
    let mut drivers = Vec::new();
    if let Some(icd) = setup::lavapipe() {
        drivers.push(Driver { name: "lavapipe", icd });
    }
    if let Some(icd) = setup::swiftshader(&run.tools.chromium) {
        drivers.push(Driver { name: "swiftshader", icd });
    }
    let mut total = Tally::default();
    for name in ["lavapipe", "swiftshader"] {
        if !drivers.iter().any(|driver| driver.name == name) {
            total.add(Tally::skipped(&format!("GPU tests on {name}, which is not installed")));
        }
    }
    let tallies: Vec<Result<Tally>> = std::thread::scope(|scope| {
        let others = drivers.iter().skip(1).map(|driver| scope.spawn(|| run_again(&suites, driver)));
        let others: Vec<_> = others.collect();
        let first = run_all(&suites, drivers.first());
        let panicked = |_| Err(Error::Check("running tests panicked".into()));
        let others = others.into_iter().map(|thread| thread.join().unwrap_or_else(panicked));
        std::iter::once(first).chain(others).collect()
    });
    for tally in tallies {
        total.add(tally?);
    }
    Ok(total)
}

fn run_all(suites: &[Suite], driver: Option<&Driver>) -> Result<Tally> {
    let mut total = Tally::default();
    for suite in suites {
        total.add(run_one(suite, "", driver)?);
    }
    Ok(total)
}

/// Those that use a GPU.
fn run_again(suites: &[Suite], driver: &Driver) -> Result<Tally> {
    let mut total = Tally::default();
    for suite in suites {
        let Some(filter) = suites::gpu_filter(suite) else { continue };
        total.add(if ONCE.contains(&suite.name.as_str()) {
            Tally::skipped(&format!("{} on {}: Chromium runs such on it, in e2e", suite.name, driver.name))
        } else {
            run_one(suite, filter, Some(driver))?
        });
    }
    Ok(total)
}

fn run_one(suite: &Suite, filter: &str, driver: Option<&Driver>) -> Result<Tally> {
    let started = Instant::now();
    let tally = suites::run(suite, filter, driver)?;
    let driver = driver.map_or("the default driver", |driver| driver.name);
    let seconds = started.elapsed().as_secs_f64();
    println!("  {:<28} {:>4} passed, {driver}, {seconds:.1} s", suite.name, tally.passed);
    Ok(tally)
}

fn build_wasm(run: &Run) -> Result<Tally> {
    wasm::build(&run.tools.toolchain)?;
    package::check_wasm_size().map(|()| Tally::one())
}

fn types(_: &Run) -> Result<Tally> {
    let mut total = Tally::default();
    for workspace in web::WORKSPACES {
        web::script_in(workspace, "check", &[])?;
        total.add(Tally::one());
    }
    Ok(total)
}

fn npm_tests(_: &Run) -> Result<Tally> {
    let mut total = Tally::default();
    for workspace in ["web", "extension"] {
        let report = paths::cache().join(format!("{workspace}-tests.json"));
        let output = format!("--outputFile.json={}", report.display());
        web::script_in(workspace, "test", &["--reporter=default", "--reporter=json", &output])?;
        let report = read_json(&report)?;
        let count = |key: &str| report[key].as_u64().unwrap_or(0);
        total.add(Tally {
            passed: count("numPassedTests"),
            failed: count("numFailedTests"),
            skipped: count("numPendingTests") + count("numTodoTests"),
            notes: Vec::new(),
        });
    }
    Ok(total)
}

fn e2e(run: &Run) -> Result<Tally> {
    let dir = paths::root().join("e2e");
    let report = dir.join("results/report.json");
    let outcome = node_script("@playwright/test/cli.js")
        .arg("test")
        .dir(&dir)
        .env("PITH_CHROME", &run.tools.chromium)
        .run();
    let stats = read_json(&report)?["stats"].clone();
    let count = |key: &str| stats[key].as_u64().unwrap_or(0);
    let tally = Tally {
        passed: count("expected"),
        failed: count("unexpected") + count("flaky"),
        skipped: count("skipped"),
        notes: Vec::new(),
    };
    if tally.failed == 0 {
        outcome?;
    }
    Ok(tally)
}

fn read_json(path: &std::path::Path) -> Result<Value> {
    let text = at(path, std::fs::read_to_string(path))?;
    serde_json::from_str(&text).map_err(|error| Error::Check(format!("{}: {error}", path.display())))
}
