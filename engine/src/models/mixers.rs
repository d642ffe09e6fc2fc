//! Reads the mixers that keep a state: which one a block has follows from its tensors.

use super::error::ModelError;
use super::layers::Layers;
use super::spec::{GatedDelta, Mamba2, Mixer, Norm, ShortConv};
use crate::plan::{NormKind, STATE_LEN_MAX, TAPS_MAX, Vector};

/// The sizes that state mixers take from the keys `ssm.*`.
struct Sizes {
    kernel: usize,
    state: usize,
    groups: usize,
    heads: usize,
    inner_size: usize,
}

impl Layers<'_, '_> {
    /// The mixer of a block that has none of attention's tensors.
    pub(super) fn recurrent(&mut self, p: &str) -> Result<Option<Mixer>, ModelError> {
        let any = |names: &[&str]| names.iter().any(|name| self.tensors.has(&format!("{p}{name}")));
        if any(&["shortconv.conv.weight", "shortconv.in_proj.weight"]) {
            return self.short_conv(p).map(|m| Some(Mixer::ShortConv(m)));
        }
        if any(&["ssm_alpha.weight", "ssm_beta.weight"]) {
            return self.gated_delta(p).map(|m| Some(Mixer::GatedDelta(m)));
        }
        if any(&["ssm_in.weight", "ssm_conv1d.weight"]) {
            return self.mamba2(p).map(|m| Some(Mixer::Mamba2(m)));
        }
        Ok(None)
    }

    fn short_conv(&mut self, p: &str) -> Result<ShortConv, ModelError> {
        let hidden_size = self.hidden_size;
        let kernel = self.taps("shortconv.l_cache")?;
        Ok(ShortConv {
            input: self.tensors.matrix(&format!("{p}shortconv.in_proj"), 3 * hidden_size, hidden_size)?,
            conv: self.tensors.flat(&format!("{p}shortconv.conv.weight"), hidden_size * kernel)?,
            kernel,
            out: self.tensors.matrix(&format!("{p}shortconv.out_proj"), hidden_size, hidden_size)?,
        })
    }

    /// Taps of a convolution: with one there would be nothing to keep.
    fn taps(&self, name: &str) -> Result<usize, ModelError> {
        match self.keys.size(name, TAPS_MAX)? {
            1 => Err(self.keys.bad(name, "is 1, which is no convolution")),
            taps => Ok(taps),
        }
    }

    fn ssm_sizes(&self) -> Result<Sizes, ModelError> {
        let keys = self.keys;
        let sizes = Sizes {
            kernel: self.taps("ssm.conv_kernel")?,
            state: keys.size("ssm.state_size", STATE_LEN_MAX)?,
            groups: keys.size("ssm.group_count", 1024)?,
            heads: keys.size("ssm.time_step_rank", 1024)?,
            inner_size: keys.size("ssm.inner_size", 1 << 20)?,
        };
        if !sizes.inner_size.is_multiple_of(sizes.heads)
            || !sizes.inner_size.is_multiple_of(sizes.groups)
            || !sizes.heads.is_multiple_of(sizes.groups)
        {
            return Err(keys.bad("ssm.inner_size", "is not a multiple of its heads and groups"));
        }
        Ok(sizes)
    }

    fn state_norm(&mut self, p: &str, len: usize) -> Result<Norm, ModelError> {
        let weight = self.tensors.flat(&format!("{p}ssm_norm.weight"), len)?;
        Ok(Norm { kind: NormKind::Rms, eps: self.rms_eps()?, weight, bias: None })
    }

    fn conv(
        &mut self,
        p: &str,
        channels: usize,
        kernel: usize,
    ) -> Result<(Vector, Option<Vector>), ModelError> {
        let weight = self.tensors.flat(&format!("{p}ssm_conv1d.weight"), channels * kernel)?;
        Ok((weight, self.optional(&format!("{p}ssm_conv1d.bias"), channels)?))
    }

    fn mamba2(&mut self, p: &str) -> Result<Mamba2, ModelError> {
        let Sizes { kernel, state, groups, heads, inner_size } = self.ssm_sizes()?;
        let channels = inner_size + 2 * groups * state;
        let (conv, conv_bias) = self.conv(p, channels, kernel)?;
        Ok(Mamba2 {
            input: self.tensors.matrix(
                &format!("{p}ssm_in"),
                inner_size + channels + heads,
                self.hidden_size,
            )?,
            conv,
            conv_bias,
            kernel,
            dt_bias: self.tensors.flat(&format!("{p}ssm_dt.bias"), heads)?,
            a: self.tensors.flat(&format!("{p}ssm_a"), heads)?,
            d: self.tensors.flat(&format!("{p}ssm_d"), heads)?,
            norm: if self.arch.attention_beside && !self.tensors.in_all(&format!("{p}ssm_norm.weight")) {
                None
            } else {
                Some(self.state_norm(p, inner_size)?)
            },
            out: self.tensors.matrix(&format!("{p}ssm_out"), self.hidden_size, inner_size)?,
            inner_size,
            heads,
            groups,
            state,
        })
    }

    fn gated_delta(&mut self, p: &str) -> Result<GatedDelta, ModelError> {
        let Sizes { kernel, state: key_len, groups: key_heads, heads: value_heads, inner_size } =
            self.ssm_sizes()?;
        let (hidden_size, channels) = (self.hidden_size, 2 * key_heads * key_len + inner_size);
        let (conv, conv_bias) = self.conv(p, channels, kernel)?;
        let value_len = inner_size / value_heads;
        Ok(GatedDelta {
            qkv: self.tensors.matrix(&format!("{p}attn_qkv"), channels, hidden_size)?,
            gate: self.tensors.matrix(&format!("{p}attn_gate"), inner_size, hidden_size)?,
            beta: self.tensors.matrix(&format!("{p}ssm_beta"), value_heads, hidden_size)?,
            alpha: self.tensors.matrix(&format!("{p}ssm_alpha"), value_heads, hidden_size)?,
            conv,
            conv_bias,
            kernel,
            dt_bias: self.tensors.flat(&format!("{p}ssm_dt.bias"), value_heads)?,
            a: self.tensors.flat(&format!("{p}ssm_a"), value_heads)?,
            norm: self.state_norm(p, value_len)?,
            out: self.tensors.matrix(&format!("{p}ssm_out"), hidden_size, inner_size)?,
            key_heads,
            key_len,
            value_heads,
            value_len,
        })
    }
}
