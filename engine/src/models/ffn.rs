//! Reads the feed-forward part of a block: one for all tokens, or experts.

use super::error::ModelError;
use super::layers::Layers;
use super::spec::{Experts, Ffn, SharedExpert};
use crate::plan::Act;

/// Most experts that a token may use.
const EXPERTS_USED_MAX: usize = 32;

impl Layers<'_, '_> {
    pub(super) fn ffn(&mut self, p: &str, index: usize) -> Result<Ffn, ModelError> {
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
}
