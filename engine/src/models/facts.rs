//! Reads a model from a file's keys and tensors. Nothing here asks for an architecture by name.

use super::ARCHS;
use super::arch::Arch;
use super::error::ModelError;
use super::keys::Keys;
use super::layers::Layers;
use super::spec::{Matrix, ModelSpec, Pooling};
use super::tensors::Tensors;
use crate::gguf::{Header, Value};

/// Most blocks of a model: far above any published one.
const LAYERS_MAX: usize = 512;

/// The model that `header` describes, every name and shape checked, no tensor left over.
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
    let arch =
        ARCHS.iter().copied().find(|a| a.name == name).ok_or_else(|| ModelError::UnknownArchitecture {
            name: name.to_owned(),
            known: ARCHS.iter().map(|a| a.name).collect::<Vec<_>>().join(", "),
        })?;
    let keys = Keys { arch: arch.name, metadata: &header.metadata };
    let mut tensors = Tensors::new(header);
    let spec = model(arch, &keys, &mut tensors)?;
    match tensors.first_unused() {
        Some(name) => Err(ModelError::UnknownTensor { name }),
        None => Ok(spec),
    }
}

fn model(arch: &'static Arch, keys: &Keys, tensors: &mut Tensors) -> Result<ModelSpec, ModelError> {
    let width = keys.size("embedding_length", 1 << 20)?;
    let (vocab, _) = tensors.shape("token_embd.weight")?;
    let count = keys.size("block_count", LAYERS_MAX)?;
    let context_tokens = keys.size("context_length", 1 << 30)?;
    let causal = keys.bool("attention.causal").unwrap_or(arch.causal);
    let token_embd = tensors.matrix("token_embd", vocab, width)?;
    let pooling = pooling(keys)?;
    let head = match (pooling, tensors.has("output.weight")) {
        (Some(_), false) => None,
        (_, true) => Some(tensors.matrix("output", vocab, width)?),
        (None, false) => Some(Matrix { bias: None, ..token_embd.clone() }),
    };
    let mut layers = Layers::new(arch, keys, tensors, width, causal, count)?;
    let blocks = (0..count).map(|i| layers.layer(i)).collect::<Result<_, _>>()?;
    let final_norm = layers.norm(arch.final_norm, width)?;
    let embd_norm =
        if arch.final_norm == "token_embd_norm" { None } else { layers.norm("token_embd_norm", width)? };
    let layer_inputs = layers.layer_inputs(vocab, count)?;
    let ropes = layers.ropes;
    let sqrt = if arch.embd_scale_sqrt { (width as f32).sqrt() } else { 1.0 };
    Ok(ModelSpec {
        architecture: arch.name.to_owned(),
        title: keys.metadata.str("general.name").unwrap_or(arch.name).to_owned(),
        vocab,
        width,
        context_tokens,
        causal,
        pooling,
        embd_scale: keys.factor("embedding_scale", sqrt)?,
        position_embd: table(tensors, "position_embd", width)?,
        token_types: table(tensors, "token_types", width)?,
        token_embd,
        embd_norm,
        layers: blocks,
        final_norm,
        head,
        logit_scale: 1.0 / keys.factor("logit_scale", 1.0)?,
        logit_cap: keys.float("final_logit_softcapping", 0.0)?,
        layer_inputs,
        dense: dense(tensors, width)?,
        ropes,
        parallel: keys.bool("use_parallel_residual").unwrap_or(false),
        residual_scale: keys.factor("residual_scale", 1.0)?,
    })
}

/// A table of rows that are added to the embedding, where the file has one.
fn table(tensors: &mut Tensors, base: &str, width: usize) -> Result<Option<Matrix>, ModelError> {
    let name = format!("{base}.weight");
    if !tensors.has(&name) {
        return Ok(None);
    }
    let (rows, _) = tensors.shape(&name)?;
    Ok(Some(tensors.matrix(base, rows, width)?))
}

/// The matrices `dense_2`, `dense_3` ... that follow the last norm of some embedding models.
fn dense(tensors: &mut Tensors, width: usize) -> Result<Vec<Matrix>, ModelError> {
    let (mut all, mut cols) = (Vec::new(), width);
    for base in ["dense_2", "dense_3"] {
        let name = format!("{base}.weight");
        if tensors.has(&name) {
            let (rows, _) = tensors.shape(&name)?;
            all.push(tensors.matrix(base, rows, cols)?);
            cols = rows;
        }
    }
    Ok(all)
}

fn pooling(keys: &Keys) -> Result<Option<Pooling>, ModelError> {
    match keys.get("pooling_type").and_then(Value::as_u64) {
        None | Some(0) => Ok(None),
        Some(1) => Ok(Some(Pooling::Mean)),
        Some(2) => Ok(Some(Pooling::First)),
        Some(3) => Ok(Some(Pooling::Last)),
        Some(n) => Err(keys.bad("pooling_type", &format!("is {n}, which is not supported"))),
    }
}
