//! The source files of a crate, and which of them uses which: a file uses another where it names something that the other
//! defines. A name is followed through `pub use` to the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file, by its path below the crate's `src`.
type File = String;

/// A crate's modules.
pub struct Sources {
    /// Module path, such as `plan::cache`, to its file.
    files: BTreeMap<String, File>,
    /// Code without comments, strings and unit tests.
    code: BTreeMap<String, String>,
    /// What a module re-exports: name to full path.
    exports: BTreeMap<String, BTreeMap<String, String>>,
    /// Where a module re-exports everything from.
    globs: BTreeMap<String, Vec<String>>,
}

impl Sources {
    /// All modules below a `src` folder.
    pub fn read(src: &Path) -> Sources {
        let (mut files, mut code) = (BTreeMap::new(), BTreeMap::new());
        let mut pending = vec![src.to_path_buf()];
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let file = path.strip_prefix(src).unwrap().to_string_lossy().replace('\\', "/");
            let module = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
            let module = if module == "lib" || module == "mod" { String::new() } else { module };
            code.insert(module.clone(), plain(&std::fs::read_to_string(&path).unwrap()));
            files.insert(module, file);
        }
        let mut sources = Sources { files, code, exports: BTreeMap::new(), globs: BTreeMap::new() };
        for (module, code) in &sources.code {
            for (visible, tree) in uses(code) {
                for (path, name) in leaves(&tree) {
                    let Some(path) = sources.absolute(module, &path) else { continue };
                    if visible && name == "*" {
                        sources.globs.entry(module.clone()).or_default().push(path);
                    } else {
                        // What a file imports it may pass on to its children.
                        sources.exports.entry(module.clone()).or_default().insert(name, path);
                    }
                }
            }
        }
        sources
    }

    /// A path as it is written in a module, from the crate's root; `None` for what other crates define.
    fn absolute(&self, module: &str, path: &str) -> Option<String> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let join = |base: &str| match (base.is_empty(), rest.is_empty()) {
            (true, _) => rest.to_owned(),
            (_, true) => base.to_owned(),
            _ => format!("{base}::{rest}"),
        };
        match first {
            "crate" => Some(join("")),
            "self" => Some(join(module)),
            "super" => {
                let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
                match rest.starts_with("super") {
                    true => self.absolute(parent, rest),
                    false => Some(join(parent)),
                }
            }
            child => {
                let child = if module.is_empty() { child.to_owned() } else { format!("{module}::{child}") };
                self.files.contains_key(&child).then(|| join(&child))
            }
        }
    }

    /// The module that defines what a path from the root names.
    fn definer(&self, path: &str, depth: usize) -> String {
        let mut module = path;
        while !self.files.contains_key(module) {
            let Some((parent, _)) = module.rsplit_once("::") else {
                module = "";
                break;
            };
            module = parent;
        }
        let rest = path[module.len()..].trim_start_matches("::");
        let name = rest.split("::").next().unwrap_or_default();
        if depth > 8 || name.is_empty() {
            return module.to_owned();
        }
        let found = self.exports.get(module).and_then(|names| names.get(name));
        if let Some(path) = found {
            return self.definer(path, depth + 1);
        }
        for glob in self.globs.get(module).into_iter().flatten() {
            let code = self.code.get(glob).map_or("", String::as_str);
            let defines = ["struct ", "enum ", "fn ", "trait ", "type ", "const ", "macro_rules! "];
            if defines.iter().any(|word| code.contains(&format!("{word}{name}"))) {
                return self.definer(&format!("{glob}::{name}"), depth + 1);
            }
        }
        module.to_owned()
    }

    /// Which files each file uses.
    pub fn graph(&self) -> BTreeMap<File, BTreeSet<File>> {
        let mut graph = BTreeMap::new();
        for (module, file) in &self.files {
            let code = &self.code[module];
            let mut named = BTreeSet::new();
            for (visible, tree) in uses(code) {
                // A re-export is no use of what is re-exported.
                if !visible {
                    named.extend(leaves(&tree).into_iter().map(|(path, _)| path));
                }
            }
            named.extend(inline(code));
            let used = named
                .iter()
                .filter_map(|path| self.absolute(module, path))
                .map(|path| self.definer(&path, 0))
                // The root defines nothing but modules.
                .filter(|used| used != module && !used.is_empty())
                .map(|used| self.files[&used].clone());
            graph.insert(file.clone(), used.collect());
        }
        graph
    }

    /// Groups of files each of which uses, directly or by others, all of its group.
    pub fn circles(&self) -> Vec<BTreeSet<File>> {
        let graph = self.graph();
        let reach = |from: &File| {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![from]);
            while let Some(file) = pending.pop() {
                for next in &graph[file] {
                    if seen.insert(next.clone()) {
                        pending.push(next);
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&File, BTreeSet<File>> = graph.keys().map(|file| (file, reach(file))).collect();
        let mut circles: Vec<BTreeSet<File>> = Vec::new();
        for file in graph.keys().filter(|file| reached[file].contains(*file)) {
            if !circles.iter().any(|circle| circle.contains(file)) {
                circles.push(
                    reached[file].iter().filter(|other| reached[other].contains(file)).cloned().collect(),
                );
            }
        }
        circles
    }
}

/// Code without comments, strings and the unit tests at its end.
fn plain(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")) {
        let line = line.split("//").next().unwrap_or_default();
        for (i, part) in line.split('"').enumerate() {
            if i % 2 == 0 {
                code.push_str(part);
            }
        }
        code.push('\n');
    }
    code
}

/// The `use` declarations: whether others see them, and their trees.
fn uses(code: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let line = rest[..at].rsplit('\n').next().unwrap_or_default().trim();
        let is_use = line.is_empty() || (line.starts_with("pub") && !line.contains(' '));
        rest = &rest[at + 4..];
        if !is_use {
            continue;
        }
        let Some(end) = rest.find(';') else { break };
        let tree: String = rest[..end].split_whitespace().collect::<Vec<_>>().join(" ");
        found.push((line.starts_with("pub"), tree));
        rest = &rest[end..];
    }
    found
}

/// The paths of a tree, and the names that they have here.
fn leaves(tree: &str) -> Vec<(String, String)> {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let prefix = tree[..open].trim_end_matches("::");
        let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let (mut depth, mut parts, mut part) = (0, Vec::new(), String::new());
        for c in inner.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(std::mem::take(&mut part));
                    continue;
                }
                _ => {}
            }
            part.push(c);
        }
        parts.push(part);
        let all = parts.iter().filter(|part| !part.trim().is_empty()).flat_map(|part| leaves(part));
        return all
            .map(|(path, name)| match path.as_str() {
                _ if prefix.is_empty() => (path, name),
                "self" => (prefix.to_owned(), prefix.rsplit("::").next().unwrap_or_default().to_owned()),
                _ => (format!("{prefix}::{path}"), name),
            })
            .collect();
    }
    let (path, name) =
        tree.split_once(" as ").unwrap_or((tree, tree.rsplit("::").next().unwrap_or_default()));
    vec![(path.trim().to_owned(), name.trim().to_owned())]
}

/// Paths of two names and more that stand in code.
fn inline(code: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut all = Vec::new();
    for line in code.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with("use ") && !line.starts_with("pub use ")
    }) {
        for word in line.split(|c: char| !part(c)) {
            let word = word.trim_matches(':');
            // Several lines of a `use` are its own.
            if word.contains("::") && word.starts_with(|c: char| c.is_ascii_lowercase()) {
                all.push(word.to_owned());
            }
        }
    }
    all
}
