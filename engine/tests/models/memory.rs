//! What a model takes on a device: predicted from its header, then counted on what was made of it.

use std::path::Path;

use crate::architectures::models;
use crate::common;
use crate::devices;
use crate::files::{self, Fixtures};
use pith_engine::backend::Device;
use pith_engine::formats::Precision;
use pith_engine::gguf::Header;
use pith_engine::models::{self as specs, Lora};
use pith_engine::plan::{CacheFormat, Memory, Options};
use pith_engine::planner;
use pith_engine::runtime::{Attaching, LoadOptions, Loading, Probe, estimate};
use pollster::block_on;

/// What may be off on the CPU, whose working vectors grow as they are needed.
const OFF_BYTES: u64 = 64 << 10;

fn devices() -> Vec<Device> {
    let mut all = devices::cpu_and_webgpu();
    #[cfg(feature = "webgl2")]
    all.extend(devices::webgl2());
    all
}

fn options() -> [LoadOptions; 3] {
    let default = LoadOptions::default;
    [
        default(),
        LoadOptions { context_tokens: Some(512), ..default() },
        LoadOptions { cache: CacheFormat::Q8_0, ..default() },
    ]
}

/// What is held once the model has seen as much as it can.
fn held(files: &[Vec<u8>], header: &Header, device: &Device, options: &LoadOptions) -> Memory {
    let loading = block_on(Loading::start(header, device, options)).unwrap();
    let (memory, total_bytes) = (loading.memory(), loading.total_bytes());
    // Rows are padded to whole units, parts to 16 bytes.
    assert!(memory.weights_bytes <= total_bytes + total_bytes * 3 / 100 + OFF_BYTES, "{memory:?}");
    assert!(memory.weights_bytes > total_bytes / 2, "{memory:?} of {total_bytes}");
    if device.info().kind != "cpu" {
        return memory;
    }
    drop(loading);
    let mut model = block_on(files::load(files, header, device, options)).unwrap();
    let ids = vec![1; model.info().context_tokens - 1];
    let decoded: &[u32] = if model.info().encoder { &[] } else { &[1] };
    block_on(model.evaluate(&ids, ids.len() - 1, decoded)).unwrap();
    model.memory()
}

#[test]
fn what_is_predicted_of_either_precision_is_what_is_held() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let (device, mut fast) = (Device::cpu(), 0);
    for record in fixtures.section("fixtures") {
        let files = fixtures.files(&record).unwrap();
        let header = files::read_headers(&files).unwrap();
        let held = [Precision::Exact, Precision::Fast].map(|precision| {
            let options = LoadOptions { precision, ..LoadOptions::default() };
            let want = estimate(&header, &device, &options).unwrap().memory.total_bytes();
            let got = held(&files, &header, &device, &options).total_bytes();
            let name = &record["name"];
            assert!(want.abs_diff(got) <= got / 20, "{name}, {precision:?}: {want} predicted, {got} held");
            got
        });
        fast += usize::from(held[0] != held[1]);
    }
    assert!(fast > 10, "{fast} models hold something else when they are fast");
}

#[test]
fn what_is_predicted_is_what_is_held() {
    let (devices, mut wrong) = (devices(), Vec::new());
    for (arch, (fixtures, record)) in models() {
        let files = fixtures.files(&record).unwrap();
        let header = files::read_headers(&files).unwrap();
        for device in &devices {
            for options in options() {
                let kind = device.info().kind;
                let estimate = estimate(&header, device, &options).unwrap();
                let (want, got) = (estimate.memory, held(&files, &header, device, &options));
                println!("{arch:16} {kind:6} {:>5} {want:?} {got:?}", estimate.context_tokens);
                let off_bytes = if kind == "cpu" { OFF_BYTES.max(got.total_bytes() * 3 / 100) } else { 0 };
                let same = (want.weights_bytes, want.kv_bytes) == (got.weights_bytes, got.kv_bytes);
                if !same || want.scratch_bytes.abs_diff(got.scratch_bytes) > off_bytes {
                    wrong.push(format!("{arch} on {kind}: {want:?} predicted, {got:?} held"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_smaller_cache_takes_less() {
    let (_, (fixtures, record)) = models().into_iter().find(|(arch, _)| arch == "llama").unwrap();
    let header = files::read_headers(&fixtures.files(&record).unwrap()).unwrap();
    for device in devices() {
        let of = |cache| {
            let options = LoadOptions { cache, ..LoadOptions::default() };
            estimate(&header, &device, &options).unwrap().memory
        };
        let kv: Vec<u64> = CacheFormat::ALL.iter().map(|cache| of(*cache).kv_bytes).collect();
        assert!(kv.is_sorted_by(|a, b| a > b), "{kv:?}");
        let twice = of(CacheFormat::F32) + of(CacheFormat::F32);
        assert_eq!(twice.total_bytes(), 2 * of(CacheFormat::F32).total_bytes());
    }
}

#[cfg(feature = "webgl2")]
#[test]
fn scores_that_fit_no_texture_are_refused_before_anything_is_made() {
    let (_, (fixtures, record)) = models().into_iter().find(|(arch, _)| arch == "llama").unwrap();
    let mut files = fixtures.files(&record).unwrap();
    // As if it had been trained on a million tokens: behind the key come its type and its value.
    let key = b"llama.context_length";
    let value = files[0].windows(key.len()).position(|bytes| bytes == key).unwrap() + key.len() + 4;
    files[0][value..value + 4].copy_from_slice(&(1u32 << 20).to_le_bytes());
    let header = files::read_headers(&files).unwrap();
    let device = Device::webgl2().unwrap();
    let of = |context_tokens| {
        let (context_tokens, cache) = (Some(context_tokens), CacheFormat::Q4_0);
        estimate(&header, &device, &LoadOptions { context_tokens, cache, ..LoadOptions::default() })
    };
    of(4096).unwrap();
    let refused = of(1 << 20).unwrap_err();
    assert_eq!(refused.code(), "over_device_limit");
    assert!(refused.to_string().contains("the scores of attention"), "{refused}");
}

#[test]
fn adapters_are_counted() {
    let f = Fixtures::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle")).unwrap();
    for device in devices() {
        for record in f.section("lora") {
            let files = f.files(&record).unwrap();
            let header = files::read_headers(&files).unwrap();
            let options = LoadOptions { slice_tokens: Some(32), ..LoadOptions::default() };
            let mut model = block_on(files::load(&files, &header, &device, &options)).unwrap();
            // As a model is laid out that is loaded with these options.
            let (logits_rows, sequences) = (8, 8);
            let context_tokens = model.info().context_tokens;
            let options = Options {
                context_tokens,
                slice_tokens: 32,
                logits_rows,
                sequences,
                cache: CacheFormat::F32,
                precision: Precision::Exact,
            };
            let spec = specs::read(&header).unwrap();
            let mut plan = planner::build(spec, &header, options, &device.limits()).unwrap();
            for lora in record["adapters"].as_array().unwrap() {
                let before = model.memory();
                let header = files::read_headers(&f.files(lora).unwrap()).unwrap();
                plan = planner::extend(&plan, Lora::read(&header, &plan.spec).unwrap(), &header).unwrap();
                let attaching = block_on(Attaching::start(&header, &mut model)).unwrap();
                let bytes = attaching.total_bytes();
                drop(attaching);
                let (want, got) = (device.memory_of(&plan), model.memory());
                assert!(got.weights_bytes >= before.weights_bytes + bytes);
                assert_eq!((want.weights_bytes, want.kv_bytes), (got.weights_bytes, got.kv_bytes));
                if device.info().kind != "cpu" {
                    assert_eq!(want, got);
                }
            }
        }
    }
}

#[test]
fn a_probe_of_memory_leaves_the_device_as_it_was() {
    for device in devices() {
        assert!(block_on(device.can_hold(0)).unwrap());
        assert!(block_on(device.can_hold(16 << 20)).unwrap(), "{:?}", device.info());
        assert!(!block_on(device.can_hold(1 << 45)).unwrap(), "{:?}", device.info());
        block_on(device.self_check(&Probe { layers: 1, ..Probe::default() })).unwrap();
    }
}

/// The drivers of CPUs promise more memory than there is, so this runs once more where there is little room for promises.
#[cfg(unix)]
#[test]
fn a_full_device_says_so_and_works_on() {
    const LIMITED: &str = "PITH_TEST_LIMITED";
    if std::env::var_os(LIMITED).is_none() {
        let again = "ulimit -v 3000000 && exec \"$0\" --exact a_full_device_says_so_and_works_on";
        let executable = std::env::current_exe().unwrap();
        let mut command = std::process::Command::new("sh");
        let output = command.args(["-c", again]).arg(executable).env(LIMITED, "1").output().unwrap();
        return assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    for device in devices().iter().filter(|device| device.info().kind != "cpu") {
        for (bytes, has_room) in [(64 << 20, true), (8 << 30, false), (64 << 20, true)] {
            assert_eq!(block_on(device.can_hold(bytes)).unwrap(), has_room, "{:?}", device.info());
        }
        block_on(device.self_check(&Probe { layers: 1, ..Probe::default() })).unwrap();
    }
}
