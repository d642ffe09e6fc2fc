//! Everything that the other verbs need, on a bare Debian or Ubuntu machine or a developer's own.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::sh::{apt_install, npm, sh, which};
use crate::stamp::Stamp;
use crate::toolchain::{self, Toolchain};
use crate::{minilm, paths, say, vocabularies};

const NODE_MAJOR_MIN: u32 = 20;
const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const BROWSER_PLACES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/// What the other verbs work with.
#[derive(Debug)]
pub struct Tools {
    /// Compiles the worker.
    pub toolchain: Toolchain,
    /// Runs it.
    pub chromium: PathBuf,
}

/// Checks everything and installs what is missing. Running it again does nothing.
pub fn run() -> Result<Tools> {
    node()?;
    let toolchain = toolchain::ensure()?;
    let chromium = chromium()?;
    vulkan();
    egl();
    npm_packages()?;
    minilm::ensure()?;
    vocabularies::ensure()?;
    Ok(Tools { toolchain, chromium })
}

fn node() -> Result<()> {
    let missing = |what: String| Error::Missing {
        what,
        hint: format!(
            "Install Node {NODE_MAJOR_MIN} or newer from https://nodejs.org or your package manager."
        ),
    };
    let version = sh("node").arg("--version").ask().ok_or_else(|| missing("Node".into()))?;
    let major: u32 =
        version.trim_start_matches('v').split('.').next().and_then(|part| part.parse().ok()).unwrap_or(0);
    if major < NODE_MAJOR_MIN {
        return Err(missing(format!("a new enough Node ({version} is here)")));
    }
    npm().arg("--version").ask().ok_or_else(|| missing("npm".into()))?;
    say::had("node", &version);
    Ok(())
}

fn chromium() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("PITH_CHROME").map(PathBuf::from) {
        if path.is_file() {
            say::had("browser", &path.display().to_string());
            return Ok(path);
        }
        return Err(Error::Check(format!("PITH_CHROME names {}, which does not exist", path.display())));
    }
    if let Some(path) = find_chromium() {
        say::had("browser", &path.display().to_string());
        return Ok(path);
    }
    let hint = "Install Google Chrome or Chromium, or set PITH_CHROME to its path.".to_owned();
    let missing = || Error::Missing { what: "Chromium".into(), hint: hint.clone() };
    apt_install(&["chromium"]).map_err(|_| missing())?;
    let path = find_chromium().ok_or_else(missing)?;
    say::did("browser", &format!("installed {}", path.display()));
    Ok(path)
}

fn find_chromium() -> Option<PathBuf> {
    let places = BROWSER_PLACES.iter().map(PathBuf::from).filter(|path| path.is_file());
    BROWSERS.iter().find_map(|name| which(name)).or_else(|| places.into_iter().next())
}

/// Software Vulkan for native GPU tests. Its absence is no failure: the tests then say what they skipped.
fn vulkan() {
    if !cfg!(target_os = "linux") || which("apt-get").is_none() {
        return;
    }
    if lavapipe().is_some() && has_library("libvulkan.so.1") {
        say::had("vulkan", "Mesa's software driver");
        return;
    }
    match apt_install(&["mesa-vulkan-drivers", "libvulkan1"]) {
        Ok(()) => say::did("vulkan", "installed mesa-vulkan-drivers, libvulkan1"),
        Err(error) => say::note("vulkan", &format!("native GPU tests will be skipped: {error}")),
    }
}

/// Software OpenGL ES for native tests of the WebGL2 path.
fn egl() {
    if !cfg!(target_os = "linux") || which("apt-get").is_none() {
        return;
    }
    const PACKAGES: [&str; 4] = ["libegl1", "libegl-mesa0", "libgles2", "libgl1-mesa-dri"];
    if ["libEGL.so.1", "libEGL_mesa.so.0", "libGLESv2.so.2", "dri/swrast_dri.so"].into_iter().all(has_library)
    {
        say::had("egl", "Mesa's software driver");
        return;
    }
    match apt_install(&PACKAGES) {
        Ok(()) => say::did("egl", &format!("installed {}", PACKAGES.join(", "))),
        Err(error) => say::note("egl", &format!("native tests of WebGL2 will fail: {error}")),
    }
}

fn has_library(name: &str) -> bool {
    let dirs = [
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
    ];
    dirs.iter().any(|dir| Path::new(dir).join(name).exists())
}

/// The description of Mesa's software Vulkan driver.
pub fn lavapipe() -> Option<PathBuf> {
    let entries = std::fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    entries.flatten().map(|entry| entry.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("lvp_icd") && name.ends_with(".json")
    })
}

/// The description of the software Vulkan driver that comes with the browser.
pub fn swiftshader(chromium: &Path) -> Option<PathBuf> {
    let real = std::fs::canonicalize(chromium).ok();
    let beside = real.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let known = ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"].map(PathBuf::from);
    beside.into_iter().chain(known).map(|dir| dir.join("vk_swiftshader_icd.json")).find(|path| path.is_file())
}

fn npm_packages() -> Result<()> {
    let manifests = [
        "package.json",
        "package-lock.json",
        "web/package.json",
        "extension/package.json",
        "e2e/package.json",
    ];
    let stamp = Stamp::of("npm", &manifests, &[])?;
    if stamp.is_fresh(&[paths::root().join("node_modules/.package-lock.json")]) {
        say::had("npm", "packages up to date");
        return Ok(());
    }
    let npm_run = |verb: &str| npm().args([verb, "--no-audit", "--no-fund"]);
    // `ci` installs just what the lock file says, and refuses where a package.json was edited since.
    let has_lock = paths::root().join("package-lock.json").is_file();
    if has_lock && npm_run("ci").output()?.status.success() {
        say::did("npm", "npm ci");
    } else {
        npm_run("install").quiet()?;
        say::did("npm", "npm install (package-lock.json written)");
    }
    // The lock file is an input, and installing may have written it.
    Stamp::of("npm", &manifests, &[])?.keep()
}
