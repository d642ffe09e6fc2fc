//! Vocabularies of unknown origin, and texts of any size.

use pith_engine::gguf::{Array, Metadata, Value};
use pith_engine::tokenizer::{EncodeOptions, TEXT_LEN_MAX_BYTES, Tokenizer};

pub const PARSED: EncodeOptions = EncodeOptions { add_special: true, parse_special: true };
pub const PLAIN: EncodeOptions = EncodeOptions { add_special: false, parse_special: false };

pub fn text(value: &str) -> Value {
    Value::Str(value.into())
}

fn texts(values: &[&str]) -> Value {
    Value::Array(Array::Str(values.iter().map(|&value| value.into()).collect()))
}

/// Keys without the common prefix.
pub fn metadata(entries: &[(&str, Value)]) -> Metadata {
    let mut metadata = Metadata::default();
    for (key, value) in entries {
        metadata.insert(format!("tokenizer.ggml.{key}"), value.clone());
    }
    metadata
}

#[test]
fn each_fault_has_its_error() {
    let tokens = texts(&["<unk>", "<s>", "</s>", "a", "b", "ab"]);
    let types = |n| Value::Array(Array::I32(vec![1; n]));
    let scores = |values: &[f32]| Value::Array(Array::F32(values.to_vec()));
    let fine = scores(&[0.0; 6]);
    let gpt2 = |more: &[(&'static str, Value)]| {
        let mut entries =
            vec![("model", text("gpt2")), ("tokens", tokens.clone()), ("merges", texts(&["a b"]))];
        entries.extend_from_slice(more);
        entries
    };
    let llama = |more: &[(&'static str, Value)]| {
        let mut entries = vec![("model", text("llama")), ("tokens", tokens.clone())];
        entries.extend_from_slice(more);
        entries
    };
    let cases: Vec<(&str, Vec<(&str, Value)>)> = vec![
        ("no_tokenizer", vec![]),
        ("no_tokenizer", vec![("model", text("no_vocab"))]),
        ("tokenizer_wrong_type", vec![("model", Value::U32(7))]),
        ("tokenizer_missing_key", vec![("tokens", tokens.clone())]),
        ("unsupported_tokenizer", vec![("model", text("rwkv")), ("tokens", tokens.clone())]),
        ("unsupported_tokenizer", vec![("model", text("plamo2")), ("tokens", tokens.clone())]),
        ("unsupported_tokenizer", vec![("model", text("hybriddna")), ("tokens", tokens.clone())]),
        ("unsupported_pre_tokenizer", gpt2(&[("pre", text("no-such-rules"))])),
        ("tokenizer_missing_key", vec![("model", text("llama"))]),
        ("tokenizer_missing_key", llama(&[])),
        ("tokenizer_missing_key", vec![("model", text("gpt2")), ("tokens", tokens.clone())]),
        ("tokenizer_missing_key", vec![("model", text("t5")), ("tokens", tokens.clone())]),
        ("tokenizer_wrong_type", vec![("model", text("llama")), ("tokens", Value::U32(1))]),
        ("tokenizer_wrong_type", vec![("model", text("llama")), ("tokens", fine.clone())]),
        ("tokenizer_wrong_type", llama(&[("scores", tokens.clone())])),
        ("tokenizer_wrong_type", llama(&[("token_type", fine.clone())])),
        (
            "tokenizer_wrong_type",
            vec![("model", text("gpt2")), ("tokens", tokens.clone()), ("merges", fine.clone())],
        ),
        ("tokenizer_wrong_length", llama(&[("scores", scores(&[0.0; 5]))])),
        ("tokenizer_wrong_length", llama(&[("scores", scores(&[0.0; 7]))])),
        ("tokenizer_wrong_length", llama(&[("token_type", types(5))])),
        ("tokenizer_bad_score", llama(&[("scores", scores(&[0.0, 0.0, f32::NAN, 0.0, 0.0, 0.0]))])),
        ("tokenizer_bad_score", llama(&[("scores", scores(&[0.0, 0.0, f32::INFINITY, 0.0, 0.0, 0.0]))])),
        ("tokenizer_duplicate_token", vec![("model", text("llama")), ("tokens", texts(&["a", "b", "a"]))]),
        ("tokenizer_missing_special_token", gpt2(&[("add_bos_token", Value::Bool(true))])),
        ("tokenizer_missing_special_token", gpt2(&[("add_eos_token", Value::Bool(true))])),
        ("tokenizer_missing_special_token", vec![("model", text("bert")), ("tokens", tokens.clone())]),
        (
            "tokenizer_missing_special_token",
            vec![("model", text("llama")), ("tokens", texts(&[])), ("scores", scores(&[]))],
        ),
    ];
    for (code, entries) in cases {
        let error = Tokenizer::from_metadata(&metadata(&entries)).expect_err(code);
        assert_eq!(error.code(), code, "{entries:?}: {error}");
    }
}

#[test]
fn a_vocabulary_with_nothing_in_it_encodes_nothing() {
    let empty = metadata(&[
        ("model", text("gpt2")),
        ("tokens", texts(&[])),
        ("merges", texts(&["", " ", "a", "  ", "é ü"])),
    ]);
    let tokenizer = Tokenizer::from_metadata(&empty).unwrap();
    assert_eq!(tokenizer.encode("Hello wörld\n", PARSED).unwrap(), Vec::<u32>::new());
    assert_eq!((tokenizer.vocab_len(), tokenizer.bos(), tokenizer.eos()), (0, None, None));
    assert_eq!(tokenizer.decode(&[0, 1, u32::MAX], true), b"");
    assert_eq!(tokenizer.token_text(0), None);
    assert!(!tokenizer.is_end(0) && tokenizer.ends().is_empty());
    let mut detokenizer = tokenizer.detokenizer();
    assert_eq!(detokenizer.push(u32::MAX) + &detokenizer.finish(), "");
}

#[test]
fn characters_are_never_split() {
    let mut tokens: Vec<String> = (0..=255u32).map(|byte| format!("<0x{byte:02X}>")).collect();
    tokens.extend(["<unk>".into(), "<s>".into(), "\u{2581}".into()]);
    let mut types = vec![6; 256];
    types.extend([2, 3, 1]);
    let metadata = metadata(&[
        ("model", text("llama")),
        ("tokens", Value::Array(Array::Str(tokens))),
        ("scores", Value::Array(Array::F32(vec![0.0; types.len()]))),
        ("token_type", Value::Array(Array::I32(types))),
        ("add_bos_token", Value::Bool(false)),
        ("unknown_token_id", Value::U32(256)),
    ]);
    let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
    let page = "a é 你 🚀 e\u{301}\u{200d}";
    let ids = tokenizer.encode(page, PLAIN).unwrap();
    let mut detokenizer = tokenizer.detokenizer();
    let pieces: Vec<String> = ids.iter().map(|&id| detokenizer.push(id)).collect();
    assert_eq!(pieces.concat() + &detokenizer.finish(), format!(" {page}"));
    assert!(pieces.iter().all(|piece| piece.chars().count() <= 1));
    assert_eq!(tokenizer.decode(&ids, false), page.as_bytes());
    // Bytes that are no character: the replacement character, at once where it is certain.
    let mut detokenizer = tokenizer.detokenizer();
    assert_eq!(detokenizer.push(0xff), "\u{fffd}");
    assert_eq!(detokenizer.push(0xe4), "");
    assert_eq!(detokenizer.push(0xbd), "");
    assert_eq!(detokenizer.push(0x41), "\u{fffd}A");
    assert_eq!(detokenizer.push(0xf0), "");
    assert_eq!(detokenizer.finish(), "\u{fffd}");
    assert_eq!(detokenizer.finish(), "");
    // A token of a kind that is not shown, and one beyond the vocabulary.
    assert_eq!(detokenizer.push(257) + &detokenizer.push(9_999), "");
    assert_eq!(tokenizer.detokenizer().with_special().push(257), "<s>");
}

#[test]
fn a_megabyte_without_a_break_is_encoded() {
    // One word without a break, of characters that merge all the way up: what a quadratic queue would choke on.
    let powers: Vec<String> = (0..12).map(|power| "a".repeat(1 << power)).collect();
    let merges: Vec<String> = powers[..11].iter().map(|part| format!("{part} {part}")).collect();
    let mut spm = vec!["<unk>".to_owned(), "<s>".into(), "</s>".into(), "\u{2581}".into()];
    spm.extend(powers.clone());
    let scores = (0..spm.len()).map(|id| -(id as f32)).collect();
    let mut wordpiece = spm.clone();
    wordpiece.extend((0..100).map(|i| format!("[unused{i}]")));
    let array = |texts: Vec<String>| Value::Array(Array::Str(texts));
    let models = [
        metadata(&[
            ("model", text("gpt2")),
            ("pre", text("gpt-2")),
            ("tokens", array(powers)),
            ("merges", array(merges)),
        ]),
        metadata(&[
            ("model", text("llama")),
            ("tokens", array(spm)),
            ("scores", Value::Array(Array::F32(scores))),
        ]),
        metadata(&[("model", text("bert")), ("tokens", array(wordpiece))]),
    ];
    for metadata in models {
        let name = metadata.str("tokenizer.ggml.model").unwrap().to_owned();
        let tokenizer = Tokenizer::from_metadata(&metadata).unwrap();
        // A queue that were quadratic would take hours. (Steps are counted in the modules' own tests.)
        let ids = tokenizer.encode(&"a".repeat(1 << 20), PLAIN).unwrap();
        println!("{name}: {} tokens", ids.len());
        assert_eq!(tokenizer.decode(&ids, false).iter().filter(|&&byte| byte == b'a').count(), 1 << 20);
    }
}

#[test]
fn a_text_beyond_the_limit_is_refused() {
    let tokenizer = Tokenizer::from_metadata(&metadata(&[
        ("model", text("gpt2")),
        ("tokens", texts(&["a"])),
        ("merges", texts(&[])),
    ]))
    .unwrap();
    let error = tokenizer.encode(&"a".repeat(TEXT_LEN_MAX_BYTES + 1), PLAIN).unwrap_err();
    assert_eq!(error.code(), "text_too_long");
}

#[test]
fn no_metadata_panics() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    let parts = [
        "a", "b", "ab", "\u{2581}", " ", "<", ">", "<0x41>", "<0x", "é", "Ġ", "你", "\n", "", "<s>", "[UNK]",
        "\u{0}", "🚀",
    ];
    let models = ["gpt2", "llama", "bert", "t5", "gemma4"];
    let mut built = 0;
    for _ in 0..4_000 {
        let len = next() % 24;
        let mut tokens: Vec<String> =
            (0..len).map(|_| parts[next() % parts.len()].to_owned() + parts[next() % parts.len()]).collect();
        if next() % 8 != 0 {
            tokens.sort();
            tokens.dedup();
        }
        let merges = (0..next() % 12)
            .map(|_| format!("{} {}", parts[next() % parts.len()], parts[next() % parts.len()]));
        let merges = merges.collect();
        let ids = |next: &mut dyn FnMut() -> usize| Value::U32((next() % 30) as u32);
        let mut entries = vec![
            ("model", text(models[next() % models.len()])),
            ("pre", text(["default", "gpt-2", "llama-bpe", "tekken", "qwen35", "smollm"][next() % 6])),
            ("merges", Value::Array(Array::Str(merges))),
            ("scores", Value::Array(Array::F32(tokens.iter().map(|_| (next() % 9) as f32 - 4.0).collect()))),
            (
                "token_type",
                Value::Array(Array::I32(tokens.iter().map(|_| (next() % 8) as i32 - 1).collect())),
            ),
            ("tokens", Value::Array(Array::Str(tokens))),
        ];
        for key in [
            "bos_token_id",
            "eos_token_id",
            "unknown_token_id",
            "seperator_token_id",
            "eot_token_id",
            "cls_token_id",
        ] {
            if next() % 2 == 0 {
                entries.push((key, ids(&mut next)));
            }
        }
        for key in ["add_bos_token", "add_eos_token", "add_space_prefix", "remove_extra_whitespaces"] {
            if next() % 3 == 0 {
                entries.push((key, Value::Bool(next() % 2 == 0)));
            }
        }
        let Ok(tokenizer) = Tokenizer::from_metadata(&metadata(&entries)) else { continue };
        built += 1;
        for _ in 0..4 {
            let page: String = (0..next() % 20).map(|_| parts[next() % parts.len()]).collect();
            for options in [PARSED, PLAIN] {
                let ids = tokenizer.encode(&page, options).unwrap();
                assert!(ids.iter().all(|&id| (id as usize) < tokenizer.vocab_len()));
                tokenizer.decode(&ids, true);
            }
        }
    }
    println!("{built} of 4000 could be built");
    assert!(built > 500);
}
