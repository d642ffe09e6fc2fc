//! Skips work whose inputs did not change: a hash of the inputs is kept beside the outputs' name.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{Result, at};
use crate::paths;

/// Folders that builds write into; never an input.
const OUTPUTS: &[&str] = &["node_modules", "dist", "target", "wasm", "results", ".cache"];

/// A piece of work and the hash of what goes into it.
pub struct Stamp {
    file: PathBuf,
    hash: String,
}

impl Stamp {
    /// Hashes files and whole folders (relative to the root) and `extra` words such as tool versions.
    pub fn of(name: &str, inputs: &[&str], extra: &[&str]) -> Result<Self> {
        let mut files = Vec::new();
        for input in inputs {
            collect(&paths::root().join(input), &mut files)?;
        }
        files.sort();
        let mut hasher = Sha256::new();
        for file in files {
            let bytes = at(&file, std::fs::read(&file))?;
            hasher.update(file.strip_prefix(paths::root()).unwrap_or(&file).to_string_lossy().as_bytes());
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(&bytes);
        }
        for word in extra {
            hasher.update((word.len() as u64).to_le_bytes());
            hasher.update(word.as_bytes());
        }
        let file = paths::cache().join("stamps").join(name);
        Ok(Self { file, hash: hex(&hasher.finalize()) })
    }

    /// Whether the work was done with just these inputs and its outputs are still there.
    pub fn is_fresh(&self, outputs: &[PathBuf]) -> bool {
        outputs.iter().all(|output| output.exists())
            && std::fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.hash)
    }

    /// Remembers that the work is done.
    pub fn keep(&self) -> Result<()> {
        write(&self.file, self.hash.as_bytes())
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    if !path.is_dir() {
        return Ok(());
    }
    for entry in at(path, std::fs::read_dir(path))? {
        let entry = at(path, entry)?;
        if !OUTPUTS.contains(&entry.file_name().to_string_lossy().as_ref()) {
            collect(&entry.path(), files)?;
        }
    }
    Ok(())
}

/// Writes a file and the folders above it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(parent) = path.parent() {
        at(parent, std::fs::create_dir_all(parent))?;
    }
    at(path, std::fs::write(path, bytes))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 as lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
