//! The numbers of ggml's tensor types. Those that the engine runs are in `formats`; a file with one of the others is read
//! to the end of its header, and its tensors are refused by name.

use crate::formats::Format;

/// Type id, name, values in a block, bytes in a block.
type Row = (u32, &'static str, u64, u64);

/// What is not among the formats. Types that ggml has withdrawn keep their name and have no block (0, 0).
const OTHERS: [Row; 15] = [
    (4, "Q4_2", 0, 0),
    (5, "Q4_3", 0, 0),
    (9, "Q8_1", 32, 36),
    (15, "Q8_K", 256, 292),
    (24, "I8", 1, 1),
    (25, "I16", 1, 2),
    (26, "I32", 1, 4),
    (27, "I64", 1, 8),
    (28, "F64", 1, 8),
    (31, "Q4_0_4_4", 0, 0),
    (32, "Q4_0_4_8", 0, 0),
    (33, "Q4_0_8_8", 0, 0),
    (36, "IQ4_NL_4_4", 0, 0),
    (37, "IQ4_NL_4_8", 0, 0),
    (38, "IQ4_NL_8_8", 0, 0),
];

fn other(type_id: u32) -> Option<&'static Row> {
    OTHERS.iter().find(|row| row.0 == type_id)
}

/// (values, bytes) of one block; `None` for a type that is unknown or withdrawn.
pub fn block_shape(type_id: u32) -> Option<(u64, u64)> {
    match Format::by_id(type_id) {
        Some(format) => Some((format.block_len as u64, format.block_bytes as u64)),
        None => other(type_id).filter(|row| row.2 != 0).map(|row| (row.2, row.3)),
    }
}

/// The type's name as llama.cpp's tools write it, withdrawn types included; `None` for an unknown number.
pub fn type_name(type_id: u32) -> Option<&'static str> {
    Format::by_id(type_id).map(|format| format.name).or_else(|| other(type_id).map(|row| row.1))
}
