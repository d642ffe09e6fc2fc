//! A made-up model that asks a device for the kernels of a real one.

use super::probe::Probe;
use crate::gguf::Header;
use crate::models::{self, ARCHS, Arch, Attention, Layer, Mixer, ModelSpec};
use crate::plan::{Act, CacheFormat, Matrix, NormKind};

/// Blocks that differ in their formats: files have two or three kinds of them.
const LAYERS_MAX: usize = 3;

/// More rows than this would take longer than they tell.
const QUERY_ROWS_MAX: usize = 4096;

impl Probe {
    /// A small model with the formats, biases and heads of the header's model, and its architecture if that can be made up: it runs most
    /// of the kernels that this model runs, which are compiled then. The default one where the header is none of a model.
    pub fn like(header: &Header, cache: CacheFormat) -> Probe {
        let default = Probe { layers: 1, ..Probe::default() };
        match models::read(header) {
            Ok(spec) => like(&spec, cache).unwrap_or(Probe { cache, ..default }),
            Err(_) => default,
        }
    }

    /// What it asks of a device, in words. It says which formats there are, not which matrix has which.
    pub fn name(&self) -> String {
        let mut kinds: Vec<String> = Vec::new();
        let named = self.matrices.iter().map(|(_, format, bias)| (*format, *bias));
        for (format, bias) in named.chain(self.formats.iter().map(|format| (*format, self.biases))) {
            let kind = format!("{}{}", format.name, if bias { " with biases" } else { "" });
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let heads = format!("{}/{} heads of {}", self.heads, self.kv_heads, self.head_len);
        format!("{}, {}, {heads}, {} cache", self.arch, kinds.join(", "), self.cache.name())
    }
}

/// None where no block has attention and a feed-forward part of its own.
fn like(spec: &ModelSpec, cache: CacheFormat) -> Option<Probe> {
    let mut alike: Vec<(&Layer, Vec<(&'static str, &Matrix)>)> = Vec::new();
    for layer in &spec.layers {
        let Some(matrices) = matrices(layer) else { continue };
        let is_new = !alike.iter().any(|(_, known)| kinds(known) == kinds(&matrices));
        if is_new && alike.len() < LAYERS_MAX {
            alike.push((layer, matrices));
        }
    }
    let &(first, _) = alike.first()?;
    let Mixer::Attention(attention) = &first.mixer else { return None };
    let norm = first.attn_norm.as_ref().or(first.attn_out_norm.as_ref());
    let rms = norm.is_none_or(|norm| norm.kind == NormKind::Rms);
    let encoder = spec.pooling.is_some();
    let mut made_up = ARCHS.iter().filter(|arch| arch.made_up && arch.causal != encoder);
    let known = made_up.clone().find(|arch| arch.name == spec.architecture);
    // Others have theirs in formats and heads only.
    let arch = known.or_else(|| made_up.find(|arch| encoder || is_plain(arch) != rms))?;
    let plain = is_plain(arch);
    let mut named = Vec::new();
    let mut name = |base: String, matrix: &Matrix| {
        named.push((base, matrix.format, !matrix.bias.is_empty()));
    };
    name("token_embd".to_owned(), &spec.token_embd);
    name("output".to_owned(), spec.head.as_ref().unwrap_or(&spec.token_embd));
    for (at, (_, matrices)) in alike.iter().enumerate() {
        for (base, matrix) in matrices {
            name(format!("blk.{at}.{base}"), matrix);
        }
    }
    let (heads, kv_heads) = heads(attention)?;
    Some(Probe {
        arch: arch.name,
        formats: vec![attention.out.format],
        matrices: named,
        layers: alike.len(),
        heads,
        kv_heads,
        head_len: attention.head_len,
        rms: !plain,
        head_norms: known.is_some() && attention.q_norm.is_some(),
        gated: !plain,
        encoder,
        cache: if encoder { CacheFormat::F32 } else { cache },
        ..Probe::default()
    })
}

/// With layer norms and no gates.
fn is_plain(arch: &Arch) -> bool {
    arch.act == Act::Gelu
}

/// The matrices of a block by the names that a made-up model has for them.
fn matrices(layer: &Layer) -> Option<Vec<(&'static str, &Matrix)>> {
    let Mixer::Attention(attention) = &layer.mixer else { return None };
    let (qkv, up) = (&attention.qkv, &layer.ffn.up);
    if layer.ffn.experts.is_some() || qkv.is_empty() || up.is_empty() {
        return None;
    }
    // What lies in one matrix, or is absent, is as what stands before it.
    let at = |all: &'_ [Matrix], at: usize| at.min(all.len() - 1);
    Some(vec![
        ("attn_q", &qkv[0]),
        ("attn_k", &qkv[at(qkv, 1)]),
        ("attn_v", &qkv[at(qkv, 2)]),
        ("attn_output", &attention.out),
        ("ffn_gate", &up[0]),
        ("ffn_up", &up[at(up, 1)]),
        ("ffn_down", &layer.ffn.down),
    ])
}

fn kinds(matrices: &[(&'static str, &Matrix)]) -> Vec<(&'static str, bool)> {
    matrices.iter().map(|(_, matrix)| (matrix.format.name, !matrix.bias.is_empty())).collect()
}

/// As many heads as share a key head, times what makes their values whole blocks.
fn heads(attention: &Attention) -> Option<(usize, usize)> {
    let Attention { heads, kv_heads, head_len, out, .. } = attention;
    let group = heads / kv_heads;
    let block = out.format.block_len.max(Probe::default().hidden_size);
    let times = (1..=block).find(|times| (times * group * head_len).is_multiple_of(block))?;
    (times * group * head_len <= QUERY_ROWS_MAX).then_some((times * group, times))
}
