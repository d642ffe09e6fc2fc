//! Mesa's lavapipe as the WebGPU adapter of headless Chromium, where no GPU is: a software driver with shader-f16 and
//! subgroups of 8, which SwiftShader, the one that Chromium would take, does not have.
//!
//! Two small libraries do it: a driver that forwards to lavapipe under SwiftShader's identity, and one that is preloaded
//! into Chromium and gives its WebGPU that driver. Mesa is downloaded into `.cache` and never installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};
use crate::sh::{Sh, sh, which};
use crate::stamp::{Stamp, write};
use crate::{paths, say};

/// Older ones lack what Chromium insists on, and leak.
const MESA_MAJOR_MIN: u32 = 24;
const PACKAGE: &str = "mesa-vulkan-drivers";
/// Where Debian 12 keeps newer packages.
const BACKPORTS: &str = "deb http://deb.debian.org/debian bookworm-backports main\n";

/// A lavapipe that is ready to be used.
#[derive(Debug, Clone)]
pub struct Lavapipe {
    driver: PathBuf,
    wrapper: PathBuf,
    preload: PathBuf,
}

impl Lavapipe {
    /// Compiles the two libraries and finds or fetches a new enough Mesa.
    pub fn ensure() -> Result<Self> {
        if !cfg!(target_os = "linux") {
            return Err(missing("Linux", "Chromium on lavapipe is prepared on Linux only."));
        }
        let driver = mesa()?;
        let libraries = sh("ldd").arg(&driver).ask().unwrap_or_default();
        if let Some(line) = libraries.lines().find(|line| line.contains("not found")) {
            let hint =
                format!("Mesa's lavapipe needs it: install {PACKAGE}, which brings its libraries along.");
            return Err(missing(line.trim().split(' ').next().unwrap_or(line), &hint));
        }
        Ok(Self { driver, wrapper: compiled("driver")?, preload: compiled("preload")? })
    }

    /// Gives a command that starts Chromium the environment in which its WebGPU uses lavapipe.
    pub fn under(&self, command: Sh) -> Sh {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").unwrap_or_else(|| std::env::temp_dir().into());
        command
            .env("PITH_LAVAPIPE", &self.driver)
            .env("PITH_VULKAN_DRIVER", &self.wrapper)
            .env("LD_PRELOAD", &self.preload)
            .env("XDG_RUNTIME_DIR", runtime)
    }

    /// The description of the driver, for Vulkan's loader. Its own file: the package's names a path on the system.
    pub fn icd(&self) -> Result<PathBuf> {
        let file = folder().join("lvp_icd.json");
        let icd = serde_json::json!({
            "file_format_version": "1.0.0",
            "ICD": { "library_path": self.driver, "api_version": "1.3.274" },
        });
        write(&file, icd.to_string().as_bytes())?;
        Ok(file)
    }
}

fn folder() -> PathBuf {
    paths::cache().join("lavapipe")
}

fn missing(what: &str, hint: &str) -> Error {
    Error::Missing { what: what.to_owned(), hint: hint.to_owned() }
}

/// One of the two libraries, compiled where it is not up to date.
fn compiled(name: &str) -> Result<PathBuf> {
    let source = format!("xtask/lavapipe/{name}.c");
    let library = folder().join(format!("lib{name}.so"));
    let stamp = Stamp::of(&format!("lavapipe-{name}"), &[&source], &[])?;
    if !stamp.is_fresh(std::slice::from_ref(&library)) {
        let hint = "It compiles two small libraries (on Debian or Ubuntu: apt-get install gcc libc6-dev).";
        let cc = which("cc").ok_or_else(|| missing("A C compiler (cc)", hint))?;
        at(&folder(), std::fs::create_dir_all(folder()))?;
        sh(cc).args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg(&source).arg("-ldl").quiet()?;
        stamp.keep()?;
    }
    Ok(library)
}

/// lavapipe's library: what PITH_MESA names, the system's where it is new enough, else one in `.cache`.
fn mesa() -> Result<PathBuf> {
    let named = std::env::var_os("PITH_MESA").map(PathBuf::from);
    if let Some(root) = named {
        return find(&root).ok_or_else(|| Error::Check(format!("no libvulkan_lvp.so in {}", root.display())));
    }
    let unpacked = folder().join("mesa");
    if let Some(found) = find(&unpacked) {
        return Ok(found);
    }
    let installed = sh("dpkg-query").args(["--showformat=${Version}", "--show", PACKAGE]).ask();
    if installed.is_some_and(|version| major(&version) >= MESA_MAJOR_MIN)
        && let Some(found) = find(Path::new("/"))
    {
        return Ok(found);
    }
    fetch(&unpacked)?;
    find(&unpacked).ok_or_else(|| Error::Check(format!("{PACKAGE} has no libvulkan_lvp.so")))
}

fn major(version: &str) -> u32 {
    version.split(['.', '-']).next().and_then(|part| part.parse().ok()).unwrap_or(0)
}

fn find(root: &Path) -> Option<PathBuf> {
    let dirs = ["usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64", "usr/lib"];
    dirs.iter().map(|dir| root.join(dir).join("libvulkan_lvp.so")).find(|file| file.is_file())
}

/// Downloads Mesa's package with a list of sources of our own, and unpacks it. The system is left as it is.
fn fetch(to: &Path) -> Result<()> {
    for tool in ["apt-get", "dpkg-deb"] {
        if which(tool).is_none() {
            let hint = format!(
                "Set PITH_MESA to a folder with Mesa {MESA_MAJOR_MIN} or newer (usr/lib/.../libvulkan_lvp.so)."
            );
            return Err(missing(tool, &hint));
        }
    }
    let dir = folder();
    let options = |name: &str, path: &Path| {
        let mut option = OsString::from(format!("{name}="));
        option.push(path);
        option
    };
    let (list, lists) = (dir.join("sources.list"), dir.join("lists"));
    write(&list, BACKPORTS.as_bytes())?;
    at(&lists, std::fs::create_dir_all(lists.join("partial")))?;
    let apt = || {
        sh("apt-get")
            .dir(&dir)
            .arg("-o")
            .arg(options("Dir::Etc::sourcelist", &list))
            .args(["-o", "Dir::Etc::sourceparts=-", "-o"])
            .arg(options("Dir::State::lists", &lists))
            .args(["-o", "APT::Sandbox::User=root"])
    };
    apt().arg("update").quiet()?;
    apt().args(["download", PACKAGE]).quiet()?;
    let entries = at(&dir, std::fs::read_dir(&dir))?.flatten().map(|entry| entry.path());
    let package = entries.into_iter().find(|path| path.extension().is_some_and(|e| e == "deb"));
    let package =
        package.ok_or_else(|| Error::Check(format!("apt-get left no package in {}", dir.display())))?;
    sh("dpkg-deb").arg("-x").arg(&package).arg(to).quiet()?;
    say::did("lavapipe", &format!("unpacked {}", package.file_name().unwrap_or_default().to_string_lossy()));
    at(&package, std::fs::remove_file(&package))
}
