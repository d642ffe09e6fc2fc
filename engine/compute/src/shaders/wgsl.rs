//! Joins a header of constants and parts into one shader, and says which line came from which file.

use std::fmt::Write;

use super::part::Part;
use crate::plan::Feature;

/// A shader to be: everything that tells it from others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Stem of the kernel file.
    pub kernel: &'static str,
    /// Constants in the header: name and WGSL literal.
    pub consts: Vec<(&'static str, String)>,
    /// Files in order; the kernel is the last.
    pub parts: Vec<Part>,
    /// How each binding is used, in order of binding number: uniform, read, or written.
    pub bindings: Vec<Access>,
}

/// How a kernel uses a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// `var<uniform>`.
    Uniform,
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    Write,
}

/// A linked shader.
#[derive(Debug, Clone)]
pub struct Linked {
    /// WGSL.
    pub source: String,
    /// First line (from 1) and path of each part.
    lines: Vec<(usize, &'static str)>,
}

impl Variant {
    /// A short name for messages: kernel, choices of parts, and constants.
    pub fn label(&self) -> String {
        let mut label = self.kernel.to_owned();
        for choice in self.parts.iter().filter_map(Part::choice) {
            let _ = write!(label, " {choice}");
        }
        for (name, value) in &self.consts {
            let _ = write!(label, " {name}={value}");
        }
        label
    }

    /// The optional features that it needs: those whose directive is a line of one of its files.
    pub fn needs(&self) -> impl Iterator<Item = Feature> {
        let asks = |feature: &Feature| {
            self.parts.iter().any(|part| part.text.lines().any(|line| line == feature.directive()))
        };
        Feature::ALL.into_iter().filter(asks)
    }

    /// The shader's text. Directives of its files come first, as WGSL demands.
    pub fn link(&self) -> Linked {
        let mut source = String::new();
        for feature in self.needs() {
            let _ = writeln!(source, "{}", feature.directive());
        }
        for (name, value) in &self.consts {
            let _ = writeln!(source, "const {name} = {value};");
        }
        let mut lines = vec![(1, "header")];
        for part in &self.parts {
            lines.push((source.lines().count() + 1, part.path));
            for line in part.text.lines() {
                let is_directive = Feature::ALL.iter().any(|feature| line == feature.directive());
                // An empty line in its place: lines keep their numbers.
                source.push_str(if is_directive { "" } else { line });
                source.push('\n');
            }
        }
        Linked { source, lines }
    }
}

impl Linked {
    /// The source for naga, which has subgroups without a directive and refuses the directive.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn for_naga(&self) -> String {
        self.source.replacen(Feature::Subgroups.directive(), "", 1)
    }

    /// The file and its own line behind line `line` (from 1) of the shader.
    pub fn origin(&self, line: usize) -> (&'static str, usize) {
        let part = self.lines.iter().rev().find(|(first, _)| *first <= line);
        part.map_or(("header", line), |(first, path)| (*path, line - first + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_traced_to_its_file() {
        let part = |path, text| Part { path, text };
        let variant = Variant {
            kernel: "b",
            consts: vec![("WG", "64u".to_owned())],
            parts: vec![part("a.wgsl", "one\ntwo\n"), part("b.wgsl", "three")],
            bindings: Vec::new(),
        };
        let linked = variant.link();
        assert_eq!(linked.source, "const WG = 64u;\none\ntwo\nthree\n");
        assert_eq!(variant.needs().count(), 0);
        assert_eq!(linked.origin(1), ("header", 1));
        assert_eq!(linked.origin(3), ("a.wgsl", 2));
        assert_eq!(linked.origin(4), ("b.wgsl", 1));
    }

    #[test]
    fn directives_come_first_and_once() {
        let part = |path, text| Part { path, text };
        let parts = vec![
            part("a.wgsl", "enable subgroups;\none\n"),
            part("b.wgsl", "enable f16;\nenable subgroups;\ntwo\n"),
        ];
        let consts = vec![("WG", "64u".to_owned())];
        let variant = Variant { kernel: "b", consts, parts, bindings: Vec::new() };
        assert_eq!(Vec::from_iter(variant.needs()), [Feature::F16, Feature::Subgroups]);
        let linked = variant.link();
        let header = "enable f16;\nenable subgroups;\nconst WG = 64u;\n";
        assert_eq!(linked.source, format!("{header}\none\n\n\ntwo\n"));
        assert_eq!(linked.origin(5), ("a.wgsl", 2));
        assert_eq!(linked.origin(8), ("b.wgsl", 3));
    }
}
