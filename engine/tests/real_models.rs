//! Small trained models: known text, an exhaustive sort, known sentence vectors. They are read from `real/` of the
//! reference set; what is not there is printed as skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)] // This file needs only its loading.
#[path = "../examples/conformance/cases.rs"]
mod cases;
mod common;
#[path = "common/devices.rs"]
mod devices;

use std::path::{Path, PathBuf};

use cases::Nmse;
use pith_engine::backend::Device;
use pith_engine::runtime::{LoadOptions, Model};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};
use pollster::block_on;
use serde_json::Value;

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn ids(v: &Value) -> Vec<u32> {
    v.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect()
}

fn floats(v: &Value) -> Vec<f32> {
    v.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect()
}

fn load(path: &Path, device: &Device) -> (Model, Option<Tokenizer>) {
    let files = [std::fs::read(path).unwrap()];
    let header = cases::read_headers(&files).unwrap();
    let model = block_on(cases::load(&files, &header, device, &LoadOptions::default())).unwrap();
    (model, Tokenizer::from_metadata(&header.metadata).ok())
}

/// Greedy continuation, as the worker does it.
fn continue_greedily(model: &mut Model, prompt: &[u32], count: usize) -> Vec<u32> {
    let mut sequence = model.begin();
    for slice in prompt.chunks(model.slice_tokens()) {
        model.feed(&mut sequence, slice).unwrap();
    }
    let mut out = Vec::new();
    while out.len() < count {
        let id = block_on(model.top()).unwrap();
        out.push(id);
        if out.len() < count {
            model.feed(&mut sequence, &[id]).unwrap();
        }
    }
    model.end(sequence);
    out
}

#[test]
fn stories_are_told_word_for_word() {
    let real = common::reference_dir().join("real");
    let mut ran = 0;
    for record in json(&real.join("golden_lm.json")).as_array().unwrap() {
        let file = record["file"].as_str().unwrap();
        if !real.join(file).is_file() {
            println!("skipped: {file} is not in the set");
            continue;
        }
        for device in devices::cpu_and_webgpu() {
            let (mut model, tokenizer) = load(&real.join(file), &device);
            let prompt = ids(&record["prompt_ids"]);
            let golden = floats(&record["first_logits"]);
            let rows = block_on(model.evaluate(&prompt, prompt.len() - 1, &[])).unwrap();
            let mut nmse = Nmse::default();
            nmse.add(&golden, &rows[0][..golden.len()]);
            let exact = file.contains("f32") || file.contains("f16");
            // The golden side of a quantised file was computed on quantised activations.
            let limit = if exact { 1e-6 } else { 2e-2 };
            assert!(nmse.value() < limit, "{file} on {}: {:e}", device.info().kind, nmse.value());
            if exact {
                let golden = ids(&record["greedy_ids"]);
                let got = continue_greedily(&mut model, &prompt, golden.len());
                assert_eq!(got, golden, "{file} on {}", device.info().kind);
                let text = String::from_utf8(tokenizer.unwrap().decode(&got, false)).unwrap();
                assert_eq!(text.trim_start(), record["greedy_text"].as_str().unwrap().trim_start());
            }
            ran += 1;
        }
    }
    assert!(ran > 0, "no language model in the set");
    println!("{ran} continuations checked");
}

#[test]
fn all_six_letter_words_are_sorted() {
    let file = common::reference_dir().join("real/gpt-nano-sort-f32.gguf");
    for device in devices::cpu_and_webgpu() {
        let (mut model, _) = load(&file, &device);
        let mut right = 0;
        for n in 0..729u32 {
            let word: Vec<u32> = (0..6).map(|i| n / 3u32.pow(i) % 3).collect();
            let mut sorted = word.clone();
            sorted.sort_unstable();
            right += u32::from(continue_greedily(&mut model, &word, 6) == sorted);
        }
        println!("{right} of 729 on {}", device.info().kind);
        assert_eq!(right, 729);
    }
}

/// The embedded default as `cargo xtask setup` makes it.
fn minilm() -> Option<PathBuf> {
    let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/models/minilm-q8_0.gguf");
    let path = std::env::var_os("PITH_MINILM").map_or(cache, PathBuf::from);
    path.is_file().then_some(path)
}

#[test]
fn sentences_get_their_known_vectors() {
    let Some(path) = minilm() else {
        println!("skipped: no MiniLM; cargo xtask setup makes it");
        return;
    };
    let reference = json(&common::reference_dir().join("real/minilm_reference_20.json"));
    for device in devices::cpu_and_webgpu() {
        let (mut model, tokenizer) = load(&path, &device);
        let tokenizer = tokenizer.unwrap();
        let mut worst = 1.0f64;
        for (i, sentence) in reference["sentences"].as_array().unwrap().iter().enumerate() {
            let options = EncodeOptions { add_special: true, parse_special: false };
            let mut got = tokenizer.encode(sentence.as_str().unwrap(), options).unwrap();
            tokenizer.truncate(&mut got, 256); // what the model was made for
            assert_eq!(got, ids(&reference["ids"][i]), "{sentence}");
            let vector = block_on(model.embed(&got)).unwrap();
            worst = worst.min(cosine(&vector, &floats(&reference["embeddings"][i])));
        }
        println!("worst cosine {worst:.5} on {}", device.info().kind);
        assert!(worst >= 0.998);
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
