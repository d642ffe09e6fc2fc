use pith_engine::gguf::{Array, Header, HeaderReader, Progress, Value, block_shape};

/// A GGUF file in parts, each of which a test can make wrong.
#[derive(Clone)]
pub struct Gguf {
    pub magic: [u8; 4],
    pub version: u32,
    pub keys: Vec<Key>,
    pub tensors: Vec<Tensor>,
    /// What the header announces, where that differs from what follows.
    pub key_count: Option<u64>,
    pub tensor_count: Option<u64>,
    /// Bytes in the data section.
    pub data_len: usize,
}

#[derive(Clone)]
pub struct Key {
    pub name: Vec<u8>,
    pub type_id: u32,
    pub payload: Vec<u8>,
}

#[derive(Clone)]
pub struct Tensor {
    pub name: Vec<u8>,
    pub dims: Vec<u64>,
    /// The number of dimensions announced, where it differs.
    pub dim_count: Option<u32>,
    pub type_id: u32,
    pub offset: u64,
}

/// 8 bytes of length and the bytes.
pub fn text(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    [&(bytes.len() as u64).to_le_bytes(), bytes].concat()
}

/// The payload of an array: element type, length, elements.
pub fn array(type_id: u32, len: u64, elements: &[u8]) -> Vec<u8> {
    [&type_id.to_le_bytes()[..], &len.to_le_bytes(), elements].concat()
}

pub fn strings(list: &[&str]) -> Vec<u8> {
    array(8, list.len() as u64, &list.iter().flat_map(text).collect::<Vec<u8>>())
}

pub fn u32s(list: &[u32]) -> Vec<u8> {
    array(4, list.len() as u64, &list.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

pub fn i32s(list: &[i32]) -> Vec<u8> {
    array(5, list.len() as u64, &list.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

pub fn f32s(list: &[f32]) -> Vec<u8> {
    array(6, list.len() as u64, &list.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

/// Type id and payload of a value.
pub fn encode(value: &Value) -> (u32, Vec<u8>) {
    match value {
        Value::U8(v) => (0, v.to_le_bytes().to_vec()),
        Value::I8(v) => (1, v.to_le_bytes().to_vec()),
        Value::U16(v) => (2, v.to_le_bytes().to_vec()),
        Value::I16(v) => (3, v.to_le_bytes().to_vec()),
        Value::U32(v) => (4, v.to_le_bytes().to_vec()),
        Value::I32(v) => (5, v.to_le_bytes().to_vec()),
        Value::F32(v) => (6, v.to_le_bytes().to_vec()),
        Value::Bool(v) => (7, vec![u8::from(*v)]),
        Value::Str(v) => (8, text(v)),
        Value::U64(v) => (10, v.to_le_bytes().to_vec()),
        Value::I64(v) => (11, v.to_le_bytes().to_vec()),
        Value::F64(v) => (12, v.to_le_bytes().to_vec()),
        Value::Array(list) => (9, encode_array(list)),
    }
}

fn encode_array(list: &Array) -> Vec<u8> {
    macro_rules! numbers {
        ($type_id:expr, $list:expr) => {
            array(
                $type_id,
                $list.len() as u64,
                &$list.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>(),
            )
        };
    }
    match list {
        Array::U8(v) => array(0, v.len() as u64, v),
        Array::I8(v) => numbers!(1, v),
        Array::U16(v) => numbers!(2, v),
        Array::I16(v) => numbers!(3, v),
        Array::U32(v) => numbers!(4, v),
        Array::I32(v) => numbers!(5, v),
        Array::F32(v) => numbers!(6, v),
        Array::Bool(v) => array(7, v.len() as u64, &v.iter().map(|b| u8::from(*b)).collect::<Vec<u8>>()),
        Array::Str(v) => strings(&v.iter().map(String::as_str).collect::<Vec<_>>()),
        Array::U64(v) => numbers!(10, v),
        Array::I64(v) => numbers!(11, v),
        Array::F64(v) => numbers!(12, v),
    }
}

impl Gguf {
    /// The parts of a file that has been read.
    pub fn of(header: &Header) -> Self {
        let mut file = Gguf {
            magic: *b"GGUF",
            version: header.version,
            keys: Vec::new(),
            tensors: Vec::new(),
            key_count: None,
            tensor_count: None,
            data_len: 0,
        };
        for (name, value) in header.metadata.iter() {
            let (type_id, payload) = encode(value);
            file.key(name, type_id, payload);
        }
        for tensor in &header.tensors {
            file.tensor(&tensor.name, &tensor.dims, tensor.type_id, tensor.offset_bytes);
        }
        file
    }

    /// Puts the tensors one behind another, each with the room that its type and shape need.
    pub fn place(&mut self) {
        let mut at = 0_u64;
        for tensor in &mut self.tensors {
            tensor.offset = at;
            let (len, len_bytes) = block_shape(tensor.type_id).unwrap_or((1, 4));
            at += (tensor.dims.iter().product::<u64>() / len * len_bytes).next_multiple_of(4096);
        }
    }

    /// A small valid file: one key of every type, a tokenizer of three tokens, three tensors.
    pub fn small() -> Self {
        let mut file = Gguf {
            magic: *b"GGUF",
            version: 3,
            keys: Vec::new(),
            tensors: Vec::new(),
            key_count: None,
            tensor_count: None,
            data_len: 0,
        };
        file.key("general.architecture", 8, text("llama"));
        file.key("general.alignment", 4, 32_u32.to_le_bytes());
        file.key("llama.block_count", 4, 2_u32.to_le_bytes());
        file.key("llama.context_length", 10, 64_u64.to_le_bytes());
        file.key("llama.embedding_length", 4, 32_u32.to_le_bytes());
        file.key("llama.attention.head_count", 4, 4_u32.to_le_bytes());
        file.key("llama.attention.head_count_kv", 9, u32s(&[2, 2]));
        file.key("llama.attention.layer_norm_rms_epsilon", 6, 1e-5_f32.to_le_bytes());
        file.key("tokenizer.ggml.tokens", 9, strings(&["a", "b", "ab é"]));
        file.key("tokenizer.ggml.scores", 9, f32s(&[0.0, -1.0, -2.5]));
        file.key("tokenizer.ggml.token_type", 9, i32s(&[1, 1, 3]));
        file.key("tokenizer.ggml.merges", 9, strings(&["a b"]));
        file.key("tokenizer.ggml.bos_token_id", 4, 1_u32.to_le_bytes());
        let others: [(u32, &[u8]); 9] = [
            (0, &[7]),
            (1, &[0xff]),
            (2, &[1, 2]),
            (3, &[1, 0xff]),
            (5, &[1, 2, 3, 0xff]),
            (7, &[1]),
            (10, &[1, 2, 3, 4, 5, 6, 7, 8]),
            (11, &[1, 2, 3, 4, 5, 6, 7, 0xff]),
            (12, &[0, 0, 0, 0, 0, 0, 0xf8, 0x3f]),
        ];
        for (type_id, one) in others {
            file.key(&format!("test.one.{type_id}"), type_id, one);
            file.key(&format!("test.two.{type_id}"), 9, array(type_id, 2, &one.repeat(2)));
            file.key(&format!("test.none.{type_id}"), 9, array(type_id, 0, &[]));
        }
        file.tensor("token_embd.weight", &[32, 3], 0, 0);
        file.tensor("blk.0.attn_q.weight", &[32, 32], 8, 384);
        file.tensor("output_norm.weight", &[32], 1, 1472);
        file.data_len = 1536;
        file
    }

    pub fn key(&mut self, name: &str, type_id: u32, payload: impl AsRef<[u8]>) {
        let (name, payload) = (name.as_bytes().to_vec(), payload.as_ref().to_vec());
        self.keys.push(Key { name, type_id, payload });
    }

    /// Replaces the value of a key, or adds it.
    pub fn set(&mut self, name: &str, type_id: u32, payload: impl AsRef<[u8]>) {
        self.keys.retain(|k| k.name != name.as_bytes());
        self.key(name, type_id, payload);
    }

    pub fn tensor(&mut self, name: &str, dims: &[u64], type_id: u32, offset: u64) {
        let name = name.as_bytes().to_vec();
        self.tensors.push(Tensor { name, dims: dims.to_vec(), dim_count: None, type_id, offset });
    }

    /// Everything up to the end of the tensor directory.
    pub fn header_bytes(&self) -> Vec<u8> {
        let mut out = [&self.magic[..], &self.version.to_le_bytes()].concat();
        out.extend(self.tensor_count.unwrap_or(self.tensors.len() as u64).to_le_bytes());
        out.extend(self.key_count.unwrap_or(self.keys.len() as u64).to_le_bytes());
        for key in &self.keys {
            out.extend(text(&key.name));
            out.extend(key.type_id.to_le_bytes());
            out.extend(&key.payload);
        }
        for tensor in &self.tensors {
            out.extend(text(&tensor.name));
            out.extend(tensor.dim_count.unwrap_or(tensor.dims.len() as u32).to_le_bytes());
            out.extend(tensor.dims.iter().flat_map(|d| d.to_le_bytes()));
            out.extend(tensor.type_id.to_le_bytes());
            out.extend(tensor.offset.to_le_bytes());
        }
        out
    }

    /// Header, padding to 32 and data.
    pub fn file_bytes(&self) -> Vec<u8> {
        let mut out = self.header_bytes();
        out.resize(out.len().next_multiple_of(32) + self.data_len, 0);
        out
    }
}

/// Reads a header that is whole in `bytes`.
pub fn read(bytes: &[u8], file_len_bytes: Option<u64>) -> Header {
    match HeaderReader::new(file_len_bytes).push(bytes) {
        Ok(Progress::Done(header)) => *header,
        other => panic!("not read: {other:?}"),
    }
}

/// `done`, `need_more` or the error's code.
pub fn verdict(bytes: &[u8], file_len_bytes: Option<u64>) -> &'static str {
    match HeaderReader::new(file_len_bytes).push(bytes) {
        Ok(Progress::Done(_)) => "done",
        Ok(Progress::NeedMore { .. }) => "need_more",
        Err(error) => error.code(),
    }
}

/// All that a header says, in a form that can be compared (NaN included).
pub fn describe(header: &Header) -> String {
    let keys: Vec<_> = header.metadata.iter().collect();
    format!(
        "{} {} {} {keys:?} {:?}",
        header.version, header.alignment_bytes, header.data_offset_bytes, header.tensors
    )
}

/// Pushes slices of the lengths that `next_len` gives (it is told how many bytes the reader asks for) until the header
/// is whole, and says how many bytes it took.
pub fn read_sliced(bytes: &[u8], mut next_len: impl FnMut(u64) -> usize) -> (Header, usize) {
    let mut reader = HeaderReader::new(Some(bytes.len() as u64));
    let (mut at, mut asked) = (0, 1);
    loop {
        let end = (at + next_len(asked)).min(bytes.len());
        match reader.push(&bytes[at..end]).unwrap() {
            Progress::Done(header) => return (*header, end),
            Progress::NeedMore { at_least_bytes } => asked = at_least_bytes,
        }
        at = end;
        assert!(asked > 0 && at as u64 + asked <= bytes.len() as u64, "asks for {asked} bytes at {at}");
    }
}
