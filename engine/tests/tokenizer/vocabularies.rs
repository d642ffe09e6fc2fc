//! llama.cpp's own vocabularies of published models, with its texts and ids: `cargo xtask setup` fetches them.

use std::path::Path;

use crate::common;
use pith_engine::gguf::{HeaderReader, Progress};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer, TokenizerError};

/// Stands between the texts of a `.inp` file; the `.out` file has a line of ids for each.
const BETWEEN: &str = "\n__ggml_vocab_test__\n";

/// A name that the loader refuses, or the tokenizer.
fn tokenizer(file: &Path) -> Result<Tokenizer, TokenizerError> {
    let bytes = std::fs::read(file).unwrap();
    let Progress::Done(header) = HeaderReader::new(Some(bytes.len() as u64)).push(&bytes).unwrap() else {
        panic!("{}: the header does not end", file.display())
    };
    Tokenizer::from_metadata(&header.metadata)
}

/// A text and its ids, without special tokens added or parsed.
fn cases(vocabulary: &Path) -> Vec<(String, Vec<u32>)> {
    let beside = |extension: &str| {
        let name = format!("{}.{extension}", vocabulary.file_name().unwrap().to_str().unwrap());
        std::fs::read_to_string(vocabulary.with_file_name(name)).unwrap()
    };
    let texts = beside("inp");
    // A separator at the end is followed by no further text.
    let texts = texts.strip_suffix(BETWEEN).unwrap_or(&texts).split(BETWEEN);
    let ids = beside("out");
    let ids = ids.lines().map(|line| line.split_whitespace().map(|id| id.parse().unwrap()).collect());
    let (texts, ids): (Vec<_>, Vec<_>) = (texts.map(str::to_owned).collect(), ids.collect());
    assert_eq!(texts.len(), ids.len(), "{}", vocabulary.display());
    texts.into_iter().zip(ids).collect()
}

#[test]
fn texts_have_the_ids_of_llama_cpp() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/vocabularies");
    if !dir.is_dir() {
        println!("skipped: llama.cpp's vocabularies are not here; cargo xtask setup fetches them");
        return;
    }
    let (mut total, mut vocabularies, mut wrong) = (0, 0, Vec::new());
    for file in common::files_with_extension(&dir, "gguf") {
        if !file.with_extension("gguf.out").is_file() {
            continue;
        }
        let tokenizer = tokenizer(&file).unwrap();
        let cases = cases(&file);
        let (name, before) = (file.file_stem().unwrap().to_str().unwrap().to_owned(), wrong.len());
        for (text, ids) in &cases {
            let found = tokenizer.encode(text, EncodeOptions::default()).unwrap();
            if found != *ids {
                wrong.push(format!("{name} {text:?}:\n  got      {found:?}\n  expected {ids:?}"));
            }
        }
        println!("{name:<28} {} cases, {} differences", cases.len(), wrong.len() - before);
        total += cases.len();
        vocabularies += 1;
    }
    println!("{total} cases of {vocabularies} vocabularies");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // As many as the hashed archive has.
    assert_eq!((vocabularies, total), (15, 694));
}
