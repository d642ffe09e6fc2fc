//! Lines that language models wrote, and lines with one fact changed, against what the judge says of them. With `--nocapture` it prints a
//! table for each half of the set, by writer, and the lines of the first half that are judged wrongly.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;

use crate::digesting;
use crate::docs::Doc;
use pith_engine::digest::{Digest, Evidence, Flaw, Keep, Limits, Page, function_words, judge};

/// By writer: the largest shares of faithful lines that may be refused, and of others that may be accepted. Models wrote few of the others.
const LIMITS: [(&str, f64, f64); 3] = [
    ("hand", 0.15, 0.03),
    ("Qwen2.5-Coder-0.5B-Instruct", 0.25, 0.10),
    ("Qwen2.5-Coder-1.5B-Instruct", 0.35, 0.10),
];

/// A line of the set.
#[derive(Deserialize)]
struct Labeled {
    /// The sentence that it was made from; absent where it is about a page.
    source: Option<String>,
    page: Option<String>,
    language: String,
    line: String,
    faithful: bool,
    /// What is wrong with it.
    why: Option<String>,
    by: String,
}

/// A page as the extension read it.
#[derive(Deserialize)]
struct Reading {
    name: String,
    page: Option<Page>,
}

/// A page of the quality set or of the pages with facts.
pub fn page(id: &str) -> Digest {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quality");
    let page = match std::fs::read_to_string(dir.join(format!("{id}.json"))) {
        Ok(text) => serde_json::from_str::<Doc>(&text).unwrap().page(),
        Err(_) => {
            let text = std::fs::read_to_string(dir.join("summaries.jsonl")).unwrap();
            let mut readings = text.lines().map(|line| serde_json::from_str::<Reading>(line).unwrap());
            readings.find(|reading| reading.name == id).unwrap().page.unwrap()
        }
    };
    digesting::digest(&page, &Limits::default()).unwrap()
}

/// What speaks against a line, and whether it is an unbroken part of its source.
fn flaw(labeled: &Labeled, pages: &mut BTreeMap<String, Digest>) -> (Option<Flaw>, bool) {
    match (&labeled.source, &labeled.page) {
        (Some(source), _) => {
            let evidence = Evidence::new([source.as_str()], function_words(&labeled.language));
            let judged = judge(&labeled.line, source, &evidence, (Keep::Reworded, &labeled.language));
            (judged.err(), source.contains(labeled.line.trim_end_matches('.')))
        }
        (None, id) => {
            let id = id.as_deref().unwrap();
            let digest = pages.entry(id.to_owned()).or_insert_with(|| page(id));
            let found = pollster::block_on(digest.attribute(&labeled.line, &async || true)).unwrap();
            (found.flaw, found.copied)
        }
    }
}

/// Lines by what they are: faithful ones, of them refused, others, of them accepted.
type Counts = [usize; 4];

fn measure(text: &str, verbose: bool) -> BTreeMap<String, Counts> {
    let mut pages = BTreeMap::new();
    // By writer, and by what the line was made from.
    let mut table: BTreeMap<String, Counts> = BTreeMap::new();
    let mut accepted_by_fault: BTreeMap<String, usize> = BTreeMap::new();
    let started = Instant::now();
    for line in text.lines() {
        let labeled: Labeled = serde_json::from_str(line).unwrap();
        let (flaw, copied) = flaw(&labeled, &mut pages);
        let of = if labeled.source.is_some() { "sentence" } else { "page" };
        let of = if copied { "copied" } else { of };
        let wrong = flaw.is_none() != labeled.faithful;
        for row in [format!("{}, {of}", labeled.by), labeled.by.clone(), "all".into()] {
            let counts = table.entry(row).or_default();
            let at = if labeled.faithful { 0 } else { 2 };
            counts[at] += 1;
            counts[at + 1] += usize::from(wrong);
        }
        if wrong && !labeled.faithful {
            *accepted_by_fault.entry(labeled.why.clone().unwrap_or_default()).or_default() += 1;
        }
        if wrong && verbose {
            let name = flaw.as_ref().map_or("accepted", Flaw::name);
            println!("{name}: {} | {}", labeled.line, labeled.source.or(labeled.page).unwrap_or_default());
        }
    }
    println!("{:40} {:>9} {:>8} {:>7} {:>9}", "", "faithful", "refused", "others", "accepted");
    for (row, [faithful, refused, others, accepted]) in &table {
        println!("{row:40} {faithful:9} {refused:8} {others:7} {accepted:9}");
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("accepted, by fault: {accepted_by_fault:?}; {seconds:.1} s with the pages\n");
    table
}

#[test]
fn the_judge_keeps_what_is_meant() {
    let halves = [
        ("develop", include_str!("../quality/lines/develop.jsonl"), true),
        ("held out", include_str!("../quality/lines/held-out.jsonl"), false),
    ];
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    for (name, text, verbose) in halves {
        println!("{name}");
        let table = measure(text, verbose);
        for (writer, refused_max, accepted_max) in LIMITS {
            let [faithful, refused, others, accepted] = table[writer];
            let (refused, accepted) = (share(refused, faithful), share(accepted, others));
            println!(
                "{name}, {writer}: {:.1} % wrongly refused, {:.1} % wrongly accepted",
                100.0 * refused,
                100.0 * accepted
            );
            assert!(refused <= refused_max && accepted <= accepted_max, "{name}, {writer}");
        }
    }
}
