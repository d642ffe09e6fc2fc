//! What the runs took, as one line of JSON. `cargo xtask bench` makes figures of it.

use pith_engine::backend::{Counters, Device};
use serde_json::{Map, Value, json};

use crate::Args;

/// Collects runs.
pub struct Report {
    head: Map<String, Value>,
    batch: usize,
    prefill_tokens: usize,
    decode_steps: usize,
    runs: Vec<Value>,
    /// In the decode of the last run.
    counted: Counters,
}

impl Report {
    pub fn new(args: &Args, device: &Device, load_ms: f64) -> Self {
        let name = args.model.file_name().unwrap_or_default().to_string_lossy();
        let mut head = Map::new();
        head.insert("model".to_owned(), json!(name));
        head.insert("backend".to_owned(), json!(args.backend));
        head.insert("adapter".to_owned(), json!(device.info().name));
        let sizes = match args.embed {
            Some((texts, tokens)) => vec![("texts", texts), ("tokens", tokens)],
            None => vec![
                ("prefill", args.prefill),
                ("decode", args.decode),
                ("depth", args.depth),
                ("batch", args.batch),
            ],
        };
        for (key, value) in sizes {
            head.insert(key.to_owned(), json!(value));
        }
        head.insert("load_ms".to_owned(), json!(load_ms));
        Report {
            head,
            batch: args.batch,
            prefill_tokens: args.prefill,
            decode_steps: args.decode - 1,
            runs: Vec::new(),
            counted: Counters::default(),
        }
    }

    /// A run of prefill (of one sequence) and decode (of all of them).
    pub fn generated(&mut self, prefill_ms: f64, decode_ms: f64, before: Counters, after: Counters) {
        self.runs.push(json!({
            "prefill_tokens": self.prefill_tokens,
            "prefill_ms": prefill_ms,
            "ttft_ms": prefill_ms,
            "decode_tokens": self.batch * self.decode_steps,
            "decode_ms": decode_ms,
        }));
        self.counted = Counters {
            objects_created: after.objects_created - before.objects_created,
            pipelines_created: after.pipelines_created - before.pipelines_created,
            dispatches: after.dispatches - before.dispatches,
            submits: after.submits - before.submits,
            queue_writes: after.queue_writes - before.queue_writes,
            readback_bytes: after.readback_bytes - before.readback_bytes,
        };
    }

    /// A run of embedding so many texts.
    pub fn embedded(&mut self, texts: usize, time_ms: f64) {
        self.runs.push(json!({ "texts": texts, "time_ms": time_ms }));
    }

    /// The fastest run's prefill and decode, in tokens per second.
    #[cfg(feature = "webgpu")]
    pub fn rates(&self) -> [f64; 2] {
        [("prefill_tokens", "prefill_ms"), ("decode_tokens", "decode_ms")].map(|(tokens, time_ms)| {
            let rate = |run: &Value| {
                1e3 * run[tokens].as_f64().unwrap_or(0.0) / run[time_ms].as_f64().unwrap_or(1.0)
            };
            self.runs.iter().map(rate).fold(0.0, f64::max)
        })
    }

    pub fn print(mut self) {
        if self.runs.iter().any(|run| run["decode_ms"].is_number()) {
            let per_step = |n: u64| json!(n as f64 / self.decode_steps as f64);
            for (key, value) in [
                ("dispatches_per_token", per_step(self.counted.dispatches)),
                ("submits_per_token", per_step(self.counted.submits)),
                ("queue_writes_per_token", per_step(self.counted.queue_writes)),
                ("readback_bytes", per_step(self.counted.readback_bytes)),
                ("objects_created", json!(self.counted.objects_created)),
            ] {
                self.head.insert(key.to_owned(), value);
            }
        }
        self.head.insert("peak_mib".to_owned(), json!(peak_mib()));
        self.head.insert("runs".to_owned(), Value::Array(self.runs));
        println!("{}", Value::Object(self.head));
    }
}

/// Most memory that this process has taken so far; `None` where the system does not say.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib / 1024.0)
}
