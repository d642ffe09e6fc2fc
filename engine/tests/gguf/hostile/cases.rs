//! A list of data: one row a hostile file.

use pith_engine::gguf::limits::*;

use crate::common::gguf_builder::{Gguf, array, f32s, i32s, strings, text, u32s};

/// Name, what is made wrong, the error where the file's length is known, and where it is not.
pub type Case = (&'static str, fn(&mut Gguf), &'static str, &'static str);

pub const ALIGNMENT: &str = "general.alignment";
pub const EPSILON: &str = "llama.attention.layer_norm_rms_epsilon";
pub const MERGES: &str = "tokenizer.ggml.merges";
pub const TOO_BIG: &str = "gguf_tensor_too_big";
pub const OUTSIDE: &str = "gguf_tensor_outside_file";
pub const OVERLAP: &str = "gguf_tensor_overlap";
pub const WRONG_TYPE: &str = "gguf_wrong_key_type";
pub const RANGE: &str = "gguf_out_of_range";
pub const LEN: &str = "gguf_length_mismatch";

/// The beginning of the file.
pub const BEGINNING: &[Case] = &[
    ("another magic", |f| f.magic = *b"PK\x03\x04", "not_gguf", "not_gguf"),
    ("ggml's older magic", |f| f.magic = *b"tjgg", "not_gguf", "not_gguf"),
    ("swapped magic", |f| f.magic = *b"FUGG", "gguf_big_endian", "gguf_big_endian"),
    ("big-endian v3", |f| f.version = 3 << 24, "gguf_big_endian", "gguf_big_endian"),
    ("big-endian v2", |f| f.version = 2 << 24, "gguf_big_endian", "gguf_big_endian"),
    ("version 0", |f| f.version = 0, "gguf_unsupported_version", "gguf_unsupported_version"),
    ("version 1", |f| f.version = 1, "gguf_unsupported_version", "gguf_unsupported_version"),
    ("version 4", |f| f.version = 4, "gguf_unsupported_version", "gguf_unsupported_version"),
    ("2^64-1 keys", |f| f.key_count = Some(u64::MAX), "gguf_too_many_keys", "gguf_too_many_keys"),
    ("a key too many", |f| f.key_count = Some(KEYS_MAX + 1), "gguf_too_many_keys", "gguf_too_many_keys"),
    ("2^64-1 tensors", |f| f.tensor_count = Some(u64::MAX), "gguf_too_many_tensors", "gguf_too_many_tensors"),
    ("2^63 tensors", |f| f.tensor_count = Some(1 << 63), "gguf_too_many_tensors", "gguf_too_many_tensors"),
    (
        "a tensor too many",
        |f| f.tensor_count = Some(TENSORS_MAX + 1),
        "gguf_too_many_tensors",
        "gguf_too_many_tensors",
    ),
    (
        "more keys than the file can hold",
        |f| f.key_count = Some(10_000),
        "gguf_truncated",
        "gguf_key_too_long",
    ),
    (
        "more tensors than the file can hold",
        |f| f.tensor_count = Some(60_000),
        "gguf_truncated",
        "gguf_empty_tensor_name",
    ),
];

/// Names, lengths and types of keys and values.
pub const KEYS: &[Case] = &[
    ("empty key", |f| f.key("", 4, [0; 4]), "gguf_empty_key", "gguf_empty_key"),
    ("long key", |f| f.key(&"k".repeat(65_536), 4, [0; 4]), "gguf_key_too_long", "gguf_key_too_long"),
    ("key not UTF-8", |f| f.keys[0].name = vec![0xff, 0xfe], "gguf_not_utf8", "gguf_not_utf8"),
    ("value not UTF-8", |f| f.key("k", 8, text([0xc3])), "gguf_not_utf8", "gguf_not_utf8"),
    (
        "text in an array not UTF-8",
        |f| f.key("k", 9, array(8, 1, &text([0xed, 0xa0, 0x80]))),
        "gguf_not_utf8",
        "gguf_not_utf8",
    ),
    (
        "key twice",
        |f| f.key("llama.block_count", 4, [2, 0, 0, 0]),
        "gguf_duplicate_key",
        "gguf_duplicate_key",
    ),
    ("value type 13", |f| f.key("k", 13, [0; 8]), "gguf_unknown_value_type", "gguf_unknown_value_type"),
    (
        "value type 2^32-1",
        |f| f.key("k", u32::MAX, [0; 8]),
        "gguf_unknown_value_type",
        "gguf_unknown_value_type",
    ),
    (
        "array of unknown type",
        |f| f.key("k", 9, array(77, 1, &[0; 8])),
        "gguf_unknown_value_type",
        "gguf_unknown_value_type",
    ),
    (
        "array of arrays",
        |f| f.key("k", 9, array(9, 1, &array(4, 1, &[0; 4]))),
        "gguf_nested_array",
        "gguf_nested_array",
    ),
    ("bool 2", |f| f.key("k", 7, [2]), "gguf_bad_bool", "gguf_bad_bool"),
    ("bool 255 in an array", |f| f.key("k", 9, array(7, 3, &[0, 1, 255])), "gguf_bad_bool", "gguf_bad_bool"),
    (
        "string of 2^64-1 bytes",
        |f| f.key("k", 8, u64::MAX.to_le_bytes()),
        "gguf_string_too_long",
        "gguf_string_too_long",
    ),
    (
        "string of 1 GiB",
        |f| f.key("k", 8, (1_u64 << 30).to_le_bytes()),
        "gguf_string_too_long",
        "gguf_string_too_long",
    ),
    (
        "string past the file's end",
        |f| f.key("k", 8, 65_536_u64.to_le_bytes()),
        "gguf_truncated",
        "need_more",
    ),
    (
        "array of 2^64-1 strings",
        |f| f.key("k", 9, array(8, u64::MAX, &[])),
        "gguf_array_too_long",
        "gguf_array_too_long",
    ),
    (
        "array of 2^61 u64",
        |f| f.key("k", 9, array(10, 1 << 61, &[])),
        "gguf_array_too_long",
        "gguf_array_too_long",
    ),
    (
        "array an element too long",
        |f| f.key("k", 9, array(0, ARRAY_LEN_MAX + 1, &[])),
        "gguf_array_too_long",
        "gguf_array_too_long",
    ),
    ("array past the file's end", |f| f.key("k", 9, array(4, 1 << 20, &[])), "gguf_truncated", "need_more"),
    (
        "many arrays of many strings",
        |f| {
            let len = ARRAY_STRINGS_MAX / 2;
            for key in ["k1", "k2"] {
                f.key(key, 9, array(8, len, &vec![0; 8 * len as usize]));
            }
        },
        "gguf_array_too_long",
        "gguf_array_too_long",
    ),
    (
        "more than the header may hold",
        |f| {
            for key in ["k1", "k2", "k3"] {
                f.key(key, 8, text(vec![b'a'; STRING_LEN_BYTES_MAX as usize]));
            }
        },
        "gguf_header_too_big",
        "gguf_header_too_big",
    ),
];

/// Alignment and the tensor directory.
pub const TENSORS: &[Case] = &[
    ("alignment 0", |f| f.set(ALIGNMENT, 4, [0; 4]), "gguf_bad_alignment", "gguf_bad_alignment"),
    ("alignment 1", |f| f.set(ALIGNMENT, 4, [1, 0, 0, 0]), "gguf_bad_alignment", "gguf_bad_alignment"),
    ("alignment 24", |f| f.set(ALIGNMENT, 4, [24, 0, 0, 0]), "gguf_bad_alignment", "gguf_bad_alignment"),
    ("alignment 2 MiB", |f| f.set(ALIGNMENT, 4, [0, 0, 32, 0]), "gguf_bad_alignment", "gguf_bad_alignment"),
    ("alignment 2^31", |f| f.set(ALIGNMENT, 4, [0, 0, 0, 0x80]), "gguf_bad_alignment", "gguf_bad_alignment"),
    ("alignment as u64", |f| f.set(ALIGNMENT, 10, [32, 0, 0, 0, 0, 0, 0, 0]), WRONG_TYPE, WRONG_TYPE),
    ("alignment as i32", |f| f.set(ALIGNMENT, 5, [32, 0, 0, 0]), WRONG_TYPE, WRONG_TYPE),
    ("alignment as text", |f| f.set(ALIGNMENT, 8, text("32")), WRONG_TYPE, WRONG_TYPE),
    ("alignment as array", |f| f.set(ALIGNMENT, 9, u32s(&[32])), WRONG_TYPE, WRONG_TYPE),
    (
        "tensor without a name",
        |f| f.tensors[0].name.clear(),
        "gguf_empty_tensor_name",
        "gguf_empty_tensor_name",
    ),
    (
        "long tensor name",
        |f| f.tensors[0].name = vec![b'n'; 257],
        "gguf_tensor_name_too_long",
        "gguf_tensor_name_too_long",
    ),
    ("tensor name not UTF-8", |f| f.tensors[0].name = vec![0x80], "gguf_not_utf8", "gguf_not_utf8"),
    (
        "tensor twice",
        |f| f.tensors[1].name = f.tensors[0].name.clone(),
        "gguf_duplicate_tensor",
        "gguf_duplicate_tensor",
    ),
    ("no dimension", |f| f.tensors[0].dims.clear(), "gguf_bad_dim_count", "gguf_bad_dim_count"),
    (
        "five dimensions",
        |f| f.tensors[0].dims = vec![32, 1, 1, 1, 1],
        "gguf_bad_dim_count",
        "gguf_bad_dim_count",
    ),
    (
        "2^32-1 dimensions",
        |f| f.tensors[0].dim_count = Some(u32::MAX),
        "gguf_bad_dim_count",
        "gguf_bad_dim_count",
    ),
    ("rows of 0 values", |f| f.tensors[0].dims = vec![0, 3], "gguf_zero_dim", "gguf_zero_dim"),
    ("0 rows", |f| f.tensors[0].dims = vec![32, 0], "gguf_zero_dim", "gguf_zero_dim"),
    ("2^42+1 by 2^42+1", |f| f.tensors[0].dims = vec![(1 << 42) + 1; 2], TOO_BIG, TOO_BIG),
    ("product of 2^64", |f| f.tensors[0].dims = vec![1 << 16; 4], TOO_BIG, TOO_BIG),
    ("2^64 bytes", |f| f.tensors[0].dims = vec![1 << 62], TOO_BIG, TOO_BIG),
    (
        "two sizes whose sum wraps",
        |f| {
            f.tensors[1].dims = vec![1 << 61];
            f.tensors[1].type_id = 0;
            f.tensors[2].offset = 1 << 63;
            f.tensors[2].dims = vec![1 << 61];
            f.tensors[2].type_id = 0;
        },
        TOO_BIG,
        TOO_BIG,
    ),
    ("offset that wraps", |f| f.tensors[2].offset = u64::MAX - 31, TOO_BIG, TOO_BIG),
    (
        "offset that wraps, unknown type",
        |f| {
            f.tensors[2].offset = u64::MAX - 31;
            f.tensors[2].type_id = 1000;
        },
        TOO_BIG,
        TOO_BIG,
    ),
    ("half a block", |f| f.tensors[1].dims = vec![48, 2], "gguf_partial_block", "gguf_partial_block"),
    ("a block in two rows", |f| f.tensors[1].dims = vec![16, 2], "gguf_partial_block", "gguf_partial_block"),
    ("odd offset", |f| f.tensors[2].offset += 1, "gguf_misaligned", "gguf_misaligned"),
    ("offset for half the alignment", |f| f.tensors[2].offset += 16, "gguf_misaligned", "gguf_misaligned"),
    ("tensor longer than the file", |f| f.tensors[2].dims = vec![1 << 20], OUTSIDE, "done"),
    ("tensor one block longer than the file", |f| f.tensors[2].dims = vec![64], OUTSIDE, "done"),
    ("tensor behind the file's end", |f| f.tensors[2].offset = 1 << 40, OUTSIDE, "done"),
    (
        "tensor of unknown type behind the end",
        |f| {
            f.tensors[2].offset = 1 << 40;
            f.tensors[2].type_id = 99;
        },
        OUTSIDE,
        "done",
    ),
    ("no data", |f| f.data_len = 0, OUTSIDE, "done"),
    ("two tensors in one place", |f| f.tensors[1].offset = 0, OVERLAP, OVERLAP),
    ("tensor inside another", |f| f.tensors[2].offset = 416, OVERLAP, OVERLAP),
    (
        "two tensors of unknown type in one place",
        |f| {
            f.tensors[1].type_id = 99;
            f.tensors[2].type_id = 99;
            f.tensors[1].offset = 1472;
        },
        OVERLAP,
        OVERLAP,
    ),
];

/// What the keys say about model and tokenizer.
pub const METADATA: &[Case] = &[
    ("architecture as number", |f| f.set("general.architecture", 4, [0; 4]), WRONG_TYPE, WRONG_TYPE),
    ("0 layers", |f| f.set("llama.block_count", 4, [0; 4]), RANGE, RANGE),
    ("513 layers", |f| f.set("llama.block_count", 4, [1, 2, 0, 0]), RANGE, RANGE),
    ("2^64-1 layers", |f| f.set("llama.block_count", 10, [255; 8]), RANGE, RANGE),
    ("-1 layers", |f| f.set("llama.block_count", 5, [255; 4]), WRONG_TYPE, WRONG_TYPE),
    ("layers as text", |f| f.set("llama.block_count", 8, text("2")), WRONG_TYPE, WRONG_TYPE),
    ("layers as float", |f| f.set("llama.block_count", 6, 2_f32.to_le_bytes()), WRONG_TYPE, WRONG_TYPE),
    ("layers as list", |f| f.set("llama.block_count", 9, u32s(&[2])), WRONG_TYPE, WRONG_TYPE),
    ("context 0", |f| f.set("llama.context_length", 4, [0; 4]), RANGE, RANGE),
    ("context 2^32-1", |f| f.set("llama.context_length", 4, [255; 4]), RANGE, RANGE),
    ("width 0", |f| f.set("llama.embedding_length", 4, [0; 4]), RANGE, RANGE),
    ("width 2^32-1", |f| f.set("llama.embedding_length", 4, [255; 4]), RANGE, RANGE),
    ("1025 heads", |f| f.set("llama.attention.head_count", 4, [1, 4, 0, 0]), RANGE, RANGE),
    (
        "heads as bools",
        |f| f.set("llama.attention.head_count", 9, array(7, 2, &[1, 1])),
        WRONG_TYPE,
        WRONG_TYPE,
    ),
    (
        "heads that do not divide the width",
        |f| f.set("llama.attention.head_count", 4, [6, 0, 0, 0]),
        "gguf_not_divisible",
        "gguf_not_divisible",
    ),
    (
        "key/value heads that do not divide the heads",
        |f| f.set("llama.attention.head_count_kv", 4, [3, 0, 0, 0]),
        "gguf_not_divisible",
        "gguf_not_divisible",
    ),
    (
        "key/value heads that do not divide the heads of one layer",
        |f| f.set("llama.attention.head_count_kv", 9, u32s(&[2, 3])),
        "gguf_not_divisible",
        "gguf_not_divisible",
    ),
    (
        "heads of three layers of two",
        |f| f.set("llama.attention.head_count_kv", 9, u32s(&[2, 2, 2])),
        LEN,
        LEN,
    ),
    ("negative heads", |f| f.set("llama.attention.head_count_kv", 9, i32s(&[2, -2])), WRONG_TYPE, WRONG_TYPE),
    ("head of 0 values", |f| f.set("llama.attention.key_length", 4, [0; 4]), RANGE, RANGE),
    (
        "more experts used than there are",
        |f| {
            f.key("llama.expert_count", 4, [2, 0, 0, 0]);
            f.key("llama.expert_used_count", 4, [3, 0, 0, 0]);
        },
        RANGE,
        RANGE,
    ),
    ("epsilon NaN", |f| f.set(EPSILON, 6, f32::NAN.to_le_bytes()), "gguf_bad_number", "gguf_bad_number"),
    ("epsilon below 0", |f| f.set(EPSILON, 6, (-1_f32).to_le_bytes()), "gguf_bad_number", "gguf_bad_number"),
    ("epsilon as integer", |f| f.set(EPSILON, 4, [1, 0, 0, 0]), WRONG_TYPE, WRONG_TYPE),
    ("tokens as numbers", |f| f.set("tokenizer.ggml.tokens", 9, u32s(&[1, 2, 3])), WRONG_TYPE, WRONG_TYPE),
    ("tokens as one text", |f| f.set("tokenizer.ggml.tokens", 8, text("abc")), WRONG_TYPE, WRONG_TYPE),
    ("no tokens", |f| f.set("tokenizer.ggml.tokens", 9, strings(&[])), WRONG_TYPE, WRONG_TYPE),
    ("scores as integers", |f| f.set("tokenizer.ggml.scores", 9, i32s(&[1, 2, 3])), WRONG_TYPE, WRONG_TYPE),
    (
        "scores as bytes",
        |f| f.set("tokenizer.ggml.scores", 9, array(0, 3, &[1, 2, 3])),
        WRONG_TYPE,
        WRONG_TYPE,
    ),
    ("too few scores", |f| f.set("tokenizer.ggml.scores", 9, f32s(&[1.0])), LEN, LEN),
    ("too many scores", |f| f.set("tokenizer.ggml.scores", 9, f32s(&[1.0; 4])), LEN, LEN),
    ("scores without tokens", |f| f.keys.retain(|k| k.name != b"tokenizer.ggml.tokens"), LEN, LEN),
    (
        "token types as u32",
        |f| f.set("tokenizer.ggml.token_type", 9, u32s(&[1, 2, 3])),
        WRONG_TYPE,
        WRONG_TYPE,
    ),
    ("too few token types", |f| f.set("tokenizer.ggml.token_type", 9, i32s(&[1, 2])), LEN, LEN),
    ("merges as numbers", |f| f.set("tokenizer.ggml.merges", 9, u32s(&[1])), WRONG_TYPE, WRONG_TYPE),
    ("merge of one piece", |f| f.set(MERGES, 9, strings(&["a b", "ab"])), "gguf_bad_merge", "gguf_bad_merge"),
    ("merge with nothing", |f| f.set(MERGES, 9, strings(&["a "])), "gguf_bad_merge", "gguf_bad_merge"),
    ("merge of nothing", |f| f.set(MERGES, 9, strings(&[""])), "gguf_bad_merge", "gguf_bad_merge"),
    ("token id as text", |f| f.set("tokenizer.ggml.bos_token_id", 8, text("1")), WRONG_TYPE, WRONG_TYPE),
];
