//! The worker as WebAssembly: cargo, wasm-bindgen (in this process), wasm-opt, into web/src/wasm.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::sh::{node_script, sh};
use crate::stamp::Stamp;
use crate::toolchain::{TARGET, Toolchain};
use crate::{paths, say, sh as shell};

/// Largest size of the worker's wasm as shipped.
pub const RAW_BYTES_MAX: u64 = 2_500_000;
/// Largest size of the worker's wasm after brotli.
pub const BROTLI_BYTES_MAX: u64 = 900_000;

/// Changes when the steps of this build change, so that older results are not taken for fresh.
const BUILD: &str = "3";

/// What the rustflags in .cargo/config.toml, and rustc itself, let the code use.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];
const INPUTS: [&str; 8] = [
    "engine/src",
    "engine/Cargo.toml",
    "engine/build.rs",
    "worker/src",
    "worker/Cargo.toml",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

/// Sizes of the module as shipped.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// As it lies in the package.
    pub raw_bytes: u64,
    /// As a server would send it.
    pub brotli_bytes: u64,
}

/// Builds the worker where it is not up to date.
pub fn build(toolchain: &Toolchain) -> Result<()> {
    let out = paths::wasm_out();
    let outputs = ["pith_worker.js", "pith_worker.d.ts", "pith_worker_bg.wasm"].map(|name| out.join(name));
    let version = toolchain.version();
    let stamp = Stamp::of("wasm", &INPUTS, &[&version, BUILD, &FEATURES.join(" ")])?;
    if stamp.is_fresh(&outputs) {
        say::had("wasm", "worker up to date");
        return Ok(());
    }
    let started = Instant::now();
    let module = compile(toolchain)?;
    bind(&module, &out)?;
    optimise(&outputs[2])?;
    stamp.keep()?;
    say::did("wasm", &format!("built the worker in {:.0} s", started.elapsed().as_secs_f64()));
    let sizes = sizes()?;
    say::did("wasm", &format!("{} bytes, {} after brotli", sizes.raw_bytes, sizes.brotli_bytes));
    Ok(())
}

fn compile(toolchain: &Toolchain) -> Result<PathBuf> {
    let target_dir = target_dir()?.join(if matches!(toolchain, Toolchain::Own) { "" } else { "apt" });
    toolchain
        .cargo()
        .env("CARGO_TARGET_DIR", &target_dir)
        .args([
            "build",
            "--quiet",
            "--package",
            "pith-worker",
            "--lib",
            "--target",
            TARGET,
            "--profile",
            "wasm",
        ])
        .run()?;
    Ok(target_dir.join(TARGET).join("wasm/pith_worker.wasm"))
}

/// Cargo's build folder, which an environment variable or a configuration may have moved.
pub fn target_dir() -> Result<PathBuf> {
    let text = shell::cargo().args(["metadata", "--no-deps", "--format-version", "1"]).text()?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| Error::Check(format!("cargo metadata: {error}")))?;
    let dir = metadata["target_directory"].as_str();
    dir.map(PathBuf::from).ok_or_else(|| Error::Check("cargo metadata names no target_directory".into()))
}

fn bind(module: &Path, out: &Path) -> Result<()> {
    at(out, std::fs::create_dir_all(out))?;
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    let bound = bindgen
        .input_path(module)
        .omit_default_module_path(false)
        .web(true)
        .map(|bindgen| bindgen.typescript(true).remove_producers_section(true))
        // The module finds its wasm beside itself, in a form that bundlers recognise.
        .and_then(|bindgen| bindgen.omit_default_module_path(false).generate(out));
    bound.map_err(|error| Error::Check(format!("wasm-bindgen: {error:#}")))
}

fn optimise(module: &Path) -> Result<()> {
    let small = module.with_extension("opt.wasm");
    node_script("binaryen/bin/wasm-opt")
        .args(["-Os"])
        .args(FEATURES)
        .arg(module)
        .arg("-o")
        .arg(&small)
        .run()?;
    at(module, std::fs::rename(&small, module))
}

/// Measures the shipped module.
pub fn sizes() -> Result<Sizes> {
    let module = paths::wasm_out().join("pith_worker_bg.wasm");
    let raw_bytes = at(&module, std::fs::metadata(&module))?.len();
    Ok(Sizes { raw_bytes, brotli_bytes: compressed("brotliCompressSync", &module)? })
}

/// Length of a file after one of node's zlib functions, at its strongest.
pub fn compressed(function: &str, file: &Path) -> Result<u64> {
    let script = format!(
        "const z = require('node:zlib'), f = require('node:fs').readFileSync(process.argv[1]); \
         console.log(z.{function}(f, '{function}' === 'gzipSync' ? {{ level: 9 }} : {{}}).length)"
    );
    let text = sh("node").args(["--eval", &script]).arg(file).text()?;
    text.trim().parse().map_err(|error| Error::Check(format!("node printed {text:?} as a length: {error}")))
}
