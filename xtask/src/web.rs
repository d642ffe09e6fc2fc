//! The npm side of the build: the client, its demo site, the extension for both browsers.

use std::time::Instant;

use crate::error::Result;
use crate::setup::{self, Tools};
use crate::sh::npm;
use crate::stamp::Stamp;
use crate::{paths, say, wasm};

/// Folders that are npm packages, in the order in which they need each other.
pub const WORKSPACES: [&str; 3] = ["web", "extension", "e2e"];

const INPUTS: [&str; 8] = [
    "web",
    "web/src/wasm",
    "extension",
    "manifest",
    "tsconfig.base.json",
    "package-lock.json",
    ".cache/models/minilm-q8_0.gguf",
    ".cache/models/minilm-notice.txt",
];

/// Sets up the machine and builds everything that ships.
pub fn build_all() -> Result<Tools> {
    let tools = setup::run()?;
    wasm::build(&tools.toolchain)?;
    build()?;
    Ok(tools)
}

/// Builds client, demo site and extension where they are not up to date.
pub fn build() -> Result<()> {
    let outputs =
        ["web/dist/index.js", "extension/dist/chrome/manifest.json", "extension/dist/firefox/manifest.json"];
    let outputs = outputs.map(|output| paths::root().join(output));
    let stamp = Stamp::of("web", &INPUTS, &[])?;
    if stamp.is_fresh(&outputs) {
        say::had("web", "client, demo site and extension up to date");
        return Ok(());
    }
    let started = Instant::now();
    for (workspace, script) in [("web", "build"), ("web", "build:demo"), ("extension", "build")] {
        script_in(workspace, script, &[])?;
    }
    stamp.keep()?;
    say::did(
        "web",
        &format!("built client, demo site and extension in {:.0} s", started.elapsed().as_secs_f64()),
    );
    Ok(())
}

/// Runs one of a package's scripts, where it has that script.
pub fn script_in(workspace: &str, script: &str, args: &[&str]) -> Result<()> {
    let npm = npm().args(["run", "--silent", "--if-present", "--workspace", workspace, script]);
    if args.is_empty() { npm.quiet() } else { npm.arg("--").args(args).quiet() }
}
