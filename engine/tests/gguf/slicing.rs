//! The header does not depend on how its bytes are sliced.

use crate::common;
use crate::common::gguf_builder::{Gguf, describe, read, read_sliced};

/// A repeatable sequence of numbers (xorshift64).
fn random(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

#[test]
fn any_slicing_gives_the_same_header() {
    let bytes = Gguf::small().file_bytes();
    let whole = describe(&read(&bytes, Some(bytes.len() as u64)));
    for len in 1..=bytes.len() {
        assert_eq!(describe(&read_sliced(&bytes, |_| len).0), whole, "slices of {len} bytes");
    }
    for first in 1..bytes.len() {
        let mut lens = [first, bytes.len()].into_iter();
        assert_eq!(describe(&read_sliced(&bytes, |_| lens.next().unwrap()).0), whole, "split at {first}");
    }
    for seed in 1..500 {
        let mut random = random(seed);
        let largest = 1 + random() % 600;
        let sliced = read_sliced(&bytes, |_| (random() % largest) as usize + 1).0;
        assert_eq!(describe(&sliced), whole, "seed {seed}");
    }
}

#[test]
fn pushing_what_is_asked_for_ends_with_the_header() {
    let file = Gguf::small();
    let (_, used) = read_sliced(&file.file_bytes(), |asked| asked as usize);
    assert_eq!(used, file.header_bytes().len());
}

#[test]
fn reference_headers_do_not_depend_on_slicing() {
    for path in common::files_with_extension(&common::reference_dir(), "gguf") {
        let bytes = std::fs::read(&path).unwrap();
        let header = read(&bytes, Some(bytes.len() as u64));
        let whole = describe(&header);
        let (asked, used) = read_sliced(&bytes, |asked| asked as usize);
        assert_eq!(describe(&asked), whole, "{}", path.display());
        assert!(used as u64 <= header.data_offset_bytes, "{}", path.display());
        for len in [1, 7, 4096] {
            assert_eq!(describe(&read_sliced(&bytes, |_| len).0), whole, "{}: {len}", path.display());
        }
    }
}
