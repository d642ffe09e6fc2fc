//! What was measured: one line of JSON, or a table.

use pith_engine::backend::{Counters, Device};
use serde_json::{Map, Value, json};

use crate::Args;

/// Collects runs.
pub struct Report {
    head: Map<String, Value>,
    batch: usize,
    prefill_tokens: usize,
    decode_steps: usize,
    texts: usize,
    prefill_ms: Vec<f64>,
    decode_ms: Vec<f64>,
    embed_ms: Vec<f64>,
    /// In the decode of the last run.
    counted: Counters,
}

impl Report {
    pub fn new(args: &Args, device: &Device, load_ms: f64) -> Self {
        let name = args.model.file_name().unwrap_or_default().to_string_lossy();
        let mut head = Map::new();
        head.insert("model".to_owned(), json!(name));
        head.insert("backend".to_owned(), json!(args.backend));
        head.insert("device".to_owned(), json!(device.info().name));
        for (key, value) in
            [("prefill", args.prefill), ("decode", args.decode), ("depth", args.depth), ("batch", args.batch)]
        {
            head.insert(key.to_owned(), json!(value));
        }
        head.insert("load_ms".to_owned(), json!(load_ms));
        Report {
            head,
            batch: args.batch,
            prefill_tokens: args.prefill,
            decode_steps: args.decode - 1,
            texts: args.embed.map_or(0, |(texts, _)| texts),
            prefill_ms: Vec::new(),
            decode_ms: Vec::new(),
            embed_ms: Vec::new(),
            counted: Counters::default(),
        }
    }

    /// A run of prefill (of one sequence) and decode (of all of them).
    pub fn generated(&mut self, prefill_ms: f64, decode_ms: f64, before: Counters, after: Counters) {
        self.prefill_ms.push(prefill_ms);
        self.decode_ms.push(decode_ms);
        self.counted = Counters {
            objects_created: after.objects_created - before.objects_created,
            dispatches: after.dispatches - before.dispatches,
            submits: after.submits - before.submits,
            queue_writes: after.queue_writes - before.queue_writes,
            readback_bytes: after.readback_bytes - before.readback_bytes,
        };
    }

    /// A run of embedding.
    pub fn embedded(&mut self, time_ms: f64) {
        self.embed_ms.push(time_ms);
    }

    /// Medians of prefill and decode, in tokens per second.
    #[cfg(feature = "webgpu")]
    pub fn rates(&self) -> [f64; 2] {
        let rate = |count: usize, times: &[f64]| 1e3 * count as f64 / median(times);
        [rate(self.prefill_tokens, &self.prefill_ms), rate(self.batch * self.decode_steps, &self.decode_ms)]
    }

    pub fn print(mut self, as_json: bool) {
        let rate = |count: usize, times: &[f64]| {
            spread(&times.iter().map(|ms| 1e3 * count as f64 / ms).collect::<Vec<_>>())
        };
        let mut body = Map::new();
        if self.texts > 0 {
            body.insert("time_ms".to_owned(), spread(&self.embed_ms));
            body.insert("texts_per_s".to_owned(), rate(self.texts, &self.embed_ms));
        } else {
            body.insert("prefill_tps".to_owned(), rate(self.prefill_tokens, &self.prefill_ms));
            body.insert("decode_tps".to_owned(), rate(self.batch * self.decode_steps, &self.decode_ms));
            body.insert("ttft_ms".to_owned(), spread(&self.prefill_ms));
            let per_step = |n: u64| json!(n as f64 / self.decode_steps as f64);
            body.insert("dispatches_per_token".to_owned(), per_step(self.counted.dispatches));
            body.insert("submits_per_token".to_owned(), per_step(self.counted.submits));
            body.insert("queue_writes_per_token".to_owned(), per_step(self.counted.queue_writes));
            body.insert("readback_bytes".to_owned(), per_step(self.counted.readback_bytes));
            body.insert("objects_created".to_owned(), json!(self.counted.objects_created));
        }
        body.insert("peak_mib".to_owned(), peak_mib().map_or(Value::Null, |mib| json!(mib)));
        self.head.append(&mut body);
        if as_json {
            println!("{}", Value::Object(self.head));
            return;
        }
        for (key, value) in &self.head {
            println!("{key:24} {}", words(value));
        }
    }
}

/// Median, least and most.
fn spread(values: &[f64]) -> Value {
    let sorted = sorted(values);
    json!({ "median": median(values), "min": sorted[0], "max": sorted[sorted.len() - 1] })
}

fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => format!("{:.2}", n.as_f64().unwrap_or(0.0)),
        Value::Object(spread) => {
            let part = |key: &str| spread.get(key).map(words).unwrap_or_default();
            format!("{} ({} to {})", part("median"), part("min"), part("max"))
        }
        other => other.to_string(),
    }
}

/// Most memory that this process has taken so far; `None` where the system does not say.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib / 1024.0)
}
