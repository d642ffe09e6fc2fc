//! Links every shader that can be asked for, validates each with naga, and leaves them in a folder for a browser to
//! compile: batches of modules as JSON, and `index.json` that counts them.
//!
//!     shaders --out DIR [--sample]
//!
//! With --sample only so many go to the browser that every kernel meets every format, every part and every constant.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use pith_engine::kernels::variants;
use pith_engine::shaders::{Access, Linked, Variant};
use serde_json::{Value, json};

/// Modules in a batch: few enough for one message, enough to keep the compiler busy.
const BATCH_LEN: usize = 200;

/// The format whose every variant becomes a pipeline: one with scales, minimums and a unit that needs all helpers.
const FULL_FORMAT: &str = "formats/q4_k.wgsl";

struct Module {
    variant: Variant,
    linked: Linked,
    /// True where the browser makes a pipeline of it.
    pipeline: bool,
    /// True where it belongs to the sample.
    sample: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("shaders: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let (mut out, mut sample) = (None, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().map(PathBuf::from),
            "--sample" => sample = true,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let out = out.ok_or("--out DIR is missing")?;
    let asked = variants();
    let asked_len = asked.len();
    let mut modules = distinct(asked);
    choose(&mut modules, sample);
    println!("linked      {asked_len} variants, {} distinct modules", modules.len());
    let errors = validate(&modules);
    println!(
        "naga        {} valid, {} refused",
        modules.len() - errors.values().sum::<usize>(),
        errors.values().sum::<usize>()
    );
    for (message, count) in &errors {
        println!("  {count} x {message}");
    }
    let mut of_browser: Vec<&Module> = modules.iter().filter(|m| m.sample || !sample).collect();
    of_browser.sort_by_key(|m| m.variant.kernel);
    write(&out, &of_browser)?;
    Ok(errors.is_empty())
}

/// One module for each distinct source.
fn distinct(variants: Vec<Variant>) -> Vec<Module> {
    let mut seen = HashSet::new();
    let linked = variants.into_iter().map(|variant| (variant.link(), variant));
    linked
        .filter(|(linked, variant)| seen.insert((linked.source.clone(), variant.bindings.clone())))
        .map(|(linked, variant)| Module { variant, linked, pipeline: false, sample: false })
        .collect()
}

/// The sample: modules that bring a kernel together with a part or a constant for the first time. Pipelines are made of
/// the sample and of all modules of one format; where only the sample is wanted, of the first one of each kernel.
fn choose(modules: &mut [Module], sample: bool) {
    let mut met = HashSet::new();
    for module in modules {
        let Variant { kernel, consts, parts, .. } = &module.variant;
        let parts_met = parts.iter().map(|part| (*kernel, part.path.to_owned()));
        let consts_met = consts.iter().map(|(name, value)| (*kernel, format!("{name} = {value}")));
        let new_parts = parts_met.filter(|pair| met.insert(pair.clone())).count();
        let new_consts = consts_met.filter(|pair| met.insert(pair.clone())).count();
        module.sample = new_parts + new_consts > 0;
        let is_first = met.insert((*kernel, String::new()));
        module.pipeline = match sample {
            true => is_first,
            false => module.sample || parts.iter().any(|part| part.path == FULL_FORMAT),
        };
    }
}

/// How often each message of naga came.
fn validate(modules: &[Module]) -> BTreeMap<String, usize> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let messages: Vec<String> = std::thread::scope(|scope| {
        let chunks = modules.chunks(modules.len().div_ceil(threads).max(1));
        let running: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || chunk.iter().filter_map(refusal).collect::<Vec<_>>()))
            .collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|_| vec!["naga panicked".into()]))
            .collect()
    });
    let mut counts = BTreeMap::new();
    for message in messages {
        *counts.entry(message).or_default() += 1;
    }
    counts
}

/// Why naga refuses a module, with the file and line that it is about.
fn refusal(module: &Module) -> Option<String> {
    let source = &module.linked.source;
    // What every WebGPU device can do: f16 in memory as halves of words, no f16 arithmetic.
    let mut capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    capabilities.set(Capabilities::SHADER_FLOAT16, needs_f16(source));
    let at = |line: Option<u32>| {
        let (path, line) = module.linked.origin(line.unwrap_or(1) as usize);
        format!("{path}:{line}")
    };
    let parsed = match naga::front::wgsl::parse_str(source) {
        Ok(parsed) => parsed,
        Err(error) => {
            let line = error.location(source).map(|location| location.line_number);
            return Some(format!("{}: {}", at(line), error.message()));
        }
    };
    let validated = Validator::new(ValidationFlags::all(), capabilities).validate(&parsed);
    validated.err().map(|error| {
        let line = error.location(source).map(|location| location.line_number);
        let cause = error.as_inner().source().map(|cause| format!(": {cause}")).unwrap_or_default();
        format!("{}: {}{cause}", at(line), error.as_inner())
    })
}

fn needs_f16(source: &str) -> bool {
    source.lines().any(|line| line.trim() == "enable f16;")
}

fn write(dir: &Path, modules: &[&Module]) -> Result<(), Box<dyn Error>> {
    if dir.exists() {
        std::fs::remove_dir_all(dir)?;
    }
    std::fs::create_dir_all(dir)?;
    let batches = modules.chunks(BATCH_LEN);
    let f16 = modules.iter().filter(|module| needs_f16(&module.linked.source)).count();
    let index = json!({ "batches": batches.len(), "modules": modules.len(), "f16": f16 });
    std::fs::write(dir.join("index.json"), index.to_string())?;
    for (i, batch) in batches.enumerate() {
        let batch: Vec<Value> = batch.iter().map(|module| described(module)).collect();
        std::fs::write(dir.join(format!("{i}.json")), Value::from(batch).to_string())?;
    }
    Ok(())
}

/// What the browser needs of a module.
fn described(module: &Module) -> Value {
    let Module { variant, linked, pipeline, .. } = module;
    let lines = 1..=linked.source.lines().count();
    let parts: Vec<Value> = lines
        .map(|line| (line, linked.origin(line)))
        .filter(|(_, (_, own))| *own == 1)
        .map(|(line, (path, _))| json!([line, path]))
        .collect();
    let bindings: Vec<&str> = variant
        .bindings
        .iter()
        .map(|access| match access {
            Access::Uniform => "uniform",
            Access::Read => "read-only-storage",
            Access::Write => "storage",
        })
        .collect();
    json!({
        "label": variant.label(),
        "source": linked.source,
        "parts": parts,
        "bindings": bindings,
        "pipeline": pipeline,
        "f16": needs_f16(&linked.source),
    })
}
