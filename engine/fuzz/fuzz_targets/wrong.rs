//! Real headers made wrong by bytes: keys, shapes, types, names and places of tensors. Random bytes alone would never get past
//! the names.

#[path = "../../tests/common/gguf_builder.rs"]
#[allow(dead_code)]
mod gguf_builder;

use std::path::Path;

pub use gguf_builder::Gguf;
use pith_engine::formats::FORMATS;
use pith_engine::gguf::{Header, HeaderReader, Progress};

/// Bytes that say what is done; zeros behind their end.
pub struct Script<'a>(pub &'a [u8]);

impl Script<'_> {
    pub fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    pub fn below(&mut self, len: usize) -> usize {
        let number = usize::from(self.byte()) | usize::from(self.byte()) << 8;
        if len == 0 { 0 } else { number % len }
    }

    /// Small numbers, powers of two and their neighbours, anything.
    fn number(&mut self) -> u64 {
        let (how, byte) = (self.byte(), u64::from(self.byte()));
        match how % 5 {
            0 => byte,
            1 => 1 << (byte % 64),
            2 => (1_u64 << (byte % 64)).wrapping_sub(1),
            3 => byte << 8 | u64::from(self.byte()),
            _ => u64::from_le_bytes(std::array::from_fn(|_| self.byte())),
        }
    }
}

/// The headers of the files in a folder of `engine/tests`.
pub fn headers(folder: &str) -> Vec<Gguf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "gguf"));
    files.sort();
    files.iter().map(|path| Gguf::of(&read(&std::fs::read(path).expect("a file")).expect("a header"))).collect()
}

/// Reads a header that is whole.
pub fn read(bytes: &[u8]) -> Option<Header> {
    match HeaderReader::new(None).push(bytes) {
        Ok(Progress::Done(header)) => Some(*header),
        _ => None,
    }
}

/// As many changes as the script has bytes for.
pub fn changed(mut file: Gguf, script: &mut Script) -> Gguf {
    while !script.0.is_empty() && !file.tensors.is_empty() && !file.keys.is_empty() {
        match script.byte() % 9 {
            0 | 1 => {
                let key = script.below(file.keys.len());
                let number = script.number();
                let key = &mut file.keys[key];
                match (key.type_id, key.payload.len()) {
                    // An array: one of its values, or its length, keeps the rest readable only by chance.
                    (9, len) if len > 12 => {
                        let at = 12 + script.below(len - 12);
                        key.payload[at] = number as u8;
                    }
                    (8 | 9, _) => {}
                    (6, _) => key.payload = f32::from_bits(number as u32).to_le_bytes().to_vec(),
                    (_, len) => key.payload = number.to_le_bytes()[..len.min(8)].to_vec(),
                }
            }
            2 => {
                let at = script.below(file.keys.len());
                file.keys.remove(at);
            }
            3 => {
                let (from, to) = (script.below(file.keys.len()), script.below(file.keys.len()));
                let (type_id, payload) = (file.keys[from].type_id, file.keys[from].payload.clone());
                (file.keys[to].type_id, file.keys[to].payload) = (type_id, payload);
            }
            4 => {
                let at = script.below(file.tensors.len());
                file.tensors.remove(at);
            }
            5 => {
                let (tensor, number) = (script.below(file.tensors.len()), script.number());
                let dims = &mut file.tensors[tensor].dims;
                let dim = script.below(dims.len());
                if let Some(dim) = dims.get_mut(dim) {
                    *dim = number;
                }
            }
            6 => {
                let tensor = script.below(file.tensors.len());
                file.tensors[tensor].type_id = FORMATS[script.below(FORMATS.len())].type_id;
            }
            7 => {
                let (from, to) = (script.below(file.tensors.len()), script.below(file.tensors.len()));
                let dims = file.tensors[from].dims.clone();
                file.tensors[to].dims = dims;
            }
            _ => {
                let (a, b) = (script.below(file.tensors.len()), script.below(file.tensors.len()));
                let name = file.tensors[a].name.clone();
                file.tensors[a].name = std::mem::replace(&mut file.tensors[b].name, name);
            }
        }
    }
    if file.tensors.iter().all(|t| t.dims.iter().try_fold(1_u64, |a, b| a.checked_mul(*b)).is_some_and(|n| n < 1 << 40)) {
        file.place();
    }
    file
}

