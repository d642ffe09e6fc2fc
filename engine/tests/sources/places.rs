//! Where a format, an architecture and a step are named: a format in its pair of files and in one line of the registry, an
//! architecture in its file and in one line, a step in its folder and in one line. Whoever adds one touches nothing else but,
//! for a step, the planner that emits it. And which rooms of the engine know which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pith_engine::formats::FORMATS;
use pith_engine::models::ARCHS;

/// What is shipped. Tests, examples, tools and documents may name what they like.
const SHIPPED: [&str; 5] = ["engine/src", "engine/compute/src", "worker/src", "web/src", "extension/src"];

/// Names that mean something else than a weight format, and where.
const OTHER_FORMATS: [(&str, &str); 4] = [
    ("type CacheType", "forms of the KV cache"),
    ("Type of the KV cache", "types of the KV cache"),
    ("CacheFormat", "forms of the KV cache, which are not weight formats"),
    ("minilm-", "the file name of the embedded model"),
];

/// Files in which such names mean something else as a whole.
const OTHER_FILES: [(&str, &str); 8] = [
    ("worker/src/protocol/cache.rs", "forms of the KV cache"),
    ("engine/compute/src/plan/cache.rs", "forms of the KV cache"),
    ("engine/compute/src/kernels/shared/cells.rs", "forms of the KV cache"),
    ("engine/compute/src/formats/grids/", "codebooks, which belong to the formats' files"),
    ("engine/src/tokenizer/", "kinds of tokenizers, which files name after models"),
    ("extension/src/messages/", "sentences for people, some with an example"),
    ("web/src/hub-files.ts", "the endings of file names on a hub"),
    ("extension/src/host/writers/openai/", "servers, one of which is named after a model"),
];

/// A line of code of a shipped file, without comments.
struct Line {
    file: String,
    number: usize,
    code: String,
}

fn lines() -> Vec<Line> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pending: Vec<PathBuf> = SHIPPED.iter().map(|dir| root.join(dir)).collect();
    let mut all = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        // A wasm module is what the build makes of the rest.
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let file = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        if file.starts_with("web/src/wasm/") || OTHER_FILES.iter().any(|(other, _)| file.starts_with(other)) {
            continue;
        }
        // Unit tests stand at the end of a file.
        let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        all.extend(code.enumerate().map(|(i, line)| Line {
            file: file.clone(),
            number: i + 1,
            code: line.split("//").next().unwrap_or_default().to_owned(),
        }));
    }
    assert!(all.len() > 10_000, "only {} lines found", all.len());
    all
}

/// Whether `word` stands in `code` with nothing around it that would make it part of another name.
fn names(code: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(part) && !code[at + word.len()..].starts_with(part))
}

/// Lines outside `own` files that `found` picks, but for the one of the registry.
fn elsewhere(
    all: &[Line],
    own: &[String],
    registry: &str,
    module: &str,
    found: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut registered = 0;
    let mut wrong = Vec::new();
    for line in all.iter().filter(|line| !own.contains(&line.file)) {
        if line.file == registry && line.code.trim() == module {
            registered += 1;
        } else if found(&line.code) {
            wrong.push(format!("{}:{}: {}", line.file, line.number, line.code.trim()));
        }
    }
    if registered != 1 {
        wrong.push(format!("{registry} has {registered} lines for {module}"));
    }
    wrong
}

#[test]
fn a_format_is_named_in_two_files_and_one_line() {
    let all = lines();
    let mut wrong = Vec::new();
    for format in FORMATS {
        let module = format.wgsl_path.trim_start_matches("formats/").trim_end_matches(".wgsl");
        let own = [
            format!("engine/compute/src/formats/{module}.rs"),
            format!("engine/compute/src/formats/{module}.wgsl"),
        ];
        for file in &own {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file).is_file(), "{file}");
        }
        // f32, f16 and bf16 are also types of Rust and of its crates, and F32 a type of keys: only the quoted name counts.
        let plain = format.block_len == 1;
        wrong.extend(elsewhere(&all, &own, "engine/compute/src/formats/mod.rs", module, |code| {
            if OTHER_FORMATS.iter().any(|(other, _)| code.contains(other)) {
                return false;
            }
            let quoted = code.contains(&format!("\"{}\"", format.name));
            quoted || (!plain && (names(code, format.name) || names(code, module)))
        }));
    }
    println!("{} formats", FORMATS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_architecture_is_named_in_one_file_and_one_line() {
    let all = lines();
    let mut wrong = Vec::new();
    for arch in ARCHS {
        let quoted = format!("\"{}\"", arch.name);
        let declares = |line: &&Line| {
            line.file.starts_with("engine/src/models/") && line.code.contains(&format!("name: {quoted}"))
        };
        let own: Vec<String> = all.iter().filter(declares).map(|line| line.file.clone()).collect();
        assert_eq!(own.len(), 1, "{} is declared in {own:?}", arch.name);
        let module = own[0].trim_start_matches("engine/src/models/").trim_end_matches(".rs");
        wrong.extend(elsewhere(&all, &own, "engine/src/models/mod.rs", module, |code| {
            code.contains(&quoted)
                || code.contains(&format!("\"{}.", arch.name))
                || code.contains(&format!("{module}::"))
        }));
    }
    println!("{} architectures", ARCHS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who may name a step besides its folder: what emits steps, and what compares them.
const STEP_USERS: [&str; 2] = ["engine/src/planner/", "engine/src/runtime/lockstep.rs"];

#[test]
fn a_step_is_named_in_one_folder_and_one_line() {
    let all = lines();
    let registry = "engine/compute/src/kernels/mod.rs";
    let steps: Vec<(String, String)> = all
        .iter()
        .filter(|line| line.file == registry && line.code.starts_with("    ") && line.code.ends_with(','))
        .filter_map(|line| line.code.trim().trim_end_matches(',').split_once(": "))
        .map(|(folder, step)| (folder.to_owned(), step.to_owned()))
        .collect();
    assert!(steps.len() >= 20, "{steps:?}");
    let mut wrong = Vec::new();
    for (folder, step) in &steps {
        let own = format!("engine/compute/src/kernels/{folder}/");
        assert!(all.iter().any(|line| line.file.starts_with(&own)), "{own} is empty");
        for line in all.iter().filter(|line| line.file.starts_with("engine/")) {
            let registered = line.file == registry && line.code.trim() == format!("{folder}: {step},");
            let allowed = STEP_USERS.iter().any(|user| line.file.starts_with(user));
            if registered || allowed || line.file.starts_with(&own) {
                continue;
            }
            // Some names mean other things elsewhere, such as `Sample` and `Route`.
            let named = line.code.contains(&format!("Step::{step}"))
                || line.code.contains(&format!("kernels::{step}"))
                || line.code.contains(&format!("kernels/{folder}/"))
                || line.code.contains(&format!("crate::kernels::{folder}"));
            if named {
                wrong.push(format!("{}:{}: {}", line.file, line.number, line.code.trim()));
            }
        }
    }
    println!("{} steps", steps.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rooms of the engine, and the rooms that each uses.
fn rooms() -> BTreeMap<String, BTreeSet<String>> {
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines() {
        let rooms_of = ["engine/src/", "engine/compute/src/"];
        let Some(path) = rooms_of.iter().find_map(|dir| line.file.strip_prefix(dir)) else { continue };
        let Some((room, _)) = path.split_once('/') else { continue };
        let uses = rooms.entry(room.to_owned()).or_default();
        for (at, found) in line.code.match_indices("crate::") {
            let name: String = line.code[at + found.len()..]
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect();
            uses.insert(name);
        }
    }
    let names: BTreeSet<String> = rooms.keys().cloned().collect();
    for (room, uses) in &mut rooms {
        uses.retain(|used| used != room && names.contains(used));
    }
    rooms
}

#[test]
fn no_two_rooms_depend_on_each_other() {
    let mut rooms = rooms();
    assert!(rooms.len() >= 10, "{:?}", rooms.keys());
    // Rooms that use none of those left are taken away, until none is left or all that are left go round in circles.
    loop {
        let free: Vec<String> =
            rooms.iter().filter(|(_, uses)| uses.is_empty()).map(|(room, _)| room.clone()).collect();
        if free.is_empty() {
            break;
        }
        println!("{}", free.join(", "));
        rooms.retain(|room, _| !free.contains(room));
        rooms.values_mut().for_each(|uses| uses.retain(|used| !free.contains(used)));
    }
    assert!(rooms.is_empty(), "rooms that depend on each other: {rooms:#?}");
}
