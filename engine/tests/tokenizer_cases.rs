//! Every tokenizer case of the reference set: ids, ids with special tokens, and the text back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{manifest, reference_dir};
use pith_engine::gguf::{HeaderReader, Metadata, Progress};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer, TokenizerError};
use serde_json::Value;
use std::path::Path;

fn metadata(path: &Path) -> Metadata {
    let bytes = std::fs::read(path).unwrap();
    match HeaderReader::new(Some(bytes.len() as u64)).push(&bytes).unwrap() {
        Progress::Done(header) => header.metadata,
        more => panic!("{}: {more:?}", path.display()),
    }
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

const PLAIN: EncodeOptions = EncodeOptions { add_special: false, parse_special: false };
const SPECIAL: EncodeOptions = EncodeOptions { add_special: true, parse_special: true };

#[test]
fn every_case_is_equal() {
    let dir = reference_dir();
    let manifest = manifest(&dir);
    let (mut total, mut failures) = (0, Vec::new());
    for group in manifest["tokenizers"].as_array().unwrap() {
        let file = dir.join(group["model"].as_str().unwrap());
        if !file.is_file() {
            println!("not in this set: {}", group["model"]);
            continue;
        }
        let tokenizer = Tokenizer::from_metadata(&metadata(&file)).unwrap();
        let cases = group["cases"].as_array().unwrap();
        let before = failures.len();
        for case in cases {
            let text = case["text"].as_str().unwrap();
            let mut check = |what: &str, got: String, expected: String| {
                if got != expected {
                    failures.push(format!(
                        "{} {text:?} {what}:\n  got      {got}\n  expected {expected}",
                        group["preset"]
                    ));
                }
            };
            let plain = tokenizer.encode(text, PLAIN).unwrap();
            check("ids", format!("{plain:?}"), format!("{:?}", ids(&case["ids"])));
            let special = tokenizer.encode(text, SPECIAL).unwrap();
            check("ids_special", format!("{special:?}"), format!("{:?}", ids(&case["ids_special"])));
            let text_back = tokenizer.decode(&ids(&case["ids"]), true);
            check("detok_hex", hex(&text_back), case["detok_hex"].as_str().unwrap().to_owned());
        }
        total += cases.len();
        println!(
            "{:<12} {} cases, {} differences",
            group["preset"].as_str().unwrap(),
            cases.len(),
            failures.len() - before
        );
    }
    println!("{total} cases");
    assert!(total > 0, "no tokenizer case could be run");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn prompts_of_the_fixtures_are_their_ids() {
    let dir = reference_dir();
    let golden = dir.join("real/golden_lm.json");
    if !golden.is_file() {
        println!("not in this set: real/golden_lm.json");
        return;
    }
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(golden).unwrap()).unwrap();
    let records = golden.as_array().or_else(|| golden["records"].as_array()).unwrap();
    let mut checked = 0;
    for record in records {
        let file = dir.join("real").join(record["file"].as_str().unwrap());
        let Some(prompt) = record["prompt"].as_str() else { continue };
        if !file.is_file() {
            continue;
        }
        let tokenizer = Tokenizer::from_metadata(&metadata(&file)).unwrap();
        assert_eq!(tokenizer.encode(prompt, SPECIAL).unwrap(), ids(&record["prompt_ids"]), "{prompt:?}");
        let greedy = ids(&record["greedy_ids"]);
        let mut detokenizer = tokenizer.detokenizer();
        let streamed: String =
            greedy.iter().map(|&id| detokenizer.push(id)).collect::<String>() + &detokenizer.finish();
        assert_eq!(streamed, record["greedy_text"].as_str().unwrap());
        checked += 1;
    }
    println!("{checked} prompts and their continuations");
    assert!(checked > 0);
}

#[test]
fn a_model_without_a_vocabulary_says_so() {
    let file = reference_dir().join("real/gpt-nano-sort-f32.gguf");
    if file.is_file() {
        let error = Tokenizer::from_metadata(&metadata(&file)).unwrap_err();
        assert_eq!((error.code(), error), ("no_tokenizer", TokenizerError::NoTokenizer));
    }
    assert_eq!(Tokenizer::from_metadata(&Metadata::default()).unwrap_err(), TokenizerError::NoTokenizer);
}

#[test]
fn the_embedded_model_reads_sentences_as_its_authors_do() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/models/minilm-q8_0.gguf");
    let golden = reference_dir().join("real/minilm_reference_20.json");
    if !file.is_file() || !golden.is_file() {
        println!("not here: the embedded model or its reference");
        return;
    }
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(golden).unwrap()).unwrap();
    let tokenizer = Tokenizer::from_metadata(&metadata(&file)).unwrap();
    for (sentence, expected) in
        golden["sentences"].as_array().unwrap().iter().zip(golden["ids"].as_array().unwrap())
    {
        let mut found = tokenizer.encode(sentence.as_str().unwrap(), SPECIAL).unwrap();
        tokenizer.truncate(&mut found, 256);
        assert_eq!(found, ids(expected), "{sentence}");
    }
}
