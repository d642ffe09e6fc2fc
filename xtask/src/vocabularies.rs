//! llama.cpp's vocabularies of published models, with texts and their ids: what the tokenizer's tests compare with.
//!
//! They come inside a package of PyPI that is 60 times as large as what is wanted of it, packed; hence a cache.

use std::path::{Path, PathBuf};

use crate::error::{Result, at};
use crate::stamp;
use crate::{paths, pip, say};

const PACKAGE: &str = "llama-cpp-python==0.3.36";
const ARCHIVE_SHA256: &str = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e";
/// Folder and beginning of the names of the files inside.
const WANTED: &str = "/vendor/llama.cpp/models/ggml-vocab-";

fn folder() -> PathBuf {
    paths::cache().join("vocabularies")
}

/// Written last: where it stands, everything does.
fn origin() -> PathBuf {
    folder().join("archive.sha256")
}

/// Whether they are there.
pub fn are_here() -> bool {
    std::fs::read_to_string(origin()).is_ok_and(|sum| sum == ARCHIVE_SHA256)
}

/// Fetches what is missing. Where it cannot be had the tests that want it say so, and nothing else needs it.
pub fn ensure() -> Result<()> {
    if are_here() {
        say::had("texts", "llama.cpp's vocabularies");
        return Ok(());
    }
    match fetch(&folder()) {
        Ok(count) => {
            say::did("texts", &format!("fetched llama.cpp's vocabularies from PyPI ({count} files)"));
            stamp::write(&origin(), ARCHIVE_SHA256.as_bytes())
        }
        Err(error) => {
            say::note("texts", &format!("tests on llama.cpp's vocabularies will be skipped: {error}"));
            Ok(())
        }
    }
}

/// How many files were unpacked.
fn fetch(dir: &Path) -> Result<usize> {
    at(dir, unpack(&pip::source(PACKAGE, ARCHIVE_SHA256)?, dir))
}

fn unpack(archive: &[u8], dir: &Path) -> std::io::Result<usize> {
    std::fs::create_dir_all(dir)?;
    let mut count = 0;
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        // One component below the folder: nothing can be written beside it.
        let name = path.split_once('/').and_then(|(_, rest)| rest.strip_prefix(&WANTED[1..]));
        if let Some(name) = name.filter(|name| !name.contains(['/', '\\'])) {
            std::io::copy(&mut entry, &mut std::fs::File::create(dir.join(format!("ggml-vocab-{name}")))?)?;
            count += 1;
        }
    }
    Ok(count)
}
