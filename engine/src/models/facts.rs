//! Reads a model from a file's keys and tensors. Nothing here asks for an architecture by name.

use super::ARCHS;
use super::arch::{Arch, RopePairs};
use super::error::ModelError;
use super::rope::Rope;
use super::spec::{Attention, Ffn, Layer, Matrix, ModelSpec, Norm, NormKind, Pooling};
use super::tensors::Tensors;
use crate::gguf::{Header, Value};

/// Largest head that the attention kernels hold.
pub const HEAD_LEN_MAX: usize = 256;

/// Most blocks of a model: far above any published one.
const LAYERS_MAX: usize = 512;

/// The model that `header` describes, every name and shape checked, no tensor left over.
pub fn read(header: &Header) -> Result<ModelSpec, ModelError> {
    let name = header.metadata.str("general.architecture").unwrap_or("");
    let arch =
        ARCHS.iter().copied().find(|a| a.name == name).ok_or_else(|| ModelError::UnknownArchitecture {
            name: name.to_owned(),
            known: ARCHS.iter().map(|a| a.name).collect::<Vec<_>>().join(", "),
        })?;
    let mut reader = Reader { arch, header, tensors: Tensors::new(header) };
    let spec = reader.model()?;
    match reader.tensors.first_unused() {
        Some(name) => Err(ModelError::UnknownTensor { name }),
        None => Ok(spec),
    }
}

struct Reader<'a> {
    arch: &'static Arch,
    header: &'a Header,
    tensors: Tensors<'a>,
}

/// The sizes that the blocks share.
struct Sizes {
    width: usize,
    heads: usize,
    kv_heads: usize,
    head_len: usize,
    scale: f32,
    rotate: bool,
}

impl Reader<'_> {
    fn model(&mut self) -> Result<ModelSpec, ModelError> {
        let width = self.size("embedding_length", 1 << 20)?;
        let (vocab, _) = self.tensors.shape("token_embd.weight")?;
        let layers = self.size("block_count", LAYERS_MAX)?;
        let context_tokens = self.size("context_length", 1 << 30)?;
        let sizes = self.sizes(width)?;
        let rope = self.rope(&sizes)?;
        let sizes = Sizes { rotate: rope.is_some(), ..sizes };
        let token_embd = self.tensors.matrix("token_embd", vocab, width)?;
        let pooling = self.pooling()?;
        let head = match (pooling, self.tensors.has("output.weight")) {
            (Some(_), false) => None,
            (_, true) => Some(self.tensors.matrix("output", vocab, width)?),
            (None, false) => Some(Matrix { bias: None, ..token_embd.clone() }),
        };
        Ok(ModelSpec {
            architecture: self.arch.name.to_owned(),
            title: self.header.metadata.str("general.name").unwrap_or(self.arch.name).to_owned(),
            vocab,
            width,
            context_tokens,
            causal: self.key("attention.causal").and_then(Value::as_bool).unwrap_or(true),
            pooling,
            token_embd,
            position_embd: self.table("position_embd", width)?,
            token_types: self.table("token_types", width)?,
            embd_norm: self.norm("token_embd_norm", width)?,
            layers: (0..layers).map(|i| self.layer(i, &sizes)).collect::<Result<_, _>>()?,
            final_norm: self.norm("output_norm", width)?,
            head,
            rope,
            arch: self.arch,
        })
    }

    fn sizes(&self, width: usize) -> Result<Sizes, ModelError> {
        let heads = self.size("attention.head_count", 4096)?;
        let kv_heads = self.size_or("attention.head_count_kv", heads, 4096)?;
        if heads % kv_heads != 0 {
            return Err(
                self.bad("attention.head_count_kv", &format!("is {kv_heads}, which does not divide {heads}"))
            );
        }
        if self.key("attention.key_length").is_none() && width % heads != 0 {
            return Err(
                self.bad("attention.head_count", &format!("is {heads}, which does not divide {width}"))
            );
        }
        let head_len = self.size_or("attention.key_length", width / heads, HEAD_LEN_MAX)?;
        let value_len = self.size_or("attention.value_length", head_len, HEAD_LEN_MAX)?;
        if value_len != head_len || head_len == 0 {
            return Err(self.bad("attention.value_length", &format!("is {value_len}, not {head_len}")));
        }
        let scale = match self.key("attention.scale").and_then(Value::as_f32) {
            Some(s) if s != 0.0 => s,
            _ => 1.0 / (head_len as f32).sqrt(),
        };
        Ok(Sizes { width, heads, kv_heads, head_len, scale, rotate: false })
    }

    fn rope(&mut self, sizes: &Sizes) -> Result<Option<Rope>, ModelError> {
        if self.arch.rope == RopePairs::None {
            return Ok(None);
        }
        let len = self.size_or("rope.dimension_count", sizes.head_len, sizes.head_len)?;
        if len % 2 != 0 {
            return Err(self.bad("rope.dimension_count", &format!("is {len}, an odd number")));
        }
        let factor = match self.key("rope.scaling.type").and_then(Value::as_str) {
            None | Some("none") => 1.0,
            Some("linear") => self.float("rope.scaling.factor", 1.0)?,
            Some(other) => {
                return Err(self.bad("rope.scaling.type", &format!("is \"{other}\", which is not supported")));
            }
        };
        let base = self.float("rope.freq_base", 10_000.0)?;
        if !(base > 0.0 && factor > 0.0) {
            return Err(self.bad("rope.freq_base", "or its scaling factor is not positive"));
        }
        let divisors = "rope_freqs.weight";
        let divisors =
            if self.tensors.has(divisors) { Some(self.tensors.vector(divisors, len / 2)?) } else { None };
        Ok(Some(Rope { pairs: self.arch.rope, len, base, factor, divisors }))
    }

    fn layer(&mut self, index: usize, sizes: &Sizes) -> Result<Layer, ModelError> {
        let p = format!("blk.{index}.");
        let width = sizes.width;
        Ok(Layer {
            attn_norm: self.norm(&format!("{p}attn_norm"), width)?,
            attention: self.attention(&p, sizes)?,
            attn_post_norm: self.norm(&format!("{p}attn_output_norm"), width)?,
            ffn_norm: self.norm(&format!("{p}ffn_norm"), width)?,
            ffn: self.ffn(&p, width)?,
            ffn_post_norm: self.norm(&format!("{p}layer_output_norm"), width)?,
        })
    }

    fn attention(&mut self, p: &str, s: &Sizes) -> Result<Attention, ModelError> {
        let (q_rows, kv_rows) = (s.heads * s.head_len, s.kv_heads * s.head_len);
        let qkv = if self.tensors.has(&format!("{p}attn_qkv.weight")) {
            vec![self.tensors.matrix(&format!("{p}attn_qkv"), q_rows + 2 * kv_rows, s.width)?]
        } else {
            vec![
                self.tensors.matrix(&format!("{p}attn_q"), q_rows, s.width)?,
                self.tensors.matrix(&format!("{p}attn_k"), kv_rows, s.width)?,
                self.tensors.matrix(&format!("{p}attn_v"), kv_rows, s.width)?,
            ]
        };
        Ok(Attention {
            heads: s.heads,
            kv_heads: s.kv_heads,
            head_len: s.head_len,
            qkv,
            q_norm: self.norm(&format!("{p}attn_q_norm"), s.head_len)?,
            k_norm: self.norm(&format!("{p}attn_k_norm"), s.head_len)?,
            out: self.tensors.matrix(&format!("{p}attn_output"), s.width, q_rows)?,
            scale: s.scale,
            rotate: s.rotate,
        })
    }

    fn ffn(&mut self, p: &str, width: usize) -> Result<Ffn, ModelError> {
        let (up_rows, _) = self.tensors.shape(&format!("{p}ffn_up.weight"))?;
        let (_, inner) = self.tensors.shape(&format!("{p}ffn_down.weight"))?;
        let gate = format!("{p}ffn_gate");
        let (up, gated) = if self.tensors.has(&format!("{gate}.weight")) {
            (
                vec![
                    self.tensors.matrix(&gate, inner, width)?,
                    self.tensors.matrix(&format!("{p}ffn_up"), inner, width)?,
                ],
                true,
            )
        } else {
            let fused = up_rows == 2 * inner;
            let rows = if fused { up_rows } else { inner };
            (vec![self.tensors.matrix(&format!("{p}ffn_up"), rows, width)?], fused)
        };
        let down = self.tensors.matrix(&format!("{p}ffn_down"), width, inner)?;
        Ok(Ffn { up, gated, act: self.arch.act, inner, down })
    }

    /// A table of rows that are added to the embedding, where the file has one.
    fn table(&mut self, base: &str, width: usize) -> Result<Option<Matrix>, ModelError> {
        let name = format!("{base}.weight");
        if !self.tensors.has(&name) {
            return Ok(None);
        }
        let (rows, _) = self.tensors.shape(&name)?;
        Ok(Some(self.tensors.matrix(base, rows, width)?))
    }

    /// The norm `base`, where the file has one. Its kind follows from which epsilon the file names.
    fn norm(&mut self, base: &str, len: usize) -> Result<Option<Norm>, ModelError> {
        let weight = format!("{base}.weight");
        if !self.tensors.has(&weight) {
            return Ok(None);
        }
        let (kind, key) = if self.key("attention.layer_norm_rms_epsilon").is_some() {
            (NormKind::Rms, "attention.layer_norm_rms_epsilon")
        } else {
            (NormKind::Layer, "attention.layer_norm_epsilon")
        };
        let eps = self.key(key).and_then(Value::as_f32).ok_or_else(|| self.missing(key))?;
        let bias = format!("{base}.bias");
        Ok(Some(Norm {
            kind,
            eps,
            weight: self.tensors.vector(&weight, len)?,
            bias: if self.tensors.has(&bias) { Some(self.tensors.vector(&bias, len)?) } else { None },
        }))
    }

    fn pooling(&self) -> Result<Option<Pooling>, ModelError> {
        match self.key("pooling_type").and_then(Value::as_u64) {
            None | Some(0) => Ok(None),
            Some(1) => Ok(Some(Pooling::Mean)),
            Some(2) => Ok(Some(Pooling::First)),
            Some(3) => Ok(Some(Pooling::Last)),
            Some(n) => Err(self.bad("pooling_type", &format!("is {n}, which is not supported"))),
        }
    }

    fn key(&self, name: &str) -> Option<&Value> {
        self.header.metadata.get(&self.full(name))
    }

    fn full(&self, name: &str) -> String {
        format!("{}.{name}", self.arch.name)
    }

    fn missing(&self, name: &str) -> ModelError {
        ModelError::MissingKey { key: self.full(name) }
    }

    fn bad(&self, name: &str, why: &str) -> ModelError {
        ModelError::BadKey { key: self.full(name), why: why.to_owned() }
    }

    fn size(&self, name: &str, max: usize) -> Result<usize, ModelError> {
        let value = self.key(name).ok_or_else(|| self.missing(name))?;
        let n = value.as_u64().ok_or_else(|| self.bad(name, "is not a whole number"))?;
        match usize::try_from(n) {
            Ok(n) if (1..=max).contains(&n) => Ok(n),
            _ => Err(self.bad(name, &format!("is {n}, outside 1..={max}"))),
        }
    }

    fn size_or(&self, name: &str, default: usize, max: usize) -> Result<usize, ModelError> {
        if self.key(name).is_some() { self.size(name, max) } else { Ok(default) }
    }

    fn float(&self, name: &str, default: f32) -> Result<f64, ModelError> {
        match self.key(name) {
            None => Ok(f64::from(default)),
            Some(v) => v.as_f32().map(f64::from).ok_or_else(|| self.bad(name, "is not a number")),
        }
    }
}
