//! Is a file whole? What a model can go without is told from what this one should have by the rest of the file: by its
//! other layers, by what stands beside it, and by the needs of its architecture.

use super::arch::Arch;
use super::error::ModelError;
use super::spec::{Attention, Layer, Mixer, ModelSpec, Norm};
use super::tensors::Tensors;

/// Refuses a model that would run without a part that its file should have.
///
/// # Errors
/// `MissingTensor` with the name of the part.
pub fn check(arch: &Arch, spec: &ModelSpec, tensors: &Tensors) -> Result<(), ModelError> {
    let missing = |name: String| Err(ModelError::MissingTensor { name });
    if let Some(name) = tensors.first_gap() {
        return missing(name.to_owned());
    }
    let layers = || 0..spec.layers.len();
    let needed = arch.tensors.iter().flat_map(|name| layers().map(|i| name.replace('*', &i.to_string())));
    if let Some(name) = needed.into_iter().find(|name| !tensors.has(name)) {
        return missing(name);
    }
    // The residual stream ends in a norm, unless every part of a layer does.
    if spec.final_norm.is_none() && spec.layers.iter().any(|layer| layer.ffn_post_norm.is_none()) {
        return missing(format!("{}.weight", arch.final_norm));
    }
    // It begins with one where layers do not.
    if spec.embd_norm.is_none() && spec.layers.iter().any(|layer| layer.attn_post_norm.is_some()) {
        return missing("token_embd_norm.weight".to_owned());
    }
    norm_biases(spec)?;
    for (index, layer) in spec.layers.iter().enumerate() {
        norms(arch, spec, index, layer)?;
        let attention = match &layer.mixer {
            Mixer::Attention(attention) => Some(attention),
            _ => layer.beside.as_ref(),
        };
        if let Some(attention) = attention {
            heads(index, attention)?;
        }
    }
    Ok(())
}

/// Norms of the residual stream all have biases, or none has.
fn norm_biases(spec: &ModelSpec) -> Result<(), ModelError> {
    let in_layers = spec.layers.iter().flat_map(|l| {
        [&l.attn_norm, &l.attn_out_norm, &l.attn_post_norm, &l.ffn_norm, &l.ffn_out_norm, &l.ffn_post_norm]
    });
    let of_inputs = spec.layer_inputs.iter().map(|inputs| &inputs.norm);
    let all = [&spec.embd_norm, &spec.final_norm].into_iter().chain(in_layers).flatten().chain(of_inputs);
    all_or_none(all.map(|norm| (norm.weight.tensor.as_str(), norm.bias.is_some())))
}

/// Refuses the first tensor without a bias, where another has one.
fn all_or_none<'a>(weights: impl Iterator<Item = (&'a str, bool)> + Clone) -> Result<(), ModelError> {
    if !weights.clone().any(|(_, has_bias)| has_bias) {
        return Ok(());
    }
    match weights.clone().find(|(_, has_bias)| !has_bias) {
        Some((weight, _)) => Err(ModelError::MissingTensor { name: weight.replace(".weight", ".bias") }),
        None => Ok(()),
    }
}

/// Each part of a layer has a norm somewhere, or reads what another part has normalised.
fn norms(arch: &Arch, spec: &ModelSpec, index: usize, layer: &Layer) -> Result<(), ModelError> {
    let missing = |name: &str| Err(ModelError::MissingTensor { name: format!("blk.{index}.{name}.weight") });
    let any = |norms: [&Option<Norm>; 3]| norms.iter().any(|norm| norm.is_some());
    if !any([&layer.attn_norm, &layer.attn_out_norm, &layer.attn_post_norm]) {
        return missing("attn_norm");
    }
    if !spec.parallel && !any([&layer.ffn_norm, &layer.ffn_out_norm, &layer.ffn_post_norm]) {
        return missing(arch.ffn_norm);
    }
    Ok(())
}

/// Queries, keys and values have biases together, and queries and keys their norms.
fn heads(index: usize, attention: &Attention) -> Result<(), ModelError> {
    all_or_none(attention.qkv.iter().map(|matrix| (matrix.tensor.as_str(), !matrix.bias.is_empty())))?;
    if attention.cache_of.is_none() && attention.q_norm.is_some() != attention.k_norm.is_some() {
        let name = if attention.q_norm.is_some() { "attn_k_norm" } else { "attn_q_norm" };
        return Err(ModelError::MissingTensor { name: format!("blk.{index}.{name}.weight") });
    }
    Ok(())
}
