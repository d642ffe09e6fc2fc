//! A small GGUF v3 writer: as much of the format as the embedded model needs.

/// Data begins, and every tensor begins, at a multiple of this many bytes.
const ALIGNMENT_BYTES: usize = 32;

/// ggml's number of a tensor type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TensorType {
    /// 32-bit floats.
    F32 = 0,
    /// Blocks of 32 signed bytes with one f16 scale.
    Q8_0 = 8,
}

/// One tensor, ready to be written.
#[derive(Debug)]
pub struct Tensor {
    /// GGUF name.
    pub name: String,
    /// How `bytes` are to be read.
    pub kind: TensorType,
    /// Axes, fastest first.
    pub dims: Vec<u64>,
    /// Stored bytes.
    pub bytes: Vec<u8>,
}

/// A file under construction. Keys are written in the order in which they are added.
#[derive(Debug, Default)]
pub struct Writer {
    keys: Vec<u8>,
    key_count: u64,
}

// Numbers of the value types in the file.
const U32: u32 = 4;
const I32: u32 = 5;
const F32: u32 = 6;
const BOOL: u32 = 7;
const STRING: u32 = 8;
const ARRAY: u32 = 9;

impl Writer {
    fn key(&mut self, key: &str, kind: u32) {
        self.key_count += 1;
        push_string(&mut self.keys, key);
        self.keys.extend(kind.to_le_bytes());
    }

    /// A string value.
    pub fn string(&mut self, key: &str, value: &str) {
        self.key(key, STRING);
        push_string(&mut self.keys, value);
    }

    /// An unsigned 32-bit value.
    pub fn u32(&mut self, key: &str, value: u32) {
        self.key(key, U32);
        self.keys.extend(value.to_le_bytes());
    }

    /// A 32-bit float value.
    pub fn f32(&mut self, key: &str, value: f32) {
        self.key(key, F32);
        self.keys.extend(value.to_le_bytes());
    }

    /// A truth value.
    pub fn bool(&mut self, key: &str, value: bool) {
        self.key(key, BOOL);
        self.keys.push(u8::from(value));
    }

    /// A list of strings.
    pub fn strings(&mut self, key: &str, values: &[String]) {
        self.array(key, STRING, values.len());
        for value in values {
            push_string(&mut self.keys, value);
        }
    }

    /// A list of signed 32-bit values.
    pub fn i32s(&mut self, key: &str, values: &[i32]) {
        self.array(key, I32, values.len());
        for value in values {
            self.keys.extend(value.to_le_bytes());
        }
    }

    fn array(&mut self, key: &str, kind: u32, len: usize) {
        self.key(key, ARRAY);
        self.keys.extend(kind.to_le_bytes());
        self.keys.extend((len as u64).to_le_bytes());
    }

    /// The whole file.
    pub fn finish(self, tensors: &[Tensor]) -> Vec<u8> {
        let mut file = b"GGUF".to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend((tensors.len() as u64).to_le_bytes());
        file.extend(self.key_count.to_le_bytes());
        file.extend(self.keys);
        let mut offset_bytes = 0;
        for tensor in tensors {
            push_string(&mut file, &tensor.name);
            file.extend(u32::try_from(tensor.dims.len()).unwrap_or(u32::MAX).to_le_bytes());
            tensor.dims.iter().for_each(|dim| file.extend(dim.to_le_bytes()));
            file.extend((tensor.kind as u32).to_le_bytes());
            file.extend((offset_bytes as u64).to_le_bytes());
            offset_bytes += tensor.bytes.len().next_multiple_of(ALIGNMENT_BYTES);
        }
        for tensor in tensors {
            file.resize(file.len().next_multiple_of(ALIGNMENT_BYTES), 0);
            file.extend_from_slice(&tensor.bytes);
        }
        file.resize(file.len().next_multiple_of(ALIGNMENT_BYTES), 0);
        file
    }
}

fn push_string(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}
