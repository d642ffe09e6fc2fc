/// Why a GGUF header was refused.
///
/// Names that come from the file are shortened and their control characters escaped, so that a message can be shown as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields carry the names of what they hold; each sentence says the rest.
pub enum GgufError {
    #[error("this is not a GGUF file: it begins with the bytes {found:02x?}")]
    NotGguf { found: [u8; 4] },
    #[error("this GGUF file is big-endian; only little-endian files can be read")]
    BigEndian,
    #[error("GGUF version {version} is not supported; versions 2 and 3 are")]
    UnsupportedVersion { version: u32 },
    #[error(
        "the file is cut off: at byte {at_bytes} it needs {needed_bytes} bytes in all, but it has {file_len_bytes}"
    )]
    Truncated { at_bytes: u64, needed_bytes: u64, file_len_bytes: u64 },
    #[error("the header is too big: at byte {at_bytes} it reaches past the limit of {limit_bytes} bytes")]
    HeaderTooBig { at_bytes: u64, limit_bytes: u64 },
    #[error("the header announces {count} keys, more than the limit of {limit}")]
    TooManyKeys { count: u64, limit: u64 },
    #[error("the header announces {count} tensors, more than the limit of {limit}")]
    TooManyTensors { count: u64, limit: u64 },
    #[error("the key at byte {at_bytes} has an empty name")]
    EmptyKey { at_bytes: u64 },
    #[error("the tensor at byte {at_bytes} has an empty name")]
    EmptyTensorName { at_bytes: u64 },
    #[error("the key at byte {at_bytes} is {len_bytes} bytes long, more than the limit of {limit_bytes}")]
    KeyTooLong { at_bytes: u64, len_bytes: u64, limit_bytes: u64 },
    #[error(
        "the tensor name at byte {at_bytes} is {len_bytes} bytes long, more than the limit of {limit_bytes}"
    )]
    TensorNameTooLong { at_bytes: u64, len_bytes: u64, limit_bytes: u64 },
    #[error(
        "a string of key {key} at byte {at_bytes} is {len_bytes} bytes long, more than the limit of {limit_bytes}"
    )]
    StringTooLong { at_bytes: u64, key: String, len_bytes: u64, limit_bytes: u64 },
    #[error("the array {key} at byte {at_bytes} has {len} elements, more than the limit of {limit}")]
    ArrayTooLong { at_bytes: u64, key: String, len: u64, limit: u64 },
    #[error("the text at byte {at_bytes} ({what}) is not valid UTF-8")]
    NotUtf8 { at_bytes: u64, what: String },
    #[error("the key {key} appears twice (the second time at byte {at_bytes})")]
    DuplicateKey { at_bytes: u64, key: String },
    #[error("the tensor {tensor} appears twice (the second time at byte {at_bytes})")]
    DuplicateTensor { at_bytes: u64, tensor: String },
    #[error("the key {key} at byte {at_bytes} has the unknown value type {type_id}")]
    UnknownValueType { at_bytes: u64, key: String, type_id: u32 },
    #[error("the key {key} at byte {at_bytes} is an array of arrays, which is not supported")]
    NestedArray { at_bytes: u64, key: String },
    #[error("the key {key} at byte {at_bytes} has a truth value of {value}, which is neither 0 nor 1")]
    BadBool { at_bytes: u64, key: String, value: u8 },
    #[error("general.alignment is {value}, which is not a power of two from 8 to 1048576")]
    BadAlignment { value: u64 },
    #[error("the tensor {tensor} at byte {at_bytes} has {dims} dimensions; 1 to 4 are possible")]
    BadDimCount { at_bytes: u64, tensor: String, dims: u32 },
    #[error("the tensor {tensor} has the size 0 in dimension {axis}")]
    ZeroDim { tensor: String, axis: usize },
    #[error("the size of the tensor {tensor} is beyond all bounds")]
    TensorTooBig { tensor: String },
    #[error(
        "the rows of the tensor {tensor} are {cols} values long, not a multiple of its {type_name} block of {block_len}"
    )]
    PartialBlock { tensor: String, cols: u64, type_name: &'static str, block_len: u64 },
    #[error("the tensor {tensor} begins at offset {offset_bytes}, not a multiple of {alignment_bytes}")]
    Misaligned { tensor: String, offset_bytes: u64, alignment_bytes: u64 },
    #[error("the tensor {tensor} ends at byte {end_bytes}, but the file has {file_len_bytes} bytes")]
    TensorOutsideFile { tensor: String, end_bytes: u64, file_len_bytes: u64 },
    #[error("the tensors {tensor} and {other} share bytes (at byte {at_bytes})")]
    TensorOverlap { at_bytes: u64, tensor: String, other: String },
    #[error("the key {key} should be {expected}")]
    WrongKeyType { key: String, expected: &'static str },
    #[error("the array {key} has {len} elements where {expected} are needed")]
    LengthMismatch { key: String, len: u64, expected: u64 },
    #[error("the key {key} is {value}; {min} to {max} are possible")]
    OutOfRange { key: String, value: u64, min: u64, max: u64 },
    #[error("the key {key} must be a finite, non-negative number")]
    BadNumber { key: String },
    #[error("the key {key} is {value}, which does not divide {other_key} ({other})")]
    NotDivisible { key: String, value: u64, other_key: String, other: u64 },
    #[error("the merge rule {index} of tokenizer.ggml.merges does not join two pieces")]
    BadMerge { index: u64 },
    #[error("{have} of the {count} files of this split model are here")]
    PartsMissing { have: u64, count: u64 },
    #[error("file {file} of this split model says that it is part {found} of {count}")]
    WrongPart { file: u64, found: u64, count: u64 },
    #[error("the files of this split model have {found} tensors together, where {expected} were announced")]
    WrongTensorCount { found: u64, expected: u64 },
    #[error("this reader has already returned its header")]
    Finished,
}

impl GgufError {
    /// A stable code, the same in Rust, TypeScript and on screen.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotGguf { .. } => "not_gguf",
            Self::BigEndian => "gguf_big_endian",
            Self::UnsupportedVersion { .. } => "gguf_unsupported_version",
            Self::Truncated { .. } => "gguf_truncated",
            Self::HeaderTooBig { .. } => "gguf_header_too_big",
            Self::TooManyKeys { .. } => "gguf_too_many_keys",
            Self::TooManyTensors { .. } => "gguf_too_many_tensors",
            Self::EmptyKey { .. } => "gguf_empty_key",
            Self::EmptyTensorName { .. } => "gguf_empty_tensor_name",
            Self::KeyTooLong { .. } => "gguf_key_too_long",
            Self::TensorNameTooLong { .. } => "gguf_tensor_name_too_long",
            Self::StringTooLong { .. } => "gguf_string_too_long",
            Self::ArrayTooLong { .. } => "gguf_array_too_long",
            Self::NotUtf8 { .. } => "gguf_not_utf8",
            Self::DuplicateKey { .. } => "gguf_duplicate_key",
            Self::DuplicateTensor { .. } => "gguf_duplicate_tensor",
            Self::UnknownValueType { .. } => "gguf_unknown_value_type",
            Self::NestedArray { .. } => "gguf_nested_array",
            Self::BadBool { .. } => "gguf_bad_bool",
            Self::BadAlignment { .. } => "gguf_bad_alignment",
            Self::BadDimCount { .. } => "gguf_bad_dim_count",
            Self::ZeroDim { .. } => "gguf_zero_dim",
            Self::TensorTooBig { .. } => "gguf_tensor_too_big",
            Self::PartialBlock { .. } => "gguf_partial_block",
            Self::Misaligned { .. } => "gguf_misaligned",
            Self::TensorOutsideFile { .. } => "gguf_tensor_outside_file",
            Self::TensorOverlap { .. } => "gguf_tensor_overlap",
            Self::WrongKeyType { .. } => "gguf_wrong_key_type",
            Self::LengthMismatch { .. } => "gguf_length_mismatch",
            Self::OutOfRange { .. } => "gguf_out_of_range",
            Self::BadNumber { .. } => "gguf_bad_number",
            Self::NotDivisible { .. } => "gguf_not_divisible",
            Self::BadMerge { .. } => "gguf_bad_merge",
            Self::PartsMissing { .. } => "gguf_parts_missing",
            Self::WrongPart { .. } => "gguf_wrong_part",
            Self::WrongTensorCount { .. } => "gguf_wrong_tensor_count",
            Self::Finished => "gguf_finished",
        }
    }
}

/// A name from the file, fit for a message: at most 80 characters, control characters escaped.
pub(super) fn shown(name: &str) -> String {
    const CHARS_MAX: usize = 80;
    let mut out = String::new();
    for c in name.chars().take(CHARS_MAX) {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    if name.chars().nth(CHARS_MAX).is_some() {
        out.push('…');
    }
    out
}
