//! The source files: none is long, and of what is shipped none uses another that uses it in turn, but for those listed here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::uses::Sources;

/// The sources of what is shipped.
const CRATES: [&str; 5] =
    ["engine/src", "engine/compute/src", "engine/chat/src", "engine/digest/src", "worker/src"];

/// Where else Rust is written.
const OTHERS: [&str; 4] = ["engine/tests", "engine/examples", "worker/tests", "xtask/src"];

/// Most lines of a file.
const LINES_MAX: usize = 400;

/// Files that are longer, and why.
const LONG: [(&str, &str); 3] = [
    ("engine/digest/src/lib.rs", "the crate's public types beside what they do"),
    ("engine/tests/refusals.rs", "one case after another"),
    ("engine/tests/chat_bombs.rs", "one case after another"),
];

/// Files that use each other, and why that is better than the alternative.
const CIRCLES: [(&[&str], &str); 2] = [
    (
        &["jinja/filters.rs", "jinja/filters_sequence.rs", "jinja/tests.rs"],
        "`map` and `select` take the names of filters and tests, and `is filter` asks for the names of filters",
    ),
    (
        &["jinja/fuel.rs", "jinja/scope.rs", "jinja/text.rs", "jinja/value.rs"],
        "a macro holds the scope of its definition, which holds values; the memory account of each value notes those that \
         may hold themselves, so that they can be dropped",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A step and its CPU version are one thing in two files: the step's type, and a function that takes it.
fn is_step(circle: &BTreeSet<String>) -> bool {
    let folders: BTreeSet<_> = circle.iter().filter_map(|file| file.rsplit_once('/')).collect();
    let files: Vec<&str> = folders.iter().map(|(_, file)| *file).collect();
    let folders: BTreeSet<&str> = folders.iter().map(|(folder, _)| *folder).collect();
    folders.len() == 1
        && folders.iter().all(|folder| folder.starts_with("kernels/"))
        && files == ["cpu.rs", "mod.rs"]
}

#[test]
fn files_do_not_use_each_other() {
    let (mut listed, mut wrong) = (0, Vec::new());
    for name in CRATES {
        let sources = Sources::read(&root().join(name));
        let circles = sources.circles();
        let graph = sources.graph();
        let uses: usize = graph.values().map(BTreeSet::len).sum();
        println!("{name}: {} files, {uses} uses, {} circles", graph.len(), circles.len());
        assert!(uses > graph.len(), "{name}: uses are not found");
        for circle in circles.into_iter().filter(|circle| !is_step(circle)) {
            if CIRCLES.iter().any(|(files, _)| circle.iter().eq(files.iter())) {
                listed += 1;
                continue;
            }
            for file in &circle {
                let of: Vec<_> = graph[file].intersection(&circle).collect();
                wrong.push(format!("{name}/{file} uses {of:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "files that use each other:\n{}", wrong.join("\n"));
    assert_eq!(listed, CIRCLES.len(), "a circle that is listed is gone: take it off the list");
}

#[test]
fn no_file_is_long() {
    let mut pending: Vec<PathBuf> = CRATES.iter().chain(&OTHERS).map(|dir| root().join(dir)).collect();
    let (mut count, mut wrong) = (0, Vec::new());
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            count += 1;
            let lines = std::fs::read_to_string(&path).unwrap().lines().count();
            let is_listed = LONG.iter().any(|(file, _)| path.ends_with(file));
            if (lines > LINES_MAX) != is_listed {
                wrong.push(format!("{}: {lines} lines", path.display()));
            }
        }
    }
    println!("{count} files");
    assert!(count > 300, "only {count} files found");
    assert!(wrong.is_empty(), "{LINES_MAX} lines are allowed:\n{}", wrong.join("\n"));
}
