//! What the integration tests share.
#![allow(dead_code)] // Each test crate uses a part.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod gguf_builder;

use std::path::{Path, PathBuf};

/// The folder with the reference models, goldens and cases, whose layout its README.md describes: `PITH_REFERENCE` where
/// it is set, else the full set beside the repository, else the core subset inside it. Prints which one it is.
pub fn reference_dir() -> PathBuf {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (dir, which) = match std::env::var_os("PITH_REFERENCE") {
        Some(dir) => (PathBuf::from(dir), "PITH_REFERENCE"),
        None => match engine.join("../../shared/reference") {
            full if full.join("manifest.json").is_file() => (full, "full set"),
            _ => (core_reference_dir(), "core subset"),
        },
    };
    assert!(dir.join("manifest.json").is_file(), "{} has no manifest.json", dir.display());
    println!("reference set: {which} ({})", dir.display());
    dir
}

/// The core subset in the repository.
pub fn core_reference_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

/// `manifest.json` of a reference set.
pub fn manifest(reference: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(reference.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every file below `dir` with this extension, sorted.
pub fn files_with_extension(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with_extension(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
