//! A Rust that compiles for wasm32-unknown-unknown: rustup's target, or, where none can be downloaded, Debian's newer
//! Rust with a standard library built here once.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};
use crate::sh::{self, Sh, sh, which};
use crate::{paths, say, stamp};

/// The target's name.
pub const TARGET: &str = "wasm32-unknown-unknown";
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const APT_RUSTC: &str = "/usr/bin/rustc";
const APT_CARGO: &str = "/usr/bin/cargo";
const APT_LINKER: &str = "wasm-ld-19";

/// How the wasm is compiled here.
#[derive(Debug, Clone)]
pub enum Toolchain {
    /// The rustc on the PATH has the target.
    Own,
    /// Debian's rustc-web with a standard library in this sysroot.
    Apt { sysroot: PathBuf },
}

impl Toolchain {
    /// A cargo command that can compile for the target; the caller adds the verb and `--target`.
    pub fn cargo(&self) -> Sh {
        match self {
            Self::Own => sh::cargo(),
            Self::Apt { sysroot } => apt_cargo()
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", APT_LINKER)
                .arg("--config")
                .arg(format!("target.{TARGET}.rustflags=['--sysroot={}']", sysroot.display())),
        }
    }

    /// The compiler's version, which decides whether an old build still counts.
    pub fn version(&self) -> String {
        let rustc = if matches!(self, Self::Own) { "rustc" } else { APT_RUSTC };
        sh(rustc).arg("--version").ask().unwrap_or_default()
    }
}

/// Whether one is ready; `ensure` may have to make it.
pub fn is_ready() -> bool {
    has_target() || has_rlibs(&libs_in(&sysroot()))
}

fn sysroot() -> PathBuf {
    paths::cache().join("wasm-sysroot")
}

fn libs_in(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

/// Finds or makes a toolchain. PITH_WASM_TOOLCHAIN=apt takes the second way even where the first works.
pub fn ensure() -> Result<Toolchain> {
    if std::env::var("PITH_WASM_TOOLCHAIN").is_ok_and(|value| value == "apt") {
        return from_apt();
    }
    if has_target() {
        say::had("rust", &format!("{TARGET} for {}", Toolchain::Own.version()));
        return Ok(Toolchain::Own);
    }
    if which("rustup").is_some()
        && sh("rustup").args(["target", "add", TARGET]).output()?.status.success()
        && has_target()
    {
        say::did("rust", &format!("rustup target add {TARGET}"));
        return Ok(Toolchain::Own);
    }
    if which("apt-get").is_some() {
        say::note(
            "rust",
            &format!("rustup could not add {TARGET}; building its library with Debian's rustc-web"),
        );
        return from_apt();
    }
    Err(Error::Missing {
        what: format!("the Rust target {TARGET}"),
        hint: format!(
            "Run `rustup target add {TARGET}`, which failed here, on a machine that reaches static.rust-lang.org."
        ),
    })
}

fn has_target() -> bool {
    let libdir = sh("rustc").args(["--print", "target-libdir", "--target", TARGET]).ask();
    libdir.is_some_and(|dir| has_rlibs(Path::new(&dir)))
}

fn has_rlibs(dir: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("libstd-") && name.to_string_lossy().ends_with(".rlib")
    })
}

fn from_apt() -> Result<Toolchain> {
    let is_installed =
        || Path::new(APT_RUSTC).exists() && Path::new(APT_CARGO).exists() && which(APT_LINKER).is_some();
    let has_source = || Path::new("/usr/lib/rustlib/src/rust/library/std").exists();
    if !is_installed() || !has_source() {
        sh::apt_install(&PACKAGES)?;
        say::did("rust", &format!("installed {}", PACKAGES.join(", ")));
    }
    let sysroot = sysroot();
    let toolchain = Toolchain::Apt { sysroot: sysroot.clone() };
    let libs = libs_in(&sysroot);
    let made_by = sysroot.join("made-by");
    let version = toolchain.version();
    if has_rlibs(&libs) && std::fs::read_to_string(&made_by).is_ok_and(|text| text == version) {
        say::had("rust", &format!("{TARGET} for Debian's {version}"));
        return Ok(toolchain);
    }
    build_std(&sysroot.join("build"), &libs)?;
    stamp::write(&made_by, version.as_bytes())?;
    say::did("rust", &format!("built the library for {TARGET} with Debian's {version}"));
    Ok(toolchain)
}

/// Builds std in an empty crate and copies its rlibs to where a sysroot keeps them.
fn build_std(crate_dir: &Path, libs: &Path) -> Result<()> {
    let manifest = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n";
    stamp::write(&crate_dir.join("Cargo.toml"), manifest.as_bytes())?;
    stamp::write(&crate_dir.join("src/lib.rs"), b"")?;
    let target_dir = crate_dir.join("target");
    apt_cargo()
        .dir(crate_dir)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target_dir)
        .args(["build", "--release", "-Zbuild-std=std,panic_abort", "--target", TARGET])
        .quiet()?;
    let built = target_dir.join(TARGET).join("release/deps");
    if libs.exists() {
        at(libs, std::fs::remove_dir_all(libs))?;
    }
    at(libs, std::fs::create_dir_all(libs))?;
    for entry in at(&built, std::fs::read_dir(&built))?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "rlib") {
            at(&path, std::fs::copy(&path, libs.join(entry.file_name())))?;
        }
    }
    at(&target_dir, std::fs::remove_dir_all(&target_dir))
}

/// Debian's cargo and rustc, shielded from the variables that rustup's cargo gave us.
fn apt_cargo() -> Sh {
    let own = ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "LD_LIBRARY_PATH"];
    own.into_iter().fold(sh(APT_CARGO), Sh::without_env).env("RUSTC", APT_RUSTC)
}
