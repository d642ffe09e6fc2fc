//! Adapters that have passed the self-check, so that the next start need not ask them again. A new version of the
//! runtime, of the browser or another GPU is asked anew; a failure is never remembered.

use serde::{Deserialize, Serialize};

/// Entries that are kept: a machine has few GPUs, but its browser is updated often.
const ENTRIES_MAX: usize = 8;

/// What is remembered.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The runtime's version that the entries are of.
    version: String,
    /// Adapters in their browsers, the last one checked at the end.
    passed: Vec<String>,
}

impl Checked {
    /// From the text of a note; empty where there is none, or it is of another version.
    pub fn read(text: Option<&str>, version: &str) -> Self {
        let known = text.and_then(|text| serde_json::from_str::<Checked>(text).ok());
        let known = known.filter(|known| known.version == version);
        known.unwrap_or_else(|| Checked { version: version.into(), passed: Vec::new() })
    }

    /// Whether this GPU has passed, in this browser.
    pub fn has_passed(&self, gpu: &str, browser: &str) -> bool {
        self.passed.contains(&entry(gpu, browser))
    }

    /// Adds one, and gives the text of the note.
    pub fn add(mut self, gpu: &str, browser: &str) -> String {
        self.passed.retain(|known| *known != entry(gpu, browser));
        self.passed.push(entry(gpu, browser));
        let surplus = self.passed.len().saturating_sub(ENTRIES_MAX);
        self.passed.drain(..surplus);
        // Strings can always be written.
        serde_json::to_string(&self).unwrap_or_default()
    }
}

fn entry(gpu: &str, browser: &str) -> String {
    format!("{gpu} in {browser}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn what_has_passed_is_known_until_something_changes() {
        let none = Checked::read(None, "1.0");
        assert!(!none.has_passed("a gpu", "a browser"));
        let text = none.add("a gpu", "a browser");
        let rows = [
            ("a gpu", "a browser", "1.0", true),
            ("a gpu", "a browser", "1.1", false),
            ("a gpu", "a newer browser", "1.0", false),
            ("another gpu", "a browser", "1.0", false),
        ];
        for (gpu, browser, version, want) in rows {
            assert_eq!(Checked::read(Some(&text), version).has_passed(gpu, browser), want, "{gpu}");
        }
        for damaged in ["", "{", "[]", "{\"version\": 3}", &text[..text.len() - 2]] {
            assert_eq!(Checked::read(Some(damaged), "1.0"), Checked::read(None, "1.0"));
        }
    }

    #[test]
    fn the_oldest_entries_go() {
        let mut text = Checked::read(None, "1").add("0", "b");
        for n in 1..30 {
            text = Checked::read(Some(&text), "1").add(&n.to_string(), "b");
            text = Checked::read(Some(&text), "1").add(&n.to_string(), "b");
        }
        let known = Checked::read(Some(&text), "1");
        let passed: Vec<bool> = (0..30).map(|n| known.has_passed(&n.to_string(), "b")).collect();
        assert_eq!(passed.iter().filter(|p| **p).count(), ENTRIES_MAX);
        assert!(passed[30 - ENTRIES_MAX..].iter().all(|p| *p));
    }
}
