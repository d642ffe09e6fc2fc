//! Vocabularies and texts that are made to be slow. Slices are counted, not seconds: the count is the same on every machine.

use crate::hostile::{PARSED, PLAIN, metadata, text};
use pith_engine::gguf::{Array, Value};
use pith_engine::tokenizer::{EncodeOptions, STEPS_PER_SLICE, TOKENS_MAX, Tokenizer};

/// Most steps for a byte of text, whatever the vocabulary: each place has at most one token for each of 256 lengths.
const STEPS_PER_BYTE_MAX: usize = 300;

fn array(texts: Vec<String>) -> Value {
    Value::Array(Array::Str(texts))
}

fn scores(values: impl Iterator<Item = f32>) -> Value {
    Value::Array(Array::F32(values.collect()))
}

fn kinds(len: usize, kind: i32, count: usize) -> Value {
    Value::Array(Array::I32((0..len + count).map(|at| if at < len { 1 } else { kind }).collect()))
}

/// `a`, `aa`, `aaa`, ... up to `len`, each with `behind`.
fn lengths(len: usize, behind: &str) -> Vec<String> {
    (1..=len).map(|len| "a".repeat(len) + behind).collect()
}

fn few() -> Vec<String> {
    ["<unk>", "<s>", "</s>", "\u{2581}"].map(str::to_owned).into()
}

fn llama(words: Vec<String>, score: impl Fn(usize) -> f32, kind: i32) -> Tokenizer {
    let (len, count) = (few().len(), words.len());
    let tokens = [few(), words].concat();
    let scores = scores((0..tokens.len()).map(score));
    let entries = [
        ("model", text("llama")),
        ("tokens", array(tokens)),
        ("scores", scores),
        ("token_type", kinds(len, kind, count)),
    ];
    Tokenizer::from_metadata(&metadata(&entries)).unwrap()
}

fn t5(words: Vec<String>, charsmap: Option<Vec<u8>>) -> Tokenizer {
    let tokens = [few(), words].concat();
    let scores = scores((0..tokens.len()).map(|at| -(at as f32)));
    let mut entries = vec![
        ("model", text("t5")),
        ("tokens", array(tokens)),
        ("scores", scores),
        ("unknown_token_id", Value::U32(0)),
    ];
    entries.extend(charsmap.map(|bytes| ("precompiled_charsmap", Value::Array(Array::U8(bytes)))));
    Tokenizer::from_metadata(&metadata(&entries)).unwrap()
}

fn gpt2(pre: &str, tokens: Vec<String>, merges: Vec<String>) -> Tokenizer {
    let entries = [
        ("model", text("gpt2")),
        ("pre", text(pre)),
        ("tokens", array(tokens)),
        ("merges", array(merges)),
        ("add_bos_token", Value::Bool(false)),
    ];
    Tokenizer::from_metadata(&metadata(&entries)).unwrap()
}

fn bert(words: Vec<String>) -> Tokenizer {
    let unused = (0..110).map(|at| format!("[unused{at}]")).collect();
    // The mark stands before each word.
    let tokens = [unused, words, vec!["\u{2581}".into()]].concat();
    let entries = [("model", text("bert")), ("tokens", array(tokens))];
    Tokenizer::from_metadata(&metadata(&entries)).unwrap()
}

/// A table of replacements whose trie leads from `a` to `a` again, without an end.
fn circle() -> Vec<u8> {
    let mut trie = vec![0_u32; 0x62];
    trie[0x61] = 0x61 | (0x61 << 10);
    let bytes = trie.iter().flat_map(|word| word.to_le_bytes());
    (4 * trie.len() as u32).to_le_bytes().into_iter().chain(bytes).collect()
}

/// Slices that a text takes.
fn slices(tokenizer: &Tokenizer, text: &str, options: EncodeOptions) -> usize {
    let mut encoding = tokenizer.encoding(text, options);
    (1..).find(|_| encoding.step().map(Result::unwrap).is_some()).unwrap()
}

#[test]
fn no_vocabulary_makes_work_grow_faster_than_the_text() {
    let chain = (1..1500).map(|len| format!("{} a", "a".repeat(len))).collect();
    let unspelled = (1..1500).map(|len| format!("{} a", "a".repeat(len))).collect();
    let cases: Vec<(&str, Tokenizer, &str, EncodeOptions)> = vec![
        ("unigram of all lengths", t5(lengths(256, ""), None), "a", PLAIN),
        ("unigram that fails late", t5(lengths(255, "b"), None), "a", PLAIN),
        ("replacements in a circle", t5(lengths(2, ""), Some(circle())), "a", PLAIN),
        ("control tokens of all lengths", llama(lengths(256, ""), |_| 0.0, 3), "a", PARSED),
        ("control tokens that fail late", llama(lengths(255, "b"), |_| 0.0, 3), "a", PARSED),
        ("own tokens of all lengths", llama(lengths(256, ""), |_| 0.0, 4), "a", PLAIN),
        ("merges by score, the longest first", llama(lengths(1500, ""), |at| at as f32, 1), "a", PLAIN),
        ("merges by score, the shortest first", llama(lengths(1500, ""), |at| -(at as f32), 1), "a", PLAIN),
        ("merges in a chain", gpt2("gpt-2", lengths(1500, ""), chain), "a", PLAIN),
        ("merges without tokens", gpt2("gpt-2", lengths(1, ""), unspelled), "a", PLAIN),
        ("word pieces that fail late", bert([lengths(255, "b"), lengths(1, "")].concat()), "a", PLAIN),
        ("word pieces of all lengths", bert(lengths(256, "")), "a", PLAIN),
        ("words of one letter", gpt2("llama-bpe", lengths(1, ""), Vec::new()), "a\n'", PLAIN),
    ];
    for (name, tokenizer, unit, options) in cases {
        let (short, long) = (1 << 13, 1 << 17);
        let count = |len: usize| slices(&tokenizer, &unit.repeat(len / unit.len()), options);
        let (few, many) = (count(short), count(long));
        println!("{name}: {few} slices, {many} for {} times the text", long / short);
        assert!(many <= (few + 1) * (long / short) * 5 / 4, "{name}: {few}, then {many} slices");
        assert!(many * STEPS_PER_SLICE <= long * STEPS_PER_BYTE_MAX, "{name}: {many} slices");
    }
}

#[test]
fn a_long_text_is_cut_into_slices() {
    // Of each kind: no slice encodes a text of a mebibyte at once.
    let all = [
        t5(lengths(4, ""), None),
        llama(lengths(4, ""), |_| 0.0, 1),
        gpt2("qwen2", lengths(4, ""), vec!["a a".into()]),
        bert(lengths(4, "")),
    ];
    for tokenizer in all {
        for unit in ["a", "a ", " ", "\n", "é你", "1"] {
            let text = unit.repeat((1 << 20) / unit.len());
            let count = slices(&tokenizer, &text, PARSED);
            assert!(count > 10, "{tokenizer:?} {unit:?}: {count} slices");
        }
    }
}

#[test]
fn replacements_are_bounded() {
    // `a` becomes a text of 200 letters: 4 MiB of `a` would become 800 MiB.
    let mut trie = vec![0_u32; 0x102];
    trie[0x61] = 0x161 | (0x100 << 10);
    trie.resize(0x200, 0);
    let bytes = trie.iter().flat_map(|word| word.to_le_bytes());
    let mut charsmap: Vec<u8> = (4 * trie.len() as u32).to_le_bytes().into_iter().chain(bytes).collect();
    charsmap.extend("b".repeat(200).bytes().chain([0]));
    let tokenizer = t5(lengths(2, ""), Some(charsmap));
    assert_eq!(tokenizer.encode("a", PLAIN).unwrap(), [0], "unknown letters are one token");
    let error = tokenizer.encode(&"a".repeat(1 << 20), PLAIN).unwrap_err();
    assert_eq!(error.code(), "text_too_long");
}

#[test]
fn a_vocabulary_that_is_too_large_is_refused() {
    let many = || array((0..=TOKENS_MAX).map(|id| id.to_string()).collect());
    let words = || array(lengths(1, ""));
    let too_many: [&[(&str, Value)]; 2] = [
        &[("model", text("llama")), ("tokens", many()), ("scores", scores((0..=TOKENS_MAX).map(|_| 0.0)))],
        &[("model", text("gpt2")), ("pre", text("gpt-2")), ("tokens", words()), ("merges", many())],
    ];
    for entries in too_many {
        let error = Tokenizer::from_metadata(&metadata(entries)).unwrap_err();
        assert_eq!(error.code(), "tokenizer_too_many_tokens");
        assert!(error.to_string().contains("1048577"), "{error}");
    }
}

/// Texts and vocabularies of the kinds that held up other tokenizers: a run of one letter for word pieces, for merges by rank and
/// by score, and for the splitting rules of many families; runs of carets, underscores and digits; spaces that a normaliser replaces.
#[test]
fn what_held_up_others_is_linear() {
    let families = ["gpt-2", "gpt-4o", "tekken", "deepseek-v3", "qwen2", "llama-bpe", "kimi-k2", "superbpe"];
    let letters = || vec!["Z".to_owned(), "ZZ".into(), "^".into(), "_".into(), "7".into()];
    let merges = || vec!["Z Z".to_owned()];
    let mut cases: Vec<(String, Tokenizer)> =
        families.iter().map(|pre| (pre.to_string(), gpt2(pre, letters(), merges()))).collect();
    cases.push(("word pieces".into(), bert(letters())));
    cases.push(("scores".into(), llama(letters(), |at| -(at as f32), 1)));
    cases.push(("unigram".into(), t5(letters(), None)));
    // Many tokens that are added to a vocabulary.
    cases.push((
        "50,000 added tokens".into(),
        llama((0..50_000).map(|at| format!("aaa{at}")).collect(), |_| 0.0, 4),
    ));
    for (name, tokenizer) in cases {
        for unit in ["Z", "^", "_", "7", " ", "Zz9 ", "\u{a0}", "a1_"] {
            let count = |len: usize| slices(&tokenizer, &unit.repeat(len / unit.len()), PARSED);
            let (few, many) = (count(1 << 13), count(1 << 18));
            assert!(many <= (few + 1) * 40, "{name} {unit:?}: {few}, then {many} slices");
        }
    }
}
