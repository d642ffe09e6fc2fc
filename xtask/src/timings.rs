//! `cargo xtask test --timings`: how long each crate, test program and case takes.
//!
//! Cargo starts compilers, and compilers start the linker, through this program ([`as_wrapper`]), which writes a line for each
//! into a log. The build is the same with and without: cargo does not count a wrapper among its inputs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use crate::error::{Result, at};
use crate::paths;
use crate::sh::Sh;

/// The program that times others: a copy of this one. Also read by `xtask/cc`.
const WRAPPER: &str = "PITH_TIMER";
/// The log that it writes to.
const LOG: &str = "PITH_TIMES";
/// How many of the slowest of each kind are printed; the files have all.
const SHOWN: usize = 25;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();
static NOTED: Mutex<Vec<Noted>> = Mutex::new(Vec::new());

/// A part of a run that measures itself.
struct Noted {
    kind: &'static str,
    name: String,
    seconds: f64,
    /// The file name of the test program.
    program: String,
}

/// Begins to measure, in the folder `target/timings`.
pub fn begin(target_dir: &Path) -> Result<()> {
    let folder = target_dir.join("timings");
    at(&folder, std::fs::create_dir_all(&folder))?;
    let log = folder.join("compilers.tsv");
    at(&log, std::fs::write(&log, ""))?;
    // A copy: cargo may replace the original while compilers run.
    let wrapper = folder.join("timer");
    let own = at(&wrapper, std::env::current_exe())?;
    at(&wrapper, std::fs::copy(own, &wrapper))?;
    let _ = FOLDER.set(folder);
    Ok(())
}

/// Lets a cargo command measure its compilers and linkers, where a run measures.
pub fn measured(cargo: Sh) -> Sh {
    let Some(folder) = FOLDER.get() else { return cargo };
    let wrapper = folder.join("timer");
    cargo.env("RUSTC_WRAPPER", &wrapper).env(WRAPPER, &wrapper).env(LOG, folder.join("compilers.tsv"))
}

/// Notes a test program, by name and file.
pub fn program(name: &str, file: &Path, seconds: f64) {
    let program = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    note(Noted { kind: "program", name: name.to_owned(), seconds, program });
}

/// Notes a case.
pub fn case(name: String, seconds: f64) {
    note(Noted { kind: "case", name, seconds, program: String::new() });
}

fn note(noted: Noted) {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).push(noted);
}

/// Where cargo or `xtask/cc` started this program as a wrapper: runs what it was asked to and logs how long that took.
pub fn as_wrapper() -> Option<ExitCode> {
    std::env::var_os(WRAPPER)?;
    let log = std::env::var_os(LOG)?;
    let mut args = std::env::args_os().skip(1);
    let (program, args) = (args.next()?, args.collect::<Vec<_>>());
    let started = Instant::now();
    let status = Command::new(&program).args(&args).status();
    let line = line(&program, &args, started.elapsed().as_secs_f64());
    // A line that cannot be written is missing from a table; the build goes on.
    let _ = OpenOptions::new().append(true).open(log).and_then(|mut file| file.write_all(line.as_bytes()));
    let code = status.ok().and_then(|status| status.code()).unwrap_or(1);
    Some(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

/// Kind, file name of the output without its ending, folder, seconds. Empty for a question that makes nothing.
fn line(program: &OsStr, args: &[OsString], seconds: f64) -> String {
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let after = |flag: &str| args.windows(2).find(|pair| pair[0] == flag).map_or("", |pair| pair[1].as_ref());
    let is_linker =
        Path::new(program).file_name().is_some_and(|name| name == "cc" || name == "gcc" || name == "clang");
    let (kind, output) = if is_linker {
        ("link", after("-o").to_owned())
    } else {
        let suffix = args.iter().find_map(|arg| arg.strip_prefix("extra-filename=")).unwrap_or_default();
        ("compile", format!("{}/{}{suffix}", after("--out-dir"), after("--crate-name")))
    };
    let output = Path::new(&output);
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let folder = output.parent().unwrap_or(output).display();
    if stem.is_empty() || stem == "___" {
        String::new()
    } else {
        format!("{kind}\t{stem}\t{folder}\t{seconds:.2}\n")
    }
}

/// What the log says of one output.
#[derive(Default)]
struct Compiled {
    compile_s: f64,
    link_s: f64,
}

/// Prints the slowest crates, test programs and cases, and writes all of them beside the log.
pub fn print() -> Result<()> {
    let Some(folder) = FOLDER.get() else { return Ok(()) };
    let log = folder.join("compilers.tsv");
    let compiled = read(&at(&log, std::fs::read_to_string(&log))?);
    let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    let of = |kind: &'static str| noted.iter().filter(move |noted| noted.kind == kind);
    let programs: BTreeMap<_, _> = of("program").map(|noted| (noted.program.as_str(), noted)).collect();
    let is_program = |(_, stem): &(String, String)| programs.contains_key(stem.as_str());

    let crates = compiled.iter().filter(|(key, _)| !is_program(key));
    let crates = crates.map(|((dir, stem), c)| (format!("{stem} in {dir}"), vec![c.compile_s, c.link_s]));
    table(folder, "crates", &["compile", "of it link"], crates.collect())?;
    let built = compiled.iter().filter_map(|((_, stem), c)| Some((programs.get(stem.as_str())?, c)));
    let built = built.map(|(noted, c)| (noted.name.clone(), vec![c.compile_s, c.link_s, noted.seconds]));
    table(folder, "programs", &["compile", "of it link", "run"], built.collect())?;
    table(
        folder,
        "cases",
        &["run"],
        of("case").map(|noted| (noted.name.clone(), vec![noted.seconds])).collect(),
    )
}

/// By folder below the build folder, and file name.
fn read(log: &str) -> BTreeMap<(String, String), Compiled> {
    let mut all = BTreeMap::<_, Compiled>::new();
    for line in log.lines() {
        let mut fields = line.split('\t');
        let (Some(kind), Some(stem), Some(dir), Some(seconds)) =
            (fields.next(), fields.next(), fields.next(), fields.next().and_then(|s| s.parse::<f64>().ok()))
        else {
            continue;
        };
        let dir = Path::new(dir).strip_prefix(paths::root()).unwrap_or(Path::new(dir)).display().to_string();
        let entry = all.entry((dir, stem.to_owned())).or_default();
        if kind == "link" { entry.link_s += seconds } else { entry.compile_s += seconds }
    }
    all
}

/// The slowest rows and the sum of all on the screen, all rows in a file; by the sum of a row but for what is part of another column.
fn table(folder: &Path, what: &str, columns: &[&str], mut rows: Vec<(String, Vec<f64>)>) -> Result<()> {
    let whole = |values: &[f64]| {
        values
            .iter()
            .zip(columns)
            .filter(|(_, name)| !name.starts_with("of it"))
            .map(|(value, _)| value)
            .sum::<f64>()
    };
    rows.sort_by(|(_, a), (_, b)| whole(b).total_cmp(&whole(a)));
    let sums: Vec<f64> =
        (0..columns.len()).map(|at| rows.iter().map(|(_, values)| values[at]).sum()).collect();
    let cells = |values: &[f64]| values.iter().map(|value| format!("{value:>12.1}")).collect::<String>();
    let head = columns.iter().map(|name| format!("{name:>12}")).collect::<String>();
    let file = folder.join(what).with_extension("txt");
    println!("\n{head}  {what}, s (all: {})", file.display());
    println!("{}  {} in all", cells(&sums), rows.len());
    let lines: Vec<String> = rows.iter().map(|(name, values)| format!("{}  {name}", cells(values))).collect();
    lines.iter().take(SHOWN).for_each(|line| println!("{line}"));
    at(&file, std::fs::write(&file, lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(program: &str, args: &[&str]) -> String {
        line(OsStr::new(program), &args.iter().map(OsString::from).collect::<Vec<_>>(), 1.5)
    }

    #[test]
    fn compilers_and_linkers_are_logged_by_what_they_make() {
        let rustc = ["--crate-name", "half", "--out-dir", "/p/target/debug/deps", "-C", "extra-filename=-1a"];
        assert_eq!(said("rustc", &rustc), "compile\thalf-1a\t/p/target/debug/deps\t1.50\n");
        assert_eq!(said("/usr/bin/cc", &["-o", "/p/deps/half-1a"]), "link\thalf-1a\t/p/deps\t1.50\n");
        assert_eq!(said("rustc", &["-vV"]), "");
        assert_eq!(said("rustc", &["--crate-name", "___", "--print=cfg"]), "");
    }

    #[test]
    fn what_a_linker_takes_is_found_with_its_crate() {
        let all = read("compile\ta-1\t/d\t2.5\nlink\ta-1\t/d\t1.5\nnot a line\n");
        let found = all.get(&("/d".to_owned(), "a-1".to_owned()));
        assert!(found.is_some_and(|c| c.compile_s == 2.5 && c.link_s == 1.5) && all.len() == 1);
    }
}
