//! The worker as WebAssembly: cargo, wasm-bindgen (in this process), wasm-opt, into web/src/wasm. Twice: for every
//! browser with SIMD, and for those that have relaxed SIMD too. And the module for output formats, which the worker fetches
//! when it needs it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::progress::{self, Job};
use crate::sh::{node_script, sh};
use crate::stamp::Stamp;
use crate::toolchain::{TARGET, Toolchain};
use crate::{notices, paths, say, sh as shell, side_by_side};

/// A crate that becomes WebAssembly.
#[derive(PartialEq, Eq)]
struct Package {
    name: &'static str,
    /// Of the files that cargo and wasm-bindgen write.
    stem: &'static str,
    inputs: &'static [&'static str],
    /// Whether its JavaScript can start it anew.
    restarts: bool,
    raw_bytes_max: u64,
    brotli_bytes_max: u64,
}

/// A build of a package. Those of the worker have the same functions, and one JavaScript for the two.
#[derive(Clone, Copy)]
struct Module {
    name: &'static str,
    package: &'static Package,
    /// For rustc, besides what .cargo/config.toml says.
    rustflags: &'static [&'static str],
    /// For wasm-opt, besides [`FEATURES`].
    features: &'static [&'static str],
    /// Whether wasm-opt makes it smaller.
    is_optimized: bool,
}

const SIMD128: Module =
    Module { name: "simd128", package: &WORKER, rustflags: &[], features: &[], is_optimized: true };
const RELAXED: Module = Module {
    name: "relaxed-simd",
    package: &WORKER,
    rustflags: &["-Ctarget-feature=+relaxed-simd"],
    features: &["--enable-relaxed-simd"],
    is_optimized: true,
};
/// Nested schemas need stack; a format that needs more memory than this is refused.
const GRAMMAR: Module = Module {
    name: "grammar",
    package: &FORMATS,
    rustflags: &["-Clink-arg=-zstack-size=4194304", "-Clink-arg=--max-memory=1073741824"],
    features: &[],
    is_optimized: true,
};

/// Which modules are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modules {
    /// The one that Chrome's extension ships, as it was compiled: wasm-opt takes minutes of a first build.
    Compiled,
    /// The one that Chrome's extension ships.
    Relaxed,
    /// Everything that is given to others; wasm-opt leaves the module without relaxed SIMD as it is, which is its twin but for
    /// a few kernels.
    Tested,
    /// Everything that is given to others.
    All,
}

impl Modules {
    fn all(self) -> Vec<Module> {
        match self {
            Self::Compiled => vec![RELAXED.as_compiled()],
            Self::Relaxed => vec![RELAXED],
            Self::Tested => vec![RELAXED, SIMD128.as_compiled(), GRAMMAR],
            Self::All => vec![RELAXED, SIMD128, GRAMMAR],
        }
    }
}

/// Functions that differ in constants alone become one: many are of generic Rust code.
const OPTIMIZE: [&str; 5] =
    ["-Os", "--merge-similar-functions", "-Os", "--reorder-functions", "--reorder-locals"];

/// Changes when the steps of this build change, so that older results are not taken for fresh.
const BUILD: &str = "9";

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
const WORKER: Package = Package {
    name: "pith-worker",
    stem: "pith_worker",
    inputs: &WORKER_INPUTS,
    restarts: false,
    // With what writes, judges and attributes lines, what tells thoughts and tool calls from answers, with continuous batching, prompts on the disk, texts that continue, products of two precisions, threads, kernels that are tuned, products of integers on GPUs, scans whose threads share states, 28 kinds of pages, recognised by the words of 17 languages, and questions made from what sentences state.
    raw_bytes_max: 3_430_000,
    brotli_bytes_max: 1_105_000,
};
const FORMATS: Package = Package {
    name: "pith-grammar",
    stem: "pith_grammar",
    inputs: &[
        "worker/grammar/src",
        "worker/grammar/Cargo.toml",
        "Cargo.toml",
        "Cargo.lock",
        ".cargo/config.toml",
    ],
    restarts: true,
    raw_bytes_max: 1_500_000,
    brotli_bytes_max: 450_000,
};
const WORKER_INPUTS: [&str; 14] = [
    "engine/src",
    "engine/Cargo.toml",
    "engine/chat/src",
    "engine/chat/Cargo.toml",
    "engine/compute/src",
    "engine/compute/Cargo.toml",
    "engine/compute/build.rs",
    "engine/digest/src",
    "engine/digest/Cargo.toml",
    "worker/src",
    "worker/Cargo.toml",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

/// Modules that are built at once: compilers work on one core for half of their time, and take up to 2 GB for one.
const AT_ONCE_MAX: usize = 2;

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
    /// The most that it may have as it lies in the package.
    pub raw_bytes_max: u64,
    /// The most as a server would send it.
    pub brotli_bytes_max: u64,
}

/// Modules that were asked for, and those that had to be compiled.
pub struct Compiled {
    modules: Modules,
    compiled: Vec<(Module, Stamp)>,
}

/// Compiles the modules that are not up to date. They count as built after [`Compiled::finish`].
pub fn compile(toolchain: &Toolchain, modules: Modules) -> Result<Compiled> {
    let version = toolchain.version();
    let mut stale = Vec::new();
    for module in modules.all() {
        let name = format!("wasm-{}", module.name);
        let stamp = |how| Stamp::of(&name, module.package.inputs, &[&version, how, &FEATURES.join(" ")]);
        let scripts = module.package.scripts().map(|name| paths::wasm_out().join(name));
        let files = [&scripts[..], &[module.file()]].concat();
        let wanted = stamp(if module.is_optimized { BUILD } else { "unoptimized" })?;
        // What wasm-opt has made of it serves as well where the compiler's is enough.
        if wanted.is_fresh(&files) || (!module.is_optimized && stamp(BUILD)?.is_fresh(&files)) {
            say::had("wasm", &format!("{} up to date", module.name));
            continue;
        }
        stale.push((module, wanted));
    }
    let job = progress::job("wasm");
    let made = side_by_side::each(&stale, AT_ONCE_MAX, |(module, _)| module.make(toolchain, &job));
    made.into_iter().collect::<Result<()>>()?;
    Ok(Compiled { modules, compiled: stale })
}

impl Compiled {
    /// Makes the modules smaller, with npm's wasm-opt, and puts them where the client is built from, with the licences of their crates.
    pub fn finish(self) -> Result<()> {
        let out = paths::wasm_out();
        at(&out, std::fs::create_dir_all(&out))?;
        let _job = progress::job("wasm-opt");
        let made = side_by_side::each(&self.compiled, AT_ONCE_MAX, |(module, stamp)| {
            let bound = module.bound()?;
            for script in module.package.scripts() {
                let (from, to) = (bound.join(&script), out.join(&script));
                at(&to, std::fs::copy(&from, &to))?;
            }
            module.optimise(&bound.join(format!("{}_bg.wasm", module.package.stem)))?;
            stamp.keep()
        });
        made.into_iter().collect::<Result<()>>()?;
        let file = out.join("notices.txt");
        at(&file, std::fs::write(&file, notices::text(&[WORKER.name, FORMATS.name])?))?;
        if matches!(self.modules, Modules::Tested | Modules::All) { have_one_script() } else { Ok(()) }
    }
}

/// All modules of a package are called by one JavaScript: what wasm-bindgen wrote for them must be the same.
fn have_one_script() -> Result<()> {
    for module in Modules::All.all() {
        for script in module.package.scripts() {
            let shipped = paths::wasm_out().join(&script);
            let shipped = at(&shipped, std::fs::read(&shipped))?;
            // Without a build folder there is nothing that could have been bound otherwise.
            if std::fs::read(module.bound()?.join(&script)).is_ok_and(|own| own != shipped) {
                return Err(Error::Check(format!("{script} does not fit {}", module.name)));
            }
        }
    }
    Ok(())
}

impl Package {
    /// What wasm-bindgen writes beside a module.
    fn scripts(&self) -> [String; 2] {
        ["js", "d.ts"].map(|end| format!("{}.{end}", self.stem))
    }
}

impl Module {
    /// Without wasm-opt.
    const fn as_compiled(self) -> Self {
        Self { is_optimized: false, ..self }
    }

    fn file(&self) -> PathBuf {
        paths::wasm_out().join(self.name).with_extension("wasm")
    }

    /// Where wasm-bindgen leaves it.
    fn bound(&self) -> Result<PathBuf> {
        Ok(target_dir()?.join("bound").join(self.name))
    }

    /// Compiles and binds it.
    fn make(&self, toolchain: &Toolchain, job: &Job) -> Result<()> {
        let started = Instant::now();
        bind(&self.compile(toolchain, job)?, &self.bound()?, self.package.restarts)?;
        let seconds = started.elapsed().as_secs_f64();
        say::did("wasm", &format!("compiled {} in {seconds:.0} s", self.name));
        Ok(())
    }

    fn compile(&self, toolchain: &Toolchain, job: &Job) -> Result<PathBuf> {
        // One of its own: cargo locks a folder as long as it builds there, and flags differ, so that nothing could be shared.
        let lane = if matches!(toolchain, Toolchain::Own) { "wasm" } else { "wasm-apt" };
        let target_dir = target_dir()?.join(lane).join(self.name);
        let command =
            ["build", "--quiet", "--package", self.package.name, "--lib", "--target", TARGET, MESSAGES];
        let cargo = toolchain.cargo().env("CARGO_TARGET_DIR", &target_dir).args(command);
        let flags =
            self.rustflags.iter().map(ToString::to_string).chain(remapped_paths()).collect::<Vec<_>>();
        let flags = format!("target.{TARGET}.rustflags={flags:?}");
        let mut crates = 0;
        cargo.args(["--profile", "wasm", "--config", &flags]).lines(|line| {
            crates += usize::from(line.contains(r#""reason":"compiler-artifact""#));
            job.detail(format!("{}, {crates} crates", self.name));
        })?;
        Ok(target_dir.join(TARGET).join(format!("wasm/{}.wasm", self.package.stem)))
    }

    fn optimise(&self, bound: &Path) -> Result<()> {
        if !self.is_optimized {
            return at(bound, std::fs::copy(bound, self.file())).map(|_| ());
        }
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

fn bind(module: &Path, out: &Path, restarts: bool) -> Result<()> {
    at(out, std::fs::create_dir_all(out))?;
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    let bound = bindgen
        .input_path(module)
        // Which module it is, the worker's script says.
        .omit_default_module_path(true)
        .web(true)
        .map(|bindgen| bindgen.typescript(true).remove_producers_section(true).reset_state_function(restarts))
        .and_then(|bindgen| bindgen.generate(out));
    bound.map_err(|error| Error::Check(format!("wasm-bindgen: {error:#}")))
}

/// Measures modules; those that are not as they are shipped have no sizes.
pub fn sizes(modules: Modules) -> Result<Vec<Sizes>> {
    let sizes = |module: &Module| {
        let file = module.file();
        let raw_bytes = at(&file, std::fs::metadata(&file))?.len();
        let brotli_bytes = compressed("brotliCompressSync", &file)?;
        let Package { raw_bytes_max, brotli_bytes_max, .. } = *module.package;
        Ok(Sizes { name: module.name, raw_bytes, brotli_bytes, raw_bytes_max, brotli_bytes_max })
    };
    modules.all().iter().filter(|module| module.is_optimized).map(sizes).collect()
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
