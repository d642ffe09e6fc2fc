//! Other programs: finding them, running them, reading what they say.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::{paths, timings};

/// A command that runs in the repository's root unless told otherwise.
pub struct Sh {
    command: Command,
}

/// A command by name or path.
pub fn sh(program: impl AsRef<OsStr>) -> Sh {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    Sh { command }
}

/// The cargo that started us.
pub fn cargo() -> Sh {
    timings::measured(sh(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())))
}

/// npm, whose name differs on Windows.
pub fn npm() -> Sh {
    sh(if cfg!(windows) { "npm.cmd" } else { "npm" }).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
}

/// A script of an installed npm package, such as `binaryen/bin/wasm-opt`.
pub fn node_script(script: &str) -> Sh {
    sh("node").arg(paths::root().join("node_modules").join(script))
}

impl Sh {
    /// Adds one argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets a variable.
    pub fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Takes a variable away.
    pub fn without_env(mut self, key: &str) -> Self {
        self.command.env_remove(key);
        self
    }

    /// Runs in another folder.
    pub fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Runs with our own input and output.
    pub fn run(mut self) -> Result<()> {
        let status = self.command.status().map_err(|source| self.start_error(source))?;
        if status.success() { Ok(()) } else { Err(self.failed(&status.to_string(), Vec::new())) }
    }

    /// Runs silently; what it printed is shown only where it failed.
    pub fn quiet(self) -> Result<()> {
        self.text().map(|_| ())
    }

    /// Standard output as text; a failure shows all that was printed.
    pub fn text(mut self) -> Result<String> {
        let output = self.output()?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Err(self.failed(&output.status.to_string(), Vec::new()))
    }

    /// Hands over every line of standard output as it comes, while errors appear as they come; the last of them are told again
    /// where it fails, for a reader who has only the end of what was printed.
    pub fn lines(mut self, mut each: impl FnMut(&str)) -> Result<()> {
        let spawned = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|source| self.start_error(source))?;
        let errors = child.stderr.take().map(|errors| std::thread::spawn(|| shown_and_kept(errors)));
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).lines().map_while(|line| line.ok()).for_each(|line| each(&line));
        }
        let status = child.wait().map_err(|source| self.start_error(source))?;
        let said = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
        if status.success() { Ok(()) } else { Err(self.failed(&status.to_string(), said)) }
    }

    /// Standard output as text; None where it failed or does not exist. For questions whose answer may be no.
    pub fn ask(mut self) -> Option<String> {
        let output = self.output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Exit status and everything printed.
    pub fn output(&mut self) -> Result<Output> {
        self.command.stdin(Stdio::null()).output().map_err(|source| self.start_error(source))
    }

    fn shown(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    fn start_error(&self, source: std::io::Error) -> Error {
        Error::Start { command: self.shown(), source }
    }

    fn failed(&self, status: &str, said: Vec<String>) -> Error {
        let said = said.iter().map(|line| format!("\n{line}")).collect();
        Error::Command { command: self.shown(), status: status.to_owned(), said }
    }
}

/// Passes lines on to our own errors as they come, and keeps the last of them.
fn shown_and_kept(errors: impl Read) -> Vec<String> {
    const KEPT: usize = 12;
    let mut kept = Vec::new();
    for line in BufReader::new(errors).lines().map_while(|line| line.ok()) {
        eprintln!("{line}");
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(line);
    }
    kept
}

/// Where a program lies on the PATH.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let suffix = if cfg!(windows) { ".exe" } else { "" };
    std::env::split_paths(&path).map(|dir| dir.join(format!("{name}{suffix}"))).find(|file| file.is_file())
}

/// How apt-get may be run here: as root, or by sudo without a password. None where there is no apt-get, or no right to it.
pub fn apt_get() -> Option<Sh> {
    which("apt-get")?;
    if sh("id").arg("-u").ask().as_deref() == Some("0") {
        return Some(sh("apt-get"));
    }
    let sudo = which("sudo").is_some() && sh("sudo").args(["-n", "true"]).ask().is_some();
    sudo.then(|| sh("sudo").args(["-n", "apt-get"]))
}

/// What somebody types to install Debian packages.
pub fn apt_hint(packages: &[&str]) -> String {
    format!("On Debian or Ubuntu: sudo apt-get install {}", packages.join(" "))
}

/// Installs Debian packages. Packages are only ever added: where apt would remove or upgrade one, it is not run.
pub fn apt_install(packages: &[&str]) -> Result<()> {
    /// apt allows one at a time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let missing = |why: String| Error::Missing {
        what: packages.join(" "),
        hint: format!("{why} {}", apt_hint(packages)),
    };
    let apt = || apt_get().ok_or_else(|| missing("There is no apt-get here that may install it.".to_owned()));
    let run = |flags: &[&str]| {
        apt()?
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "--no-install-recommends", "--no-remove", "--no-upgrade"])
            .args(flags)
            .args(packages)
            .output()
    };
    // Package lists may be old or absent: they are fetched only where the first try fails.
    for fresh in [false, true] {
        if fresh {
            apt()?.arg("update").output()?;
        }
        let planned = run(&["--simulate"])?;
        if planned.status.success() {
            if let Some(changed) = changed_by(&String::from_utf8_lossy(&planned.stdout)) {
                return Err(missing(format!("apt-get would change {changed}, which is left to you.")));
            }
            if run(&[])?.status.success() {
                return Ok(());
            }
        }
    }
    Err(missing("apt-get could not install it.".to_owned()))
}

/// The first package that a simulated run would remove or replace by another version.
fn changed_by(plan: &str) -> Option<&str> {
    plan.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (verb, name, version) = (words.next()?, words.next()?, words.next().unwrap_or_default());
        // `Inst NAME [OLD] (NEW ...)` where it is there already, else `Inst NAME (NEW ...)`.
        (verb == "Remv" || verb == "Inst" && version.starts_with('[')).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_of_apt_that_changes_what_is_there_is_told_from_one_that_adds() {
        let added = "Reading package lists...\nInst libnew (1.0 Debian:12 [amd64])\nConf libnew (1.0 Debian:12 [amd64])";
        assert_eq!(changed_by(added), None);
        assert_eq!(changed_by("Inst a (1)\nInst libc6 [2.36] (2.37 Debian:12 [amd64])"), Some("libc6"));
        assert_eq!(changed_by("Remv vim [9.0]"), Some("vim"));
    }
}
