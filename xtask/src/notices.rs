//! What the licences of crates ask for that are compiled into the modules: their names, and the texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::supply::is_met;
use crate::toolchain::TARGET;
use crate::{paths, sh};

const APACHE: &str = "Apache-2.0";

/// A crate that is compiled into a module.
struct Crate {
    name: String,
    licence: String,
    folder: PathBuf,
}

/// The text that comes with the modules: crates that offer the Apache License by name, with that text once, and the
/// licences of the others.
pub fn text(packages: &[&str]) -> Result<String> {
    let mut apache = String::new();
    let mut others = String::new();
    for Crate { name, licence, folder } in crates(packages)? {
        let needs_own = !is_met(&licence, &[APACHE]);
        if !needs_own {
            let _ = writeln!(apache, "  {name}");
        }
        let texts = licence_files(&folder, needs_own)?;
        if needs_own && texts.is_empty() {
            return Err(Error::Check(format!("{name} is under `{licence}` and comes without its text")));
        }
        for text in texts {
            let _ = write!(others, "\n\n{name}, {licence}\n\n{}\n", text.trim());
        }
    }
    let file = paths::root().join("LICENSE-APACHE");
    let licence = at(&file, std::fs::read_to_string(&file))?;
    Ok(format!(
        "The WebAssembly modules of Pith contain Rust's standard library and these crates, all of which can be used under the \
         Apache License 2.0 (its text is below):\n\n{apache}\nThey also contain the crates that follow, each with its \
         licence.{others}\n\n{licence}"
    ))
}

/// The texts in a crate's folder, other than the Apache License: of its licence, or only what the Apache License wants kept.
fn licence_files(folder: &Path, needs_own: bool) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for entry in at(folder, std::fs::read_dir(folder))? {
        let file = at(folder, entry)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_licence = name.starts_with("LICENSE") || name.starts_with("LICENCE");
        if (needs_own && is_licence && !name.contains("APACHE")) || name.starts_with("NOTICE") {
            texts.insert(at(&file, std::fs::read_to_string(&file))?);
        }
    }
    Ok(texts)
}

/// The crates of others that are compiled into these packages, by name.
fn crates(packages: &[&str]) -> Result<Vec<Crate>> {
    let metadata = sh::cargo().args(["metadata", "--format-version", "1", "--locked"]).text()?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| Error::Check(format!("cargo metadata: {error}")))?;
    let mut known = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        // Those without a source are ours.
        if package["source"].is_null() {
            continue;
        }
        let field = |name: &str| package[name].as_str().unwrap_or_default().to_string();
        let name = format!("{} {}", field("name"), field("version"));
        let folder = PathBuf::from(field("manifest_path")).parent().unwrap_or(Path::new("")).to_path_buf();
        known.insert(name.clone(), Crate { name, licence: field("license"), folder });
    }
    let tree = sh::cargo().args(["tree", "--locked", "--target", TARGET, "--edges", "normal,no-proc-macro"]);
    let tree = packages.iter().fold(tree, |tree, package| tree.args(["--package", package]));
    // A line is a crate, its version, and what is said about it.
    let lines = tree.args(["--prefix", "none", "--format", "{p}"]).text()?;
    let names = lines.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        Some(format!("{name} {}", rest.split(' ').next()?))
    });
    let names: BTreeSet<String> = names.collect();
    Ok(names.iter().filter_map(|name| known.remove(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_the_worker_and_their_texts() -> Result<()> {
        let text = text(&["pith-worker", "pith-grammar"])?;
        for needed in ["  wgpu 30", "\n\nllguidance 1", "Microsoft", "Unicode", "END OF TERMS AND CONDITIONS"]
        {
            assert!(text.contains(needed), "{needed}");
        }
        assert!(!text.contains("pith-"));
        Ok(())
    }
}
