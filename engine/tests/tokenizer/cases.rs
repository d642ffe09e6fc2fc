//! Every tokenizer case of the reference set: ids, ids with special tokens, and the text back.

use std::path::Path;

use crate::common::reference_dir;
use crate::conformance::files::{Fixtures, read_header};
use crate::conformance::subject::Native;
use crate::conformance::text::tokenizer_case;
use pith_engine::backend::Device;
use pith_engine::gguf::Metadata;
use pith_engine::plan::CacheFormat;
use pith_engine::tokenizer::{EncodeOptions, Tokenizer, TokenizerError};
use serde_json::Value;

fn metadata(path: &Path) -> Metadata {
    read_header(&std::fs::read(path).unwrap()).unwrap().metadata
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

const SPECIAL: EncodeOptions = EncodeOptions { add_special: true, parse_special: true };

#[test]
fn every_case_is_equal() {
    let fixtures = Fixtures::open(&reference_dir()).unwrap();
    let groups = fixtures.section("tokenizers");
    assert!(!groups.is_empty());
    let device = Device::cpu();
    let mut native = Native::new(&device, CacheFormat::F32);
    for group in groups {
        let case = pollster::block_on(tokenizer_case(&fixtures, &group, &mut native));
        println!("{:<12} {}", case.name, case.reason);
        assert!(case.pass, "{}: {}", case.name, case.reason);
    }
}

#[test]
fn prompts_of_the_fixtures_are_their_ids() {
    let dir = reference_dir();
    let golden = dir.join("real/golden_lm.json");
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
    let error = Tokenizer::from_metadata(&metadata(&file)).unwrap_err();
    assert_eq!((error.code(), error), ("no_tokenizer", TokenizerError::NoTokenizer));
    assert_eq!(Tokenizer::from_metadata(&Metadata::default()).unwrap_err(), TokenizerError::NoTokenizer);
}

#[test]
fn the_embedded_model_reads_sentences_as_its_authors_do() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/models/minilm-q8_0.gguf");
    let golden = reference_dir().join("real/minilm_reference_20.json");
    if !file.is_file() {
        println!("skipped: no MiniLM; cargo xtask setup makes it");
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
