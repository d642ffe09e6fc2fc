//! What a token costs on the GPU besides arithmetic, counted by the executor: dispatches per layer, submissions, writes,
//! bytes read back, objects created. Of every architecture for which there is a model.
#![cfg(feature = "webgpu")]

use crate::architectures::models;
use crate::devices;
use crate::files::{self, Fixtures};
use pith_engine::backend::{Counters, Device};
use pith_engine::gguf::Header;
use pith_engine::runtime::{Generation, GenerationEvent, GenerationOptions, LoadOptions, Model, Probe};
use pollster::block_on;
use serde_json::Value;

/// What a layer may cost at decode, on average over the layers of a model. Dense models keep it.
const BUDGET: f64 = 7.0;

/// Most dispatches in a layer. What is above the budget has inputs in every layer: two products more, and what makes the inputs.
const PER_LAYER_MAX: [(&str, f64); 7] = [
    ("llama", BUDGET),
    ("qwen3", BUDGET),
    ("gemma3", BUDGET),
    ("gemma4", 9.0),
    ("qwen35", BUDGET),
    ("lfm2", BUDGET),
    ("granitehybrid", BUDGET),
];

/// Dispatches outside of layers: the embedding, the head, the choice in two parts.
const OUTSIDE: f64 = 4.0;
/// Draws: those, the norm before the head, and what is fed on.
const OUTSIDE_WEBGL2: f64 = 6.0;
/// Draws in a layer, of models without mixtures and states.
const DRAWS: f64 = 12.0;
const TOKENS: u64 = 8;
/// Steps in one submission.
const FRAME: usize = 4;

struct Count {
    per_layer: f64,
    per_token: f64,
    submits: f64,
    writes: f64,
    back_bytes: f64,
    objects: u64,
}

fn between(before: Counters, after: Counters, outside: f64, layers: f64, tokens: u64) -> Count {
    let per_token = |a: u64, b: u64| (b - a) as f64 / tokens as f64;
    let dispatches = per_token(before.dispatches, after.dispatches);
    Count {
        per_layer: (dispatches - outside) / layers,
        per_token: dispatches,
        submits: per_token(before.submits, after.submits),
        writes: per_token(before.queue_writes, after.queue_writes),
        back_bytes: per_token(before.readback_bytes, after.readback_bytes),
        objects: after.objects_created - before.objects_created,
    }
}

/// Token by token, then in frames.
fn count(model: &mut Model, outside: f64, layers: f64) -> [Count; 2] {
    let device = model.device().clone();
    let (mut sequence, mut ids) = (model.begin(), Vec::new());
    model.feed(&mut sequence, &[1, 2, 3]).unwrap();
    let mut next = block_on(model.top()).unwrap();
    let start = device.counters();
    for _ in 0..TOKENS {
        let choice = model.feed(&mut sequence, &[next]).unwrap();
        block_on(model.chosen(choice, &mut ids)).unwrap();
        next = ids[0];
    }
    let middle = device.counters();
    for _ in 0..TOKENS / FRAME as u64 {
        let choice = model.go_on(&mut [&mut sequence], FRAME).unwrap();
        block_on(model.chosen(choice, &mut ids)).unwrap();
    }
    let end = device.counters();
    model.end(sequence);
    [between(start, middle, outside, layers, TOKENS), between(middle, end, outside, layers, TOKENS)]
}

fn layers(header: &Header, arch: &str) -> f64 {
    header.metadata.get(&format!("{arch}.block_count")).and_then(|v| v.as_u64()).unwrap() as f64
}

/// Loads a model and counts; an encoder has no tokens to count.
fn counted(
    device: &Device,
    arch: &str,
    fixtures: &Fixtures,
    record: &Value,
    outside: f64,
) -> Option<[Count; 2]> {
    let files = fixtures.files(record).unwrap();
    let header = files::read_headers(&files).unwrap();
    let mut model = block_on(files::load(&files, &header, device, &LoadOptions::default())).unwrap();
    (!model.info().encoder).then(|| count(&mut model, outside, layers(&header, arch)))
}

#[test]
fn a_token_costs_what_the_budget_allows() {
    let Some(device) = devices::webgpu() else { return };
    println!(
        "{:16} {:>9} {:>9} {:>7} {:>6} {:>10} {:>7}",
        "", "per layer", "per token", "submits", "writes", "bytes back", "objects"
    );
    let (mut over, mut seen) = (Vec::new(), Vec::new());
    for (arch, (fixtures, record)) in models() {
        let Some([single, frame]) = counted(&device, &arch, &fixtures, &record, OUTSIDE) else { continue };
        for (name, c) in [(arch.as_str(), &single), ("  in frames", &frame)] {
            println!(
                "{name:16} {:>9.2} {:>9.2} {:>7.2} {:>6.2} {:>10.1} {:>7}",
                c.per_layer, c.per_token, c.submits, c.writes, c.back_bytes, c.objects
            );
        }
        let exact = |c: &Count, submits: f64| {
            c.submits == submits && c.writes <= 2.0 * submits && c.back_bytes == 4.0 && c.objects == 0
        };
        if !exact(&single, 1.0) || !exact(&frame, 1.0 / FRAME as f64) {
            over.push(format!("{arch}: submits, writes, bytes back or objects"));
        }
        if single.per_layer > BUDGET {
            println!("  above the budget of {BUDGET} a layer");
        }
        if let Some((_, max)) = PER_LAYER_MAX.iter().find(|(name, _)| *name == arch) {
            seen.push(arch.clone());
            if single.per_layer > *max {
                over.push(format!("{arch}: {:.2} dispatches per layer, {max} at most", single.per_layer));
            }
        }
    }
    assert_eq!(seen.len(), PER_LAYER_MAX.len(), "only {seen:?} were counted");
    assert!(over.is_empty(), "{over:#?}");
}

#[test]
fn only_the_last_slice_of_a_prompt_has_a_head() {
    let Some(device) = devices::webgpu() else { return };
    let mut model = block_on(Probe::default().load(&device)).unwrap();
    let prompt = |seed, len: u32| (0..len).map(|i| (i * 37 + seed) % 96).collect::<Vec<u32>>();
    let mut one = |seed, asks: bool| {
        let before = device.counters().dispatches;
        let (mut sequence, slice) = (model.begin(), prompt(seed, 32));
        let fed = if asks { model.feed(&mut sequence, &slice) } else { model.prefill(&mut sequence, &slice) };
        block_on(model.chosen(fed.unwrap(), &mut Vec::new())).unwrap();
        model.end(sequence);
        device.counters().dispatches - before
    };
    let (body, whole) = (one(1, false), one(2, true));
    assert!(whole > body, "{whole} dispatches with a head, {body} without");

    let before = device.counters().dispatches;
    let options = GenerationOptions { tokens_max: 1, prompt_lookup: false, ..GenerationOptions::default() };
    let mut generation = Generation::begin(&mut model, &prompt(3, 90), options).unwrap();
    let mut chosen = Vec::new();
    while block_on(generation.step(&mut model, &|| 0.0, &mut chosen)).unwrap() != GenerationEvent::Chosen {}
    let slices = generation.counts().slices as u64;
    assert!(chosen.len() == 1 && slices >= 2, "{slices} slices");
    assert_eq!(device.counters().dispatches - before, (slices - 1) * body + whole);
}

/// Pipelines that a model may want when the self-check that asked a question like it has passed.
const AFTER_CHECK_MAX: u64 = 3;

#[test]
fn the_self_check_compiles_what_the_model_runs() {
    let mut over = Vec::new();
    for (arch, (fixtures, record)) in models() {
        if !["llama", "qwen2", "qwen3", "gpt2", "bert"].contains(&arch.as_str()) {
            continue;
        }
        let Some(device) = devices::webgpu() else { return };
        let files = fixtures.files(&record).unwrap();
        let header = files::read_headers(&files).unwrap();
        let probe = Probe::like(&header, LoadOptions::default().cache);
        block_on(device.self_check(&probe)).unwrap();
        let checked = device.counters().pipelines_created;
        let mut model = block_on(files::load(&files, &header, &device, &LoadOptions::default())).unwrap();
        let ids: Vec<u32> = (0..70).map(|i| (i * 7 + 3) % 61).collect();
        let more = if model.info().encoder { &[][..] } else { &ids[..3] };
        block_on(model.evaluate(&ids, 50, more)).unwrap();
        let more = device.counters().pipelines_created - checked;
        println!("{arch}: {checked} for the self-check ({}), {more} more for the model", probe.name());
        if more > AFTER_CHECK_MAX {
            over.push(arch);
        }
    }
    assert!(over.is_empty(), "compile more than {AFTER_CHECK_MAX}: {over:?}");
}

#[cfg(feature = "webgl2")]
#[test]
fn draws_of_a_token_keep_to_the_budget() {
    let Some(device) = devices::webgl2() else { return };
    let mut over = Vec::new();
    for (arch, (fixtures, record)) in models() {
        let Some([c, _]) = counted(&device, &arch, &fixtures, &record, OUTSIDE_WEBGL2) else { continue };
        println!(
            "{arch:16} {:>6.2} draws a layer, {:.0} writes, {:.0} bytes back",
            c.per_layer, c.writes, c.back_bytes
        );
        let exact = c.submits == 1.0 && c.writes <= 2.0 && c.back_bytes == 16.0 && c.objects == 0;
        let is_dense = ["llama", "qwen3", "gemma3"].contains(&arch.as_str());
        if !exact || is_dense && c.per_layer > DRAWS {
            over.push(arch);
        }
    }
    assert!(over.is_empty(), "over the budget: {over:?}");
}
