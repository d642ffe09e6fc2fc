//! The cases of a fixtures folder: the sections fixtures, formats, mixes, blocks and tokenizers of its manifest.json,
//! and its folder chat/.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pith_engine::backend::Device;
use pith_engine::formats::Format;
use pith_engine::gguf::{Header, HeaderReader, Progress, split_names};
use pith_engine::models::{self, ModelSpec};
use pith_engine::plan::Act;
use pith_engine::plan::CacheFormat;
use pith_engine::planner::Transfer;
use pith_engine::runtime::{LoadOptions, Loading, Model};
use serde::Serialize;
use serde_json::Value;

pub type Anyhow<T> = Result<T, Box<dyn std::error::Error>>;

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

/// A fixtures folder.
pub struct Fixtures {
    pub dir: PathBuf,
    pub manifest: Value,
}

impl Fixtures {
    pub fn open(dir: &Path) -> Anyhow<Fixtures> {
        let manifest = serde_json::from_slice(&fs::read(dir.join("manifest.json"))?)?;
        Ok(Fixtures { dir: dir.to_owned(), manifest })
    }

    pub fn section(&self, name: &str) -> Vec<Value> {
        self.manifest[name].as_array().cloned().unwrap_or_default()
    }

    /// The bytes of a record's file, or of all files of a split model.
    pub fn files(&self, record: &Value) -> Anyhow<Vec<Vec<u8>>> {
        let names: Vec<String> = match &record["files"] {
            Value::Array(files) => {
                files.iter().filter_map(|f| f["file"].as_str().map(str::to_owned)).collect()
            }
            _ => {
                let name = record["file"].as_str().ok_or("no file is named")?;
                split_names(name).unwrap_or_else(|| vec![name.to_owned()])
            }
        };
        names.iter().map(|name| Ok(fs::read(self.dir.join(name))?)).collect()
    }

    /// A file of little-endian f32.
    pub fn floats(&self, file: &str) -> Anyhow<Vec<f32>> {
        let bytes = fs::read(self.dir.join(file))?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }
}

/// Reads the header of a file as it would arrive from a network.
pub fn read_header(bytes: &[u8]) -> Anyhow<Header> {
    let mut reader = HeaderReader::new(Some(bytes.len() as u64));
    for chunk in bytes.chunks(64 << 10) {
        if let Progress::Done(header) = reader.push(chunk)? {
            return Ok(*header);
        }
    }
    Err(io::Error::other("the header does not end").into())
}

/// One header for all files of a model.
pub fn read_headers(files: &[Vec<u8>]) -> Anyhow<Header> {
    let headers = files.iter().map(|bytes| read_header(bytes)).collect::<Anyhow<Vec<_>>>()?;
    Ok(Header::join(headers)?)
}

/// Loads a model from the bytes of its files.
pub async fn load(
    files: &[Vec<u8>],
    header: &Header,
    device: &Device,
    options: &LoadOptions,
) -> Anyhow<Model> {
    let mut loading = Loading::start(header, device, options).await?;
    while let Some(transfer) = loading.next() {
        loading.accept(bytes_of(files, transfer)?)?;
    }
    Ok(loading.finish().await?)
}

/// The bytes of a transfer.
pub fn bytes_of<'a>(files: &'a [Vec<u8>], transfer: &Transfer) -> Anyhow<&'a [u8]> {
    let (file, at) =
        (files.get(transfer.file).ok_or("a transfer of no file")?, transfer.offset_bytes as usize);
    Ok(file.get(at..at + transfer.len_bytes).ok_or("a transfer outside its file")?)
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
const SLICE_TOKENS: usize = 64;

/// Runs one model of the sections fixtures, formats or mixes.
pub async fn model_case(
    f: &Fixtures,
    section: &str,
    record: &Value,
    device: &Device,
    cache: CacheFormat,
) -> Case {
    let name = record["name"].as_str().unwrap_or("?");
    let case = Case::new(name, section, device.info().kind);
    match compare(f, record, device, cache).await {
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

async fn compare(f: &Fixtures, record: &Value, device: &Device, cache: CacheFormat) -> Anyhow<Verdict> {
    let files = f.files(record)?;
    let header = read_headers(&files)?;
    let limit = nmse_limit(&models::read(&header)?, device).max(cache_limit(cache));
    let prompts = record["prompts"].as_array().filter(|all| !all.is_empty()).ok_or("there are no prompts")?;
    let golden = f.floats(record["golden"]["ref"]["file"].as_str().ok_or("no golden file is named")?)?;
    let len = |p: &Value| ids_of(&p["ids"]).len() + ids_of(&p["greedy"]).len();
    let context_tokens = prompts.iter().map(len).max().unwrap_or(0).max(CONTEXT_TOKENS);
    let options =
        LoadOptions { context_tokens: Some(context_tokens), slice_tokens: Some(SLICE_TOKENS), cache };
    let mut model = load(&files, &header, device, &options).await?;
    let encoder = model.info().encoder;
    let (nmse, mut reasons) = compare_prompts(&mut model, prompts, &golden).await?;
    let greedy_equal = (!encoder).then_some(reasons.is_empty());
    // Blocks of a few bits are too coarse for every choice to stay the same.
    if matches!(cache, CacheFormat::Q8_0 | CacheFormat::Q4_0) {
        reasons.clear();
    }
    Ok(Verdict { nmse, limit, greedy_equal, reasons })
}

/// How far the model is from the goldens of all prompts, and what is wrong with its choices.
pub async fn compare_prompts(
    model: &mut Model,
    prompts: &[Value],
    golden: &[f32],
) -> Anyhow<(f64, Vec<String>)> {
    let (mut nmse, mut reasons) = (Nmse::default(), Vec::new());
    // The device's own choices are asked for once, after the prompt that is continued furthest: running every prompt
    // twice would take twice as long.
    let furthest = prompts.iter().enumerate().max_by_key(|(_, p)| ids_of(&p["greedy"]).len()).map(|(i, _)| i);
    for (i, prompt) in prompts.iter().enumerate() {
        if model.info().encoder {
            compare_vectors(model, prompt, golden, &mut nmse).await?;
        } else {
            reasons.extend(compare_logits(model, prompt, golden, &mut nmse, furthest == Some(i)).await?);
        }
    }
    Ok((nmse.value(), reasons))
}

/// f32 arithmetic on decoded weights: 1e-8; on a GPU, whose tanh and exp are approximate, 1e-6 for models with GELU.
fn nmse_limit(spec: &ModelSpec, device: &Device) -> f64 {
    let gelu = spec.layers.iter().any(|layer| layer.ffn.act == Act::Gelu);
    if gelu && device.info().kind != "cpu" { 1e-6 } else { 1e-8 }
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

pub fn ids_of(v: &Value) -> Vec<u32> {
    v.as_array().into_iter().flatten().filter_map(|v| v.as_u64().map(|v| v as u32)).collect()
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
    model: &mut Model,
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
    let chosen = if on_device { greedy_run(model, &ids, &greedy).await? } else { greedy.clone() };
    let name = prompt["name"].as_str().unwrap_or("?");
    // The same token wherever the golden margin exceeds four times the largest error of the run.
    let mut wrong = Vec::new();
    for (step, (&want, row)) in greedy.iter().zip(last).enumerate() {
        let from_rows = arg_max(&found[prefill_rows.saturating_sub(1) + step]);
        if margin(row) > 4.0 * error && (from_rows != want || chosen[step] != want) {
            let on_device = chosen[step];
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

/// The decode path as a user runs it: prefill, then each token fed back, the choices made on the device.
async fn greedy_run(model: &mut Model, ids: &[u32], greedy: &[u32]) -> Anyhow<Vec<u32>> {
    let mut sequence = model.begin();
    for slice in ids.chunks(model.slice_tokens()) {
        model.feed(&mut sequence, slice)?;
    }
    let mut chosen = Vec::new();
    for &id in greedy {
        chosen.push(model.top().await?);
        model.feed(&mut sequence, &[id])?;
    }
    model.end(sequence);
    Ok(chosen)
}

pub fn arg_max(row: &[f32]) -> u32 {
    let best =
        row.iter().enumerate().fold((0, f32::NEG_INFINITY), |b, (i, &v)| if v > b.1 { (i, v) } else { b });
    best.0 as u32
}

async fn compare_vectors(model: &mut Model, prompt: &Value, golden: &[f32], nmse: &mut Nmse) -> Anyhow<()> {
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

/// The reference decode, and the decode from planes, of 8,192 values in random blocks: equal to ggml's to one ulp.
pub fn block_case(f: &Fixtures, record: &Value) -> Case {
    let name = record["format"].as_str().unwrap_or("?");
    let case = Case { limit: Some(2e-7), ..Case::new(name, "blocks", "cpu") };
    let Some(format) = pith_engine::formats::FORMATS.iter().find(|f| f.name == name) else {
        return case.failed(format!("the type {name} is not supported"));
    };
    let read = |key: &str| -> Anyhow<PathBuf> { Ok(f.dir.join(record[key].as_str().ok_or("no file")?)) };
    let result = || -> Anyhow<f64> {
        let raw = fs::read(read("raw")?)?;
        let want = f.floats(record["f32"].as_str().ok_or("no file")?)?;
        let cols = want.len();
        let error = |got: &[f32]| relative_error(&want, got);
        Ok(error(&decode(format, &raw)).max(error(&decode_planes(format, &raw, cols))))
    };
    match result() {
        Err(e) => case.failed(e),
        Ok(worst) => Case { nmse: Some(worst), pass: worst <= 2e-7, ..case },
    }
}

fn relative_error(want: &[f32], got: &[f32]) -> f64 {
    let error =
        |(a, b): (&f32, &f32)| if a == b { 0.0 } else { f64::from((a - b).abs()) / f64::from(a.abs()) };
    want.iter().zip(got).map(error).fold(0.0, f64::max)
}

pub fn decode(format: &Format, raw: &[u8]) -> Vec<f32> {
    let mut out = vec![0.0; raw.len() / format.block_bytes * format.block_len];
    for (block, out) in raw.chunks_exact(format.block_bytes).zip(out.chunks_exact_mut(format.block_len)) {
        (format.decode)(block, out);
    }
    out
}

pub fn decode_planes(format: &Format, raw: &[u8], cols: usize) -> Vec<f32> {
    let mut planes = vec![Vec::new(); format.planes.len()];
    format.split_rows(raw, cols, &mut planes);
    let rows: Vec<&[u8]> = planes.iter().map(Vec::as_slice).collect();
    (0..cols / 16).flat_map(|unit| (format.decode16)(&rows, unit)).collect()
}
