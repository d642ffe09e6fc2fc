//! What the reader accepts at most. Every number here is far above what real files hold and far below what hurts.

/// Header bytes up to the end of the tensor directory. A vocabulary of 256 k tokens with its merges takes about 15 MB.
pub const HEADER_BYTES_MAX: u64 = 64 << 20;
/// Bytes of a key; the GGUF specification allows 2^16 - 1.
pub const KEY_LEN_BYTES_MAX: u64 = 65_535;
/// Bytes of a tensor name. ggml itself stops at 63.
pub const TENSOR_NAME_LEN_BYTES_MAX: u64 = 256;
/// Bytes of one string value: room for a whole `tokenizer.json` embedded in a key.
pub const STRING_LEN_BYTES_MAX: u64 = 32 << 20;
/// Elements of one array.
pub const ARRAY_LEN_MAX: u64 = 4 << 20;
/// Strings in all arrays of a header together: each costs more memory than its 8 bytes of length in the file.
pub const ARRAY_STRINGS_MAX: u64 = 4 << 20;
/// Metadata keys.
pub const KEYS_MAX: u64 = 16_384;
/// Tensors.
pub const TENSORS_MAX: u64 = 65_536;
/// Dimensions of a tensor, as in ggml.
pub const DIMS_MAX: u32 = 4;
/// `general.alignment`, largest.
pub const ALIGNMENT_BYTES_MAX: u64 = 1 << 20;
/// `general.alignment`, smallest: the specification wants a multiple of 8.
pub const ALIGNMENT_BYTES_MIN: u64 = 8;
/// `general.alignment` where the key is absent.
pub const ALIGNMENT_BYTES_DEFAULT: u64 = 32;

/// Fewest bytes a key with its value can take: length, one letter, type, one byte of value.
pub(super) const KEY_ENTRY_BYTES_MIN: u64 = 8 + 1 + 4 + 1;
/// Fewest bytes a tensor's entry can take: length, one letter, number of dimensions, one dimension, type, offset.
pub(super) const TENSOR_ENTRY_BYTES_MIN: u64 = 8 + 1 + 4 + 8 + 4 + 8;
