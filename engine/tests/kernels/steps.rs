//! Every step on every device against its CPU twin, one at a time, on the same buffers: the reference models and made-up
//! models between them ask for every step, format, cache, norm, activation and head shape. What fails is named by step,
//! shader and device.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{self, gguf_builder};
use crate::devices;
use crate::probes::{self, attentive, is_full, probes};
use pith_engine::backend::Device;
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::{Comparison, Lockstep};

/// Reference models with steps that no made-up model has: convolutions, scans, experts. The others, which `models/logits.rs` runs whole,
/// are compared with the long suites.
const OWN_STEPS: [&str; 5] = ["gemma4-e2b", "granitehybrid", "lfm2", "qwen35", "qwen3moe"];

/// What was compared on a device.
#[derive(Default)]
struct Report {
    comparisons: usize,
    /// Shaders of each step.
    shaders: BTreeMap<&'static str, BTreeSet<String>>,
    wrong: Vec<String>,
}

impl Report {
    fn add(&mut self, device: &Device, model: &str, c: &Comparison) {
        self.comparisons += 1;
        self.shaders.entry(c.step).or_default().extend(c.shaders.iter().cloned());
        if !c.agrees() {
            let (index, want, got) = c.worst;
            self.wrong.push(format!(
                "{}, {}, {}: {model}, {}, buffer {}: {:.1e} of {} values, {:.0e} allowed; at {index} {got} instead of {want}",
                c.step,
                c.shaders.join(" + "),
                device.info().kind,
                c.place,
                c.buffer,
                c.nmse,
                c.values,
                c.nmse_max,
            ));
        }
    }

    fn reference_models(&mut self, device: &Device) {
        let dir = common::reference_dir().join("models");
        for path in common::files_with_extension(&dir, "gguf") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if !is_full() && !OWN_STEPS.iter().any(|own| name.starts_with(own)) {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let header = gguf_builder::read(&bytes, Some(bytes.len() as u64));
            let mut both =
                pollster::block_on(Lockstep::start(&header, device, CacheFormat::F32)).expect(&name);
            while let Some(piece) = both.next() {
                let at = piece.offset_bytes as usize;
                both.accept(&bytes[at..at + piece.len_bytes]).unwrap();
            }
            let ids: Vec<u32> = (0..32).map(|i| (i * 7 + 3) % 61).collect();
            pollster::block_on(both.run(&ids, |c| self.add(device, &name, c))).expect(&name);
        }
    }

    fn made_up_models(&mut self, device: &Device) {
        for (name, probe) in probes().into_iter().chain(attentive()) {
            pollster::block_on(probe.compare_steps(device, |c| self.add(device, &name, c))).expect(&name);
        }
    }

    fn finish(self, device: &Device, steps_min: usize) {
        for (step, shaders) in &self.shaders {
            println!("{}: {step}: {} shaders", device.info().kind, shaders.len());
        }
        println!("{}: {} comparisons of {} steps", device.info().kind, self.comparisons, self.shaders.len());
        assert!(self.shaders.len() >= steps_min, "only {:?}", self.shaders.keys());
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

fn all_steps_on(device: &Device) {
    let mut report = Report::default();
    report.reference_models(device);
    report.made_up_models(device);
    // All but the choice of a token, whose halves the CPU does in one, the steps of LoRA adapters, and those with examples.
    report.finish(device, 14);
}

/// Steps that no model here asks for, on random values.
fn all_examples_on(device: &Device) {
    let mut report = Report::default();
    let add = |c: &Comparison| report.add(device, "examples", c);
    pollster::block_on(probes::base().compare_examples(device, add)).expect("examples");
    report.finish(device, 1);
}

#[test]
#[cfg(feature = "webgpu")]
fn every_step_agrees_on_webgpu() {
    let Some(device) = devices::webgpu() else { return };
    all_steps_on(&device);
}

#[test]
#[cfg(feature = "webgpu")]
fn every_example_agrees_on_webgpu() {
    let Some(device) = devices::webgpu() else { return };
    all_examples_on(&device);
}

#[test]
#[cfg(feature = "webgl2")]
fn every_example_agrees_on_webgl2() {
    let Some(device) = devices::webgl2() else { return };
    all_examples_on(&device);
}

#[test]
#[cfg(feature = "webgl2")]
fn every_step_agrees_on_webgl2() {
    let Some(device) = devices::webgl2() else { return };
    all_steps_on(&device);
}
