//! `cargo xtask test`: everything that must hold, in stages, cheapest first. A stage that fails does not keep the others
//! from running, but for those that need what it makes.

use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::setup::{self, Scope, Tools};
use crate::sh::{self, node_script, sh, which};
use crate::suites::{self, Built, Driver, Suite, Tally};
use crate::toolchain::{TARGET, Toolchain};
use crate::wasm::Modules;
use crate::web::Extent;
use crate::{
    forward, fuzz, llama_server, package, paths, progress, quality, say, shaders, side_by_side, smollm2,
    store, supply, wasm, web,
};

const USAGE: &str = "cargo xtask test [--only STAGE,STAGE] [--full]";

/// What stages work with.
struct Run {
    tools: Tools,
    /// Whether the long suites run too.
    full: bool,
    /// Whether these stages were asked for by name.
    is_named: bool,
}

impl Run {
    /// Whether clippy compiles what is tested; by name there is a stage for it.
    fn lints(&self) -> bool {
        !self.is_named && has_component("clippy")
    }
}

/// How long each fuzz target runs.
const FUZZ_SECONDS: u64 = 20;

struct Stage {
    name: &'static str,
    run: fn(&Run) -> Result<Tally>,
    /// Another stage, without whose result this one says nothing.
    needs: Option<&'static str>,
    /// Runs with the long suites, and where it is named.
    is_long: bool,
}

const fn stage(name: &'static str, run: fn(&Run) -> Result<Tally>) -> Stage {
    Stage { name, run, needs: None, is_long: false }
}

const fn long(name: &'static str, run: fn(&Run) -> Result<Tally>) -> Stage {
    Stage { name, run, needs: None, is_long: true }
}

const fn after(needs: &'static str, name: &'static str, run: fn(&Run) -> Result<Tally>) -> Stage {
    Stage { name, run, needs: Some(needs), is_long: false }
}

const STAGES: [Stage; 21] = [
    stage("format", format),
    stage("lint", |_| web::script("lint").map(|()| Tally::one())),
    stage("clippy", clippy),
    long("clippy-wasm", clippy_wasm),
    long("msrv", oldest_rust),
    stage("rust", rust),
    stage("docs", |_| suites::run_docs()),
    stage("quality", |run| quality::check(run.full, run.lints())),
    stage("fuzz", |_| fuzz::run(None, fuzz::Length::Seconds(FUZZ_SECONDS))),
    stage("supply", |_| supply::check()),
    stage("shaders", |run| shaders::check(&run.tools, true, run.lints()).map(|()| Tally::one())),
    stage("wasm", build_wasm),
    after("wasm", "build", |_| web::build(Extent::All).map(|()| Tally::one())),
    after("build", "types", types),
    after("build", "npm", npm_tests),
    after("build", "site", |_| web::build_docs().map(|()| Tally::one())),
    after("build", "web-ext", |_| store::lint()),
    after("build", "reading", reading),
    after("build", "wpt", wpt),
    after("build", "e2e", e2e),
    after("build", "packages", packages),
];

/// What became of a stage.
struct Outcome {
    name: &'static str,
    tally: Tally,
    seconds: f64,
}

/// Runs all stages, or those that `--only a,b` names.
pub fn run(args: &[String]) -> Result<()> {
    let (stages, full, is_named) = chosen(args)?;
    let started = Instant::now();
    println!("setup");
    let run = Run { tools: setup::run(Scope::Tests)?, full, is_named };
    say::note("data", &format!("reference set: {}", paths::reference().display()));
    println!("  {:.0} s", started.elapsed().as_secs_f64());
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (at, stage) in stages.iter().enumerate() {
        println!("{} (stage {} of {})", stage.name, at + 1, stages.len());
        let outcome = match stage.needs.and_then(|name| failed(&outcomes, name)) {
            Some(needed) => {
                let tally = Tally::skipped(&format!("stage {}, because stage {needed} failed", stage.name));
                Outcome { name: stage.name, tally, seconds: 0.0 }
            }
            None if stage.is_long && !full && !is_named => {
                let tally = Tally::skipped("a long suite (cargo xtask test --full)");
                Outcome { name: stage.name, tally, seconds: 0.0 }
            }
            None => outcome(stage, &run),
        };
        print_outcome(&outcome);
        outcomes.push(outcome);
    }
    summary(&outcomes, started.elapsed().as_secs_f64())
}

/// The name, where that stage ran and did not pass, or did not run because of another.
fn failed(outcomes: &[Outcome], name: &'static str) -> Option<&'static str> {
    let outcome = outcomes.iter().find(|outcome| outcome.name == name)?;
    (outcome.tally.passed == 0 || outcome.tally.failed > 0).then_some(name)
}

fn outcome(stage: &Stage, run: &Run) -> Outcome {
    let started = Instant::now();
    let result = {
        let _shown = progress::show(1);
        // Playwright says a line for every case.
        let _job = (stage.name != "e2e").then(|| progress::job(stage.name));
        (stage.run)(run)
    };
    let tally = result.unwrap_or_else(|error| Tally::failed(error.to_string()));
    Outcome { name: stage.name, tally, seconds: started.elapsed().as_secs_f64() }
}

fn print_outcome(Outcome { tally, seconds, .. }: &Outcome) {
    for note in &tally.notes {
        println!("  {note}");
    }
    for failure in &tally.failures {
        println!("  failed: {failure}");
    }
    let Tally { passed, failed, skipped, .. } = tally;
    println!("  {passed} passed, {failed} failed, {skipped} skipped in {seconds:.0} s");
}

/// Failures first, then what passed at the second try, what was skipped, then the stages, then one line of counts.
fn summary(outcomes: &[Outcome], seconds: f64) -> Result<()> {
    let of = |lines: fn(&Tally) -> &[String]| {
        outcomes.iter().flat_map(move |outcome| lines(&outcome.tally).iter().map(|line| (outcome.name, line)))
    };
    println!();
    for (stage, failure) in of(|tally| &tally.failures) {
        println!("FAILED   {stage:<12} {failure}");
    }
    for (label, start) in [("again", SECOND_TRY), ("skipped", "skipped: ")] {
        for (stage, note) in of(|tally| &tally.notes) {
            if let Some(what) = note.strip_prefix(start) {
                println!("{label:<8} {stage:<12} {what}");
            }
        }
    }
    let mut total = Tally::default();
    for Outcome { name, tally, seconds } in outcomes {
        let Tally { passed, failed, skipped, .. } = tally;
        println!("stage    {name:<12} {passed} passed, {failed} failed, {skipped} skipped in {seconds:.0} s");
        total.add(tally.clone());
    }
    println!("\n{seconds:.0} s in all");
    println!("{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
    if total.failed == 0 { Ok(()) } else { Err(Error::Reported) }
}

/// The stages, whether the long suites run, and whether the stages are named.
fn chosen(args: &[String]) -> Result<(Vec<&'static Stage>, bool, bool)> {
    let (mut wanted, mut full) = (None, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.as_slice().first()) {
            ("--full", _) => full = true,
            ("--only", Some(list)) => {
                wanted = Some(list.split(',').map(str::to_owned).collect::<Vec<_>>());
                args.next();
            }
            _ => return Err(Error::Usage(USAGE.into())),
        }
    }
    let Some(wanted) = wanted else { return Ok((STAGES.iter().collect(), full, false)) };
    let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
    match wanted.iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(Error::Usage(format!("no stage `{name}`; there are {}", names.join(", ")))),
        None => {
            let named = STAGES.iter().filter(|stage| wanted.iter().any(|name| name == stage.name));
            Ok((named.collect(), full, true))
        }
    }
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
    total.add(
        typescript.map_or_else(|_| Tally::failed("TypeScript: npm run format".into()), |()| Tally::one()),
    );
    Ok(total)
}

fn rust_format() -> Result<Tally> {
    if !has_component("fmt") {
        return Ok(Tally::skipped("rustfmt is not installed, and rustup could not add it"));
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
            notes: vec!["in the stage rust, which compiles the same".into()],
            ..Tally::default()
        });
    }
    if !has_component("clippy") {
        return Ok(Tally::skipped("clippy is not installed, and rustup could not add it"));
    }
    let clippy = sh::cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-Dwarnings"]);
    clippy.run()?;
    // What the stage fuzz would find only after minutes.
    fuzz::check().map(|()| Tally::one())
}

fn clippy_wasm(run: &Run) -> Result<Tally> {
    if !matches!(run.tools.toolchain, Toolchain::Own) || !has_component("clippy") {
        return Ok(Tally::skipped("no clippy for wasm32 here: the target comes from another toolchain"));
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
        return Ok(Tally::skipped(&format!("Rust {oldest} is not here, and rustup could not install it")));
    }
    let crates = ["pith-engine", "pith-chat", "pith-compute", "pith-digest", "pith-worker"];
    sh("rustup")
        .args(["run", &oldest, "cargo", "check", "--quiet", "--lib"])
        .args(crates.iter().flat_map(|name| ["--package", name]))
        .env("CARGO_TARGET_DIR", wasm::target_dir()?.join("oldest"))
        .quiet()?;
    Ok(Tally::one())
}

/// Suites that ask nothing of a driver that end to end cases do not ask of Chromium's own: stories of trained models,
/// slices and frames, batches, what is counted.
const ONCE: [&str; 5] =
    ["engine/real_models", "engine/generation", "engine/batches", "engine/counts", "engine/memory"];

/// Suites that run at once: what takes long in most of them, such as a driver's compiler, keeps one core busy.
const SUITES_AT_ONCE: usize = 2;

/// All tests on the first software driver; with the long suites on the others those that use a GPU. Chromium has the other driver, on
/// which end to end cases run anyway.
fn rust(run: &Run) -> Result<Tally> {
    let lints = run.lints();
    let Built { suites, lints: found } = suites::build(run.full, lints)?;
    let mut drivers = Vec::new();
    if let Some(icd) = setup::lavapipe() {
        drivers.push(Driver { name: "lavapipe", icd });
    }
    if let Some(icd) = setup::swiftshader(&run.tools.chromium) {
        drivers.push(Driver { name: "swiftshader", icd });
    }
    let mut total = if lints && found.is_empty() { Tally::one() } else { Tally::default() };
    for lint in found {
        total.add(Tally::failed(format!("clippy: {lint}")));
    }
    for name in ["lavapipe", "swiftshader"] {
        if !drivers.iter().any(|driver| driver.name == name) {
            total.add(Tally::skipped(&format!("GPU tests on {name}, which is not installed")));
        }
    }
    let mut runs: Vec<(&Suite, &str, Option<&Driver>)> =
        suites.iter().map(|suite| (suite, "", drivers.first())).collect();
    for driver in drivers.iter().skip(1) {
        if !run.full {
            let what =
                format!("GPU tests on {} by themselves: a long suite (cargo xtask test --full)", driver.name);
            total.add(Tally::skipped(&what));
            continue;
        }
        for suite in &suites {
            let Some(filter) = suites::gpu_filter(suite) else { continue };
            match ONCE.contains(&suite.name.as_str()) {
                true => total.add(Tally::skipped(&format!(
                    "{} on {}: Chromium runs such on it, in e2e",
                    suite.name, driver.name
                ))),
                false => runs.push((suite, filter, Some(driver))),
            }
        }
    }
    for tally in
        side_by_side::each(&runs, SUITES_AT_ONCE, |(suite, filter, driver)| run_one(suite, filter, *driver))
    {
        total.add(tally?);
    }
    Ok(total)
}

fn run_one(suite: &Suite, filter: &str, driver: Option<&Driver>) -> Result<Tally> {
    let started = Instant::now();
    let tally = suites::run(suite, filter, driver)?;
    let driver = driver.map_or("the default driver", |driver| driver.name);
    let seconds = started.elapsed().as_secs_f64();
    progress::clear();
    println!("  {:<28} {:>4} passed, {driver}, {seconds:.1} s", suite.name, tally.passed);
    Ok(tally)
}

fn build_wasm(run: &Run) -> Result<Tally> {
    wasm::compile(&run.tools.toolchain, Modules::All)?.finish()?;
    package::check_wasm_size().map(|()| Tally::one())
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
            notes: Vec::new(),
            failures: failures.map(|test| format!("{workspace}: {}", word(&test["fullName"]))).collect(),
        };
        if tally.failed == 0 {
            ran?;
        }
        total.add(tally);
    }
    Ok(total)
}

/// How well the extension reads marked pages. Those of Debian packages are skipped where these cannot be fetched.
fn reading(run: &Run) -> Result<Tally> {
    let mut tally = Tally::default();
    let script = forward::script("reading.ts").env("PITH_CHROME", &run.tools.chromium);
    let outcome = script.lines(|line| {
        if let Some(reason) = line.strip_prefix("skipped   ") {
            tally.add(Tally::skipped(reason));
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
        return Ok(Tally::skipped(&format!("cases of the built-in AI APIs: {error}")));
    }
    forward::script("wpt.ts").env("PITH_CHROME", &run.tools.chromium).run().map(|()| Tally::one())
}

/// The projects of e2e/playwright.config.ts, in the order in which they run.
const PROJECTS: [&str; 4] = ["beside", "alone", "firefox", "firefox-alone"];

fn e2e(run: &Run) -> Result<Tally> {
    let mut total = Tally::default();
    if run.full
        && let Err(error) = llama_server::ensure()
    {
        total.add(Tally::skipped(&format!("cases with a real llama-server: {error}")));
    }
    for project in PROJECTS {
        total.add(
            e2e_project(run, project).unwrap_or_else(|error| Tally::failed(format!("{project}: {error}"))),
        );
    }
    Ok(total)
}

/// Starts a note on a case that failed first and then passed.
const SECOND_TRY: &str = "passed at the second try: ";

/// Cases of a project that may fail once and then pass, as where a browser does not start: more of them are failures.
const SECOND_TRIES_MAX: usize = 3;

/// What a case said when it first failed, in one line.
fn first_error(spec: &Value) -> String {
    let results = list(&spec["tests"]).flat_map(|test| list(&test["results"]));
    let text = results.map(|result| word(&result["error"]["message"])).find(|text| !text.is_empty());
    let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    words.join(" ").chars().take(300).collect()
}

fn e2e_project(run: &Run, project: &str) -> Result<Tally> {
    if project.starts_with("firefox") && !cfg!(target_os = "linux") {
        return Ok(Tally::skipped("cases in Firefox: its harness is for Linux"));
    }
    let dir = paths::root().join("e2e");
    let outcome = node_script("@playwright/test/cli.js")
        .args(["test", "--project", project])
        .dir(&dir)
        .env("PITH_CHROME", &run.tools.chromium)
        .env(suites::FULL, if run.full { "1" } else { "" })
        // No escapes for colours in what cases say.
        .env("FORCE_COLOR", "0")
        .run();
    let report = read_json(&dir.join("results/report.json"))?;
    let count = |key: &str| report["stats"][key].as_u64().unwrap_or(0);
    let mut tally = Tally { passed: count("expected"), skipped: count("skipped"), ..Tally::default() };
    let (mut failed, mut at_second_try) = (Vec::new(), Vec::new());
    for spec in specs(&report) {
        let name = format!("{project} {}:{} {}", word(&spec["file"]), spec["line"], word(&spec["title"]));
        let tests = || list(&spec["tests"]);
        if spec["ok"] == false {
            failed.push(format!("{name}: {}", first_error(spec)));
        } else if tests().any(|test| test["status"] == "flaky") {
            at_second_try.push(format!("{name}: {}", first_error(spec)));
        } else if let Some(reason) =
            tests().find_map(|test| list(&test["annotations"]).find(|a| a["type"] == "skip"))
        {
            tally.notes.push(format!("skipped: {name}: {}", word(&reason["description"])));
        }
    }
    if at_second_try.len() > SECOND_TRIES_MAX {
        failed.append(&mut at_second_try);
    }
    tally.passed += at_second_try.len() as u64;
    tally.notes.extend(at_second_try.iter().map(|case| format!("{SECOND_TRY}{case}")));
    tally.failed = failed.len() as u64;
    tally.failures = failed;
    if tally.failed == 0 {
        outcome?;
    }
    Ok(tally)
}

/// The packages and their budgets; with the long suites also whether a second build gives the same bytes.
fn packages(run: &Run) -> Result<Tally> {
    package::run()?;
    let mut tally = Tally::one();
    tally.add(match run.full {
        true => package::compare_with_a_clone().map(|()| Tally::one())?,
        false => Tally::skipped("packages built twice: a long suite (cargo xtask test --full)"),
    });
    Ok(tally)
}

/// Every test of a report of Playwright's, whose suites lie in suites.
fn specs(suite: &Value) -> Vec<&Value> {
    let nested = list(&suite["suites"]).flat_map(specs);
    list(&suite["specs"]).chain(nested).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn read_json(path: &std::path::Path) -> Result<Value> {
    let text = at(path, std::fs::read_to_string(path))?;
    serde_json::from_str(&text).map_err(|error| Error::Check(format!("{}: {error}", path.display())))
}
