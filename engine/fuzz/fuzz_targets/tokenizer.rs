//! Any metadata: `check_metadata` never panics; what it accepts makes a tokenizer or a typed error; and a tokenizer, however
//! odd its vocabulary, gives only ids that it has, decodes them, and streams them as whole characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pith_engine::chat::TextPart;
use pith_engine::gguf::{Array, Metadata, Value, check_metadata};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};

const MODELS: [&str; 7] = ["gpt2", "llama", "bert", "t5", "gemma4", "none", "another"];
const PRES: [&str; 10] =
    ["default", "gpt-2", "llama-bpe", "qwen2", "smollm", "tekken", "qwen35", "lfm2", "glm4", "another"];

/// Keys with the type that they should have.
const KEYS: [(&str, Natural); 34] = [
    ("tokenizer.ggml.scores", Natural::Scores),
    ("tokenizer.ggml.token_type", Natural::Kinds),
    ("tokenizer.ggml.merges", Natural::Strings),
    ("tokenizer.ggml.bos_token_id", Natural::Id),
    ("tokenizer.ggml.eos_token_id", Natural::Id),
    ("tokenizer.ggml.eot_token_id", Natural::Id),
    ("tokenizer.ggml.eom_token_id", Natural::Id),
    ("tokenizer.ggml.unknown_token_id", Natural::Id),
    ("tokenizer.ggml.seperator_token_id", Natural::Id),
    ("tokenizer.ggml.padding_token_id", Natural::Id),
    ("tokenizer.ggml.cls_token_id", Natural::Id),
    ("tokenizer.ggml.mask_token_id", Natural::Id),
    ("tokenizer.ggml.add_bos_token", Natural::Truth),
    ("tokenizer.ggml.add_eos_token", Natural::Truth),
    ("tokenizer.ggml.add_sep_token", Natural::Truth),
    ("tokenizer.ggml.add_space_prefix", Natural::Truth),
    ("tokenizer.ggml.remove_extra_whitespaces", Natural::Truth),
    ("tokenizer.ggml.normalizer.lowercase", Natural::Truth),
    ("tokenizer.ggml.normalizer.strip_accents", Natural::Truth),
    ("tokenizer.ggml.precompiled_charsmap", Natural::Bytes),
    ("general.name", Natural::Text),
    ("general.architecture", Natural::Architecture),
    ("llama.block_count", Natural::Id),
    ("llama.context_length", Natural::Id),
    ("llama.embedding_length", Natural::Id),
    ("llama.feed_forward_length", Natural::Ids),
    ("llama.attention.head_count", Natural::Ids),
    ("llama.attention.head_count_kv", Natural::Ids),
    ("llama.attention.key_length", Natural::Id),
    ("llama.attention.layer_norm_rms_epsilon", Natural::Number),
    ("llama.rope.freq_base", Natural::Number),
    ("llama.expert_count", Natural::Id),
    ("llama.expert_used_count", Natural::Id),
    ("llama.vocab_size", Natural::Id),
];

#[derive(Clone, Copy)]
enum Natural {
    Scores,
    Kinds,
    Strings,
    Id,
    Ids,
    Truth,
    Bytes,
    Text,
    Number,
    Architecture,
}

/// The input as a source of choices; zeros behind its end.
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn text(&mut self, len_max: usize) -> String {
        let len = (usize::from(self.byte()) % (len_max + 1)).min(self.0.len());
        let (text, rest) = self.0.split_at(len);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    fn texts(&mut self) -> Vec<String> {
        (0..self.byte() % 32).map(|_| self.text(12)).collect()
    }

    fn float(&mut self) -> f32 {
        const ODD: [f32; 6] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MAX, f32::MIN_POSITIVE];
        let byte = self.byte();
        ODD.get(usize::from(byte)).copied().unwrap_or(f32::from(byte) - 128.0)
    }
}

fuzz_target!(|input: &[u8]| {
    let mut source = Source(input);
    let metadata = metadata(&mut source);
    if check_metadata(&metadata).is_err() {
        return;
    }
    let Ok(tokenizer) = Tokenizer::from_metadata(&metadata) else { return };
    let text = String::from_utf8_lossy(source.0).into_owned();
    let mut ids: Vec<u32> = Vec::new();
    for (add_special, parse_special) in [(false, false), (true, false), (true, true)] {
        match tokenizer.encode(&text, EncodeOptions { add_special, parse_special }) {
            Ok(more) => ids.extend(more),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let pieces = [TextPart { text: text.clone(), trusted: false }, TextPart { text, trusted: true }];
    ids.extend(tokenizer.encode_parts(&pieces).unwrap_or_default());
    let vocab_len = tokenizer.vocab_len() as u32;
    assert!(ids.iter().all(|id| *id < vocab_len), "an id beyond the vocabulary");
    ids.extend([0, vocab_len, u32::MAX]);
    for render_special in [false, true] {
        tokenizer.decode(&ids, render_special);
    }
    let (mut stream, pieces, mut bytes) = (tokenizer.detokenizer(), tokenizer.pieces(), Vec::new());
    for id in &ids {
        stream.push(*id);
        pieces.push(*id, &mut bytes);
        tokenizer.token_text(*id);
        tokenizer.is_end(*id);
    }
    stream.finish();
    tokenizer.truncate(&mut ids, 3);
    assert!(ids.len() <= 3);
});

fn metadata(source: &mut Source) -> Metadata {
    let mut metadata = Metadata::default();
    let model = MODELS[usize::from(source.byte()) % MODELS.len()];
    let pre = PRES[usize::from(source.byte()) % PRES.len()];
    let mut tokens = base_tokens(source.byte());
    tokens.extend(source.texts());
    let tokens_len = tokens.len();
    metadata.insert("tokenizer.ggml.model".to_owned(), Value::Str(model.to_owned()));
    metadata.insert("tokenizer.ggml.pre".to_owned(), Value::Str(pre.to_owned()));
    metadata.insert("tokenizer.ggml.tokens".to_owned(), Value::Array(Array::Str(tokens)));
    for _ in 0..source.byte() % 24 {
        let (key, natural) = KEYS[usize::from(source.byte()) % KEYS.len()];
        let value =
            if source.byte() < 230 { natural_value(source, natural, tokens_len) } else { any_value(source) };
        metadata.insert(key.to_owned(), value);
    }
    metadata
}

/// The alphabets that real vocabularies begin with, so that not every text is unknown.
fn base_tokens(which: u8) -> Vec<String> {
    let plain = |c: char| c.is_ascii_graphic() || matches!(c, '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}');
    match which % 4 {
        0 => Vec::new(),
        1 => {
            let moved = (0..=255_u8).map(char::from).filter(|c| !plain(*c)).count() as u32;
            let moved = (0..moved).filter_map(|i| char::from_u32(256 + i));
            (0..=255_u8).map(char::from).filter(|c| plain(*c)).chain(moved).map(String::from).collect()
        }
        2 => ["<unk>", "<s>", "</s>"]
            .map(str::to_owned)
            .into_iter()
            .chain((0..=255_u8).map(|byte| format!("<0x{byte:02X}>")))
            .chain(["▁", "a", "▁a"].map(str::to_owned))
            .collect(),
        _ => ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##a", "b", "##b", "▁a", "▁b"]
            .map(str::to_owned)
            .to_vec(),
    }
}

fn natural_value(source: &mut Source, natural: Natural, tokens_len: usize) -> Value {
    match natural {
        Natural::Scores => Value::Array(Array::F32((0..tokens_len).map(|_| source.float()).collect())),
        Natural::Kinds => {
            Value::Array(Array::I32((0..tokens_len).map(|_| i32::from(source.byte() % 8)).collect()))
        }
        Natural::Strings => Value::Array(Array::Str(source.texts())),
        Natural::Id => Value::U32(match source.byte() {
            255 => u32::MAX,
            254 => tokens_len as u32,
            byte => byte.into(),
        }),
        Natural::Ids => {
            Value::Array(Array::I32((0..source.byte() % 8).map(|_| source.byte().into()).collect()))
        }
        Natural::Truth => Value::Bool(source.byte() % 2 == 1),
        Natural::Bytes => Value::Array(Array::U8(source.text(64).into_bytes())),
        Natural::Text => Value::Str(source.text(24)),
        Natural::Number => Value::F32(source.float()),
        Natural::Architecture => {
            Value::Str(if source.byte() < 200 { "llama".to_owned() } else { source.text(8) })
        }
    }
}

fn any_value(source: &mut Source) -> Value {
    match source.byte() % 16 {
        0 => Value::U8(source.byte()),
        1 => Value::I8(source.byte() as i8),
        2 => Value::I32(-i32::from(source.byte())),
        3 => Value::I64(-i64::from(source.byte())),
        4 => Value::U64(u64::MAX - u64::from(source.byte())),
        5 => Value::F32(source.float()),
        6 => Value::F64(source.float().into()),
        7 => Value::Bool(true),
        8 => Value::Str(source.text(16)),
        9 => Value::Array(Array::Str(source.texts())),
        10 => Value::Array(Array::F32((0..source.byte()).map(|_| source.float()).collect())),
        11 => Value::Array(Array::I32((0..source.byte()).map(|_| i32::from(source.byte()) - 128).collect())),
        12 => Value::Array(Array::U64(
            (0..source.byte()).map(|_| u64::MAX / u64::from(source.byte().max(1))).collect(),
        )),
        13 => Value::Array(Array::Bool(vec![true; source.byte().into()])),
        14 => Value::Array(Array::F64(Vec::new())),
        _ => Value::U32(u32::from(source.byte()) << (source.byte() % 25)),
    }
}
