//! Makes seeds for the target `gguf_header`: `gguf_seeds REFERENCE_DIR OUT_DIR` cuts the headers of real files down to a
//! kilobyte or two (three elements of a list, two tensors), and adds the tests' small file with every type of value.

#[allow(dead_code)]
#[path = "../../../tests/common/gguf_builder.rs"]
mod gguf_builder;

use std::path::{Path, PathBuf};

use gguf_builder::{Gguf, array, text};
use pith_engine::gguf::{Array, Header, HeaderReader, Progress, Value};

const ELEMENTS: usize = 3;
const TENSORS: usize = 2;

fn main() {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(reference), Some(out)) = (args.next(), args.next()) else {
        eprintln!("gguf_seeds REFERENCE_DIR OUT_DIR");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&out).expect("the output folder");
    write(&out, "small", &Gguf::small().file_bytes());
    for folder in ["models", "formats", "real"] {
        let Ok(entries) = std::fs::read_dir(reference.join(folder)) else { continue };
        for path in entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "gguf"))
        {
            let bytes = std::fs::read(&path).expect("a readable file");
            let Ok(Progress::Done(header)) = HeaderReader::new(None).push(&bytes) else { continue };
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            write(&out, &name, &cut_down(&header).header_bytes());
        }
    }
}

/// One seed for each way in which the target may know the file's length.
fn write(out: &Path, name: &str, file: &[u8]) {
    for how in [0_u8, 1, 4 * 40 + 1] {
        let seed = [&[how, 64][..], file].concat();
        std::fs::write(out.join(format!("{name}.{how}")), seed).expect("a writable folder");
    }
}

fn cut_down(header: &Header) -> Gguf {
    let mut file = Gguf::small();
    file.keys.clear();
    file.tensors.clear();
    file.version = header.version;
    for (key, value) in header.metadata.iter() {
        let (type_id, payload) = payload(value);
        file.key(key, type_id, payload);
    }
    for tensor in header.tensors.iter().take(TENSORS) {
        let offset = tensor.offset_bytes - header.data_offset_bytes;
        file.tensor(&tensor.name, &tensor.dims, tensor.type_id, offset);
    }
    file
}

fn payload(value: &Value) -> (u32, Vec<u8>) {
    match value {
        Value::U8(v) => (0, v.to_le_bytes().into()),
        Value::I8(v) => (1, v.to_le_bytes().into()),
        Value::U16(v) => (2, v.to_le_bytes().into()),
        Value::I16(v) => (3, v.to_le_bytes().into()),
        Value::U32(v) => (4, v.to_le_bytes().into()),
        Value::I32(v) => (5, v.to_le_bytes().into()),
        Value::F32(v) => (6, v.to_le_bytes().into()),
        Value::Bool(v) => (7, vec![u8::from(*v)]),
        Value::Str(v) => (8, text(&v.chars().take(24).collect::<String>())),
        Value::Array(v) => (9, array_payload(v)),
        Value::U64(v) => (10, v.to_le_bytes().into()),
        Value::I64(v) => (11, v.to_le_bytes().into()),
        Value::F64(v) => (12, v.to_le_bytes().into()),
    }
}

fn array_payload(values: &Array) -> Vec<u8> {
    fn cut<T>(type_id: u32, list: &[T], bytes: impl Fn(&T) -> Vec<u8>) -> Vec<u8> {
        let list = &list[..list.len().min(ELEMENTS)];
        array(type_id, list.len() as u64, &list.iter().flat_map(bytes).collect::<Vec<u8>>())
    }
    match values {
        Array::U8(v) => cut(0, v, |v| v.to_le_bytes().into()),
        Array::I8(v) => cut(1, v, |v| v.to_le_bytes().into()),
        Array::U16(v) => cut(2, v, |v| v.to_le_bytes().into()),
        Array::I16(v) => cut(3, v, |v| v.to_le_bytes().into()),
        Array::U32(v) => cut(4, v, |v| v.to_le_bytes().into()),
        Array::I32(v) => cut(5, v, |v| v.to_le_bytes().into()),
        Array::F32(v) => cut(6, v, |v| v.to_le_bytes().into()),
        Array::Bool(v) => cut(7, v, |v| vec![u8::from(*v)]),
        Array::Str(v) => cut(8, v, |v| text(v)),
        Array::U64(v) => cut(10, v, |v| v.to_le_bytes().into()),
        Array::I64(v) => cut(11, v, |v| v.to_le_bytes().into()),
        Array::F64(v) => cut(12, v, |v| v.to_le_bytes().into()),
    }
}
