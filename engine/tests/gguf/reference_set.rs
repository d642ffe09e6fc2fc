//! The reference files are those that the manifest and `SHA256SUMS` name, to the last bit.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What the repository spends on test data: the core set and the oracle's folder.
const DATA_BYTES_MAX: u64 = 24_000_000;

fn sha256_hex(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every object with `file`, `sha256` and `bytes`, wherever it stands in the manifest.
fn hashed_files<'a>(value: &'a Value, found: &mut Vec<(&'a str, &'a str, u64)>) {
    if let (Some(file), Some(sha), Some(len)) =
        (value["file"].as_str(), value["sha256"].as_str(), value["bytes"].as_u64())
    {
        found.push((file, sha, len));
    }
    match value {
        Value::Array(list) => list.iter().for_each(|v| hashed_files(v, found)),
        Value::Object(map) => map.values().for_each(|v| hashed_files(v, found)),
        _ => {}
    }
}

fn check_manifest(dir: &Path, at_least: usize) {
    let manifest = common::manifest(dir);
    let mut files = Vec::new();
    hashed_files(&manifest, &mut files);
    assert!(files.len() >= at_least, "the manifest names only {} files", files.len());
    for (file, sha, len) in &files {
        let path = dir.join(file);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), *len, "{file}");
        assert_eq!(&sha256_hex(&path), sha, "{file}");
    }
    for block in manifest["blocks"].as_array().unwrap() {
        for part in ["raw", "f32"] {
            assert!(dir.join(block[part].as_str().unwrap()).is_file(), "{block}");
        }
    }
    for case in manifest["tokenizers"].as_array().unwrap() {
        assert!(dir.join(case["model"].as_str().unwrap()).is_file(), "{}", case["model"]);
    }
    println!("{} files of the manifest have their hashes", files.len());
}

#[test]
fn the_set_in_use_is_what_its_manifest_says() {
    check_manifest(&common::reference_dir(), 30);
}

#[test]
fn the_core_set_is_what_its_sums_say() {
    let dir = common::core_reference_dir();
    check_manifest(&dir, 30);
    let sums = std::fs::read_to_string(dir.join("SHA256SUMS")).unwrap();
    let mut listed = BTreeSet::new();
    for line in sums.lines() {
        let (sha, file) = line.split_once("  ").unwrap();
        assert_eq!(sha256_hex(&dir.join(file)), sha, "{file}");
        listed.insert(dir.join(file));
    }
    let about = ["README.md", "SHA256SUMS"].map(|name| dir.join(name));
    let files = common::files_below(&dir);
    for path in &files {
        assert!(about.contains(path) || listed.contains(path), "{} is not in SHA256SUMS", path.display());
    }
    let oracle = common::files_below(&dir.join("../oracle"));
    let bytes: u64 = files.iter().chain(&oracle).map(|path| std::fs::metadata(path).unwrap().len()).sum();
    println!("core set: {} files, with the oracle's {bytes} bytes", listed.len());
    assert!(bytes <= DATA_BYTES_MAX, "{bytes} bytes");
}
