//! Averages of all documents.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::measure::{Asked, Found, Measured};
use crate::writing::totals;

/// Averages over documents within a set, then over sets.
fn macro_average(all: &[Measured], of: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
    let mut sets: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for doc in all {
        if let Some(value) = of(doc) {
            let set = sets.entry(&doc.set).or_default();
            *set = (set.0 + value, set.1 + 1.0);
        }
    }
    let sum: f64 = sets.values().map(|(sum, count)| sum / count).sum();
    (!sets.is_empty()).then(|| sum / sets.len() as f64)
}

fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

/// Retrieval and refusals of one path.
fn path(all: &[Measured], of: impl Fn(&Asked) -> Option<&Found>) -> Value {
    let asked: Vec<(&Asked, &Found)> =
        all.iter().flat_map(|doc| &doc.questions).filter_map(|one| Some((one, of(one)?))).collect();
    let answerable: Vec<&Found> =
        asked.iter().filter(|(one, _)| one.answerable).map(|(_, found)| *found).collect();
    let count = answerable.len();
    let first = answerable.iter().filter(|found| found.rank == Some(1)).count();
    let reciprocal: f64 =
        answerable.iter().filter_map(|found| found.rank).map(|rank| 1.0 / rank as f64).sum();
    let mut offered: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (one, found) in asked.iter().filter(|(one, _)| !one.answerable) {
        for about in [one.about.as_deref().unwrap_or("other"), "all"] {
            let counts = offered.entry(about).or_default();
            *counts = (counts.0 + usize::from(!found.refused), counts.1 + 1);
        }
    }
    let offered: Map<String, Value> = offered
        .into_iter()
        .map(|(about, (wrong, count))| {
            (about.to_owned(), json!({ "questions": count, "offered_percent": percent(wrong, count) }))
        })
        .collect();
    let passages: usize = answerable.iter().map(|found| found.passages).sum();
    json!({
        "answerable": count,
        "first_right_percent": percent(first, count),
        "mrr": (count > 0).then(|| reciprocal / count as f64),
        "refused_percent": percent(answerable.iter().filter(|found| found.refused).count(), count),
        "passages_average": (count > 0).then(|| passages as f64 / count as f64),
        "unanswerable": offered,
    })
}

/// Everything as one object.
pub fn averages(all: &[Measured]) -> Value {
    let sum = |of: fn(&Measured) -> usize| all.iter().map(of).sum::<usize>();
    let lines = sum(|doc| doc.lines);
    json!({
        "macro": {
            "documents": all.len(),
            "rouge1": macro_average(all, |doc| doc.rouge1),
            "rouge2": macro_average(all, |doc| doc.rouge2),
            "rougeLsum": macro_average(all, |doc| doc.rouge_lsum),
            "written_rouge1": macro_average(all, |doc| doc.written_rouge1),
            "written_rouge2": macro_average(all, |doc| doc.written_rouge2),
            "written_rougeLsum": macro_average(all, |doc| doc.written_rouge_lsum),
            "writing": all.iter().any(|doc| doc.writing.is_some()).then(|| totals(all.iter().filter_map(|doc| doc.writing.as_ref()))),
            "lines": lines,
            "supported_percent": percent(sum(|doc| doc.supported), lines),
            "hanging_percent": percent(sum(|doc| doc.hanging), lines),
            "colon_lines": sum(|doc| doc.colon_lines),
            "numbers_not_on_page": sum(|doc| doc.numbers_not_on_page),
            "names_not_on_page": sum(|doc| doc.names_not_on_page),
            "text": path(all, |one| Some(&one.by_text)),
            "hybrid": path(all, |one| one.hybrid.as_ref()),
            // Hybrid where the model knows the language, else text: what a user gets.
            "shown": path(all, |one| Some(one.hybrid.as_ref().unwrap_or(&one.by_text))),
            "digest_ms": macro_average(all, |doc| Some(doc.digest_ms)),
            "summary_ms": macro_average(all, |doc| Some(doc.summary_ms)),
            "question_ms": macro_average(all, |doc| (!doc.questions.is_empty()).then_some(doc.question_ms)),
        }
    })
}

/// The averages for people.
pub fn print(all: &[Measured]) {
    let averages = averages(all);
    let found = &averages["macro"];
    let number =
        |value: &Value, digits: usize| value.as_f64().map_or("-".into(), |value| format!("{value:.digits$}"));
    println!("\n{} documents, {} lines", found["documents"], found["lines"]);
    let print_rouge = |name: &str, prefix: &str| {
        let part = |of: &str| number(&found[format!("{prefix}{of}").as_str()], 1);
        println!("ROUGE-1/2/Lsum, {name:9} {} {} {}", part("rouge1"), part("rouge2"), part("rougeLsum"));
    };
    print_rouge("key lines", "");
    let writing = &found["writing"];
    if !writing.is_null() {
        print_rouge("written", "written_");
        println!(
            "written {} of {} lines, {} copied, {} % of the sources' words; {} drafts, flaws {}; {} choices corrected; \
             {} tokens in {} s, {} of the prompts' reused",
            writing["written"],
            writing["lines"],
            writing["copied"],
            number(&writing["words_percent"], 1),
            writing["drafts"],
            writing["flaws"],
            writing["corrected"],
            writing["tokens"],
            number(&writing["seconds"], 1),
            writing["reused"]
        );
    }
    println!(
        "supported {} %, hanging {} %, colon lines {}, numbers not on the page {}, names not on the page {}",
        number(&found["supported_percent"], 1),
        number(&found["hanging_percent"], 1),
        found["colon_lines"],
        found["numbers_not_on_page"],
        found["names_not_on_page"]
    );
    for path in ["text", "hybrid", "shown"] {
        let found = &found[path];
        println!(
            "{path:7} {} answerable: first right {} %, MRR {}, refused {} %, {} passages",
            found["answerable"],
            number(&found["first_right_percent"], 1),
            number(&found["mrr"], 3),
            number(&found["refused_percent"], 1),
            number(&found["passages_average"], 1)
        );
        for (about, offered) in found["unanswerable"].as_object().into_iter().flatten() {
            println!(
                "        {} unanswerable ({about}): offered {} %",
                offered["questions"],
                number(&offered["offered_percent"], 1)
            );
        }
    }
    println!(
        "digest {} ms, summary {} ms, question {} ms",
        number(&found["digest_ms"], 1),
        number(&found["summary_ms"], 0),
        number(&found["question_ms"], 0)
    );
}
