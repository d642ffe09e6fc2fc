//! What the integration tests share.
#![allow(dead_code)] // Each test crate uses a part.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod gguf_builder;

use std::path::{Path, PathBuf};

/// The folder with the reference models, golden outputs and cases, whose layout its README.md describes: `PITH_REFERENCE`
/// where it is set, else the core set in the repository. Prints which one it is.
pub fn reference_dir() -> PathBuf {
    let (dir, which) = match std::env::var_os("PITH_REFERENCE") {
        Some(dir) => (PathBuf::from(dir), "the set at PITH_REFERENCE"),
        None => (core_reference_dir(), "the core set in the repository"),
    };
    assert!(dir.join("manifest.json").is_file(), "{} has no manifest.json", dir.display());
    println!("using: reference data, {which}");
    dir
}

/// The core set in the repository.
pub fn core_reference_dir() -> PathBuf {
    engine_dir().join("tests/reference")
}

/// The engine's folder, also from a crate of tests inside it.
fn engine_dir() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    if dir.join("tests/common").is_dir() { dir.to_path_buf() } else { dir.join("..") }
}

/// `manifest.json` of a reference set.
pub fn manifest(reference: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(reference.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every file below `dir`, sorted.
pub fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Every file below `dir` with this extension, sorted.
pub fn files_with_extension(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = files_below(dir);
    files.retain(|path| path.extension().is_some_and(|e| e == extension));
    files
}
