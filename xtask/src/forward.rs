//! Verbs whose work is done by another program: in the browser by a Playwright script, natively by an example binary.

use std::path::Path;

use crate::error::{Error, Result};
use crate::sh::{cargo, node_script};
use crate::{paths, say, smollm2, web};

/// `cargo xtask demo [FILE|URL] [--ask QUESTION]... [--backend B] [--json]`.
pub fn demo(args: &[String]) -> Result<()> {
    let usage = || {
        Error::Usage(
            "cargo xtask demo [FILE|URL] [--ask QUESTION]... [--backend webgpu|webgl2|cpu] [--json]".into(),
        )
    };
    let mut rest = Vec::new();
    let mut page = None;
    let mut given = args.iter();
    while let Some(arg) = given.next() {
        match arg.as_str() {
            "--json" => rest.push(arg.clone()),
            "--ask" | "--backend" => rest.extend([arg.clone(), given.next().ok_or_else(usage)?.clone()]),
            option if option.starts_with("--") => return Err(usage()),
            _ if page.is_some() => return Err(usage()),
            url if url.starts_with("http://") || url.starts_with("https://") => page = Some(arg.clone()),
            file => page = Some(absolute(file)?),
        }
    }
    let tools = web::build_all(web::Extent::Demo)?;
    // The summary needs no language model: without one the demo says so.
    if let Err(error) = smollm2::ensure() {
        eprintln!("no language model: {error}");
    }
    script("demo.ts").env("PITH_CHROME", &tools.chromium).args(rest).args(page).run()
}

/// `cargo xtask conformance ...`: natively, or with `--in-browser` in a browser's worker.
pub fn conformance(args: &[String]) -> Result<()> {
    let args = absolute_values(args, &["--fixtures"]);
    // In the tests' profile, which is built anyway and costs the CPU run a second or two.
    let run = ["run", "--quiet", "--package", "pith-engine", "--example", "conformance", "--"];
    let native = cargo().args(run);
    if !args.iter().any(|arg| arg == "--in-browser") {
        return native.args(args).run();
    }
    let tools = web::build_all(web::Extent::All)?;
    let (mut scorer, mut opener) = (Vec::new(), Vec::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--in-browser" => {}
            "--simd128" => opener.push(arg),
            "--browser" => opener.extend([Some(arg), args.next()].into_iter().flatten()),
            _ => scorer.push(arg),
        }
    }
    let script = paths::root().join("e2e/conformance.ts");
    let tsx = paths::root().join("node_modules/tsx/dist/cli.mjs");
    let opens = native.env("PITH_CHROME", &tools.chromium).args(scorer).args(["--", "node"]);
    opens.arg(tsx).arg(script).args(opener).run()
}

/// `cargo xtask steps ...`: the steps of a model on a device and on the CPU, one at a time, or the shaders of a step.
pub fn steps(args: &[String]) -> Result<()> {
    let args = absolute_values(args, &["--diff"]);
    let run = ["run", "--quiet", "--package", "pith-engine", "--example", "steps", "--"];
    cargo().args(run).args(args).run()
}

/// `cargo xtask wpt ...`: web-platform-tests of the built-in AI APIs, or the project's own cases, in Chromium.
pub fn wpt(args: &[String]) -> Result<()> {
    say::aside(args.iter().any(|arg| arg == "--json"));
    let args = absolute_values(args, &["--dir"]);
    let tools = web::build_all(web::Extent::All)?;
    smollm2::ensure()?;
    script("wpt.ts").env("PITH_CHROME", &tools.chromium).args(args).run()
}

/// `cargo xtask endurance --minutes N`.
pub fn endurance(args: &[String]) -> Result<()> {
    let minutes = match args {
        [flag, minutes] if flag == "--minutes" && minutes.parse::<f64>().is_ok_and(|n| n > 0.0) => minutes,
        _ => return Err(Error::Usage("cargo xtask endurance --minutes N".into())),
    };
    let tools = web::build_all(web::Extent::All)?;
    script("endurance.ts").env("PITH_CHROME", &tools.chromium).args(["--minutes", minutes]).run()
}

/// `cargo xtask docs`: the documentation site, in dist/docs.
pub fn docs(args: &[String]) -> Result<()> {
    if !args.is_empty() {
        return Err(Error::Usage("cargo xtask docs".into()));
    }
    web::build_all(web::Extent::All)?;
    web::build_docs()?;
    say::did("docs", "dist/docs/index.html; serve the folder with any file server");
    Ok(())
}

/// A script of the end-to-end tests.
pub fn script(name: &str) -> crate::sh::Sh {
    node_script("tsx/dist/cli.mjs").dir(&paths::root().join("e2e")).arg(name)
}

/// A path as typed, made independent of the folder that the other program runs in.
fn absolute(path: &str) -> Result<String> {
    let full = std::path::absolute(path).map_err(|source| Error::Io { path: path.into(), source })?;
    match full.exists() {
        true => Ok(full.to_string_lossy().into_owned()),
        false => Err(Error::Usage(format!("{path} does not exist"))),
    }
}

/// The arguments, with the value of each of these flags as a full path.
pub fn absolute_values(args: &[String], flags: &[&str]) -> Vec<String> {
    let mut after_flag = false;
    let full =
        |arg: &String| std::path::absolute(Path::new(arg)).map(|path| path.to_string_lossy().into_owned());
    args.iter()
        .map(|arg| {
            let value = if after_flag { full(arg).unwrap_or_else(|_| arg.clone()) } else { arg.clone() };
            after_flag = flags.contains(&arg.as_str());
            value
        })
        .collect()
}
