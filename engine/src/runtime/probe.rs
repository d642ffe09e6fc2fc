//! Known questions for a device: small models with pseudo-random weights, whose answers the CPU executor knows.

use super::error::Error;
use super::load::{LoadOptions, Loading};
use super::lockstep::{Comparison, Lockstep};
use super::model::Model;
use crate::backend::Device;
use crate::formats::{FORMATS, Format, Precision};
use crate::gguf::{Header, Metadata, TensorInfo, Value};
use crate::models::{self, ARCHS};
use crate::plan::{CacheFormat, RopePairs};

/// Tokens of the slices of a prompt: more than a tile has on any device but the largest, and no multiple of one.
const SLICE_TOKENS: usize = 40;
/// Weights of norms, in the mean. Below 1, so that what layers add does not hide the embedding, whose scale the norms take away.
const NORM_WEIGHT: f32 = 0.35;

/// A model to make up.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Which architecture's facts apply.
    pub arch: &'static str,
    /// Formats of the matrices, in turn.
    pub formats: Vec<&'static Format>,
    /// Matrices that are made otherwise, by their names: their formats, and whether they have biases.
    pub matrices: Vec<(String, &'static Format, bool)>,
    /// Blocks.
    pub layers: usize,
    /// Width of the residual stream; whole blocks of every format.
    pub hidden_size: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Inner size of the feed-forward part.
    pub ffn_size: usize,
    /// Ids.
    pub vocab: usize,
    /// RMS norms, or layer norms with biases.
    pub rms: bool,
    /// Norms of query and key heads.
    pub head_norms: bool,
    /// Biases of all matrices of the blocks.
    pub biases: bool,
    /// Gated feed-forward part.
    pub gated: bool,
    /// Norms after the parts, mean pooling, attention in both directions.
    pub encoder: bool,
    /// How keys and values are stored.
    pub cache: CacheFormat,
    /// How exact products are.
    pub precision: Precision,
    /// Tokens of the prompt, in slices of 40; by default two and a few.
    pub prompt_tokens: usize,
    /// Start of the pseudo-random numbers.
    pub seed: u64,
}

/// A sample across the families of formats: a simple block, one with scales of groups, one with a codebook.
fn sample_of_formats() -> Vec<&'static Format> {
    FORMATS.iter().copied().skip(5).step_by(5).take(3).collect()
}

impl Default for Probe {
    fn default() -> Self {
        Probe {
            arch: ARCHS[0].name,
            formats: sample_of_formats(),
            matrices: Vec::new(),
            layers: 2,
            hidden_size: 256,
            heads: 4,
            kv_heads: 2,
            head_len: 64,
            ffn_size: 256,
            vocab: 96,
            rms: true,
            head_norms: false,
            biases: false,
            gated: true,
            encoder: false,
            cache: CacheFormat::F32,
            precision: Precision::Exact,
            prompt_tokens: 86,
            seed: 1,
        }
    }
}

impl Probe {
    /// How far the device's answers are from the CPU's: prefill, then decode, of a fixed prompt. It is asked twice, because
    /// some drivers are right only once (Adreno 830); the larger distance counts.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn distance(&self, device: &Device) -> Result<f64, Error> {
        let want = self.answer(&Device::cpu()).await?;
        self.distance_from(&want, device).await
    }

    /// The same, from known answers.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn distance_from(&self, want: &[Vec<f32>], device: &Device) -> Result<f64, Error> {
        let mut model = self.load(device).await?;
        let mut largest = 0.0;
        for _ in 0..2 {
            let got = self.ask(&mut model).await?;
            let (mut error, mut energy) = (0.0, 0.0);
            for (a, b) in want.iter().flatten().zip(got.iter().flatten()) {
                error += f64::from(a - b).powi(2);
                energy += f64::from(*a).powi(2);
            }
            let distance = if energy > 0.0 { error / energy } else { f64::INFINITY };
            // A distance that is no number is no answer either.
            largest = if f64::is_nan(largest) || distance <= largest { largest } else { distance };
        }
        Ok(largest)
    }

    /// The model's last rows for the prompt, and those for three decoded tokens.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn answer(&self, device: &Device) -> Result<Vec<Vec<f32>>, Error> {
        let mut model = self.load(device).await?;
        self.ask(&mut model).await
    }

    async fn ask(&self, model: &mut Model) -> Result<Vec<Vec<f32>>, Error> {
        let ids: Vec<u32> =
            (0..self.prompt_tokens as u32).map(|i| (i * 37 + 11) % self.vocab as u32).collect();
        model
            .evaluate(&ids, self.prompt_tokens.saturating_sub(16), &ids[..if self.encoder { 0 } else { 3 }])
            .await
    }

    /// The model on a device.
    ///
    /// # Errors
    /// `Plan` where the model does not fit the device, `Device` where the device fails.
    pub async fn load(&self, device: &Device) -> Result<Model, Error> {
        let header = self.header();
        let context_tokens = Some(self.context_tokens());
        let options = LoadOptions {
            context_tokens,
            slice_tokens: Some(SLICE_TOKENS),
            cache: self.cache,
            precision: self.precision,
        };
        let mut loading = Loading::start(&header, device, &options).await?;
        while let Some(piece) = loading.next() {
            let (at, len_bytes) = (piece.offset_bytes, piece.len_bytes);
            let bytes = self.bytes(&header, at, len_bytes);
            loading.accept(&bytes)?;
        }
        loading.finish().await
    }

    /// Runs the model's steps one at a time on the device and on the CPU; calls `each` with what every step made.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn compare_steps(&self, device: &Device, each: impl FnMut(&Comparison)) -> Result<(), Error> {
        let header = self.header();
        let mut both = Lockstep::start_with(&header, device, self.cache, SLICE_TOKENS).await?;
        while let Some(piece) = both.next() {
            let bytes = self.bytes(&header, piece.offset_bytes, piece.len_bytes);
            both.accept(&bytes)?;
        }
        let ids: Vec<u32> = (0..32).map(|i| (i * 37 + 11) % self.vocab as u32).collect();
        both.run(&ids, each).await
    }

    /// The steps that kernels give as examples, on the device and on the CPU, on random values. No step of a model runs.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn compare_examples(
        &self,
        device: &Device,
        each: impl FnMut(&Comparison),
    ) -> Result<(), Error> {
        let header = self.header();
        let mut both = Lockstep::start_examples(&header, device)?;
        while let Some(piece) = both.next() {
            let bytes = self.bytes(&header, piece.offset_bytes, piece.len_bytes);
            both.accept(&bytes)?;
        }
        both.run(&[1], each).await
    }

    fn context_tokens(&self) -> usize {
        self.prompt_tokens + 10
    }

    fn header(&self) -> Header {
        let mut metadata = Metadata::default();
        let mut put = |key: &str, value: Value| metadata.insert(format!("{}.{key}", self.arch), value);
        let sizes = [
            ("embedding_length", self.hidden_size),
            ("block_count", self.layers),
            ("context_length", self.context_tokens()),
            ("feed_forward_length", self.ffn_size),
            ("attention.head_count", self.heads),
            ("attention.head_count_kv", self.kv_heads),
            ("attention.key_length", self.head_len),
            ("attention.value_length", self.head_len),
        ];
        for (key, n) in sizes {
            put(key, Value::U32(n as u32));
        }
        let eps = if self.rms { "attention.layer_norm_rms_epsilon" } else { "attention.layer_norm_epsilon" };
        put(eps, Value::F32(1e-5));
        put("attention.causal", Value::Bool(!self.encoder));
        if self.encoder {
            put("pooling_type", Value::U32(1));
        }
        metadata.insert("general.architecture".to_owned(), Value::Str(self.arch.to_owned()));
        let mut directory = Directory { probe: self, next: 0, offset_bytes: 0, tensors: Vec::new() };
        self.tensors(&mut directory);
        let tensors = directory.tensors;
        Header { version: 3, metadata, tensors, alignment_bytes: 32, data_offset_bytes: 0, files: 1 }
    }

    fn tensors(&self, d: &mut Directory) {
        let (q, kv) = (self.heads * self.head_len, self.kv_heads * self.head_len);
        d.matrix("token_embd", self.vocab, self.hidden_size, false);
        d.matrix("output", self.vocab, self.hidden_size, false);
        if models::arch(self.arch).is_some_and(|arch| arch.rope == RopePairs::None) {
            d.matrix("position_embd", self.context_tokens(), self.hidden_size, false);
        }
        d.norm(if self.encoder { "token_embd_norm" } else { "output_norm" }, self.hidden_size, self.rms);
        for i in 0..self.layers {
            let p = format!("blk.{i}.");
            let norms = if self.encoder {
                ["attn_output_norm", "layer_output_norm"]
            } else {
                ["attn_norm", "ffn_norm"]
            };
            for norm in norms {
                d.norm(&format!("{p}{norm}"), self.hidden_size, self.rms);
            }
            if self.head_norms {
                d.vector(&format!("{p}attn_q_norm.weight"), self.head_len);
                d.vector(&format!("{p}attn_k_norm.weight"), self.head_len);
            }
            for (name, rows, cols) in [
                ("attn_q", q, self.hidden_size),
                ("attn_k", kv, self.hidden_size),
                ("attn_v", kv, self.hidden_size),
            ] {
                d.matrix(&format!("{p}{name}"), rows, cols, self.biases);
            }
            d.matrix(&format!("{p}attn_output"), self.hidden_size, q, self.biases);
            if self.gated {
                d.matrix(&format!("{p}ffn_gate"), self.ffn_size, self.hidden_size, self.biases);
            }
            d.matrix(&format!("{p}ffn_up"), self.ffn_size, self.hidden_size, self.biases);
            d.matrix(&format!("{p}ffn_down"), self.hidden_size, self.ffn_size, self.biases);
        }
    }

    /// The bytes of the piece at `offset_bytes`: the same whenever it is asked for.
    fn bytes(&self, header: &Header, offset_bytes: u64, len_bytes: usize) -> Vec<u8> {
        let holds = |t: &&TensorInfo| offset_bytes < t.offset_bytes + t.size_bytes.unwrap_or(0);
        let tensor = header.tensors.iter().find(holds);
        let format = tensor.and_then(|t| Format::by_id(t.type_id)).unwrap_or(FORMATS[0]);
        let norm = tensor.is_some_and(|t| t.name.contains("norm") && t.name.ends_with(".weight"));
        let mut random = Random(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ offset_bytes ^ 0x5851_f42d);
        let mut bytes = vec![0; len_bytes];
        let mut values = vec![0.0; format.block_len];
        for block in bytes.chunks_exact_mut(format.block_bytes) {
            if norm {
                block.copy_from_slice(&(NORM_WEIGHT * (0.5 + random.unit())).to_le_bytes());
            } else {
                random.fill(format, block, &mut values);
            }
        }
        bytes
    }
}

/// A tensor directory in the making; the formats of matrices that are not named take turns.
struct Directory<'a> {
    probe: &'a Probe,
    next: usize,
    offset_bytes: u64,
    tensors: Vec<TensorInfo>,
}

impl Directory<'_> {
    fn matrix(&mut self, base: &str, rows: usize, cols: usize, bias: bool) {
        let named = self.probe.matrices.iter().find(|(name, ..)| name == base);
        let (format, bias) = named.map_or_else(
            || {
                let formats = &self.probe.formats;
                self.next += 1;
                (formats[(self.next - 1) % formats.len()], bias)
            },
            |(_, format, bias)| (*format, *bias),
        );
        self.push(format!("{base}.weight"), &[cols, rows], format);
        if bias {
            self.vector(&format!("{base}.bias"), rows);
        }
    }

    fn norm(&mut self, base: &str, len: usize, rms: bool) {
        self.vector(&format!("{base}.weight"), len);
        if !rms {
            self.vector(&format!("{base}.bias"), len);
        }
    }

    fn vector(&mut self, name: &str, len: usize) {
        self.push(name.to_owned(), &[len], FORMATS[0]);
    }

    fn push(&mut self, name: String, dims: &[usize], format: &Format) {
        let rows: usize = dims.iter().skip(1).product();
        let size_bytes = (format.row_bytes(dims[0]).unwrap_or(0) * rows) as u64;
        self.tensors.push(TensorInfo {
            name,
            dims: dims.iter().map(|&d| d as u64).collect(),
            type_id: format.type_id,
            file: 0,
            offset_bytes: self.offset_bytes,
            size_bytes: Some(size_bytes),
        });
        self.offset_bytes += size_bytes.next_multiple_of(32);
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In 0..1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A block whose values are neither huge nor all tiny: any bits that decode to such values will do.
    fn fill(&mut self, format: &Format, block: &mut [u8], values: &mut [f32]) {
        loop {
            for bytes in block.chunks_mut(8) {
                bytes.copy_from_slice(&self.next().to_le_bytes()[..bytes.len()]);
            }
            format.decode(block, values);
            let largest =
                values.iter().fold(0.0f32, |m, v| if v.is_finite() { m.max(v.abs()) } else { f32::INFINITY });
            if (1e-3..0.5).contains(&largest) {
                return;
            }
        }
    }
}
