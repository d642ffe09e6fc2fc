//! Large headers are read in linear time without copies, and announced sizes alone allocate nothing.
//!
//! A test crate of its own with one test, because it measures the memory of the whole process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::gguf_builder::{Gguf, array, f32s, i32s, read_sliced, strings};
use peak_alloc::PeakAlloc;
use pith_engine::gguf::limits::*;
use pith_engine::gguf::{HeaderReader, Progress};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A header as large as real ones get: 256 k tokens with scores, types and twice as many merges.
fn large_header() -> Gguf {
    let tokens: Vec<String> = (0..262_144).map(|i| format!("▁token{i}")).collect();
    let merges: Vec<String> = (0..524_288).map(|i| format!("▁left{i} right{i}")).collect();
    let borrowed = |list: &[String]| strings(&list.iter().map(String::as_str).collect::<Vec<_>>());
    let mut file = Gguf::small();
    file.set("tokenizer.ggml.tokens", 9, borrowed(&tokens));
    file.set("tokenizer.ggml.scores", 9, f32s(&vec![-1.5; tokens.len()]));
    file.set("tokenizer.ggml.token_type", 9, i32s(&vec![1; tokens.len()]));
    file.set("tokenizer.ggml.merges", 9, borrowed(&merges));
    file
}

#[test]
fn large_and_hostile_headers_are_lean() {
    let bytes = large_header().file_bytes();
    println!("header of {} bytes", bytes.len());
    let before = MEMORY.current_usage();
    for len in [bytes.len(), 1 << 20, 1000, 1] {
        MEMORY.reset_peak_usage();
        let start = std::time::Instant::now();
        let (header, _) = read_sliced(&bytes, |_| len);
        let peak = MEMORY.peak_usage().saturating_sub(before);
        println!("slices of {len}: {:?}, peak {} KiB", start.elapsed(), peak >> 10);
        assert_eq!(header.metadata.token_id("tokenizer.ggml.bos_token_id"), Some(1));
        // A String costs 24 bytes beside its text, and a growing list briefly twice its size; no copy of the input.
        assert!(peak < 4 * bytes.len(), "slices of {len} bytes: peak of {peak} bytes");
    }
    drop(bytes);

    // Announced sizes alone allocate nothing.
    let announced: &[fn(&mut Gguf)] = &[
        |f| f.key("k", 8, (STRING_LEN_BYTES_MAX - 1).to_le_bytes()),
        |f| f.key("k", 9, array(8, ARRAY_STRINGS_MAX - 100, &[])),
        |f| f.key("k", 9, array(10, ARRAY_LEN_MAX, &[])),
        |f| f.key_count = Some(KEYS_MAX),
        |f| f.tensor_count = Some(TENSORS_MAX),
    ];
    for mutate in announced {
        let mut file = Gguf::small();
        file.tensors.clear();
        mutate(&mut file);
        let bytes = file.header_bytes();
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let mut reader = HeaderReader::new(None);
        assert!(matches!(reader.push(&bytes), Ok(Progress::NeedMore { .. })));
        let peak = MEMORY.peak_usage().saturating_sub(before);
        assert!(peak < 64 << 10, "peak of {peak} bytes");
    }
}
