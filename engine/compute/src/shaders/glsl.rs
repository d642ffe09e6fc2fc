//! Shaders from parts: constants, then the files in the order in which they use each other.

use std::fmt::Write as _;

use super::glsl_parts as parts;
use super::part::Part;

/// A constant of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Const {
    Uint(u32),
    Int(i32),
    Bool(bool),
}

/// What a shader is linked from. Compiled once for all models of a device.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    /// For messages.
    pub kernel: &'static str,
    /// Constants of both stages.
    pub consts: Vec<(&'static str, Const)>,
    /// Files of the fragment stage.
    pub parts: Vec<Part>,
    /// Names of the samplers, in the order of what they see.
    pub samplers: Vec<&'static str>,
    /// True where an instance is drawn for every run of words of a token's cells.
    pub cells: bool,
}

impl Program {
    /// A program of these parts.
    pub fn new(
        kernel: &'static str,
        consts: &[(&'static str, Const)],
        parts: &[Part],
        samplers: &[&'static str],
    ) -> Self {
        Program {
            kernel,
            consts: consts.to_vec(),
            parts: parts.to_vec(),
            samplers: samplers.to_vec(),
            cells: false,
        }
    }

    /// With the first `count` samplers.
    pub fn with(mut self, count: usize) -> Self {
        self.samplers.truncate(count);
        self
    }

    /// A short name for messages: kernel, format and constants.
    pub fn label(&self) -> String {
        let mut label = self.kernel.to_owned();
        for choice in self.parts.iter().filter_map(Part::choice) {
            let _ = write!(label, " {choice}");
        }
        for (name, value) in &self.consts {
            let _ = write!(label, " {name}={value:?}");
        }
        label
    }

    /// The text of the vertex stage and that of the fragment stage, where lines of textures have `1 << line_bits` texels.
    pub fn link(&self, line_bits: u32) -> [String; 2] {
        let mut header = format!("#version 300 es\nconst uint LINE_BITS = {line_bits}u;\n");
        for (name, value) in &self.consts {
            let _ = match value {
                Const::Uint(v) => writeln!(header, "const uint {name} = {v}u;"),
                Const::Int(v) => writeln!(header, "const int {name} = {v};"),
                Const::Bool(v) => writeln!(header, "const bool {name} = {v};"),
            };
        }
        let vertex = if self.cells { parts::VERTEX_CELLS } else { parts::VERTEX };
        let mut fragment = header.clone();
        for part in [parts::COMMON, parts::STATE].iter().chain(&self.parts) {
            fragment.push_str(part.text);
        }
        [header + vertex.text, fragment]
    }
}
