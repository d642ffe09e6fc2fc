//! `cargo xtask quality`: how good summaries and answers are.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::sh::{Sh, cargo, sh, which};
use crate::suites;
use crate::tally::{LONG, Tally};
use crate::{kinds, minilm, nuggets, paths, say, smollm2};

const USAGE: &str = "\
cargo xtask quality [--manuals | --asked HALF | --docs DIR] [--model FILE [--reword] [--free]] [--only ID] [--text] [--verbose] [--json]
cargo xtask quality --nuggets DIR ...
cargo xtask quality --kinds ...
cargo xtask quality --attacks --model FILE [--only TEXT]

  --manuals   questions about published manuals, which apt downloads; without it the project's own set,
              which fails below its minimum scores
  --asked     questions as people ask them about pages that the extension read: develop, or held
  --docs      a folder of documents, one JSON file each
  --model     a language model that shortens the key sentences, and how its lines are judged; smollm2 is the one that
              setup fetches
  --reword    its lines may use other words than their sources, as those of larger models
  --free      does not keep it from numbers and names that the source does not have
  --only      documents whose id contains ID; attacks that contain TEXT
  --text      questions by their words only, without the embedded model
  --verbose   also prints key lines and answers
  --attacks   the model reads pages that attack: nothing that the page does not say may be shown
  --json      one line per document, then one with averages per set";

/// Runs the program that measures.
pub fn run(args: &[String]) -> Result<()> {
    if args.iter().any(|arg| arg == "--nuggets") {
        return nuggets::run(args);
    }
    if args.iter().any(|arg| arg == "--kinds") {
        return kinds::run(args);
    }
    let (mut docs, mut rest) = (own_set(), Vec::new());
    let (mut text, mut part, mut manuals, mut writes) = (false, false, false, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value =
            || args.next().cloned().ok_or_else(|| Error::Usage(format!("{arg} needs a value\n\n{USAGE}")));
        match arg.as_str() {
            "--docs" => {
                docs = value()?.into();
                part = true;
            }
            "--manuals" => manuals = true,
            "--asked" => {
                docs = own_set().join("asked").join(value()?);
                rest.extend(["--readings".into(), own_set().join("summaries.jsonl").display().to_string()]);
                part = true;
            }
            "--only" => {
                rest.extend([arg.clone(), value()?]);
                part = true;
            }
            "--text" => text = true,
            "--verbose" | "--json" | "--reword" | "--free" | "--attacks" => rest.push(arg.clone()),
            "--model" => {
                let model = value()?;
                let path = if model == "smollm2" {
                    smollm2::ensure()?;
                    paths::smollm2()
                } else {
                    absolute(Path::new(&model))?
                };
                rest.extend([arg.clone(), path.display().to_string()]);
                writes = true;
            }
            other => return Err(Error::Usage(format!("unknown argument {other}\n\n{USAGE}"))),
        }
    }
    say::aside(rest.iter().any(|arg| arg == "--json"));
    let mut command = program(text, writes)?.args(rest);
    if manuals {
        docs = own_set().join("manuals");
        fetch_packages(&docs)?;
        command = command.arg("--packages").arg(packages()).arg("--articles").arg(own_set());
    } else if !part && !text {
        command = command.arg("--floors");
    }
    let docs = absolute(&docs)?;
    command.arg("--docs").arg(docs).run()
}

/// A path as programs in other folders need it.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|source| Error::Io { path: path.to_owned(), source })
}

/// The stage of `cargo xtask test`: the own set with its floors; with the long suites also a model that reads attacks.
pub fn check(full: bool, lints: bool) -> Result<Tally> {
    let built = suites::example("quality", lints)?;
    minilm::ensure()?;
    sh(&built).arg("--encoder").arg(paths::minilm()).arg("--floors").arg("--docs").arg(own_set()).run()?;
    let mut tally = Tally::one();
    tally.add(nuggets::check(&built)?);
    tally.add(kinds::check(&built)?);
    if !full {
        tally.add(Tally::skipped("a language model that reads attacks", LONG));
    } else if let Err(error) = smollm2::ensure() {
        tally.add(Tally::skipped("a language model that reads attacks", error.to_string()));
    } else {
        program(true, true)?.arg("--attacks").arg("--model").arg(paths::smollm2()).run()?;
        tally.add(Tally::one());
    }
    Ok(tally)
}

fn own_set() -> PathBuf {
    paths::root().join("engine/tests/quality")
}

/// Where packages lie unpacked; `cargo xtask reading` keeps its own there, too.
fn packages() -> PathBuf {
    paths::cache().join("packages")
}

/// The program that measures, with the embedded model unless only words are to be compared.
pub fn program(text: bool, writes: bool) -> Result<Sh> {
    // Without the GPU, which is not needed here, it is built in seconds. Who writes runs for minutes.
    let profile = if writes { "release" } else { "dev" };
    let run = ["run", "--quiet", "--profile", profile, "--package", "pith-engine", "--no-default-features"];
    let command = cargo().args(run).args(["--example", "quality", "--"]);
    if text {
        return Ok(command);
    }
    minilm::ensure()?;
    Ok(command.arg("--encoder").arg(paths::minilm()))
}

/// Fetches the packages that the documents of a folder name.
fn fetch_packages(docs: &Path) -> Result<()> {
    for entry in at(docs, std::fs::read_dir(docs))?.flatten() {
        let path = entry.path();
        let text = at(&path, std::fs::read_to_string(&path))?;
        let doc: Value = serde_json::from_str(&text)
            .map_err(|error| Error::Check(format!("{}: {error}", path.display())))?;
        if let Some(name) = doc["package"].as_str() {
            fetch_package(name)?;
        }
    }
    Ok(())
}

/// Fetches and unpacks a Debian package where it is not there yet.
fn fetch_package(name: &str) -> Result<()> {
    let folder = packages().join(name);
    if folder.exists() {
        return Ok(());
    }
    if ["apt-get", "dpkg-deb"].into_iter().any(|program| which(program).is_none()) {
        return Err(Error::Check(format!(
            "{name} is a Debian package, and there is no apt-get or dpkg-deb here"
        )));
    }
    let part = packages().join(format!("{name}.part"));
    if part.exists() {
        at(&part, std::fs::remove_dir_all(&part))?;
    }
    at(&part, std::fs::create_dir_all(&part))?;
    sh("apt-get").args(["download", name]).dir(&part).quiet()?;
    let files = at(&part, std::fs::read_dir(&part))?.flatten().map(|entry| entry.path());
    let archive = files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "deb"));
    let archive = archive.ok_or_else(|| Error::Check(format!("apt-get downloaded no file of {name}")))?;
    let files = part.join("files");
    sh("dpkg-deb").arg("--extract").arg(archive).arg(&files).quiet()?;
    at(&folder, std::fs::rename(&files, &folder))?;
    at(&part, std::fs::remove_dir_all(&part))
}
