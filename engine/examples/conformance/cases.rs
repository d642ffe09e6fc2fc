//! The cases of a fixtures folder: the sections fixtures, formats, mixes, blocks and tokenizers of its manifest.json,
//! and its folder chat/.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pith_engine::backend::Device;
use pith_engine::formats::Format;
use pith_engine::gguf::{Header, HeaderReader, Progress};
use pith_engine::plan::CacheFormat;
use pith_engine::sequence::{LoadOptions, Loading, Model};
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

    fn failed(mut self, reason: impl ToString) -> Case {
        self.reason = reason.to_string();
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

    /// A file of little-endian f32.
    fn floats(&self, file: &str) -> Anyhow<Vec<f32>> {
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

/// Loads a model from the bytes of its file.
pub async fn load(bytes: &[u8], header: &Header, device: &Device, options: &LoadOptions) -> Anyhow<Model> {
    let mut loading = Loading::start(header, device, options).await?;
    while let Some(piece) = loading.next() {
        let at = piece.offset_bytes as usize;
        let piece = bytes.get(at..at + piece.len_bytes).ok_or("a piece outside the file")?;
        loading.accept(piece)?;
    }
    Ok(loading.finish().await?)
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
    let result = async {
        let bytes = fs::read(f.dir.join(record["file"].as_str().ok_or("no file")?))?;
        let header = read_header(&bytes)?;
        let options = LoadOptions { context_tokens: Some(256), slice_tokens: Some(64), cache };
        let mut model = load(&bytes, &header, device, &options).await?;
        let golden = f.floats(record["golden"]["ref"]["file"].as_str().ok_or("no golden")?)?;
        if record["kind"] == "embedding" {
            compare_embeddings(&mut model, record, &golden).await
        } else {
            compare_logits(&mut model, record, &golden).await
        }
    };
    match result.await {
        Err(e) => {
            let text = e.to_string();
            let unsupported =
                text.contains("not supported") || text.contains("not known for this architecture");
            case.failed(if unsupported { format!("unsupported: {text}") } else { text })
        }
        Ok((nmse, greedy_equal)) => {
            let limit = nmse_limit(record, device).max(cache_limit(cache));
            // Blocks of a few bits are too coarse for every choice to stay the same.
            let exact = matches!(cache, CacheFormat::F32 | CacheFormat::F16);
            let pass = nmse <= limit && (greedy_equal != Some(false) || !exact);
            Case { nmse: Some(nmse), limit: Some(limit), greedy_equal, pass, ..case }
        }
    }
}

/// f32 arithmetic on decoded weights: 1e-8; on a GPU, whose tanh and exp are approximate, 1e-6 for models with GELU.
fn nmse_limit(record: &Value, device: &Device) -> f64 {
    let gelu = ["gpt2", "bert", "gemma", "gptneox", "starcoder2"]
        .iter()
        .any(|a| record["arch"].as_str().is_some_and(|arch| arch.starts_with(a)));
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

fn ids_of(v: &Value) -> Vec<u32> {
    v.as_array().into_iter().flatten().filter_map(|v| v.as_u64().map(|v| v as u32)).collect()
}

/// The rows that a golden record points to.
fn golden_rows<'a>(golden: &'a [f32], at: &Value) -> Anyhow<Vec<&'a [f32]>> {
    let offset = at["offset"].as_u64().ok_or("no offset")? as usize / 4;
    let shape = ids_of(&at["shape"]);
    let (rows, cols) = match shape[..] {
        [rows, cols] => (rows as usize, cols as usize),
        [cols] => (1, cols as usize),
        _ => return Err("a golden of another shape".into()),
    };
    let flat = golden.get(offset..offset + rows * cols).ok_or("a golden outside its file")?;
    Ok(flat.chunks_exact(cols.max(1)).collect())
}

async fn compare_logits(model: &mut Model, record: &Value, golden: &[f32]) -> Anyhow<(f64, Option<bool>)> {
    let mut nmse = Nmse::default();
    let mut equal = true;
    for prompt in record["prompts"].as_array().into_iter().flatten() {
        let (ids, greedy) = (ids_of(&prompt["ids"]), ids_of(&prompt["greedy"]));
        let first = prompt["prefill"]["first_position"].as_u64().unwrap_or(0) as usize;
        let prefill = golden_rows(golden, &prompt["prefill"])?;
        let decode = golden_rows(golden, &prompt["decode"])?;
        let rows = model.evaluate(&ids, first, &greedy[..decode.len().min(greedy.len())]).await?;
        if rows.len() != prefill.len() + decode.len() {
            return Err(
                format!("{} rows where {} were expected", rows.len(), prefill.len() + decode.len()).into()
            );
        }
        for (golden, got) in prefill.iter().chain(&decode).zip(&rows) {
            nmse.add(golden, got);
        }
        equal &= greedy_equal(prompt, &greedy, &prefill, &decode, &rows);
        equal &= greedy_run(model, &ids, &greedy, prompt).await?;
    }
    Ok((nmse.value(), Some(equal)))
}

/// The same tokens wherever the golden margin exceeds four times the largest error of the run.
fn greedy_equal(
    prompt: &Value,
    greedy: &[u32],
    prefill: &[&[f32]],
    decode: &[&[f32]],
    rows: &[Vec<f32>],
) -> bool {
    let golden = prefill.iter().chain(decode);
    let error =
        golden.zip(rows).flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let margins: Vec<f64> =
        prompt["margin"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    greedy
        .iter()
        .zip(&margins)
        .zip(&rows[prefill.len() - 1..])
        .all(|((&id, &margin), row)| margin <= 4.0 * f64::from(error) || arg_max(row) == id)
}

/// The decode path as a user runs it: prefill, then each chosen id fed back, the choice made on the device.
async fn greedy_run(model: &mut Model, ids: &[u32], greedy: &[u32], prompt: &Value) -> Anyhow<bool> {
    let mut sequence = model.begin();
    let mut equal = true;
    for slice in ids.chunks(model.slice_tokens()) {
        model.feed(&mut sequence, slice)?;
    }
    for (i, &want) in greedy.iter().enumerate() {
        let margin = prompt["margin"][i].as_f64().unwrap_or(0.0);
        equal &= model.top().await? == want || margin < 1e-2;
        model.feed(&mut sequence, &[want])?;
    }
    model.end(sequence);
    Ok(equal)
}

pub fn arg_max(row: &[f32]) -> u32 {
    let best =
        row.iter().enumerate().fold((0, f32::NEG_INFINITY), |b, (i, &v)| if v > b.1 { (i, v) } else { b });
    best.0 as u32
}

async fn compare_embeddings(
    model: &mut Model,
    record: &Value,
    golden: &[f32],
) -> Anyhow<(f64, Option<bool>)> {
    let mut nmse = Nmse::default();
    for prompt in record["prompts"].as_array().into_iter().flatten() {
        let ids = ids_of(&prompt["ids"]);
        let rows = model.evaluate(&ids, 0, &[]).await?;
        let pooled = golden_rows(golden, &prompt["embd"])?;
        let tokens = golden_rows(golden, &prompt["token_embd"])?;
        for (golden, got) in pooled.iter().chain(&tokens).zip(&rows) {
            nmse.add(golden, got);
        }
    }
    Ok((nmse.value(), None))
}

/// The reference decode, and the decode from planes, of 8,192 values in random blocks: equal to ggml's to one ulp.
pub fn block_case(f: &Fixtures, record: &Value) -> Case {
    let name = record["format"].as_str().unwrap_or("?");
    let case = Case { limit: Some(2e-7), ..Case::new(name, "blocks", "cpu") };
    let Some(format) = pith_engine::formats::FORMATS.iter().find(|f| f.name == name) else {
        return case.failed(format!("unsupported: the type {name} is not supported"));
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
