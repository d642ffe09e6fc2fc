//! The end-to-end cases: Playwright runs them, project by project, and its report becomes counts, names and times.

use std::path::Path;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::setup::Tools;
use crate::sh::node_script;
use crate::tally::{Failure, Skip, Tally};
use crate::{paths, suites, timings};

/// The projects of e2e/playwright.config.ts, in the order in which they run.
const PROJECTS: [&str; 4] = ["beside", "alone", "firefox", "firefox-alone"];

/// Runs all cases, or with `only` those whose file and line have it: `cases/ask-page/ask.case.ts:12`.
pub fn run(tools: &Tools, full: bool, only: &str) -> Tally {
    let mut total = Tally::default();
    for project in PROJECTS {
        let tally = run_project(tools, full, only, project);
        total.add(tally.unwrap_or_else(|error| Tally::failed(format!("{project}: {error}"))));
    }
    total
}

fn run_project(tools: &Tools, full: bool, only: &str, project: &str) -> Result<Tally> {
    if project.starts_with("firefox") && !cfg!(target_os = "linux") {
        return Ok(Tally::skipped("cases in Firefox", "their harness is for Linux"));
    }
    let dir = paths::root().join("e2e");
    // A folder for each project: one empties its own before it begins.
    let results = Path::new("results").join(project);
    let outcome = node_script("@playwright/test/cli.js")
        // In one word: what follows would be taken for another project.
        .args(["test", "--pass-with-no-tests", &format!("--project={project}")])
        .args((!only.is_empty()).then_some(only))
        .dir(&dir)
        .env("PITH_CHROME", &tools.chromium)
        .env("PITH_RESULTS", &results)
        .env(suites::FULL, if full { "1" } else { "" })
        // No escapes for colours in what cases say.
        .env("FORCE_COLOR", "0")
        .run();
    let tally = tally(&read_json(&dir.join(&results).join("report.json"))?, project);
    if tally.failed == 0 {
        outcome?;
    }
    Ok(tally)
}

fn tally(report: &Value, project: &str) -> Tally {
    let count = |key: &str| report["stats"][key].as_u64().unwrap_or(0);
    let mut tally = Tally { passed: count("expected"), skipped: count("skipped"), ..Tally::default() };
    for spec in specs(report) {
        let place = format!("{}:{}", word(&spec["file"]), spec["line"]);
        let name = format!("{project} {place} {}", word(&spec["title"]));
        let tests = || list(&spec["tests"]);
        let results = || tests().flat_map(|test| list(&test["results"]));
        let seconds = results().filter_map(|result| result["duration"].as_f64()).sum::<f64>() / 1e3;
        timings::case(name.clone(), seconds);
        let skip = || tests().find_map(|test| list(&test["annotations"]).find(|a| a["type"] == "skip"));
        if spec["ok"] == false {
            tally.failures.push(failure(&name, &place, results()));
        } else if let Some(reason) = skip() {
            tally.skips.push(Skip { what: name, reason: word(&reason["description"]).to_owned() });
        }
    }
    tally.failed = tally.failures.len() as u64;
    tally
}

/// What a case said when it failed, in one line, and what it left.
fn failure<'a>(name: &str, place: &str, mut results: impl Iterator<Item = &'a Value>) -> Failure {
    let failed = results.find(|result| !result["error"].is_null()).unwrap_or(&Value::Null);
    let words: Vec<&str> = word(&failed["error"]["message"]).split_whitespace().collect();
    let said: String = words.join(" ").chars().take(300).collect();
    let kept = list(&failed["attachments"]).map(|file| Path::new(word(&file["path"])));
    let kept = kept.map(|file| file.strip_prefix(paths::root()).unwrap_or(file).display().to_string());
    Failure {
        what: format!("{name}: {said}"),
        repeat: format!("cargo xtask test --only e2e --case {place}"),
        kept: kept.filter(|file| !file.is_empty()).collect(),
    }
}

/// Every test of a report of Playwright's, whose suites lie in suites.
fn specs(suite: &Value) -> Vec<&Value> {
    let nested = list(&suite["suites"]).flat_map(specs);
    list(&suite["specs"]).chain(nested).collect()
}

/// The items of a list; none of anything else.
pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A text; empty for anything else.
pub fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A report that another program wrote.
pub fn read_json(path: &Path) -> Result<Value> {
    let text = at(path, std::fs::read_to_string(path))?;
    serde_json::from_str(&text).map_err(|error| Error::Check(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_case_that_fails_is_named_with_what_it_left() {
        let result = json!({
            "duration": 1500, "error": { "message": "no\n summary" },
            "attachments": [{ "path": paths::root().join("e2e/results/beside/a/trace.zip") }],
        });
        let spec = json!({
            "file": "a/b.case.ts", "line": 7, "title": "opens", "ok": false,
            "tests": [{ "status": "unexpected", "results": [result] }],
        });
        let report = json!({ "stats": { "expected": 2, "skipped": 0 }, "suites": [{ "specs": [spec] }] });
        let failure = Failure {
            what: "beside a/b.case.ts:7 opens: no summary".into(),
            repeat: "cargo xtask test --only e2e --case a/b.case.ts:7".into(),
            kept: vec!["e2e/results/beside/a/trace.zip".into()],
        };
        let want = Tally { passed: 2, failed: 1, failures: vec![failure], ..Tally::default() };
        assert_eq!(tally(&report, "beside"), want);
    }
}
