//! `cargo xtask release`: checks what must hold before a version is published, builds the packages, makes the tag. It
//! pushes and uploads nothing; RELEASING.md says how that is done.

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::sh::sh;
use crate::stamp::sha256;
use crate::{package, paths};

const USAGE: &str = "cargo xtask release [--dry-run]";

/// The workspace's version: Cargo compiles it in.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// JSON files with a version, and where in them. Those that `package` builds may be absent.
const PLACES: [(&str, &str); 8] = [
    ("web/package.json", "/version"),
    ("extension/package.json", "/version"),
    ("extension/package.json", "/dependencies/@pith~1web"),
    ("package-lock.json", "/packages/web/version"),
    ("package-lock.json", "/packages/extension/version"),
    ("package-lock.json", "/packages/extension/dependencies/@pith~1web"),
    ("extension/dist/chrome/manifest.json", "/version"),
    ("extension/dist/firefox/manifest.json", "/version"),
];

/// A version as a file states it; None where the file does not state one.
struct Stated {
    place: String,
    version: Option<String>,
}

/// What a release is made of.
struct State {
    stated: Vec<Stated>,
    changelog: String,
    /// Changed and untracked files, as git lists them.
    dirty: Vec<String>,
    tags: Vec<String>,
}

/// `cargo xtask release [--dry-run]`.
pub fn verb(args: &[String]) -> Result<()> {
    let dry = match args {
        [] => false,
        [flag] if flag == "--dry-run" => true,
        _ => return Err(Error::Usage(USAGE.into())),
    };
    let state = State::read()?;
    let problems = state.problems(VERSION);
    if !problems.is_empty() {
        return Err(Error::Check(format!("{VERSION} cannot be released:\n  {}", problems.join("\n  "))));
    }
    let tag = format!("v{VERSION}");
    if !dry {
        package::run(crate::web::Extent::All)?;
        let message = format!("Pith {VERSION}");
        sh("git").args(["tag", "--annotate", &tag, "--message", &message]).quiet()?;
    }
    print(&tag, notes(&state.changelog, VERSION).unwrap_or_default(), dry)
}

/// The tag, the notes and the files with their checksums.
fn print(tag: &str, notes: &str, dry: bool) -> Result<()> {
    let commit = sh("git").args(["rev-parse", "HEAD"]).text()?;
    println!("{} {tag} at {}", if dry { "would tag" } else { "tagged" }, commit.trim());
    println!("\nnotes, from CHANGELOG.md:\n\n{notes}\n");
    let dist = paths::dist();
    let files = if dist.exists() { package::files_in(&dist)? } else { Vec::new() };
    if files.is_empty() {
        println!("nothing in dist/ yet: `cargo xtask package` builds the zips and the npm tarball");
    }
    // Texts and screenshots for the stores lie in a folder below; the names of packages have their version.
    for file in files.iter().filter(|file| file.parent() == Some(&dist)) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A file of another version is left from an earlier build, which `package` removes.
        let mark = if name.contains(VERSION) { "" } else { "  (of another version)" };
        println!("{}  {name}{mark}", sha256(&at(file, std::fs::read(file))?));
    }
    println!("\nRELEASING.md says how to publish them");
    Ok(())
}

fn stated() -> Result<Vec<Stated>> {
    let mut stated = Vec::new();
    for (file, pointer) in PLACES {
        let path = paths::root().join(file);
        if file.contains("/dist/") && !path.exists() {
            continue;
        }
        let text = at(&path, std::fs::read_to_string(&path))?;
        let json: Value =
            serde_json::from_str(&text).map_err(|error| Error::Check(format!("{file}: {error}")))?;
        let version = json.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        stated.push(Stated { place: format!("{file} {pointer}"), version });
    }
    Ok(stated)
}

impl State {
    fn read() -> Result<Self> {
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let changelog = paths::root().join("CHANGELOG.md");
        Ok(Self {
            stated: stated()?,
            changelog: at(&changelog, std::fs::read_to_string(&changelog))?,
            dirty: lines(sh("git").args(["status", "--porcelain"]).text()?),
            tags: lines(sh("git").args(["tag", "--list"]).text()?),
        })
    }

    /// What keeps `version` from being released; all of it, so that it can be put right at once.
    fn problems(&self, version: &str) -> Vec<String> {
        let mut problems = Vec::new();
        for Stated { place, version: stated } in &self.stated {
            match stated {
                Some(stated) if stated == version => {}
                Some(stated) => problems.push(format!("{place} is {stated}, Cargo.toml says {version}")),
                None => problems.push(format!("{place} is missing, Cargo.toml says {version}")),
            }
        }
        match notes(&self.changelog, version) {
            Some("") => problems.push(format!("the section [{version}] of CHANGELOG.md is empty")),
            Some(_) => {}
            None => problems.push(format!("CHANGELOG.md has no section `## [{version}] - DATE`")),
        }
        if self.tags.iter().any(|tag| *tag == format!("v{version}")) {
            problems.push(format!("the tag v{version} exists"));
        }
        problems.extend(self.dirty.iter().map(|line| format!("not committed: {line}")));
        problems
    }
}

/// The section of a version, without its heading. Its heading has a date.
fn notes<'a>(changelog: &'a str, version: &str) -> Option<&'a str> {
    let heading = format!("## [{version}] - ");
    let start = changelog.find(&format!("\n{heading}"))? + 1;
    let section = changelog[start..].split_once('\n').map_or("", |(_, section)| section);
    let end = section.find("\n## ").unwrap_or(section.len());
    let is_empty_at_once = section.starts_with("## ");
    Some(if is_empty_at_once { "" } else { section[..end].trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n- A thing.\n\n\
        ## [0.1.1] - 2026-11-02\n## [0.1.0] - 2026-11-01\n- The first.\n";

    fn state(versions: &[Option<&str>], dirty: &[&str], tags: &[&str]) -> State {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let stated = versions
            .iter()
            .enumerate()
            .map(|(i, version)| Stated { place: format!("file {i}"), version: version.map(str::to_owned) });
        State {
            stated: stated.collect(),
            changelog: CHANGELOG.to_owned(),
            dirty: owned(dirty),
            tags: owned(tags),
        }
    }

    #[test]
    fn a_version_that_all_files_state_and_the_changelog_describes_can_be_released() {
        let clean = state(&[Some("0.2.0"), Some("0.2.0")], &[], &["v0.1.0"]);
        assert_eq!(clean.problems("0.2.0"), Vec::<String>::new());
        assert_eq!(notes(CHANGELOG, "0.2.0"), Some("### Added\n- A thing."));
        assert_eq!(notes(CHANGELOG, "0.1.0"), Some("- The first."));
    }

    #[test]
    fn versions_that_differ_or_are_absent_are_named() {
        let problems = state(&[Some("0.2.0"), Some("0.1.0"), None], &[], &[]).problems("0.2.0");
        assert_eq!(
            problems,
            ["file 1 is 0.1.0, Cargo.toml says 0.2.0", "file 2 is missing, Cargo.toml says 0.2.0"]
        );
    }

    #[test]
    fn a_changelog_needs_a_section_with_a_date_and_a_text() {
        assert_eq!(notes(CHANGELOG, "0.3.0"), None);
        assert_eq!(notes(CHANGELOG, "Unreleased"), None);
        assert_eq!(notes(CHANGELOG, "0.1.1"), Some(""));
        let of = |version: &str| state(&[], &[], &[]).problems(version).join("\n");
        assert!(of("0.3.0").contains("no section"));
        assert!(of("0.1.1").contains("is empty"));
    }

    #[test]
    fn what_is_not_committed_and_a_tag_that_exists_are_refused() {
        let problems = state(&[], &[" M README.md", "?? new.txt"], &["v0.1.0", "v0.2.0"]).problems("0.2.0");
        assert_eq!(
            problems,
            ["the tag v0.2.0 exists", "not committed:  M README.md", "not committed: ?? new.txt"]
        );
    }

    /// The repository's own files agree; the changelog gets its section when a version is cut.
    #[test]
    fn this_repositorys_versions_agree() {
        let stated = stated().unwrap_or_default();
        assert!(stated.len() >= 6);
        for Stated { place, version } in stated.iter().filter(|stated| !stated.place.contains("/dist/")) {
            assert_eq!(version.as_deref(), Some(VERSION), "{place}");
        }
    }
}
