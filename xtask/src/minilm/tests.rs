//! The conversion against an independent converter (numpy and the gguf package): hashes of each tensor's bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

const TENSORS: &str = include_str!("../../data/minilm-tensors.txt");

#[test]
fn every_tensor_and_the_whole_file_equal_the_independent_conversion() {
    let source = source().expect("the model's published files: `cargo xtask setup` fetches them");
    let tensors = convert::tensors(&source.weights).unwrap();
    let rows: Vec<Vec<&str>> = TENSORS.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(tensors.len(), rows.len());
    for (tensor, row) in tensors.iter().zip(&rows) {
        let dims: Vec<String> = tensor.dims.iter().map(u64::to_string).collect();
        let kind = format!("{:?}", tensor.kind);
        assert_eq!([&*sha256(&tensor.bytes), &*kind, &*dims.join("x"), &*tensor.name], row[..]);
    }
    assert_eq!(sha256(&convert::gguf(&source).unwrap()), GGUF_SHA256);
}

#[test]
fn a_vocabulary_of_the_wrong_size_is_refused() {
    let mut source = source().expect("the model's published files: `cargo xtask setup` fetches them");
    source.vocab.push_str("one more\n");
    let error = convert::gguf(&source).unwrap_err();
    assert!(error.to_string().contains("30523"), "{error}");
}
