/// One entry of the tensor directory. Every range has been checked against the file's size when that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Name as the file has it, for example `blk.0.attn_q.weight`.
    pub name: String,
    /// 1 to 4 dimensions, innermost first: `dims[0]` is the row length (columns), `dims[1]` the number of rows.
    pub dims: Vec<u64>,
    /// ggml type number. It may name a type that `formats` does not know.
    pub type_id: u32,
    /// Which file of a split model has it, from 0.
    pub file: usize,
    /// Offset from the start of the file.
    pub offset_bytes: u64,
    /// Size of the data; `None` where the type is unknown.
    pub size_bytes: Option<u64>,
}

impl TensorInfo {
    /// Number of values. The reader has checked that the product does not overflow.
    pub fn len(&self) -> u64 {
        self.dims.iter().product()
    }

    /// Never true for a tensor that the reader accepted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Length of a row in values.
    pub fn cols(&self) -> u64 {
        self.dims.first().copied().unwrap_or(1)
    }

    /// Number of rows over all outer dimensions.
    pub fn rows(&self) -> u64 {
        self.dims.iter().skip(1).product()
    }
}
