//! `cargo xtask quality --kinds`: how often the kind of a page is right.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::sh::{Sh, cargo, sh};
use crate::tally::Tally;
use crate::{nuggets, paths};

const USAGE: &str = "\
cargo xtask quality --kinds [--half known|unseen] [--verbose] [--record]

  --half      one half of the pages: the one that recognition is written with, or the other one
  --verbose   also prints each page; where its kind is wrong, what spoke for the likeliest ones
  --record    first keeps what the extension reads of e2e/pages/reading";

fn set() -> PathBuf {
    paths::root().join("engine/tests/quality")
}

/// Looks at pages whose kind is known, without a browser unless they are to be read anew.
pub fn run(args: &[String]) -> Result<()> {
    let (mut rest, mut record) = (Vec::new(), false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--kinds" => {}
            "--record" => record = true,
            "--verbose" => rest.push(arg.clone()),
            "--half" => {
                let half = args.next().ok_or_else(|| Error::Usage(USAGE.into()))?;
                rest.extend([arg.clone(), half.clone()]);
            }
            other => return Err(Error::Usage(format!("unknown argument {other}\n\n{USAGE}"))),
        }
    }
    if record {
        nuggets::record(&paths::root().join("e2e/pages/reading"), &set().join("kinds/readings.jsonl"))?;
    }
    let run = ["run", "--quiet", "--package", "pith-engine", "--no-default-features"];
    with_set(cargo().args(run).args(["--example", "quality", "--"])).args(rest).run()
}

/// The stage of `cargo xtask test`: kinds are not right less often than they were.
pub fn check(built: &Path) -> Result<Tally> {
    with_set(sh(built)).arg("--floors").run()?;
    Ok(Tally::one())
}

fn with_set(command: Sh) -> Sh {
    command.arg("--kinds").arg(set()).arg("--summaries").arg(nuggets::own_pages())
}
