//! all-MiniLM-L6-v2 as published (safetensors, vocabulary, configs) to a Q8_0 GGUF file.
//!
//! Matrices become Q8_0; the position and token-type tables and all vectors stay F32, as llama.cpp's quantiser leaves
//! them. The vocabulary is stored in llama.cpp's form: a word's first piece begins with U+2581, later pieces lose `##`.

use half::f16;
use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;

use super::gguf::{Tensor, TensorType, Writer};
use crate::error::{Error, Result};
use crate::stamp::sha256;

/// What is downloaded, as bytes.
pub struct Source {
    /// model.safetensors
    pub weights: Vec<u8>,
    /// vocab.txt
    pub vocab: String,
    /// config.json
    pub config: String,
    /// tokenizer_config.json
    pub tokenizer: String,
}

#[derive(Deserialize)]
struct Config {
    num_hidden_layers: u32,
    max_position_embeddings: u32,
    hidden_size: u32,
    intermediate_size: u32,
    num_attention_heads: u32,
    layer_norm_eps: f64,
    type_vocab_size: u32,
    vocab_size: usize,
}

#[derive(Deserialize)]
struct SpecialTokens {
    unk_token: String,
    sep_token: String,
    pad_token: String,
    cls_token: String,
    mask_token: String,
}

// Token kinds, mean pooling and the Q8_0 file type as llama.cpp numbers them.
const TOKEN_NORMAL: i32 = 1;
const TOKEN_CONTROL: i32 = 3;
const POOLING_MEAN: u32 = 1;
const FILE_TYPE_Q8_0: u32 = 7;
const QUANTIZATION_VERSION: u32 = 2;

/// The whole GGUF file.
pub fn gguf(source: &Source) -> Result<Vec<u8>> {
    let config: Config = parse("config.json", &source.config)?;
    let special: SpecialTokens = parse("tokenizer_config.json", &source.tokenizer)?;
    let mut file = Writer::default();
    file.string("general.architecture", "bert");
    file.string("general.type", "model");
    file.string("general.name", "all-MiniLM-L6-v2");
    file.string("general.organization", "sentence-transformers");
    file.string("general.license", "apache-2.0");
    file.string("general.repo_url", "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2");
    file.string("general.source.sha256", &sha256(&source.weights));
    file.u32("general.file_type", FILE_TYPE_Q8_0);
    file.u32("general.quantization_version", QUANTIZATION_VERSION);
    file.u32("bert.block_count", config.num_hidden_layers);
    file.u32("bert.context_length", config.max_position_embeddings);
    file.u32("bert.embedding_length", config.hidden_size);
    file.u32("bert.feed_forward_length", config.intermediate_size);
    file.u32("bert.attention.head_count", config.num_attention_heads);
    file.f32("bert.attention.layer_norm_epsilon", config.layer_norm_eps as f32);
    file.bool("bert.attention.causal", false);
    file.u32("bert.pooling_type", POOLING_MEAN);
    file.u32("tokenizer.ggml.token_type_count", config.type_vocab_size);
    write_vocabulary(&mut file, &source.vocab, &special, config.vocab_size)?;
    Ok(file.finish(&tensors(&source.weights)?))
}

fn write_vocabulary(file: &mut Writer, text: &str, special: &SpecialTokens, size: usize) -> Result<()> {
    let words: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
    if words.len() != size {
        return Err(Error::Check(format!("vocab.txt has {} entries, config.json says {size}", words.len())));
    }
    let names =
        [&special.unk_token, &special.sep_token, &special.pad_token, &special.cls_token, &special.mask_token];
    let is_special = |word: &str| names.iter().any(|name| *name == word);
    let stored = |word: &str| match word.strip_prefix("##") {
        _ if is_special(word) => word.to_owned(),
        Some(piece) => piece.to_owned(),
        None => format!("\u{2581}{word}"),
    };
    let kind = |word: &str| if is_special(word) { TOKEN_CONTROL } else { TOKEN_NORMAL };
    file.string("tokenizer.ggml.model", "bert");
    file.string("tokenizer.ggml.pre", "jina-v2-en");
    file.strings("tokenizer.ggml.tokens", &words.iter().map(|word| stored(word)).collect::<Vec<_>>());
    file.i32s("tokenizer.ggml.token_type", &words.iter().map(|word| kind(word)).collect::<Vec<_>>());
    // The misspelling is the key's real name.
    for (key, name) in [
        ("unknown_token_id", &special.unk_token),
        ("seperator_token_id", &special.sep_token),
        ("padding_token_id", &special.pad_token),
        ("cls_token_id", &special.cls_token),
        ("bos_token_id", &special.cls_token),
        ("mask_token_id", &special.mask_token),
    ] {
        let place = words.iter().position(|word| word == name);
        let id = place.and_then(|place| u32::try_from(place).ok());
        let id = id.ok_or_else(|| Error::Check(format!("vocab.txt does not contain {name}")))?;
        file.u32(&format!("tokenizer.ggml.{key}"), id);
    }
    Ok(())
}

/// Every tensor under its GGUF name, in the order of the published names.
pub fn tensors(weights: &[u8]) -> Result<Vec<Tensor>> {
    let file = SafeTensors::deserialize(weights)
        .map_err(|error| Error::Check(format!("model.safetensors: {error}")))?;
    let mut views = file.tensors();
    views.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out = Vec::with_capacity(views.len());
    for (published, view) in views {
        if published == "embeddings.position_ids" || published.starts_with("pooler.") {
            continue;
        }
        if view.dtype() != Dtype::F32 {
            return Err(Error::Check(format!("{published} is stored as {:?}, expected F32", view.dtype())));
        }
        let name =
            gguf_name(&published).ok_or_else(|| Error::Check(format!("unknown tensor {published}")))?;
        let is_matrix =
            view.shape().len() == 2 && name != "position_embd.weight" && name != "token_types.weight";
        let (kind, bytes) = match is_matrix {
            true => (TensorType::Q8_0, quantize_q8_0(view.data())),
            false => (TensorType::F32, view.data().to_vec()),
        };
        out.push(Tensor {
            name,
            kind,
            dims: view.shape().iter().rev().map(|&dim| dim as u64).collect(),
            bytes,
        });
    }
    Ok(out)
}

fn gguf_name(published: &str) -> Option<String> {
    let (base, suffix) = published.strip_prefix("bert.").unwrap_or(published).rsplit_once('.')?;
    let top = match base {
        "embeddings.word_embeddings" => Some("token_embd"),
        "embeddings.position_embeddings" => Some("position_embd"),
        "embeddings.token_type_embeddings" => Some("token_types"),
        "embeddings.LayerNorm" => Some("token_embd_norm"),
        _ => None,
    };
    if let Some(name) = top {
        return Some(format!("{name}.{suffix}"));
    }
    let (layer, part) = base.strip_prefix("encoder.layer.")?.split_once('.')?;
    let name = match part {
        "attention.self.query" => "attn_q",
        "attention.self.key" => "attn_k",
        "attention.self.value" => "attn_v",
        "attention.output.dense" => "attn_output",
        "attention.output.LayerNorm" => "attn_output_norm",
        "intermediate.dense" => "ffn_up",
        "output.dense" => "ffn_down",
        "output.LayerNorm" => "layer_output_norm",
        _ => return None,
    };
    Some(format!("blk.{layer}.{name}.{suffix}"))
}

/// Q8_0: 32 values share the scale max|x| / 127, kept as f16; codes are x / scale, rounded half away from zero.
/// The codes use the scale before it is rounded to f16, as ggml does.
fn quantize_q8_0(f32_bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(f32_bytes.len() / 128 * 34);
    for block in f32_bytes.chunks_exact(32 * 4) {
        let mut values = [0f32; 32];
        for (value, bytes) in values.iter_mut().zip(block.chunks_exact(4)) {
            *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let scale = values.iter().fold(0f32, |max, value| max.max(value.abs())) / 127.0;
        let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
        out.extend(f16::from_f32(scale).to_le_bytes());
        out.extend(values.iter().map(|value| ((value * inverse).round() as i8).to_le_bytes()[0]));
    }
    out
}

fn parse<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Check(format!("{name}: {error}")))
}
