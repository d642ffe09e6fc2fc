//! `cargo xtask bench`: how fast it is, in the browser beside a peer, or natively.

mod report;
mod suite;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result, at};
use crate::forward::script;
use crate::lavapipe::Lavapipe;
use crate::sh::{Sh, cargo, sh};
use crate::{paths, say, setup, web};

const USAGE: &str = "\
cargo xtask bench --model FILE|SHAPE:FORMAT|minilm [--backend cpu|webgpu|webgl2] [--prefill N] [--decode N] [--runs N]
                  [--native | --peer wllama [--threads N] [--micro-batch N]] [--driver lavapipe|swiftshader]
                  [--depth N] [--batch N] [--embed COUNTxTOKENS] [--precision fast|exact] [--tune] [--trace] [--first] [--json]
cargo xtask bench --suite all|NAME,NAME [--rows PART] [--runs N]

  SHAPE:FORMAT   random weights with the shapes of a real model, such as smollm2-135m:q4_0; written to .cache once
  --driver       the software driver for WebGPU; PITH_GPU=real uses this machine's GPU
  --embed        embeds COUNT texts of TOKENS tokens, instead of prefill and decode
  --threads      threads of the CPU; --micro-batch: the peer's largest batch of prompt tokens
  --depth        native: tokens in the KV cache before the measurement; --batch: sequences at the same time
  --tune         in the browser: tries the shapes of kernels first, as the engine does when idle on real GPUs
  --trace        native: time and bytes of every kernel
  --first        from the load to the first text, in a new profile and once more in the same browser
  --suite        the tables of docs/performance.md as Markdown; --rows: only rows whose label contains PART";

/// What xtask decides itself; the rest goes to the program that measures.
struct Order {
    model: PathBuf,
    native: bool,
    driver: Option<String>,
    rest: Vec<String>,
}

/// `cargo xtask bench ...`.
pub fn run(args: &[String]) -> Result<()> {
    let as_json = args.iter().any(|arg| arg == "--json");
    say::aside(as_json || args.first().is_some_and(|arg| arg == "--suite"));
    match args {
        [suite, list, rest @ ..] if suite == "--suite" => match rest {
            [rows, part, rest @ ..] if rows == "--rows" => suite::run(&suite::names(list), Some(part), rest),
            rest => suite::run(&suite::names(list), None, rest),
        },
        args => {
            measure(args, |line| println!("{line}"))?.iter().for_each(|result| {
                println!("{}", if as_json { result.to_string() } else { report::table(result) });
            });
            Ok(())
        }
    }
}

/// The figures of what a program measures, if it is measured in runs. Other lines that it prints go to `other`.
pub fn measure(args: &[String], mut other: impl FnMut(&str)) -> Result<Option<Value>> {
    let mut result = None;
    command(args)?.lines(|line| match serde_json::from_str::<Value>(line) {
        Ok(raw) if raw["runs"].is_array() => result = Some(report::figures(raw)),
        _ => other(line),
    })?;
    Ok(result)
}

/// `cargo xtask tune ...`.
pub fn tune(args: &[String]) -> Result<()> {
    let mut order = parse(args)?;
    order.rest.push("--tune".to_owned());
    native(&order)?.run()
}

/// The program that measures, natively or in the browser, with everything built that it needs.
fn command(args: &[String]) -> Result<Sh> {
    let order = parse(args)?;
    if order.native {
        return native(&order);
    }
    let tools = web::build_all(web::Extent::All)?;
    let script = script("bench.ts").env("PITH_CHROME", &tools.chromium);
    let script = script.arg("--model").arg(&order.model).args(&order.rest);
    match order.driver.as_deref() {
        Some("lavapipe") => Ok(Lavapipe::ensure()?.under(script)),
        _ => Ok(script),
    }
}

fn parse(args: &[String]) -> Result<Order> {
    let (mut model, mut native, mut driver, mut rest) = (None, false, None, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value =
            || args.next().cloned().ok_or_else(|| Error::Usage(format!("{arg} needs a value\n\n{USAGE}")));
        match arg.as_str() {
            "--model" => model = Some(value()?),
            "--native" => native = true,
            "--driver" => driver = Some(value()?),
            "--help" | "-h" => return Err(Error::Usage(USAGE.into())),
            other => rest.push(other.to_owned()),
        }
    }
    if let Some(unknown) = driver.as_deref().filter(|name| !["lavapipe", "swiftshader"].contains(name)) {
        return Err(Error::Usage(format!("no driver `{unknown}`\n\n{USAGE}")));
    }
    let model = model.ok_or_else(|| Error::Usage(USAGE.into()))?;
    Ok(Order { model: file(&model)?, native, driver, rest })
}

/// The file that `--model` means.
fn file(model: &str) -> Result<PathBuf> {
    if model == "minilm" {
        return Ok(paths::minilm());
    }
    let path = at(Path::new(model), std::path::absolute(model))?;
    match model.split_once(':') {
        _ if path.is_file() => Ok(path),
        Some((shape, format)) => shaped(shape, format),
        None => Err(Error::Usage(format!("{model} is no file, and no shape such as smollm2-135m:q4_0"))),
    }
}

/// A file of random weights in the shape of a real model. `q4_k_m` is what quantisers call a file that is mostly Q4_K.
fn shaped(shape: &str, format: &str) -> Result<PathBuf> {
    let file = paths::cache().join(format!("bench/{shape}-{format}.gguf"));
    if file.is_file() {
        return Ok(file);
    }
    let missing = |what: &str, hint: &str| Error::Missing { what: what.into(), hint: hint.into() };
    let tool = paths::reference().join("tools/large.py");
    if !tool.is_file() {
        let hint = "Name a file, or point PITH_REFERENCE at the whole set.";
        return Err(missing("tools/large.py of the reference set", hint));
    }
    let python = std::env::var_os("PITH_PYTHON").unwrap_or_else(|| "python3".into());
    if sh(&python).args(["-c", "import numpy"]).ask().is_none() {
        let hint = "On Debian or Ubuntu: sudo apt-get install python3-numpy; or let PITH_PYTHON name one that has it.";
        return Err(missing("Python with numpy", hint));
    }
    let folder = paths::cache().join("bench");
    at(&folder, std::fs::create_dir_all(&folder))?;
    let part = file.with_extension("part");
    let name = format.to_uppercase();
    let name = name.strip_suffix("_M").unwrap_or(&name);
    sh(&python).arg(tool).args([shape, name]).arg(&part).quiet()?;
    at(&file, std::fs::rename(&part, &file))?;
    say::did("model", &format!("wrote {}", file.display()));
    Ok(file)
}

/// The example that measures natively, optimised.
fn native(order: &Order) -> Result<Sh> {
    let run =
        ["run", "--quiet", "--release", "--package", "pith-engine", "--example", "bench", "--", "--model"];
    let command = cargo().args(run).arg(&order.model).args(&order.rest);
    let icd = match order.driver.as_deref() {
        Some("lavapipe") => Some(Lavapipe::ensure()?.icd()?),
        Some(_) => {
            let found = which_chromium().and_then(|chromium| setup::swiftshader(&chromium));
            let hint = "It comes with Chromium.".to_owned();
            Some(found.ok_or(Error::Missing { what: "SwiftShader's Vulkan driver".into(), hint })?)
        }
        None => None,
    };
    let Some(icd) = icd else { return Ok(command) };
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").unwrap_or_else(|| std::env::temp_dir().into());
    Ok(command.env("VK_DRIVER_FILES", &icd).env("VK_ICD_FILENAMES", &icd).env("XDG_RUNTIME_DIR", runtime))
}

fn which_chromium() -> Option<PathBuf> {
    let named = std::env::var_os("PITH_CHROME").map(PathBuf::from);
    named.or_else(|| crate::sh::which("chromium")).or_else(|| crate::sh::which("google-chrome"))
}
