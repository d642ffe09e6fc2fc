//! Reads the blocks of a model.

use super::arch::Arch;
use super::blocks::Blocks;
use super::error::ModelError;
use super::keys::Keys;
use super::rope::Rope;
use super::spec::{Layer, LayerInput, LayerInputs, Mixer, Norm};
use super::tensors::Tensors;
use crate::plan::{NormKind, Vector};

/// What holds for all blocks.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// False where every position sees every other.
    pub causal: bool,
    /// True where the feed-forward part reads what the mixer reads.
    pub parallel: bool,
}

/// What the blocks share while they are read.
pub struct Layers<'a, 'b> {
    pub(super) arch: &'static Arch,
    pub(super) keys: &'a Keys<'a>,
    pub(super) tensors: &'a mut Tensors<'b>,
    pub(super) hidden_size: usize,
    pub(super) kind: Kind,
    pub(super) heads: usize,
    pub(super) window: usize,
    pub(super) count: usize,
    /// Entries of lists that have one a block.
    pub(super) listed: usize,
    /// Layers before this one have a cache of their own.
    pub(super) own_caches: usize,
    /// The last layer with a cache that sees everything, and the last with a window.
    pub(super) caches: [Option<usize>; 2],
    /// Rotations in use: of layers that see everything, then of those with a window where they differ.
    pub ropes: Vec<Rope>,
}

impl<'a, 'b> Layers<'a, 'b> {
    /// Reads what layers have in common: heads, windows, rotations.
    ///
    /// # Errors
    /// `MissingKey` and `BadKey` for a key that is absent or impossible; what the tensors of the rotations are refused for.
    pub fn new(
        arch: &'static Arch,
        keys: &'a Keys<'a>,
        tensors: &'a mut Tensors<'b>,
        hidden_size: usize,
        kind: Kind,
        Blocks { run: count, listed }: Blocks,
    ) -> Result<Self, ModelError> {
        let heads = keys.size("attention.head_count", 4096)?;
        if keys.get("attention.key_length").is_none() && !hidden_size.is_multiple_of(heads) {
            return Err(
                keys.bad("attention.head_count", &format!("is {heads}, which does not divide {hidden_size}"))
            );
        }
        // Models whose layers all see everything may name a window of 0.
        let windowed = arch.global_every.is_some() || keys.get("attention.sliding_window_pattern").is_some();
        let window = if windowed {
            keys.size_or("attention.sliding_window", 0, 1 << 30)?
        } else {
            keys.count_or("attention.sliding_window", 0, 1 << 30)?
        };
        let shared = keys.count_or("attention.shared_kv_layers", 0, count - 1)?;
        let (own_caches, caches, ropes) = (count - shared, [None; 2], Vec::new());
        let mut layers = Layers {
            arch,
            keys,
            tensors,
            hidden_size,
            kind,
            heads,
            window,
            count,
            listed,
            own_caches,
            caches,
            ropes,
        };
        layers.read_ropes()?;
        Ok(layers)
    }

    /// Reads layer `index`: its mixer, its feed-forward part and its norms.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType`, `MissingKey` or `BadKey`, each with the name.
    pub fn layer(&mut self, index: usize) -> Result<Layer, ModelError> {
        let p = format!("blk.{index}.");
        let hidden_size = self.hidden_size;
        let mut beside = None;
        let mixer = match self.recurrent(&p)? {
            Some(mixer) => {
                if self.arch.attention_beside {
                    beside = Some(self.attention(&p, index)?);
                }
                mixer
            }
            None => Mixer::Attention(self.attention(&p, index)?),
        };
        let after = "post_attention_norm";
        // With two norms of one input, the first is that of the feed-forward part.
        let first = self.norm(&format!("{p}attn_norm"), hidden_size)?;
        let second = self.norm(&format!("{p}attn_norm_2"), hidden_size)?;
        let own = self.norm(&format!("{p}{}", self.arch.ffn_norm), hidden_size)?;
        Ok(Layer {
            ffn_norm: if self.kind.parallel { own.or(first.clone()) } else { own },
            attn_norm: second.or(first),
            mixer,
            beside,
            attn_out_norm: if self.arch.ffn_norm == after {
                None
            } else {
                self.norm(&format!("{p}{after}"), hidden_size)?
            },
            attn_post_norm: self.norm(&format!("{p}attn_output_norm"), hidden_size)?,
            ffn: self.ffn(&p, index)?,
            ffn_out_norm: self.norm(&format!("{p}post_ffw_norm"), hidden_size)?,
            ffn_post_norm: self.norm(&format!("{p}layer_output_norm"), hidden_size)?,
            input: self.layer_input(&p)?,
            out_scale: self.optional(&format!("{p}layer_output_scale.weight"), 1)?,
        })
    }

    /// A vector, where the file has it.
    pub(super) fn optional(&mut self, name: &str, len: usize) -> Result<Option<Vector>, ModelError> {
        if self.tensors.in_all(name) { self.tensors.flat(name, len).map(Some) } else { Ok(None) }
    }

    fn layer_input(&mut self, p: &str) -> Result<Option<LayerInput>, ModelError> {
        let len = self.keys.count_or("embedding_length_per_layer_input", 0, 1 << 20)?;
        if len == 0 {
            return Ok(None);
        }
        let gate = self.tensors.matrix(&format!("{p}inp_gate"), len, self.hidden_size)?;
        let proj = self.tensors.matrix(&format!("{p}proj"), self.hidden_size, len)?;
        let name = format!("{p}post_norm");
        let missing = || ModelError::MissingTensor { name: format!("{name}.weight") };
        let norm = self.norm(&name, self.hidden_size)?.ok_or_else(missing)?;
        Ok(Some(LayerInput { gate, proj, norm }))
    }

    /// The inputs that layers have of their own, where the file has them.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType` or `BadKey`.
    pub fn layer_inputs(&mut self, vocab: usize, count: usize) -> Result<Option<LayerInputs>, ModelError> {
        let len = self.keys.count_or("embedding_length_per_layer_input", 0, 1 << 20)?;
        if len == 0 {
            return Ok(None);
        }
        let embd = self.tensors.table("per_layer_token_embd", vocab, count * len)?;
        let proj = self.tensors.matrix("per_layer_model_proj", count * len, self.hidden_size)?;
        let missing = || ModelError::MissingTensor { name: "per_layer_proj_norm.weight".to_owned() };
        let norm = self.norm("per_layer_proj_norm", len)?.ok_or_else(missing)?;
        Ok(Some(LayerInputs { embd, proj, norm, len }))
    }

    pub(super) fn rms_eps(&self) -> Result<f32, ModelError> {
        self.keys.epsilon("attention.layer_norm_rms_epsilon")
    }

    /// The norm `base`, where the file has one. Its kind follows from which epsilon the file names.
    ///
    /// # Errors
    /// `MissingKey` where the file names no epsilon, `BadKey` for an impossible one, `WrongShape`, `UnsupportedType`.
    pub fn norm(&mut self, base: &str, len: usize) -> Result<Option<Norm>, ModelError> {
        self.norm_of(base, |tensors, name| tensors.vector(name, len))
    }

    /// The same with factors that `read` reads.
    pub(super) fn norm_of(
        &mut self,
        base: &str,
        read: impl Fn(&mut Tensors, &str) -> Result<Vector, ModelError>,
    ) -> Result<Option<Norm>, ModelError> {
        // Some converters leave the suffix out.
        let weight = Some(format!("{base}.weight")).filter(|w| self.tensors.in_all(w));
        let weight = match weight {
            Some(weight) => weight,
            None if self.tensors.has(base) => base.to_owned(),
            None => return Ok(None),
        };
        let (rms, layer) = ("attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon");
        let (kind, eps) = match (self.keys.get(rms), self.keys.get(layer)) {
            (Some(_), _) => (NormKind::Rms, self.keys.epsilon(rms)?),
            (None, Some(_)) => (NormKind::Layer, self.keys.epsilon(layer)?),
            (None, None) => {
                return Err(self.keys.missing(&format!("{rms}\" or \"{}.{layer}", self.keys.arch)));
            }
        };
        let bias = format!("{base}.bias");
        Ok(Some(Norm {
            kind,
            eps,
            weight: read(self.tensors, &weight)?,
            bias: if self.tensors.in_all(&bias) { Some(read(self.tensors, &bias)?) } else { None },
        }))
    }
}
