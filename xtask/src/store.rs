//! What browser stores ask for beside the zips: texts, declarations, the source archive, screenshots; and Mozilla's linter.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};
use crate::package::files_in;
use crate::sh::{npm, sh};
use crate::stamp::{self, Stamp};
use crate::tally::Tally;
use crate::{forward, paths, say};

/// Listing texts, privacy policy, answers to the stores' forms, build instructions.
const TEXTS: &str = "extension/store";
/// A sentence for every permission.
const PERMISSIONS: &str = "manifest/permissions.md";
/// The folder of screenshots in dist/store. Their bytes depend on fonts and timing, unlike those of everything else.
pub const SCREENSHOTS: &str = "screenshots";
/// What screenshots show.
const SHOWN: [&str; 4] = ["extension", "manifest", "e2e/store-screenshots.ts", "e2e/store"];
/// Mozilla's linter in the version that the listed notices are from.
const WEB_EXT: &str = "web-ext@10.7.0";

/// Where screenshots lie until `package` copies them.
fn screenshots_made() -> PathBuf {
    paths::cache().join(SCREENSHOTS)
}

fn screenshots_stamp() -> Result<Stamp> {
    Stamp::of(SCREENSHOTS, &SHOWN, &[])
}

/// Takes the screenshots of the extension that was built for Chrome.
pub fn take_screenshots(chromium: &Path) -> Result<()> {
    let made = screenshots_made();
    forward::script("store-screenshots.ts").env("PITH_CHROME", chromium).arg(&made).run()?;
    screenshots_stamp()?.keep()
}

/// Writes dist/store and the source archive.
pub fn gather(dist: &Path, version: &str) -> Result<()> {
    let store = dist.join("store");
    copy_folder(&paths::root().join(TEXTS), &store)?;
    let permissions = paths::root().join(PERMISSIONS);
    stamp::write(&store.join("permissions.md"), &at(&permissions, std::fs::read(&permissions))?)?;
    let made = screenshots_made();
    if screenshots_stamp()?.is_fresh(std::slice::from_ref(&made)) {
        copy_folder(&made, &store.join(SCREENSHOTS))?;
    } else {
        let how = "cargo xtask package --screenshots takes them";
        let what = if made.exists() { "those made before show an older version" } else { "none were taken" };
        say::note("store", &format!("no screenshots: {what}; {how}"));
    }
    source_archive(&dist.join(format!("pith-source-{version}.zip")), version)
}

/// The sources of the last commit. A copy without git's folder, such as that archive unpacked, makes none.
fn source_archive(target: &Path, version: &str) -> Result<()> {
    if !paths::root().join(".git").exists() {
        say::note("store", "no source archive: this is not a git repository");
        return Ok(());
    }
    if !sh("git").args(["status", "--porcelain"]).text()?.is_empty() {
        say::note("store", "the source archive is of the last commit; changes since then are not in it");
    }
    let prefix = format!("--prefix=pith-{version}/");
    // A zip's times have no zone: git writes those of the machine.
    sh("git")
        .env("TZ", "UTC")
        .args(["archive", "--format=zip", &prefix, "-o"])
        .arg(target)
        .arg("HEAD")
        .quiet()
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for file in files_in(from)? {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        stamp::write(&target, &at(&file, std::fs::read(&file))?)?;
    }
    Ok(())
}

/// Runs Mozilla's linter on Firefox's extension: no error, no warning. Skipped where npm cannot fetch it.
pub fn lint() -> Result<Tally> {
    let web_ext = || npm().args(["exec", "--yes", "--package", WEB_EXT, "--", "web-ext"]);
    if web_ext().arg("--version").ask().is_none() {
        return Ok(Tally::skipped("web-ext lint", format!("npm could not fetch {WEB_EXT}")));
    }
    let source = paths::root().join("extension/dist/firefox");
    let mut lint =
        web_ext().args(["lint", "--warnings-as-errors", "--output", "text", "--source-dir"]).arg(source);
    let output = lint.output()?;
    if output.status.success() {
        return Ok(Tally::one());
    }
    eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Err(Error::Check("web-ext lint found errors or warnings".into()))
}
