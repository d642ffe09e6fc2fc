//! `variants()`, which is what gets compiled beforehand, holds every shader that a plan asks for: all reference models,
//! all forms of the KV cache, devices that bind everything at once and devices that make weights be split.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::{BTreeSet, HashSet};

use common::gguf_builder;
use pith_engine::kernels::{dispatches, variants};
use pith_engine::models;
use pith_engine::plan::{CacheFormat, Limits, Options};
use pith_engine::planner::{self, Plan};
use pith_engine::shaders::{Batch, Class, Tuning, Variant};

/// What a plan asks for, as the executor does.
fn asked_by(plan: &Plan) -> impl Iterator<Item = Variant> {
    let lists = plan.bodies.iter().flat_map(|body| {
        let few = [(&body.prefill, Batch::Few), (&body.head, Batch::Few)];
        let one = [(&body.decode, Batch::One), (&body.head, Batch::One)];
        [(&body.prefill, Batch::Many)].into_iter().chain(few).chain(one)
    });
    let lists = lists.flat_map(|list| Class::ALL.map(|class| (list, Tuning::of(class))));
    lists
        .flat_map(|((steps, phase), tuning)| dispatches(&plan.layout, steps, phase, &tuning))
        .map(|d| d.variant)
}

#[test]
fn every_shader_that_a_plan_asks_for_is_compiled_beforehand() {
    let known: HashSet<Variant> = variants().into_iter().collect();
    let mut asked = HashSet::new();
    let mut unknown = BTreeSet::new();
    let dir = common::reference_dir();
    for path in common::files_with_extension(&dir, "gguf") {
        let bytes = std::fs::read(&path).unwrap();
        let header = gguf_builder::read(&bytes, Some(bytes.len() as u64));
        for (cache, binding_bytes) in
            CacheFormat::ALL.into_iter().flat_map(|c| [1 << 30, 1 << 20, 1 << 18].map(|l| (c, l)))
        {
            let spec = models::read(&header).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let limits = Limits { binding_bytes, buffer_bytes: 1 << 30, in_fours: false };
            let options =
                Options { context_tokens: 64, slice_tokens: 32, logits_rows: 4, sequences: 4, cache };
            // Some tensors cannot be split so far.
            let Ok(plan) = planner::build(spec, &header, options, &limits) else { continue };
            for variant in asked_by(&plan) {
                if !known.contains(&variant) {
                    unknown.insert(format!("{}: {}", path.display(), variant.label()));
                }
                asked.insert(variant);
            }
        }
    }
    println!("{} variants asked for, of {} known", asked.len(), known.len());
    assert!(asked.len() > 100);
    assert!(unknown.is_empty(), "{} unknown:\n{}", unknown.len(), Vec::from_iter(unknown).join("\n"));
}
