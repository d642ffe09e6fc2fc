//! Every habit of the house is one verb: `cargo xtask VERB`. Each prepares what it needs by itself.

mod bench;
mod check;
mod error;
mod forward;
mod fuzz;
mod lavapipe;
mod minilm;
mod package;
mod paths;
mod pip;
mod progress;
mod quality;
mod release;
mod say;
mod setup;
mod sh;
mod shaders;
mod stamp;
mod suite;
mod suites;
mod supply;
mod test;
mod toolchain;
mod vocabularies;
mod wasm;
mod web;

use std::process::ExitCode;

use error::{Error, Result};

const USAGE: &str = "\
cargo xtask VERB

  setup [--check]         installs what is missing: wasm target, browser, npm packages, the embedded model, what tests need;
                          with --check it changes nothing and prints what is there
  demo [FILE|URL]         summarises a page in Chromium with the extension: text, sources, timings, adapter
  test [--only STAGES] [--full]    everything: format, clippy, unit and kernel tests, client, extension, end to end;
                          with --full the long suites too
  build                   the worker, the client, its demo site, the extension for both browsers
  package [--twice]       dist/: Chrome and Firefox zips, npm tarball; sizes against their budgets; --twice: built again in a
                          clone, which must give the same bytes
  release [--dry-run]     checks versions, changelog and that all is committed, runs package, makes the tag; pushes nothing
  shaders [--sample]      links every shader that can be asked for, checks it with naga, compiles it in Chromium
  steps --diff MODEL [--backend webgpu|webgl2] [--cache FORM] [--all]
                          runs each step on the GPU and on the CPU, names the first that departs
  steps --print STEP [FORMAT]  the linked shaders of a step, with the file of every line
  endurance --minutes N   loads, writes, summarises, opens tabs, and says whether the browser's processes grow
  fuzz [TARGET] [--seconds N | --runs N]    inputs that nobody thought of, for what reads files, templates and pages
  conformance --fixtures DIR [--backend cpu|webgpu|webgl2] [--in-browser [--browser firefox] [--simd128] [--all]] [--only NAME] [--json]
  bench --model FILE [...]  speed, in the browser beside a peer or natively; `bench --help` has the rest
  reading [--pages DIR] [--only NAME] [--blocks] [--json]    how well the extension reads pages: precision, recall and F1 of words
  quality [--manuals] [--docs DIR] [--only ID] [--verbose] [--json]   summaries and answers, on documents with references and questions
  tune --model FILE       tries the shapes of product kernels on this machine's adapter; prints the row for shaders/tuning.rs

Each verb prepares what it needs by itself. PITH_CHROME names the browser to use; PITH_REFERENCE the reference set;
PITH_GPU=real takes this machine's own GPU instead of the software adapter.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Reported) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("\nerror ({}): {error}", error.code());
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let (verb, rest) = args.split_first().ok_or_else(|| Error::Usage(USAGE.into()))?;
    match verb.as_str() {
        "setup" => setup::verb(rest),
        "build" => {
            say::show_had(true);
            web::build_all(web::Extent::All).map(|_| ())
        }
        "demo" => forward::demo(rest),
        "test" => test::run(rest),
        "package" => package::verb(rest),
        "release" => release::verb(rest),
        "conformance" => forward::conformance(rest),
        "bench" => bench::run(rest),
        "quality" => quality::run(rest),
        "shaders" => shaders::run(rest),
        "steps" => forward::steps(rest),
        "tune" => bench::tune(rest),
        "reading" => forward::reading(rest),
        "endurance" => forward::endurance(rest),
        "fuzz" => fuzz::verb(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(Error::Usage(format!("no verb `{other}`\n\n{USAGE}"))),
    }
}
