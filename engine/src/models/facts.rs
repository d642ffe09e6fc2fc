//! Reads a model from a file's keys and tensors. Nothing here asks for an architecture by name.

use super::ARCHS;
use super::arch::Arch;
use super::arch::Parallel;
use super::blocks::Blocks;
use super::error::ModelError;
use super::keys::Keys;
use super::layers::{Kind, Layers};
use super::spec::ModelSpec;
use super::tensors::Tensors;
use super::unused::Unused;
use super::whole;
use crate::gguf::{Array, Header, Value};
use crate::plan::RopePairs;
use crate::plan::{Matrix, Pooling, Vector};

/// Widest residual stream: far above any published one.
const HIDDEN_SIZE_MAX: usize = 1 << 20;

/// Most types of tokens.
const TOKEN_TYPES_MAX: u64 = 1 << 16;

/// The model that `header` describes, every name and shape checked, no tensor left over.
///
/// # Errors
/// Any [`ModelError`] but those of LoRA adapters; each names the key or tensor that is wrong.
pub fn read(header: &Header) -> Result<ModelSpec, ModelError> {
    let part = header.part();
    let count = part.map_err(|e| ModelError::BadKey { key: "split.count".to_owned(), why: e.to_string() })?.1
        as usize;
    if count != header.files {
        return Err(ModelError::MissingParts { have: header.files, count });
    }
    if let Some(kind) = header.metadata.str("general.type").filter(|kind| *kind != "model") {
        let why = format!("is \"{kind}\": this file is not a model by itself");
        return Err(ModelError::BadKey { key: "general.type".to_owned(), why });
    }
    let name = header.metadata.str("general.architecture").unwrap_or("");
    let arch = super::arch(name).ok_or_else(|| ModelError::UnknownArchitecture {
        name: name.to_owned(),
        known: ARCHS.iter().map(|a| a.name).collect::<Vec<_>>().join(", "),
    })?;
    let mut keys = Keys { arch: arch.name, metadata: &header.metadata, defaults: Vec::new() };
    let (hidden_size, blocks) = (keys.size("embedding_length", HIDDEN_SIZE_MAX)?, Blocks::read(&keys)?);
    keys.defaults = arch.defaults.iter().map(|(key, of)| (*key, of(hidden_size, blocks.run))).collect();
    let unused = Unused::new(arch, blocks, header);
    let mut tensors = Tensors::new(header, |name| unused.has(name));
    if let Some(name) = arch.keys.iter().find(|name| keys.get(name).is_none()) {
        return Err(keys.missing(name));
    }
    let spec = model(arch, &keys, &mut tensors, hidden_size, blocks)?;
    whole::check(arch, &spec, &tensors)?;
    match tensors.first_unused() {
        Some(name) => Err(ModelError::UnknownTensor { name }),
        None => Ok(spec),
    }
}

fn model(
    arch: &'static Arch,
    keys: &Keys,
    tensors: &mut Tensors,
    hidden_size: usize,
    blocks: Blocks,
) -> Result<ModelSpec, ModelError> {
    let vocab = vocab(keys, tensors)?;
    let count = blocks.run;
    let context_tokens = keys.size("context_length", 1 << 30)?;
    let causal = keys.bool("attention.causal", arch.causal)?;
    let token_embd = tensors.table("token_embd", vocab, hidden_size)?;
    let pooling = pooling(keys, causal)?;
    let head = match (pooling, tensors.has("output.weight")) {
        (Some(_), false) => None,
        (_, true) => Some(tensors.matrix("output", vocab, hidden_size)?),
        (None, false) => Some(Matrix { bias: tied_bias(tensors, vocab)?, ..token_embd.clone() }),
    };
    let parallel = parallel(arch, keys, tensors)?;
    let mut layers = Layers::new(arch, keys, tensors, hidden_size, Kind { causal, parallel }, blocks)?;
    let layer_specs = (0..count).map(|i| layers.layer(i)).collect::<Result<_, _>>()?;
    let final_norm = layers.norm(arch.final_norm, hidden_size)?;
    let embd_norm = if arch.final_norm == "token_embd_norm" {
        None
    } else {
        layers.norm("token_embd_norm", hidden_size)?
    };
    let layer_inputs = layers.layer_inputs(vocab, count)?;
    let ropes = layers.ropes;
    let sqrt = if arch.embd_scale_sqrt { (hidden_size as f32).sqrt() } else { 1.0 };
    Ok(ModelSpec {
        architecture: arch.name.to_owned(),
        title: keys.metadata.str("general.name").unwrap_or(arch.name).to_owned(),
        vocab,
        hidden_size,
        context_tokens,
        causal,
        pooling,
        embd_scale: keys.factor("embedding_scale", sqrt)?,
        position_embd: position_embd(arch, tensors, context_tokens, hidden_size)?,
        token_types: token_types(keys, tensors, hidden_size)?,
        token_embd,
        embd_norm,
        layers: layer_specs,
        final_norm,
        head,
        logit_scale: {
            let scale = keys.factor("logit_scale", 1.0)?;
            if arch.logits_times_scale { scale } else { 1.0 / scale }
        },
        logit_cap: keys.factor("final_logit_softcapping", 0.0)?,
        layer_inputs,
        dense: dense(arch, keys, tensors, hidden_size)?,
        ropes,
        parallel,
        residual_scale: keys.factor("residual_scale", 1.0)?,
    })
}

/// Rows of the token embedding: one for each token of the vocabulary, where the file lists them.
fn vocab(keys: &Keys, tensors: &Tensors) -> Result<usize, ModelError> {
    match keys.metadata.get("tokenizer.ggml.tokens") {
        Some(Value::Array(Array::Str(tokens))) => Ok(tokens.len()),
        _ => Ok(tensors.shape("token_embd.weight")?.0),
    }
}

/// The bias of a head that is the token embedding.
fn tied_bias(tensors: &mut Tensors, vocab: usize) -> Result<Vec<Vector>, ModelError> {
    if tensors.has("output.bias") { Ok(vec![tensors.vector("output.bias", vocab)?]) } else { Ok(Vec::new()) }
}

/// The table of positions: there where positions do not enter the heads.
fn position_embd(
    arch: &Arch,
    tensors: &mut Tensors,
    context_tokens: usize,
    hidden_size: usize,
) -> Result<Option<Matrix>, ModelError> {
    let learned = arch.rope == RopePairs::None;
    if learned { tensors.table("position_embd", context_tokens, hidden_size).map(Some) } else { Ok(None) }
}

/// The table of token types, where there are such types.
fn token_types(keys: &Keys, tensors: &mut Tensors, hidden_size: usize) -> Result<Option<Matrix>, ModelError> {
    let key = || "tokenizer.ggml.token_type_count".to_owned();
    let count = match keys.metadata.get(&key()) {
        None if tensors.has("token_types.weight") => return Err(ModelError::MissingKey { key: key() }),
        None => return Ok(None),
        Some(value) => value.as_u64().filter(|n| (1..=TOKEN_TYPES_MAX).contains(n)),
    };
    let why = || format!("is not a whole number in 1..={TOKEN_TYPES_MAX}");
    let count = count.ok_or_else(|| ModelError::BadKey { key: key(), why: why() })?;
    // Models that never had types say that there is one.
    if count == 1 && !tensors.has("token_types.weight") {
        return Ok(None);
    }
    tensors.table("token_types", count as usize, hidden_size).map(Some)
}

/// The matrices that follow the last norm of some embedding models.
fn dense(
    arch: &Arch,
    keys: &Keys,
    tensors: &mut Tensors,
    hidden_size: usize,
) -> Result<Vec<Matrix>, ModelError> {
    let (mut all, mut cols) = (Vec::new(), hidden_size);
    for (base, key) in arch.projections {
        if keys.get(key).is_some() || tensors.has(&format!("{base}.weight")) {
            // This key may be left out where nothing changes the width.
            let rows = match *key {
                "embedding_length_out" => keys.size_or(key, hidden_size, HIDDEN_SIZE_MAX)?,
                key => keys.size(key, HIDDEN_SIZE_MAX)?,
            };
            all.push(tensors.matrix(base, rows, cols)?);
            cols = rows;
        }
    }
    Ok(all)
}

/// Whether the feed-forward part reads what the mixer reads.
fn parallel(arch: &Arch, keys: &Keys, tensors: &Tensors) -> Result<bool, ModelError> {
    let by_key = keys.bool("use_parallel_residual", false)?;
    match arch.parallel {
        Parallel::Always => Ok(true),
        Parallel::ByKey => Ok(by_key),
        Parallel::WithoutNorm => Ok(!tensors.has(&format!("blk.0.{}.weight", arch.ffn_norm))),
    }
}

/// How token vectors become one. A model that sees both ways cannot write, so it must say this.
fn pooling(keys: &Keys, causal: bool) -> Result<Option<Pooling>, ModelError> {
    match keys.count_or("pooling_type", 0, 3)? {
        0 if !causal => Err(keys.missing("pooling_type")),
        0 => Ok(None),
        1 => Ok(Some(Pooling::Mean)),
        2 => Ok(Some(Pooling::First)),
        _ => Ok(Some(Pooling::Last)),
    }
}
