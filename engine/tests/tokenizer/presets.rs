//! Every name of splitting rules that llama.cpp knows.
//!
//! The vocabularies are made up: every two symbols merge, in an order without a pattern, so that a word that begins or
//! ends elsewhere gets other ids. `tokenizer/presets.tsv` holds what llama.cpp (0.5.0-dev) made of them: names that
//! split alike, the alphabet, the kind of tokenizer, and four hexadecimal digits for the ids of each text of
//! `tokenizer/texts.json`.

use std::path::Path;

use pith_engine::gguf::{Array, Metadata, Value};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};

/// Tokens to which no merge leads.
const WHOLE: [&str; 8] = ["Hello", "the", "wORLD", "1234", "IMG", "x.org", "\n\n\n", "你好我"];
/// Prime to the number of pairs of either alphabet: multiples of it visit each pair once.
const STRIDE: usize = 40_503;

/// The last 16 bits of FNV-1a over the ids as little-endian 32-bit numbers.
fn digest(ids: &[u32]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    format!("{:04x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step) & 0xffff)
}

/// GPT-2's printable character for a byte.
fn char_of(byte: u8) -> char {
    let code = match byte {
        0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff => u32::from(byte),
        0..=0x20 => 0x100 + u32::from(byte),
        0x7f..=0xa0 => 0x121 + u32::from(byte) - 0x7f,
        0xad => 0x143,
    };
    char::from_u32(code).unwrap()
}

/// A vocabulary over bytes, or over some characters with tokens for other bytes.
fn metadata(over_bytes: bool, kind: &str, name: &str) -> Metadata {
    let symbols: Vec<char> = if over_bytes {
        (0..=255).map(char_of).collect()
    } else {
        ('!'..='~').chain(['\u{2581}', '\n', ' ', 'é', '你', '好']).collect()
    };
    let spelled =
        |text: &&str| if over_bytes { text.bytes().map(char_of).collect() } else { text.to_string() };
    let pairs = symbols.len() * symbols.len();
    let pair =
        |i: usize| (symbols[i * STRIDE % pairs / symbols.len()], symbols[i * STRIDE % pairs % symbols.len()]);
    let mut tokens: Vec<String> = symbols.iter().map(char::to_string).collect();
    tokens.extend((0..pairs).map(|i| format!("{}{}", pair(i).0, pair(i).1)));
    tokens.extend(WHOLE.iter().map(spelled));
    let mut types = vec![1; tokens.len()];
    if !over_bytes {
        tokens.extend((0..=255).map(|byte: u8| format!("<0x{byte:02X}>")));
        types.resize(tokens.len(), 6);
    }
    let merges = (0..pairs).map(|i| format!("{} {}", pair(i).0, pair(i).1)).collect();
    let mut metadata = Metadata::default();
    for (key, value) in [
        ("model", Value::Str(kind.to_owned())),
        ("pre", Value::Str(name.to_owned())),
        ("tokens", Value::Array(Array::Str(tokens))),
        ("merges", Value::Array(Array::Str(merges))),
        ("token_type", Value::Array(Array::I32(types))),
        ("bos_token_id", Value::U32(0)),
        ("eos_token_id", Value::U32(0)),
    ] {
        metadata.insert(format!("tokenizer.ggml.{key}"), value);
    }
    metadata
}

#[test]
fn every_name_splits_as_in_llama_cpp() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tokenizer");
    let texts = std::fs::read_to_string(data.join("texts.json")).unwrap();
    let texts: Vec<String> = serde_json::from_str(&texts).unwrap();
    let answers = std::fs::read_to_string(data.join("presets.tsv")).unwrap();
    let (mut names, mut wrong) = (0, Vec::new());
    for line in answers.lines() {
        let [alike, alphabet, kind, digests] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert_eq!(digests.len(), 4 * texts.len(), "{alike}");
        for name in alike.split(',') {
            let tokenizer = Tokenizer::from_metadata(&metadata(alphabet == "bytes", kind, name)).unwrap();
            for (text, expected) in texts.iter().zip(digests.as_bytes().chunks(4)) {
                let ids = tokenizer.encode(text, EncodeOptions::default()).unwrap();
                if digest(&ids).as_bytes() != expected {
                    wrong.push(format!("{name} {text:?}: {ids:?}"));
                }
            }
            names += 1;
        }
    }
    println!("{names} names, {} texts each", texts.len());
    assert!(names > 80 && wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}
