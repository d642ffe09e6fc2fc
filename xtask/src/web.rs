//! The npm side of the build: the client, its demo site, the extension for both browsers.

use std::time::Instant;

use crate::error::Result;
use crate::setup::{self, Scope, Tools};
use crate::sh::npm;
use crate::stamp::Stamp;
use crate::wasm::Modules;
use crate::{paths, progress, say, wasm};

/// Folders that are npm packages, in the order in which they need each other.
pub const WORKSPACES: [&str; 5] = ["web", "web/ai-sdk", "extension", "e2e", "docs/site"];

/// Those that are published.
pub const PUBLISHED: [&str; 2] = ["web", "web/ai-sdk"];

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

/// How much is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What the demo takes: Chrome's extension, with its module as it was compiled.
    Demo,
    /// Chrome's extension with the one module that it ships.
    Chrome,
    /// Everything that is given to others, with modules as tests take them.
    Tested,
    /// Everything that is given to others.
    All,
}

impl Extent {
    fn is_one_browser(self) -> bool {
        matches!(self, Self::Demo | Self::Chrome)
    }

    /// The modules that are in it.
    pub fn modules(self) -> Modules {
        match self {
            Self::Demo => Modules::Compiled,
            Self::Chrome => Modules::Relaxed,
            Self::Tested => Modules::Tested,
            Self::All => Modules::All,
        }
    }
}

/// Sets up the machine and builds, both at once as far as one does not need the other.
pub fn build_all(extent: Extent) -> Result<Tools> {
    let _shown = progress::show(Scope::Product.jobs() + if extent.is_one_browser() { 3 } else { 4 });
    let (tools, compiled) =
        setup::beside(Scope::Product, |toolchain| wasm::compile(toolchain, extent.modules()))?;
    compiled.finish()?;
    build(extent)?;
    Ok(tools)
}

/// Builds client, demo site and extension where they are not up to date.
pub fn build(extent: Extent) -> Result<()> {
    let (name, outputs, scripts): (_, &[_], &[_]) = match extent {
        Extent::Demo | Extent::Chrome => {
            ("web-chrome", &["extension/dist/chrome/manifest.json"], &[("extension", "build", "chrome")])
        }
        Extent::Tested | Extent::All => (
            "web",
            &[
                "web/dist/demo/index.html",
                "web/ai-sdk/dist/index.js",
                "extension/dist/chrome/manifest.json",
                "extension/dist/firefox/manifest.json",
            ],
            // Each builds the client first.
            &[("web", "build:demo", ""), ("web/ai-sdk", "build", ""), ("extension", "build", "")],
        ),
    };
    let mut outputs: Vec<_> = outputs.iter().map(|output| paths::root().join(output)).collect();
    outputs.push(paths::root().join("web/dist/index.js"));
    let stamp = Stamp::of(name, &INPUTS, &[])?;
    if stamp.is_fresh(&outputs) {
        say::had("web", "up to date");
        return Ok(());
    }
    let _job = progress::job("client and extension");
    let started = Instant::now();
    for (workspace, script, browser) in scripts {
        script_in(workspace, script, if browser.is_empty() { &[] } else { std::slice::from_ref(browser) })?;
    }
    stamp.keep()?;
    say::did("web", &format!("built client and extension in {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

/// Builds the documentation site, after its snippets have been checked against the client's built types.
pub fn build_docs() -> Result<()> {
    script_in("docs/site", "build", &[])
}

/// Runs one of a package's scripts, where it has that script.
pub fn script_in(workspace: &str, script: &str, args: &[&str]) -> Result<()> {
    let npm = npm().args(["run", "--silent", "--if-present", "--workspace", workspace, script]);
    if args.is_empty() { npm.quiet() } else { npm.arg("--").args(args).quiet() }
}

/// Runs one of the root package's scripts.
pub fn script(name: &str) -> Result<()> {
    npm().args(["run", "--silent", name]).quiet()
}
