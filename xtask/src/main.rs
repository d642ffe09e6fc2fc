//! The project's commands: `cargo xtask COMMAND`. Each installs what it needs.

mod bench;
mod cases;
mod check;
mod error;
mod forward;
mod fuzz;
mod kinds;
mod lavapipe;
mod llama_server;
mod minilm;
mod notices;
mod nuggets;
mod package;
mod paths;
mod pip;
mod progress;
mod quality;
mod reading;
mod release;
mod say;
mod schedule;
mod setup;
mod sh;
mod shaders;
mod side_by_side;
mod smollm2;
mod stamp;
mod store;
mod suites;
mod supply;
mod tally;
mod test;
mod timings;
mod toolchain;
mod vocabularies;
mod wasm;
mod web;

use std::process::ExitCode;

use error::{Error, Result};

const USAGE: &str = "\
cargo xtask COMMAND

  setup [--check]         installs missing tools: wasm target, browser, npm packages, the embedded model, test tools;
                          --check only prints what is installed and what is missing
  build                   builds the worker, the client, its demo site, the extension for both browsers
  demo [FILE|URL] [--ask QUESTION]... [--backend webgpu|webgl2|cpu] [--json]
                          summarizes a page in Chromium with the extension: text, sources, timings, backend; a small
                          language model writes beside it and answers a question
  test [--only STAGES] [--case NAME] [--full] [--timings]
                          format, lints, unit and kernel tests, client, extension, end to end; --case runs only tests and
                          cases that have NAME in their name (end to end: in file:line); --full adds the long suites;
                          --timings prints how long each crate, test program and case takes
  package [--screenshots] [--twice]
                          writes dist/: Chrome and Firefox zips, source archive, npm tarballs, and in dist/store the texts
                          for the stores; checks sizes against their budgets; --screenshots takes those for the stores
                          in Chromium; --twice builds a clone as well and compares the bytes
  docs                    builds the documentation site into dist/docs and checks its TypeScript snippets
  release [--dry-run]     checks versions, changelog and a clean tree, runs package, makes the tag; pushes nothing;
                          --dry-run only checks and prints
  conformance --fixtures DIR [--backend cpu|webgpu|webgl2] [--in-browser [--browser firefox] [--simd128] [--all]]
              [--only NAME] [--precision fast|exact] [--json]
                          compares logits with llama.cpp's
  steps --diff MODEL [--backend webgpu|webgl2] [--cache TYPE] [--all]
                          runs each step on the GPU and on the CPU, prints the first that differs
  steps --print STEP [FORMAT]  prints the linked shaders of a step with the source file of every line
  shaders [--sample]      links every shader variant, validates it with naga, compiles it in Chromium
  fuzz [TARGET] [--seconds N | --runs N]    fuzzes file readers, chat templates, page digests and messages
  endurance --minutes N   loads, generates, summarizes and opens tabs; reports memory growth of the browser
  bench --model FILE [...]  measures speed, in the browser beside a peer or natively; see `bench --help`
  tune --model FILE       tries the shapes of kernels on a model, on this machine's GPU, and prints how fast each is
  reading [--pages DIR] [--only NAME] [--blocks] [--kinds] [--json]
                          precision, recall and F1 of the text that the extension extracts from pages
  reading --text [--browser firefox] [--json] FILE_OR_URL...
                          prints what the extension reads of pages, PDF and text files
  wpt [--dir DIR] [--only NAME] [--verbose] [--json]
                          web-platform-tests of the built-in AI APIs against @pith/web/built-in in Chromium: DIR holds ai/
                          and resources/testharness.js; without it the project's own cases
  quality --nuggets DIR [--pages DIR] [--model FILE] [--only NAME] [--verbose] [--json] [--fit]
                          summaries of pages against facts that people want in them
  quality --kinds [--half known|unseen] [--verbose] [--record]
                          how often the kind of a page is right, and how sure it is, on pages with a known kind
  quality [--manuals] [--docs DIR] [--model FILE] [--only ID] [--text] [--verbose] [--json]
                          scores of summaries and answers, on documents with references and questions

Each command installs what it needs. Environment: PITH_CHROME is the browser to use, PITH_REFERENCE the reference set;
PITH_GPU=real uses this machine's GPU instead of a software driver.
";

fn main() -> ExitCode {
    if let Some(code) = timings::as_wrapper() {
        return code;
    }
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
        "docs" => forward::docs(rest),
        "release" => release::verb(rest),
        "conformance" => forward::conformance(rest),
        "bench" => bench::run(rest),
        "quality" => quality::run(rest),
        "shaders" => shaders::run(rest),
        "steps" => forward::steps(rest),
        "tune" => bench::tune(rest),
        "reading" => reading::run(rest),
        "wpt" => forward::wpt(rest),
        "endurance" => forward::endurance(rest),
        "fuzz" => fuzz::verb(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(Error::Usage(format!("no command `{other}`\n\n{USAGE}"))),
    }
}
