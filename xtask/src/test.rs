//! `cargo xtask test`: everything that must hold, in stages, cheapest first. A stage that fails does not keep the others
//! from running, but for those that need what it makes.

use std::sync::OnceLock;
use std::time::Instant;

use crate::cases::{self, list, read_json, word};
use crate::error::{Error, Result, at};
use crate::schedule::{self, Stage};
use crate::setup::{self, Scope, Tools};
use crate::sh::{self, sh, which};
use crate::suites::{self, Built};
use crate::tally::{Failure, LONG, Tally, last_lines};
use crate::toolchain::{self, TARGET, Toolchain};
use crate::wasm::Modules;
use crate::web::Extent;
use crate::{
    check, forward, fuzz, llama_server, package, paths, progress, quality, say, shaders, smollm2, store,
    supply, timings, wasm, web,
};

const USAGE: &str = "cargo xtask test [--only STAGE,STAGE] [--case NAME] [--full] [--timings]";

/// What stages work with.
struct Run {
    toolchain: Toolchain,
    tools: OnceLock<Tools>,
    /// Whether the long suites run too.
    full: bool,
    /// Whether clippy runs by itself, as a stage that was asked for by name.
    is_clippy_apart: bool,
    /// Only tests and cases that have it in their name; all where it is empty.
    case: String,
}

impl Run {
    /// Whether clippy compiles what is tested. A stage that is asked for by name says of the code what the whole run says.
    fn lints(&self) -> bool {
        !self.is_clippy_apart && has_component("clippy")
    }

    /// What is built.
    fn extent(&self) -> Extent {
        if self.full { Extent::All } else { Extent::Tested }
    }

    /// What the stage `setup` has found.
    fn tools(&self) -> Result<&Tools> {
        self.tools.get().ok_or_else(|| Error::Check("the stage setup failed".into()))
    }
}

/// How long each fuzz target runs, beside its corpus.
const FUZZ_SECONDS: u64 = 6;
/// With the long suites.
const FUZZ_SECONDS_LONG: u64 = 60;

const fn stage(
    name: &'static str,
    needs: &'static [&'static str],
    run: fn(&Run) -> Result<Tally>,
) -> Stage<Run> {
    Stage { name, run, needs, left_out: "", is_alone: false }
}

/// Runs with the long suites, and where it is named.
const fn long(name: &'static str, run: fn(&Run) -> Result<Tally>) -> Stage<Run> {
    Stage { left_out: LONG, ..stage(name, &["setup"], run) }
}

/// Always runs: the others work with what it finds.
const SETUP: Stage<Run> = stage("setup", &[], set_up);

/// In two lanes: compilers beside downloads, then what needs one core beside what needs the other. Cases in browsers come last, and
/// alone.
const STAGES: [Stage<Run>; 22] = [
    stage("compile", &[], compile),
    stage("format", &["setup"], format),
    stage("lint", &["setup"], |_| web::script("lint").map(|()| Tally::one())),
    stage("clippy", &["setup"], clippy),
    long("clippy-wasm", clippy_wasm),
    long("msrv", oldest_rust),
    stage("supply", &["setup"], |_| supply::check()),
    stage("wasm", &["setup"], build_wasm),
    stage("build", &["setup", "wasm"], |run| web::build(run.extent()).map(|()| Tally::one())),
    stage("types", &["build"], types),
    stage("npm", &["build"], npm_tests),
    stage("rust", &["setup", "compile"], rust),
    stage("quality", &["setup", "compile"], |run| quality::check(run.full, run.lints())),
    stage("shaders", &["setup", "compile"], |run| {
        shaders::check(run.tools()?, true, run.lints()).map(|()| Tally::one())
    }),
    stage("docs", &["compile"], |_| suites::run_docs()),
    stage("fuzz", &["setup"], |run| {
        let seconds = if run.full { FUZZ_SECONDS_LONG } else { FUZZ_SECONDS };
        fuzz::run(None, fuzz::Length::Seconds(seconds))
    }),
    stage("web-ext", &["build"], |_| store::lint()),
    stage("packages", &["build"], packages),
    // Into the folder that packages empty.
    stage("site", &["build", "packages"], |_| web::build_docs().map(|()| Tally::one())),
    stage("reading", &["build"], reading),
    stage("wpt", &["build"], wpt),
    Stage { is_alone: true, ..stage("e2e", &["build"], e2e) },
];

/// Runs all stages, or those that `--only a,b` names.
pub fn run(args: &[String]) -> Result<()> {
    let Chosen { stages, full, is_clippy_apart, case, timings } = chosen(args)?;
    let started = Instant::now();
    check::refuse_missing(Scope::Tests)?;
    if timings {
        timings::begin(&wasm::target_dir()?)?;
    }
    let run = Run { toolchain: toolchain::ensure()?, tools: OnceLock::new(), full, is_clippy_apart, case };
    say::note("data", &format!("reference set: {}", paths::reference().display()));
    let shown = progress::show(0);
    let outcomes = schedule::run(&stages, &run);
    drop(shown);
    if timings {
        timings::print()?;
    }
    for line in last_lines(&outcomes, started.elapsed().as_secs_f64()) {
        println!("{line}");
    }
    if outcomes.iter().all(|outcome| outcome.tally.failed == 0) { Ok(()) } else { Err(Error::Reported) }
}

/// What the command line asks for.
struct Chosen {
    stages: Vec<Stage<Run>>,
    full: bool,
    is_clippy_apart: bool,
    case: String,
    timings: bool,
}

fn chosen(args: &[String]) -> Result<Chosen> {
    let (mut wanted, mut case, mut full, mut timings) = (None, String::new(), false, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| Error::Usage(USAGE.into()));
        match arg.as_str() {
            "--full" => full = true,
            "--timings" => timings = true,
            "--case" => case = value()?,
            "--only" => wanted = Some(value()?.split(',').map(str::to_owned).collect::<Vec<_>>()),
            _ => return Err(Error::Usage(USAGE.into())),
        }
    }
    let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
    let unknown = wanted.iter().flatten().find(|name| !names.contains(&name.as_str()));
    if let Some(name) = unknown {
        return Err(Error::Usage(format!("no stage `{name}`; there are {}", names.join(", "))));
    }
    let is_named = wanted.is_some();
    let is_wanted =
        |stage: &Stage<Run>| wanted.as_ref().is_none_or(|names| names.iter().any(|name| name == stage.name));
    let runs = |stage: Stage<Run>| if full || is_named { Stage { left_out: "", ..stage } } else { stage };
    let stages = std::iter::once(SETUP).chain(STAGES.into_iter().filter(is_wanted)).map(runs).collect();
    let is_clippy_apart = wanted.iter().flatten().any(|name| name == "clippy");
    Ok(Chosen { stages, full, is_clippy_apart, case, timings })
}

/// Installs what is missing.
fn set_up(run: &Run) -> Result<Tally> {
    let tools = setup::install(Scope::Tests, &run.toolchain)?;
    // Stages run once.
    let _ = run.tools.set(tools);
    Ok(Tally::one())
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

/// Rust by rustfmt, TypeScript by prettier.
fn format(_: &Run) -> Result<Tally> {
    let mut total = rust_format()?;
    let typescript = web::script("format:check");
    total.add(typescript.map_or_else(|_| Tally::failed("TypeScript: npm run format"), |()| Tally::one()));
    Ok(total)
}

fn rust_format() -> Result<Tally> {
    if !has_component("fmt") {
        return Ok(Tally::skipped("", "rustfmt is not installed, and rustup could not add it"));
    }
    sh::cargo().args(["fmt", "--all", "--check"]).quiet()?;
    // Modules that a registry declares are not found by cargo fmt.
    for dir in ["engine/compute/src/formats", "engine/compute/src/kernels", "engine/src/models"] {
        let dir = paths::root().join(dir);
        let files = at(&dir, std::fs::read_dir(&dir))?.flatten().map(|entry| entry.path());
        // A step is a folder.
        let files = files.map(|path| if path.is_dir() { path.join("mod.rs") } else { path });
        let files = files
            .filter(|file| file.is_file() && file.extension().is_some_and(|extension| extension == "rs"));
        sh("rustfmt").args(["--edition", "2024", "--check"]).args(files).quiet()?;
    }
    Ok(Tally::one())
}

fn clippy(run: &Run) -> Result<Tally> {
    if run.lints() {
        return Ok(Tally {
            notes: vec!["in the stage compile, which compiles the same".into()],
            ..Tally::default()
        });
    }
    if !has_component("clippy") {
        return Ok(Tally::skipped("", "clippy is not installed, and rustup could not add it"));
    }
    let clippy = sh::cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-Dwarnings"]);
    clippy.run()?;
    // What the stage fuzz would find only after minutes.
    fuzz::check().map(|()| Tally::one())
}

fn clippy_wasm(run: &Run) -> Result<Tally> {
    if !matches!(run.toolchain, Toolchain::Own) || !has_component("clippy") {
        return Ok(Tally::skipped("", "no clippy for wasm32 here: the target comes from another toolchain"));
    }
    let clippy = sh::cargo().args(["clippy", "--package", "pith-worker", "--package", "pith-grammar"]);
    let clippy = clippy.args(["--lib", "--target", TARGET, "--quiet"]);
    clippy.args(["--", "-Dwarnings"]).run().map(|()| Tally::one())
}

/// The crates that others may build on, with the oldest compiler that Cargo.toml promises.
fn oldest_rust(_: &Run) -> Result<Tally> {
    // Cargo.toml says 1.90, rustup's name for it is 1.90.0.
    let oldest = format!("{}.0", env!("CARGO_PKG_RUST_VERSION"));
    let install = ["toolchain", "install", &oldest, "--profile", "minimal", "--no-self-update"];
    if which("rustup").is_none() || sh("rustup").args(install).ask().is_none() {
        return Ok(Tally::skipped("", format!("Rust {oldest} is not here, and rustup could not install it")));
    }
    let crates = ["pith-engine", "pith-chat", "pith-compute", "pith-digest", "pith-worker"];
    sh("rustup")
        .args(["run", &oldest, "cargo", "check", "--quiet", "--lib"])
        .args(crates.iter().flat_map(|name| ["--package", name]))
        .env("CARGO_TARGET_DIR", wasm::target_dir()?.join("oldest"))
        .quiet()?;
    Ok(Tally::one())
}

/// Compiles all tests; clippy does, where it can.
fn compile(run: &Run) -> Result<Tally> {
    suites::compile(run.full, run.lints())
}

/// Runs them.
fn rust(run: &Run) -> Result<Tally> {
    let Built { suites, .. } = suites::build(run.full, run.lints())?;
    suites::run_all(&suites, run.full, &run.case, &run.tools()?.chromium)
}

fn build_wasm(run: &Run) -> Result<Tally> {
    let modules = run.extent().modules();
    wasm::compile(&run.toolchain, modules)?.finish()?;
    package::check_wasm_size(modules)?;
    let mut tally = Tally::one();
    if modules != Modules::All {
        tally.add(Tally::skipped("sizes of simd128.wasm and of Firefox's extension", LONG));
    }
    Ok(tally)
}

fn types(_: &Run) -> Result<Tally> {
    let mut total = Tally::default();
    for workspace in web::WORKSPACES {
        let checked = web::script_in(workspace, "check", &[]);
        total.add(checked.map_or_else(|_| Tally::failed(format!("types in {workspace}")), |()| Tally::one()));
    }
    Ok(total)
}

fn npm_tests(_: &Run) -> Result<Tally> {
    let mut total = Tally::default();
    for workspace in ["web", "web/ai-sdk", "extension"] {
        let report = paths::cache().join(format!("{}-tests.json", workspace.replace('/', "-")));
        let output = format!("--outputFile.json={}", report.display());
        let ran = web::script_in(workspace, "test", &["--reporter=default", "--reporter=json", &output]);
        let report = read_json(&report)?;
        let count = |key: &str| report[key].as_u64().unwrap_or(0);
        let tests = list(&report["testResults"]).flat_map(|file| list(&file["assertionResults"]));
        let failures = tests.filter(|test| test["status"] == "failed");
        let tally = Tally {
            passed: count("numPassedTests"),
            failed: count("numFailedTests"),
            skipped: count("numPendingTests") + count("numTodoTests"),
            failures: failures.map(|test| failed_in(workspace, word(&test["fullName"]))).collect(),
            ..Tally::default()
        };
        if tally.failed == 0 {
            ran?;
        }
        total.add(tally);
    }
    Ok(total)
}

/// A test of an npm package, and how it is repeated.
fn failed_in(workspace: &str, name: &str) -> Failure {
    let repeat = format!("npm test --workspace {workspace} -- -t \"{name}\"");
    Failure { what: format!("{workspace}: {name}"), repeat, kept: Vec::new() }
}

/// How well the extension reads marked pages. Those of Debian packages are skipped where these cannot be fetched.
fn reading(run: &Run) -> Result<Tally> {
    let mut tally = Tally::default();
    let script = forward::script("reading.ts").env("PITH_CHROME", &run.tools()?.chromium);
    let outcome = script.lines(|line| {
        if let Some(reason) = line.strip_prefix("skipped   ") {
            tally.add(Tally::skipped("", reason));
        } else if ["average", "pages", "forbidden"].iter().any(|start| line.starts_with(start)) {
            tally.notes.push(line.to_owned());
        }
    });
    tally.add(outcome.map_or_else(|error| Tally::failed(error.to_string()), |()| Tally::one()));
    Ok(tally)
}

/// The project's own cases of the built-in AI APIs. Skipped where the model or the harness cannot be fetched.
fn wpt(run: &Run) -> Result<Tally> {
    if let Err(error) = smollm2::ensure() {
        return Ok(Tally::skipped("cases of the built-in AI APIs", error.to_string()));
    }
    forward::script("wpt.ts").env("PITH_CHROME", &run.tools()?.chromium).run().map(|()| Tally::one())
}

/// All cases, in Chromium and Firefox.
fn e2e(run: &Run) -> Result<Tally> {
    let mut total = Tally::default();
    if run.full
        && let Err(error) = llama_server::ensure()
    {
        total.add(Tally::skipped("cases with a real llama-server", error.to_string()));
    }
    total.add(cases::run(run.tools()?, run.full, &run.case));
    Ok(total)
}

/// The packages and their budgets; with the long suites also whether a second build gives the same bytes.
fn packages(run: &Run) -> Result<Tally> {
    package::run(run.extent())?;
    let mut tally = Tally::one();
    tally.add(match run.full {
        true => package::compare_with_a_clone().map(|()| Tally::one())?,
        false => Tally::skipped("packages built twice", LONG),
    });
    Ok(tally)
}
