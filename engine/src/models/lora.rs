//! Low-rank adapters (Hu et al., 2021, arXiv 2106.09685) in GGUF form, as llama.cpp's convert_lora_to_gguf writes them:
//! for a matrix W of the model the file has `W.lora_a` and `W.lora_b`, and W x becomes W x + s B (A x), with
//! s = alpha / rank, or 1 where the file names no alpha.

use std::collections::HashMap;

use super::error::ModelError;
use super::spec::ModelSpec;
use super::tensors::Tensors;
use super::unused;
use crate::gguf::{Header, Value};
use crate::plan::Matrix;

/// Largest rank: published adapters stay far below.
const RANK_MAX: usize = 4096;

/// An adapter as data, checked against its model.
#[derive(Debug, Clone)]
pub struct Lora {
    /// `general.name`, or "adapter".
    pub title: String,
    /// By the name of the model's tensor.
    pub pairs: HashMap<String, Pair>,
}

/// The two factors of what an adapter adds to a matrix.
#[derive(Debug, Clone)]
pub struct Pair {
    /// `[rank, cols]`; for the token embedding `[vocab, rank]`, a table like itself.
    pub a: Matrix,
    /// `[rows, rank]`; for the token embedding `[hidden_size, rank]`.
    pub b: Matrix,
    /// Factor of the product.
    pub scale: f32,
}

impl Lora {
    /// Reads an adapter for the model `spec`: every target must be one of its matrices, no tensor left over.
    ///
    /// # Errors
    /// `NotALora`, `WrongBase`, `TiedTarget`, `BadKey`, `MissingTensor`, `UnknownTensor`, `WrongShape`, `UnsupportedType`.
    pub fn read(header: &Header, spec: &ModelSpec) -> Result<Lora, ModelError> {
        let key = |name: &str| header.metadata.str(name).unwrap_or("").to_owned();
        if key("general.type") != "adapter" || key("adapter.type") != "lora" {
            return Err(ModelError::NotALora {
                kind: key("general.type"),
                adapter_type: key("adapter.type"),
            });
        }
        let base = key("general.architecture");
        if base != spec.architecture {
            return Err(ModelError::WrongBase { base, model: spec.architecture.clone() });
        }
        let alpha = match header.metadata.get("adapter.lora.alpha").map(Value::as_f32) {
            None => 0.0,
            Some(Some(alpha)) if alpha.is_finite() => alpha,
            Some(_) => {
                let (key, why) = ("adapter.lora.alpha".to_owned(), "is not a finite number".to_owned());
                return Err(ModelError::BadKey { key, why });
            }
        };
        let matrices: HashMap<&str, &Matrix> =
            spec.matrices().into_iter().map(|m| (m.tensor.as_str(), m)).collect();
        let mut tensors = Tensors::new(header, unused::in_adapter);
        let mut pairs = HashMap::new();
        for target in header.tensors.iter().filter_map(|t| t.name.strip_suffix(".lora_a")) {
            let unknown = || ModelError::UnknownTensor { name: format!("{target}.lora_a") };
            let base = *matrices.get(target).ok_or_else(unknown)?;
            let tied = spec.head.as_ref().is_some_and(|h| h.tensor == spec.token_embd.tensor);
            if tied && target == spec.token_embd.tensor {
                return Err(ModelError::TiedTarget { name: target.to_owned() });
            }
            pairs.insert(target.to_owned(), pair(&mut tensors, base, alpha, spec)?);
        }
        match tensors.first_unused() {
            Some(name) => Err(ModelError::UnknownTensor { name }),
            None => {
                let title = header.metadata.str("general.name").unwrap_or("adapter").to_owned();
                Ok(Lora { title, pairs })
            }
        }
    }
}

fn pair(tensors: &mut Tensors, base: &Matrix, alpha: f32, spec: &ModelSpec) -> Result<Pair, ModelError> {
    let (a, b) = (format!("{}.lora_a", base.tensor), format!("{}.lora_b", base.tensor));
    let (_, rank) = tensors.shape(&b)?;
    if rank > RANK_MAX {
        let (expected, found) = (format!("a rank up to {RANK_MAX}"), rank.to_string());
        return Err(ModelError::WrongShape { name: b, expected, found });
    }
    let scale = if alpha == 0.0 { 1.0 } else { alpha / rank as f32 };
    // A change of the embedding is looked up like the embedding itself.
    let is_table = base.tensor == spec.token_embd.tensor;
    let (a_shape, rows) =
        if is_table { ((base.rows, rank), base.cols) } else { ((rank, base.cols), base.rows) };
    Ok(Pair {
        a: tensors.bare_matrix(&a, a_shape.0, a_shape.1)?,
        b: tensors.bare_matrix(&b, rows, rank)?,
        scale,
    })
}
