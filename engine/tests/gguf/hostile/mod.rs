//! Hostile headers, as a table: each is a small valid file with one thing made wrong, and each has its own error.

mod cases;

use crate::common::gguf_builder::{Gguf, i32s, read, strings, text, verdict};
use cases::*;
use pith_engine::gguf::{HeaderReader, Progress};

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (name, mutate, known, unknown) in cases {
        let mut file = Gguf::small();
        mutate(&mut file);
        let bytes = file.file_bytes();
        for (len, expected) in [(Some(bytes.len() as u64), *known), (None, *unknown)] {
            let got = verdict(&bytes, len);
            if got != expected {
                wrong.push(format!("{name} (length {len:?}): {got}, expected {expected}"));
            }
        }
    }
    println!("{} hostile files", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn hostile_beginnings_have_their_errors() {
    check(BEGINNING);
}

#[test]
fn hostile_keys_have_their_errors() {
    check(KEYS);
}

#[test]
fn hostile_tensors_have_their_errors() {
    check(TENSORS);
}

#[test]
fn hostile_metadata_have_their_errors() {
    check(METADATA);
}

/// What looks odd but is right: these are read.
#[test]
fn unusual_files_are_read() {
    type Unusual = (&'static str, fn(&mut Gguf));
    let cases: &[Unusual] = &[
        ("the small file itself", |_| {}),
        ("version 2", |f| f.version = 2),
        ("no tensors", |f| f.tensors.clear()),
        ("no keys", |f| f.keys.clear()),
        ("nothing at all", |f| {
            f.keys.clear();
            f.tensors.clear();
        }),
        ("alignment 8", |f| f.set(ALIGNMENT, 4, [8, 0, 0, 0])),
        ("unknown tensor type", |f| f.tensors[2].type_id = 99),
        ("withdrawn tensor type", |f| f.tensors[2].type_id = 31),
        ("tensors in another order", |f| f.tensors.reverse()),
        ("no beginning-of-text token", |f| f.set("tokenizer.ggml.bos_token_id", 4, [255; 4])),
        ("layers without attention", |f| f.set("llama.attention.head_count_kv", 9, i32s(&[0, 2]))),
        ("merge of a space", |f| f.set(MERGES, 9, strings(&["  a", "é b"]))),
        ("architecture of another world", |f| f.set("general.architecture", 8, text("martian"))),
        ("empty string", |f| f.key("k", 8, text(""))),
        ("NaN where no key forbids it", |f| f.key("k", 6, f32::NAN.to_le_bytes())),
    ];
    for (name, mutate) in cases {
        let mut file = Gguf::small();
        mutate(&mut file);
        let bytes = file.file_bytes();
        assert_eq!(verdict(&bytes, Some(bytes.len() as u64)), "done", "{name}");
        assert_eq!(verdict(&bytes, None), "done", "{name}, length unknown");
    }
}

#[test]
fn a_header_cut_anywhere_needs_more_or_is_truncated() {
    let file = Gguf::small();
    let header = file.header_bytes();
    for cut in 0..header.len() {
        assert_eq!(verdict(&header[..cut], None), "need_more", "cut at {cut}, length unknown");
        assert_eq!(verdict(&header[..cut], Some(cut as u64)), "gguf_truncated", "cut at {cut}");
    }
    // Cut in the data: the header is whole, the last tensor is not.
    let bytes = file.file_bytes();
    for cut in header.len()..bytes.len() {
        assert_eq!(verdict(&bytes[..cut], None), "done", "cut at {cut}, length unknown");
        assert_eq!(verdict(&bytes[..cut], Some(cut as u64)), OUTSIDE, "cut at {cut}");
    }
}

#[test]
fn no_more_is_asked_for_than_the_file_has() {
    let mut file = Gguf::small();
    file.tensors.clear();
    file.tensor_count = Some(20);
    let header = file.header_bytes();
    let len = header.len() + 20 * 33 - 1;
    for cut in 0..header.len() {
        match HeaderReader::new(Some(len as u64)).push(&header[..cut]) {
            Ok(Progress::NeedMore { at_least_bytes }) => assert!(cut as u64 + at_least_bytes <= len as u64),
            other => assert_eq!(other.unwrap_err().code(), "gguf_truncated"),
        }
    }
}

#[test]
fn a_length_learnt_later_is_checked_later() {
    let bytes = Gguf::small().file_bytes();
    let header = read(&bytes, None);
    assert!(header.check_file_len(bytes.len() as u64).is_ok());
    let error = header.check_file_len(bytes.len() as u64 - 1).unwrap_err();
    assert_eq!(error.code(), OUTSIDE);
    assert!(error.to_string().contains("output_norm.weight"), "{error}");
}

#[test]
fn an_error_stays_and_a_finished_reader_says_so() {
    let mut reader = HeaderReader::new(None);
    let first = reader.push(b"GGUX").unwrap_err();
    assert_eq!(reader.push(b"GGUF").unwrap_err(), first);

    let mut reader = HeaderReader::new(None);
    assert!(matches!(reader.push(&Gguf::small().file_bytes()), Ok(Progress::Done(_))));
    assert_eq!(reader.push(&[]).unwrap_err().code(), "gguf_finished");
}

/// Names from the file come shortened and without control characters.
#[test]
fn messages_can_be_shown_as_they_are() {
    let mut file = Gguf::small();
    file.key(&format!("\u{1b}[31m\n{}", "x".repeat(5000)), 13, []);
    let error = HeaderReader::new(None).push(&file.file_bytes()).unwrap_err();
    let text = error.to_string();
    assert!(text.len() < 250 && !text.chars().any(char::is_control), "{text}");
}
