//! Every GPU kernel against its CPU twin.
#![cfg(feature = "webgpu")]

use crate::common;
use crate::devices;
use crate::probes::{attentive, base, eight_tokens, is_full, probes, sample, wrong};
use pith_engine::backend::Device;
use pith_engine::formats::{FORMATS, Precision};
use pith_engine::kernels::{shapes, variants};
use pith_engine::runtime::Probe;
use pith_engine::shaders::{Class, TILES, Tuning, Variant};

/// The probes that fail with the kernels' shapes for a class of adapters.
fn wrong_as(tuning: Option<Tuning>, probes: &[(String, Probe)]) -> Vec<String> {
    let Some(device) = devices::webgpu_as(tuning) else { return Vec::new() };
    wrong(&device, probes).into_iter().map(|name| format!("{name}, {tuning:?}")).collect()
}

#[test]
fn the_gpu_agrees_with_the_cpu() {
    let wrong = wrong_as(None, &sample(probes()));
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

/// Shapes that this adapter would not get by itself, on models whose rows and columns fill no tile.
#[test]
fn the_shapes_for_other_adapters_agree_with_the_cpu() {
    let formats = vec![FORMATS[0], FORMATS[1]];
    let odd = Probe { hidden_size: 100, ffn_size: 172, vocab: 65, formats, layers: 1, ..base() };
    let plain = Probe { arch: "gpt2", rms: false, biases: true, gated: false, ..odd.clone() };
    let last = if is_full() { 9 } else { 4 };
    let blocks = Probe { formats: FORMATS[2..last].to_vec(), layers: 1, ..base() };
    let probes = [("gated, RMS", odd), ("plain, layer norm, biases", plain), ("blocks", blocks)];
    let probes = probes.map(|(name, probe)| (name.to_owned(), probe));
    let [software, discrete] = [Class::Software, Class::Discrete].map(Tuning::of);
    // Replacements that are no class's: the tile that none has, and each form of attention beside the other's products.
    let replaced = [
        Tuning { tile: TILES[1], ..discrete },
        Tuning { attends_alone: false, ..software },
        Tuning { attends_alone: true, ..discrete },
    ];
    let all = Class::ALL.map(Tuning::of).into_iter().chain(replaced);
    let each: Vec<String> = all.flat_map(|tuning| wrong_as(Some(tuning), &probes)).collect();
    let attentive = [software, discrete].map(|tuning| wrong_as(Some(tuning), &attentive())).concat();
    // A last slice of 21 tokens: on a large GPU they are multiplied eight by eight.
    let eights =
        probes.map(|(name, probe)| (format!("{name}, 21 tokens"), Probe { prompt_tokens: 61, ..probe }));
    assert!((21..40).contains(&discrete.few_tokens()) && software.few_tokens() < 21);
    let wrong = [each, attentive, wrong_as(Some(discrete), &eights)].concat();
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

#[test]
fn products_of_integers_are_near_those_of_floats() {
    let Some(device) = devices::webgpu() else { return };
    if !device.limits().features.packed_dot {
        println!("skipped: no packed dot products");
        return;
    }
    let (mut wrong, mut wants_odd) = (Vec::new(), true);
    let packed = TILES.into_iter().filter(|tile| tile.packed).cycle();
    for (format, tile) in FORMATS.iter().copied().filter(|format| format.is_coded()).zip(packed) {
        let device = device.with_tuning(Tuning { tile, ..device.tuning().unwrap() });
        let odd = Probe { formats: vec![format], ffn_size: 512, layers: 1, ..base() };
        let plain = Probe { arch: "gpt2", rms: false, biases: true, gated: false, ..odd.clone() };
        // Every format with one of them; with the long suites with both.
        let probes = if is_full() { vec![odd, plain] } else { vec![if wants_odd { odd } else { plain }] };
        wants_odd = !wants_odd;
        for probe in probes {
            let want = pollster::block_on(probe.answer(&Device::cpu())).unwrap();
            let fast = Probe { precision: Precision::Fast, ..probe.clone() };
            let fast = pollster::block_on(fast.distance_from(&want, &device)).unwrap();
            let exact = pollster::block_on(probe.distance_from(&want, &device)).unwrap();
            let about =
                format!("{} {tile:?} {}: fast {fast:.1e}, exact {exact:.1e}", format.name, probe.arch);
            println!("{about}");
            if !(1e-7..5e-4).contains(&fast) || exact > 1e-9 {
                wrong.push(about);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_self_check_accepts_products_of_integers() {
    let Some(device) = devices::webgpu() else { return };
    let tuning = device.tuning().unwrap();
    let packed = TILES.into_iter().filter(|tile| tile.packed);
    for tile in packed {
        let device = device.with_tuning(Tuning { tile, ..tuning });
        let probe = Probe { formats: vec![FORMATS[3]], layers: 1, ..base() };
        let passed = pollster::block_on(device.self_check(&probe)).unwrap();
        assert!(passed.replaced.is_empty(), "{:?}", passed.replaced);
        assert_eq!(passed.device.tuning().unwrap().tile, tile);
    }
}

#[test]
fn shapes_are_told_apart_by_their_name() {
    let all = shapes();
    for tile in TILES {
        for attends_alone in [false, true] {
            assert!(all.contains(&Tuning { tile, attends_alone, ..Tuning::of(Class::Unknown) }));
        }
    }
    let mut names: Vec<String> = all.iter().map(Tuning::name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all.len());
}

#[test]
fn the_self_check_accepts_this_gpu() {
    let Some(device) = devices::webgpu() else { return };
    pollster::block_on(device.self_check(&Probe { layers: 1, ..Probe::default() })).unwrap();
}

#[test]
fn a_token_creates_nothing_and_submits_once() {
    let Some(device) = devices::webgpu() else { return };
    let probe = Probe { formats: vec![FORMATS[3]], ..base() };
    let [before, after] = eight_tokens(&device, &probe);
    assert_eq!(after.objects_created, before.objects_created);
    assert_eq!(after.submits - before.submits, 8);
    assert_eq!(after.readback_bytes - before.readback_bytes, 8 * 4);
    assert!(after.queue_writes - before.queue_writes <= 16);
    let per_token = (after.dispatches - before.dispatches) / 8;
    assert!(per_token <= 7 * probe.layers as u64 + 3, "{per_token} dispatches");
}

#[test]
fn every_variant_links_to_a_named_shader() {
    let all = variants();
    let mut labels: Vec<String> = all.iter().map(Variant::label).collect();
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
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("compute/src");
    let shaders = common::files_with_extension(&sources, "wgsl");
    assert!(shaders.len() > 60, "only {} shaders found", shaders.len());
    for path in shaders {
        for (i, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let in_a_block = line.starts_with("    ");
            let without_value = line.trim_start().starts_with("var ") && !line.contains('=');
            assert!(!(in_a_block && without_value), "{}:{}: {line}", path.display(), i + 1);
        }
    }
}
