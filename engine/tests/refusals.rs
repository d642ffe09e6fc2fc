//! A file in which anything is missing, renamed, of another shape or beyond reason is refused before a weight is read,
//! with a message that names it. Every reference model is made wrong in every such way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::path::Path;

use common::gguf_builder::{self, Gguf, encode};
use peak_alloc::PeakAlloc;
use pith_engine::backend::Device;
use pith_engine::gguf::{Array, Header, HeaderReader, Progress, TensorInfo, Value, block_shape};
use pith_engine::models;
use pith_engine::runtime::{LoadOptions, Loading};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer, TokenizerError};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Most memory for all of it: no number of a file is believed before it is checked.
const PEAK_MB_MAX: f32 = 64.0;

/// A tensor type that ggml does not have.
const UNKNOWN_TYPE: u32 = 200;

/// A reference model.
struct Fixture {
    name: String,
    header: Header,
    /// True where the tokenizer is of the kind that has a pre-tokenizer.
    byte_level: bool,
    /// What the engine makes of it.
    spec: String,
}

impl Fixture {
    /// Why it does not matter what becomes of a tensor that the engine does not read.
    fn unread(&self, tensor: &str) -> Option<&'static str> {
        (!self.spec.contains(&format!("\"{tensor}\""))).then_some(UNREAD)
    }
}

/// One model of each kind, of the reference set and of `tests/oracle`: the weights' type changes nothing here.
fn fixtures() -> Vec<Fixture> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let all: Vec<Fixture> = fixtures_of(&common::reference_dir(), ".Q8_0")
        .into_iter()
        .chain(fixtures_of(&beside, ".F16"))
        .collect();
    assert!(all.len() > 30, "only {} models", all.len());
    all
}

/// The models of a folder whose names end so, but for those of another architecture than the engine knows.
fn fixtures_of(dir: &Path, ending: &str) -> Vec<Fixture> {
    let manifest = common::manifest(dir);
    let known = |f: &&serde_json::Value| {
        f["name"].as_str().unwrap().ends_with(ending) && models::ARCHS.iter().any(|a| f["arch"] == a.name)
    };
    let all = manifest["fixtures"].as_array().unwrap().iter().filter(known).map(|fixture| {
        let bytes = std::fs::read(dir.join(fixture["file"].as_str().unwrap())).unwrap();
        let header = gguf_builder::read(&bytes, Some(bytes.len() as u64));
        let name = fixture["name"].as_str().unwrap().trim_end_matches(ending).to_owned();
        let spec = read(&Gguf::of(&header)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let byte_level = header.metadata.str("tokenizer.ggml.model") == Some("gpt2");
        Fixture { name, header, byte_level, spec }
    });
    all.collect()
}

/// What the engine makes of a file, or why it refuses it, from the header alone.
fn read(file: &Gguf) -> Result<String, String> {
    let mut file = file.clone();
    file.place();
    let header = match HeaderReader::new(None).push(&file.header_bytes()) {
        Ok(Progress::Done(header)) => header,
        Ok(Progress::NeedMore { .. }) => panic!("a whole header is not enough"),
        Err(error) => return Err(error.to_string()),
    };
    let spec = models::read(&header).map_err(|e| e.to_string())?;
    let options = LoadOptions { context_tokens: Some(64), slice_tokens: Some(16), ..Default::default() };
    pollster::block_on(Loading::start(&header, &Device::cpu(), &options)).map_err(|e| e.to_string())?;
    match Tokenizer::from_metadata(&header.metadata) {
        Ok(tokenizer) => Ok(format!("{spec:?} {}", behaviour(&tokenizer))),
        Err(TokenizerError::NoTokenizer) => Ok(format!("{spec:?} without a tokenizer")),
        Err(error) => Err(error.to_string()),
    }
}

/// What a tokenizer makes of a text with special tokens in it.
fn behaviour(tokenizer: &Tokenizer) -> String {
    let special: Vec<&str> = tokenizer.special_texts().take(3).collect();
    let text = format!(" The light of  2026{}\n", special.concat());
    let options = EncodeOptions { add_special: true, parse_special: true };
    let ids = tokenizer.encode(&text, options).unwrap();
    format!("{ids:?} {:?} {:?}", tokenizer.decode(&ids, false), tokenizer.ends())
}

/// What came of the changes: how many, and those that were not refused as they should.
#[derive(Default)]
struct Outcome {
    changes: usize,
    fine: usize,
    wrong: Vec<String>,
}

impl Outcome {
    /// Judges a changed file: refused with a message that names one of `names`, or fine for the reason given.
    fn judge(&mut self, fixture: &Fixture, file: &Gguf, change: &str, names: &[&str], fine: Option<&str>) {
        self.changes += 1;
        let verdict = match read(file) {
            Err(message) if names.iter().any(|name| message.contains(name)) => return,
            _ if fine.is_some() => {
                self.fine += 1;
                return;
            }
            Ok(_) => "accepted".to_owned(),
            Err(message) => message,
        };
        self.wrong.push(format!("{}: {change}: {verdict}", fixture.name));
    }

    fn check(self, what: &str) {
        println!("{} {what}, {} of them fine", self.changes, self.fine);
        println!("peak: {:.1} MB", ALLOCATOR.peak_usage_as_mb());
        assert!(self.wrong.is_empty(), "{} not refused:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.changes > 500 && ALLOCATOR.peak_usage_as_mb() < PEAK_MB_MAX);
    }
}

/// Tensors without which a file is another whole model, and why.
const OPTIONAL: [(&str, &str, &str); 32] = [
    ("lfm2-dense", "dense_2.bias", "other models have none"),
    ("olmo3", "output.weight", TIED),
    ("granitehybrid-biases", "blk.0.ssm_conv1d.bias", "no other layer of its kind tells"),
    ("granitehybrid-biases", "blk.1.attn_output.bias", "no other layer of its kind tells"),
    ("deepseek", "output.weight", TIED),
    ("qwen2-apart", "output.bias", "heads of published models have none"),
    ("falcon-h1", "blk.0.ssm_conv1d.bias", "no other layer of its kind tells"),
    ("exaone", "rope_freqs.weight", STRETCHED),
    ("arcee", "rope_freqs.weight", STRETCHED),
    ("qwen2vl", "output.weight", TIED),
    ("chatglm", "output.weight", TIED),
    ("arcee", "output.weight", TIED),
    ("ernie4_5-moe", "output.weight", TIED),
    ("granitehybrid-moe", "blk.0.ssm_conv1d.bias", "no other layer of its kind tells"),
    (
        "ernie4_5-moe",
        "blk.1.exp_probs_b.bias",
        "the choice of experts is without a bias then, as in llama.cpp",
    ),
    ("falcon-h1-normed", "blk.0.ssm_norm.weight", "half of the published models have no such norm"),
    ("llama32", "rope_freqs.weight", STRETCHED),
    ("llama3-kv", "rope_freqs.weight", STRETCHED),
    ("exaone4", "rope_freqs.weight", STRETCHED),
    ("llama-moe", "output.weight", TIED),
    ("llama-separate", "output.weight", TIED),
    ("llama-hd", "output.weight", TIED),
    ("qwen3-hd", "output.weight", TIED),
    ("granitemoe-shared", "output.weight", TIED),
    ("glm4", "output.weight", TIED),
    ("seed_oss", "output.weight", TIED),
    ("falcon", "output.weight", TIED),
    ("llama-mha-bias", "output.weight", TIED),
    ("phi3", "output.weight", TIED),
    ("gptneox", "output.weight", TIED),
    ("olmo2", "output.weight", TIED),
    ("gemma4-e2b", "blk.2.attn_v.weight", "larger models take keys for values in layers without a window"),
];
/// A name stands for all that begin so.
const UNREAD: &str = "nothing reads it, as in llama.cpp";
const STRETCHED: &str = "models of the same architecture that were not stretched have none";
const TIED: &str = "the token embedding is the head then, as in llama.cpp";

#[test]
fn a_tensor_renamed_or_missing_is_named() {
    let mut outcome = Outcome::default();
    for fixture in fixtures() {
        for (i, tensor) in fixture.header.tensors.iter().enumerate() {
            let name = tensor.name.as_str();
            let mut file = Gguf::of(&fixture.header);
            let renamed = format!("{name}_x");
            file.tensors[i].name = renamed.clone().into_bytes();
            // Where one that joins two is not there, the first of them is missing.
            let names = [name, &name.replace("gate_up_exps", "gate_exps")];
            outcome.judge(&fixture, &file, &format!("{name} renamed"), &names, None);
            file.tensors.remove(i);
            let optional = OPTIONAL.iter().find(|(f, n, _)| fixture.name.starts_with(f) && *n == name);
            let optional = fixture.unread(name).or(optional.map(|o| o.2));
            outcome.judge(&fixture, &file, &format!("{name} missing"), &names, optional);
        }
    }
    outcome.check("tensors renamed or missing");
}

#[test]
fn a_tensor_too_many_is_named() {
    let mut outcome = Outcome::default();
    for fixture in fixtures() {
        let tensors = &fixture.header.tensors;
        let part = |name: &str| name.splitn(3, '.').nth(2).unwrap_or(name).to_owned();
        for tensor in tensors {
            let Some(base) = tensor.name.strip_suffix(".weight") else { continue };
            let bias = format!("{base}.bias");
            if tensors.iter().any(|t| t.name == bias) {
                continue;
            }
            let mut file = Gguf::of(&fixture.header);
            let len = if tensor.dims.len() == 1 { tensor.cols() } else { tensor.rows() };
            file.tensor(&bias, &[len], 0, 0);
            let in_layer = bias.starts_with("blk.");
            let arch = fixture.header.metadata.str("general.architecture").unwrap();
            let unused = models::arch(arch).unwrap().unused.contains(&&*format!("blk.*.{}", part(&bias)));
            let like = |t: &&TensorInfo| part(&t.name) == part(&tensor.name);
            let alone =
                tensors.iter().filter(like).filter(|t| fixture.unread(&t.name).is_none()).count() == 1;
            let fine = match base {
                "output" | "dense_2" | "dense_3" | "per_layer_model_proj" => {
                    Some("it is added to the product")
                }
                _ if unused || fixture.unread(&tensor.name).is_some() => Some(UNREAD),
                _ if in_layer && alone => Some("no other layer of its kind tells that it is too many"),
                _ => None,
            };
            // The like of it in another layer, or of another norm, may be what is missed.
            let like = if base.ends_with("norm") { "norm.bias".to_owned() } else { part(&bias) };
            outcome.judge(&fixture, &file, &format!("{bias} added"), &[&like], fine);
        }
        for name in
            ["blk.99.attn_q.weight", "blk.0.attn_sinks.weight", "extra.weight", "blk.0.attn_q_x.weight"]
        {
            let mut file = Gguf::of(&fixture.header);
            file.tensor(name, &[32, 32], 0, 0);
            outcome.judge(&fixture, &file, &format!("{name} added"), &[name], None);
        }
    }
    outcome.check("tensors added");
}

/// What the architectures list as unused, and factors for quantised inputs beside every matrix.
#[test]
fn tensors_that_nothing_reads_change_nothing() {
    let mut added = 0;
    for fixture in fixtures() {
        let arch = fixture.header.metadata.str("general.architecture").unwrap();
        let layers = fixture.header.metadata.u64(&format!("{arch}.block_count")).unwrap();
        let listed = models::arch(arch).unwrap().unused.iter();
        let listed = listed.flat_map(|name| (0..layers).map(|i| name.replace('*', &i.to_string())));
        let matrices = fixture.header.tensors.iter().filter(|t| t.dims.len() > 1);
        let beside = matrices.map(|t| t.name.replace(".weight", ".input_scale"));
        let mut file = Gguf::of(&fixture.header);
        let mut names: Vec<String> =
            listed.chain(beside).filter(|n| !fixture.header.tensors.iter().any(|t| t.name == *n)).collect();
        names.sort();
        names.dedup();
        for name in &names {
            file.tensor(name, &[1], 0, 0);
        }
        assert_eq!(read(&file).as_ref(), Ok(&fixture.spec), "{}", fixture.name);
        added += names.len();
    }
    assert!(added > 500, "{added}");
}

/// Any model may end in blocks that predict further tokens: they are as if they were not there.
#[test]
fn blocks_that_predict_further_tokens_change_nothing() {
    let mut ran = 0;
    for fixture in fixtures() {
        let arch = fixture.header.metadata.str("general.architecture").unwrap();
        let key = |name: &str| format!("{arch}.{name}");
        let layers = fixture.header.metadata.u64(&key("block_count")).unwrap();
        if fixture.header.metadata.get(&key("nextn_predict_layers")).is_some() {
            continue;
        }
        let mut file = Gguf::of(&fixture.header);
        let last = format!("blk.{}.", layers - 1);
        let like = fixture.header.tensors.iter().filter(|t| t.name.starts_with(&last));
        for t in like {
            let name = t.name.replace(&last, &format!("blk.{layers}."));
            file.tensor(&name, &t.dims, t.type_id, 0);
        }
        let eh_proj = format!("blk.{layers}.nextn.eh_proj.weight");
        file.tensor(&eh_proj, &[64, 32], 0, 0);
        let mut set = |name: &str, value: Value| {
            let (type_id, payload) = encode(&value);
            file.set(&key(name), type_id, payload);
        };
        set("block_count", Value::U32(layers as u32 + 1));
        set("nextn_predict_layers", Value::U32(1));
        for list in ["attention.head_count_kv", "feed_forward_length", "attention.sliding_window_pattern"] {
            // Lists have an entry for every block.
            let longer = match fixture.header.metadata.get(&key(list)) {
                Some(Value::Array(Array::I32(list))) => Array::I32([&list[..], &[1]].concat()),
                Some(Value::Array(Array::U32(list))) => Array::U32([&list[..], &[1]].concat()),
                Some(Value::Array(Array::Bool(list))) => Array::Bool([&list[..], &[true]].concat()),
                _ => continue,
            };
            set(list, Value::Array(longer));
        }
        if fixture.header.metadata.get(&key("attention.shared_kv_layers")).is_none() {
            assert_eq!(read(&file).as_ref(), Ok(&fixture.spec), "{}", fixture.name);
            ran += 1;
        }
        // What does not belong to such a block is refused there too.
        file.tensor(&format!("blk.{layers}.extra.weight"), &[32], 0, 0);
        let error = read(&file).unwrap_err();
        assert!(error.contains(&format!("blk.{layers}.extra.weight")), "{error}");
    }
    assert!(ran > 50, "{ran}");
}

/// Queries, keys and values in one matrix, with biases apart: all three of them, or none.
#[test]
fn biases_apart_are_there_together() {
    let fixture = fixtures().into_iter().find(|f| f.name == "qwen2-apart").unwrap();
    for name in ["q", "k", "v"].map(|n| format!("blk.0.attn_{n}.bias")) {
        let mut file = Gguf::of(&fixture.header);
        file.tensors.retain(|t| t.name != name.as_bytes());
        let error = read(&file).unwrap_err();
        assert!(error.contains(&name), "{error}");
    }
}

/// Older converters left keys out whose values all models had.
#[test]
fn keys_that_older_files_leave_out_have_their_models_values() {
    let fixture = fixtures().into_iter().find(|f| f.name == "minicpm").unwrap();
    let arch = |name: &str| format!("minicpm.{name}");
    let layers = fixture.header.metadata.u64(&arch("block_count")).unwrap();
    let width = fixture.header.metadata.u64(&arch("embedding_length")).unwrap();
    let names = ["embedding_scale", "residual_scale", "logit_scale"].map(arch);
    let mut without = Gguf::of(&fixture.header);
    without.keys.retain(|k| !names.iter().any(|name| k.name == name.as_bytes()));
    let mut said = without.clone();
    let values = [12.0, 1.4 / (layers as f32).sqrt(), width as f32 / 256.0];
    for (name, value) in names.iter().zip(values) {
        let (type_id, payload) = encode(&Value::F32(value));
        said.key(name, type_id, payload);
    }
    assert_eq!(read(&without), read(&said));
    assert!(read(&without).is_ok());
}

/// Qwen 3.5 as an embedding model may end in a matrix, which as a language model it does not use.
#[test]
fn a_matrix_behind_the_last_norm_is_read() {
    let fixture = fixtures().into_iter().find(|f| f.name == "qwen35").unwrap();
    let width = fixture.header.metadata.u64("qwen35.embedding_length").unwrap();
    for pooling in [1_u32, 3] {
        let mut file = Gguf::of(&fixture.header);
        file.set("qwen35.pooling_type", 4, pooling.to_le_bytes());
        file.tensor("cls.output.weight", &[width, width], 0, 0);
        file.tensor("cls.output.bias", &[width], 0, 0);
        assert!(read(&file).unwrap().contains("\"cls.output.bias\""));
        file.set("qwen35.embedding_length_out", 4, 24_u32.to_le_bytes());
        let error = read(&file).unwrap_err();
        assert!(error.contains("cls.output.weight"), "{error}");
    }
}

/// llama.cpp leaves the model's own norms in their place.
#[test]
fn norms_in_an_adapter_are_passed_over() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let open = |name: &str| {
        let bytes = std::fs::read(dir.join(name)).unwrap();
        gguf_builder::read(&bytes, Some(bytes.len() as u64))
    };
    let spec = models::read(&open("models/llama-tied.F16.gguf")).unwrap();
    let mut adapter = open("lora/all-f32.gguf");
    let before = models::Lora::read(&adapter, &spec).unwrap();
    let mut add =
        |name: &str| adapter.tensors.push(TensorInfo { name: name.to_owned(), ..adapter.tensors[0].clone() });
    add("blk.0.attn_norm.weight");
    add("output_norm.weight");
    let after = models::Lora::read(&adapter, &spec).unwrap();
    assert_eq!(before.pairs.len(), after.pairs.len());
    adapter.tensors.push(TensorInfo { name: "blk.0.attn_q.bias".to_owned(), ..adapter.tensors[0].clone() });
    let error = models::Lora::read(&adapter, &spec).unwrap_err().to_string();
    assert!(error.contains("blk.0.attn_q.bias"), "{error}");
}

/// Layers that read the cache of another may have keys and values of their own, which nobody reads.
#[test]
fn keys_of_a_layer_that_shares_a_cache_are_passed_over() {
    let fixture = fixtures().into_iter().find(|f| f.name == "gemma4-e2b").unwrap();
    let tensors = &fixture.header.tensors;
    let shared: Vec<&str> = tensors
        .iter()
        .filter_map(|t| t.name.strip_suffix("attn_q.weight"))
        .filter(|p| !tensors.iter().any(|t| t.name == format!("{p}attn_k.weight")))
        .collect();
    assert!(!shared.is_empty());
    let shape_of = |name: &str| tensors.iter().find(|t| t.name == name).unwrap();
    for p in shared {
        // As in the first layer whose heads are as long.
        let norm = shape_of(&format!("{p}attn_q_norm.weight")).cols();
        let own = |t: &&TensorInfo| t.name.ends_with("attn_k_norm.weight") && t.cols() == norm;
        let like = tensors.iter().find(own).unwrap().name.trim_end_matches("attn_k_norm.weight");
        let mut file = Gguf::of(&fixture.header);
        for name in ["attn_k.weight", "attn_v.weight", "attn_k_norm.weight"] {
            let of = shape_of(&format!("{like}{name}"));
            file.tensor(&format!("{p}{name}"), &of.dims, of.type_id, 0);
        }
        assert_eq!(read(&file).as_ref(), Ok(&fixture.spec), "{p}");
        let mut file = Gguf::of(&fixture.header);
        file.tensor(&format!("{p}attn_k.weight"), &[32, 32], 0, 0);
        let error = read(&file).unwrap_err();
        assert!(error.contains(&format!("{p}attn_k.weight")), "{error}");
    }
}

#[test]
fn a_tensor_of_another_shape_or_of_an_unknown_type_is_named() {
    let mut outcome = Outcome::default();
    for fixture in fixtures() {
        for (i, tensor) in fixture.header.tensors.iter().enumerate() {
            let name = tensor.name.as_str();
            let mut file = Gguf::of(&fixture.header);
            file.tensors[i].type_id = UNKNOWN_TYPE;
            let unread = fixture.unread(name);
            outcome.judge(&fixture, &file, &format!("{name} of an unknown type"), &[name], unread);
            let (block_len, _) = block_shape(tensor.type_id).unwrap();
            for axis in 0..tensor.dims.len() {
                let (len, step) = (tensor.dims[axis], if axis == 0 { block_len } else { 1 });
                for changed in [len + step, 2 * len, len - step, len / 2] {
                    if changed == 0 || changed % step != 0 {
                        continue;
                    }
                    let mut file = Gguf::of(&fixture.header);
                    file.tensors[i].dims[axis] = changed;
                    let change = format!("{name}: {changed} instead of {len} in dimension {axis}");
                    outcome.judge(&fixture, &file, &change, &[name], unread);
                }
            }
        }
    }
    outcome.check("tensors of another shape or type");
}

/// Keys without which a file is another whole model, and what holds then, as in llama.cpp. Where another part of the file
/// contradicts that, the file is refused for that part.
const DEFAULTS: [(&str, &str); 36] = [
    ("lfm2.embedding_length_out", "the width; where the matrix has another, the matrix is named"),
    ("minicpm.rope.scaling.factor", "1"),
    ("gemma2.attention.sliding_window", "4096"),
    ("gemma2.attn_logit_softcapping", "50"),
    ("gemma2.final_logit_softcapping", "30"),
    ("minicpm.embedding_scale", "12"),
    ("minicpm.residual_scale", "1.4 / sqrt(layers)"),
    ("minicpm.logit_scale", "the width divided by 256"),
    ("olmo2.attention.sliding_window", "every layer sees everything"),
    ("lfm2.attention.sliding_window", "every layer sees everything"),
    ("olmo2.rope.scaling.original_context_length", "the whole context"),
    ("rope.scale_linear", "1"),
    ("nextn_predict_layers", "every block runs"),
    ("expert_weights_scale", "1"),
    ("attention.scale", "1 / sqrt(head length)"),
    ("attention.head_count_kv", "as many as there are heads"),
    ("attention.key_length", "the width divided by the heads"),
    ("attention.key_length_swa", "the length in other layers"),
    ("attention.value_length_swa", "the length in other layers"),
    ("attention.shared_kv_layers", "every layer has keys and values of its own"),
    ("attention.temperature_scale", "queries are as they are at every position"),
    ("expert_feed_forward_length", "experts are as wide as feed_forward_length says"),
    ("pooling_type", "the model writes text"),
    ("rope.freq_base", "10000"),
    ("rope.dimension_count_swa", "the length in other layers"),
    ("rope.scaling.attn_factor", "1"),
    ("rope.scaling.yarn_beta_fast", "32"),
    ("rope.scaling.yarn_beta_slow", "1"),
    ("rope.scaling.yarn_log_multiplier", "none"),
    ("tokenizer.ggml.token_type", "every token is an ordinary one"),
    ("tokenizer.ggml.pre", "rules that llama.cpp calls default"),
    ("tokenizer.ggml.bos_token_id", ROLE),
    ("tokenizer.ggml.eos_token_id", ROLE),
    ("tokenizer.ggml.seperator_token_id", ROLE),
    ("tokenizer.ggml.add_eos_token", "false"),
    ("tokenizer.ggml.add_space_prefix", "true for SentencePiece"),
];
/// Where it is false, no other key of the rotation is read.
const ROTATES: &str = "rope.scaling.finetuned";
const ROLE: &str = "the id that the tokenizer's kind has for it, or none";

/// Values that look absurd and are in use, and why. An empty string stands for every value.
const IN_USE: [(&str, &str, &str); 20] = [
    ("lfm2.pooling_type", "0", "the model writes text"),
    ("nextn_predict_layers", "0", "every block runs"),
    ("qwen35moe.feed_forward_length", "0", "every layer has experts, whose width is another key"),
    ("n_deepstack_layers", "", "for images, which nothing reads"),
    ("gpt-oss.feed_forward_length", "0", "every layer has experts, whose width is another key"),
    ("qwen2moe.feed_forward_length", "0", "every layer has experts, whose width is another key"),
    ("_token_id", "0", "a token"),
    ("_token_id", "negative", NONE),
    ("_token_id", "huge", NONE),
    ("rope.dimension_sections", "", "for images, which nothing reads"),
    ("full_attention_interval", "", "which tensors a layer has says it"),
    ("dense_2_feat_in", "", "the width says it"),
    ("dense_3_feat_in", "", "dense_2_feat_out says it"),
    ("qwen3moe.feed_forward_length", "0", "every layer has experts, whose width is another key"),
    ("qwen3.pooling_type", "0", "the model writes text"),
    ("gemma4.embedding_length_per_layer_input", "0", "larger models have no such inputs"),
    ("gemma4.attention.shared_kv_layers", "0", "every layer has keys and values of its own"),
    ("phi3.attention.sliding_window", "0", "every layer sees everything"),
    ("mistral3.attention.temperature_scale", "0", "queries are as they are at every position"),
    ("mistral3.rope.scaling.yarn_log_multiplier", "0", "none"),
];
const NONE: &str = "converters write 2^32 - 1 and the like for a token that there is not";

/// Values out of all reason for a key.
fn absurd(value: &Value, layers: usize) -> Vec<(&'static str, Value)> {
    let text = || Value::Str("absurd".to_owned());
    let list = |len| Value::Array(Array::U32(vec![1; len]));
    match value {
        Value::Bool(_) => vec![("a text", text()), ("a number", Value::U32(7))],
        Value::Str(_) => vec![("a number", Value::U32(7)), ("an unknown text", text())],
        Value::F32(_) => vec![
            ("0", Value::F32(0.0)),
            ("negative", Value::F32(-1.0)),
            ("huge", Value::F32(f32::MAX)),
            ("infinite", Value::F32(f32::INFINITY)),
            ("not a number", Value::F32(f32::NAN)),
            ("a text", text()),
        ],
        Value::Array(Array::Bool(list)) => vec![
            ("too short", Value::Array(Array::Bool(list[1..].to_vec()))),
            ("too long", Value::Array(Array::Bool([&list[..], &[true]].concat()))),
            ("a list of texts", Value::Array(Array::Str(vec!["absurd".to_owned(); list.len()]))),
        ],
        Value::Array(Array::U32(numbers)) => {
            numbers_absurd(&numbers.iter().map(|&n| n.into()).collect::<Vec<_>>())
        }
        Value::Array(Array::I32(numbers)) => {
            numbers_absurd(&numbers.iter().map(|&n| n.into()).collect::<Vec<_>>())
        }
        _ => vec![
            ("0", Value::U32(0)),
            ("negative", Value::I32(-1)),
            ("huge", Value::U32(u32::MAX)),
            ("not whole", Value::F32(1.5)),
            ("a list that is too long", list(layers + 1)),
            ("a text", text()),
        ],
    }
}

fn numbers_absurd(numbers: &[i64]) -> Vec<(&'static str, Value)> {
    vec![
        ("too short", Value::Array(Array::I64(numbers[1..].to_vec()))),
        ("too long", Value::Array(Array::I64([numbers, &[1]].concat()))),
        ("negative", Value::Array(Array::I64(vec![-1; numbers.len()]))),
        ("huge", Value::Array(Array::I64(vec![i64::MAX; numbers.len()]))),
        ("a list of texts", Value::Array(Array::Str(vec!["absurd".to_owned(); numbers.len()]))),
    ]
}

#[test]
fn a_key_missing_or_absurd_is_named() {
    let mut outcome = Outcome::default();
    for fixture in fixtures() {
        let arch = fixture.header.metadata.str("general.architecture").unwrap();
        let layers = fixture.header.metadata.u64(&format!("{arch}.block_count")).unwrap() as usize;
        for (i, (name, value)) in fixture.header.metadata.iter().enumerate() {
            let short = name.strip_prefix(&format!("{arch}.")).unwrap_or(name);
            if short == "tokenizer.chat_template"
                || (short.starts_with("general.") && short != "general.architecture")
                || (short == "tokenizer.ggml.pre" && !fixture.byte_level)
                || (fixture.name.starts_with("granitehybrid")
                    && short.starts_with("rope.")
                    && short != ROTATES)
                || (arch == "starcoder" && short.starts_with("rope."))
            {
                continue; // Nothing that is tested here reads it.
            }
            let mut file = Gguf::of(&fixture.header);
            file.keys.remove(i);
            let says_nothing = (read(&file).as_ref() == Ok(&fixture.spec)).then_some("all is as before");
            let default = DEFAULTS.iter().find(|d| d.0 == short || d.0 == name).map(|d| d.1);
            let names = [name, "architecture \"\""];
            outcome.judge(&fixture, &file, &format!("{name} missing"), &names, says_nothing.or(default));
            for (what, value) in absurd(value, layers) {
                let mut file = Gguf::of(&fixture.header);
                (file.keys[i].type_id, file.keys[i].payload) = encode(&value);
                let in_use = IN_USE
                    .iter()
                    .find(|u| name.ends_with(u.0) && (what == u.1 || u.1.is_empty()))
                    .map(|u| u.2);
                outcome.judge(&fixture, &file, &format!("{name}: {what}"), &[name, "\"absurd\""], in_use);
            }
        }
    }
    outcome.check("keys missing or absurd");
}
