//! What came out of tests, and the last lines about it.

use std::collections::BTreeMap;

/// What came out of tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that did not run.
    pub skipped: u64,
    /// What failed.
    pub failures: Vec<Failure>,
    /// What did not run, each once.
    pub skips: Vec<Skip>,
    /// What tests said about the data they used, each once.
    pub notes: Vec<String>,
}

/// Something that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failure {
    /// What, and what it said.
    pub what: String,
    /// The command that repeats it alone; empty where only the whole stage can be repeated.
    pub repeat: String,
    /// Pictures, console and traces that it left.
    pub kept: Vec<String>,
}

/// Something that did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// What; may be empty.
    pub what: String,
    /// Why, in words that others with the same reason share.
    pub reason: String,
}

/// The reason of what runs with `--full` only.
pub const LONG: &str = "a long suite (cargo xtask test --full)";

impl Tally {
    /// One check that passed.
    pub fn one() -> Self {
        Self { passed: 1, ..Self::default() }
    }

    /// One check that failed.
    pub fn failed(what: impl Into<String>) -> Self {
        let failure = Failure { what: what.into(), ..Failure::default() };
        Self { failed: 1, failures: vec![failure], ..Self::default() }
    }

    /// One check that did not run.
    pub fn skipped(what: impl Into<String>, reason: impl Into<String>) -> Self {
        let skip = Skip { what: what.into(), reason: reason.into() };
        Self { skipped: 1, skips: vec![skip], ..Self::default() }
    }

    /// Adds another's counts and those of its lines that are new.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
        add_new(&mut self.skips, other.skips);
        add_new(&mut self.notes, other.notes);
    }
}

fn add_new<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) {
    for item in from {
        if !to.contains(&item) {
            to.push(item);
        }
    }
}

/// What became of a stage.
#[derive(Debug)]
pub struct Outcome {
    /// The stage.
    pub name: &'static str,
    /// What came out of it.
    pub tally: Tally,
    /// How long it took.
    pub seconds: f64,
}

/// The last lines of a run: what failed and how to repeat it, what was skipped by reason, minutes by stage, counts.
pub fn last_lines(outcomes: &[Outcome], seconds: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for Outcome { name, tally, .. } in outcomes {
        tally.failures.iter().for_each(|failure| lines.extend(failure_lines(name, failure)));
    }
    lines.extend(skip_lines(outcomes));
    let mut slowest: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.seconds >= 1.0).collect();
    slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let minutes: Vec<String> =
        slowest.iter().map(|o| format!("{} {:.1}", o.name, o.seconds / 60.0)).collect();
    let beside = "; some run beside each other";
    lines.push(format!("minutes  {:.1} in all: {}{beside}", seconds / 60.0, minutes.join(", ")));
    let mut total = Tally::default();
    outcomes.iter().for_each(|outcome| total.add(outcome.tally.clone()));
    let Tally { passed, failed, skipped, .. } = total;
    lines.push(format!("\n{passed} passed, {failed} failed, {skipped} skipped"));
    lines
}

fn failure_lines(stage: &str, Failure { what, repeat, kept }: &Failure) -> Vec<String> {
    let of_stage = format!("cargo xtask test --only {stage}");
    let repeat = if repeat.is_empty() { &of_stage } else { repeat };
    let mut lines = vec![format!("FAILED   {stage:<12} {what}"), format!("         repeat it:   {repeat}")];
    lines.extend(kept.iter().map(|file| format!("         kept:        {file}")));
    lines
}

/// A line for each reason, with what was skipped for it.
fn skip_lines(outcomes: &[Outcome]) -> Vec<String> {
    let mut by_reason = BTreeMap::<&str, Vec<&str>>::new();
    for outcome in outcomes {
        for Skip { what, reason } in &outcome.tally.skips {
            let whats = by_reason.entry(reason).or_default();
            whats.push(if what.is_empty() { outcome.name } else { what });
        }
    }
    let line = |(reason, whats): (&str, Vec<&str>)| {
        format!("skipped  {:>3} {reason}: {}", whats.len(), whats.join("; "))
    };
    by_reason.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_say_what_to_repeat_and_why_something_did_not_run() {
        let mut first = Tally::skipped("", LONG);
        first.add(Tally::skipped("kernels on swiftshader", LONG));
        first.add(Tally::failed("clippy: unused"));
        let mut second = Tally::one();
        second.failed = 1;
        second.failures = vec![Failure {
            what: "a.case.ts:3 opens".into(),
            repeat: "cargo xtask test --only e2e --case a.case.ts:3".into(),
            kept: vec!["e2e/results/beside/a/trace.zip".into()],
        }];
        let outcomes = [
            Outcome { name: "rust", tally: first, seconds: 90.0 },
            Outcome { name: "e2e", tally: second, seconds: 30.0 },
        ];
        let want = [
            "",
            "FAILED   rust         clippy: unused",
            "         repeat it:   cargo xtask test --only rust",
            "FAILED   e2e          a.case.ts:3 opens",
            "         repeat it:   cargo xtask test --only e2e --case a.case.ts:3",
            "         kept:        e2e/results/beside/a/trace.zip",
            "skipped    2 a long suite (cargo xtask test --full): rust; kernels on swiftshader",
            "minutes  1.7 in all: rust 1.5, e2e 0.5; some run beside each other",
            "\n1 passed, 2 failed, 2 skipped",
        ];
        assert_eq!(last_lines(&outcomes, 100.0), want);
    }
}
