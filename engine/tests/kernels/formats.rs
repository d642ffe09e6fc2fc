//! What every weight format keeps, whatever its blocks look like.

use pith_engine::formats::{FORMATS, Format, PLANES_MAX, UNIT};
use pith_engine::gguf::{block_shape, type_name};

/// Bytes of blocks, the same in every run. Bit patterns of infinity and NaN are left in: they must not trap either.
fn bytes(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    (0..len).map(|_| next()).collect()
}

/// ggml's types that hold weights: number, name, values and bytes of a block.
const GGML: [(u32, &str, usize, usize); 28] = [
    (0, "F32", 1, 4),
    (1, "F16", 1, 2),
    (2, "Q4_0", 32, 18),
    (3, "Q4_1", 32, 20),
    (6, "Q5_0", 32, 22),
    (7, "Q5_1", 32, 24),
    (8, "Q8_0", 32, 34),
    (10, "Q2_K", 256, 84),
    (11, "Q3_K", 256, 110),
    (12, "Q4_K", 256, 144),
    (13, "Q5_K", 256, 176),
    (14, "Q6_K", 256, 210),
    (16, "IQ2_XXS", 256, 66),
    (17, "IQ2_XS", 256, 74),
    (18, "IQ3_XXS", 256, 98),
    (19, "IQ1_S", 256, 50),
    (20, "IQ4_NL", 32, 18),
    (21, "IQ3_S", 256, 110),
    (22, "IQ2_S", 256, 82),
    (23, "IQ4_XS", 256, 136),
    (29, "IQ1_M", 256, 56),
    (30, "BF16", 1, 2),
    (34, "TQ1_0", 256, 54),
    (35, "TQ2_0", 256, 66),
    (39, "MXFP4", 32, 17),
    (40, "NVFP4", 64, 36),
    (41, "Q1_0", 128, 18),
    (42, "Q2_0", 64, 18),
];

#[test]
fn formats_are_those_of_ggml_in_the_order_of_their_numbers() {
    let records = FORMATS.iter().map(|f| (f.type_id, f.name, f.block_len, f.block_bytes));
    assert_eq!(records.collect::<Vec<_>>(), GGML);
    for f in FORMATS {
        assert_eq!(type_name(f.type_id), Some(f.name));
        assert_eq!(block_shape(f.type_id), Some((f.block_len as u64, f.block_bytes as u64)), "{}", f.name);
        assert!(std::ptr::eq(Format::by_id(f.type_id).unwrap(), *f));
    }
}

#[test]
fn planes_hold_the_bytes_of_the_block_and_no_more() {
    for f in FORMATS {
        assert!(f.planes.len() <= PLANES_MAX, "{}", f.name);
        assert_eq!(f.planes.iter().map(|p| p.block_bytes).sum::<usize>(), f.block_bytes, "{}", f.name);
        assert!(f.planes.iter().all(|p| matches!(p.align_bytes, 4 | 16)), "{}", f.name);
        assert!(f.block_len == 1 || f.block_len.is_multiple_of(UNIT), "{}", f.name);
        // Uploads are of whole words.
        assert!(f.codebook.len().is_multiple_of(2), "{}", f.name);
    }
}

#[test]
fn every_byte_of_a_block_reaches_a_plane() {
    for f in FORMATS {
        let block = bytes(f.block_bytes, f.type_id);
        let mut planes: Vec<Vec<u8>> = f.planes.iter().map(|p| vec![0; p.block_bytes]).collect();
        let mut pieces: Vec<&mut [u8]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        (f.split)(&block, &mut pieces);
        let mut got: Vec<u8> = planes.concat();
        let mut want = block.clone();
        got.sort_unstable();
        want.sort_unstable();
        assert_eq!(got, want, "{}", f.name);
    }
}

#[test]
fn rows_decode_from_planes_as_their_blocks_do() {
    for f in FORMATS {
        // Three rows of an odd number of blocks, so that rows end inside an aligned word and inside a vec4.
        let cols = if f.block_len == 1 { 37 } else { 3 * f.block_len };
        let row_bytes = f.row_bytes(cols).unwrap();
        let stored = bytes(3 * row_bytes, f.type_id + 100);
        let mut planes = vec![Vec::new(); f.planes.len()];
        f.split_rows(&stored, cols, &mut planes);
        for (r, row) in stored.chunks_exact(row_bytes).enumerate() {
            let mut want = vec![0.0; cols];
            for (block, out) in row.chunks_exact(f.block_bytes).zip(want.chunks_exact_mut(f.block_len)) {
                f.decode(block, out);
            }
            let place = |(i, plane): (usize, &'_ Vec<u8>)| {
                let stride_bytes = f.plane_stride_bytes(i, cols);
                plane[r * stride_bytes..][..stride_bytes].to_vec()
            };
            let row: Vec<Vec<u8>> = planes.iter().enumerate().map(place).collect();
            let row: Vec<&[u8]> = row.iter().map(Vec::as_slice).collect();
            let mut got = vec![0.0; cols.next_multiple_of(UNIT)];
            f.unpack(&row, &mut got);
            for (i, (want, got)) in want.iter().zip(&got).enumerate() {
                let equal = want.to_bits() == got.to_bits() || want.is_nan() && got.is_nan();
                assert!(equal, "{} row {r} value {i}: {want} stored, {got} split", f.name);
            }
        }
    }
}

#[test]
fn rows_that_are_no_whole_blocks_are_refused() {
    for f in FORMATS.iter().filter(|f| f.block_len > 1) {
        assert_eq!(f.row_bytes(0), None, "{}", f.name);
        assert_eq!(f.row_bytes(f.block_len + UNIT), None, "{}", f.name);
    }
}
