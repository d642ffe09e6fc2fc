//! The worker as WebAssembly: cargo, wasm-bindgen (in this process), wasm-opt, into web/src/wasm. Twice: for every
//! browser with SIMD, and for those that have relaxed SIMD too.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::sh::{node_script, sh};
use crate::stamp::Stamp;
use crate::toolchain::{TARGET, Toolchain};
use crate::{paths, say, sh as shell};

/// A build of the worker. Both have the same functions, and one JavaScript for the two.
struct Module {
    name: &'static str,
    /// For rustc, besides what .cargo/config.toml says.
    rustflags: &'static [&'static str],
    /// For wasm-opt, besides [`FEATURES`].
    features: &'static [&'static str],
}

const MODULES: [Module; 2] = [
    Module { name: "simd128", rustflags: &[], features: &[] },
    Module {
        name: "relaxed-simd",
        rustflags: &["-Ctarget-feature=+relaxed-simd"],
        features: &["--enable-relaxed-simd"],
    },
];

/// Largest size of a module as shipped.
pub const RAW_BYTES_MAX: u64 = 2_500_000;
/// Largest size of a module after brotli.
pub const BROTLI_BYTES_MAX: u64 = 900_000;

/// Changes when the steps of this build change, so that older results are not taken for fresh.
const BUILD: &str = "4";

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

/// Sizes of a module as shipped.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// What it is called.
    pub name: &'static str,
    /// As it lies in the package.
    pub raw_bytes: u64,
    /// As a server would send it.
    pub brotli_bytes: u64,
}

/// Builds the modules where they are not up to date.
pub fn build(toolchain: &Toolchain) -> Result<()> {
    let out = paths::wasm_out();
    let scripts = ["pith_worker.js", "pith_worker.d.ts"];
    let outputs = scripts.map(|name| out.join(name)).into_iter().chain(MODULES.map(|module| module.file()));
    let outputs: Vec<PathBuf> = outputs.collect();
    let version = toolchain.version();
    let stamp = Stamp::of("wasm", &INPUTS, &[&version, BUILD, &FEATURES.join(" ")])?;
    if stamp.is_fresh(&outputs) {
        say::had("wasm", "worker up to date");
        return Ok(());
    }
    if out.exists() {
        at(&out, std::fs::remove_dir_all(&out))?;
    }
    at(&out, std::fs::create_dir_all(&out))?;
    for module in &MODULES {
        let started = Instant::now();
        let bound = target_dir()?.join("bound").join(module.name);
        bind(&module.compile(toolchain)?, &bound)?;
        for script in scripts {
            place(&bound.join(script), &out.join(script))?;
        }
        module.optimise(&bound.join("pith_worker_bg.wasm"))?;
        let what = format!("built {} in {:.0} s", module.name, started.elapsed().as_secs_f64());
        say::did("wasm", &what);
    }
    stamp.keep()
}

/// Copies a script that all modules must have in common.
fn place(from: &Path, to: &Path) -> Result<()> {
    let text = at(from, std::fs::read(from))?;
    if to.exists() && at(to, std::fs::read(to))? != text {
        return Err(Error::Check(format!("{} does not fit every module", to.display())));
    }
    at(to, std::fs::write(to, text))
}

impl Module {
    fn file(&self) -> PathBuf {
        paths::wasm_out().join(self.name).with_extension("wasm")
    }

    fn compile(&self, toolchain: &Toolchain) -> Result<PathBuf> {
        let target_dir = target_dir()?.join(if matches!(toolchain, Toolchain::Own) { "" } else { "apt" });
        let command = ["build", "--quiet", "--package", "pith-worker", "--lib", "--target", TARGET];
        let cargo = toolchain.cargo().env("CARGO_TARGET_DIR", &target_dir).args(command);
        let flags = format!("target.{TARGET}.rustflags={:?}", self.rustflags);
        cargo.args(["--profile", "wasm", "--config", &flags]).run()?;
        Ok(target_dir.join(TARGET).join("wasm/pith_worker.wasm"))
    }

    fn optimise(&self, bound: &Path) -> Result<()> {
        let opt = node_script("binaryen/bin/wasm-opt").args(["-Os"]).args(FEATURES).args(self.features);
        opt.arg(bound).arg("-o").arg(self.file()).run()
    }
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
        // Which module it is, the worker's script says.
        .omit_default_module_path(true)
        .web(true)
        .map(|bindgen| bindgen.typescript(true).remove_producers_section(true))
        .and_then(|bindgen| bindgen.generate(out));
    bound.map_err(|error| Error::Check(format!("wasm-bindgen: {error:#}")))
}

/// Measures the shipped modules.
pub fn sizes() -> Result<Vec<Sizes>> {
    let sizes = |module: &Module| {
        let file = module.file();
        let raw_bytes = at(&file, std::fs::metadata(&file))?.len();
        Ok(Sizes { name: module.name, raw_bytes, brotli_bytes: compressed("brotliCompressSync", &file)? })
    };
    MODULES.iter().map(sizes).collect()
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
