//! What the self-check of each adapter came to, so that the next start need not ask again. Other kernels, a new version of
//! the browser or another GPU are asked anew; one that computed wrongly is asked again after a week.

use serde::{Deserialize, Serialize};

/// Entries that are kept: a machine has few GPUs, but several kinds of models, and its browser is updated often.
const ENTRIES_MAX: usize = 32;
/// A driver can be updated without the browser, so a wrong GPU is asked again after this time.
const WRONG_FOR_MS: f64 = 7.0 * 24.0 * 3_600_000.0;

/// What is remembered.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Of the runtime and its kernels, for which the entries hold.
    version: String,
    /// Adapters in their browsers, the last one checked at the end.
    entries: Vec<(String, Verdict)>,
}

/// What a self-check came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The answers are right.
    Right {
        /// The name of the shapes of kernels that they are right with, where the device has a choice.
        tuning: Option<String>,
        /// The kernels that were replaced for it, in words; empty for none.
        replaced: String,
        /// Whether all shapes were tried for models of this kind.
        is_tuned: bool,
    },
    /// The answers are wrong, with every shape.
    Wrong {
        /// In words.
        detail: String,
        /// When, since 1970.
        at_ms: f64,
    },
}

impl Checked {
    /// From the text of a note; empty where there is none, or it is of another version.
    pub fn read(text: Option<&str>, version: &str) -> Self {
        let known = text.and_then(|text| serde_json::from_str::<Checked>(text).ok());
        let known = known.filter(|known| known.version == version);
        known.unwrap_or_else(|| Checked { version: version.into(), entries: Vec::new() })
    }

    /// What this GPU's check came to, in this browser, where that still holds.
    pub fn verdict(&self, gpu: &str, browser: &str, now_ms: f64) -> Option<&Verdict> {
        let entry = entry(gpu, browser);
        let (_, verdict) = self.entries.iter().find(|(known, _)| *known == entry)?;
        let holds = match verdict {
            Verdict::Right { .. } => true,
            // A clock that was set back is not a reason to wait for years.
            Verdict::Wrong { at_ms, .. } => (0.0..WRONG_FOR_MS).contains(&(now_ms - at_ms)),
        };
        holds.then_some(verdict)
    }

    /// Adds one, and gives the text of the note.
    pub fn add(mut self, gpu: &str, browser: &str, verdict: Verdict) -> String {
        let entry = entry(gpu, browser);
        self.entries.retain(|(known, _)| *known != entry);
        self.entries.push((entry, verdict));
        let surplus = self.entries.len().saturating_sub(ENTRIES_MAX);
        self.entries.drain(..surplus);
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

    fn right() -> Verdict {
        Verdict::Right { tuning: None, replaced: String::new(), is_tuned: false }
    }

    #[test]
    fn a_verdict_is_known_until_something_changes() {
        let none = Checked::read(None, "1.0");
        assert_eq!(none.verdict("a gpu", "a browser", 0.0), None);
        let text = none.add("a gpu", "a browser", right());
        let rows = [
            ("a gpu", "a browser", "1.0", Some(right())),
            ("a gpu", "a browser", "1.1", None),
            ("a gpu", "a newer browser", "1.0", None),
            ("another gpu", "a browser", "1.0", None),
        ];
        for (gpu, browser, version, want) in rows {
            let known = Checked::read(Some(&text), version);
            assert_eq!(known.verdict(gpu, browser, 0.0), want.as_ref(), "{gpu}");
        }
        let older = r#"{"version":"1.0","passed":["a gpu in a browser"]}"#;
        for damaged in ["", "{", "[]", "{\"version\": 3}", older, &text[..text.len() - 2]] {
            assert_eq!(Checked::read(Some(damaged), "1.0"), Checked::read(None, "1.0"));
        }
    }

    #[test]
    fn a_wrong_gpu_is_asked_again_after_a_week() {
        let day_ms = 24.0 * 3_600_000.0;
        let wrong = Verdict::Wrong { detail: "linear".into(), at_ms: 10.0 * day_ms };
        let text = Checked::read(None, "1").add("g", "b", wrong.clone());
        let known = Checked::read(Some(&text), "1");
        assert_eq!(known.verdict("g", "b", 16.9 * day_ms), Some(&wrong));
        for now_ms in [17.1 * day_ms, 9.0 * day_ms] {
            assert_eq!(known.verdict("g", "b", now_ms), None);
        }
        let known = Checked::read(Some(&known.add("g", "b", right())), "1");
        assert_eq!(known.verdict("g", "b", 11.0 * day_ms), Some(&right()));
    }

    #[test]
    fn the_oldest_entries_go() {
        let mut text = Checked::read(None, "1").add("0", "b", right());
        for n in 1..90 {
            text = Checked::read(Some(&text), "1").add(&n.to_string(), "b", right());
            text = Checked::read(Some(&text), "1").add(&n.to_string(), "b", right());
        }
        let known = Checked::read(Some(&text), "1");
        let kept: Vec<bool> = (0..90).map(|n| known.verdict(&n.to_string(), "b", 0.0).is_some()).collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), ENTRIES_MAX);
        assert!(kept[90 - ENTRIES_MAX..].iter().all(|kept| *kept));
    }
}
