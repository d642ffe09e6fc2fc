//! Unigram vocabularies against SentencePiece: `tests/oracle/unigram.json` has vocabularies that it trained, their tables of
//! replacements, and what it makes of texts. PITH_UNIGRAM names another file of that form.

use std::path::Path;

use pith_engine::gguf::{Array, Metadata, Value};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer, TokenizerError};
use serde_json::{Value as Json, json};

fn vocabularies() -> Json {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/unigram.json");
    let path = std::env::var_os("PITH_UNIGRAM").map_or(own, Into::into);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn list<T>(value: &Json, read: impl Fn(&Json) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(read).collect()
}

/// The bytes behind hexadecimal digits.
fn bytes(hex: &Json) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn metadata(vocabulary: &Json, charsmap: Vec<u8>) -> Metadata {
    let mut metadata = Metadata::default();
    let mut put = |key: &str, value: Value| metadata.insert(format!("tokenizer.ggml.{key}"), value);
    put("model", Value::Str("t5".to_owned()));
    put("tokens", Value::Array(Array::Str(list(&vocabulary["tokens"], |t| t.as_str().unwrap().to_owned()))));
    put("scores", Value::Array(Array::F32(list(&vocabulary["scores"], |s| s.as_f64().unwrap() as f32))));
    put("token_type", Value::Array(Array::I32(list(&vocabulary["types"], |t| t.as_i64().unwrap() as i32))));
    put("unknown_token_id", Value::U32(vocabulary["unknown"].as_u64().unwrap() as u32));
    for key in ["add_space_prefix", "remove_extra_whitespaces"] {
        put(key, Value::Bool(vocabulary[key].as_bool().unwrap()));
    }
    if !charsmap.is_empty() {
        put("precompiled_charsmap", Value::Array(Array::U8(charsmap)));
    }
    metadata
}

#[test]
fn texts_have_the_ids_of_sentencepiece() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for (name, vocabulary) in vocabularies().as_object().unwrap() {
        let metadata = metadata(vocabulary, bytes(&vocabulary["charsmap"]));
        let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
        for case in vocabulary["cases"].as_array().unwrap() {
            let text = case["text"].as_str().unwrap();
            let wanted = list(&case["ids"], |id| id.as_u64().unwrap() as u32);
            let options = EncodeOptions { add_special: false, parse_special: false };
            let found = tokenizer.encode(text, options).unwrap();
            ran += 1;
            if found != wanted {
                wrong.push(format!("{name} {text:?}: {found:?}, not {wanted:?}"));
            }
        }
    }
    println!("{ran} texts");
    assert!(wrong.is_empty(), "{} of {ran}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran > 100);
}

/// What no token spells by itself is unknown only where no longer token has it.
#[test]
fn an_unknown_character_is_worse_than_any_token() {
    let vocabulary = json!({
        "tokens": ["<unk>", "a", "b", "xa"], "scores": [0, -1, -2, -9], "types": [2, 1, 1, 1], "unknown": 0,
        "add_space_prefix": false, "remove_extra_whitespaces": false,
    });
    let tokenizer = Tokenizer::from_metadata(&metadata(&vocabulary, Vec::new())).unwrap();
    let options = EncodeOptions { add_special: false, parse_special: false };
    for (text, wanted) in [("xa", vec![3]), ("bxa", vec![2, 3]), ("xb", vec![0, 2]), ("axxb", vec![1, 0, 2])]
    {
        assert_eq!(tokenizer.encode(text, options).unwrap(), wanted, "{text}");
    }
}

/// A damaged table is refused or gives some text, and never ends in a panic.
#[test]
fn damaged_tables_do_no_harm() {
    let all = vocabularies();
    let vocabulary = &all["custom"];
    let table = bytes(&vocabulary["charsmap"]);
    for at in 0..table.len().min(2000) {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = table.clone();
            damaged[at] ^= flip;
            if let Ok(tokenizer) = Tokenizer::from_metadata(&metadata(vocabulary, damaged)) {
                let options = EncodeOptions { add_special: false, parse_special: false };
                tokenizer.encode("\u{ff21}BC \u{bd} caf\u{e9} e\u{301} \u{2026}", options).unwrap();
            }
        }
    }
    let cut = metadata(vocabulary, table[..3].to_vec());
    let key = "tokenizer.ggml.precompiled_charsmap";
    assert_eq!(Tokenizer::from_metadata(&cut).unwrap_err(), TokenizerError::WrongType { key });
}
