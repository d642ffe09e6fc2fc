//! What the reference set leaves out, against goldens by llama.cpp in `tests/oracle`: more architectures and sizes, LoRA
//! adapters, types of the KV cache, scales of NVFP4 tensors, split models. On the CPU and on the WebGPU adapter.

use std::path::Path;

use crate::conformance::cases::{compare_prompts, model_case};
use crate::conformance::files::{self, Fixtures};
use crate::conformance::subject::Native;
use crate::devices;
use pith_engine::backend::Device;
use pith_engine::gguf::{GgufError, Header};
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::{Attaching, Error, LoadOptions, Loading, LoraId, LoraUse, Model};
use pollster::block_on;
use serde_json::Value;

fn fixtures() -> Fixtures {
    Fixtures::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle")).unwrap()
}

fn run(section: &str, cache: CacheFormat) -> usize {
    let f = fixtures();
    let (mut ran, mut wrong) = (0, Vec::new());
    let devices = devices::cpu_and_webgpu();
    for device in &devices {
        for record in f.section(section) {
            let case = block_on(model_case(&f, section, &record, &mut Native::new(device, cache), cache));
            println!("{:24} {:6} {:?} {:?} {}", case.name, case.backend, case.nmse, case.limit, case.reason);
            if case.pass {
                ran += 1;
            } else {
                wrong.push(format!("{} on {}: {:?} {}", case.name, case.backend, case.nmse, case.reason));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    ran / devices.len()
}

#[test]
fn architectures_and_sizes() {
    assert_eq!(run("fixtures", CacheFormat::F32), 66);
}

#[test]
fn scales_of_nvfp4_tensors() {
    assert_eq!(run("nvfp4", CacheFormat::F32), 2);
}

#[test]
fn split_models() {
    assert_eq!(run("split", CacheFormat::F32), 2);
}

/// Rounding keys and values costs what it costs llama.cpp, whose queries are rounded as well.
#[test]
fn cache_types_cost_what_they_cost_llama_cpp() {
    let f = fixtures();
    for device in devices::cpu_and_webgpu() {
        for record in f.section("kv") {
            for theirs in record["caches"].as_array().unwrap() {
                let name = theirs["type"].as_str().unwrap();
                let cache = CacheFormat::ALL.into_iter().find(|c| c.name() == name).unwrap();
                let case = block_on(model_case(&f, "kv", &record, &mut Native::new(&device, cache), cache));
                let (ours, theirs) = (case.nmse.unwrap(), theirs["vs_ref"]["all"].as_f64().unwrap());
                println!("{} {name} on {}: {ours:.1e}, llama.cpp {theirs:.1e}", case.name, case.backend);
                assert!(case.pass, "{}: {}", case.name, case.reason);
                assert!(
                    ours < 2.0 * theirs && ours > 0.05 * theirs,
                    "{ours:e} where llama.cpp has {theirs:e}"
                );
            }
        }
    }
}

fn load(f: &Fixtures, record: &Value, device: &Device) -> Model {
    let files = f.files(record).unwrap();
    let header = files::read_headers(&files).unwrap();
    block_on(files::load(&files, &header, device, &LoadOptions::default())).unwrap()
}

fn attach(f: &Fixtures, record: &Value, model: &mut Model) -> Result<LoraId, Error> {
    let files = f.files(record).unwrap();
    let header = files::read_headers(&files).unwrap();
    block_on(async {
        let mut attaching = Attaching::start(&header, model).await?;
        while let Some(transfer) = attaching.next() {
            let bytes = files::bytes_of(&files, transfer).unwrap();
            attaching.accept(bytes)?;
        }
        attaching.finish().await
    })
}

/// All adapters of a model are attached at once, and every run uses the one that has a scale, or none.
#[test]
fn adapters_are_switched_per_sequence() {
    let f = fixtures();
    let mut ran = 0;
    let devices = devices::cpu_and_webgpu();
    for device in &devices {
        for record in f.section("lora") {
            let mut model = load(&f, &record, device);
            let loras = record["adapters"].as_array().unwrap();
            let ids: Vec<_> = loras.iter().map(|a| attach(&f, a, &mut model).unwrap()).collect();
            let golden = f.floats(record["golden"]["ref"]["file"].as_str().unwrap()).unwrap();
            let runs = record["runs"].as_array().unwrap();
            // Backwards too: an adapter leaves nothing behind for the next run.
            for run in runs.iter().chain(runs.iter().rev()) {
                let scales: Vec<f32> =
                    run["scales"].as_array().unwrap().iter().map(|s| s.as_f64().unwrap() as f32).collect();
                let active: Vec<_> = ids.iter().zip(&scales).filter(|(_, scale)| **scale != 0.0).collect();
                if active.len() > 1 {
                    continue; // One adapter at a time.
                }
                model.use_lora(active.first().map(|&(&id, &factor)| LoraUse { id, factor })).unwrap();
                let prompts = run["prompts"].as_array().unwrap();
                let (nmse, reasons) = block_on(compare_prompts(&mut model, prompts, &golden)).unwrap();
                println!("{} {scales:?} on {}: {nmse:.1e}", record["name"], device.info().kind);
                assert!(nmse < 1e-8 && reasons.is_empty(), "{scales:?}: {nmse:e} {reasons:?}");
                ran += 1;
            }
        }
    }
    assert_eq!(ran, devices.len() * 16);
}

#[test]
fn adapters_of_other_models_are_refused() {
    let f = fixtures();
    let records = f.section("lora");
    let [tied, separate] = &records[..] else { panic!("two models with adapters") };
    let mut model = load(&f, tied, &Device::cpu());
    // The other model's adapter changes a tensor that this one does not have by itself.
    let error = attach(&f, &separate["adapters"][0], &mut model).unwrap_err();
    assert!(error.to_string().contains("token_embd.weight"), "{error}");
    // The model itself is no adapter, and an adapter no model.
    let error = attach(&f, tied, &mut model).unwrap_err();
    assert_eq!(error.code(), "not_a_lora");
    let files = f.files(&tied["adapters"][0]).unwrap();
    let header = files::read_headers(&files).unwrap();
    let error = block_on(Loading::start(&header, &Device::cpu(), &LoadOptions::default())).err().unwrap();
    assert!(error.to_string().contains("general.type"), "{error}");
    // What was refused left nothing behind.
    let mut other = load(&f, separate, &Device::cpu());
    let id = attach(&f, &separate["adapters"][0], &mut other).unwrap();
    let use_of = |id| Some(LoraUse { id, factor: 1.0 });
    assert_eq!(model.use_lora(use_of(id)).unwrap_err(), Error::UnknownLora);
}

#[test]
fn parts_of_split_models_must_fit_each_other() {
    let f = fixtures();
    let headers: Vec<Header> = f
        .files(&f.section("split")[0])
        .unwrap()
        .iter()
        .map(|bytes| files::read_header(bytes).unwrap())
        .collect();
    let join = |order: &[usize]| Header::join(order.iter().map(|&i| headers[i].clone()).collect());
    assert_eq!(join(&[0, 1, 2]).unwrap().files, 3);
    assert_eq!(join(&[0, 1]).unwrap_err(), GgufError::PartsMissing { have: 2, count: 3 });
    assert_eq!(join(&[]).unwrap_err(), GgufError::PartsMissing { have: 0, count: 1 });
    assert_eq!(join(&[1, 0, 2]).unwrap_err(), GgufError::WrongPart { file: 1, found: 2, count: 3 });
    assert_eq!(join(&[0, 2, 1]).unwrap_err(), GgufError::WrongPart { file: 2, found: 3, count: 3 });
    let mut of_another = headers.clone();
    of_another[2].tensors.pop();
    assert!(matches!(Header::join(of_another), Err(GgufError::WrongTensorCount { .. })));
    let mut twice = headers.clone();
    twice[2].tensors[0].name = headers[1].tensors[0].name.clone();
    assert!(matches!(Header::join(twice), Err(GgufError::DuplicateTensor { .. })));
    // One part alone is no model.
    let error = block_on(Loading::start(&headers[0], &Device::cpu(), &LoadOptions::default())).err().unwrap();
    assert_eq!(error.code(), "parts_missing");
}
