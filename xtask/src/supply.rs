//! What is built from others' code: where it comes from, under which licence, and whether a fault of it is known.

use serde_json::Value;

use crate::error::{Error, Result};
use crate::sh::{self, npm, sh, which};
use crate::tally::Tally;

/// Licences that a dependency may have. One of those that it offers is enough.
const LICENCES: [&str; 9] =
    ["MIT", "MIT-0", "Apache-2.0", "Zlib", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Unicode-3.0"];
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Every crate comes from crates.io under a licence of the list; the lock file is what was asked for; no advisory is known.
pub fn check() -> Result<Tally> {
    let mut tally = crates()?;
    tally.add(crate_advisories());
    tally.add(npm_advisories()?);
    Ok(tally)
}

fn crates() -> Result<Tally> {
    let text = sh::cargo().args(["metadata", "--format-version", "1", "--locked"]).text()?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| Error::Check(format!("cargo metadata: {error}")))?;
    let mut tally = Tally::default();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        // Those without a source are ours.
        let Some(source) = package["source"].as_str() else { continue };
        let licence = package["license"].as_str().unwrap_or_default();
        let name = format!("{} {}", package["name"], package["version"]).replace('"', "");
        tally.add(match (source == REGISTRY, is_met(licence, &LICENCES)) {
            (true, true) => Tally::one(),
            (false, _) => Tally::failed(format!("{name} comes from {source}")),
            (_, false) => Tally::failed(format!("{name} is under `{licence}`")),
        });
    }
    Ok(tally)
}

/// Whether a licence expression can be met by these: one side of each OR (an old form of it is a slash), every side of an AND.
pub fn is_met(expression: &str, by: &[&str]) -> bool {
    let expression = expression.replace(['(', ')'], " ").replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        part.split(" OR ")
            .any(|licence| by.contains(&licence.split(" WITH ").next().unwrap_or_default().trim()))
    })
}

fn crate_advisories() -> Tally {
    if which("cargo-deny").is_none() {
        return Tally::skipped(
            "advisories on crates",
            "cargo-deny is not installed (cargo install cargo-deny)",
        );
    }
    match sh::cargo().args(["deny", "check", "advisories"]).ask() {
        Some(_) => Tally::one(),
        None if sh("git").args(["ls-remote", "https://github.com/rustsec/advisory-db"]).ask().is_none() => {
            Tally::skipped("advisories on crates", "their database cannot be reached from here")
        }
        None => Tally::failed("cargo deny check advisories"),
    }
}

fn npm_advisories() -> Result<Tally> {
    let output = npm().args(["audit", "--omit=dev", "--audit-level=high"]).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(match (output.status.success(), said.contains("audit endpoint returned an error")) {
        (true, _) => Tally::one(),
        (false, true) => {
            Tally::skipped("advisories on npm packages", "the registry here does not answer npm audit")
        }
        (false, false) => Tally::failed("npm audit --omit=dev --audit-level=high"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_of_the_list_is_enough_and_every_part_counts() {
        for licence in ["MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "Unlicense OR MIT"] {
            assert!(is_met(licence, &LICENCES), "{licence}");
        }
        for licence in ["GPL-3.0", "MIT AND GPL-3.0", "", "LGPL-2.1-or-later"] {
            assert!(!is_met(licence, &LICENCES), "{licence}");
        }
    }
}
