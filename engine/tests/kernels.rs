//! Every GPU kernel against its CPU twin: made-up models that between them ask for every step, format, norm, activation
//! and head shape, on the adapter that is there. A machine without one fails this test: it must not pass on nothing.
#![cfg(feature = "webgpu")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use pith_engine::backend::Device;
use pith_engine::formats::FORMATS;
use pith_engine::kernels::{Class, Tuning, variants};
use pith_engine::plan::CacheFormat;
use pith_engine::sequence::Probe;

fn base() -> Probe {
    Probe::default()
}

/// Name and model.
fn probes() -> Vec<(String, Probe)> {
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
    for (width, inner, vocab) in [(48, 172, 3), (20, 33, 257), (100, 52, 65)] {
        let name = format!("width {width}, inner {inner}, {vocab} ids");
        all.push((name, Probe { width, inner, vocab, formats: dense.clone(), layers: 1, ..base() }));
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

/// The probes whose distance from the CPU is too large, with the kernels' shapes for a class of adapters.
fn wrong(class: Option<Class>, probes: &[(String, Probe)]) -> Vec<String> {
    let device = pollster::block_on(Device::webgpu_as(class.map(Tuning::of))).expect("a WebGPU adapter");
    println!("adapter: {}, shapes: {class:?}", device.info().adapter);
    let mut wrong = Vec::new();
    for (name, probe) in probes {
        let distance = pollster::block_on(probe.distance(&device));
        println!("{name:50} {distance:?}");
        // The last bit of a product may decide to which side a value is rounded.
        let limit = if probe.cache == CacheFormat::F32 { 1e-9 } else { 1e-6 };
        if !distance.is_ok_and(|d| d < limit) {
            wrong.push(format!("{name}, {class:?}"));
        }
    }
    wrong
}

#[test]
fn the_device_agrees_with_the_cpu() {
    let wrong = wrong(None, &probes());
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

/// Models that ask attention for every shape: what a token sees is shared by several workgroups, groups fill tiles badly,
/// heads end within a word, tokens look both ways.
fn attentive() -> Vec<(String, Probe)> {
    let mut all = Vec::new();
    let formats = vec![FORMATS[0], FORMATS[1]];
    let base = Probe { width: 100, inner: 172, vocab: 65, formats, layers: 1, ..base() };
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

/// Shapes that this adapter would not get by itself, on models whose rows and columns fill no tile.
#[test]
fn the_shapes_for_other_adapters_agree_with_the_cpu() {
    let formats = vec![FORMATS[0], FORMATS[1]];
    let odd = Probe { width: 100, inner: 172, vocab: 65, formats, layers: 1, ..base() };
    let plain = Probe { arch: "gpt2", rms: false, biases: true, gated: false, ..odd.clone() };
    let blocks = Probe { formats: FORMATS[2..9].to_vec(), layers: 1, ..base() };
    let probes = [("gated, RMS", odd), ("plain, layer norm, biases", plain), ("blocks", blocks)];
    let probes = probes.map(|(name, probe)| (name.to_owned(), probe));
    let each = Class::ALL.map(|class| wrong(Some(class), &probes)).concat();
    let attentive = [Class::Software, Class::Discrete].map(|class| wrong(Some(class), &attentive())).concat();
    let wrong = [each, attentive].concat();
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

#[test]
fn the_self_check_accepts_this_device() {
    let device = pollster::block_on(Device::webgpu()).expect("a WebGPU adapter");
    pollster::block_on(device.self_check()).unwrap();
}

#[test]
fn a_token_creates_nothing_and_submits_once() {
    let device = pollster::block_on(Device::webgpu()).expect("a WebGPU adapter");
    let probe = Probe { formats: vec![FORMATS[3]], ..base() };
    let mut model = pollster::block_on(probe.load(&device)).unwrap();
    let mut sequence = model.begin();
    model.feed(&mut sequence, &[1, 2, 3]).unwrap();
    pollster::block_on(model.top()).unwrap();
    let before = device.counters();
    for _ in 0..8 {
        model.feed(&mut sequence, &[4]).unwrap();
        pollster::block_on(model.top()).unwrap();
    }
    let after = device.counters();
    assert_eq!(after.objects_created, before.objects_created);
    assert_eq!(after.submits - before.submits, 8);
    assert_eq!(after.readback_bytes - before.readback_bytes, 8 * 4);
    assert!(after.queue_writes - before.queue_writes <= 16);
    let per_token = (after.dispatches - before.dispatches) / 8;
    assert!(per_token <= 7 * probe.layers as u64 + 3, "{per_token} dispatches");
    model.end(sequence);
}

#[test]
fn every_variant_links_to_a_named_shader() {
    let all = variants();
    let mut labels: Vec<String> = all.iter().map(pith_engine::kernels::Variant::label).collect();
    println!("{} variants", labels.len());
    labels.sort();
    labels.dedup();
    assert_eq!(labels.len(), all.len(), "two variants share a label");
    for variant in &all {
        assert!(variant.link().source.contains("fn main("), "{} has no entry point", variant.label());
    }
}

/// WGSL makes such a variable zero each time round; not every browser with every driver does.
#[test]
fn no_variable_in_a_loop_waits_to_be_zeroed() {
    let parts: std::collections::HashSet<_> = variants().into_iter().flat_map(|v| v.parts).collect();
    for part in parts {
        for (i, line) in part.text.lines().enumerate() {
            let in_a_block = line.starts_with("    ");
            let without_value = line.trim_start().starts_with("var ") && !line.contains('=');
            assert!(!(in_a_block && without_value), "{}:{}: {line}", part.path, i + 1);
        }
    }
}
