//! `cargo xtask quality --nuggets`: what people want in a summary, and how much of it the extension shows.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::quality::absolute;
use crate::sh::sh;
use crate::tally::Tally;
use crate::{forward, paths, quality, say, suites, web};

const USAGE: &str = "\
cargo xtask quality --nuggets DIR [--pages DIR] [--model FILE [--whole]] [--only NAME] [--verbose] [--json] [--fit]
                          [--record]

  --nuggets   facts that summaries of pages must hold: DIR/NAME.json or DIR/NAME/nuggets.json
  --pages     the pages: DIR/NAME/page.html; the folder of the facts where it is not given
  --model     a language model that writes the summaries as the extension lets it, from what was read; also scores the key sentences
  --whole     the model writes from whole pages, whatever its size
  --json      one line per page
  --fit       fits the weights of sentences to the facts, in place of scoring
  --record    keeps what was read of the project's own pages, for the tests";

/// The project's own pages with facts.
pub fn own_pages() -> PathBuf {
    paths::root().join("e2e/pages/summaries")
}

/// What the extension read of them.
fn recorded() -> PathBuf {
    paths::root().join("engine/tests/quality/summaries.jsonl")
}

/// Reads each page through the extension in one browser, and scores the lines that it shows.
pub fn run(args: &[String]) -> Result<()> {
    let (mut nuggets, mut pages, mut only) = (None, None, String::new());
    let (mut rest, mut fit, mut record, mut model) = (Vec::new(), false, false, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value =
            || args.next().cloned().ok_or_else(|| Error::Usage(format!("{arg} needs a value\n\n{USAGE}")));
        match arg.as_str() {
            "--nuggets" => nuggets = Some(absolute(value()?.as_ref())?),
            "--pages" => pages = Some(absolute(value()?.as_ref())?),
            "--model" => model = Some(absolute(value()?.as_ref())?),
            "--only" => only = value()?,
            "--verbose" | "--json" | "--whole" => rest.push(arg.clone()),
            "--fit" => fit = true,
            "--record" => record = true,
            other => return Err(Error::Usage(format!("unknown argument {other}\n\n{USAGE}"))),
        }
    }
    say::aside(rest.iter().any(|arg| arg == "--json"));
    let nuggets = nuggets.ok_or_else(|| Error::Usage(USAGE.into()))?;
    let readings = paths::root().join("target/summaries.jsonl");
    read(&pages.unwrap_or_else(|| nuggets.clone()), &only, &readings)?;
    if record {
        keep(&readings, &recorded())?;
    }
    let program = match &model {
        Some(model) => quality::program(true, true)?.arg("--model").arg(model),
        None => sh(suites::example("quality", false)?),
    };
    let program = program.arg("--nuggets").arg(nuggets).arg("--readings").arg(readings);
    let program = if fit { program.arg("--fit") } else { program };
    program.args(rest).run()
}

/// The stage of `cargo xtask test`: the lines that the engine makes of what was read of the project's own pages.
pub fn check(built: &Path) -> Result<Tally> {
    let command = sh(built).arg("--nuggets").arg(own_pages()).arg("--readings").arg(recorded());
    command.args(["--anew", "--floors"]).run()?;
    Ok(Tally::one())
}

/// Writes a line for each page: what the extension read and showed.
fn read(pages: &Path, only: &str, to: &Path) -> Result<()> {
    let tools = web::build_all(web::Extent::Chrome)?;
    let mut lines = Vec::new();
    let script = forward::script("summaries.ts").env("PITH_CHROME", &tools.chromium);
    let script = script.arg("--pages").arg(pages).args(["--only", only, "--readings"]);
    script.lines(|line| lines.push(line.to_owned()))?;
    at(to, std::fs::write(to, lines.join("\n") + "\n"))
}

/// Keeps what the extension reads of a folder of pages.
pub fn record(pages: &Path, to: &Path) -> Result<()> {
    let readings = paths::root().join("target/readings.jsonl");
    read(pages, "", &readings)?;
    keep(&readings, to)
}

/// Keeps what was read, without lines and times.
fn keep(readings: &Path, path: &Path) -> Result<()> {
    let text = at(readings, std::fs::read_to_string(readings))?;
    let mut file = at(path, File::create(path))?;
    for line in text.lines() {
        let reading: Value = serde_json::from_str(line).map_err(|error| Error::Check(error.to_string()))?;
        let kept = serde_json::json!({ "name": reading["name"], "page": reading["page"] });
        at(path, writeln!(file, "{kept}"))?;
    }
    Ok(())
}
