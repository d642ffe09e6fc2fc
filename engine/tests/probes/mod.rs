//! Made-up models that between them ask for every step, format, norm, activation and head shape.
#![allow(dead_code)] // Each test crate uses a part.

use pith_engine::backend::{Counters, Device};
use pith_engine::formats::FORMATS;
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::Probe;

pub fn base() -> Probe {
    Probe::default()
}

/// Name and model.
pub fn probes() -> Vec<(String, Probe)> {
    let mut all: Vec<(String, Probe)> = Vec::new();
    // As many formats in a model as it has different products: each in embedding or mat-vec, and in mat-mul.
    for formats in FORMATS.chunks(7) {
        let names: Vec<&str> = formats.iter().map(|f| f.name).collect();
        let formats = formats.to_vec();
        all.push((format!("gated, RMS: {}", names.join(" ")), Probe { formats, layers: 1, ..base() }));
    }
    let plain = Probe { rms: false, biases: true, gated: false, layers: 1, ..base() };
    all.push(("plain, layer norm, biases, GELU".to_owned(), Probe { arch: "gpt2", ..plain.clone() }));
    all.push(("encoder".to_owned(), Probe { arch: "bert", encoder: true, ..plain }));
    all.push(("two layers".to_owned(), base()));
    all.push(("norms of heads, halves".to_owned(), Probe { arch: "qwen3", head_norms: true, ..base() }));
    all.push(("biases, halves".to_owned(), Probe { arch: "qwen2", biases: true, ..base() }));
    let dense = vec![FORMATS[0], FORMATS[1]];
    for (heads, kv_heads, head_len) in
        [(1, 1, 24), (3, 1, 48), (5, 5, 10), (4, 1, 128), (2, 2, 256), (6, 3, 80), (2, 1, 30)]
    {
        let name = format!("{heads}/{kv_heads} heads of {head_len}");
        all.push((name, Probe { heads, kv_heads, head_len, formats: dense.clone(), layers: 1, ..base() }));
    }
    for (hidden_size, ffn_size, vocab) in [(48, 172, 3), (20, 33, 257), (100, 52, 65)] {
        let name = format!("hidden size {hidden_size}, ffn size {ffn_size}, {vocab} ids");
        all.push((name, Probe { hidden_size, ffn_size, vocab, formats: dense.clone(), layers: 1, ..base() }));
    }
    for cache in [CacheFormat::F16, CacheFormat::Q8_0, CacheFormat::Q4_0] {
        for (heads, kv_heads, head_len) in [(2, 1, 64), (1, 1, 24), (2, 2, 30), (1, 1, 10), (4, 2, 256)] {
            let name = format!("{} cache, {heads}/{kv_heads} heads of {head_len}", cache.name());
            let formats = dense.clone();
            all.push((name, Probe { heads, kv_heads, head_len, formats, cache, layers: 1, ..base() }));
        }
    }
    all
}

/// Whether the long suites run.
pub fn is_full() -> bool {
    std::env::var_os("PITH_FULL").is_some()
}

/// Every third, of what `steps` compares step by step anyway; with the long suites all.
pub fn sample(mut probes: Vec<(String, Probe)>) -> Vec<(String, Probe)> {
    let every = if is_full() { 1 } else { 3 };
    println!("using: {} of {} made-up models", probes.len().div_ceil(every), probes.len());
    let mut at = 0..;
    probes.retain(|_| at.next().is_some_and(|at| at % every == 0));
    probes
}

/// Models that ask attention for every shape: what a token sees is shared by several workgroups, groups fill tiles badly,
/// heads end within a word, tokens look both ways.
pub fn attentive() -> Vec<(String, Probe)> {
    let mut all = Vec::new();
    let formats = vec![FORMATS[0], FORMATS[1]];
    let base = Probe { hidden_size: 100, ffn_size: 172, vocab: 65, formats, layers: 1, ..base() };
    let caches = CacheFormat::ALL.into_iter().zip([300, 86, 200, 140]);
    let shapes = [(3, 1, 64), (7, 1, 30), (24, 2, 20), (2, 2, 160)];
    for ((cache, prompt_tokens), (heads, kv_heads, head_len)) in caches.zip(shapes) {
        let name =
            format!("{prompt_tokens} tokens, {}, {heads}/{kv_heads} heads of {head_len}", cache.name());
        all.push((name, Probe { cache, prompt_tokens, heads, kv_heads, head_len, ..base.clone() }));
    }
    let encoder = Probe { arch: "bert", encoder: true, rms: false, biases: true, gated: false, ..base };
    all.push(("encoder".to_owned(), encoder));
    all
}

/// What eight tokens of a model cost, one after another.
pub fn eight_tokens(device: &Device, probe: &Probe) -> [Counters; 2] {
    let mut model = pollster::block_on(probe.load(device)).unwrap();
    let mut sequence = model.begin();
    model.feed(&mut sequence, &[1, 2, 3]).unwrap();
    pollster::block_on(model.top()).unwrap();
    let before = device.counters();
    for _ in 0..8 {
        model.feed(&mut sequence, &[4]).unwrap();
        pollster::block_on(model.top()).unwrap();
    }
    let after = device.counters();
    model.end(sequence);
    [before, after]
}

/// The probes whose distance from the CPU is too large.
pub fn wrong(device: &Device, probes: &[(String, Probe)]) -> Vec<String> {
    println!("device: {}", device.info().name);
    let mut wrong = Vec::new();
    for (name, probe) in probes {
        let distance = pollster::block_on(probe.distance(device));
        println!("{name:50} {distance:?}");
        // The last bit of a product may decide to which side a value is rounded.
        let limit = if probe.cache == CacheFormat::F32 { 1e-9 } else { 1e-6 };
        if !distance.is_ok_and(|d| d < limit) {
            wrong.push(name.clone());
        }
    }
    wrong
}
