//! How fast a model runs natively: prefill and decode on the CPU or through Vulkan, or embedding, and where the GPU's time goes.
//!
//!     bench --model FILE [--backend cpu|webgpu|webgl2] [--prefill N] [--decode N] [--depth N] [--batch N] [--frame N]
//!           [--slice N] [--runs N] [--embed COUNTxTOKENS] [--cache f32|f16|q8_0|q4_0] [--precision fast|exact]
//!           [--threads N] [--trace] [--tune] [--class software|integrated|discrete] [--json]

mod load;
mod measure;
mod report;
#[cfg(feature = "webgpu")]
mod trace;
#[cfg(feature = "webgpu")]
mod tune;

use std::path::PathBuf;
use std::process::ExitCode;

use pith_engine::backend::{Device, ThreadPool};
use pith_engine::formats::Precision;
use pith_engine::plan::CacheFormat;
use pith_engine::shaders::Class;

/// Whatever can go wrong.
pub type Anyhow<T> = Result<T, Box<dyn std::error::Error>>;

/// What is to be measured.
#[derive(Debug, Clone)]
pub struct Args {
    /// A GGUF file.
    pub model: PathBuf,
    /// "cpu" or "webgpu".
    pub backend: String,
    /// Tokens of the prompt.
    pub prefill: usize,
    /// Tokens after it.
    pub decode: usize,
    /// Tokens in the cache before.
    pub depth: usize,
    /// Sequences that decode side by side.
    pub batch: usize,
    /// Steps of decode in one submission.
    pub frame: usize,
    /// Most tokens of a slice; the engine's own choice where absent.
    pub slice: Option<usize>,
    /// How often it is measured.
    pub runs: usize,
    /// Texts and the tokens of each, in the place of prefill and decode.
    pub embed: Option<(usize, usize)>,
    /// How keys and values are stored.
    pub cache: CacheFormat,
    /// How exact products are.
    pub precision: Precision,
    /// Of the CPU.
    pub threads: usize,
    /// Time and bytes of every kernel.
    pub trace: bool,
    /// Tries shapes of kernels.
    pub tune: bool,
    /// The class of GPU adapters whose shapes they are compared with; that of the adapter where absent.
    pub class: Option<Class>,
    /// Traces as lines of JSON in the place of a table.
    pub json: bool,
}

fn main() -> ExitCode {
    match parse().and_then(|args| pollster::block_on(run(&args))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("bench: {e}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Anyhow<Args> {
    let mut parsed = Args {
        model: PathBuf::new(),
        backend: "webgpu".to_owned(),
        prefill: 128,
        decode: 32,
        depth: 0,
        batch: 1,
        frame: 4,
        slice: None,
        runs: 3,
        embed: None,
        cache: CacheFormat::F32,
        precision: Precision::Fast,
        threads: 1,
        trace: false,
        tune: false,
        class: None,
        json: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--model" => parsed.model = value()?.into(),
            "--backend" => parsed.backend = value()?,
            "--prefill" => parsed.prefill = number(&value()?, 1)?,
            "--decode" => parsed.decode = number(&value()?, 2)?,
            "--depth" => parsed.depth = number(&value()?, 0)?,
            "--batch" => parsed.batch = number(&value()?, 1)?,
            "--frame" => parsed.frame = number(&value()?, 1)?,
            "--slice" => parsed.slice = Some(number(&value()?, 1)?),
            "--runs" => parsed.runs = number(&value()?, 1)?,
            "--embed" => {
                let text = value()?;
                let (texts, tokens) = text.split_once('x').ok_or("--embed wants such as 150x29")?;
                parsed.embed = Some((number(texts, 1)?, number(tokens, 1)?));
            }
            "--cache" => {
                let name = value()?;
                let known = CacheFormat::ALL.into_iter().find(|c| c.name() == name);
                parsed.cache = known.ok_or(format!("no cache format {name}"))?;
            }
            "--precision" => parsed.precision = value()?.parse()?,
            "--threads" => parsed.threads = number(&value()?, 1)?,
            "--trace" => parsed.trace = true,
            "--tune" => parsed.tune = true,
            "--class" => {
                let name = value()?;
                let known = Class::ALL.into_iter().find(|class| format!("{class:?}").to_lowercase() == name);
                parsed.class = Some(known.ok_or(format!("no class {name}"))?);
            }
            "--json" => parsed.json = true,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    Ok(parsed)
}

fn number(text: &str, min: usize) -> Anyhow<usize> {
    match text.parse() {
        Ok(n) if n >= min => Ok(n),
        _ => Err(format!("{text}: a number of {min} or more is wanted").into()),
    }
}

async fn run(args: &Args) -> Anyhow<()> {
    #[cfg(feature = "webgpu")]
    if args.tune {
        return tune::run(args).await;
    }
    let device = match (args.backend.as_str(), args.trace) {
        ("cpu", false) => Device::cpu_with(ThreadPool::native(args.threads - 1)),
        #[cfg(feature = "webgpu")]
        ("webgpu", false) => Device::webgpu().await?,
        #[cfg(feature = "webgl2")]
        ("webgl2", false) => Device::webgl2()?,
        #[cfg(feature = "webgpu")]
        ("webgpu", true) => Device::webgpu_traced().await?,
        ("cpu", true) => return Err("--trace: times of kernels are taken on webgpu only".into()),
        (other, _) => return Err(format!("unknown backend {other}").into()),
    };
    let (mut model, load_ms) = load::load(args, &device).await?;
    #[cfg(feature = "webgpu")]
    if args.trace {
        return trace::run(args, &mut model).await;
    }
    let mut report = report::Report::new(args, &device, load_ms);
    match args.embed {
        Some((texts, tokens)) => measure::embed(args, &mut model, texts, tokens, &mut report).await?,
        None => measure::generate(args, &mut model, &mut report).await?,
    }
    report.print();
    Ok(())
}
