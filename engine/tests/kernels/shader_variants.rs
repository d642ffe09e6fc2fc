//! `variants()`, which is what gets compiled beforehand, holds every shader that a plan asks for: all reference models,
//! all forms of the KV cache, devices that bind everything at once and devices that make weights be split.

use std::collections::{BTreeSet, HashSet};

use crate::common::{self, gguf_builder};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use pith_engine::formats::Precision;
use pith_engine::kernels::{dispatches, shapes, variants};
use pith_engine::models;
use pith_engine::plan::{CacheFormat, Feature, Features, Limits, Options, Threads};
use pith_engine::planner::{self, Plan};
use pith_engine::shaders::{Batch, Part, Variant};

/// What a plan asks for, as the executor does.
fn asked_by(plan: &Plan) -> impl Iterator<Item = Variant> {
    let lists = plan.bodies.iter().flat_map(|body| {
        let few = [(&body.prefill, Batch::Few), (&body.head, Batch::Few)];
        let one = [(&body.decode, Batch::One), (&body.head, Batch::One)];
        [(&body.prefill, Batch::Many)].into_iter().chain(few).chain(one)
    });
    let lists = lists.flat_map(|list| shapes().into_iter().map(move |tuning| (list, tuning)));
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
            let limits = Limits {
                binding_bytes,
                buffer_bytes: 1 << 30,
                in_fours: false,
                sorts_experts: true,
                threads: Threads::ONE,
                features: Features::default(),
            };
            let options = Options {
                context_tokens: 64,
                slice_tokens: 32,
                logits_rows: 4,
                sequences: 4,
                cache,
                precision: Precision::Exact,
            };
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

/// A kernel that is of no use without the feature.
fn kernel_with(feature: Feature) -> &'static str {
    match feature {
        Feature::F16 => {
            "enable f16;\n@compute @workgroup_size(WG) fn main() { x[0] = u32(f16(2.5) * 2.0h); }\n"
        }
        Feature::PackedDot => {
            "requires packed_4x8_integer_dot_product;\n\
             @compute @workgroup_size(WG) fn main() { x[0] = dot4U8Packed(x[1], x[2]); }\n"
        }
        Feature::Subgroups => {
            "enable subgroups;\n@compute @workgroup_size(WG) fn main() { x[0] = subgroupAdd(x[1]); }\n"
        }
    }
}

/// Whether a shader compiles on a device with these features alone.
fn compiles(variant: &Variant, features: &[Feature]) -> Result<(), String> {
    // What WGSL has without any feature, such as unpacking halves, is a capability as well.
    let mut capabilities = Capabilities::default() | Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    capabilities.set(Capabilities::SHADER_FLOAT16, features.contains(&Feature::F16));
    capabilities.set(Capabilities::SUBGROUP, features.contains(&Feature::Subgroups));
    let source = variant.link().for_naga();
    let mut frontend = naga::front::wgsl::Frontend::new();
    let mut options = naga::front::wgsl::Options::new();
    options.capabilities = capabilities;
    frontend.set_options(options);
    let module = frontend.parse(&source).map_err(|error| error.emit_to_string(&source))?;
    let mut validator = Validator::new(ValidationFlags::all(), capabilities);
    validator.validate(&module).map(drop).map_err(|error| error.emit_to_string(&source))
}

#[test]
fn every_feature_that_a_variant_names_is_enough_for_it() {
    let x = Part { path: "x.wgsl", text: "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n" };
    for feature in Feature::ALL {
        let parts = vec![x, Part { path: "kernel.wgsl", text: kernel_with(feature) }];
        let consts = vec![("WG", "64u".to_owned())];
        let variant = Variant { kernel: "artificial", consts, parts, bindings: Vec::new() };
        assert_eq!(Vec::from_iter(variant.needs()), [feature]);
        compiles(&variant, &[feature]).unwrap_or_else(|error| panic!("{feature:?}: {error}"));
        // naga takes packed dot products without the feature and replaces them.
        if feature != Feature::PackedDot {
            assert!(compiles(&variant, &[]).is_err(), "{feature:?} is not needed");
        }
    }
    // One variant of every kernel and set of features, with the features that it names and no others.
    let mut seen = BTreeSet::new();
    for variant in variants() {
        let needs = Vec::from_iter(variant.needs());
        if seen.insert((variant.kernel, needs.clone())) {
            compiles(&variant, &needs).unwrap_or_else(|error| panic!("{}: {error}", variant.label()));
        }
    }
    println!("{} kernels with sets of features", seen.len());
}
