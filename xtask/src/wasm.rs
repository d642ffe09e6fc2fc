//! The worker as WebAssembly: cargo, wasm-bindgen (in this process), wasm-opt, into web/src/wasm. Twice: for every
//! browser with SIMD, and for those that have relaxed SIMD too.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::progress::{self, Job};
use crate::sh::{node_script, sh};
use crate::stamp::Stamp;
use crate::toolchain::{TARGET, Toolchain};
use crate::{paths, say, sh as shell};

/// A build of the worker. Both have the same functions, and one JavaScript for the two.
#[derive(Clone, Copy)]
struct Module {
    name: &'static str,
    /// For rustc, besides what .cargo/config.toml says.
    rustflags: &'static [&'static str],
    /// For wasm-opt, besides [`FEATURES`].
    features: &'static [&'static str],
}

const SIMD128: Module = Module { name: "simd128", rustflags: &[], features: &[] };
const RELAXED: Module = Module {
    name: "relaxed-simd",
    rustflags: &["-Ctarget-feature=+relaxed-simd"],
    features: &["--enable-relaxed-simd"],
};

/// Which modules are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modules {
    /// The one that Chrome's extension ships.
    Relaxed,
    /// Everything that is given to others.
    All,
}

impl Modules {
    fn all(self) -> Vec<Module> {
        if self == Self::All { vec![RELAXED, SIMD128] } else { vec![RELAXED] }
    }
}

/// What wasm-bindgen writes beside a module.
const SCRIPTS: [&str; 2] = ["pith_worker.js", "pith_worker.d.ts"];

/// Functions that differ in constants alone become one: many are of generic Rust code.
const OPTIMIZE: [&str; 3] = ["-Os", "--merge-similar-functions", "-Os"];

/// Largest size of a module as shipped: with what writes, judges and attributes lines.
pub const RAW_BYTES_MAX: u64 = 2_800_000;
/// Largest size of a module after brotli.
pub const BROTLI_BYTES_MAX: u64 = 850_000;

/// Changes when the steps of this build change, so that older results are not taken for fresh.
const BUILD: &str = "7";

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
const INPUTS: [&str; 12] = [
    "engine/src",
    "engine/Cargo.toml",
    "engine/chat/src",
    "engine/chat/Cargo.toml",
    "engine/digest/src",
    "engine/digest/Cargo.toml",
    "engine/build.rs",
    "worker/src",
    "worker/Cargo.toml",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

/// Says a line for each crate that was compiled, and what is wrong in words.
const MESSAGES: &str = "--message-format=json-render-diagnostics";

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

/// Modules that were asked for, and those that had to be compiled.
pub struct Compiled {
    modules: Modules,
    compiled: Vec<(Module, Stamp)>,
}

/// Compiles the modules that are not up to date. They count as built after [`Compiled::finish`].
pub fn compile(toolchain: &Toolchain, modules: Modules) -> Result<Compiled> {
    let job = progress::job("wasm");
    let version = toolchain.version();
    let mut compiled = Vec::new();
    for module in modules.all() {
        let stamp =
            Stamp::of(&format!("wasm-{}", module.name), &INPUTS, &[&version, BUILD, &FEATURES.join(" ")])?;
        let scripts = SCRIPTS.map(|name| paths::wasm_out().join(name));
        if stamp.is_fresh(&[&scripts[..], &[module.file()]].concat()) {
            say::had("wasm", &format!("{} up to date", module.name));
            continue;
        }
        let started = Instant::now();
        bind(&module.compile(toolchain, &job)?, &module.bound()?)?;
        let seconds = started.elapsed().as_secs_f64();
        say::did("wasm", &format!("compiled {} in {seconds:.0} s", module.name));
        compiled.push((module, stamp));
    }
    Ok(Compiled { modules, compiled })
}

impl Compiled {
    /// Makes the modules smaller, with npm's wasm-opt, and puts them where the client is built from.
    pub fn finish(self) -> Result<()> {
        let out = paths::wasm_out();
        at(&out, std::fs::create_dir_all(&out))?;
        for (module, stamp) in self.compiled {
            let _job = progress::job("wasm-opt");
            let bound = module.bound()?;
            for script in SCRIPTS {
                let (from, to) = (bound.join(script), out.join(script));
                at(&to, std::fs::copy(&from, &to))?;
            }
            module.optimise(&bound.join("pith_worker_bg.wasm"))?;
            stamp.keep()?;
        }
        if self.modules == Modules::All { have_one_script() } else { Ok(()) }
    }
}

/// All modules are called by one JavaScript: what wasm-bindgen wrote for them must be the same.
fn have_one_script() -> Result<()> {
    for module in Modules::All.all() {
        for script in SCRIPTS {
            let shipped = paths::wasm_out().join(script);
            let shipped = at(&shipped, std::fs::read(&shipped))?;
            // Without a build folder there is nothing that could have been bound otherwise.
            if std::fs::read(module.bound()?.join(script)).is_ok_and(|own| own != shipped) {
                return Err(Error::Check(format!("{script} does not fit {}", module.name)));
            }
        }
    }
    Ok(())
}

impl Module {
    fn file(&self) -> PathBuf {
        paths::wasm_out().join(self.name).with_extension("wasm")
    }

    /// Where wasm-bindgen leaves it.
    fn bound(&self) -> Result<PathBuf> {
        Ok(target_dir()?.join("bound").join(self.name))
    }

    fn compile(&self, toolchain: &Toolchain, job: &Job) -> Result<PathBuf> {
        let target_dir = target_dir()?.join(if matches!(toolchain, Toolchain::Own) { "" } else { "apt" });
        let command = ["build", "--quiet", "--package", "pith-worker", "--lib", "--target", TARGET, MESSAGES];
        let cargo = toolchain.cargo().env("CARGO_TARGET_DIR", &target_dir).args(command);
        let flags =
            self.rustflags.iter().map(ToString::to_string).chain(remapped_paths()).collect::<Vec<_>>();
        let flags = format!("target.{TARGET}.rustflags={flags:?}");
        let mut crates = 0;
        cargo.args(["--profile", "wasm", "--config", &flags]).lines(|line| {
            crates += usize::from(line.contains(r#""reason":"compiler-artifact""#));
            job.detail(format!("{}, {crates} crates", self.name));
        })?;
        Ok(target_dir.join(TARGET).join("wasm/pith_worker.wasm"))
    }

    fn optimise(&self, bound: &Path) -> Result<()> {
        let opt = node_script("binaryen/bin/wasm-opt").args(OPTIMIZE).args(FEATURES).args(self.features);
        opt.arg(bound).arg("-o").arg(self.file()).run()
    }
}

/// Panics name source files: the same bytes come out wherever the repository and cargo's packages lie.
fn remapped_paths() -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let all = [(Some(paths::root().to_path_buf()), "/pith"), (home, "/cargo")];
    let flag =
        |(from, to): (Option<PathBuf>, &str)| Some(format!("--remap-path-prefix={}={to}", from?.display()));
    all.into_iter().filter_map(flag).collect()
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
    Modules::All.all().iter().map(sizes).collect()
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
