//! Tensors that files may have and nothing reads, as in llama.cpp. They are named here and in [`Arch::unused`]; a reader
//! of the others never sees them.

use std::collections::HashSet;

use super::arch::Arch;
use super::blocks::Blocks;
use crate::gguf::Header;

/// Beside a matrix: factors for runtimes that quantise what the matrix is multiplied with as well.
const BESIDE_MATRICES: &str = ".input_scale";

/// In blocks that predict further tokens: what joins one to the model, and what may be one tensor there and several in
/// other blocks, or the other way round. The rest is named as in those.
const IN_PREDICTIONS: [&str; 16] = [
    "nextn.eh_proj.weight",
    "nextn.eh_proj.scale",
    "nextn.enorm.weight",
    "nextn.hnorm.weight",
    "nextn.embed_tokens.weight",
    "nextn.shared_head_head.weight",
    "nextn.shared_head_head.scale",
    "nextn.shared_head_norm.weight",
    "attn_qkv.weight",
    "attn_qkv.bias",
    "attn_q.weight",
    "attn_k.weight",
    "attn_v.weight",
    "ffn_gate_up_exps.weight",
    "ffn_gate_exps.weight",
    "ffn_up_exps.weight",
];

/// Of rotations, where a file says that its model does not rotate.
pub const OF_ROTATIONS: [&str; 3] =
    ["rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"];

/// In an adapter: norms that were trained beside it. llama.cpp leaves the model's own in their place.
const IN_ADAPTERS: &str = "_norm.weight";

/// Tells which tensors of a model are passed over.
pub struct Unused<'a> {
    arch: &'a Arch,
    blocks: Blocks,
    /// What the tensors of the blocks that run are called.
    parts: HashSet<&'a str>,
}

impl<'a> Unused<'a> {
    pub fn new(arch: &'a Arch, blocks: Blocks, header: &'a Header) -> Self {
        let parts = header.tensors.iter().filter_map(|t| part_of(&t.name));
        let parts = parts.filter(|(block, _)| *block < blocks.run).map(|(_, part)| part).collect();
        Unused { arch, blocks, parts }
    }

    pub fn has(&self, name: &str) -> bool {
        let Blocks { run, listed } = self.blocks;
        let predicts = part_of(name).is_some_and(|(block, part)| {
            (run..listed).contains(&block) && (self.parts.contains(part) || IN_PREDICTIONS.contains(&part))
        });
        let listed = || self.arch.unused.iter().any(|pattern| matches(pattern, name));
        predicts || name.ends_with(BESIDE_MATRICES) || listed()
    }
}

/// Whether an adapter's tensor is passed over.
pub fn in_adapter(name: &str) -> bool {
    name.ends_with(IN_ADAPTERS)
}

/// The block that a tensor belongs to, and what it is called there.
fn part_of(name: &str) -> Option<(usize, &str)> {
    let (block, part) = name.strip_prefix("blk.")?.split_once('.')?;
    Some((block.parse().ok()?, part))
}

/// Whether `name` is `pattern`, in which `*` stands for every layer.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => {
            let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            number.is_some_and(|n| n.parse::<usize>().is_ok())
        }
    }
}
