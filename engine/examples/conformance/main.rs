//! Runs every case of a fixtures folder and prints how far each is from its golden output: natively, or in the worker of a
//! browser, which the command after `--` opens.
//!
//!     conformance --fixtures DIR [--backend cpu|webgpu|webgl2] [--only NAME] [--all] [--json]
//!                 [--cache f32|f16|q8_0|q4_0] [--precision fast|exact] [-- COMMAND...]

mod blocks;
mod browser;
mod cases;
mod files;
mod real;
mod subject;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use browser::Browser;
use cases::Case;
use files::{Anyhow, Fixtures};
use pith_engine::backend::Device;
use pith_engine::plan::CacheFormat;
use subject::{Native, Rounding, Subject};

struct Args {
    fixtures: PathBuf,
    backend: String,
    only: Option<String>,
    /// Everything that trained models are asked, on GPUs too.
    all: bool,
    json: bool,
    rounding: Rounding,
    /// What opens a browser; none is opened where it is empty.
    command: Vec<String>,
}

fn main() -> ExitCode {
    match parse().and_then(|args| pollster::block_on(run(&args))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("conformance: {e}");
            ExitCode::from(2)
        }
    }
}

fn parse() -> Anyhow<Args> {
    let mut parsed = Args {
        fixtures: PathBuf::new(),
        backend: "cpu".to_owned(),
        only: None,
        all: false,
        json: false,
        rounding: Rounding::default(),
        command: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--fixtures" => parsed.fixtures = value()?.into(),
            "--backend" => parsed.backend = value()?,
            "--only" => parsed.only = Some(value()?),
            "--all" => parsed.all = true,
            "--json" => parsed.json = true,
            "--cache" => {
                let name = value()?;
                let known = CacheFormat::ALL.into_iter().find(|c| c.name() == name);
                parsed.rounding.cache = known.ok_or(format!("no cache format {name}"))?;
            }
            "--precision" => parsed.rounding.precision = value()?.parse()?,
            "--" => parsed.command.extend(args.by_ref()),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    if parsed.fixtures.as_os_str().is_empty() {
        return Err(
            "--fixtures DIR is missing: the folder with the cases, such as engine/tests/reference".into()
        );
    }
    Ok(parsed)
}

/// True when every case passed.
async fn run(args: &Args) -> Anyhow<bool> {
    let fixtures = Fixtures::open(&args.fixtures)?;
    if !args.command.is_empty() {
        let encoder = real::minilm();
        let folders = [fixtures.dir.as_path(), encoder.parent().unwrap_or(Path::new("."))];
        let mut browser = Browser::open(&args.command, &args.backend, folders, args.rounding)?;
        let passed = run_on(args, &fixtures, &mut browser).await;
        browser.close()?;
        return passed;
    }
    let device = match args.backend.as_str() {
        "cpu" => Device::cpu(),
        #[cfg(feature = "webgpu")]
        "webgpu" => Device::webgpu().await?,
        #[cfg(feature = "webgl2")]
        "webgl2" => Device::webgl2()?,
        other => return Err(format!("unknown backend {other}").into()),
    };
    if !args.json {
        println!("{} on {} ({})", args.fixtures.display(), device.info().kind, device.info().name);
    }
    run_on(args, &fixtures, &mut Native::new(&device, args.rounding)).await
}

async fn run_on(args: &Args, fixtures: &Fixtures, subject: &mut impl Subject) -> Anyhow<bool> {
    let wanted = |name: &str| args.only.as_deref().is_none_or(|only| name.contains(only));
    let mut all = Vec::new();
    for section in ["fixtures", "formats", "mixes"] {
        for record in fixtures.section(section).iter().filter(|r| wanted(r["name"].as_str().unwrap_or(""))) {
            all.push(print(args, cases::model_case(fixtures, section, record, subject, args.rounding).await));
        }
    }
    let blocks = fixtures.section("blocks");
    if args.command.is_empty() {
        for record in blocks.iter().filter(|r| wanted(r["format"].as_str().unwrap_or(""))) {
            all.push(print(args, blocks::block_case(fixtures, record)));
        }
    } else if !blocks.is_empty() {
        eprintln!("skipped: blocks, because a page has no call that decodes them; they run natively");
    }
    for group in fixtures.section("tokenizers").iter().filter(|g| wanted(g["preset"].as_str().unwrap_or("")))
    {
        all.push(print(args, text::tokenizer_case(fixtures, group, subject).await));
    }
    for case in text::chat_cases(fixtures, wanted, subject).await {
        all.push(print(args, case));
    }
    // A software GPU takes minutes for all that trained models are asked.
    let stride = if subject.backend() == "cpu" || args.all { 1 } else { 9 };
    for name in real::names(fixtures)?.iter().filter(|name| wanted(name)) {
        all.push(print(args, real::real_case(fixtures, name, stride, subject).await));
    }
    let passed = all.iter().filter(|c| c.pass).count();
    let unsupported = all.iter().filter(|c| c.unsupported()).count();
    if !args.json {
        println!("{passed} passed, {} failed, {unsupported} unsupported", all.len() - passed - unsupported);
    }
    Ok(passed == all.len() && passed > 0)
}

fn print(args: &Args, case: Case) -> Case {
    if args.json {
        println!("{}", serde_json::to_string(&case).unwrap_or_default());
    } else {
        let number = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.1e}"));
        let greedy = case.greedy_equal.map_or("-", |e| if e { "equal" } else { "DIFFERENT" });
        let verdict = if case.pass {
            "pass"
        } else if case.unsupported() {
            "unsupported"
        } else {
            "FAIL"
        };
        let (nmse, limit) = (number(case.nmse), number(case.limit));
        println!(
            "{verdict:11} {:9} {:24} nmse {nmse:8} limit {limit:8} greedy {greedy:10} {}",
            case.section, case.name, case.reason
        );
    }
    case
}
