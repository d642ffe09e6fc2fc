//! Small trained models, in `real/` of a fixtures folder: known texts, an exhaustive sort, known sentence vectors.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cases::{Case, Nmse};
use super::files::{Anyhow, Fixtures, ids_of};
use super::subject::Subject;

/// The goldens of quantised files come from an engine that quantises activations too.
const LIMIT_QUANTISED: f64 = 1e-2;
/// The golden logits are printed with five decimals, and made with an f16 table in places.
const LIMIT_EXACT: f64 = 1e-6;
/// Smallest cosine of a Q8_0 sentence vector to the f32 reference.
const COSINE_MIN: f64 = 0.998;
const SORT: &str = "gpt-nano-sort-f32";
const SENTENCES: &str = "minilm-q8_0";

/// The embedded encoder as `cargo xtask setup` makes it, or the file at `PITH_MINILM`.
pub fn minilm() -> PathBuf {
    let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/models/minilm-q8_0.gguf");
    std::env::var_os("PITH_MINILM").map_or(cache, PathBuf::from)
}

/// Names of the models that are there.
pub fn names(f: &Fixtures) -> Anyhow<Vec<String>> {
    let real = f.dir.join("real");
    if !real.is_dir() {
        return Ok(Vec::new());
    }
    let files: BTreeSet<String> =
        stories(f)?.iter().filter_map(|story| story["file"].as_str().map(str::to_owned)).collect();
    let mut names: Vec<String> = files
        .into_iter()
        .filter(|file| real.join(file).is_file())
        .map(|file| file.trim_end_matches(".gguf").to_owned())
        .collect();
    names.push(SORT.to_owned());
    match minilm() {
        file if file.is_file() => names.push(SENTENCES.to_owned()),
        file => eprintln!("skipped: {SENTENCES}, because {} does not exist", file.display()),
    }
    Ok(names)
}

/// Runs one of them, on what `stride` leaves of its inputs.
pub async fn real_case(f: &Fixtures, name: &str, stride: usize, subject: &mut impl Subject) -> Case {
    let case = Case::new(name, "real", subject.backend());
    let mut run = async || -> Anyhow<Case> {
        let file = if name == SENTENCES { minilm() } else { f.dir.join(format!("real/{name}.gguf")) };
        subject.load(&[file], None).await?;
        match name {
            SORT => sort(subject, stride).await,
            SENTENCES => sentences(f, subject, stride).await,
            _ => tell(f, name, subject, stride).await,
        }
    };
    match run().await {
        Err(e) => case.failed(e),
        Ok(found) => Case { name: case.name, section: case.section, backend: case.backend, ..found },
    }
}

fn stories(f: &Fixtures) -> Anyhow<Vec<Value>> {
    Ok(serde_json::from_slice(&fs::read(f.dir.join("real/golden_lm.json"))?)?)
}

/// Logits of every prompt; on unquantised files also the text, of every `stride`-th.
async fn tell(f: &Fixtures, name: &str, subject: &mut impl Subject, stride: usize) -> Anyhow<Case> {
    let exact = name.ends_with("f32") || name.ends_with("f16");
    let (mut nmse, mut reasons) = (Nmse::default(), Vec::new());
    let all = stories(f)?;
    let records = all
        .iter()
        .filter(|one| one["file"].as_str().is_some_and(|file| file.trim_end_matches(".gguf") == name));
    for (at, record) in records.enumerate() {
        let (prompt, golden) = (ids_of(&record["prompt_ids"]), floats_of(&record["first_logits"]));
        let rows = subject.evaluate(&prompt, prompt.len().saturating_sub(1), &[]).await?;
        let found =
            rows.first().and_then(|row| row.get(..golden.len())).ok_or("fewer logits than golden ones")?;
        nmse.add(&golden, found);
        if !exact || at % stride > 0 {
            continue;
        }
        let (ids, text) = (ids_of(&record["greedy_ids"]), record["greedy_text"].as_str().unwrap_or_default());
        let found = subject.generate(&prompt, ids.len()).await?;
        // The golden run does not stop at end tokens; ours does, and then it must have stopped before the story's end.
        let same = match found.ended {
            true => ids.starts_with(&found.ids) && text.starts_with(&found.text),
            false => ids == found.ids && text == found.text,
        };
        if !same {
            reasons.push(format!("the text differs after {}", record["prompt"]));
        }
    }
    let limit = if exact { LIMIT_EXACT } else { LIMIT_QUANTISED };
    let greedy_equal = exact.then_some(reasons.is_empty());
    if nmse.value().is_nan() || nmse.value() > limit {
        reasons.insert(0, "the first logits are off".to_owned());
    }
    let (nmse, limit) = (Some(nmse.value()), Some(limit));
    Ok(Case { nmse, limit, greedy_equal, ..verdict(reasons.is_empty(), reasons.join("; ")) })
}

/// Six letters of A, B and C: all 729 inputs, or every `stride`-th, must come out sorted.
async fn sort(subject: &mut impl Subject, stride: usize) -> Anyhow<Case> {
    let (mut right, mut total) = (0, 0);
    for code in (0..729_u32).step_by(stride) {
        let letters: Vec<u32> = (0..6).map(|place| code / 3_u32.pow(place) % 3).collect();
        let mut sorted = letters.clone();
        sorted.sort_unstable();
        right += u32::from(subject.generate(&letters, 6).await?.ids == sorted);
        total += 1;
    }
    let case = verdict(right == total, format!("{right} of {total} sorted"));
    Ok(Case { greedy_equal: Some(case.pass), ..case })
}

async fn sentences(f: &Fixtures, subject: &mut impl Subject, stride: usize) -> Anyhow<Case> {
    let reference: Value = serde_json::from_slice(&fs::read(f.dir.join("real/minilm_reference_20.json"))?)?;
    let list = |key: &str| reference[key].as_array().cloned().unwrap_or_default();
    let (texts, golden) = (list("sentences"), list("embeddings"));
    let texts: Vec<&str> = texts.iter().step_by(stride).filter_map(Value::as_str).collect();
    let vectors = subject.embed(&texts).await?;
    let golden = golden.iter().step_by(stride).map(floats_of);
    let worst = vectors.iter().zip(golden).map(|(a, b)| cosine(a, &b)).fold(1.0, f64::min);
    let pass = worst >= COSINE_MIN && !texts.is_empty() && vectors.len() == texts.len();
    Ok(verdict(pass, format!("smallest cosine {worst:.5}")))
}

fn verdict(pass: bool, reason: String) -> Case {
    Case { pass, reason, ..Case::new("", "", "") }
}

fn floats_of(value: &Value) -> Vec<f32> {
    value.as_array().into_iter().flatten().filter_map(|v| v.as_f64().map(|v| v as f32)).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
