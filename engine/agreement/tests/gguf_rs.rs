//! Our reader and the crate `gguf-rs`, written by others, read the same from every file of the reference set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::io::Cursor;

use common::gguf_builder::{read, text};
use gguf_rs::{ByteOrder, GGUFContainer, GGUFModel};
use pith_engine::gguf::{Array, Header, TensorInfo, Value, type_name};

/// The highest type id that gguf-rs knows.
const THEIR_TYPE_ID_MAX: u32 = 39;

/// gguf-rs refuses the newest types. It is given a copy in which their ids are replaced by that of MXFP4: everything but
/// the id itself can then be compared.
fn with_known_types(mut bytes: Vec<u8>, ours: &Header) -> Vec<u8> {
    for tensor in ours.tensors.iter().filter(|t| t.type_id > THEIR_TYPE_ID_MAX) {
        let name = text(&tensor.name);
        let at = bytes.windows(name.len()).position(|w| w == name).unwrap();
        let type_at = at + name.len() + 4 + 8 * tensor.dims.len();
        bytes[type_at..type_at + 4].copy_from_slice(&THEIR_TYPE_ID_MAX.to_le_bytes());
    }
    bytes
}

fn read_theirs(bytes: &[u8]) -> GGUFModel {
    let after_magic = Cursor::new(bytes[4..].to_vec());
    GGUFContainer::new(ByteOrder::LE, Box::new(after_magic), u64::MAX).decode().unwrap()
}

/// gguf-rs writes a 32-bit float as its shortest decimal, and what is not finite as null.
fn same_f32(ours: f32, theirs: &serde_json::Value) -> bool {
    if ours.is_finite() { theirs.to_string().parse() == Ok(ours) } else { theirs.is_null() }
}

fn same_list<T>(
    ours: &[T],
    theirs: &serde_json::Value,
    same: impl Fn(&T, &serde_json::Value) -> bool,
) -> bool {
    let theirs = theirs.as_array().unwrap();
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
}

fn same_value(ours: &Value, theirs: &serde_json::Value) -> bool {
    match ours {
        Value::U8(v) => theirs.as_u64() == Some((*v).into()),
        Value::U16(v) => theirs.as_u64() == Some((*v).into()),
        Value::U32(v) => theirs.as_u64() == Some((*v).into()),
        Value::U64(v) => theirs.as_u64() == Some(*v),
        Value::I8(v) => theirs.as_i64() == Some((*v).into()),
        Value::I16(v) => theirs.as_i64() == Some((*v).into()),
        Value::I32(v) => theirs.as_i64() == Some((*v).into()),
        Value::I64(v) => theirs.as_i64() == Some(*v),
        Value::F32(v) => same_f32(*v, theirs),
        Value::F64(v) => theirs.as_f64() == Some(*v),
        Value::Bool(v) => theirs.as_bool() == Some(*v),
        Value::Str(v) => theirs.as_str() == Some(v),
        Value::Array(array) => match array {
            Array::U8(v) => same_list(v, theirs, |a, b| b.as_u64() == Some((*a).into())),
            Array::U16(v) => same_list(v, theirs, |a, b| b.as_u64() == Some((*a).into())),
            Array::U32(v) => same_list(v, theirs, |a, b| b.as_u64() == Some((*a).into())),
            Array::U64(v) => same_list(v, theirs, |a, b| b.as_u64() == Some(*a)),
            Array::I8(v) => same_list(v, theirs, |a, b| b.as_i64() == Some((*a).into())),
            Array::I16(v) => same_list(v, theirs, |a, b| b.as_i64() == Some((*a).into())),
            Array::I32(v) => same_list(v, theirs, |a, b| b.as_i64() == Some((*a).into())),
            Array::I64(v) => same_list(v, theirs, |a, b| b.as_i64() == Some(*a)),
            Array::F32(v) => same_list(v, theirs, |a, b| same_f32(*a, b)),
            Array::F64(v) => same_list(v, theirs, |a, b| b.as_f64() == Some(*a)),
            Array::Bool(v) => same_list(v, theirs, |a, b| b.as_bool() == Some(*a)),
            Array::Str(v) => same_list(v, theirs, |a, b| b.as_str() == Some(a)),
        },
    }
}

fn assert_same_tensor(ours: &TensorInfo, theirs: &gguf_rs::Tensor, data_offset: u64, file: &str) {
    let name = &ours.name;
    assert_eq!(name, &theirs.name, "{file}");
    assert_eq!(ours.dims, theirs.shape, "{file}: {name}");
    assert_eq!(ours.type_id.min(THEIR_TYPE_ID_MAX), theirs.kind, "{file}: {name}");
    assert_eq!(ours.offset_bytes, theirs.offset + data_offset, "{file}: {name}");
    // gguf-rs takes every block from id 10 on for 256 values long: its sizes hold for the others only.
    if ours.type_id < 10 || type_name(ours.type_id).unwrap().ends_with("_K") {
        assert_eq!(ours.size_bytes, Some(theirs.size), "{file}: {name}");
    }
}

#[test]
fn every_reference_file_reads_as_gguf_rs_reads_it() {
    let reference = common::reference_dir();
    let files = common::files_with_extension(&reference, "gguf");
    assert!(files.len() >= 15, "only {} files", files.len());
    let (mut keys, mut tensors) = (0, 0);
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let ours = read(&bytes, Some(bytes.len() as u64));
        let theirs = read_theirs(&with_known_types(bytes, &ours));

        assert_eq!(format!("v{}", ours.version), theirs.get_version(), "{file}");
        assert_eq!(ours.alignment_bytes, theirs.alignment(), "{file}");
        assert_eq!(ours.data_offset_bytes, theirs.data_offset(), "{file}");
        assert_eq!(ours.metadata.iter().count(), theirs.metadata().len(), "{file}");
        for (key, value) in ours.metadata.iter() {
            assert!(same_value(value, &theirs.metadata()[key]), "{file}: {key}");
            keys += 1;
        }
        assert_eq!(ours.tensors.len(), theirs.tensors().len(), "{file}");
        for (a, b) in ours.tensors.iter().zip(theirs.tensors()) {
            assert_same_tensor(a, b, theirs.data_offset(), file);
            tensors += 1;
        }
    }
    println!("{} files, {keys} keys, {tensors} tensors agree", files.len());
}
