//! Reads the blocks of a model.

use super::arch::Arch;
use super::error::ModelError;
use super::keys::Keys;
use super::rope::{self, Rope, Wanted};
use super::spec::{Attention, Experts, Ffn, Layer, LayerInput, LayerInputs, Mixer, Norm, SharedExpert};
use super::tensors::Tensors;
use super::unused::{Blocks, OF_ROTATIONS};
use crate::gguf::{Array, Value};
use crate::plan::HEAD_LEN_MAX;
use crate::plan::{Act, RopePairs};
use crate::plan::{NormKind, NormOver, Temperature, Vector};

/// Most blocks of a model: far above any published one.
pub(super) const LAYERS_MAX: usize = 512;

/// Most experts that a token may use.
const EXPERTS_USED_MAX: usize = 32;

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
    kind: Kind,
    heads: usize,
    window: usize,
    count: usize,
    /// Entries of lists that have one a block.
    listed: usize,
    /// Layers before this one have a cache of their own.
    own_caches: usize,
    /// The last layer with a cache that sees everything, and the last with a window.
    caches: [Option<usize>; 2],
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

    fn read_ropes(&mut self) -> Result<(), ModelError> {
        // Files of models that never rotate say so by this key.
        let unrotated = !self.keys.bool("rope.scaling.finetuned", true)?;
        if self.arch.rope != RopePairs::None && unrotated {
            self.tensors.pass_over(&OF_ROTATIONS);
        }
        if self.arch.rope == RopePairs::None || unrotated {
            return Ok(());
        }
        let head_len = self.head_len(false)?;
        let (pairs, local_base) = (self.arch.rope, self.arch.local_rope_base);
        let wanted = Wanted { pairs, head_len, local: false, local_base };
        self.ropes.push(rope::read(self.keys, self.tensors, &wanted)?);
        let unstretched = self.arch.local_unstretched && self.window > 0;
        if local_base.is_some() || unstretched || self.keys.get("rope.freq_base_swa").is_some() {
            let wanted = Wanted { local: true, head_len: self.head_len(true)?, ..wanted };
            self.ropes.push(rope::read(self.keys, self.tensors, &wanted)?);
        }
        Ok(())
    }

    fn head_len(&self, local: bool) -> Result<usize, ModelError> {
        let keys = self.keys;
        let mut len = keys.size_or("attention.key_length", self.hidden_size / self.heads, HEAD_LEN_MAX)?;
        let mut value_len = keys.size_or("attention.value_length", len, HEAD_LEN_MAX)?;
        if local {
            len = keys.size_or("attention.key_length_swa", len, HEAD_LEN_MAX)?;
            value_len = keys.size_or("attention.value_length_swa", value_len, HEAD_LEN_MAX)?;
        }
        if value_len != len || len == 0 {
            return Err(keys.bad("attention.value_length", &format!("is {value_len}, not {len}")));
        }
        if !len.is_multiple_of(2) {
            return Err(keys.bad("attention.key_length", &format!("is {len}, an odd number")));
        }
        Ok(len)
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

    /// True where layer `index` sees only a window.
    fn local(&self, index: usize) -> Result<bool, ModelError> {
        let key = "attention.sliding_window_pattern";
        let every = |n: usize| !(index + 1).is_multiple_of(n);
        let local = match self.keys.get(key) {
            Some(Value::Array(Array::Bool(pattern))) if pattern.len() == self.listed => pattern[index],
            Some(Value::Array(_)) => {
                return Err(self.keys.bad(key, "is not a list of true and false, one a layer"));
            }
            Some(_) => every(self.keys.size(key, LAYERS_MAX)?),
            None => self.arch.global_every.is_some_and(every),
        };
        Ok(local && self.window > 0)
    }

    fn attention(&mut self, p: &str, index: usize) -> Result<Attention, ModelError> {
        let (keys, heads, hidden_size) = (self.keys, self.heads, self.hidden_size);
        let local = self.local(index)?;
        let head_len = self.head_len(local)?;
        let kv_heads = keys.layer_size("attention.head_count_kv", index, heads, 4096)?;
        if kv_heads == 0 || !heads.is_multiple_of(kv_heads) {
            return Err(
                keys.bad("attention.head_count_kv", &format!("is {kv_heads}, which does not divide {heads}"))
            );
        }
        let (q_rows, kv_rows) = (heads * head_len, kv_heads * head_len);
        let cache_of = if index < self.own_caches { None } else { self.caches[usize::from(local)] };
        if cache_of.is_none() {
            self.caches[usize::from(local)] = Some(index);
        }
        let gated = self.arch.gated_heads;
        let wide_q_rows = if gated { 2 * q_rows } else { q_rows };
        let mut values_are_keys = false;
        let mut qkv = Vec::new();
        // Where none of them is there, what is missing is named as the one.
        let apart = ["q", "k", "v"].iter().any(|n| self.tensors.has(&format!("{p}attn_{n}.weight")));
        if self.tensors.has(&format!("{p}attn_qkv.weight")) || (cache_of.is_none() && !apart) {
            let rows = [wide_q_rows, kv_rows, kv_rows];
            let mut joined = self.tensors.matrix(&format!("{p}attn_qkv"), rows.iter().sum(), hidden_size)?;
            if joined.bias.is_empty() {
                joined.bias = self.biases_apart(p, rows)?;
            }
            qkv.push(joined);
        } else {
            qkv.push(self.tensors.matrix(&format!("{p}attn_q"), wide_q_rows, hidden_size)?);
            if cache_of.is_none() {
                qkv.push(self.tensors.matrix(&format!("{p}attn_k"), kv_rows, hidden_size)?);
                let kind = if local { "window" } else { "all" };
                values_are_keys =
                    self.arch.value_norm && !self.tensors.in_alike(&format!("{p}attn_v.weight"), kind);
                if !values_are_keys {
                    qkv.push(self.tensors.matrix(&format!("{p}attn_v"), kv_rows, hidden_size)?);
                }
            }
        }
        if cache_of.is_some() {
            self.spare_keys(p, kv_rows, head_len)?;
        }
        let unrotated = self.arch.unrotated_every.is_some_and(|n| (index + 1).is_multiple_of(n))
            || self.arch.local_rope_only && self.window > 0 && !local;
        let rope =
            if local { self.ropes.len().checked_sub(1) } else { (!self.ropes.is_empty()).then_some(0) };
        let norm_over = self.norm_over(p);
        Ok(Attention {
            heads,
            kv_heads,
            head_len,
            qkv,
            gated,
            values_are_keys,
            value_norm: if self.arch.value_norm { Some(self.rms_eps()?) } else { None },
            cache_of,
            q_norm: self.head_norm(&format!("{p}attn_q_norm"), norm_over, heads, head_len)?,
            k_norm: if cache_of.is_none() {
                self.head_norm(&format!("{p}attn_k_norm"), norm_over, kv_heads, head_len)?
            } else {
                None
            },
            norm_over,
            norm_after_rope: self.arch.norm_after_rope,
            out: self.tensors.matrix(&format!("{p}attn_output"), hidden_size, q_rows)?,
            scale: keys
                .factor("attention.scale", self.arch.attn_scale.unwrap_or(1.0 / (head_len as f32).sqrt()))?,
            sinks: self.optional(&format!("{p}attn_sinks.weight"), heads)?,
            cap: keys.factor("attn_logit_softcapping", 0.0)?,
            window: local.then_some(if self.kind.causal { self.window } else { self.window / 2 }),
            rope: rope.filter(|_| !unrotated),
            temperature: self.temperature()?,
        })
    }

    /// Biases of queries, keys and values beside one matrix for all three, where the file has them.
    fn biases_apart(&mut self, p: &str, rows: [usize; 3]) -> Result<Vec<Vector>, ModelError> {
        let names = ["q", "k", "v"].map(|n| format!("{p}attn_{n}.bias"));
        let found = names.each_ref().map(|name| self.tensors.in_all(name));
        if !found.contains(&true) {
            return Ok(Vec::new());
        }
        names.iter().zip(rows).map(|(name, rows)| self.tensors.vector(name, rows)).collect()
    }

    /// Keys and values of a layer that reads the cache of another: files may have them, and nothing is done with them, as in
    /// llama.cpp.
    fn spare_keys(&mut self, p: &str, kv_rows: usize, head_len: usize) -> Result<(), ModelError> {
        for name in ["attn_k", "attn_v"] {
            if self.tensors.has(&format!("{p}{name}.weight")) {
                self.tensors.table(&format!("{p}{name}"), kv_rows, self.hidden_size)?;
            }
        }
        let norm = format!("{p}attn_k_norm.weight");
        if self.tensors.has(&norm) {
            self.tensors.vector(&norm, head_len)?;
        }
        Ok(())
    }

    /// What norms of queries and keys are over: factors in two dimensions belong to one head a row.
    fn norm_over(&self, p: &str) -> NormOver {
        let dims = self.tensors.dims(&format!("{p}attn_q_norm.weight"));
        match self.arch.row_norms {
            true => NormOver::Row,
            false if dims > 1 => NormOver::EachHead,
            false => NormOver::Heads,
        }
    }

    fn head_norm(
        &mut self,
        base: &str,
        over: NormOver,
        heads: usize,
        head_len: usize,
    ) -> Result<Option<Norm>, ModelError> {
        match over {
            NormOver::Heads => self.norm(base, head_len),
            NormOver::Row => self.norm(base, heads * head_len),
            NormOver::EachHead => {
                self.tensors.expect_dims(&format!("{base}.weight"), &[head_len, heads])?;
                self.norm_of(base, |tensors, name| tensors.flat(name, heads * head_len))
            }
        }
    }

    pub(super) fn rms_eps(&self) -> Result<f32, ModelError> {
        self.keys.epsilon("attention.layer_norm_rms_epsilon")
    }

    fn temperature(&self) -> Result<Option<Temperature>, ModelError> {
        let scale = self.keys.float("attention.temperature_scale", 0.0)?;
        if scale == 0.0 {
            return Ok(None);
        }
        let original_tokens = self.keys.size("rope.scaling.original_context_length", 1 << 30)?;
        Ok(Some(Temperature { scale, original_tokens }))
    }

    fn ffn(&mut self, p: &str, index: usize) -> Result<Ffn, ModelError> {
        let hidden_size = self.hidden_size;
        let experts = ["gate_inp", "gate_exps", "gate_up_exps", "down_exps"]
            .iter()
            .any(|n| self.tensors.has(&format!("{p}ffn_{n}.weight")));
        self.expects_experts(index, experts)?;
        if experts {
            return self.experts(p, index);
        }
        let ffn_size = self.ffn_size("feed_forward_length", index)?;
        let (gate, up) = (format!("{p}ffn_gate"), format!("{p}ffn_up"));
        let fused = self.arch.fused_gate;
        let gated = fused || self.tensors.in_all(&format!("{gate}.weight")) || self.arch.act == Act::Silu;
        let mut all = Vec::new();
        if gated && !fused {
            all.push(self.tensors.matrix(&gate, ffn_size, hidden_size)?);
        }
        all.push(self.tensors.matrix(&up, if fused { 2 * ffn_size } else { ffn_size }, hidden_size)?);
        let down = self.tensors.matrix(&format!("{p}ffn_down"), hidden_size, ffn_size)?;
        Ok(Ffn { up: all, gated, act: self.arch.act, ffn_size, down, experts: None })
    }

    /// Refuses a layer with or without experts where keys say the other.
    fn expects_experts(&self, index: usize, found: bool) -> Result<(), ModelError> {
        let (lead, step) = ("leading_dense_block_count", "interleave_moe_layer_step");
        if self.keys.get(lead).is_none() {
            return Ok(());
        }
        let first = self.keys.count_or(lead, 0, self.count)?;
        let every = self.keys.size_or(step, 1, self.count)?;
        if found == (index >= first && (index + 1).is_multiple_of(every)) {
            return Ok(());
        }
        let what = if found { "has" } else { "lacks" };
        Err(self.keys.bad(
            lead,
            &format!("(with \"{}.{step}\") denies that layer {index} {what} experts", self.keys.arch),
        ))
    }

    /// Inner hidden_size of the feed-forward part, which the key `name` says.
    fn ffn_size(&self, name: &str, index: usize) -> Result<usize, ModelError> {
        match self.keys.layer_size(name, index, 0, 1 << 20)? {
            0 if self.keys.get(name).is_none() => Err(self.keys.missing(name)),
            0 => Err(self.keys.bad(name, "is 0")),
            ffn_size => Ok(ffn_size),
        }
    }

    fn experts(&mut self, p: &str, index: usize) -> Result<Ffn, ModelError> {
        let (keys, hidden_size) = (self.keys, self.hidden_size);
        let count = keys.size("expert_count", 1024)?;
        let used = keys.size("expert_used_count", count.min(EXPERTS_USED_MAX))?;
        let ffn_size = self.ffn_size("expert_feed_forward_length", index).or_else(|e| match e {
            ModelError::MissingKey { .. } => self.ffn_size("feed_forward_length", index),
            e => Err(e),
        })?;
        let both = format!("{p}ffn_gate_up_exps");
        let up = if self.tensors.has(&format!("{both}.weight")) {
            self.tensors.two_stacks(&both, count, ffn_size, hidden_size)?.to_vec()
        } else {
            let names = ["gate", "up"].map(|n| format!("{p}ffn_{n}_exps"));
            let stack = |base: &String| self.tensors.stack(base, count, ffn_size, hidden_size);
            names.iter().map(stack).collect::<Result<_, _>>()?
        };
        let down = self.tensors.stack(&format!("{p}ffn_down_exps"), count, hidden_size, ffn_size)?;
        let experts = Experts {
            router: self.tensors.matrix(&format!("{p}ffn_gate_inp"), count, hidden_size)?,
            count,
            used,
            sigmoid: self.sigmoid_router()?,
            bias: self.optional(&format!("{p}exp_probs_b.bias"), count)?,
            normalise: keys.bool("expert_weights_norm", self.arch.normalised_experts)?,
            scale: keys.factor("expert_weights_scale", 1.0)?,
            shared: self.shared_expert(p, index, ffn_size)?.map(Box::new),
        };
        Ok(Ffn { up, gated: true, act: self.arch.act, ffn_size, down, experts: Some(experts) })
    }

    /// How logits of the router become probabilities, by llama.cpp's number for it.
    fn sigmoid_router(&self) -> Result<bool, ModelError> {
        let key = "expert_gating_func";
        match self.keys.count_or(key, 1, 16)? {
            // 3 is a softmax over the chosen ones, which is the same once their weights are scaled to a sum of 1.
            1 | 3 => Ok(false),
            2 => Ok(true),
            other => Err(self.keys.bad(key, &format!("is {other}, which is not supported"))),
        }
    }

    /// The expert that every token uses, where the file has one: as wide as a key says, or as some of the others.
    fn shared_expert(
        &mut self,
        p: &str,
        index: usize,
        expert_ffn_size: usize,
    ) -> Result<Option<SharedExpert>, ModelError> {
        let hidden_size = self.hidden_size;
        let names = ["gate", "up", "down"].map(|n| format!("{p}ffn_{n}_shexp"));
        let key = "expert_shared_feed_forward_length";
        let found = names.iter().any(|n| self.tensors.has(&format!("{n}.weight")));
        let count = self.keys.count_or("expert_shared_count", 0, 64)?;
        if !found && count == 0 && self.keys.count_or(key, 0, 1 << 20)? == 0 {
            return Ok(None);
        }
        let count = self.keys.size_or("expert_shared_count", count, 64)?;
        let ffn_size = match self.keys.get(key) {
            None if count > 0 => count * expert_ffn_size,
            _ => self.ffn_size(key, index)?,
        };
        let [gate, up, down] = names;
        let up = vec![
            self.tensors.matrix(&gate, ffn_size, hidden_size)?,
            self.tensors.matrix(&up, ffn_size, hidden_size)?,
        ];
        let down = self.tensors.matrix(&down, hidden_size, ffn_size)?;
        let gate = format!("{p}ffn_gate_inp_shexp");
        let gate = if self.tensors.in_all(&format!("{gate}.weight")) {
            Some(self.tensors.matrix(&gate, 1, hidden_size)?)
        } else {
            None
        };
        let ffn = Ffn { up, gated: true, act: self.arch.act, ffn_size, down, experts: None };
        Ok(Some(SharedExpert { ffn, gate }))
    }

    /// The norm `base`, where the file has one. Its kind follows from which epsilon the file names.
    ///
    /// # Errors
    /// `MissingKey` where the file names no epsilon, `BadKey` for an impossible one, `WrongShape`, `UnsupportedType`.
    pub fn norm(&mut self, base: &str, len: usize) -> Result<Option<Norm>, ModelError> {
        self.norm_of(base, |tensors, name| tensors.vector(name, len))
    }

    /// The same with factors that `read` reads.
    fn norm_of(
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
