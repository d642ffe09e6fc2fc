//! `cargo xtask shaders`: every shader that can be asked for is linked, checked by naga, and compiled by Chromium.

use crate::error::{Error, Result};
use crate::forward::script;
use crate::setup::{self, Scope, Tools};
use crate::sh::sh;
use crate::suites;
use crate::wasm;

/// Checks all, or with `--sample` a part of them in Chromium.
pub fn run(args: &[String]) -> Result<()> {
    let sample = match args {
        [] => false,
        [flag] if flag == "--sample" => true,
        _ => return Err(Error::Usage("cargo xtask shaders [--sample]".into())),
    };
    check(&setup::run(Scope::Tests)?, sample, false)
}

/// Both programs run, so that what one of them refuses does not hide what the other does.
pub fn check(tools: &Tools, sample: bool, lints: bool) -> Result<()> {
    let dir = wasm::target_dir()?.join("shaders");
    let program = sh(suites::example("shaders", lints)?);
    let native = program.arg("--out").arg(&dir).args(sample.then_some("--sample")).run();
    if !dir.join("index.json").is_file() {
        return native;
    }
    let browser = script("shaders.ts").env("PITH_CHROME", &tools.chromium).arg("--dir").arg(&dir).run();
    native.and(browser)
}
