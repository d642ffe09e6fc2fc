//! `cargo xtask package`: what is given to others, in dist/, and its sizes against the budgets.

use std::io::Write;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;

use crate::error::{Error, Result, at};
use crate::sh::{self, npm, sh};
use crate::stamp::sha256;
use crate::wasm::Modules;
use crate::web::Extent;
use crate::{paths, store, wasm, web};

/// Largest size of the extension without the embedded model.
const EXTENSION_BYTES_MAX: u64 = 6_590_000;
/// Largest size of one JavaScript file in the extension: stores refuse or rewrite larger ones.
const SCRIPT_BYTES_MAX: u64 = 1_000_000;
/// Largest size of the client's own JavaScript after gzip.
const CLIENT_GZIP_BYTES_MAX: u64 = 5_050;

const BROWSERS: [&str; 2] = ["chrome", "firefox"];

/// A measured size; without a limit where it is only for information.
struct Row {
    what: String,
    bytes: u64,
    bytes_max: Option<u64>,
}

/// `cargo xtask package [--screenshots] [--twice]`.
pub fn verb(args: &[String]) -> Result<()> {
    let known = ["--screenshots", "--twice"];
    if args.iter().any(|arg| !known.contains(&arg.as_str())) {
        return Err(Error::Usage("cargo xtask package [--screenshots] [--twice]".into()));
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    make(Extent::All, has("--screenshots"))?;
    if has("--twice") { compare_with_a_clone() } else { Ok(()) }
}

/// Builds what is committed once more, in a clone, and fails where a package has other bytes.
pub fn compare_with_a_clone() -> Result<()> {
    let clone = wasm::target_dir()?.join("again");
    if clone.exists() {
        at(&clone, std::fs::remove_dir_all(&clone))?;
    }
    sh("git").args(["clone", "--quiet"]).arg(paths::root()).arg(&clone).quiet()?;
    // The model is checked by its hash wherever it comes from.
    let models = clone.join(".cache/models");
    at(&models, std::fs::create_dir_all(&models))?;
    let model = paths::minilm();
    let copy = models.join(model.file_name().unwrap_or_default());
    at(&copy, std::fs::copy(&model, &copy))?;
    sh::cargo()
        .dir(&clone)
        .without_env("CARGO_MANIFEST_DIR")
        .without_env("CARGO_TARGET_DIR")
        .args(["run", "--quiet", "--profile", "xtask", "--package", "xtask", "--", "package"])
        .quiet()?;
    let dist = paths::dist();
    let screenshots = dist.join("store").join(store::SCREENSHOTS);
    for file in files_in(&dist)?.into_iter().filter(|file| !file.starts_with(&screenshots)) {
        let again = clone.join("dist").join(file.strip_prefix(&dist).unwrap_or(&file));
        let (ours, theirs) = (at(&file, std::fs::read(&file))?, at(&again, std::fs::read(&again))?);
        if ours != theirs {
            return Err(Error::Check(format!("{} has other bytes when it is built again", file.display())));
        }
        println!("  the same twice: {}", file.display());
    }
    at(&clone, std::fs::remove_dir_all(&clone))
}

/// Builds everything, writes dist/, prints the table, fails where something is over its budget.
pub fn run(extent: Extent) -> Result<()> {
    make(extent, false)
}

fn make(extent: Extent, with_screenshots: bool) -> Result<()> {
    let tools = web::build_all(extent)?;
    if with_screenshots {
        store::take_screenshots(&tools.chromium)?;
    }
    let dist = paths::dist();
    if dist.exists() {
        at(&dist, std::fs::remove_dir_all(&dist))?;
    }
    at(&dist, std::fs::create_dir_all(&dist))?;
    let version = env!("CARGO_PKG_VERSION");
    let mut rows = wasm_rows(extent.modules())?;
    rows.push(client_row()?);
    for browser in BROWSERS {
        let dir = paths::root().join("extension/dist").join(browser);
        // Its module is larger in tests than it is shipped.
        if browser != "firefox" || extent == Extent::All {
            rows.extend(extension_rows(browser, &dir)?);
        }
        let file = dist.join(format!("pith-{browser}-{version}.zip"));
        let bytes = zip_folder(&dir, &file)?;
        rows.push(Row { what: format!("{browser} zip, model included"), bytes, bytes_max: None });
    }
    for workspace in web::PUBLISHED {
        npm()
            .args(["pack", "--silent", "--workspace", workspace, "--pack-destination"])
            .arg(&dist)
            .quiet()?;
    }
    for file in files_in(&dist)?.into_iter().filter(|file| file.extension().is_some_and(|end| end == "tgz")) {
        check_npm(&file)?;
        let what = format!("npm, {}", file.file_name().unwrap_or_default().to_string_lossy());
        rows.push(Row { what, bytes: len(&file)?, bytes_max: None });
    }
    store::gather(&dist, version)?;
    check(&rows)?;
    print_files(&dist)
}

/// Whether an npm package has its licences, and bundlers, Node and TypeScript find every entry. It is for ES modules only.
fn check_npm(archive: &Path) -> Result<()> {
    let listed = sh("tar").arg("-tf").arg(archive).text()?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        if !listed.lines().any(|line| line == format!("package/{name}")) {
            return Err(Error::Check(format!("{} has no {name}", archive.display())));
        }
    }
    sh::node_script("publint/src/cli.js").arg(archive).arg("--strict").quiet()?;
    let attw = sh::node_script("@arethetypeswrong/cli/dist/index.js");
    attw.arg(archive).args(["--profile", "esm-only"]).quiet()
}

/// Every file of dist/ with its SHA-256, the uploaded ones first.
fn print_files(dist: &Path) -> Result<()> {
    println!("  dist/");
    let (uploads, texts): (Vec<_>, Vec<_>) =
        files_in(dist)?.into_iter().partition(|file| file.parent() == Some(dist));
    for file in uploads.iter().chain(&texts) {
        let name = file.strip_prefix(dist).unwrap_or(file).display();
        println!("  {}  {name}", sha256(&at(file, std::fs::read(file))?));
    }
    Ok(())
}

/// Fails where a module is over its budget.
pub fn check_wasm_size(modules: Modules) -> Result<()> {
    check(&wasm_rows(modules)?)
}

fn wasm_rows(modules: Modules) -> Result<Vec<Row>> {
    let rows = wasm::sizes(modules)?.into_iter().flat_map(|sizes| {
        let row = |what: String, bytes, bytes_max| Row { what, bytes, bytes_max: Some(bytes_max) };
        [
            row(format!("wasm, {}", sizes.name), sizes.raw_bytes, sizes.raw_bytes_max),
            row(format!("wasm, {}, brotli", sizes.name), sizes.brotli_bytes, sizes.brotli_bytes_max),
        ]
    });
    Ok(rows.collect())
}

/// The client as a site ships it: one minified module. The worker, and what `shared: true` imports, are apart.
fn client_row() -> Result<Row> {
    let bundled = paths::cache().join("client.js");
    let script = "require('esbuild').buildSync({ entryPoints: ['web/dist/index.js'], outfile: process.argv[1], \
        bundle: true, minify: true, format: 'esm', logLevel: 'error', external: ['./shared/member.js'] })";
    sh("node").args(["--eval", script]).arg(&bundled).quiet()?;
    let bytes = wasm::compressed("gzipSync", &bundled)?;
    Ok(Row { what: "client, gzip".into(), bytes, bytes_max: Some(CLIENT_GZIP_BYTES_MAX) })
}

fn extension_rows(browser: &str, dir: &Path) -> Result<Vec<Row>> {
    let (mut total, mut largest) = (0, 0);
    for file in files_in(dir)? {
        let bytes = len(&file)?;
        match file.extension().and_then(|end| end.to_str()) {
            Some("gguf") => continue,
            Some("js") => largest = largest.max(bytes),
            _ => {}
        }
        total += bytes;
    }
    let row = |what: String, bytes, bytes_max| Row { what, bytes, bytes_max: Some(bytes_max) };
    Ok(vec![
        row(format!("{browser} extension without model"), total, EXTENSION_BYTES_MAX),
        row(format!("{browser} largest script"), largest, SCRIPT_BYTES_MAX),
    ])
}

fn check(rows: &[Row]) -> Result<()> {
    println!("  {:<34} {:>12} {:>12}", "what", "bytes", "budget");
    for Row { what, bytes, bytes_max } in rows {
        let budget = bytes_max.map(|max| max.to_string()).unwrap_or_default();
        let mark = if bytes_max.is_some_and(|max| *bytes > max) { "  OVER" } else { "" };
        println!("  {what:<34} {bytes:>12} {budget:>12}{mark}");
    }
    let over: Vec<&str> = rows
        .iter()
        .filter(|row| row.bytes_max.is_some_and(|max| row.bytes > max))
        .map(|row| &*row.what)
        .collect();
    if over.is_empty() { Ok(()) } else { Err(Error::Check(format!("over budget: {}", over.join(", ")))) }
}

/// Every file below a folder, sorted, so that archives come out the same each time.
pub fn files_in(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in at(dir, std::fs::read_dir(dir))? {
        let path = at(dir, entry)?.path();
        if path.is_dir() { files.extend(files_in(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}

fn len(file: &Path) -> Result<u64> {
    Ok(at(file, std::fs::metadata(file))?.len())
}

/// Packs a folder's content with fixed times, and returns the archive's size.
fn zip_folder(dir: &Path, target: &Path) -> Result<u64> {
    let bad = |error: zip::result::ZipError| Error::Check(format!("{}: {error}", target.display()));
    let mut archive = zip::ZipWriter::new(at(target, std::fs::File::create(target))?);
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    for file in files_in(dir)? {
        let name = file.strip_prefix(dir).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        archive.start_file(name, options).map_err(bad)?;
        let bytes = at(&file, std::fs::read(&file))?;
        at(target, archive.write_all(&bytes))?;
    }
    archive.finish().map_err(bad)?;
    len(target)
}
