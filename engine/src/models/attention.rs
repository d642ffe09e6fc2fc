//! Reads the attention of a block: its heads, rotations, windows and norms.

use super::blocks::LAYERS_MAX;
use super::error::ModelError;
use super::layers::Layers;
use super::rope::{self, Wanted};
use super::spec::{Attention, Norm};
use super::unused::OF_ROTATIONS;
use crate::gguf::{Array, Value};
use crate::plan::{HEAD_LEN_MAX, NormOver, RopePairs, Temperature, Vector};

impl Layers<'_, '_> {
    pub(super) fn read_ropes(&mut self) -> Result<(), ModelError> {
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

    pub(super) fn attention(&mut self, p: &str, index: usize) -> Result<Attention, ModelError> {
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

    fn temperature(&self) -> Result<Option<Temperature>, ModelError> {
        let scale = self.keys.float("attention.temperature_scale", 0.0)?;
        if scale == 0.0 {
            return Ok(None);
        }
        let original_tokens = self.keys.size("rope.scaling.original_context_length", 1 << 30)?;
        Ok(Some(Temperature { scale, original_tokens }))
    }
}
