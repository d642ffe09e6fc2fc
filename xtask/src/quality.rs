//! `cargo xtask quality`: how good summaries and answers are.

use crate::error::{Error, Result};
use crate::sh::cargo;
use crate::{minilm, paths, say};

const USAGE: &str = "\
cargo xtask quality [--docs DIR] [--only ID] [--text] [--verbose] [--json]

  --docs      a folder of documents, a JSON file each; without it the project's own set, engine/tests/quality
  --only      documents whose id has this in it
  --text      by words alone, without the embedded model
  --verbose   key lines and answers, too
  --json      one line a document, then one with averages over sets";

/// Runs the program that measures.
pub fn run(args: &[String]) -> Result<()> {
    let mut docs = paths::root().join("engine/tests/quality");
    let (mut rest, mut text) = (Vec::new(), false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value =
            || args.next().cloned().ok_or_else(|| Error::Usage(format!("{arg} needs a value\n\n{USAGE}")));
        match arg.as_str() {
            "--docs" => docs = value()?.into(),
            "--only" => rest.extend([arg.clone(), value()?]),
            "--text" => text = true,
            "--verbose" | "--json" => rest.push(arg.clone()),
            "--model" => {
                return Err(Error::Usage(
                    "--model is not supported yet: quality measures key sentences and passages, not written summaries".into(),
                ));
            }
            other => return Err(Error::Usage(format!("unknown argument {other}\n\n{USAGE}"))),
        }
    }
    let docs = std::path::absolute(&docs).map_err(|source| Error::Io { path: docs.clone(), source })?;
    say::aside(rest.iter().any(|arg| arg == "--json"));
    if !text {
        minilm::ensure()?;
        rest.extend(["--encoder".to_owned(), paths::minilm().to_string_lossy().into_owned()]);
    }
    // Without the GPU, which is not needed here, it is built in seconds.
    let run =
        ["run", "--quiet", "--package", "pith-engine", "--no-default-features", "--example", "quality", "--"];
    cargo().args(run).arg("--docs").arg(docs).args(rest).run()
}
