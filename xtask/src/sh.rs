//! Other programs: finding them, running them, reading what they say.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::error::{Error, Result};
use crate::paths;

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
    sh(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
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
        if status.success() { Ok(()) } else { Err(self.failed(&status.to_string())) }
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
        Err(self.failed(&output.status.to_string()))
    }

    /// Standard output as text, while errors appear as they come.
    pub fn text_with_errors_shown(mut self) -> Result<String> {
        let child = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let output =
            child.and_then(|child| child.wait_with_output()).map_err(|source| self.start_error(source))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(self.failed(&output.status.to_string())),
        }
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

    fn failed(&self, status: &str) -> Error {
        Error::Command { command: self.shown(), status: status.to_owned() }
    }
}

/// Where a program lies on the PATH.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let suffix = if cfg!(windows) { ".exe" } else { "" };
    std::env::split_paths(&path).map(|dir| dir.join(format!("{name}{suffix}"))).find(|file| file.is_file())
}

/// Installs Debian packages where apt is there and we may: as root, or by sudo without a password.
pub fn apt_install(packages: &[&str]) -> Result<()> {
    let missing = |hint: &str| Error::Missing {
        what: packages.join(" "),
        hint: format!("{hint} On Debian or Ubuntu: sudo apt-get install {}", packages.join(" ")),
    };
    if which("apt-get").is_none() {
        return Err(missing("There is no apt-get here to install it with."));
    }
    let is_root = sh("id").arg("-u").ask().as_deref() == Some("0");
    let apt = || match (is_root, which("sudo").is_some()) {
        (true, _) => Ok(sh("apt-get")),
        (false, true) => Ok(sh("sudo").args(["-n", "apt-get"])),
        (false, false) => Err(missing("Installing packages needs root.")),
    };
    let install = || {
        apt()?
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "--no-install-recommends"])
            .args(packages)
            .output()
    };
    // Package lists may be old or absent: refresh them only where the first try failed.
    if install()?.status.success() {
        return Ok(());
    }
    apt()?.arg("update").output()?;
    let output = install()?;
    if output.status.success() {
        return Ok(());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(missing("apt-get could not install it."))
}
