//! Any bytes: the reader never panics, its memory stays bounded, its verdict does not depend on the slicing, and a
//! header that it returns keeps every promise that its documentation makes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pith_engine::gguf::{GgufError, Header, HeaderReader, Progress, check_metadata};

fuzz_target!(|input: &[u8]| {
    let [how, slice_len, file @ ..] = input else { return };
    let len = file.len() as u64;
    // Length unknown, that of the input, or up to 2^63 bytes longer: real headers are followed by data.
    let file_len = match how % 3 {
        0 => None,
        1 => Some(len),
        _ => Some(len.saturating_add(1 << (how / 4))),
    };
    let whole = read(file, file.len().max(1), file_len);
    let sliced = read(file, usize::from(*slice_len).max(1), file_len);
    match (&whole, &sliced) {
        (Ok(Some(a)), Ok(Some(b))) => assert_same(a, b),
        (Ok(None), Ok(None)) => {}
        (Err(a), Err(b)) => assert_eq!(a, b),
        (a, b) => panic!("whole {a:?}, sliced {b:?}"),
    }
    if let Ok(Some(header)) = &whole {
        check_promises(header, file_len);
    }
});

/// The header, or `None` where it needs more bytes.
fn read(file: &[u8], slice_len: usize, file_len: Option<u64>) -> Result<Option<Header>, GgufError> {
    let mut reader = HeaderReader::new(file_len);
    let mut pushed = 0;
    for slice in file.chunks(slice_len) {
        pushed += slice.len() as u64;
        match reader.push(slice) {
            Ok(Progress::Done(header)) => return Ok(Some(*header)),
            Ok(Progress::NeedMore { at_least_bytes }) => {
                assert!(at_least_bytes > 0 && at_least_bytes <= 64 << 20);
                assert!(
                    file_len.is_none_or(|len| pushed + at_least_bytes <= len),
                    "asks for what is not there"
                );
            }
            Err(error) => {
                assert!(error.to_string().len() < 1000 && error.code().is_ascii());
                return Err(error);
            }
        }
    }
    Ok(None)
}

fn assert_same(a: &Header, b: &Header) {
    assert_eq!(
        (a.version, a.alignment_bytes, a.data_offset_bytes),
        (b.version, b.alignment_bytes, b.data_offset_bytes)
    );
    assert_eq!(a.tensors, b.tensors);
    assert_eq!(a.metadata.iter().count(), b.metadata.iter().count());
    for ((key_a, a), (key_b, b)) in a.metadata.iter().zip(b.metadata.iter()) {
        // What is printed alike is the same where it is not a number.
        assert!(key_a == key_b && (a == b || format!("{a:?}") == format!("{b:?}")));
    }
}

fn check_promises(header: &Header, file_len: Option<u64>) {
    assert!(header.alignment_bytes.is_power_of_two());
    assert!(header.data_offset_bytes.is_multiple_of(header.alignment_bytes));
    let mut ranges = Vec::new();
    for tensor in &header.tensors {
        assert!(!tensor.name.is_empty() && (1..=4).contains(&tensor.dims.len()));
        assert!(!tensor.is_empty() && tensor.cols().checked_mul(tensor.rows()) == Some(tensor.len()));
        assert!(tensor.offset_bytes >= header.data_offset_bytes);
        assert!(tensor.offset_bytes.is_multiple_of(header.alignment_bytes));
        let end = tensor.offset_bytes.checked_add(tensor.size_bytes.unwrap_or(1)).unwrap();
        assert!(file_len.is_none_or(|len| end <= len));
        assert!(header.tensor(&tensor.name) == Some(tensor));
        ranges.push((tensor.offset_bytes, end));
    }
    ranges.sort_unstable();
    assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    for (key, value) in header.metadata.iter() {
        assert!(!key.is_empty());
        let found = header.metadata.get(key).unwrap();
        assert!(std::ptr::eq(found, value));
        header.metadata.token_id(key);
    }
    assert!(check_metadata(&header.metadata).is_ok());
}
