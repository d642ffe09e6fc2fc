//! Every name of splitting rules that llama.cpp knows, on two vocabularies of its own: `cargo xtask setup` fetches them.
//!
//! `tokenizer/presets.tsv` holds what llama.cpp answered: names, the vocabulary that was given one of them in place of
//! its own, the kind of tokenizer, and four hexadecimal digits for the ids of each text of `tokenizer/texts.json`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use pith_engine::gguf::{HeaderReader, Metadata, Progress, Value};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};
use std::collections::HashMap;
use std::path::Path;

const ENGINE: &str = env!("CARGO_MANIFEST_DIR");

/// The last 16 bits of FNV-1a over the ids as little-endian 32-bit numbers.
fn digest(ids: &[u32]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    format!("{:04x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step) & 0xffff)
}

fn metadata(vocabulary: &Path) -> Metadata {
    let bytes = std::fs::read(vocabulary).unwrap();
    match HeaderReader::new(Some(bytes.len() as u64)).push(&bytes).unwrap() {
        Progress::Done(header) => header.metadata,
        more => panic!("{}: {more:?}", vocabulary.display()),
    }
}

/// The same vocabulary under another name of rules and of its kind.
fn renamed(own: &Metadata, name: &str, kind: &str) -> Metadata {
    let mut metadata = Metadata::default();
    // What is there already stays when the own value follows.
    metadata.insert("tokenizer.ggml.pre".to_owned(), Value::Str(name.to_owned()));
    metadata.insert("tokenizer.ggml.model".to_owned(), Value::Str(kind.to_owned()));
    for (key, value) in own.iter().filter(|(key, _)| key.starts_with("tokenizer.")) {
        metadata.insert(key.to_owned(), value.clone());
    }
    metadata
}

#[test]
fn every_name_splits_as_in_llama_cpp() {
    let vocabularies = Path::new(ENGINE).join("../.cache/vocabularies");
    if !vocabularies.is_dir() {
        println!("skipped: llama.cpp's vocabularies are not here; cargo xtask setup fetches them");
        return;
    }
    let data = Path::new(ENGINE).join("tests/tokenizer");
    let texts: Vec<String> =
        serde_json::from_str(&std::fs::read_to_string(data.join("texts.json")).unwrap()).unwrap();
    let answers = std::fs::read_to_string(data.join("presets.tsv")).unwrap();
    let mut known: HashMap<String, Metadata> = HashMap::new();
    let (mut names, mut wrong) = (0, Vec::new());
    for line in answers.lines() {
        let [same, vocabulary, kind, digests] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let own = known
            .entry(vocabulary.to_owned())
            .or_insert_with(|| metadata(&vocabularies.join(format!("ggml-vocab-{vocabulary}.gguf"))));
        for name in same.split(',') {
            let tokenizer = Tokenizer::from_metadata(&renamed(own, name, kind)).unwrap();
            assert_eq!(digests.len(), 4 * texts.len(), "{name}");
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
