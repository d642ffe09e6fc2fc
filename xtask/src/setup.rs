//! Everything that the other verbs need, on a bare Debian or Ubuntu machine or a developer's own.

use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;

use crate::error::{Error, Result};
use crate::sh::{apt_install, npm, sh, which};
use crate::stamp::Stamp;
use crate::toolchain::{self, Toolchain};
use crate::{check, minilm, paths, progress, say, smollm2, vocabularies};

/// The oldest Node that works.
pub const NODE_MAJOR_MIN: u32 = 20;
const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const BROWSER_PLACES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/// What other verbs work with.
#[derive(Debug)]
pub struct Tools {
    /// Runs it.
    pub chromium: PathBuf,
}

/// How much is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// What building and running the product takes.
    Product,
    /// What the tests need besides: software drivers, Firefox, llama.cpp's vocabularies.
    Tests,
}

impl Scope {
    /// How many jobs there are.
    pub fn jobs(self) -> usize {
        if self == Self::Tests { 4 } else { 3 }
    }
}

/// `cargo xtask setup [--check]`.
pub fn verb(args: &[String]) -> Result<()> {
    match args {
        [] => {
            say::show_had(true);
            run(Scope::Tests).map(|_| ())
        }
        [flag] if flag == "--check" => check::table(Scope::Tests),
        _ => Err(Error::Usage("cargo xtask setup [--check]".into())),
    }
}

/// Checks everything and installs what is missing. Running it again does nothing.
pub fn run(scope: Scope) -> Result<Tools> {
    let _shown = progress::show(scope.jobs());
    beside(scope, |_| Ok(())).map(|(tools, ())| tools)
}

/// As [`run`], with work that needs the compiler alone beside it: downloads wait for the network, compilers do not.
pub fn beside<T>(scope: Scope, work: impl FnOnce(&Toolchain) -> Result<T>) -> Result<(Tools, T)> {
    check::refuse_missing(scope)?;
    let toolchain = toolchain::ensure()?;
    install_beside(scope, &toolchain, work)
}

/// Installs what is missing but for the compiler, which is there.
pub fn install(scope: Scope, toolchain: &Toolchain) -> Result<Tools> {
    install_beside(scope, toolchain, |_| Ok(())).map(|(tools, ())| tools)
}

fn install_beside<T>(
    scope: Scope,
    toolchain: &Toolchain,
    work: impl FnOnce(&Toolchain) -> Result<T>,
) -> Result<(Tools, T)> {
    std::thread::scope(|threads| {
        let npm = threads.spawn(npm_packages);
        let model = threads.spawn(|| {
            let _job = progress::job("model");
            minilm::ensure()
        });
        let browser = threads.spawn(chromium);
        let tests = (scope == Scope::Tests).then(|| threads.spawn(for_tests));
        let done = work(toolchain);
        // All are waited for: what one of them has begun is finished, whatever another came to.
        let (npm, model, browser) = (joined(npm), joined(model), joined(browser));
        if let Some(tests) = tests {
            joined(tests)?;
        }
        npm?;
        model?;
        Ok((Tools { chromium: browser? }, done?))
    })
}

fn joined<T>(thread: ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|_| Err(Error::Check("a part of the set-up panicked".into())))
}

fn for_tests() -> Result<()> {
    let _job = progress::job("test tools");
    for part in PARTS {
        part.install();
    }
    if let Err(error) = smollm2::ensure() {
        say::note("model", &format!("cases with a model that follows instructions will be skipped: {error}"));
    }
    vocabularies::ensure()
}

/// Programs and drivers that tests use. Where one is missing the tests that use it fail or say that they were skipped.
pub struct Part {
    /// What it is called here.
    pub name: &'static str,
    /// What there is where it is installed.
    pub what: &'static str,
    /// Debian's packages.
    pub packages: &'static [&'static str],
    /// What happens without it.
    pub without: &'static str,
    is_there: fn() -> bool,
}

/// All of them. They exist on Linux.
pub const PARTS: [Part; 3] = [
    Part {
        name: "vulkan",
        what: "Mesa's software driver",
        packages: &["mesa-vulkan-drivers", "libvulkan1"],
        without: "native tests of WebGPU run on Chromium's driver alone, or fail",
        is_there: || lavapipe().is_some() && has_library("libvulkan.so.1"),
    },
    Part {
        name: "egl",
        what: "Mesa's software driver",
        packages: &["libegl1", "libegl-mesa0", "libgles2", "libgl1-mesa-dri"],
        without: "native tests of WebGL2 fail",
        is_there: || {
            let libraries = ["libEGL.so.1", "libEGL_mesa.so.0", "libGLESv2.so.2", "dri/swrast_dri.so"];
            libraries.into_iter().all(has_library)
        },
    },
    Part {
        name: "firefox",
        what: "Firefox, and a screen that nobody sees",
        packages: &["firefox-esr", "xvfb"],
        without: "cases in Firefox fail",
        is_there: || {
            (which("firefox").is_some() || which("firefox-esr").is_some()) && which("Xvfb").is_some()
        },
    },
];

impl Part {
    /// Whether it is there, or not wanted on this system.
    pub fn is_there(&self) -> bool {
        !cfg!(target_os = "linux") || (self.is_there)()
    }

    fn install(&self) {
        if self.is_there() {
            say::had(self.name, self.what);
            return;
        }
        match apt_install(self.packages) {
            Ok(()) => say::did(self.name, &format!("installed {}", self.packages.join(", "))),
            Err(error) => say::note(self.name, &format!("{}: {error}", self.without)),
        }
    }
}

fn chromium() -> Result<PathBuf> {
    let _job = progress::job("browser");
    if let Some(path) = find_chromium()? {
        say::had("browser", &path.display().to_string());
        return Ok(path);
    }
    apt_install(&["chromium"])?;
    let path = find_chromium()?
        .ok_or_else(|| Error::Missing { what: "Chromium".into(), hint: check::BROWSER_HINT.into() })?;
    say::did("browser", &format!("installed {}", path.display()));
    Ok(path)
}

/// The browser that PITH_CHROME names, else one that is installed.
pub fn find_chromium() -> Result<Option<PathBuf>> {
    if let Some(path) = std::env::var_os("PITH_CHROME").map(PathBuf::from) {
        let missing = || Error::Check(format!("PITH_CHROME names {}, which does not exist", path.display()));
        return if path.is_file() { Ok(Some(path)) } else { Err(missing()) };
    }
    let places = BROWSER_PLACES.iter().map(PathBuf::from).filter(|path| path.is_file());
    Ok(BROWSERS.iter().find_map(|name| which(name)).or_else(|| places.into_iter().next()))
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

/// Files that say which npm packages there are.
const NPM_INPUTS: [&str; 6] = [
    "package.json",
    "package-lock.json",
    "web/package.json",
    "extension/package.json",
    "e2e/package.json",
    "docs/site/package.json",
];

/// Whether npm's packages are those of the lock file.
pub fn npm_stamp() -> Result<(Stamp, bool)> {
    let stamp = Stamp::of("npm", &NPM_INPUTS, &[])?;
    let is_fresh = stamp.is_fresh(&[paths::root().join("node_modules/.package-lock.json")]);
    Ok((stamp, is_fresh))
}

fn npm_packages() -> Result<()> {
    let _job = progress::job("npm packages");
    let (stamp, is_fresh) = npm_stamp()?;
    if is_fresh {
        say::had("npm", "packages up to date");
        return Ok(());
    }
    // `ci` installs just what the lock file says, and refuses where a package.json was edited since.
    npm().args(["ci", "--no-audit", "--no-fund"]).quiet()?;
    say::did("npm", "npm ci");
    stamp.keep()
}

/// Node's version, and whether it is new enough; None where there is none.
pub fn node() -> Option<(String, bool)> {
    let version = sh("node").arg("--version").ask()?;
    let major = version.trim_start_matches('v').split('.').next()?.parse::<u32>().unwrap_or(0);
    Some((version, major >= NODE_MAJOR_MIN))
}
