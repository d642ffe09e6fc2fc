//! What a case comes to, and the sections of models: fixtures, formats and mixes.

use pith_engine::formats::Precision;
use pith_engine::models;
use pith_engine::plan::{Act, CacheFormat};
use serde::Serialize;
use serde_json::Value;

use super::files::{Anyhow, Fixtures, ids_of, read_headers};
use super::subject::{Rounding, Runner, Subject};

/// What one case came to.
#[derive(Debug, Serialize)]
pub struct Case {
    pub name: String,
    pub section: String,
    pub backend: String,
    pub nmse: Option<f64>,
    pub limit: Option<f64>,
    pub greedy_equal: Option<bool>,
    pub pass: bool,
    pub reason: String,
}

impl Case {
    pub fn new(name: &str, section: &str, backend: &str) -> Case {
        let (name, section, backend) = (name.to_owned(), section.to_owned(), backend.to_owned());
        Case {
            name,
            section,
            backend,
            nmse: None,
            limit: None,
            greedy_equal: None,
            pass: false,
            reason: String::new(),
        }
    }

    /// With what the engine or the reading of a file said.
    pub fn failed(mut self, reason: impl ToString) -> Case {
        let text = reason.to_string();
        let unsupported = text.contains("not supported") || text.contains("not known for this architecture");
        self.reason = if unsupported { format!("unsupported: {text}") } else { text };
        self
    }

    /// True where the engine refused the file as something that it does not support.
    pub fn unsupported(&self) -> bool {
        self.reason.starts_with("unsupported")
    }
}

/// sum (a - b)^2 and sum a^2, over rows.
#[derive(Default)]
pub struct Nmse(f64, f64);

impl Nmse {
    pub fn add(&mut self, golden: &[f32], got: &[f32]) {
        for (a, b) in golden.iter().zip(got) {
            self.0 += f64::from(a - b).powi(2);
            self.1 += f64::from(*a).powi(2);
        }
        if golden.len() != got.len() {
            self.0 = f64::NAN;
        }
    }

    pub fn value(&self) -> f64 {
        self.0 / self.1
    }
}

/// Positions that the goldens were made with.
const CONTEXT_TOKENS: usize = 256;

/// Runs one model of the sections fixtures, formats or mixes on a subject that rounds so.
pub async fn model_case(
    f: &Fixtures,
    section: &str,
    record: &Value,
    subject: &mut impl Subject,
    rounding: impl Into<Rounding>,
) -> Case {
    let name = record["name"].as_str().unwrap_or("?");
    let case = Case::new(name, section, subject.backend());
    match compare(f, record, subject, rounding.into()).await {
        Err(e) => case.failed(e),
        Ok(Verdict { nmse, limit, greedy_equal, mut reasons }) => {
            if nmse.is_nan() || nmse > limit {
                reasons.insert(0, "the outputs are off".to_owned());
            }
            let (pass, reason) = (reasons.is_empty(), reasons.join("; "));
            Case { nmse: Some(nmse), limit: Some(limit), greedy_equal, pass, reason, ..case }
        }
    }
}

/// How far a model is from its goldens.
struct Verdict {
    nmse: f64,
    limit: f64,
    /// None where there are no tokens to choose.
    greedy_equal: Option<bool>,
    reasons: Vec<String>,
}

async fn compare(
    f: &Fixtures,
    record: &Value,
    subject: &mut impl Subject,
    Rounding { cache, precision }: Rounding,
) -> Anyhow<Verdict> {
    let paths = f.paths(record)?;
    let prompts = record["prompts"].as_array().filter(|all| !all.is_empty()).ok_or("there are no prompts")?;
    let golden = f.floats(record["golden"]["ref"]["file"].as_str().ok_or("no golden file is named")?)?;
    let len = |p: &Value| ids_of(&p["ids"]).len() + ids_of(&p["greedy"]).len();
    let context_tokens = prompts.iter().map(len).max().unwrap_or(0).max(CONTEXT_TOKENS);
    subject.load(&paths, Some(context_tokens)).await?;
    let header = read_headers(&f.files(record)?)?;
    let uses_gelu = models::read(&header)?.layers.iter().any(|layer| layer.ffn.act == Act::Gelu);
    let limit = nmse_limit(uses_gelu, subject.backend()).max(cache_limit(cache));
    let theirs = &record["cpu_vs_ref"];
    let is_fast = precision == Precision::Fast;
    let limit = if is_fast { limit.max(llama_cpp_nmse(theirs)?) } else { limit };
    let (nmse, mut reasons) = compare_prompts(subject, prompts, &golden).await?;
    let greedy_equal = (!subject.is_encoder()).then_some(reasons.is_empty());
    // Blocks of a few bits are too coarse for every choice to stay the same.
    let llama_cpp_differs = is_fast && theirs["greedy_equal"] == false;
    if matches!(cache, CacheFormat::Q8_0 | CacheFormat::Q4_0) || llama_cpp_differs {
        reasons.clear();
    }
    Ok(Verdict { nmse, limit, greedy_equal, reasons })
}

/// How far the model is from the goldens of all prompts, and what is wrong with its choices.
pub async fn compare_prompts(
    model: &mut impl Runner,
    prompts: &[Value],
    golden: &[f32],
) -> Anyhow<(f64, Vec<String>)> {
    let (mut nmse, mut reasons) = (Nmse::default(), Vec::new());
    // The device's own choices are asked for once, after the prompt that is continued furthest: running every prompt
    // twice would take twice as long.
    let furthest = prompts.iter().enumerate().max_by_key(|(_, p)| ids_of(&p["greedy"]).len()).map(|(i, _)| i);
    for (i, prompt) in prompts.iter().enumerate() {
        if model.is_encoder() {
            compare_vectors(model, prompt, golden, &mut nmse).await?;
        } else {
            reasons.extend(compare_logits(model, prompt, golden, &mut nmse, furthest == Some(i)).await?);
        }
    }
    Ok((nmse.value(), reasons))
}

/// f32 arithmetic on decoded weights: 1e-8; on a GPU, whose tanh and exp are approximate, 1e-6 for models with GELU.
fn nmse_limit(uses_gelu: bool, backend: &str) -> f64 {
    if uses_gelu && backend != "cpu" { 1e-6 } else { 1e-8 }
}

/// How far llama.cpp's default path on the CPU, whose inputs of products have 8 bits too, is from the golden output.
fn llama_cpp_nmse(theirs: &Value) -> Anyhow<f64> {
    let parts = [&theirs["prefill"], &theirs["pooled"], &theirs["tokens"]];
    let known = parts.iter().filter_map(|part| part["nmse"].as_f64());
    known.reduce(f64::max).ok_or_else(|| "it is not known how far llama.cpp is from the golden output".into())
}

/// What rounding keys and values costs at most.
fn cache_limit(cache: CacheFormat) -> f64 {
    match cache {
        CacheFormat::F32 => 0.0,
        CacheFormat::F16 => 2e-5,
        CacheFormat::Q8_0 => 2e-3,
        CacheFormat::Q4_0 => 2e-1,
    }
}

/// The rows that a golden record points to; none where there is no record.
fn golden_rows<'a>(golden: &'a [f32], at: &Value) -> Anyhow<Vec<&'a [f32]>> {
    if at.is_null() {
        return Ok(Vec::new());
    }
    let offset = at["offset"].as_u64().ok_or("a golden record has no offset")? as usize / 4;
    let (rows, cols) = match ids_of(&at["shape"])[..] {
        [rows, cols] => (rows as usize, cols as usize),
        [cols] => (1, cols as usize),
        _ => return Err("a golden record has another shape than [rows, cols]".into()),
    };
    let flat = golden.get(offset..offset + rows * cols).ok_or("a golden record points outside its file")?;
    Ok(flat.chunks_exact(cols.max(1)).collect())
}

/// What is wrong with the tokens chosen after one prompt; `on_device` asks the device for its choices too.
async fn compare_logits(
    model: &mut impl Runner,
    prompt: &Value,
    golden: &[f32],
    nmse: &mut Nmse,
    on_device: bool,
) -> Anyhow<Vec<String>> {
    let (ids, greedy) = (ids_of(&prompt["ids"]), ids_of(&prompt["greedy"]));
    let mut rows = golden_rows(golden, &prompt["prefill"])?;
    let prefill_rows = rows.len();
    rows.extend(golden_rows(golden, &prompt["decode"])?);
    let decode = greedy.get(..rows.len() - prefill_rows).ok_or("more decoded rows than greedy tokens")?;
    let first = ids.len().checked_sub(prefill_rows.max(1)).ok_or("more prefill rows than tokens")?;
    if prompt["prefill"]["first_position"].as_u64().is_some_and(|at| at as usize != first) {
        return Err("the prefill rows do not end with the prompt".into());
    }
    let found = model.evaluate(&ids, first, decode).await?;
    if found.len() != rows.len() {
        return Err(format!("{} rows where {} were expected", found.len(), rows.len()).into());
    }
    let mut error = 0.0;
    for (golden, found) in rows.iter().zip(&found) {
        nmse.add(golden, found);
        error = golden.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(error, f32::max);
    }
    let last = &rows[prefill_rows.saturating_sub(1)..];
    let chosen = if on_device { model.choices(&ids, &greedy).await? } else { None };
    let name = prompt["name"].as_str().unwrap_or("?");
    // The same token wherever the golden margin exceeds four times the largest error of the run.
    let mut wrong = Vec::new();
    for (step, (&want, row)) in greedy.iter().zip(last).enumerate() {
        let from_rows = arg_max(&found[prefill_rows.saturating_sub(1) + step]);
        let on_device = chosen.as_ref().map_or(want, |chosen| chosen[step]);
        if margin(row) > 4.0 * error && (from_rows != want || on_device != want) {
            wrong.push(format!(
                "token {step} after {name}: {from_rows}, on the device {on_device}, not {want}"
            ));
        }
    }
    Ok(wrong)
}

/// Distance between the best and the second value.
fn margin(row: &[f32]) -> f32 {
    let (best, second) = row.iter().fold((f32::NEG_INFINITY, f32::NEG_INFINITY), |(best, second), &v| {
        if v > best { (v, best) } else { (best, second.max(v)) }
    });
    best - second
}

pub fn arg_max(row: &[f32]) -> u32 {
    let best =
        row.iter().enumerate().fold((0, f32::NEG_INFINITY), |b, (i, &v)| if v > b.1 { (i, v) } else { b });
    best.0 as u32
}

async fn compare_vectors(
    model: &mut impl Runner,
    prompt: &Value,
    golden: &[f32],
    nmse: &mut Nmse,
) -> Anyhow<()> {
    let found = model.evaluate(&ids_of(&prompt["ids"]), 0, &[]).await?;
    let pooled = golden_rows(golden, &prompt["embd"])?;
    let tokens = golden_rows(golden, &prompt["token_embd"])?;
    if pooled.len() + tokens.len() == 0 {
        return Err("a prompt without golden vectors".into());
    }
    // The pooled vector comes first, then those of the tokens.
    for (golden, found) in pooled.iter().zip(&found).chain(tokens.iter().zip(&found[1..])) {
        nmse.add(golden, found);
    }
    if !tokens.is_empty() && tokens.len() != found.len() - 1 {
        return Err(
            format!("{} tokens' vectors where {} were expected", found.len() - 1, tokens.len()).into()
        );
    }
    Ok(())
}
